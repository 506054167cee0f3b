//! Tests each rule on rows of the real list.

use platbook::vocabulary::{FuncStat, JurisdictionId};

/// The hand-kept table of the repository.
pub(super) fn lists() -> PublishedLists {
    let text = include_str!("../../../curated/published_lists.toml");
    crate::curated::parse_published_lists("published_lists.toml", text).unwrap()
}

use super::*;

/// Id, name, legal word, status, and an id of the same government.
const GOVERNMENTS: [(&str, &str, &str, char, &str); 50] = [
    ("state:09", "Connecticut", "", 'A', ""),
    ("state:27", "Minnesota", "", 'A', ""),
    ("state:36", "New York", "", 'A', ""),
    ("state:39", "Ohio", "", 'A', ""),
    ("county:06059", "Orange County", "county", 'A', ""),
    ("county:12021", "Collier County", "county", 'A', ""),
    ("county:12023", "Columbia County", "county", 'A', ""),
    ("county:12057", "Hillsborough County", "county", 'A', ""),
    ("county:13053", "Chattahoochee County", "county", 'A', ""),
    ("county:13081", "Crisp County", "county", 'A', ""),
    ("county:13129", "Gordon County", "county", 'A', ""),
    ("county:16059", "Lemhi County", "county", 'A', ""),
    ("county:17029", "Coles County", "county", 'A', ""),
    ("county:17139", "Moultrie County", "county", 'A', ""),
    ("county:20003", "Anderson County", "county", 'A', ""),
    ("county:27053", "Hennepin County", "county", 'A', ""),
    ("county:27107", "Norman County", "county", 'A', ""),
    ("county:27113", "Pennington County", "county", 'A', ""),
    ("county:31045", "Dawes County", "county", 'A', ""),
    ("county:31009", "Blaine County", "county", 'A', ""),
    ("county:32510", "Carson City", "city", 'A', ""),
    ("county:36011", "Cayuga County", "county", 'A', ""),
    ("county:42017", "Bucks County", "county", 'A', ""),
    ("county:46007", "Bennett County", "county", 'A', ""),
    ("county:46102", "Oglala Lakota County", "county", 'A', ""),
    ("county:48029", "Bexar County", "county", 'A', ""),
    ("county:51097", "King and Queen County", "county", 'A', ""),
    ("county:51159", "Richmond County", "county", 'A', ""),
    ("county:51760", "Richmond city", "city", 'A', "place:5167000"),
    ("county:53003", "Asotin County", "county", 'A', ""),
    ("county:53081", "Whatever County", "county", 'A', ""),
    ("county:54081", "Raleigh County", "county", 'A', ""),
    ("county:55017", "Chippewa County", "county", 'A', ""),
    ("county:55019", "Clark County", "county", 'A', ""),
    ("county:55131", "Washington County", "county", 'A', ""),
    ("cousub:0914080490", "Watertown", "town", 'A', ""),
    ("cousub:0918073770", "Stonington", "town", 'A', ""),
    ("cousub:5513185375", "West Bend", "town", 'A', ""),
    ("place:0627000", "Fullerton", "city", 'A', ""),
    ("place:0973700", "Stonington", "borough", 'A', ""),
    ("place:1271000", "Tampa", "city", 'A', ""),
    ("place:1608830", "Boise City", "city", 'A', ""),
    ("place:4865000", "San Antonio", "city", 'A', ""),
    ("place:5167000", "Richmond", "city", 'A', "county:51760"),
    ("place:5303180", "Asotin", "city", 'A', ""),
    ("place:5585350", "West Bend", "city", 'A', ""),
    ("county:21073", "Franklin County", "county", 'A', ""),
    ("place:2128900", "Frankfort", "city", 'A', ""),
    ("county:47187", "Williamson County", "county", 'A', ""),
    ("county:55083", "Oconto County", "county", 'A', ""),
];

fn governments() -> Vec<NewJurisdiction> {
    let row = |(id, name, word, letter, same): &(&str, &str, &str, char, &str)| NewJurisdiction {
        id: id.parse().unwrap(),
        name: (*name).to_owned(),
        legal_type: Some((*word).to_owned()).filter(|word| !word.is_empty()),
        ocd_id: None,
        same_as: same.parse::<JurisdictionId>().into_iter().collect(),
        population: 0,
        point: None,
        bbox: None,
        source: 0,
        vintage: 0,
        func_stat: FuncStat::from_letter(*letter as u8).unwrap(),
        area_off_percent: 0,
    };
    GOVERNMENTS.iter().map(row).collect()
}

