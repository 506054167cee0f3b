//! Websites of governments and their offices, resources, and records that answers leave out.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::vocabulary::{
    ActionSet, Function, FunctionSet, JurisdictionId, PageUse, RecordId, SourceKind, TopicSet,
    VerifiedStatus, resource_key,
};

/// Number of bytes for the length before each text in the heap.
const LENGTH_BYTES: usize = 2;

/// A website of a government or of one of its offices, as stored.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct WebsiteRow {
    jurisdiction: u32,
    /// Positions of texts in the heap; the empty text is at 0.
    office: u32,
    url: u32,
    phone: u32,
    email: u32,
    address: u32,
    source: u16,
    functions: u8,
    status: u8,
}

/// A resource, as stored.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct ResourceRow {
    jurisdiction: u32,
    topics: u32,
    /// Positions of texts in the heap; the empty text is at 0.
    name: u32,
    description: u32,
    url: u32,
    template: u32,
    publisher: u32,
    provider: u32,
    source: u16,
    id: [u8; 10],
    official: u8,
    /// The number of the page's use, `PageUse as u8`.
    page_use: u8,
    status: u8,
    kind: u8,
}

/// Records of one government that are withheld from answers, as stored.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct WithheldRow {
    jurisdiction: u32,
    topics: u32,
    functions: u8,
}

/// The records as stored. Each list is sorted by jurisdiction.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Records {
    websites: Vec<WebsiteRow>,
    resources: Vec<ResourceRow>,
    withheld: Vec<WithheldRow>,
    /// Texts, each after two bytes with its length, the low byte first.
    heap: Vec<u8>,
}

/// A website before it is packed into a snapshot. Unknown texts are empty.
#[derive(Clone, Debug, PartialEq)]
pub struct NewWebsite {
    /// Row of the jurisdiction in the section `jurisdictions`.
    pub jurisdiction: u32,
    /// Functions of the office; empty for the main site of the government.
    pub functions: FunctionSet,
    /// Title of the office; empty if the title from the rules applies.
    pub office: String,
    /// URL of the page.
    pub url: String,
    /// Telephone number of the office.
    pub phone: String,
    /// Email address of the office.
    pub email: String,
    /// Street address of the office.
    pub address: String,
    /// Row of the source in the section `meta`.
    pub source: u16,
    /// Result of the check of this link.
    pub status: VerifiedStatus,
}

/// A resource before it is packed into a snapshot. Unknown texts are empty.
///
/// In tables and lists, a resource names its government by id and its source by key. [`NewResource::placed`] replaces
/// both by row numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct NewResource<Body = u32, Source = u16> {
    /// Id of the resource, computed from the government and the URL.
    pub id: RecordId,
    /// The jurisdiction that the resource belongs to.
    pub jurisdiction: Body,
    /// Topics that the resource serves; never empty.
    pub topics: TopicSet,
    /// Name of the page or service.
    pub name: String,
    /// One sentence that describes the resource.
    pub description: String,
    /// URL of the page.
    pub url: String,
    /// URL of a search, with the placeholder `{pin}` or `{q}` for the search text.
    pub template: String,
    /// Name of the publisher.
    pub publisher: String,
    /// Vendor that runs the page for the publisher.
    pub provider: String,
    /// The source that lists the resource.
    pub source: Source,
    /// Whether the publisher is a government.
    pub official: bool,
    /// The purpose that people use the resource for.
    pub page_use: PageUse,
    /// The actions that a person can take on the page.
    pub actions: ActionSet,
    /// Result of the check of this link.
    pub status: VerifiedStatus,
    /// The kind of source that lists the resource.
    pub kind: SourceKind,
}

impl NewResource<JurisdictionId, String> {
    /// An official page of a government, not yet checked. The other fields are empty.
    pub fn page(jurisdiction: JurisdictionId, url: String, source: String, kind: SourceKind) -> Self {
        NewResource {
            id: RecordId::of(&resource_key(&jurisdiction, &url)),
            jurisdiction,
            topics: TopicSet::default(),
            name: String::new(),
            description: String::new(),
            url,
            template: String::new(),
            publisher: String::new(),
            provider: String::new(),
            source,
            official: true,
            page_use: PageUse::Act,
            actions: ActionSet::default(),
            status: VerifiedStatus::NotYetVerified,
            kind,
        }
    }

    /// The same resource, with row numbers for its government and its source.
    pub fn placed(self, jurisdiction: u32, source: u16) -> NewResource {
        let NewResource { id, topics, name, description, url, template, publisher, provider, .. } = self;
        let NewResource { official, page_use, actions, status, kind, .. } = self;
        NewResource {
            id,
            jurisdiction,
            topics,
            name,
            description,
            url,
            template,
            publisher,
            provider,
            source,
            official,
            page_use,
            actions,
            status,
            kind,
        }
    }
}

