//! Names as people write them, and legal words.
//!
//! Counties keep their legal word ("Hennepin County", "Orleans Parish"). Places and cities, towns, boroughs and
//! villages among subdivisions go by the bare name ("Minneapolis"). Townships, plantations, gores and the like
//! take their word along ("Hastings Charter Township"), because nobody calls them anything else.

use platbook::vocabulary::{Layer, legal_type_of, split_namelsad};

use crate::read::Record;

/// A name and its legal word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As people write it.
    pub name: String,
    /// Lower case; `None` where the Census has no legal word (states, Guam).
    pub legal_type: Option<String>,
}

/// Legal words that a subdivision's name takes along.
const SPOKEN_WORDS: [&str; 9] = [
    "township",
    "charter township",
    "plantation",
    "gore",
    "grant",
    "purchase",
    "location",
    "reservation",
    "subdistrict",
];

/// What stands after the name of a consolidated government in NAME itself, longest first, and its legal word.
const CONSOLIDATED: [(&str, &str); 6] = [
    (" consolidated government (balance)", "consolidated government"),
    (" metropolitan government (balance)", "metropolitan government"),
    (" unified government (balance)", "unified government"),
    (" metro government (balance)", "metro government"),
    (" city (balance)", "city"),
    (" (balance)", "consolidated government"),
];

/// Legal words of areas whose LSAD is 00, "none": the code says nothing, but they have one.
const UNCODED: [(Layer, &str, &str); 12] = [
    (Layer::County, "11001", "district"),
    (Layer::County, "32510", "city"),
    (Layer::County, "60030", "island"),
    (Layer::County, "60040", "island"),
    (Layer::County, "66010", "territory"),
    // A "municipality" is a form of government in New Jersey's law for what took over from two boroughs.
    (Layer::Cousub, "3402160900", "municipality"),
    (Layer::Place, "3460900", "municipality"),
    (Layer::Place, "1349008", "consolidated government"),
    (Layer::Place, "3001675", "consolidated government"),
    (Layer::Place, "3209700", "city"),
    (Layer::Place, "4732742", "metropolitan government"),
    (Layer::Place, "4744382", "metropolitan government"),
];

/// The name of a record. `lsad` is its LSAD code, or the one that the manifest assumes for it.
pub fn name(record: &Record, lsad: Option<&str>) -> Name {
    let (bare, consolidated) = strip_consolidated(&record.name);
    let legal_type = consolidated.map(str::to_owned).or_else(|| legal_word(record, lsad));
    let name = match (record.geoid.layer(), legal_type.as_deref()) {
        (Layer::State | Layer::Place, _) | (_, None) => town_name(record, lsad, bare).to_owned(),
        (Layer::County, Some(_)) => county_name(record, lsad),
        (Layer::Cousub, Some(word)) if SPOKEN_WORDS.contains(&word) => with_word(bare, &title_case(word)),
        (Layer::Cousub, Some(_)) => town_name(record, lsad, bare).to_owned(),
    };
    Name { name, legal_type }
}

fn strip_consolidated(name: &str) -> (&str, Option<&'static str>) {
    let found =
        CONSOLIDATED.iter().find_map(|(ending, word)| Some((name.strip_suffix(ending)?, Some(*word))));
    found.unwrap_or((name, None))
}

/// The legal word: of the LSAD code, else what NAMELSAD adds to NAME, else what NAMELSAD ends in.
fn legal_word(record: &Record, lsad: Option<&str>) -> Option<String> {
    let digits = record.geoid.digits();
    let uncoded = UNCODED.iter().find(|row| row.0 == record.geoid.layer() && row.1 == digits);
    if let Some((_, _, word)) = uncoded {
        return Some((*word).to_owned());
    }
    if let Some(row) = lsad.and_then(legal_type_of) {
        return row.word.map(str::to_owned);
    }
    let full = record.namelsad.as_deref()?;
    let added = full.strip_prefix(record.name.as_str()).map(str::trim).filter(|word| !word.is_empty());
    added.map(str::to_lowercase).or_else(|| split_namelsad(full)?.1.word.map(str::to_owned))
}

/// Massachusetts cities that kept the word town in their legal name ("the city known as the town of
/// Barnstable") carry it in NAME; people leave it out. Elsewhere it is part of the name (Old Town, Maine).
fn town_name<'a>(record: &Record, lsad: Option<&str>, bare: &'a str) -> &'a str {
    let massachusetts_city = record.geoid.state_fips() == 25 && lsad == Some("25");
    bare.strip_suffix(" Town").filter(|_| massachusetts_city).unwrap_or(bare)
}

