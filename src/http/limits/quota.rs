//! The table of limits: the maximum uses per minute and day for each bucket and tier.

use super::caller::Tier;

/// A kind of use with its own limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bucket {
    /// Requests for operations by `GET` or `HEAD`.
    Requests,
    /// Outside lookups whose result was not cached. Addresses and screening share these limits.
    Lookups,
    /// Tool calls of language models, separate from requests. Counted by address, even for callers with a key.
    ToolCalls,
    /// Pages for people, and documents that are made like pages, separate from requests. Counted by address.
    Pages,
    /// Suggestions for a page's input field while the user types. Counted by address.
    Suggestions,
    /// Messages of language models, whatever they contain, and documents. Counted by address.
    Messages,
}

impl Bucket {
    /// The number of buckets.
    pub const COUNT: usize = 6;

    /// All buckets, in order.
    pub const ALL: [Bucket; Bucket::COUNT] = [
        Bucket::Requests,
        Bucket::Lookups,
        Bucket::ToolCalls,
        Bucket::Pages,
        Bucket::Suggestions,
        Bucket::Messages,
    ];

    /// Returns the bucket's name in metrics.
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

/// The maximum uses of a bucket by a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Uses in a window of 60 s.
    pub minute: u32,
    /// Uses in a window of 86,400 s.
    pub day: u32,
}

/// Length of the minute window, in seconds.
pub(super) const MINUTE_S: u32 = 60;

/// Length of the day window, in seconds.
pub(super) const DAY_S: u32 = 86_400;

/// A row of the table, with its text in `RateLimit-Policy`.
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

/// The limits of the contract (interface specification).
const REQUESTS: [Row; 3] =
    [row!(30, 1000, "minute", "day"), row!(120, 20000, "minute", "day"), row!(600, 200000, "minute", "day")];

/// Not in the contract. A third of the requests per minute, and a fifth per day (a tenth for partners). Free public
/// services answer the lookups, and all callers share their capacity.
const LOOKUPS: [Row; 3] = [
    row!(10, 200, "lookup-minute", "lookup-day"),
    row!(40, 4000, "lookup-minute", "lookup-day"),
    row!(200, 20000, "lookup-minute", "lookup-day"),
];

/// The limits of the contract for tools, which do not take keys.
const TOOL_CALLS: Row = row!(30, 1000, "minute", "day");

/// Not in the contract. As many pages as requests, so that pages are not a faster way to copy all data.
const PAGES: Row = row!(30, 1000, "minute", "day");

/// Not in the contract. Two per second is the speed of typing, and a suggestion is a small part of a page.
const SUGGESTIONS: Row = row!(120, 4000, "minute", "day");

/// Not in the contract. A client sends three messages before its first call, and pings every few seconds. Some
/// clients repeat these messages for each of their 30 calls per minute. Ten people behind one address can do so all
/// day.
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

    /// Returns the word for the uses of the bucket in the text of a refusal.
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

    /// Returns whether keys raise the limit of the bucket. For other buckets, uses count by address and keys are not
    /// read.
    pub(super) fn knows_keys(self) -> bool {
        matches!(self, Bucket::Requests | Bucket::Lookups)
    }

    /// Returns the maximum uses by a caller of this tier.
    pub fn quota(self, tier: Tier) -> Quota {
        self.row(tier).quota
    }

    /// Returns the names of the minute and day policies.
    pub(super) fn names(self) -> [&'static str; 2] {
        match self {
            Bucket::Lookups => ["lookup-minute", "lookup-day"],
            _ => ["minute", "day"],
        }
    }

    /// Returns the items of `RateLimit-Policy` for the bucket.
    pub(super) fn policy(self, tier: Tier) -> &'static str {
        self.row(tier).policy
    }
}
