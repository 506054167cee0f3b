//! Words of pages alone: what people call a job, where a link leads.

use platbook::{
    directory::{Directory, Row},
    vocabulary::{Function, StateCode, VerifiedStatus},
};

pub(super) use platbook::words::{capital, count, date, full_name, listed, titled, with_article};

/// What people call a function.
pub(super) fn function_name(function: Function) -> &'static str {
    match function {
        Function::Assessment => "Property value",
        Function::TaxCollection => "Paying property tax",
        Function::Recording => "Deeds and land records",
        Function::Zoning => "Zoning",
        Function::Permits => "Building permits",
        Function::Gis => "Property maps",
        Function::Exemptions => "Exemptions and tax relief",
    }
}

/// What the office of a function is asked.
pub(super) fn function_question(function: Function) -> &'static str {
    match function {
        Function::Assessment => "What is my property worth for tax, and how do I appeal?",
        Function::TaxCollection => "Where do I look up or pay my property tax bill?",
        Function::Recording => "Where is my deed, mortgage or lien on record?",
        Function::Zoning => "What may I build or do on this land?",
        Function::Permits => "Do I need a permit, and who issues it?",
        Function::Gis => "Where are my property lines on a map?",
        Function::Exemptions => "Can I pay less: homestead, senior, veteran?",
    }
}

/// The governments of a chain, the nearest first, each government once.
pub(super) fn nearest_first(directory: &Directory, lineage: &[Row]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for row in lineage.iter().rev() {
        if !rows.iter().any(|known| directory.is_same(*known, *row)) {
            rows.push(*row);
        }
    }
    rows
}

/// A chain as a part of a sentence: "the City of Stowe, Lamoille County, Vermont".
pub(super) fn chain(directory: &Directory, lineage: &[Row]) -> String {
    let rows = nearest_first(directory, lineage);
    let names = rows.iter().enumerate().map(|(at, row)| {
        let view = directory.jurisdiction(*row);
        if at == 0 { with_article(&view) } else { full_name(&view) }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// A place in short, as a title has it: "Stowe, Vermont".
pub(super) fn short_place(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    match view.state.map(StateCode::name).filter(|state| *state != view.name) {
        Some(state) => format!("{}, {state}", view.name),
        None => view.name.to_owned(),
    }
}

/// The host of an address, as a person reads it.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether a link may be followed from a page: only web addresses are.
pub(super) fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// What is known of a link.
pub(super) fn link_status(status: VerifiedStatus, listed: &str) -> String {
    match status {
        VerifiedStatus::Verified => "Link checked.".to_owned(),
        VerifiedStatus::NotYetVerified if listed.is_empty() => "Link not checked yet.".to_owned(),
        VerifiedStatus::NotYetVerified => format!("Link not checked since {}.", date(listed)),
        VerifiedStatus::PossiblyBroken => "This link may be broken.".to_owned(),
    }
}

/// What the counties of a state are called, one and many.
pub(super) fn county_word(state: StateCode) -> (&'static str, &'static str) {
    match state.usps() {
        "LA" => ("parish", "parishes"),
        "AK" => ("borough or census area", "boroughs and census areas"),
        "PR" => ("municipio", "municipios"),
        "CT" => ("planning region", "planning regions"),
        _ => ("county", "counties"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_off_addresses() {
        for (url, host) in
            [("https://www.hennepin.us/tax?a", "hennepin.us"), ("http://x.gov", "x.gov"), ("x", "x")]
        {
            assert_eq!(super::host(url), host);
        }
        assert!(is_web("https://x.gov") && !is_web("javascript:alert(1)"));
    }
}
