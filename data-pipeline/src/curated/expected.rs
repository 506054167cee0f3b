//! Tests the rules of each state on places with a known answer: `curated/tests/XX.toml`.
//!
//! A place may have a `date`; its answers are then those of that day. The answers come from their author's
//! knowledge, not from the rules. A rule that contradicts an answer counts as wrong until somebody corrects the answer.

use std::path::Path;

use platbook::{
    rules::{ChainFacts, LegalArea, Outcome, Part, evaluate},
    vocabulary::{Date, FuncStat, Function, Geoid, Layer, StateCode},
    words::{English, Words as _},
};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{CuratedState, Fault, checker::Checker, error::Lines, file::Text, files::toml_fault};

/// Minimum number of places of a state. Chosen, not measured.
const CHAINS_MIN: usize = 6;

/// The places of a state, with their file.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    file: String,
    state: StateCode,
    chains: Vec<Chain>,
}

/// A place with the expected answers for its jobs.
#[derive(Clone, Debug)]
struct Chain {
    name: String,
    county: OwnedArea,
    cousub: Part<OwnedArea>,
    place: Part<OwnedArea>,
    /// The day of the answers; `None` for today.
    date: Option<Date>,
    answers: Vec<Answer>,
}

/// The expected answer for a function: the primary body, or all further ones.
#[derive(Clone, Debug)]
struct Answer {
    function: Function,
    line: usize,
    expected: Expected,
}

#[derive(Clone, Debug)]
enum Expected {
    Primary(String),
    Also(Vec<String>),
}

#[derive(Clone, Debug)]
struct OwnedArea {
    geoid: Geoid,
    name: String,
    word: Option<String>,
    status: FuncStat,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainsFile {
    #[serde(default)]
    chain: Vec<ChainTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainTable {
    name: String,
    county: Text,
    cousub: Option<Text>,
    place: Option<Text>,
    date: Option<Spanned<Datetime>>,
    assessment: Option<Text>,
    tax_collection: Option<Text>,
    recording: Option<Text>,
    zoning: Option<Text>,
    permits: Option<Text>,
    gis: Option<Text>,
    exemptions: Option<Text>,
    also_tax_collection: Option<Spanned<Vec<String>>>,
    also_zoning: Option<Spanned<Vec<String>>>,
}

impl ChainTable {
    fn answers(&self, lines: &Lines) -> Vec<Answer> {
        let primary = [
            (Function::Assessment, &self.assessment),
            (Function::TaxCollection, &self.tax_collection),
            (Function::Recording, &self.recording),
            (Function::Zoning, &self.zoning),
            (Function::Permits, &self.permits),
            (Function::Gis, &self.gis),
            (Function::Exemptions, &self.exemptions),
        ];
        let further =
            [(Function::TaxCollection, &self.also_tax_collection), (Function::Zoning, &self.also_zoning)];
        let primary = primary.into_iter().filter_map(|(function, answer)| {
            let answer = answer.as_ref()?;
            let expected = Expected::Primary(answer.get_ref().clone());
            Some(Answer { function, line: lines.at(answer.span().start), expected })
        });
        let further = further.into_iter().filter_map(|(function, answer)| {
            let answer = answer.as_ref()?;
            let expected = Expected::Also(answer.get_ref().clone());
            Some(Answer { function, line: lines.at(answer.span().start), expected })
        });
        primary.chain(further).collect()
    }
}

/// Reads the text of `tests/XX.toml`. `file` names the file in faults.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub(super) fn parse_chains(file: &str, text: &str) -> Result<Chains, Vec<Fault>> {
    let table: ChainsFile = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Ok(state) = stem.parse::<StateCode>() else {
        let what = format!("expected a name such as MN.toml, got {stem}.toml");
        return Err(vec![Fault { file: file.to_owned(), line: 1, key: String::new(), what }]);
    };
    let mut checker = Checker::new(file, text, None);
    if table.chain.len() < CHAINS_MIN {
        let what = format!("expected at least {CHAINS_MIN} places, got {}", table.chain.len());
        checker.fault(0, "chain", what);
    }
    let mut chains = Vec::new();
    for (at, table) in table.chain.iter().enumerate() {
        chains.extend(chain(&mut checker, table, &format!("chain[{}]", at + 1)));
    }
    checker.finish().map(|()| Chains { file: file.to_owned(), state, chains })
}

fn chain(checker: &mut Checker<'_>, table: &ChainTable, key: &str) -> Option<Chain> {
    let county = area(checker, &table.county, Layer::County, &format!("{key}.county"));
    let cousub = match &table.cousub {
        Some(text) if text.get_ref() == "?" => Some(Part::NotAtHand),
        Some(text) => area(checker, text, Layer::Cousub, &format!("{key}.cousub")).map(Part::In),
        None => Some(Part::Nowhere),
    };
    let place = match &table.place {
        Some(text) => area(checker, text, Layer::Place, &format!("{key}.place")).map(Part::In),
        None => Some(Part::Nowhere),
    };
    let date = table.date.as_ref().and_then(|date| checker.date(date, &format!("{key}.date")));
    let (name, answers) = (table.name.clone(), table.answers(&checker.lines));
    Some(Chain { name, county: county?, cousub: cousub?, place: place?, date, answers })
}

/// Reads `"5000710675 Burlington|city|F"`: GEOID and name, legal word, letter of the Census status.
fn area(checker: &mut Checker<'_>, text: &Text, layer: Layer, key: &str) -> Option<OwnedArea> {
    let mut parts = text.get_ref().split('|');
    let bare = Spanned::new(text.span(), parts.next().unwrap_or_default().to_owned());
    let word = parts.next().filter(|word| !word.is_empty()).map(str::to_owned);
    let letter = parts.next().unwrap_or("U");
    let status = (letter.len() == 1).then(|| FuncStat::from_letter(letter.as_bytes()[0])).flatten();
    if status.is_none() {
        let what = format!("expected \"GEOID Name|legal word|status letter\", got {:?}", text.get_ref());
        checker.at(text, key, what);
    }
    let geoid = checker.area(&bare, layer, key)?;
    let name = bare.get_ref().split_once(' ').map_or("", |(_, name)| name).to_owned();
    Some(OwnedArea { geoid, name, word, status: status? })
}

/// A fault for each answer that the rules contradict, and for each state without a file. States whose own
/// file has faults are not tested.
pub(super) fn faults(folder: &Path, states: &[CuratedState], all: &[Chains]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for state in states {
        let path = folder.join(format!("{}.toml", state.rules.state));
        let own = all.iter().find(|chains| chains.state == state.rules.state);
        match own {
            Some(chains) => faults.extend(chains.chains.iter().flat_map(|chain| chain.faults(state, chains))),
            None if !path.exists() => {
                let what = format!("expected places of {}, found no file", state.rules.state.name());
                let file = path.display().to_string();
                faults.push(Fault { file, line: 1, key: String::new(), what });
            }
            None => {}
        }
    }
    faults
}

impl OwnedArea {
    fn borrowed(&self) -> LegalArea<'_> {
        LegalArea { geoid: self.geoid, name: &self.name, word: self.word.as_deref(), status: self.status }
    }
}

