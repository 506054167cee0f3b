//! Compresses bodies for clients that accept it (`Accept-Encoding`, RFC 9110 12.5.3).
//!
//! Every body contains its request id, so bodies differ and each is compressed when it is sent. The lowest levels
//! save four of five bytes; the next ones take twice the time to save little more. A body is sent plain if the field
//! is malformed or accepts no coding of the service. This crate has its own parser: published ones belong to a
//! framework or have had one release (as of November 2026).

use std::cell::RefCell;

use flate2::{Compress, Compression, FlushCompress, Status};
use hyper::{
    HeaderMap,
    header::{ACCEPT_ENCODING, HeaderValue},
};
use zstd::bulk::Compressor;

use crate::encode::BodyParts;

/// Minimum length in bytes of a body that is compressed. A shorter one fits into one packet, or into two with its
/// headers, compressed or not.
const WORTH_BYTES: usize = 1400;

const GZIP_LEVEL: u32 = 1;
const ZSTD_LEVEL: i32 = 1;

/// Size of gzip's window as a power of two: 32 KiB, which hold a whole answer.
const GZIP_WINDOW_BITS: u8 = 15;

/// Extra capacity of a gzip buffer in bytes. Its header, trailer and block marks need less, even for a body that does
/// not shrink.
const GZIP_SLACK_BYTES: usize = 64;

/// The weight 1, in thousandths (RFC 9110, section 12.4.2).
const WEIGHT_MAX: u16 = 1000;

/// A compressed body with its coding.
pub(super) struct Packed {
    /// The value of `Content-Encoding`.
    pub(super) coding: HeaderValue,
    /// The compressed bytes of the body.
    pub(super) bytes: Vec<u8>,
}

/// Returns the body in the coding that the client prefers; `None` for the plain body.
pub(super) fn pack(headers: &HeaderMap, body: &BodyParts) -> Option<Packed> {
    let coding = chosen(headers, body.len())?;
    Some(Packed { coding: coding.header(), bytes: coding.pack(&body.clone().into_contiguous())? })
}

/// Returns the coding that the client prefers for a body of this many bytes; `None` for the plain body.
pub(super) fn chosen(headers: &HeaderMap, bytes: usize) -> Option<Coding> {
    let wishes = Wishes::of(headers);
    let coding = wishes.best()?;
    (bytes >= WORTH_BYTES || !wishes.takes_plain()).then_some(coding)
}

/// A content coding of responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the codings")]
pub enum Coding {
    Gzip,
    Zstd,
}

impl Coding {
    /// Returns the body in this coding; `None` if the body does not shrink or memory is short.
    pub(super) fn pack(self, body: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = match self {
            Coding::Gzip => gzip(body),
            Coding::Zstd => zstd(body),
        }?;
        // The body stays in memory for as long as a slow client reads it, so unused capacity is freed.
        bytes.shrink_to_fit();
        Some(bytes)
    }

    /// Returns the value of `Content-Encoding`.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Coding::Gzip => "gzip",
            Coding::Zstd => "zstd",
        })
    }
}

/// The weights in a client's `Accept-Encoding`, in thousandths; 0 refuses a coding.
#[derive(Debug, Default)]
struct Wishes {
    gzip: Option<u16>,
    zstd: Option<u16>,
    identity: Option<u16>,
    /// The weight of `*`, which applies to each coding that the client does not name.
    any: Option<u16>,
}

impl Wishes {
    /// Parses the headers; malformed members of the list are skipped.
    fn of(headers: &HeaderMap) -> Wishes {
        let mut wishes = Wishes::default();
        for line in headers.get_all(ACCEPT_ENCODING) {
            for (coding, weight) in line.as_bytes().split(|byte| *byte == b',').filter_map(member) {
                wishes.add(coding, weight);
            }
        }
        wishes
    }

    /// Adds a weight. A coding that is named twice gets the lower weight.
    fn add(&mut self, coding: &[u8], weight: u16) {
        let is = |name: &[u8]| coding.eq_ignore_ascii_case(name);
        let known = if is(b"gzip") || is(b"x-gzip") {
            &mut self.gzip
        } else if is(b"zstd") {
            &mut self.zstd
        } else if is(b"identity") {
            &mut self.identity
        } else if is(b"*") {
            &mut self.any
        } else {
            return;
        };
        *known = Some(known.map_or(weight, |earlier| earlier.min(weight)));
    }

