//! Rules and guides: each state's book as one postcard message, so that a reader decodes only the states it is asked
//! about.

use rkyv::{Archive, Serialize};

use super::SnapshotError;
use crate::{
    rules::{Guide, StateBook},
    vocabulary::StateCode,
};

/// The book as stored.
#[derive(Debug, Archive, Serialize)]
pub struct Book {
    /// FIPS codes, ascending.
    states: Vec<u8>,
    /// First byte of each state's message; one more than states.
    starts: Vec<u32>,
    messages: Vec<u8>,
    /// All guides in one message.
    guides: Vec<u8>,
}

impl Default for Book {
    /// No state, no guide.
    fn default() -> Book {
        Book { states: Vec::new(), starts: vec![0], messages: Vec::new(), guides: Vec::new() }
    }
}

impl Book {
    /// Sorts and packs.
    ///
    /// # Errors
    /// When a state stands twice, or a value cannot be written.
    pub fn pack(states: &[StateBook], guides: &[Guide]) -> Result<Book, String> {
        let text = |error: postcard::Error| format!("the book cannot be written: {error}");
        let mut sorted: Vec<&StateBook> = states.iter().collect();
        sorted.sort_by_key(|book| book.rules.state.fips());
        let mut book = Book::default();
        for state in sorted {
            let fips = state.rules.state.fips();
            if book.states.contains(&fips) {
                return Err(format!("the rules of {} stand twice", state.rules.state));
            }
            book.states.push(fips);
            book.messages.extend(postcard::to_stdvec(state).map_err(text)?);
            book.starts.push(book.messages.len() as u32);
        }
        book.guides = postcard::to_stdvec(guides).map_err(text)?;
        Ok(book)
    }
}

impl ArchivedBook {
    /// The rules of a state, decoded. `None` where the snapshot has none.
    pub fn state(&self, state: StateCode) -> Option<StateBook> {
        let at = self.states.iter().position(|fips| *fips == state.fips())?;
        let (start, end) = (self.starts.get(at)?.to_native(), self.starts.get(at + 1)?.to_native());
        postcard::from_bytes(self.messages.get(start as usize..end as usize)?).ok()
    }

    /// All guides, decoded.
    pub fn guides(&self) -> Vec<Guide> {
        postcard::from_bytes(&self.guides).unwrap_or_default()
    }

    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        let ascending = self.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let within = self.starts.last().is_none_or(|end| end.to_native() as usize <= self.messages.len());
        if self.starts.len() != self.states.len() + 1 || !ascending || !within {
            return Err(SnapshotError::layout("book", "a start for each state and an end expected"));
        }
        Ok(())
    }
}
