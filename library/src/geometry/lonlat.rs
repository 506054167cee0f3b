//! A WGS84 coordinate, whose range is checked when it is created.

use std::fmt;

/// Number of units in a degree. Coordinates are integers in units of 1e-7 degree (about 1 cm).
pub const UNITS_PER_DEGREE: i32 = 10_000_000;

/// Largest longitude, in units of 1e-7 degree.
const LON_UNITS_MAX: i32 = 180 * UNITS_PER_DEGREE;
/// Largest latitude, in units of 1e-7 degree.
const LAT_UNITS_MAX: i32 = 90 * UNITS_PER_DEGREE;

/// A point on the globe (WGS84), in whole units of 1e-7 degree.
///
/// The fields are private, so every value lies on the globe. **Latitude comes first** in every function that takes or
/// returns two plain numbers. Values are ordered by longitude and then by latitude, as a sweep from west to east
/// requires. The order of the fields explains the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LonLat {
    /// Longitude, positive in the east, from -[`LON_UNITS_MAX`] to [`LON_UNITS_MAX`].
    lon: i32,
    /// Latitude, positive in the north, from -[`LAT_UNITS_MAX`] to [`LAT_UNITS_MAX`].
    lat: i32,
}

/// A coordinate outside the valid range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("expected {name} as a finite decimal degree from -{limit} to {limit}, got {got}")]
pub struct PointError {
    /// The rejected coordinate: `lon` or `lat`.
    pub name: &'static str,
    /// Largest valid magnitude, in degrees.
    pub limit: i32,
    /// The rejected value, in degrees.
    pub got: f64,
}

impl LonLat {
    /// Creates a point from latitude and longitude in degrees, rounded to the nearest unit.
    ///
    /// # Errors
    /// [`PointError`] if a value is not finite, the latitude is outside ±90 or the longitude is outside ±180.
    pub fn from_lat_lon(lat: f64, lon: f64) -> Result<LonLat, PointError> {
        Ok(LonLat { lon: steps("lon", lon, 180)?, lat: steps("lat", lat, 90)? })
    }

    /// Creates a point from latitude and longitude in units of 1e-7 degree. Values outside the valid range are clamped
    /// to it, so sums of units need no check.
    #[inline]
    pub fn from_units(lat: i32, lon: i32) -> LonLat {
        LonLat {
            lon: lon.clamp(-LON_UNITS_MAX, LON_UNITS_MAX),
            lat: lat.clamp(-LAT_UNITS_MAX, LAT_UNITS_MAX),
        }
    }

    /// Latitude in units of 1e-7 degree, positive in the north: -900,000,000 to 900,000,000.
    #[inline]
    pub fn lat(self) -> i32 {
        self.lat
    }

    /// Longitude in units of 1e-7 degree, positive in the east: -1,800,000,000 to 1,800,000,000.
    #[inline]
    pub fn lon(self) -> i32 {
        self.lon
    }

    /// Longitude in degrees, positive in the east.
    pub fn lon_degrees(self) -> f64 {
        f64::from(self.lon) / f64::from(UNITS_PER_DEGREE)
    }

    /// Latitude in degrees, positive in the north.
    pub fn lat_degrees(self) -> f64 {
        f64::from(self.lat) / f64::from(UNITS_PER_DEGREE)
    }
}

fn steps(name: &'static str, degrees: f64, limit: i32) -> Result<i32, PointError> {
    if degrees.is_finite() && degrees.abs() <= f64::from(limit) {
        Ok((degrees * f64::from(UNITS_PER_DEGREE)).round() as i32)
    } else {
        Err(PointError { name, limit, got: degrees })
    }
}

/// Writes `lat,lon` in degrees with seven decimals.
impl fmt::Display for LonLat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.7},{:.7}", self.lat_degrees(), self.lon_degrees())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_globe_is_the_limit() {
        for (lon, lat, name) in
            [(180.1, 0.0, "lon"), (f64::NAN, 0.0, "lon"), (0.0, -90.5, "lat"), (0.0, f64::INFINITY, "lat")]
        {
            assert_eq!(LonLat::from_lat_lon(lat, lon).unwrap_err().name, name);
        }
        let corner = LonLat::from_lat_lon(90.0, -180.0).unwrap();
        assert_eq!((corner.lon(), corner.lat()), (-1_800_000_000, 900_000_000));
        assert_eq!(LonLat::from_units(i32::MAX, i32::MIN), corner);
        assert_eq!(LonLat::from_lat_lon(44.977_3, -93.265_5).unwrap().to_string(), "44.9773000,-93.2655000");
    }
}
