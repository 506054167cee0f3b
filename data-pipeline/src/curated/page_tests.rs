//! Tests that the page of an office is not that of another: `.../treasurer` is no page of an assessor.

use std::path::Path;

use platbook::vocabulary::{Function, bare_url};

use super::Tables;

/// Kinds of offices whose pages are mistaken for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Office {
    Assessor,
    Collector,
    Recorder,
    /// Planners and inspectors often share one page.
    Land,
    Maps,
}

/// Words that name an office in the last part of an address. Auditors and clerks have another of these jobs in each
/// state, so their words name none.
const NAMED: [(&str, Office); 17] = [
    ("assessor", Office::Assessor),
    ("assessors", Office::Assessor),
    ("appraiser", Office::Assessor),
    ("assessing", Office::Assessor),
    ("assessment", Office::Assessor),
    ("treasurer", Office::Collector),
    ("treasurers", Office::Collector),
    ("collector", Office::Collector),
    ("trustee", Office::Collector),
    ("treasury", Office::Collector),
    ("recorder", Office::Recorder),
    ("deeds", Office::Recorder),
    ("planning", Office::Land),
    ("zoning", Office::Land),
    ("building", Office::Land),
    ("inspections", Office::Land),
    ("permits", Office::Land),
];

/// Parts of words that show an office, in the last part of its address or in the name of its page.
fn shown_by(office: Office) -> &'static [&'static str] {
    match office {
        Office::Assessor => &["assess", "apprais", "valuation", "equaliz"],
        Office::Collector => &["tax", "treasur", "collect", "trustee", "revenue", "finance", "billing"],
        Office::Recorder => &["record", "deed", "regist", "clerk", "court"],
        Office::Land => &["plan", "zon", "build", "permit", "inspect", "code", "construct", "develop"],
        // The assessor draws the maps of many counties.
        Office::Maps => &["gis", "map", "assess", "apprais", "survey", "plan"],
    }
}

fn of_function(function: Function) -> Office {
    match function {
        Function::Assessment | Function::Exemptions => Office::Assessor,
        Function::TaxCollection => Office::Collector,
        Function::Recording => Office::Recorder,
        Function::Zoning | Function::Permits => Office::Land,
        Function::Gis => Office::Maps,
    }
}

/// The other office that the last part of an address names; `None` if the address or the name of the page shows the
/// office itself.
fn other_office(own: Office, url: &str, name: &str) -> Option<Office> {
    let bare = bare_url(url);
    let path = bare.split(['?', '#']).next().unwrap_or_default();
    let last = path.split_once('/')?.1.rsplit('/').find(|part| !part.is_empty())?.to_lowercase();
    let name = name.to_lowercase();
    if shown_by(own).iter().any(|word| last.contains(word) || name.contains(word)) {
        return None;
    }
    let mut words = last.split(|letter: char| !letter.is_alphabetic());
    words.find_map(|word| NAMED.iter().find(|(named, _)| *named == word)).map(|(_, office)| *office)
}

#[test]
fn pages_of_other_offices_are_noticed() {
    for (own, url, name, expected) in [
        (Office::Assessor, "https://x.gov/treasurer", "County office", Some(Office::Collector)),
        (Office::Assessor, "https://x.gov/123/Treasurer.html?id=2", "County office", Some(Office::Collector)),
        (Office::Assessor, "https://x.gov/treasurer/assessor", "County office", None),
        (Office::Collector, "https://x.gov/tax-assessor", "Tax Assessor-Collector", None),
        (Office::Recorder, "https://x.gov/assessor", "Assessor and Clerk-Recorder", None),
        (Office::Maps, "https://x.gov/assessor", "Assessor", None),
        (Office::Land, "https://treasurer.x.gov/", "Treasurer", None),
    ] {
        assert_eq!(other_office(own, url, name), expected, "{url}");
    }
}

#[test]
fn no_page_of_the_tables_names_another_office() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("curated");
    let tables = Tables::load(&folder).unwrap();
    let mut wrong = Vec::new();
    let mut check = |own: Office, url: &str, name: &str| {
        wrong.extend(
            other_office(own, url, name).map(|other| format!("{other:?}, not {own:?}: {url} {name}")),
        );
    };
    for page in tables.sites.iter().flat_map(|sites| &sites.pages) {
        // A tool belongs to no office.
        let functions = page.kind.functions();
        functions.iter().for_each(|function| check(of_function(function), &page.url, &page.name));
    }
    for contact in &tables.contacts.contacts {
        contact.function.iter().for_each(|job| check(of_function(*job), &contact.url, &contact.desk));
    }
    for office in tables.states.iter().flat_map(|state| &state.offices) {
        let url = office.url.as_deref().unwrap_or_default();
        office.functions.iter().for_each(|function| check(of_function(*function), url, &office.name));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
