use std::{error::Error, pin::Pin, time::Duration};

use crate::machine::{self, NEEDED};

/// What all rows are tried with.
#[derive(Clone)]
pub struct Setting {
    /// The program that serves.
    pub binary: String,
    /// How long each load lasts.
    pub time: Duration,
}

/// The part of requests that a service without attackers may refuse for want of a processor while calm rounds refuse none.
/// Measured under 16 busy programs on two processors: calm rounds of 5 s refused 0 of 2,000, in nearly all rows.
const BUSY_PART: f64 = 0.01;

/// A time that misses its aim this many times over is not the machine's: there, rounds differ by 2 to 3.
const FAR: f64 = 4.0;

/// Whether an aim is reached; the greatest of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Holds,
    /// It was missed while other programs used the processors, in a way that says nothing of the service.
    Busy,
    Fails,
}

impl Verdict {
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// Of refusals: none, where other programs left enough processors. Where they did not, the service refuses some requests as
    /// it should, and these are judged beside those of a calm time: more than twice the part of that and [`BUSY_PART`] are
    /// not the machine's.
    pub fn of_refusals(beside: (usize, usize), calm: (usize, usize), left: f64) -> Verdict {
        let part = |(refused, of): (usize, usize)| refused as f64 / of.max(1) as f64;
        match beside.0 {
            0 => Verdict::Holds,
            _ if left < NEEDED && part(beside) <= 2.0 * part(calm) + BUSY_PART => Verdict::Busy,
            _ => Verdict::Fails,
        }
    }

    /// Of a time in milliseconds. Less than [`FAR`] beyond its aim, it says something only where other programs left enough
    /// processors.
    pub fn of_time(ms: f64, aim_ms: f64, left: f64) -> Verdict {
        match ms <= aim_ms {
            true => Verdict::Holds,
            false if left < NEEDED && ms <= FAR * aim_ms => Verdict::Busy,
            false => Verdict::Fails,
        }
    }

    /// Of something that a machine without idle processors spoils.
    pub fn of_quiet(holds: bool, left: f64) -> Verdict {
        match holds {
            true => Verdict::Holds,
            false if left < NEEDED => Verdict::Busy,
            false => Verdict::Fails,
        }
    }
}

/// What came of a row.
pub struct Tried {
    pub result: String,
    pub verdict: Verdict,
    /// Whether nothing but times missed their aims: they may have missed them by chance.
    pub again: bool,
}

impl Tried {
    /// Of a row whose aim is no time.
    pub fn new(result: String, holds: bool) -> Tried {
        Tried { result, verdict: Verdict::of(holds), again: false }
    }
}

/// What came of a row, or why it could not begin.
pub type Outcome = Result<Tried, Box<dyn Error>>;

/// A way to try a row.
pub type How = Box<dyn for<'s> Fn(&'s Setting) -> Pin<Box<dyn Future<Output = Outcome> + 's>>>;

/// What is tried, with which aim.
pub struct Row {
    pub name: &'static str,
    pub aim: String,
    pub how: How,
    /// Whether it runs only when a word of the command line names it: it takes minutes.
    pub only_when_named: bool,
}

/// A row of a function.
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

/// Most tries of a row that misses its aims by time alone: other work on the machine comes and goes, a defect stays.
const TRIES: usize = 3;

impl Row {
    /// Tries it, and again in a quiet moment where times alone missed their aims.
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

/// What a row needs for which other programs left too few processors.
pub fn needs(time: Duration, left: f64) -> String {
    format!("; needs {NEEDED} idle processors for {} s, had {left:.1}", time.as_secs())
}
