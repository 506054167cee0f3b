//! Indexes governments by name.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{FuncStat, Geoid, Layer, StateCode};

use super::{
    Government,
    words::{key, words},
};

/// Governments by state and name. Ids of one government form a group; a group's number is the position of its first
/// member.
pub(super) struct Index<'a> {
    pub(super) governments: &'a [Government],
    group_of: Vec<usize>,
    members: BTreeMap<usize, Vec<usize>>,
    counties: BTreeMap<(u8, String), BTreeSet<usize>>,
    towns: BTreeMap<(u8, String), BTreeSet<usize>>,
    by_id: BTreeMap<Geoid, usize>,
}

impl<'a> Index<'a> {
    pub(super) fn new(governments: &'a [Government]) -> Index<'a> {
        let by_id: BTreeMap<Geoid, usize> =
            governments.iter().enumerate().map(|(at, government)| (government.id, at)).collect();
        let group_of: Vec<usize> =
            (0..governments.len()).map(|at| first_of(governments, &by_id, at)).collect();
        let mut index = Index {
            governments,
            group_of,
            members: BTreeMap::new(),
            counties: BTreeMap::new(),
            towns: BTreeMap::new(),
            by_id,
        };
        for at in 0..governments.len() {
            index.members.entry(index.group_of[at]).or_default().push(at);
        }
        for at in 0..governments.len() {
            if index.acts(at) {
                index.enter(at);
            }
        }
        index
    }

    /// Whether the area governs, or is a fictitious unit that stands for a government with another id.
    pub(super) fn acts(&self, at: usize) -> bool {
        let government = &self.governments[at];
        let partner = || government.same_as.iter().any(|id| self.by_id.contains_key(id));
        government.func_stat.governs() || (government.func_stat == FuncStat::Fictitious && partner())
    }

    fn enter(&mut self, at: usize) {
        let (government, group) = (&self.governments[at], self.group_of[at]);
        let fips = government.state.fips();
        let is_county = government.id.layer() == Layer::County && government.kind() != "city";
        for name in government.names() {
            let map = if is_county { &mut self.counties } else { &mut self.towns };
            map.entry((fips, name)).or_default().insert(group);
        }
    }

    pub(super) fn county(&self, state: StateCode, name: &str) -> Option<usize> {
        let found = self.counties.get(&(state.fips(), name.to_owned()))?;
        found.first().copied().filter(|_| found.len() == 1)
    }

    pub(super) fn towns(&self, state: StateCode, name: &str) -> Vec<usize> {
        self.towns.get(&(state.fips(), name.to_owned())).into_iter().flatten().copied().collect()
    }

    pub(super) fn group(&self, id: Geoid) -> Option<usize> {
        self.by_id.get(&id).map(|at| self.group_of[*at])
    }

    /// All members of the group: the ids of one government.
    pub(super) fn members(&self, group: usize) -> impl Iterator<Item = &Government> {
        self.members.get(&group).into_iter().flatten().map(|at| &self.governments[*at])
    }

    pub(super) fn is_county(&self, group: usize) -> bool {
        self.members(group).any(|member| member.id.layer() == Layer::County)
    }

    /// The ids of the group that get the group's sites.
    pub(super) fn shown(&self, group: usize) -> Vec<Geoid> {
        let members = self.members.get(&group).into_iter().flatten();
        members.filter(|at| self.acts(**at)).map(|at| self.governments[*at].id).collect()
    }

    /// The known counties of the group's areas.
    pub(super) fn counties_of(&self, group: usize) -> BTreeSet<Geoid> {
        let own = |government: &Government| match government.id.layer() {
            Layer::County => Some(government.id),
            _ => government.county.or_else(|| government.id.county()),
        };
        self.members(group).filter_map(own).collect()
    }

    pub(super) fn all_counties(&self, state: StateCode) -> impl Iterator<Item = (&str, usize)> {
        let range = (state.fips(), String::new())..(state.fips() + 1, String::new());
        self.counties
            .range(range)
            .filter(|(_, groups)| groups.len() == 1)
            .filter_map(|((_, name), groups)| Some((name.as_str(), *groups.first()?)))
    }
}

fn first_of(governments: &[Government], by_id: &BTreeMap<Geoid, usize>, at: usize) -> usize {
    let (mut seen, mut next) = (BTreeSet::from([at]), vec![at]);
    while let Some(here) = next.pop() {
        for other in governments[here].same_as.iter().filter_map(|id| by_id.get(id)) {
            if seen.insert(*other) {
                next.push(*other);
            }
        }
    }
    seen.first().copied().unwrap_or(at)
}

impl Government {
    /// The legal word, with one word for all kinds of township.
    pub(super) fn kind(&self) -> &str {
        match self.legal_type.as_deref().unwrap_or_default() {
            "charter township" => "township",
            other => other,
        }
    }

    /// The words of the name without the legal word.
    pub(super) fn bare(&self) -> Vec<String> {
        let mut name = words(&self.name, Some(self.state));
        for word in words(self.legal_type.as_deref().unwrap_or_default(), Some(self.state)).iter().rev() {
            if name.len() > 1 && name.last() == Some(word) && self.id.layer() != Layer::Place {
                name.pop();
            }
        }
        name
    }

    /// Every name under which the government is found: with and without the legal word, and short forms of
    /// consolidated governments.
    fn names(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> =
            [key(&self.bare()), key(&words(&self.name, Some(self.state)))].into();
        let consolidated = self.kind().contains("government") || self.func_stat == FuncStat::Consolidated;
        if let Some(tail) =
            self.ocd_id.as_deref().and_then(|id| id.rsplit(':').next()).filter(|_| consolidated)
        {
            names.insert(key(&words(&tail.replace(['_', '~'], " "), Some(self.state))));
        }
        if consolidated && self.id.layer() == Layer::Place {
            names.extend(self.name.split(['-', '/']).next().map(|part| key(&words(part, Some(self.state)))));
        }
        if self.legal_type.as_deref() == Some("county") {
            // A county named with two words is also written as one word.
            names.insert(key(&self.bare()).replace("county", ""));
        }
        names.retain(|name| !name.is_empty());
        names
    }
}
