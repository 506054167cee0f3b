use std::path::Path;

use super::*;

/// The table of the repository.
fn status() -> StatusTable {
    let text = include_str!("../../../curated/functional_status.toml");
    StatusTable::parse("functional_status.toml", text).unwrap()
}

fn record(
    layer: Layer,
    digits: &str,
    lsad: Option<&str>,
    classfp: Option<&str>,
    land_m2: Option<u64>,
) -> Record {
    Record {
        geoid: Geoid::parse(layer, digits).unwrap(),
        name: "Somewhere".to_owned(),
        namelsad: None,
        lsad: lsad.map(str::to_owned),
        classfp: classfp.map(str::to_owned),
        func_stat: None,
        land_m2,
        water_m2: None,
        internal_point: None,
        rings: Vec::new(),
    }
}

fn manifest(layer: &str, keys: &str) -> Manifest {
    let text = format!(
        r#"released = "2026-11-20"
[[source]]
id = "s"
name = "S"
publisher = "P"
url = "https://example.org"
official = true
license_class = "open"
vintage = 2020
scale = 500000
retrieved_at = "2026-11-20"
role = "boundaries"
layer = "{layer}"
files = []
{keys}
[[replaced]]
old = "county:02261"
new = ["county:02063"]
note = "split"
source_url = "https://example.org"
"#
    );
    Manifest::parse(Path::new("m.toml"), &text).unwrap()
}

fn judge(layer: Layer, keys: &str, record: &Record) -> Verdict {
    let (status, manifest) = (status(), manifest(layer.prefix(), keys));
    let source = &manifest.sources[0];
    let city = self::record(Layer::Place, "3400100", Some("25"), None, None);
    let primary = manifest.sources[0].clone();
    let primary = Source { supplement: false, ..primary };
    let successor = self::record(Layer::County, "02063", Some("05"), None, None);
    Context::new(&manifest, &status, [(&primary, &city), (&primary, &successor)].into_iter())
        .judge(source, record)
}

use FuncStat::{Active, Fictitious, Nonfunctioning, Statistical};
use Kind::{Filler, Jurisdiction};

#[test]
fn statistical_units_go_but_fill_complete_states() {
    let subdivision = |lsad, classfp| record(Layer::Cousub, "2300302762", lsad, classfp, Some(5));
    for record in [subdivision(Some("46"), None), subdivision(None, Some("Z3"))] {
        assert_eq!(judge(Layer::Cousub, "", &record), Verdict::Drop(Reason::Statistical));
        assert_eq!(judge(Layer::Cousub, "complete = true", &record), Verdict::Keep(Filler, Statistical));
    }
    for (lsad, classfp) in [("57", None), ("57", Some("M2")), ("62", Some("U1")), ("55", None)] {
        let place = record(Layer::Place, "7200358", Some(lsad), classfp, None);
        assert_eq!(judge(Layer::Place, "complete = true", &place), Verdict::Drop(Reason::Statistical));
    }
    for record in [subdivision(Some("22"), None), subdivision(None, Some("Z5"))] {
        assert_eq!(judge(Layer::Cousub, "complete = true", &record), Verdict::Drop(Reason::Statistical));
    }
    // A census area is statistical too, but every county equivalent stays in the chain.
    let area = record(Layer::County, "02050", Some("05"), Some("H5"), None);
    assert_eq!(judge(Layer::County, "", &area), Verdict::Keep(Jurisdiction, Nonfunctioning));
}

#[test]
fn water_goes_but_where_the_source_goes_with_it() {
    let undefined = record(Layer::Cousub, "3400100000", Some("00"), None, None);
    let lake = record(Layer::Cousub, "3601314072", Some("46"), Some("Z3"), Some(0));
    for record in [undefined, lake] {
        assert_eq!(judge(Layer::Cousub, "complete = true", &record), Verdict::Drop(Reason::WaterOnly));
        let clipped = "complete = true\nshore = \"clipped\"";
        assert_eq!(judge(Layer::Cousub, clipped, &record), Verdict::Drop(Reason::WaterOnly));
    }
    let with_water = "complete = true\nshore = \"with-water\"";
    let undefined = record(Layer::Cousub, "3601300000", Some("00"), None, Some(0));
    assert_eq!(judge(Layer::Cousub, with_water, &undefined), Verdict::Keep(Filler, Statistical));
    let lake = record(Layer::Cousub, "3601314072", Some("46"), Some("Z3"), Some(0));
    assert_eq!(judge(Layer::Cousub, with_water, &lake), Verdict::Drop(Reason::WaterOnly));
}

#[test]
fn supplements_fill_in_and_replaced_areas_go() {
    let (known, new) = (
        record(Layer::Place, "3400100", Some("25"), None, None),
        record(Layer::Place, "3400200", Some("25"), None, None),
    );
    assert_eq!(judge(Layer::Place, "supplement = true", &known), Verdict::Drop(Reason::InPrimary));
    assert_eq!(judge(Layer::Place, "supplement = true", &new), Verdict::Keep(Jurisdiction, Active));
    let old = record(Layer::County, "02261", Some("05"), None, None);
    assert_eq!(judge(Layer::County, "", &old), Verdict::Drop(Reason::Replaced));
}

#[test]
fn a_city_that_is_its_own_subdivision_acts_through_its_place() {
    let city = record(Layer::Cousub, "3400100100", Some("25"), None, Some(5));
    assert_eq!(judge(Layer::Cousub, "complete = true", &city), Verdict::Keep(Jurisdiction, Fictitious));
    let uncoded = record(Layer::Cousub, "3400100100", None, None, Some(5));
    assert_eq!(
        judge(Layer::Cousub, "lsad_default = \"44\"", &uncoded),
        Verdict::Keep(Jurisdiction, Fictitious)
    );
    let unnamed = record(Layer::Cousub, "3400100300", None, None, Some(5));
    assert_eq!(judge(Layer::Cousub, "lsad_default = \"44\"", &unnamed), Verdict::Keep(Jurisdiction, Active));
}
