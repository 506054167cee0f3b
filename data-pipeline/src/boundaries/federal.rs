//! Turns federal land into its section of a snapshot: outlines from tables, and circles around points.

use std::collections::BTreeSet;

use platbook::{
    geometry::{LonLat, UNITS_PER_DEGREE},
    snapshot::write::{FederalLands, NewFederalLand, WriteError},
    vocabulary::FederalKind,
};

use crate::{curated::FederalArea, input::installations::Installation};

/// Minimum area of an installation that counts, in square meters: an armory or a radio station has no homes on it.
/// Chosen, not measured.
const LAND_M2_MIN: u64 = 4_000_000;
/// Factor for the radius of a circle that counts outside city limits. No base is round: land of Camp Bullis in Texas
/// lies 6 % beyond a circle of its area. With a factor of 1.1, 0.02 % more of all people would have the notice.
const RADIUS_OUTSIDE: f64 = 1.07;
/// Factor for the radius of a circle that counts inside city limits. Homes of the city stand at its gates, and no base
/// is round. Chosen, not measured.
const RADIUS_IN_CITIES: f64 = 0.65;
/// Number of corners of the polygon that stands for a circle. The polygon's area is 1 % smaller.
const CORNERS: u32 = 24;
/// Meters of a degree of latitude on a sphere of 6,371 km.
const METERS_PER_DEGREE: f64 = 111_195.0;
/// Words that the Census Bureau shortens in the names of installations.
const WORDS: [(&str, &str); 16] = [
    ("AFB", "Air Force Base"),
    ("Afb", "Air Force Base"),
    ("ANG", "Air National Guard"),
    ("Ang", "Air National Guard"),
    ("Arb", "Air Reserve Base"),
    ("Cp", "Camp"),
    ("Ctr", "Center"),
    ("Dep", "Depot"),
    ("Ft", "Fort"),
    ("Mil", "Military"),
    ("Natl", "National"),
    ("Ng", "National Guard"),
    ("Plnt", "Plant"),
    ("Res", "Reservation"),
    ("Rti", "Regional Training Institute"),
    ("Ts", "Training Site"),
];

/// Packs federal land. `areas` are outlines from tables, each with the row of its source; all installations have the
/// row `source`. `in_cities` names the installations that also count inside city limits. `None` if there is no land.
///
/// # Errors
/// See [`FederalLands::pack`].
pub fn pack(
    areas: &[(&FederalArea, u16)],
    installations: &[Installation],
    in_cities: &BTreeSet<&str>,
    source: u16,
) -> Result<Option<FederalLands>, WriteError> {
    let mut lands: Vec<NewFederalLand> =
        areas.iter().flat_map(|(area, source)| of_area(area, *source)).collect();
    for installation in installations {
        let is_named = in_cities.contains(installation.name.as_str());
        if is_named || installation.land_m2 >= LAND_M2_MIN {
            lands.push(of_installation(installation, RADIUS_OUTSIDE, source));
        }
        if is_named {
            lands.push(NewFederalLand {
                in_cities: true,
                ..of_installation(installation, RADIUS_IN_CITIES, source)
            });
        }
    }
    if lands.is_empty() { Ok(None) } else { FederalLands::pack(lands).map(Some) }
}

fn of_area(area: &FederalArea, source: u16) -> impl Iterator<Item = NewFederalLand> {
    let closed = area.outlines.iter().map(|ring| ring.iter().chain(ring.first()).copied().collect());
    let round = area.circles.iter().map(|(middle, meters)| circle(*middle, *meters));
    closed.chain(round).map(move |outline| NewFederalLand {
        name: area.name.clone(),
        kind: area.kind,
        in_cities: area.in_cities,
        outline,
        source,
    })
}

/// A circle around the installation. Its radius is `part` times the radius of a circle with the installation's area.
/// Homes beside a base may lie inside, so the circle does not count inside city limits.
fn of_installation(installation: &Installation, part: f64, source: u16) -> NewFederalLand {
    let meters = part * (installation.land_m2 as f64 / std::f64::consts::PI).sqrt();
    NewFederalLand {
        name: written_out(&installation.name),
        kind: FederalKind::Base,
        in_cities: false,
        outline: circle(installation.point, meters),
        source,
    }
}

fn written_out(name: &str) -> String {
    let word = |word: &str| {
        WORDS.iter().find(|(short, _)| *short == word).map_or(word.to_owned(), |row| row.1.to_owned())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A closed polygon around a point.
fn circle(middle: LonLat, meters: f64) -> Vec<LonLat> {
    let degrees = meters / METERS_PER_DEGREE;
    let wider = 1.0 / middle.lat_degrees().to_radians().cos();
    let corner = |at: u32| {
        let (up, right) = (f64::from(at % CORNERS) * std::f64::consts::TAU / f64::from(CORNERS)).sin_cos();
        let units = |degrees: f64| (degrees * f64::from(UNITS_PER_DEGREE)).round() as i32;
        let (lat, lon) = (units(degrees * up), units(degrees * right * wider));
        LonLat::from_units(middle.lat() + lat, middle.lon() + lon)
    };
    (0..=CORNERS).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use platbook::geometry::{distance_m, ring};

    use super::*;

    #[test]
    fn an_installation_is_a_circle_of_its_area_if_it_is_large() {
        let point = LonLat::from_lat_lon(35.1, -79.2).unwrap();
        let installation = |name: &str, land_m2| Installation { name: name.to_owned(), land_m2, point };
        let land = of_installation(&installation("Ft Bragg Mil Res", 614_500_000), 1.0, 0);
        assert_eq!(land.name, "Fort Bragg Military Reservation");
        let meters = distance_m(point, land.outline[3]);
        assert!((13_900.0..14_100.0).contains(&meters), "{meters}");
        assert!(ring::contains(&land.outline, point) && land.outline.first() == land.outline.last());
        let packed = |land_m2, named: &[&'static str]| {
            let named = named.iter().copied().collect();
            pack(&[], &[installation("Cp Small", land_m2)], &named, 0).unwrap()
        };
        assert!(packed(3_999_999, &[]).is_none() && packed(4_000_000, &[]).is_some());
        assert!(packed(3_999_999, &["Cp Large"]).is_none() && packed(3_999_999, &["Cp Small"]).is_some());
        let part = of_installation(&installation("Cp Small", 4_000_000), RADIUS_IN_CITIES, 0);
        let meters = distance_m(point, part.outline[3]);
        assert!((730.0..740.0).contains(&meters), "{meters}");
    }
}
