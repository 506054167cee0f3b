//! Tests that slow answers are made once, away from the threads that answer, and cached. Counts jobs instead of
//! measuring time.

use http_body_util::{BodyExt as _, Full};
use hyper::{Request, header::ACCEPT_ENCODING};
use platbook::{answers::Budget, vocabulary::StateCode};
use platbook_service::{http::Service, pages::Pages};
use tokio::runtime::{Builder, Runtime};

use crate::harness::{edition, service};

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Returns the status of a response and the number of bytes of its body.
async fn ask(service: &Service, path: &str, coding: &'static str) -> (u16, usize) {
    let request = Request::get(path).header("host", "platbook.example").header("accept", "text/html");
    let request = request.header(ACCEPT_ENCODING, coding).body(Full::default()).unwrap();
    let response = service.respond_in_process(request).await;
    let status = response.status().as_u16();
    (status, response.into_body().collect().await.unwrap().to_bytes().len())
}

fn jobs_done(service: &Service) -> u64 {
    let jobs = service.offload();
    assert_eq!([jobs.refused(), jobs.running(), jobs.waiting()], [0; 3]);
    jobs.done()
}

/// A path, and the number of jobs that its first answer takes in each coding. Codings are requested one after the
/// other, with the default budget.
const JOBS: &[(&str, [u64; 3])] = &[
    // One job makes and packs the body. A client that prefers another coding causes a second job.
    ("/boundaries/state:02.geojson", [1, 1, 1]),
    ("/boundaries/state:48.geojson", [1, 1, 1]),
    ("/sitemaps/0.xml", [1, 1, 1]),
    ("/v1/openapi.json", [1, 1, 1]),
    ("/states/TX", [1, 1, 1]),
    // These bodies are short, so packing them needs no job.
    ("/boundaries/place:2743000.geojson", [1, 0, 0]),
    ("/sitemap.xml", [1, 0, 0]),
    ("/data", [1, 0, 0]),
    ("/at/44.9773,-93.2655", [1, 0, 0]),
    // These bodies are quick to make, so they need no job.
    ("/guides/zoning", [0, 0, 0]),
    ("/suggest?q=minnea", [0, 0, 0]),
    ("/v1/topics", [0, 0, 0]),
    ("/robots.txt", [0, 0, 0]),
    ("/llms.txt", [0, 0, 0]),
];

#[test]
fn long_work_is_done_elsewhere_and_once() {
    let runtime = runtime();
    for (path, jobs) in JOBS {
        let service = service();
        for (coding, expected) in ["identity", "gzip", "zstd"].into_iter().zip(jobs) {
            let before = jobs_done(&service);
            let first = runtime.block_on(ask(&service, path, coding));
            assert_eq!(first.0, 200, "{path}");
            assert_eq!(jobs_done(&service) - before, *expected, "{path}, {coding}");
            let again = runtime.block_on(ask(&service, path, coding));
            // The packed ids of two requests may have different lengths.
            assert!(again == first || (again.0 == 200 && coding != "identity"), "{path}: {again:?}");
            assert_eq!(jobs_done(&service) - before, *expected, "{path}, {coding}, again");
        }
    }
}

/// Without memory for the cache, concurrent callers share one job.
#[test]
fn callers_at_the_same_time_share_one_job() {
    let service = Service::new(edition()).with_door(Box::new(Pages::within(Budget::of_mib(0))));
    let path = "/boundaries/state:02.geojson";
    let answers = runtime().block_on(async {
        let all = (0..30).map(|_| ask(&service, path, "identity"));
        futures_util::future::join_all(all).await
    });
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 200));
    assert_eq!(jobs_done(&service), 1);
}

/// Each outline of a state fits into the cache of files with the default budget, packed forms included. The cache may
/// hold 97 % of 5 % of 64 MiB. An outline with its packed forms takes 9/4 of its own size.
#[test]
fn outlines_of_states_have_room_in_the_cache() {
    const BYTES_MAX: usize = 1_440_000;
    let (runtime, service) = (runtime(), service());
    for state in StateCode::all() {
        let path = format!("/boundaries/state:{:02}.geojson", state.fips());
        let (status, bytes) = runtime.block_on(ask(&service, &path, "identity"));
        assert!(status == 200 && bytes <= BYTES_MAX, "{path}: {status}, {bytes} bytes");
    }
}
