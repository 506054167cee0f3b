//! Compares names of governments: folds spellings, finds names in hosts and credits, writes them in full.

use platbook::{
    snapshot::write::NewJurisdiction,
    vocabulary::{JurisdictionId, Layer, StateCode},
};

/// Legal words after a name.
const LEGAL_SUFFIXES: [&str; 14] = [
    " city and borough",
    " census area",
    " municipality",
    " municipio",
    " planning region",
    " township",
    " parish",
    " county",
    " borough",
    " village",
    " town",
    " city",
    " metropolitan government",
    " unified government",
];
/// Legal words before a name.
const LEGAL_PREFIXES: [&str; 7] = [
    "city and county of ",
    "county of ",
    "city of ",
    "town of ",
    "village of ",
    "township of ",
    "borough of ",
];

/// The name in lower-case letters and digits only, without accents, with Saint, Mount and Fort shortened.
pub(super) fn compact(name: &str) -> String {
    let words: Vec<String> = name
        .to_lowercase()
        .replace('&', " and ")
        .replace(['\'', '’'], "")
        .chars()
        .map(plain)
        .collect::<String>()
        .split(|char: char| !char.is_ascii_alphanumeric())
        .map(|word| match word {
            "saint" => "st".to_owned(),
            "sainte" => "ste".to_owned(),
            "mount" => "mt".to_owned(),
            "fort" => "ft".to_owned(),
            other => other.to_owned(),
        })
        .collect();
    words.concat()
}

fn plain(char: char) -> char {
    match char {
        'á' | 'à' | 'ä' => 'a',
        'é' | 'è' => 'e',
        'í' => 'i',
        'ñ' => 'n',
        'ó' | 'ö' => 'o',
        'ú' | 'ü' => 'u',
        other => other,
    }
}

/// The compact name without its legal word, as a key for comparison.
pub(super) fn folded(name: &str) -> String {
    let lower = name.trim().to_lowercase();
    let lower = LEGAL_PREFIXES.iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    // "Carson City" keeps a word that is part of the name; "Norfolk city" does not.
    let keeps = |word: &str| word == " city" && name.ends_with(" City");
    let bare = LEGAL_SUFFIXES.iter().find(|word| lower.ends_with(*word) && !keeps(word));
    compact(bare.map_or(lower, |word| lower.strip_suffix(word).unwrap_or(lower)))
}

/// The legal word of a name that says which kind of local government it is, such as `township`; `None` for others.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    let lower = name.trim().to_lowercase();
    ["township", "borough", "village", "town"]
        .into_iter()
        .find(|word| lower.starts_with(&format!("{word} of ")) || lower.ends_with(&format!(" {word}")))
}

/// The full name: "Hennepin County", "City of Bend", "State of Ohio".
pub(super) fn full_name(row: &NewJurisdiction) -> String {
    let name = row.name.as_str();
    let JurisdictionId::Census(geoid) = row.id else { return name.to_owned() };
    if geoid.layer() == Layer::State {
        let usps = StateCode::from_fips(geoid.state_fips()).map_or("", StateCode::usps);
        let is_state = !["DC", "AS", "GU", "MP", "PR", "VI"].contains(&usps);
        return if is_state { format!("State of {name}") } else { name.to_owned() };
    }
    if let Some(bare) = name.strip_suffix(" city") {
        return format!("City of {bare}");
    }
    let Some(word) = row.legal_type.as_deref() else { return name.to_owned() };
    let title = word[..1].to_uppercase() + &word[1..];
    let has_word = name.to_lowercase().ends_with(&format!(" {word}"));
    let takes_of = ["city", "town", "village", "borough"].contains(&word) && geoid.layer() != Layer::County;
    if takes_of && !has_word { format!("{title} of {name}") } else { name.to_owned() }
}

/// A government with the spellings by which hosts, paths and credits may name it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Full name, as in [`full_name`].
    pub(super) full: String,
    /// FIPS code of the government's state; 0 for the country.
    pub(super) state: u8,
    /// Layer of the area; `None` for the country.
    pub(super) layer: Option<Layer>,
    is_county: bool,
    /// Compact spellings of the name without the legal word; the first is the key.
    keys: Vec<String>,
}

/// Words beside a name of four letters or fewer. Such a short name also occurs inside other words, so it counts only
/// beside one of these words.
const BESIDE_SHORT: [&str; 11] =
    ["county", "co", "gov", "gis", "city", "maps", "parish", "cad", "pa", "data", "open"];

impl Named {
    pub(super) fn new(row: &NewJurisdiction) -> Named {
        let (state, layer) = match row.id {
            JurisdictionId::Census(geoid) => (geoid.state_fips(), Some(geoid.layer())),
            _ => (0, None),
        };
        let key = folded(&row.name);
        let mut keys = vec![key.clone()];
        for (short, long) in [("st", "saint"), ("mt", "mount"), ("ft", "fort")] {
            keys.extend(key.strip_prefix(short).map(|rest| format!("{long}{rest}")));
        }
        // Virginia's independent cities and Carson City are cities on the layer of counties.
        let is_county = layer == Some(Layer::County) && row.legal_type.as_deref() != Some("city");
        Named { full: full_name(row), state, layer, is_county, keys }
    }

    pub(super) fn key(&self) -> &str {
        &self.keys[0]
    }

    pub(super) fn is_county(&self) -> bool {
        self.is_county
    }

    /// Whether a host's label or a part of a path names the government. Names of one or two letters never
    /// match.
    pub(super) fn is_named_by(&self, text: &str) -> bool {
        let text = compact(text);
        let usps = StateCode::from_fips(self.state).map_or("", StateCode::usps).to_lowercase();
        self.keys.iter().any(|key| match key.len() {
            0..=2 => false,
            3 | 4 => {
                let beside = |word: &str| {
                    text.contains(&format!("{key}{word}")) || text.contains(&format!("{word}of{key}"))
                };
                text == *key || text == format!("{key}{usps}") || BESIDE_SHORT.into_iter().any(beside)
            }
            _ => text.contains(key.as_str()),
        })
    }

    /// Whether any of a host's labels names the government.
    pub(super) fn is_named_by_host(&self, labels: &[&str]) -> bool {
        labels.iter().any(|label| self.is_named_by(label))
    }

    /// Whether the labels have "city of" before a county's name, or "county" after a city's.
    pub(super) fn is_of_other_level(&self, labels: &[&str]) -> bool {
        self.keys.iter().any(|key| {
            labels.iter().enumerate().any(|(at, label)| {
                let label = compact(label);
                let before = at.checked_sub(1).map_or("", |before| labels[before]);
                let city = ["cityof", "townof", "villageof"]
                    .iter()
                    .any(|word| label.contains(&format!("{word}{key}")))
                    || label.contains(&format!("{key}city"))
                    || (label == *key && ["ci", "city", "town", "village"].contains(&before));
                let county = label.contains(&format!("{key}county"))
                    || label.contains(&format!("countyof{key}"))
                    || (label == *key && ["co", "county"].contains(&before));
                if self.is_county() { city && !county } else { county && !city }
            })
        })
    }

    /// Whether a credit line names the government with its legal word.
    pub(super) fn is_credited(&self, credit: &str) -> bool {
        let credit = compact(credit);
        self.keys.iter().any(|key| {
            if self.is_county() {
                ["county", "parish", "borough"].iter().any(|word| credit.contains(&format!("{key}{word}")))
                    || credit.contains(&format!("countyof{key}"))
            } else {
                ["cityof", "townof", "villageof", "countyof"]
                    .iter()
                    .any(|word| credit.contains(&format!("{word}{key}")))
            }
        })
    }
}
