//! Finds who runs an address: the government itself, a platform, a vendor or another public body.
//!
//! A table of hosts comes first, then names in the host, the path and the credit line. An address whose owner
//! is not visible is withheld: nothing is guessed.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Layer, StateCode};

use super::{
    address::Address,
    bodies::Bodies,
    names::Named,
    table::{Runner, runner},
};

/// The decision on an address, which depends on its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Shown, with the facts about the publisher.
    Known {
        /// Class of the host, for the report.
        class: Class,
        /// Name of the publisher; `None` if it is not known.
        publisher: Option<String>,
        /// Company that runs the host; `None` if none is known.
        provider: Option<&'static str>,
        /// Whether the publisher is a government.
        official: bool,
        /// Whether the government itself is the publisher.
        own: bool,
    },
    /// Not shown, but counted, with the reason.
    Withheld(&'static str),
    /// Not shown, with the reason.
    Rejected(&'static str),
}

/// The class of a host, for the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The government's own host.
    Official,
    /// The host of a government other than the page's.
    OtherGovernment,
    /// A shared map platform.
    Platform,
    /// A host of a private vendor.
    Vendor,
    /// A host of a public body or association of a state or region.
    Regional,
    /// A host of a university.
    University,
}

// Reasons for leaving out an address because of its owner.
pub(super) const HIDDEN: &str = "publisher not documented";
pub(super) const CROWDED: &str = "one host serves many counties, owner not documented";
const FOREIGN: &str = "the address names another government";
/// Minimum number of governments on one host with which its owner counts as doubtful, unless the table has the host.
/// Chosen, not measured.
const MANY: usize = 4;
/// Domain of the map platform. On its shared hosts a code in the path names the owner.
const ARCGIS: &str = "arcgis.com";

/// The governments that use a host, or a folder of a platform.
#[derive(Debug, Default)]
pub(super) struct Users {
    places: BTreeMap<String, BTreeSet<usize>>,
    urls: BTreeMap<String, BTreeSet<usize>>,
}

impl Users {
    pub(super) fn add(&mut self, address: &Address, body: usize) {
        self.places.entry(place(address)).or_default().insert(body);
        self.urls.entry(address.url.clone()).or_default().insert(body);
    }

    /// The number of governments for which this exact address is given.
    pub(super) fn share(&self, url: &str) -> usize {
        self.urls.get(url).map_or(0, BTreeSet::len)
    }

    fn of(&self, address: &Address) -> impl Iterator<Item = usize> {
        self.places.get(&place(address)).into_iter().flatten().copied()
    }
}

/// The part of an address that one owner controls: the domain, the host on a platform, or the owner's code on a
/// platform's shared host.
fn place(address: &Address) -> String {
    if !is_platform(&address.host) {
        return address.domain();
    }
    match account(address) {
        Some(account) => format!("arcgis.com/{account}"),
        None => address.host.clone(),
    }
}

fn is_platform(host: &str) -> bool {
    host == ARCGIS || host.ends_with(".arcgis.com")
}

/// The owner's code in the path of a shared host; `None` for other hosts.
fn account(address: &Address) -> Option<&str> {
    let shared = address.host.starts_with("services") && is_platform(&address.host);
    address.path().split('/').nth(1).filter(|_| shared)
}

/// Whether anyone may use the host, so that it does not show the owner.
fn is_shared(host: &str) -> bool {
    ["www.arcgis.com", "hub.arcgis.com", "opendata.arcgis.com", "utility.arcgis.com", "experience.arcgis.com"]
        .contains(&host)
        || (is_platform(host) && (host.starts_with("services") || host.starts_with("tiles")))
}

/// An address with the facts that decide its owner.
pub(super) struct Question<'a> {
    pub(super) address: &'a Address,
    pub(super) body: usize,
    pub(super) named: &'a Named,
    pub(super) credit: Option<&'a str>,
}

/// Decides who runs addresses.
pub(super) struct Owners<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) users: Users,
    pub(super) is_government_host: &'a dyn Fn(&str) -> bool,
}

