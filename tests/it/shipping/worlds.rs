use std::{io::Cursor, sync::LazyLock};

use jiff::{SignedDuration, Timestamp};
use minisign::KeyPair;
use platbook::{
    snapshot::write::{Contents, NewResource, NewWebsite, Records},
    testing,
    vocabulary::{ActionSet, FunctionSet, PageUse, RecordId, SourceKind, Topic, VerifiedStatus},
};
use platbook_service::shipping::SnapshotKey;

/// The key pair that signs the snapshots of tests, and below, another pair.
pub static PAIR: LazyLock<KeyPair> = LazyLock::new(|| KeyPair::generate_unencrypted_keypair().unwrap());
pub static OTHER_PAIR: LazyLock<KeyPair> = LazyLock::new(|| KeyPair::generate_unencrypted_keypair().unwrap());

pub fn key() -> SnapshotKey {
    PAIR.pk.to_base64().parse().unwrap()
}

pub fn sign(pair: &KeyPair, bytes: &[u8]) -> String {
    let signed = minisign::sign(Some(&pair.pk), &pair.sk, Cursor::new(bytes), Some("of a test"), None);
    signed.unwrap().into_string()
}

/// The date of world 0: an hour after that of the built-in snapshot, because a first start takes nothing older. A world
/// is a snapshot of these tests, and its number decides its date.
static FIRST: LazyLock<Timestamp> = LazyLock::new(|| {
    let built_in: Timestamp = platbook_service::embedded().unwrap().as_of().parse().unwrap();
    built_in + SignedDuration::from_hours(1)
});

/// The date of the world with this number.
pub fn as_of(number: u32) -> String {
    (*FIRST + SignedDuration::from_secs(number.into())).to_string()
}

/// The number of the world with this date.
pub fn number_of(as_of: &str) -> u32 {
    let dated: Timestamp = as_of.parse().unwrap();
    dated.duration_since(*FIRST).as_secs().try_into().unwrap()
}

/// The world with this number. Its date, the name of its first source and the site of Adams County contain the number.
pub fn world(number: u32) -> Vec<u8> {
    changed(number, |_| {})
}

/// The world with this number, with another date.
pub fn dated(number: u32, as_of: &str) -> Vec<u8> {
    changed(number, |contents| as_of.clone_into(&mut contents.ruled.meta.as_of))
}

/// Makes the world with this number, with one more change.
pub fn changed(number: u32, change: impl FnOnce(&mut Contents)) -> Vec<u8> {
    let mut contents = testing::contents().unwrap();
    contents.ruled.meta.as_of = as_of(number);
    contents.ruled.meta.sources[0].name = format!("Lines of world {number};");
    contents.pages.records = records(number);
    change(&mut contents);
    contents.seal().unwrap().bytes().to_vec()
}

/// Row of Adams County: after the nation and two states.
const ADAMS: u32 = 3;

/// The website of Adams County, and its map.
fn records(number: u32) -> Records {
    let site = NewWebsite {
        jurisdiction: ADAMS,
        functions: FunctionSet::default(),
        office: String::new(),
        url: format!("https://adams.example.gov/of-world-{number};"),
        phone: String::new(),
        email: String::new(),
        address: String::new(),
        source: 0,
        status: VerifiedStatus::NotYetVerified,
    };
    let map = NewResource {
        id: RecordId::of("a map of Adams County"),
        jurisdiction: ADAMS,
        topics: [Topic::ParcelMap].into_iter().collect(),
        name: "Adams County parcel map".to_owned(),
        description: String::new(),
        url: format!("https://adams.example.gov/map/of-world-{number};"),
        template: String::new(),
        publisher: String::new(),
        provider: String::new(),
        source: 0,
        official: true,
        page_use: PageUse::Act,
        actions: ActionSet::default(),
        status: VerifiedStatus::NotYetVerified,
        kind: SourceKind::Curated,
    };
    Records::pack(vec![site], &mut [map], Vec::new()).unwrap()
}
