//! Results of link checks: the day, result and HTTP status for each link. The three are separate columns, so that a
//! nightly run of checks changes few bytes of a snapshot.

use std::collections::BTreeSet;

use rkyv::{Archive, Serialize};

use super::SnapshotError;
use crate::vocabulary::{VerificationMethod, VerifiedStatus};

/// The most recent check of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkCheck<'a> {
    /// The result of the check.
    pub status: VerifiedStatus,
    /// Start of the day of the check, RFC 3339.
    pub at: &'a str,
    /// The method of the check.
    pub method: VerificationMethod,
    /// The HTTP status; `None` if no server answered.
    pub http_status: Option<u16>,
}

/// The checks of all links, as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct LinkChecks {
    /// Days of checks, RFC 3339. [`slot_of`] gives the index of each day; unused slots are empty texts.
    days: Vec<String>,
    /// Checks of websites, in the order of `records`.
    websites: CheckColumns,
    /// Checks of resources, in the order of `records`.
    resources: CheckColumns,
    /// Checks of sources, in the order of `meta`.
    sources: CheckColumns,
}

/// Checks of all links of one kind. Each column has one value for each link.
#[derive(Debug, Default, Archive, Serialize)]
pub struct CheckColumns {
    /// The slot of the day of each check, plus 1; 0 for a link without a check.
    days: Vec<u8>,
    /// The result of each check, `VerifiedStatus as u8`.
    statuses: Vec<u8>,
    /// The HTTP status of each check; 0 if no server answered.
    http_statuses: Vec<u16>,
}

/// The check of one link, before packing; `None` for a link without a check.
pub type NewLinkCheck<'a> = Option<LinkCheck<'a>>;

impl LinkChecks {
    /// Packs the checks of all links. Each list is in the order of its section. Of the days that share a slot, only the
    /// latest day keeps its checks.
    pub fn pack(
        websites: &[NewLinkCheck<'_>],
        resources: &[NewLinkCheck<'_>],
        sources: &[NewLinkCheck<'_>],
    ) -> LinkChecks {
        let all = [websites, resources, sources];
        let mut days = vec![""; usize::from(u8::MAX)];
        let sorted: BTreeSet<&str> = all.into_iter().flatten().flatten().map(|check| check.at).collect();
        for day in sorted {
            if let Some(slot) = slot_of(day) {
                days[usize::from(slot)] = day;
            }
        }
        let [websites, resources, sources] = all.map(|checks| CheckColumns::pack(checks, &days));
        LinkChecks { days: days.into_iter().map(str::to_owned).collect(), websites, resources, sources }
    }
}

/// Returns the slot of a day; `None` for a text that is not a day. A day has the same slot in each snapshot, so a
/// nightly run changes only the bytes of the links that it checked. Slots numbered by age would all change whenever the
/// oldest day leaves the list. A delta would then have 30 kB instead of 9 kB. Days within eight months never share a
/// slot.
fn slot_of(day: &str) -> Option<u8> {
    let number = |part: std::ops::Range<usize>| day.get(part)?.parse::<u32>().ok();
    let day = 372 * number(0..4)? + 31 * number(5..7)? + number(8..10)?;
    Some((day % u32::from(u8::MAX)) as u8)
}

impl CheckColumns {
    fn pack(checks: &[NewLinkCheck<'_>], days: &[&str]) -> CheckColumns {
        let mut columns = CheckColumns::default();
        for check in checks {
            let slot = |at: &str| slot_of(at).filter(|slot| days[usize::from(*slot)] == at);
            let dated = check.and_then(|check| Some((check, slot(check.at)?)));
            let number = dated.map_or(0, |(_, slot)| slot + 1);
            let status = dated.map_or(VerifiedStatus::NotYetVerified, |(check, _)| check.status);
            columns.days.push(number);
            columns.statuses.push(status as u8);
            columns.http_statuses.push(dated.and_then(|(check, _)| check.http_status).unwrap_or(0));
        }
        columns
    }
}

impl ArchivedLinkChecks {
    /// The check of a website by its number in `records`; `None` without a check.
    pub fn of_website(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.websites, number)
    }

    /// The check of a resource by its number in `records`; `None` without a check.
    pub fn of_resource(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.resources, number)
    }

    /// The check of a source by its row in `meta`; `None` without a check.
    pub fn of_source(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.sources, number)
    }

    fn check<'a>(&'a self, of: &ArchivedCheckColumns, number: usize) -> Option<LinkCheck<'a>> {
        let day = usize::from(*of.days.get(number)?).checked_sub(1)?;
        let http_status = of.http_statuses.get(number).map(|status| status.to_native());
        Some(LinkCheck {
            status: VerifiedStatus::from_u8(*of.statuses.get(number)?)?,
            at: self.days.get(day).filter(|day| !day.is_empty())?,
            method: VerificationMethod::Automated,
            http_status: http_status.filter(|status| *status != 0),
        })
    }

    pub(super) fn check_layout(
        &self,
        websites: usize,
        resources: usize,
        sources: usize,
    ) -> Result<(), SnapshotError> {
        for (of, columns, expected) in [
            ("website", &self.websites, websites),
            ("resource", &self.resources, resources),
            ("source", &self.sources, sources),
        ] {
            let lengths = [columns.days.len(), columns.statuses.len(), columns.http_statuses.len()];
            if lengths != [expected; 3] {
                let detail = format!("{expected} checks expected, one for each {of}; got {lengths:?}");
                return Err(SnapshotError::layout("link_checks", detail));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_read_as_they_were_packed() {
        let check = |status, at, http_status| {
            Some(LinkCheck { status, at, method: VerificationMethod::Automated, http_status })
        };
        // [`slot_of`] counts 31 days in each month, so these days have consecutive slots.
        let day = |number: u32| format!("2026-{:02}-{:02}T00:00:00Z", 1 + number / 31, 1 + number % 31);
        let days: Vec<String> = (0..300).map(day).collect();
        let old = check(VerifiedStatus::Verified, &days[0], Some(200));
        let new = check(VerifiedStatus::PossiblyBroken, &days[299], None);
        let no_day = check(VerifiedStatus::Verified, "yesterday", None);
        let all: Vec<_> =
            days.iter().map(|day| check(VerifiedStatus::Verified, day.as_str(), Some(204))).collect();
        let packed = LinkChecks::pack(&[new, no_day, old], &all, &[None]);
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedLinkChecks, rkyv::rancor::Error>(&bytes).unwrap();
        let websites = [0, 1, 2, 3].map(|number| read.of_website(number));
        assert_eq!(websites, [new, None, None, None], "an old day gives its slot to a later one");
        let first = (0..300).find(|number| read.of_resource(*number).is_some()).unwrap();
        assert_eq!(first, 300 - 255, "days before these are too old");
        assert!((first..300).all(|number| read.of_resource(number) == all[number]));
        assert_eq!(read.of_source(0), None);
        assert!(read.check_layout(3, 300, 1).is_ok() && read.check_layout(3, 300, 2).is_err());
    }

    #[test]
    fn a_night_changes_the_bytes_of_its_links_alone() {
        let check = |at| {
            let (status, method) = (VerifiedStatus::Verified, VerificationMethod::Automated);
            Some(LinkCheck { status, at, method, http_status: Some(200) })
        };
        let (first, second, third) = ("2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z");
        let pack = |days: [&'static str; 3]| LinkChecks::pack(&days.map(check), &[], &[]).websites.days;
        let (before, after) = (pack([first, second, second]), pack([third, second, second]));
        assert_eq!((before[1..].to_vec(), before[0] != after[0]), (after[1..].to_vec(), true));
    }
}
