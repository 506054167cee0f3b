//! Finds the government that an organization's or a comment's words name.
//!
//! The steps go from the clearest form ("City of X", "X County") to the bare name; the first match counts. Whether
//! the row is the main site of that government is decided in `judge`.

use std::collections::BTreeSet;

use platbook::vocabulary::{Geoid, Layer, StateCode};

use super::{
    index::Index,
    label::beside,
    words::{key, words},
};

/// The parts of a row that names are read from.
pub(super) struct Subject<'a> {
    pub(super) state: StateCode,
    /// Words of the organization or comment.
    pub(super) words: Vec<String>,
    /// The host's own label (see `label`).
    pub(super) label: &'a str,
    /// City of the organization's mailing address; empty if the list has none.
    pub(super) city: &'a str,
    /// Whether the list calls the organization a county.
    pub(super) county: bool,
}

/// The result of the search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// One government, and the words beside its name.
    One(usize, Vec<String>),
    /// Several governments have the name.
    Several,
    /// No government has the name.
    Nobody,
}

/// Legal words of towns and places.
const KINDS: [&str; 7] = ["city", "town", "village", "borough", "township", "municipality", "municipio"];
/// Legal words of counties, in the states that use them.
const COUNTY_WORDS: [&str; 2] = ["county", "parish"];

/// Finds the government that the words name.
pub(super) fn find(index: &Index, subject: &Subject) -> Found {
    let reader = Reader { index, subject };
    let all = &subject.words;
    let town_of = (0..all.len()).find(|at| {
        KINDS.contains(&all[*at].as_str()) && matches!(all.get(at + 1).map(String::as_str), Some("of" | "de"))
    });
    let township = all.iter().any(|word| ["township", "village", "borough"].contains(&word.as_str()));
    // "Miami Township of Greene County" is Miami Township.
    let before = town_of.filter(|at| *at > 0 && all.iter().any(|word| word == "county"));
    if let Some(Found::One(group, rest)) = before.map(|_| reader.town_before()) {
        return Found::One(group, rest);
    }
    let first = town_of.map_or(Found::Nobody, |at| reader.town_of(at));
    if first != Found::Nobody {
        return first;
    }
    let steps: [&dyn Fn() -> Found; 4] = if township && !subject.county {
        [&|| reader.town_before(), &|| reader.county(), &|| reader.bare(), &|| Found::Nobody]
    } else {
        [&|| reader.county(), &|| reader.bare_county(), &|| reader.town_before(), &|| reader.bare()]
    };
    let mut several = Found::Nobody;
    for step in steps {
        match step() {
            Found::One(group, rest) => return Found::One(group, rest),
            Found::Several => several = Found::Several,
            Found::Nobody => {}
        }
    }
    several
}

struct Reader<'a> {
    index: &'a Index<'a>,
    subject: &'a Subject<'a>,
}

