use std::{net::SocketAddr, time::Duration};

use tokio::time::{Instant, sleep};

use crate::{
    attack::{Attack, Attackers},
    client::{get, once},
    load::{Load, Statuses, load_of_kept, load_of_new, statuses_text},
    loopback::{Act, Call, Outside},
    machine::{Span, kernel_mib},
    outside::online,
    row::{Outcome, Row, Setting, Tried, Verdict, needs},
    server::Server,
};

/// A row: attackers beside good clients, and the aims that the service must reach.
pub struct Siege {
    pub name: &'static str,
    /// Options of the service.
    pub options: &'static [&'static str],
    /// The replies of services outside to the service's lookups; `None` if it looks nothing up.
    pub outside: Option<fn(&Call) -> Act>,
    pub attack: Attack,
    pub good: Good,
    /// Minimum duration of the attack, so that its effect happens.
    pub at_least: Duration,
    pub aims: &'static [Aim],
}

/// The connections of good clients, which send [`RATE`] requests a second in all.
#[derive(Clone, Copy)]
pub enum Good {
    /// A new connection for each request and, for limits, an address of its own.
    New,
    /// Connections that stay open.
    Kept,
}

/// Requests per second of all good clients together.
const RATE: f64 = 200.0;
const KEPT: u32 = 20;

/// Number of rounds. Calm and attack alternate in them, so that other work on the machine meets both. The second wave
/// shows whether memory of the first was released.
const ROUNDS: u32 = 2;

/// Maximum time for releasing memory after the last round.
const GIVING_BACK: Duration = Duration::from_secs(20);

/// A p99 below this is good, even if it is much lower without the attack: a cold answer may take 5 ms.
const GOOD_P99_MS: f64 = 5.0;

/// An aim of a row, with its limit.
#[derive(Clone, Copy)]
pub enum Aim {
    /// Good clients get only status 200.
    Served,
    /// Good clients get answers; a rejection counts as an answer.
    Answered,
    /// The p99 of good clients may be at most this many times that without the attack.
    Factor(f64),
    /// Maximum p99 of good clients, in milliseconds.
    P99(f64),
    /// Maximum memory of the service above that of an idle service, in MiB.
    Peak(f64),
    /// Maximum memory above that of an idle service, [`GIVING_BACK`] after the attackers have gone, in MiB.
    Left(f64),
    /// Maximum memory that the kernel holds for connections at the end of an attack, in MiB.
    Kernel(f64),
    /// Maximum number of answers other than 429 that attackers get.
    Granted(usize),
    /// Maximum part of a processor that the attackers cost the service.
    Share(f64),
}

/// The measurements of a row.
#[derive(Default)]
struct Seen {
    calm: Load,
    beside: Load,
    attackers: Statuses,
    peak_mib: f64,
    left_mib: f64,
    kernel_mib: f64,
    calm_share: f64,
    share: f64,
    /// Minimum number of processors that other programs left.
    left: f64,
}

impl Aim {
    fn text(self) -> String {
        match self {
            Aim::Served => "others get 200".to_owned(),
            Aim::Answered => "all others answered".to_owned(),
            Aim::Factor(times) => format!("p99 at most {times} x calm, or {GOOD_P99_MS} ms"),
            Aim::P99(ms) => format!("p99 {ms} ms"),
            Aim::Peak(mib) => format!("{mib} MiB"),
            Aim::Left(mib) => format!("{mib} MiB afterwards"),
            Aim::Kernel(mib) => format!("{mib} MiB of the kernel's at the end"),
            Aim::Granted(count) => format!("{count} granted, then 429"),
            Aim::Share(share) => format!("{:.0} % of a processor", share * 100.0),
        }
    }

    /// Whether the aim is a time, which may be missed by chance.
    fn is_time(self) -> bool {
        matches!(self, Aim::Factor(_) | Aim::P99(_))
    }

