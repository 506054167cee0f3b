//! Reads dates and amounts of the property tax: the folder `curated/deadlines/`, a file for each state.

use std::path::Path;

use platbook::{
    rules::{Day, Deadline},
    vocabulary::{Confidence, DatedKind, Geoid, StateCode},
};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{
    Label,
    checker::Checker,
    error::Fault,
    file::Text,
    files::{read_folder, toml_fault},
    reading::{sentences, words},
};

/// Maximum number of words in a sentence: the limit for all text that people read.
const SENTENCE_WORDS_MAX: usize = 25;

/// Maximum number of sentences in a rule.
const SENTENCES_MAX: usize = 2;

/// The first year that a rule may refer to: older texts say nothing about today. Chosen, not measured.
const TAX_YEAR_MIN: u16 = 2010;

/// Kinds of rules, as the files spell them.
const KINDS: [(&str, DatedKind); DatedKind::ALL.len()] = {
    let mut kinds = [("", DatedKind::Appeal); DatedKind::ALL.len()];
    let mut at = 0;
    while at < kinds.len() {
        kinds[at] = (DatedKind::ALL[at].as_str(), DatedKind::ALL[at]);
        at += 1;
    }
    kinds
};

/// Days of the week in the order of [`Day::Nth`].
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Number of days in each month; February as in a leap year.
const DAYS: [u8; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The rules of a state, with their areas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDeadlines {
    /// The state that the file is named after.
    pub state: StateCode,
    /// The rules, in the order of the file.
    pub rules: Vec<DatedRule>,
    /// Areas with the name that the file gives them.
    pub labels: Vec<Label>,
}

/// A date or an amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatedRule {
    /// The subject of the rule.
    pub kind: DatedKind,
    /// The counties to which the rule is limited; empty if it holds in the whole state.
    pub only_in: Vec<Geoid>,
    /// The rule for the state as a whole.
    pub general: RuleText,
    /// The differences in each area. An absent value is the state's.
    pub local: Vec<(Geoid, RuleText)>,
}

/// The text of a rule and its source. A text is `None` if it is unknown or, in an area, equal to the state's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleText {
    /// `Some(true)` if the state has nothing of the kind, such as no transfer tax.
    pub none: Option<bool>,
    /// One or two sentences.
    pub says: String,
    /// The office or board to apply to.
    pub with: Option<String>,
    /// The date or the number of days; `None` without one.
    pub deadline: Option<Deadline>,
    /// The amount in words, such as `$5 first page`.
    pub amount: Option<String>,
    /// The property or the case that the rule applies to.
    pub applies: Option<String>,
    /// The law, by its title and section.
    pub statute: Option<String>,
    /// Address of the page that is cited.
    pub source_url: Option<String>,
    /// Name of the cited page.
    pub source_name: Option<String>,
    /// Day on which the text was read; `None` in an area, whose text was read with the state's.
    pub seen: Option<String>,
    /// The newest year that the text speaks of.
    pub tax_year: Option<u16>,
    /// Whether a change is under way, or the day is set anew each year; `note` says which.
    pub may_change: bool,
    /// Certainty of the rule. Rules of low confidence are not shown.
    pub confidence: Option<Confidence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Spanned<RuleTable>>,
}

/// A rule, or its differences in one area. `rule` and `local` check the required fields of each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    kind: Option<Text>,
    area: Option<Text>,
    none: Option<bool>,
    #[serde(default)]
    only_in: Vec<Text>,
    says: Text,
    with: Option<Text>,
    deadline: Option<Spanned<DeadlineTable>>,
    amount: Option<Text>,
    amount_usd: Option<Spanned<f64>>,
    applies: Option<Text>,
    statute: Option<Text>,
    source_url: Option<Text>,
    source_name: Option<Text>,
    read_in: Option<Text>,
    #[serde(default)]
    also_read: Vec<Text>,
    seen: Option<Spanned<Datetime>>,
    tax_year: Option<Spanned<u16>>,
    #[serde(default)]
    may_change: bool,
    note: Option<Text>,
    confidence: Text,
    #[serde(default)]
    local: Vec<Spanned<RuleTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeadlineTable {
    opens_month: Option<u8>,
    opens_day: Option<u8>,
    month: Option<u8>,
    day: Option<u8>,
    weekday: Option<Text>,
    nth: Option<u8>,
    days: Option<u16>,
    after: Option<Text>,
    whichever: Option<Text>,
    varies: Option<Text>,
}

/// Reads every file of the folder: the valid rules, then all faults.
pub(super) fn read_deadlines(folder: &Path) -> (Vec<StateDeadlines>, Vec<Fault>) {
    read_folder(folder, parse_deadlines)
}

