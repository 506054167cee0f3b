use std::fmt::Write as _;

use platbook::vocabulary::Layer;

use super::*;
use crate::input::made::{Area, SQUARE_DEGREES, parts, zip};

/// A data directory with a manifest for the files in it.
struct Data {
    dir: tempfile::TempDir,
    manifest: String,
}

impl Data {
    fn new() -> Data {
        Data { dir: tempfile::tempdir().unwrap(), manifest: "released = \"2026-11-20\"\n".to_owned() }
    }

    fn source(
        mut self,
        id: &str,
        layer: Option<Layer>,
        vintage: u16,
        keys: &str,
        states: &str,
        bytes: &[u8],
    ) -> Data {
        let file = format!("{id}.zip");
        std::fs::write(self.dir.path().join(&file), bytes).unwrap();
        let layer =
            layer.map_or(String::new(), |layer| format!("layer = \"{}\"\nscale = 500000", layer.prefix()));
        write!(
            self.manifest,
            "[[source]]\nid = \"{id}\"\nname = \"N\"\npublisher = \"P\"\nurl = \"https://example.org/{id}\"\nofficial = true\nlicense_class = \"open\"\nvintage = {vintage}\nretrieved_at = \"2026-11-20\"\n{layer}\n{keys}\nfiles = [{{ path = \"{file}\", states = {states}, sha256 = \"{}\" }}]\n",
            digest::sha256(bytes)
        )
        .unwrap();
        self
    }

    fn load(&self) -> Result<Loaded, LoadError> {
        let manifest = Manifest::parse(Path::new("m.toml"), &self.manifest).unwrap();
        load_all(&manifest, self.dir.path(), &tables(), |_| {})
    }
}

/// The tables of the repository.
fn tables() -> AreaTables {
    AreaTables::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"))).unwrap()
}

fn areas(rows: &[Area], width: u8) -> Vec<u8> {
    parts(rows, width).zip()
}

const BOUNDARIES: &str = "role = \"boundaries\"\ncomplete = true";
const CT: &str = "[\"09\"]";

#[test]
fn records_are_kept_named_and_dropped_with_reasons() {
    let places = areas(
        &[
            ("0908000", "Bridgeport", "25", "A", (-73.25, 41.125)),
            ("0900001", "Somewhere", "57", "S", (-73.0, 41.125)),
        ],
        7,
    );
    let loaded =
        Data::new().source("places", Some(Layer::Place), 2019, BOUNDARIES, CT, &places).load().unwrap();
    let kept = &loaded.kept[0];
    assert_eq!(
        (loaded.kept.len(), kept.geoid.to_string(), kept.name.as_str()),
        (1, "place:0908000".to_owned(), "Bridgeport")
    );
    assert_eq!(
        (kept.legal_type.as_deref(), kept.func_stat, kept.vintage),
        (Some("city"), FuncStat::Active, 2019)
    );
    let dropped = &loaded.dropped[0];
    assert_eq!(
        (dropped.name.as_str(), dropped.reason, dropped.file.as_str()),
        ("Somewhere", Reason::Statistical, "places.zip")
    );
}

#[test]
fn a_county_is_the_sum_of_its_towns_and_old_codes_lead_to_new_ones() {
    let east = -73.25 + SQUARE_DEGREES;
    let today = areas(
        &[
            ("0912001000", "Westtown", "43", "A", (-73.25, 41.125)),
            ("0912002000", "Easttown", "43", "A", (east, 41.125)),
        ],
        10,
    );
    let before = areas(
        &[
            ("0900101000", "Westtown", "43", "A", (-73.25, 41.125)),
            ("0900102000", "Easttown", "43", "A", (east, 41.125)),
        ],
        10,
    );
    let county = areas(
        &[
            ("09120", "Greater Bridgeport", "PL", "", (0.0, 0.0)),
            ("09001", "Fairfield", "06", "", (0.0, 0.0)),
        ],
        5,
    );
    let loaded = Data::new()
        .source(
            "county",
            Some(Layer::County),
            2023,
            &format!("{BOUNDARIES}\nonly = [\"09120\"]\nrings_from = \"cousub\""),
            CT,
            &county,
        )
        .source("towns", Some(Layer::Cousub), 2023, BOUNDARIES, CT, &today)
        .source("before", Some(Layer::Cousub), 2017, "role = \"predecessor\"", CT, &before)
        .load()
        .unwrap();
    let county = &loaded.kept[0];
    // Two squares side by side: one ring, whose shared edge is gone and whose six corners all remain.
    assert_eq!(
        (county.geoid.to_string(), county.rings.len(), county.rings[0].len()),
        ("county:09120".to_owned(), 1, 7)
    );
    let pairs: Vec<_> =
        loaded.replaced.iter().map(|row| (row.old.to_string(), row.new[0].to_string())).collect();
    assert_eq!(pairs[0], ("cousub:0900101000".to_owned(), "cousub:0912001000".to_owned()));
    assert_eq!((pairs.len(), loaded.replaced[0].source_url.as_str()), (2, "https://example.org/before"));
}

