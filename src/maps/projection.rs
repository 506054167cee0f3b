//! Albers' equal-area conic projection of a sphere (Snyder, Map Projections, USGS Professional Paper 1395, 14).

use platbook::geometry::LonLat;

/// An equal-area conic projection. Lengths are in radii of the Earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Albers {
    /// Central longitude in degrees. The map is cut along the opposite meridian.
    lon: f64,
    /// Cone constant, Snyder's `n`.
    n: f64,
    c: f64,
    /// Radius of the parallel at the origin, in radii of the Earth.
    rho: f64,
}

/// Minimum distance of a standard parallel from the equator, in degrees: a nearer one would make the cone a cylinder.
/// Chosen, not measured.
const PARALLEL_MIN: f64 = 0.5;

impl Albers {
    /// Returns the projection of the 48 contiguous states, with the parallels that the U.S. Geological Survey uses.
    pub fn lower_48() -> Albers {
        Albers::new(-96.0, 37.5, [29.5, 45.5])
    }

    /// Makes a projection centered on this longitude and latitude, with two standard parallels. All angles are in
    /// degrees.
    pub fn new(lon: f64, lat: f64, parallels: [f64; 2]) -> Albers {
        let [south, north] = parallels.map(|parallel| {
            let away = parallel.abs().max(PARALLEL_MIN);
            away.copysign(lat).to_radians()
        });
        let n = f64::midpoint(south.sin(), north.sin());
        let c = south.cos().powi(2) + 2.0 * n * south.sin();
        let rho = (c - 2.0 * n * lat.to_radians().sin()).max(0.0).sqrt() / n;
        Albers { lon, n, c, rho }
    }

    /// Returns the position of a point, east and north of the origin in radii of the Earth.
    pub fn project(&self, point: LonLat) -> (f64, f64) {
        let theta = self.n * east_of(self.lon, point.lon_degrees()).to_radians();
        let rho = (self.c - 2.0 * self.n * point.lat_degrees().to_radians().sin()).max(0.0).sqrt() / self.n;
        (rho * theta.sin(), self.rho - rho * theta.cos())
    }

    /// Returns the point at a position; `None` for positions outside of the globe.
    pub fn invert(&self, (x, y): (f64, f64)) -> Option<LonLat> {
        let (sign, below) = (self.n.signum(), self.rho - y);
        let rho = x.hypot(below);
        let theta = (sign * x).atan2(sign * below);
        let lat = ((self.c - (rho * self.n).powi(2)) / (2.0 * self.n)).asin().to_degrees();
        let lon = self.lon + (theta / self.n).to_degrees();
        LonLat::from_lat_lon(lat, east_of(0.0, lon)).ok()
    }
}

/// Returns how far one longitude lies east of another, -180 to 180 degrees.
fn east_of(from: f64, lon: f64) -> f64 {
    (lon - from + 540.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(lat: f64, lon: f64) -> LonLat {
        LonLat::from_lat_lon(lat, lon).unwrap()
    }

    /// The example on page 291 of Snyder, for a sphere and these parallels.
    #[test]
    fn the_published_example_is_met() {
        let albers = Albers::new(-96.0, 23.0, [29.5, 45.5]);
        let (x, y) = albers.project(point(35.0, -75.0));
        assert!((x - 0.295_272_0).abs() < 1e-6 && (y - 0.241_611_2).abs() < 1e-3, "{x} {y}");
    }

    #[test]
    fn points_come_back_from_the_drawing() {
        for (albers, lat, lon) in [
            (Albers::lower_48(), 44.98, -93.27),
            (Albers::new(-154.0, 64.0, [55.0, 65.0]), 52.9, 173.1),
            (Albers::new(-170.0, -14.0, [-14.4, -13.8]), -14.3, -170.7),
            (Albers::new(145.0, 15.0, [13.0, 18.0]), 13.4, 144.8),
        ] {
            let back = albers.invert(albers.project(point(lat, lon))).unwrap();
            let off = (back.lat_degrees() - lat).abs() + (back.lon_degrees() - lon).abs();
            assert!(off < 1e-6, "{back}");
        }
        assert_eq!(Albers::lower_48().invert((9.0, 9.0)), None);
    }
}
