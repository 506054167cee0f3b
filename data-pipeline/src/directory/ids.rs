//! Checks ids of offices and resources: each means one record, in this snapshot and in all earlier ones.

use std::collections::HashMap;

use platbook::{
    directory::{Directory, Row},
    vocabulary::{RecordId, office_key, resource_key},
};

use crate::curated::RetiredId;

/// An id with its record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    /// The id with its prefix.
    id: String,
    /// Natural key from which the id is made.
    key: String,
    /// Description of the record for messages.
    record: String,
}

/// Ids that two records share, or that a retired record has, one on each line.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct IdClashes(pub Vec<String>);

/// Checks that no two offices and no two resources share an id, and that none has the id of a retired record.
///
/// # Errors
/// A line for each fault.
pub fn check(directory: &Directory, retired: &[RetiredId]) -> Result<(), IdClashes> {
    let rows = directory.rows();
    let offices = rows.flat_map(|row| offices(directory, row));
    let faults = faults(offices.chain(resources(directory)), retired);
    if faults.is_empty() { Ok(()) } else { Err(IdClashes(faults)) }
}

/// Returns the offices of a government, one for each title. An office that the government has under another of its
/// ids belongs to that id.
fn offices(directory: &Directory, body: Row) -> Vec<Given> {
    let id = directory.jurisdiction(body).id;
    let jobs = directory.jobs_of(body);
    let own = jobs.iter().filter(|job| job.body == id);
    let mut titles: Vec<String> = own.filter_map(|job| job.office.as_deref().map(str::to_owned)).collect();
    titles.sort();
    titles.dedup();
    let given = |title: String| {
        let key = office_key(&id, &title);
        Given { id: RecordId::of(&key).text("off_"), key, record: format!("{id} {title}") }
    };
    titles.into_iter().map(given).collect()
}

fn resources(directory: &Directory) -> impl Iterator<Item = Given> {
    (0..directory.resource_count()).filter_map(|number| directory.resource(number)).map(|view| {
        let body = directory.jurisdiction(view.jurisdiction).id;
        let (key, record) = (resource_key(&body, view.url), format!("{body} {}", view.url));
        Given { id: view.id.text("res_"), key, record }
    })
}

fn faults(all: impl Iterator<Item = Given>, retired: &[RetiredId]) -> Vec<String> {
    let gone: HashMap<&str, &RetiredId> = retired.iter().map(|one| (one.id.as_str(), one)).collect();
    let mut records: HashMap<String, String> = HashMap::new();
    let mut faults = Vec::new();
    for Given { id, key, record } in all {
        if let Some(old) = gone.get(id.as_str()).filter(|old| old.key != key) {
            faults.push(format!("{id} of {record} is retired: it stood for {:?}", old.key));
        }
        if let Some(other) = records.get(&id) {
            faults.push(format!("{id} is the id of both {other} and {record}"));
        }
        records.insert(id, record);
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(id: &str, key: &str, record: &str) -> Given {
        Given { id: id.to_owned(), key: key.to_owned(), record: record.to_owned() }
    }

    #[test]
    fn an_id_stands_for_one_record_for_ever() {
        let clerk = || given("off_a", "office county:1 clerk", "county:1 Clerk");
        let page = || given("res_a", "resource county:1 a.gov", "county:1 https://a.gov/");
        let retired = |key: &str| RetiredId {
            id: "off_a".to_owned(),
            key: key.to_owned(),
            since: "2026-11-21".to_owned(),
            note: "Closed.".to_owned(),
        };
        for (all, retired, expected) in [
            (vec![clerk(), page()], vec![], None),
            // An office that is in use again.
            (vec![clerk()], vec![retired("office county:1 clerk")], None),
            (
                vec![clerk()],
                vec![retired("office county:1 recorder")],
                Some("off_a of county:1 Clerk is retired: it stood for \"office county:1 recorder\""),
            ),
            // Two titles that differ only in case look like one office.
            (
                vec![clerk(), given("off_a", "office county:1 clerk", "county:1 CLERK")],
                vec![],
                Some("off_a is the id of both county:1 Clerk and county:1 CLERK"),
            ),
            (
                vec![page(), given("res_a", "resource county:2 b.gov", "county:2 https://b.gov/")],
                vec![],
                Some("res_a is the id of both county:1 https://a.gov/ and county:2 https://b.gov/"),
            ),
        ] {
            let found = faults(all.into_iter(), &retired);
            assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), Vec::from_iter(expected));
        }
    }
}
