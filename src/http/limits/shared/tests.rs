//! Tests servers of a fleet with a stand-in for the store, which counts in Rust as the script does in Lua. `make
//! fleet` tests the same with a real store.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use hyper::HeaderMap;
use platbook::answers::{Answers, Found, Lookup};

use super::{
    super::{Permit, Proxies, RateLimiter, caller::Tier},
    *,
};
use crate::upstream::{FoundFuture, Lookups, Upstream};

const REPLICAS: u32 = 3;
const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 86_400_000;

/// A store that can be slow, fail, or break its connections.
struct StandIn {
    address: StoreAddress,
    shared: Arc<Behavior>,
}

#[derive(Default)]
struct Behavior {
    delay_ms: AtomicU64,
    is_down: AtomicBool,
    is_failing: AtomicBool,
    counts: Mutex<HashMap<Vec<u8>, [i64; 2]>>,
}

impl StandIn {
    fn start() -> StandIn {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = format!("redis://{}", listener.local_addr().unwrap()).parse().unwrap();
        let shared = Arc::new(Behavior::default());
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let behavior = Arc::clone(&of_thread);
                thread::spawn(move || behavior.serve(&stream));
            }
        });
        StandIn { address, shared }
    }

    /// Makes a server that waits up to 6.4 s for a reply, because the machine that runs the tests may be busy.
    fn server(&self) -> SharedTable {
        self.server_that_waits(Duration::from_millis(100))
    }

    fn server_that_waits(&self, wait: Duration) -> SharedTable {
        let replicas = NonZero::new(REPLICAS).unwrap();
        SharedTable::start(Fleet { store: self.address.clone(), replicas, wait }).unwrap()
    }

    fn uses(&self) -> [i64; 2] {
        self.shared
            .counts
            .lock()
            .unwrap()
            .values()
            .fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }
}

impl Behavior {
    fn serve(&self, stream: &TcpStream) {
        let mut input = BufReader::new(stream);
        while let Some(words) = command(&mut input) {
            thread::sleep(Duration::from_millis(self.delay_ms.load(Ordering::SeqCst)));
            if self.is_down.load(Ordering::SeqCst) {
                return;
            }
            let reply = self.reply(&words);
            let mut output = stream;
            if output.write_all(reply.as_bytes()).is_err() {
                return;
            }
        }
    }

    fn reply(&self, words: &[Vec<u8>]) -> String {
        let number = |at: usize| str::from_utf8(&words[at]).unwrap().parse::<i64>().unwrap();
        match words[0].as_slice() {
            b"PING" => "+PONG\r\n".to_owned(),
            b"SCRIPT" => "$3\r\nsha\r\n".to_owned(),
            b"EVALSHA" if self.is_failing.load(Ordering::SeqCst) => "-OOM no memory\r\n".to_owned(),
            b"EVALSHA" => {
                let mut counts = self.counts.lock().unwrap();
                let used = counts.entry(words[3].clone()).or_default();
                let after = [used[0] + number(4), used[1] + number(5)];
                let granted = words[8] == b"1" || (after[0] <= number(6) && after[1] <= number(7));
                if granted {
                    *used = after.map(|uses| uses.max(0));
                }
                let [minute, day] = *used;
                let granted = u8::from(granted);
                format!("*5\r\n:{granted}\r\n:{minute}\r\n:{MINUTE_MS}\r\n:{day}\r\n:{DAY_MS}\r\n")
            }
            other => panic!("the link sends no {}", String::from_utf8_lossy(other)),
        }
    }
}

/// Reads a command of the Redis protocol: an array of texts, each with its length.
fn command(input: &mut BufReader<&TcpStream>) -> Option<Vec<Vec<u8>>> {
    let length = |input: &mut BufReader<&TcpStream>, sign: char| -> Option<usize> {
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        line.trim_end().strip_prefix(sign)?.parse().ok()
    };
    let count = length(input, '*')?;
    let mut words = Vec::new();
    for _ in 0..count {
        let mut word = vec![0; length(input, '$')? + 2];
        input.read_exact(&mut word).ok()?;
        word.truncate(word.len() - 2);
        words.push(word);
    }
    Some(words)
}

