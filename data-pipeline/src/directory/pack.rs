//! Packs the records of all lists and tables into rows of the snapshot, joined by body and page.

use std::collections::{BTreeMap, HashMap};

use platbook::{
    directory::{Directory, Lookup, Row},
    snapshot::write::{NewResource, NewWebsite, NewWithheld, Records as Section, WriteError},
    vocabulary::{Action, FunctionSet, JurisdictionId, Layer, SourceKind, Topic, TopicSet, bare_url},
};

use super::{SourceTable, actions::actions_of, tables::office_topics};
use crate::{
    curated::ActionTable,
    directory::records::{Disposition, LeftOut, Page, Records, Website, Withheld},
};

// Reasons for leaving out records. Reports show them, and snapshots count by them.
const NO_BODY: &str = "its body is not in the snapshot";
const SAME_OFFICE: &str = "a record before it stands for the same office";
const SAME_PAGE: &str = "a record before it stands for the same page, with the topics of both";

/// The rows of a snapshot, and the records that are not among them.
#[derive(Debug)]
pub struct Packed {
    /// The section of records.
    pub section: Section,
    /// The resources in the order of the section; the index is their number.
    pub resources: Vec<NewResource>,
    /// Records that are not in the section as they were given, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// The reason why records cannot be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A record names a source that neither the manifest nor a table has.
    #[error(
        "a record names the source {key:?}, which does not exist; add it to the manifest or to the table"
    )]
    UnknownSource {
        /// The key: an id in the manifest, or `file/id` of a hand-kept table.
        key: String,
    },
    /// The section cannot be encoded.
    #[error(transparent)]
    Section(#[from] WriteError),
}

/// Joins records given in the order of precedence. Of two records of one body and page the first is used,
/// with the topics of both. The main site of a government takes the jobs without a known page.
///
/// # Errors
/// When a record names an unknown source, or a text is too long.
pub fn pack(records: Records, sources: &SourceTable, directory: &Directory) -> Result<Packed, PackError> {
    let rejected = records.rejected.into_iter().map(|record| LeftOut {
        disposition: Disposition::Rejected,
        of: record.source,
        what: record.what,
        reason: record.reason,
    });
    let mut join = Join { sources, directory, left_out: rejected.collect() };
    let sites = join.websites(records.websites)?;
    let mut pages = join.pages(records.pages)?;
    join.add_office_pages(&sites, &mut pages);
    join.add_actions(&records.actions, &mut pages);
    join.add_main_sites(&sites, &mut pages);
    let websites = sites.into_iter().map(|site| site.row).collect();
    let withheld = join.withheld(records.withheld);
    let mut resources: Vec<NewResource> = pages.into_values().collect();
    let section = Section::pack(websites, &mut resources, withheld)?;
    Ok(Packed { section, resources, left_out: join.left_out })
}

/// The functions of each body that already have a site, and whether the body has a main site.
#[derive(Debug, Default)]
pub struct OfficesTaken(HashMap<JurisdictionId, (FunctionSet, bool)>);

impl OfficesTaken {
    /// Assigns a site to an office and returns the functions that no earlier site has; empty for a main site.
    /// `None` if earlier sites have all of them.
    pub fn take(&mut self, website: &Website) -> Option<FunctionSet> {
        let (functions, has_main) = self.0.entry(website.body.clone()).or_default();
        let left = website.functions.without(*functions);
        let is_main = website.functions.is_empty();
        if if is_main { *has_main } else { left.is_empty() } {
            return None;
        }
        *functions = functions.with(website.functions);
        *has_main |= is_main;
        Some(left)
    }
}

/// A website's row, and how it was gathered.
struct Site {
    row: NewWebsite,
    kind: SourceKind,
}

/// Resources by body and bare address.
type Pages = BTreeMap<(u32, String), NewResource>;

struct Join<'a> {
    sources: &'a SourceTable,
    directory: &'a Directory,
    left_out: Vec<LeftOut>,
}

