//! Results of link checks: day, result and HTTP status of each link. Columns of their own, so that a night of checks
//! changes few bytes of a snapshot.

use std::collections::BTreeSet;

use rkyv::{Archive, Serialize};

use super::SnapshotError;
use crate::vocabulary::{VerificationMethod, VerifiedStatus};

/// The last check of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkCheck<'a> {
    /// The result of the check.
    pub status: VerifiedStatus,
    /// Begin of the day of the check, RFC 3339.
    pub at: &'a str,
    /// The method of the check.
    pub method: VerificationMethod,
    /// The HTTP status; `None` if no server answered.
    pub http_status: Option<u16>,
}

/// The checks as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct LinkChecks {
    /// Days of checks, RFC 3339, sorted.
    days: Vec<String>,
    /// Checks of websites, in the order of `records`.
    websites: CheckColumns,
    /// Checks of resources, in the order of `records`.
    resources: CheckColumns,
    /// Checks of sources, in the order of `meta`.
    sources: CheckColumns,
}

/// Checks of links of one kind: a value for each link in each column.
#[derive(Debug, Default, Archive, Serialize)]
pub struct CheckColumns {
    /// The index of the day, plus 1; 0 for a link without a check.
    days: Vec<u8>,
    /// The result of each check, by the number of [`VerifiedStatus`].
    statuses: Vec<u8>,
    /// HTTP statuses; 0 if no server answered.
    http_statuses: Vec<u16>,
}

/// The check of a link that is packed; `None` without a check.
pub type NewLinkCheck<'a> = Option<LinkCheck<'a>>;

impl LinkChecks {
    /// Packs the checks of all links, each list in the order of its section. Of more than 255 days, the latest count.
    pub fn pack(
        websites: &[NewLinkCheck<'_>],
        resources: &[NewLinkCheck<'_>],
        sources: &[NewLinkCheck<'_>],
    ) -> LinkChecks {
        let all = [websites, resources, sources];
        let days: BTreeSet<&str> = all.into_iter().flatten().flatten().map(|check| check.at).collect();
        let days: Vec<&str> =
            days.iter().copied().skip(days.len().saturating_sub(usize::from(u8::MAX))).collect();
        let [websites, resources, sources] = all.map(|checks| CheckColumns::pack(checks, &days));
        LinkChecks { days: days.into_iter().map(str::to_owned).collect(), websites, resources, sources }
    }
}

impl CheckColumns {
    fn pack(checks: &[NewLinkCheck<'_>], days: &[&str]) -> CheckColumns {
        let mut columns = CheckColumns::default();
        for check in checks {
            let dated = check.and_then(|check| Some((check, days.binary_search(&check.at).ok()?)));
            let number = dated.map_or(0, |(_, day)| day as u8 + 1);
            let status = dated.map_or(VerifiedStatus::NotYetVerified, |(check, _)| check.status);
            columns.days.push(number);
            columns.statuses.push(status as u8);
            columns.http_statuses.push(dated.and_then(|(check, _)| check.http_status).unwrap_or(0));
        }
        columns
    }
}

impl ArchivedLinkChecks {
    /// The check of the website with this number.
    pub fn of_website(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.websites, number)
    }

    /// The check of the resource with this number.
    pub fn of_resource(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.resources, number)
    }

    /// The check of the source with this number.
    pub fn of_source(&self, number: usize) -> Option<LinkCheck<'_>> {
        self.check(&self.sources, number)
    }

    fn check<'a>(&'a self, of: &ArchivedCheckColumns, number: usize) -> Option<LinkCheck<'a>> {
        let day = usize::from(*of.days.get(number)?).checked_sub(1)?;
        let http_status = of.http_statuses.get(number).map(|status| status.to_native());
        Some(LinkCheck {
            status: VerifiedStatus::from_u8(*of.statuses.get(number)?)?,
            at: self.days.get(day)?,
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
        let days: Vec<String> = (0..300).map(|day| format!("{day:03}")).collect();
        let old = check(VerifiedStatus::Verified, &days[0], Some(200));
        let new = check(VerifiedStatus::PossiblyBroken, &days[299], None);
        let all: Vec<_> =
            days.iter().map(|day| check(VerifiedStatus::Verified, day.as_str(), Some(204))).collect();
        let packed = LinkChecks::pack(&[new, None, old], &all, &[None]);
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&packed).unwrap();
        let read = rkyv::access::<ArchivedLinkChecks, rkyv::rancor::Error>(&bytes).unwrap();
        // The oldest of 300 days are left out.
        let websites = [0, 1, 2, 3].map(|number| read.of_website(number));
        assert_eq!(websites, [new, None, None, None]);
        let first = (0..300).find_map(|number| read.of_resource(number)).unwrap();
        assert_eq!((first.at, first.http_status), ("045", Some(204)));
        assert_eq!((read.of_source(0), read.days.last().map(|day| day.as_str())), (None, Some("299")));
        assert!(read.check_layout(3, 300, 1).is_ok() && read.check_layout(3, 300, 2).is_err());
    }
}