fn caller(number: u32) -> Caller {
    Caller::of_address(Ipv4Addr::from(number).into())
}

/// Counts a use as the limiter does.
async fn take(server: &SharedTable, caller: Caller, now_ms: u64) -> Standing {
    let quota = Bucket::Requests.quota(Tier::NoKey);
    let asked = match server.ask(Bucket::Requests, caller, quota, now_ms) {
        Some(asking) => asking.await,
        None => None,
    };
    asked.unwrap_or_else(|| server.take(Bucket::Requests, caller, quota, now_ms))
}

async fn granted(server: &SharedTable, caller: Caller, uses: u32) -> u32 {
    let mut granted = 0;
    for _ in 0..uses {
        granted += u32::from(take(server, caller, 0).await.granted);
    }
    granted
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "not within 20 s: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn is_shared(server: &SharedTable) {
    until("the store is used", || server.sharing().unwrap().divided.is_none()).await;
}

async fn is_divided(server: &SharedTable, why: &str) {
    until(why, || server.sharing().unwrap().divided == Some(why)).await;
}

#[tokio::test]
async fn servers_grant_one_limit_together() {
    let store = StandIn::start();
    let servers = [store.server(), store.server(), store.server()];
    for server in &servers {
        is_shared(server).await;
    }
    // Each caller makes 90 uses: at servers in turn, at all servers at once, or at one server only. Each gets 30
    // uses.
    let mut turns = 0;
    for number in 0..90 {
        turns += u32::from(take(&servers[number % 3], caller(1), 0).await.granted);
    }
    let at_once =
        futures_util::future::join_all(servers.iter().map(|server| granted(server, caller(2), 30))).await;
    let alone = granted(&servers[0], caller(3), 90).await;
    let elsewhere = granted(&servers[1], caller(3), 1).await;
    let alone_uses = servers.iter().map(|server| server.sharing().unwrap().alone).sum::<u64>();
    assert_eq!((turns, at_once.iter().sum::<u32>(), alone, elsewhere, alone_uses), (30, 30, 30, 0, 0));
    let refused = take(&servers[2], caller(1), 1_000).await;
    assert_eq!((refused.granted, refused.minute.left, refused.day.left), (false, 0, 970));
    let look =
        |now_ms| servers[2].look(Bucket::Requests, caller(1), Bucket::Requests.quota(Tier::NoKey), now_ms);
    assert_eq!((look(59_000).minute.left, look(59_000).minute.reset_s), (0, 1));
}

#[tokio::test]
async fn without_the_store_limits_are_divided_and_never_open() {
    let store = StandIn::start();
    store.shared.is_down.store(true, Ordering::SeqCst);
    let servers = [store.server(), store.server(), store.server()];
    for server in &servers {
        is_divided(server, "the store is not connected").await;
        assert_eq!(granted(server, caller(1), 90).await, 10);
        let refused = take(server, caller(1), 0).await;
        assert_eq!((refused.granted, refused.minute.left, refused.day.left), (false, 0, 970 / 3 * 3));
        assert_eq!(refused.retry_after_s(), 60);
    }
    // The store is back: it counts the 30 uses of the fleet, and no server grants more.
    store.shared.is_down.store(false, Ordering::SeqCst);
    for server in &servers {
        is_shared(server).await;
    }
    until("the store has all uses", || store.uses() == [30, 30]).await;
    for server in &servers {
        assert_eq!(granted(server, caller(1), 5).await, 0);
    }
}

#[tokio::test]
async fn a_store_that_dies_leaves_each_server_its_part_of_the_rest() {
    let store = StandIn::start();
    let servers = [store.server(), store.server(), store.server()];
    for server in &servers {
        is_shared(server).await;
        assert_eq!(granted(server, caller(1), 4).await, 4);
    }
    store.shared.is_down.store(true, Ordering::SeqCst);
    // The last server knows of 12 uses, so it grants a third of the other 18. The first server knows of four uses.
    assert_eq!(granted(&servers[2], caller(1), 90).await, 6);
    assert_eq!(granted(&servers[0], caller(1), 90).await, 8);
    assert_eq!(granted(&servers[0], caller(2), 90).await, 10);
    assert!(servers[0].sharing().unwrap().alone >= 18);
}

