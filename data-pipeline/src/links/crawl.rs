//! Requests pages from hosts: one request at a time for each host, with a pause before the next.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION, RETRY_AFTER, USER_AGENT},
};
use jiff::civil::Date;
use platbook::vocabulary::{OUTSIDE_CHARS_MAX, clean_text, is_clean_text, with_causes};
use platbook_https::{self as https, Hosts};
use tokio::{
    sync::{Mutex, Semaphore, mpsc},
    time::{Instant, timeout},
};
use url::Url;

use super::{
    host::{Host, Rules},
    page::Page,
    rule::{Finding, Observation, Outcome},
    subject::Link,
};

/// The name of this program in robots.txt files.
const AGENT: &str = "platbook";

/// Maximum number of redirects to follow. Chosen, not measured.
const REDIRECTS_MAX: usize = 5;

/// Endings of documents, which are requested by HEAD: their words are not read.
const DOCUMENTS: [&str; 9] = [".pdf", ".zip", ".doc", ".docx", ".xls", ".xlsx", ".csv", ".jpg", ".png"];

/// The pauses and limits for requests to hosts.
#[derive(Clone, Debug)]
pub struct Manners {
    /// Pause between two requests to a host.
    pub pause: Duration,
    /// Longest wait for a connection, and for an answer.
    pub wait: Duration,
    /// Maximum number of bytes of a page to read. The page's title and headings are among the first.
    pub page_bytes_max: usize,
    /// Maximum number of hosts that get requests at the same time.
    pub hosts_max: usize,
    /// The `User-Agent`, with an address for complaints.
    pub agent: String,
}

impl Default for Manners {
    fn default() -> Manners {
        Manners {
            // The largest crawlers keep this pause if a host does not ask for another.
            pause: Duration::from_secs(1),
            wait: Duration::from_secs(20),
            page_bytes_max: 256 << 10,
            hosts_max: 64,
            agent: concat!(
                "platbook/",
                env!("CARGO_PKG_VERSION"),
                " (checks links; +",
                env!("CARGO_PKG_REPOSITORY"),
                ")"
            )
            .to_owned(),
        }
    }
}

/// Requests the pages of links, and reports the results.
#[derive(Debug)]
pub struct Crawler {
    manners: Manners,
    client: https::Client,
    allowed: Hosts,
    /// Earliest time of the first request: a run that was killed may have sent a request to the same host just
    /// before.
    begin: Instant,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

/// The part of a server's answer that is read.
struct Said {
    status: StatusCode,
    etag: Option<String>,
    /// The target of a redirect.
    to: Option<Url>,
    /// The page; `None` for a document, or without a body.
    page: Option<Page>,
}

/// The reason why a server did not answer.
enum Silence {
    /// There is no such host.
    NoHost,
    /// Another reason in words, such as "no answer in time".
    Other(String),
}

impl Crawler {
    /// Makes a crawler. `hosts` are the hosts that the crawler may send requests to.
    pub fn new(manners: Manners, hosts: Hosts) -> Arc<Crawler> {
        let client = https::client(manners.wait, hosts.clone());
        let begin = Instant::now() + manners.pause;
        Arc::new(Crawler { manners, client, allowed: hosts, begin, hosts: Mutex::default() })
    }

