//! The server card: data that a client reads before it connects (SEP-2127). The SEP has not settled its path yet.

use serde_json::{Value, json};
use url::Url;

use super::protocol;

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/// Returns the card of a service at this public address.
pub(super) fn card(site: &str) -> Value {
    json!({
        "$schema": SCHEMA,
        "name": format!("{}/platbook", reversed_host(site)),
        "title": "Property and Land Directory",
        "description": "US governments and property offices at a place, with official pages.",
        "version": env!("CARGO_PKG_VERSION"),
        "websiteUrl": site,
        "remotes": [{
            "type": "streamable-http",
            "url": format!("{site}/mcp"),
            "supportedProtocolVersions": protocol::supported(),
        }],
    })
}

/// Reverses a host name, as names of server cards require: `example.platbook` for `https://platbook.example`.
fn reversed_host(site: &str) -> String {
    let url = Url::parse(site).ok();
    match url.as_ref().and_then(Url::domain) {
        Some(name) => name.rsplit('.').collect::<Vec<_>>().join("."),
        None => "localhost".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::card;

    #[test]
    fn a_card_is_named_after_its_site() {
        for (site, name) in [
            ("https://platbook.example", "example.platbook/platbook"),
            ("https://a.b.example/under", "example.b.a/platbook"),
            ("http://127.0.0.1:8080", "localhost/platbook"),
            ("http://[::1]:8080", "localhost/platbook"),
        ] {
            let card = card(site);
            assert_eq!(card["name"], name);
            assert_eq!(card["remotes"][0]["url"], format!("{site}/mcp"));
        }
    }
}
