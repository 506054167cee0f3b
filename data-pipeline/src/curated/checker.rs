//! Checks the small values of a file and collects all faults, so that a contributor sees them at once.

use std::path::Path;

use platbook::vocabulary::{Confidence, Date, Function, Geoid, JurisdictionId, Layer, StateCode, Topic};
use toml::{Spanned, value::Datetime};

use super::{
    error::{Fault, Lines},
    file::{SourceTable, Text},
};

/// A GEOID with its name in the file, for comparison with the Census name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// GEOID of the area.
    pub geoid: Geoid,
    /// Name that the file gives the area.
    pub name: String,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Areas of one layer that cases name together.
pub(super) struct Group {
    pub(super) name: String,
    pub(super) layer: Layer,
    pub(super) areas: Vec<Geoid>,
    pub(super) used: bool,
}

pub(super) struct Checker<'a> {
    pub(super) file: &'a str,
    pub(super) lines: Lines,
    /// State of the file; `None` for the whole country.
    pub(super) state: Option<StateCode>,
    pub(super) sources: Vec<(String, bool)>,
    pub(super) groups: Vec<Group>,
    pub(super) labels: Vec<Label>,
    pub(super) faults: Vec<Fault>,
    /// Whether a text names an unknown source or group. Unused sources and groups are then not reported: the text may
    /// mean one of them.
    pub(super) has_unknown_names: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(file: &'a str, text: &str, state: impl Into<Option<StateCode>>) -> Checker<'a> {
        let state = state.into();
        let (sources, groups, labels, faults) = Default::default();
        let lines = Lines::of(text);
        Checker { file, lines, state, sources, groups, labels, faults, has_unknown_names: false }
    }
}

