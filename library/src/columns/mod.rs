//! One table of columns for many points: governments, offices and doubts. Each column has one name, one type and one
//! unit.
//!
//! A [`Table`] is a choice of columns over a directory. A [`Resolver`] takes rows in blocks on one thread, and
//! returns an outcome for each. A row that cannot be resolved has its reason, and other rows are resolved all the
//! same. Most cells are the same for all points of a chain, so a resolver numbers the chains that occur. A format
//! makes the cells of a chain once and copies them for each point.
//!
//! Files of points, Arrow and Python use this table. The table must not know of files or of text formats.

#[cfg(feature = "arrow")]
pub mod arrow;
mod cells;
mod column;
mod outcome;
mod resolver;

pub use cells::{Cell, ChainCells, PointCells};
pub use column::{AreaPart, CellType, Column, FunctionPart, LinePart};
pub use outcome::{Location, OUTSIDE, Outcome, Resolved};
pub use resolver::{Resolver, Table};
