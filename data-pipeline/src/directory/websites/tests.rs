//! Tests each rule of the join with real rows.

mod measure;

use std::collections::BTreeSet;

/// The hand-kept table of the repository.
pub(super) fn lists() -> PublishedLists {
    let text = include_str!("../../../curated/published_lists.toml");
    crate::curated::parse_published_lists("published_lists.toml", text).unwrap()
}

use super::*;

/// id, name, legal word, status, ids of the same government.
const GOVERNMENTS: &[(&str, &str, &str, u8, &[&str])] = &[
    ("county:08013", "Boulder County", "county", b'A', &[]),
    ("place:0807850", "Boulder", "city", b'A', &[]),
    ("county:53033", "King County", "county", b'A', &[]),
    ("county:17037", "DeKalb County", "county", b'A', &[]),
    ("county:35013", "Doña Ana County", "county", b'A', &[]),
    ("county:21185", "Oldham County", "county", b'A', &[]),
    ("county:38017", "Cass County", "county", b'A', &[]),
    ("county:17001", "Adams County", "county", b'A', &[]),
    ("county:12115", "Sarasota County", "county", b'A', &[]),
    ("county:06071", "San Bernardino County", "county", b'A', &[]),
    ("county:39017", "Butler County", "county", b'A', &[]),
    ("county:39093", "Lorain County", "county", b'A', &[]),
    ("county:25017", "Middlesex County", "county", b'N', &[]),
    ("county:42009", "Bedford County", "county", b'A', &[]),
    ("county:29053", "Cooper County", "county", b'A', &[]),
    ("place:2907318", "Boonville", "city", b'A', &[]),
    ("place:2937000", "Jefferson City", "city", b'A', &[]),
    ("county:29510", "St. Louis city", "city", b'A', &["place:2965000"]),
    ("place:2965000", "St. Louis", "city", b'A', &["county:29510"]),
    ("county:29189", "St. Louis County", "county", b'A', &[]),
    ("county:22033", "East Baton Rouge Parish", "parish", b'C', &["place:2205000"]),
    ("place:2205000", "Baton Rouge", "city", b'C', &["county:22033"]),
    ("place:3651000", "New York", "city", b'C', &[]),
    ("county:36061", "New York County", "county", b'C', &[]),
    ("place:2507000", "Boston", "city", b'A', &["cousub:2502507000"]),
    ("cousub:2502507000", "Boston", "city", b'F', &["place:2507000"]),
    ("place:3680302", "Wellsville", "village", b'A', &[]),
    ("cousub:3600380313", "Wellsville", "town", b'A', &[]),
    ("cousub:3904177504", "Orange Township", "township", b'A', &[]),
    ("cousub:3909377504", "Eaton Township", "township", b'A', &[]),
    ("cousub:3906124234", "Eaton Township", "township", b'A', &[]),
    ("cousub:5500935400", "Holland", "town", b'A', &[]),
    ("cousub:5506335425", "Holland", "town", b'A', &[]),
    ("county:55009", "Brown County", "county", b'A', &[]),
    ("county:55063", "La Crosse County", "county", b'A', &[]),
    ("cousub:2302752845", "Northport", "town", b'A', &[]),
    ("place:2938000", "Kansas City", "city", b'A', &[]),
    ("cousub:1709722853", "Ela Township", "township", b'A', &[]),
];

fn id(text: &str) -> Geoid {
    match text.parse().unwrap() {
        JurisdictionId::Census(geoid) => geoid,
        other => panic!("{other}"),
    }
}

fn all() -> Vec<Government> {
    let government = |row: &(&str, &str, &str, u8, &[&str])| Government {
        id: id(row.0),
        name: row.1.to_owned(),
        legal_type: Some(row.2.to_owned()),
        ocd_id: None,
        state: StateCode::from_fips(id(row.0).state_fips()).unwrap(),
        same_as: row.4.iter().map(|other| id(other)).collect(),
        population: 0,
        func_stat: FuncStat::from_letter(row.3).unwrap(),
        county: None,
    };
    GOVERNMENTS.iter().map(government).collect()
}

fn gov(domain: &str, kind: &str, organization: &str, city: &str, state: &str) -> DotGovRow {
    let text = str::to_owned;
    DotGovRow {
        domain: text(domain),
        kind: text(kind),
        organization: text(organization),
        city: text(city),
        state: text(state),
        line: 2,
    }
}

fn listed(domain: &str, level: &str, comment: &str, state: &str) -> GsaRow {
    let text = str::to_owned;
    GsaRow {
        domain: text(domain),
        level: text(level),
        state: text(state),
        comment: text(comment),
        link: None,
        line: 2,
    }
}

