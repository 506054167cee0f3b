//! Names areas as people write them, and gives their legal words.
//!
//! Counties keep their legal word ("Hennepin County", "Orleans Parish"). Places, and cities, towns, boroughs and
//! villages among subdivisions, go by the bare name ("Minneapolis"). Townships, plantations, gores and the like keep
//! their word ("Hastings Charter Township"): people always say it.

use platbook::vocabulary::{Layer, legal_type_of, split_namelsad};

use crate::{curated::NamingTable, input::Record};

/// The name of an area and its legal word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as people write it.
    pub name: String,
    /// Legal word, lower case; `None` where the Census has none (states, Guam).
    pub legal_type: Option<String>,
}

/// Names a record. `table` has the exceptions to the rule; `lsad` is the record's LSAD code, or the one that the
/// manifest assumes for it.
pub fn name(table: &NamingTable, record: &Record, lsad: Option<&str>) -> Name {
    let (bare, consolidated) = strip_consolidated(table, &record.name);
    let legal_type = consolidated.map(str::to_owned).or_else(|| legal_word(table, record, lsad));
    let is_spoken = |word: &str| table.spoken_words.iter().any(|spoken| spoken == word);
    let name = match (record.geoid.layer(), legal_type.as_deref()) {
        (Layer::State | Layer::Place, _) | (_, None) => town_name(record, lsad, bare).to_owned(),
        (Layer::County, Some(_)) => county_name(record, lsad),
        (Layer::Cousub, Some(word)) if is_spoken(word) => with_word(bare, &title_case(word)),
        (Layer::Cousub, Some(_)) => town_name(record, lsad, bare).to_owned(),
    };
    Name { name, legal_type }
}

fn strip_consolidated<'a>(table: &'a NamingTable, name: &'a str) -> (&'a str, Option<&'a str>) {
    let mut endings = table.endings.iter();
    let found =
        endings.find_map(|(ending, word)| Some((name.strip_suffix(ending.as_str())?, Some(word.as_str()))));
    found.unwrap_or((name, None))
}

/// The legal word by the table, else by the LSAD code, else the word that NAMELSAD adds to NAME, else the word at
/// NAMELSAD's end. `None` if none of them has one.
fn legal_word(table: &NamingTable, record: &Record, lsad: Option<&str>) -> Option<String> {
    if let Some(word) = table.words.get(&record.geoid) {
        return Some(word.clone());
    }
    if let Some(row) = lsad.and_then(legal_type_of) {
        return row.word.map(str::to_owned);
    }
    let full = record.namelsad.as_deref()?;
    let added = full.strip_prefix(record.name.as_str()).map(str::trim).filter(|word| !word.is_empty());
    added.map(str::to_lowercase).or_else(|| split_namelsad(full)?.1.word.map(str::to_owned))
}

/// The name of a town as people say it. Some Massachusetts cities kept the word town in their legal name ("the city
/// known as the town of Barnstable"). NAME carries the word, and people leave it out. Elsewhere the word is part of
/// the name (Old Town, Maine).
fn town_name<'a>(record: &Record, lsad: Option<&str>, bare: &'a str) -> &'a str {
    let massachusetts_city = record.geoid.state_fips() == 25 && lsad == Some("25");
    bare.strip_suffix(" Town").filter(|_| massachusetts_city).unwrap_or(bare)
}

/// NAMELSAD; built from NAME and the legal word where the file has none.
fn county_name(record: &Record, lsad: Option<&str>) -> String {
    match (&record.namelsad, lsad.and_then(legal_type_of)) {
        (Some(full), _) => full.clone(),
        (None, Some(row)) => with_word(&record.name, row.namelsad_word),
        (None, None) => record.name.clone(),
    }
}

/// Puts the word after the name, or in place of the same word at the name's end.
fn with_word(name: &str, word: &str) -> String {
    let ends = name.len().checked_sub(word.len() + 1).filter(|at| {
        name.is_char_boundary(*at)
            && name[*at..].starts_with(' ')
            && name[*at + 1..].eq_ignore_ascii_case(word)
    });
    match ends {
        // "Carson City" is spelled so; "Averys gore" becomes "Averys Gore".
        Some(_) if word.starts_with(char::is_lowercase) => name.to_owned(),
        Some(at) => format!("{} {word}", &name[..at]),
        None if word.is_empty() => name.to_owned(),
        None => format!("{name} {word}"),
    }
}

fn title_case(words: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    words.split(' ').map(capital).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests;