impl Owners<'_> {
    pub(super) fn of(&self, question: &Question) -> Owner {
        let Question { address, named, credit, .. } = question;
        if let Some(runner) = runner(&address.host) {
            return match by_table(runner, address, named) {
                Owner::Known { .. } if self.path_is_foreign(question) => Owner::Rejected(FOREIGN),
                owner => owner,
            };
        }
        let credited = credit.is_some_and(|credit| named.is_credited(credit));
        let labels = address.labels();
        if let Some(other) = self.foreign(question, &labels) {
            return match other {
                Some(name) if named.is_named_by(address.path()) => Owner::other(name),
                _ => Owner::Rejected(FOREIGN),
            };
        }
        let by_host = named.is_named_by_host(&labels[..]) && !is_shared(&address.host);
        if is_platform(&address.host) {
            return self.on_platform(question, by_host || credited);
        }
        let is_public = self.is_public(&address.host);
        let by_domain = named.is_named_by_host(&address.domain_labels());
        if (is_public && by_host) || by_domain || credited {
            return Owner::own(Class::Official, &named.full);
        }
        if is_public {
            return self.unnamed_public(question);
        }
        let many = self.users.of(address).count() >= MANY;
        Owner::Withheld(if many { CROWDED } else { HIDDEN })
    }

    /// Whether the path names another government that uses the host, and not the address's own government.
    fn path_is_foreign(&self, question: &Question) -> bool {
        let Question { address, body, named, .. } = question;
        let others = self.users.of(address).filter(|other| *other != self.bodies.same(*body));
        !named.is_named_by(address.path())
            && !named.is_named_by_host(&address.labels())
            && others.map(|other| self.bodies.named(other)).any(|other| {
                other.state == named.state && other.layer == named.layer && other.is_named_by(address.path())
            })
    }

    /// Decides about a map platform: its host or the credit line may name the owner of the account.
    ///
    /// An account that several governments use must also be named in the path.
    fn on_platform(&self, question: &Question, is_named: bool) -> Owner {
        let Question { address, named, .. } = question;
        let users = self.users.of(address).count();
        let shared_by_others = account(address).is_some() && users > 1;
        if shared_by_others && !named.is_named_by(address.path()) {
            return Owner::Withheld(if users >= MANY { CROWDED } else { HIDDEN });
        }
        if is_named && !(shared_by_others && users >= MANY) {
            return Owner::own(Class::Platform, &named.full);
        }
        Owner::Known { class: Class::Platform, publisher: None, provider: None, official: false, own: false }
    }

    /// Decides about a public host that does not name the page's government. The host is the state's, or belongs to
    /// the only government that uses it.
    fn unnamed_public(&self, question: &Question) -> Owner {
        let Question { address, body, named, .. } = question;
        let labels = address.domain_labels();
        let city = labels.iter().find_map(|label| self.bodies.city_of_label(named.state, label));
        let city = city.filter(|city| self.bodies.same(*city) != self.bodies.same(*body));
        if let Some(state) = address.zone().filter(|_| city.is_none()) {
            return in_zone(state, address, named);
        }
        if named.layer == Some(Layer::State) || self.users.of(address).count() > 1 {
            return Owner::Withheld(HIDDEN);
        }
        match city.filter(|_| named.is_county()) {
            Some(city) if named.is_named_by(address.path()) => Owner::other(self.bodies.named(city).full),
            Some(_) => Owner::Rejected(FOREIGN),
            None if named.is_county() && names_a_city(&labels) => Owner::Rejected(FOREIGN),
            None => Owner::own(Class::Official, &named.full),
        }
    }

    fn is_public(&self, host: &str) -> bool {
        let ending = host.rsplit('.').next().unwrap_or_default();
        if ["gov", "mil", "us"].contains(&ending) {
            return true;
        }
        let mut rest = host;
        while rest.contains('.') {
            if (self.is_government_host)(rest) {
                return true;
            }
            rest = rest.split_once('.').map_or("", |(_, rest)| rest);
        }
        false
    }

    /// Whether the host names a government other than the page's. `Some(None)` if that government's full name is not
    /// certain.
    #[expect(clippy::option_option, reason = "whether there is one, and whether its name is known")]
    fn foreign(&self, question: &Question, labels: &[&str]) -> Option<Option<String>> {
        let Question { address, body, named, .. } = question;
        if is_shared(&address.host) {
            return None;
        }
        if named.is_named_by_host(labels) {
            let layers = if named.layer == Some(Layer::County) { Layer::Place } else { Layer::County };
            return named
                .is_of_other_level(labels)
                .then(|| self.bodies.full_name(named.state, layers, named.key()));
        }
        if let [.., "co" | "county", name] = labels[..]
            && address.host.ends_with(".us")
        {
            return Some(self.bodies.full_name(named.state, Layer::County, &super::names::compact(name)));
        }
        let others = self.users.of(address).filter(|other| *other != self.bodies.same(*body));
        let names = others.map(|other| self.bodies.named(other));
        let other = names
            .filter(|other| other.layer != Some(Layer::State))
            .find(|other| other.is_named_by_host(labels))?;
        Some(Some(other.full).filter(|_| other.state == named.state))
    }
}