/// The bodies that get the site, with the title of an office, or the reason why no body does.
fn outcome(joined: &Joined) -> String {
    let site = |site: &crate::directory::records::Website| match &site.office {
        Some(office) => format!("{} {office}", site.body),
        None => site.body.to_string(),
    };
    let sites: Vec<String> = joined.records.websites.iter().map(site).collect();
    let reasons = joined.records.rejected.iter().map(|row| row.reason.to_owned());
    sites.into_iter().chain(reasons).collect::<Vec<_>>().join(", ")
}

/// Domain, type, organization, city, state, and the expected result for the row.
const REGISTRY: &[(&str, &str, &str, &str, &str, &str)] = &[
    // Names that are spelled in several ways.
    ("dekalbcountyil.gov", "County", "De Kalb County Government", "Sycamore", "IL", "county:17037"),
    ("donaana.gov", "County", "Doña Ana County", "Las Cruces", "NM", "county:35013"),
    // Election offices are recognized by their name, not by the type of the row.
    ("kingcounty.gov", "County - Election", "King County", "Seattle", "WA", "county:53033"),
    ("votelorain.gov", "County - Election", "Lorain County Board of Elections", "Elyria", "OH", "elections"),
    // Forms of a county's name.
    ("oldhamcountyky.gov", "County", "Oldham County Fiscal Court", "La Grange", "KY", "county:21185"),
    ("lorainoh.gov", "County", "County of Lorain, Ohio", "Elyria", "OH", "county:39093"),
    ("adamscountyil.gov", "County", "Adams", "Quincy", "IL", "county:17001"),
    // Sites of single offices.
    ("loraincountysheriff.gov", "County", "Lorain County Sheriff", "Elyria", "OH", "sheriff or police"),
    (
        "bcvetsoh.gov",
        "County",
        "Butler County Veterans Service Commission",
        "Hamilton",
        "OH",
        "another body or office",
    ),
    (
        "sarasotataxcollector.gov",
        "County",
        "Sarasota County Tax Collector",
        "Sarasota",
        "FL",
        "county:12115 Tax Collector",
    ),
    (
        "sbcountyarc.gov",
        "County",
        "County of San Bernardino Assessor Recorder Clerk",
        "San Bernardino",
        "CA",
        "county:06071 Assessor Recorder Clerk",
    ),
    ("elaassessor.gov", "City", "Ela Township Assessor", "Lake Zurich", "IL", "cousub:1709722853 Assessor"),
    ("butlerfire.gov", "County", "Butler County", "Hamilton", "OH", "the address names another office"),
    // Only the address names the government.
    ("casscountynd.gov", "County", "State of ND", "Bismarck", "ND", "county:38017"),
    ("bedfordboroughpa.gov", "City", "Bedford Police Department", "Bedford", "PA", "sheriff or police"),
    ("coopercountymo.gov", "County", "Boonville Court House", "Boonville", "MO", "county:29053"),
    // Cities, villages and towns.
    ("bouldercolorado.gov", "City", "City of Boulder", "Boulder", "CO", "place:0807850"),
    (
        "miamitownshipgcoh.gov",
        "City",
        "Eaton Township of Lorain County",
        "Grafton",
        "OH",
        "cousub:3909377504",
    ),
    ("jcmo.gov", "City", "City of Jefferson City Mo", "Jefferson City", "MO", "place:2937000"),
    ("jeffersoncitymo.gov", "City", "City of Jefferson", "Jefferson City", "MO", "place:2937000"),
    ("wellsvillevillageny.gov", "City", "VILLAGE OF WELLSVILLE", "Wellsville", "NY", "place:3680302"),
    ("wellsvilleny.gov", "City", "Town of Wellsville", "Wellsville", "NY", "cousub:3600380313"),
    (
        "nvcmaine.gov",
        "City",
        "Northport Village Corporation",
        "Northport",
        "ME",
        "no government of this name in the list",
    ),
    (
        "hollandbrowncountywi.gov",
        "City",
        "Town of Holland, Brown County",
        "Kaukauna",
        "WI",
        "cousub:5500935400",
    ),
    ("hollandtown.gov", "City", "Town of Holland", "Nowhere", "WI", "several governments have this name"),
    ("eatontownship.gov", "City", "Eaton Township, Lorain County", "Grafton", "OH", "cousub:3909377504"),
    // Consolidated and independent cities.
    (
        "brla.gov",
        "City",
        "City of Baton Rouge / Parish of East Baton Rouge",
        "Baton Rouge",
        "LA",
        "county:22033, place:2205000",
    ),
    ("stlouis-mo.gov", "City", "City of St. Louis", "St. Louis", "MO", "county:29510, place:2965000"),
    ("stlouiscountymo.gov", "County", "St. Louis County Government", "Clayton", "MO", "county:29189"),
    (
        "nyc.gov",
        "City",
        "The NYC Office of Technology and Innovation",
        "Brooklyn",
        "NY",
        "county:36061, place:3651000",
    ),
    // New England cities are places and subdivisions at once.
    ("boston.gov", "City", "City of Boston", "Boston", "MA", "cousub:2502507000, place:2507000"),
    // The organization is not a government.
    (
        "middlesexcountyma.gov",
        "County",
        "County of Middlesex",
        "Lowell",
        "MA",
        "no government of this name in the list",
    ),
    ("x.gov", "City", "City of Boston", "Boston", "", "no state"),
];

