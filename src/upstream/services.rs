//! All outside services as one: each fact from its agency, several queries of one fact side by side.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::future::join_all;
use hyper::header::HeaderValue;
use jiff::{Timestamp, ToSpan as _};

use super::{
    Finding, Upstream,
    agencies::{census, elevation, fema, shoreland, soils, wetlands},
    base::{BadBase, Base},
    control::Verdict,
    desk::joined,
    fault::Fault,
    fetch::Fetcher,
    parcels::{JsonParcels, ParcelProvider, ParcelSettings},
    service::{Line, Service, ServiceAddress, ServiceFigures},
};
use platbook::{
    answers::{AddressAnswer, Findings, Found, Lookup, ParcelAnswer},
    geometry::LonLat,
    vocabulary::{Elevation, FactKey, Flood, JurisdictionId, Shoreland, Soils, Wetlands},
};

/// Seconds for which "nothing" is kept that the control question could not confirm.
const UNCONFIRMED_LIFETIME_S: u32 = 120;

/// Where to read on about the program that asks.
const ABOUT: &str = env!("CARGO_PKG_REPOSITORY");

/// The public services of the agencies, or mirrors of them.
#[derive(Debug)]
pub struct Services {
    lines: HashMap<Service, Line>,
    parcels: Option<Box<dyn ParcelProvider>>,
}

/// Why services cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadServices {
    /// A contact that cannot be sent along with calls.
    #[error(
        "contact: expected an address of mail or web in plain ASCII without parentheses, such as maps@example.gov, got \
         {0:?}"
    )]
    Contact(String),
    /// A provider of parcels that cannot be asked.
    #[error("parcels: {0}")]
    Parcels(#[from] BadBase),
}

impl Services {
    /// The services at their usual addresses, but for these, and a provider of parcels where one is set up. Calls name the
    /// `contact` of whoever runs this server.
    ///
    /// # Errors
    /// When the contact cannot be sent, or the provider cannot be asked.
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
        let lines = Service::ALL.into_iter().filter_map(|service| {
            // Where one is set several times, the last counts.
            let set = addresses.iter().rev().find(|address| address.service == service);
            let usual = || Some(Base::parse(service.usual_base()).expect("usual addresses are well formed"));
            let base = set.map_or_else(usual, |address| address.base.clone())?;
            Some((service, Line::new(base, Arc::clone(&fetcher), service.control())))
        });
        Ok(Services { lines: lines.collect(), parcels })
    }

    /// The same services with another provider of parcels.
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
        let why =
            format!("the address could not be looked up: {fault}; ask again later, or ask with lat and lon");
        answered(AddressAnswer::Unavailable(why), Some(fault.retry_after_s()), None)
    }

    async fn fact(&self, key: FactKey, point: LonLat) -> Found {
        let Some(line) = self.lines.get(&Service::Fact(key)) else { return Found::default() };
        let asked_at = now();
        let none = Findings::default();
        let facts = match key {
            FactKey::Flood => flood(line, point).await.map(|it| Findings { flood: Some(it), ..none }),
            FactKey::Wetlands => {
                wetlands(line, point).await.map(|it| Findings { wetlands: Some(it), ..none })
            }
            FactKey::Soils => line
                .ask(soils::query(point), soils::read)
                .await
                .map(|it| Findings { soils: Some(it), ..none }),
            FactKey::Elevation => line
                .ask(elevation::query(point), |reply| elevation::read(reply, point))
                .await
                .map(|it| Findings { elevation: Some(it), ..none }),
            FactKey::Shoreland => {
                shoreland(line, point).await.map(|it| Findings { shoreland: Some(it), ..none })
            }
            FactKey::Radon => Ok(none),
        };
        let looked_up_at = Some(asked_at);
        let found = |facts, lifetime_s| Found { facts, looked_up_at, lifetime_s, ..Found::default() };
        let failed = |fault: &Fault| Found::failed(key, &fault.to_string(), fault.retry_after_s());
        match facts {
            Ok(facts) if !is_of_nothing(&facts) => found(facts, None),
            Ok(facts) => match line.verdict().await {
                Verdict::Right => found(facts, None),
                Verdict::Unknown => found(facts, Some(UNCONFIRMED_LIFETIME_S)),
                Verdict::Wrong => failed(&Fault::Empty),
            },
            Err(fault) => failed(&fault),
        }
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
        let known = Service::ALL.into_iter();
        known.filter_map(|service| Some(self.lines.get(&service)?.figures(service))).collect()
    }

    fn find(&self, lookup: Lookup) -> Finding<'_> {
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

