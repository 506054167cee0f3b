//! Maps points of the Earth to positions on a drawing and back.

use super::projection::Albers;
use platbook::geometry::{Bbox, LonLat, METERS_PER_DEGREE};

/// Units of a drawing per screen pixel at its largest display width.
pub const UNITS_PER_PIXEL: i32 = 2;

/// Mean radius of the Earth in meters.
const EARTH_RADIUS_M: f64 = METERS_PER_DEGREE * 180.0 / std::f64::consts::PI;

/// Minimum and maximum ratio of a drawing's height to its width. Chosen, not measured.
const ASPECTS: [f64; 2] = [0.5, 1.1];

/// Margin around the shown points, as a part of the width. Chosen, not measured.
const MARGIN: f64 = 0.03;

/// Number of points on each side of a box that are projected, to fit its curved sides into a drawing. Chosen, not
/// measured.
const SIDE_POINTS: i32 = 8;

/// A part of the globe between two meridians and two parallels, in degrees. `west` may lie below -180.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the sides of a box")]
pub struct Extent {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

impl Extent {
    /// Returns the part around these vertices. Vertices on both sides of the 180th meridian yield a part that crosses
    /// this meridian, not one that spans the globe.
    pub fn of(bbox: Bbox, vertices: impl IntoIterator<Item = LonLat>) -> Extent {
        let [south, north] = [bbox.min, bbox.max].map(LonLat::lat_degrees);
        let [mut west, mut east] = [bbox.min, bbox.max].map(LonLat::lon_degrees);
        if east - west > 180.0 {
            (west, east) = (180.0, -180.0);
            for lon in vertices.into_iter().map(LonLat::lon_degrees) {
                if lon > 0.0 {
                    west = west.min(lon);
                } else {
                    east = east.max(lon);
                }
            }
            west -= 360.0;
        }
        Extent { west, south, east, north }
    }

    /// Returns the part within `meters` of a point in each direction.
    pub fn around(point: LonLat, meters: f64) -> Extent {
        Extent::oblong(point, meters, meters)
    }

    /// Returns the part within `wide_m` meters east and west of a point, and `high_m` north and south.
    pub fn oblong(point: LonLat, wide_m: f64, high_m: f64) -> Extent {
        let high = high_m / METERS_PER_DEGREE;
        let wide = wide_m / METERS_PER_DEGREE / point.lat_degrees().to_radians().cos().max(0.05);
        let (lat, lon) = (point.lat_degrees(), point.lon_degrees());
        Extent { west: lon - wide, south: lat - high, east: lon + wide, north: lat + high }
    }

    /// Returns the boxes of the globe that this part covers: two if it crosses the 180th meridian.
    pub fn boxes(&self) -> Vec<Bbox> {
        let bbox = |west: f64, east: f64| {
            let corner = |lat: f64, lon: f64| {
                LonLat::from_lat_lon(lat.clamp(-90.0, 90.0), lon.clamp(-180.0, 180.0)).ok()
            };
            Some(Bbox { min: corner(self.south, west)?, max: corner(self.north, east)? })
        };
        let beyond = (self.west < -180.0).then(|| bbox(self.west + 360.0, 180.0)).flatten();
        bbox(self.west, self.east).into_iter().chain(beyond).collect()
    }

    /// Returns a projection with little distortion. Its standard parallels lie a sixth of the part's height from both
    /// ends.
    fn projection(&self) -> Albers {
        let sixth = (self.north - self.south) / 6.0;
        let middle = (f64::midpoint(self.west, self.east), f64::midpoint(self.south, self.north));
        Albers::new(middle.0, middle.1, [self.south + sixth, self.north - sixth])
    }

    /// Returns points along all four sides.
    fn sides(&self) -> impl Iterator<Item = LonLat> {
        let Extent { west, south, east, north } = *self;
        (0..=SIDE_POINTS).flat_map(move |step| {
            let part = f64::from(step) / f64::from(SIDE_POINTS);
            let (lon, lat) = (west + (east - west) * part, south + (north - south) * part);
            let points = [(south, lon), (north, lon), (lat, west), (lat, east)];
            points.into_iter().filter_map(|(lat, lon)| {
                let lon = if lon < -180.0 { lon + 360.0 } else { lon };
                LonLat::from_lat_lon(lat.clamp(-90.0, 90.0), lon.min(180.0)).ok()
            })
        })
    }
}

/// A view of a part of the Earth: a projection, and the scale and position of its map on a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    albers: Albers,
    /// Number of units of the drawing per radius of the Earth.
    scale: f64,
    /// Position of the projection's origin on the drawing, in units.
    origin: (f64, f64),
    /// Width of the drawing in units.
    pub width: i32,
    /// Height of the drawing in units.
    pub height: i32,
}

impl View {
    /// Makes a view of this part, `width` units wide. The shape of the part determines the height.
    pub fn of(extent: &Extent, width: i32) -> View {
        View::fitted(extent.projection(), extent.sides(), width)
    }

