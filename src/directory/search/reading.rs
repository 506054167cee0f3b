//! What a text may mean: a name, perhaps with its state and its county after it.

use std::{collections::HashMap, sync::LazyLock};

use crate::vocabulary::{Folded, LegalWord, StateCode, key_of, name_key, short_form};

/// Words of the longest state name: Northern Mariana Islands, U.S. Virgin Islands as folded.
const STATE_WORDS_MAX: usize = 4;

/// One way to read a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading<'t> {
    /// Folded words of the name.
    pub(super) words: Vec<&'t str>,
    /// Only places of this state.
    pub(super) state: Option<StateCode>,
    /// Key of the county that the place lies in.
    pub(super) county: Option<String>,
}

/// A text, folded part by part between its commas.
#[derive(Debug)]
pub(super) struct Text {
    parts: Vec<Folded>,
    /// The last word as it was written, where it is a short form that may also be the start of a longer word.
    short_end: Option<&'static str>,
}

impl Text {
    pub(super) fn new(text: &str) -> Text {
        let folded = text.split(',').take(8).map(Folded::of);
        let parts: Vec<Folded> = folded.filter(|part| !part.is_empty()).collect();
        let last = parts.last().and_then(|part| part.words().next_back());
        let written = |short: &&str| {
            let end = text.len().checked_sub(short.len()).and_then(|at| text.get(at..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(short))
        };
        Text { short_end: last.and_then(short_form).filter(written), parts }
    }

    /// The state that the whole text names.
    pub(super) fn state(&self) -> Option<StateCode> {
        let words: Vec<&str> = self.parts.iter().flat_map(Folded::words).collect();
        (!words.is_empty()).then(|| state_named(&words)).flatten()
    }

    /// The words as one name, its last word as it was written.
    pub(super) fn as_written(&self) -> Option<String> {
        let mut words: Vec<&str> = self.parts.iter().flat_map(Folded::words).collect();
        *words.last_mut()? = self.short_end?;
        Some(key_of(&words))
    }

    /// All ways to read it, the plainest first: as a name, as a name with its state, each perhaps with a county.
    pub(super) fn readings(&self, state: Option<StateCode>) -> Vec<Reading<'_>> {
        let mut readings = Vec::with_capacity(4);
        let parts: Vec<Vec<&str>> = self.parts.iter().map(|part| part.words().collect()).collect();
        let Some(last) = parts.last() else { return readings };
        let stated = |count: usize| {
            let named = state_named(&last[last.len() - count..])?;
            state.is_none_or(|state| state == named).then_some((count, named))
        };
        let own_part = parts.len() > 1 && state_named(last).is_some();
        if !own_part {
            add(&mut readings, &parts, state);
        }
        // "Charleston, West Virginia" is not Charleston West in Virginia.
        let fewest = if own_part { last.len() } else { 1 };
        for (count, state) in (fewest..=last.len().min(STATE_WORDS_MAX)).rev().filter_map(stated) {
            let mut parts = parts.clone();
            let last = parts.last_mut().map(|last| {
                last.truncate(last.len() - count);
                last.is_empty()
            });
            if last == Some(true) {
                parts.pop();
            }
            add(&mut readings, &parts, Some(state));
        }
        readings
    }
}

/// All parts as one name; and, where there are several, the last as the county of the rest.
fn add<'t>(readings: &mut Vec<Reading<'t>>, parts: &[Vec<&'t str>], state: Option<StateCode>) {
    let words: Vec<&str> = parts.iter().flatten().copied().collect();
    if words.is_empty() {
        return;
    }
    let without_the = words.strip_prefix(&["the"]).filter(|rest| !rest.is_empty()).map(<[&str]>::to_vec);
    // "The Bronx", and then Bronx.
    for words in [Some(words), without_the].into_iter().flatten() {
        readings.push(Reading { words, state, county: None });
    }
    if let [name @ .., county] = parts
        && !name.is_empty()
    {
        let words = name.iter().flatten().copied().collect();
        readings.push(Reading { words, state, county: Some(key_of(county)) });
    }
}

impl Reading<'_> {
    /// What the name is compared by.
    pub(super) fn key(&self) -> String {
        key_of(&self.words)
    }

    /// The key without a legal word, and that word.
    pub(super) fn without_legal_word(&self) -> Option<(String, LegalWord)> {
        LegalWord::split(&self.words).map(|(name, word)| (key_of(name), word))
    }
}

/// The state of a code or a name.
fn state_named(words: &[&str]) -> Option<StateCode> {
    static STATES: LazyLock<HashMap<String, StateCode>> = LazyLock::new(|| {
        let keys = |state: StateCode| [(name_key(state.usps()), state), (name_key(state.name()), state)];
        // Folded as any text is: "MT" is "mount".
        let also = StateCode::from_fips(78).map(|islands| (name_key("Virgin Islands"), islands));
        StateCode::all().flat_map(keys).chain(also).collect()
    });
    match words {
        [word] => STATES.get(*word).copied(),
        _ => STATES.get(&key_of(words)).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_in_all_ways() {
        for (text, state, expected) in [
            ("Springfield", None, &["springfield"][..]),
            ("Springfield, IL", None, &["springfield IL"]),
            ("Springfield Illinois", None, &["springfield illinois", "springfield IL"]),
            ("springfield il", Some("IL"), &["springfield il IL", "springfield IL"]),
            ("Springfield, IL", Some("MO"), &[]),
            ("Billings, MT", None, &["billings MT"]),
            ("Rocky Mount", None, &["rocky mount", "rocky MT"]),
            ("New York", None, &["new york"]),
            ("York, New York", None, &["york NY"]),
            ("West Virginia", None, &["west virginia", "west VA"]),
            (
                "Springfield township, Bucks County, Pennsylvania",
                None,
                &["springfield township bucks county PA", "springfield township PA in buckscounty"],
            ),
            (
                "Springfield, Bucks County",
                Some("PA"),
                &["springfield bucks county PA", "springfield PA in buckscounty"],
            ),
            ("St. Croix, U.S. Virgin Islands", None, &["saint croix VI"]),
            ("St. Croix, Virgin Islands", None, &["saint croix VI"]),
            ("The Bronx", None, &["the bronx", "bronx"]),
            ("TX", None, &["tx"]),
            (", ,", None, &[]),
        ] {
            let text = Text::new(text);
            let readings = text.readings(state.map(|state| state.parse().unwrap()));
            let shown: Vec<String> = readings
                .iter()
                .map(|reading| {
                    let state = reading.state.map(|state| format!(" {state}")).unwrap_or_default();
                    let county = reading.county.iter().map(|county| format!(" in {county}"));
                    format!("{}{state}{}", reading.words.join(" "), county.collect::<String>())
                })
                .collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }

    #[test]
    fn a_short_form_at_the_end_may_be_a_start() {
        for (text, written) in [
            ("St", Some("st")),
            ("north st", Some("northst")),
            ("Saint", None),
            ("St. Paul", None),
            ("St.", None),
        ] {
            assert_eq!(Text::new(text).as_written().as_deref(), written, "{text}");
        }
    }
}
