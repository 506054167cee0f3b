//! `check` reports every fault of the tables, and the answers that they would change. It needs only a snapshot.
//!
//! The snapshot is made from the real tables and from areas that are invented from the names in them.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
};

use crate::invented::{Copy, RESOURCE};
use platbook::{
    directory::Directory,
    geometry::LonLat,
    vocabulary::{FuncStat, Geoid, JurisdictionId, Layer, Scale, StateCode},
};
use platbook_pipeline::{
    boundaries::{
        assemble::{Tolerance, assemble},
        load::{Kept, Loaded},
        select::Kind,
    },
    build::{Lists, Ruled},
    check::{Checked, check},
    curated::Tables,
    directory::{Hosts, contacts::Contacts, hand_kept},
    input::manifest::Manifest,
};

/// Hosts of a nation in which every .gov host belongs to any body that shows it.
struct AllGov;

impl Hosts for AllGov {
    fn registered_to(&self, host: &str, _: &JurisdictionId) -> bool {
        self.registered(host)
    }

    fn registered(&self, host: &str) -> bool {
        host.ends_with(".gov")
    }

    fn listed(&self, _: &str) -> bool {
        false
    }
}

/// As [`AllGov`], but the domain of Utah is the state's.
struct OfUtah;

impl Hosts for OfUtah {
    fn registered_to(&self, host: &str, body: &JurisdictionId) -> bool {
        AllGov.registered_to(host, body) && !host.ends_with("utah.gov")
    }

    fn registered(&self, host: &str) -> bool {
        AllGov.registered(host)
    }

    fn listed(&self, host: &str) -> bool {
        AllGov.listed(host)
    }
}

fn area(geoid: Geoid, name: &str, func_stat: FuncStat) -> Kept {
    Kept {
        geoid,
        source: 0,
        kind: Kind::Jurisdiction,
        name: name.to_owned(),
        published_name: name.to_owned(),
        legal_type: None,
        func_stat,
        vintage: 2020,
        scale: Scale { denominator: 500_000 },
        land_m2: None,
        water_m2: None,
        internal_point: None::<LonLat>,
        rings: Vec::new(),
    }
}

/// Every area that the tables name, with the status that they settle, and all states.
fn areas(copy: &Copy, tables: &Tables) -> Loaded {
    let mut status: BTreeMap<Geoid, FuncStat> = BTreeMap::new();
    for (geoid, settled) in tables.areas.status.settled() {
        status.entry(geoid).or_insert(settled);
    }
    let named = copy.areas.dropped.iter().map(|record| (record.geoid, record.name.clone()));
    let states = StateCode::all().map(|state| (Geoid::of_state(state), state.name().to_owned()));
    let same = tables.areas.same_as.iter().flat_map(|same| &same.ids);
    let same = same.map(|geoid| (*geoid, format!("Area {geoid}")));
    // Each county of Texas has an appraisal district, and pages of many of them are in the tables.
    let of_texas = (1..=507).step_by(2).map(|number| {
        (Geoid::parse(Layer::County, &format!("48{number:03}")).unwrap(), format!("County {number}"))
    });
    let mut all: BTreeMap<Geoid, String> = same.chain(of_texas).collect();
    all.extend(named.filter(|(geoid, _)| geoid.layer() != Layer::State));
    all.extend(states);
    let kept = all
        .iter()
        .map(|(geoid, name)| area(*geoid, name, status.get(geoid).copied().unwrap_or(FuncStat::Active)));
    Loaded { kept: kept.collect(), ..Loaded::default() }
}

/// The directory that a build would make of the copy.
fn built(copy: &Copy) -> Directory {
    let tables = Tables::load(copy.folder.path()).unwrap();
    let manifest = Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml")).unwrap();
    let inputs = assemble(&manifest, areas(copy, &tables), &tables.areas, Tolerance::default());
    let ruled = Ruled::compile(&manifest, &tables, inputs, &|_| {}).unwrap();
    let (mut records, faults) = hand_kept(&tables, &AllGov);
    assert!(faults.is_empty(), "{faults:?}");
    let contacts = Contacts::of_tables(&tables.contacts, &ruled.directory);
    records.websites.extend(contacts.pages(&OfUtah));
    let (pages, _) = ruled.join(records, contacts, Lists::default()).unwrap();
    Directory::new(ruled.sections.with(&pages).unwrap())
}

/// A copy of the tables, and the directory that a build makes of them.
static WORLD: LazyLock<(Copy, Directory)> = LazyLock::new(|| {
    let copy = Copy::new();
    let directory = built(&copy);
    (copy, directory)
});

/// Checks a copy in which a text of a file is replaced.
fn changed(file: &str, old: &str, new: &str) -> Checked {
    let copy = Copy::new();
    let path = copy.path(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} has no {old:?}");
    fs::write(&path, text.replacen(old, new, 1)).unwrap();
    check(copy.folder.path(), Some(&WORLD.1))
}

