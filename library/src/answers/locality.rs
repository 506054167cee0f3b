//! Finds the government that a caller names, by its id, by its name and state, or by a ZIP code, and answers for it.

use super::{
    Answers, Choice, Notice, RawParameters, Refusal, by_name,
    model::{Answer, Data, Matched, Resolved},
    notices, on_day, parameters,
    reading::Named,
};
use crate::{
    directory::{Directory, MatchedBy, Row},
    vocabulary::{Date, JurisdictionId, JurisdictionType, Layer, ProblemKind, StateCode},
};

/// A government as a request names it.
#[derive(Clone, Debug, PartialEq)]
pub enum Locality {
    /// By its Census GEOID with a type prefix, or another id of the contract.
    Id(JurisdictionId),
    /// By its name, with the state as a parameter of its own.
    Name {
        /// Name of a county, city, town, township or state.
        place: String,
        /// The state that the place lies in.
        state: StateCode,
    },
    /// By one text: a name with its state, a state, or a ZIP code.
    Text(Named),
}

/// Population from which a place that shares a name with a state may be meant instead, as in "Washington" and "New
/// York". The smallest state has some 580,000 people (2020 census).
const AS_LARGE_AS_A_STATE: u32 = 550_000;
/// Number of places with a state's name for which the population is checked. The search lists the large ones first.
const LARGE_OF: usize = 5;

impl Locality {
    /// Parses `jurisdiction_id`, `place` and `state`, at least one of which is given. A refusal repeats `modes`, a
    /// text on what to give.
    ///
    /// # Errors
    /// `bad-parameter`, `unknown-state`.
    pub(super) fn parse(given: &RawParameters<'_>, modes: &str) -> Result<Locality, Refusal> {
        let [id, place, state] = ["jurisdiction_id", "place", "state"].map(|name| given.get(name));
        match (id, place, state) {
            (Some(id), None, None) => Ok(Locality::Id(parameters::jurisdiction_id(id)?)),
            (Some(_), _, _) => Err(Refusal::bad_parameter(format!("several inputs: {modes}"))),
            (None, place, state) => Locality::named(place, state, modes),
        }
    }

    fn named(place: Option<&str>, state: Option<&str>, modes: &str) -> Result<Locality, Refusal> {
        let Some(place) = place.map(str::trim) else {
            let hint = state.and_then(|text| parameters::state(text).ok());
            let hint = hint.map(|state| format!("; for the state itself, give place={}", state.name()));
            let hint = hint.unwrap_or_default();
            return Err(Refusal::bad_parameter(format!("place is missing{hint}; {modes}")));
        };
        if place.is_empty() {
            return Err(Refusal::bad_parameter(format!("place is empty; {modes}")));
        }
        let named = Named::in_name(place);
        match (state, named) {
            (_, Some(zip @ Named::Zip(_))) => Ok(Locality::Text(zip)),
            (Some(state), _) => {
                Ok(Locality::Name { place: place.to_owned(), state: parameters::state(state)? })
            }
            (None, Some(named)) => Ok(Locality::Text(named)),
            (None, None) => {
                let example = "Travis County, TX";
                Err(Refusal::bad_parameter(format!(
                    "state is missing: give it beside place, or behind the name as in {example:?}; {modes}"
                )))
            }
        }
    }

    /// Finds the government, with caveats on how its name was read.
    ///
    /// # Errors
    /// `unknown-jurisdiction`, `place-not-found`, or `ambiguous` with the candidates.
    pub(super) fn find(&self, answers: &Answers) -> Result<(Row, Vec<Notice>), Refusal> {
        let directory = answers.directory();
        match self {
            Locality::Id(id) => Ok((by_name::row_of_id(directory, id)?, Vec::new())),
            Locality::Name { place, state } => by_name::named(directory, place, *state),
            Locality::Text(Named::Place { text, state, zip }) => {
                match place_in_zip(directory, text, *state, *zip) {
                    Some(row) => Ok((row, Vec::new())),
                    None => by_name::named(directory, text, *state),
                }
            }
            Locality::Text(Named::State { state, is_code }) => state_itself(directory, *state, *is_code),
            Locality::Text(Named::Zip(zip)) => county_of_zip(directory, *zip),
            Locality::Text(Named::Point(_)) => {
                Err(Refusal::bad_parameter("the name of a place is a coordinate; ask with lat and lon"))
            }
        }
    }
}

/// Answers for the government that a request names.
///
/// # Errors
/// As for `Locality::find`.
pub(super) fn by_locality<'a>(
    answers: &'a Answers,
    locality: &Locality,
    date: Option<Date>,
) -> Result<Answer<'a>, Refusal> {
    let (row, remarks) = locality.find(answers)?;
    if let Some(date) = date {
        on_day::check_existed(answers.directory(), date, row)?;
    }
    Ok(by_row(answers, row, remarks, date))
}

fn by_row(answers: &Answers, row: Row, remarks: Vec<Notice>, date: Option<Date>) -> Answer<'_> {
    let directory = answers.directory();
    let territory = answers.territory_on(row, date);
    let of_place = notices::place_notices(answers, row, territory, answers.remarks(territory), date);
    let notices = remarks.into_iter().chain(of_place).collect();
    let lineage = lineage_of_name(directory, row);
    let matched = Matched::Name { place: row };
    answers.answer(Data::Resolve(Resolved { matched, point: None, date, lineage, territory }), notices)
}

/// Returns the jurisdictions that contain this one, largest first, itself last. A place is located by its inner point.
pub(super) fn lineage_of_name(directory: &Directory, row: Row) -> Vec<Row> {
    let is_place = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::Place);
    match directory.chain_of_place(row).filter(|_| is_place) {
        Some(chain) => chain.rows().collect(),
        None => by_name::lineage(directory, row),
    }
}

