//! Longitude and latitude as exact integers, boxes, rings, and distance to a border.
//!
//! Must not know of jurisdictions.
//!
//! **The border rule** ([`ring::crosses_west_ray`]): a point on a border belongs to the area just east of it. On a
//! stretch that runs due east-west, it belongs to the area just north of it. Of the areas that tile a plane, exactly
//! one therefore owns each point, corners and tri-points included.

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
