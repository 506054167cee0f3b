//! The thread that owns the connection to the store. No other thread waits for the network.

use std::{
    iter,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use redis::{Connection, Pipeline, RedisError, RedisResult, cmd, pipe};
use tokio::sync::oneshot;

use super::{
    super::{
        caller::Caller,
        quota::{Bucket, DAY_S, MINUTE_S, Quota},
        store::{Standing, Window},
        table::Counted,
    },
    Fleet,
    state::{Debt, State, Why},
};

const SCRIPT: &str = include_str!("count.lua");

/// The beginning of each key in the store.
const PREFIX: &str = "platbook";

/// Maximum duration of a round trip. After this time, the thread drops the connection.
const TRIP_MAX: Duration = Duration::from_secs(1);

/// Pause before a lost or slow store is tried again, and after a second late reply. Each further late reply doubles
/// the pause. This way, an unreliable store delays fewer than one request in 100.
const PAUSE: Duration = Duration::from_secs(1);

/// Time without a use after which the thread pings the store.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Maximum pause after late replies, and the time after which a late reply is forgotten.
const PAUSE_MAX: Duration = Duration::from_secs(32);

/// Number of replies that are measured before the store is used again. Their median must be quick.
const MEASURED_REPLIES: usize = 5;

/// Maximum number of uses in one round trip. Redis 7.0 needs some 10 µs for each use.
const TRIP_USES_MAX: usize = 128;

/// Number by which slow round trips must exceed quick ones for the store to count as slow.
const SLOW_TRIPS_MAX: u32 = 256;

/// A use that waits to be counted by the store.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) bucket: Bucket,
    pub(super) caller: Caller,
    pub(super) quota: Quota,
    pub(super) now_ms: u64,
    pub(super) reply: oneshot::Sender<Standing>,
}

/// The result of the script: whether the use is granted. Then the uses left and the milliseconds left, first of the
/// minute, then of the day.
type Reply = (u8, u32, u64, u32, u64);

/// The reason why a session with the store ended.
enum End {
    /// The service has stopped.
    Stopped,
    Fault(RedisError),
}

impl From<RedisError> for End {
    fn from(error: RedisError) -> End {
        End::Fault(error)
    }
}

pub(super) struct Link {
    fleet: Fleet,
    state: Arc<State>,
    asks: Receiver<Ask>,
    /// The state that was logged last; `None` before the first line of the log.
    logged: Option<Option<Why>>,
    slow_trips: u32,
    /// Number of recent late replies, and the time of the last one.
    late: (u32, Option<Instant>),
}

impl Link {
    pub(super) fn new(fleet: Fleet, state: Arc<State>, asks: Receiver<Ask>) -> Link {
        Link { fleet, state, asks, logged: None, slow_trips: 0, late: (0, None) }
    }

    /// Runs until the service stops.
    pub(super) fn run(mut self) {
        loop {
            match self.session() {
                Err(End::Fault(error)) => {
                    let why = why(&error);
                    self.state.set(Some(why));
                    self.log(Some(why), Some(&error));
                }
                Err(End::Stopped) | Ok(()) => return,
            }
            sleep(PAUSE);
            if !self.forget_asks() {
                return;
            }
        }
    }

    /// Connects, and counts uses until the connection breaks.
    fn session(&mut self) -> Result<(), End> {
        let mut connection = self.fleet.store.connect(TRIP_MAX)?;
        let script: String = cmd("SCRIPT").arg("LOAD").arg(SCRIPT).query(&mut connection)?;
        self.use_when_quick(&mut connection, &script)?;
        let mut reported = Instant::now();
        loop {
            match self.asks.recv_timeout(HEARTBEAT) {
                Ok(first) => self.trip(first, &mut connection, &script)?,
                Err(RecvTimeoutError::Timeout) => cmd("PING").exec(&mut connection)?,
                Err(RecvTimeoutError::Disconnected) => return Err(End::Stopped),
            }
            if reported.elapsed() >= HEARTBEAT {
                self.report_debts(&mut connection, &script)?;
                reported = Instant::now();
            }
            if let Some(why) = self.state.why() {
                self.log(Some(why), None);
                sleep(if why == Why::Late { self.pause_after_late() } else { PAUSE });
                self.use_when_quick(&mut connection, &script)?;
            }
        }
    }

    /// Returns the pause after a late reply. After the first late reply there is no pause, since a pause of this
    /// machine may have caused it.
    fn pause_after_late(&mut self) -> Duration {
        let (count, last) = self.late;
        let count = if last.is_some_and(|last| last.elapsed() < PAUSE_MAX) { count + 1 } else { 0 };
        self.late = (count, Some(Instant::now()));
        if count == 0 { Duration::ZERO } else { (PAUSE * (1 << (count - 1).min(5))).min(PAUSE_MAX) }
    }

    /// Waits until the store replies quickly. Then reports the debts, and makes requests use the store.
    fn use_when_quick(&mut self, connection: &mut Connection, script: &str) -> Result<(), End> {
        loop {
            let mut times = [Duration::ZERO; MEASURED_REPLIES];
            for time in &mut times {
                let begun = Instant::now();
                cmd("PING").exec(connection)?;
                *time = begun.elapsed();
            }
            times.sort_unstable();
            if times[MEASURED_REPLIES / 2] <= self.fleet.wait {
                break;
            }
            self.state.set(Some(Why::Slow));
            self.log(Some(Why::Slow), None);
            sleep(PAUSE);
            if !self.forget_asks() {
                return Err(End::Stopped);
            }
        }
        self.slow_trips = 0;
        self.report_debts(connection, script)?;
        self.state.set(None);
        // Reports the uses that requests granted without the store during the first report.
        self.report_debts(connection, script)?;
        self.log(None, None);
        Ok(())
    }

