//! Ids of offices and resources: opaque, stable, and derived from the record itself, not from the record's position
//! in a file.
//!
//! An id is the start of a hash of the record's natural key. Equal keys have equal ids in every snapshot.

use xxhash_rust::xxh3::xxh3_128;

use super::{IdText, base32_bits, base32_text};

/// Number of characters of an id after its prefix: 80 bits at 5 bits each.
const TEXT_CHARS: usize = 16;

/// The 80 bits of an id after its prefix, most significant byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub [u8; 10]);

impl RecordId {
    /// The id of a natural key; the same key always has the same id, in every snapshot.
    pub fn of(natural_key: &str) -> RecordId {
        let hash = xxh3_128(natural_key.as_bytes()).to_be_bytes();
        RecordId(std::array::from_fn(|at| hash[at]))
    }

    /// The id as text: its prefix, `off_` or `res_`, and 16 characters.
    pub fn text(self, prefix: &str) -> String {
        let bits = self.0.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        let id = base32_text::<TEXT_CHARS>(bits);
        [prefix, std::str::from_utf8(&id).expect("the alphabet is plain ASCII")].concat()
    }

    /// Parses an id without its prefix; `None` if the text is not an id.
    pub fn from_text(text: &str) -> Option<RecordId> {
        let bits = base32_bits(text).filter(|_| text.len() == TEXT_CHARS)?.to_be_bytes();
        Some(RecordId(std::array::from_fn(|at| bits[6 + at])))
    }
}

/// The natural key of an office, made of its body and its title.
pub fn office_key(body: &super::JurisdictionId, title: &str) -> String {
    ["office ", IdText::of(body).as_str(), " ", &title.to_lowercase()].concat()
}

/// The natural key of a resource: its body and its bare URL (see [`bare_url`]).
pub fn resource_key(body: &super::JurisdictionId, url: &str) -> String {
    ["resource ", IdText::of(body).as_str(), " ", &bare_url(url)].concat()
}

/// A URL without scheme, `www.` and trailing slashes, with its host in lower case.
pub fn bare_url(url: &str) -> String {
    let (host, path) = bare_parts(url);
    let mut bare = String::with_capacity(host.len() + path.len());
    bare.push_str(host);
    bare.make_ascii_lowercase();
    bare.push_str(path);
    bare
}

/// Whether two URLs lead to the same page: their bare forms are equal.
pub fn is_same_page(url: &str, other: &str) -> bool {
    let ((host, path), (other_host, other_path)) = (bare_parts(url), bare_parts(other));
    path == other_path && host.eq_ignore_ascii_case(other_host)
}

/// Parts of addresses, in lower case, that lead to a service for map software or to one scanned document.
const NO_PAGES: [&str; 9] = [
    "/featureserver",
    "/imageserver",
    "/mapserver",
    "/rest/services",
    "/weblink/0/doc/",
    "/weblink/doc/",
    "docview.aspx",
    "service=wfs",
    "service=wms",
];

/// Whether a URL leads to no page that people use, but to a service for map software or to one scanned document.
pub fn is_no_page(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    NO_PAGES.iter().any(|part| lower.contains(part))
}

/// The host of a URL without `www.`, in the case in which the URL has it.
pub fn host_of(url: &str) -> &str {
    bare_parts(url).0
}

/// Host and path of a URL, without scheme, `www.` and trailing slashes.
fn bare_parts(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_www = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    (if is_www { &host[4..] } else { host }, path.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_and_scans_are_no_pages() {
        for (url, expected) in [
            ("https://map.sussexcountyde.gov/trdserver/rest/services/Parcels/FeatureServer/0", true),
            ("https://greenwoodmap.com/sublette/mapserver", true),
            ("https://weblink.deschutes.org/Public/DocView.aspx?id=7", true),
            ("https://gis.sussex.nj.us/parceldocviewer/", false),
            ("https://gis.wyo.gov/parcels/", false),
        ] {
            assert_eq!(is_no_page(url), expected, "{url}");
        }
    }

    #[test]
    fn ids_never_change() {
        for (body, title, expected) in
            [("county:27053", "County Assessor", "off_"), ("county:27053", "COUNTY ASSESSOR", "off_")]
        {
            let key = office_key(&body.parse().unwrap(), title);
            let text = RecordId::of(&key).text("off_");
            assert_eq!(text, RecordId::of("office county:27053 county assessor").text("off_"));
            assert!(text.starts_with(expected) && text.len() == 20, "{text}");
        }
        assert_eq!(RecordId([0xff; 10]).text("res_"), format!("res_{}", "z".repeat(16)));
        assert_eq!(RecordId([0, 0, 0, 0, 1, 0, 0, 0, 0, 32]).text(""), "0000000100000010");
        for id in [RecordId([0xff; 10]), RecordId([0, 0, 0, 0, 1, 0, 0, 0, 0, 32])] {
            assert_eq!(RecordId::from_text(&id.text("")), Some(id));
        }
        for wrong in ["", "000000000000000", "00000000000000000", "000000000000000u", "000000000000000A"] {
            assert_eq!(RecordId::from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn addresses_of_one_page_have_one_key() {
        for (url, bare) in [
            ("https://www.Hennepin.us/Tax/", "hennepin.us/Tax"),
            ("http://hennepin.us/Tax", "hennepin.us/Tax"),
            ("https://hennepin.us/", "hennepin.us"),
            ("https://maps.x.gov/?a=1", "maps.x.gov/?a=1"),
        ] {
            assert_eq!(bare_url(url), bare);
        }
    }

    #[test]
    fn pages_are_the_same_where_their_bare_addresses_are() {
        for (url, other, bare) in [
            ("https://www.Elm.gov/", "http://elm.gov", "elm.gov"),
            ("https://elm.gov/Tax/", "HTTPS://WWW.ELM.GOV/Tax", "elm.gov/Tax"),
            ("elm.gov?q=1", "https://elm.gov?q=1", "elm.gov?q=1"),
            ("https://www.", "www.", ""),
        ] {
            assert!(is_same_page(url, other), "{url} {other}");
            assert_eq!([bare_url(url), bare_url(other)], [bare, bare]);
        }
        for (url, other) in [
            ("https://elm.gov/tax", "https://elm.gov/Tax"),
            ("https://elm.gov", "https://elm.gov.us"),
            ("", "a"),
        ] {
            assert!(!is_same_page(url, other), "{url} {other}");
            assert_ne!(bare_url(url), bare_url(other));
        }
    }
}
