//! Reports of errors. Each names the page, the file and the line to correct.

use super::{corrections::Report, site::Site};
use platbook::{
    answers::Office,
    directory::{ResourceView, Row},
    vocabulary::{SourceKind, StateCode},
};

/// Begins a report on an office. The rules of the state determine the title and body of the office, and a list
/// determines its page.
pub(super) fn office(site: Site<'_>, office: &Office) -> Report {
    let functions: Vec<&str> = office.functions.iter().map(|function| function.as_str()).collect();
    let body = site.directory().jurisdiction(office.body);
    let page = format!("{}/offices/{}", site.origin(), office.id.text("off_"));
    let file = state_file("states", site, office.body);
    let text = format!(
        "Office: {} of {} ({})\nPage: {page}\nFile: {file}\nKey: {}\n\nWhat is wrong, and where can the right answer be read?\n",
        office.title,
        body.name,
        body.id,
        functions.join(", "),
    );
    Report { title: format!("Wrong office: {}, {}", office.title, body.name), page, text }
}

/// Begins a report on a page of a government.
pub(super) fn resource(site: Site<'_>, view: &ResourceView<'_>) -> Report {
    let body = site.directory().jurisdiction(view.jurisdiction);
    let file = match view.kind {
        SourceKind::Curated if site.directory().country_row() == Some(view.jurisdiction) => {
            "data-pipeline/curated/national.toml".to_owned()
        }
        SourceKind::Curated if site.directory().state_code_of(view.jurisdiction).is_some() => {
            state_file("states", site, view.jurisdiction)
        }
        SourceKind::Curated => state_file("sites", site, view.jurisdiction),
        SourceKind::DomainRegistry
        | SourceKind::AddressList
        | SourceKind::OpenDataList
        | SourceKind::MapData
        | SourceKind::Unknown => {
            format!(
                "a published list ({}); a correction goes into {}",
                site.directory().source(view.source).name,
                state_file("sites", site, view.jurisdiction)
            )
        }
    };
    let page = format!("{}/resources/{}", site.origin(), view.id.text("res_"));
    let text = format!(
        "Page: {}\nAddress: {}\nOf: {} ({})\nListed at: {page}\nFile: {file}\nKey: url = \"{}\"\n\nWhat is wrong, and what is right?\n",
        view.name, view.url, body.name, body.id, view.url,
    );
    Report { title: format!("Wrong page: {}, {}", view.name, body.name), page, text }
}

/// Begins a report on any other subject, with the address of the page.
pub(super) fn page(site: Site<'_>, path: &str) -> Report {
    let page = format!("{}{path}", site.origin());
    let text = format!("Page: {page}\n\nWhat is wrong, and where can the right answer be read?\n");
    Report { title: "Something is wrong".to_owned(), page, text }
}

/// Begins a request for a key.
pub(super) fn key(site: Site<'_>) -> Report {
    let text = format!("A key for {}\n\nWhat is it for, and how many requests a day?\n", site.origin());
    Report { title: "A key for the API".to_owned(), page: format!("{}/docs#limits", site.origin()), text }
}

/// Returns the hand-written file for the state of a jurisdiction.
fn state_file(folder: &str, site: Site<'_>, row: Row) -> String {
    match site.directory().state_of(row).map(StateCode::usps) {
        Some(usps) => format!("data-pipeline/curated/{folder}/{usps}.toml"),
        None => "data-pipeline/curated/national.toml".to_owned(),
    }
}
