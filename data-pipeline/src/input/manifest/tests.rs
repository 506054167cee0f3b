use super::*;

const GOOD: &str = r#"
released = "2026-11-20"

[[source]]
id = "places"
name = "Places"
publisher = "U.S. Census Bureau"
url = "https://www2.census.gov/geo/tiger/TIGER2019/PLACE/"
official = true
license_class = "open"
vintage = 2019
scale = 100000
retrieved_at = "2026-11-20"
role = "boundaries"
layer = "place"
complete = true
shore = "with-water"
files = [
  { path = "a/27.zip", states = ["27"], sha256 = "0000000000000000000000000000000000000000000000000000000000000000" },
]

[[replaced]]
old = "county:02261"
new = ["county:02066", "county:02063"]
note = "Valdez-Cordova was split."
source_url = "https://www.census.gov/"
"#;

fn error(from: &str, to: &str) -> String {
    let text = GOOD.replacen(from, to, 1);
    assert_ne!(text, GOOD, "{from:?} is not in the text");
    Manifest::parse(Path::new("sources.toml"), &text).unwrap_err().to_string()
}

#[test]
fn a_good_manifest_is_read() {
    let manifest = Manifest::parse(Path::new("sources.toml"), GOOD).unwrap();
    let source = &manifest.sources[0];
    assert_eq!(
        (source.id.as_str(), source.vintage, source.scale),
        ("places", 2019, Some(Scale { denominator: 100_000 }))
    );
    assert_eq!(source.shore, Some(Shore::WithWater));
    assert!(!manifest.is_complete(Layer::County, "MN".parse().unwrap()));
    let new: Vec<_> = manifest.replaced[0].new.iter().map(ToString::to_string).collect();
    assert_eq!(new, ["county:02063", "county:02066"]);
}

#[test]
fn the_manifest_of_the_default_snapshot_is_good() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml");
    let manifest = Manifest::load(&path).unwrap();
    for state in StateCode::all() {
        for layer in [Layer::State, Layer::County, Layer::Place] {
            assert!(manifest.is_complete(layer, state), "{state} lacks a part of {layer:?}");
        }
    }
}

#[test]
fn lists_show_the_year_of_the_population() {
    let manifest = Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml")).unwrap();
    let roles = [Role::PopulationCounties, Role::PopulationPlaces];
    let sources = manifest.sources.iter().filter(|source| roles.contains(&source.role));
    let years: Vec<u16> = sources.map(|source| source.vintage).collect();
    assert_eq!(years, [platbook::directory::POPULATION_YEAR; 2]);
}

#[test]
fn towns_are_complete_where_a_source_says_so() {
    let manifest = Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.toml")).unwrap();
    let complete = StateCode::all().filter(|state| manifest.is_complete(Layer::Cousub, *state));
    let complete: Vec<_> = complete.map(StateCode::usps).collect();
    assert_eq!(
        complete,
        ["CO", "CT", "FL", "ME", "MA", "MI", "MN", "NE", "NH", "NJ", "NY", "RI", "VT", "WI"]
    );
}

#[test]
fn wrong_values_name_file_line_and_key() {
    for (from, to, place, expected) in [
        (r#"states = ["27"]"#, r#"states = ["03"]"#, "sources.toml:19: key `states`", "FIPS"),
        (r#"states = ["27"]"#, r#"states = "some""#, "sources.toml:19: key `states`", "all"),
        ("a/27.zip", "/a/27.zip", "sources.toml:19: key `path`", "below the data directory"),
        ("a/27.zip", "../27.zip", "sources.toml:19: key `path`", "below the data directory"),
        (r#"sha256 = "00"#, r#"sha256 = "0x"#, "sources.toml:19: key `sha256`", "hex"),
        ("2019\n", "219\n", "sources.toml:11: key `vintage`", "year"),
        ("scale = 100000", "scale = 1", "sources.toml:12: key `scale`", "denominator"),
        (r#"layer = "place""#, r#"layer = "zip""#, "sources.toml:15: key `layer`", "cousub"),
        (
            r#"released = "2026-11-20""#,
            r#"released = "2026-13-20""#,
            "sources.toml:2: key `released`",
            "YYYY-MM-DD",
        ),
        ("https://www2", "/home/www2", "sources.toml:8: key `url`", "https://"),
        ("county:02261", "02261", "sources.toml:23: key `old`", "county:02261"),
        ("scale = 100000\n", "", "sources.toml:13: key `role`", "scale"),
    ] {
        let message = error(from, to);
        assert!(message.contains(place) && message.contains(expected), "{message}");
    }
}

#[test]
fn unknown_missing_and_double_keys_are_errors() {
    let unknown = error("official = true", "official = true\nlicence = \"MIT\"");
    assert!(unknown.contains("line 10") && unknown.contains("unknown field `licence`"), "{unknown}");
    let missing = error("official = true\n", "");
    assert!(missing.contains("missing field `official`"), "{missing}");
    let class = error(r#"license_class = "open""#, r#"license_class = "gpl""#);
    assert!(class.contains("line 10") && class.contains("public_record"), "{class}");
    let shore = error(r#"shore = "with-water""#, r#"shore = "dry""#);
    assert!(shore.contains("line 17") && shore.contains("clipped"), "{shore}");
    let twice = format!(
        "{GOOD}{}",
        GOOD.split_once("[[replaced]]").unwrap().0.replace("released = \"2026-11-20\"", "")
    );
    let twice = Manifest::parse(Path::new("sources.toml"), &twice).unwrap_err().to_string();
    assert!(twice.contains("no other source"), "{twice}");
}
