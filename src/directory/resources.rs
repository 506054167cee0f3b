//! Websites and resources: which are a jurisdiction's own, and in which order they are shown.

use std::cmp::Reverse;

use super::{Directory, Row, SourceRow};
use crate::{
    snapshot::{ArchivedResourceRow, ArchivedWebsiteRow},
    vocabulary::{
        Function, FunctionSet, JurisdictionId, JurisdictionType, Layer, RecordId, SourceKind, StateCode,
        Topic, TopicSet, VerifiedStatus, bare_url,
    },
};

/// A resource as the snapshot has it.
#[derive(Clone, Copy, Debug)]
pub struct ResourceView<'a> {
    /// Its place among all resources.
    pub number: usize,
    /// Id.
    pub id: RecordId,
    /// Whose.
    pub jurisdiction: Row,
    /// Name.
    pub name: &'a str,
    /// What it is.
    pub description: Option<&'a str>,
    /// Address.
    pub url: &'a str,
    /// Deep link with `{pin}` or `{q}`.
    pub template: Option<&'a str>,
    /// What it serves.
    pub topics: TopicSet,
    /// Who publishes it.
    pub publisher: Option<&'a str>,
    /// Vendor that runs it.
    pub provider: Option<&'a str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// Whether it is the text of a law.
    pub law: bool,
    /// Whether the link was checked.
    pub status: VerifiedStatus,
    /// How it was gathered.
    pub kind: SourceKind,
    /// Where the record comes from.
    pub source: SourceRow,
}

/// The site of an office or of a government.
#[derive(Clone, Copy, Debug)]
pub struct WebsiteView<'a> {
    /// Whether it is the main site of the government and not the office's own.
    pub is_main: bool,
    /// Title of the office as the source has it.
    pub office: Option<&'a str>,
    /// Address.
    pub url: Option<&'a str>,
    /// Telephone.
    pub phone: Option<&'a str>,
    /// Mail box.
    pub email: Option<&'a str>,
    /// Street address.
    pub address: Option<&'a str>,
    /// Whether the link was checked.
    pub status: VerifiedStatus,
    /// Where the record comes from.
    pub source: SourceRow,
}

