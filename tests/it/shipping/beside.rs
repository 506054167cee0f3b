use std::sync::Arc;

use platbook::{
    map_files::MapFiles,
    snapshot::write::{CountyTables, RadonRow},
};
use platbook_service::{
    edition::Edition,
    http::{Capacity, Service},
    shipping::Order,
    upstream::Lookups,
};
use tokio::task::block_in_place;

use super::{
    Following,
    mirror::{Mirror, Shown},
    remote,
    worlds::{as_of, changed},
};
use crate::harness::{Client, SITE, Server};

/// A request about a point in the town of Elm, in Adams County.
const SCREENING: &str = "/v1/screening?lat=45.025&lon=-93.95";

/// A world whose list has Adams County in this radon zone.
fn in_zone(zone: u8) -> Shown {
    let world = changed(zone.into(), |contents| {
        let radon = vec![RadonRow { county: 27_001, zone }];
        contents.pages.county_tables = Some(CountyTables::pack(radon, Vec::new(), Some(0), Vec::new(), None));
    });
    Shown::file(&world)
}

/// The answering edition makes the lookups beside its snapshot, and a replaced edition keeps no answers.
#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_a_snapshot_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(in_zone(1)).await;
    let mut remote = remote(&mirror.url(), folder.path());
    let first = remote.look(None, false).await.unwrap().unwrap();
    let lookups = Lookups::closed().with_finder(Box::new(MapFiles::new(Vec::new())));
    let mut following = Following::of(remote, Service::new(Edition::new(first, SITE)).with_lookups(lookups));
    let server = Server::start_shared(Arc::clone(&following.service), Capacity::default());
    let zone = || {
        let answer = block_in_place(|| {
            let mut client = Client::connect(server.address);
            assert_eq!(client.get("/v1/topics").status, 200);
            client.get(SCREENING).json()
        });
        answer["data"]["facts"]["radon"]["status"].as_str().unwrap().to_owned()
    };
    let kept = |edition: &Edition| edition.caches().iter().map(|cache| cache.entries).sum::<u64>();
    assert_eq!(zone(), "zone_1");
    let before = Arc::clone(&following.service.edition().load());
    assert!(kept(&before) > 0);
    mirror.show(in_zone(2));
    assert_eq!(following.serving().await, (as_of(2), false));
    assert_eq!((zone().as_str(), kept(&before)), ("zone_2", 0));
    let after = Arc::clone(&following.service.edition().load());
    assert!(kept(&after) > 0);
    following.orders.send(Order::Back).await.unwrap();
    assert_eq!(following.serving().await, (as_of(1), true));
    assert_eq!((zone().as_str(), kept(&after)), ("zone_1", 0));
    following.end().await;
    server.stop();
}
