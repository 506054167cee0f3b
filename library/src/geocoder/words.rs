//! Splits an address into folded words.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Maximum number of characters of a text that are read. The contract's limit for an address is lower.
const CHARS_MAX: usize = 400;

/// The parts of a text between commas and line ends, each as folded words of lower-case letters and digits. A hyphen
/// or slash stays inside a word that begins with a digit (`117-01`, `1/2`). `#` is a word of its own.
pub(super) fn parts_of(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader { parts: vec![Vec::new()], word: String::new() };
    let folded = folded(text);
    for (at, char) in folded.iter().enumerate() {
        let next = folded.get(at + 1).copied();
        reader.take(*char, next, folded.get(at + 2).copied());
    }
    reader.end_word();
    reader.parts.retain(|part| !part.is_empty());
    reader.parts
}

/// The words of a text, without its division into parts.
pub(super) fn words_of(text: &str) -> Vec<String> {
    parts_of(text).concat()
}

/// Lower-case characters without marks. A fraction is separated from the number before it.
fn folded(text: &str) -> Vec<char> {
    // ASCII has no marks to remove, so the slower path is not needed.
    if text.is_ascii() {
        return text.chars().take(CHARS_MAX).map(|char| char.to_ascii_lowercase()).collect();
    }
    let apart = text.chars().take(CHARS_MAX).flat_map(|char| {
        let space = matches!(char, '½' | '¼' | '¾' | '⅓' | '⅔').then_some(' ');
        space.into_iter().chain(std::iter::once(char))
    });
    let plain = apart.nfkd().filter(|char| !is_combining_mark(*char));
    plain.flat_map(char::to_lowercase).collect()
}

struct Reader {
    parts: Vec<Vec<String>>,
    word: String,
}

impl Reader {
    fn take(&mut self, char: char, next: Option<char>, after: Option<char>) {
        match char {
            'a'..='z' | '0'..='9' => self.word.push(char),
            // Apostrophes join parts of a word: O'Fallon is one word.
            '\'' | '’' | '‘' | 'ʻ' | '`' => {}
            // Line ends divide as commas do, because pasted addresses have them instead.
            ',' | ';' | '\n' | '\r' | '|' => {
                self.end_word();
                self.parts.push(Vec::new());
            }
            // The sign is a word of its own, so that `#4` and `# 4` are the same unit.
            '#' => {
                self.end_word();
                self.push("#");
            }
            '&' => {
                self.end_word();
                self.push("and");
            }
            // These are initials: a letter, a period and another letter. U.S. becomes us, while St.Paul is two words.
            '.' if self.is_letter()
                && next.is_some_and(char::is_alphanumeric)
                && !after.is_some_and(char::is_alphanumeric) => {}
            // 117-01 and 1/2 stay one word, but the hyphen of Dempsey-White separates two.
            '-' | '/' | '⁄' if self.is_number() && next.is_some_and(char::is_alphanumeric) => {
                self.word.push(if char == '-' { '-' } else { '/' });
            }
            other if other.is_alphanumeric() => self.word.push(other),
            _ => self.end_word(),
        }
    }

    fn is_letter(&self) -> bool {
        self.word.len() == 1 && self.word.bytes().all(|byte| byte.is_ascii_lowercase())
    }

    fn is_number(&self) -> bool {
        self.word.starts_with(|char: char| char.is_ascii_digit())
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            let word = std::mem::take(&mut self.word);
            self.parts.last_mut().expect("there is always a part").push(word);
        }
    }

    fn push(&mut self, word: &str) {
        self.parts.last_mut().expect("there is always a part").push(word.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_words() {
        for (text, words) in [
            ("100 W. Main St., Hertford, NC 27944-1234", "100 w main st|hertford|nc 27944-1234"),
            ("U.S. Hwy 17 N.E.", "us hwy 17 ne"),
            ("N.Church St", "n church st"),
            ("St.Paul's Rd #4", "st pauls rd # 4"),
            ("117-01 Dempsey-White Ln", "117-01 dempsey white ln"),
            ("100½ Cañon Dr", "100 1/2 canon dr"),
            ("100 1/2 A St\nX & Y", "100 1/2 a st|x and y"),
            (" , ;", ""),
        ] {
            let read: Vec<String> = parts_of(text).iter().map(|part| part.join(" ")).collect();
            assert_eq!(read.join("|"), words, "{text}");
        }
    }
}