#[test]
fn one_state_alone_has_no_area_of_another() {
    let counties = areas(
        &[
            ("09001", "Fairfield", "06", "", (-73.25, 41.125)),
            ("44001", "Bristol", "06", "", (-71.25, 41.625)),
        ],
        5,
    );
    let of_ri = areas(&[("4405140", "Barrington", "43", "A", (-71.25, 41.625))], 7);
    let both = "[\"09\", \"44\"]";
    let data = Data::new().source("counties", Some(Layer::County), 2016, BOUNDARIES, both, &counties).source(
        "places",
        Some(Layer::Place),
        2019,
        BOUNDARIES,
        "[\"44\"]",
        &of_ri,
    );
    let mut manifest = Manifest::parse(Path::new("m.toml"), &data.manifest).unwrap();
    manifest.narrow("CT".parse().unwrap());
    std::fs::remove_file(data.dir.path().join("places.zip")).unwrap();
    let loaded = load_all(&manifest, data.dir.path(), &tables(), |_| {}).unwrap();
    let kept: Vec<String> = loaded.kept.iter().map(|area| area.geoid.to_string()).collect();
    assert_eq!((kept, loaded.dropped.len()), (vec!["county:09001".to_owned()], 0));
    assert_eq!(manifest.sources.len(), 2, "each keeps its row");
    assert!(!manifest.is_complete(Layer::County, "RI".parse().unwrap()));
}

#[test]
fn contradictions_are_refused() {
    let city = areas(&[("0908000", "Bridgeport", "25", "A", (-73.25, 41.125))], 7);
    let place = Some(Layer::Place);
    let state =
        Data::new().source("a", place, 2019, BOUNDARIES, "[\"10\"]", &city).load().unwrap_err().to_string();
    assert!(state.contains("a.zip: place:0908000 lies in a state"), "{state}");
    let twice = Data::new()
        .source("a", place, 2019, BOUNDARIES, CT, &city)
        .source("b", place, 2015, BOUNDARIES, CT, &city);
    let twice = twice.load().unwrap_err().to_string();
    assert!(twice.contains("place:0908000 comes from a.zip and from b.zip"), "{twice}");
    let only = format!("{BOUNDARIES}\nonly = [\"0900002\"]");
    let only = Data::new().source("a", place, 2019, &only, CT, &city).load().unwrap_err().to_string();
    assert!(only.contains("source a: expected place:0900002"), "{only}");
    let data = Data::new().source("a", place, 2019, BOUNDARIES, CT, &city);
    std::fs::write(data.dir.path().join("a.zip"), zip(&[])).unwrap();
    let digest = data.load().unwrap_err().to_string();
    assert!(digest.contains("a.zip: expected SHA-256"), "{digest}");
}

#[test]
fn the_same_files_load_the_same_way() {
    let towns = areas(
        &[
            ("0912002000", "Easttown", "43", "A", (-73.0, 41.125)),
            ("0912001000", "Westtown", "43", "A", (-73.25, 41.125)),
        ],
        10,
    );
    let data = Data::new().source("towns", Some(Layer::Cousub), 2023, BOUNDARIES, CT, &towns);
    let loads = [data.load().unwrap(), data.load().unwrap()];
    assert_eq!(format!("{:?}", loads[0]), format!("{:?}", loads[1]));
    assert!(loads[0].kept.is_sorted_by_key(|area| area.geoid));
}

/// A gazetteer with units by GEOID, name, LSAD code and status.
fn gazetteer(units: &[(&str, &str, &str, &str)]) -> Vec<u8> {
    let mut table = "GEOID|NAME|LSAD|FUNCSTAT|ALAND|AWATER|INTPTLAT|INTPTLONG\n".to_owned();
    for (geoid, name, lsad, status) in units {
        writeln!(table, "{geoid}|{name}|{lsad}|{status}|1|0|42.5|-88.1").unwrap();
    }
    zip(&[("g.txt", table.as_bytes())])
}

