//! The content of a page for programs, as JSON-LD in the terms of schema.org. This content has nothing that the page
//! itself does not show.

use serde_json::{Value, json};

use super::{
    site::{Site, place_path},
    words::full_name,
};
use platbook::{answers::Office, directory::Row, vocabulary::UrlScope};

/// Returns a value as text for a script element. The text cannot contain the end tag of that element.
pub(super) fn in_html(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

/// Describes the trail of a page as a list of names and links.
pub(super) fn trail(site: Site<'_>, trail: &[(String, String)]) -> Option<Value> {
    let host =
        site.origin().find("://").and_then(|at| site.origin()[at + 3..].find('/').map(|end| at + 3 + end));
    let origin = host.map_or(site.origin(), |end| &site.origin()[..end]);
    let item = |(at, (name, link)): (usize, &(String, String))| json!({ "@type": "ListItem", "position": at + 1, "name": name, "item": format!("{origin}{link}") });
    let items: Vec<Value> = trail.iter().enumerate().map(item).collect();
    (!items.is_empty()).then(|| {
        json!({
            "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items,
        })
    })
}

/// Describes a jurisdiction as a place, within the place around it.
pub(super) fn place(site: Site<'_>, row: Row, around: Option<Row>) -> Value {
    let named = |row: Row| {
        let view = site.directory().jurisdiction(row);
        json!({
            "@type": "AdministrativeArea",
            "@id": absolute(site, &place_path(site.directory(), row)),
            "name": full_name(&view),
        })
    };
    let mut place = named(row);
    place["@context"] = "https://schema.org".into();
    if let Some(point) = site.directory().jurisdiction(row).point {
        place["geo"] = json!({
            "@type": "GeoCoordinates",
            "latitude": point.lat_degrees(),
            "longitude": point.lon_degrees(),
        });
    }
    if let Some(around) = around {
        place["containedInPlace"] = named(around);
    }
    place
}

/// Describes an office of a government.
pub(super) fn office(site: Site<'_>, office: &Office) -> Value {
    let body = site.directory().jurisdiction(office.body);
    let id = office.id.text("off_");
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "GovernmentOrganization",
        "@id": absolute(site, &format!("/offices/{id}")),
        "name": format!("{}, {}", office.title, full_name(&body)),
        "areaServed": { "@type": "AdministrativeArea", "name": full_name(&body) },
    });
    let Some(shown) = office.shown_site(site.directory()) else { return data };
    // The main telephone line of the government is not one of the office.
    let own = Some(shown).filter(|shown| shown.origin.is_some_and(|origin| origin.scope == UrlScope::Office));
    let fields = [
        ("url", shown.url),
        ("telephone", own.and_then(|own| own.phone)),
        ("email", own.and_then(|own| own.email)),
        ("address", own.and_then(|own| own.address)),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            data[name] = value.into();
        }
    }
    data
}

/// Describes the service and its search, for the front page.
pub(super) fn service(site: Site<'_>) -> Value {
    json!({
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": "platbook",
        "url": format!("{}/", site.origin()),
        "potentialAction": {
            "@type": "SearchAction",
            "target": format!("{}/?q={{text}}", site.origin()),
            "query-input": "required name=text",
        },
    })
}

fn absolute(site: Site<'_>, path: &str) -> String {
    format!("{}{path}", site.origin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script() {
        let text = in_html(&json!({ "name": "</script><script>alert(1)</script>" }));
        assert!(!text.contains('<'));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["name"], "</script><script>alert(1)</script>");
    }
}
