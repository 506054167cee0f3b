//! Computes how hard a text is to read: the Flesch-Kincaid grade. 8 means the eighth year of school.

/// The grade: 0.39 x words per sentence + 11.8 x syllables per word - 15.59 (Kincaid and others, 1975); 0
/// without words.
#[expect(clippy::cast_precision_loss, reason = "a text has few words")]
pub(super) fn grade(text: &str) -> f64 {
    let words = words(text);
    if words.is_empty() {
        return 0.0;
    }
    let syllables: usize = words.iter().map(|word| syllables(word)).sum();
    let per_sentence = words.len() as f64 / sentences(text).max(1) as f64;
    0.39 * per_sentence + 11.8 * syllables as f64 / words.len() as f64 - 15.59
}

/// The words of a text: parts between spaces, dashes and slashes with a letter or digit.
pub(super) fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| c.is_whitespace() || c == '-' || c == '/');
    parts.filter(|part| part.contains(char::is_alphanumeric)).collect()
}

/// The number of full stops and question marks at the end of a word.
pub(super) fn sentences(text: &str) -> usize {
    let ends = |word: &&str| word.trim_end_matches(['"', '\'', ')']).ends_with(['.', '?']);
    text.split_whitespace().filter(ends).count()
}

/// Estimates the syllables of a word: groups of vowels, `y` included, at least one.
///
/// A last `e`, `es` or `ed` is silent, except in `-ble`, `-ces`, `-ses`, `-ted` and the like. `ia` and `io`
/// inside a word count twice, except in `-tion`, `-sion`, `-cial` and the like.
fn syllables(word: &str) -> usize {
    let word: String = word.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
    let vowel = |byte: u8| b"aeiouy".contains(&byte);
    let bytes = word.as_bytes();
    let starts = |at: &usize| vowel(bytes[*at]) && (*at == 0 || !vowel(bytes[*at - 1]));
    let groups = (0..bytes.len()).filter(starts).count();
    let soft = ["tio", "sio", "cia", "tia", "gio", "xio"];
    let split = bytes
        .windows(3)
        .filter(|three| three.ends_with(b"io") || three.ends_with(b"ia"))
        .filter(|three| !vowel(three[0]) && !soft.iter().any(|part| part.as_bytes() == *three))
        .count();
    (groups + split - usize::from(groups > 1 && silent_end(&word))).max(1)
}

fn silent_end(word: &str) -> bool {
    let silent = |end: &str, but_after: &str| {
        word.strip_suffix(end).is_some_and(|stem| !stem.ends_with(|last| but_after.contains(last)))
    };
    if word.ends_with("le") || word.ends_with("les") {
        return silent("le", "bcdfghkpstz") || silent("les", "bcdfghkpstz");
    }
    silent("e", "aeiouy") || silent("ed", "tdaeiouy") || silent("es", "csxzghaeiouy")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_are_about_right() {
        let known = [
            ("deed", 1),
            ("title", 2),
            ("table", 2),
            ("tables", 2),
            ("rules", 1),
            ("zone", 1),
            ("zones", 1),
            ("taxes", 2),
            ("offices", 3),
            ("recorded", 3),
            ("mapped", 1),
            ("property", 3),
            ("assessor", 3),
            ("official", 3),
            ("elevation", 4),
            ("county", 2),
            ("the", 1),
            ("1980", 1),
        ];
        for (word, count) in known {
            assert_eq!(syllables(word), count, "{word}");
        }
    }

    #[test]
    fn long_words_and_sentences_are_harder() {
        let easy = grade("The cat sat on the mat. It was fat.");
        let hard = grade(
            "Notwithstanding jurisdictional considerations, administrative determinations necessitate documentation.",
        );
        assert!(easy < 2.0, "{easy}");
        assert!(hard > 15.0, "{hard}");
        assert_eq!(sentences("One. Two? (Three.) 1.5 feet"), 3);
    }
}
