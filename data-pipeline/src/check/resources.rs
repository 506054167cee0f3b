//! Compares pages of governments in the tables with those of the snapshot that came from tables.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
};

use platbook::{
    directory::{Directory, ResourceView, Row},
    vocabulary::{
        JurisdictionId, PageUse, RecordId, SourceKind, Topic, TopicSet, is_same_page, resource_key,
    },
};

use super::{
    report::{Change, differences},
    websites,
};
use crate::{
    curated::{Fault, Tables},
    directory::{
        Hosts, above,
        contacts::Contacts,
        hand_kept, host,
        records::{Page, Records, Website},
    },
};

/// Topics that published lists or the actions of a page also give. Their removal from a page cannot be seen here.
const ALSO_GIVEN: [Topic; 4] = [Topic::ParcelMap, Topic::CountyGis, Topic::Appeals, Topic::Exemptions];

/// Changes of pages and offices, and notes that only a build can decide.
pub(super) fn changes(folder: &Path, tables: &Tables, directory: &Directory) -> (Vec<Change>, Vec<Fault>) {
    let hosts = ShownHosts::of(directory);
    let (records, notes) = hand_kept(tables, &hosts);
    let Records { mut websites, pages, .. } = records;
    let of_contacts = Contacts::of_tables(&tables.contacts, directory).pages(&hosts);
    let id = |site: &Website| RecordId::of(&resource_key(&site.body, &site.url));
    let ids: HashSet<RecordId> = of_contacts.iter().map(id).collect();
    let mut changes = pages_changes(&whole_states(folder, tables), pages, &ids, directory);
    websites.extend(of_contacts.into_iter().filter(|site| !is_served_by_list(directory, site)));
    changes.extend(websites::changes(websites, directory));
    (changes, notes)
}

/// The states whose tables of pages have no fault, and the nation. A page of the snapshot that is in no table counts as
/// removed only in those.
fn whole_states(folder: &Path, tables: &Tables) -> HashSet<String> {
    let whole_sites = |state: &str| {
        let file = folder.join(format!("sites/{state}.toml"));
        !file.exists() || tables.sites.iter().any(|sites| Path::new(&sites.file) == file)
    };
    let states = tables.states.iter().map(|state| state.rules.state.usps());
    let states = states.filter(|state| whole_sites(state)).map(str::to_owned);
    states.chain((!tables.national.resources.is_empty()).then(|| "US".to_owned())).collect()
}

/// Whether a published list has another page of the office. Pages that come with contacts only fill gaps.
fn is_served_by_list(directory: &Directory, site: &Website) -> bool {
    let records = directory.snapshot().records();
    let is_other = |url: Option<&str>| url.is_none_or(|url| !is_same_page(url, &site.url));
    directory.found(&site.body).is_some_and(|row| {
        records.websites_of(row.number()).1.iter().any(|shown| {
            let does_same = shown.functions().iter().any(|function| site.functions.has(function));
            does_same && is_published(directory, shown.source().into()) && is_other(shown.url(records))
        })
    })
}

/// Sources of the snapshot that are published lists of contacts.
fn lists_of_contacts(directory: &Directory) -> HashSet<usize> {
    let rows = directory.snapshot().contacts().map_or(&[][..], |contacts| contacts.rows());
    let sources = rows.iter().map(|row| usize::from(row.source()));
    sources.filter(|source| is_published(directory, *source)).collect()
}

/// Changes of pages. `of_contacts` are the pages that come with contacts; `websites` reports their changes.
fn pages_changes(
    whole: &HashSet<String>,
    pages: Vec<Page>,
    of_contacts: &HashSet<RecordId>,
    directory: &Directory,
) -> Vec<Change> {
    let lists = lists_of_contacts(directory);
    let mut expected: BTreeMap<RecordId, Page> = BTreeMap::new();
    for page in pages {
        let id = page.id;
        let topics = page.topics;
        expected.entry(id).and_modify(|known| known.topics = known.topics.with(topics)).or_insert(page);
    }
    let mut changes = Vec::new();
    for number in 0..directory.resource_count() {
        let Some(view) = directory.resource(number) else { continue };
        match expected.remove(&view.id) {
            Some(page) => changes.extend(changed(directory, &view, &page)),
            None if of_contacts.contains(&view.id) || lists.contains(&view.source.index()) => {}
            // The page of a main site is made from the site, and `websites` reports its changes.
            None if view.kind == SourceKind::Curated && !is_main_site(directory, &view) => {
                let change = Change::of_body(
                    directory,
                    view.jurisdiction,
                    "resource removed",
                    shown(view.name, view.url),
                );
                changes.extend(whole.contains(&change.state).then_some(change));
            }
            None => {}
        }
    }
    changes.extend(expected.values().map(|page| added(directory, page)));
    changes
}

fn added(directory: &Directory, page: &Page) -> Change {
    let what = shown(&page.name, &page.url);
    match directory.found(&page.jurisdiction) {
        Some(row) => Change::of_body(directory, row, "resource added", what),
        None => Change::of_new_body(&page.jurisdiction, "resource added", &what),
    }
}

