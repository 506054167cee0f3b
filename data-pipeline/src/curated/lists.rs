//! Reads sources, districts, offices and resources of a file.

use platbook::{
    rules::{District, DistrictPerCounty},
    vocabulary::{Confidence, Function, JurisdictionId, Layer, PublisherKind, Topic},
};
use toml::Spanned;

use super::{
    cases::Known,
    checker::{Checker, Group},
    file::{DistrictTable, GroupTable, OfficeTable, PerCountyTable, ResourceTable, SourceTable, Text},
    hosts::{host_of, kind_of},
};

/// The origin of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedSource {
    /// Id of the source, unique in the file.
    pub id: String,
    /// Title of the page or document.
    pub name: String,
    /// Address of the page.
    pub url: String,
    /// Publisher of the page.
    pub publisher: String,
    /// Whether the publisher is the government concerned.
    pub official: bool,
    /// Day on which the page's text was read; `None` if it was not opened.
    pub read: Option<String>,
}

/// An office with its contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedOffice {
    /// The body that the office belongs to.
    pub body: JurisdictionId,
    /// Title of the office.
    pub name: String,
    /// Functions of the office.
    pub functions: Vec<Function>,
    /// Address of the office's page; `None` without one.
    pub url: Option<String>,
    /// Telephone, as 000-000-0000; `None` without one.
    pub phone: Option<String>,
    /// Mail address of the office; `None` without one.
    pub email: Option<String>,
    /// Street address; `None` without one.
    pub address: Option<String>,
    /// Position of the office's source in the file.
    pub source: usize,
}

/// A web resource of a state or of the nation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedResource {
    /// Title of the resource.
    pub name: String,
    /// Address of the resource.
    pub url: String,
    /// Topics of the resource.
    pub topics: Vec<Topic>,
    /// Publisher of the resource.
    pub publisher: String,
    /// Kind: portal, map, agency, law, directory or form.
    pub kind: String,
    /// Certainty of name and address.
    pub confidence: Confidence,
    /// Whether the publisher is the government concerned.
    pub official: bool,
    /// The bodies that the resource belongs to: one, or the counties to whose land it is limited.
    pub bodies: Vec<JurisdictionId>,
    /// Address of a search with {pin} or {q} in it; `None` without one.
    pub search_url_template: Option<String>,
    /// Description in a sentence; `None` without one.
    pub description: Option<String>,
    /// Position of the resource's source in the file; `None` without one.
    pub source: Option<usize>,
}

/// Kinds of resources, as the files spell them.
const RESOURCE_KINDS: [&str; 6] = ["portal", "map", "agency", "law", "directory", "form"];

pub(super) fn sources(checker: &mut Checker<'_>, tables: &[Spanned<SourceTable>]) -> Vec<CuratedSource> {
    let mut found: Vec<CuratedSource> = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let (table, key) = (table.get_ref(), |name: &str| format!("source[{}].{name}", at + 1));
        let id = checker.words(&table.id, &key("id"));
        if found.iter().any(|other| other.id == id) {
            checker.at(&table.id, &key("id"), format!("duplicate source {id:?}"));
        }
        let url = checker.url(&table.url, &key("url"));
        if let Some(other) =
            found.iter().find(|other| other.url == url && other.name == *table.name.get_ref())
        {
            let what = format!("duplicate source: {:?} is the same page", other.id);
            checker.at(&table.url, &key("url"), what);
        }
        checker.sources.push((id.clone(), false));
        let kind = kind_of(&url);
        if kind.is_none() {
            let what = format!(
                "{} has no row in curated/hosts.toml; say there what its publisher is",
                host_of(&url)
            );
            checker.at(&table.url, &key("url"), what);
        }
        found.push(CuratedSource {
            id,
            name: checker.words(&table.name, &key("name")),
            url,
            publisher: checker.words(&table.publisher, &key("publisher")),
            official: table.official && kind.is_some_and(PublisherKind::may_be_official),
            read: table.read.as_ref().map(|date| date.get_ref().to_string()),
        });
    }
    found
}

/// Reads the groups into the checker, where lists of areas find them.
pub(super) fn groups(checker: &mut Checker<'_>, tables: &[Spanned<GroupTable>]) {
    for (at, spanned) in tables.iter().enumerate() {
        let (table, key) = (spanned.get_ref(), |name: &str| format!("group[{}].{name}", at + 1));
        let name = checker.words(&table.name, &key("name"));
        if checker.groups.iter().any(|group| group.name == name) {
            checker.at(&table.name, &key("name"), format!("duplicate group {name:?}"));
        }
        let lists =
            [(Layer::Place, &table.place), (Layer::Cousub, &table.cousub), (Layer::County, &table.county)];
        for (layer, list) in lists {
            let areas = checker.areas(list, layer, &key(layer.prefix()));
            if !areas.is_empty() {
                checker.groups.push(Group { name: name.clone(), layer, areas, used: false });
            }
        }
    }
}

