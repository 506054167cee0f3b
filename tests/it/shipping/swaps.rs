use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use platbook_service::http::Capacity;

use super::{
    Following,
    mirror::{Mirror, Shown},
    remote,
    worlds::{as_of, number_of, world},
};
use crate::harness::{Client, Server};

/// A request about a point in the town of Elm, in Adams County.
const POINT: &str = "/v1/jurisdictions/resolve?lat=45.025&lon=-93.95";

/// Number of clients that send requests during the swaps.
const CLIENTS: usize = 4;

/// The numbers of the worlds that an answer names: in its date, its sources and its links.
fn worlds_in(body: &str) -> Vec<u32> {
    let after = |word: &str| -> Vec<u32> {
        let parts = body.split(word).skip(1);
        parts.filter_map(|rest| rest.split(';').next()?.parse().ok()).collect()
    };
    let (_, dated) = body.split_once("\"as_of\":\"").unwrap_or_else(|| panic!("no date: {body}"));
    let date = number_of(dated.split('"').next().unwrap());
    [vec![date], after("Lines of world "), after("/of-world-")].concat()
}

/// Sends requests until `is_over`, and counts the answers. Checks that each answer is complete and from one world, and
/// that no answer is from an older world than the one before.
fn ask(address: SocketAddr, is_over: &AtomicBool, answers: &AtomicUsize) {
    let mut client = Client::connect(address);
    let mut last = 0;
    while !is_over.load(Ordering::Relaxed) {
        for target in [POINT, "/v1/places/county:27001"] {
            let answer = client.get(target);
            assert_eq!(answer.status, 200, "{}", answer.body);
            let worlds = worlds_in(&answer.body);
            assert!(worlds.len() > 2 && worlds.iter().all(|world| *world == worlds[0]), "{worlds:?}");
            assert!(worlds[0] >= last, "a client is not led back");
            last = worlds[0];
            answers.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Swaps this many worlds while clients send requests; returns how many answers they got.
async fn swap(count: u32) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::packed(&world(0), "")).await;
    let mut following = Following::start(remote(&mirror.url(), folder.path())).await;
    let server = Server::start_shared(Arc::clone(&following.service), Capacity::default());
    let address = server.address;
    let (is_over, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (is_over, answers) = (Arc::clone(&is_over), Arc::clone(&answers));
            std::thread::spawn(move || ask(address, &is_over, &answers))
        })
        .collect();
    for number in 1..=count {
        mirror.show(Shown::packed(&world(number), ""));
        assert_eq!(following.serving().await, (as_of(number), false));
    }
    is_over.store(true, Ordering::Relaxed);
    clients.into_iter().for_each(|client| client.join().unwrap());
    following.end().await;
    server.stop();
    answers.load(Ordering::Relaxed)
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_lose_and_mix_no_answer() {
    assert!(swap(20).await > 20);
}

/// cargo test --test it two_hundred_swaps -- --ignored --nocapture
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a while"]
async fn two_hundred_swaps_lose_and_mix_no_answer() {
    let started = std::time::Instant::now();
    let answers = swap(200).await;
    println!("200 swaps in {:.1} s beside {answers} answers", started.elapsed().as_secs_f64());
}
