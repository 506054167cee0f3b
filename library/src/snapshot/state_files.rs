//! Rules of the states, dates and amounts of their property tax, and the guides to both. Each state has its own
//! postcard message, so a reader decodes only the states that it needs.

use std::marker::PhantomData;

use rkyv::{Archive, Serialize};
use serde::de::DeserializeOwned;

use super::{SnapshotError, write_error::WriteError};
use crate::{
    rules::{Guide, PastCases, StateDates, StateFile},
    vocabulary::StateCode,
};

/// A message about one state, in a section that has one such message for each state.
pub trait StateMessage: serde::Serialize + DeserializeOwned {
    /// The name of the section that holds these messages.
    const SECTION: &'static str;

    /// The state that the message is about.
    fn state(&self) -> StateCode;
}

impl StateMessage for StateFile {
    const SECTION: &'static str = "book";

    fn state(&self) -> StateCode {
        self.rules.state
    }
}

impl StateMessage for StateDates {
    const SECTION: &'static str = "dates";

    fn state(&self) -> StateCode {
        self.state
    }
}

impl StateMessage for PastCases {
    const SECTION: &'static str = "past_cases";

    fn state(&self) -> StateCode {
        self.state
    }
}

/// Rules, pages and districts of all states, with the guides that the first releases can decode.
pub type StateFiles = ByState<StateFile>;
/// The stored form of [`StateFiles`].
pub type ArchivedStateFiles = ArchivedByState<StateFile>;
/// Dates and amounts of all states, with the guides that the first releases cannot decode.
pub type Dates = ByState<StateDates>;
/// The stored form of [`Dates`].
pub type ArchivedDates = ArchivedByState<StateDates>;
/// Cases of the rules that held until a day; without guides.
pub type PastRules = ByState<PastCases>;
/// The stored form of [`PastRules`].
pub type ArchivedPastRules = ArchivedByState<PastCases>;

/// One message for each state, as stored.
#[derive(Debug, Archive, Serialize)]
pub struct ByState<T> {
    /// FIPS codes of the states, ascending.
    states: Vec<u8>,
    /// First byte of each state's message, and at the end the length of all messages.
    starts: Vec<u32>,
    messages: Vec<u8>,
    /// All guides, as one message.
    guides: Vec<u8>,
    of: PhantomData<T>,
}

impl<T> Default for ByState<T> {
    /// An empty section, without states and guides.
    fn default() -> ByState<T> {
        ByState {
            states: Vec::new(),
            starts: vec![0],
            messages: Vec::new(),
            guides: Vec::new(),
            of: PhantomData,
        }
    }
}

impl<T: StateMessage> ByState<T> {
    /// Sorts the messages by state and packs them.
    ///
    /// # Errors
    /// If a state occurs twice, or a value cannot be encoded.
    pub fn pack(states: &[T], guides: &[Guide]) -> Result<ByState<T>, WriteError> {
        let unwritten = |error: postcard::Error| WriteError::section(T::SECTION, error);
        let mut sorted: Vec<&T> = states.iter().collect();
        sorted.sort_by_key(|message| message.state().fips());
        let mut packed = ByState::default();
        for message in sorted {
            let fips = message.state().fips();
            if packed.states.contains(&fips) {
                return Err(WriteError::DuplicateState { state: message.state() });
            }
            packed.states.push(fips);
            packed.messages.extend(postcard::to_stdvec(message).map_err(unwritten)?);
            packed.starts.push(packed.messages.len() as u32);
        }
        packed.guides = postcard::to_stdvec(guides).map_err(unwritten)?;
        Ok(packed)
    }
}

impl<T: StateMessage> ArchivedByState<T> {
    /// Decodes the message of a state; `None` if the snapshot has none.
    pub fn state(&self, state: StateCode) -> Option<T> {
        let at = self.states.iter().position(|fips| *fips == state.fips())?;
        let (start, end) = (self.starts.get(at)?.to_native(), self.starts.get(at + 1)?.to_native());
        postcard::from_bytes(self.messages.get(start as usize..end as usize)?).ok()
    }

    /// Decodes all guides; empty if they cannot be decoded.
    pub fn guides(&self) -> Vec<Guide> {
        postcard::from_bytes(&self.guides).unwrap_or_default()
    }

    pub(super) fn check_layout(&self) -> Result<(), SnapshotError> {
        let ascending = self.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let within = self.starts.last().is_none_or(|end| end.to_native() as usize <= self.messages.len());
        if self.starts.len() != self.states.len() + 1 || !ascending || !within {
            return Err(SnapshotError::layout(
                T::SECTION,
                "the starts of states are incomplete or out of order",
            ));
        }
        Ok(())
    }
}
