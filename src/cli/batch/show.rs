//! Text of a file as a message shows it: short, and nothing in it that a terminal obeys.

/// Characters of a file that a message repeats.
const SHOWN_MAX: usize = 80;

/// The text as it may go to a terminal: control characters as escapes, and no more than its beginning.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN_MAX)]);
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == SHOWN_MAX {
            return shown + "…";
        }
        if letter.is_control() || is_invisible(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    if bytes.len() > 4 * SHOWN_MAX { shown + "…" } else { shown }
}

/// Characters that turn the direction of what follows.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        for (bytes, expected) in [
            (&b"lat"[..], "lat"),
            (b"\x1b[31mred\x07", "\\u{1b}[31mred\\u{7}"),
            (b"caf\xe9", "caf\u{fffd}"),
            ("a\u{202e}b".as_bytes(), "a\\u{202e}b"),
        ] {
            assert_eq!(shown(bytes), expected);
        }
        let long = shown(&vec![b'x'; 5_000_000]);
        assert_eq!(long.chars().count(), SHOWN_MAX + 1);
    }
}
