//! Shortens text of a file for messages and escapes its control characters.

use platbook::vocabulary::is_unsafe_to_show;

/// Maximum number of characters of a file that a message quotes. Chosen, not measured.
const SHOWN_MAX: usize = 80;

/// Returns the beginning of a text with control characters escaped.
pub(super) fn shown(bytes: &[u8]) -> String {
    shown_up_to(bytes, SHOWN_MAX)
}

/// Returns the beginning of a text, at most `chars_max` characters, with control characters escaped.
pub(super) fn shown_up_to(bytes: &[u8], chars_max: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * chars_max)]);
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == chars_max {
            return shown + "…";
        }
        if is_unsafe_to_show(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    if bytes.len() > 4 * chars_max { shown + "…" } else { shown }
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
