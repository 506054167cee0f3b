//! Finds comments and literals in Rust code, which the compiler's tokens leave out.

use std::ops::Range;

/// The text with comments, strings and characters turned into spaces; lines stay.
pub fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for hidden in literals_and_comments(text) {
        out.push_str(&text[at..hidden.start]);
        out.extend(text[hidden.clone()].chars().map(|char| if char == '\n' { '\n' } else { ' ' }));
        at = hidden.end;
    }
    out + &text[at..]
}

/// The ranges of comments, strings and characters.
pub fn literals_and_comments(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at, mut is_in_name) = (Vec::new(), 0, false);
    while let Some(char) = text[at..].chars().next() {
        let length = if is_in_name && is_of_name(char) { 0 } else { literal_or_comment(&text[at..]) };
        if length > 0 {
            found.push(at..at + length);
        }
        is_in_name = length == 0 && is_of_name(char);
        at += length.max(char.len_utf8());
    }
    found
}

/// Bytes of the comment or literal that the text begins with; 0 without one.
pub fn literal_or_comment(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    let raw =
        text.trim_start_matches('b').strip_prefix('r').map(|rest| rest.split('"').next().unwrap_or(rest));
    if let Some(hashes) = raw.filter(|hashes| hashes.bytes().all(|byte| byte == b'#')) {
        let start = text.find('"').unwrap_or(text.len() - 1) + 1;
        let close = format!("\"{hashes}");
        return text[start..].find(&close).map_or(text.len(), |end| start + end + close.len());
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => quoted(text, '\''),
        (Some('\''), Some(char), Some('\'')) => 2 + char.len_utf8(),
        _ => 0,
    }
}

/// Bytes up to the closing mark.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    let close = text[1..].find(|char| {
        let closes = char == mark && !escaped;
        escaped = char == '\\' && !escaped;
        closes
    });
    close.map_or(text.len(), |close| close + 2)
}

/// Whether a name of Rust may have this character.
pub fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