async fn flood(line: &Line, point: LonLat) -> Result<platbook::answers::Finding<Flood>, Fault> {
    let zones = line.ask(fema::zones(point), fema::read_zones);
    let panel = line.ask(fema::panels(point), fema::read_panels);
    let (zones, panel) = tokio::join!(zones, panel);
    // The zone is what counts: it is told without its panel, too.
    let panel = panel.ok().flatten();
    let finding = match zones? {
        Some(finding) => finding,
        None => {
            let has_map = line.ask(fema::availability(point), fema::read_availability).await?;
            fema::without_zone(has_map, panel.as_ref())
        }
    };
    Ok(fema::on_panel(finding, panel))
}

async fn wetlands(line: &Line, point: LonLat) -> Result<platbook::answers::Finding<Wetlands>, Fault> {
    let here = line.ask(wetlands::here(point), wetlands::read);
    let near = line.ask(wetlands::near(point), wetlands::read);
    let images = line.ask(wetlands::images(point), wetlands::read_images);
    let (here, near, images) = tokio::join!(here, near, images);
    Ok(wetlands::finding(&here?, &near?, images.ok()))
}

async fn shoreland(line: &Line, point: LonLat) -> Result<platbook::answers::Finding<Shoreland>, Fault> {
    let basins = line.ask(shoreland::basins(point), shoreland::read_basins);
    let streams = line.ask(shoreland::streams(point), shoreland::read_streams);
    let (basins, streams) = tokio::join!(basins, streams);
    Ok(shoreland::finding(&basins?, &streams?))
}

/// Whether facts rest on an empty answer: a service that has lost its data would give the same.
fn is_of_nothing(facts: &Findings) -> bool {
    let Findings { flood, wetlands, soils, elevation, shoreland, radon: _ } = facts;
    flood.as_ref().is_some_and(|it| [Flood::Unknown, Flood::Unmapped].contains(&it.status))
        || wetlands.as_ref().is_some_and(|it| [Wetlands::Unknown, Wetlands::No].contains(&it.status))
        || soils.as_ref().is_some_and(|it| it.status == Soils::None)
        || elevation.as_ref().is_some_and(|it| it.status == Elevation::Unknown)
        || shoreland.as_ref().is_some_and(|it| it.status == Shoreland::No)
}

/// Who asks: this program, where it comes from, and whom to turn to about this server.
fn user_agent(contact: Option<&str>) -> Result<HeaderValue, BadServices> {
    let contact = contact.map(|contact| format!("; {contact}")).unwrap_or_default();
    let is_plain = contact.chars().all(|letter| (' '..='~').contains(&letter) && !"()\\".contains(letter));
    let text = format!("platbook/{} (+{ABOUT}{contact})", env!("CARGO_PKG_VERSION"));
    let value = HeaderValue::try_from(text).ok().filter(|_| is_plain);
    value.ok_or_else(|| BadServices::Contact(contact.trim_start_matches("; ").to_owned()))
}

/// The time in whole seconds, RFC 3339.
fn now() -> String {
    let now = Timestamp::now();
    let fraction = i64::from(now.subsec_nanosecond()).nanoseconds();
    now.checked_sub(fraction).unwrap_or(now).to_string()
}
