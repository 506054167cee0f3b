//! Every state file loads, and every chain in `curated/tests/` comes out as written there.

use std::{fs, path::Path};

use platbook::{
    rules::{Area, ChainFacts, Outcome, Part, evaluate},
    vocabulary::{FuncStat, Function, Geoid, Layer},
};
use serde::Deserialize;

use super::{CuratedState, load_states};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chains {
    chain: Vec<Expected>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: String,
    county: String,
    cousub: Option<String>,
    place: Option<String>,
    assessment: Option<String>,
    tax_collection: Option<String>,
    recording: Option<String>,
    zoning: Option<String>,
    permits: Option<String>,
    gis: Option<String>,
    exemptions: Option<String>,
    also_tax_collection: Option<Vec<String>>,
    also_zoning: Option<Vec<String>>,
}

impl Expected {
    fn answer(&self, function: Function) -> Option<&String> {
        match function {
            Function::Assessment => self.assessment.as_ref(),
            Function::TaxCollection => self.tax_collection.as_ref(),
            Function::Recording => self.recording.as_ref(),
            Function::Zoning => self.zoning.as_ref(),
            Function::Permits => self.permits.as_ref(),
            Function::Gis => self.gis.as_ref(),
            Function::Exemptions => self.exemptions.as_ref(),
        }
    }

    fn also(&self, function: Function) -> Option<&Vec<String>> {
        match function {
            Function::TaxCollection => self.also_tax_collection.as_ref(),
            Function::Zoning => self.also_zoning.as_ref(),
            _ => None,
        }
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"))
}

fn states() -> Vec<CuratedState> {
    load_states(&folder().join("states")).unwrap_or_else(|error| panic!("\n{error}\n"))
}

/// `"5000710675 Burlington|city|F"`
fn area(layer: Layer, text: &str) -> Area<'_> {
    let parts: Vec<&str> = text.split('|').collect();
    let (digits, name) = parts[0].split_once(' ').unwrap();
    let word = parts.get(1).copied().filter(|word| !word.is_empty());
    let letter = parts.get(2).map_or(b'U', |letter| letter.as_bytes()[0]);
    Area {
        geoid: Geoid::parse(layer, digits).unwrap(),
        name,
        word,
        status: FuncStat::from_letter(letter).unwrap(),
    }
}

fn chain(expected: &Expected) -> ChainFacts<'_> {
    ChainFacts {
        county: area(Layer::County, &expected.county),
        cousub: match expected.cousub.as_deref() {
            Some("?") => Part::NotAtHand,
            Some(text) => Part::In(area(Layer::Cousub, text)),
            None => Part::Nowhere,
        },
        place: expected.place.as_deref().map_or(Part::Nowhere, |text| Part::In(area(Layer::Place, text))),
    }
}

/// `"county:50009 | County Clerk"`; `*` stands for any title.
fn agrees(outcome: &Outcome, expected: &str) -> bool {
    let (body, office) = expected.split_once(" | ").unwrap_or((expected, "*"));
    let own_body = outcome.body.as_ref().map_or("-".to_owned(), ToString::to_string);
    let own_office = outcome.office.as_deref().unwrap_or("-");
    own_body == body && (office == "*" || own_office == office)
}

fn shown(outcome: &Outcome) -> String {
    let body = outcome.body.as_ref().map_or("-".to_owned(), ToString::to_string);
    format!("{body} | {} ({})", outcome.office.as_deref().unwrap_or("-"), outcome.basis)
}

fn check(state: &CuratedState, expected: &Expected) -> Vec<String> {
    let mut wrong = Vec::new();
    for outcome in evaluate(&state.rules, &chain(expected)) {
        let what = format!("{} {:?} {}", state.rules.state, expected.name, outcome.function.as_str());
        if let Some(answer) = expected.answer(outcome.function)
            && !agrees(&outcome, answer)
        {
            wrong.push(format!("{what}: expected {answer}, got {}", shown(&outcome)));
        }
        if let Some(also) = expected.also(outcome.function) {
            let fits = also.len() == outcome.also.len()
                && also.iter().zip(&outcome.also).all(|(answer, further)| agrees(further, answer));
            if !fits {
                let got: Vec<String> = outcome.also.iter().map(shown).collect();
                wrong.push(format!("{what}, also: expected {also:?}, got {got:?}"));
            }
        }
        for one in std::iter::once(&outcome).chain(&outcome.also) {
            if one.basis.trim().is_empty()
                || one.basis.contains('{')
                || (one.body.is_some() && one.office.is_none())
            {
                wrong.push(format!("{what}: no reason or no title: {}", shown(one)));
            }
        }
    }
    wrong
}

#[test]
fn chains_come_out_as_written() {
    let mut wrong = Vec::new();
    for state in states() {
        let path = folder().join(format!("tests/{}.toml", state.rules.state));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let chains: Chains =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(chains.chain.len() >= 6, "{}: needs at least six chains", path.display());
        for expected in &chains.chain {
            wrong.extend(check(&state, expected));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn district_ids_are_unique_in_the_nation() {
    let mut ids: Vec<String> = Vec::new();
    for state in states() {
        ids.extend(state.rules.districts.iter().map(|district| district.id.to_string()));
    }
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all);
}
