//! A certificate with its key, read from PEM.

use std::{fmt, net::IpAddr, sync::Arc};

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use tokio_rustls::rustls::{
    self, SignatureAlgorithm,
    pki_types::{
        CertificateDer, PrivateKeyDer, ServerName,
        pem::{self, PemObject as _},
    },
    sign::CertifiedKey,
};
use webpki::EndEntityCert;

/// Maximum number of names that a text about a certificate shows. An authority allows up to 100 names.
const SHOWN_MAX: usize = 5;

/// A certificate with its private key.
#[derive(Debug)]
pub struct Certificate {
    key: Arc<CertifiedKey>,
    names: Vec<String>,
    begins: Timestamp,
    ends: Timestamp,
}

/// The reason why a certificate and a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFault {
    /// The text has no certificate.
    #[error("expected a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----, got none")]
    NoCertificate,
    /// The text has no key, or only an encrypted one.
    #[error("expected a private key in PEM without a password, got none")]
    NoKey,
    /// A section of the text is damaged.
    #[error("the PEM text is damaged")]
    Damaged(#[source] pem::Error),
    /// The certificate cannot be read.
    #[error("the certificate cannot be read")]
    Unread,
    /// The key belongs to another certificate.
    #[error("the key does not fit the certificate")]
    OtherKey,
    /// The key is of an unknown kind, or damaged.
    #[error("the key cannot be used")]
    Unusable(#[source] rustls::Error),
}

impl Certificate {
    /// Reads a chain of certificates and its key. The chain starts with the service's own certificate.
    ///
    /// # Errors
    /// Fails if a certificate or the key is missing or damaged, or if the key belongs to another certificate.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Certificate, CertificateFault> {
        let chain = CertificateDer::pem_slice_iter(chain).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(CertificateFault::Damaged)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| match error {
            pem::Error::NoItemsFound => CertificateFault::NoKey,
            error => CertificateFault::Damaged(error),
        })?;
        Certificate::new(chain, key)
    }

    /// Makes a certificate from a chain and a key. The chain starts with the service's own certificate.
    ///
    /// # Errors
    /// Fails if the chain is empty or cannot be read, or the key belongs to another certificate.
    pub fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> Result<Certificate, CertificateFault> {
        let first = chain.first().ok_or(CertificateFault::NoCertificate)?;
        let (begins, ends) = validity(first).ok_or(CertificateFault::Unread)?;
        let parsed = EndEntityCert::try_from(first).map_err(|_| CertificateFault::Unread)?;
        let names = parsed.valid_dns_names().map(str::to_owned).collect();
        let key = CertifiedKey::from_der(chain, key, &platbook_https::provider());
        let key = key.map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => CertificateFault::OtherKey,
            error => CertificateFault::Unusable(error),
        })?;
        Ok(Certificate { key: Arc::new(key), names, begins, ends })
    }

    pub(super) fn key(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.key)
    }

    /// Returns the first second of the certificate's validity.
    pub fn begins(&self) -> Timestamp {
        self.begins
    }

    /// Returns the last second of the certificate's validity.
    pub fn ends(&self) -> Timestamp {
        self.ends
    }

    /// Returns why the certificate's dates exclude this time; `None` if it is valid then.
    pub fn fault_at(&self, now: Timestamp) -> Option<String> {
        if self.ends < now {
            Some(format!("the certificate expired at {}: browsers refuse it", self.ends))
        } else if self.begins > now {
            Some(format!("the certificate is valid from {} on: browsers refuse it until then", self.begins))
        } else {
            None
        }
    }

    /// Returns whether the certificate is for this host: a name, or a network address with or without brackets.
    pub fn is_for(&self, host: &str) -> bool {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let address = host.parse::<IpAddr>().map(|address| ServerName::IpAddress(address.into()));
        let name = address.ok().or_else(|| ServerName::try_from(host).ok());
        let parsed = self.key.cert.first().and_then(|first| EndEntityCert::try_from(first).ok());
        name.zip(parsed).is_some_and(|(name, parsed)| parsed.verify_is_valid_for_subject_name(&name).is_ok())
    }

    /// Returns whether the key is an RSA key. Its handshakes take several times as long as those with ECDSA.
    pub fn is_rsa(&self) -> bool {
        self.key.key.algorithm() == SignatureAlgorithm::RSA
    }
}

/// Shows the certificate's first names and its last day, for logs.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.names.as_slice() {
            [] => f.write_str("without names")?,
            names if names.len() <= SHOWN_MAX => write!(f, "for {}", names.join(", "))?,
            names => write!(f, "for {} and others", names[..SHOWN_MAX].join(", "))?,
        }
        write!(f, ", valid until {}", self.ends)
    }
}

/// Tags of the DER encoding (X.690, section 8).
const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;

/// Returns the first and the last second of a certificate's validity (RFC 5280, section 4.1). In rustls, only clients
/// check these times, and no function returns them.
fn validity(certificate: &[u8]) -> Option<(Timestamp, Timestamp)> {
    let (mut fields, _) = element(element(certificate, SEQUENCE)?.0, SEQUENCE)?;
    if fields.first() == Some(&VERSION) {
        fields = element(fields, VERSION)?.1;
    }
    // Skips the serial number, the algorithm of the signature, and the issuer.
    for tag in [INTEGER, SEQUENCE, SEQUENCE] {
        fields = element(fields, tag)?.1;
    }
    let (times, _) = element(fields, SEQUENCE)?;
    let (begins, rest) = time(times)?;
    Some((begins, time(rest)?.0))
}

