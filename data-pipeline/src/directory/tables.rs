//! Converts hand-kept tables to records: a documented page is shown, any other is withheld.

use platbook::vocabulary::{Confidence, FunctionSet, PageUse, SourceKind, Topic, TopicSet, VerifiedStatus};

use super::documented::{self, Hosts};
use crate::{
    curated::{
        CuratedOffice, CuratedResource, CuratedSites, CuratedSource, Fault, MainSite, MainSites, PageKind,
        SitePage,
    },
    directory::records::{Page, Records, Website, Withheld},
};

// Reasons for withholding pages. Reports show them, and snapshots count by them.
const NO_SOURCE: &str = "no documented source";
const DOUBTFUL: &str = "name or address not confirmed";

/// Adds pages of counties and cities.
///
/// # Errors
/// A fault for each page that names no source and lies on a host that the registry does not assign to its
/// body.
pub(super) fn of_sites(
    sites: &CuratedSites,
    hosts: &dyn Hosts,
    records: &mut Records,
) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for page in &sites.pages {
        let named = page.source.map(|at| format!("{}/{}", sites.file, sites.sources[at].id));
        let registered = || documented::of_government(hosts, &page.url, &page.body).map(str::to_owned);
        match named.or_else(registered) {
            Some(source) => add_site(sites, page, source, records),
            None => faults.push(Fault {
                file: sites.file.clone(),
                line: page.line,
                key: "page.source".to_owned(),
                what: format!("missing source: no .gov domain of {} covers {}", page.body, page.url),
            }),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn add_site(sites: &CuratedSites, page: &SitePage, source: String, records: &mut Records) {
    let mut topics = page.kind.topics();
    let has_payment =
        sites.pages.iter().any(|other| other.body == page.body && other.kind == PageKind::TaxPayment);
    if page.kind == PageKind::TaxCollector && !has_payment {
        topics.insert(Topic::PropertyTaxPayment);
    }
    if !page.kind.functions().is_empty() {
        records.websites.push(Website {
            body: page.body.clone(),
            functions: page.kind.functions(),
            office: Some(page.name.clone()),
            url: page.url.clone(),
            phone: page.phone.clone(),
            email: None,
            address: None,
            source: source.clone(),
            kind: SourceKind::Curated,
            status: VerifiedStatus::NotYetVerified,
        });
    }
    records.pages.push(Page {
        name: page.name.clone(),
        topics,
        template: page.search_url_template.clone().unwrap_or_default(),
        provider: page.provider.clone().unwrap_or_default(),
        ..Page::page(page.body.clone(), page.url.clone(), source, SourceKind::Curated)
    });
}

/// Adds main sites. They come first, so main sites of published lists are not used beside them.
pub(super) fn of_main_sites(file: &str, table: &MainSites, records: &mut Records) {
    let website = |site: &MainSite| Website {
        body: site.body.clone(),
        functions: FunctionSet::default(),
        office: None,
        url: site.url.clone(),
        phone: None,
        email: None,
        address: None,
        source: format!("{file}/{}", table.sources[site.source].id),
        kind: SourceKind::Curated,
        status: VerifiedStatus::NotYetVerified,
    };
    records.websites.extend(table.sites.iter().map(website));
}

/// Adds offices of a state file, each with its source in the file.
pub(super) fn of_offices(
    file: &str,
    offices: &[CuratedOffice],
    sources: &[CuratedSource],
    records: &mut Records,
) {
    for office in offices {
        let source = format!("{file}/{}", sources[office.source].id);
        let functions: FunctionSet = office.functions.iter().copied().collect();
        records.websites.push(Website {
            body: office.body.clone(),
            functions,
            office: Some(office.name.clone()),
            url: office.url.clone().unwrap_or_default(),
            phone: office.phone.clone(),
            email: office.email.clone(),
            address: office.address.clone(),
            source: source.clone(),
            kind: SourceKind::Curated,
            status: VerifiedStatus::NotYetVerified,
        });
        let Some(url) = &office.url else { continue };
        records.pages.push(Page {
            name: office.name.clone(),
            topics: office_topics(functions),
            ..Page::page(office.body.clone(), url.clone(), source, SourceKind::Curated)
        });
    }
}

/// The topics of an office's own page.
pub(super) fn office_topics(functions: FunctionSet) -> TopicSet {
    functions
        .iter()
        .flat_map(|function| match function {
            platbook::vocabulary::Function::TaxCollection => function.topics(),
            _ => &function.topics()[..1],
        })
        .copied()
        .collect()
}

/// The use of a page of this kind.
fn page_use(kind: &str) -> PageUse {
    match kind {
        "law" => PageUse::Law,
        "agency" => PageUse::Agency,
        _ => PageUse::Act,
    }
}

/// Adds resources of a state or of the nation, as pages if they are documented and certain.
pub(super) fn of_resources(
    file: &str,
    resources: &[CuratedResource],
    sources: &[CuratedSource],
    hosts: &dyn Hosts,
    records: &mut Records,
) {
    for resource in resources {
        let named = resource.source.map(|at| format!("{file}/{}", sources[at].id));
        let cited = || {
            let url = documented::host(&resource.url);
            let same_host = |source: &&CuratedSource| documented::host(&source.url) == url;
            sources.iter().find(same_host).map(|source| format!("{file}/{}", source.id))
        };
        let vouched =
            named.or_else(|| documented::of_agency(hosts, &resource.url).map(str::to_owned)).or_else(cited);
        let topics: TopicSet = resource.topics.iter().copied().collect();
        let why_not = match (&vouched, resource.confidence) {
            (None, _) => Some(NO_SOURCE),
            (_, Confidence::Low) => Some(DOUBTFUL),
            _ => None,
        };
        if let Some(reason) = why_not {
            records.withheld.extend(resource.bodies.iter().map(|body| Withheld {
                body: body.clone(),
                topics,
                functions: FunctionSet::default(),
                what: format!("{} {}", resource.name, resource.url),
                reason,
            }));
            continue;
        }
        let source = vouched.unwrap_or_default();
        records.pages.extend(resource.bodies.iter().map(|body| Page {
            name: resource.name.clone(),
            topics,
            description: resource.description.clone().unwrap_or_default(),
            template: resource.search_url_template.clone().unwrap_or_default(),
            publisher: resource.publisher.clone(),
            official: resource.official,
            page_use: page_use(&resource.kind),
            ..Page::page(body.clone(), resource.url.clone(), source.clone(), SourceKind::Curated)
        }));
    }
}
