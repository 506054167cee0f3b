//! Makes map and parcel resources from the list of open data sources, with names in plain words.
//!
//! A source without a certain government is rejected. An address whose owner is not visible is withheld.

use std::collections::BTreeMap;

use platbook::{
    snapshot::write::NewJurisdiction,
    vocabulary::{FunctionSet, Layer, SourceKind, Topic, TopicSet, VerifiedStatus},
};

mod address;
mod bodies;
mod names;
mod owner;
mod table;
mod words;

pub use owner::Class;

use address::{Address, Form};
use bodies::Bodies;
use owner::{Owner, Owners, Question, Users};

use crate::{
    curated::PublishedLists,
    directory::records::{Page, Records, Rejected, Withheld},
    input::openaddresses::{OaKind, OaLayer, OaSource},
};

/// Key of the source in the manifest.
pub const SOURCE: &str = "openaddresses";

// Reasons for leaving out addresses. Reports show them, and snapshots count by them.
const LICENSE: &str = "its license forbids redistribution";
const SKIPPED: &str = "the source list itself passes over it";
const NEEDS_HEADER: &str = "the server answers its own pages only";
const WORKING_COPY: &str = "a trial, a copy or a study, by its name";
const FRONT_PAGE: &str = "the front page of a government, not a map page";
const ONE_PAGE: &str = "one data page given for several governments";
const NOT_STATEWIDE: &str = "the file is not of the whole state";

/// Words of licenses that forbid passing data on.
const FORBIDDING: [&str; 9] = [
    "by-nc",
    "noncommercial",
    "non-commercial",
    "not for commercial",
    "commercial use or resale",
    "no redistribution",
    "not be redistributed",
    "may not redistribute",
    "not be resold",
];
/// Words of remarks about trouble with the address.
const TROUBLE: [&str; 11] = [
    "dead",
    " down",
    "broken",
    "removed",
    "token",
    "no longer",
    "certificate",
    "404",
    "403",
    "offline",
    "fail",
];

/// Returns map and parcel pages of counties, places and states.
///
/// `is_government_host` says whether a host outside .gov, .mil and .us is a government's, such as
/// `co.example.net`.
pub fn resources(
    sources: &[OaSource],
    governments: &[NewJurisdiction],
    lists: &PublishedLists,
    is_government_host: &dyn Fn(&str) -> bool,
) -> Records {
    classed(sources, governments, lists, is_government_host).into_iter().map(|(records, _)| records).fold(
        Records::default(),
        |mut all, mut one| {
            all.pages.append(&mut one.pages);
            all.withheld.append(&mut one.withheld);
            all.rejected.append(&mut one.rejected);
            all
        },
    )
}

/// Returns the records of [`resources`] one by one, each page with the class of its host, for tests and reports.
pub fn classed(
    sources: &[OaSource],
    governments: &[NewJurisdiction],
    lists: &PublishedLists,
    is_government_host: &dyn Fn(&str) -> bool,
) -> Vec<(Records, Option<Class>)> {
    let bodies = Bodies::new(governments, lists);
    let mut gathered = Gathered::default();
    let mut users = Users::default();
    for source in sources {
        match bodies.find(source) {
            Ok(body) => gathered.add(source, body, &bodies, &mut users),
            Err(reason) => gathered.reject(source.member.clone(), reason),
        }
    }
    gathered.join_services();
    let owners = Owners { bodies: &bodies, users, is_government_host };
    let mut out: Vec<(Records, Option<Class>)> = Vec::new();
    for ((body, url), found) in &gathered.found {
        out.push(record(&owners, *body, url, found));
    }
    let rejected = Records { rejected: gathered.rejected, ..Records::default() };
    out.push((rejected, None));
    out
}

/// An address of a government, with the facts of all its sources.
#[derive(Clone, Debug)]
struct Found {
    address: Address,
    member: String,
    kinds: Vec<OaKind>,
    credit: Option<String>,
    is_forbidden: bool,
    status: VerifiedStatus,
}

#[derive(Default)]
struct Gathered {
    /// Found addresses by government and address; each becomes one page.
    found: BTreeMap<(usize, String), Found>,
    rejected: Vec<Rejected>,
}

impl Gathered {
    fn reject(&mut self, what: String, reason: &'static str) {
        self.rejected.push(Rejected { source: SOURCE.to_owned(), what, reason });
    }

    fn add(&mut self, source: &OaSource, body: usize, bodies: &Bodies, users: &mut Users) {
        let (named, same) = (bodies.named(body), bodies.same(body));
        let wanted = source.layers.iter().filter(|layer| layer.kind != OaKind::Centerlines);
        for layer in wanted {
            let what = |url: &str| format!("{} {:?} {url}", source.member, layer.kind).to_lowercase();
            let whole_state = named.layer == Some(Layer::State);
            let refused = if whole_state && layer.name.starts_with("county") {
                Some(NOT_STATEWIDE)
            } else if layer.skip {
                Some(SKIPPED)
            } else {
                None
            };
            if let Some(reason) = refused {
                self.reject(what(&layer.data), reason);
                continue;
            }
            let data =
                if layer.needs_header { Err(NEEDS_HEADER) } else { Address::parse(&layer.data, false) };
            match data {
                Ok(address) => self.keep(source, layer, (body, same), address, users),
                Err(reason) => self.reject(what(&layer.data), reason),
            }
            if let Some(website) = &layer.website {
                match Address::parse(website, true) {
                    Ok(address) => self.keep(source, layer, (body, same), address, users),
                    Err(reason) => self.reject(what(website), reason),
                }
            }
        }
    }

