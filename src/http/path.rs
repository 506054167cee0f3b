//! Normalizes paths that are spelled differently but mean the same.

use std::borrow::Cow;

/// Decodes each escape of an unreserved character (RFC 3986, section 6.2.2.2). A path with a broken escape stays
/// unchanged: half-decoded, it could become a valid one.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut plain = String::with_capacity(path.len());
    let mut parts = path.split('%');
    plain.extend(parts.next());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            return Cow::Borrowed(path);
        };
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            plain.push(char::from(byte));
            plain.push_str(&part[2..]);
        } else {
            plain.push('%');
            plain.push_str(part);
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn unreserved_escapes_alone_are_decoded() {
        for (path, expected) in [
            ("/v1/topics", "/v1/topics"),
            ("/v1/%74op%69cs", "/v1/topics"),
            ("/v1%2Ftopics", "/v1%2Ftopics"),
            ("/%7E%2d%5F%2e%41%7a%30", "/~-_.Az0"),
            ("/places/county%3A27053", "/places/county%3A27053"),
            ("/%2574", "/%2574"),
            ("/%%37%34", "/%%37%34"),
            ("/%74%", "/%74%"),
            ("/%74%7", "/%74%7"),
            ("/%74%+4", "/%74%+4"),
            ("/%74%é", "/%74%é"),
            ("/%C3%A9", "/%C3%A9"),
        ] {
            assert_eq!(normal(path), expected);
        }
    }
}
