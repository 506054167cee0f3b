use std::{error::Error, pin::Pin, time::Duration};

use crate::machine::{self, NEEDED};

/// The settings of all rows.
#[derive(Clone)]
pub struct Setting {
    /// Path of the binary under test.
    pub binary: String,
    /// The duration of each load.
    pub time: Duration,
}

/// On a busy machine, a service may reject twice the share of requests that it rejects in calm rounds, plus this share.
/// Measured under 16 busy programs on two processors: calm rounds of 5 s rejected 0 of 2,000, in nearly all rows.
const BUSY_PART: f64 = 0.01;

/// A time this many times over its aim is the service's fault: the machine alone makes rounds differ by a factor of 2
/// to 3.
const FAR: f64 = 4.0;

/// Whether an aim is reached; of several verdicts the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Holds,
    /// The aim was missed while other programs used the processors, so the miss says nothing of the service.
    Busy,
    Fails,
}

impl Verdict {
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// Judges rejections: with enough processors, there must be none. Otherwise the service rejects some requests as
    /// it should, so their share is compared with that of a calm time. More than twice that share plus [`BUSY_PART`]
    /// is the service's fault.
    pub fn of_refusals(beside: (usize, usize), calm: (usize, usize), left: f64) -> Verdict {
        let part = |(refused, of): (usize, usize)| refused as f64 / of.max(1) as f64;
        match beside.0 {
            0 => Verdict::Holds,
            _ if left < NEEDED && part(beside) <= 2.0 * part(calm) + BUSY_PART => Verdict::Busy,
            _ => Verdict::Fails,
        }
    }

    /// Judges a time in milliseconds. A miss by less than [`FAR`] counts only if other programs left enough processors.
    pub fn of_time(ms: f64, aim_ms: f64, left: f64) -> Verdict {
        match ms <= aim_ms {
            true => Verdict::Holds,
            false if left < NEEDED && ms <= FAR * aim_ms => Verdict::Busy,
            false => Verdict::Fails,
        }
    }

    /// Judges a condition that a machine without idle processors spoils.
    pub fn of_quiet(holds: bool, left: f64) -> Verdict {
        match holds {
            true => Verdict::Holds,
            false if left < NEEDED => Verdict::Busy,
            false => Verdict::Fails,
        }
    }
}

/// The result of a row.
pub struct Tried {
    pub result: String,
    pub verdict: Verdict,
    /// Whether only times missed their aims, which may be due to other programs.
    pub again: bool,
}

impl Tried {
    /// Makes the result of a row that has no aims for times.
    pub fn new(result: String, holds: bool) -> Tried {
        Tried { result, verdict: Verdict::of(holds), again: false }
    }
}

/// The result of a row, or the reason why it could not begin.
pub type Outcome = Result<Tried, Box<dyn Error>>;

/// The function that tries a row.
pub type How = Box<dyn for<'s> Fn(&'s Setting) -> Pin<Box<dyn Future<Output = Outcome> + 's>>>;

/// A row of the table: its name, its aim and its function.
pub struct Row {
    pub name: &'static str,
    pub aim: String,
    pub how: How,
    /// Whether the row runs only if a word of the command line names it, because it takes minutes.
    pub only_when_named: bool,
}

/// Makes a row that calls this function.
#[macro_export]
macro_rules! row {
    ($name:expr, $aim:expr, $function:path $(, $argument:expr)*) => {
        $crate::row::Row {
            name: $name,
            aim: $aim.to_owned(),
            how: Box::new(move |setting| Box::pin($function(setting $(, $argument)*))),
            only_when_named: false,
        }
    };
}

/// Maximum number of tries of a row that misses only times: other work on the machine comes and goes, a defect stays.
const TRIES: usize = 3;

impl Row {
    /// Tries the row, and again in a quiet moment if only times missed their aims.
    pub async fn attempt(&self, setting: &Setting) -> Tried {
        let failed = |error| Tried::new(format!("it could not be tried: {error}"), false);
        let mut tried = (self.how)(setting).await.unwrap_or_else(failed);
        for _ in 1..TRIES {
            if tried.verdict == Verdict::Holds || !tried.again || !machine::quiet_moment().await {
                break;
            }
            tried = (self.how)(setting).await.unwrap_or_else(failed);
        }
        tried
    }
}

impl Tried {
    pub fn text(&self, aim: &str) -> String {
        let verdict = match self.verdict {
            Verdict::Holds => "yes",
            Verdict::Busy => "not tried",
            Verdict::Fails => "**no**",
        };
        format!("{} | {aim} | {verdict}", self.result)
    }
}

/// Describes the processors that a row needs, if other programs left too few.
pub fn needs(time: Duration, left: f64) -> String {
    format!("; needs {NEEDED} idle processors for {} s, had {left:.1}", time.as_secs())
}
