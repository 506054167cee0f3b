//! Collects the published sources that an answer rests on, in order of first use.

use super::{
    Answers, Notice,
    assignments::{Assignments, Entry, Territory},
    guides,
    model::{Answer, ChainAt, Data, GuideDetails, Matched, PlaceDetails, Resolved, ScreenedFact},
    offices::Office,
};
use crate::{
    directory::{DateRef, Directory, Matches, ResourceView, Row, SourceRow},
    rules::FunctionRule,
    vocabulary::{FunctionSet, OutsideSource},
};

/// A source that an answer cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// A source recorded in the snapshot.
    Snapshot(SourceRow),
    /// A service or file outside the snapshot.
    Outside(&'a OutsideSource),
}

impl<'a> Source<'a> {
    /// The name of the source, as answers show it.
    pub fn name(self, directory: &'a Directory) -> &'a str {
        match self {
            Source::Snapshot(row) => directory.source(row).name,
            Source::Outside(source) => &source.name,
        }
    }
}

impl Answers {
    /// Returns the sources of an answer, in order of first use, each once.
    pub fn sources<'a>(&self, answer: &'a Answer<'_>) -> Vec<Source<'a>> {
        self.sources_on(answer, FunctionSet::default())
    }

    /// Like [`Answers::sources`], but cites only the offices for these functions; an empty set means all.
    pub fn sources_on<'a>(&self, answer: &'a Answer<'_>, only: FunctionSet) -> Vec<Source<'a>> {
        let directory = self.directory();
        let is_listed = vec![false; directory.source_count()];
        let sources = Vec::with_capacity(32);
        let mut tracker = SourceTracker { answers: self, directory, only, sources, is_listed };
        match &answer.data {
            Data::Resolve(resolved) => tracker.resolved(resolved),
            Data::Place(place) => tracker.place(place),
            Data::Resources(list) => {
                tracker.jurisdictions([list.place]);
                tracker.resources(&list.resources);
            }
            Data::List(list) => {
                tracker.jurisdictions(list.rows.iter().map(|listed| listed.row));
                list.rows
                    .iter()
                    .filter_map(|listed| listed.entry.as_ref())
                    .for_each(|entry| tracker.entry(entry));
            }
            Data::Chains(rows) => {
                rows.iter().filter_map(|row| row.found.as_ref().ok()).for_each(|chain| tracker.chain(chain));
            }
            Data::Search(matches) => tracker.matches(matches),
            Data::Ask(asked) => {
                asked.resolved.iter().for_each(|resolved| tracker.resolved(resolved));
                tracker.jurisdictions(asked.counties.iter().map(|(row, _)| *row));
                tracker.matches(&asked.matches);
            }
            Data::Screening(screened) => {
                tracker.jurisdictions(screened.lineage.iter().copied());
                tracker.facts(&screened.facts);
            }
            Data::Guide(guide) => tracker.guide(guide),
            Data::Topics(_) | Data::Download | Data::Coverage(_) => {}
        }
        answer.notice_sources(directory).into_iter().for_each(|row| tracker.row(row));
        tracker.sources
    }
}

impl Answer<'_> {
    /// The sources that this answer's caveats add to those of its data. Two answers with equal data have equal
    /// sources only if their caveats have equal sources, too.
    pub fn notice_sources(&self, directory: &Directory) -> Vec<SourceRow> {
        sources_of(&self.notices, directory)
    }
}

/// The sources of caveats. Most caveats rest on data that the answer shows; the kinds matched here have sources of
/// their own.
fn sources_of(notices: &[Notice], directory: &Directory) -> Vec<SourceRow> {
    let mut rows = Vec::new();
    for notice in notices {
        match notice {
            Notice::CityChanged { change } | Notice::YoungCity { change, .. } => {
                rows.extend(directory.city_change(*change).map(|change| change.source));
            }
            Notice::DatedChange { change, .. } => {
                rows.extend(directory.dated_change(*change).map(|change| change.source));
            }
            Notice::InSeveralCounties { .. } => rows.extend(directory.place_counties_source()),
            Notice::FederalLand { land } | Notice::FederalLandOfName { land } => {
                rows.extend(directory.federal_sources(*land));
            }
            Notice::TribalLand { land }
            | Notice::LandOfName { land }
            | Notice::PlaceInTribalLand { land, .. } => {
                rows.extend(directory.tribal_sources(*land));
            }
            Notice::InWater { .. } => rows.extend(directory.shore_sources()),
            _ => {}
        }
    }
    rows
}

/// Collects sources in order of first use, each once.
struct SourceTracker<'a, 'd> {
    answers: &'d Answers,
    directory: &'d Directory,
    /// The functions whose offices are cited; empty for all.
    only: FunctionSet,
    sources: Vec<Source<'a>>,
    /// For each source of the snapshot, whether `sources` has it. This saves a search in the hundreds of sources that
    /// rows of many points cite.
    is_listed: Vec<bool>,
}

