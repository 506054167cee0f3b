//! A broken hand-kept table stops a build: the error names the file and the line, and the existing snapshot
//! stays.
//!
//! Each test breaks a copy of the real tables by adding a few lines to the end of one file. The areas of the
//! tables are invented from the tables themselves, so no published data is needed.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use crate::invented::Copy;
use platbook_pipeline::{
    boundaries::load::Dropped,
    curated::Fault,
    directory::{self, Feeds, contacts::Contacts},
};

/// File, added lines, the line with the fault (from 1), words of the fault.
type Break = (&'static str, &'static str, usize, &'static str);

#[rustfmt::skip]
const BROKEN: [Break; 29] = [
    ("states/MN.toml", "[[office]]\nbody = \"state\"\ntitle = \"A\"\n", 3, "unknown field `title`"),
    ("states/MN.toml", "[[resource]]\nbody = \"county:2705 Hennepin\"\nRESOURCE", 2, "a county GEOID has 5 digits"),
    ("states/MN.toml", "[[resource]]\nbody = \"county:55025 Dane\"\nRESOURCE", 2, "is not in Minnesota"),
    ("states/MN.toml", "[[resource]]\nbody = \"county:27053 Ramsey\"\nRESOURCE", 2, "county:27053 is Hennepin, not Ramsey"),
    ("states/MN.toml", "[[resource]]\nbody = \"county:27999 Nowhere\"\nRESOURCE", 2, "is in no boundary file"),
    ("states/MN.toml", "[[source]]\nid = \"a\"\nname = \"A\"\nurl = \"example.gov\"\npublisher = \"A\"\n", 4, "bad URL"),
    ("states/MN.toml", "[[office]]\nbody = \"state\"\nname = \"A\"\nfunctions = [\"gis\"]\nurl = \"https://example.gov/\"\nsource = \"a\"\n[[office]]\nbody = \"state\"\nname = \"A\"\nfunctions = [\"gis\"]\nurl = \"https://example.gov/\"\nsource = \"a\"\n", 9, "duplicate office \"A\""),
    ("states/MN.toml", "[[office]]\nbody = \"state\"\nname = \"A\"\nfunctions = [\"gis\"]\nurl = \"https://example.gov/\"\n", 1, "missing field `source`"),
    ("states/MN.toml", "[[resource]]\nsource = \"nobody\"\nRESOURCE", 2, "no [[source]] has the id \"nobody\""),
    ("sites/MN.toml", "[[page]]\nbody = \"county:27053 Hennepin\"\ntitle = \"A\"\n", 3, "unknown field `title`"),
    ("sites/MN.toml", "[[page]]\nbody = \"county:2705 Hennepin\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.gov/\"\n", 2, "a county GEOID has 5 digits"),
    ("sites/MN.toml", "[[page]]\nbody = \"county:27999 Nowhere\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.gov/\"\n", 2, "is in no boundary file"),
    ("sites/MN.toml", "[[page]]\nbody = \"county:27053 Hennepin\"\nkind = \"gis\"\nname = \"A\"\nurl = \"ftp://example.gov/\"\n", 5, "bad URL"),
    ("sites/MN.toml", "[[page]]\nbody = \"county:27999 Nowhere\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.gov/\"\n[[page]]\nbody = \"county:27999 Nowhere\"\nkind = \"gis\"\nname = \"B\"\nurl = \"https://example.gov/b\"\n", 8, "duplicate page"),
    ("sites/MN.toml", "[[page]]\nbody = \"county:27053 Hennepin\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.gov/\"\nsource = \"nobody\"\n", 6, "no [[source]] has the id \"nobody\""),
    ("national.toml", "[[resource]]\nRESOURCEweight = 1\n", 9, "unknown field `weight`"),
    ("national.toml", "[[resource]]\nbody = \"county:27053 Hennepin\"\nRESOURCE", 2, "expected country:us"),
    ("national.toml", "[[resource]]\nsource = \"nobody\"\nRESOURCE", 2, "no [[source]] has the id \"nobody\""),
    ("national.toml", "[[resource]]\nRESOURCE[[resource]]\nRESOURCE", 10, "duplicate resource \"A page\""),
    ("guides/soils.toml", "[[section]]\ntitle = \"A\"\n", 2, "unknown field `title`"),
    ("guides/soils.toml", "[[section]]\nheading = \"A\"\ntext = [\"See https://example.gov/.\"]\n", 3, "has an address"),
    ("retired_ids.toml", "[[retired]]\nid = \"off_0\"\nkey = \"office state:27 clerk\"\nsince = 2026-11-21\nnote = \"Gone.\"\n", 2, "is not the id of its key"),
    ("same_as.toml", "[[same]]\nids = [\"county:27053\"]\nwhy = \"A\"\nsource = \"A\"\n", 2, "expected two or more ids"),
    ("functional_status.toml", "[[rule]]\nlayer = \"county\"\nfunc_stat = \"X\"\nreason = \"A\"\nsource = \"https://example.gov/\"\n", 3, "expected a letter of A B C F G I N S U, got \"X\""),
    ("naming.toml", "[[area]]\nid = \"county:27999 Nowhere\"\nword = \"county\"\n", 2, "is in no boundary file"),
    ("published_lists.toml", "[[domain]]\ndomain = \"example.gov\"\nbody = \"27053\"\nwhy = \"A.\"\n", 3, "expected an area"),
    ("tests/MN.toml", "[[chain]]\nname = \"A\"\ncounty = \"27053 Hennepin County|county|A\"\ntax_collection = \"- | Mayor\"\n", 4, "\"A\": expected - | Mayor, got county:27053 |"),
    ("tests/MN.toml", "[[chain]]\nname = \"A\"\ncounty = \"2705 Hennepin County|county|A\"\n", 3, "a county GEOID has 5 digits"),
    ("tests/MN.toml", "[[chain]]\nname = \"A\"\ncounty = \"27053 Hennepin County|county|Q\"\n", 3, "expected \"GEOID Name|legal word|status letter\""),
];

#[test]
fn each_broken_table_is_refused_with_its_file_and_line() {
    let copy = Copy::new();
    copy.load(&copy.areas).unwrap();
    for (file, lines, at, words) in BROKEN {
        copy.broken(file, lines, |path, before| {
            let faults = copy.load(&copy.areas).unwrap_err();
            let shown: Vec<String> = faults.iter().map(Fault::to_string).collect();
            let start = format!("{path}:{}: ", before + at);
            let hit = shown.iter().any(|line| line.starts_with(&start) && line.contains(words));
            assert!(hit, "{lines}: expected {start}.. {words}, got\n{}", shown.join("\n"));
        });
    }
}

#[test]
fn a_page_that_nobody_vouches_for_is_refused_with_its_file_and_line() {
    let copy = Copy::new();
    let page = "[[page]]\nbody = \"county:27999 Nowhere\"\nkind = \"gis\"\nname = \"A\"\nurl = \"https://example.gov/\"\n";
    let mut areas = copy.areas.clone();
    let nowhere = Dropped {
        geoid: platbook::vocabulary::Geoid::parse(platbook::vocabulary::Layer::County, "27999").unwrap(),
        name: "Nowhere".to_owned(),
        ..areas.dropped[0].clone()
    };
    areas.dropped.push(nowhere);
    copy.broken("sites/MN.toml", page, |path, before| {
        let tables = copy.load(&areas).unwrap();
        let records =
            directory::records(&tables, Feeds::default(), &[], &BTreeMap::new(), &Contacts::default());
        let error = records.unwrap_err().to_string();
        let expected = format!("{path}:{}: page.source: missing source: no .gov domain", before + 5);
        assert!(error.contains(&expected), "expected {expected}, got\n{error}");
    });
}

/// Runs `build` over the copy, with an older file where the new one should go; checks that the older file stays.
fn build(copy: &Copy, data: &Path, manifest: &Path) -> Output {
    let out = tempfile::tempdir().unwrap();
    let old =
        [("s.platbook", "an older snapshot"), ("s.summary.txt", "its summary"), ("r.tsv", "its records")];
    old.iter().for_each(|(name, text)| fs::write(out.path().join(name), text).unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_platbook-pipeline"))
        .args(["build", "--data"])
        .arg(data)
        .arg("--manifest")
        .arg(manifest)
        .arg("--curated")
        .arg(copy.folder.path())
        .arg("--out")
        .arg(out.path().join("s.platbook"))
        .arg("--records")
        .arg(out.path().join("r.tsv"))
        .output()
        .unwrap();
    assert!(!output.status.success());
    for (name, text) in old {
        assert_eq!(fs::read_to_string(out.path().join(name)).unwrap(), text, "{name}");
    }
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), old.len(), "nothing is left beside them");
    output
}

