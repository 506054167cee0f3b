//! Streets whose keys are nearly those that are looked for, all in one walk.

use std::{cell::OnceCell, ops::Range};

use super::street_name::{StreetName, fits_kind};
use crate::{
    snapshot::{ArchivedStreets, letters_near, letters_of},
    vocabulary::{SLIPS_MAX, Spelling},
};

/// Which keys are nearly that of a name.
pub(super) struct Near<'k> {
    key: &'k str,
    kind: Option<&'static str>,
    letters: u32,
    slips: u32,
    digits: String,
    /// The first two letters, which a short name must keep.
    start: Option<[u8; 2]>,
    /// Made when the first street has letters that fit: few do.
    spelling: OnceCell<Option<Box<Spelling>>>,
}

impl<'k> Near<'k> {
    /// `None` where the key is too short for slips, or that of a numbered road, whose class is no slip of another.
    pub(super) fn to(name: &'k StreetName) -> Option<Near<'k>> {
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
        let start = (bytes.len() <= 5).then(|| [bytes[0], bytes[1]]);
        let (letters, digits) = (letters_of(key), digits_of(key).collect());
        Some(Near { key, kind: *kind, letters, slips, digits, start, spelling: OnceCell::new() })
    }

    /// Whether a key with these letters may be near.
    #[inline]
    fn may_be(&self, letters: u32) -> bool {
        letters_near(self.letters, letters, self.slips)
    }

    /// How many slips away a key is. Digits are never slips: 1st St is not 2nd St.
    fn slips_to(&self, key: &str) -> Option<u8> {
        if key.len().abs_diff(self.key.len()) > self.slips as usize {
            return None;
        }
        let new = || Spelling::new(self.key, self.slips as usize).map(Box::new);
        let slips = self.spelling.get_or_init(new).as_ref()?.slips_to(key)?;
        let keeps_start = self.start.is_none_or(|start| {
            key.starts_with(start[0] as char) || key.as_bytes().get(..2) == Some(&[start[1], start[0]])
        });
        (keeps_start && digits_of(key).eq(self.digits.chars())).then_some(slips as u8)
    }
}

fn digits_of(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(char::is_ascii_digit)
}

/// Keys that are looked for together. Readings of one text share most of their letters, so one test of a street's letters
/// mostly tells that none of them is near.
pub(super) struct Group<'n, 'k> {
    members: Vec<(usize, &'n Near<'k>)>,
    /// Letters that every key has.
    shared: u32,
    /// Letters that some key has.
    all: u32,
    slips: u32,
}

impl<'n, 'k> Group<'n, 'k> {
    /// A group of keys, each with a number to know it by.
    pub(super) fn of(members: Vec<(usize, &'n Near<'k>)>) -> Group<'n, 'k> {
        let letters = || members.iter().map(|(_, near)| near.letters);
        Group {
            shared: letters().fold(u32::MAX, |shared, letters| shared & letters),
            all: letters().fold(0, |all, letters| all | letters),
            slips: members.iter().map(|(_, near)| near.slips).max().unwrap_or_default(),
            members,
        }
    }

    /// Tells of each street that is near a key: the number of the key, that of the street, and the slips.
    pub(super) fn walk(
        &self,
        streets: &ArchivedStreets,
        of_zip: Range<usize>,
        near: impl FnMut(usize, usize, u8),
    ) {
        // The test of a street takes a third of the time where its number of slips is known beforehand.
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
                // The type is quicker to compare than the key.
                let fits = streets.kind(street).is_some_and(|kind| fits_kind(key.kind, kind));
                let named = streets.key(street).filter(|_| fits);
                if let Some(slips) = named.and_then(|street| key.slips_to(street)) {
                    near(*member, street, slips);
                }
            }
        }
    }

    /// Whether a key with these letters may be near one of the group: it lacks few of the letters that all have, and has few
    /// that none has.
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
        StreetName { before: None, key, kind: None, after: None, kind_was_mended: false }
    }

    #[test]
    fn slips_are_told_from_other_names() {
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
            assert_eq!(Near::to(&name(key)).unwrap().slips_to(street), slips, "{key} {street}");
            let group = |keys: &[&str]| {
                let names: Vec<StreetName> = keys.iter().map(|key| name(key)).collect();
                let nears: Vec<Near<'_>> = names.iter().filter_map(Near::to).collect();
                Group::of(nears.iter().enumerate().collect()).may_be::<2>(letters_of(street))
            };
            assert!(slips.is_none() || group(&[key, "zyzzyva"]), "{key} {street}");
        }
        for key in ["elm", "us17", "12", "hwy360"] {
            assert!(Near::to(&name(key)).is_none(), "{key}");
        }
    }
}