impl Owner {
    fn own(class: Class, name: &str) -> Owner {
        Owner::Known { class, publisher: Some(name.to_owned()), provider: None, official: true, own: true }
    }

    fn other(name: String) -> Owner {
        let class = Class::OtherGovernment;
        Owner::Known { class, publisher: Some(name), provider: None, official: true, own: false }
    }
}

/// Decides about a host in the zone of a state. Its owner is the state, unless a label means a county or city.
fn in_zone(state: u8, address: &Address, named: &Named) -> Owner {
    let labels = address.labels();
    let is_local = |label: &&str| {
        label.contains("county") || label.starts_with("cityof") || (label.len() > 4 && label.ends_with("co"))
    };
    if named.state != state {
        return Owner::Rejected(FOREIGN);
    }
    if labels.iter().any(is_local) {
        return Owner::Withheld(HIDDEN);
    }
    if named.layer == Some(Layer::State) {
        return Owner::own(Class::Official, &named.full);
    }
    let name = StateCode::from_fips(state).map_or("", StateCode::name);
    let publisher = Some(format!("State of {name}"));
    Owner::Known { class: Class::Regional, publisher, provider: None, official: true, own: false }
}

fn by_table(runner: Runner, address: &Address, named: &Named) -> Owner {
    let known = |class, publisher: &str, official| Owner::Known {
        class,
        publisher: Some(publisher.to_owned()),
        provider: None,
        official,
        own: false,
    };
    match runner {
        Runner::Vendor(name) => at_vendor(name, address, named),
        Runner::Government(name) if name == named.full => Owner::own(Class::Official, name),
        Runner::Government(name) if named.is_named_by(address.path()) => Owner::other(name.to_owned()),
        Runner::Government(_) => Owner::Rejected(FOREIGN),
        Runner::Public(name) => known(Class::Regional, name, true),
        Runner::Association(name) => known(Class::Regional, name, false),
        Runner::University(name) => known(Class::University, name, false),
        Runner::Dead(reason) => Owner::Rejected(reason),
    }
}

/// Decides about a vendor's host: the government is the publisher if the address names it.
fn at_vendor(vendor: &'static str, address: &Address, named: &Named) -> Owner {
    let parts: Vec<&str> = address.labels().into_iter().chain(address.path().split('/')).collect();
    if named.is_of_other_level(&parts) || (named.is_county() && names_a_city(&parts)) {
        return Owner::Rejected(FOREIGN);
    }
    let own = named.is_named_by_host(&parts);
    Owner::Known {
        class: Class::Vendor,
        publisher: own.then(|| named.full.clone()),
        provider: Some(vendor),
        official: own,
        own,
    }
}

fn names_a_city(parts: &[&str]) -> bool {
    parts.iter().any(|part| {
        let part = part.to_lowercase();
        ["cityof", "city_of", "townof", "town_of"].iter().any(|word| part.contains(word))
    })
}
