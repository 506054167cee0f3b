//! A caller's own words, as they may be repeated: short, readable on one line, and without keys.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::is_unsafe_to_show;

/// The first characters of every key of this service, in lower case.
const KEY_BEGIN: &str = "pbk_";

/// Stands where a key was, or a text that spells one with escapes.
const WITHHELD: &str = "(a key, withheld)";

/// The text as it may be shown to anybody: at most this many characters, without control and direction characters, and
/// with a note in place of what begins like a key.
///
/// A sender's text goes into problems, pages, logs and terminals. There a control character acts, a direction character
/// (U+202E, say) makes the rest read backward, and a key would be stored by whoever keeps answers.
pub fn echoed(text: &str, chars_max: usize) -> Cow<'_, str> {
    let is_plain = text.len() <= chars_max && text.bytes().all(|byte| (b' '..0x7F).contains(&byte));
    // An escape may hide a key (`%70bk_`), so only a text without any is plain.
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

/// Whether a text has what begins like a key, in any case, as it is or with its escapes decoded once or twice: one proxy
/// too many may have encoded it again.
pub fn holds_key(text: &str) -> bool {
    let once = unescaped(text);
    has_begin(text) || has_begin(&once) || has_begin(&unescaped(&once))
}

fn has_begin(text: &str) -> bool {
    text.as_bytes().windows(KEY_BEGIN.len()).any(|four| four.eq_ignore_ascii_case(KEY_BEGIN.as_bytes()))
}

/// The text with a note for each key; for the whole of it where escapes spell the key.
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

/// The text with its escapes (`%70`) decoded.
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