/// A source with member, county, locality, GEOID and Census name; empty for none.
fn source([member, county, locality, geoid, census]: [&str; 5], layers: Vec<OaLayer>) -> OaSource {
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    OaSource {
        member: member.to_owned(),
        county: filled(county),
        locality: filled(locality),
        geoid: filled(geoid),
        census_name: filled(census),
        layers,
    }
}

fn county(member: &str, name: &str, layers: Vec<OaLayer>) -> OaSource {
    source([member, name, "", "", ""], layers)
}

fn layer(kind: OaKind, data: &str) -> OaLayer {
    OaLayer { kind, data: data.to_owned(), protocol: "ESRI".to_owned(), ..OaLayer::default() }
}

fn parcels(data: &str) -> Vec<OaLayer> {
    vec![layer(OaKind::Parcels, data)]
}

fn all(sources: &[OaSource]) -> Records {
    resources(sources, &governments(), &lists(), &|host| {
        ["ncboc.com", "cityofcalhoun-ga.com"].contains(&host)
    })
}

/// The result for the only address of the sources.
fn outcome(records: &Records) -> String {
    let pages = records.pages.iter().map(|page| {
        let publisher = if page.publisher.is_empty() { "-" } else { &page.publisher };
        let by = if page.provider.is_empty() { "" } else { " by " };
        let provider = format!("{by}{}", page.provider);
        format!(
            "{}: {publisher}{provider}{}",
            page.jurisdiction,
            if page.official { ", official" } else { "" }
        )
    });
    let withheld = records.withheld.iter().map(|row| format!("{}: withheld: {}", row.body, row.reason));
    let rejected = records.rejected.iter().map(|row| format!("rejected: {}", row.reason));
    pages.chain(withheld).chain(rejected).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_source_is_of_the_government_that_name_and_geoid_agree_on() {
    for (row, expected) in [
        (["mn/hennepin.json", "Hennepin", "", "27053", "Hennepin County"], "county:27053"),
        // Another county's GEOID, of this state or of another: the name counts.
        (["ga/crisp.json", "Crisp", "", "13181", "Crisp County"], "county:13081"),
        (["wv/raleigh.json", "Raleigh", "", "53081", "Raleigh County"], "county:54081"),
        // No GEOID, and a malformed one.
        (["ne/blaine.json", "Blaine", "", "", ""], "county:31009"),
        (
            ["ct/city_of_watertown.json", "", "watertown", "09-80490", "City of Watertown"],
            "cousub:0914080490",
        ),
        // The current code of a county that was renamed.
        (["sd/shannon.json", "Shannon", "", "46113", "Shannon County"], "county:46102"),
        // "and" in a name, and two counties in one file.
        (["va/king_and_queen.json", "King and Queen", "", "51097", ""], "county:51097"),
        (["sd/tripp_and_todd.json", "Tripp and Todd", "", "", ""], "covers several governments"),
        (["tx/capcog.json", "", "", "", ""], "covers several governments"),
        // File name and content name different counties.
        (["wi/clark.json", "Chippewa", "", "55017", "Chippewa County"], "its file name and its content"),
        // A city's file with its county's GEOID.
        (["ca/city_of_fullerton.json", "Orange", "Fulleton", "06059", "Orange County"], "place:0627000"),
        (["tx/san_antonio.json", "Bexar", "San Antonio", "48029", "Bexar County"], "place:4865000"),
        (["wa/asotin.json", "", "Asotin", "53003", "Asotin County"], "does not say whether"),
        // Independent cities, and files that are named as a city.
        (["va/city_of_richmond.json", "", "Richmond", "51760", "City of Richmond"], "county:51760"),
        (["nv/carson_city.json", "Carson City", "", "32510", "Carson City"], "county:32510"),
        (["id/city_of_boise.json", "Ada", "Boise", "", ""], "place:1608830"),
        // Towns: a GEOID of seven digits is a town in New England, but not in Wisconsin.
        (["ct/city_of_stonington.json", "New London", "Stonington", "0973770", ""], "cousub:0918073770"),
        (
            ["ct/city_of_stonington.json", "New London", "Stonington", "", ""],
            "several governments of this name",
        ),
        (["wi/city_of_west_bend.json", "", "West Bend", "5585375", "City of West Bend"], "place:5585350"),
        (["mn/statewide.json", "", "", "27", ""], "state:27"),
        (["countrywide.json", "", "", "", ""], "is of no single state"),
        (["nc/ebci.json", "Eastern Band of Cherokee Indians", "", "", ""], "no government of this name"),
    ] {
        let (rows, lists) = (governments(), lists());
        let found = Bodies::new(&rows, &lists).find(&source(row, Vec::new()));
        let found = found.map_or_else(str::to_owned, |at| rows[at].id.to_string());
        assert!(found.starts_with(expected), "{row:?}: {found}");
    }
}

/// Member, name, address, and the expected result.
const HOSTS: [[&str; 4]; 21] = [
    // A city in its state's zone.
    [
        "ky/franklin.json",
        "Franklin",
        "https://agis101.frankfort.ky.gov/a/MapServer/0",
        "rejected: the address names another government",
    ],
    [
        "mn/hennepin.json",
        "Hennepin",
        "https://gis.hennepin.us/a/MapServer/1",
        "county:27053: Hennepin County, official",
    ],
    [
        "wi/oconto.json",
        "Oconto",
        "https://oc17maps.co.oconto.wi.us/a/MapServer/0",
        "county:55083: Oconto County, official",
    ],
    // Map platforms: only the host can show the owner.
    [
        "mn/hennepin.json",
        "Hennepin",
        "https://gis.hennepin.opendata.arcgis.com/a.zip",
        "county:27053: Hennepin County, official",
    ],
    [
        "mn/hennepin.json",
        "Hennepin",
        "https://services.arcgis.com/abc/arcgis/rest/services/Parcels/FeatureServer/0",
        "county:27053: -",
    ],
    [
        "id/lemhi.json",
        "Lemhi",
        "https://services.arcgis.com/abc/arcgis/rest/services/Parcels_WFL1/FeatureServer/0",
        "county:16059: withheld: a trial",
    ],
    // Vendors: the address may name the government that publishes.
    [
        "ne/blaine.json",
        "Blaine",
        "https://maps6.gisworkshop.com/ArcGIS/rest/services/Blaine/MapServer/0",
        "county:31009: Blaine County by GIS Workshop, official",
    ],
    [
        "ne/blaine.json",
        "Blaine",
        "https://maps5.gisworkshop.com/ArcGIS/rest/services/Electric/MapServer/7",
        "county:31009: - by GIS Workshop",
    ],
    [
        "ne/dawes.json",
        "Dawes",
        "https://maps5.gisworkshop.com/ArcGIS/rest/services/CityofChadronMGMT/MapServer/16",
        "rejected: the address names another government",
    ],
    // Hosts of regions, states and universities.
    [
        "sd/bennett.json",
        "Bennett",
        "https://gis.districtiii.org/server/rest/services/BENNETT/MapServer/4",
        "county:46007: Planning and Development District III",
    ],
    [
        "fl/collier.json",
        "Collier",
        "https://floridarevenue.com/property/collier_2023pin.zip",
        "county:12021: Florida Department of Revenue, official",
    ],
    ["ny/cayuga.json", "Cayuga", "https://gis.ny.gov/a.zip", "county:36011: State of New York, official"],
    ["ny/statewide.json", "", "https://gis.ny.gov/a.zip", "state:36: State of New York, official"],
    [
        "ks/anderson_county.json",
        "Anderson",
        "https://jade.kgs.ku.edu/a/MapServer/0",
        "county:20003: University of Kansas",
    ],
    // Hosts of another government.
    [
        "ga/gordon.json",
        "Gordon",
        "https://gis.cityofcalhoun-ga.com/a/MapServer/5",
        "rejected: the address names another government",
    ],
    [
        "fl/hillsborough.json",
        "Hillsborough",
        "https://arcgis.tampagov.net/a/MapServer/0",
        "rejected: the address names another government",
    ],
    [
        "mn/norman.json",
        "Norman",
        "https://gismap.co.pennington.mn.us/a/rest/services/Norman/Atlas/MapServer/7",
        "county:27107: Pennington County, official",
    ],
    // The host does not name its owner.
    [
        "tn/williamson.json",
        "Williamson",
        "https://gis.wilco.org/a/MapServer/0",
        "county:47187: withheld: publisher not",
    ],
    // Rejected addresses: copies, bare numbers, ftp.
    [
        "id/lemhi.json",
        "Lemhi",
        "https://data.openaddresses.io/cache/a.zip",
        "rejected: a copy kept elsewhere",
    ],
    ["id/lemhi.json", "Lemhi", "https://72.205.198.131/a/MapServer/0", "rejected: a bare number"],
    ["id/lemhi.json", "Lemhi", "ftp://example.org/a.zip", "rejected: an ftp address"],
];

#[test]
fn the_host_names_the_owner() {
    for [member, name, url, expected] in HOSTS {
        let got = outcome(&all(&[county(member, name, parcels(url))]));
        let is_left_out = expected.contains("withheld") || expected.contains("rejected");
        assert!(if is_left_out { got.starts_with(expected) } else { got == expected }, "{url}: {got}");
    }
}

#[test]
fn a_host_used_for_several_governments_is_one_of_theirs() {
    let coles =
        county("il/coles.json", "Coles", parcels("https://www.colesco.illinois.gov/a/Coles/MapServer/0"));
    let moultrie = |path: &str| {
        county("il/moultrie.json", "Moultrie", parcels(&format!("https://www.colesco.illinois.gov/{path}")))
    };
    let named = all(&[coles.clone(), moultrie("a/rest/services/Moultrie/MapServer/0")]);
    assert!(outcome(&named).contains("county:17139: Coles County, official"), "{}", outcome(&named));
    let unnamed = all(&[coles, moultrie("a/rest/services/Parcels/MapServer/0")]);
    assert!(
        outcome(&unnamed).contains("rejected: the address names another government"),
        "{}",
        outcome(&unnamed)
    );
    let hub = "https://hub-collierbcc.opendata.arcgis.com/a.zip";
    let copied = all(&[
        county("fl/collier.json", "Collier", parcels(hub)),
        county("fl/columbia.json", "Columbia", parcels(hub)),
    ]);
    assert_eq!(
        outcome(&copied),
        "county:12021: Collier County, official; rejected: the address names another government"
    );
}

#[test]
fn one_account_for_many_counties_is_nobody_s() {
    let account = "https://services1.arcgis.com/Ug5xGQbHsD8zuZzM/ArcGIS/rest/services";
    let names = ["Chattahoochee", "Crisp", "Gordon"];
    let mut sources: Vec<OaSource> = names
        .iter()
        .map(|name| {
            county(
                &format!("ga/{}.json", name.to_lowercase()),
                name,
                parcels(&format!("{account}/{name}Parcels/FeatureServer/0")),
            )
        })
        .collect();
    sources.push(county(
        "fl/collier.json",
        "Collier",
        parcels(&format!("{account}/Addresses/FeatureServer/0")),
    ));
    let got = outcome(&all(&sources));
    assert!(got.contains("county:13081: -;"), "{got}");
    assert!(got.contains("county:12021: withheld: one host serves many counties"), "{got}");
}

#[test]
fn a_data_page_is_of_one_government() {
    let page = "https://geodata.wisc.edu/catalog/E2BD6FF4";
    let with_page = |member: &str, name: &str| {
        let mut layers = parcels("https://data.openaddresses.io/a.zip");
        layers[0].website = Some(page.to_owned());
        county(member, name, layers)
    };
    let one = all(&[with_page("wi/oconto.json", "Oconto")]);
    assert_eq!(one.pages[0].name, "Parcel data page for Oconto County");
    let two = all(&[with_page("wi/oconto.json", "Oconto"), with_page("wi/washington.json", "Washington")]);
    assert_eq!(two.withheld.iter().filter(|row| row.reason == ONE_PAGE).count(), 2, "{}", outcome(&two));
}

#[test]
fn a_credit_line_names_the_publisher() {
    let mut credited =
        parcels("https://services1.arcgis.com/abc/arcgis/rest/services/Parcels/FeatureServer/0");
    credited[0].attribution = Some("Copyright 2021 Crisp County".to_owned());
    assert_eq!(
        outcome(&all(&[county("ga/crisp.json", "Crisp", credited.clone())])),
        "county:13081: Crisp County, official"
    );
    credited[0].attribution = Some("City of Crisp".to_owned());
    assert_eq!(outcome(&all(&[county("ga/crisp.json", "Crisp", credited)])), "county:13081: -");
}

#[test]
fn layers_of_a_service_are_one_page() {
    let service = "https://gis.hennepin.us/arcgis/rest/services/LAND_PROPERTY/MapServer";
    let mut addresses = layer(OaKind::Addresses, &format!("{service}/0"));
    addresses.website = Some("https://gis.hennepin.opendata.arcgis.com".to_owned());
    let both = all(&[county(
        "mn/hennepin.json",
        "Hennepin",
        vec![addresses, layer(OaKind::Parcels, &format!("{service}/1"))],
    )]);
    let [web, map] = &both.pages[..] else { panic!("two pages, got {}", outcome(&both)) };
    assert_eq!(map.url, service);
    assert_eq!(map.name, "Parcel and address map service of Hennepin County");
    assert!(map.topics.has(Topic::ParcelMap) && map.topics.has(Topic::CountyGis));
    assert_eq!(web.name, "Open map data of Hennepin County");
    assert!(!web.topics.has(Topic::ParcelMap) && web.topics.has(Topic::CountyGis));
    let one = all(&[county("mn/hennepin.json", "Hennepin", parcels(&format!("{service}/1")))]);
    assert_eq!(one.pages[0].url, format!("{service}/1"));
    assert!(!one.pages[0].topics.has(Topic::CountyGis));
}

#[test]
fn licenses_marks_and_remarks_count() {
    let url = "https://gis.hennepin.us/a/MapServer/0";
    let made = |change: &dyn Fn(&mut OaLayer)| {
        let mut layers = parcels(url);
        change(&mut layers[0]);
        all(&[county("mn/hennepin.json", "Hennepin", layers)])
    };
    let not_for_sale = made(&|layer| layer.license = Some("Not for commercial use or resale.".to_owned()));
    assert_eq!(outcome(&not_for_sale), format!("county:27053: withheld: {LICENSE}"));
    let nc =
        made(&|layer| layer.license = Some("https://creativecommons.org/licenses/by-nc-sa/4.0/".to_owned()));
    assert_eq!(nc.withheld[0].reason, LICENSE);
    let free =
        made(&|layer| layer.license = Some("exploit the Data for commercial and/or personal use".to_owned()));
    assert_eq!(free.pages.len(), 1);
    let skipped = made(&|layer| layer.skip = true);
    assert_eq!(outcome(&skipped), format!("rejected: {SKIPPED}"));
    let dead = made(&|layer| layer.note = Some("Link is dead, new source used below".to_owned()));
    assert_eq!(dead.pages[0].status, VerifiedStatus::PossiblyBroken);
    let old = made(&|layer| layer.year = Some("2012?".to_owned()));
    assert_eq!(old.pages[0].status, VerifiedStatus::PossiblyBroken);
    assert_eq!(made(&|_| ()).pages[0].status, VerifiedStatus::NotYetVerified);
}

#[test]
fn a_state_file_with_a_county_s_layer_is_not_statewide() {
    let mut layers =
        parcels("https://webgis.co.trumbull.oh.us/gisserver/rest/services/Maps/TaxParcels/MapServer/0");
    layers[0].name = "county".to_owned();
    let got = outcome(&all(&[county("oh/statewide.json", "", layers)]));
    assert_eq!(got, format!("rejected: {NOT_STATEWIDE}"));
}

#[test]
fn names_are_plain_and_pages_are_map_pages() {
    for (website, expected) in [
        ("https://www.hennepin.us/gis", "Maps and map data of Hennepin County"),
        ("https://www.hennepin.us/index.aspx?NID=12", "Page about parcel data of Hennepin County"),
        ("https://gis.hennepin.us/viewer/index.html", "Web map of Hennepin County"),
        ("https://gis.hennepin.us/portal/home/item.html?id=1", "Parcel data page of Hennepin County"),
        ("https://www.hennepin.us/", "rejected: the front page of a government, not a map page"),
    ] {
        let mut layers = parcels("https://data.openaddresses.io/a.zip");
        layers[0].website = Some(website.to_owned());
        let records = all(&[county("mn/hennepin.json", "Hennepin", layers)]);
        let got = records.pages.first().map_or_else(|| outcome(&records), |page| page.name.clone());
        assert!(got.ends_with(expected), "{website}: {got}");
    }
    let file = layer(OaKind::Addresses, "https://gis.hennepin.us/data/Parcels_2020.zip");
    let records = all(&[county("mn/hennepin.json", "Hennepin", vec![file])]);
    assert_eq!(records.pages[0].name, "Parcel and address data of Hennepin County, to download");
    let city = source(
        ["tx/city_of_san_antonio.json", "", "San Antonio", "", ""],
        parcels("https://gis.sanantonio.gov/a/MapServer/0"),
    );
    assert_eq!(all(&[city]).pages[0].name, "Parcel map service of the City of San Antonio");
}
