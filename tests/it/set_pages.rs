use std::{collections::HashMap, sync::Arc};

use platbook::{
    answers::{AddressAnswer, Choice, Found, FoundAddress, Lookup},
    facts::{Fact, FactKey, Facts, Flood, FloodZone, Said},
    geometry::LonLat,
    vocabulary::{LicenseClass, OutsideSource},
};
use platbook_service::{
    http::{Capacity, Service},
    pages::Pages,
    upstream::{FoundFuture, Lookups, Upstream},
};

use crate::harness::{Client, Server, edition, service};

/// An invented service that knows one address, two that are spelled alike, and one fact of every point.
#[derive(Debug)]
struct Invented;

impl Upstream for Invented {
    fn find(&self, lookup: Lookup) -> FoundFuture<'_> {
        Box::pin(async move {
            match lookup {
                Lookup::Address(text) => Found { address: address(&text), ..Found::default() },
                Lookup::Facts { .. } | Lookup::Parcel { .. } => {
                    let zone = FloodZone::greatest(&[HashMap::from([("fld_zone", "<flood>")])]).unwrap();
                    let flood = Flood { zone: Some(zone), is_mapped: true, firm_panel: None };
                    let fact = Fact::new(FactKey::Flood, Said::Flood(flood));
                    Found { facts: Facts::from_iter([fact]), ..Found::default() }
                }
            }
        })
    }
}

fn address(text: &str) -> AddressAnswer {
    let point = LonLat::from_lat_lon(44.977_3, -93.265_5).unwrap();
    let source = OutsideSource {
        name: "An invented geocoder".into(),
        url: "https://geocoder.example/".into(),
        publisher: "Nobody".into(),
        official: false,
        license_class: LicenseClass::Open,
    };
    let choice = |label: &str| Choice { label: label.to_owned(), point: Some(point), jurisdiction: None };
    match text {
        "350 S 5TH ST, MINNEAPOLIS, MN" => AddressAnswer::One(FoundAddress {
            point,
            matched_address: "350 S 5TH ST, MINNEAPOLIS".to_owned(),
            geocoder: "An invented geocoder".to_owned(),
            method: "placed by hand".into(),
            source: Arc::new(source),
            looked_up_at: None,
        }),
        "1 MAIN ST" => AddressAnswer::Several(vec![choice("1 MAIN ST N"), choice("1 MAIN ST <S>")]),
        _ => AddressAnswer::NotFound,
    }
}

#[test]
fn pages_say_what_the_operator_set() {
    let corrections = "help@platbook.example".parse().unwrap();
    let pages = Pages::new().with_corrections(corrections).with_addresses();
    let server = Server::start(Service::new(edition()).with_door(Box::new(pages)), Capacity::default());
    let mut client = Client::connect(server.address);
    for (target, said) in [
        ("/", "Town, county, ZIP code, address or coordinates"),
        ("/about", "href=\"mailto:help@platbook.example?subject=Something%20is%20wrong&amp;body=Page"),
        ("/about", "Something wrong? Write to help@platbook.example"),
        ("/docs", "href=\"mailto:help@platbook.example?subject=A%20key%20for%20the%20API"),
        ("/?q=350+S+5th+St,+Minneapolis,+MN", "Street addresses cannot be looked up right now."),
        ("/?q=01002", "Type the street address, or the town, below."),
    ] {
        let page = client.get(target).body;
        assert!(page.contains(said), "{target} lacks {said}: {page}");
        assert_eq!(page.matches("Something wrong?").count(), 1, "{target}");
    }
    drop(client);
    server.stop();
}

/// A caller's own lookups are on the page, and no cache keeps it.
#[test]
fn what_is_looked_up_outside_comes_onto_the_page() {
    let server = Server::start(service().with_lookups(Lookups::of(Arc::new(Invented))), Capacity::default());
    let mut client = Client::connect(server.address);
    for (target, texts) in [
        (
            "/?q=350+S+5th+St,+Minneapolis,+MN",
            &[
                "350 S 5TH ST, MINNEAPOLIS",
                "placed by hand",
                "City of Minneapolis",
                "href=\"/at/44.9773,-93.2655\"",
            ][..],
        ),
        (
            "/?q=1+Main+St",
            &["Which address do you mean?", "1 MAIN ST &lt;S&gt;", "href=\"/at/44.9773,-93.2655\""],
        ),
        ("/?q=9+Nowhere+Rd,+Stowe,+VT", &["No address matched", "Town of Stowe"]),
        (
            "/at/44.9773,-93.2655?screening=1",
            &["The flood map has zone &lt;flood&gt; here", "could not be checked"],
        ),
    ] {
        let page = client.get(target);
        assert_eq!((page.status, page.header("cache-control")), (200, "no-store"), "{target}");
        for text in texts {
            assert!(page.body.contains(text), "{target} does not say {text}: {:.4000}", page.body);
        }
    }
    drop(client);
    server.stop();
}
