//! The changes of the interface: one table for the page `/changelog` and for the headers of operations that end.
//!
//! Rows of operations that end stay for at least twelve months, as the contract promises.

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue, LINK},
};
use jiff::civil::{Date, date};

/// A change of the interface.
#[derive(Debug)]
pub struct Change {
    /// The first day on which the change applies.
    pub since: Date,
    /// The change in a sentence.
    pub summary: &'static str,
    /// The operation that the change ends; `None` for additions.
    pub ends: Option<End>,
}

/// The end of an operation, or of its present meaning.
#[derive(Debug)]
pub struct End {
    /// The operation that ends; its responses announce the end.
    pub operation: &'static str,
    /// The day on which the operation ends.
    pub sunset: Date,
}

/// All changes since the first release, the newest first.
pub const CHANGES: &[Change] = &[
    added("resolve accepts a ZIP code or a town as address, a state as place, and jurisdiction_id."),
    added("Screening takes place and state, or jurisdiction_id, for the radon zone of a county."),
    added("A parameter state takes the name of a state as well."),
    added("A slash at the end of a path and capitals in an id redirect to the usual path with status 308."),
    added("An API key that is not valid gives status 401 before limits are counted, and costs no request."),
    Change { since: date(2026, 11, 25), summary: "Version 1.0.0 of the interface.", ends: None },
];

/// Makes an addition, dated with the day on which this table began.
const fn added(summary: &'static str) -> Change {
    Change { since: date(2026, 11, 26), summary, ends: None }
}

/// Adds `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) to a response of an operation in the table, also to a problem.
///
/// The announcement is the changelog of the `site`.
pub(super) fn add(table: &[Change], headers: &mut HeaderMap, operation: &str, site: &str) {
    let ends = table.iter().filter_map(|row| Some((row.since, row.ends.as_ref()?)));
    for (since, end) in ends.filter(|(_, end)| end.operation == operation) {
        let since = format!("@{}", seconds(since));
        let sunset = end.sunset.strftime("%a, %d %b %Y 00:00:00 GMT").to_string();
        let link = format!("<{site}/changelog>; rel=\"deprecation\", <{site}/changelog>; rel=\"sunset\"");
        for (name, value) in
            [(HeaderName::from_static("deprecation"), since), (HeaderName::from_static("sunset"), sunset)]
        {
            headers.insert(name, value.try_into().expect("dates are plain ASCII"));
        }
        headers.append(LINK, HeaderValue::try_from(link).expect("addresses are plain ASCII"));
    }
}

/// Returns the seconds from 1970 to the start of the day in UTC.
fn seconds(date: Date) -> i64 {
    date.to_zoned(jiff::tz::TimeZone::UTC).map_or(0, |zoned| zoned.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use http_body_util::Empty;
    use hyper::Request;

    use super::*;
    use crate::{edition::Edition, http::Service, operations::OPERATIONS};
    use platbook::testing;

    /// Returns whether a row may stand in the table: it announces the end of an existing operation a year ahead, or
    /// ends nothing.
    fn is_announced(row: &Change) -> bool {
        row.ends.as_ref().is_none_or(|end| {
            end.sunset >= row.since.saturating_add(jiff::Span::new().months(12))
                && OPERATIONS.iter().any(|operation| operation.id == end.operation)
        })
    }

    #[test]
    fn notice_is_given_a_year_ahead() {
        assert!(CHANGES.iter().chain(TABLE).all(is_announced));
        assert!(CHANGES.is_sorted_by_key(|row| std::cmp::Reverse(row.since)));
        for wrong in [
            End { operation: "search", sunset: date(2027, 12, 31) },
            End { operation: "unknown", sunset: date(2030, 1, 1) },
        ] {
            assert!(!is_announced(&Change { since: date(2027, 1, 1), summary: "", ends: Some(wrong) }));
        }
    }

    const TABLE: &[Change] = &[Change {
        since: date(2027, 1, 1),
        summary: "Search ends.",
        ends: Some(End { operation: "search", sunset: date(2028, 3, 1) }),
    }];

    #[test]
    fn a_row_becomes_headers() {
        let mut headers = HeaderMap::new();
        add(TABLE, &mut headers, "other", "https://a.example");
        assert!(headers.is_empty());
        add(TABLE, &mut headers, "search", "https://a.example");
        assert_eq!(headers["deprecation"], "@1798761600");
        assert_eq!(headers["sunset"], "Wed, 01 Mar 2028 00:00:00 GMT");
        let link = "<https://a.example/changelog>; rel=\"deprecation\", <https://a.example/changelog>; rel=\"sunset\"";
        assert_eq!(headers[LINK], link);
    }

    /// A program that gets only problems must see the announcement as well.
    #[tokio::test]
    async fn every_response_of_the_operation_says_so() {
        let service =
            Service::new(Edition::new(testing::directory(), "https://platbook.example")).with_changes(TABLE);
        for (target, lines, status, says) in [
            ("/v1/search?q=zzzzqqqq", &[][..], 200, true),
            ("/v1/search?q=zzzzqqqq", &[("if-none-match", "*")], 304, true),
            ("/v1/search", &[], 400, true),
            ("/v1/search?q=a", &[("authorization", "Bearer none")], 401, true),
            ("/v1/topics", &[], 200, false),
            ("/v1/search/", &[], 308, false),
        ] {
            let mut request = Request::get(target).header("host", "x");
            for (name, value) in lines {
                request = request.header(*name, *value);
            }
            let (head, ()) = request.body(()).unwrap().into_parts();
            let response = service.respond(&head, Empty::new(), Ipv4Addr::LOCALHOST.into()).await;
            assert_eq!(response.status(), status, "{target}");
            for name in ["deprecation", "sunset"] {
                assert_eq!(response.headers().contains_key(name), says, "{name} of {target}");
            }
        }
    }
}
