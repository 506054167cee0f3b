//! LSAD codes and the legal words that they stand for.

/// The position of the legal word in a full Census name ("Keokuk County", "City of Milford").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affix {
    /// Before the name: "City of Milford".
    Prefix,
    /// After the name: "Keokuk County".
    Suffix,
    /// The Census name has no separate legal word.
    None,
}

/// One row of the LSAD table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalType {
    /// Two-character LSAD code, as the Census Bureau publishes it.
    pub lsad: &'static str,
    /// The legal word as answers show it, in lower case; `None` if the code has no legal word.
    pub word: Option<&'static str>,
    /// The word as it stands in NAMELSAD.
    pub namelsad_word: &'static str,
    /// Position of that word in NAMELSAD.
    pub affix: Affix,
    /// Whether the unit is statistical and therefore not a jurisdiction.
    pub statistical: bool,
}

const fn suffix(lsad: &'static str, word: &'static str, namelsad_word: &'static str) -> LegalType {
    LegalType { lsad, word: Some(word), namelsad_word, affix: Affix::Suffix, statistical: false }
}

const fn statistical(lsad: &'static str, namelsad_word: &'static str) -> LegalType {
    LegalType { lsad, word: None, namelsad_word, affix: Affix::Suffix, statistical: true }
}

/// Codes of counties, county subdivisions and places.
///
/// Source: Census Bureau, Legal/Statistical Area Description Codes and Definitions.
const LEGAL_TYPES: [LegalType; 46] = [
    LegalType { lsad: "00", word: None, namelsad_word: "", affix: Affix::None, statistical: false },
    suffix("03", "city and borough", "City and Borough"),
    suffix("04", "borough", "Borough"),
    suffix("05", "census area", "Census Area"),
    suffix("06", "county", "County"),
    suffix("07", "district", "District"),
    suffix("10", "island", "Island"),
    suffix("12", "municipality", "Municipality"),
    suffix("13", "municipio", "Municipio"),
    suffix("15", "parish", "Parish"),
    suffix("21", "borough", "borough"),
    statistical("22", "CCD"),
    statistical("23", "census subarea"),
    suffix("24", "subdistrict", "census subdistrict"),
    suffix("25", "city", "city"),
    suffix("26", "county", "county"),
    suffix("27", "district", "district"),
    suffix("28", "district", "District"),
    suffix("29", "precinct", "precinct"),
    suffix("30", "precinct", "Precinct"),
    suffix("31", "gore", "gore"),
    suffix("32", "grant", "grant"),
    suffix("35", "metro township", "metro township"),
    suffix("36", "location", "location"),
    suffix("37", "municipality", "municipality"),
    suffix("39", "plantation", "plantation"),
    suffix("41", "barrio-pueblo", "barrio-pueblo"),
    suffix("42", "purchase", "purchase"),
    suffix("43", "town", "town"),
    suffix("44", "township", "township"),
    LegalType {
        lsad: "45",
        word: Some("township"),
        namelsad_word: "Township",
        affix: Affix::None,
        statistical: false,
    },
    statistical("46", "UT"),
    suffix("47", "village", "village"),
    suffix("49", "charter township", "charter township"),
    suffix("51", "subbarrio", "subbarrio"),
    suffix("53", "city and borough", "city and borough"),
    statistical("55", "comunidad"),
    statistical("57", "CDP"),
    statistical("62", "zona urbana"),
    suffix("86", "reservation", "Reservation"),
    suffix("PL", "planning region", "Planning Region"),
    suffix("CB", "consolidated government", "consolidated government (balance)"),
    suffix("CN", "corporation", "corporation"),
    suffix("MG", "metropolitan government", "metropolitan government (balance)"),
    suffix("UC", "urban county", "urban county"),
    suffix("UG", "unified government", "unified government (balance)"),
];

/// The row of an LSAD code; `None` for codes of other kinds of areas.
pub fn legal_type_of(lsad: &str) -> Option<&'static LegalType> {
    LEGAL_TYPES.iter().find(|row| row.lsad == lsad)
}

/// Splits a full name such as "Hastings charter township" into the bare name and its legal word, the longest that
/// fits. `None` if the name does not end in a known word, or has no other word.
pub fn split_namelsad(namelsad: &str) -> Option<(&str, &'static LegalType)> {
    let mut best: Option<(&str, &'static LegalType)> = None;
    for row in LEGAL_TYPES.iter().filter(|row| row.affix == Affix::Suffix) {
        let Some(bare) = namelsad.strip_suffix(row.namelsad_word).and_then(|rest| rest.strip_suffix(' '))
        else {
            continue;
        };
        let longer = best.is_none_or(|(_, known)| known.namelsad_word.len() < row.namelsad_word.len());
        if !bare.is_empty() && longer {
            best = Some((bare, row));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_stands_once() {
        for (at, row) in LEGAL_TYPES.iter().enumerate() {
            assert!(LEGAL_TYPES[..at].iter().all(|earlier| earlier.lsad != row.lsad), "{}", row.lsad);
        }
    }

    #[test]
    fn the_longest_legal_word_is_split_off() {
        for (full, bare, lsad) in [
            ("Hastings charter township", "Hastings", "49"),
            ("Keokuk County", "Keokuk", "06"),
            ("Juneau City and Borough", "Juneau", "03"),
            ("Kansas City city", "Kansas City", "25"),
            ("Nashville-Davidson metropolitan government (balance)", "Nashville-Davidson", "MG"),
            ("Capitol Planning Region", "Capitol", "PL"),
        ] {
            let (name, row) = split_namelsad(full).unwrap();
            assert_eq!((name, row.lsad), (bare, lsad));
        }
        assert_eq!(split_namelsad("Guam"), None);
        assert_eq!(split_namelsad("city"), None);
    }
}
