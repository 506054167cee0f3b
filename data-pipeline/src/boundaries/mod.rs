//! Which areas are jurisdictions, what are they called, and how do their lines become the sections of a snapshot?
//!
//! A record goes through the modules in this order: `load` reads all files and decides with `select` which
//! records stay, `clean` makes their rings simple, `naming` names them, `same_as` joins ids of one government,
//! and `assemble` joins everything else by id. `topology`, `simplify`, `codes` and `compile` then turn areas into
//! shared lines, codes and sections. Where no file has the polygons of towns, `precincts` puts them together first,
//! and `legal_area` says by how much each of these is off; `divide`, `seams` and `conform` make lines of different files
//! fit before that.

pub mod assemble;
pub mod clean;
pub mod codes;
pub mod compile;
pub mod conform;
pub mod divide;
pub mod fans;
pub mod inner;
pub mod landmarks;
pub mod legal_area;
pub mod load;
pub mod naming;
pub mod precincts;
pub mod same_as;
pub mod seams;
pub mod select;
pub mod settled;
pub mod shore;
pub mod simplify;
pub mod snap;
pub mod topology;
pub mod tribal;

/// A closed ring through points given as longitude and latitude, in units of the geometry.
#[cfg(test)]
fn ring_through(points: &[(i32, i32)]) -> Vec<platbook::geometry::LonLat> {
    let at = |(lon, lat): &(i32, i32)| platbook::geometry::LonLat::from_units(*lat, *lon);
    points.iter().chain(points.first()).map(at).collect()
}