impl Checker<'_> {
    /// Returns the faults in the order of lines, if there are any.
    pub(super) fn finish(mut self) -> Result<(), Vec<Fault>> {
        self.faults.sort_by_key(|fault| fault.line);
        if self.faults.is_empty() { Ok(()) } else { Err(self.faults) }
    }

    /// The state of a file; `None` for an unknown code. The file must be named after it.
    pub(super) fn state(&mut self, text: &Text) -> Option<StateCode> {
        let state = text.get_ref().parse().ok();
        match state {
            Some(state) => self.file_is_named_after(text, state),
            None => self.at(text, "state", "expected the postal code of a state"),
        }
        state
    }

    pub(super) fn file_is_named_after(&mut self, text: &Text, state: StateCode) {
        if text.get_ref() != state.usps() {
            self.at(text, "state", format!("expected {}", state.usps()));
        }
        let stem = Path::new(self.file).file_stem().and_then(|stem| stem.to_str());
        if stem != Some(state.usps()) {
            self.at(text, "state", format!("a file for {state} must be called {state}.toml"));
        }
    }

    /// Reads a day without a time; `None`, with a fault, for anything else.
    pub(super) fn date(&mut self, date: &Spanned<Datetime>, key: &str) -> Option<Date> {
        let Datetime { date: day, time, .. } = *date.get_ref();
        let read = day.filter(|_| time.is_none()).and_then(|day| Date::new(day.year, day.month, day.day));
        if read.is_none() {
            self.at(date, key, "expected a date such as 2026-11-21");
        }
        read
    }

    pub(super) fn every_source_is_used(&mut self, tables: &[Spanned<SourceTable>]) {
        if self.has_unknown_names {
            return;
        }
        let unused: Vec<usize> = (0..self.sources.len()).filter(|at| !self.sources[*at].1).collect();
        for at in unused {
            let id = &tables[at].get_ref().id;
            self.at(id, "source", format!("nothing refers to the source {:?}", id.get_ref()));
        }
    }

    pub(super) fn at_most(&mut self, text: &Text, key: &str, most: usize) {
        let long = text.get_ref().chars().count();
        if long > most {
            self.at(text, key, format!("has {long} characters: at most {most}"));
        }
    }

    pub(super) fn fault(&mut self, offset: usize, key: &str, what: impl Into<String>) {
        let line = self.lines.at(offset);
        self.faults.push(Fault { file: self.file.to_owned(), line, key: key.to_owned(), what: what.into() });
    }

    pub(super) fn at<T>(&mut self, value: &Spanned<T>, key: &str, what: impl Into<String>) {
        self.fault(value.span().start, key, what);
    }

    /// Checks text for people: not empty, no stray space, no line break, no personal title.
    pub(super) fn words(&mut self, text: &Text, key: &str) -> String {
        let words = text.get_ref();
        if words.trim().is_empty() {
            self.at(text, key, "is empty");
        } else if words.trim() != words || words.contains(['\n', '\t']) || words.contains("  ") {
            self.at(text, key, "has stray spaces or line breaks");
        }
        for title in ["Mr. ", "Mrs. ", "Ms. ", "Hon. "] {
            if words.contains(title) {
                self.at(text, key, format!("names a person ({}); name the office only", title.trim()));
            }
        }
        words.clone()
    }

    pub(super) fn opt_words(&mut self, text: Option<&Text>, key: &str) -> Option<String> {
        text.map(|text| self.words(text, key))
    }

    pub(super) fn sentences(&mut self, list: &Spanned<Vec<Text>>, key: &str) -> Vec<String> {
        if list.get_ref().is_empty() {
            self.at(list, key, "is empty: give at least one sentence");
        }
        list.get_ref().iter().map(|text| self.sentence(text, key)).collect()
    }

    pub(super) fn sentence(&mut self, text: &Text, key: &str) -> String {
        let words = self.words(text, key);
        if !words.is_empty() && !words.ends_with(['.', ')']) {
            self.at(text, key, "is not a full sentence: it must end in a full stop");
        }
        words
    }

    pub(super) fn url(&mut self, text: &Text, key: &str) -> String {
        let url = text.get_ref();
        if let Err(what) = check_url(url) {
            self.at(text, key, format!("{what}: {url:?}"));
        }
        url.clone()
    }

    /// Reads `"27053 Hennepin County"`: a GEOID of the layer, in this state, with its name.
    pub(super) fn area(&mut self, text: &Text, layer: Layer, key: &str) -> Option<Geoid> {
        let (digits, name) = text.get_ref().split_once(' ').unwrap_or((text.get_ref(), ""));
        let geoid = match Geoid::parse(layer, digits) {
            Ok(geoid) => geoid,
            Err(error) => {
                self.at(text, key, error.to_string());
                return None;
            }
        };
        if let Some(state) = self.state
            && geoid.state_fips() != state.fips()
        {
            let (fips, state) = (state.fips(), state.name());
            self.at(text, key, format!("{digits} is not in {state}, whose GEOIDs begin with {fips:02}"));
        }
        if name.trim().is_empty() {
            self.at(text, key, format!("{digits} has no name beside it: write \"{digits} Name\""));
        }
        self.labels.push(Label { geoid, name: name.to_owned(), line: self.lines.at(text.span().start) });
        Some(geoid)
    }

    /// Reads `"county:11001 District of Columbia"`: an area of any layer with its name.
    pub(super) fn area_of_any_layer(&mut self, text: &Text, key: &str) -> Option<Geoid> {
        let (prefix, rest) = text.get_ref().split_once(':').unwrap_or_default();
        match Layer::from_prefix(prefix) {
            Some(layer) => self.area(&Spanned::new(text.span(), rest.to_owned()), layer, key),
            None => {
                let what =
                    format!("expected an area such as \"county:27053 Hennepin\", got {:?}", text.get_ref());
                self.at(text, key, what);
                None
            }
        }
    }

    /// Reads areas by GEOID; `"@name"` means the areas of a group.
    pub(super) fn areas(&mut self, list: &[Text], layer: Layer, key: &str) -> Vec<Geoid> {
        let mut found: Vec<Geoid> = Vec::new();
        for text in list {
            let more = match text.get_ref().strip_prefix('@') {
                Some(name) => self.group(text, name, layer, key),
                None => self.area(text, layer, key).into_iter().collect(),
            };
            for geoid in more {
                if found.contains(&geoid) {
                    self.at(text, key, format!("{} is listed twice", geoid.digits()));
                }
                found.push(geoid);
            }
        }
        found
    }

    fn group(&mut self, text: &Text, name: &str, layer: Layer, key: &str) -> Vec<Geoid> {
        let Some(group) = self.groups.iter_mut().find(|group| group.name == name && group.layer == layer)
        else {
            let what = format!("no [[group]] called {name:?} has a list for {}", layer.prefix());
            self.at(text, key, what);
            self.has_unknown_names = true;
            return Vec::new();
        };
        group.used = true;
        group.areas.clone()
    }

    /// Checks legal words, which are lower case.
    pub(super) fn types(&mut self, list: &[Text], key: &str) -> Vec<String> {
        for text in list {
            let word = text.get_ref();
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_lowercase() || b" -".contains(&byte))
            {
                self.at(
                    text,
                    key,
                    format!("{word:?} is not a legal word: expected lower case such as \"town\""),
                );
            }
        }
        list.iter().map(|text| text.get_ref().clone()).collect()
    }

    /// The position of a source that the file lists; 0 and a fault for any other source.
    pub(super) fn source(&mut self, text: &Text, key: &str) -> usize {
        match self.sources.iter().position(|(id, _)| id == text.get_ref()) {
            Some(at) => {
                self.sources[at].1 = true;
                at
            }
            None => {
                self.at(text, key, format!("no [[source]] has the id {:?}", text.get_ref()));
                self.has_unknown_names = true;
                0
            }
        }
    }

    pub(super) fn confidence(&mut self, text: &Text, key: &str) -> Confidence {
        self.word(
            text,
            key,
            &[("high", Confidence::High), ("medium", Confidence::Medium), ("low", Confidence::Low)],
        )
    }

    pub(super) fn functions(&mut self, list: &Spanned<Vec<Text>>, key: &str) -> Vec<Function> {
        let known = Function::ALL.map(|function| (function.as_str(), function));
        if list.get_ref().is_empty() {
            self.at(list, key, "is empty");
        }
        list.get_ref().iter().filter_map(|text| self.known_word(text, key, &known)).collect()
    }

    pub(super) fn topics(&mut self, list: &Spanned<Vec<Text>>, key: &str) -> Vec<Topic> {
        let known: Vec<(&str, Topic)> = Topic::all().map(|topic| (topic.as_str(), topic)).collect();
        let mut found: Vec<Topic> = Vec::new();
        for text in list.get_ref() {
            let Some(topic) = self.known_word(text, key, &known) else { continue };
            if found.contains(&topic) {
                self.at(text, key, format!("{} is listed twice", topic.as_str()));
            }
            found.push(topic);
        }
        if list.get_ref().is_empty() {
            self.at(list, key, "is empty");
        }
        found
    }

    /// Reads one of the known words; for any other word it adds a fault and returns the first known one.
    pub(super) fn word<T: Copy>(&mut self, text: &Text, key: &str, known: &[(&str, T)]) -> T {
        self.known_word(text, key, known).unwrap_or(known[0].1)
    }

    /// Reads one of the known words; `None` with a fault for any other word. Lists need this: the word that
    /// [`Self::word`] returns in place of an unknown word could look like a duplicate there.
    pub(super) fn known_word<T: Copy>(&mut self, text: &Text, key: &str, known: &[(&str, T)]) -> Option<T> {
        let found = known.iter().find(|(word, _)| word == text.get_ref()).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            let what = format!("unknown {:?}, expected one of {}", text.get_ref(), words.join(", "));
            self.at(text, key, what);
        }
        found
    }

    /// The government that a file is about: its state, or the country.
    pub(super) fn home(&self) -> Option<JurisdictionId> {
        match self.state {
            Some(state) => {
                Geoid::parse(Layer::State, &format!("{:02}", state.fips())).ok().map(JurisdictionId::Census)
            }
            None => Some(JurisdictionId::Country),
        }
    }

    /// Reads `county:27053 Hennepin County`, `place:...`, `cousub:...`, `state` or `district:...`. A file on
    /// the whole country may name `country:us` only.
    pub(super) fn body(&mut self, text: &Text, key: &str) -> Option<JurisdictionId> {
        let value = text.get_ref();
        let home = if self.state.is_some() { "state" } else { "country:us" };
        if value == home {
            return self.home();
        }
        if self.state.is_none() {
            self.at(
                text,
                key,
                format!("{value:?} is not for a file on the whole country: expected country:us"),
            );
            return None;
        }
        if let Some((prefix, rest)) = value.split_once(':')
            && let Some(layer) = Layer::from_prefix(prefix)
        {
            let bare = Spanned::new(text.span(), rest.to_owned());
            return self.area(&bare, layer, key).map(JurisdictionId::Census);
        }
        match value.parse() {
            Ok(id @ JurisdictionId::District(_)) => Some(id),
            _ => {
                self.at(text, key, format!("{value:?} is not a body: expected state, county:NNNNN Name, place:NNNNNNN Name, cousub:NNNNNNNNNN Name or district:name"));
                None
            }
        }
    }
}

/// Checks that an address has http or https, a host with a dot, and only characters that a URI may have (RFC 3986).
fn check_url(url: &str) -> Result<(), &'static str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .ok_or("bad URL, it must begin with https:// or http://")?;
    if !url.bytes().all(|byte| byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte)) {
        return Err("bad URL, spaces, braces and letters outside ASCII must be percent-encoded");
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    let host = host.split(':').next().unwrap_or("");
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !host.contains('.') || !host.split('.').all(label) {
        return Err("bad URL, the host must be a name with a dot");
    }
    Ok(())
}
