//! The names of jurisdictions and resources, with an index that finds them by a folded name or by a word of a name.
//!
//! One transducer (crate `fst`) holds all keys: a byte for the [`Space`], then the folded text. Its values are numbers
//! of lists of ranks. A rank is a position in one static order: by population, then by population of the county, then
//! by id.
//!
//! Lists are numbered in the order of their best ranks, and the transducer keeps the least value below each node. A
//! search therefore finds the best names with a prefix without visiting all of them.

mod pack;
mod walk;

use fst::raw::{Fst, Node};
use rkyv::{Archive, Serialize, rend::u32_le};

use super::SnapshotError;
use crate::vocabulary::StateCode;

pub use walk::{Ranks, Work};

/// The names as stored.
#[derive(Debug, Archive, Serialize)]
pub struct Names {
    /// The transducer from keys to list numbers.
    keys: Vec<u8>,
    /// Index of the first entry of each list, and at the end the number of all entries.
    starts: Vec<u32>,
    /// The ranks of all lists; ascending in each list.
    entries: Vec<u32>,
    /// For each rank of a place, the row of the jurisdiction.
    places: Vec<u32>,
    /// For each rank of a resource, the number of the resource.
    resources: Vec<u32>,
}

/// The kind of name that a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A place, by one of its complete names.
    Places,
    /// A place of this state, by one of its complete names.
    PlacesOf(StateCode),
    /// A place, by one word of its names.
    PlaceWords,
    /// A resource, by its complete name.
    Resources,
    /// A resource, by one word of its name.
    ResourceWords,
    /// A resource, by one word of its name, of its topics or of its government's names.
    ResourceTexts,
}

impl Space {
    /// The first byte of all keys in this space. The fixed bytes differ from the FIPS codes of all states.
    fn byte(self) -> u8 {
        match self {
            Space::Places => 0,
            Space::PlacesOf(state) => state.fips(),
            Space::PlaceWords => 0x80,
            Space::Resources => 0x81,
            Space::ResourceWords => 0x82,
            Space::ResourceTexts => 0x83,
        }
    }
}

/// Ranks of the places or resources that share a name, ascending, so the best rank is first.
#[derive(Clone, Copy, Debug, Default)]
pub struct RankList<'a>(&'a [u32_le]);

impl<'a> RankList<'a> {
    /// Number of ranks in the list.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether the list has no ranks.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The ranks, the best first.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        self.0.iter().map(|rank| rank.to_native())
    }

    /// The rank at an index; `None` beyond the end of the list.
    pub fn get(self, at: usize) -> Option<u32> {
        self.0.get(at).map(|rank| rank.to_native())
    }

    /// Whether the list contains a rank.
    pub fn has(self, rank: u32) -> bool {
        self.0.binary_search_by_key(&rank, |other| other.to_native()).is_ok()
    }
}

impl ArchivedNames {
    /// The transducer. Opening the transducer reads only its header and footer.
    fn fst(&self) -> Option<Fst<&[u8]>> {
        Fst::new(self.keys.as_slice()).ok()
    }

    /// Ranks of all that have exactly the name or word `key`; empty without such a key.
    pub fn exact(&self, space: Space, key: &str) -> RankList<'_> {
        let list = || {
            let fst = self.fst()?;
            let (node, value) = below(&fst, space, key)?;
            node.is_final().then(|| self.list(value + node.final_output().value()))
        };
        list().unwrap_or_default()
    }

    /// One list of ranks for each name or word that begins with `start`; `None` if there are more than `max` such names
    /// or words.
    pub fn lists_beginning(&self, space: Space, start: &str, max: usize) -> Option<Vec<RankList<'_>>> {
        let fst = self.fst()?;
        let from: Vec<u8> = std::iter::once(space.byte()).chain(start.bytes()).collect();
        let mut stream = fst::IntoStreamer::into_stream(fst.range().ge(&from));
        let mut lists = Vec::new();
        while let Some((key, value)) = fst::Streamer::next(&mut stream) {
            if !key.starts_with(&from) {
                break;
            }
            if lists.len() == max {
                return None;
            }
            lists.push(self.list(value.value()));
        }
        Some(lists)
    }

    /// The entries of a list; empty for an unknown number.
    fn list(&self, number: u64) -> RankList<'_> {
        let list = || {
            let at = usize::try_from(number).ok()?;
            let (start, end) = (self.starts.get(at)?.to_native(), self.starts.get(at + 1)?.to_native());
            self.entries.get(start as usize..end as usize)
        };
        RankList(list().unwrap_or_default())
    }

    /// The jurisdiction row of the place with this rank; `None` for an unknown rank.
    pub fn place(&self, rank: u32) -> Option<u32> {
        self.places.get(rank as usize).map(|row| row.to_native())
    }

    /// The number of the resource with this rank; `None` for an unknown rank.
    pub fn resource(&self, rank: u32) -> Option<u32> {
        self.resources.get(rank as usize).map(|number| number.to_native())
    }

    /// Number of places that have names.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Calls `each` with every name of a space and the ranks of the name. For tests and measurements.
    pub fn for_each(&self, space: Space, mut each: impl FnMut(&str, RankList<'_>)) {
        let Some(fst) = self.fst() else { return };
        let from = [space.byte()];
        let mut stream = fst::IntoStreamer::into_stream(fst.range().ge(from).lt([space.byte() + 1]));
        while let Some((key, value)) = fst::Streamer::next(&mut stream) {
            each(std::str::from_utf8(&key[1..]).unwrap_or_default(), self.list(value.value()));
        }
    }

    /// Verifies the transducer's checksum, which reads all keys. Without this check, a damaged node could lead a lookup
    /// to any byte.
    pub(super) fn check_keys(&self) -> Result<(), SnapshotError> {
        let keys = Fst::new(self.keys.as_slice()).and_then(|fst| fst.verify());
        keys.map_err(|error| {
            SnapshotError::layout("names", format!("the key transducer is damaged: {error}"))
        })
    }

    pub(super) fn check_layout(&self, jurisdictions: usize, resources: usize) -> Result<(), SnapshotError> {
        let wrong = |detail: &str| Err(SnapshotError::layout("names", detail));
        if self.fst().is_none() {
            return wrong("the keys do not form a transducer");
        }
        if self.starts.last().is_some_and(|end| end.to_native() as usize != self.entries.len()) {
            return wrong("the lists do not end where the entries do");
        }
        if self.places.iter().any(|row| row.to_native() as usize >= jurisdictions) {
            return wrong("a rank names a jurisdiction that does not exist");
        }
        if self.resources.iter().any(|number| number.to_native() as usize >= resources) {
            return wrong("a rank names a resource that does not exist");
        }
        Ok(())
    }
}

/// The node at the end of `text` and the least value below this node; `None` if no key begins with `text`.
fn below<'f>(fst: &'f Fst<&[u8]>, space: Space, text: &str) -> Option<(Node<'f>, u64)> {
    let (mut node, mut value) = (fst.root(), 0);
    for byte in std::iter::once(space.byte()).chain(text.bytes()) {
        let step = node.transition(node.find_input(byte)?);
        value += step.out.value();
        node = fst.node(step.addr);
    }
    Some((node, value))
}
