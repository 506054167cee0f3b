//! A WGS84 coordinate, checked once.

use std::fmt;

/// Fixed-point steps of one degree: coordinates are whole numbers of 1e-7 degree (about 1 cm).
pub const UNITS_PER_DEGREE: i32 = 10_000_000;

/// Longitude and latitude in whole 1e-7 degrees, always on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LonLat {
    /// East positive, -1,800,000,000 to 1,800,000,000.
    pub lon: i32,
    /// North positive, -900,000,000 to 900,000,000.
    pub lat: i32,
}

/// A coordinate that is not on the globe.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("expected {name} as a finite decimal degree from -{limit} to {limit}, got {got}")]
pub struct PointError {
    /// `lon` or `lat`.
    pub name: &'static str,
    /// Largest magnitude allowed, degrees.
    pub limit: i32,
    /// What came.
    pub got: f64,
}

impl LonLat {
    /// Rounds degrees to the nearest step.
    ///
    /// # Errors
    /// When a value is not finite or lies outside ±180 or ±90.
    pub fn from_degrees(lon: f64, lat: f64) -> Result<LonLat, PointError> {
        Ok(LonLat { lon: steps("lon", lon, 180)?, lat: steps("lat", lat, 90)? })
    }

    /// Longitude in degrees.
    pub fn lon_degrees(self) -> f64 {
        f64::from(self.lon) / f64::from(UNITS_PER_DEGREE)
    }

    /// Latitude in degrees.
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

/// `lat,lon` in degrees with seven decimals.
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
            assert_eq!(LonLat::from_degrees(lon, lat).unwrap_err().name, name);
        }
        let corner = LonLat::from_degrees(-180.0, 90.0).unwrap();
        assert_eq!((corner.lon, corner.lat), (-1_800_000_000, 900_000_000));
        assert_eq!(LonLat::from_degrees(-93.265_5, 44.977_3).unwrap().to_string(), "44.9773000,-93.2655000");
    }
}
