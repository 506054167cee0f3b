use std::{sync::Arc, time::Duration};

use platbook_service::{
    http::{Listener, Waiting},
    shipping::{Event, Order, Source, first},
};
use tokio::{
    net::TcpListener,
    sync::mpsc,
    task::{block_in_place, spawn_blocking},
};

use super::{
    mirror::{Mirror, Shown},
    process::Process,
    remote,
    worlds::{PAIR, as_of, world},
};
use crate::{
    harness::{Client, SITE, comes_true},
    lookups::outside::Act,
};

/// Name of a case, the mirror's behavior at a first poll, the reason in `/readyz`, and whether that poll ends soon.
type Case = (&'static str, Shown, &'static str, bool);

/// A body whose bytes come one at a time.
fn drip() -> Act {
    let Act::Send(whole) = Shown::file(&world(1)).act else { panic!("a file is sent") };
    let (head, body) = whole.split_at(whole.len() - world(1).len());
    Act::DripAfter(head.to_vec(), body.to_vec())
}

/// A service listens and serves the built-in snapshot, whatever the mirror does, and takes the file when it comes.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_waits_for_no_mirror() {
    let fetching = "the first file is being fetched";
    let again =
        "HTTP/1.1 302 Found\r\nLocation: /us.platbook\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let same = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nConnection: close\r\n\r\n";
    let cases: [Case; 6] = [
        ("a byte at a time", Shown::act(drip()), fetching, false),
        ("silence", Shown::act(Act::Hang), fetching, false),
        ("endless redirects", Shown::raw(again), "the address leads elsewhere", true),
        ("the file before", Shown::raw(same), "the address answers that it has no file", true),
        ("nothing", Shown::raw(""), "the address cannot be reached", true),
        ("noise", Shown::file(b"noise"), "the file is not a whole snapshot", true),
    ];
    for (name, shown, behind, is_over_soon) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mirror = Mirror::start(shown).await;
        let (url, key, store) = (mirror.url(), PAIR.pk.to_base64(), folder.path().to_str().unwrap());
        let args = ["--snapshot-url", &url, "--snapshot-key", &key, "--snapshot-dir", store];
        block_in_place(|| {
            let server = Process::serve(&[&["--offline", "--snapshot-every", "1s"], &args[..]].concat());
            let ready = || Client::connect(server.address).get("/readyz").json();
            assert!(comes_true(|| ready()["behind"] == behind), "{name}: {}", ready());
            assert_eq!(ready()["source"], "built in", "{name}");
            assert_eq!(ready()["as_of"], platbook_service::embedded().unwrap().as_of(), "{name}");
            assert!(comes_true(|| ready()["status"] == "ready"), "{name}");
            assert_eq!(Client::connect(server.address).get("/v1/topics").status, 200, "{name}");
            if is_over_soon {
                mirror.show(Shown::file(&world(1)));
                server.ask_until(1);
                assert!(comes_true(|| ready()["source"] == "fetched"), "{name}: {}", ready());
                assert!(ready()["behind"].is_null(), "{name}: {}", ready());
            }
        });
    }
}

/// Without any snapshot a server listens, reports why it is not ready, and asks callers to come back.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_a_snapshot_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::raw("")).await;
    let mut source = Source::Url(Box::new(remote(&mirror.url(), folder.path())));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let waiting = Arc::new(Waiting::new(SITE));
    let serving = Arc::clone(&waiting);
    let served = tokio::spawn(async move { serving.serve(&Listener::from(listener)).await });
    let of_first = Arc::clone(&waiting);
    let (orders, mut given) = mpsc::channel(1);
    let found = tokio::spawn(async move {
        let tell = |event| match event {
            Event::Waits(refusal) => of_first.freshness().is_behind(Some(refusal.in_short())),
            event => drop(event),
        };
        first(&mut source, &mut given, tell).await
    });
    spawn_blocking(move || {
        let get = |path: &str| Client::connect(address).get(path);
        assert_eq!((get("/healthz").status, get("/healthz").json()["status"].clone()), (200, "alive".into()));
        assert!(comes_true(|| get("/readyz").json()["behind"] == "the address cannot be reached"));
        let ready = get("/readyz");
        assert_eq!((ready.status, &ready.json()["status"]), (503, &"waiting".into()));
        for path in ["/v1/topics", "/", "/nowhere", "/v1/jurisdictions/resolve?lat=45.025&lon=-93.95"] {
            let busy = get(path);
            assert_eq!((busy.status, busy.header("retry-after")), (503, "10"), "{path}");
            assert_eq!(busy.header("content-type"), "application/problem+json", "{path}");
            assert!(busy.json()["type"].as_str().unwrap().ends_with("/busy"), "{path}: {}", busy.body);
        }
    })
    .await
    .unwrap();
    // A rollback without a previous snapshot changes nothing.
    orders.send(Order::Back).await.unwrap();
    mirror.show(Shown::file(&world(1)));
    let found = tokio::time::timeout(Duration::from_secs(60), found).await.unwrap().unwrap();
    assert_eq!(found.as_of(), as_of(1));
    served.abort();
}
