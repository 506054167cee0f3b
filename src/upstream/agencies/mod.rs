//! The requests to outside services and the attributes of their responses, with one file for each agency.
//!
//! This module makes a [`Query`](super::fetch::Query) from a point or an address. It reads a [`Reply`] into a
//! [`Fault`], or into attributes from which the library makes a fact. Other modules make the calls and interpret the
//! attributes.

mod arcgis;
pub(super) mod census;
mod elevation;
mod fema;
pub(super) mod parcels;
mod shoreland;
mod soils;
mod values;
mod wetlands;

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;

use super::{control::ControlQuestion, fetch::Reply, service::Line};
use platbook::{
    facts::{Fact, FactKey, Fault, Images},
    geometry::LonLat,
};

/// The service that provides one fact.
pub(super) struct Agency {
    pub(super) key: FactKey,
    /// The default address of the service.
    pub(super) base: &'static str,
    pub(super) control: fn() -> ControlQuestion,
    /// Queries the service about a point.
    pub(super) fact: for<'l> fn(&'l Line, LonLat) -> BoxFuture<'l, Result<Fact, Fault>>,
}

/// All services that provide facts. The address service is not one of them.
pub(super) static AGENCIES: [Agency; 5] =
    [fema::AGENCY, wetlands::AGENCY, soils::AGENCY, elevation::AGENCY, shoreland::AGENCY];

/// A location by its coordinates, before these are converted to a point.
struct KnownPlace {
    lat: f64,
    lon: f64,
}

/// The middle of Bde Maka Ska in Minneapolis, a lake of 1.6 km² that every map has. It lies in a zone of the digital
/// flood map (FEMA panel of 2016) and in a map unit of the soil survey MN053. The lake is in the wetlands inventory,
/// is public water 27-31 P of Minnesota, and has a height.
const LAKE: KnownPlace = KnownPlace { lat: 44.942, lon: -93.3115 };

impl KnownPlace {
    fn point(&self) -> LonLat {
        LonLat::from_lat_lon(self.lat, self.lon).expect("a known place lies on the globe")
    }
}

/// Reads the body of a successful response as JSON.
fn json<T: DeserializeOwned>(reply: &Reply) -> Result<T, Fault> {
    // Other successful statuses do not carry a whole response: 204 has no body, and 206 has a part of one.
    if reply.status != 200 {
        return Err(Fault::Status(reply.status));
    }
    // Some services send a byte order mark, which JSON must not have but a reader may ignore (RFC 8259, section 8.1).
    let body = reply.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&reply.body);
    serde_json::from_slice(body).map_err(|_| Fault::Unreadable)
}

/// Returns longitude and latitude in degrees with 7 decimals, the form that all services accept.
fn degrees(point: LonLat) -> (String, String) {
    (format!("{:.7}", point.lon_degrees()), format!("{:.7}", point.lat_degrees()))
}

/// Reads a response as if each service in turn had sent it, and makes facts. Tests the readers on arbitrary bytes.
pub(super) fn read_as_each(reply: &Reply) {
    let point = LonLat::from_units(449_773_000, -932_655_000);
    let _ = census::read(reply, "2026-01-01T00:00:00Z");
    let _ = parcels::read(reply);
    let _ = elevation::read(reply, point);
    let _ = soils::read(reply);
    let is_mapped = fema::read_availability(reply).unwrap_or_default();
    let (zone, panel) = (fema::read_zones(reply).ok().flatten(), fema::read_panels(reply).ok().flatten());
    let flood = fema::on_panel(zone, is_mapped, panel);
    let wetlands = wetlands::read(reply).ok().map(|read| {
        let images = wetlands::read_images(reply).unwrap_or(Images::NotChecked);
        wetlands::judged(&read, read.clone(), images)
    });
    let basins = shoreland::read_basins(reply).unwrap_or_default();
    let shoreland = shoreland::judged(basins, &shoreland::read_streams(reply).unwrap_or_default());
    for fact in [Some(flood), wetlands, shoreland].into_iter().flatten() {
        assert!(fact.key.row().statuses.iter().any(|(status, _)| *status == fact.status()));
    }
}