#[tokio::test]
async fn a_slow_store_delays_few_requests_and_is_used_again() {
    let store = StandIn::start();
    let server = store.server_that_waits(Duration::from_millis(2));
    is_shared(&server).await;
    store.shared.delay_ms.store(300, Ordering::SeqCst);
    let begun = Instant::now();
    assert_eq!(granted(&server, caller(1), 90).await, 10);
    assert!(begun.elapsed() < Duration::from_millis(250), "one waits for 128 ms: {:?}", begun.elapsed());
    assert_eq!(server.sharing().unwrap().divided, Some("the store did not reply in time"));
    store.shared.delay_ms.store(0, Ordering::SeqCst);
    is_shared(&server).await;
    // The use with the late reply was counted twice: by the store and by this server. Now it counts once.
    until("the store has the uses of this server", || store.uses() == [10, 10]).await;
    assert_eq!(granted(&server, caller(1), 90).await, 20);
}

#[tokio::test]
async fn errors_of_the_store_divide_the_limits() {
    let store = StandIn::start();
    let server = store.server();
    is_shared(&server).await;
    store.shared.is_failing.store(true, Ordering::SeqCst);
    assert_eq!(granted(&server, caller(1), 90).await, 10);
    is_divided(&server, "the store refuses to count").await;
}

#[tokio::test]
async fn a_use_that_is_given_back_can_be_made_again() {
    let store = StandIn::start();
    let server = store.server();
    is_shared(&server).await;
    assert_eq!(granted(&server, caller(1), 29).await, 29);
    server.give_back(Bucket::Requests, caller(1), 0);
    until("the use is given back", || store.uses() == [28, 28]).await;
    assert_eq!(granted(&server, caller(1), 90).await, 2);
}

#[tokio::test]
async fn a_request_that_is_gone_uses_nothing() {
    let store = StandIn::start();
    let server = store.server();
    is_shared(&server).await;
    let quota = Bucket::Requests.quota(Tier::NoKey);
    let gone = [1, 2].map(|number| server.ask(Bucket::Requests, caller(number), quota, 0).unwrap());
    // The store replies, but no request reads the reply.
    until("the store counts both", || server.sharing().unwrap().asked == 2).await;
    drop(gone);
    until("both are given back", || store.uses() == [0, 0]).await;
    assert_eq!(granted(&server, caller(1), 90).await, 30);
}

/// An outside service that answers at once.
#[derive(Debug)]
struct Quick;

impl Upstream for Quick {
    fn find(&self, _: Lookup) -> FoundFuture<'_> {
        Box::pin(async { Found { lifetime_s: Some(60), ..Found::default() } })
    }
}

/// Only a new lookup needs a round trip to the store, and counts as a use.
#[tokio::test]
async fn a_lookup_that_is_available_reserves_nothing() {
    let store = StandIn::start();
    let server = store.server();
    is_shared(&server).await;
    let limiter = RateLimiter::limited(server, None, Proxies::default());
    let (lookups, answers) = (Lookups::of(Arc::new(Quick)), Answers::new(platbook::testing::directory()));
    let (headers, peer) = (HeaderMap::new(), Ipv4Addr::LOCALHOST.into());
    for (text, trips) in [("1 Elm St", 2), ("1 Elm St", 3), ("1  elm st", 4), ("2 Elm St", 6)] {
        let mut permit = Permit::default();
        limiter.admit(&headers, peer, &mut permit).await.unwrap();
        let lookup = Lookup::Address(text.to_owned());
        lookups.run(&answers, lookup, limiter.lookups(&mut permit)).await.unwrap();
        assert_eq!(limiter.sharing().unwrap().asked, trips, "{text}");
    }
}
