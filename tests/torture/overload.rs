use std::time::Duration;

use crate::{
    client::get,
    load::{Load, as_fast_as_answered, load_of_kept, load_of_new, percentile_ms},
    machine::Span,
    row,
    row::{Outcome, Row, Setting, Tried, Verdict, needs},
    server::Server,
    siege::recovery,
};

const CALM: Duration = Duration::from_secs(10);
/// Number of rounds, each with a calm phase and an overload.
const ROUNDS: usize = 3;
/// Number of different requests in a phase: more than 3,000 a second for a minute.
const FRESH: usize = 200_000;
/// Minimum part of calm requests that must be answered. A service that rejects more lacks a processor: then the round
/// measures the machine, not the service.
const CALM_PART: f64 = 0.75;

pub fn rows() -> Vec<Row> {
    const AIM: &str = "goodput 90 %, p99 50 ms, recovery 2 s";
    vec![
        row!("3 x overload, new connections", AIM, overload, false),
        row!("3 x overload, 1,000 kept connections", AIM, overload, true),
        row!("mixed work", "64 MiB above start, all answered", mixed),
    ]
}

/// Requests of about a millisecond each: misspelled addresses. Rejecting a request takes some 12 us by itself.
/// Between requests like these it takes 35 to 45 us, because they leave none of its data in the processor's caches.
/// With cheaper requests, more than a tenth of the time would go into rejections. The misspelled addresses are too
/// many for the service's cache of recent searches.
pub fn heavy(number: usize) -> Vec<u8> {
    const TOWNS: [&str; 6] =
        ["Sprngfield", "Wst+Hartfrd", "Alburquerque", "Cincinatti", "Mineapolis", "Greenvile"];
    const COUNTIES: [&str; 7] =
        ["Montgomry", "Jeferson", "Washingtn", "Frankln", "Linclon", "Hamiltn", "Monro"];
    const STATES: [&str; 5] = ["Pensylvania", "Minesota", "Ilinois", "Michgan", "Wiscnsin"];
    let (state, number) = (STATES[number % STATES.len()], number / STATES.len());
    let (county, number) = (COUNTIES[number % COUNTIES.len()], number / COUNTIES.len());
    let (town, ward) = (TOWNS[number % TOWNS.len()], 1 + number / TOWNS.len());
    get(&format!("/v1/search?q={town}+Townshp+Wrd+{ward}+Distrct+{county}+Conty+{state}"))
}

/// A point of the contiguous states, perhaps in water or abroad.
pub fn lat_lon(number: usize) -> (f64, f64) {
    (26.0 + (number * 7_919 % 22_000) as f64 / 1e3, -122.0 + (number * 104_729 % 53_000) as f64 / 1e3)
}

/// Requests of all kinds: points, places, names, pages; 40,000 requests before one repeats.
fn of_everything(number: usize) -> Vec<u8> {
    let number = number % 40_000;
    let (lat, lon) = lat_lon(number);
    get(&match number % 8 {
        0..=3 => format!("/v1/jurisdictions/resolve?lat={lat:.4}&lon={lon:.4}"),
        4 => format!("/v1/search?q={}", ["Spring", "Clinton", "St+Paul", "Frankln", "Union"][number / 8 % 5]),
        5 => format!("/v1/places/county:{:02}{:03}", 1 + number % 56, 1 + number / 8 % 120 * 2),
        6 => format!("/at/{lat:.3},{lon:.3}"),
        _ => format!("/v1/resources?lat={lat:.4}&lon={lon:.4}&topic=zoning"),
    })
}

