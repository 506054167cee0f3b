//! Tests maps of points with roads and water from a layer file.

use platbook::{
    geometry::LonLat,
    map_files::Ground,
    snapshot::{
        LayerFile,
        write::{About, LayerContents, NewPolygon, Polygons, SourceRecord},
    },
    vocabulary::{LicenseClass, MapKind},
};
use platbook_service::{
    http::{Capacity, Service},
    pages::Pages,
};

use crate::harness::{Client, Server, edition};

/// A highway and a street through Stowe, Vermont, and a pond.
fn layer() -> LayerFile {
    let at = |lat: f64, lon: f64| LonLat::from_lat_lon(lat, lon).unwrap();
    let shape = |code: &str, name: &str, ring: Vec<LonLat>| NewPolygon {
        values: Some(vec![code.to_owned(), name.to_owned()]),
        rings: vec![ring],
    };
    let pond = vec![at(44.466, -72.686), at(44.467, -72.686), at(44.467, -72.685), at(44.466, -72.686)];
    let shapes = [
        shape("S1200", "State Rte 100", vec![at(44.46, -72.690), at(44.464, -72.689), at(44.47, -72.689)]),
        shape("S1400", "Pond <St>", vec![at(44.4648, -72.690), at(44.4646, -72.6875), at(44.4645, -72.685)]),
        shape("H2030", "Mill Pond", pond),
    ];
    let source = SourceRecord {
        name: "TIGER/Line 2020".to_owned(),
        publisher: "U.S. Census Bureau".to_owned(),
        url: "https://www.census.gov/".to_owned(),
        official: true,
        retrieved_at: "2026-11-20".to_owned(),
        license_class: LicenseClass::Open as u8,
        vintage: 2020,
        scale: 100_000,
        digest: String::new(),
        simplified_m: 0,
    };
    let contents = LayerContents {
        about: About { as_of: "2020".to_owned(), sources: vec![source], ..About::default() },
        polygons: Some(Polygons::pack(MapKind::Ground, &["mtfcc", "fullname"], &shapes).unwrap()),
        ..LayerContents::default()
    };
    LayerFile::copy(&contents.to_bytes().unwrap()).unwrap()
}

#[test]
fn the_map_of_a_point_shows_roads_and_water_where_a_layer_has_them() {
    let (ground, others) = Ground::split(vec![layer()]);
    assert!(others.is_empty());
    let service = Service::new(edition()).with_door(Box::new(Pages::new().with_ground(ground)));
    let server = Server::start(service, Capacity::default());
    let mut client = Client::connect(server.address);
    let source = "Roads and water: U.S. Census Bureau, TIGER/Line 2020 (2020). A click is exact to about ";
    for (target, said, unsaid) in [
        // Only the map of a block names streets.
        (
            "/at/44.4654,-72.6874?zoom=block",
            &[source, "class=\"street\"", "class=\"lake\"", ">Pond &lt;St&gt;</text>", "about 10 feet here"]
                [..],
            "<St>",
        ),
        (
            "/at/44.4654,-72.6874?zoom=walk",
            &[source, "class=\"road\"", "class=\"street\"", ">State Rte 100</text>"],
            "Pond &lt;St&gt;",
        ),
        ("/at/44.4654,-72.6874?zoom=town", &["class=\"road\""], "class=\"street\""),
        // A block is offered where it would show streets.
        (
            "/at/44.4654,-72.6874",
            &[">A block</a>", "aria-current=\"true\">The whole town</a>"],
            ">The line</a>",
        ),
        // Outside cities and towns the widest map is that of the county.
        ("/at/36.2605,-76.4416", &["aria-current=\"true\">The whole county</a>"], "The whole town"),
        ("/at/44.9773,-93.2655", &["Wrong spot?"], "Roads and water"),
        ("/at/44.9773,-93.2655", &[">A mile</a>"], ">A block</a>"),
    ] {
        let page = client.get(target).body;
        for said in said {
            assert!(page.contains(said), "{target} lacks {said}: {page}");
        }
        assert!(!page.contains(unsaid), "{target} says {unsaid}");
    }
    drop(client);
    server.stop();
}
