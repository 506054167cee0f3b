//! Implements [`Upstream`] with the public services of the agencies: one agency for each fact, one for addresses.

use std::{
    collections::{HashMap, HashSet},
    iter,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use futures_util::future::join_all;
use hyper::header::HeaderValue;
use jiff::{Timestamp, ToSpan as _};
use serde::Deserialize;

use super::{
    FoundFuture, Upstream,
    agencies::{AGENCIES, Agency, census},
    base::{BadBase, Base},
    control::{ControlQuestion, Verdict},
    fetch::Fetcher,
    lookups::joined,
    parcels::{JsonParcels, ParcelProvider, ParcelSettings},
    service::{Line, ServiceFigures},
};
use platbook::{
    answers::{AddressAnswer, Found, Lookup, ParcelAnswer},
    facts::{FactKey, Facts, Fault},
    geometry::LonLat,
    vocabulary::JurisdictionId,
    words::{English, Words as _},
};

/// Lifetime in seconds of an empty result that the control question could not confirm. Chosen, not measured.
const UNCONFIRMED_LIFETIME_S: u32 = 120;

/// The page about this program, for the services' operators.
const ABOUT: &str = env!("CARGO_PKG_REPOSITORY");

/// A public service that can be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// The U.S. Census Bureau's service that looks up addresses.
    Geocoder,
    /// The service that provides the fact with this key.
    Fact(FactKey),
}

impl Service {
    /// Returns all services, the geocoder first.
    pub fn all() -> impl Iterator<Item = Service> {
        iter::once(Service::Geocoder).chain(AGENCIES.iter().map(|agency| Service::Fact(agency.key)))
    }

    /// Returns the name of the service in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Service::Geocoder => "geocoder",
            Service::Fact(key) => key.as_str(),
        }
    }
}

/// The setting of a service: another address, or off. Examples are `flood=https://maps.example/NFHL/MapServer` and
/// `flood=off`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ServiceAddress {
    pub(super) service: Service,
    /// The address; `None` if the service is off.
    pub(super) base: Option<Base>,
}

/// Error for a text that is not the setting of a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadServiceAddress {
    /// No service has this name.
    #[error("expected NAME=URL or NAME=off with one of the names {names}, got {0:?}", names = *NAMES)]
    Name(String),
    /// The address is not valid.
    #[error(transparent)]
    Base(#[from] BadBase),
}

static NAMES: LazyLock<String> =
    LazyLock::new(|| Service::all().map(Service::as_str).collect::<Vec<_>>().join(", "));

impl FromStr for ServiceAddress {
    type Err = BadServiceAddress;

    fn from_str(text: &str) -> Result<ServiceAddress, BadServiceAddress> {
        let named = text.split_once('=').and_then(|(name, base)| {
            let service = Service::all().find(|service| service.as_str() == name)?;
            Some((service, base))
        });
        let (service, base) = named.ok_or_else(|| BadServiceAddress::Name(text.to_owned()))?;
        let base = if base == "off" { None } else { Some(Base::parse(base)?) };
        Ok(ServiceAddress { service, base })
    }
}

impl TryFrom<String> for ServiceAddress {
    type Error = BadServiceAddress;

    fn try_from(text: String) -> Result<ServiceAddress, BadServiceAddress> {
        text.parse()
    }
}

/// The public services of the agencies, or their mirrors.
#[derive(Debug)]
pub struct Services {
    lines: HashMap<Service, Line>,
    parcels: Option<Box<dyn ParcelProvider>>,
}

/// Error in the settings of services.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadServices {
    /// The contact cannot be sent in a header.
    #[error(
        "contact: expected an address of mail or web in plain ASCII without parentheses, such as maps@example.gov, got \
         {0:?}"
    )]
    Contact(String),
    /// The URL of the provider of parcels is not valid.
    #[error("parcels: {0}")]
    Parcels(#[from] BadBase),
}

impl Services {
    /// Makes the services at their default addresses, except for these settings. Adds the provider of parcel data if
    /// one is configured. Calls carry the operator's `contact`.
    ///
    /// # Errors
    /// If the contact cannot be sent, or the provider's URL is not valid.
    pub fn new(
        addresses: &[ServiceAddress],
        contact: Option<&str>,
        parcels: Option<&ParcelSettings>,
    ) -> Result<Services, BadServices> {
        let own = addresses.iter().filter_map(|address| Some(address.base.as_ref()?.host().to_owned()));
        let mut own: HashSet<String> = own.collect();
        own.extend(parcels.map(JsonParcels::host).transpose()?);
        let fetcher = Arc::new(Fetcher::new(user_agent(contact)?, own));
        let provider = |settings| JsonParcels::new(settings, Arc::clone(&fetcher));
        let parcels = parcels.map(provider).transpose()?.map(|it| Box::new(it) as Box<dyn ParcelProvider>);
        // The last setting of a service counts if there are several.
        let set = |service| addresses.iter().rev().find(|address| address.service == service);
        let line = |service, usual: &str, control: fn() -> ControlQuestion| {
            let usual = || Some(Base::parse(usual).expect("usual addresses are well formed"));
            let base = set(service).map_or_else(usual, |address| address.base.clone())?;
            Some((service, Line::new(base, Arc::clone(&fetcher), Some(control()))))
        };
        let of = |agency: &Agency| line(Service::Fact(agency.key), agency.base, agency.control);
        let geocoder = line(Service::Geocoder, census::BASE, census::control);
        let lines = geocoder.into_iter().chain(AGENCIES.iter().filter_map(of));
        Ok(Services { lines: lines.collect(), parcels })
    }

