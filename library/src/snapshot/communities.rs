//! Communities without a government: parts of cities, villages, and census designated places.
//!
//! Each community has a government that does its jobs: the city or town around its point, or else the county.
//!
//! Rows are sorted by key, for binary search. Communities are not jurisdictions and have no boundaries here.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::vocabulary::name_key;

/// A community before it is packed into a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewCommunity {
    /// Name in the source's spelling.
    pub name: String,
    /// Row of the city, town or county that does the jobs for the community.
    pub body: u32,
    /// FIPS code of the community's state, 1 to 78.
    pub state: u8,
    /// Whether a search ranks it first among communities of the same name.
    pub known: bool,
}

/// The communities as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Communities {
    /// Sorted by folded name, for binary search.
    rows: Vec<CommunityRow>,
    heap: Vec<u8>,
}

#[derive(Debug, Archive, Serialize)]
pub(super) struct CommunityRow {
    /// Positions in `heap` of the folded name and of the name.
    key: u32,
    name: u32,
    body: u32,
    state: u8,
    /// Snapshots written before this field existed have zero padding here.
    known: bool,
}

impl Communities {
    /// Sorts and packs communities; duplicates are stored once.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a name has more than 255 bytes.
    pub fn pack(communities: Vec<NewCommunity>) -> Result<Communities, WriteError> {
        let mut keyed: Vec<(String, NewCommunity)> =
            communities.into_iter().map(|community| (name_key(&community.name), community)).collect();
        keyed.sort();
        keyed.dedup();
        let mut heap = TextHeap::<1>::new();
        let mut rows = Vec::with_capacity(keyed.len());
        for (key, NewCommunity { name, body, state, known }) in keyed {
            rows.push(CommunityRow { key: heap.place(&key)?, name: heap.place(&name)?, body, state, known });
        }
        Ok(Communities { rows, heap: heap.into_bytes() })
    }
}

impl ArchivedCommunities {
    /// The numbers of the communities whose folded name is `key`.
    pub fn named(&self, key: &str) -> impl Iterator<Item = u32> {
        let start = self.rows.partition_point(|row| self.key(row) < key);
        let rows = self.rows.get(start..).unwrap_or_default().iter();
        let count = rows.take_while(|row| self.key(row) == key).count();
        (start as u32..).take(count)
    }

    /// Name, state FIPS code and government of the community with this number; `None` for an unknown number. The
    /// government is a row of `jurisdictions`.
    pub fn get(&self, number: u32) -> Option<(&str, u8, u32)> {
        let row = self.rows.get(number as usize)?;
        Some((text_at::<1>(&self.heap, row.name.to_native()), row.state, row.body.to_native()))
    }

    /// Whether a search ranks a community first among those of the same name.
    pub fn is_known(&self, number: u32) -> bool {
        self.rows.get(number as usize).is_some_and(|row| row.known)
    }

    fn key(&self, row: &ArchivedCommunityRow) -> &str {
        text_at::<1>(&self.heap, row.key.to_native())
    }

    pub(super) fn check_layout(&self, jurisdictions: usize) -> Result<(), SnapshotError> {
        if self.rows.iter().any(|row| row.body.to_native() as usize >= jurisdictions) {
            return Err(SnapshotError::layout(
                "communities",
                "a row names a jurisdiction that does not exist",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communities_are_found_by_their_folded_name() {
        let community = |name: &str, body: u32, state: u8| NewCommunity {
            name: name.to_owned(),
            body,
            state,
            known: body == 2,
        };
        let all =
            vec![community("St. Mary", 1, 27), community("Bethesda", 2, 24), community("Saint Mary", 0, 55)];
        let packed = Communities::pack(all).unwrap();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedCommunities, rkyv::rancor::Error>(&bytes).unwrap();
        let named = |text: &str| -> Vec<(&str, u8, u32)> {
            read.named(&name_key(text)).filter_map(|number| read.get(number)).collect()
        };
        assert_eq!(named("bethesda"), [("Bethesda", 24, 2)]);
        assert_eq!(named("ST MARY"), [("Saint Mary", 55, 0), ("St. Mary", 27, 1)]);
        assert_eq!([0, 1, 2, 3].map(|number| read.is_known(number)), [true, false, false, false]);
        assert!(named("Beth").is_empty() && named("").is_empty() && read.get(3).is_none());
        assert!(read.check_layout(3).is_ok() && read.check_layout(2).is_err());
    }
}