    /// Sends this use together with the waiting ones, and distributes the replies.
    fn trip(&mut self, first: Ask, connection: &mut Connection, script: &str) -> Result<(), End> {
        // A request that no longer waits has granted its use without the store, so the use is a debt.
        let waiting = iter::once(first).chain(self.asks.try_iter().take(TRIP_USES_MAX - 1));
        let asks: Vec<Ask> = waiting.filter(|ask| !ask.reply.is_closed()).collect();
        if asks.is_empty() {
            return Ok(());
        }
        let mut commands = Pipeline::with_capacity(asks.len());
        for ask in &asks {
            count(&mut commands, script, (ask.bucket, ask.caller), [1, 1], Some(ask.quota));
        }
        let begun = Instant::now();
        let replies: RedisResult<Vec<Reply>> = commands.query(connection);
        // The state changes before the waiting requests learn of the error. Later requests then do not wait.
        let replies = replies.inspect_err(|error| self.state.set(Some(why(error))))?;
        let took = begun.elapsed();
        self.state.trips.add(took);
        for (ask, reply) in asks.into_iter().zip(replies) {
            self.hand_out(ask, reply);
        }
        self.slow_trips =
            if took > self.fleet.wait { self.slow_trips + 1 } else { self.slow_trips.saturating_sub(1) };
        if self.slow_trips > SLOW_TRIPS_MAX {
            self.state.set(Some(Why::Slow));
        }
        Ok(())
    }

    fn hand_out(&self, ask: Ask, reply: Reply) {
        let Ask { bucket, caller, quota, now_ms, reply: sender } = ask;
        self.state.asked.one();
        if self.state.why().is_none() {
            // After a late reply, the table holds uses that only this server has counted. The store does not know
            // these uses yet.
            self.state.table.learn(bucket, caller, counted(reply), now_ms);
        }
        let granted = reply.0 == 1;
        // The request did not wait and was decided without the store, so the store counted one use too many.
        if sender.send(standing(granted, counted(reply), quota)).is_err() && granted {
            self.state.owe(bucket, caller, -1, now_ms);
        }
    }

    /// Reports the uses that this server granted without the store. Learns how many uses their callers have left in
    /// the fleet.
    fn report_debts(&self, connection: &mut Connection, script: &str) -> RedisResult<()> {
        let debts = self.state.take_debts();
        for (number, some) in debts.chunks(TRIP_USES_MAX).enumerate() {
            let mut commands = pipe();
            for (bucket, Debt { caller, in_minute, in_day, .. }) in some {
                count(&mut commands, script, (*bucket, *caller), [*in_minute, *in_day], None);
            }
            let replies: RedisResult<Vec<Reply>> = commands.query(connection);
            let replies = replies.inspect_err(|_| self.state.put_back(&debts[number * TRIP_USES_MAX..]))?;
            for ((bucket, debt), reply) in some.iter().zip(replies) {
                self.state.table.learn(*bucket, debt.caller, counted(reply), debt.now_ms());
            }
        }
        Ok(())
    }

    /// Drops the waiting uses, so that their requests are decided without the store. Returns `false` if the service
    /// has stopped.
    fn forget_asks(&self) -> bool {
        loop {
            match self.asks.recv_timeout(Duration::ZERO) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// Logs a new state once. The log may contain addresses, but never a password.
    fn log(&mut self, why: Option<Why>, error: Option<&RedisError>) {
        if self.logged == Some(why) {
            return;
        }
        let (store, replicas) = (&self.fleet.store, self.fleet.replicas);
        match (why, error) {
            (None, _) => tracing::info!("limits: shared by {replicas} servers through the store {store}"),
            (Some(why), error) => tracing::warn!(
                "limits: {} ({store}{}); until it is back, each of {replicas} servers grants its part of the limits",
                why.as_str(),
                error.map(said).unwrap_or_default(),
            ),
        }
        self.logged = Some(why);
    }
}

/// Returns the text of an error for the log.
fn said(error: &RedisError) -> String {
    if error.is_timeout() {
        return format!(": no reply within {} s", TRIP_MAX.as_secs());
    }
    format!(": {error}")
}

fn why(error: &RedisError) -> Why {
    // The error of a pipeline has no code of its own, so its parts are examined.
    if error.clone().into_server_errors().is_some() { Why::Refused } else { Why::Lost }
}

/// Adds the command that counts uses. Without a quota, the store counts them without a check, because this server has
/// granted them already.
fn count(
    commands: &mut Pipeline,
    script: &str,
    (bucket, caller): (Bucket, Caller),
    [in_minute, in_day]: [i64; 2],
    quota: Option<Quota>,
) {
    let Quota { minute, day } = quota.unwrap_or(Quota { minute: 0, day: 0 });
    let key = format!("{PREFIX}:{}:{:x}", bucket.as_str(), caller.identity());
    let command = commands.cmd("EVALSHA").arg(script).arg(1).arg(key).arg(in_minute).arg(in_day);
    command.arg(minute).arg(day).arg(u8::from(quota.is_none()));
}

fn counted((_, minute, minute_left_ms, day, day_left_ms): Reply) -> [Counted; 2] {
    [Counted { used: minute, left_ms: minute_left_ms }, Counted { used: day, left_ms: day_left_ms }]
}

fn standing(granted: bool, [minute, day]: [Counted; 2], quota: Quota) -> Standing {
    let window = |counted: Counted, quota: u32, length_s: u32| Window {
        left: quota.saturating_sub(counted.used),
        reset_s: u32::try_from(counted.left_ms.div_ceil(1000)).unwrap_or(length_s).clamp(1, length_s),
    };
    Standing { granted, minute: window(minute, quota.minute, MINUTE_S), day: window(day, quota.day, DAY_S) }
}