/// Returns the only place of a name in the counties of a ZIP code. `None` without a code, or if no place or several are
/// in them.
fn place_in_zip(directory: &Directory, text: &str, state: StateCode, zip: Option<u32>) -> Option<Row> {
    let counties = directory.counties_of_zip(zip?);
    let mut rows = directory.places_named(text, state);
    rows.retain(|row| {
        let around = directory.county_around(*row);
        around.is_some_and(|around| counties.iter().any(|(county, _)| *county == around))
    });
    if let [row] = rows[..] { Some(row) } else { None }
}

/// Returns the row of a state. A name is ambiguous if a county or a large city also has it; a code is not.
fn state_itself(
    directory: &Directory,
    state: StateCode,
    is_code: bool,
) -> Result<(Row, Vec<Notice>), Refusal> {
    let name = state.name();
    let missing = || Refusal::new(ProblemKind::PlaceNotFound, format!("{name} is not in this data"));
    let row = directory.state_row(state).ok_or_else(missing)?;
    if is_code {
        return Ok((row, Vec::new()));
    }
    let namesakes = directory.places_named(name, state).into_iter().chain(large_places(directory, name));
    // Guam's county is its government under another id.
    let rows = directory.each_government_once(std::iter::once(row).chain(namesakes));
    if rows.len() == 1 {
        return Ok((row, Vec::new()));
    }
    let detail =
        format!("{name} is a state, and other places have the name; ask with one of the labels as place");
    Err(by_name::ambiguous(directory, &rows, state, detail))
}

/// Returns the places of a name, in any state, that are as large as a state.
fn large_places(directory: &Directory, name: &str) -> impl Iterator<Item = Row> {
    let found = directory.search(name, None, LARGE_OF).places.into_iter();
    found.filter(|found| found.matched_by == MatchedBy::Whole).map(|found| found.row).filter(move |row| {
        directory.layer(*row) == Some(Layer::Place) && directory.population_of(*row) >= AS_LARGE_AS_A_STATE
    })
}

/// Returns the county of a ZIP code.
///
/// # Errors `ambiguous` if the code reaches several counties, `place-not-found` if no county is known.
fn county_of_zip(directory: &Directory, zip: u32) -> Result<(Row, Vec<Notice>), Refusal> {
    let counties = directory.counties_of_zip(zip);
    match counties[..] {
        [] => Err(Refusal::new(
            ProblemKind::PlaceNotFound,
            format!(
                "no county of ZIP code {zip:05} is known; ask with a street address, or with place and state"
            ),
        )),
        [(county, _)] => Ok((county, vec![Notice::ZipIsMailRoute])),
        _ => Err(in_several(directory, zip, &counties)),
    }
}

fn in_several(directory: &Directory, zip: u32, counties: &[(Row, u64)]) -> Refusal {
    let share = |(county, percent): &(Row, u64)| match percent {
        0 => format!("{} (less than 1 %)", directory.name_of(*county)),
        _ => format!("{} ({percent} %)", directory.name_of(*county)),
    };
    let shares = counties.iter().map(share).collect::<Vec<_>>().join(", ");
    let detail = format!(
        "ZIP code {zip:05} reaches {} counties, with these shares of its addresses: {shares}; ask with one of the \
         labels as place, or with a street address",
        counties.len()
    );
    let choice = |(county, _): &(Row, u64)| {
        let view = directory.jurisdiction(*county);
        let label = by_name::label(directory, *county);
        Choice { label, point: view.point, jurisdiction: Some(view.id) }
    };
    let choices = counties.iter().map(choice).collect();
    Refusal { choices, ..Refusal::new(ProblemKind::Ambiguous, detail) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing,
        words::{English, Units, Words as _},
    };

    /// The name of the place that is answered for, and the first sentence about it; or the labels to choose from.
    fn answered(name: &str) -> Result<(String, String), Vec<String>> {
        let answers = Answers::new(testing::directory());
        let directory = answers.directory();
        let label = |choice: Choice| choice.label;
        let choices = |refusal: Refusal| Vec::from_iter(refusal.choices.into_iter().map(label));
        let named = Locality::Name { place: name.to_owned(), state: "MN".parse().unwrap() };
        let answer = by_locality(&answers, &named, None).map_err(choices)?;
        let Data::Resolve(Resolved { matched: Matched::Name { place }, .. }) = answer.data else { panic!() };
        let first = answer.notices.first().map(|notice| English.notice(notice, directory, Units::Both));
        Ok((directory.name_of(place).to_owned(), first.unwrap_or_default()))
    }

    #[test]
    fn a_community_is_answered_by_its_town_or_its_county() {
        let (name, notice) = answered("The Hollow").unwrap();
        let words =
            "The Hollow has no government of its own and is part of Oak town, whose offices are shown.";
        assert!(name == "Oak town" && notice.starts_with(words), "{notice}");
        let (name, notice) = answered("Millbrook").unwrap();
        let words = "Millbrook is a community without a government of its own, in Baker County.";
        assert!(name == "Baker County" && notice.starts_with(words), "{notice}");
        let labels = answered("Twin Pines").unwrap_err();
        assert_eq!(labels, ["Elm town, Adams County, Minnesota", "Pine town, Baker County, Minnesota"]);
        let (_, notice) = answered("Rivertown").unwrap();
        let words = "The City of Rivertown lies in Adams County and Baker County. The offices shown are for the part in";
        assert!(notice.starts_with(words), "{notice}");
        assert!(answered("Nowhere Hill").unwrap_err().is_empty());
    }
}
