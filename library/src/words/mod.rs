//! Every sentence that an answer can say.
//!
//! An answer carries keys and figures; a [`Words`] turns them into sentences of one language. Renderers lay the sentences
//! out and add none of their own, so that each fact is said in one way wherever it is read. A further language is a further
//! implementation of the trait: the compiler lists what it lacks.

mod en;
mod figures;
mod names;

use crate::{
    answers::Notice,
    directory::{Directory, Row},
};

pub use en::English;
pub use figures::{capital, count, date, feet, listed, thousands, titled};
pub use names::{full_name, with_article};

/// In which units lengths on the ground are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// Feet or miles alone: for pages that home owners read.
    Feet,
    /// Meters, with feet or miles in parentheses: for programs, models and terminals.
    Both,
}

/// The sentences of one language.
pub trait Words: Send + Sync {
    /// The language as a tag of BCP 47, such as `en`: part of each key under which a text is kept.
    fn tag(&self) -> &'static str;

    /// A caveat in one or two sentences.
    fn notice(&self, notice: &Notice, directory: &Directory, units: Units) -> String;

    /// The name of a government as a part of a sentence: "the City of Austin".
    fn name(&self, directory: &Directory, row: Row) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second language, with three sentences so far and the rest still in English.
    struct Spanish;

    impl Words for Spanish {
        fn tag(&self) -> &'static str {
            "es"
        }

        fn notice(&self, notice: &Notice, directory: &Directory, units: Units) -> String {
            match *notice {
                Notice::ScreeningOnly => "Estos datos no son una determinación oficial.".to_owned(),
                Notice::NoSuchName => "No hay nada con este nombre.".to_owned(),
                Notice::NoCountyGovernment { county } => {
                    format!("{} no tiene gobierno de condado.", self.name(directory, county))
                }
                _ => English.notice(notice, directory, units),
            }
        }

        fn name(&self, directory: &Directory, row: Row) -> String {
            English.name(directory, row)
        }
    }

    #[test]
    fn another_language_is_another_implementation() {
        let directory = crate::testing::directory();
        let county = directory.found(&"county:27001".parse().unwrap()).unwrap();
        let languages: [&dyn Words; 2] = [&English, &Spanish];
        let said = languages
            .map(|words| words.notice(&Notice::NoCountyGovernment { county }, &directory, Units::Both));
        assert_eq!(
            said,
            [
                "Adams County has no county government of its own.",
                "Adams County no tiene gobierno de condado.",
            ]
        );
        assert_ne!(languages[0].tag(), languages[1].tag());
    }
}
