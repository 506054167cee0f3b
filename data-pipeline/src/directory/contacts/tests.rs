//! Tests contacts with an invented world, in which cities do the zoning and counties all other jobs.

use platbook::{testing, vocabulary::Function};

use super::*;
use crate::curated::{ContactRules, parse_contact_rules};

const MANIFEST: &str = r#"released = "2026-11-20"
[[source]]
id = "list"
name = "A list"
publisher = "Somebody"
url = "https://example.org/list"
official = false
license_class = "open"
vintage = 2020
retrieved_at = "2026-11-20"
role = "contacts"
files = [{ path = "a.csv", states = ["27"], sha256 = "0000000000000000000000000000000000000000000000000000000000000000" }]
"#;

fn rules() -> ContactRules {
    let file = "curated/contacts/rules.toml";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    parse_contact_rules(file, &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn contact(body: &str, government: &str, function: Option<Function>, phone: &str) -> OfficeContact {
    OfficeContact {
        body: body.parse().unwrap(),
        government: government.to_owned(),
        function,
        desk: "Clerk".to_owned(),
        phone: phone.to_owned(),
        email: "clerk@example.gov".to_owned(),
        address: String::new(),
        url: String::new(),
        source: format!("{CONTACTS}/https://example.gov/clerk"),
        year: 2020,
        trust: Trust::High,
    }
}

fn adams(phone: &str) -> OfficeContact {
    contact("county:27001", "Adams County, Minnesota", Some(Function::Recording), phone)
}

/// The contacts that are shown, and the reasons why others are not.
fn matched(contacts: Vec<OfficeContact>) -> (Vec<OfficeContact>, Vec<&'static str>) {
    let manifest = Manifest::parse(std::path::Path::new("m.toml"), MANIFEST).unwrap();
    let tables = ContactTables { rules: rules(), contacts, ..ContactTables::default() };
    // 55301 reaches Adams County, 55302 Baker County, 54001 Clark County of Wisconsin.
    let zips = [(55_301, 27_001), (55_302, 27_003), (54_001, 55_019)];
    let zips = zips.map(|(zip, county)| ZipCounty { zip, county, ranges: 1 });
    let found = Contacts::of(&tables, Vec::new(), &manifest, &zips, &testing::directory());
    let shown = found.matched.into_iter().map(|matched| matched.contact).collect();
    (shown, found.left_out.iter().map(|left_out| left_out.reason).collect())
}

#[test]
fn an_office_has_one_contact_the_most_trusted() {
    let medium = OfficeContact { trust: Trust::Medium, ..adams("612-555-0101") };
    let low = OfficeContact { trust: Trust::Low, ..adams("612-555-0103") };
    let all = vec![low, medium.clone(), adams("612-555-0102"), medium, adams("612-555-0102")];
    let (shown, reasons) = matched(all);
    assert_eq!(shown, [adams("612-555-0102")]);
    assert_eq!(reasons, [SAME_NUMBER, OTHER_NUMBER, OTHER_NUMBER, LOW]);
    let newer = OfficeContact { year: 2024, ..adams("612-555-0104") };
    let undated = OfficeContact { year: 0, ..adams("612-555-0105") };
    let (shown, _) = matched(vec![undated, adams("612-555-0102"), newer.clone()]);
    assert_eq!(shown, [newer]);
}

#[test]
fn a_contact_that_does_not_fit_its_government_is_left_out() {
    let of = |body: &str, name: &str, function| contact(body, name, function, "612-555-0101");
    for (contact, reason) in [
        (adams("512-555-0101"), "its area code is of another state"),
        (of("county:27999", "Adams County", None), NO_BODY),
        (of("county:27001", "Baker County", None), OTHER_NAME),
        (of("place:2740000", "City of Rivertown", Some(Function::Recording)), OTHER_JOB),
        (
            OfficeContact { email: "jane.doe@example.gov".into(), ..of("county:27001", "Adams", None) },
            NOT_OF_OFFICE,
        ),
    ] {
        let (_, reasons) = matched(vec![contact.clone()]);
        assert_eq!(reasons, [reason], "{contact:?}");
    }
    let city = of("place:2740000", "City of Rivertown", Some(Function::Zoning));
    assert_eq!(matched(vec![city.clone()]), (vec![city], vec![]));
}

#[test]
fn the_desk_of_a_clerk_is_the_main_line_of_a_small_government() {
    let listed = |geoid: &str, government: &str, phone: &str| {
        let row = ListedContact {
            geoid: geoid.to_owned(),
            government: government.to_owned(),
            kind: "county clerk (general)".to_owned(),
            phone: phone.to_owned(),
            email: String::new(),
            address: String::new(),
            url: String::new(),
            year: 2020,
            trust: "high".to_owned(),
        };
        (0, row)
    };
    // Adams County has 12,000 people, Clark County 34,000.
    let lists = vec![
        listed("27001", "Adams County", "612-555-0101"),
        listed("55019", "Clark County", "715-555-0101"),
    ];
    let manifest = MANIFEST.replace(r#"["27"]"#, r#"["27", "55"]"#);
    let manifest = Manifest::parse(std::path::Path::new("m.toml"), &manifest).unwrap();
    let tables = ContactTables { rules: rules(), ..ContactTables::default() };
    let found = Contacts::of(&tables, lists, &manifest, &[], &testing::directory());
    let shown: Vec<&str> = found.matched.iter().map(|matched| matched.contact.phone.as_str()).collect();
    let reasons: Vec<&str> = found.left_out.iter().map(|left_out| left_out.reason).collect();
    assert_eq!((shown, reasons), (vec!["612-555-0101"], vec![LARGE_GOVERNMENT]));
}

#[test]
fn a_street_address_lies_in_the_county_and_is_no_home() {
    let at = |contact: OfficeContact, address: &str| OfficeContact { address: address.to_owned(), ..contact };
    let town = |email: &str| OfficeContact {
        email: email.to_owned(),
        ..contact("cousub:2700110000", "Elm", None, "612-555-0101")
    };
    let county = adams("612-555-0101");
    for (contact, reason) in [
        (at(county.clone(), "1 Main St, Elm, MN 55301-1234"), None),
        (at(county.clone(), "1 Main St, Elm"), None),
        (at(county.clone(), "1 Main St, Elm, MN 55302"), Some(OTHER_COUNTY)),
        (at(county.clone(), "1 Main St, Elm, MN 54001"), Some(OTHER_STATE)),
        (at(county, "c/o Doe, 1 Main St, Elm, MN 55301"), Some(PERSON)),
        (at(town(""), "1 Main St, Elm, MN 55301"), None),
    ] {
        let (shown, reasons) = matched(vec![contact.clone()]);
        assert_eq!(
            (shown[0].address.is_empty(), reasons),
            (reason.is_some(), Vec::from_iter(reason)),
            "{contact:?}"
        );
    }
}

#[test]
fn a_page_comes_with_its_contact_where_somebody_documents_it() {
    struct OfAdams;
    impl Hosts for OfAdams {
        fn registered_to(&self, host: &str, _: &JurisdictionId) -> bool {
            host == "adams.gov"
        }
        fn registered(&self, _: &str) -> bool {
            false
        }
        fn listed(&self, _: &str) -> bool {
            false
        }
    }
    let manifest = Manifest::parse(std::path::Path::new("m.toml"), MANIFEST).unwrap();
    for (url, source) in [
        ("https://example.gov/recorder", Some("contacts/https://example.gov/clerk")),
        ("https://adams.gov/recorder", Some(crate::directory::websites::DOTGOV)),
        ("https://other.example/recorder", None),
        ("https://example.gov/", None),
        ("https://example.gov/Adams County recorder", None),
    ] {
        let contacts = vec![OfficeContact { url: url.to_owned(), ..adams("612-555-0101") }];
        let tables = ContactTables { rules: rules(), contacts, ..ContactTables::default() };
        let found = Contacts::of(&tables, Vec::new(), &manifest, &[], &testing::directory());
        let pages = found.pages(&OfAdams);
        assert_eq!(pages.first().map(|page| page.source.as_str()), source, "{url}");
    }
}

#[test]
fn a_county_officer_and_an_office_of_a_district_differ() {
    for (desk, of_county) in [
        ("County Tax Assessor-Collector", true),
        ("Tax Assessor-Collector", true),
        ("Appraisal district", false),
        ("Registry of Deeds", false),
    ] {
        assert_eq!(is_of_county(desk), of_county, "{desk}");
    }
}
