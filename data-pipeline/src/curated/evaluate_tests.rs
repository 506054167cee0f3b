//! Tests how the engine evaluates rules, with a made-up state file.

use platbook::{
    rules::{ChainFacts, LegalArea, Outcome, Part, evaluate},
    vocabulary::{Confidence, FuncStat, Geoid, Layer},
    words::{English, Words as _},
};

use super::{CuratedState, parse_state};

const HEAD: &str = r#"state = "WI"
name = "Wisconsin"
checked = 2026-11-21
summary = ["A made-up state."]
[counties]
word = "county"
governing_types = ["county"]
not_governing = ["55078 Menominee"]
[subdivisions]
word = "town"
governing_types = ["town"]
[[source]]
id = "law"
name = "Law"
url = "https://docs.legis.wisconsin.gov/"
publisher = "State"
[[district]]
id = "district:wi-north"
name = "North District"
set = "split"
cousub = ["5500100275 Adams"]
source = "law"
[[district]]
id = "district:wi-rest"
name = "Rest District"
set = "split"
rest_of = ["55001 Adams"]
source = "law"
[[district_per_county]]
id = "district:wi-county-{fips}"
name = "District of {county}"
set = "split"
source = "law"
"#;

/// The outcome of the first function, if all seven have these cases.
fn outcome(cases: &str, chain: &ChainFacts<'_>) -> Outcome {
    evaluate(&state(cases).rules, chain).remove(0)
}

