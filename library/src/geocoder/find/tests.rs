//! Addresses in a county of a few streets, and texts that are not addresses.

use std::collections::BTreeMap;

use super::*;
use crate::{
    geocoder::parse,
    geometry::{LonLat, Plane},
    snapshot::{
        LayerFile,
        write::{LayerContents, NewCity, NewRange, NewStreet, NewStreets, Streets},
    },
};

const HERTFORD: u32 = 27_944;
const WINFALL: u32 = 27_985;
const COUNTY: u16 = 37_143;

/// Adds a street of one line of 1 km that runs north, from `km_east` kilometers east of the courthouse.
fn street(new: &mut NewStreets, zip: u32, name: &str, km_east: f64, left: (&str, &str), right: (&str, &str)) {
    let parts = StreetName::read(name).unwrap();
    let origin = LonLat::from_lat_lon(36.19, -76.47).unwrap();
    let plane = Plane::at(origin);
    let line = [(km_east * 1000.0, 0.0), (km_east * 1000.0, 1000.0)].map(|by| plane.moved(origin, by));
    let number = new.lines.len() as u32;
    new.lines.push(line.to_vec());
    let row = NewStreet {
        zip,
        key: parts.key,
        name: name.to_owned(),
        kind: parts.kind.unwrap_or_default().to_owned(),
        before: Compass::number(parts.before),
        after: Compass::number(parts.after),
    };
    let sides = [(left, false), (right, true)].into_iter().filter(|((from, _), _)| !from.is_empty());
    let ranges = sides.map(|((from, to), right)| {
        let [from, to] = [from, to].map(|number| HouseNumber::read(number).unwrap());
        NewRange {
            from: from.number,
            to: to.number,
            prefix: from.prefix,
            county: COUNTY,
            right,
            line: number,
        }
    });
    new.streets.entry(row).or_default().extend(ranges);
}

fn county() -> LayerFile {
    let mut new = NewStreets { streets: BTreeMap::new(), ..NewStreets::default() };
    for (zip, name, km, left, right) in [
        (HERTFORD, "W Main St", 0.0, ("101", "199"), ("100", "198")),
        (HERTFORD, "E Main St", 1.0, ("101", "199"), ("100", "198")),
        (HERTFORD, "N Church St", 2.0, ("101", "299"), ("", "")),
        (HERTFORD, "S Church St", 3.0, ("301", "399"), ("", "")),
        (HERTFORD, "Cedar St", 4.0, ("101", "199"), ("100", "198")),
        (HERTFORD, "Cedar Ct", 5.0, ("1", "99"), ("", "")),
        (HERTFORD, "Old Mill Rd", 6.0, ("199", "101"), ("198", "100")),
        (HERTFORD, "US Hwy 17 N", 7.0, ("1001", "1099"), ("", "")),
        (HERTFORD, "State Rd 37", 8.0, ("1", "99"), ("", "")),
        (HERTFORD, "Charles St", 9.0, ("P1", "P99"), ("100", "198")),
        (HERTFORD, "1st St", 10.0, ("1", "99"), ("", "")),
        (HERTFORD, "2nd St", 11.0, ("1", "99"), ("", "")),
        (HERTFORD, "Holiday Island Rd", 12.0, ("1", "99"), ("", "")),
        (HERTFORD, "Pine St", 13.0, ("1", "99"), ("", "")),
        (WINFALL, "Main St", 14.0, ("101", "199"), ("", "")),
        (WINFALL, "Lone Oak Dr", 15.0, ("5", "5"), ("", "")),
    ] {
        street(&mut new, zip, name, km, left, right);
    }
    let city = |key: &str, zip, is_only| NewCity { state: 37, key: key.to_owned(), zip, is_only };
    new.cities = vec![
        city("hertford", HERTFORD, true),
        city("union", HERTFORD, false),
        city("winfall", WINFALL, true),
    ];
    let streets = Some(Streets::pack(&new).unwrap());
    LayerFile::copy(&LayerContents { streets, ..LayerContents::default() }.to_bytes().unwrap()).unwrap()
}

/// The address that was found with its guesses, or the reason why none was.
fn located(layer: &LayerFile, text: &str) -> String {
    let address = match parse(text) {
        Ok(address) => address,
        Err(why) => return format!("{why:?}"),
    };
    match Geocoder::new(layer.streets().unwrap()).locate(&address) {
        Located::One(place) => format!("{} {:?}", place.address, place.guesses),
        Located::Several(places) => format!("several {}", places.len()),
        Located::None(miss) => format!("{miss:?}"),
    }
}

