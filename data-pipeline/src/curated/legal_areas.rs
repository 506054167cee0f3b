//! Reads the legal land and water areas of towns: the folder `curated/legal_areas/`.

use std::{collections::BTreeMap, path::Path};

use platbook::vocabulary::{Geoid, Layer};
use serde::Deserialize;
use toml::Spanned;

use super::{
    checker::Checker,
    error::Fault,
    file::Text,
    files::{read_folder, toml_fault},
};

/// The area within a government's legal lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalArea {
    /// Land in square meters, above 0.
    pub land_m2: u64,
    /// Water in square meters.
    pub water_m2: u64,
}

/// Legal areas of all states, by county subdivision.
pub type LegalAreas = BTreeMap<Geoid, LegalArea>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateFile {
    state: Text,
    source: Text,
    /// Land and water of each GEOID, in square meters.
    m2: BTreeMap<String, Spanned<[u64; 2]>>,
}

/// Reads every file of the folder: the valid values, then all faults.
pub(super) fn read_legal_areas(folder: &Path) -> (LegalAreas, Vec<Fault>) {
    let (states, faults) = read_folder(folder, parse_legal_areas);
    (states.into_iter().flatten().collect(), faults)
}

/// Reads one file, named after its state.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_legal_areas(file: &str, text: &str) -> Result<LegalAreas, Vec<Fault>> {
    let table: StateFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    let Some(state) = checker.state(&table.state) else {
        return checker.finish().map(|()| LegalAreas::new());
    };
    checker.url(&table.source, "source");
    let mut areas = LegalAreas::new();
    for (code, m2) in &table.m2 {
        let key = format!("m2.{code}");
        let geoid = Geoid::parse(Layer::Cousub, code).ok();
        match geoid.filter(|geoid| geoid.state_fips() == state.fips()) {
            None => checker.at(m2, &key, "expected the GEOID of a county subdivision of the state"),
            Some(_) if m2.get_ref()[0] == 0 => checker.at(m2, &key, "expected land and water; has no land"),
            Some(geoid) => {
                let [land_m2, water_m2] = *m2.get_ref();
                areas.insert(geoid, LegalArea { land_m2, water_m2 });
            }
        }
    }
    checker.finish().map(|()| areas)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "state = \"IL\"\nsource = \"https://www.census.gov/\"\n[m2]\n";

    #[test]
    fn faults_name_the_row() {
        let good = parse_legal_areas("IL.toml", &format!("{HEAD}1700105742 = [94000000, 120000]\n")).unwrap();
        let geoid = Geoid::parse(Layer::Cousub, "1700105742").unwrap();
        assert_eq!(good[&geoid], LegalArea { land_m2: 94_000_000, water_m2: 120_000 });
        for (row, expected) in [
            (
                "1800105742 = [1, 0]",
                "IL.toml:4: m2.1800105742: expected the GEOID of a county subdivision of the state",
            ),
            (
                "17001 = [1, 0]",
                "IL.toml:4: m2.17001: expected the GEOID of a county subdivision of the state",
            ),
            ("1700105742 = [0, 9]", "IL.toml:4: m2.1700105742: expected land and water; has no land"),
        ] {
            let faults = parse_legal_areas("IL.toml", &format!("{HEAD}{row}\n")).unwrap_err();
            assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        }
        assert!(parse_legal_areas("IL.toml", &format!("{HEAD}1700105742 = [1]\n")).is_err());
        assert!(parse_legal_areas("IN.toml", HEAD).is_err(), "not the file of its state");
        assert!(parse_legal_areas("IL.toml", &HEAD.replace("\"IL\"", "\"Illinois\"")).is_err());
    }
}
