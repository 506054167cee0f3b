//! Maps of jurisdictions, drawn on the server from the snapshot's own lines.
//!
//! A [`View`] says which part of the Earth is seen and how: an equal-area conic projection that fits the part, and a
//! drawing of whole units, two to a pixel. A [`Drawing`] makes the lines simple enough for the view, each once, so that
//! neighbors share what lies between them, and gives outlines as SVG path data. [`geojson`] gives an outline as it is.

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