    fn keep(
        &mut self,
        source: &OaSource,
        layer: &OaLayer,
        (body, same): (usize, usize),
        address: Address,
        users: &mut Users,
    ) {
        users.add(&address, same);
        let status = status(layer, &address);
        let is_forbidden = layer.license.as_deref().is_some_and(forbids);
        let found = self.found.entry((body, address.url.clone())).or_insert_with(|| Found {
            address,
            member: source.member.clone(),
            kinds: Vec::new(),
            credit: None,
            is_forbidden: false,
            status,
        });
        found.kinds.push(layer.kind);
        // A source without address points often reads addresses from its parcels.
        found.kinds.extend(found.address.is_of_parcels().then_some(OaKind::Parcels));
        found.kinds.sort();
        found.kinds.dedup();
        found.credit = found.credit.take().or_else(|| layer.attribution.clone());
        found.is_forbidden |= is_forbidden;
        found.status = found.status.min(status);
    }

    /// Joins several layers of one map service for the same government into one page.
    fn join_services(&mut self) {
        let mut layers: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
        for ((body, url), found) in &self.found {
            if let Some(service) = &found.address.service {
                layers.entry((*body, service.clone())).or_default().push(url.clone());
            }
        }
        for ((body, service), urls) in layers {
            let is_there = self.found.contains_key(&(body, service.clone()));
            if urls.len() < 2 && !is_there {
                continue;
            }
            for url in urls {
                let Some(mut layer) = self.found.remove(&(body, url)) else { continue };
                layer.address.url.clone_from(&service);
                layer.address.service = None;
                match self.found.get_mut(&(body, service.clone())) {
                    Some(found) => found.join(layer),
                    None => drop(self.found.insert((body, service.clone()), layer)),
                }
            }
        }
    }
}

impl Found {
    fn join(&mut self, other: Found) {
        self.kinds.extend(other.kinds);
        self.kinds.sort();
        self.kinds.dedup();
        self.credit = self.credit.take().or(other.credit);
        self.is_forbidden |= other.is_forbidden;
        self.status = self.status.min(other.status);
    }

    fn kind(&self) -> SourceKind {
        match self.address.form {
            // The page describes a file, and shows no map.
            Form::Page if self.address.is_data_page() => SourceKind::MapData,
            Form::Page => SourceKind::OpenDataList,
            Form::Service | Form::Download => SourceKind::MapData,
        }
    }

    fn topics(&self) -> TopicSet {
        let is_layer = self.address.service.is_some();
        let has_parcels = self.kinds.contains(&OaKind::Parcels);
        let of_parcels = has_parcels && self.address.form != Form::Page;
        let only_parcels = self.kinds == [OaKind::Parcels];
        let is_one_layer = is_layer || self.address.form == Form::Download;
        let mut topics = TopicSet::default();
        if of_parcels {
            topics.insert(Topic::ParcelMap);
        }
        if !(of_parcels && only_parcels && is_one_layer) {
            topics.insert(Topic::CountyGis);
        }
        topics
    }
}

/// Whether a license forbids passing data on.
fn forbids(license: &str) -> bool {
    let license = license.to_lowercase();
    FORBIDDING.iter().any(|word| license.contains(word))
}

fn status(layer: &OaLayer, address: &Address) -> VerifiedStatus {
    let troubled = layer.note.as_deref().is_some_and(|note| {
        let note = format!(" {}", note.to_lowercase());
        TROUBLE.iter().any(|word| note.contains(word))
    });
    let year = layer.year.as_deref().and_then(|year| year.get(..4)).and_then(|year| year.parse::<u16>().ok());
    if troubled || address.is_old() || address.has_old_year() || year.is_some_and(|year| year < 2016) {
        VerifiedStatus::PossiblyBroken
    } else {
        VerifiedStatus::NotYetVerified
    }
}

fn record(owners: &Owners, body: usize, url: &str, found: &Found) -> (Records, Option<Class>) {
    let row = owners.bodies.row(body);
    let named = owners.bodies.named(body);
    let question = Question { address: &found.address, body, named: &named, credit: found.credit.as_deref() };
    let what = format!("{} {url}", found.member);
    let withheld = |reason| Withheld {
        body: row.id.clone(),
        topics: found.topics(),
        functions: FunctionSet::default(),
        what: what.clone(),
        reason,
    };
    let mut records = Records::default();
    let mut class = None;
    match owners.of(&question) {
        Owner::Rejected(reason) => {
            records.rejected.push(Rejected { source: SOURCE.to_owned(), what, reason });
        }
        _ if found.is_forbidden => records.withheld.push(withheld(LICENSE)),
        Owner::Withheld(reason) => records.withheld.push(withheld(reason)),
        Owner::Known { class, own: false, .. }
            if class != Class::Regional && found.address.is_data_page() && owners.users.share(url) > 1 =>
        {
            records.withheld.push(withheld(ONE_PAGE));
        }
        _ if found.address.is_working_copy() => records.withheld.push(withheld(WORKING_COPY)),
        Owner::Known { class: Class::Official, .. } if found.address.is_front_page() => {
            records.rejected.push(Rejected { source: SOURCE.to_owned(), what, reason: FRONT_PAGE });
        }
        Owner::Known { class: of, publisher, provider, official, own } => {
            class = Some(of);
            let subject =
                words::Subject { address: &found.address, kinds: &found.kinds, body: &named.full, own };
            let (name, description) = words::words(&subject);
            let (body, source) = (row.id.clone(), SOURCE.to_owned());
            records.pages.push(Page {
                name,
                description,
                topics: found.topics(),
                publisher: publisher.unwrap_or_default(),
                provider: provider.unwrap_or_default().to_owned(),
                official,
                status: found.status,
                ..Page::page(body, url.to_owned(), source, found.kind())
            });
        }
    }
    (records, class)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod whole_tests;
