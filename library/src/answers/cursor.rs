//! Cursors of paged lists. A cursor holds the offset of the next page and two hashes, of the question and of the
//! snapshot.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Refusal;
use crate::vocabulary::ProblemKind;

/// The identity of a paged list: everything that decides its content and order.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    /// Operation, parameters and limit, in one text.
    pub(super) text: String,
    /// Id of the snapshot that the list is from.
    pub(super) snapshot: &'a str,
}

/// The part of a list that is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paging {
    /// Maximum number of items on a page, 1 to 100.
    pub limit: usize,
    /// The cursor from the page before; `None` for the first page.
    pub cursor: Option<String>,
}

impl Question<'_> {
    fn own_tag(&self, offset: u32) -> u64 {
        xxh3_64_with_seed(self.text.as_bytes(), u64::from(offset))
    }

    fn snapshot_tag(&self, own_tag: u64) -> u32 {
        (xxh3_64(self.snapshot.as_bytes()) ^ own_tag) as u32
    }

    /// Returns the cursor of the page that begins at `offset`.
    pub(super) fn cursor(&self, offset: usize) -> String {
        let offset = offset as u32;
        let own_tag = self.own_tag(offset);
        format!("{offset:08x}{own_tag:016x}{:08x}", self.snapshot_tag(own_tag))
    }

    /// Returns the offset that a cursor holds; 0 without a cursor.
    ///
    /// # Errors
    /// `bad-cursor`, which says whether the text is not a cursor, or is the cursor of another question or of an older
    /// snapshot.
    pub(super) fn offset(&self, cursor: Option<&str>) -> Result<usize, Refusal> {
        let Some(cursor) = cursor else { return Ok(0) };
        let bad = |detail: &str| Refusal::new(ProblemKind::BadCursor, detail);
        let number = |part: Option<&str>| part.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let parts = (number(cursor.get(..8)), number(cursor.get(8..24)), number(cursor.get(24..)));
        let is_written_so = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_hex = cursor.len() == 32 && cursor.bytes().all(is_written_so);
        let (Some(offset), Some(own_tag), Some(snapshot_tag)) = parts else {
            return Err(bad("this is not a cursor of this service; pass next_cursor back unchanged"));
        };
        if !is_hex || own_tag != self.own_tag(offset as u32) {
            return Err(bad(
                "this cursor was not given for these parameters; pass next_cursor back unchanged, with the same other \
                 parameters",
            ));
        }
        if snapshot_tag != u64::from(self.snapshot_tag(own_tag)) {
            return Err(bad("this cursor is of an older snapshot; ask again without a cursor"));
        }
        Ok(offset as usize)
    }

    /// Returns the items of a page, and the cursor of the next page; the cursor of the last page is `None`.
    ///
    /// # Errors
    /// `bad-cursor`.
    pub(super) fn page<T>(
        &self,
        mut items: Vec<T>,
        paging: &Paging,
    ) -> Result<(Vec<T>, Option<String>), Refusal> {
        let start = self.offset(paging.cursor.as_deref())?.min(items.len());
        let end = (start + paging.limit).min(items.len());
        let next = (end < items.len()).then(|| self.cursor(end));
        items.truncate(end);
        Ok((items.split_off(start), next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str, snapshot: &'static str) -> Question<'static> {
        Question { text: text.to_owned(), snapshot }
    }

    #[test]
    fn pages_concatenate_to_the_whole() {
        let own = question("resources county:27053 3", "a");
        for limit in 1..12 {
            let (mut all, mut cursor) = (Vec::new(), None);
            loop {
                let (page, next) = own.page((0..10).collect(), &Paging { limit, cursor }).unwrap();
                assert!(page.len() <= limit);
                all.extend(page);
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(all, (0..10).collect::<Vec<_>>(), "{limit}");
        }
    }

    #[test]
    fn other_cursors_are_refused_with_the_reason() {
        let own = question("resources county:27053 3", "a");
        let cursor = own.cursor(3);
        assert_eq!(own.offset(Some(&cursor)).unwrap(), 3);
        let other = question("resources county:27055 3", "a").cursor(3);
        let stale = question("resources county:27053 3", "b").cursor(3);
        let tampered = cursor.replacen("00000003", "00000006", 1);
        for (cursor, said) in [
            ("", "not a cursor"),
            ("x", "not a cursor"),
            ("é".repeat(16).as_str(), "not a cursor"),
            (&other, "not given for these parameters"),
            (&tampered, "not given for these parameters"),
            (&cursor.replacen('0', "+", 1), "not given for these parameters"),
            (&format!("{cursor}0"), "not given for these parameters"),
            (&cursor.to_uppercase(), "not given for these parameters"),
            (&stale, "older snapshot"),
        ] {
            let refusal = own.offset(Some(cursor)).unwrap_err();
            assert_eq!(refusal.kind, ProblemKind::BadCursor);
            assert!(refusal.detail.contains(said), "{cursor}: {}", refusal.detail);
        }
    }
}
