//! Legal words as people write them with a name: "City of Austin", "Hastings charter township", "Hennepin Co".

use super::{Layer, names::is_consolidated};

/// A legal word that restricts a name to places of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalWord(&'static str);

/// Spoken forms, folded, with the legal word that each means. A form that ends in another form stands before that
/// form.
const SPOKEN: [(&str, &str); 38] = [
    ("charter township", "charter township"),
    ("charter twp", "charter township"),
    ("metro township", "metro township"),
    ("city and borough", "city and borough"),
    ("city and county", "county"),
    ("consolidated government", "consolidated government"),
    ("metropolitan government", "metropolitan government"),
    ("metro government", "metro government"),
    ("unified government", "unified government"),
    ("unorganized territory", "unorganized territory"),
    ("planning region", "planning region"),
    ("census area", "census area"),
    ("barrio pueblo", "barrio-pueblo"),
    ("urban county", "urban county"),
    ("county", "county"),
    ("cnty", "county"),
    ("cty", "county"),
    ("co", "county"),
    ("parish", "parish"),
    ("borough", "borough"),
    ("boro", "borough"),
    ("corporation", "corporation"),
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
    ("territory", "territory"),
];

impl LegalWord {
    /// The ways to split folded words into a name and a legal word: "word of name" and "name word". Empty if the text
    /// has no legal word, or no name beside it.
    pub fn splits<'w>(words: &'w [&'w str]) -> impl Iterator<Item = (&'w [&'w str], LegalWord)> {
        // Most texts have no "of". The search of the table for a word before "of" is then skipped.
        let of = words.iter().position(|word| *word == "of").filter(|at| *at > 0);
        let before = of.and_then(|of| {
            let name = words.get(of + 1..).filter(|name| !name.is_empty())?;
            SPOKEN.iter().find_map(|(said, meant)| {
                words[..of].iter().copied().eq(said.split(' ')).then_some((name, LegalWord(meant)))
            })
        });
        [before, Self::split_end(words)].into_iter().flatten()
    }

    fn split_end<'w>(words: &'w [&'w str]) -> Option<(&'w [&'w str], LegalWord)> {
        let last = words.last()?;
        let (said, meant, name) =
            SPOKEN.iter().filter(|(said, _)| said.ends_with(last)).find_map(|(said, meant)| {
                let at = words.len().checked_sub(said.split(' ').count()).filter(|at| *at > 0)?;
                let (name, end) = words.split_at(at);
                end.iter().copied().eq(said.split(' ')).then_some((said, meant, name))
            })?;
        // After "county", `co` is Colorado: "El Paso County CO".
        let is_state = *said == "co" && Self::split_end(name).is_some_and(|(_, word)| word.0 == "county");
        (!is_state).then_some((name, LegalWord(meant)))
    }

    /// Whether the word names a jurisdiction of this layer and legal type. People call a consolidated government a
    /// city, a charter township a township, and a parish a county.
    pub fn fits(self, layer: Layer, legal_type: Option<&str>) -> bool {
        let legal_type = legal_type.unwrap_or_default();
        match self.0 {
            word if word == legal_type => true,
            "county" => layer == Layer::County && legal_type != "city",
            "city" => {
                is_consolidated(legal_type)
                    || ["city and borough", "municipality", "corporation"].contains(&legal_type)
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
        for (text, expected) in [
            ("hennepin county", "hennepin + county"),
            ("hennepin co", "hennepin + county"),
            ("city of austin", "austin + city"),
            ("city of new york", "new york + city"),
            ("hastings charter township", "hastings + charter township"),
            ("hastings twp", "hastings + township"),
            ("township of hastings", "hastings + township"),
            ("kansas city", "kansas + city"),
            ("city of kansas city", "kansas city + city, city of kansas + city"),
            ("village of elk grove village", "elk grove village + village, village of elk grove + village"),
            ("juneau city and borough", "juneau + city and borough"),
            ("city and county of denver", "denver + county"),
            ("aurora co", "aurora + county"),
            ("el paso county co", ""),
            ("city", ""),
            ("city of", ""),
            ("of", ""),
            ("austin", ""),
            ("countyline", ""),
            ("", ""),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let splits =
                LegalWord::splits(&words).map(|(name, word)| format!("{} + {}", name.join(" "), word.0));
            assert_eq!(splits.collect::<Vec<_>>().join(", "), expected, "{text}");
        }
    }

    #[test]
    fn words_name_more_than_themselves() {
        for (word, layer, legal_type, fits) in [
            ("county", Layer::County, "parish", true),
            ("county", Layer::County, "city", false),
            ("county", Layer::Place, "city", false),
            ("county", Layer::Place, "unified government", false),
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
