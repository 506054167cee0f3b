//! Makes one HTTP request for a file or a signature. Follows a few redirects, and bounds each step in time. Other
//! modules store and check snapshots.

use std::{error::Error as _, time::Duration};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    HeaderMap, Request, Response, StatusCode,
    body::Incoming,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, IF_NONE_MATCH, LOCATION, USER_AGENT},
};
use tokio::time::timeout;

use super::{Limits, Refusal, SignatureFault, SnapshotUrl, signature::SIGNATURE_BYTES_MAX};
use platbook::vocabulary::{OUTSIDE_CHARS_MAX, clean_text, is_clean_text, with_causes};
use platbook_https::{self as https, Hosts};

/// Maximum number of redirects to follow: chosen, not measured.
const REDIRECTS_MAX: usize = 3;

/// The `User-Agent`, which servers find in their logs.
const AGENT: &str = concat!("platbook/", env!("CARGO_PKG_VERSION"));

/// Makes the requests of one poll. Each poll makes a new client: polls are rare, and no connection stays open between
/// them.
pub(super) struct Client {
    http: https::Client,
    /// The hosts that redirects may reach: the mirror, and hosts of the public internet.
    hosts: Hosts,
    limits: Limits,
}

/// The server's response to a request for a file.
pub(super) enum Reply {
    /// The file is unchanged (304). Holds its entity tag if the server sends one.
    Same(Option<String>),
    /// The file. Its body must still be read.
    File(Arriving),
}

/// A response with a file: its head has arrived, its body not yet.
pub(super) struct Arriving {
    /// The entity tag of this version; `None` if the server sends no usable tag.
    pub(super) etag: Option<String>,
    /// Length of the body in bytes, as the server announced it; `None` if unknown.
    pub(super) length: Option<u64>,
    /// The body, which is not read yet.
    pub(super) body: Incoming,
}

impl Client {
    /// Makes a client for the files of a mirror. The mirror's host may be anywhere, since the operator chose it; a
    /// redirect must lead to a public host.
    pub(super) fn new(mirror: &SnapshotUrl, limits: Limits) -> Client {
        let hosts = mirror.hosts();
        Client { http: https::client(limits.connect, hosts.clone()), hosts, limits }
    }

    /// Requests a file, unless the server's version has one of the `known` entity tags.
    pub(super) async fn file(&self, url: &SnapshotUrl, known: &[String]) -> Result<Reply, Refusal> {
        let (at, response) = self.get(url, known, "zstd").await?;
        let shown = at.to_string();
        let text = |name| response.headers().get(name)?.to_str().ok();
        match response.status() {
            StatusCode::NOT_MODIFIED if known.is_empty() => Err(Refusal::NothingBefore { url: shown }),
            StatusCode::NOT_MODIFIED => Ok(Reply::Same(text(ETAG).and_then(tag))),
            StatusCode::OK => {
                check_coding(&shown, response.headers())?;
                let (etag, length) = (text(ETAG).and_then(tag), text(CONTENT_LENGTH));
                let length = length.and_then(|length| length.parse().ok());
                Ok(Reply::File(Arriving { etag, length, body: response.into_body() }))
            }
            status => Err(Refusal::Status { url: shown, status: status.as_u16() }),
        }
    }