impl Reader<'_> {
    fn without(&self, from: usize, to: usize) -> Vec<String> {
        let all = &self.subject.words;
        all[..from].iter().chain(&all[to..]).cloned().collect()
    }

    /// Reads "City of X" with the longest X that a town has.
    fn town_of(&self, at: usize) -> Found {
        let all = &self.subject.words;
        let kind = all[at].as_str();
        let mut start = at + 2;
        while all.get(start).is_some_and(|word| word == "the") {
            start += 1;
        }
        for end in (start + 1..=all.len()).rev() {
            let name = key(&all[start..end]);
            let rest = || self.without(at, end);
            let mut groups = self.index.towns(self.subject.state, &name);
            if groups.is_empty() && end == all.len().min(start + 4) {
                groups = self.index.towns(self.subject.state, &format!("{name}{kind}"));
            }
            match self.pick(&groups, Some(kind), &rest()) {
                Found::Nobody => {}
                found => return found,
            }
        }
        Found::Nobody
    }

    /// Reads "X Township", or a name that ends in such a word, such as Jefferson City.
    fn town_before(&self) -> Found {
        let all = &self.subject.words;
        for at in (1..all.len()).filter(|at| KINDS.contains(&all[*at].as_str())) {
            for start in 0..at {
                let whole = self.index.towns(self.subject.state, &key(&all[start..=at]));
                let named = self.pick(&whole, None, &self.without(start, at + 1));
                let found = match named {
                    Found::Nobody => {
                        let groups = self.index.towns(self.subject.state, &key(&all[start..at]));
                        self.pick(&groups, Some(&all[at]), &self.without(start, at + 1))
                    }
                    named => named,
                };
                if found != Found::Nobody {
                    return found;
                }
            }
        }
        Found::Nobody
    }

    /// Reads "County of X" or "X County".
    fn county(&self) -> Found {
        let all = &self.subject.words;
        let state = self.subject.state;
        for at in (0..all.len()).filter(|at| self.is_county_word(&all[*at])) {
            if all.get(at + 1).is_some_and(|word| word == "of") {
                for end in (at + 3..=all.len()).rev() {
                    if let Some(group) = self.index.county(state, &key(&all[at + 2..end])) {
                        return Found::One(group, self.beside_partners(group, self.without(at, end)));
                    }
                }
            }
            let mut name_end = at;
            if at > 1 && ["urban", "metro", "metropolitan"].contains(&all[at - 1].as_str()) {
                name_end -= 1;
            }
            for start in 0..name_end {
                if let Some(group) = self.index.county(state, &key(&all[start..name_end])) {
                    return Found::One(group, self.beside_partners(group, self.without(start, at + 1)));
                }
            }
        }
        Found::Nobody
    }

    fn is_county_word(&self, word: &str) -> bool {
        COUNTY_WORDS.contains(&word)
            || (self.subject.state.usps() == "AK" && word == "borough")
            || (self.subject.state.usps() == "PR" && ["municipality", "municipio"].contains(&word))
    }

    /// Reads a bare name, in a row for counties only.
    fn bare_county(&self) -> Found {
        let all = &self.subject.words;
        let wanted = self.subject.county && !all.iter().any(|word| KINDS.contains(&word.as_str()));
        for end in (1..=all.len()).rev().filter(|_| wanted) {
            if let Some(group) = self.index.county(self.subject.state, &key(&all[..end])) {
                return Found::One(group, all[end..].to_vec());
            }
        }
        Found::Nobody
    }

    fn bare(&self) -> Found {
        let all = &self.subject.words;
        if self.subject.state.usps() == "PR" {
            let start = all.iter().position(|word| word == "of" || word == "de").map_or(0, |at| at + 1);
            let found = (start + 1..=all.len())
                .rev()
                .find_map(|end| Some((self.index.county(self.subject.state, &key(&all[start..end]))?, end)));
            return found.map_or(Found::Nobody, |(group, end)| Found::One(group, self.without(start, end)));
        }
        let skip = usize::from(all.first().is_some_and(|word| word == "the"));
        for end in (skip + 1..=all.len()).rev() {
            let groups = self.index.towns(self.subject.state, &key(&all[skip..end]));
            let kind = all.get(end).map(String::as_str).filter(|word| KINDS.contains(word));
            match self.pick(&groups, kind, &self.without(skip, end)) {
                Found::Nobody => {}
                found => return found,
            }
        }
        Found::Nobody
    }

    /// Removes the names of a consolidated government's other parts from the rest.
    fn beside_partners(&self, group: usize, rest: Vec<String>) -> Vec<String> {
        let mut rest = rest;
        for member in self.index.members(group) {
            let first = member.name.split(['-', '/']).map(|part| words(part, Some(self.subject.state)));
            for name in first.chain([member.bare()]).filter(|name| !name.is_empty()) {
                if let Some(at) = rest.windows(name.len()).position(|here| here == name) {
                    rest.drain(at..at + name.len());
                }
            }
        }
        rest
    }

    /// Chooses among groups of one name: by legal word, then by county. `Several` if neither decides.
    fn pick(&self, groups: &[usize], kind: Option<&str>, rest: &[String]) -> Found {
        if groups.is_empty() {
            return Found::Nobody;
        }
        let (rest, named) = self.take_county(rest);
        let of_kind =
            |group: &usize, kind: &str| self.index.members(*group).any(|member| member.kind() == kind);
        let of_label = || self.kind_of_label().filter(|kind| groups.iter().any(|group| of_kind(group, kind)));
        let kind = kind.filter(|kind| !kind.starts_with("munic")).or_else(of_label);
        let typed: Vec<usize> = match kind {
            Some(kind) => groups.iter().copied().filter(|group| of_kind(group, kind)).collect(),
            None => groups.to_vec(),
        };
        let found = match (typed.as_slice(), groups) {
            ([one], _) => Some(*one),
            ([], [one]) if kind.is_none_or(|kind| self.may_be(*one, kind)) => Some(*one),
            ([], [_]) => return Found::Nobody,
            ([], many) => {
                self.in_county(many, named).filter(|one| kind.is_none_or(|kind| self.may_be(*one, kind)))
            }
            (many, _) => self.in_county(many, named),
        };
        match found {
            Some(group) => Found::One(group, self.beside_partners(group, rest)),
            None => Found::Several,
        }
    }

    /// Whether people may use the word for a government with another legal word.
    fn may_be(&self, group: usize, kind: &str) -> bool {
        self.index.members(group).any(|member| {
            let legal = member.kind();
            // A village or borough that is a subdivision lies beside the town of its name and is another
            // government.
            let word = match kind {
                "city" | "town" => true,
                "village" | "borough" => member.id.layer() == Layer::Place,
                _ => false,
            };
            (word && legal != "township" && legal != "county")
                || (kind == "town" && legal == "township" && self.subject.state.usps() == "MN")
        })
    }

    /// The legal word in the address, for organizations without one.
    fn kind_of_label(&self) -> Option<&'static str> {
        let label = self.subject.label;
        let starts = [
            ("cityof", "city"),
            ("townof", "town"),
            ("villageof", "village"),
            ("boroughof", "borough"),
            ("townshipof", "township"),
        ];
        let ends =
            [("twp", "township"), ("township", "township"), ("borough", "borough"), ("boro", "borough")];
        let start = starts.iter().find(|(word, _)| label.starts_with(word));
        start.or_else(|| ends.iter().find(|(word, _)| label.ends_with(word))).map(|(_, kind)| *kind)
    }

    /// The rest without a county's name, and that county if it is named.
    fn take_county(&self, rest: &[String]) -> (Vec<String>, Option<Geoid>) {
        for at in (1..rest.len()).filter(|at| COUNTY_WORDS.contains(&rest[*at].as_str())) {
            for start in 0..at {
                if let Some(group) = self.index.county(self.subject.state, &key(&rest[start..at])) {
                    let left = rest[..start].iter().chain(&rest[at + 1..]).cloned().collect();
                    let county = self.index.members(group).find(|member| {
                        member.id.county() == Some(member.id)
                            || member.kind() == "county"
                            || member.kind() == "parish"
                    });
                    return (left, county.map(|member| member.id));
                }
            }
        }
        (rest.to_vec(), None)
    }

    /// The one group in the county that the words, the address or the mailing city name; `None` if several groups lie
    /// there.
    fn in_county(&self, groups: &[usize], named: Option<Geoid>) -> Option<usize> {
        let only = |counties: &BTreeSet<Geoid>| {
            let mut inside =
                groups.iter().filter(|group| !self.index.counties_of(**group).is_disjoint(counties));
            inside.next().copied().filter(|_| inside.next().is_none())
        };
        match named {
            Some(county) => only(&[county].into()),
            None => only(&self.label_counties(groups)).or_else(|| only(&self.mail_counties())),
        }
    }

    /// Counties of the groups, if the county's name is in the address beside the government's name.
    fn label_counties(&self, groups: &[usize]) -> BTreeSet<Geoid> {
        let label = self.subject.label;
        let name = groups
            .first()
            .and_then(|group| self.index.members(*group).next())
            .map(|member| key(&member.bare()));
        let Some(rest) = name.and_then(|name| label.contains(&name).then(|| label.replacen(&name, "", 1)))
        else {
            return BTreeSet::new();
        };
        let counties = groups.iter().flat_map(|group| self.index.counties_of(*group));
        let stands = |county: &Geoid| {
            let group = self.index.group(*county);
            let member =
                group.and_then(|group| self.index.members(group).find(|member| member.id == *county));
            member.is_some_and(|member| beside(&rest, &member.bare(), self.subject.state).pure)
        };
        counties.filter(stands).collect()
    }

    /// Counties of the mailing city. Empty if several governments in different counties have its name.
    fn mail_counties(&self) -> BTreeSet<Geoid> {
        let groups =
            self.index.towns(self.subject.state, &key(&words(self.subject.city, Some(self.subject.state))));
        let counties: BTreeSet<Geoid> =
            groups.iter().flat_map(|group| self.index.counties_of(*group)).collect();
        if groups.len() == 1 || counties.len() == 1 { counties } else { BTreeSet::new() }
    }
}