/// NAMELSAD, or what it would be in a file that has none.
fn county_name(record: &Record, lsad: Option<&str>) -> String {
    match (&record.namelsad, lsad.and_then(legal_type_of)) {
        (Some(full), _) => full.clone(),
        (None, Some(row)) => with_word(&record.name, row.namelsad_word),
        (None, None) => record.name.clone(),
    }
}

/// Puts the word after the name, or in place of the same word when the name ends in it.
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
mod tests {
    use platbook::vocabulary::Geoid;

    use super::*;

    const COUNTY: Layer = Layer::County;
    const COUSUB: Layer = Layer::Cousub;
    const PLACE: Layer = Layer::Place;

    /// Layer, GEOID, NAME, NAMELSAD, LSAD; name, legal type. All from published files.
    const TABLE: [(Layer, &str, &str, &str, &str, &str, &str); 58] = [
        (Layer::State, "27", "Minnesota", "", "00", "Minnesota", ""),
        (Layer::State, "11", "District of Columbia", "", "00", "District of Columbia", ""),
        (COUNTY, "27053", "Hennepin", "", "06", "Hennepin County", "county"),
        (COUNTY, "19111", "Lee", "Lee County", "06", "Lee County", "county"),
        (COUNTY, "22071", "Orleans", "", "15", "Orleans Parish", "parish"),
        (COUNTY, "02110", "Juneau", "", "03", "Juneau City and Borough", "city and borough"),
        (COUNTY, "02020", "Anchorage", "", "12", "Anchorage Municipality", "municipality"),
        (COUNTY, "02063", "Chugach", "Chugach Census Area", "05", "Chugach Census Area", "census area"),
        (COUNTY, "02013", "Aleutians East", "", "04", "Aleutians East Borough", "borough"),
        (
            COUNTY,
            "09110",
            "Capitol",
            "Capitol Planning Region",
            "PL",
            "Capitol Planning Region",
            "planning region",
        ),
        (COUNTY, "51510", "Alexandria", "", "25", "Alexandria city", "city"),
        (COUNTY, "24510", "Baltimore", "", "25", "Baltimore city", "city"),
        (COUNTY, "32510", "Carson City", "", "25", "Carson City", "city"),
        (COUNTY, "11001", "District of Columbia", "", "00", "District of Columbia", "district"),
        (COUNTY, "72021", "Bayamón", "", "13", "Bayamón Municipio", "municipio"),
        (COUNTY, "35013", "Doña Ana", "", "06", "Doña Ana County", "county"),
        (COUNTY, "60010", "Eastern", "", "07", "Eastern District", "district"),
        (COUNTY, "60030", "Rose Island", "", "00", "Rose Island", "island"),
        (COUNTY, "66010", "Guam", "", "00", "Guam", "territory"),
        (COUNTY, "78010", "St. Croix", "", "10", "St. Croix Island", "island"),
        (COUNTY, "69110", "Saipan", "", "12", "Saipan Municipality", "municipality"),
        (PLACE, "2743000", "Minneapolis", "Minneapolis city", "25", "Minneapolis", "city"),
        (PLACE, "2938000", "Kansas City", "Kansas City city", "25", "Kansas City", "city"),
        (
            PLACE,
            "1723256",
            "Elk Grove Village",
            "Elk Grove Village village",
            "47",
            "Elk Grove Village",
            "village",
        ),
        (PLACE, "2355225", "Old Town", "Old Town city", "25", "Old Town", "city"),
        (PLACE, "2503690", "Barnstable Town", "Barnstable Town city", "25", "Barnstable", "city"),
        (PLACE, "2507000", "Boston", "Boston city", "25", "Boston", "city"),
        (PLACE, "3106015", "Boys Town", "Boys Town village", "47", "Boys Town", "village"),
        (
            PLACE,
            "4752006",
            "Nashville-Davidson metropolitan government (balance)",
            "",
            "00",
            "Nashville-Davidson",
            "metropolitan government",
        ),
        (
            PLACE,
            "1304204",
            "Augusta-Richmond County consolidated government (balance)",
            "",
            "00",
            "Augusta-Richmond County",
            "consolidated government",
        ),
        (
            PLACE,
            "1303440",
            "Athens-Clarke County unified government (balance)",
            "",
            "00",
            "Athens-Clarke County",
            "unified government",
        ),
        (
            PLACE,
            "2148006",
            "Louisville/Jefferson County metro government (balance)",
            "",
            "00",
            "Louisville/Jefferson County",
            "metro government",
        ),
        (
            PLACE,
            "1836003",
            "Indianapolis city (balance)",
            "Indianapolis city (balance)",
            "00",
            "Indianapolis",
            "city",
        ),
        (PLACE, "0947515", "Milford city (balance)", "Milford city (balance)", "00", "Milford", "city"),
        (
            PLACE,
            "3011397",
            "Butte-Silver Bow (balance)",
            "Butte-Silver Bow (balance)",
            "00",
            "Butte-Silver Bow",
            "consolidated government",
        ),
        (PLACE, "3209700", "Carson City", "Carson City", "00", "Carson City", "city"),
        (PLACE, "1349008", "Macon-Bibb County", "", "00", "Macon-Bibb County", "consolidated government"),
        (PLACE, "1381128", "Webster County", "", "UG", "Webster County", "unified government"),
        (
            PLACE,
            "4744382",
            "Lynchburg, Moore County",
            "",
            "MG",
            "Lynchburg, Moore County",
            "metropolitan government",
        ),
        (
            PLACE,
            "2146027",
            "Lexington-Fayette",
            "Lexington-Fayette urban county",
            "UC",
            "Lexington-Fayette",
            "urban county",
        ),
        (PLACE, "3460900", "Princeton", "Princeton", "00", "Princeton", "municipality"),
        (
            PLACE,
            "4922875",
            "Emigration Canyon",
            "Emigration Canyon metro township",
            "35",
            "Emigration Canyon",
            "metro township",
        ),
        (PLACE, "0236400", "Juneau", "Juneau city and borough", "53", "Juneau", "city and borough"),
        (PLACE, "5466988", "Ranson", "Ranson corporation", "CN", "Ranson", "corporation"),
        (COUSUB, "3610938000", "Ithaca", "Ithaca town", "43", "Ithaca", "town"),
        (COUSUB, "0911037070", "Hartford", "", "43", "Hartford", "town"),
        (COUSUB, "2500103690", "Barnstable Town", "Barnstable Town city", "25", "Barnstable", "city"),
        (COUSUB, "3400108680", "Buena Vista", "", "44", "Buena Vista Township", "township"),
        (
            COUSUB,
            "2601537140",
            "Hastings",
            "Hastings charter township",
            "49",
            "Hastings Charter Township",
            "charter township",
        ),
        (COUSUB, "2700100532", "Aitkin", "Aitkin township", "44", "Aitkin Township", "township"),
        (COUSUB, "2300316235", "Cyr", "Cyr plantation", "39", "Cyr Plantation", "plantation"),
        (COUSUB, "5000902162", "Avery's", "", "31", "Avery's Gore", "gore"),
        (COUSUB, "5000902162", "Averys gore", "", "31", "Averys Gore", "gore"),
        (COUSUB, "3300768500", "Second College", "", "32", "Second College Grant", "grant"),
        (COUSUB, "3300332500", "Hale's", "", "36", "Hale's Location", "location"),
        (COUSUB, "3300732420", "Hadleys", "", "42", "Hadleys Purchase", "purchase"),
        (
            COUSUB,
            "3602975011",
            "Tonawanda",
            "Tonawanda Reservation",
            "86",
            "Tonawanda Reservation",
            "reservation",
        ),
        (COUSUB, "3600508510", "Bronx", "Bronx borough", "21", "Bronx", "borough"),
    ];

    #[test]
    fn names_as_people_write_them() {
        for (layer, digits, census, full, lsad, expected, word) in TABLE {
            let record = Record {
                geoid: Geoid::parse(layer, digits).unwrap(),
                name: census.to_owned(),
                namelsad: (!full.is_empty()).then(|| full.to_owned()),
                lsad: Some(lsad.to_owned()),
                classfp: None,
                func_stat: None,
                land_m2: None,
                water_m2: None,
                internal_point: None,
                rings: Vec::new(),
            };
            let name = name(&record, Some(lsad));
            assert_eq!(
                (name.name.as_str(), name.legal_type.as_deref().unwrap_or("")),
                (expected, word),
                "{census}"
            );
        }
    }
}