/// Two subdivisions that became one village get one outline, and the village has the same outline as a place. A city
/// keeps its land under a new code. Land that was divided among cities shows that no town is there.
#[test]
fn land_of_subdivisions_goes_to_those_that_took_it_over() {
    const WI: &str = "[\"55\"]";
    let east = -88.25 + SQUARE_DEGREES;
    let towns = areas(
        &[
            ("5505971125", "Salem", "43", "", (-88.25, 42.5)),
            ("5505974025", "Silver Lake", "47", "", (east, 42.5)),
            ("5502548000", "Madison", "25", "", (-89.5, 43.0)),
            ("5502548025", "Madison", "43", "", (-89.25, 43.0)),
        ],
        10,
    );
    let list = gazetteer(&[
        ("5505971163", "Salem Lakes village", "", "F"),
        ("5502548000", "Madison city", "", "F"),
        ("5571163", "Salem Lakes village", "47", "A"),
        ("5503151", "Ashwaubenon Falls city", "25", "A"),
    ]);
    let places = areas(&[("5503150", "Ashwaubenon", "25", "", (-88.75, 44.5))], 7);
    let mut data = Data::new()
        .source("towns", Some(Layer::Cousub), 2015, BOUNDARIES, WI, &towns)
        .source("places", Some(Layer::Place), 2015, BOUNDARIES, WI, &places)
        .source("list", None, 2025, "role = \"gazetteer\"", WI, &list);
    for (old, new) in [
        ("cousub:5505971125", "\"cousub:5505971163\""),
        ("cousub:5505974025", "\"cousub:5505971163\""),
        ("cousub:5502548025", "\"cousub:5502548000\", \"cousub:5502548001\""),
        ("place:5503150", "\"place:5503151\""),
    ] {
        let row = "note = \"N\"\nsource_url = \"https://example.org\"";
        write!(data.manifest, "[[replaced]]\nold = \"{old}\"\nnew = [{new}]\n{row}\n").unwrap();
    }
    let loaded = data.load().unwrap();
    let kept: Vec<_> = loaded
        .kept
        .iter()
        .map(|area| (area.geoid.to_string(), area.name.as_str(), area.kind, area.rings[0].len()))
        .collect();
    let expected = [
        ("cousub:5502548000", "Madison", Kind::Jurisdiction, 5),
        ("cousub:5502548025", "Madison", Kind::Filler, 5),
        ("cousub:5505971163", "Salem Lakes", Kind::Jurisdiction, 7),
        ("place:5503151", "Ashwaubenon Falls", Kind::Jurisdiction, 5),
        ("place:5571163", "Salem Lakes", Kind::Jurisdiction, 7),
    ];
    assert_eq!(kept, expected.map(|(id, name, kind, points)| (id.to_owned(), name, kind, points)));
    let status = |at: usize| loaded.kept[at].func_stat;
    assert_eq!((status(2), status(4)), (FuncStat::Fictitious, FuncStat::Active));
    let replaced: Vec<String> = loaded.replaced.iter().map(|row| row.old.to_string()).collect();
    let old = ["cousub:5502548025", "cousub:5505971125", "cousub:5505974025", "place:5503150"];
    assert_eq!(replaced, old);
}

#[test]
fn fillers_of_a_county_are_one_area() {
    let east = -99.25 + SQUARE_DEGREES;
    let precincts = areas(
        &[
            ("3104791130", "Gillan", "29", "N", (-99.25, 41.0)),
            ("3104791135", "Hill", "29", "N", (east, 41.0)),
            ("3104900001", "Other", "29", "N", (-98.0, 41.0)),
        ],
        10,
    );
    let data = Data::new().source("p", Some(Layer::Cousub), 2016, BOUNDARIES, "[\"31\"]", &precincts);
    let kept = data.load().unwrap().kept;
    let shown: Vec<_> =
        kept.iter().map(|area| (area.geoid.to_string(), area.kind, area.rings[0].len())).collect();
    let expected = [("cousub:3104791130", Kind::Filler, 7), ("cousub:3104900001", Kind::Filler, 5)];
    assert_eq!(shown, expected.map(|(id, kind, points)| (id.to_owned(), kind, points)));
}