impl Directory {
    /// The site of the office that does a job for a body: its own where known, else the body's main site.
    pub fn website_of(&self, body: Row, function: Function) -> Option<WebsiteView<'_>> {
        let sites = || self.with_same(body).flat_map(|row| self.snapshot.records().websites_of(row.number()));
        let own = sites().find(|site| site.functions().has(function)).map(|site| self.website(site));
        let main = || self.main_site_of(body);
        // A district has one office: its website is the main site of the district, whatever it is listed for.
        let is_district = self.jurisdiction(body).kind == JurisdictionType::District;
        let any = || {
            let site = sites().find(|site| site.url(self.snapshot.records()).is_some());
            site.filter(|_| is_district).map(|site| WebsiteView { is_main: true, ..self.website(site) })
        };
        own.or_else(main).or_else(any)
    }

    /// The site of the office of this title, which does these jobs: its own for any of them, else the body's main site. Where
    /// another office of the body does a job first, the page for that job is the other's: the clerk who sells tax deeds has no
    /// page at the tax collector's.
    pub fn site_of_office(&self, body: Row, title: &str, functions: FunctionSet) -> Option<WebsiteView<'_>> {
        let jobs = self.jobs_of(body);
        let is_anothers = |function: &Function| {
            jobs.iter().any(|job| job.function == *function && job.office.as_deref() != Some(title))
        };
        let own = functions.iter().filter(|function| !is_anothers(function));
        let sites = own.filter_map(|function| self.website_of(body, function));
        sites.min_by_key(|site| site.is_main).or_else(|| self.main_site_of(body))
    }

    /// The main site of a government.
    pub fn main_site_of(&self, body: Row) -> Option<WebsiteView<'_>> {
        let mut sites =
            self.with_same(body).flat_map(|row| self.snapshot.records().websites_of(row.number()));
        sites.find(|site| site.functions().is_empty()).map(|site| self.website(site))
    }

    fn website<'a>(&'a self, site: &'a ArchivedWebsiteRow) -> WebsiteView<'a> {
        let records = self.snapshot.records();
        WebsiteView {
            is_main: site.functions().is_empty(),
            office: site.office(records),
            url: site.url(records),
            phone: site.phone(records),
            email: site.email(records),
            address: site.address(records),
            status: site.status(),
            source: SourceRow::new(site.source()),
        }
    }

    /// How many resources there are: numbers are those below.
    pub fn resource_count(&self) -> usize {
        self.snapshot.records().resources().len()
    }

    /// The resource of a number.
    pub fn resource(&self, number: usize) -> Option<ResourceView<'_>> {
        self.snapshot.records().resources().get(number).map(|row| self.view(number, row))
    }

    fn view<'a>(&'a self, number: usize, row: &'a ArchivedResourceRow) -> ResourceView<'a> {
        let records = self.snapshot.records();
        ResourceView {
            number,
            id: row.id(),
            jurisdiction: Row::new(row.jurisdiction()),
            name: row.name(records),
            description: row.description(records),
            url: row.url(records),
            template: row.template(records),
            topics: row.topics(),
            publisher: row.publisher(records),
            provider: row.provider(records),
            official: row.official(),
            law: row.law(),
            status: row.status(),
            kind: row.kind(),
            source: SourceRow::new(row.source()),
        }
    }

    fn with_same(&self, row: Row) -> impl Iterator<Item = Row> {
        std::iter::once(row).chain(self.same_as(row))
    }

    /// Whether it is the main site of its government.
    pub fn is_main_site(&self, view: &ResourceView<'_>) -> bool {
        let main = self.main_site_of(view.jurisdiction).and_then(|site| site.url);
        main.is_some_and(|main| bare_url(main) == bare_url(view.url))
    }

    /// A jurisdiction's own resources, best first: those that serve few topics before those that serve many.
    pub fn own_resources(&self, row: Row) -> Vec<ResourceView<'_>> {
        self.ranked(&[row], |_| true, |_| 0)
    }

    /// Resources for a topic, best first. `places` are the bodies to look at, the nearest first.
    pub fn resources_for(&self, places: &[Row], topic: Topic) -> Vec<ResourceView<'_>> {
        self.ranked(places, |view| view.topics.has(topic), |_| 0)
    }

    /// Resources for a function: its topics in their order, and each topic best first.
    pub fn resources_for_function(&self, places: &[Row], function: Function) -> Vec<ResourceView<'_>> {
        let fit =
            |view: &ResourceView<'_>| function.topics().iter().position(|topic| view.topics.has(*topic));
        self.ranked(places, |view| fit(view).is_some(), |view| fit(view).unwrap_or_default())
    }

    /// The one comparator: pages before data, what `first` says, own place before its parents, topic fit (the fewer topics
    /// the better, main sites and texts of law last), official, verified, then id.
    fn ranked(
        &self,
        places: &[Row],
        wanted: impl Fn(&ResourceView<'_>) -> bool,
        first: impl Fn(&ResourceView<'_>) -> usize,
    ) -> Vec<ResourceView<'_>> {
        let records = self.snapshot.records();
        let mut found = Vec::new();
        for (level, place) in places.iter().enumerate() {
            for row in self.with_same(*place) {
                let (start, own) = records.resources_of(row.number());
                let views = own.iter().enumerate().map(|(at, fields)| self.view(start + at, fields));
                found.extend(views.filter(|view| wanted(view)).map(|view| (level, view)));
            }
        }
        found.sort_by_cached_key(|(level, view)| {
            let is_data = view.kind == SourceKind::MapData;
            let fit = (first(view), *level, self.is_main_site(view), view.law, view.topics.len());
            (is_data, fit, Reverse(view.official), view.status, view.id)
        });
        let mut addresses = std::collections::BTreeSet::new();
        found.retain(|(_, view)| addresses.insert(bare_url(view.url)));
        found.into_iter().map(|(_, view)| view).collect()
    }

    /// How many records of these bodies are withheld from answers about these topics or functions.
    pub fn withheld(&self, places: &[Row], topics: TopicSet, functions: FunctionSet) -> usize {
        let rows = places.iter().flat_map(|place| self.with_same(*place));
        rows.map(|row| self.snapshot.records().withheld_of(row.number(), topics, functions)).sum()
    }

    /// A jurisdiction and what it lies in, up to the nation, the nearest first.
    pub fn with_parents(&self, row: Row) -> Vec<Row> {
        let mut rows = vec![row];
        let view = self.jurisdiction(row);
        match view.id {
            JurisdictionId::Census(geoid) if geoid.layer() == Layer::Place => {
                rows.extend(self.chain_of_place(row).map(|chain| chain.county));
            }
            JurisdictionId::Census(geoid) if geoid.layer() == Layer::Cousub => {
                rows.extend(geoid.county().and_then(|county| self.row_of(county)));
            }
            JurisdictionId::Census(_) | JurisdictionId::District(_) | JurisdictionId::Country => {}
        }
        rows.extend(view.state.and_then(|state| self.state_row(state)));
        rows.extend(self.country_row());
        let mut seen = Vec::new();
        rows.retain(|row| {
            !seen.contains(row) && {
                seen.push(*row);
                true
            }
        });
        rows
    }

    /// The row of a state.
    pub fn state_row(&self, state: StateCode) -> Option<Row> {
        *self.state_rows.get(state)
    }

    /// The row of the nation.
    pub fn country_row(&self) -> Option<Row> {
        self.snapshot.jurisdictions().find(&JurisdictionId::Country).map(Row::new)
    }
}