impl Join<'_> {
    fn row(&self, body: &JurisdictionId) -> Option<Row> {
        match self.directory.lookup(body) {
            Lookup::Found(row) => Some(row),
            Lookup::Replaced(_) | Lookup::Unknown => None,
        }
    }

    /// The row of a website or resource that was assigned earlier.
    fn body(&self, number: u32) -> Row {
        self.directory.row(number).expect("records are placed at rows of this directory")
    }

    fn source(&self, key: &str) -> Result<u16, PackError> {
        self.sources.row(key).ok_or_else(|| PackError::UnknownSource { key: key.to_owned() })
    }

    fn leave_out(&mut self, disposition: Disposition, of: &str, what: String, reason: &'static str) {
        self.left_out.push(LeftOut { disposition, of: of.to_owned(), what, reason });
    }

    fn withheld(&mut self, records: Vec<Withheld>) -> Vec<NewWithheld> {
        let mut found = Vec::new();
        for Withheld { body, topics, functions, what, reason } in records {
            match self.row(&body) {
                Some(row) => {
                    self.leave_out(Disposition::Withheld, &body.to_string(), what, reason);
                    found.push(NewWithheld { jurisdiction: row.number(), topics, functions });
                }
                None => self.leave_out(Disposition::Rejected, &body.to_string(), what, NO_BODY),
            }
        }
        found
    }

    /// Of two sites of one office the first is used.
    fn websites(&mut self, websites: Vec<Website>) -> Result<Vec<Site>, PackError> {
        let mut taken = OfficesTaken::default();
        let mut found = Vec::new();
        for website in websites {
            let what = || format!("{} {}", website.body, website.url);
            let Some(row) = self.row(&website.body) else {
                self.leave_out(Disposition::Rejected, &website.source, what(), NO_BODY);
                continue;
            };
            let Some(left) = taken.take(&website) else {
                self.leave_out(Disposition::Superseded, &website.source, what(), SAME_OFFICE);
                continue;
            };
            let row = NewWebsite {
                jurisdiction: row.number(),
                functions: left,
                office: website.office.unwrap_or_default(),
                source: self.source(&website.source)?,
                url: website.url,
                phone: website.phone.unwrap_or_default(),
                email: website.email.unwrap_or_default(),
                address: website.address.unwrap_or_default(),
                status: website.status,
            };
            found.push(Site { row, kind: website.kind });
        }
        Ok(found)
    }

    fn pages(&mut self, pages: Vec<Page>) -> Result<Pages, PackError> {
        let mut found = Pages::new();
        for page in pages {
            let what = || format!("{} {}", page.jurisdiction, page.url);
            let Some(row) = self.row(&page.jurisdiction) else {
                self.leave_out(Disposition::Rejected, &page.source, what(), NO_BODY);
                continue;
            };
            let key = (row.number(), bare_url(&page.url));
            if let Some(known) = found.get_mut(&key) {
                known.topics = known.topics.with(page.topics);
                self.leave_out(Disposition::Superseded, &page.source, what(), SAME_PAGE);
                continue;
            }
            let source = self.source(&page.source)?;
            let mut page = page.placed(row.number(), source);
            if page.publisher.is_empty() && page.official {
                self.directory.jurisdiction(row).name.clone_into(&mut page.publisher);
            }
            found.insert(key, page);
        }
        Ok(found)
    }

    /// Makes a resource of each office's site. A site of several offices of a body becomes one resource with
    /// all their names.
    fn add_office_pages(&self, sites: &[Site], pages: &mut Pages) {
        let mut shared: BTreeMap<(u32, String), (&Site, Vec<&str>, TopicSet)> = BTreeMap::new();
        for site in sites.iter().filter(|site| !site.row.functions.is_empty() && !site.row.url.is_empty()) {
            let key = (site.row.jurisdiction, bare_url(&site.row.url));
            let (_, offices, topics) = shared.entry(key).or_insert((site, Vec::new(), TopicSet::default()));
            *topics = topics.with(office_topics(site.row.functions));
            if !offices.contains(&site.row.office.as_str()) {
                offices.push(&site.row.office);
            }
        }
        for (key, (site, offices, topics)) in shared {
            let page = self.of_website(site, offices.join(" / "), String::new(), topics);
            pages.entry(key).or_insert(page);
        }
    }

    /// Adds to each page the actions that a person can take there. Main sites are added later, without actions: on a
    /// front page no task can be done directly.
    fn add_actions(&self, table: &ActionTable, pages: &mut Pages) {
        for ((row, url), page) in pages {
            let id = self.directory.id_of(self.body(*row));
            let is_wide = match id {
                JurisdictionId::Country => true,
                JurisdictionId::Census(geoid) => geoid.layer() == Layer::State,
                JurisdictionId::District(_) => false,
            };
            page.actions = table.get(url).unwrap_or_else(|| actions_of(page, is_wide));
            for (action, topic) in
                [(Action::QuestionValue, Topic::Appeals), (Action::ClaimExemption, Topic::Exemptions)]
            {
                if page.actions.has(action) {
                    page.topics.insert(topic);
                }
            }
        }
    }

    fn add_main_sites(&self, sites: &[Site], pages: &mut Pages) {
        let mut known: HashMap<u32, TopicSet> = HashMap::new();
        for page in pages.values() {
            let topics = known.entry(page.jurisdiction).or_default();
            *topics = topics.with(page.topics);
        }
        for site in sites.iter().filter(|site| site.row.functions.is_empty()) {
            let place = self.body(site.row.jurisdiction);
            let jobs = self.directory.jobs_of(place);
            let done: FunctionSet = jobs.iter().map(|job| job.function).collect();
            let same = std::iter::once(place).chain(self.directory.same_as(place));
            let own = same
                .filter_map(|row| known.get(&row.number()))
                .fold(TopicSet::default(), |all, topics| all.with(*topics));
            let mut topics = office_topics(done).without(own);
            topics.insert(Topic::PropertyRecordsGeneral);
            let name = self.directory.jurisdiction(place).name;
            let description =
                format!("Main site of {name}. Look here where no page of the office is listed.");
            let page = self.of_website(site, format!("{name}: main site"), description, topics);
            let entry = pages.entry((place.number(), bare_url(&site.row.url)));
            entry.and_modify(|known| known.topics = known.topics.with(topics)).or_insert(page);
        }
    }

    fn of_website(&self, site: &Site, name: String, description: String, topics: TopicSet) -> NewResource {
        let Site { row, kind } = site;
        let body = self.directory.jurisdiction(self.body(row.jurisdiction));
        let page = Page::page(body.id, row.url.clone(), String::new(), *kind);
        let page =
            Page { name, description, topics, publisher: body.name.to_owned(), status: row.status, ..page };
        page.placed(row.jurisdiction, row.source)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use platbook::{
        testing,
        vocabulary::{Function, VerifiedStatus},
    };

    use super::*;
    use crate::{curated::CuratedSource, input::manifest::Manifest};

    fn sources() -> SourceTable {
        let manifest =
            Manifest::parse(Path::new("m.toml"), "released = \"2026-11-20\"\nsource = []").unwrap();
        let mut sources = SourceTable::new(&manifest);
        let (id, name, publisher) = ("list".to_owned(), "List".to_owned(), "State".to_owned());
        let url = "https://state.example/list".to_owned();
        sources.cite("XX", &[CuratedSource { id, name, url, publisher, official: true, read: None }]);
        sources
    }

    fn office(title: &str, function: Function, url: &str) -> Website {
        Website {
            body: "county:27003".parse().unwrap(),
            functions: FunctionSet::from_iter([function]),
            office: Some(title.to_owned()),
            url: url.to_owned(),
            phone: None,
            email: None,
            address: None,
            source: "XX/list".to_owned(),
            kind: SourceKind::Curated,
            status: VerifiedStatus::NotYetVerified,
        }
    }

    #[test]
    fn a_page_that_offices_share_names_them_all() {
        let websites = vec![
            office("Assessor", Function::Assessment, "https://baker.example/offices"),
            office("Recorder", Function::Recording, "https://www.baker.example/offices/"),
            office("Treasurer", Function::TaxCollection, "https://baker.example/treasurer"),
        ];
        let records = Records { websites, ..Default::default() };
        let packed = pack(records, &sources(), &testing::directory()).unwrap();
        let mut shown: Vec<_> = packed.resources.iter().map(|page| (&*page.name, page.topics)).collect();
        shown.sort();
        let of = |functions: &[Function]| office_topics(functions.iter().copied().collect());
        assert_eq!(
            shown,
            [
                ("Assessor / Recorder", of(&[Function::Assessment, Function::Recording])),
                ("Treasurer", of(&[Function::TaxCollection])),
            ]
        );
    }
}
