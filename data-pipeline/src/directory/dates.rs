//! Turns the rules of `curated/deadlines/` into dates of a snapshot, each with the row of its source.

use platbook::{
    rules::{DatedRule, DatedText, StateDates},
    vocabulary::{Confidence, host_of},
};

use super::SourceTable;
use crate::curated::{self, CuratedSource, RuleText, StateDeadlines};

/// Prefix of the keys of the sources of dates.
const DEADLINES: &str = "deadlines";

/// Converts the rules of a state, and numbers their sources.
pub(super) fn dates(state: &StateDeadlines, sources: &mut SourceTable) -> StateDates {
    let file = format!("{DEADLINES}/{}", state.state);
    let rules = state.rules.iter().map(|rule| dated_rule(rule, &file, sources)).collect();
    StateDates { state: state.state, rules }
}

fn dated_rule(rule: &curated::DatedRule, file: &str, sources: &mut SourceTable) -> DatedRule {
    let general = dated_text(&rule.general, None, file, sources);
    let local = rule.local.iter();
    let local = local.map(|(area, text)| (*area, dated_text(text, Some(&general), file, sources))).collect();
    DatedRule { kind: rule.kind, only_in: rule.only_in.clone(), general, local }
}

/// Completes the text of an area with the values that it shares with the state's text. An amount and a time limit
/// belong to their own sentences, so an area does not take them from the state.
fn dated_text(
    text: &RuleText,
    state: Option<&DatedText>,
    file: &str,
    sources: &mut SourceTable,
) -> DatedText {
    let shared = |of: fn(&DatedText) -> &Option<String>, own: &Option<String>| {
        own.clone().or_else(|| state.and_then(|state| of(state).clone()))
    };
    DatedText {
        is_none: text.none.unwrap_or_default(),
        says: text.says.clone(),
        with: shared(|state| &state.with, &text.with),
        deadline: text.deadline.clone(),
        amount: text.amount.clone(),
        applies: shared(|state| &state.applies, &text.applies),
        statute: shared(|state| &state.statute, &text.statute),
        source: cite(text, file, sources).or(state.map(|state| state.source)).unwrap_or_default(),
        seen: text.seen.clone().or_else(|| state.map(|state| state.seen.clone())).unwrap_or_default(),
        tax_year: text.tax_year,
        may_change: text.may_change,
        confidence: text.confidence.unwrap_or(Confidence::Low),
    }
}

/// The row of the page that a text cites; `None` if it cites none.
fn cite(text: &RuleText, file: &str, sources: &mut SourceTable) -> Option<u16> {
    let url = text.source_url.as_ref()?;
    let source = CuratedSource {
        id: url.clone(),
        name: text.source_name.clone().unwrap_or_else(|| host_of(url).to_owned()),
        url: url.clone(),
        publisher: String::new(),
        official: host_of(url).ends_with(".gov"),
        read: text.seen.clone(),
    };
    sources.cite(file, &[source]).first().copied()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{curated::parse_deadlines, input::manifest::Manifest};

    #[test]
    fn areas_share_the_source_of_their_state_and_not_its_day() {
        let text = r#"[[rule]]
kind = "appeal"
says = "Appeal by April 30."
deadline = { month = 4, day = 30 }
applies = "homes"
statute = "A law"
source_url = "https://example.gov/law"
source_name = "A law"
read_in = "https://example.org/page"
seen = 2026-11-24
confidence = "high"
local = [
  { area = "county:27053 Hennepin County", says = "The county sets the day.", confidence = "high" },
  { area = "county:27123 Ramsey County", says = "By May 1.", source_url = "https://ramsey.example/", confidence = "high" },
]
"#;
        let manifest =
            Manifest::parse(Path::new("m.toml"), "released = \"2026-11-20\"\nsource = []").unwrap();
        let mut sources = SourceTable::new(&manifest);
        let dates = dates(&parse_deadlines("MN.toml", text).unwrap(), &mut sources);
        let rule = &dates.rules[0];
        let ((_, hennepin), (_, ramsey)) = (&rule.local[0], &rule.local[1]);
        assert_eq!((rule.general.source, hennepin.source, ramsey.source), (0, 0, 1));
        assert_eq!((hennepin.deadline.as_ref(), hennepin.statute.as_deref()), (None, Some("A law")));
        assert_eq!((rule.general.seen.as_str(), hennepin.seen.as_str()), ("2026-11-24", "2026-11-24"));
        let cited = sources.cited();
        assert_eq!(
            (cited[0].official, cited[0].name.as_str(), cited[1].name.as_str()),
            (true, "A law", "ramsey.example")
        );
    }
}
