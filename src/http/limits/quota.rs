//! The table of limits.

use super::caller::Tier;

/// A kind of use that is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// Requests.
    Requests,
    /// Outside lookups whose result was not cached: addresses and screening share them.
    Lookups,
    /// Calls of the tools for language models, apart from requests. They are an address's, whatever its key.
    ToolCalls,
    /// Pages for people and what is made like them, apart from requests. They are an address's, too.
    Pages,
    /// What the field of a page suggests as one types. They are an address's, too.
    Suggestions,
    /// Messages of language models, whatever they ask, and documents. They are an address's, too.
    Messages,
}

impl Bucket {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// All of them.
    pub const ALL: [Bucket; Bucket::COUNT] = [
        Bucket::Requests,
        Bucket::Lookups,
        Bucket::ToolCalls,
        Bucket::Pages,
        Bucket::Suggestions,
        Bucket::Messages,
    ];

    /// Its name among figures.
    pub fn as_str(self) -> &'static str {
        match self {
            Bucket::Requests => "requests",
            Bucket::Lookups => "lookups",
            Bucket::ToolCalls => "tool_calls",
            Bucket::Pages => "pages",
            Bucket::Suggestions => "suggestions",
            Bucket::Messages => "messages",
        }
    }
}

/// Most of a bucket that a caller may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// In 60 s.
    pub minute: u32,
    /// In 86,400 s.
    pub day: u32,
}

/// Length of the minute window, in seconds.
pub(super) const MINUTE_S: u32 = 60;

/// Length of the day window, in seconds.
pub(super) const DAY_S: u32 = 86_400;

/// A row of the table, and how `RateLimit-Policy` says it.
#[derive(Debug)]
struct Row {
    quota: Quota,
    policy: &'static str,
}

macro_rules! row {
    ($minute:literal, $day:literal, $minute_name:literal, $day_name:literal) => {
        Row {
            quota: Quota { minute: $minute, day: $day },
            policy: concat!(
                "\"",
                $minute_name,
                "\";q=",
                $minute,
                ";w=60, \"",
                $day_name,
                "\";q=",
                $day,
                ";w=86400"
            ),
        }
    };
}

/// The contract's numbers.
const REQUESTS: [Row; 3] =
    [row!(30, 1000, "minute", "day"), row!(120, 20000, "minute", "day"), row!(600, 200000, "minute", "day")];

/// Ours: the contract gives none. A third of the requests of a minute, a fifth of those of a day (a tenth for
/// partners): free public services stand behind them, and all callers share what those bear.
const LOOKUPS: [Row; 3] = [
    row!(10, 200, "lookup-minute", "lookup-day"),
    row!(40, 4000, "lookup-minute", "lookup-day"),
    row!(200, 20000, "lookup-minute", "lookup-day"),
];

/// The contract's numbers for tools, which know no keys.
const TOOL_CALLS: Row = row!(30, 1000, "minute", "day");

/// Ours: as many pages as requests, so that to read them all costs an address no less time than to ask for all answers.
const PAGES: Row = row!(30, 1000, "minute", "day");

/// Ours: two a second is as fast as one types, and a suggestion is a small part of a page.
const SUGGESTIONS: Row = row!(120, 4000, "minute", "day");

/// Ours: a client says three messages before its first call and pings every few seconds, and some say all of it anew for each
/// of their 30 calls a minute. Ten people behind one address can do so all day.
const MESSAGES: Row = row!(300, 50000, "minute", "day");

impl Bucket {
    fn row(self, tier: Tier) -> &'static Row {
        match self {
            Bucket::Requests => &REQUESTS[tier as usize],
            Bucket::Lookups => &LOOKUPS[tier as usize],
            Bucket::ToolCalls => &TOOL_CALLS,
            Bucket::Pages => &PAGES,
            Bucket::Suggestions => &SUGGESTIONS,
            Bucket::Messages => &MESSAGES,
        }
    }

    /// What is counted, in the words of a refusal.
    pub(super) fn uses(self) -> &'static str {
        match self {
            Bucket::Requests => "requests",
            Bucket::Lookups => "new outside lookups",
            Bucket::ToolCalls => "tool calls",
            Bucket::Pages => "pages",
            Bucket::Suggestions => "suggestions",
            Bucket::Messages => "messages and documents",
        }
    }

    /// Whether keys raise it; else it is the address's alone, and keys are not looked at.
    pub(super) fn knows_keys(self) -> bool {
        matches!(self, Bucket::Requests | Bucket::Lookups)
    }

    /// What a caller of this tier may use.
    pub fn quota(self, tier: Tier) -> Quota {
        self.row(tier).quota
    }

    /// Names of the minute and the day policy.
    pub(super) fn names(self) -> [&'static str; 2] {
        match self {
            Bucket::Lookups => ["lookup-minute", "lookup-day"],
            _ => ["minute", "day"],
        }
    }

    /// Its items of `RateLimit-Policy`.
    pub(super) fn policy(self, tier: Tier) -> &'static str {
        self.row(tier).policy
    }
}
