//! How much memory caches may take together, and how it is split among them.

use std::hash::Hash;

use quick_cache::{Weighter, sync::Cache};

/// Memory for all that is kept of answers: what a service takes beyond that does not grow with what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: u64,
}

impl Default for Budget {
    /// 64 MiB: room for the answers of some thousand places.
    fn default() -> Budget {
        Budget::of_mib(64)
    }
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The text that all answers in one chain of governments share.
    ChainTexts,
    /// Those that are asked for often, put together.
    WholeTexts,
    /// The texts of single assignments.
    AssignmentTexts,
    /// What the texts of answers for language models share in one chain.
    ToolTexts,
    /// Assignments.
    Assignments,
    /// The assignments of a territory together.
    Territories,
    /// What must be said of the records in them.
    Remarks,
    /// The offices of governments.
    Offices,
    /// The tags of answers that were asked for again.
    Tags,
    /// What texts find: as people type, the same starts come again and again.
    Searches,
    /// What was found outside.
    Findings,
    /// Pages for people.
    Pages,
    /// Outlines and lists of addresses: few, and as large as many pages.
    Files,
}

/// A row of the table of shares.
struct Share {
    name: &'static str,
    percent: u64,
    /// Of a usual entry, to size the tables.
    entry_bytes: u64,
}

impl Kept {
    /// The shares leave more than a fifth for what allocators and tables take around the entries.
    const fn share(self) -> Share {
        let (name, percent, entry_bytes) = match self {
            Kept::ChainTexts => ("chain_texts", 35, 12 << 10),
            Kept::WholeTexts => ("whole_texts", 3, 12 << 10),
            Kept::AssignmentTexts => ("assignment_texts", 8, 1 << 10),
            Kept::ToolTexts => ("tool_texts", 2, 3 << 10),
            Kept::Assignments => ("assignments", 4, 768),
            Kept::Territories => ("territories", 5, 6 << 10),
            Kept::Remarks => ("remarks", 1, 96),
            Kept::Offices => ("offices", 1, 512),
            Kept::Tags => ("tags", 3, 64),
            Kept::Searches => ("searches", 2, 512),
            Kept::Findings => ("findings", 5, 1 << 10),
            Kept::Pages => ("pages", 5, 64 << 10),
            // The largest outline, Alaska's, takes 3.1 MB with its packed forms. A cache of so few entries has one part, so
            // that 5 % of the default 64 MiB keep it.
            Kept::Files => ("files", 5, 256 << 10),
        };
        Share { name, percent, entry_bytes }
    }

    /// Bytes of an entry, where all are of one size.
    pub fn entry_bytes(self) -> u64 {
        self.share().entry_bytes
    }
}

impl Budget {
    /// So many mebibytes.
    pub fn of_mib(mib: u32) -> Budget {
        Budget { bytes: u64::from(mib) << 20 }
    }

    /// All of it, in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// What a share comes to.
    pub fn bytes_of(self, kept: Kept) -> u64 {
        self.bytes * kept.share().percent / 100
    }

    /// A cache that takes no more than its share. Whatever is heavier than a share of its own parts is not kept.
    pub fn cache<K: Eq + Hash, V: Clone, W: Weighter<K, V> + Clone>(
        self,
        kept: Kept,
        weighter: W,
    ) -> Cache<K, V, W> {
        let bytes_max = self.bytes_of(kept);
        Cache::with_weighter((bytes_max / kept.entry_bytes()) as usize, bytes_max, weighter)
    }
}

/// How a cache is, at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFigures {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub entries: u64,
    /// Bytes of all that.
    pub bytes: u64,
    /// Bytes that it may hold.
    pub bytes_max: u64,
    /// Times that something was at hand.
    pub hits: u64,
    /// Times that it was not.
    pub misses: u64,
}

impl CacheFigures {
    /// Those of a cache.
    pub fn of<K: Eq + Hash, V: Clone, W: Weighter<K, V> + Clone>(
        kept: Kept,
        cache: &Cache<K, V, W>,
    ) -> CacheFigures {
        CacheFigures {
            name: kept.share().name,
            entries: cache.len() as u64,
            bytes: cache.weight(),
            bytes_max: cache.capacity(),
            hits: cache.hits(),
            misses: cache.misses(),
        }
    }
}

/// Weighs entries that are all of one size.
#[derive(Clone, Copy, Debug)]
pub struct Each(pub Kept);

impl<K, V> Weighter<K, V> for Each {
    fn weight(&self, _: &K, _: &V) -> u64 {
        self.0.entry_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_leave_more_than_a_fifth() {
        let all = [
            Kept::ChainTexts,
            Kept::WholeTexts,
            Kept::AssignmentTexts,
            Kept::ToolTexts,
            Kept::Assignments,
            Kept::Territories,
            Kept::Remarks,
            Kept::Offices,
            Kept::Tags,
            Kept::Searches,
            Kept::Findings,
            Kept::Pages,
            Kept::Files,
        ];
        assert_eq!(all.map(|kept| kept.share().percent).iter().sum::<u64>(), 79);
    }

    #[test]
    fn a_cache_stays_within_its_share() {
        let cache = Budget::of_mib(1).cache::<u64, u64, Each>(Kept::Tags, Each(Kept::Tags));
        (0..100_000).for_each(|key| cache.insert(key, key));
        let figures = CacheFigures::of(Kept::Tags, &cache);
        assert!(figures.entries > 100 && figures.bytes <= figures.bytes_max, "{figures:?}");
        assert_eq!(figures.bytes, figures.entries * 64);
        // The cache rounds its parts up.
        assert!(figures.bytes_max <= (1 << 20) * (Kept::Tags.share().percent + 1) / 100, "{figures:?}");
    }
}