    /// Returns the preferred coding; `None` for the plain body. Among equal weights, zstd comes first, since it is
    /// smaller and faster, then gzip. `*` does not include zstd: some clients that send `*` cannot decode it.
    fn best(&self) -> Option<Coding> {
        let plain = self.identity.or(self.any).unwrap_or(0);
        let gzip = self.gzip.or(self.any).unwrap_or(0);
        let zstd = self.zstd.unwrap_or(0);
        let (weight, coding) = if zstd >= gzip { (zstd, Coding::Zstd) } else { (gzip, Coding::Gzip) };
        (weight > 0 && weight >= plain).then_some(coding)
    }

    fn takes_plain(&self) -> bool {
        self.identity.or(self.any) != Some(0)
    }
}

/// Parses a member of the list, such as `gzip` or `gzip;q=0.5`: the coding and its weight. `None` if malformed.
fn member(text: &[u8]) -> Option<(&[u8], u16)> {
    let mut parts = text.splitn(2, |byte| *byte == b';');
    let coding = parts.next()?.trim_ascii();
    let weight = parts.next().map_or(Some(WEIGHT_MAX), |parameter| weight(parameter.trim_ascii()))?;
    Some((coding, weight))
}

/// Parses `q=` and a number from 0 to 1; decimals after the third are ignored. `None` if malformed.
fn weight(parameter: &[u8]) -> Option<u16> {
    let (name, value) = parameter.split_at_checked(2)?;
    let (whole, rest) = value.split_first()?;
    let digits = if rest.is_empty() { rest } else { rest.strip_prefix(b".")? };
    let well_formed = name.eq_ignore_ascii_case(b"q=")
        && matches!(whole, b'0' | b'1')
        && digits.iter().all(u8::is_ascii_digit);
    let mut weight = u16::from(*whole == b'1') * WEIGHT_MAX;
    for (digit, place) in digits.iter().zip([100, 10, 1]) {
        weight += place * u16::from(digit.wrapping_sub(b'0') % 10);
    }
    (well_formed && weight <= WEIGHT_MAX).then_some(weight)
}

// Each thread makes the tables of a compressor once and reuses them: making them costs more than compressing a small
// body.
thread_local! {
    static GZIP: RefCell<Compress> =
        RefCell::new(Compress::new_gzip(Compression::new(GZIP_LEVEL), GZIP_WINDOW_BITS));
    static ZSTD: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(ZSTD_LEVEL).ok());
}

/// Compresses with gzip; `None` if the body would not shrink.
fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    GZIP.with_borrow_mut(|compressor| {
        compressor.reset();
        let mut packed = Vec::with_capacity(body.len() + GZIP_SLACK_BYTES);
        let status = compressor.compress_vec(body, &mut packed, FlushCompress::Finish).ok()?;
        (status == Status::StreamEnd).then_some(packed)
    })
}

