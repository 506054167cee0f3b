//! JSON for people.

/// The same JSON with a line per member and two spaces per level. Keys keep their order, which those of a
/// parsed value would not.
pub(super) fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    let mut chars = json.chars().peekable();
    while let Some(char) = chars.next() {
        if in_string {
            in_string = escaped || char != '"';
            escaped = !escaped && char == '\\';
            out.push(char);
            continue;
        }
        in_string = char == '"';
        if matches!(char, '}' | ']') {
            depth -= 1;
            new_line(&mut out, depth);
        }
        out.push(char);
        match char {
            '{' | '[' => match chars.next_if(|next| matches!(next, '}' | ']')) {
                Some(close) => out.push(close),
                None => {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            },
            ',' => new_line(&mut out, depth),
            ':' => out.push(' '),
            _ => {}
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn as_serde_json_indents() {
        for value in [
            serde_json::json!({"a": [], "b": {}, "c": [1, 2.5, null], "d": {"e": "x: {,}[\"\\", "f": [[{}]]}}),
            serde_json::json!(["\\\"", "é", true]),
            serde_json::json!("plain"),
        ] {
            assert_eq!(indented(&value.to_string()), serde_json::to_string_pretty(&value).unwrap());
        }
    }
}
