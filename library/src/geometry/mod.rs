//! Geometry on exact integer coordinates: points, boxes, rings, and distances to borders.
//!
//! These modules must not know of jurisdictions.
//!
//! **The border rule** ([`ring::crosses_west_ray`]): a point on a border belongs to the area just east of it. A point
//! on a stretch that runs due east-west belongs to the area just north of it. Of areas that tile a plane, each point
//! therefore belongs to exactly one, even at corners.

mod bbox;
mod distance;
mod inside;
mod lonlat;
mod polygons;
pub mod ring;

pub use bbox::Bbox;
pub use distance::{
    FEET_PER_MILE, METERS_PER_DEGREE, METERS_PER_FOOT, Plane, distance_m, distance_to_segment_m,
};
pub use inside::point_inside;
pub use lonlat::{LonLat, PointError, UNITS_PER_DEGREE};
pub use polygons::polygons;
