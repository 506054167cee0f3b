use std::{fs, path::Path};

use futures_util::{StreamExt as _, stream};
use platbook::snapshot::write::{
    EncodedSection, LayerContents, PageSections, Section, StateFiles, TrieBuilder, write_container,
};
use platbook_service::shipping::{Event, Refusal, SnapshotStore};
use tokio::net::TcpListener;

use super::{
    Following, LIMITS, SOON, bounded,
    mirror::{Mirror, Shown},
    remote,
    worlds::{OTHER_PAIR, PAIR, as_of, changed, sign, world},
};
use crate::lookups::{misbehaviour::self_signed, outside::Act};

/// Numbers of the worlds of a case: the served one, the bad ones, and the good one after them.
const SERVED: u32 = 10;
const BAD: u32 = 20;
const GOOD: u32 = 30;

/// Number of cases that run side by side.
const AT_ONCE: usize = 8;

/// The name of a bad file, its reply, and words of the reason.
type Case = (&'static str, Shown, &'static str);

/// A bad file is refused with its reason, the previous one stays, and the next good one is served.
async fn check((name, bad, expected): Case) {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(Shown::file(&world(SERVED))).await;
    let limits = if matches!(bad.act, Act::Hang | Act::DripAfter(..)) { SOON } else { LIMITS };
    let mut following = {
        let mut remote = bounded(&mirror.url(), folder.path(), limits);
        let first = remote.look(None, false).await.unwrap().unwrap();
        mirror.show(bad);
        let edition = platbook_service::edition::Edition::new(first, crate::harness::SITE);
        Following::of(remote, platbook_service::http::Service::new(edition))
    };
    let Event::Stays(refusal) = following.event().await else { panic!("{name}: was taken") };
    let message = Event::Stays(refusal).to_string();
    assert!(
        message.contains("stays") && message.contains(expected),
        "{name}: expected {expected:?}, got {message:?}"
    );
    assert_eq!(following.as_of(), as_of(SERVED), "{name}: the one before stays");
    mirror.show(Shown::file(&world(GOOD)));
    assert_eq!(following.serving().await, (as_of(GOOD), false), "{name}: the next good one is served");
    following.end().await;
    assert_eq!(names_in(folder.path()), ["current", "lock", "previous"], "{name}: nothing else is left");
}