    fn result(self, seen: &Seen) -> String {
        let (beside, calm) = (&seen.beside, &seen.calm);
        match self {
            Aim::Served | Aim::Answered => {
                format!(
                    "others: {} (calm: {})",
                    statuses_text(&beside.statuses),
                    statuses_text(&calm.statuses)
                )
            }
            Aim::Factor(_) => format!("p99 {:.1} ms (calm: {:.1})", beside.p99_ms(), calm.p99_ms()),
            Aim::P99(_) => format!("p99 {:.1} ms", beside.p99_ms()),
            Aim::Peak(_) => format!("+{:.0} MiB", seen.peak_mib),
            Aim::Left(_) => format!("+{:.0} MiB afterwards", seen.left_mib),
            Aim::Kernel(_) => format!("{:.0} MiB of the kernel's", seen.kernel_mib),
            Aim::Granted(_) => format!("attackers: {}", statuses_text(&seen.attackers)),
            Aim::Share(_) => format!("{:.0} % of a processor", seen.share * 100.0),
        }
    }

    fn verdict(self, seen: &Seen) -> Verdict {
        let (calm_p99, p99) = (seen.calm.p99_ms(), seen.beside.p99_ms());
        match self {
            Aim::Served => {
                let part = |load: &Load| (load.without_200(), load.offered());
                Verdict::of_refusals(part(&seen.beside), part(&seen.calm), seen.left)
            }
            Aim::Answered => Verdict::of(seen.beside.failed == 0),
            Aim::Factor(times) => Verdict::of_time(p99, (calm_p99 * times).max(GOOD_P99_MS), seen.left),
            // This row has no calm rounds to compare with.
            Aim::P99(ms) => Verdict::of_quiet(p99 <= ms, seen.left),
            Aim::Peak(mib) => Verdict::of(seen.peak_mib <= mib),
            Aim::Left(mib) => Verdict::of(seen.left_mib <= mib),
            Aim::Kernel(mib) => Verdict::of(seen.kernel_mib <= mib),
            Aim::Granted(count) => {
                let others = seen.attackers.iter().filter(|(status, _)| ![0, 429].contains(*status));
                Verdict::of(others.map(|(_, count)| count).sum::<usize>() <= count)
            }
            Aim::Share(share) => Verdict::of(seen.share <= share),
        }
    }
}

impl Siege {
    pub fn row(&'static self) -> Row {
        let aims: Vec<String> = self.aims.iter().map(|aim| aim.text()).collect();
        Row {
            name: self.name,
            aim: aims.join(", "),
            how: Box::new(move |setting| Box::pin(self.attempt(setting))),
            only_when_named: false,
        }
    }

    async fn attempt(&'static self, setting: &Setting) -> Outcome {
        let service = match self.outside {
            Some(act) => Some(Outside::start(act).await),
            None => None,
        };
        let server = match &service {
            Some(outside) => {
                let lookups = online(&outside.url());
                let lookups: Vec<&str> = lookups.iter().map(String::as_str).collect();
                Server::start_online(setting, &[&lookups, self.options].concat()).await?
            }
            None => Server::start(setting, self.options).await?,
        };
        let seen = self.seen(setting, &server).await?;
        Ok(self.judge(&seen, setting.time))
    }

