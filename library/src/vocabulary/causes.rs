//! Formats an error with its causes.

use std::error::Error;

/// The error's message, followed by each cause that the text does not contain yet: many messages include their cause.
pub fn with_causes(error: &dyn Error) -> String {
    let (mut words, mut next) = (error.to_string(), error.source());
    while let Some(error) = next {
        let cause = error.to_string();
        if !words.contains(&cause) {
            words = format!("{words}: {cause}");
        }
        next = error.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{words}")]
    struct Outer {
        words: &'static str,
        source: io::Error,
    }

    #[test]
    fn each_cause_is_named_once() {
        for (words, expected) in [
            ("cannot read x", "cannot read x: no such file"),
            ("x: no such file; is it there?", "x: no such file; is it there?"),
        ] {
            let error = Outer { words, source: io::Error::other("no such file") };
            assert_eq!(with_causes(&error), expected);
        }
        assert_eq!(with_causes(&io::Error::other("no such file")), "no such file");
    }
}
