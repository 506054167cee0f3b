//! The table of operations that will be removed or change their meaning, with dates. Its rows stay for at least twelve
//! months.

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue, LINK},
};
use jiff::civil::Date;

/// An operation that will be removed or changed.
#[derive(Debug)]
pub(super) struct Deprecation {
    /// The operation whose responses say so.
    operation: &'static str,
    /// Since when it has been deprecated.
    since: Date,
    /// The day on which it ends.
    sunset: Date,
    /// URL of the announcement.
    announced_at: &'static str,
}

/// All deprecations that are announced.
pub(super) const DEPRECATIONS: &[Deprecation] = &[];

/// Adds `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) to a response of an operation in the table, also to a problem.
pub(super) fn add(table: &[Deprecation], headers: &mut HeaderMap, operation: &str) {
    for row in table.iter().filter(|row| row.operation == operation) {
        let since = format!("@{}", seconds(row.since));
        let sunset = row.sunset.strftime("%a, %d %b %Y 00:00:00 GMT").to_string();
        let link = format!("<{}>; rel=\"deprecation\", <{0}>; rel=\"sunset\"", row.announced_at);
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
    use jiff::civil::date;

    use super::*;
    use crate::{edition::Edition, http::Service, operations::OPERATIONS};
    use platbook::testing;

    /// Returns whether a row announces the removal of an existing operation a year ahead, at a URL.
    fn is_announced(row: &Deprecation) -> bool {
        row.sunset >= row.since.saturating_add(jiff::Span::new().months(12))
            && OPERATIONS.iter().any(|operation| operation.id == row.operation)
            && row.announced_at.starts_with("https://")
    }

    #[test]
    fn notice_is_given_a_year_ahead() {
        assert!(DEPRECATIONS.iter().chain(TABLE).all(is_announced));
        let [good] = TABLE else { panic!("one row") };
        for wrong in [
            Deprecation { sunset: date(2027, 12, 31), ..*good },
            Deprecation { operation: "unknown", ..*good },
            Deprecation { announced_at: "changelog", ..*good },
        ] {
            assert!(!is_announced(&wrong));
        }
    }

    const TABLE: &[Deprecation] = &[Deprecation {
        operation: "search",
        since: date(2027, 1, 1),
        sunset: date(2028, 3, 1),
        announced_at: "https://platbook.example/changelog",
    }];

    #[test]
    fn a_row_becomes_headers() {
        let mut headers = HeaderMap::new();
        add(TABLE, &mut headers, "other");
        assert!(headers.is_empty());
        add(TABLE, &mut headers, "search");
        assert_eq!(headers["deprecation"], "@1798761600");
        assert_eq!(headers["sunset"], "Wed, 01 Mar 2028 00:00:00 GMT");
        assert!(headers[LINK].to_str().is_ok_and(|link| link.contains("rel=\"sunset\"")));
    }

    /// A program that only gets problems must see the notice as well.
    #[tokio::test]
    async fn every_response_of_the_operation_says_so() {
        let service = Service::new(Edition::new(testing::directory(), "https://platbook.example"))
            .with_deprecations(TABLE);
        for (target, lines, status, says) in [
            ("/v1/search?q=zzzzqqqq", &[][..], 200, true),
            ("/v1/search?q=zzzzqqqq", &[("if-none-match", "*")], 304, true),
            ("/v1/search", &[], 400, true),
            ("/v1/search?q=a", &[("authorization", "Bearer none")], 401, true),
            ("/v1/topics", &[], 200, false),
            ("/v1/search/", &[], 404, false),
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
