//! Turns published areas into jurisdictions with names, and their lines into sections of a snapshot.
//!
//! A record goes through the modules in this order. `load` reads all files and decides with `select` which records
//! stay. `clean` makes the rings simple, `naming` names the areas, `same_as` joins ids of one government, and
//! `assemble` joins everything else by id. `topology`, `simplify`, `codes` and `compile` then turn areas into shared
//! lines, codes and sections.
//!
//! If no file has the polygons of towns, `precincts` assembles them first. `divide`, `seams` and `conform` then make
//! lines of different files fit, and `legal_area` measures by how much an assembled outline is off. Rules, offices
//! and pages belong to `directory`; nothing here knows them.

pub mod assemble;
pub mod clean;
pub mod codes;
pub mod compile;
pub mod conform;
pub mod divide;
pub mod fans;
pub mod federal;
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

/// A closed ring through (longitude, latitude) points, in units of the geometry; repeats the first point.
#[cfg(test)]
fn ring_through(points: &[(i32, i32)]) -> Vec<platbook::geometry::LonLat> {
    let at = |(lon, lat): &(i32, i32)| platbook::geometry::LonLat::from_units(*lat, *lon);
    points.iter().chain(points.first()).map(at).collect()
}
