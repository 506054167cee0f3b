//! Dates and amounts of the property tax, and the guides to them. Each state is one postcard message, so a reader decodes only
//! the states that it needs.

use rkyv::{Archive, Serialize};

use super::{SnapshotError, write_error::WriteError};
use crate::{
    rules::{Guide, StateDates},
    vocabulary::StateCode,
};

/// The dates as stored.
#[derive(Debug, Archive, Serialize)]
pub struct Dates {
    /// FIPS codes of the states, ascending.
    states: Vec<u8>,
    /// First byte of each state's message; one more at the end.
    starts: Vec<u32>,
    messages: Vec<u8>,
    /// Guides that readers from before this section cannot decode, in one message.
    guides: Vec<u8>,
}

impl Default for Dates {
    /// An empty section: no states and no guides.
    fn default() -> Dates {
        Dates { states: Vec::new(), starts: vec![0], messages: Vec::new(), guides: Vec::new() }
    }
}

impl Dates {
    /// Sorts by state and packs.
    ///
    /// # Errors
    /// If a state occurs twice, or a value cannot be encoded.
    pub fn pack(states: &[StateDates], guides: &[Guide]) -> Result<Dates, WriteError> {
        let unwritten = |error: postcard::Error| WriteError::section("dates", error);
        let mut sorted: Vec<&StateDates> = states.iter().collect();
        sorted.sort_by_key(|dates| dates.state.fips());
        let mut packed = Dates::default();
        for dates in sorted {
            let fips = dates.state.fips();
            if packed.states.contains(&fips) {
                return Err(WriteError::DuplicateState { state: dates.state });
            }
            packed.states.push(fips);
            packed.messages.extend(postcard::to_stdvec(dates).map_err(unwritten)?);
            packed.starts.push(packed.messages.len() as u32);
        }
        packed.guides = postcard::to_stdvec(guides).map_err(unwritten)?;
        Ok(packed)
    }
}

impl ArchivedDates {
    /// The dates of a state, decoded; `None` if the snapshot has none.
    pub fn state(&self, state: StateCode) -> Option<StateDates> {
        let at = self.states.iter().position(|fips| *fips == state.fips())?;
        let (start, end) = (self.starts.get(at)?.to_native(), self.starts.get(at + 1)?.to_native());
        postcard::from_bytes(self.messages.get(start as usize..end as usize)?).ok()
    }

    /// The guides, decoded; empty if they cannot be decoded.
    pub fn guides(&self) -> Vec<Guide> {
        postcard::from_bytes(&self.guides).unwrap_or_default()
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let ascending = self.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let within = self.starts.last().is_none_or(|end| end.to_native() as usize <= self.messages.len());
        if self.starts.len() != self.states.len() + 1 || !ascending || !within {
            return Err(SnapshotError::layout(
                "dates",
                "the starts of states are incomplete or out of order",
            ));
        }
        Ok(())
    }
}
