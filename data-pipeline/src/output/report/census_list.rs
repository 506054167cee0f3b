//! Measures which governments of the Census list answer at their own published point, by state and layer.

use std::collections::BTreeMap;

use platbook::{
    directory::{Directory, Resolution, Row},
    vocabulary::{JurisdictionId, Layer, StateCode},
};

use super::table::{Rows, Table};
use crate::input::{
    gazetteer::Listed,
    manifest::{Manifest, Role},
    population::Population,
};

/// The layers that are measured.
const LAYERS: [Layer; 3] = [Layer::County, Layer::Place, Layer::Cousub];

/// The governments of a Census list.
#[derive(Clone, Debug, Default)]
pub struct CensusList {
    /// Year of the list.
    year: u16,
    units: Vec<Listed>,
    /// Residents by GEOID, where the Census published them.
    people: Population,
}

/// The answer at the point of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The listed unit itself.
    Own,
    /// Another unit of the same layer.
    Other(Row),
    /// No unit of that layer.
    None,
}

/// Counts of a layer, in a state or in all.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    units: u32,
    own: u32,
    other: u32,
    /// Residents of all units whose number is known, and of those units that answer at their own point.
    people: [u64; 2],
}

impl CensusList {
    /// The list with the year that the manifest gives its files; `None` if the manifest has no such list.
    pub fn of(manifest: &Manifest, units: Vec<Listed>, people: Population) -> Option<CensusList> {
        let source = manifest.sources.iter().find(|source| source.role == Role::Gazetteer)?;
        let units = units.into_iter().filter(Listed::functions).collect();
        Some(CensusList { year: source.vintage, units, people })
    }

    /// Two tables: counts by layer and state, and each unit whose point answers with another unit.
    pub(super) fn tables(&self, directory: &Directory) -> [Table; 2] {
        let answers: Vec<(&Listed, Answer)> =
            self.units.iter().map(|unit| (unit, answer(directory, unit))).collect();
        let heading = ["state", "layer", "units", "own", "share %", "other", "none", "people %"];
        let mut counts = vec![heading.map(str::to_owned).to_vec()];
        LAYERS.iter().for_each(|layer| counts.extend(self.counts(*layer, &answers)));
        let year = self.year;
        let note = "own: the point inside that the Census gives answers with the unit; none: with no unit of its layer; \
                    people: share of residents of 2019, where known";
        [
            Table::new(
                format!("Governments of the Census list of {year} that answer at their own point"),
                counts,
            )
            .with_note(note.to_owned()),
            Table::new(
                format!("Governments of the Census list of {year} whose point answers with another"),
                others(directory, &answers),
            ),
        ]
    }

    /// Returns a line for the layer, and one for each state that has units of that layer.
    fn counts(&self, layer: Layer, answers: &[(&Listed, Answer)]) -> Rows {
        let mut all = Counts::default();
        let mut states: BTreeMap<StateCode, Counts> = BTreeMap::new();
        for (unit, answer) in answers.iter().filter(|(unit, _)| unit.geoid.layer() == layer) {
            let people = self.people.get(&unit.geoid).copied().unwrap_or(0);
            let state = StateCode::from_fips(unit.geoid.state_fips());
            let state = state.map(|state| states.entry(state).or_default());
            [Some(&mut all), state].into_iter().flatten().for_each(|counts| counts.add(*answer, people));
        }
        let states = states.iter().map(|(state, counts)| counts.row(state.usps(), layer));
        std::iter::once(all.row("all", layer)).chain(states).collect()
    }
}

impl Counts {
    fn add(&mut self, answer: Answer, people: u64) {
        let own = answer == Answer::Own;
        self.units += 1;
        self.own += u32::from(own);
        self.other += u32::from(matches!(answer, Answer::Other(_)));
        self.people[0] += people;
        self.people[1] += if own { people } else { 0 };
    }

    fn row(&self, name: &str, layer: Layer) -> Vec<String> {
        let Counts { units, own, other, people: [people, found] } = *self;
        let share = |part: f64, whole: f64| format!("{:.2}", 100.0 * part / whole.max(1.0));
        let people = if people == 0 { "-".to_owned() } else { share(found as f64, people as f64) };
        let [units_text, own_text, other_text] = [units, own, other].map(|count| count.to_string());
        let own_share = share(f64::from(own), f64::from(units));
        let none = (units - own - other).to_string();
        vec![
            name.to_owned(),
            layer.prefix().to_owned(),
            units_text,
            own_text,
            own_share,
            other_text,
            none,
            people,
        ]
    }
}

fn answer(directory: &Directory, unit: &Listed) -> Answer {
    let Resolution::Inside(chain) = directory.resolve(unit.point) else { return Answer::None };
    let found = match unit.geoid.layer() {
        Layer::State => Some(chain.state),
        Layer::County => Some(chain.county),
        Layer::Cousub => chain.cousub,
        Layer::Place => chain.place,
    };
    match found {
        Some(row) if directory.row_of(unit.geoid) == Some(row) => Answer::Own,
        Some(row) => Answer::Other(row),
        None => Answer::None,
    }
}

fn others(directory: &Directory, answers: &[(&Listed, Answer)]) -> Rows {
    let mut table = vec![["unit", "name", "answers", "with name"].map(str::to_owned).to_vec()];
    table.extend(answers.iter().filter_map(|(unit, answer)| {
        let Answer::Other(row) = answer else { return None };
        let found = directory.jurisdiction(*row);
        let id = JurisdictionId::Census(unit.geoid).to_string();
        Some(vec![id, unit.name.clone(), found.id.to_string(), found.name.to_owned()])
    }));
    table
}

#[cfg(test)]
mod tests {
    use platbook::{
        testing,
        vocabulary::{FuncStat, Geoid},
    };

    use super::*;

    #[test]
    fn units_count_by_the_answer_at_their_point() {
        let unit = |layer, digits: &str, (lon, lat)| Listed {
            geoid: Geoid::parse(layer, digits).unwrap(),
            name: digits.to_owned(),
            lsad: None,
            func_stat: Some(FuncStat::Active),
            land_m2: 0,
            water_m2: 0,
            point: testing::point(lon, lat),
        };
        let units = vec![
            unit(Layer::County, "27001", (5.0, 7.0)),
            unit(Layer::County, "27003", (5.0, 7.0)),
            unit(Layer::County, "27005", (-5.0, 5.0)),
        ];
        let people = [("27001", 300), ("27003", 100)]
            .map(|(digits, people)| (Geoid::parse(Layer::County, digits).unwrap(), people));
        let list = CensusList { year: 2025, units, people: people.into() };
        let text = list.tables(&testing::directory()).map(|table| table.to_string()).concat();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        for expected in [
            ["all", "county", "3", "1", "33.33", "1", "1", "75.00"],
            ["MN", "county", "3", "1", "33.33", "1", "1", "75.00"],
        ] {
            assert!(lines.contains(&expected.to_vec()), "{text}");
        }
        assert!(text.contains("county:27003  27003  county:27001"), "{text}");
    }
}
