use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use super::worlds::{PAIR, sign};
use crate::lookups::outside::{Act, Outside};

/// Responses of the mirror: the one for a file, and the file's signature for the same address with `.minisig`.
#[derive(Clone, Debug)]
pub struct Shown {
    pub act: Act,
    pub signature: Option<String>,
    /// A client that sends this tag gets 304.
    pub etag: Option<String>,
}

impl Shown {
    /// A file as it should be: with its length, its tag and its signature.
    pub fn file(bytes: &[u8]) -> Shown {
        Shown::with(bytes, bytes, "")
    }

    /// A packed file, with the signature of the snapshot itself.
    pub fn packed(bytes: &[u8], lines: &str) -> Shown {
        Shown::with(&zstd::encode_all(bytes, 3).unwrap(), bytes, lines)
    }

    /// A body, the signature of its unpacked form, and more lines of the head.
    pub fn with(body: &[u8], signed: &[u8], lines: &str) -> Shown {
        let etag = format!("\"{:016x}\"", xxhash_rust::xxh3::xxh3_64(body));
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nETag: {etag}\r\nConnection: close\r\n{lines}\r\n",
            body.len()
        );
        let act = Act::Send([head.as_bytes(), body].concat());
        Shown { act, signature: Some(sign(&PAIR, signed)), etag: Some(etag) }
    }

    /// Replies in this way to each request for the file, without a signature and without a tag.
    pub fn act(act: Act) -> Shown {
        Shown { act, signature: None, etag: None }
    }

    /// Replies with these bytes, head included.
    pub fn raw(bytes: impl AsRef<[u8]>) -> Shown {
        Shown::act(Act::Send(bytes.as_ref().to_vec()))
    }
}

/// A server of one snapshot.
pub struct Mirror {
    pub outside: Outside,
    shown: Arc<Mutex<Shown>>,
}

impl Mirror {
    pub async fn start(shown: Shown) -> Mirror {
        let shown = Arc::new(Mutex::new(shown));
        let of_server = Arc::clone(&shown);
        let outside = Outside::start(move |call| {
            let shown = of_server.lock().unwrap().clone();
            if Path::new(call.target()).extension().is_some_and(|ending| ending == "minisig") {
                return shown.signature.map_or_else(
                    || Act::answer(404, "text/plain", "none"),
                    |text| Act::answer(200, "text/plain", text),
                );
            }
            let is_known = shown.etag.is_some_and(|etag| call.head.contains(&etag));
            if is_known {
                Act::Send(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n".into())
            } else {
                shown.act
            }
        });
        Mirror { outside: outside.await, shown }
    }

    pub fn show(&self, shown: Shown) {
        *self.shown.lock().unwrap() = shown;
    }

    pub fn url(&self) -> String {
        format!("{}/us.platbook", self.outside.url())
    }

    /// Waits until the body of a snapshot was requested this many more times.
    pub async fn is_asked_again(&self, times: usize) {
        let asked = self.asked();
        while self.asked() < asked + times {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Returns how often the body of a snapshot was requested.
    pub fn asked(&self) -> usize {
        self.outside.calls().iter().filter(|call| call.target() == "/us.platbook").count()
    }
}