fn check(output: &Output, expected: &str) {
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(shown.contains(expected), "expected {expected}, got\n{shown}");
}

#[test]
fn a_build_that_stops_leaves_the_old_snapshot() {
    let copy = Copy::new();
    let empty = tempfile::tempdir().unwrap();
    let manifest = empty.path().join("sources.toml");
    fs::write(&manifest, "released = \"2026-11-20\"\n").unwrap();
    for (file, lines, at, words) in [0, 9, 15, 19, 21].map(|number| BROKEN[number]) {
        copy.broken(file, lines, |path, before| {
            let output = build(&copy, empty.path(), &manifest);
            check(&output, &format!("{path}:{}: ", before + at));
            check(&output, words);
        });
    }
    // The tables are valid, but none of their areas is in the build.
    check(&build(&copy, empty.path(), &manifest), "is in no boundary file");
}

#[test]
#[ignore = "reads the real files; set PLATBOOK_DATA and run with --ignored"]
fn a_build_of_the_real_files_stops_at_what_only_they_can_tell() {
    let Ok(data) = std::env::var("PLATBOOK_DATA") else { return };
    let (copy, manifest) = (Copy::new(), Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml"));
    let page = "[[page]]\nbody = \"place:2743000 Minneapolis\"\nkind = \"property_search\"\nname = \"A\"\nurl = \"https://example.com/\"\n";
    let renamed = "[[resource]]\nbody = \"county:27053 Ramsey\"\nRESOURCE";
    for (file, lines, at, words) in [
        ("sites/MN.toml", page, 5, "page.source: missing source"),
        ("states/MN.toml", renamed, 2, "county: county:27053 is Hennepin"),
    ] {
        copy.broken(file, lines, |path, before| {
            let output = build(&copy, Path::new(&data), &manifest);
            check(&output, &format!("{path}:{}: {words}", before + at));
        });
    }
}