/// Reads one file, named after its state.
///
/// # Errors
/// All faults of the text, in the order of lines.
pub fn parse_deadlines(file: &str, text: &str) -> Result<StateDeadlines, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Ok(state) = stem.parse::<StateCode>() else {
        let what = "expected a file that is named after the postal code of a state".to_owned();
        return Err(vec![Fault { file: file.to_owned(), line: 1, key: String::new(), what }]);
    };
    let mut checker = Checker::new(file, text, state);
    let rules =
        table.rule.iter().enumerate().filter_map(|(at, row)| rule(&mut checker, at + 1, row)).collect();
    let labels = std::mem::take(&mut checker.labels);
    checker.finish()?;
    Ok(StateDeadlines { state, rules, labels })
}

fn rule(checker: &mut Checker<'_>, number: usize, spanned: &Spanned<RuleTable>) -> Option<DatedRule> {
    let (row, key) = (spanned.get_ref(), |name: &str| format!("rule[{number}].{name}"));
    let needed = [
        ("kind", row.kind.is_some()),
        ("applies", row.applies.is_some()),
        ("source_url", row.source_url.is_some()),
        ("source_name", row.source_name.is_some()),
        ("read_in", row.read_in.is_some()),
        ("seen", row.seen.is_some()),
    ];
    fields(checker, spanned, &needed, &[("area", row.area.is_some())], &key);
    if let Some(seen) = &row.seen {
        checker.date(seen, &key("seen"));
    }
    let general = RuleText { none: Some(row.none.unwrap_or_default()), ..rule_text(checker, row, &key) };
    let only_in =
        row.only_in.iter().filter_map(|area| checker.area_of_any_layer(area, &key("only_in"))).collect();
    let local = row.local.iter().enumerate().filter_map(|(at, row)| {
        let key = |name: &str| format!("rule[{number}].local[{}].{name}", at + 1);
        local(checker, row, &key)
    });
    let local = local.collect();
    let kind = row.kind.as_ref()?;
    let known = checker.known_word(kind, &key("kind"), &KINDS)?;
    if known == DatedKind::Appeal && general.deadline.is_none() {
        checker.at(kind, &key("deadline"), "an appeal needs a deadline");
    }
    if known.is_relief() {
        relief(checker, spanned, &general, &key);
    }
    Some(DatedRule { kind: known, only_in, general, local })
}

/// Reports an exemption for certain owners if it lacks the office that takes the claim, or lacks both the law and the
/// year.
fn relief(
    checker: &mut Checker<'_>,
    table: &Spanned<RuleTable>,
    general: &RuleText,
    key: &impl Fn(&str) -> String,
) {
    if general.with.is_none() {
        checker.at(table, &key("with"), "an exemption needs the office that takes the claim");
    }
    if general.statute.is_none() && general.tax_year.is_none() {
        checker.at(table, &key("tax_year"), "an exemption needs a law or a tax year");
    }
}

fn local(
    checker: &mut Checker<'_>,
    spanned: &Spanned<RuleTable>,
    key: &impl Fn(&str) -> String,
) -> Option<(Geoid, RuleText)> {
    let row = spanned.get_ref();
    let of_a_rule = [
        ("kind", row.kind.is_some()),
        ("only_in", !row.only_in.is_empty()),
        ("seen", row.seen.is_some()),
        ("local", !row.local.is_empty()),
    ];
    fields(checker, spanned, &[("area", row.area.is_some())], &of_a_rule, key);
    let text = rule_text(checker, row, key);
    Some((checker.area_of_any_layer(row.area.as_ref()?, &key("area"))?, text))
}

/// Reports each required field that is missing, and each field that belongs to the other table. The arguments pair
/// each field with whether the table has it.
fn fields(
    checker: &mut Checker<'_>,
    table: &Spanned<RuleTable>,
    needed: &[(&str, bool)],
    foreign: &[(&str, bool)],
    key: &impl Fn(&str) -> String,
) {
    for (name, _) in needed.iter().filter(|(_, has)| !has) {
        checker.at(table, &key(name), format!("missing field `{name}`"));
    }
    for (name, _) in foreign.iter().filter(|(_, has)| *has) {
        checker.at(table, &key(name), format!("unknown field `{name}`"));
    }
}

fn rule_text(checker: &mut Checker<'_>, row: &RuleTable, key: &impl Fn(&str) -> String) -> RuleText {
    for url in row.read_in.iter().chain(&row.also_read) {
        checker.url(url, &key("read_in"));
    }
    RuleText {
        none: row.none,
        says: says(checker, &row.says, &key("says")),
        with: checker.opt_words(row.with.as_ref(), &key("with")),
        deadline: row.deadline.as_ref().and_then(|table| deadline(checker, table, &key("deadline"))),
        amount: amount(checker, row.amount.as_ref(), row.amount_usd.as_ref(), key),
        applies: checker.opt_words(row.applies.as_ref(), &key("applies")),
        statute: checker.opt_words(row.statute.as_ref(), &key("statute")),
        source_url: row.source_url.as_ref().map(|url| checker.url(url, &key("source_url"))),
        source_name: checker.opt_words(row.source_name.as_ref(), &key("source_name")),
        seen: row.seen.as_ref().map(|seen| seen.get_ref().to_string()),
        tax_year: tax_year(checker, row.tax_year.as_ref(), &key("tax_year")),
        may_change: may_change(checker, row, key),
        confidence: Some(checker.confidence(&row.confidence, &key("confidence"))),
    }
}