pub(super) fn districts(checker: &mut Checker<'_>, tables: &[Spanned<DistrictTable>]) -> Vec<District> {
    let mut found: Vec<District> = Vec::new();
    for (at, spanned) in tables.iter().enumerate() {
        let (table, key) = (spanned.get_ref(), |name: &str| format!("district[{}].{name}", at + 1));
        let source = checker.source(&table.source, &key("source"));
        let counties = checker.areas(&table.county, Layer::County, &key("county"));
        let cousubs = checker.areas(&table.cousub, Layer::Cousub, &key("cousub"));
        let rest_of = checker.areas(&table.rest_of, Layer::County, &key("rest_of"));
        if counties.is_empty() && cousubs.is_empty() && rest_of.is_empty() {
            checker.at(spanned, &key("county"), "a district needs county, cousub or rest_of");
        }
        let Some(id) = district_id(checker, &table.id, &key("id")) else { continue };
        if found.iter().any(|other| other.id == id) {
            checker.at(&table.id, &key("id"), format!("duplicate district {id}"));
        }
        let district = District {
            id,
            name: checker.words(&table.name, &key("name")),
            set: checker.words(&table.set, &key("set")),
            counties,
            cousubs,
            rest_of,
            url: table.url.as_ref().map(|url| checker.url(url, &key("url"))),
            source,
        };
        shared_members(checker, &found, &district, table);
        found.push(district);
    }
    found
}

/// Checks that an area belongs to one district of a set only.
fn shared_members(checker: &mut Checker<'_>, found: &[District], new: &District, table: &DistrictTable) {
    for other in found.iter().filter(|other| other.set == new.set) {
        let whole = new.counties.iter().find(|county| {
            other.counties.contains(county)
                || other.rest_of.contains(county)
                || other.cousubs.iter().any(|cousub| cousub.county() == Some(**county))
        });
        let part = new.cousubs.iter().find(|cousub| {
            other.cousubs.contains(cousub)
                || cousub.county().is_some_and(|county| other.counties.contains(&county))
        });
        let rest = new
            .rest_of
            .iter()
            .find(|county| other.rest_of.contains(county) || other.counties.contains(county));
        for area in [whole, part, rest].into_iter().flatten() {
            let what = format!("{area} is already a member of {} in the set {:?}", other.id, new.set);
            checker.at(&table.id, "district", what);
        }
    }
}

/// Reads `xx-name`, which begins with the state's postal code, so that ids of states cannot clash.
fn district_id(checker: &mut Checker<'_>, text: &Text, key: &str) -> Option<JurisdictionId> {
    let value = text.get_ref();
    let prefix = checker.state.map_or("us", |state| state.usps()).to_lowercase();
    let prefix = format!("district:{prefix}-");
    match value.parse() {
        Ok(id @ JurisdictionId::District(_)) if value.starts_with(&prefix) => Some(id),
        _ => {
            checker.at(
                text,
                key,
                format!("{value:?} is not a district id: expected {prefix}name, of a-z, 0-9 and -"),
            );
            None
        }
    }
}

pub(super) fn per_county(
    checker: &mut Checker<'_>,
    tables: &[Spanned<PerCountyTable>],
) -> Vec<DistrictPerCounty> {
    let mut found: Vec<DistrictPerCounty> = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let (table, key) = (table.get_ref(), |name: &str| format!("district_per_county[{}].{name}", at + 1));
        let (id, name) = (table.id.get_ref(), checker.words(&table.name, &key("name")));
        if !id.contains("{fips}") {
            checker.at(&table.id, &key("id"), "must contain {fips}, the county's last three digits");
        }
        let sample = Spanned::new(table.id.span(), id.replace("{fips}", "001"));
        district_id(checker, &sample, &key("id"));
        if !name.contains("{county}") {
            checker.at(&table.name, &key("name"), "must contain {county}");
        }
        let set = checker.words(&table.set, &key("set"));
        if found.iter().any(|other| other.set == set) {
            checker.at(&table.set, &key("set"), format!("the set {set:?} already has a district per county"));
        }
        let id = id.strip_prefix("district:").unwrap_or(id).to_owned();
        found.push(DistrictPerCounty {
            set,
            id,
            name,
            source: checker.source(&table.source, &key("source")),
        });
    }
    found
}

