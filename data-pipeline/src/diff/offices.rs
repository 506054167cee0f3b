//! Lists jobs with another body, office or confidence.

use platbook::{
    directory::{Directory, Row},
    rules::Outcome,
    vocabulary::{Function, JurisdictionId, Layer},
};

use super::{Change, Kind};

/// Compares each job of each government that both snapshots have.
pub(super) fn changes(old: &Directory, new: &Directory) -> Vec<Change> {
    let layers = [Layer::County, Layer::Cousub, Layer::Place];
    let rows = layers.into_iter().flat_map(|layer| new.rows_of(layer));
    let governing = rows.filter(|row| is_county(new, *row) || new.governs(*row));
    governing.filter_map(|row| change(old, new, row)).collect()
}

fn is_county(directory: &Directory, row: Row) -> bool {
    matches!(directory.jurisdiction(row).id, JurisdictionId::Census(geoid) if geoid.layer() == Layer::County)
}

fn change(old: &Directory, new: &Directory, row: Row) -> Option<Change> {
    let was = old.found(&new.jurisdiction(row).id)?;
    let jobs = |directory: &Directory, row: Row, function: Function| {
        directory.scope_of(row).and_then(|scope| directory.who_does(scope, function))
    };
    let of_function = |function: &Function| {
        difference(*function, (old, jobs(old, was, *function)), (new, jobs(new, row, *function)))
    };
    let what: Vec<String> = Function::ALL.iter().filter_map(of_function).collect();
    (!what.is_empty()).then(|| Change::of(new, row, Kind::Offices, what.join("; ")))
}

/// A directory and its answer for one job.
type Said<'a> = (&'a Directory, Option<Outcome>);

fn difference(function: Function, was: Said<'_>, is: Said<'_>) -> Option<String> {
    let key = |said: &Said<'_>| {
        let outcome = said.1.as_ref()?;
        Some((outcome.body.clone(), outcome.office.clone(), outcome.confidence))
    };
    if key(&was) == key(&is) {
        return None;
    }
    Some(format!("{}: {}, was {}", function.as_str().replace('_', " "), in_words(&is), in_words(&was)))
}

fn in_words((directory, outcome): &Said<'_>) -> String {
    let Some(outcome) = outcome else { return "not on record".to_owned() };
    let body = outcome.body.as_ref().and_then(|id| directory.found(id));
    let body = body.map_or("nobody", |row| directory.jurisdiction(row).name);
    let office = outcome.office.as_deref().unwrap_or("no office");
    format!("{office} of {body} ({})", outcome.confidence.as_str())
}