impl NewResource {
    /// Sorts resources into the order of the section. The index of a resource is then its number.
    fn sort(resources: &mut [NewResource]) {
        resources.sort_by_key(|resource| (resource.jurisdiction, resource.id));
    }
}

/// A withheld record before it is packed into a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewWithheld {
    /// Row of the jurisdiction in the section `jurisdictions`.
    pub jurisdiction: u32,
    /// Answers about these topics leave the record out.
    pub topics: TopicSet,
    /// Answers about these functions leave the record out.
    pub functions: FunctionSet,
}

impl Records {
    /// Sorts and packs the records. Afterwards the index of a resource is its number.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a text is longer than 65,535 bytes.
    pub fn pack(
        mut websites: Vec<NewWebsite>,
        resources: &mut [NewResource],
        mut withheld: Vec<NewWithheld>,
    ) -> Result<Records, WriteError> {
        websites.sort_by(|a, b| {
            (a.jurisdiction, a.functions, &a.url).cmp(&(b.jurisdiction, b.functions, &b.url))
        });
        NewResource::sort(resources);
        withheld.sort();
        let mut records = Records::default();
        let mut texts = TextHeap::new();
        for website in &websites {
            records.websites.push(website_row(website, &mut texts)?);
        }
        for resource in resources.iter() {
            records.resources.push(resource_row(resource, &mut texts)?);
        }
        records.withheld.extend(withheld.iter().map(|row| WithheldRow {
            jurisdiction: row.jurisdiction,
            topics: row.topics.bits(),
            functions: function_bits(row.functions),
        }));
        records.heap = texts.into_bytes();
        Ok(records)
    }
}

fn website_row(new: &NewWebsite, texts: &mut TextHeap<LENGTH_BYTES>) -> Result<WebsiteRow, WriteError> {
    let mut text = |value: &str| texts.place(value);
    Ok(WebsiteRow {
        jurisdiction: new.jurisdiction,
        office: text(&new.office)?,
        url: text(&new.url)?,
        phone: text(&new.phone)?,
        email: text(&new.email)?,
        address: text(&new.address)?,
        source: new.source,
        functions: function_bits(new.functions),
        status: new.status as u8,
    })
}

/// The bits of a set of functions, in the form that rows store.
pub(super) fn function_bits(functions: FunctionSet) -> u8 {
    const _: () = assert!(Function::ALL.len() <= u8::BITS as usize, "a bit for each function");
    functions.bits() as u8
}

fn resource_row(new: &NewResource, texts: &mut TextHeap<LENGTH_BYTES>) -> Result<ResourceRow, WriteError> {
    let mut text = |value: &str| texts.place(value);
    Ok(ResourceRow {
        jurisdiction: new.jurisdiction,
        topics: new.topics.bits(),
        name: text(&new.name)?,
        description: text(&new.description)?,
        url: text(&new.url)?,
        template: text(&new.template)?,
        publisher: text(&new.publisher)?,
        provider: text(&new.provider)?,
        source: new.source,
        id: new.id.0,
        official: u8::from(new.official),
        page_use: new.page_use as u8,
        status: new.status as u8,
        kind: new.kind as u8,
    })
}

impl ArchivedRecords {
    /// All websites, sorted by jurisdiction.
    pub fn websites(&self) -> &[ArchivedWebsiteRow] {
        &self.websites
    }

    /// All resources, sorted by jurisdiction.
    pub fn resources(&self) -> &[ArchivedResourceRow] {
        &self.resources
    }

    /// The websites of a jurisdiction, and the index of the first in [`ArchivedRecords::websites`]. The main site comes
    /// first, if it is known.
    pub fn websites_of(&self, jurisdiction: u32) -> (usize, &[ArchivedWebsiteRow]) {
        run(&self.websites, jurisdiction, |row| row.jurisdiction.to_native())
    }

    /// The resources of a jurisdiction, and the index of the first in [`ArchivedRecords::resources`].
    pub fn resources_of(&self, jurisdiction: u32) -> (usize, &[ArchivedResourceRow]) {
        run(&self.resources, jurisdiction, |row| row.jurisdiction.to_native())
    }

    /// The number of a jurisdiction's records that are left out of answers about any of these topics or functions.
    pub fn withheld_of(&self, jurisdiction: u32, topics: TopicSet, functions: FunctionSet) -> usize {
        let (_, own) = run(&self.withheld, jurisdiction, |row| row.jurisdiction.to_native());
        let meets = |row: &&ArchivedWithheldRow| {
            topics.meets(TopicSet::from_bits(row.topics.to_native()))
                || functions.meets(FunctionSet::from_bits(row.functions.into()))
        };
        own.iter().filter(meets).count()
    }