fn borrowed(part: &Part<OwnedArea>) -> Part<LegalArea<'_>> {
    match part {
        Part::NotAtHand => Part::NotAtHand,
        Part::Open => Part::Open,
        Part::Nowhere => Part::Nowhere,
        Part::In(area) => Part::In(area.borrowed()),
    }
}

impl Chain {
    fn faults(&self, state: &CuratedState, chains: &Chains) -> Vec<Fault> {
        let past = &state.past;
        let facts = ChainFacts {
            past: self.date.map_or(&[], |date| past.held(past.count_on(date))),
            county: self.county.borrowed(),
            cousub: borrowed(&self.cousub),
            place: borrowed(&self.place),
            listed_here: None,
        };
        let outcomes = evaluate(&state.rules, &facts);
        let wrong = |answer: &Answer| {
            let outcome = outcomes.iter().find(|outcome| outcome.function == answer.function)?;
            let (kind, expected, got) = answer.difference(outcome)?;
            let key = format!("{kind}{}", answer.function.as_str());
            let what = format!("{:?}: expected {expected}, got {got}", self.name);
            Some(Fault { file: chains.file.clone(), line: answer.line, key, what })
        };
        self.answers.iter().filter_map(wrong).collect()
    }
}

impl Answer {
    /// The prefix of the function's key, the expected and the actual answer; `None` if the answers agree.
    fn difference(&self, outcome: &Outcome) -> Option<(&'static str, String, String)> {
        match &self.expected {
            Expected::Primary(answer) => {
                (!agrees(outcome, answer)).then(|| ("", answer.clone(), shown(outcome)))
            }
            Expected::Also(answers) => {
                let fits = answers.len() == outcome.also.len()
                    && answers.iter().zip(&outcome.also).all(|(answer, further)| agrees(further, answer));
                let got = || outcome.also.iter().map(shown).collect::<Vec<_>>().join(", ");
                (!fits).then(|| ("also_", answers.join(", "), format!("[{}]", got())))
            }
        }
    }
}

/// Whether an expected answer such as `"county:50009 | County Clerk"` agrees with the outcome; `-` means no body, `*`
/// any title.
fn agrees(outcome: &Outcome, expected: &str) -> bool {
    let (body, office) = expected.split_once(" | ").unwrap_or((expected, "*"));
    let own_body = outcome.body.as_ref().map_or("-".to_owned(), ToString::to_string);
    own_body == body && (office == "*" || outcome.office.as_deref().unwrap_or("-") == office)
}

fn shown(outcome: &Outcome) -> String {
    let body = outcome.body.as_ref().map_or("-".to_owned(), ToString::to_string);
    format!("{body} | {} ({})", outcome.office.as_deref().unwrap_or("-"), English.basis(&outcome.basis))
}