fn lines(checked: &Checked) -> Vec<String> {
    checked.changes.iter().map(ToString::to_string).collect()
}

#[test]
fn the_tables_that_a_snapshot_was_built_from_change_nothing() {
    let whole = Copy::whole();
    let checked = check(whole.folder.path(), Some(&built(&whole)));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    assert!(checked.notes.is_empty(), "{:?}", checked.notes);
    assert_eq!(lines(&checked), Vec::<String>::new());
}

/// `carbon.utah.gov` is the county's site, under the domain of its state: only the registry can say who owns other
/// pages there.
#[test]
fn pages_under_the_domain_of_a_state_are_those_of_the_build() {
    let copy = Copy::new();
    let rows = "county:49007,\"Carbon County, Utah\",assessment,County Assessor,435-636-3248,,,\
                https://www.carbon.utah.gov/department/assessor,https://lists.example.org/a,A list,2026,2026-11-25,medium\n";
    let header = "geoid,jurisdiction,office_kind,office_name,phone,email,address,url,source_url,source_name,source_date,seen,trust\n";
    fs::write(copy.path("contacts/counties.csv"), format!("{header}{rows}")).unwrap();
    let (tables, directory) = (Tables::load(copy.folder.path()).unwrap(), built(&copy));
    let contacts = Contacts::of_tables(&tables.contacts, &directory);
    assert_eq!((contacts.pages(&AllGov).len(), contacts.pages(&OfUtah).len()), (1, 0));
    assert_eq!(lines(&check(copy.folder.path(), Some(&directory))), Vec::<String>::new());
}

#[test]
fn the_real_tables_have_no_fault_against_the_default_snapshot() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A checkout may lack the snapshot: then only the tables are checked.
    let path = package.join("../snapshots/default.platbook");
    let directory = path.exists().then(|| platbook::open(&path).unwrap());
    let checked = check(&package.join("curated"), directory.as_ref());
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
}

/// File, text, its replacement, the faulty part of the replacement, and the start of the only expected fault. An empty
/// part means the first line of the replacement.
type Fault = (&'static str, &'static str, &'static str, &'static str, &'static str);

const COLLECTION: &str = "office = \"County Auditor-Treasurer\"";

#[rustfmt::skip]
const FAULTS: [Fault; 11] = [
    ("states/MN.toml", "name = \"Minnesota\"", "name = \"Minesota\"", "", "name: MN is Minnesota"),
    ("states/MN.toml", COLLECTION, "offices = \"A\"", "", "unknown field `offices`"),
    ("states/MN.toml", "source = \"collection-law\"", "source = \"law\"", "", "tax_collection.source: no [[source]] has the id \"law\""),
    ("states/MN.toml", "when = { county = [\"27053 Hennepin\"] }\nby = \"county\"\noffice = \"Res", "when = { county = [\"27053 Ramsey\"] }\nby = \"county\"\noffice = \"Res", "", "county: county:27053 is Hennepin"),
    ("states/MN.toml", "when = { county = [\"27053 Hennepin\"] }\nby = \"county\"\noffice = \"Res", "when = { county = [\"27053 Hennepin\"] }\nby = \"mayor\"\noffice = \"Res", "by = \"mayor\"", "tax_collection.case[1].by: unknown performer \"mayor\""),
    ("sites/MN.toml", "kind = \"property_search\"", "kind = \"search\"", "", "page[1].kind: unknown \"search\""),
    ("same_as.toml", "county:24510", "county:2451", "", "same["),
    ("functional_status.toml", "func_stat = \"A\"", "func_stat = \"Z\"", "", "override[1].func_stat: expected a letter"),
    ("naming.toml", "county:66010 Guam", "county:66010 Gaum", "", "county: county:66010 is Guam, not Gaum"),
    ("published_lists.toml", "\"CT\", ", "\"09\", ", "", "town_states: expected a postal code"),
    ("tests/MN.toml", "tax_collection = \"county:27053 | *\"", "tax_collection = \"county:27123 | *\"", "", "tax_collection: \"Minneapolis has its own assessor\": expected county:27123 | *, got county:27053"),
];

#[test]
fn each_fault_is_reported_once_with_its_line() {
    for (file, old, new, at, expected) in FAULTS {
        let checked = changed(file, old, new);
        let before = fs::read_to_string(WORLD.0.path(file)).unwrap();
        let before = before.split(old).next().unwrap();
        let line = 1 + before.matches('\n').count() + new.split(at).next().unwrap().matches('\n').count();
        let expected = format!(":{line}: {expected}");
        let shown: Vec<String> = checked.faults.iter().map(ToString::to_string).collect();
        assert_eq!(shown.len(), 1, "{file} {new:?}: one fault and no more for it: {shown:?}");
        assert!(shown[0].contains(&format!("{file}{expected}")), "expected {expected}, got {shown:?}");
    }
}

#[test]
fn faults_of_all_files_are_reported_at_once() {
    let copy = Copy::new();
    for (file, lines) in
        [("states/MN.toml", "[[office]]\n"), ("same_as.toml", "[[same]]\n"), ("national.toml", "x = 1\n")]
    {
        let text = fs::read_to_string(copy.path(file)).unwrap();
        fs::write(copy.path(file), format!("{text}{lines}")).unwrap();
    }
    let faults = check(copy.folder.path(), Some(&WORLD.1)).faults;
    let files: Vec<&str> = faults.iter().filter_map(|fault| fault.file.rsplit('/').next()).collect();
    assert_eq!(files, ["national.toml", "same_as.toml", "MN.toml"]);
}

/// File, text, its replacement, and a part of each line of changes.
type Changed = (&'static str, &'static str, String, &'static [&'static str]);