impl<'a> SourceTracker<'a, '_> {
    fn add(&mut self, source: Source<'a>) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    fn row(&mut self, row: SourceRow) {
        if let Some(is_listed) = self.is_listed.get_mut(row.index())
            && !std::mem::replace(is_listed, true)
        {
            self.sources.push(Source::Snapshot(row));
        }
    }

    fn jurisdictions(&mut self, rows: impl IntoIterator<Item = Row>) {
        rows.into_iter().for_each(|row| self.row(self.directory.jurisdiction_source(row)));
    }

    fn resources(&mut self, views: &[ResourceView<'_>]) {
        views.iter().for_each(|view| self.row(view.source));
    }

    fn resolved(&mut self, resolved: &'a Resolved) {
        if let Matched::Address { found, .. } = &resolved.matched {
            self.add(Source::Outside(&found.source));
        }
        self.jurisdictions(resolved.lineage.iter().copied());
        if let (Territory::TribalLand(_), Some(point)) = (resolved.territory, resolved.point)
            && let Some(land) = self.directory.tribal_land_at(point)
        {
            self.directory.tribal_sources(land).for_each(|row| self.row(row));
        }
        self.assignments(&self.answers.assignments(resolved.territory));
    }

    fn chain(&mut self, chain: &ChainAt) {
        self.jurisdictions(chain.lineage.iter().copied());
        let state = chain.lineage.first().and_then(|row| self.directory.state_of(*row));
        let outcomes =
            chain.outcomes.iter().flat_map(|outcome| std::iter::once(outcome).chain(&outcome.also));
        for outcome in outcomes {
            let row = state.and_then(|state| self.directory.rule_source(state, outcome.source));
            row.into_iter().for_each(|row| self.row(row));
        }
        sources_of(&chain.notices, self.directory).into_iter().for_each(|row| self.row(row));
    }

    fn matches(&mut self, matches: &Matches) {
        self.jurisdictions(matches.places.iter().map(|found| found.row));
        let views = matches.resources.iter().filter_map(|number| self.directory.resource(*number));
        views.for_each(|view| self.row(view.source));
    }

    fn place(&mut self, place: &PlaceDetails<'_>) {
        self.jurisdictions([place.place]);
        self.jurisdictions(place.lineage.iter().copied());
        self.resources(&place.resources);
        self.assignments(&place.assignments);
        place.offices.iter().for_each(|office| self.office(office));
    }

    fn assignments(&mut self, assignments: &Assignments) {
        let only = self.only;
        let is_wanted = |entry: &&Entry| only.allows(entry.outcome.function);
        assignments.iter().flat_map(Entry::all).filter(is_wanted).for_each(|entry| self.entry(entry));
    }

    fn entry(&mut self, entry: &Entry) {
        entry.evidence.into_iter().for_each(|row| self.row(row));
        entry.office.iter().for_each(|office| self.office(office));
        let views = entry.resources.iter().filter_map(|number| self.directory.resource(*number));
        views.for_each(|view| self.row(view.source));
        self.dates(&entry.dates);
        self.dates(entry.shown_relief(self.only));
    }

    fn dates(&mut self, dates: &[DateRef]) {
        let views = dates.iter().filter_map(|date| self.directory.date(*date));
        views.for_each(|view| self.row(view.source));
    }

    fn office(&mut self, office: &Office) {
        let Some(site) = office.shown_site(self.directory) else { return };
        self.row(site.source);
        site.origin.iter().for_each(|origin| self.row(origin.source));
    }

    /// Adds the sources of the maps, then of the pages, then of the offices that decide. So the sources of all facts
    /// stand before those of one office.
    fn facts(&mut self, facts: &'a [ScreenedFact<'_>]) {
        let checked = facts.iter().map(|screened| &screened.fact).filter(|fact| fact.is_checked());
        checked.for_each(|fact| self.add(Source::Outside(fact.source())));
        facts.iter().for_each(|screened| self.resources(&screened.resources));
        let deciders = facts.iter().filter_map(|screened| screened.decider.as_ref());
        deciders.flat_map(Entry::all).for_each(|entry| self.entry(entry));
    }

    /// Adds the sources of a guide. Cites the rules of all jobs, because the field `state_rules` shows them. The jobs
    /// of the topic come first.
    fn guide(&mut self, guide: &GuideDetails<'_>) {
        self.dates(&guide.dates);
        self.dates(&guide.local_dates);
        let Some(ruled) = guide.ruled else { return };
        let all = guides::about(ruled, guide.topic).chain(&ruled.file.rules.functions);
        for case in all.flat_map(FunctionRule::statewide_cases) {
            let row = self.directory.rule_source(ruled.file.rules.state, case.source);
            row.into_iter().for_each(|row| self.row(row));
        }
    }
}
