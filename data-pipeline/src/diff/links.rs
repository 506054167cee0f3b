//! Lists web pages that are new or gone.

use std::collections::BTreeMap;

use platbook::directory::{Directory, Row};

use super::{Change, Kind};

/// Labels of pages by address.
type Pages = BTreeMap<String, String>;

/// Compares the pages of each government.
pub(super) fn changes(old: &Directory, new: &Directory) -> Vec<Change> {
    let of_new = new.rows().filter_map(|row| {
        let was = old.found(&new.jurisdiction(row).id).map(|row| pages(old, row)).unwrap_or_default();
        change(new, row, &was, &pages(new, row))
    });
    let of_gone = old.rows().filter_map(|row| {
        let is_gone = new.found(&old.jurisdiction(row).id).is_none();
        is_gone.then(|| change(old, row, &pages(old, row), &Pages::new())).flatten()
    });
    of_new.chain(of_gone).collect()
}

fn change(directory: &Directory, row: Row, was: &Pages, is: &Pages) -> Option<Change> {
    let beyond = |pages: &Pages, others: &Pages, word: &str| -> Vec<String> {
        let only = pages.iter().filter(|(url, _)| !others.contains_key(*url));
        only.map(|(url, label)| format!("{word} {label} {url}")).collect()
    };
    let what = [beyond(is, was, "new:"), beyond(was, is, "gone:")].concat();
    (!what.is_empty()).then(|| Change::of(directory, row, Kind::Links, what.join("; ")))
}

/// Websites and resources of one government, by address.
fn pages(directory: &Directory, row: Row) -> Pages {
    let records = directory.snapshot().records();
    let (_, sites) = records.websites_of(row.number());
    let sites = sites.iter().filter_map(|site| {
        let label =
            site.office(records).unwrap_or(if site.functions().is_empty() { "main site" } else { "office" });
        Some((site.url(records)?.to_owned(), label.to_owned()))
    });
    let resources = directory.own_resources(row).into_iter();
    let resources = resources.map(|view| (view.url.to_owned(), view.name.to_owned()));
    resources.chain(sites).collect()
}