    fn heap_text(&self, place: u32) -> &str {
        text_at::<LENGTH_BYTES>(&self.heap, place)
    }

    /// The text at a position in the heap; `None` if it is empty, which means unknown.
    fn known(&self, place: u32) -> Option<&str> {
        Some(self.heap_text(place)).filter(|text| !text.is_empty())
    }

    pub(super) fn check_layout(&self, jurisdictions: usize, sources: usize) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout("records", detail));
        let sites = self.websites.iter().map(|row| (row.jurisdiction.to_native(), row.source.to_native()));
        let resources =
            self.resources.iter().map(|row| (row.jurisdiction.to_native(), row.source.to_native()));
        for (jurisdiction, source) in sites.chain(resources) {
            if jurisdiction as usize >= jurisdictions {
                return wrong("a row names a jurisdiction that does not exist");
            }
            if usize::from(source) >= sources {
                return wrong("a row names a source that does not exist");
            }
        }
        Ok(())
    }
}

/// The rows of one jurisdiction, and the index of the first. `rows` is sorted by jurisdiction, and `of` returns the
/// jurisdiction of a row.
pub(super) fn run<T>(rows: &[T], jurisdiction: u32, of: impl Fn(&T) -> u32) -> (usize, &[T]) {
    let start = rows.partition_point(|row| of(row) < jurisdiction);
    let length = rows[start..].iter().take_while(|row| of(row) == jurisdiction).count();
    (start, &rows[start..start + length])
}

impl ArchivedWebsiteRow {
    /// Row of the jurisdiction in the section `jurisdictions`.
    pub fn jurisdiction(&self) -> u32 {
        self.jurisdiction.to_native()
    }

    /// Functions of the office; empty for the main site of the government.
    pub fn functions(&self) -> FunctionSet {
        FunctionSet::from_bits(self.functions.into())
    }

    /// Row of the source in the section `meta`.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Result of the check of this link.
    pub fn status(&self) -> VerifiedStatus {
        VerifiedStatus::from_u8(self.status).unwrap_or(VerifiedStatus::NotYetVerified)
    }

    /// Title of the office; `None` if the title from the rules applies.
    pub fn office<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.office.to_native())
    }

    /// URL of the page; `None` if unknown.
    pub fn url<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.url.to_native())
    }

    /// Telephone number; `None` if unknown.
    pub fn phone<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.phone.to_native())
    }

    /// Email address; `None` if unknown.
    pub fn email<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.email.to_native())
    }

    /// Street address of the office; `None` if unknown.
    pub fn address<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.address.to_native())
    }
}

impl ArchivedResourceRow {
    /// Row of the jurisdiction in the section `jurisdictions`.
    pub fn jurisdiction(&self) -> u32 {
        self.jurisdiction.to_native()
    }

    /// Id of the resource.
    pub fn id(&self) -> RecordId {
        RecordId(self.id)
    }

    /// Topics that the resource serves.
    pub fn topics(&self) -> TopicSet {
        TopicSet::from_bits(self.topics.to_native())
    }

    /// Row of the source in the section `meta`.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Whether the publisher is a government.
    pub fn official(&self) -> bool {
        self.official != 0
    }

    /// The purpose that people use the resource for.
    pub fn page_use(&self) -> PageUse {
        PageUse::from_u8(self.page_use)
    }

    /// Result of the check of this link.
    pub fn status(&self) -> VerifiedStatus {
        VerifiedStatus::from_u8(self.status).unwrap_or(VerifiedStatus::NotYetVerified)
    }

    /// The kind of source that lists the resource.
    pub fn kind(&self) -> SourceKind {
        SourceKind::from_u8(self.kind).unwrap_or(SourceKind::Unknown)
    }

    /// Name of the page or service.
    pub fn name<'a>(&self, records: &'a ArchivedRecords) -> &'a str {
        records.heap_text(self.name.to_native())
    }

    /// URL of the page.
    pub fn url<'a>(&self, records: &'a ArchivedRecords) -> &'a str {
        records.heap_text(self.url.to_native())
    }

    /// One sentence that describes the resource; `None` if unknown.
    pub fn description<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.description.to_native())
    }

    /// URL of a search, with the placeholder `{pin}` or `{q}` for the search text; `None` if unknown.
    pub fn template<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.template.to_native())
    }

    /// Name of the publisher; `None` if unknown.
    pub fn publisher<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.publisher.to_native())
    }

    /// Vendor that runs the page for the publisher; `None` without one.
    pub fn provider<'a>(&self, records: &'a ArchivedRecords) -> Option<&'a str> {
        records.known(self.provider.to_native())
    }
}
