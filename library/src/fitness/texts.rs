//! Whether the texts of a snapshot may be shown: they go to terminals, pages and language models as they are.

use super::Misfit;
use crate::{
    directory::Directory,
    vocabulary::{StateCode, clean_text, is_clean_text},
};

/// Most characters of a text. The longest of the default snapshot, an address of a map with its parameters, has fewer than
/// half as many.
const CHARS_MAX: usize = 2_000;

/// How an address of a page begins. Others, such as `javascript:`, would run in the browser of whoever follows them.
const SCHEMES: [&str; 2] = ["https://", "http://"];

/// Whether all texts are bounded and without characters that control or hide, and addresses of pages lead to the web.
///
/// # Errors
/// With the first text that may not be shown.
pub(super) fn check(directory: &Directory) -> Result<(), Misfit> {
    let snapshot = directory.snapshot();
    for source in snapshot.meta().sources.iter() {
        shown("a source", [&*source.name, &*source.publisher, &*source.retrieved_at, &*source.digest])?;
        address("a source", [&*source.url])?;
    }
    let jurisdictions = snapshot.jurisdictions();
    for row in (0..jurisdictions.len() as u32).filter_map(|row| jurisdictions.fields(row)) {
        let texts = [jurisdictions.name(row)].into_iter().chain(jurisdictions.legal_type(row));
        shown("a jurisdiction", texts)?;
    }
    let records = snapshot.records();
    for site in records.websites() {
        let texts = [site.office(records), site.phone(records), site.email(records), site.address(records)];
        shown("an office", texts.into_iter().flatten())?;
        address("an office", site.url(records))?;
    }
    for page in records.resources() {
        let texts = [page.description(records), page.publisher(records), page.provider(records)];
        shown("a page", [page.name(records)].into_iter().chain(texts.into_iter().flatten()))?;
        address("a page", [page.url(records)].into_iter().chain(page.template(records)))?;
    }
    rules(directory)
}

/// The guides, and what is said of states.
fn rules(directory: &Directory) -> Result<(), Misfit> {
    for guide in directory.guides() {
        shown("a guide", [&guide.title, &guide.summary, &guide.checked].map(String::as_str))?;
        for section in &guide.sections {
            shown("a guide", [&section.heading].into_iter().chain(&section.text).map(String::as_str))?;
        }
    }
    let files = StateCode::all().filter_map(|state| directory.snapshot().state_files().state(state));
    for file in files {
        shown("a state", file.summary.iter().chain(&file.quirks).map(String::as_str))?;
    }
    Ok(())
}

fn shown<'t>(what: &'static str, texts: impl IntoIterator<Item = &'t str>) -> Result<(), Misfit> {
    texts
        .into_iter()
        .find(|text| !is_clean_text(text, CHARS_MAX))
        .map_or(Ok(()), |text| Err(misfit(what, text)))
}

fn address<'t>(what: &'static str, texts: impl IntoIterator<Item = &'t str>) -> Result<(), Misfit> {
    let leads_to_the_web = |text: &str| SCHEMES.iter().any(|scheme| text.starts_with(scheme));
    let is_fit = |text: &str| text.is_empty() || (leads_to_the_web(text) && is_clean_text(text, CHARS_MAX));
    texts.into_iter().find(|text| !is_fit(text)).map_or(Ok(()), |text| Err(misfit(what, text)))
}

fn misfit(what: &'static str, text: &str) -> Misfit {
    Misfit::Text { what, text: clean_text(text, 60) }
}
