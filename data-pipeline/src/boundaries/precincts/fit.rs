//! Chooses between the outlines that voting districts and election precincts give a town.

use std::collections::BTreeMap;

use platbook::{geometry::ring, vocabulary::Geoid};

use crate::{
    boundaries::legal_area::off_percent,
    input::{Record, gazetteer::Listed},
};

/// Records with their sources, sorted by GEOID.
type Records = Vec<(usize, Record)>;

/// Returns for each town the outline that fits better: that of the districts, unless the area of the precincts is
/// nearer to the legal area. An outline of districts that does not contain the town's point is not taken: districts
/// of another town then have its name.
pub(super) fn better(districts: Records, precincts: Records, listed: &[Listed]) -> Records {
    let listed: BTreeMap<Geoid, &Listed> = listed.iter().map(|unit| (unit.geoid, unit)).collect();
    let off = |record: &Record| {
        let unit = listed.get(&record.geoid);
        unit.map_or(0, |unit| off_percent(&record.rings, unit).unsigned_abs())
    };
    let has_point = |record: &Record| {
        listed.get(&record.geoid).is_none_or(|unit| ring::area_contains(&record.rings, unit.point))
    };
    let mut chosen: BTreeMap<Geoid, (usize, Record)> =
        precincts.into_iter().map(|(source, record)| (record.geoid, (source, record))).collect();
    for (source, record) in districts {
        let other = chosen.get(&record.geoid);
        if has_point(&record) && other.is_none_or(|(_, other)| off(&record) <= off(other)) {
            chosen.insert(record.geoid, (source, record));
        }
    }
    chosen.into_values().collect()
}

#[cfg(test)]
mod tests {
    use platbook::{geometry::LonLat, vocabulary::Layer};

    use super::*;

    /// A rectangle six miles high and `width` tenths of six miles wide: with `width` 10 it is a square of about 93
    /// km2.
    fn record(digits: &str, width: i32) -> Record {
        let corners = [(0, 0), (width * 113_360, 0), (width * 113_360, 868_390), (0, 868_390), (0, 0)];
        let ring = corners.map(|(lon, lat)| LonLat::from_units(400_000_000 + lat, -890_000_000 + lon));
        let geoid = Geoid::parse(Layer::Cousub, digits).unwrap();
        Record { rings: vec![ring.to_vec()], ..Record::named(geoid, String::new(), String::new()) }
    }

    fn listed(digits: &str, lon: i32) -> Listed {
        Listed {
            geoid: Geoid::parse(Layer::Cousub, digits).unwrap(),
            name: String::new(),
            lsad: None,
            func_stat: None,
            land_m2: 93_200_000,
            water_m2: 0,
            point: LonLat::from_units(400_400_000, -890_000_000 + lon),
        }
    }

    #[test]
    fn the_outline_nearer_to_the_law_is_taken() {
        let inside = 100_000;
        for (what, districts, precincts, point, expected) in [
            ("both fit", Some(10), Some(10), inside, Some(0)),
            ("districts fit", Some(10), Some(5), inside, Some(0)),
            ("precincts fit", Some(5), Some(10), inside, Some(1)),
            ("districts alone", Some(5), None, inside, Some(0)),
            ("point elsewhere", Some(10), None, -inside, None),
            ("point elsewhere, but precincts", Some(10), Some(5), -inside, Some(1)),
        ] {
            let made = |width: Option<i32>, source: usize| -> Records {
                width.map(|width| (source, record("1800100001", width))).into_iter().collect()
            };
            let found = better(made(districts, 0), made(precincts, 1), &[listed("1800100001", point)]);
            assert_eq!(found.first().map(|(source, _)| *source), expected, "{what}");
        }
    }
}