#[test]
fn each_change_is_reported_with_the_bodies_that_it_is_for() {
    let office = "office = \"Collector\"".to_owned();
    let site = "[[page]]\nbody = \"county:27053 Hennepin\"\nkind = \"property_search\"\nname = \"Property information search\"\nurl = \"https://www.hennepincounty.gov/services/property/property-information-search\"\n";
    let cases: [Changed; 10] = [
        (
            "states/MN.toml",
            "[[recording.case]]\n",
            "[[recording.case]]\nwhen = { county = [\"27053 Hennepin\"] }\nby = \"state\"\nwhy = \"It was so.\"\nuntil = 2021-01-04\n\n[[recording.case]]\n".to_owned(),
            &["MN: recording: past case until 2021-01-04 added: ", " | It was so. | "],
        ),
        (
            "states/MN.toml",
            "office = \"County GIS or Surveyor\"",
            office,
            &["MN: gis: county:27", "office \"County GIS or Surveyor\" -> \"Collector\" (", " counties"],
        ),
        (
            "states/MN.toml",
            "Hennepin County collects property tax for all taxing bodies.",
            "Hennepin County collects it.".to_owned(),
            &["MN: tax_collection: county:27053 Hennepin: why \"{county} County collects property tax for all taxing bodies.\" -> \"{county} County collects it.\""],
        ),
        (
            "states/MN.toml",
            "[[resource]]\nname = \"Minnesota Department of Revenue, property tax\"",
            "[[resource]]\nname = \"Revenue\"".to_owned(),
            &["MN: resource changed: state:27 Minnesota: https://www.revenue.state.mn.us/property-tax: name \"Minnesota Department of Revenue, property tax\" -> \"Revenue\""],
        ),
        (
            "states/MN.toml",
            "[[resource]]\n",
            format!("[[resource]]\nsource = \"collection-law\"\n{RESOURCE}\n[[resource]]\n"),
            &["MN: resource added: state:27 Minnesota: \"A page\" https://example.gov/a"],
        ),
        (
            "sites/MN.toml",
            site,
            String::new(),
            &["MN: resource removed: county:27053 Hennepin: \"Property information search\" https://www.hennepincounty.gov/"],
        ),
        (
            "same_as.toml",
            "ids = [\"county:24510\", \"place:2404000\"]",
            "ids = [\"county:24510\", \"place:2404000\", \"county:27053\"]".to_owned(),
            &["MN: same government as: county:27053 Hennepin: no other id -> county:24510, place:2404000"],
        ),
        (
            "functional_status.toml",
            "[[override]]\n",
            "[[override]]\nlayer = \"county\"\ngeoids = [\"27053\"]\nfunc_stat = \"N\"\nreason = \"A\"\nsource = \"https://example.gov/\"\n\n[[override]]\n".to_owned(),
            &["MN: functional status: county:27053 Hennepin: A -> N"],
        ),
        ("states/MN.toml", "quirks = [", "quirks = [\n    \"So it is.\",".to_owned(), &["MN: state: quirks changed"]),
        ("guides/soils.toml", "title = \"", "title = \"The ".to_owned(), &["US: guide: soils changed"]),
    ];
    for (file, old, new, expected) in cases {
        let checked = changed(file, old, &new);
        assert!(checked.faults.is_empty(), "{file}: {:?}", checked.faults);
        let shown = lines(&checked);
        let hit = shown.iter().any(|line| expected.iter().all(|part| line.contains(part)));
        assert!(hit, "{file}: expected {expected:?}, got\n{}", shown.join("\n"));
        assert!(
            shown.iter().all(|line| line.starts_with(&expected[0][..2]) || line.starts_with("MD")),
            "{shown:?}"
        );
    }
}

