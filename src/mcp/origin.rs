//! Decides whether a page in a browser may call the service: the protocol's guard against DNS rebinding.
//!
//! A hostile page can make its own host name lead to this machine; the browser then treats page and service as one
//! site. Such a request has that name in `Host`, and the page's site in `Origin`. So `Host` must be a name that no
//! stranger can own. Such names are the host of the public address, an IP address, `localhost`, and names of local
//! networks, which a proxy may use. Programs send no `Origin`. A page must belong to this site or to this machine.

use hyper::{
    HeaderMap,
    header::{HOST, ORIGIN},
};
use url::{Host, Url};

use super::fault::word;

/// Suffixes that the public name system never delegates, so no stranger can own such a name.
const LOCAL_ENDS: [&str; 4] = [".localhost", ".local", ".internal", ".home.arpa"];

/// Returns the error in a request's `Host` or `Origin`; `None` if both are allowed. `site` is the public address of the
/// service.
pub(super) fn fault(headers: &HeaderMap, site: &str) -> Option<String> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = Url::parse(site).ok();
    if let Some(host) = text(HOST).filter(|host| !is_ours(host, site.as_ref())) {
        return Some(format!(
            "the Host {} is not this service's; whoever runs it names its public address with --site-url",
            word(host)
        ));
    }
    let mut origins = headers.get_all(ORIGIN).iter().map(|value| value.to_str().unwrap_or("?"));
    let origin = origins.find(|origin| !may_ask(origin, site.as_ref()))?;
    Some(format!(
        "pages of {} may not ask here; ask from a program, or from a page of this site",
        word(origin)
    ))
}

/// Returns whether `Host` is a name that no stranger can own. An empty name has no owner.
fn is_ours(host: &str, site: Option<&Url>) -> bool {
    let Some(named) = Url::parse(&format!("http://{host}")).ok() else { return host.is_empty() };
    match named.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let is_local = !name.contains('.') || LOCAL_ENDS.iter().any(|end| name.ends_with(end));
            is_local || site.and_then(Url::host_str) == Some(name)
        }
        None => false,
    }
}

/// Returns whether a page belongs to this site, or was served by this machine.
fn may_ask(origin: &str, site: Option<&Url>) -> bool {
    let Ok(page) = Url::parse(origin) else { return false };
    let is_this_machine = match page.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    };
    is_this_machine || site.is_some_and(|site| site.origin() == page.origin() && page.origin().is_tuple())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn strangers_are_distinguished_from_our_own() {
        let cases = [
            // Cases: `Host`, `Origin`, and whether the request is allowed.
            ("platbook.example", "", true),
            ("platbook.example:443", "https://platbook.example", true),
            ("PLATBOOK.example.", "", true),
            ("127.0.0.1:8080", "http://127.0.0.1:6274", true),
            ("localhost:8080", "http://localhost:3000", true),
            ("[::1]:8080", "http://[::1]:8080", true),
            ("backend", "", true),
            ("platbook.svc.cluster.local:80", "https://platbook.example", true),
            ("203.0.113.7", "", true),
            ("", "", true),
            ("evil.example.com", "", false),
            ("evil.example.com", "http://evil.example.com", false),
            ("127.0.0.1:8080", "http://evil.example.com", false),
            ("127.0.0.1:8080", "https://localhost.evil.example.com", false),
            ("127.0.0.1:8080", "null", false),
            ("127.0.0.1:8080", "file://", false),
            ("127.0.0.1:8080", "http://203.0.113.7", false),
            ("127.0.0.1:8080", "http://platbook.example", false),
            ("127.0.0.1:8080", "https://platbook.example:8443", false),
            ("127.0.0.1:8080", "http://127.0.0.1.evil.example.com", false),
            ("platbook.example.evil.com", "", false),
            ("xplatbook.example", "", false),
        ];
        for (host, origin, may) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            if !origin.is_empty() {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(fault(&headers, "https://platbook.example").is_none(), may, "{host:?} {origin:?}");
        }
        assert_eq!(fault(&HeaderMap::new(), "https://platbook.example"), None);
    }
}
