use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;

use super::*;
use crate::keys::KeyClass;

const REQUESTS: Bucket = Bucket::Requests;

fn address(number: u32) -> Caller {
    Caller::of_address(std::net::Ipv4Addr::from(number).into())
}

fn key(class: KeyClass) -> Caller {
    Caller::of_key("7f3kq09z".parse().unwrap(), class)
}

fn take(table: &Table, caller: Caller, now_ms: u64) -> Standing {
    table.take(REQUESTS, caller, REQUESTS.quota(caller.tier()), now_ms)
}

/// Returns `(granted, minute left, minute reset, day left, day reset)`.
fn figures(standing: Standing) -> (bool, u32, u32, u32, u32) {
    let Standing { granted, minute, day } = standing;
    (granted, minute.left, minute.reset_s, day.left, day.reset_s)
}

#[test]
fn windows_begin_with_the_first_use_and_roll() {
    let table = Table::new();
    let look = |now_ms| figures(table.look(REQUESTS, address(1), REQUESTS.quota(Tier::NoKey), now_ms));
    assert_eq!(look(5), (true, 30, 60, 1000, 86_400), "not begun");
    assert_eq!(figures(take(&table, address(1), 500)), (true, 29, 60, 999, 86_400));
    assert_eq!(figures(take(&table, address(1), 19_600)), (true, 28, 41, 998, 86_381));
    assert_eq!(look(60_499), (true, 28, 1, 998, 86_341), "the last millisecond");
    assert_eq!(look(60_500), (true, 30, 60, 998, 86_340), "the minute has ended");
    assert_eq!(figures(take(&table, address(1), 70_000)), (true, 29, 60, 997, 86_331));
    assert_eq!(look(86_400_499), (true, 30, 60, 997, 1));
    assert_eq!(look(86_400_500), (true, 30, 60, 1000, 86_400), "the day has ended");
}

#[test]
fn a_used_up_minute_is_refused_until_the_time_that_is_said() {
    let table = Table::new();
    for left in (0..30).rev() {
        assert_eq!(take(&table, address(1), 1000 + u64::from(left)).minute.left, left);
    }
    let refused = take(&table, address(1), 20_000);
    assert_eq!((refused.granted, refused.minute.left, refused.day.left), (false, 0, 970));
    assert_eq!(refused.retry_after_s(), refused.minute.reset_s);
    let back_ms = 20_000 + u64::from(refused.retry_after_s()) * 1000;
    assert!(!take(&table, address(1), back_ms - 1001).granted, "not a second too late either");
    assert!(figures(take(&table, address(1), back_ms)).0);
    assert!(take(&table, address(2), 20_000).granted, "others are not touched");
}

#[test]
fn a_used_up_day_is_refused_until_it_ends() {
    let table = Table::new();
    let mut now_ms = 0;
    for _ in 0..1000 {
        assert!(take(&table, address(1), now_ms).granted);
        now_ms += 2000;
    }
    let refused = take(&table, address(1), now_ms);
    assert_eq!(figures(refused), (false, 20, 40, 0, 84_400));
    assert_eq!(refused.retry_after_s(), 84_400);
    assert!(!take(&table, address(1), 86_399_999).granted);
    assert!(take(&table, address(1), 86_400_000).granted);
}

#[test]
fn keys_have_more_and_buckets_are_apart() {
    let table = Table::new();
    for (caller, minute) in [(address(1), 30), (key(KeyClass::Standard), 120)] {
        let granted = (0..1000).filter(|_| take(&table, caller, 0).granted).count();
        assert_eq!(granted, minute);
        let lookups = Bucket::Lookups.quota(caller.tier());
        let granted = (0..1000).filter(|_| table.take(Bucket::Lookups, caller, lookups, 0).granted).count();
        assert_eq!(granted, lookups.minute as usize);
    }
    let partner = Caller::of_key("7f3kq090".parse().unwrap(), KeyClass::Partner);
    assert_eq!((0..1000).filter(|_| take(&table, partner, 0).granted).count(), 600);
}

#[test]
fn a_clock_read_too_early_gives_no_further_uses() {
    let table = Table::new();
    let granted = (0..100).filter(|at| take(&table, address(1), 1000 - at).granted).count();
    assert_eq!(granted, 30);
}

