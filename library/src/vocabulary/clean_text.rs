//! Cleans text that others wrote before it is shown: bounded, on one line, without control or invisible characters.
//!
//! A lookup service, a mirror, a layer file or an operator's note may hold anything. A control character moves a
//! terminal's cursor. A direction character changes the order in which words are shown. Tag characters carry sentences
//! to a language model that people cannot see. Text is cleaned once, on input; code that shows it does not clean it
//! again.

/// Maximum number of characters of a text from outside that an answer shows. The longest text that the services
/// document is the name of a map unit with 175 characters (SSURGO metadata, table `mapunit`, column `muname`).
pub const OUTSIDE_CHARS_MAX: usize = 200;

/// Marks the end of a shortened text.
const ELLIPSIS: char = '…';

/// How `clean_text` treats a character.
enum Class {
    Shown,
    /// Adjacent characters of this class become one space.
    Space,
    /// Removed without a replacement.
    Hidden,
}

/// Cleans a text: runs of white space and controls become one space, and hidden characters are removed. A text of more
/// than `chars_max` characters is cut to `chars_max`, the last of which is an ellipsis.
pub fn clean_text(text: &str, chars_max: usize) -> String {
    let mut clean = String::with_capacity(text.len().min(chars_max));
    let (mut chars, mut is_apart, mut last_start) = (0, false, 0);
    for letter in text.chars() {
        match class(letter) {
            Class::Hidden => continue,
            Class::Space => {
                is_apart = chars > 0;
                continue;
            }
            Class::Shown => {}
        }
        if chars + 1 + usize::from(is_apart) > chars_max {
            // The last character of a full text makes room for the ellipsis.
            if chars == chars_max {
                clean.truncate(last_start);
            }
            clean.truncate(clean.trim_end().len());
            clean.push(ELLIPSIS);
            return clean;
        }
        if std::mem::take(&mut is_apart) {
            clean.push(' ');
            chars += 1;
        }
        last_start = clean.len();
        clean.push(letter);
        chars += 1;
    }
    clean
}

/// Whether a text has at most `chars_max` characters, none of which controls a terminal, hides or ends a line.
pub fn is_clean_text(text: &str, chars_max: usize) -> bool {
    // A character has at least one byte, so most texts need no count.
    (text.len() <= chars_max || text.chars().count() <= chars_max) && !text.chars().any(is_unsafe_to_show)
}

/// Whether a character controls a terminal or a line, changes the direction of other characters, or cannot be seen.
pub fn is_unsafe_to_show(letter: char) -> bool {
    match class(letter) {
        Class::Shown => false,
        Class::Hidden => true,
        Class::Space => letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'),
    }
}

fn class(letter: char) -> Class {
    match letter {
        '!'..='~' => Class::Shown,
        // This includes controls of both sets (general category Cc).
        letter if letter.is_control() || letter.is_whitespace() => Class::Space,
        letter if is_hidden(letter) => Class::Hidden,
        _ => Class::Shown,
    }
}

/// Characters without a visible shape: `Default_Ignorable_Code_Point` of Unicode 16.0 (DerivedCoreProperties.txt). The
/// property covers zero-width, direction (`Bidi_Control`) and tag characters. Annotation marks and noncharacters
/// around U+FFF9 are added.
fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_from_outside_is_made_fit_to_be_shown() {
        for (text, expected) in [
            ("350 S 5TH ST, MINNEAPOLIS", "350 S 5TH ST, MINNEAPOLIS"),
            ("Cañon City, Hawaiʻi, Doña Ana — 東", "Cañon City, Hawaiʻi, Doña Ana — 東"),
            (" a \t b\r\nc\u{a0}\u{3000}d ", "a b c d"),
            ("a\0b\u{1b}[31mc\u{7f}d\u{85}e\u{9b}2Jf", "a b [31mc d e 2Jf"),
            ("a\u{2028}b\u{2029}c", "a b c"),
            ("a\u{202e}b\u{2066}c\u{200e}d\u{61c}e", "abcde"),
            ("a\u{200b}b\u{200d}c\u{feff}d\u{ad}e\u{2060}f", "abcdef"),
            ("a\u{e0049}\u{e0047}\u{e007f}b\u{e0100}c\u{fe0f}", "abc"),
            ("\u{202e}", ""),
            (" \n ", ""),
            ("", ""),
        ] {
            assert_eq!(clean_text(text, 100), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        for (text, chars_max, expected) in [
            ("12345", 5, "12345"),
            ("123456", 5, "1234…"),
            ("12345 ", 5, "12345"),
            ("12345\u{202e}", 5, "12345"),
            ("1234 6", 5, "1234…"),
            ("123 56", 5, "123…"),
            ("ééééé", 4, "ééé…"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(clean_text(text, chars_max), expected, "{text:?}");
        }
        let long = clean_text(&"A".repeat(900_000), OUTSIDE_CHARS_MAX);
        assert_eq!(long.chars().count(), OUTSIDE_CHARS_MAX);
    }

    #[test]
    fn the_check_refuses_what_cleaning_would_take_out() {
        for (text, expected) in [
            ("Rice Lake", true),
            ("two  spaces\u{a0}wide", true),
            ("12345678901234567890", true),
            ("éééééééééééééééééééé", true),
            ("123456789012345678901", false),
            ("a\nb", false),
            ("a\u{9b}b", false),
            ("a\u{2028}b", false),
            ("a\u{202e}b", false),
            ("a\u{200b}b", false),
            ("a\u{e0041}b", false),
        ] {
            assert_eq!(is_clean_text(text, 20), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_cleaned_is_clean_and_stays(text in any::<String>(), chars_max in 1_usize..40) {
            let clean = clean_text(&text, chars_max);
            prop_assert!(is_clean_text(&clean, chars_max), "{clean:?}");
            prop_assert_eq!(&clean_text(&clean, chars_max), &clean);
            prop_assert_eq!(clean.trim(), &clean);
        }
    }
}