fn shown(name: &str, url: &str) -> String {
    format!("{name:?} {url}")
}

fn changed(directory: &Directory, old: &ResourceView<'_>, new: &Page) -> Option<Change> {
    let body = directory.jurisdiction(old.jurisdiction);
    let publisher = known(&new.publisher).or(new.official.then_some(body.name));
    let (old_topics, new_topics) = (topics(old.topics), topics(seen_topics(directory, old, new)));
    let what = differences(&[
        ("name", Some(old.name), Some(&new.name)),
        ("url", Some(old.url), Some(&new.url)),
        ("description", old.description, known(&new.description)),
        ("search_url_template", old.template, known(&new.template)),
        ("publisher", old.publisher, publisher),
        ("provider", old.provider, known(&new.provider)),
        ("official", Some(yes_no(old.official)), Some(yes_no(new.official))),
        ("law", Some(yes_no(old.page_use == PageUse::Law)), Some(yes_no(new.page_use == PageUse::Law))),
        (
            "front page of an agency",
            Some(yes_no(old.page_use == PageUse::Agency)),
            Some(yes_no(new.page_use == PageUse::Agency)),
        ),
        ("topics", Some(&old_topics), Some(&new_topics)),
    ])?;
    let what = format!("{}: {what}", new.url);
    Some(Change::of_body(directory, old.jurisdiction, "resource changed", what))
}

/// A text of the tables; `None` if it is empty, which means unknown.
fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The topics that the page would have: those of the table, and some current topics. Those come from a published
/// list, or from the page's role as a main site.
fn seen_topics(directory: &Directory, old: &ResourceView<'_>, new: &Page) -> TopicSet {
    let of_lists: TopicSet = ALSO_GIVEN.into_iter().collect();
    let others = if is_main_site(directory, old) {
        old.topics
    } else {
        old.topics.iter().filter(|topic| of_lists.has(*topic)).collect()
    };
    new.topics.with(others)
}

fn is_main_site(directory: &Directory, view: &ResourceView<'_>) -> bool {
    let main = directory.main_site_of(view.jurisdiction);
    main.and_then(|site| site.url).is_some_and(|url| is_same_page(url, view.url))
}

fn topics(topics: TopicSet) -> String {
    topics.iter().map(Topic::as_str).collect::<Vec<_>>().join(", ")
}

/// Facts about hosts from the pages of the snapshot, which stands for the published lists.
struct ShownHosts<'a> {
    /// Looks up governments by id.
    directory: &'a Directory,
    /// Hosts of the tables' pages that a published list confirms.
    listed: HashSet<String>,
    /// Hosts and domains under .gov of each government.
    registered: HashSet<(Row, String)>,
}

impl<'a> ShownHosts<'a> {
    fn of(directory: &'a Directory) -> ShownHosts<'a> {
        let (mut listed, mut registered) = (HashSet::new(), HashSet::new());
        let mut governments: HashMap<String, BTreeSet<Row>> = HashMap::new();
        let resources = (0..directory.resource_count()).filter_map(|number| directory.resource(number));
        for view in resources {
            let host = host(view.url);
            let rows = || std::iter::once(view.jurisdiction).chain(directory.same_as(view.jurisdiction));
            governments.entry(domain(&host).to_owned()).or_default().extend(rows().min());
            if !is_published(directory, view.source.index()) {
                continue;
            }
            registered.extend(rows().map(|row| (row, host.clone())));
            // A table's page outside .gov may cite a published list as its source.
            if view.kind == SourceKind::Curated {
                listed.insert(host);
            }
        }
        // A county may have its site under the domain of its state, such as `carbon.utah.gov`. Other pages under that
        // domain are not the county's. So a domain counts as a government's own only if all its pages are of that
        // government.
        for (domain, rows) in governments.into_iter().filter(|(_, rows)| rows.len() == 1) {
            let rows = rows.into_iter().flat_map(|row| std::iter::once(row).chain(directory.same_as(row)));
            registered.extend(rows.map(|row| (row, domain.clone())));
        }
        ShownHosts { directory, listed, registered }
    }
}

/// Whether the source is a file of the manifest, not a text that a table cites: only files have a digest.
fn is_published(directory: &Directory, source: usize) -> bool {
    let sources = &directory.snapshot().meta().sources;
    sources.get(source).is_some_and(|source| !source.digest.is_empty())
}

/// The registered domain of a host, such as `hennepin.us` of `gis.hennepin.us`: the registry lists whole
/// domains.
fn domain(host: &str) -> &str {
    let end = host.rsplit_once('.').map_or(0, |(before, _)| before.rfind('.').map_or(0, |at| at + 1));
    &host[end..]
}

impl Hosts for ShownHosts<'_> {
    fn registered_to(&self, host: &str, body: &JurisdictionId) -> bool {
        let Some(row) = self.directory.found(body).filter(|_| host.ends_with(".gov")) else { return false };
        above(host).any(|name| self.registered.contains(&(row, name.to_owned())))
    }

    fn registered(&self, host: &str) -> bool {
        host.ends_with(".gov")
    }

    fn listed(&self, host: &str) -> bool {
        self.listed.contains(host)
    }
}
