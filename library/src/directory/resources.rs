//! Websites and resources of jurisdictions, and the order in which they are shown.

use std::cmp::Reverse;

use super::{
    Directory, Row, SourceRow,
    contacts::{Contact, ContactOrigin, ContactRef},
};
use crate::{
    snapshot::{ArchivedResourceRow, ArchivedWebsiteRow, LinkCheck},
    vocabulary::{
        Action, ActionSet, Function, FunctionSet, JurisdictionId, Layer, PageUse, RecordId, SourceKind,
        StateCode, Topic, TopicSet, UrlScope, VerifiedStatus, bare_url, is_no_page, is_same_page,
    },
};

/// A resource with its fields read.
#[derive(Clone, Copy, Debug)]
pub struct ResourceView<'a> {
    /// Index of the resource among all resources.
    pub number: usize,
    /// The id of the resource.
    pub id: RecordId,
    /// The jurisdiction that the resource belongs to.
    pub jurisdiction: Row,
    /// Name of the page or service.
    pub name: &'a str,
    /// One sentence that describes the page or service.
    pub description: Option<&'a str>,
    /// URL of the page.
    pub url: &'a str,
    /// Deep link with the placeholder `{pin}` or `{q}`.
    pub template: Option<&'a str>,
    /// Topics that the page serves.
    pub topics: TopicSet,
    /// Name of the publisher.
    pub publisher: Option<&'a str>,
    /// Vendor that runs the page for the publisher.
    pub provider: Option<&'a str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// The purpose for which people use the page.
    pub page_use: PageUse,
    /// The actions that a person can take on the page.
    pub actions: ActionSet,
    /// Result of the link check.
    pub status: VerifiedStatus,
    /// The last check of the link; `None` if none is known.
    pub check: Option<LinkCheck<'a>>,
    /// The way in which the resource was found.
    pub kind: SourceKind,
    /// Source of the record.
    pub source: SourceRow,
}

/// The page and contact data of an office: its own, or those of its government if the office has none on record.
///
/// [`ShownSite::scope`] names the owner of the page: office or government. [`ShownSite::origin`] names the owner of
/// telephone, mail box and address.
#[derive(Clone, Copy, Debug)]
pub struct ShownSite<'a> {
    /// The owner of the page: the office or its government.
    pub scope: UrlScope,
    /// URL of the page; `None` if only other contact data is on record.
    pub url: Option<&'a str>,
    /// Telephone number as its source writes it.
    pub phone: Option<&'a str>,
    /// Email address of the office, never that of a person.
    pub email: Option<&'a str>,
    /// Street or postal address in one line.
    pub address: Option<&'a str>,
    /// The desk that telephone, mail box and address reach; `None` without any of them.
    pub origin: Option<ContactOrigin<'a>>,
    /// Result of the link check.
    pub status: VerifiedStatus,
    /// The last check of the link; `None` if none is known.
    pub check: Option<LinkCheck<'a>>,
    /// The source of the link; without a link, the source of the contact.
    pub source: SourceRow,
}

/// The site and the contact that are shown for an office.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfficeSite {
    /// The office's own page if it is on record, else the main site of its government.
    pub site: Option<SiteRef>,
    /// The office's own contact if it is on record, else the main line of its government.
    pub contact: Option<ContactRef>,
}

/// A website by its index in the snapshot, with its role for an office. Only a [`Directory`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteRef {
    number: u32,
    is_main: bool,
}

impl SiteRef {
    /// Whether this is the main site of the government and not the office's own page.
    pub fn is_main(self) -> bool {
        self.is_main
    }
}

/// A link of a page or of an office, with the result of its check.
#[derive(Clone, Copy, Debug)]
pub struct CheckedLink<'a> {
    /// The government that the link belongs to.
    pub jurisdiction: Row,
    /// URL of the page.
    pub url: &'a str,
    /// Result of the link check.
    pub status: VerifiedStatus,
    /// The last check of the link; `None` if none is known.
    pub check: Option<LinkCheck<'a>>,
}