pub(super) fn offices(
    checker: &mut Checker<'_>,
    known: &Known,
    tables: &[Spanned<OfficeTable>],
) -> Vec<CuratedOffice> {
    let mut found: Vec<CuratedOffice> = Vec::new();
    for (at, spanned) in tables.iter().enumerate() {
        let (table, key) = (spanned.get_ref(), |name: &str| format!("office[{}].{name}", at + 1));
        let functions = checker.functions(&table.functions, &key("functions"));
        let name = checker.words(&table.name, &key("name"));
        let phone = table.phone.as_ref().map(|phone| checker.phone(phone, &key("phone")));
        let email = table.email.as_ref().map(|email| checker.email(email, &key("email")));
        let url = table.url.as_ref().map(|url| checker.url(url, &key("url")));
        let address = checker.opt_words(table.address.as_ref(), &key("address"));
        if url.is_none() && phone.is_none() && email.is_none() && address.is_none() {
            checker.at(spanned, &key("url"), "an office needs a url, phone, email or address");
        }
        let source = checker.source(&table.source, &key("source"));
        let Some(body) = checker.body(&table.body, &key("body")) else { continue };
        known.district(checker, &body, &table.body, &key("body"));
        for other in found.iter().filter(|other| other.body == body) {
            let shared = functions.iter().find(|function| other.functions.contains(function));
            if other.name == name {
                checker.at(&table.name, &key("name"), format!("duplicate office {name:?} of {body}"));
            } else if let Some(function) = shared {
                let what = format!(
                    "duplicate office: {body} already has {:?} for {}",
                    other.name,
                    function.as_str()
                );
                checker.at(&table.functions, &key("functions"), what);
            }
        }
        found.push(CuratedOffice { body, name, functions, url, phone, email, address, source });
    }
    found
}

impl Checker<'_> {
    /// Checks the address of a search, which needs a placeholder for the search text.
    pub(super) fn template(&mut self, text: &Text, key: &str) -> String {
        if !text.get_ref().contains("{pin}") && !text.get_ref().contains("{q}") {
            self.at(text, key, "must contain {pin} or {q}");
        }
        text.get_ref().clone()
    }

    /// Checks a telephone number such as `907-269-8872`.
    pub(super) fn phone(&mut self, text: &Text, key: &str) -> String {
        let shape: String =
            text.get_ref().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        if shape != "000-000-0000" {
            self.at(
                text,
                key,
                format!("{:?} is not a telephone number: expected 000-000-0000", text.get_ref()),
            );
        }
        text.get_ref().clone()
    }

    pub(super) fn email(&mut self, text: &Text, key: &str) -> String {
        let ok = text.get_ref().split_once('@').is_some_and(|(user, host)| {
            !user.is_empty() && host.contains('.') && !text.get_ref().contains(char::is_whitespace)
        });
        if !ok {
            self.at(text, key, format!("{:?} is not a mail address", text.get_ref()));
        }
        text.get_ref().clone()
    }
}

pub(super) fn resources(
    checker: &mut Checker<'_>,
    known: Option<&Known>,
    tables: &[Spanned<ResourceTable>],
) -> Vec<CuratedResource> {
    let mut found: Vec<CuratedResource> = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let (table, key) = (table.get_ref(), |name: &str| format!("resource[{}].{name}", at + 1));
        let kinds = RESOURCE_KINDS.map(|kind| (kind, kind));
        let topics = checker.topics(&table.topics, &key("topics"));
        let name = checker.words(&table.name, &key("name"));
        let url = checker.url(&table.url, &key("url"));
        let template = table
            .search_url_template
            .as_ref()
            .map(|text| checker.template(text, &key("search_url_template")));
        let bodies = bodies(checker, known, table, &key);
        for other in found.iter().filter(|other| other.url == url || other.name == name) {
            if other.name == name {
                checker.at(&table.name, &key("name"), format!("duplicate resource {name:?}"));
            } else {
                let what =
                    format!("duplicate resource: {:?} has the same address; join their topics", other.name);
                checker.at(&table.url, &key("url"), what);
            }
        }
        if bodies.is_empty() {
            continue;
        }
        found.push(CuratedResource {
            name,
            url,
            topics,
            publisher: checker.words(&table.publisher, &key("publisher")),
            kind: checker.word(&table.kind, &key("kind"), &kinds).to_owned(),
            confidence: checker.confidence(&table.confidence, &key("confidence")),
            official: table.official,
            bodies,
            search_url_template: template,
            description: checker.opt_words(table.description.as_ref(), &key("description")),
            source: table.source.as_ref().map(|source| checker.source(source, &key("source"))),
        });
    }
    found
}

/// The bodies of a resource: its body, the counties that it concerns, or the state or country of the file.
fn bodies(
    checker: &mut Checker<'_>,
    known: Option<&Known>,
    table: &ResourceTable,
    key: &impl Fn(&str) -> String,
) -> Vec<JurisdictionId> {
    match (&table.body, &table.counties) {
        (Some(_), Some(counties)) => {
            checker.at(counties, &key("counties"), "expected `body` or `counties`, got both");
            Vec::new()
        }
        (Some(text), None) => {
            let body = checker.body(text, &key("body"));
            if let (Some(body), Some(known)) = (&body, known) {
                known.district(checker, body, text, &key("body"));
            }
            body.into_iter().collect()
        }
        (None, Some(counties)) => {
            let found = checker.areas(counties.get_ref(), Layer::County, &key("counties"));
            found.into_iter().map(JurisdictionId::Census).collect()
        }
        (None, None) => checker.home().into_iter().collect(),
    }
}
