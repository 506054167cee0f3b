//! Resolves a place by its name: which governments cover it.

use super::{
    Answers, Choice, Notice, Refusal,
    model::{Answer, Data, Matched, Resolved},
    notices,
    places::lineage,
};
use crate::{
    directory::{Directory, JurisdictionView, Row},
    vocabulary::{JurisdictionType, Layer, ProblemKind, StateCode},
};

/// Answers for the one place of this name in the state.
///
/// # Errors
/// `ambiguous` with the candidates, the largest first; `place-not-found` with the nearest spelling.
pub(super) fn by_name<'a>(answers: &'a Answers, name: &str, state: StateCode) -> Result<Answer<'a>, Refusal> {
    let directory = answers.directory();
    let (row, remark) = match directory.places_named(name, state)[..] {
        [] => instead(directory, name, state)?,
        [row] => (row, None),
        ref rows => return Err(ambiguous(directory, name, state, rows)),
    };
    let territory = answers.territory_of(row);
    let of_place = notices::place_notices(answers, row, territory, answers.remarks(territory));
    let notices = remark.into_iter().chain(of_place).collect();
    let lineage = lineage_of_name(directory, row);
    let matched = Matched::Name { place: row };
    Ok(answers.answer(Data::Resolve(Resolved { matched, point: None, lineage, territory }), notices))
}

/// Returns the likely meaning of a name that no government has. It is the government that stands for a young city or a
/// community, or else the only similar name.
///
/// # Errors
/// `ambiguous` where several governments have a community of this name; `place-not-found`.
fn instead(directory: &Directory, name: &str, state: StateCode) -> Result<(Row, Option<Notice>), Refusal> {
    match directory.unlisted_named(name, state)[..] {
        [(unlisted, body)] => Ok((body, Some(unlisted.into()))),
        [] => {
            let place = directory.only_name_near(name, state);
            let place = place.ok_or_else(|| not_found(directory, name, state))?;
            Ok((place, Some(Notice::ReadAs { place })))
        }
        ref several => {
            let bodies: Vec<Row> = several.iter().map(|(_, body)| *body).collect();
            Err(ambiguous(directory, name, state, &bodies))
        }
    }
}

/// Returns the jurisdictions that contain this one, largest first, itself last. A place is located by its inner point.
fn lineage_of_name(directory: &Directory, row: Row) -> Vec<Row> {
    let is_place = directory.jurisdiction(row).kind == JurisdictionType::Layer(Layer::Place);
    match directory.chain_of_place(row).filter(|_| is_place) {
        Some(chain) => chain.rows().collect(),
        None => lineage(directory, row),
    }
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

fn ambiguous(directory: &Directory, name: &str, state: StateCode, rows: &[Row]) -> Refusal {
    let detail = format!(
        "{} places of {} are named {name:?}; ask with one of the labels as place, or with a coordinate",
        rows.len(),
        state.name()
    );
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

/// The label that leads to this place alone: "Garden City city" where Garden City is a township as well.
fn label_to_ask_with(directory: &Directory, row: Row, state: StateCode) -> String {
    let usual = label(directory, row);
    if matches!(directory.places_named(&usual, state)[..], [found] if directory.is_same(row, found)) {
        return usual;
    }
    let view = directory.jurisdiction(row);
    with_surroundings(directory, row, format!("{} {}", view.name, view.legal_type.unwrap_or_default()))
}

/// Name with its legal word, county and state: "Springfield Township, Bucks County, Pennsylvania".
fn label(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    let has_it = |word: &str| {
        let name = view.name.to_lowercase();
        name.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    let word = view.legal_type.filter(|word| !has_it(word));
    let name = word.map_or(view.name.to_owned(), |word| format!("{} {word}", view.name));
    with_surroundings(directory, row, name)
}

/// The name of a place with its county and state, which distinguish it from others of the name.
///
/// The county is left out where it has fewer people than the place.
pub fn name_with_surroundings(directory: &Directory, row: Row) -> String {
    with_surroundings(directory, row, directory.name_of(row).to_owned())
}

/// Appends the county, unless it has fewer people than the place, and the state.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing,
        words::{English, Units, Words as _},
    };

    /// The name of the place that answers, and the first sentence about it; or the labels to choose from.
    fn answered(name: &str) -> Result<(String, String), Vec<String>> {
        let answers = Answers::new(testing::directory());
        let directory = answers.directory();
        let label = |choice: Choice| choice.label;
        let choices = |refusal: Refusal| Vec::from_iter(refusal.choices.into_iter().map(label));
        let answer = by_name(&answers, name, "MN".parse().unwrap()).map_err(choices)?;
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
