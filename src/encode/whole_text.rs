//! Texts that are asked for often, in one piece: they are sent from where they stand, and copied by the kernel alone.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, AtomicU64, Ordering},
};

use bytes::Bytes;

use platbook::budget::{Budget, CacheFigures, Kept};

/// How often a text is asked for before it is put together, and how often until it is tried again where there was no room.
const OFTEN: u32 = 64;

/// Memory for such texts. Who came first stays as long as what it was put together from.
#[derive(Debug)]
pub(super) struct WholeTexts {
    bytes: AtomicU64,
    bytes_max: u64,
}

impl WholeTexts {
    /// No text is kept yet.
    pub(super) fn within(budget: Budget) -> Arc<WholeTexts> {
        Arc::new(WholeTexts { bytes: AtomicU64::new(0), bytes_max: budget.bytes_of(Kept::WholeTexts) })
    }

    /// What is kept and may be, beside that of the texts that these were put together from.
    pub(super) fn add_to(&self, figures: CacheFigures) -> CacheFigures {
        CacheFigures {
            bytes: figures.bytes + self.bytes.load(Ordering::Relaxed),
            bytes_max: figures.bytes_max + self.bytes_max,
            ..figures
        }
    }

    fn has_room(&self, bytes: u64) -> bool {
        let taken = |taken: u64| Some(taken + bytes).filter(|all| *all <= self.bytes_max);
        self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }
}

/// A text that is put together once it is asked for often.
#[derive(Debug)]
pub(super) struct WholeText {
    room: Arc<WholeTexts>,
    asked: AtomicU32,
    text: OnceLock<Bytes>,
}

impl WholeText {
    /// Is not put together yet.
    pub(super) fn new(room: &Arc<WholeTexts>) -> WholeText {
        WholeText { room: Arc::clone(room), asked: AtomicU32::new(0), text: OnceLock::new() }
    }

    /// The text of so many bytes that `make` puts together, if it is asked for often and there is room.
    pub(super) fn get(&self, bytes: usize, make: impl FnOnce() -> Bytes) -> Option<Bytes> {
        if let Some(text) = self.text.get() {
            return Some(text.clone());
        }
        // One of all who ask counts up to it, so one puts it together.
        let is_turn = (self.asked.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(OFTEN);
        if !is_turn || !self.room.has_room(bytes as u64) {
            return None;
        }
        let mut is_first = false;
        let text = self.text.get_or_init(|| {
            is_first = true;
            make()
        });
        if !is_first {
            self.room.bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
        }
        Some(text.clone())
    }
}

impl Drop for WholeText {
    fn drop(&mut self) {
        if let Some(text) = self.text.get() {
            self.room.bytes.fetch_sub(text.len() as u64, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(bytes_max: u64) -> Arc<WholeTexts> {
        Arc::new(WholeTexts { bytes: AtomicU64::new(0), bytes_max })
    }

    fn asked(text: &WholeText, times: u32) -> Option<Bytes> {
        let ask = || text.get(3, || Bytes::from_static(b"abc"));
        (1..times).for_each(|_| drop(ask()));
        ask()
    }

    #[test]
    fn what_is_asked_for_often_is_put_together_where_there_is_room() {
        let room = room(5);
        let (one, other) = (WholeText::new(&room), WholeText::new(&room));
        assert_eq!(asked(&one, OFTEN - 1), None);
        assert_eq!(asked(&one, 1).as_deref(), Some(&b"abc"[..]));
        assert_eq!(one.get(3, || unreachable!("it is at hand")).as_deref(), Some(&b"abc"[..]));
        assert_eq!(asked(&other, OFTEN), None, "3 of 5 bytes are taken");
        drop(one);
        assert_eq!(asked(&other, OFTEN - 1), None, "the next turn is not yet");
        assert!(asked(&other, 1).is_some());
        drop(other);
        assert_eq!(room.bytes.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn all_who_ask_at_once_get_one_text_and_it_is_counted_once() {
        let room = room(100);
        let text = WholeText::new(&room);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| asked(&text, 10 * OFTEN));
            }
        });
        assert!(asked(&text, 1).is_some());
        assert_eq!(room.bytes.load(Ordering::Relaxed), 3);
    }
}