impl ResourceView<'_> {
    /// Whether the resource's link may be broken, by the list that it is from or by a check.
    pub fn is_broken(&self) -> bool {
        self.status == VerifiedStatus::PossiblyBroken
    }

    /// Whether the resource is no page that people use: a service or a file for map software, or a scanned document.
    pub fn is_no_page(&self) -> bool {
        self.kind == SourceKind::MapData || is_no_page(self.url)
    }

    /// Whether the resource gives only map data: a portal, a download or a service, in which people do not look for a
    /// parcel.
    pub fn is_data(&self) -> bool {
        self.is_no_page() || self.actions == ActionSet::from_iter([Action::GetMapData])
    }
}

/// The rank of a page for a function. Pages with the function's actions come first, in their order. Pages without an
/// action follow, then pages that have only other actions. The exemptions page of an assessor is not the way to the value of
/// a home.
fn action_rank(function: Function, actions: ActionSet) -> usize {
    let own = function.actions();
    match own.iter().position(|action| actions.has(*action)) {
        Some(at) => at,
        None if actions.is_empty() => own.len(),
        None => own.len() + 1,
    }
}

impl Directory {
    /// The page and contact data on record for an office; `None` without any.
    ///
    /// # Panics
    /// When it comes from the directory of another snapshot, which has more records.
    pub fn shown_site(&self, office: OfficeSite) -> Option<ShownSite<'_>> {
        let of_site = office.site.map(|site| self.contact_of_site(site)).unwrap_or_default();
        let Contact { phone, email, address, origin } = self.shown_contact(of_site, office.contact);
        let link = office.site.map(|site| self.linked_site(site));
        let row = link.map(|site| self.site_row(site));
        let source = row.map(|row| SourceRow::new(row.source()));
        let url = row.and_then(|row| row.url(self.snapshot.records()));
        let check = link.filter(|_| url.is_some()).and_then(|site| self.check_of_site(site));
        let listed = row.map_or(VerifiedStatus::NotYetVerified, ArchivedWebsiteRow::status);
        Some(ShownSite {
            scope: if link.is_some_and(SiteRef::is_main) { UrlScope::Government } else { UrlScope::Office },
            url,
            phone,
            email,
            address,
            origin,
            status: check.map_or(listed, |check| check.status),
            check,
            source: source.or(origin.map(|origin| origin.source))?,
        })
    }

    /// The site whose link is shown for a site of an office. The main site of the government stands in for a scanned
    /// document.
    fn linked_site(&self, site: SiteRef) -> SiteRef {
        let is_page = self.url_of_site(site).is_none_or(|url| !is_no_page(url));
        let main = || self.main_site_ref(Row::new(self.site_row(site).jurisdiction()));
        if is_page { site } else { main().unwrap_or(site) }
    }

    /// The contact in the record of an office's own page. The contact of a main site reaches another office, so it is
    /// left out.
    fn contact_of_site(&self, site: SiteRef) -> Contact<'_> {
        if site.is_main {
            return Contact::default();
        }
        let (row, records) = (self.site_row(site), self.snapshot.records());
        let (phone, email, address) = (row.phone(records), row.email(records), row.address(records));
        let source = SourceRow::new(row.source());
        let origin = ContactOrigin { scope: UrlScope::Office, name: row.office(records), year: None, source };
        let is_known = phone.or(email).or(address).is_some();
        Contact { phone, email, address, origin: is_known.then_some(origin) }
    }

    /// The main site of a government; `None` if none is on record.
    pub fn main_site_of(&self, body: Row) -> Option<ShownSite<'_>> {
        self.shown_site(OfficeSite { site: Some(self.main_site_ref(body)?), contact: None })
    }

    /// The website for a function of a body: its own page for the function, else the body's main site. A link that
    /// may be broken gives way to another.
    pub(super) fn site_for(&self, body: Row, function: Function) -> Option<SiteRef> {
        let own = self.sites_of(body).filter(|site| self.site_row(*site).functions().has(function));
        let others = self.main_site_ref(body).or_else(|| self.site_of_district(body));
        own.chain(others).min_by_key(|site| self.is_broken_site(*site))
    }

    fn check_of_site(&self, site: SiteRef) -> Option<LinkCheck<'_>> {
        self.snapshot.link_checks()?.of_website(site.number as usize)
    }

    fn is_broken_site(&self, site: SiteRef) -> bool {
        let status = self.check_of_site(site).map_or(self.site_row(site).status(), |check| check.status);
        status == VerifiedStatus::PossiblyBroken
    }

    pub(super) fn main_site_ref(&self, body: Row) -> Option<SiteRef> {
        self.sites_of(body).find(|site| site.is_main)
    }

    /// The website of a district. A district has one office, so each of its websites is its main site, whatever
    /// function the site is listed for.
    fn site_of_district(&self, body: Row) -> Option<SiteRef> {
        if !matches!(self.id_of(body), JurisdictionId::District(_)) {
            return None;
        }
        let site = self.sites_of(body).find(|site| self.url_of_site(*site).is_some())?;
        Some(SiteRef { is_main: true, ..site })
    }

    fn main_url_of(&self, body: Row) -> Option<&str> {
        self.url_of_site(self.main_site_ref(body)?)
    }

    fn sites_of(&self, body: Row) -> impl Iterator<Item = SiteRef> {
        self.with_same(body).flat_map(|row| {
            let (start, own) = self.snapshot.records().websites_of(row.number());
            let numbered = own.iter().zip(start as u32..);
            numbered.map(|(site, number)| SiteRef { number, is_main: site.functions().is_empty() })
        })
    }

    fn site_row(&self, site: SiteRef) -> &ArchivedWebsiteRow {
        let sites = self.snapshot.records().websites();
        sites.get(site.number as usize).expect("sites come from this directory")
    }

    fn url_of_site(&self, site: SiteRef) -> Option<&str> {
        self.site_row(site).url(self.snapshot.records())
    }

    /// All links of resources and of websites. The same address appears once for each record that has it.
    pub fn links(&self) -> impl Iterator<Item = CheckedLink<'_>> {
        let resources = (0..self.resource_count()).filter_map(|number| self.resource(number));
        let resources = resources.map(|view| CheckedLink {
            jurisdiction: view.jurisdiction,
            url: view.url,
            status: view.status,
            check: view.check,
        });
        let (records, checks) = (self.snapshot.records(), self.snapshot.link_checks());
        let websites = records.websites().iter().enumerate().filter_map(move |(number, row)| {
            let check = checks.and_then(|checks| checks.of_website(number));
            Some(CheckedLink {
                jurisdiction: Row::new(row.jurisdiction()),
                url: row.url(records)?,
                status: check.map_or(row.status(), |check| check.status),
                check,
            })
        });
        resources.chain(websites)
    }

    /// The number of resources; each resource number is below it.
    pub fn resource_count(&self) -> usize {
        self.snapshot.records().resources().len()
    }

    /// The resource with this number; `None` beyond the last resource.
    pub fn resource(&self, number: usize) -> Option<ResourceView<'_>> {
        self.snapshot.records().resources().get(number).map(|row| self.view(number, row))
    }

    fn view<'a>(&'a self, number: usize, row: &'a ArchivedResourceRow) -> ResourceView<'a> {
        let records = self.snapshot.records();
        let url = row.url(records);
        let check = self.snapshot.link_checks().and_then(|checks| checks.of_resource(number));
        ResourceView {
            number,
            id: row.id(),
            jurisdiction: Row::new(row.jurisdiction()),
            name: row.name(records),
            description: row.description(records),
            url,
            template: row.template(records),
            topics: row.topics(),
            publisher: row.publisher(records),
            provider: row.provider(records),
            official: row.official(),
            page_use: row.page_use(),
            actions: self.snapshot.actions().map_or_else(ActionSet::default, |actions| actions.of(number)),
            status: check.map_or(row.status(), |check| check.status),
            check,
            kind: row.kind(),
            source: SourceRow::new(row.source()),
        }
    }

    pub(super) fn with_same(&self, row: Row) -> impl Iterator<Item = Row> + use<'_> {
        std::iter::once(row).chain(self.same_as(row))
    }

    /// Whether the resource is the main site of its government.
    pub fn is_main_site(&self, view: &ResourceView<'_>) -> bool {
        self.main_url_of(view.jurisdiction).is_some_and(|main| is_same_page(main, view.url))
    }

    /// A jurisdiction's own resources, best first: resources with few topics come before those with many.
    pub fn own_resources(&self, row: Row) -> Vec<ResourceView<'_>> {
        self.ranked(&[row], None, |_| Some(0))
    }

    /// Resources for a topic, best first. `places` are the bodies to search, the nearest first.
    pub fn resources_for(&self, places: &[Row], topic: Topic) -> Vec<ResourceView<'_>> {
        self.ranked(places, None, |topics| topics.has(topic).then_some(0))
    }

    /// Resources for a function: first those with an action of the function, then topic by topic in the function's
    /// order, each topic best first. Pages that have only other actions come last.
    pub fn resources_for_function(&self, places: &[Row], function: Function) -> Vec<ResourceView<'_>> {
        let first = |topics: TopicSet| function.topics().iter().position(|topic| topics.has(*topic));
        self.ranked(places, Some(function), first)
    }

    /// The resource of a jurisdiction at this URL; `None` if the jurisdiction has no such resource.
    pub fn page_at(&self, row: Row, url: &str) -> Option<ResourceView<'_>> {
        let mut views = self.with_same(row).flat_map(|row| self.views_of(row, |_| Some(0)));
        views.find_map(|(_, view)| is_same_page(view.url, url).then_some(view))
    }

    /// The first working page of these places on which people can take the action; the nearest place first. `None`
    /// without such a page.
    pub fn page_for_action(&self, places: &[Row], action: Action) -> Option<ResourceView<'_>> {
        let pages = self.ranked(places, None, |_| Some(0)).into_iter();
        pages.filter(|view| view.actions.has(action) && !view.is_broken()).min_by_key(|view| {
            places.iter().position(|place| self.with_same(*place).any(|row| row == view.jurisdiction))
        })
    }

    /// Collects and orders resources; all lists of pages use this order. `first` ranks the topics, and `None` leaves a
    /// page out.
    ///
    /// The order for a function is pages before data; otherwise it is pages before map services and scanned documents. Links that may be
    /// broken come after others, and pages with an action of the function first. Then come the rank of the topics,
    /// and own place before its parents. Data and main sites follow other pages, then acts, agencies and laws. Among
    /// equals, fewer topics, official and verified pages come first, then the id decides. Each URL is listed once.
    fn ranked(
        &self,
        places: &[Row],
        function: Option<Function>,
        first: impl Fn(TopicSet) -> Option<usize>,
    ) -> Vec<ResourceView<'_>> {
        let mut found = Vec::new();
        for (level, place) in places.iter().enumerate() {
            for row in self.with_same(*place) {
                let wanted = self.views_of(row, &first).map(|(first, view)| ((first, level), view));
                found.extend(wanted);
            }
        }
        found.sort_by_cached_key(|(fit, view)| {
            let is_last =
                (if function.is_some() { view.is_data() } else { view.is_no_page() }, view.is_broken());
            let action = function.map(|function| action_rank(function, view.actions));
            let fit =
                (*fit, view.is_data(), self.is_main_site(view), view.page_use.rank(), view.topics.len());
            (is_last, action, fit, Reverse(view.official), view.status, view.id)
        });
        let mut addresses = std::collections::BTreeSet::new();
        found.retain(|(_, view)| addresses.insert(bare_url(view.url)));
        found.into_iter().map(|(_, view)| view).collect()
    }

    /// The resources of a row that `first` accepts, each with its rank. Reads the texts of a resource only if it is
    /// accepted.
    fn views_of(
        &self,
        row: Row,
        first: impl Fn(TopicSet) -> Option<usize>,
    ) -> impl Iterator<Item = (usize, ResourceView<'_>)> {
        let (start, own) = self.snapshot.records().resources_of(row.number());
        own.iter()
            .enumerate()
            .filter_map(move |(at, fields)| Some((first(fields.topics())?, self.view(start + at, fields))))
    }

    /// The number of records of these bodies that are left out of answers about these topics or functions.
    pub fn withheld(&self, places: &[Row], topics: TopicSet, functions: FunctionSet) -> usize {
        let rows = places.iter().flat_map(|place| self.with_same(*place));
        rows.map(|row| self.snapshot.records().withheld_of(row.number(), topics, functions)).sum()
    }

    /// A jurisdiction and those that contain it, up to the nation, the nearest first.
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

    /// The row of a state; `None` if the snapshot does not cover it.
    pub fn state_row(&self, state: StateCode) -> Option<Row> {
        *self.state_rows.get(state)
    }

    /// The row of the nation.
    pub fn country_row(&self) -> Option<Row> {
        self.snapshot.jurisdictions().find(&JurisdictionId::Country).map(Row::new)
    }
}
