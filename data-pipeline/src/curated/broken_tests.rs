//! Tests that a broken file is refused with its file, line and key.

use std::fs;

use super::{Fault, load_states, parse_state};

/// A small valid state file; each test breaks one line of it.
const GOOD: &str = r#"state = "DE"
name = "Delaware"
checked = 2026-11-21
summary = ["Counties value property."]

[counties]
word = "county"
governing_types = ["county"]

[[source]]
id = "law"
name = "Delaware Code"
url = "https://delcode.delaware.gov/"
publisher = "State of Delaware"

[[district]]
id = "district:de-north"
name = "North District"
set = "north"
county = ["10003 New Castle"]
source = "law"

[[office]]
body = "county:10001 Kent"
name = "Assessment Office"
functions = ["assessment"]
url = "https://www.kentcountyde.gov/"
source = "law"

[[resource]]
name = "FirstMap"
url = "https://firstmap.delaware.gov/"
topics = ["parcel_map"]
publisher = "State of Delaware"
kind = "map"
confidence = "high"
"#;

/// The table of one of the seven functions.
fn function(name: &str) -> String {
    format!(
        "\n[{name}]\noffice = \"Office of {name}\"\nwhere = \"each county\"\nsummary = [\"The county does it.\"]\nsource = \"law\"\nconfidence = \"high\"\n\n[[{name}.case]]\nwhen = {{ place = [\"1077580 Wilmington\"] }}\nby = \"place\"\nwhy = \"{{place}} does it.\"\n\n[[{name}.case]]\nby = \"county\"\nwhy = \"{{county}} does it.\"\n"
    )
}

fn good() -> String {
    let functions = ["assessment", "tax_collection", "recording", "zoning", "permits", "gis", "exemptions"];
    functions.iter().fold(GOOD.to_owned(), |text, name| text + &function(name))
}

fn faults(text: &str) -> Vec<Fault> {
    parse_state("curated/states/DE.toml", text).err().unwrap_or_default()
}

#[test]
fn the_good_file_loads() {
    assert_eq!(faults(&good()), []);
}

/// The replaced text, its replacement, the line of the fault, and words of the message.
#[rustfmt::skip]
const BROKEN: [(&str, &str, usize, &str); 43] = [
    ("state = \"DE\"", "state = \"ZZ\"", 1, "state: \"ZZ\" is not a state"),
    ("state = \"DE\"", "state = \"MD\"", 1, "state: a file for MD must be called MD.toml"),
    ("name = \"Delaware\"", "name = \"Deleware\"", 2, "name: DE is Delaware, not Deleware"),
    ("checked = 2026-11-21", "checked = 12:00:00", 3, "checked: expected a date"),
    ("summary = [\"Counties", "sumary = [\"Counties", 4, "unknown field `sumary`"),
    ("value property.\"]", "value property\"]", 4, "summary: is not a full sentence"),
    ("value property.\"]", "value  property.\"]", 4, "stray spaces"),
    ("governing_types = [\"county\"]", "governing_types = [\"County\"]", 8, "counties.governing_types: \"County\" is not a legal word"),
    ("id = \"law\"\nname", "id = \"laws\"\nname", 21, "district[1].source: no [[source]] has the id \"law\""),
    ("url = \"https://delcode.delaware.gov/\"", "url = \"delcode.delaware.gov\"", 13, "source[1].url: bad URL"),
    ("url = \"https://delcode.delaware.gov/\"", "url = \"https://delcode/\"", 13, "the host must be a name with a dot"),
    ("url = \"https://delcode.delaware.gov/\"", "url = \"https://delcode.delaware.gov/a b\"", 13, "percent-encoded"),
    ("url = \"https://delcode.delaware.gov/\"", "url = \"https://delcode.delaware.gov/?a={b}\"", 13, "percent-encoded"),
    ("id = \"district:de-north\"", "id = \"district:north\"", 17, "district[1].id: \"district:north\" is not a district id"),
    ("county = [\"10003 New Castle\"]", "county = [\"1003 New Castle\"]", 20, "a county GEOID has 5 digits"),
    ("county = [\"10003 New Castle\"]", "county = [\"24003 Anne Arundel\"]", 20, "24003 is not in Delaware"),
    ("county = [\"10003 New Castle\"]", "county = [\"10003\"]", 20, "has no name beside it"),
    ("county = [\"10003 New Castle\"]", "county = [\"@north\"]", 20, "no [[group]] called \"north\""),
    ("county = [\"10003 New Castle\"]\nsource = \"law\"", "county = [\"10003 New Castle\"]", 16, "missing field `source`"),
    ("body = \"county:10001 Kent\"", "body = \"kent\"", 24, "office[1].body: \"kent\" is not a body"),
    ("name = \"Assessment Office\"", "name = \"Mr. Smith\"", 25, "names a person"),
    ("functions = [\"assessment\"]", "functions = [\"assesment\"]", 26, "unknown \"assesment\", expected one of assessment, tax_collection"),
    ("url = \"https://www.kentcountyde.gov/\"\n", "", 23, "an office needs a url, phone, email or address"),
    ("url = \"https://www.kentcountyde.gov/\"", "phone = \"(302) 744\"", 27, "is not a telephone number"),
    ("topics = [\"parcel_map\"]", "topics = [\"parcels\"]", 33, "resource[1].topics: unknown \"parcels\""),
    ("kind = \"map\"", "kind = \"maps\"", 35, "unknown \"maps\", expected one of portal, map"),
    ("confidence = \"high\"\n\n[assessment]", "confidence = \"sure\"\n\n[assessment]", 36, "unknown \"sure\", expected one of high, medium, low"),
    ("[\"The county does it.\"]\nsource = \"law\"", "[\"The county does it.\"]\nsource = \"lawn\"", 42, "assessment.source: no [[source]] has the id \"lawn\""),
    ("source = \"law\"\nconfidence = \"high\"\n\n[[assessment.case]]", "confidence = \"high\"\n\n[[assessment.case]]", 38, "missing field `source`"),
    ("by = \"place\"", "by = \"mayor\"", 47, "assessment.case[1].by: unknown performer \"mayor\""),
    ("by = \"place\"", "by = \"cousub\"", 47, "needs a [subdivisions] table"),
    ("by = \"place\"", "by = \"district of south\"", 47, "no district has the set \"south\""),
    ("by = \"place\"", "by = \"nobody\"\noffice = \"Mayor\"", 48, "there is no office"),
    ("{place} does it.", "{plaice} does it.", 48, "unknown field {plaice}"),
    ("{county} does it.", "{place} does it.", 52, "{place} is not sure to exist"),
    ("when = { place = [\"1077580 Wilmington\"] }", "when = { in_place = true, mayor = 1 }", 46, "unknown field `mayor`"),
    ("when = { place = [\"1077580 Wilmington\"] }\n", "", 46, "needs a condition that there is one"),
    ("when = { place = [\"1077580 Wilmington\"] }\nby = \"place\"\nwhy = \"{place} does it.\"", "by = \"county\"\nwhy = \"{county} does it.\"", 49, "is never reached"),
    ("by = \"place\"\n", "by = \"place\"\nuntil = 12:00:00\n", 48, "assessment.case[1].until: expected a date"),
    ("by = \"place\"\n", "by = \"place\"\nuntil = 2026-11-22\n", 3, "checked: is before the last day of until"),
    ("by = \"place\"\n", "by = \"place\"\nsure = \"Surely.\"\nuntil = 2020-01-01\n", 48, "a case with until has none"),
    ("by = \"county\"\nwhy", "by = \"county\"\nuntil = 2020-01-01\nwhy", 50, "assessment.case[2].until: needs when"),
    ("by = \"county\"\nwhy", "when = { in_place = false }\nby = \"county\"\nwhy", 38, "needs a last case"),
];

