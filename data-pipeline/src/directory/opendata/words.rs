//! Writes names and descriptions of resources in plain words.

use super::address::{Address, Form};
use crate::input::openaddresses::OaKind;

/// The facts about a resource that its name and description use.
pub(super) struct Subject<'a> {
    pub(super) address: &'a Address,
    /// Kinds of data, sorted and without repetition.
    pub(super) kinds: &'a [OaKind],
    /// Full name of the government.
    pub(super) body: &'a str,
    /// Whether the government itself is the publisher.
    pub(super) own: bool,
}

/// Name and description of a resource.
pub(super) fn words(subject: &Subject) -> (String, String) {
    let body = &with_article(subject.body);
    let of = if subject.own { "of" } else { "for" };
    let what = what(subject.kinds);
    match subject.address.form {
        Form::Service => {
            let name = format!("{what} map service {of} {body}");
            (
                name,
                format!(
                    "{} as a live map service. Open it with map software, not as a page.",
                    lines(subject.kinds)
                ),
            )
        }
        Form::Download => {
            let name = format!("{what} data {of} {body}, to download");
            (name, format!("{} as a file to save and open with map software.", lines(subject.kinds)))
        }
        Form::Page => page(subject, body, of),
    }
}

/// The name with an article if it needs one: "the City of Bend", but "Hennepin County".
fn with_article(body: &str) -> String {
    let titles = ["City of ", "Town of ", "Village of ", "Borough of ", "State of ", "District of "];
    let takes_it = titles.iter().any(|title| body.starts_with(title));
    if takes_it { format!("the {body}") } else { body.to_owned() }
}

fn page(subject: &Subject, body: &str, of: &str) -> (String, String) {
    let url = subject.address.url.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| url.contains(word));
    if subject.address.is_data_page() {
        let what = what(subject.kinds);
        let name = format!("{what} data page {of} {body}");
        return (name, format!("Says what the {} data holds, and how to get it.", what.to_lowercase()));
    }
    if has(&["viewer", "/apps/", "experience.arcgis.com"]) {
        return (format!("Web map {of} {body}"), "A map to open in a browser.".to_owned());
    }
    if has(&["opendata", "open-data", "hub.arcgis.com", "://data."]) {
        return (format!("Open map data {of} {body}"), "Map data to look at and download.".to_owned());
    }
    if subject.address.speaks_of_maps() {
        return (format!("Maps and map data {of} {body}"), "Maps and map data to find here.".to_owned());
    }
    let what = what(subject.kinds);
    let about = format!("The page that a list of open data gives for the {} data.", what.to_lowercase());
    (format!("Page about {} data {of} {body}", what.to_lowercase()), about)
}

/// The kinds of data in words: "Parcel and address".
fn what(kinds: &[OaKind]) -> &'static str {
    let has = |kind| kinds.contains(&kind);
    match (has(OaKind::Parcels), has(OaKind::Addresses), has(OaKind::Buildings)) {
        (true, true, true) => "Parcel, address and building",
        (true, true, false) => "Parcel and address",
        (true, false, true) => "Parcel and building",
        (true, false, false) => "Parcel",
        (false, true, true) => "Address and building",
        (false, true, false) => "Address",
        (false, false, true) => "Building",
        (false, false, false) => "Road",
    }
}

fn lines(kinds: &[OaKind]) -> &'static str {
    let has = |kind| kinds.contains(&kind);
    match (has(OaKind::Parcels), has(OaKind::Addresses), has(OaKind::Buildings)) {
        (true, true, true) => "Parcels, address points and building outlines",
        (true, true, false) => "Parcels and address points",
        (true, false, true) => "Parcels and building outlines",
        (true, false, false) => "Parcels",
        (false, true, true) => "Address points and building outlines",
        (false, true, false) => "Address points",
        (false, false, true) => "Building outlines",
        (false, false, false) => "Roads",
    }
}