async fn check_all(cases: Vec<Case>) {
    stream::iter(cases).for_each_concurrent(AT_ONCE, check).await;
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The bad world with one byte changed.
fn flipped(at: impl Fn(usize) -> usize) -> Vec<u8> {
    let mut bytes = world(BAD);
    let at = at(bytes.len());
    bytes[at] ^= 0x10;
    bytes
}

fn cut(to: impl Fn(usize) -> usize) -> Vec<u8> {
    let mut bytes = world(BAD);
    bytes.truncate(to(bytes.len()));
    bytes
}

/// A case with a file that is correctly signed, so that the fault is in the file itself.
fn file(name: &'static str, bytes: &[u8], expected: &'static str) -> Case {
    (name, Shown::file(bytes), expected)
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_whole_are_refused() {
    let layer = LayerContents::default().to_bytes().unwrap();
    let lone = write_container(&[Section { name: "meta", bytes: b"" }]);
    let mut format = world(BAD);
    format[8] = 99;
    let mut longer = world(BAD);
    longer.push(0);
    let twice = [world(BAD), world(BAD)].concat();
    check_all(vec![
        file("an empty file", b"", "expected a snapshot of 32 bytes, got 0"),
        file("a single byte", b"p", "expected a snapshot of 32 bytes, got 1"),
        file("its first bytes alone", &cut(|_| 8), "expected a snapshot of 32 bytes, got 8"),
        file("its header alone", &cut(|_| 32), "expected a snapshot of"),
        file("half of it", &cut(|length| length / 2), "cut short"),
        file("all but the last byte", &cut(|length| length - 1), "cut short"),
        file("one byte more", &longer, "appended to"),
        file("the file twice", &twice, "appended to"),
        file("a changed header", &flipped(|_| 25), "the header of the snapshot is damaged"),
        file("a changed byte in the middle", &flipped(|length| length / 2), "is damaged: expected checksum"),
        file("a changed last byte", &flipped(|length| length - 1), "is damaged: expected checksum"),
        file(
            "a page of a web server",
            b"<!doctype html><title>Not here, sorry</title>",
            "expected a platbook snapshot",
        ),
        file("noise", &noise(5_000), "expected a platbook snapshot"),
        file("zeros", &[0; 5_000], "expected a platbook snapshot"),
        file("a layer file", &layer, "expected a platbook snapshot"),
        file("another format", &format, "reads snapshot formats 3 to 4, got format 99"),
        file("a section alone", &lone, "does not hold what this binary expects"),
        file("a file that is too large", &vec![b'p'; 5 << 20], "expected at most 4194304 bytes"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_do_not_fit_are_refused() {
    let lines = changed(BAD, |contents| {
        contents.ruled.trie = EncodedSection::new(&TrieBuilder::new(4).build(&[], &[]).unwrap()).unwrap()
    });
    let rules = changed(BAD, |contents| {
        contents.ruled.state_files = EncodedSection::new(&StateFiles::default()).unwrap()
    });
    let outlines = changed(BAD, |contents| contents.ruled.meta.coverage.truncate(0));
    let pages = changed(BAD, |contents| {
        contents.pages = PageSections::default();
    });
    check_all(vec![
        file("an older one", &world(SERVED - 1), "older than the one served"),
        file(
            "one whose points lie nowhere",
            &lines,
            "expected counties to be found at their own points, found 0 of 3",
        ),
        file("one without rules", &rules, "the rules of MN are missing"),
        file("one without outlines of towns", &outlines, "outlines of the layer cousub in MN"),
        file("one without pages", &pages, "expected about 1 resources"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_signed_are_refused() {
    let signed = |signature: Option<String>| Shown { signature, ..Shown::file(&world(BAD)) };
    let right = sign(&PAIR, &world(BAD));
    check_all(vec![
        ("no signature", signed(None), "expected a signature at"),
        ("an empty signature", signed(Some(String::new())), "expected a signature of minisign at"),
        (
            "a page instead",
            signed(Some("<!doctype html>\n\n\n\n".to_owned())),
            "expected a signature of minisign at",
        ),
        ("an endless signature", signed(Some("x".repeat(100_000))), "expected a signature of minisign at"),
        ("another's signature", signed(Some(sign(&OTHER_PAIR, &world(BAD)))), "signed with another key"),
        (
            "the signature of the one before",
            signed(Some(sign(&PAIR, &world(SERVED)))),
            "is not that of this snapshot",
        ),
        (
            "a changed comment",
            signed(Some(right.replace("of a test", "of a rest"))),
            "is not that of this snapshot",
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_packed_wrongly_are_refused() {
    let bad = world(BAD);
    let packed = zstd::encode_all(bad.as_slice(), 3).unwrap();
    let mut damaged = packed.clone();
    damaged[packed.len() / 2] ^= 0x10;
    let bomb = zstd::encode_all(vec![0; 64 << 20].as_slice(), 3).unwrap();
    let twice = zstd::encode_all(packed.as_slice(), 3).unwrap();
    let show = |body: &[u8], lines: &str| Shown::with(body, &bad, lines);
    check_all(vec![
        ("a packed file that is cut", show(&packed[..packed.len() / 2], ""), "damaged or cut short"),
        ("a packed file that is damaged", show(&damaged, ""), "is not that of this snapshot"),
        (
            "a file that unpacks without end",
            show(&bomb, ""),
            "what is packed: expected at most 4194304 bytes",
        ),
        ("a file packed twice", Shown::with(&twice, &packed, ""), "expected a platbook snapshot"),
        ("gzip", Shown::with(&[0x1f, 0x8b, 8, 0], &[0x1f, 0x8b, 8, 0], ""), "expected a snapshot of"),
        ("gzip as a coding", show(&bad, "Content-Encoding: gzip\r\n"), "got the coding \"gzip\""),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_fail_or_lie_change_nothing() {
    let bad = world(BAD);
    let Act::Send(whole) = Shown::file(&bad).act else { panic!("a file is sent") };
    let half = whole[..whole.len() - bad.len() / 2].to_vec();
    let (head, body) = whole.split_at(whole.len() - bad.len());
    let slow = Act::DripAfter(head.to_vec(), body.to_vec());
    let chunked = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n", &bad[..0x1000]].concat();
    let longer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bad.len() + 1);
    let shorter = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bad.len() - 1);
    let endless =
        Act::Endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".into(), chunk(&noise(60_000)));
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n";
    let signed = |act: Act| Shown { signature: Some(sign(&PAIR, &bad[..bad.len() - 1])), ..Shown::act(act) };
    let status =
        |line: &str| Shown::raw(format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
    let to = |location: &str| status(&format!("302 Found\r\nLocation: {location}"));
    check_all(vec![
        ("one that hangs up", Shown::raw(""), "cannot be reached"),
        ("one that says nothing", Shown::act(Act::Hang), "expected an answer within"),
        ("one that says little more", Shown::act(slow), "expected 2000 bytes or more within 2 s, got"),
        ("one that is no web server", Shown::raw("220 mail.example ESMTP\r\n"), "cannot be reached"),
        ("half a body", Shown::raw(&half), "before the file did"),
        ("half a body in pieces", Shown::raw(&chunked), "before the file did"),
        ("a length that is too great", Shown::raw([longer.as_bytes(), &bad].concat()), "before the file did"),
        ("a length that is too small", signed(Act::Send([shorter.as_bytes(), &bad].concat())), "cut short"),
        ("a length that nobody takes", Shown::raw(huge), "expected at most 4194304 bytes, got 9000000000"),
        ("a body without end", Shown::act(endless), "expected at most 4194304 bytes"),
        ("not there", status("404 Not Found"), "expected status 200 or 304, got 404"),
        ("an error", status("503 Busy"), "expected status 200 or 304, got 503"),
        ("a part", status("206 Partial Content"), "expected status 200 or 304, got 206"),
        ("a redirect to itself", to("/us.platbook"), "redirected more than 3 times"),
        ("a redirect to nowhere", status("302 Found"), "redirected to"),
        (
            "a redirect to another network",
            to("http://10.0.0.1/us.platbook"),
            "redirected to \"http://10.0.0.1",
        ),
        (
            "a redirect to a private network by https",
            to("https://10.0.0.1/us.platbook"),
            "redirected to \"https://10.0.0.1",
        ),
        ("a redirect by http", to("http://mirror.example/us.platbook"), "expected a public https address"),
        ("a redirect to a file", to("file:///etc/passwd"), "expected a public https address"),
    ])
    .await;
}

/// Addresses without a server, and servers with false replies, at a first start.
#[tokio::test]
async fn nobody_is_there_or_lies_at_first() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let vouched_by_none = self_signed().await;
    let unchanged = Mirror::start(Shown::raw("HTTP/1.1 304 Not Modified\r\n\r\n")).await;
    for (url, expected) in [
        (format!("http://{closed}/us.platbook"), "cannot be reached"),
        (format!("https://{closed}/us.platbook"), "cannot be reached"),
        (format!("https://{vouched_by_none}/us.platbook"), "cannot be reached: invalid peer certificate"),
        (unchanged.url(), "but none is stored here"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let message = remote(&url, folder.path()).look(None, false).await.unwrap_err().to_string();
        assert!(message.contains(expected), "{url}: expected {expected:?}, got {message:?}");
    }
}

#[test]
fn a_folder_has_one_user() {
    let folder = tempfile::tempdir().unwrap();
    let first = SnapshotStore::open(folder.path()).unwrap();
    assert!(matches!(SnapshotStore::open(folder.path()), Err(Refusal::FolderInUse { .. })));
    drop(first);
    SnapshotStore::open(folder.path()).unwrap();
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    std::iter::repeat_with(|| random.u8(..)).take(bytes).collect()
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}
