//! Finds streets whose keys are similar to the wanted ones, all in one pass over a ZIP code.

use std::{cell::OnceCell, ops::Range};

use super::street_name::{StreetName, fits_kind};
use crate::{
    snapshot::{ArchivedStreets, letters_near, letters_of},
    vocabulary::{SLIPS_MAX, Spelling},
};

/// A key with the tests that a similar key must pass, cheapest first.
pub(super) struct NearKey<'k> {
    key: &'k str,
    kind: Option<&'static str>,
    letters: u32,
    slips: u32,
    digits: String,
    /// The first two letters, if the key is so short that a slip in them would make another name.
    start: Option<[u8; 2]>,
    /// Compiled when the first street passes the letter test, because few streets do.
    spelling: OnceCell<Option<Box<Spelling>>>,
}

impl<'k> NearKey<'k> {
    /// Returns `None` for a key that is too short for slips, and for a numbered road: `us17` is not a misspelled
    /// `i17`.
    pub(super) fn to(name: &'k StreetName) -> Option<NearKey<'k>> {
        let StreetName { key, kind, .. } = name;
        let letters = key.trim_end_matches(|char: char| char.is_ascii_digit());
        if letters.len() < key.len() && letters.len() <= 4 {
            return None;
        }
        let slips = Spelling::slips_for(key) as u32;
        if slips == 0 {
            return None;
        }
        let bytes = key.as_bytes();
        // Up to five letters, one slip at the start is usually another name: Vine St is not Pine St.
        let start = (bytes.len() <= 5).then(|| [bytes[0], bytes[1]]);
        let (letters, digits) = (letters_of(key), digits_of(key).collect());
        Some(NearKey { key, kind: *kind, letters, slips, digits, start, spelling: OnceCell::new() })
    }

    /// Whether a key with these letters may be similar to this key.
    #[inline]
    fn may_be(&self, letters: u32) -> bool {
        letters_near(self.letters, letters, self.slips)
    }

    /// The number of slips between the keys; `None` if they are not similar. Digits are never slips: 1st St is not 2nd
    /// St.
    fn slips_to(&self, key: &str) -> Option<u8> {
        if key.len().abs_diff(self.key.len()) > self.slips as usize {
            return None;
        }
        let new = || Spelling::new(self.key, self.slips as usize).map(Box::new);
        let slips = self.spelling.get_or_init(new).as_ref()?.slips_to(key)?;
        // A short key keeps its first letter, or has its first two letters swapped.
        let keeps_start = self.start.is_none_or(|start| {
            key.starts_with(start[0] as char) || key.as_bytes().get(..2) == Some(&[start[1], start[0]])
        });
        (keeps_start && digits_of(key).eq(self.digits.chars())).then_some(slips as u8)
    }
}

fn digits_of(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(char::is_ascii_digit)
}

/// Keys that are searched for together. Readings of one text share most of their letters. So one test of a street's
/// letters usually rejects all keys.
pub(super) struct Group<'n, 'k> {
    members: Vec<(usize, &'n NearKey<'k>)>,
    /// Letters that occur in every key.
    shared: u32,
    /// Letters that occur in any key.
    all: u32,
    slips: u32,
}

impl<'n, 'k> Group<'n, 'k> {
    /// A group of keys, each with a number that identifies it.
    pub(super) fn new(members: Vec<(usize, &'n NearKey<'k>)>) -> Group<'n, 'k> {
        let letters = || members.iter().map(|(_, near)| near.letters);
        Group {
            shared: letters().fold(u32::MAX, |shared, letters| shared & letters),
            all: letters().fold(0, |all, letters| all | letters),
            slips: members.iter().map(|(_, near)| near.slips).max().unwrap_or_default(),
            members,
        }
    }

    /// Calls `near` for each street that is similar to a key. The arguments of `near` are the number of the key, the
    /// number of the street, and the number of slips.
    pub(super) fn walk(
        &self,
        streets: &ArchivedStreets,
        of_zip: Range<usize>,
        near: impl FnMut(usize, usize, u8),
    ) {
        // The test of a street takes a third of the time if its number of slips is known at compile time.
        match (self.members.len(), self.slips) {
            (0, _) => {}
            (_, 1) => self.walk_within::<1>(streets, of_zip, near),
            _ => self.walk_within::<{ SLIPS_MAX as u32 }>(streets, of_zip, near),
        }
    }

    fn walk_within<const SLIPS: u32>(
        &self,
        streets: &ArchivedStreets,
        of_zip: Range<usize>,
        mut near: impl FnMut(usize, usize, u8),
    ) {
        for (street, letters) in (of_zip.start..).zip(streets.letters(of_zip)) {
            if !self.may_be::<SLIPS>(letters) {
                continue;
            }
            for (member, key) in self.members.iter().filter(|(_, key)| key.may_be(letters)) {
                // The type is cheaper to compare than the key.
                let fits = streets.kind(street).is_some_and(|kind| fits_kind(key.kind, kind));
                let named = streets.key(street).filter(|_| fits);
                if let Some(slips) = named.and_then(|street| key.slips_to(street)) {
                    near(*member, street, slips);
                }
            }
        }
    }

    /// Whether a key with these letters may be similar to a key of the group. It must have nearly all letters that
    /// all keys share, and hardly any letters that no key has.
    #[inline]
    fn may_be<const SLIPS: u32>(&self, letters: u32) -> bool {
        letters_near(letters & self.shared, self.shared, SLIPS)
            && letters_near(letters & self.all, letters, SLIPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(key: &str) -> StreetName {
        let key = key.to_owned();
        StreetName { before: None, key, kind: None, after: None, kind_was_corrected: false }
    }

    #[test]
    fn slips_are_distinguished_from_other_names() {
        for (key, street, slips) in [
            ("main", "main", Some(0)),
            ("mian", "main", Some(1)),
            ("vine", "pine", None),
            ("ipne", "pine", Some(1)),
            ("holidayisland", "hollidayiland", Some(2)),
            ("holidayisland", "holidayislands12", None),
            ("maine12", "maine13", None),
            ("churchmain", "church", None),
        ] {
            assert_eq!(NearKey::to(&name(key)).unwrap().slips_to(street), slips, "{key} {street}");
            let group = |keys: &[&str]| {
                let names: Vec<StreetName> = keys.iter().map(|key| name(key)).collect();
                let nears: Vec<NearKey<'_>> = names.iter().filter_map(NearKey::to).collect();
                Group::new(nears.iter().enumerate().collect()).may_be::<2>(letters_of(street))
            };
            assert!(slips.is_none() || group(&[key, "zyzzyva"]), "{key} {street}");
        }
        for key in ["elm", "us17", "12", "hwy360"] {
            assert!(NearKey::to(&name(key)).is_none(), "{key}");
        }
    }
}
