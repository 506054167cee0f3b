//! Maps of jurisdictions, drawn on the server from the snapshot's own lines.
//!
//! A [`View`] projects a part of the Earth onto a drawing: an equal-area conic projection that fits the part, in
//! whole units, two per pixel. A [`Drawing`] simplifies each line once for the view, so that neighbors share their
//! boundary, and returns outlines as SVG path data. [`geojson`] returns an unchanged outline. [`Labels`] places names
//! that do not overlap. The module does not depend on pages.

mod clip;
mod drawing;
mod geojson;
mod labels;
mod path;
mod projection;
mod scale_bar;
mod simplify;
mod sketch;
mod view;

pub use drawing::{Drawing, rows_seen};
pub use geojson::geojson;
pub use labels::{LETTERS_HIGH, Labels, label_areas, label_around, middle};
pub use projection::Albers;
pub use scale_bar::scale_bar;
pub use sketch::sketch;
pub use view::{Extent, UNITS_PER_PIXEL, View};
