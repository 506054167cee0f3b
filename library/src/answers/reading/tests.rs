use super::*;

/// Returns the reading of a text in short; `?` follows coordinates without labels for latitude and longitude.
fn shown(text: &str) -> String {
    let Reading { subject, topics, .. } = Reading::new(text);
    let subject = match subject {
        Subject::Point(Coordinates { lat, lon, is_labeled }) => {
            format!("{lat:.4} {lon:.4}{}", if is_labeled { "" } else { "?" })
        }
        Subject::Zip(zip) => format!("zip {zip:05}"),
        Subject::Address(text) => format!("address {text}"),
        Subject::Name(text) => format!("name {text}"),
    };
    let topics: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
    if topics.is_empty() { subject } else { format!("{subject} for {}", topics.join(", ")) }
}

#[test]
fn coordinates_are_read_in_each_writing() {
    for (text, expected) in [
        ("44.9773, -93.2655", "44.9773 -93.2655?"),
        ("44.9773 -93.2655", "44.9773 -93.2655?"),
        ("44.9773;-93.2655", "44.9773 -93.2655?"),
        ("44.9773/-93.2655", "44.9773 -93.2655?"),
        ("(44.9773, -93.2655)", "44.9773 -93.2655?"),
        ("44.9773, −93.2655", "44.9773 -93.2655?"),
        ("-93.2655, 44.9773", "-93.2655 44.9773?"),
        ("44 -93", "44.0000 -93.0000?"),
        ("99, 99", "99.0000 99.0000?"),
        ("44.9773 N, 93.2655 W", "44.9773 -93.2655"),
        ("44.9773N 93.2655W", "44.9773 -93.2655"),
        ("N 44.9773 W 93.2655", "44.9773 -93.2655"),
        ("N44.9773, W93.2655", "44.9773 -93.2655"),
        ("44.9773° N, 93.2655° W", "44.9773 -93.2655"),
        ("93.2655 W, 44.9773 N", "44.9773 -93.2655"),
        ("93.2655° west 44.9773° north", "44.9773 -93.2655"),
        ("44.9773 N, -93.2655 W", "44.9773 -93.2655"),
        ("44.9773° -93.2655°", "44.9773 -93.2655?"),
        ("44°58'38.28\"N 93°15'55.8\"W", "44.9773 -93.2655"),
        ("44° 58′ 38.28″ N, 93° 15′ 55.8″ W", "44.9773 -93.2655"),
        ("44 58 38.28 N 93 15 55.8 W", "44.9773 -93.2655"),
        ("44°58'38.28\", -93°15'55.8\"", "44.9773 -93.2655?"),
        ("44°58'38.28\" -93°15'55.8\"", "44.9773 -93.2655?"),
        ("N44 58.638 W093 15.93", "44.9773 -93.2655"),
        ("44 deg 58 min 38.28 sec N, 93 deg 15 min 55.8 sec W", "44.9773 -93.2655"),
        ("lat 44.9773 lon -93.2655", "44.9773 -93.2655"),
        ("lat: 44.9773, lng: -93.2655", "44.9773 -93.2655"),
        ("Longitude=-93.2655 Latitude=44.9773", "44.9773 -93.2655"),
        ("44.9773 lat, -93.2655 lon", "44.9773 -93.2655"),
        ("latitude 44.9773 north, longitude 93.2655 west", "44.9773 -93.2655"),
        // Within a sentence.
        ("my lot at 44.9773,-93.2655 - is it wet?", "44.9773 -93.2655?"),
        ("we're at 44.97, -93.26 (the lake). who do I ask?", "44.9700 -93.2600?"),
        ("a house (44.9773° N, 93.2655° W), who is it", "44.9773 -93.2655"),
        ("44.9773, -93.2655 which city, county is this", "44.9773 -93.2655?"),
        ("2.25 or 2.75 acres, who is it", "name 2.25 or 2.75 acres, who is it"),
        ("$12.50, $13.75", "name $12.50, $13.75"),
        ("zip 55404, who do I see", "zip 55404"),
        ("My ZIP code is 55404", "name My ZIP code is 55404"),
        ("I live in zip code 55404.", "zip 55404"),
        // Not coordinates.
        ("44.9", "name 44.9"),
        ("44.9773 N, 93.2655 N", "address 44.9773 N, 93.2655 N"),
        ("44 75 10 N 93 15 55 W", "address 44 75 10 N 93 15 55 W"),
        ("44.5 30 N 93 W", "address 44.5 30 N 93 W"),
        ("55415 55416", "name 55415 55416"),
        ("N", "name N"),
        ("lat lon", "name lat lon"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn links_of_maps_are_read() {
    for (link, expected) in [
        ("https://www.google.com/maps/@44.9773,-93.2655,17z", "44.9773 -93.2655"),
        ("https://maps.google.com/?q=44.9773,-93.2655", "44.9773 -93.2655"),
        ("https://maps.google.com/maps?ll=44.9773,-93.2655&z=16", "44.9773 -93.2655"),
        ("https://www.google.com/maps/search/?api=1&query=44.9773%2C-93.2655", "44.9773 -93.2655"),
        ("https://www.google.com/maps/search/44.9773,+-93.2655", "44.9773 -93.2655"),
        (
            "https://www.google.com/maps/place/City+Hall/@44.9,-93.2,17z/data=!3m1!4b1!4m6!3m5!1s0x0:0x0!8m2!3d44.9773!4d-93.2655!16s%2Fm",
            "44.9773 -93.2655",
        ),
        ("https://www.google.com/maps?q=loc:44.9773,-93.2655", "44.9773 -93.2655"),
        ("https://maps.google.com/?q=44%C2%B058%2738.28%22N+93%C2%B015%2755.8%22W", "44.9773 -93.2655"),
        ("https://maps.apple.com/?ll=44.9773,-93.2655&q=Dropped%20Pin", "44.9773 -93.2655"),
        ("https://maps.apple.com/place?coordinate=44.9773,-93.2655", "44.9773 -93.2655"),
        ("https://www.openstreetmap.org/#map=16/44.9773/-93.2655", "44.9773 -93.2655"),
        ("https://www.openstreetmap.org/?mlat=44.9773&mlon=-93.2655#map=16/44/-93", "44.9773 -93.2655"),
        ("https://www.bing.com/maps?cp=44.9773~-93.2655&lvl=16", "44.9773 -93.2655"),
        ("https://platbook.example/at/44.9773,-93.2655", "44.9773 -93.2655"),
        ("https://platbook.example/v1/screening?lat=44.9773&lon=-93.2655", "44.9773 -93.2655"),
        ("geo:44.9773,-93.2655;u=35", "44.9773 -93.2655"),
        ("GEO:0,0?q=44.9773,-93.2655(Home)", "44.9773 -93.2655"),
        ("Here: https://maps.google.com/?q=44.9773,-93.2655", "44.9773 -93.2655"),
        // Text from a map program's search is read as if it was typed here.
        ("https://maps.google.com/?q=350+S+5th+St,+Minneapolis", "address 350 S 5th St, Minneapolis"),
        ("https://www.google.com/maps/place/Stowe,+VT", "name Stowe, VT"),
        ("https://maps.apple.com/?q=55415", "zip 55415"),
        // The words beside a link are its task.
        (
            "https://www.google.com/maps/@44.9773,-93.2655,17z pay property tax",
            "44.9773 -93.2655 for property_tax_payment",
        ),
        (
            "who collects tax here: https://maps.google.com/?q=44.9773,-93.2655",
            "44.9773 -93.2655 for property_tax_payment",
        ),
        ("geo:44.9773,-93.2655 zoning and permits", "44.9773 -93.2655 for zoning, building_permits"),
        ("https://www.google.com/maps/place/Stowe,+VT zoning", "name zoning Stowe, VT for zoning"),
        (
            "building permit https://maps.google.com/?q=350+S+5th+St,+Minneapolis",
            "address 350 S 5th St, Minneapolis for building_permits",
        ),
        ("https://maps.google.com/?q=44.9773, -93.2655", "44.9773 -93.2655"),
        ("https://maps.app.goo.gl/abc", "name https://maps.app.goo.gl/abc"),
        ("https://", "name https://"),
    ] {
        assert_eq!(shown(link), expected, "{link}");
    }
}

#[test]
fn a_number_beyond_all_bounds_in_a_link_is_not_a_coordinate() {
    let many = "3".repeat(400);
    for link in
        [format!("415,4://{many},3/S"), format!("geo:44.9,{many}"), format!("https://a.example/@{many},4")]
    {
        let subject = Reading::new(&link).subject;
        assert!(!matches!(subject, Subject::Point(_)), "{subject:?}");
    }
}

#[test]
fn zips_addresses_names_and_tasks_are_distinguished() {
    for (text, expected) in [
        ("350 S 5th St, Minneapolis MN", "address 350 S 5th St, Minneapolis MN"),
        ("55415", "zip 55415"),
        (" 55415-1234 ", "zip 55415"),
        ("02134", "zip 02134"),
        ("55415-12", "name 55415-12"),
        ("55415 Minneapolis", "name 55415 Minneapolis"),
        ("Stowe, Vermont", "name Stowe, Vermont"),
        ("96 Corners", "name 96 Corners"),
        ("", "name "),
        ("33139 property appraiser", "zip 33139 for assessor"),
        ("property appraiser 33139", "zip 33139 for assessor"),
        ("zip 30303", "zip 30303"),
        ("ZIP Code 30303 zoning", "zip 30303 for zoning"),
        ("zoning ZIP code 30303", "zip 30303 for zoning"),
        ("zoning and permits 30303", "zip 30303 for zoning, building_permits"),
        (
            "350 S 5th St, Minneapolis MN building permit",
            "address 350 S 5th St, Minneapolis MN for building_permits",
        ),
        (
            "zoning and permits for 350 S 5th St, Minneapolis",
            "address 350 S 5th St, Minneapolis for zoning, building_permits",
        ),
        (
            "4120 E 10th St, Jeffersonville, IN 47130 - who do I pay property tax to and when due",
            "address 4120 E 10th St, Jeffersonville, IN 47130 for property_tax_payment",
        ),
        (
            "is 12 Dauphin St, Mobile, AL 36604 in a flood zone, and who handles floodplain permits",
            "address 12 Dauphin St, Mobile, AL 36604 for floodplain, building_permits",
        ),
        ("Prop 19 Grass Valley CA", "name Prop 19 Grass Valley CA for exemptions"),
        ("12 Register Rd, Boston MA", "address 12 Register Rd, Boston MA"),
        (
            "100% disabled veteran exemption Fairfax County VA",
            "name 100% disabled veteran exemption Fairfax County VA for exemptions",
        ),
        ("65+ exemption Cook County IL", "name 65+ exemption Cook County IL for exemptions"),
        (
            "65 and older exemption Cook County IL",
            "name 65 and older exemption Cook County IL for exemptions",
        ),
        (
            "building permit for 100 Planning Way, Stowe VT",
            "address 100 Planning Way, Stowe VT for building_permits",
        ),
        ("Zip City", "name Zip City"),
        ("What is the zoning of 55415?", "zip 55415 for zoning"),
        ("zoning 44.9773, -93.2655", "44.9773 -93.2655? for zoning"),
        ("44.9773, -93.2655 building permits", "44.9773 -93.2655? for building_permits"),
        ("44°56'38\"N 123°02'06\"W building permit office", "44.9439 -123.0350 for building_permits"),
        (
            "building permit for 350 S 5th St, Minneapolis MN",
            "address 350 S 5th St, Minneapolis MN for building_permits",
        ),
        (
            "who do I call about a fence in Stowe, Vermont?",
            "name who do I call about a fence in Stowe, Vermont? for building_permits",
        ),
        ("pay property tax austin tx", "name pay property tax austin tx for property_tax_payment"),
        ("zoning", "name zoning for zoning"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn odd_texts_have_a_reading() {
    const PIECES: [&str; 24] = [
        "44.9773", "-", "−", "93", ",", " ", "°", "'", "\"", "N", "w", "lat", "lon", "geo:", "https://", "@",
        "!3d", "!4d", "?q=", "#map=", "/", "%", "é", "55415",
    ];
    let mut random = fastrand::Rng::with_seed(4711);
    for _ in 0..50_000 {
        let text: String = (0..random.usize(..12)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        let Reading { subject, .. } = Reading::new(&text);
        if let Subject::Point(found) = subject {
            assert!(found.lat.is_finite() && found.lon.is_finite(), "{text}");
        }
    }
}