/// A state whose seven functions all have these cases.
fn state(cases: &str) -> CuratedState {
    let mut text = HEAD.to_owned();
    for name in ["assessment", "tax_collection", "recording", "zoning", "permits", "gis", "exemptions"] {
        text +=
            &format!("[{name}]\noffice = \"Assessor\"\nwhere = \"somewhere\"\nsummary = [\"So it is.\"]\n");
        text += &format!(
            "source = \"law\"\nconfidence = \"high\"\n{}\n",
            cases.replace("[[", &format!("[[{name}."))
        );
    }
    parse_state("WI.toml", &text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn area<'a>(layer: Layer, digits: &str, name: &'a str, word: &'a str, status: FuncStat) -> LegalArea<'a> {
    LegalArea { geoid: Geoid::parse(layer, digits).unwrap(), name, word: Some(word), status }
}

fn adams() -> ChainFacts<'static> {
    ChainFacts {
        county: area(Layer::County, "55001", "Adams County", "county", FuncStat::Active),
        cousub: Part::NotAtHand,
        place: Part::Nowhere,
        listed_here: None,
        past: &[],
    }
}

fn in_cousub(digits: &str, word: &'static str, status: FuncStat) -> ChainFacts<'static> {
    ChainFacts { cousub: Part::In(area(Layer::Cousub, digits, "Adams", word, status)), ..adams() }
}

fn body(outcome: &Outcome) -> String {
    outcome.body.as_ref().map_or("-".to_owned(), ToString::to_string)
}

fn why(outcome: &Outcome) -> String {
    English.basis(&outcome.basis)
}

const TOWN: &str = "[[case]]\nby = \"cousub\"\nwhy = \"The town, {cousub}, does it.\"";
const SPLIT: &str = "[[case]]\nby = \"district of split\"\nwhy = \"It is the {district}.\"";

#[test]
fn a_body_that_does_not_function_never_performs() {
    for (word, status, expected) in [
        ("town", FuncStat::Active, "cousub:5500100275"),
        ("town", FuncStat::Consolidated, "cousub:5500100275"),
        ("town", FuncStat::Unknown, "cousub:5500100275"),
        ("reservation", FuncStat::Unknown, "-"),
        ("town", FuncStat::Inactive, "-"),
        ("town", FuncStat::Nonfunctioning, "-"),
        ("city", FuncStat::Fictitious, "-"),
    ] {
        let outcome = outcome(TOWN, &in_cousub("5500100275", word, status));
        assert_eq!(body(&outcome), expected, "{word} {status:?}");
        assert_eq!(outcome.office.is_some(), expected != "-");
        assert_eq!(why(&outcome).contains("no government of its own"), expected == "-");
    }
    let county = "[[case]]\nby = \"county\"\nwhy = \"The county.\"";
    let menominee = area(Layer::County, "55078", "Menominee County", "county", FuncStat::Active);
    assert_eq!(body(&outcome(county, &ChainFacts { county: menominee, ..adams() })), "-");
}

#[test]
fn without_boundaries_the_title_stays_and_the_body_goes() {
    let outcome = outcome(TOWN, &adams());
    assert_eq!((body(&outcome).as_str(), outcome.office.as_deref()), ("-", Some("Assessor")));
    assert!(why(&outcome).contains("no town lines"), "{}", why(&outcome));
}

#[test]
fn an_unknown_condition_leaves_the_body_open_unless_all_cases_agree() {
    let differ = "[[case]]\nwhen = { cousub_governs = true }\nby = \"cousub\"\nwhy = \"Town.\"\n[[case]]\nby = \"county\"\nwhy = \"County.\"";
    let open = outcome(differ, &adams());
    assert_eq!((body(&open).as_str(), open.office.as_deref()), ("-", Some("Assessor")));
    let agree = differ.replace("\"cousub\"", "\"county\"");
    assert_eq!(body(&outcome(&agree, &adams())), "county:55001");
    // The case for one town does not lend the whole county its source, nor its confidence.
    let one_town =
        "[[case]]\nwhen = { cousub = [\"5500100275 Adams\"] }\nby = \"cousub\"\nwhy = \"A page says so.\"";
    let whole = outcome(&format!("{one_town}\n{TOWN}\nstatute = \"Law\"\nconfidence = \"medium\""), &adams());
    assert_eq!((whole.confidence, whole.statute.as_deref()), (Confidence::Medium, Some("Law")));
    let nowhere = ChainFacts { cousub: Part::Nowhere, ..adams() };
    assert_eq!(body(&outcome(differ, &nowhere)), "county:55001");
}

#[test]
fn places_beat_subdivisions_beat_counties() {
    let cases = "[[case]]\nwhen = { place = [\"5500100 Abbotsford\"] }\nby = \"place\"\nwhy = \"Place.\"\n[[case]]\nwhen = { cousub = [\"5500100275 Adams\"] }\nby = \"cousub\"\nwhy = \"Town.\"\n[[case]]\nwhen = { county = [\"55001 Adams\"] }\nby = \"state\"\nwhy = \"State.\"\n[[case]]\nby = \"county\"\nwhy = \"County.\"";
    let town = in_cousub("5500100275", "town", FuncStat::Active);
    let place = Part::In(area(Layer::Place, "5500100", "Abbotsford", "city", FuncStat::Active));
    assert_eq!(body(&outcome(cases, &ChainFacts { place, ..town })), "place:5500100");
    assert_eq!(body(&outcome(cases, &town)), "cousub:5500100275");
    assert_eq!(body(&outcome(cases, &in_cousub("5500100300", "town", FuncStat::Active))), "state:55");
    let elsewhere = area(Layer::County, "55003", "Ashland County", "county", FuncStat::Active);
    assert_eq!(
        body(&outcome(cases, &ChainFacts { county: elsewhere, cousub: Part::Nowhere, ..adams() })),
        "county:55003"
    );
}

#[test]
fn districts_are_found_by_their_members() {
    assert_eq!(
        body(&outcome(SPLIT, &in_cousub("5500100275", "town", FuncStat::Active))),
        "district:wi-north"
    );
    let rest = outcome(SPLIT, &in_cousub("5500100300", "town", FuncStat::Active));
    assert_eq!((body(&rest).as_str(), why(&rest).as_str()), ("district:wi-rest", "It is the Rest District."));
    assert_eq!(body(&outcome(SPLIT, &adams())), "-");
    let county = area(Layer::County, "55003", "Ashland County", "county", FuncStat::Active);
    let other = outcome(SPLIT, &ChainFacts { county, ..adams() });
    assert_eq!(
        (body(&other).as_str(), why(&other).as_str()),
        ("district:wi-county-003", "It is the District of Ashland County.")
    );
}

#[test]
fn a_doubtful_fact_names_no_body() {
    let low = "[[case]]\nby = \"county\"\nwhy = \"The county does it.\"\nconfidence = \"low\"";
    let outcome = outcome(low, &adams());
    assert_eq!((body(&outcome).as_str(), outcome.office.as_deref()), ("-", Some("Assessor")));
    assert!(why(&outcome).ends_with("not confirmed, so no government is named."), "{}", why(&outcome));
}

#[test]
fn further_bodies_follow_their_own_conditions() {
    let one_city = |when: &str| {
        format!(
            "\n[[also]]\nwhen = {{ {when} }}\nby = \"place\"\noffice = \"City Treasurer\"\nrole = \"secondary\"\nwhy = \"It bills.\""
        )
    };
    let cases = format!(
        "{TOWN}\n[[also]]\nwhen = {{ in_place = true }}\nby = \"place\"\noffice = \"Village Treasurer\"\nrole = \"secondary\"\nwhy = \"{{place}} bills.\"\n[[also]]\nwhen = {{ cousub_governs = true }}\nby = \"cousub\"\noffice = \"Treasurer\"\nrole = \"delinquent\"\nwhy = \"Late.\"\n[[also]]\nby = \"cousub\"\noffice = \"Assessor\"\nrole = \"secondary\"\nwhy = \"Twice.\"{}{}",
        one_city("place = [\"5599999 Elsewhere\"]"),
        one_city("county = [\"55001 Adams\"], place = [\"5500200 Here\"]"),
    );
    let titles = |chain: &ChainFacts<'_>| -> Vec<String> {
        outcome(&cases, chain).also.iter().map(|one| format!("{} {}", body(one), why(one))).collect()
    };
    let town = in_cousub("5500100275", "town", FuncStat::Active);
    // The town's assessor is the first body, so it is not named again.
    assert_eq!(titles(&town), ["cousub:5500100275 Late."]);
    assert_eq!(titles(&in_cousub("5500100275", "town", FuncStat::Inactive)), Vec::<String>::new());
    assert!(
        titles(&adams())[0].starts_with("- This may apply here, depending on the town."),
        "{:?}",
        titles(&adams())
    );
    // In a whole county some village may bill, and a listed city if it may lie there: once, although two cases list one.
    let here = [Geoid::parse(Layer::Place, "5500200").unwrap()];
    for (listed_here, may_apply) in [(None, 2), (Some(&here[..]), 2), (Some(&[]), 1)] {
        let open = titles(&ChainFacts { place: Part::Open, listed_here, ..town });
        let may = open.iter().filter(|one| one.starts_with("- This may apply here, depending on the city."));
        assert_eq!((open.len(), may.count()), (may_apply + 1, may_apply), "{open:?}");
    }
    let place = Part::In(area(Layer::Place, "5500100", "Abbotsford", "village", FuncStat::Active));
    assert_eq!(titles(&ChainFacts { place, ..town })[0], "place:5500100 Abbotsford bills.");
}

#[test]
fn a_case_with_a_last_day_comes_first_before_that_day_and_not_at_all_after_it() {
    let until = |day: &str, by: &str| {
        format!(
            "[[case]]\nwhen = {{ county = [\"55001 Adams\"] }}\nby = \"{by}\"\nwhy = \"It was so.\"\nuntil = {day}\n"
        )
    };
    let today = "[[case]]\nwhen = { place = [\"5500100 Abbotsford\"] }\nby = \"place\"\nwhy = \"Place.\"\n[[case]]\nby = \"county\"\nwhy = \"County.\"";
    let state =
        state(&[until("2021-01-04", "nobody"), until("2018-07-01", "state"), today.to_owned()].concat());
    let place = Part::In(area(Layer::Place, "5500100", "Abbotsford", "city", FuncStat::Active));
    for (day, expected) in [
        ("2018-06-30", "state:55"),
        ("2018-07-01", "-"),
        ("2021-01-03", "-"),
        ("2021-01-04", "place:5500100"),
        ("2026-11-28", "place:5500100"),
    ] {
        let held = state.past.held(state.past.count_on(day.parse().unwrap()));
        let outcome = evaluate(&state.rules, &ChainFacts { past: held, place, ..adams() }).remove(0);
        assert_eq!(body(&outcome), expected, "{day}");
    }
    let elsewhere = area(Layer::County, "55003", "Ashland County", "county", FuncStat::Active);
    let facts = ChainFacts { past: &state.past.cases, county: elsewhere, cousub: Part::Nowhere, ..adams() };
    assert_eq!(body(&evaluate(&state.rules, &facts)[0]), "county:55003");
}
