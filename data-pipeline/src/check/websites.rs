//! Compares offices with addresses in the tables with those of the snapshot.

use std::collections::HashSet;

use platbook::{
    directory::{Directory, Row},
    vocabulary::{Function, FunctionSet},
};

use super::report::{Change, differences};
use crate::directory::{OfficesTaken, records::Website};

/// Changes of the offices that the tables list.
///
/// An office that no table has is reported as removed only if a table's own source gave it. An office with a
/// published source may come from that list.
pub(super) fn changes(websites: Vec<Website>, directory: &Directory) -> Vec<Change> {
    let mut taken = OfficesTaken::default();
    let mut changes = Vec::new();
    let mut known: HashSet<(Row, FunctionSet)> = HashSet::new();
    for website in websites {
        let Some(functions) = taken.take(&website) else { continue };
        let Some(row) = directory.found(&website.body) else {
            let what = shown(functions, website.office.as_deref());
            changes.push(Change::of_new_body(&website.body, "office added", &what));
            continue;
        };
        known.insert((row, functions));
        changes.extend(compared(directory, row, functions, &website));
    }
    changes.extend(gone(directory, &known));
    changes
}

fn compared(directory: &Directory, row: Row, functions: FunctionSet, new: &Website) -> Option<Change> {
    let records = directory.snapshot().records();
    let (_, sites) = records.websites_of(row.number());
    let Some(old) = sites.iter().find(|site| site.functions() == functions) else {
        let what = shown(functions, new.office.as_deref());
        return Some(Change::of_body(directory, row, "office added", what));
    };
    let what = differences(&[
        ("name", old.office(records), new.office.as_deref()),
        ("url", old.url(records), Some(new.url.as_str()).filter(|url| !url.is_empty())),
        ("phone", old.phone(records), new.phone.as_deref()),
        ("email", old.email(records), new.email.as_deref()),
        ("address", old.address(records), new.address.as_deref()),
    ])?;
    let what = format!("{}: {what}", shown(functions, new.office.as_deref()));
    Some(Change::of_body(directory, row, "office changed", what))
}

fn gone(directory: &Directory, known: &HashSet<(Row, FunctionSet)>) -> Vec<Change> {
    let records = directory.snapshot().records();
    let sources = &directory.snapshot().meta().sources;
    let cited = |number: u16| sources.get(usize::from(number)).is_some_and(|source| source.digest.is_empty());
    // A build makes offices without any contact where a state's county officers are separate; no table lists
    // those.
    let has_contact = |site: &&platbook::snapshot::ArchivedWebsiteRow| {
        [site.url(records), site.phone(records), site.email(records), site.address(records)]
            .iter()
            .any(Option::is_some)
    };
    let sites = records.websites().iter().filter(|site| cited(site.source())).filter(has_contact);
    let change = |site: &platbook::snapshot::ArchivedWebsiteRow| {
        let row = directory.row(site.jurisdiction())?;
        let is_gone = !known.contains(&(row, site.functions()));
        let what = shown(site.functions(), site.office(records));
        is_gone.then(|| Change::of_body(directory, row, "office removed", what))
    };
    sites.filter_map(change).collect()
}

/// Writes an office as `"Assessor" (assessment, exemptions)`.
fn shown(functions: FunctionSet, office: Option<&str>) -> String {
    let functions: Vec<&str> = functions.iter().map(Function::as_str).collect();
    format!("{:?} ({})", office.unwrap_or("no title"), functions.join(", "))
}
