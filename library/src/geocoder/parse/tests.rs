use proptest::prelude::*;

use super::*;

/// The parts as `number|street|unit|city|state|zip`.
fn shown(text: &str) -> String {
    match parse(text) {
        Ok(address) => {
            let city = address.city.map(|words| words.join(" ")).unwrap_or_default();
            let state = address.state.map(StateCode::usps).unwrap_or_default();
            let zip = address.zip.map(|zip| format!("{zip:05}")).unwrap_or_default();
            let (number, unit) = (address.number.text, address.unit.unwrap_or_default());
            format!("{number}|{}|{unit}|{city}|{state}|{zip}", address.street.join(" "))
        }
        Err(why) => format!("{why:?}"),
    }
}

#[test]
fn addresses_are_taken_apart() {
    for (text, parts) in [
        ("100 W Main St, Hertford, NC 27944", "100|w main st||hertford|NC|27944"),
        ("100 w main st hertford nc 27944-1234", "100|w main st hertford|||NC|27944"),
        ("100 W. Main St. Apt. 4, Hertford, North Carolina", "100|w main st|apt 4|hertford|NC|"),
        ("100 W Main St, Apt 4, Hertford NC 27944", "100|w main st|apt 4|hertford|NC|27944"),
        ("Apt 4, 100 W Main St, Hertford NC 27944", "100|w main st||hertford|NC|27944"),
        ("County Courthouse, 128 N Church St, Hertford, NC", "128|n church st||hertford|NC|"),
        ("100 W Main St, Hertford, Perquimans County, NC, 27944, USA", "100|w main st||hertford|NC|27944"),
        ("100 W Main St\nHertford, NC", "100|w main st||hertford|NC|"),
        ("100 1/2 Main St, 27944", "100 1/2|main st||||27944"),
        ("100½ Main St, 27944", "100 1/2|main st||||27944"),
        ("100A Main St 27944", "100a|main st||||27944"),
        ("117-01 Hertford Beach Rd 27944", "117-01|hertford beach rd||||27944"),
        ("P57 Charles St, Hertford NC", "p57|charles st||hertford|NC|"),
        ("W175 S7660 Racine Ave, Muskego, WI", "w175s7660|racine ave||muskego|WI|"),
        ("One Main St, Hertford, NC", "1|main st||hertford|NC|"),
        ("350 South 500 East, Salt Lake City, UT", "350|south 500 east||salt lake city|UT|"),
        ("100 US Hwy 17 N, Hertford, NC", "100|us hwy 17 n||hertford|NC|"),
        ("100 Cedar Ct, 27944", "100|cedar ct||||27944"),
        ("100 Cedar Ct 27944", "100|cedar ct||||27944"),
        ("100 Main St Hartford CT 06103", "100|main st hartford|||CT|06103"),
        ("100 Main St Cedar Ct 27944", "100|main st cedar ct||||27944"),
        ("100 Main St Hartford CT", "100|main st hartford|||CT|"),
        ("100 main st new york ny", "100|main st new york|||NY|"),
        (
            "1600 Pennsylvania Ave NW, Washington, District of Columbia",
            "1600|pennsylvania ave nw||washington|DC|",
        ),
        ("100 Main St # 4 Hertford, N.C. 27944", "100|main st hertford|# 4||NC|27944"),
        ("100 Main St, Charlotte, N. Carolina", "100|main st||charlotte|NC|"),
        ("100 Main St, Charleston, W. Va.", "100|main st||charleston|WV|"),
    ] {
        assert_eq!(shown(text), parts, "{text}");
    }
}

#[test]
fn what_is_no_address_is_named() {
    use NotAnAddress::*;
    for (text, why) in [
        ("", Empty),
        (" , ", Empty),
        ("PO Box 12, Hertford, NC 27944", PoBox),
        ("P.O. Box 12, Hertford, NC 27944", PoBox),
        ("p o box 12 hertford nc", PoBox),
        ("Post Office Box 12, Hertford NC", PoBox),
        ("100 Main St, PO Box 12, Hertford NC", PoBox),
        ("POB 12, Hertford NC", PoBox),
        ("Box 12, Hertford NC", PoBox),
        ("RR 2 Box 15, Hertford NC", RuralRoute),
        ("HC 68 Box 23A, Hertford NC", RuralRoute),
        ("Rural Route 2, Hertford NC", RuralRoute),
        ("General Delivery, Hertford NC 27944", GeneralDelivery),
        ("PSC 1234 Box 5, APO AE 09204", Military),
        ("36.19, -76.46", Coordinate),
        ("36.19 N 76.46 W", Coordinate),
        ("info@example.org", Web),
        ("https://example.org/100", Web),
        ("Main St, Hertford, NC", NoNumber),
        ("1st St, Hertford, NC", NoNumber),
        ("Hertford, NC 27944", NoNumber),
        ("27944", NoStreet),
        ("Perquimans County", NoNumber),
        ("Main St and Church St, Hertford NC", Crossing),
        ("5th Ave at Main St, Hertford NC", Crossing),
        ("Urb Las Flores Calle 1, San Juan, PR 00901", NumberElsewhere),
        ("100 Main St", NoPlace),
        ("100 Main St, Hertford", NoPlace),
        ("100 Cedar Ct", NoPlace),
        ("100, Hertford, NC", NoStreet),
    ] {
        assert_eq!(parse(text).map(|address| address.number.text), Err(why), "{text}");
    }
}

#[test]
fn house_numbers_are_read() {
    for (word, read) in [
        ("100", Some(("", 100, None))),
        ("P99", Some(("p", 99, None))),
        ("117-01", Some(("117-", 1, Some(117)))),
        ("100-104", Some(("100-", 104, Some(100)))),
        ("100A", Some(("", 100, None))),
        ("N6W23001", Some(("n6w", 23_001, None))),
        ("1st", None),
        ("main", None),
        ("", None),
        ("-", None),
        ("999999999", None),
    ] {
        let number = HouseNumber::read(word);
        let shown = number.as_ref().map(|number| (number.prefix.as_str(), number.number, number.first));
        assert_eq!(shown, read, "{word}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}|[0-9a-zA-Z #,./-]{0,60}") {
        if let Ok(address) = parse(&text) {
            prop_assert!(!address.street.is_empty());
            prop_assert!(address.zip.is_some() || address.state.is_some());
        }
    }
}