/// Checks one or two sentences that can be read aloud.
fn says(checker: &mut Checker<'_>, text: &Text, key: &str) -> String {
    let said = checker.sentence(text, key);
    if sentences(&said) > SENTENCES_MAX {
        checker.at(text, key, format!("has more than {SENTENCES_MAX} sentences"));
    }
    let longest = said.split_inclusive(". ").map(|sentence| words(sentence).len()).max().unwrap_or(0);
    if longest > SENTENCE_WORDS_MAX {
        checker.at(text, key, format!("has a sentence of {longest} words: at most {SENTENCE_WORDS_MAX}"));
    }
    said
}

fn amount(
    checker: &mut Checker<'_>,
    words: Option<&Text>,
    dollars: Option<&Spanned<f64>>,
    key: &impl Fn(&str) -> String,
) -> Option<String> {
    if let Some(dollars) = dollars.filter(|dollars| !(0.0..=10_000_000.0).contains(dollars.get_ref())) {
        let what = format!("expected dollars from 0 to 10,000,000, got {}", dollars.get_ref());
        checker.at(dollars, &key("amount_usd"), what);
    }
    let words = checker.opt_words(words, &key("amount"));
    words.or_else(|| dollars.map(|dollars| format!("${}", dollars.get_ref())))
}

/// Reads whether a rule may change: then a note must say how.
fn may_change(checker: &mut Checker<'_>, row: &RuleTable, key: &impl Fn(&str) -> String) -> bool {
    let note = checker.opt_words(row.note.as_ref(), &key("note"));
    if row.may_change && note.is_none() {
        checker.at(&row.says, &key("may_change"), "needs a note that says what may change");
    }
    row.may_change
}

fn tax_year(checker: &mut Checker<'_>, year: Option<&Spanned<u16>>, key: &str) -> Option<u16> {
    let year = year?;
    if !(TAX_YEAR_MIN..2100).contains(year.get_ref()) {
        checker.at(year, key, format!("expected a year from {TAX_YEAR_MIN}, got {}", year.get_ref()));
    }
    Some(*year.get_ref())
}