    /// Returns the same services with another provider of parcel data.
    pub fn with_parcels(self, parcels: Box<dyn ParcelProvider>) -> Services {
        Services { parcels: Some(parcels), ..self }
    }

    async fn parcel(&self, point: LonLat, lineage: &[JurisdictionId]) -> Found {
        let parcel = match &self.parcels {
            None => ParcelAnswer::NotConfigured,
            Some(provider) if !provider.is_cleared(lineage) => ParcelAnswer::NotCleared,
            Some(provider) => provider.facts(point).await,
        };
        Found { parcel, looked_up_at: Some(now()), ..Found::default() }
    }

    async fn address(&self, text: &str) -> Found {
        let Some(line) = self.lines.get(&Service::Geocoder) else { return Found::default() };
        let asked_at = now();
        let answered = |address, lifetime_s, hint| {
            let looked_up_at = Some(asked_at.clone());
            Found { address, looked_up_at, lifetime_s, hint, ..Found::default() }
        };
        let query = match census::query(text) {
            Ok(query) => query,
            Err(in_vain) => return answered(in_vain, None, None),
        };
        let fault = match line.ask(query, |reply| census::read(reply, &asked_at)).await {
            Ok(placed) if placed.is_found() => return answered(placed.address, None, placed.hint),
            Ok(_) => Fault::Empty,
            Err(fault) => fault,
        };
        if matches!(fault, Fault::Empty | Fault::Refused(_)) {
            match line.verdict().await {
                Verdict::Right => return answered(AddressAnswer::NotFound, None, None),
                Verdict::Unknown if fault == Fault::Empty => {
                    return answered(AddressAnswer::NotFound, Some(UNCONFIRMED_LIFETIME_S), None);
                }
                Verdict::Unknown | Verdict::Wrong => {}
            }
        }
        let why = format!(
            "the address could not be looked up: {}; ask again later, or ask with lat and lon",
            English.fault(&fault)
        );
        answered(AddressAnswer::Unavailable(why), Some(fault.retry_after_s()), None)
    }

    async fn fact(&self, key: FactKey, point: LonLat) -> Found {
        let agency = AGENCIES.iter().find(|agency| agency.key == key);
        let (Some(agency), Some(line)) = (agency, self.lines.get(&Service::Fact(key))) else {
            return Found::default();
        };
        let looked_up_at = Some(now());
        let failed = |fault: Fault| {
            let retry_after_s = fault.retry_after_s();
            Found::failed(key, fault, retry_after_s)
        };
        let fact = match (agency.fact)(line, point).await {
            Ok(fact) => fact,
            Err(fault) => return failed(fault),
        };
        let lifetime_s = if fact.status().is_of_nothing() {
            match line.verdict().await {
                Verdict::Right => None,
                Verdict::Unknown => Some(UNCONFIRMED_LIFETIME_S),
                Verdict::Wrong => return failed(Fault::Empty),
            }
        } else {
            None
        };
        Found { facts: Facts::from_iter([fact]), looked_up_at, lifetime_s, ..Found::default() }
    }
}

impl Upstream for Services {
    fn takes(&self, lookup: &Lookup) -> bool {
        match lookup {
            Lookup::Address(_) => self.lines.contains_key(&Service::Geocoder),
            Lookup::Parcel { .. } => self.parcels.is_some(),
            Lookup::Facts { keys, .. } => keys.iter().any(|key| self.lines.contains_key(&Service::Fact(key))),
        }
    }

    fn figures(&self) -> Vec<ServiceFigures> {
        Service::all()
            .filter_map(|service| Some(self.lines.get(&service)?.figures(service.as_str())))
            .collect()
    }

    fn find(&self, lookup: Lookup) -> FoundFuture<'_> {
        Box::pin(async move {
            match lookup {
                Lookup::Address(text) => self.address(&text).await,
                Lookup::Parcel { point, lineage } => self.parcel(point, &lineage).await,
                Lookup::Facts { spot, keys } => {
                    let facts = join_all(keys.iter().map(|key| self.fact(key, spot.point))).await;
                    facts.into_iter().reduce(joined).unwrap_or_default()
                }
            }
        })
    }
}

/// Makes the `User-Agent`: the name of this program, its page and the operator's contact.
fn user_agent(contact: Option<&str>) -> Result<HeaderValue, BadServices> {
    let contact = contact.map(|contact| format!("; {contact}")).unwrap_or_default();
    let is_plain = contact.chars().all(|letter| (' '..='~').contains(&letter) && !"()\\".contains(letter));
    let text = format!("platbook/{} (+{ABOUT}{contact})", env!("CARGO_PKG_VERSION"));
    let value = HeaderValue::try_from(text).ok().filter(|_| is_plain);
    value.ok_or_else(|| BadServices::Contact(contact.trim_start_matches("; ").to_owned()))
}

/// Returns the current time in whole seconds, RFC 3339.
fn now() -> String {
    let now = Timestamp::now();
    let fraction = i64::from(now.subsec_nanosecond()).nanoseconds();
    now.checked_sub(fraction).unwrap_or(now).to_string()
}