    /// Makes a view of these points, with the projection that fits `extent`. The view is closer than that of
    /// [`View::of`], since the corners of a part may be empty.
    pub fn close(extent: &Extent, points: impl IntoIterator<Item = LonLat>, width: i32) -> View {
        View::fitted(extent.projection(), points, width)
    }

    /// Makes a view of these points with this projection.
    pub fn fitted(albers: Albers, points: impl IntoIterator<Item = LonLat>, width: i32) -> View {
        let points = points.into_iter().map(|point| albers.project(point));
        let mut ends = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for (x, y) in points {
            ends = [ends[0].min(x), ends[1].min(y), ends[2].max(x), ends[3].max(y)];
        }
        let [left, bottom, right, top] = ends;
        let (wide, high) = ((right - left).max(1e-9), (top - bottom).max(1e-9));
        let aspect = (high / wide).clamp(ASPECTS[0], ASPECTS[1]);
        let height = (f64::from(width) * aspect).round();
        let room = f64::from(width) * MARGIN;
        let scale = f64::min((f64::from(width) - 2.0 * room) / wide, (height - 2.0 * room) / high);
        let middle = (f64::midpoint(left, right), f64::midpoint(bottom, top));
        let origin = (f64::from(width) / 2.0 - middle.0 * scale, height / 2.0 + middle.1 * scale);
        View { albers, scale, origin, width, height: height as i32 }
    }

    /// Returns the position of a point on the drawing, in units from the left and from the top.
    pub fn place(&self, point: LonLat) -> (f64, f64) {
        let (x, y) = self.albers.project(point);
        (self.origin.0 + x * self.scale, self.origin.1 - y * self.scale)
    }

    /// Returns the point of the Earth at a position in the drawing; `None` outside of the globe.
    pub fn point_at(&self, (x, y): (f64, f64)) -> Option<LonLat> {
        self.albers.invert(((x - self.origin.0) / self.scale, (self.origin.1 - y) / self.scale))
    }

    /// Returns the length of one unit of the drawing on the ground, in meters.
    pub fn meters_per_unit(&self) -> f64 {
        EARTH_RADIUS_M / self.scale
    }

    /// Returns the part of the Earth that the view shows, including margins.
    pub fn seen(&self) -> Extent {
        let (right, bottom) = (f64::from(self.width), f64::from(self.height));
        let middle = self.point_at((right / 2.0, bottom / 2.0)).map_or(0.0, LonLat::lon_degrees);
        let mut seen = Extent { west: middle, south: 90.0, east: middle, north: -90.0 };
        for step in 0..=SIDE_POINTS {
            let part = f64::from(step) / f64::from(SIDE_POINTS);
            let places =
                [(right * part, 0.0), (right * part, bottom), (0.0, bottom * part), (right, bottom * part)];
            for point in places.into_iter().filter_map(|place| self.point_at(place)) {
                let lon = middle + (point.lon_degrees() - middle + 540.0).rem_euclid(360.0) - 180.0;
                seen.west = seen.west.min(lon);
                seen.east = seen.east.max(lon);
                seen.south = seen.south.min(point.lat_degrees());
                seen.north = seen.north.max(point.lat_degrees());
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_holds_its_part_and_gives_its_points_back() {
        for (west, south, east, north) in
            [(-93.8, 44.8, -93.2, 45.2), (-188.0, 51.0, -130.0, 71.5), (144.6, 13.2, 145.0, 13.7)]
        {
            let extent = Extent { west, south, east, north };
            let view = View::of(&extent, 1440);
            for point in extent.sides() {
                let (x, y) = view.place(point);
                assert!((0.0..=1440.0).contains(&x), "{point} at {x}, {y}");
                assert!((0.0..=f64::from(view.height)).contains(&y), "{point} at {x}, {y}");
                let back = view.point_at((x, y)).unwrap();
                assert!(platbook::geometry::distance_m(point, back) < 1.0, "{point} {back}");
            }
            let seen = view.seen();
            assert!(seen.west <= west && seen.east >= east && seen.south <= south && seen.north >= north);
        }
    }

    #[test]
    fn a_unit_has_its_length() {
        let extent = Extent::around(LonLat::from_lat_lon(45.0, -93.0).unwrap(), 1_000.0);
        let view = View::of(&extent, 1_000);
        assert!((view.meters_per_unit() - 2_000.0 / 940.0).abs() < 0.02, "{}", view.meters_per_unit());
    }

    #[test]
    fn alaska_goes_across_the_180th_meridian() {
        let points = [(52.0, 172.5), (51.0, -179.0), (70.0, -130.0)];
        let points = points.map(|(lat, lon)| LonLat::from_lat_lon(lat, lon).unwrap());
        let extent = Extent::of(Bbox::around(points).unwrap(), points);
        assert!((extent.west + 187.5).abs() < 1e-6 && (extent.east + 130.0).abs() < 1e-6, "{extent:?}");
        assert_eq!(extent.boxes().len(), 2);
    }
}