#[test]
fn each_broken_file_names_its_line() {
    for (old, new, line, words) in BROKEN {
        let text = good();
        assert!(text.contains(old), "{old:?} is not in the good file");
        let found = faults(&text.replacen(old, new, 1));
        let hit = found.iter().any(|fault| fault.line == line && fault.to_string().contains(words));
        let shown: Vec<String> = found.iter().map(Fault::to_string).collect();
        assert!(hit, "{new:?}: expected line {line} with {words:?}, got\n{}", shown.join("\n"));
        assert!(shown.iter().all(|fault| fault.starts_with("curated/states/DE.toml:")), "{shown:?}");
    }
}

#[test]
fn doubles_are_refused() {
    let office = "\n[[office]]\nbody = \"county:10001 Kent\"\nname = \"Assessment Office\"\nfunctions = [\"gis\"]\nurl = \"https://www.kentcountyde.gov/gis\"\nsource = \"law\"\n";
    let same_job = office.replace("Assessment Office", "Assessor").replace("gis\"]", "assessment\"]");
    let district = "\n[[district]]\nid = \"district:de-other\"\nname = \"Other\"\nset = \"north\"\ncounty = [\"10003 New Castle\"]\nsource = \"law\"\n";
    let resource = "\n[[resource]]\nname = \"Maps\"\nurl = \"https://firstmap.delaware.gov/\"\ntopics = [\"zoning\"]\npublisher = \"State of Delaware\"\nkind = \"map\"\nconfidence = \"high\"\n";
    let source = "\n[[source]]\nid = \"law\"\nname = \"Code\"\nurl = \"https://delcode.delaware.gov/code\"\npublisher = \"State of Delaware\"\n";
    for (more, words) in [
        (office, "duplicate office \"Assessment Office\""),
        (
            same_job.as_str(),
            "duplicate office: county:10001 already has \"Assessment Office\" for assessment",
        ),
        (district, "already a member of district:de-north"),
        (resource, "duplicate resource"),
        (source, "duplicate source \"law\""),
    ] {
        let found = faults(&(good() + more));
        assert!(found.iter().any(|fault| fault.to_string().contains(words)), "{words}: {found:?}");
    }
}

#[test]
fn all_faults_of_a_file_are_reported_at_once_in_order() {
    let text = good().replacen("Delaware Code", " Delaware Code", 1).replacen("10003 New", "99003 New", 1);
    let lines: Vec<usize> = faults(&text).iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [12, 20]);
}

#[test]
fn a_folder_with_a_broken_file_does_not_load() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("DE.toml"), good().replacen("10003", "1003", 1)).unwrap();
    let message = load_states(folder.path()).unwrap_err().to_string();
    assert!(message.contains("DE.toml:20: district[1].county: a county GEOID has 5 digits"), "{message}");
    fs::write(folder.path().join("DE.toml"), good()).unwrap();
    assert_eq!(load_states(folder.path()).unwrap().len(), 1);
    assert!(load_states(&folder.path().join("none")).is_err());
}
