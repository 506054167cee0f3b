//! Finds a place by its name and state, or by its id.

use super::{Choice, Notice, Refusal, reading::Named};
use crate::{
    directory::{Directory, JurisdictionView, Lookup, Row},
    vocabulary::{JurisdictionId, Layer, ProblemKind, StateCode},
};

/// Returns the row of the jurisdiction with this id.
///
/// # Errors
/// `unknown-jurisdiction`; for a retired id, the detail names the ids that took its place.
pub(super) fn row_of_id(directory: &Directory, id: &JurisdictionId) -> Result<Row, Refusal> {
    let detail = match directory.lookup(id) {
        Lookup::Found(row) => return Ok(row),
        Lookup::Replaced(rows) => {
            let new: Vec<String> = rows.iter().map(|row| directory.id_of(*row).to_string()).collect();
            format!("{id} is no longer in use; its area is now {}", new.join(", "))
        }
        Lookup::Unknown => format!("no jurisdiction has the id {id}"),
    };
    Err(Refusal::new(ProblemKind::UnknownJurisdiction, detail))
}

/// Returns the jurisdictions that contain this one, largest first, itself last. The nation is only in its own lineage.
pub(super) fn lineage(directory: &Directory, row: Row) -> Vec<Row> {
    let mut rows = directory.with_parents(row);
    rows.retain(|other| *other == row || Some(*other) != directory.country_row());
    rows.reverse();
    rows
}

/// Finds the one place of this name in the state, with caveats on how the name was read.
///
/// # Errors
/// `ambiguous` with the candidates, the largest first; `place-not-found` with the nearest spelling.
pub(super) fn named(
    directory: &Directory,
    name: &str,
    state: StateCode,
) -> Result<(Row, Vec<Notice>), Refusal> {
    let state_row = match Named::in_name(name) {
        Some(Named::State { state: named, .. }) if named == state => directory.state_row(state),
        _ => None,
    };
    match (&directory.places_named(name, state)[..], state_row) {
        ([], Some(row)) => Ok((row, Vec::new())),
        ([], None) => {
            let (row, remark) = instead(directory, name, state)?;
            Ok((row, vec![remark]))
        }
        ([row], None) => match directory.community_before_county(name, state, *row) {
            Some((_, body)) => {
                Err(ambiguous(directory, &[body, *row], state, also(directory, name, body, *row)))
            }
            None => Ok((*row, Vec::new())),
        },
        ([row], Some(_)) => Ok((*row, vec![Notice::StateOfName { state }])),
        (rows, _) => Err(ambiguous(directory, rows, state, several_named(rows.len(), name, state))),
    }
}

/// Returns the likely meaning of a name that no government has. This is the government that stands for a young city or
/// a community, or else the only similar name.
///
/// # Errors
/// `ambiguous` if several governments have a community of this name; otherwise `place-not-found`.
fn instead(directory: &Directory, name: &str, state: StateCode) -> Result<(Row, Notice), Refusal> {
    match directory.unlisted_named(name, state)[..] {
        [(unlisted, body)] => Ok((body, unlisted.into())),
        [] => {
            let place = directory.only_name_near(name, state);
            let place = place.ok_or_else(|| not_found(directory, name, state))?;
            Ok((place, Notice::ReadAs { place }))
        }
        ref several => {
            let bodies: Vec<Row> = several.iter().map(|(_, body)| *body).collect();
            Err(ambiguous(directory, &bodies, state, several_named(bodies.len(), name, state)))
        }
    }
}

fn also(directory: &Directory, name: &str, body: Row, county: Row) -> String {
    let [around, county] = [body, county].map(|row| directory.name_of(row));
    format!(
        "{name:?} is a community in {around}, and {county} has the name as well; ask with one of the labels as \
         place"
    )
}

fn several_named(count: usize, name: &str, state: StateCode) -> String {
    let state = state.name();
    format!(
        "{count} places of {state} are named {name:?}; ask with one of the labels as place, or with a coordinate"
    )
}

fn not_found(directory: &Directory, name: &str, state: StateCode) -> Refusal {
    let nearest = directory.nearest_name(name, state);
    let hint = nearest.map(|row| format!("; the nearest name is {}", label(directory, row)));
    let detail = format!(
        "no county, city, town or township of {} is named {name:?}{}",
        state.name(),
        hint.unwrap_or_default()
    );
    Refusal::new(ProblemKind::PlaceNotFound, detail)
}

/// Refuses a name that several places have, and lists these places as choices.
pub(super) fn ambiguous(directory: &Directory, rows: &[Row], state: StateCode, detail: String) -> Refusal {
    let choice = |row: &Row| {
        let view = directory.jurisdiction(*row);
        Choice {
            label: label_to_ask_with(directory, *row, state),
            point: view.point,
            jurisdiction: Some(view.id),
        }
    };
    let choices = rows.iter().map(choice).collect();
    Refusal { choices, ..Refusal::new(ProblemKind::Ambiguous, detail) }
}

/// A label that finds only this place: "Garden City city" where Garden City is also the name of a township.
fn label_to_ask_with(directory: &Directory, row: Row, state: StateCode) -> String {
    if directory.layer(row) == Some(Layer::State) {
        return format!("State of {}", directory.name_of(row));
    }
    let usual = label(directory, row);
    if matches!(directory.places_named(&usual, state)[..], [found] if directory.is_same(row, found)) {
        return usual;
    }
    let view = directory.jurisdiction(row);
    with_surroundings(directory, row, format!("{} {}", view.name, view.legal_type.unwrap_or_default()))
}

/// Name with its legal word, county and state: "Springfield Township, Bucks County, Pennsylvania".
pub(super) fn label(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let has_it = |word: &str| {
        let name = view.name.to_lowercase();
        name.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    let word = view.legal_type.filter(|word| !has_it(word));
    let name = word.map_or(view.name.to_owned(), |word| format!("{} {word}", view.name));
    with_surroundings(directory, row, name)
}

/// The name of a place with its county and state, which distinguish it from other places of that name.
///
/// The county is left out where it has fewer people than the place.
pub fn name_with_surroundings(directory: &Directory, row: Row) -> String {
    with_surroundings(directory, row, directory.name_of(row).to_owned())
}

/// Appends the county and the state. Leaves out a county with fewer people than the place.
fn with_surroundings(directory: &Directory, row: Row, mut label: String) -> String {
    let view = directory.jurisdiction(row);
    let county = directory.county_around(row).filter(|county| !directory.is_same(row, *county));
    let county = county.map(|county| directory.jurisdiction(county));
    // New York has more people than each of its five counties, so none of them locates it.
    let is_larger =
        |county: &JurisdictionView<'_>| county.population == 0 || county.population >= view.population;
    let county = county.filter(is_larger).map(|county| county.name);
    let state = view.state.map(StateCode::name);
    [county, state].into_iter().flatten().for_each(|part| label.push_str(&format!(", {part}")));
    label
}