#[test]
fn a_million_addresses_stay_under_64_mib() {
    let table = Table::new();
    assert!(table.bytes() < 64 << 20, "{} bytes", table.bytes());
    for number in 0..1_000_000 {
        take(&table, address(number), u64::from(number) / 1000);
    }
    assert!(table.bytes() < 64 << 20, "{} bytes", table.bytes());
    let kept = table.callers(REQUESTS, 1000);
    assert!(kept > 999_000, "{kept} of a million are still known");
}

/// Floods the table with four million new callers in a minute, twice as many as the table holds.
#[test]
fn a_flood_does_not_free_who_has_used_up_a_limit() {
    let table = Table::new();
    let used_up: Vec<Caller> = (0..1000).map(address).collect();
    for caller in &used_up {
        assert_eq!((0..31).filter(|_| take(&table, *caller, 0).granted).count(), 30);
    }
    assert_eq!((0..601).filter(|_| take(&table, key(KeyClass::Partner), 0).granted).count(), 600);
    for number in 0..4_000_000 {
        assert!(take(&table, address(0x0100_0000 + number), 1).granted, "a new caller always finds room");
    }
    assert!(used_up.iter().all(|caller| !take(&table, *caller, 59_999).granted));
    assert!(!take(&table, key(KeyClass::Partner), 59_999).granted);
}

#[test]
fn a_full_set_forgets_who_has_used_least() {
    let quota = REQUESTS.quota(Tier::NoKey);
    let span = |start_ms, used| Span { start_ms, used }.pack();
    let now_ms = 2 * DAY_MS;
    let mut set: Set = [[0; WAYS]; 3];
    #[expect(clippy::needless_range_loop, reason = "three columns are written at once")]
    for way in 0..WAYS {
        set[IDENTITIES][way] = address(way as u32).identity();
        set[MINUTES][way] = span(now_ms, 30);
        set[DAYS][way] = span(now_ms - way as u64, 30);
    }
    assert_eq!(slot_for_new(&set, quota, now_ms), WAYS - 1, "all alike: the oldest");
    set[IDENTITIES][WAYS - 1] = key(KeyClass::Standard).identity();
    assert_eq!(slot_for_new(&set, quota, now_ms), WAYS - 2, "but no key");
    set[MINUTES][3] = span(now_ms, 29);
    assert_eq!(slot_for_new(&set, quota, now_ms), 3, "who has used least");
    set[DAYS][3] = span(now_ms, 1000);
    assert_eq!(slot_for_new(&set, quota, now_ms), WAYS - 2, "of the day, too");
    (set[MINUTES][5], set[DAYS][5]) = (span(now_ms - MINUTE_MS, 30), span(now_ms - DAY_MS, 1000));
    assert_eq!(slot_for_new(&set, quota, now_ms), 5, "who has nothing to lose comes first");
}

#[test]
fn threads_together_get_no_more_than_one() {
    let table = Table::new();
    let granted = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..4000 {
                    let taken = take(&table, address(number % 4), 7).granted;
                    granted.fetch_add(u32::from(taken), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(granted.into_inner(), 4 * 30);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No window of a caller has more uses than the quota, whatever the order and the pauses.
    #[test]
    fn no_window_has_more_than_its_quota(steps in prop::collection::vec((0_u32..4, 0_u64..20_000), 1..3000)) {
        let table = Table::new();
        let mut now_ms = 0;
        let mut granted: [Vec<u64>; 4] = Default::default();
        for (who, pause_ms) in steps {
            now_ms += if pause_ms < 15_000 { pause_ms / 100 } else { pause_ms };
            if take(&table, address(who), now_ms).granted {
                granted[who as usize].push(now_ms);
            }
        }
        for times in &granted {
            prop_assert!(fullest(times, MINUTE_MS) <= 30);
            prop_assert!(fullest(times, DAY_MS) <= 1000);
        }
    }
}

/// Returns the maximum number of uses in a window. Each window begins with the first use after the previous window.
fn fullest(times: &[u64], length_ms: u64) -> usize {
    let (mut most, mut rest) = (0, times);
    while let Some(first) = rest.first() {
        let within = rest.partition_point(|time| *time < first + length_ms);
        most = most.max(within);
        rest = &rest[within..];
    }
    most
}