    /// Does the work of [`Crawler::run`] on this thread.
    ///
    /// # Errors
    /// The error of `tell`, or that of the system.
    pub fn run_here<E: From<io::Error>>(
        self: &Arc<Crawler>,
        links: Vec<Link>,
        day: Date,
        tell: impl FnMut(Observation) -> Result<(), E>,
    ) -> Result<(), E> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.run(links, day, tell))
    }

    /// Requests all links, host by host. Each observation is given to `tell`, which may end the run by an error.
    ///
    /// # Errors
    /// The error of `tell`.
    pub async fn run<E>(
        self: &Arc<Crawler>,
        links: Vec<Link>,
        day: Date,
        mut tell: impl FnMut(Observation) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut by_host: BTreeMap<String, Vec<Link>> = BTreeMap::new();
        for link in links {
            by_host.entry(link.host()).or_default().push(link);
        }
        let (sender, mut observations) = mpsc::channel(self.manners.hosts_max.max(1));
        let slots = Arc::new(Semaphore::new(self.manners.hosts_max.max(1)));
        let mut tasks = tokio::task::JoinSet::new();
        for links in by_host.into_values() {
            let (crawler, sender, slots) = (Arc::clone(self), sender.clone(), Arc::clone(&slots));
            tasks.spawn(async move {
                let _slot = slots.acquire_owned().await;
                for link in links {
                    let observation = crawler.observe(&link, day).await;
                    // After an error the receiver is gone, because the run has ended.
                    if sender.send(observation).await.is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        while let Some(observation) = observations.recv().await {
            tell(observation)?;
        }
        Ok(())
    }

    async fn observe(&self, link: &Link, day: Date) -> Observation {
        let mut finding = match Url::parse(&link.url) {
            Ok(url) if ["http", "https"].contains(&url.scheme()) => self.ask(url, link).await,
            _ => Finding::new(Outcome::Unknown, "expected an address with http or https".to_owned()),
        };
        finding.note = finding.note.map(|note| clean_text(&note, OUTSIDE_CHARS_MAX));
        Observation { url: link.url.clone(), day, finding }
    }

    /// Follows a link to its page, and returns the finding.
    async fn ask(&self, url: Url, link: &Link) -> Finding {
        let (mut at, mut is_permanent) = (url.clone(), true);
        for _ in 0..=REDIRECTS_MAX {
            if !self.allowed.may_reach(at.host_str().unwrap_or_default()) {
                return Finding::new(
                    Outcome::Unknown,
                    "its address is not on the public internet".to_owned(),
                );
            }
            let host = self.host(&at).await;
            if let Some(found) = self.barred(&host, &at).await {
                return found;
            }
            let known = link.etag.as_deref().filter(|_| at == url);
            let said = match self.said(&host, &at, known).await {
                Ok(said) => said,
                Err(Silence::NoHost) => {
                    return Finding::new(Outcome::Gone, "there is no such host".to_owned());
                }
                Err(Silence::Other(why)) => return Finding::new(Outcome::Unknown, why),
            };
            if let Some(to) = &said.to {
                let is_for_good = [301, 308].contains(&said.status.as_u16());
                is_permanent &= is_for_good;
                at = to.clone();
                continue;
            }
            let moved = (at != url && is_permanent).then(|| at.to_string());
            let found = self.judged(&host, &at, &said, link).await;
            let moved_to = moved.filter(|to| is_clean_text(to, OUTSIDE_CHARS_MAX));
            return Finding { http_status: Some(said.status.as_u16()), moved_to, etag: said.etag, ..found };
        }
        Finding::new(Outcome::Unknown, format!("redirected more than {REDIRECTS_MAX} times"))
    }

    /// Returns the reason why an address must not be requested; `None` if it may be requested.
    async fn barred(&self, host: &Host, at: &Url) -> Option<Finding> {
        let rules = host.robots.get_or_init(|| self.robots(host, at)).await;
        let is_allowed = rules.as_ref().is_some_and(|rules| rules.allows(at.as_str()));
        (!is_allowed).then(|| Finding::new(Outcome::Unknown, "its robots.txt forbids it".to_owned()))
    }

    /// Fetches the rules of a host (RFC 9309): without such a file all pages are allowed. No page is allowed while
    /// the file cannot be read.
    async fn robots(&self, host: &Host, at: &Url) -> Option<Arc<Rules>> {
        let url = at.join("/robots.txt").ok()?;
        let response = self.response(host, Method::GET, &url, None).await.ok()?;
        let rules = match response.status().as_u16() {
            200..=299 => Rules::read(AGENT, &self.body(response).await.ok()?),
            429 => None,
            // A redirect or an error of the client means that the host has no such file.
            300..=499 => Rules::read(AGENT, b""),
            _ => None,
        };
        rules.map(Arc::new)
    }

    /// Judges a page that a server gave for a link.
    async fn judged(&self, host: &Host, at: &Url, said: &Said, link: &Link) -> Finding {
        let status = said.status.as_u16();
        match (status, &said.page) {
            (304, _) | (200..=299, None) => Finding::new(Outcome::Works, None),
            (200..=299, Some(page)) => self.judged_page(host, at, page, link).await,
            (404 | 410, _) => Finding::new(Outcome::Gone, None),
            _ => Finding::new(Outcome::Unknown, format!("status {status}")),
        }
    }

    async fn judged_page(&self, host: &Host, at: &Url, page: &Page, link: &Link) -> Finding {
        let speaks = page.speaks_of(&link.words);
        if page.is_parked() && !speaks {
            return Finding::new(Outcome::TakenOver, page.title.clone());
        }
        let is_soft = match self.missing(host, at).await {
            Some(missing) => page.is_like(&missing),
            None => page.says_missing(),
        };
        match (is_soft, speaks) {
            (true, _) => Finding::new(Outcome::SoftMissing, page.title.clone()),
            (false, true) => Finding::new(Outcome::Works, None),
            (false, false) => Finding::new(Outcome::Unknown, "the page does not name its subject".to_owned()),
        }
    }

    /// Requests an address in the same folder that cannot exist, and returns the page if the server gives one with
    /// success. `None` for the front page of a site, which always exists.
    async fn missing(&self, host: &Host, at: &Url) -> Option<Page> {
        let (folder, name) = at.path().rsplit_once('/')?;
        if folder.is_empty() && name.is_empty() {
            return None;
        }
        let mut known = host.missing.lock().await;
        if let Some(known) = known.get(folder) {
            return known.clone();
        }
        let mut sibling = at.clone();
        sibling.set_query(None);
        sibling.set_path(&format!("{folder}/no-such-page-{:016x}", fastrand::u64(..)));
        let said = self.said(host, &sibling, None).await.ok();
        let page = said.filter(|said| said.status.is_success()).and_then(|said| said.page);
        known.insert(folder.to_owned(), page.clone());
        page
    }

    /// Requests a page, and reads the part of it that the judgment needs.
    async fn said(&self, host: &Host, at: &Url, known: Option<&str>) -> Result<Said, Silence> {
        let is_document = DOCUMENTS.iter().any(|ending| at.path().to_lowercase().ends_with(ending));
        if is_document {
            // Some servers refuse HEAD for pages that they have.
            let response = self.response(host, Method::HEAD, at, known).await?;
            if response.status().is_success() || response.status().is_redirection() {
                return Ok(Said { page: None, ..head_of(&response, at) });
            }
        }
        let response = self.response(host, Method::GET, at, known).await?;
        let head = head_of(&response, at);
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_page = content_type.is_none_or(|value| value.contains("html"));
        let page = match head.status.is_success() && is_page {
            true => Some(Page::read(&self.body(response).await?)),
            false => None,
        };
        Ok(Said { page, ..head })
    }

    /// Waits for the host's turn, and sends a request.
    async fn response(
        &self,
        host: &Host,
        method: Method,
        at: &Url,
        known: Option<&str>,
    ) -> Result<Response<Incoming>, Silence> {
        let mut turn = host.turn().await;
        if turn.is_over {
            return Err(Silence::Other("the host asks for a long pause".to_owned()));
        }
        let mut request =
            Request::builder().method(method).uri(at.as_str()).header(USER_AGENT, &self.manners.agent);
        if let Some(known) = known {
            request = request.header(IF_NONE_MATCH, known);
        }
        let request = request.body(Full::<Bytes>::default());
        let request = request.map_err(|error| Silence::Other(error.to_string()))?;
        let response = timeout(self.manners.wait, self.client.request(request)).await;
        let response = response.map_err(|_| Silence::Other("no answer in time".to_owned()))?;
        let response = response.map_err(|error| silence(&with_causes(&error)))?;
        if [429, 503].contains(&response.status().as_u16()) {
            let after =
                response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            turn.rest(Duration::from_secs(after.unwrap_or(0)));
        }
        Ok(response)
    }

    /// Reads the first bytes of a body; the rest is not read.
    async fn body(&self, response: Response<Incoming>) -> Result<Vec<u8>, Silence> {
        let (mut body, mut bytes) = (response.into_body(), Vec::new());
        let read = async {
            while bytes.len() < self.manners.page_bytes_max {
                match body.frame().await {
                    Some(Ok(frame)) => bytes.extend(frame.into_data().unwrap_or_default()),
                    Some(Err(error)) => return Err(silence(&with_causes(&error))),
                    None => break,
                }
            }
            Ok(())
        };
        let read = timeout(self.manners.wait, read).await;
        read.map_err(|_| Silence::Other("the page did not arrive in time".to_owned()))??;
        bytes.truncate(self.manners.page_bytes_max);
        Ok(bytes)
    }

    async fn host(&self, at: &Url) -> Arc<Host> {
        let mut hosts = self.hosts.lock().await;
        let new = || Arc::new(Host::new(self.manners.pause, self.begin));
        Arc::clone(hosts.entry(host_of(at)).or_insert_with(new))
    }
}

/// The host of an address with its port.
pub(super) fn host_of(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}

fn head_of(response: &Response<Incoming>, at: &Url) -> Said {
    let text = |name| response.headers().get(name)?.to_str().ok();
    let is_redirect = response.status().is_redirection() && response.status() != StatusCode::NOT_MODIFIED;
    let to = text(LOCATION).filter(|_| is_redirect).and_then(|to| at.join(to).ok());
    let to = to.filter(|to| ["http", "https"].contains(&to.scheme()));
    let etag = text(ETAG).filter(|tag| is_clean_text(tag, OUTSIDE_CHARS_MAX)).map(str::to_owned);
    Said { status: response.status(), etag, to, page: None }
}

/// Reads the error of a request. The system resolves names, and only the text of its error says whether a name does not
/// exist or the resolver cannot be reached.
fn silence(why: &str) -> Silence {
    let no_host = ["Name or service not known", "No address associated", "nodename nor servname"];
    if no_host.iter().any(|words| why.contains(words)) {
        Silence::NoHost
    } else {
        Silence::Other(why.to_owned())
    }
}