fn deadline(checker: &mut Checker<'_>, table: &Spanned<DeadlineTable>, key: &str) -> Option<Deadline> {
    let row = table.get_ref();
    let after = row.after.as_ref().map(|after| checker.words(after, key));
    let varies = checker.opt_words(row.varies.as_ref(), key);
    let later = row
        .whichever
        .as_ref()
        .and_then(|word| checker.known_word(word, key, &[("later", true), ("earlier", false)]));
    let weekday = row.weekday.as_ref().and_then(|word| {
        let days: Vec<(&str, u8)> = WEEKDAYS.into_iter().zip(0..).collect();
        checker.known_word(word, key, &days)
    });
    let day_of = |month: u8, day: u8| {
        let days = DAYS.get(usize::from(month).wrapping_sub(1))?;
        (1..=*days).contains(&day).then_some((month, day))
    };
    let on = match (row.month, row.day, weekday, row.nth) {
        (None, None, None, None) => Ok(None),
        (Some(month), Some(day), None, None) => day_of(month, day)
            .map(|(month, day)| Some(Day::Fixed(month, day)))
            .ok_or("month and day are no day"),
        (Some(month @ 1..=12), None, Some(weekday), Some(nth @ 1..=5)) => {
            Ok(Some(Day::Nth(weekday, nth, month)))
        }
        _ => Err("expected month and day, or weekday, nth and month"),
    };
    let opens = match (row.opens_month, row.opens_day) {
        (None, None) => Ok(None),
        (Some(month), day) => day_of(month, day.unwrap_or(1)).map(Some).ok_or("the window opens on no day"),
        (None, Some(_)) => Err("opens_day needs opens_month"),
    };
    let after = match (row.days, after) {
        (None, None) => Ok(None),
        (Some(days @ 1..=1_000), Some(event)) => Ok(Some((days, event))),
        _ => Err("expected days from 1 to 1,000 together with after"),
    };
    let (on, opens, after) = match (on, opens, after) {
        (Ok(on), Ok(opens), Ok(after)) => (on, opens, after),
        (on, opens, after) => {
            let faults = [on.err(), opens.err(), after.err()];
            faults.into_iter().flatten().for_each(|what| checker.at(table, key, what));
            return None;
        }
    };
    if later.is_some() && (on.is_none() || after.is_none()) {
        checker.at(table, key, "whichever needs a day and days after an event");
    }
    let found = Deadline { opens, on, after, later: later.unwrap_or_default(), varies };
    if found == Deadline::default() {
        checker.at(table, key, "is empty: give a day, days after an event, or the office that sets it");
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"[[rule]]
kind = "appeal"
says = "Appeal by the fourth Tuesday in May, or within 30 days after the notice."
deadline = { weekday = "Tuesday", nth = 4, month = 5, days = 30, after = "the notice is mailed", whichever = "later" }
applies = "homes"
source_url = "https://example.gov/law"
source_name = "A law"
read_in = "https://example.org/page"
seen = 2026-11-24
tax_year = 2025
confidence = "high"
local = [
  { area = "county:27053 Hennepin County", says = "Appeal by April 30.", deadline = { month = 4, day = 30 }, confidence = "medium" },
]
"#;

    #[test]
    fn a_rule_is_read_or_refused_with_its_line() {
        let file = parse_deadlines("MN.toml", GOOD).unwrap();
        let [rule] = &file.rules[..] else { panic!("one rule") };
        let deadline = rule.general.deadline.as_ref().unwrap();
        assert_eq!((deadline.on, deadline.later), (Some(Day::Nth(1, 4, 5)), true));
        assert_eq!(deadline.after, Some((30, "the notice is mailed".to_owned())));
        assert_eq!(rule.local[0].1.deadline.as_ref().unwrap().on, Some(Day::Fixed(4, 30)));
        assert_eq!(file.labels[0].name, "Hennepin County");
        for (old, new, expected) in [
            ("\"appeal\"", "\"protest\"", "MN.toml:2: rule[1].kind: unknown \"protest\""),
            ("the notice.", "the notice", "MN.toml:3: rule[1].says: is not a full sentence"),
            ("Appeal by the", &"word ".repeat(20), "MN.toml:3: rule[1].says: has a sentence of"),
            ("nth = 4, ", "", "MN.toml:4: rule[1].deadline: expected month and day, or weekday"),
            ("days = 30, ", "", "MN.toml:4: rule[1].deadline: expected days from 1 to 1,000"),
            ("https://example.gov/law", "law", "MN.toml:6: rule[1].source_url: bad URL"),
            ("tax_year = 2025", "tax_year = 25", "MN.toml:10: rule[1].tax_year: expected a year"),
            ("27053", "55025", "MN.toml:13: rule[1].local[1].area: 55025 is not in Minnesota"),
            ("day = 30 }", "day = 31 }", "MN.toml:13: rule[1].local[1].deadline: month and day are no day"),
            ("seen = 2026-11-24", "", "MN.toml:1: rule[1].seen: missing field `seen`"),
            ("tax_year = 2025", "may_change = true", "MN.toml:3: rule[1].may_change: needs a note"),
            ("{ area", "{ kind = \"due\", area", "MN.toml:13: rule[1].local[1].kind: unknown field `kind`"),
            ("area = \"county", "note = \"county", "MN.toml:13: rule[1].local[1].area: missing field `area`"),
            ("\"appeal\"", "\"exemption_senior\"", "MN.toml:1: rule[1].with: an exemption needs the office"),
        ] {
            let text = GOOD.replacen(old, new, 1);
            assert_ne!(text, GOOD, "{old}");
            let faults = parse_deadlines("MN.toml", &text).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.contains(expected)), "{expected}: {all:?}");
        }
        assert!(parse_deadlines("Minnesota.toml", GOOD).is_err(), "a file is named after its state");
        let relief = GOOD.replace("\"appeal\"", "\"exemption_veteran\"\nwith = \"the assessor\"");
        assert!(parse_deadlines("MN.toml", &relief).is_ok());
        let faults = parse_deadlines("MN.toml", &relief.replace("tax_year = 2025\n", "")).unwrap_err();
        assert_eq!(faults[0].what, "an exemption needs a law or a tax year");
    }

    /// Every state must have a rule for appeals, for the main exemption and for veterans.
    #[test]
    fn each_state_has_an_appeal_and_its_exemptions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("curated/deadlines");
        let (states, faults) = read_deadlines(&folder);
        assert!(faults.is_empty(), "{faults:?}");
        for state in &states {
            for kind in [DatedKind::Appeal, DatedKind::Exemption, DatedKind::ExemptionVeteran] {
                assert!(
                    state.rules.iter().any(|rule| rule.kind == kind),
                    "{} has no rule of kind {kind:?}",
                    state.state
                );
            }
        }
        let fifty_and_dc = StateCode::all().filter(|state| state.fips() < 60).count();
        let with_puerto_rico = fifty_and_dc + 1;
        assert_eq!(states.len(), with_puerto_rico);
    }
}