/// Splits off the first element if it has this tag. Returns its content, and the bytes after it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match *first {
        short @ ..=0x7f => (usize::from(short), rest),
        // The low bits give the number of length bytes. A certificate needs at most three.
        long @ 0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(long & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    (*found == tag).then(|| rest.split_at_checked(length)).flatten()
}

/// Splits off a time: `YYMMDDHHMMSSZ` from 1950 to 2049, and `YYYYMMDDHHMMSSZ` otherwise.
fn time(bytes: &[u8]) -> Option<(Timestamp, &[u8])> {
    let is_short = *bytes.first()? == UTC_TIME;
    let (text, rest) = element(bytes, if is_short { UTC_TIME } else { GENERALIZED_TIME })?;
    let text = std::str::from_utf8(text.strip_suffix(b"Z")?).ok()?;
    let digits = if is_short { 12 } else { 14 };
    let is_whole = text.len() == digits && text.bytes().all(|digit| digit.is_ascii_digit());
    let (year, rest_of_text) = is_whole.then(|| text.split_at(text.len() - 10))?;
    let year: i16 = year.parse().ok()?;
    let year = match year {
        0..50 if is_short => year + 2_000,
        _ if is_short => year + 1_900,
        year => year,
    };
    let part = |at: usize| rest_of_text[at..at + 2].parse::<i8>().ok();
    let date = DateTime::new(year, part(0)?, part(2)?, part(4)?, part(6)?, part(8)?, 0).ok()?;
    // The last day of 9999 means that there is no last day (RFC 5280, section 4.1.2.5). `jiff` cannot represent this
    // time.
    Some((date.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |date| date.timestamp()), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_certificates_have_them() {
        for (tag, text, expected) in [
            (UTC_TIME, "261127005500Z", Some("2026-11-27T00:55:00Z")),
            (UTC_TIME, "491231235959Z", Some("2049-12-31T23:59:59Z")),
            (UTC_TIME, "500101000000Z", Some("1950-01-01T00:00:00Z")),
            (GENERALIZED_TIME, "20500101000000Z", Some("2050-01-01T00:00:00Z")),
            (GENERALIZED_TIME, "99991231235959Z", Some("9999-12-30T22:00:00.999999999Z")),
            (UTC_TIME, "261332005500Z", None),
            (UTC_TIME, "2611270055Z", None),
            (UTC_TIME, "261127005500", None),
            (UTC_TIME, "2611270055\u{e9}Z", None),
            (GENERALIZED_TIME, "261127005500Z", None),
            (INTEGER, "261127005500Z", None),
        ] {
            let bytes = [&[tag, text.len() as u8], text.as_bytes(), b"rest"].concat();
            let read = time(&bytes).map(|(time, rest)| (time.to_string(), rest));
            assert_eq!(read, expected.map(|expected| (expected.to_owned(), &b"rest"[..])), "{text}");
        }
    }

    #[test]
    fn elements_end_where_their_length_says() {
        let long = [&[SEQUENCE, 0x82, 0x01, 0x00][..], &[7; 256], b"rest"].concat();
        for (bytes, expected) in [
            (&b"\x30\x02abrest"[..], Some((2, 4))),
            (b"\x30\x81\x02abrest", Some((2, 4))),
            (&long, Some((256, 4))),
            (b"\x30\x00", Some((0, 0))),
            (b"\x30\x03ab", None),
            (b"\x30\x80ab", None),
            (b"\x30\x84\x00\x00\x00\x02ab", None),
            (b"\x30\x82\x02", None),
            (b"\x31\x02ab", None),
            (b"\x30", None),
            (b"", None),
        ] {
            let split = element(bytes, SEQUENCE).map(|(content, rest)| (content.len(), rest.len()));
            assert_eq!(split, expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_certificate_says_its_names_and_dates_and_whether_a_key_fits() {
        let made = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            rcgen::generate_simple_self_signed(names).unwrap()
        };
        let (one, other) = (made(&["a.example", "*.b.example", "127.0.0.1"]), made(&["c.example"]));
        let key = |of: &rcgen::CertifiedKey<rcgen::KeyPair>| {
            PrivateKeyDer::try_from(of.signing_key.serialize_der()).unwrap()
        };
        let certificate = Certificate::new(vec![one.cert.der().clone()], key(&one)).unwrap();
        assert_eq!(
            certificate.to_string(),
            "for a.example, *.b.example, valid until 4096-01-01T00:00:00Z",
            "rcgen makes such dates"
        );
        for (host, expected) in [
            ("a.example", true),
            ("A.example", true),
            ("x.b.example", true),
            ("b.example", false),
            ("127.0.0.1", true),
            ("[::1]", false),
            ("", false),
        ] {
            assert_eq!(certificate.is_for(host), expected, "{host}");
        }
        assert!(!certificate.is_rsa());
        for (now, said) in [("1970-01-01T00:00:00Z", "valid from"), ("5000-01-01T00:00:00Z", "expired at")] {
            assert!(certificate.fault_at(now.parse().unwrap()).unwrap().contains(said), "{now}");
        }
        assert_eq!(certificate.fault_at("2026-11-27T00:00:00Z".parse().unwrap()), None);
        let wrong =
            |chain: Vec<CertificateDer<'static>>, key| Certificate::new(chain, key).unwrap_err().to_string();
        assert!(wrong(vec![one.cert.der().clone()], key(&other)).contains("does not fit"));
        assert!(wrong(Vec::new(), key(&one)).contains("expected a certificate"));
        assert!(wrong(vec![CertificateDer::from(b"nothing".to_vec())], key(&one)).contains("cannot be read"));
        let no_key = Certificate::from_pem(b"", b"").unwrap_err();
        assert!(no_key.to_string().contains("private key"), "{no_key}");
    }
}