#[test]
fn addresses_are_found() {
    let layer = county();
    for (text, found) in [
        ("150 W Main St, Hertford, NC 27944", "150 W Main St, Hertford, NC 27944 []"),
        ("150 WEST MAIN STREET HERTFORD NC", "150 W Main St, Hertford, NC 27944 []"),
        ("150 w main st apt 4, hertford nc 27944-1234", "150 W Main St, Hertford, NC 27944 []"),
        ("150 Main St W, Hertford, NC", "150 W Main St, Hertford, NC 27944 [CompassMoved]"),
        ("150 W Main, Hertford, NC", "150 W Main St, Hertford, NC 27944 [TypeAdded]"),
        ("150 W Mian St, Hertford, NC", "150 W Main St, Hertford, NC 27944 [Spelling(1)]"),
        ("150 W Maim Stret, 27944", "150 W Main St, NC 27944 [Spelling(1), TypeSpelling]"),
        ("150 Main St, Hertford, NC", "several 2"),
        ("150 Main St, Winfall, NC 27985", "150 Main St, Winfall, NC 27985 [OtherSide]"),
        ("151 Main St, Winfall, NC 27985", "151 Main St, Winfall, NC 27985 []"),
        ("151 Main St, Winfall, NC 27944", "151 Main St, NC 27985 [CityElsewhere]"),
        ("151 N Church St, Nowhere, NC 27944", "151 N Church St, NC 27944 [CityUnknown]"),
        ("151 Church St, Hertford NC", "151 N Church St, Hertford, NC 27944 [CompassAdded]"),
        ("151 S Church St, Hertford NC", "NoNumber { street: \"S Church St\", numbers: (301, 399) }"),
        ("150 N Church St, Hertford NC", "150 N Church St, Hertford, NC 27944 [OtherSide]"),
        ("150 Cedar Ct, Hertford NC", "NoNumber { street: \"Cedar Ct\", numbers: (1, 99) }"),
        ("51 Cedar, Hertford NC", "51 Cedar Ct, Hertford, NC 27944 [TypeAdded]"),
        ("51 Cedar Rd, Hertford NC", "NoStreet"),
        ("150 Old Mill, Hertford NC", "150 Old Mill Rd, Hertford, NC 27944 [TypeAdded]"),
        ("1051 US 17 North, Hertford NC", "1051 US Hwy 17 N, Hertford, NC 27944 []"),
        ("1051 Highway 17 N, Hertford NC", "1051 US Hwy 17 N, Hertford, NC 27944 []"),
        ("51 NC 37, Hertford NC", "51 State Rd 37, Hertford, NC 27944 []"),
        ("51 US 37, Hertford NC", "NoStreet"),
        ("P57 Charles St, 27944", "P57 Charles St, NC 27944 []"),
        ("57 Charles St, 27944", "NoNumber { street: \"Charles St\", numbers: (1, 198) }"),
        ("100-104 Charles St, 27944", "100-104 Charles St, NC 27944 [FirstNumber]"),
        ("51 First Street, 27944", "51 1st St, NC 27944 []"),
        ("51 3rd St, 27944", "NoStreet"),
        ("51 Holliday Iland Road, 27944", "51 Holiday Island Rd, NC 27944 [Spelling(2)]"),
        ("51 Vine St, 27944", "NoStreet"),
        ("51 Pien St, 27944", "51 Pine St, NC 27944 [Spelling(1)]"),
        ("5 Lone Oak Dr, 27985", "5 Lone Oak Dr, NC 27985 []"),
        ("150 W Main St, Hertford, TX 27944", "NoStreet"),
        ("150 W Main St, 90210", "NotCovered"),
        ("150 W Main St, Raleigh, NC", "NotCovered"),
        ("150 W Main St, Union, NC", "NotCovered"),
        ("150 W Main St, Union, NC 27944", "150 W Main St, Union, NC 27944 []"),
    ] {
        assert_eq!(located(&layer, text), found, "{text}");
    }
}

#[test]
fn houses_stand_in_proportion_on_their_side() {
    let layer = county();
    let courthouse = LonLat::from_lat_lon(36.19, -76.47).unwrap();
    let plane = Plane::at(courthouse);
    for (text, east, north) in [
        ("101 W Main St, 27944", -10.0, 0.0),
        ("150 W Main St, 27944", 10.0, 510.0),
        ("198 W Main St, 27944", 10.0, 1000.0),
        ("150 Old Mill Rd, 27944", 6010.0, 490.0),
        ("5 Lone Oak Dr, 27985", 14_990.0, 500.0),
    ] {
        let address = parse(text).unwrap();
        let Located::One(place) = Geocoder::new(layer.streets().unwrap()).locate(&address) else {
            panic!("{text} is found")
        };
        let meters = distance_m(place.point, plane.moved(courthouse, (east, north)));
        assert!(meters < 2.0, "{text}: {meters} m away");
        assert_eq!(place.county, COUNTY);
    }
}

/// Two hundred texts that are not addresses, as people, programs and attackers send them.
const NO_ADDRESSES: &str = include_str!("no_addresses.txt");

#[test]
fn texts_that_are_no_address_are_refused() {
    let layer = county();
    let texts: Vec<&str> = NO_ADDRESSES.lines().collect();
    assert!(texts.len() >= 200, "{} texts", texts.len());
    for text in texts {
        let found = parse(text).map(|address| Geocoder::new(layer.streets().unwrap()).locate(&address));
        assert!(matches!(found, Err(_) | Ok(Located::None(_))), "{text}: {found:?}");
    }
}
