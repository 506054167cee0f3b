//! Maps of jurisdictions, drawn on the server from the snapshot's own lines.
//!
//! A [`View`] projects a part of the Earth onto a drawing: an equal-area conic projection that fits the part, in whole
//! units, two per pixel. A [`Drawing`] simplifies each line once for the view, so that neighbors share their boundary,
//! and returns outlines as SVG path data. [`geojson`] returns an unchanged outline. The module knows no pages.

mod clip;
mod drawing;
mod geojson;
mod path;
mod projection;
mod simplify;
mod view;

pub use drawing::Drawing;
pub use geojson::geojson;
pub use projection::Albers;
pub use view::{Extent, UNITS_PER_PIXEL, View};
