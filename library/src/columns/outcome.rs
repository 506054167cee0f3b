//! The location that a row gives, and the outcome of the row.

use std::borrow::Cow;

use crate::{
    directory::{Chain, Quality, Row},
    geometry::LonLat,
};

/// The error of a point outside of all areas.
pub const OUTSIDE: &str = "the point is in no covered state or territory";

/// The location that a row gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Location {
    /// A point of the globe.
    Point(LonLat),
    /// A county, city, town or township.
    Jurisdiction(Row),
    /// Neither a point nor a jurisdiction; the text says why.
    Invalid(Cow<'static, str>),
}

impl Location {
    /// The location of a latitude and a longitude in degrees, WGS84; invalid beyond the globe, and for NaN and
    /// infinities.
    pub fn of_degrees((lat, lon): (f64, f64)) -> Location {
        match LonLat::from_lat_lon(lat, lon) {
            Ok(point) => Location::Point(point),
            Err(error) => Location::Invalid(error.to_string().into()),
        }
    }
}

/// The outcome of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The row lies in these governments.
    Resolved(Resolved),
    /// The point is in no covered state or territory.
    Outside,
    /// The row gives no location; the text says why.
    Invalid(Cow<'static, str>),
}

/// The governments of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolved {
    /// The point of the row; `None` if it names a jurisdiction.
    pub point: Option<LonLat>,
    /// The governments, largest first.
    pub chain: Chain,
    /// Number of the chain with its ground. A resolver numbers these pairs from 0, in the order of their first rows.
    pub number: u32,
}

impl Outcome {
    /// The word for the relation of the location to its areas, such as `inside`.
    pub fn quality(&self) -> &'static str {
        match self {
            Outcome::Resolved(Resolved { point: None, .. }) => "exact",
            Outcome::Resolved(resolved) => match resolved.chain.quality {
                Quality::Inside => "inside",
                Quality::Sliver => "sliver",
                Quality::Water => "water",
                Quality::Nearest { .. } => "nearest",
            },
            Outcome::Outside => "outside",
            Outcome::Invalid(_) => "invalid",
        }
    }

    /// The reason why the row was not resolved; `None` for a resolved row.
    pub fn error(&self) -> Option<&str> {
        match self {
            Outcome::Resolved(_) => None,
            Outcome::Outside => Some(OUTSIDE),
            Outcome::Invalid(reason) => Some(reason),
        }
    }

    /// The number of the row's chain; `None` if the row was not resolved.
    pub fn chain_number(&self) -> Option<usize> {
        match self {
            Outcome::Resolved(resolved) => Some(resolved.number as usize),
            _ => None,
        }
    }
}