/// Calm and overload alternate, because a machine with other users changes its speed. Accepted requests mean something only
/// in relation to those of the calm phase.
async fn overload(setting: &Setting, is_kept: bool) -> Outcome {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let (to, span) = (server.address, Span::begin(server.processor_s()));
    // The answer to a repeated question is cached.
    let mut asked = 0..;
    let mut fresh = || FRESH * asked.next().unwrap_or(0);
    as_fast_as_answered(to, heavy, fresh(), CALM, is_kept).await;
    let (mut calm, mut over, mut recovered) = (Phase::default(), Phase::default(), Duration::ZERO);
    for _ in 0..ROUNDS {
        let before = server.starved_s();
        let load = as_fast_as_answered(to, heavy, fresh(), CALM, is_kept).await;
        let rate = 3.0 * load.accepted.len() as f64 / CALM.as_secs_f64();
        calm.add(load, CALM, server.starved_s() - before);
        let (time, before) = (setting.time / ROUNDS as u32, server.starved_s());
        let load = if is_kept {
            load_of_kept(to, heavy, fresh(), rate, time, 1_000).await?
        } else {
            load_of_new(to, heavy, fresh(), rate, time).await
        };
        over.add(load, time, server.starved_s() - before);
        recovered = recovered.max(recovery(to).await);
    }
    Ok(judge(&calm, &over, recovered, span.left(server.processor_s())))
}

/// The results of one kind of load, over all rounds.
#[derive(Default)]
struct Phase {
    load: Load,
    time: Duration,
    /// Seconds in which the service had a processor, or had no work for one.
    had_s: f64,
}

impl Phase {
    fn add(&mut self, load: Load, time: Duration, starved_s: f64) {
        self.load.append(load);
        self.time += time;
        self.had_s += time.as_secs_f64() - starved_s;
    }

    /// Accepted requests for each second that the service could use. Clock seconds would include what other programs took
    /// from it; its own processor seconds would leave out idling.
    fn per_had_s(&self) -> f64 {
        self.load.accepted.len() as f64 / self.had_s
    }
}

fn judge(calm: &Phase, over: &Phase, recovered: Duration, left: f64) -> Tried {
    let (load, recovered_s) = (&over.load, recovered.as_secs_f64());
    let goodput = over.per_had_s() / calm.per_had_s() * 100.0;
    let had = over.had_s / over.time.as_secs_f64() * 100.0;
    let [p99, refused_p99, late_p99] =
        [&load.accepted, &load.refused, &load.late].map(|times| percentile_ms(times, 99));
    let calm_part = calm.load.accepted.len() as f64 / calm.load.offered() as f64;
    let result = format!(
        "capacity {:.0}/s, {:.0} % of calm requests accepted; goodput {goodput:.0} %, p99 {p99:.0} ms, with a processor for {had:.0} % \
         of the time; of {} offered {} refused, p99 {refused_p99:.0} ms, {} failed; requests left late by p99 {late_p99:.0} ms; \
         recovered in {recovered_s:.1} s",
        calm.load.accepted.len() as f64 / calm.time.as_secs_f64(),
        calm_part * 100.0,
        load.offered(),
        load.refused.len(),
        load.failed,
    );
    let counts = Verdict::of(load.says_when == load.refused.len() && load.failed == 0);
    let is_measured = calm_part >= CALM_PART;
    let times = Verdict::of_quiet(is_measured && goodput >= 90.0 && p99 <= 50.0 && recovered_s <= 2.0, left);
    let verdict = counts.max(times);
    let needs = if verdict == Verdict::Busy { needs(calm.time + over.time, left) } else { String::new() };
    Tried { result: result + &needs, verdict, again: counts == Verdict::Holds }
}

/// Mixed requests of some clients: caches stay within their budget.
async fn mixed(setting: &Setting) -> Outcome {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let (idle, span) = (server.own_mib(), Span::begin(server.processor_s()));
    let load = as_fast_as_answered(server.address, of_everything, 0, setting.time, true).await;
    let (above, left) = (server.own_mib() - idle, span.left(server.processor_s()));
    let result = format!(
        "{above:.0} MiB above start, {:.0} requests/s for {} s, {} of {} not answered",
        load.accepted.len() as f64 / setting.time.as_secs_f64(),
        setting.time.as_secs(),
        load.not_served(),
        load.offered()
    );
    // The service rejects requests, as it should, if other programs keep it from working.
    let answered = match load.failed {
        0 => Verdict::of_quiet(load.refused.is_empty(), left),
        _ => Verdict::Fails,
    };
    let verdict = answered.max(Verdict::of(above <= 64.0));
    let needs = if verdict == Verdict::Busy { needs(setting.time, left) } else { String::new() };
    Ok(Tried { result: result + &needs, verdict, again: verdict == Verdict::Busy })
}