/// Replaces a text in the first resource of Minnesota, case by case, and expects the difference that `check` reports.
#[test]
fn each_member_of_a_page_is_compared() {
    // A source has the same address, so the text includes the start of the next line of the resource.
    const URL: &str = "url = \"https://www.revenue.state.mn.us/property-tax\"\ntopics";
    let with = |line: &str| format!("{line}\n{URL}");
    for (old, new, difference) in [
        (
            URL,
            URL.replace("/property-tax", "/property-tax/"),
            "url \"https://www.revenue.state.mn.us/property-tax\" -> \"https://www.revenue.state.mn.us/property-tax/\"",
        ),
        (URL, with("description = \"How it is taxed.\""), "description none -> \"How it is taxed.\""),
        (
            URL,
            with("search_url_template = \"https://www.revenue.state.mn.us/search?q={q}\""),
            "search_url_template none -> \"https://www.revenue.state.mn.us/search?q={q}\"",
        ),
        (URL, with("official = false"), "official \"yes\" -> \"no\""),
        (
            "\"property_tax_payment\"]\npublisher = \"Minnesota Dep",
            "\"property_tax_payment\", \"zoning\"]\npublisher = \"Minnesota Dep".to_owned(),
            "topics \"assessor, property_tax_payment, tax_collector\" -> \"assessor, property_tax_payment, tax_collector, zoning\"",
        ),
        (
            "publisher = \"Minnesota Department of Revenue\"\nkind = \"agency\"",
            "publisher = \"Revenue\"\nkind = \"agency\"".to_owned(),
            "publisher \"Minnesota Department of Revenue\" -> \"Revenue\"",
        ),
        (
            "publisher = \"Minnesota Department of Revenue\"\nkind = \"agency\"",
            "publisher = \"Minnesota Department of Revenue\"\nkind = \"law\"".to_owned(),
            "law \"no\" -> \"yes\"; front page of an agency \"yes\" -> \"no\"",
        ),
    ] {
        let checked = changed("states/MN.toml", old, &new);
        assert!(checked.faults.is_empty(), "{new}: {:?}", checked.faults);
        let shown = lines(&checked);
        let expected =
            "MN: resource changed: state:27 Minnesota: https://www.revenue.state.mn.us/property-tax";
        assert!(shown.len() == 1 && shown[0].starts_with(expected), "{new}: {shown:?}");
        assert!(shown[0].ends_with(&format!(": {difference}")), "{difference}: {shown:?}");
    }
}

#[test]
fn pages_of_a_file_that_is_gone_are_reported_as_removed() {
    let copy = Copy::new();
    fs::remove_file(copy.path("sites/MN.toml")).unwrap();
    let checked = check(copy.folder.path(), Some(&WORLD.1));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let removed = "MN: resource removed: county:27053 Hennepin: \"Property information search\"";
    let shown = lines(&checked);
    assert!(shown.iter().any(|line| line.starts_with(removed)), "{shown:?}");
}

#[test]
fn a_page_that_only_a_list_can_vouch_for_is_a_note() {
    let page = "[[page]]\nbody = \"county:27053 Hennepin\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.net/\"\n\n[[page]]\n";
    let checked = changed("sites/MN.toml", "[[page]]\n", page);
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let notes: Vec<String> = checked.notes.iter().map(ToString::to_string).collect();
    assert!(
        notes.len() == 1 && notes[0].contains("missing source: no .gov domain of county:27053"),
        "{notes:?}"
    );
}

fn command(folder: &Path, snapshot: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_platbook-pipeline"));
    command.arg("check").arg("--curated").arg(folder).arg("--snapshot").arg(snapshot);
    command
}

fn run(folder: &Path, snapshot: &Path) -> Output {
    command(folder, snapshot).output().unwrap()
}

#[test]
fn the_command_reports_faults_by_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = folder.path().join("s.platbook");
    fs::write(&snapshot, WORLD.1.snapshot().bytes()).unwrap();
    let whole = run(WORLD.0.folder.path(), &snapshot);
    assert_eq!(whole.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&whole.stdout), "0 faults; 0 changes of answers\n");
    let copy = Copy::new();
    fs::write(copy.path("same_as.toml"), "[[same]]\n").unwrap();
    let broken = run(copy.folder.path(), &snapshot);
    assert_eq!(broken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&broken.stderr).contains("same_as.toml:1: missing field `ids`"));
    let alone = run(WORLD.0.folder.path(), &folder.path().join("none.platbook"));
    assert_eq!(alone.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("answers are not compared"));
    // The reader of the output has closed it, as in `... | head`.
    for (tables, code) in [(WORLD.0.folder.path(), 0), (copy.folder.path(), 1)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = command(tables, &snapshot).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&closed.stderr);
        assert!(closed.status.code() == Some(code) && !said.contains("panicked"), "{said}");
    }
}
