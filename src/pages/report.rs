//! Reports of errors: what each says of the page, the file and the line to correct.

use super::{corrections::Report, site::Site};
use platbook::{
    answers::Office,
    directory::{ResourceView, Row},
    vocabulary::{SourceKind, StateCode},
};

/// Begins a report on an office. Its title and body follow from the rules of its state, its page from a list.
pub(super) fn office(site: Site<'_>, office: &Office) -> Report {
    let functions: Vec<&str> = office.functions.iter().map(|function| function.as_str()).collect();
    let body = site.directory().jurisdiction(office.body);
    let file = state_file("states", site, office.body);
    let text = format!(
        "Office: {} of {} ({})\nPage: {}/offices/{}\nFile: {file}\nKey: {}\n\nWhat is wrong, and where can the right answer be read?\n",
        office.title,
        body.name,
        body.id,
        site.origin(),
        office.id.text("off_"),
        functions.join(", "),
    );
    Report { title: format!("Wrong office: {}, {}", office.title, body.name), text }
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
    let text = format!(
        "Page: {}\nAddress: {}\nOf: {} ({})\nListed at: {}/resources/{}\nFile: {file}\nKey: url = \"{}\"\n\nWhat is wrong, and what is right?\n",
        view.name,
        view.url,
        body.name,
        body.id,
        site.origin(),
        view.id.text("res_"),
        view.url,
    );
    Report { title: format!("Wrong page: {}, {}", view.name, body.name), text }
}

/// Begins a report on anything else, with the address of the page.
pub(super) fn page(site: Site<'_>, path: &str) -> Report {
    let text =
        format!("Page: {}{path}\n\nWhat is wrong, and where can the right answer be read?\n", site.origin());
    Report { title: "Something is wrong".to_owned(), text }
}

/// Returns the hand-kept file of a jurisdiction's state.
fn state_file(folder: &str, site: Site<'_>, row: Row) -> String {
    match site.directory().state_of(row).map(StateCode::usps) {
        Some(usps) => format!("data-pipeline/curated/{folder}/{usps}.toml"),
        None => "data-pipeline/curated/national.toml".to_owned(),
    }
}