#[test]
fn rows_of_the_registry() {
    for (domain, kind, organization, city, state, expected) in REGISTRY {
        let joined =
            join(&all(), &lists(), &[gov(domain, kind, organization, city, state)], &[], &Retired::new());
        let mut got: Vec<String> = outcome(&joined).split(", ").map(str::to_owned).collect();
        got.sort();
        assert_eq!(got.join(", "), *expected, "{domain} {organization}");
    }
}

#[test]
fn the_plainest_address_is_chosen_and_ties_are_counted() {
    let rows = [
        gov("bcohio.gov", "County", "Butler County", "Hamilton", "OH"),
        gov("butlercountyohio.gov", "County", "Butler County", "Hamilton", "OH"),
        gov("butlercountyoh.gov", "County", "Butler County", "Hamilton", "OH"),
    ];
    let joined = join(&all(), &lists(), &rows, &[], &Retired::new());
    assert_eq!(joined.records.websites.len(), 1);
    assert_eq!(joined.records.websites[0].url, "https://butlercountyoh.gov/");
    assert_eq!(joined.counts[".gov: main site, tied, shortest kept"], 1);
    assert!(joined.hosts.documents("gis.bcohio.gov", id("county:39017")));
    assert!(!joined.hosts.documents("notbcohio.gov", id("county:39017")));
}

#[test]
fn listed_addresses_fill_gaps_only() {
    let retired: Retired = BTreeSet::from(["old-eaton.org".to_owned()]);
    let registry = [gov("kingcounty.gov", "County", "King County", "Seattle", "WA")];
    for (domain, level, comment, state, expected) in [
        ("co.cass.nd.us", "County", "Cass County, ND", "North Dakota", "county:38017"),
        ("metrokc.org", "County", "King County, WA", "Washington", "replaced by a .gov domain"),
        ("old-eaton.org", "Local", "City of Boston, MA", "Massachusetts", "retired from the list"),
        ("visitsarasota.org", "County", "Sarasota County, FL", "Florida", "tourism or recreation"),
        ("co.cass.mn.us", "County", "Cass County, ND", "North Dakota", "the address is of another state"),
        (
            "174.132.145.94",
            "Local",
            "City of Boston, MA",
            "Massachusetts",
            "an address without a host of its own",
        ),
        (
            "baytown.com/eaton",
            "Local",
            "City of Boston",
            "Massachusetts",
            "an address without a host of its own",
        ),
    ] {
        let joined = join(&all(), &lists(), &registry, &[listed(domain, level, comment, state)], &retired);
        let expected = format!("county:53033, {expected}");
        assert_eq!(outcome(&joined), expected, "{domain}");
        let status = joined.records.websites.iter().find(|site| site.source == GSA).map(|site| site.status);
        assert!(status.is_none_or(|status| status == platbook::vocabulary::VerifiedStatus::PossiblyBroken));
    }
}

#[test]
fn hosts_of_governments() {
    let joined = join(
        &all(),
        &lists(),
        &[],
        &[listed("horrycounty.org", "County", "x", "South Carolina")],
        &Retired::new(),
    );
    for (host, expected) in [
        ("gis.hennepin.gov", true),
        ("www.navy.mil", true),
        ("co.cass.mn.us", true),
        ("maps.horrycounty.org", true),
        ("example.us", false),
        ("gov", false),
        ("horrycounty.org.example.com", false),
        ("arcgis.com", false),
    ] {
        assert_eq!(joined.hosts.is_government_host(host), expected, "{host}");
    }
}
