//! Who runs an address: the government itself, a platform, a vendor, another public body, or nobody that is told.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Layer, STATES};

use super::{
    address::Address,
    bodies::Bodies,
    names::Named,
    table::{Runner, runner},
};

/// What follows from who runs an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Shown, with what is known of the publisher.
    Known {
        /// For the report.
        class: Class,
        /// Publisher.
        publisher: Option<String>,
        /// Company that runs it.
        provider: Option<&'static str>,
        /// Whether the publisher is a government.
        official: bool,
        /// Whether the government itself is the publisher.
        own: bool,
    },
    /// Not shown, counted.
    Withheld(&'static str),
    /// Not shown.
    Rejected(&'static str),
}

/// Class of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The government's own host.
    Official,
    /// Another government's host.
    OtherGovernment,
    /// A map platform.
    Platform,
    /// A vendor's host.
    Vendor,
    /// A body of a state or region.
    Regional,
    /// A university.
    University,
}

pub(super) const HIDDEN: &str = "publisher not documented";
pub(super) const CROWDED: &str = "one host serves many counties, owner not documented";
const FOREIGN: &str = "the address names another government";
/// So many governments on one host that is in no table make its owner doubtful.
const MANY: usize = 4;
/// What follows `arcgis.com` in hosts of map services: who owns them is told by a code in the path.
const ARCGIS: &str = "arcgis.com";

/// Which governments use a host, or a folder of a platform.
#[derive(Debug, Default)]
pub(super) struct Users(BTreeMap<String, BTreeSet<usize>>);

impl Users {
    pub(super) fn add(&mut self, address: &Address, body: usize) {
        self.0.entry(place(address)).or_default().insert(body);
    }

    fn of(&self, address: &Address) -> impl Iterator<Item = usize> {
        self.0.get(&place(address)).into_iter().flatten().copied()
    }
}

/// The domain; on a platform the host; on its shared hosts the owner's code.
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

/// The owner's code in the path of a shared host.
fn account(address: &Address) -> Option<&str> {
    let shared = address.host.starts_with("services") && is_platform(&address.host);
    address.path().split('/').nth(1).filter(|_| shared)
}

/// Hosts that anyone may use, so that the host tells nothing.
fn is_shared(host: &str) -> bool {
    ["www.arcgis.com", "hub.arcgis.com", "opendata.arcgis.com", "utility.arcgis.com", "experience.arcgis.com"]
        .contains(&host)
        || (is_platform(host) && (host.starts_with("services") || host.starts_with("tiles")))
}

/// What is asked about an address.
pub(super) struct Question<'a> {
    pub(super) address: &'a Address,
    pub(super) body: usize,
    pub(super) named: &'a Named,
    pub(super) credit: Option<&'a str>,
}

/// Answers who runs addresses.
pub(super) struct Owners<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) users: Users,
    pub(super) is_government_host: &'a dyn Fn(&str) -> bool,
}

impl Owners<'_> {
    pub(super) fn of(&self, question: &Question) -> Owner {
        let Question { address, named, credit, .. } = question;
        if let Some(runner) = runner(&address.host) {
            return by_table(runner, named);
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
        let domain = address.domain();
        let is_public = self.is_public(&address.host);
        let by_domain = named.is_named_by_host(&domain_labels(&domain));
        if (is_public && by_host) || by_domain || credited {
            return Owner::own(Class::Official, &named.full);
        }
        if is_public {
            return self.unnamed_public(question, &domain);
        }
        let many = self.users.of(address).count() >= MANY;
        Owner::Withheld(if many { CROWDED } else { HIDDEN })
    }

    /// A map platform: its host or the credit line may tell whose account it is.
    fn on_platform(&self, question: &Question, is_told: bool) -> Owner {
        let Question { address, named, .. } = question;
        let users = self.users.of(address).count();
        let shared_by_others = account(address).is_some() && users > 1;
        if shared_by_others && !named.is_named_by(address.path()) {
            return Owner::Withheld(if users >= MANY { CROWDED } else { HIDDEN });
        }
        if is_told && !(shared_by_others && users >= MANY) {
            return Owner::own(Class::Platform, &named.full);
        }
        Owner::Known { class: Class::Platform, publisher: None, provider: None, official: false, own: false }
    }

    /// A government's host that does not name the government: the state's, or the only one that uses it.
    fn unnamed_public(&self, question: &Question, domain: &str) -> Owner {
        let Question { address, named, .. } = question;
        if let Some(state) = state_of(domain) {
            let name = self.bodies.full_name(state, Layer::State, &super::names::folded(state_name(state), None));
            let name = name.unwrap_or_else(|| format!("State of {}", state_name(state)));
            let own = named.layer == Some(Layer::State) && named.state == state;
            return if own {
                Owner::own(Class::Official, &named.full)
            } else if named.state == state {
                Owner::Known {
                    class: Class::Regional,
                    publisher: Some(name),
                    provider: None,
                    official: true,
                    own: false,
                }
            } else {
                Owner::Rejected(FOREIGN)
            };
        }
        if self.users.of(address).count() > 1 || named.layer == Some(Layer::State) {
            return Owner::Withheld(HIDDEN);
        }
        Owner::own(Class::Official, &named.full)
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

    /// Whether the host names another government than the one that it stands for: its name where that is sure.
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
        let others = self.users.of(address).filter(|other| other != body);
        let other = others.map(|other| self.bodies.named(other)).find(|other| other.is_named_by_host(labels))?;
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

fn by_table(runner: Runner, named: &Named) -> Owner {
    let known = |class, publisher: &str, provider, official, own| Owner::Known {
        class,
        publisher: Some(publisher.to_owned()),
        provider,
        official,
        own,
    };
    match runner {
        Runner::Vendor(name) => known(Class::Vendor, &named.full, Some(name), true, true),
        Runner::Public(name) => known(Class::Regional, name, None, true, false),
        Runner::Association(name) => known(Class::Regional, name, None, false, false),
        Runner::University(name) => known(Class::University, name, None, false, false),
        Runner::Dead(reason) => Owner::Rejected(reason),
    }
}

fn domain_labels(domain: &str) -> Vec<&str> {
    domain.split('.').collect()
}

/// The state whose own zone a domain is: `ny.gov`, `maryland.gov`.
fn state_of(domain: &str) -> Option<u8> {
    let label = domain.strip_suffix(".gov").or_else(|| domain.strip_suffix(".us"))?;
    let label = label.strip_prefix("state.").unwrap_or(label);
    let is_state = |(_, usps, name): &&(u8, &str, &str)| {
        usps.eq_ignore_ascii_case(label) || super::names::compact(name) == label
    };
    STATES.iter().find(is_state).map(|row| row.0).or((label == "mass").then_some(25))
}

fn state_name(fips: u8) -> &'static str {
    STATES.iter().find(|row| row.0 == fips).map_or("", |row| row.2)
}
