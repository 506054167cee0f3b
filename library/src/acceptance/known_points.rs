//! Points with known answers in all parts of the country: city halls and capitols, each with its county and city.

use super::Rejection;
use crate::{
    directory::{Chain, Directory, Resolution, Row},
    geometry::LonLat,
    vocabulary::{Geoid, JurisdictionId},
};

/// Description of the point, latitude, longitude, county, and city (`None` outside incorporated places).
type Known = (&'static str, f64, f64, &'static str, Option<&'static str>);

/// Well-known points, with the ids of their county and city.
const KNOWN: [Known; 17] = [
    ("the city hall of Minneapolis", 44.9773, -93.2655, "county:27053", Some("place:2743000")),
    ("the state house in Boston", 42.3582, -71.0637, "county:25025", Some("place:2507000")),
    ("the city hall of New York", 40.7128, -74.0060, "county:36061", Some("place:3651000")),
    ("the city hall of Los Angeles", 34.0537, -118.2428, "county:06037", Some("place:0644000")),
    ("the capitol in Honolulu", 21.3072, -157.8574, "county:15003", None),
    ("the middle of Anchorage", 61.2176, -149.8997, "county:02020", Some("place:0203000")),
    ("the old town of San Juan", 18.4655, -66.1057, "county:72127", None),
    ("the capitol in Denver", 39.7392, -104.9850, "county:08031", Some("place:0820000")),
    ("the city hall of Houston", 29.7604, -95.3698, "county:48201", Some("place:4835000")),
    ("the middle of Chicago", 41.8781, -87.6298, "county:17031", Some("place:1714000")),
    ("the state house in Montpelier", 44.2601, -72.5754, "county:50023", Some("place:5046000")),
    ("the Mall in Washington", 38.8895, -77.0353, "county:11001", Some("place:1150000")),
    ("the middle of New Orleans", 29.9511, -90.0715, "county:22071", Some("place:2255000")),
    ("the capitol in Hartford", 41.7641, -72.6828, "county:09110", Some("place:0937000")),
    ("the capitol in Richmond", 37.5387, -77.4336, "county:51760", Some("place:5167000")),
    ("the middle of Seattle", 47.6062, -122.3321, "county:53033", Some("place:5363000")),
    ("the middle of Miami", 25.7743, -80.1937, "county:12086", Some("place:1245000")),
];

/// Checks the known points. Skips a county or city whose outline the snapshot does not have, as in a snapshot of one
/// state.
pub(super) fn check_known_points(directory: &Directory) -> Result<(), Rejection> {
    KNOWN.iter().try_for_each(|known| check_one(directory, known))
}

fn check_one(directory: &Directory, (place, lat, lon, county, city): &Known) -> Result<(), Rejection> {
    let point = LonLat::from_lat_lon(*lat, *lon).expect("known points are on the globe");
    let chain = match directory.resolve(point) {
        Resolution::Inside(chain) => Some(chain),
        Resolution::Outside => None,
    };
    let expect = |id: &str, part: fn(&Chain) -> Option<Row>| {
        let got = chain.as_ref().and_then(part);
        match outlined(directory, id) {
            Some(row) if !got.is_some_and(|got| directory.is_same(row, got)) => Err(Rejection::KnownPoint {
                place,
                expected: id.to_owned(),
                got: got.map_or("none".to_owned(), |row| directory.id_of(row).to_string()),
            }),
            _ => Ok(()),
        }
    };
    expect(county, |chain| Some(chain.county))?;
    city.map_or(Ok(()), |city| expect(city, |chain| chain.place))
}

/// The row of an id from [`KNOWN`]; `None` if the snapshot does not have its outline.
fn outlined(directory: &Directory, id: &str) -> Option<Row> {
    let geoid: Geoid = match id.parse().expect("ids of known points are well formed") {
        JurisdictionId::Census(geoid) => geoid,
        JurisdictionId::Country | JurisdictionId::District(_) => return None,
    };
    directory.row_of(geoid).filter(|row| directory.jurisdiction(*row).has_boundary)
}
