use std::{
    fs,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use tokio::time::sleep;

/// Number of idle processors that a load needs: one for the service's thread, half of one for the clients. Measured
/// for the clients: 0.3 to 0.5 at 3,000 requests a second.
pub const NEEDED: f64 = 1.5;

/// Maximum time to wait for quiet moments, for all rows together. A build of this repository ends in that time.
const PATIENCE: Duration = Duration::from_secs(300);

/// The part of [`PATIENCE`] that one row may use.
const PATIENCE_OF_A_ROW: Duration = Duration::from_secs(60);

/// Seconds waited so far.
static WAITED_S: AtomicU64 = AtomicU64::new(0);

/// Time for which the machine must be quiet before a load begins.
const QUIET: Duration = Duration::from_secs(3);

/// Ticks of `/proc` in a second: `USER_HZ`, which is 100 on every Linux.
const TICKS: f64 = 100.0;

/// Idle processors of this machine, measured since a moment.
pub struct Span {
    begin: Instant,
    idle_s: f64,
    ours_s: f64,
}

impl Span {
    /// Starts measuring. `ours_s` is the processor time of the service so far, in seconds.
    pub fn begin(ours_s: f64) -> Span {
        Span { begin: Instant::now(), idle_s: idle_s(), ours_s: ours_s + own_s() }
    }

    /// Processors that other programs left since then: idle ones, and those that clients and service used.
    pub fn left(&self, ours_s: f64) -> f64 {
        let ours = ours_s + own_s() - self.ours_s;
        (idle_s() - self.idle_s + ours) / self.begin.elapsed().as_secs_f64()
    }
}

/// Waits for [`NEEDED`] idle processors; returns whether they became free.
pub async fn quiet_moment() -> bool {
    let left = PATIENCE.saturating_sub(Duration::from_secs(WAITED_S.load(Ordering::Relaxed)));
    let (begin, patience) = (Instant::now(), left.min(PATIENCE_OF_A_ROW));
    let mut is_quiet = false;
    while !is_quiet && begin.elapsed() < patience {
        let span = Span::begin(0.0);
        sleep(QUIET).await;
        is_quiet = span.left(0.0) >= NEEDED;
    }
    WAITED_S.fetch_add(begin.elapsed().as_secs(), Ordering::Relaxed);
    is_quiet
}

/// Processor time of a process and its threads, in seconds; 0 once it has ended.
pub fn processor_s(process: &str) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let ticks = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// Time for which threads of a process waited for a processor, in seconds.
pub fn starved_s(process: u32) -> f64 {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let waited_ns = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').nth(1)?.parse::<f64>().ok()
    });
    waited_ns.sum::<f64>() / 1e9
}

fn own_s() -> f64 {
    processor_s("self")
}

/// Idle time of all processors since the start of the machine, in seconds; waiting for a disk counts as idle.
fn idle_s() -> f64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let all = stat.lines().next().unwrap_or_default().split_whitespace().skip(4).take(2);
    all.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// Memory that the kernel holds for connections of the whole machine, in MiB.
pub fn kernel_mib() -> f64 {
    let text = fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("TCP:")).unwrap_or_default();
    let pages = line.rsplit(' ').next().and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4096.0 / f64::from(1 << 20)
}
