//! Repeats a caller's own words safely: short, on one line, and without API keys.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::is_unsafe_to_show;

/// The start of every API key of this service, in lower case.
const KEY_BEGIN: &str = "pbk_";

/// Stands for a key, or for a whole text that spells a key with percent-encoding.
const WITHHELD: &str = "(a key, withheld)";

/// The text in a form that anyone may see: at most `chars_max` characters, then perhaps an ellipsis, without control
/// and direction characters. A note replaces everything that starts like a key.
///
/// The text goes into problems, pages, logs and terminals. A terminal would obey a control character. A direction
/// character (such as U+202E) would reverse the text after it. Anyone who keeps answers would store a key.
pub fn echoed(text: &str, chars_max: usize) -> Cow<'_, str> {
    let is_plain = text.len() <= chars_max && text.bytes().all(|byte| (b' '..0x7F).contains(&byte));
    // An escape may hide a key (`%70bk_`), so a text with an escape is not plain.
    if is_plain && !text.contains('%') && !holds_key(text) {
        return Cow::Borrowed(text);
    }
    let shown = if holds_key(text) { without_keys(text) } else { Cow::Borrowed(text) };
    let mut readable = shown.chars().filter(|letter| !is_unsafe_to_show(*letter));
    let mut short: String = readable.by_ref().take(chars_max).collect();
    if readable.next().is_some() {
        short.push('…');
    }
    Cow::Owned(short)
}

/// Whether a text contains the start of a key in any case, as written or percent-decoded once or twice. Twice,
/// because a second proxy may have encoded the text again.
pub fn holds_key(text: &str) -> bool {
    let once = unescaped(text);
    has_begin(text) || has_begin(&once) || has_begin(&unescaped(&once))
}

fn has_begin(text: &str) -> bool {
    text.as_bytes().windows(KEY_BEGIN.len()).any(|four| four.eq_ignore_ascii_case(KEY_BEGIN.as_bytes()))
}

/// Replaces each key by a note, or the whole text if only percent-decoding shows the key.
fn without_keys(text: &str) -> Cow<'static, str> {
    let lower = text.to_ascii_lowercase();
    let (mut plain, mut done) = (String::with_capacity(text.len()), 0);
    for (at, _) in lower.match_indices(KEY_BEGIN) {
        if at >= done {
            let key = &text.as_bytes()[at..];
            let letters = key.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
            plain += &text[done..at];
            plain += WITHHELD;
            done = at + letters.count();
        }
    }
    plain += &text[done..];
    if holds_key(&plain) { Cow::Borrowed(WITHHELD) } else { Cow::Owned(plain) }
}

/// The text with percent-encoding (`%70`) decoded.
fn unescaped(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_repeated_short_readable_and_without_keys() {
        for (text, expected) in [
            ("no endpoint at /v1/nope", "no endpoint at /v1/nope"),
            ("100% sure, 5%, %zz and %", "100% sure, 5%, %zz and %"),
            ("Peñasco", "Peñasco"),
            ("a\u{1b}[31mb\r\nc\u{85}d", "a[31mbcd"),
            ("a\u{202e}b\u{2066}c\u{200f}d\u{feff}e\u{2028}f", "abcdef"),
            ("at /v1/nope/pbk_AbC-_9/x?y", "at /v1/nope/(a key, withheld)/x?y"),
            ("PBK_a and pbk_", "(a key, withheld) and (a key, withheld)"),
            ("pbk_apbk_b", "(a key, withheld)"),
            ("at /%70bk%5Fabc", WITHHELD),
            ("at /%2570bk_abc", WITHHELD),
            ("bk_abc pb_k", "bk_abc pb_k"),
        ] {
            assert_eq!(echoed(text, 100), expected, "{text:?}");
        }
        assert_eq!(echoed(&"é".repeat(60_000), 10), "é".repeat(10) + "…");
        assert_eq!(echoed("0123456789", 10), "0123456789");
        assert_eq!(
            echoed(&format!("{}pbk_abc", "x".repeat(8)), 10),
            "xxxxxxxx(a…",
            "cut after the key has gone"
        );
    }
}
