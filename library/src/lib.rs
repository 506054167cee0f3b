//! **platbook: which US governments cover a point, and which office does each property job there.**
//!
//! It answers from one immutable file, a *snapshot*, without a database and without a network.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("world.platbook");
//! # std::fs::write(&path, platbook::testing::snapshot())?;
//! use platbook::{
//!     answers::Answers,
//!     columns::{Column, Location, Table},
//! };
//! use std::sync::Arc;
//!
//! let answers = Arc::new(Answers::new(platbook::open(path)?)); // such as snapshots/default.platbook
//! let table = Arc::new(Table::new(answers, Column::chosen(Some(&["county_name"]), None)?));
//! let (mut resolver, mut counties) = (table.resolver(), Vec::new());
//! let points = [(45.025, -93.95), (0.0, 0.0), (95.0, 0.0)];
//! let outcomes = resolver.resolve(points.map(Location::of_degrees).into_iter(), |chain| {
//!     counties.push(chain.text(chain.columns()[0]).map(String::from)); // once for each chain, not for each point
//! });
//! let mut said = Vec::new();
//! for outcome in outcomes {
//!     let county = outcome.chain_number().and_then(|number| counties[number].as_deref());
//!     said.push((county, outcome.quality(), outcome.error()));
//! }
//! assert_eq!(said[0], (Some("Adams County"), "inside", None));
//! assert_eq!(said[1], (None, "outside", Some("the point is in no covered state or territory")));
//! assert_eq!(said[2].1, "invalid"); // a bad point fails no other
//! # Ok(())
//! # }
//! ```
//!
//! One point, with the distance to its county line and the office for assessment:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("world.platbook");
//! # std::fs::write(&path, platbook::testing::snapshot())?;
//! use platbook::{
//!     answers::{Answers, Data, Found, Matched, Request},
//!     geometry::LonLat,
//!     vocabulary::Function,
//!     words::{English, Units, Words as _},
//! };
//!
//! let answers = Answers::new(platbook::open(path)?);
//! let directory = answers.directory();
//! let request = Request::Resolve { point: LonLat::from_lat_lon(45.025, -93.95)? };
//! let answer = answers.finish(&request, Found::default())?;
//! let Data::Resolve(resolved) = &answer.data else { unreachable!("a point was asked") };
//! for row in &resolved.lineage {
//!     println!("{}", directory.jurisdiction(*row).name);
//! }
//! if let Matched::Point { borders, .. } = &resolved.matched {
//!     println!("county line: {:?} m away", borders.county.map(|line| line.distance_m));
//! }
//! if let Some(entry) = answers.assignments(resolved.territory).get(Function::Assessment) {
//!     println!("{:?}, because {}", entry.outcome.office, English.reason(&entry.outcome));
//!     let site = entry.office.as_ref().and_then(|office| office.shown_site(directory));
//!     println!("{:?}", site.and_then(|site| site.url));
//! #   assert_eq!(site.and_then(|site| site.url), Some("https://adams.example.gov"));
//! }
//! for notice in &answer.notices {
//!     println!("{}", English.notice(notice, directory, Units::Both));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The flow of the data
//!
//! 1. [`snapshot`] maps the file and verifies all of it. Each section becomes a table that is read in place.
//! 2. [`directory`] answers questions: point to chain, id to jurisdiction, text to places, chain to offices. Its
//!    functions are pure, and "not found" is an outcome and not an error.
//! 3. [`answers`] joins these into one answer for each operation, with its caveats. The service uses the same
//!    functions, so a program gets the same answers.
//! 4. The package `platbook-service` writes answers as JSON and pages and serves them over HTTP, MCP and the command
//!    line.
//!
//! # Coordinates
//!
//! Latitude comes first, longitude second, in every function that takes two plain numbers. Coordinates are WGS84
//! decimal degrees, north and east positive. A [`geometry::LonLat`] is checked once and is then always on the globe.
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `arrow` | no | the table of columns as Arrow record batches |
//! | `reference` | no | a second engine that locates points, to check the first against |
//! | `testing` | no | a small invented world, for tests |
//!
//! Modules are listed in the best order for reading. ARCHITECTURE.md is the map.

use std::path::Path;

pub mod vocabulary;

pub mod geometry;

pub mod files;

pub mod rules;

pub mod snapshot;

pub mod directory;

pub mod acceptance;

pub mod geocoder;

#[cfg(feature = "reference")]
pub mod reference;

pub mod facts;

pub mod answers;

pub mod words;

pub mod columns;

pub mod map_files;

#[doc(hidden)]
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use directory::Directory;
pub use snapshot::SnapshotError;

/// Opens a snapshot file: maps it, verifies every byte, and prepares it for queries.
///
/// # Errors
/// If the file cannot be read, or is not a complete, undamaged snapshot of a readable format.
pub fn open(path: impl AsRef<Path>) -> Result<Directory, SnapshotError> {
    snapshot::Snapshot::open(path.as_ref()).map(Directory::new)
}