    /// Fetches the text of a signature, up to [`SIGNATURE_BYTES_MAX`].
    pub(super) async fn signature(&self, url: &SnapshotUrl) -> Result<String, Refusal> {
        let text = self.text(url, "the signature", SIGNATURE_BYTES_MAX as usize).await;
        let text = text.map_err(|refusal| match refusal {
            Refusal::Status { url: at, .. } => SignatureFault::Missing { at }.into(),
            Refusal::Cut { url: at, .. } => SignatureFault::Unreadable { at }.into(),
            other => other,
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Fetches a whole short text. `what` names the text in errors.
    pub(super) async fn text(
        &self,
        url: &SnapshotUrl,
        what: &'static str,
        bytes_max: usize,
    ) -> Result<Vec<u8>, Refusal> {
        let (at, response) = self.get(url, &[], "identity").await?;
        let url = at.to_string();
        if response.status() != StatusCode::OK {
            return Err(Refusal::Status { url, status: response.status().as_u16() });
        }
        let body = Limited::new(response.into_body(), bytes_max).collect();
        let body = timeout(self.limits.idle, body).await.map_err(|_| late(&url, what, self.limits.idle))?;
        let body = body.map_err(|error| Refusal::Cut {
            url,
            got: 0,
            why: clean_text(&error.to_string(), OUTSIDE_CHARS_MAX),
        })?;
        Ok(body.to_bytes().into())
    }

    /// Sends a request and follows redirects. Returns the last address with its response.
    async fn get(
        &self,
        url: &SnapshotUrl,
        known: &[String],
        coding: &str,
    ) -> Result<(SnapshotUrl, Response<Incoming>), Refusal> {
        let mut at = url.clone();
        for _ in 0..=REDIRECTS_MAX {
            let response = self.get_once(&at, known, coding).await?;
            let status = response.status();
            if !status.is_redirection() || status == StatusCode::NOT_MODIFIED {
                return Ok((at, response));
            }
            at = redirected(&at, response.headers(), &self.hosts)?;
        }
        Err(Refusal::Redirects { url: url.to_string(), max: REDIRECTS_MAX })
    }

    async fn get_once(
        &self,
        url: &SnapshotUrl,
        known: &[String],
        coding: &str,
    ) -> Result<Response<Incoming>, Refusal> {
        let unreachable = |why: String| {
            // The error of a failed TLS handshake quotes names from the server's certificate, so it is cleaned.
            Refusal::Unreachable { url: url.to_string(), why: clean_text(&why, OUTSIDE_CHARS_MAX) }
        };
        let mut request =
            Request::builder().uri(url.as_str()).header(USER_AGENT, AGENT).header(ACCEPT_ENCODING, coding);
        if !known.is_empty() {
            request = request.header(IF_NONE_MATCH, known.join(", "));
        }
        let request = request.body(Full::default()).map_err(|error| unreachable(error.to_string()))?;
        let wait = self.limits.connect + self.limits.idle;
        let response = timeout(wait, self.http.request(request)).await;
        let response = response.map_err(|_| late(&url.to_string(), "an answer", wait))?;
        // The outer error names only the HTTP client, so the cause below it is shown.
        response.map_err(|error| unreachable(with_causes(error.source().unwrap_or(&error))))
    }
}

/// Returns an entity tag if it is short enough to store and to send with each poll. The longest in common use has
/// some 70 characters: a SHA-256 in hexadecimal. Without a tag, each poll fetches the file again.
fn tag(text: &str) -> Option<String> {
    is_clean_text(text, OUTSIDE_CHARS_MAX).then(|| text.to_owned())
}

/// Returns the target of a redirect, if it is safe to follow.
fn redirected(at: &SnapshotUrl, headers: &HeaderMap, hosts: &Hosts) -> Result<SnapshotUrl, Refusal> {
    let to = headers.get(LOCATION).map(|to| String::from_utf8_lossy(to.as_bytes()).into_owned());
    let next = to.as_deref().and_then(|to| at.redirected(to, hosts));
    let to = || clean_text(&to.unwrap_or_default(), OUTSIDE_CHARS_MAX);
    next.ok_or_else(|| Refusal::Redirect { url: at.to_string(), to: to() })
}

/// Rejects a content coding other than zstd and identity, which could not be unpacked.
fn check_coding(url: &str, headers: &HeaderMap) -> Result<(), Refusal> {
    let coding = headers
        .get(CONTENT_ENCODING)
        .map_or("identity".into(), |coding| String::from_utf8_lossy(coding.as_bytes()).to_lowercase());
    if ["identity", "zstd"].contains(&coding.as_str()) {
        return Ok(());
    }
    Err(Refusal::Coding { url: url.to_owned(), coding: clean_text(&coding, 40) })
}

pub(super) fn late(url: &str, what: &'static str, after: Duration) -> Refusal {
    Refusal::Late { url: url.to_owned(), what, after }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn words_of_a_server_are_short_and_clean() {
        let headers =
            |name, value: &str| HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())]);
        let at: SnapshotUrl = "https://mirror.example/us.platbook".parse().unwrap();
        let long = format!("ftp://mirror.example/\u{202e}{}", "x".repeat(60_000));
        let Err(Refusal::Redirect { to, .. }) = redirected(&at, &headers(LOCATION, &long), &at.hosts())
        else {
            panic!("nobody goes there")
        };
        assert!(to.starts_with("ftp://mirror.example/xxx") && is_clean_text(&to, OUTSIDE_CHARS_MAX), "{to}");
        let coded = check_coding("u", &headers(CONTENT_ENCODING, &long));
        let Err(Refusal::Coding { coding, .. }) = coded else { panic!("an unknown coding") };
        assert!(is_clean_text(&coding, 40), "{coding}");
        assert_eq!(tag("\"a1\"").as_deref(), Some("\"a1\""));
        assert_eq!(tag(&long), None);
    }
}
