//! Sends one GET at a time over http or https, to one host.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode, Uri,
    body::Incoming,
    header::{ACCEPT_ENCODING, IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE, USER_AGENT},
    http::uri::{Authority, Scheme},
};
use platbook::vocabulary::with_causes;
use platbook_https::{Client, Hosts};

use super::{FetchError, Limits};

/// Maximum number of redirects to follow on the same host. Chosen, not measured.
const REDIRECTS_MAX: usize = 3;

/// The address below which all files lie.
pub(super) struct Base {
    scheme: Scheme,
    authority: Authority,
    path: String,
}

impl Base {
    pub(super) fn parse(text: &str) -> Result<Base, FetchError> {
        let wrong = || FetchError::BaseUrl { got: text.to_owned() };
        let parts = text.parse::<Uri>().map_err(|_| wrong())?.into_parts();
        let scheme = parts.scheme.filter(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS);
        let path =
            parts.path_and_query.map_or(String::new(), |path| path.path().trim_end_matches('/').to_owned());
        match (scheme, parts.authority) {
            (Some(scheme), Some(authority)) => Ok(Base { scheme, authority, path }),
            _ => Err(wrong()),
        }
    }

    /// The address of a file below the base.
    pub(super) fn url(&self, file: &str) -> String {
        format!("{}://{}{}/{file}", self.scheme, self.authority, self.path)
    }

    /// The target of a redirect, if it is on this host.
    fn follow(&self, url: &str, location: &str) -> Result<Uri, FetchError> {
        let elsewhere =
            || FetchError::Redirect { url: url.to_owned(), location: location.chars().take(200).collect() };
        let uri: Uri = location.parse().map_err(|_| elsewhere())?;
        match (uri.scheme(), uri.authority()) {
            (Some(scheme), Some(authority)) if *scheme == self.scheme && *authority == self.authority => {
                Ok(uri)
            }
            (None, None) if location.starts_with('/') && !location.starts_with("//") => {
                let full = format!("{}://{}{location}", self.scheme, self.authority);
                full.parse().map_err(|_| elsewhere())
            }
            _ => Err(elsewhere()),
        }
    }
}

/// The state of a file on disk before its request.
pub(super) enum Known<'a> {
    /// The file is not there, not even in part.
    Nothing,
    /// A part of the file: its length in bytes, and the validator of its version.
    Part { length: u64, validator: &'a str },
    /// The version of the file with this entity tag.
    Version(&'a str),
}

/// The reason why an attempt failed.
pub(super) enum Failure {
    /// No new attempt will help.
    Final(FetchError),
    /// Another attempt may succeed; the text gives the reason.
    Again(String),
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Failure {
        Failure::Final(error)
    }
}

pub(super) struct Http<'a> {
    base: &'a Base,
    idle: Duration,
    client: Client,
}

impl<'a> Http<'a> {
    pub(super) fn new(base: &'a Base, limits: &Limits) -> Http<'a> {
        let client = platbook_https::client(limits.connect, Hosts::Any);
        // The TLS handshake comes after the connection, so the wait for the head has to cover it.
        Http { base, idle: limits.idle + limits.connect, client }
    }

    /// Requests a file, follows redirects on the same host, and returns the head of the response.
    pub(super) async fn get(&self, url: &str, known: &Known<'_>) -> Result<Response<Incoming>, Failure> {
        let mut uri: Uri = url.parse().map_err(|_| FetchError::BaseUrl { got: url.to_owned() })?;
        for _ in 0..=REDIRECTS_MAX {
            let answer = tokio::time::timeout(self.idle, self.client.request(request(&uri, known)?)).await;
            let answer = answer.map_err(|_| Failure::Again(format!("no response within {:?}", self.idle)))?;
            let answer = answer.map_err(|error| Failure::Again(with_causes(&error)))?;
            if !answer.status().is_redirection() || answer.status() == StatusCode::NOT_MODIFIED {
                return Ok(answer);
            }
            let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            uri = self.base.follow(url, location.unwrap_or("nowhere"))?;
        }
        Err(Failure::Again(format!("there were more than {REDIRECTS_MAX} redirects")))
    }
}

fn request(uri: &Uri, known: &Known<'_>) -> Result<Request<Full<Bytes>>, FetchError> {
    let mut builder = Request::get(uri.clone())
        .header(USER_AGENT, concat!("platbook-pipeline/", env!("CARGO_PKG_VERSION")))
        .header(ACCEPT_ENCODING, "identity");
    builder = match known {
        Known::Nothing => builder,
        Known::Part { length, validator } => {
            builder.header(RANGE, format!("bytes={length}-")).header(IF_RANGE, *validator)
        }
        Known::Version(tag) => builder.header(IF_NONE_MATCH, *tag),
    };
    builder.body(Full::default()).map_err(|_| FetchError::BaseUrl { got: uri.to_string() })
}