    async fn seen(&self, setting: &Setting, server: &Server) -> std::io::Result<Seen> {
        let time = setting.time / (2 * ROUNDS);
        // Caches that the first requests fill must not count as the attack's memory.
        self.good(server.address, 0, Duration::from_secs(1)).await?;
        let (idle_mib, kernel) = (server.own_mib(), kernel_mib());
        let mut seen = Seen { left: f64::INFINITY, ..Seen::default() };
        let mut asked = RATE as usize;
        for round in 0..ROUNDS {
            let (calm, calm_share, left) = self.span(server, asked, time).await?;
            asked += calm.offered();
            seen.calm.append(calm);
            seen.calm_share += calm_share / f64::from(ROUNDS);
            let attackers = Attackers::start(&[self.attack], server.address, round)?;
            attackers.in_place(time).await;
            let (beside, share, left_beside) = self.span(server, asked, time.max(self.at_least)).await?;
            asked += beside.offered();
            seen.beside.append(beside);
            seen.share += share / f64::from(ROUNDS);
            seen.left = seen.left.min(left).min(left_beside);
            seen.peak_mib = seen.peak_mib.max(server.own_mib() - idle_mib);
            seen.kernel_mib = seen.kernel_mib.max(kernel_mib() - kernel);
            for (status, count) in attackers.statuses() {
                *seen.attackers.entry(status).or_default() += count;
            }
            drop(attackers);
            recovery(server.address).await;
        }
        seen.share -= seen.calm_share;
        seen.left_mib = self.left_mib(server, idle_mib).await;
        Ok(seen)
    }

    /// Measures good clients for a time. Also returns the part of a processor that the service used, and the processors
    /// that others left.
    async fn span(&self, server: &Server, asked: usize, time: Duration) -> std::io::Result<(Load, f64, f64)> {
        let (begin, before) = (Instant::now(), server.processor_s());
        let span = Span::begin(before);
        let load = self.good(server.address, asked, time).await?;
        let after = server.processor_s();
        Ok((load, (after - before) / begin.elapsed().as_secs_f64(), span.left(after)))
    }

    async fn good(&self, to: SocketAddr, from: usize, time: Duration) -> std::io::Result<Load> {
        match self.good {
            Good::New => Ok(load_of_new(to, point, from, RATE, time).await),
            Good::Kept => load_of_kept(to, point, from, RATE, time, KEPT).await,
        }
    }

    /// Waits until memory is released down to the aim; returns what is left above an idle service, in MiB.
    async fn left_mib(&self, server: &Server, idle_mib: f64) -> f64 {
        let Some(aim) =
            self.aims.iter().find_map(|aim| if let Aim::Left(mib) = aim { Some(*mib) } else { None })
        else {
            return 0.0;
        };
        let begin = Instant::now();
        loop {
            let left = server.own_mib() - idle_mib;
            if left <= aim || begin.elapsed() > GIVING_BACK {
                return left;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }

    fn judge(&self, seen: &Seen, time: Duration) -> Tried {
        let mut result: Vec<String> = self.aims.iter().map(|aim| aim.result(seen)).collect();
        result.dedup();
        let verdict = self.aims.iter().map(|aim| aim.verdict(seen)).max().unwrap_or(Verdict::Holds);
        let mut missed = self.aims.iter().filter(|aim| aim.verdict(seen) != Verdict::Holds);
        let again = missed.all(|aim| aim.is_time() || aim.verdict(seen) == Verdict::Busy);
        let needs = if verdict == Verdict::Busy { needs(time, seen.left) } else { String::new() };
        Tried { result: result.join("; ") + &needs, verdict, again }
    }
}

/// A point of Minnesota or Wisconsin: 4,000 points before one repeats.
fn point(number: usize) -> Vec<u8> {
    let lat = 44.0 + (number % 4_000) as f64 / 5_000.0;
    get(&format!("/v1/jurisdictions/resolve?lat={lat:.4}&lon=-93.2"))
}

/// Time without a rejection after which the service accepts a burst again. After a rejection it admits few requests for
/// 2 s.
const QUIET: Duration = Duration::from_secs(3);

/// Maximum wait for a service to stop rejecting.
const RECOVERY: Duration = Duration::from_secs(20);

/// Sends requests until none was rejected for a while; returns how long after the call the last rejection came.
pub async fn recovery(to: SocketAddr) -> Duration {
    let over = Instant::now();
    let mut refused = Duration::ZERO;
    while over.elapsed() < refused + QUIET && over.elapsed() < RECOVERY {
        if once(to, &get("/v1/topics")).await.map_or(true, |answer| answer.status == 503) {
            refused = over.elapsed();
        }
        sleep(Duration::from_millis(1)).await;
    }
    refused
}
