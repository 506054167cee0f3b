//! What each service outside is asked, and what its answers mean: plain functions, a file for each agency.
//!
//! A [`Query`] is made from a point or an address; a [`Reply`](super::fetch::Reply) is read into findings, or into the
//! [`Fault`] that it is. Nothing here knows how calls are made.

mod arcgis;
pub(super) mod census;
pub(super) mod elevation;
pub(super) mod fema;
pub(super) mod parcels;
pub(super) mod shoreland;
pub(super) mod soils;
mod values;
pub(super) mod wetlands;

use serde::de::DeserializeOwned;

use super::{fault::Fault, fetch::Reply};
use platbook::geometry::LonLat;

/// What a service is asked, below its base address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// The path.
    pub(super) path: &'static str,
    /// Parameters, not yet encoded.
    pub(super) pairs: Vec<(&'static str, String)>,
    /// Whether they are sent as a form, and not in the address.
    pub(super) is_posted: bool,
}

/// A question whose answer is known to be there. It distinguishes a service that has nothing to say of a point or an
/// address from one that says nothing of any.
#[derive(Clone, Debug)]
pub(super) struct ControlQuestion {
    /// The request.
    pub(super) query: Query,
    /// Whether an answer has something where there must be something.
    pub(super) finds: fn(&Reply) -> Result<bool, Fault>,
}

/// A place by its coordinates, before it is read as a point.
struct KnownPlace {
    lat: f64,
    lon: f64,
}

/// The middle of Bde Maka Ska in Minneapolis, a lake of 1.6 km². Each map has it: a zone of the digital flood map (FEMA panel
/// of 2016), a lake of the wetlands inventory, public water 27-31 P of Minnesota, a map unit of the soil survey MN053, a height.
const LAKE: KnownPlace = KnownPlace { lat: 44.942, lon: -93.3115 };

impl KnownPlace {
    fn point(&self) -> LonLat {
        LonLat::from_lat_lon(self.lat, self.lon).expect("a known place lies on the globe")
    }
}

impl Query {
    fn get(path: &'static str, pairs: Vec<(&'static str, String)>) -> Query {
        Query { path, pairs, is_posted: false }
    }
}

/// Reads the body of a success as JSON.
fn json<T: DeserializeOwned>(reply: &Reply) -> Result<T, Fault> {
    // No other status of success has an answer of its own: 204 has none, 206 a part.
    if reply.status != 200 {
        return Err(Fault::Status(reply.status));
    }
    // Some send a byte order mark, which JSON must not have (RFC 8259 8.1) but a reader may ignore.
    let body = reply.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&reply.body);
    serde_json::from_slice(body).map_err(|_| Fault::Unreadable)
}

/// A coordinate as services read it: plain degrees, 7 decimals.
fn degrees(point: LonLat) -> (String, String) {
    (format!("{:.7}", point.lon_degrees()), format!("{:.7}", point.lat_degrees()))
}

/// Reads an answer as that of each service in turn, and makes of it what can be made: for tests of readers on any bytes.
pub(super) fn read_as_each(reply: &Reply) {
    let point = LonLat::from_units(449_773_000, -932_655_000);
    let _ = census::read(reply, "2026-01-01T00:00:00Z");
    let _ = elevation::read(reply, point);
    let _ = parcels::read(reply);
    let _ = soils::read(reply);
    let panel = fema::read_panels(reply).ok().flatten();
    let without = fema::read_availability(reply).map(|has_map| fema::without_zone(has_map, panel.as_ref()));
    for finding in [fema::read_zones(reply).ok().flatten(), without.ok()].into_iter().flatten() {
        fema::on_panel(finding, panel.clone());
    }
    if let Ok(read) = wetlands::read(reply) {
        wetlands::finding(&read, &read, wetlands::read_images(reply).ok());
    }
    let basins = shoreland::read_basins(reply).unwrap_or_default();
    shoreland::finding(&basins, &shoreland::read_streams(reply).unwrap_or_default());
}
