use std::{net::SocketAddr, sync::LazyLock, time::Duration};

use tokio::time::{Instant, sleep};

use crate::{
    Row, Setting, Trial, Tried,
    client::{Load, as_fast_as_answered, load_of_kept, load_of_new, once, percentile_ms},
    server::Server,
};

const CALM: Duration = Duration::from_secs(10);
/// So long without a refusal, and the service is no longer wary: a burst is borne again.
const QUIET: Duration = Duration::from_secs(3);
/// Calm and overload take turns so many times.
const ROUNDS: usize = 3;

/// Questions that take about a millisecond each: addresses of people who cannot spell. To read a request and refuse
/// it takes some 12 us where that is all that is done, and 35 to 45 between questions like these, which leave nothing of it in the
/// processor's caches; so of cheaper questions more than a tenth of the time would go into refusals. They are more than the
/// service keeps of what was searched lately.
static HEAVY: LazyLock<Vec<String>> = LazyLock::new(|| {
    let towns = ["Sprngfield", "Wst+Hartfrd", "Alburquerque", "Cincinatti", "Mineapolis", "Greenvile"];
    let counties = ["Montgomry", "Jeferson", "Washingtn", "Frankln", "Linclon", "Hamiltn", "Monro"];
    let states = ["Pensylvania", "Minesota", "Ilinois", "Michgan", "Wiscnsin"];
    let mut questions = Vec::new();
    for ward in 1..=4_000 {
        for (town, county) in towns.iter().flat_map(|town| counties.map(|county| (town, county))) {
            questions.extend(states.map(|state| {
                format!("/v1/search?q={town}+Townshp+Wrd+{ward}+Distrct+{county}+Conty+{state}")
            }));
        }
    }
    questions
});

/// Of everything: points, places, names, pages, guides.
static MIXED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for number in 0..40_000_u32 {
        let (lat, lon) = (
            26.0 + f64::from(number * 7_919 % 22_000) / 1e3,
            -122.0 + f64::from(number * 104_729 % 53_000) / 1e3,
        );
        all.push(match number % 8 {
            0..=3 => format!("/v1/jurisdictions/resolve?lat={lat:.4}&lon={lon:.4}"),
            4 => format!(
                "/v1/search?q={}",
                ["Spring", "Clinton", "St+Paul", "Frankln", "Union"][number as usize / 8 % 5]
            ),
            5 => format!("/v1/places/county:{:02}{:03}", 1 + number % 56, 1 + number / 8 % 120 * 2),
            6 => format!("/at/{lat:.3},{lon:.3}"),
            _ => format!("/v1/resources?lat={lat:.4}&lon={lon:.4}&topic=zoning"),
        });
    }
    all
});

pub const TRIALS: &[Trial] = &[
    ("3 x overload, new connections", |setting| Box::pin(overload(setting, false))),
    ("3 x overload, 1,000 kept connections", |setting| Box::pin(overload(setting, true))),
    ("mixed work", |setting| Box::pin(mixed(setting))),
];

/// Calm and overload take turns: a machine that others use too is now faster, now slower, and what was accepted says something
/// only beside what could have been.
async fn overload(setting: &Setting, is_kept: bool) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let to = server.address;
    // What was asked once is at hand.
    let mut questions = HEAVY.chunks(HEAVY.len() / (1 + 2 * ROUNDS));
    let mut fresh = || questions.next().ok_or("no question is left");
    as_fast_as_answered(to, fresh()?, CALM, is_kept).await;
    let (mut calm, mut over, mut recovered) = (Phase::default(), Phase::default(), Duration::ZERO);
    for _ in 0..ROUNDS {
        let before = server.processor_s();
        let load = as_fast_as_answered(to, fresh()?, CALM, is_kept).await;
        calm.add(load, CALM, server.processor_s() - before);
        let (rate, time) = (3.0 * calm.per_second(), setting.time / ROUNDS as u32);
        let before = server.processor_s();
        let load = if is_kept {
            load_of_kept(to, fresh()?, rate, time, 1_000).await?
        } else {
            load_of_new(to, fresh()?, rate, time).await
        };
        over.add(load, time, server.processor_s() - before);
        recovered = recovered.max(recovery(to).await);
    }
    let (answered, offered) = (calm.load.accepted.len(), calm.load.offered());
    if answered < offered {
        return Err(format!("{answered} of {offered} were answered while nothing was too much").into());
    }
    Ok(judge(&calm, &over, recovered))
}

/// How long a client that asks on and on is refused now and then.
async fn recovery(to: SocketAddr) -> Duration {
    let over = Instant::now();
    let mut refused = Duration::ZERO;
    while over.elapsed() < refused + QUIET {
        if once(to, "/v1/topics").await.map_or(true, |answer| answer.status != 200) {
            refused = over.elapsed();
        }
        sleep(Duration::from_millis(1)).await;
    }
    refused
}

/// What came of one kind of load, in all rounds.
#[derive(Default)]
struct Phase {
    load: Load,
    time: Duration,
    /// Of the service.
    processor_s: f64,
}

impl Phase {
    fn add(&mut self, load: Load, time: Duration, processor_s: f64) {
        self.load.append(load);
        self.time += time;
        self.processor_s += processor_s;
    }

    /// Accepted requests.
    fn per_second(&self) -> f64 {
        self.load.accepted.len() as f64 / self.time.as_secs_f64()
    }

    /// Accepted requests for each second of the processor.
    fn per_processor_s(&self) -> f64 {
        self.load.accepted.len() as f64 / self.processor_s
    }
}

/// On a machine with other work, the share of the processor time that went into accepted requests tells more than their number.
fn judge(calm: &Phase, over: &Phase, recovered: Duration) -> Row {
    let (capacity, load) = (calm.per_second(), &over.load);
    let goodput = over.per_second() / capacity * 100.0;
    let useful = over.per_processor_s() / calm.per_processor_s() * 100.0;
    let [p99, refused_p99, late_p99] =
        [&load.accepted, &load.refused, &load.late].map(|times| percentile_ms(times, 99));
    let is_told = load.says_when == load.refused.len();
    let result = format!(
        "capacity {capacity:.0}/s, goodput {goodput:.0} %, {useful:.0} % of the processor time for it, p99 {p99:.0} ms; of {} offered {} refused, p99 {refused_p99:.0} ms, \
         {} failed; requests left late by p99 {late_p99:.0} ms; recovered in {:.1} s",
        load.offered(),
        load.refused.len(),
        load.failed,
        recovered.as_secs_f64()
    );
    let holds =
        goodput >= 90.0 && p99 <= 50.0 && is_told && load.failed == 0 && recovered.as_secs_f64() <= 2.0;
    Row::new("goodput 90 %, p99 50 ms, recovery 2 s", result, holds)
}

/// Mixed work of some clients: what is kept stays within its budget.
async fn mixed(setting: &Setting) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let idle = server.own_mib();
    let load = as_fast_as_answered(server.address, MIXED.as_slice(), setting.time, true).await;
    let (above, unanswered) = (server.own_mib() - idle, load.offered() - load.accepted.len());
    let result = format!(
        "{above:.0} MiB above start, {:.0} requests/s for {} s, {unanswered} of {} not answered",
        load.accepted.len() as f64 / setting.time.as_secs_f64(),
        setting.time.as_secs(),
        load.offered()
    );
    Ok(Row::new("64 MiB above start, all answered", result, above <= 64.0 && unanswered == 0))
}