/// Compresses with zstd; `None` if memory is short.
fn zstd(body: &[u8]) -> Option<Vec<u8>> {
    ZSTD.with_borrow_mut(|compressor| compressor.as_mut()?.compress(body).ok())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use bytes::Bytes;
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn accepting<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> HeaderMap {
        let values = lines.into_iter().filter_map(|line| HeaderValue::from_bytes(line).ok());
        values.map(|value| (ACCEPT_ENCODING, value)).collect()
    }

    /// Returns the name of the coding, after checking that the packed bytes decode to the body.
    fn packed(headers: &HeaderMap, body: &[u8]) -> &'static str {
        let Some(Packed { coding, bytes }) = pack(headers, &Bytes::copy_from_slice(body).into()) else {
            return "";
        };
        let mut unpacked = Vec::new();
        let coding = match coding.as_bytes() {
            b"gzip" => {
                flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).unwrap();
                "gzip"
            }
            _ => {
                unpacked = zstd::bulk::decompress(&bytes, body.len()).unwrap();
                "zstd"
            }
        };
        assert_eq!(unpacked, body);
        coding
    }

    /// Cases: header lines separated by `|`, and the expected codings of a large and of a small body.
    const WISHES: &[(&str, &str, &str)] = &[
        ("gzip", "gzip", ""),
        ("zstd", "zstd", ""),
        ("x-gzip", "gzip", ""),
        ("GZip", "gzip", ""),
        ("gzip, deflate, br", "gzip", ""),
        ("gzip, deflate, br, zstd", "zstd", ""),
        ("gzip;q=1.0, zstd;q=0.9", "gzip", ""),
        ("gzip;q=0.001, zstd;q=0.002", "zstd", ""),
        ("gzip ; q=0.8 ,\tzstd ;Q=0.5", "gzip", ""),
        ("deflate|gzip", "gzip", ""),
        ("gzip;q=1.|zstd;q=0.", "gzip", ""),
        ("gzip, , ,", "gzip", ""),
        // Codings that the client refuses, or prefers less than the plain body
        ("", "", ""),
        ("identity", "", ""),
        ("br, deflate, compress", "", ""),
        ("gzip;q=0", "", ""),
        ("gzip;q=0.000, zstd;q=0", "", ""),
        ("gzip;q=0, zstd", "zstd", ""),
        ("gzip;q=0.5, identity", "", ""),
        ("gzip;q=0.5, identity;q=0.4", "gzip", ""),
        ("gzip, identity", "gzip", ""),
        ("gzip, gzip;q=0", "", ""),
        // Any coding
        ("*", "gzip", ""),
        ("*;q=0.1", "gzip", ""),
        ("*;q=0", "", ""),
        ("gzip;q=0, *", "", ""),
        ("zstd, *;q=0.5", "zstd", ""),
        ("identity, *;q=0.5", "", ""),
        // The client refuses the plain body
        ("gzip, identity;q=0", "gzip", "gzip"),
        ("zstd;q=0.1, *;q=0", "zstd", "zstd"),
        ("*, identity;q=0", "gzip", "gzip"),
        ("identity;q=0", "", ""),
        ("br, identity;q=0", "", ""),
        // Malformed
        ("gzip;q=2", "", ""),
        ("gzip;q=1.001", "", ""),
        ("gzip;q=-1", "", ""),
        ("gzip;q=.5", "", ""),
        ("gzip;q=0,5", "", ""),
        ("gzip;q=x, zstd", "zstd", ""),
        ("gzip;q", "", ""),
        ("gzip;", "", ""),
        ("gzip;level=9", "", ""),
        ("gzip zstd", "", ""),
        ("gzip;q=0.99999", "gzip", ""),
        ("gzip;q=0.0009", "", ""),
        ("\"gzip\"", "", ""),
        ("gzipped", "", ""),
    ];

    #[test]
    fn clients_get_the_coding_that_they_like_best() {
        let large = "{\"name\":\"Hennepin County\",\"type\":\"county\"}".repeat(100);
        for (accepted, of_large, of_small) in WISHES {
            let headers = accepting(accepted.split('|').map(str::as_bytes));
            assert_eq!(packed(&headers, large.as_bytes()), *of_large, "{accepted}");
            assert_eq!(packed(&headers, b"{}"), *of_small, "{accepted}, a small body");
        }
        assert_eq!(packed(&HeaderMap::new(), large.as_bytes()), "", "nothing is asked for");
    }

    #[test]
    fn the_smallest_body_that_is_worth_it_is_packed() {
        let headers = accepting([&b"gzip"[..]]);
        assert_eq!(packed(&headers, &vec![b' '; WORTH_BYTES - 1]), "");
        assert_eq!(packed(&headers, &vec![b' '; WORTH_BYTES]), "gzip");
    }

    proptest! {
        #[test]
        fn no_header_and_no_body_fails(
            lines in vec("[a-z*;,=q01. \u{e9}]{0,60}|gzip|zstd|identity;q=0", 0..4),
            body in vec(any::<u8>(), 0..5000),
        ) {
            packed(&accepting(lines.iter().map(String::as_bytes)), &body);
        }
    }
}
