//! Legal words as people say them around a name: "City of Austin", "Hastings charter township", "Hennepin Co".

use super::Layer;

/// A legal word that narrows a name to places of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalWord(&'static str);

/// What is said, folded, and the legal word that is meant; longer ones before those that they end in.
const SPOKEN: [(&str, &str); 33] = [
    ("charter township", "charter township"),
    ("metro township", "township"),
    ("city and borough", "city and borough"),
    ("city and county", "county"),
    ("consolidated government", "consolidated government"),
    ("metropolitan government", "metropolitan government"),
    ("unified government", "unified government"),
    ("unorganized territory", "unorganized territory"),
    ("planning region", "planning region"),
    ("census area", "census area"),
    ("barrio pueblo", "barrio-pueblo"),
    ("urban county", "urban county"),
    ("county", "county"),
    ("cnty", "county"),
    ("co", "county"),
    ("parish", "parish"),
    ("borough", "borough"),
    ("boro", "borough"),
    ("municipality", "municipality"),
    ("municipio", "municipio"),
    ("township", "township"),
    ("twp", "township"),
    ("city", "city"),
    ("town", "town"),
    ("village", "village"),
    ("plantation", "plantation"),
    ("gore", "gore"),
    ("grant", "grant"),
    ("purchase", "purchase"),
    ("location", "location"),
    ("reservation", "reservation"),
    ("precinct", "precinct"),
    ("district", "district"),
];

impl LegalWord {
    /// Splits folded words into those of the name and a legal word: after the name, or before it with "of".
    /// `None` where there is no legal word, or nothing else.
    pub fn split<'w>(words: &'w [&'w str]) -> Option<(&'w [&'w str], LegalWord)> {
        SPOKEN.iter().find_map(|(said, meant)| {
            let count = said.split(' ').count();
            let is_said = |part: &[&str]| part.iter().copied().eq(said.split(' '));
            if words.len() <= count {
                return None;
            }
            let (name, last) = words.split_at(words.len() - count);
            if is_said(last) {
                return Some((name, LegalWord(meant)));
            }
            let (first, name) = words.split_at(count);
            let name = name.split_first().filter(|(of, name)| **of == "of" && !name.is_empty())?.1;
            is_said(first).then_some((name, LegalWord(meant)))
        })
    }

    /// Whether a jurisdiction of this layer and legal type is one that the word names. People say city and county of
    /// consolidated governments, township of charter townships, and county of a parish.
    pub fn fits(self, layer: Layer, legal_type: Option<&str>) -> bool {
        let legal_type = legal_type.unwrap_or_default();
        let consolidated = legal_type.ends_with("government") || legal_type == "urban county";
        match self.0 {
            word if word == legal_type => true,
            "county" => consolidated || (layer == Layer::County && legal_type != "city"),
            "city" => {
                consolidated || ["city and borough", "municipality", "corporation"].contains(&legal_type)
            }
            "borough" => legal_type == "city and borough",
            "township" => legal_type.ends_with(" township"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_words_are_split_off() {
        for (text, name, word) in [
            ("hennepin county", "hennepin", "county"),
            ("hennepin co", "hennepin", "county"),
            ("city of austin", "austin", "city"),
            ("city of new york", "new york", "city"),
            ("hastings charter township", "hastings", "charter township"),
            ("hastings twp", "hastings", "township"),
            ("township of hastings", "hastings", "township"),
            ("kansas city", "kansas", "city"),
            ("juneau city and borough", "juneau", "city and borough"),
            ("city and county of denver", "denver", "county"),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let (rest, found) = LegalWord::split(&words).unwrap();
            assert_eq!((rest.join(" ").as_str(), found.0), (name, word), "{text}");
        }
        for text in ["city", "city of", "of", "austin", "countyline", ""] {
            let words: Vec<&str> = text.split(' ').collect();
            assert!(LegalWord::split(&words).is_none(), "{text}");
        }
    }

    #[test]
    fn words_name_more_than_themselves() {
        for (word, layer, legal_type, fits) in [
            ("county", Layer::County, "parish", true),
            ("county", Layer::County, "city", false),
            ("county", Layer::Place, "city", false),
            ("county", Layer::Place, "unified government", true),
            ("city", Layer::County, "city", true),
            ("city", Layer::Place, "metropolitan government", true),
            ("city", Layer::Place, "village", false),
            ("township", Layer::Cousub, "charter township", true),
            ("charter township", Layer::Cousub, "township", false),
            ("town", Layer::Cousub, "township", false),
        ] {
            assert_eq!(LegalWord(word).fits(layer, Some(legal_type)), fits, "{word} {legal_type}");
        }
    }
}
