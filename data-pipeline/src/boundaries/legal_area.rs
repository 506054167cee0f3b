//! Compares an outline that was assembled here with the legal area of its town.
//!
//! Election offices joined or cut some precincts without regard to towns, and no name says so. The Census counts the
//! land and water within the legal lines of each town. An outline that is much larger includes a part of a neighbor,
//! and one that is much smaller lacks a part. Answers say so.

use platbook::geometry::LonLat;

use super::divide::km2;
use crate::input::gazetteer::Listed;

/// An outline that differs by up to this percentage counts as right. Two drawings of one line differ that much, and so
/// do definitions of water. Chosen, not measured.
const DRAWN_PERCENT: f64 = 3.0;

/// Percent by which an outline is larger than the legal area, from -100 to 127; below zero if the outline is smaller.
/// The value is 0 within [`DRAWN_PERCENT`], and for a unit without land.
///
/// No file says whether the outline includes water, so every area between the land, and land and water together,
/// counts as right.
pub fn off_percent(rings: &[Vec<LonLat>], legal: &Listed) -> i8 {
    if legal.land_m2 == 0 {
        return 0;
    }
    let (has, land) = (km2(rings), legal.land_m2 as f64 / 1e6);
    let whole = land + legal.water_m2 as f64 / 1e6;
    let right = has.clamp(land, whole);
    let percent = (has - right) / right * 100.0;
    if percent.abs() > DRAWN_PERCENT { percent.clamp(-100.0, f64::from(i8::MAX)).round() as i8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use platbook::vocabulary::{Geoid, Layer};

    use super::*;

    /// A square of 9.656 km, which is six miles, at 40 degrees north: 93.24 km2.
    fn survey_township() -> Vec<Vec<LonLat>> {
        let (south, west, height, width) = (400_000_000, -890_000_000, 868_390, 1_133_600);
        let corner = |up, right| LonLat::from_units(south - height / 2 + up * height, west + right * width);
        vec![[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map(|(up, right)| corner(up, right)).to_vec()]
    }

    #[test]
    fn too_much_and_too_little_differ_from_another_drawing() {
        let legal = |land_km2: f64, water_km2: f64| Listed {
            geoid: Geoid::parse(Layer::Cousub, "1700105742").unwrap(),
            name: "Camp Point township".to_owned(),
            lsad: None,
            func_stat: None,
            land_m2: (land_km2 * 1e6) as u64,
            water_m2: (water_km2 * 1e6) as u64,
            point: LonLat::from_units(400_000_000, -890_000_000),
        };
        let off = |land: f64, water: f64| off_percent(&survey_township(), &legal(land, water));
        for (land, water, expected) in [
            (93.2, 0.0, 0),
            (91.0, 0.0, 0),
            (95.5, 0.0, 0),
            (80.0, 20.0, 0),
            (80.0, 0.0, 17),
            (70.0, 10.0, 17),
            (124.3, 3.0, -25),
            (20.0, 0.0, i8::MAX),
        ] {
            assert_eq!(off(land, water), expected, "{land} and {water} km2");
        }
        assert_eq!(off_percent(&[], &legal(1.0, 0.0)), -100);
        assert_eq!(off(0.0, 5.0), 0, "a unit of the sea alone");
    }
}
