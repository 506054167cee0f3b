//! `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), and `Retry-After`.
//!
//! Both are lists of RFC 9651: `"minute";q=30;w=60, "day";q=1000;w=86400` and
//! `"minute";r=29;t=41, "day";r=987;t=40211`.

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue, RETRY_AFTER},
};

use super::{
    caller::Tier,
    quota::Bucket,
    store::{Standing, Window},
};

const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Maximum length of a value in bytes: four names of at most 13 characters, eight numbers of 10 digits, and
/// separators.
const BYTES_MAX: usize = 192;

/// Adds how many uses a caller has left in a bucket, and in lookups if the request needed one.
pub(super) fn add(
    headers: &mut HeaderMap,
    tier: Tier,
    (counted, standing): (Bucket, &Standing),
    lookups: Option<&Standing>,
) {
    let mut state = Buffer::new();
    state.standing(counted, standing);
    let mut policy = HeaderValue::from_static(counted.policy(tier));
    if let Some(lookups) = lookups {
        state.text(b", ");
        state.standing(Bucket::Lookups, lookups);
        let both = [counted, Bucket::Lookups].map(|bucket| bucket.policy(tier)).join(", ");
        policy = HeaderValue::from_str(&both).expect("the table is plain ASCII");
    }
    headers.insert(RATELIMIT_POLICY, policy);
    headers.insert(RATELIMIT, state.header());
}

/// Adds the number of seconds after which a refused caller may try again.
pub(super) fn add_retry_after(headers: &mut HeaderMap, seconds: u32) {
    headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
}

/// A header value under construction. Every response has such a value, so it is built without `format!`.
struct Buffer {
    bytes: [u8; BYTES_MAX],
    length: usize,
}

impl Buffer {
    fn new() -> Buffer {
        Buffer { bytes: [0; BYTES_MAX], length: 0 }
    }

    fn standing(&mut self, bucket: Bucket, standing: &Standing) {
        let [minute, day] = bucket.names();
        self.window(minute, standing.minute);
        self.text(b", ");
        self.window(day, standing.day);
    }

    fn window(&mut self, name: &str, window: Window) {
        self.text(b"\"");
        self.text(name.as_bytes());
        self.text(b"\";r=");
        self.number(window.left);
        self.text(b";t=");
        self.number(window.reset_s);
    }

    fn text(&mut self, text: &[u8]) {
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    fn number(&mut self, number: u32) {
        self.text(itoa::Buffer::new().format(number).as_bytes());
    }

    fn header(&self) -> HeaderValue {
        HeaderValue::from_bytes(&self.bytes[..self.length]).expect("names and digits are plain ASCII")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_value_has_room() {
        let longest = Window { left: u32::MAX, reset_s: u32::MAX };
        let standing = Standing { granted: true, minute: longest, day: longest };
        let mut headers = HeaderMap::new();
        add(&mut headers, Tier::Partner, (Bucket::Requests, &standing), Some(&standing));
        assert!(headers["ratelimit"].to_str().unwrap().ends_with("\"lookup-day\";r=4294967295;t=4294967295"));
    }

    #[test]
    fn the_fields_are_structured_and_name_the_contracts_numbers() {
        for (tier, [minute, day, lookup_minute, lookup_day]) in [
            (Tier::NoKey, [30, 1000, 10, 200]),
            (Tier::Standard, [120, 20_000, 40, 4000]),
            (Tier::Partner, [600, 200_000, 200, 20_000]),
        ] {
            let left = |left, reset_s| Window { left, reset_s };
            let requests = Standing { granted: true, minute: left(minute - 1, 41), day: left(0, 40_211) };
            let lookups = Standing { granted: false, minute: left(1, 2), day: left(3, 4) };
            let mut policies = vec![item("minute", "q", minute, "w", 60), item("day", "q", day, "w", 86_400)];
            let mut states = vec![item("minute", "r", minute - 1, "t", 41), item("day", "r", 0, "t", 40_211)];
            let mut headers = HeaderMap::new();
            add(&mut headers, tier, (Bucket::Requests, &requests), None);
            assert_eq!(
                (parsed(&headers["ratelimit-policy"]), parsed(&headers["ratelimit"])),
                (policies.clone(), states.clone())
            );
            policies.push(item("lookup-minute", "q", lookup_minute, "w", 60));
            policies.push(item("lookup-day", "q", lookup_day, "w", 86_400));
            states.extend([item("lookup-minute", "r", 1, "t", 2), item("lookup-day", "r", 3, "t", 4)]);
            add(&mut headers, tier, (Bucket::Requests, &requests), Some(&lookups));
            assert_eq!(
                (parsed(&headers["ratelimit-policy"]), parsed(&headers["ratelimit"])),
                (policies, states)
            );
        }
    }

    type Item = (String, Vec<(String, i64)>);

    fn item(name: &str, one: &str, first: u32, two: &str, second: u32) -> Item {
        (name.to_owned(), vec![(one.to_owned(), first.into()), (two.to_owned(), second.into())])
    }

    /// Parses a value with another implementation of RFC 9651.
    fn parsed(value: &HeaderValue) -> Vec<Item> {
        let list: sfv::List = sfv::Parser::new(value.as_bytes()).parse().unwrap();
        let items = list.into_iter().map(|entry| {
            let sfv::ListEntry::Item(item) = entry else { panic!("no inner lists") };
            let parameters = item
                .params
                .into_iter()
                .map(|(key, value)| (key.as_str().to_owned(), i64::from(value.as_integer().unwrap())));
            (item.bare_item.as_string().unwrap().as_str().to_owned(), parameters.collect())
        });
        items.collect()
    }
}
