//! A second listener that redirects callers from http to https. The listener needs neither a snapshot nor limits: a
//! response has 300 bytes.

use hyper::{
    HeaderMap, Response, StatusCode,
    header::{self, HeaderValue},
    http::request::Parts,
};
use tokio::{net::TcpListener, time::sleep};

use super::{
    headers,
    one_answer::{OneAnswer, PAUSE},
    request_id::RequestId,
    respond::{Body, response},
};
use crate::{encode::BodyParts, operations::DAY_S};

/// Redirects each request to the same path of the site, forever. `site` is the public address of the service, so a
/// caller's headers cannot change where a redirect leads.
pub async fn serve_redirects(listener: TcpListener, site: String) {
    let connections = OneAnswer::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let site = site.clone();
                let open = std::future::ready(Some(stream));
                connections.take(open, move |head| redirected(&site, head)).await;
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

fn redirected(site: &str, head: &Parts) -> Response<Body> {
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
    // `*` is the target of `OPTIONS *`.
    let target = if target.starts_with('/') { target } else { "/" };
    let mut headers = HeaderMap::with_capacity(headers::HEADERS_MAX);
    if let Ok(location) = HeaderValue::try_from(format!("{site}{target}")) {
        headers.insert(header::LOCATION, location);
    }
    headers.insert(header::CACHE_CONTROL, headers::cache_control(DAY_S));
    let mut response = response(StatusCode::PERMANENT_REDIRECT, headers, BodyParts::default());
    let request_id = RequestId::of(&head.headers);
    headers::add_common(response.headers_mut(), request_id, Some(headers::ANY));
    response
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    #[test]
    fn a_redirect_leads_to_the_same_path_of_the_site() {
        for (target, location) in [
            ("/", "https://a.example/"),
            ("/v1/topics?lang=en&q=%20", "https://a.example/v1/topics?lang=en&q=%20"),
            ("http://evil.example/x", "https://a.example/x"),
            ("//evil.example/x", "https://a.example//evil.example/x"),
            ("*", "https://a.example/"),
        ] {
            let request = Request::get(target).header("Host", "evil.example").body(()).unwrap();
            let response = redirected("https://a.example", &request.into_parts().0);
            assert_eq!(response.status(), 308);
            assert_eq!(response.headers()[header::LOCATION], location, "{target}");
            assert!(
                !response.headers().contains_key(header::STRICT_TRANSPORT_SECURITY),
                "RFC 6797, section 7.2"
            );
        }
    }
}
