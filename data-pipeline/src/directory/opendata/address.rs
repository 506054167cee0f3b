//! Parses addresses, and writes them in the form in which they are shown.

use platbook::vocabulary::STATES;

/// The kind of target of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Form {
    /// A page for people.
    Page,
    /// A map service, for map software.
    Service,
    /// A file to download, such as a zip with parcels.
    Download,
}

/// An address in the form in which it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) url: String,
    pub(super) host: String,
    pub(super) form: Form,
    /// For a layer of a map service, the service without the layer's number.
    pub(super) service: Option<String>,
}

/// Query parameters that grant access to whoever has them.
const SECRETS: [&str; 8] =
    ["token", "key", "apikey", "api_key", "access_token", "signature", "sig", "x-amz-signature"];
/// Endings of paths that lead to a file, lower case.
const FILE_ENDINGS: [&str; 7] = [".zip", ".csv", ".geojson", ".kmz", ".kml", ".gdb", ".json"];

impl Address {
    /// Parses an address; the error is the reason why the address cannot be shown.
    pub(super) fn parse(text: &str, is_website: bool) -> Result<Address, &'static str> {
        let text = text.trim();
        if text.to_ascii_lowercase().starts_with("ftp:") {
            return Err("an ftp address, which browsers no longer open");
        }
        let (scheme, rest) = text.split_once("://").ok_or("no web address")?;
        let scheme = scheme.to_ascii_lowercase();
        if !["http", "https"].contains(&scheme.as_str()) {
            return Err("no web address");
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err("the address holds a name or password");
        }
        let host = authority.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if is_ip(&host) {
            return Err("a bare number for a host");
        }
        let named = |char: char| char.is_ascii_alphanumeric() || "-.".contains(char);
        if !host.contains('.') || !host.chars().all(named) {
            return Err("no web address");
        }
        let (path, form, is_layer) = shown_path(path, is_website)?;
        let path = if path.is_empty() { "/".to_owned() } else { path };
        let site = format!("{scheme}://{}", authority.to_ascii_lowercase());
        let service =
            is_layer.then(|| format!("{site}{}", path.rsplit_once('/').map_or("", |(service, _)| service)));
        Ok(Address { url: format!("{site}{path}"), host, form, service })
    }

    /// Labels of the host before the public ending that many hosts share.
    pub(super) fn labels(&self) -> Vec<&str> {
        let labels: Vec<&str> = self.host.split('.').collect();
        labels[..labels.len() - self.ending()].to_vec()
    }

    /// Labels of the registered domain before the public ending.
    pub(super) fn domain_labels(&self) -> Vec<&str> {
        let labels = self.labels();
        labels[labels.len().saturating_sub(self.domain_parts() - self.ending())..].to_vec()
    }

    /// The part of the host that its owner registered.
    pub(super) fn domain(&self) -> String {
        let labels: Vec<&str> = self.host.split('.').collect();
        labels[labels.len().saturating_sub(self.domain_parts())..].join(".")
    }

    fn ending(&self) -> usize {
        let labels: Vec<&str> = self.host.split('.').collect();
        match labels[..] {
            [.., "state", _, "us"] => 3,
            [.., state, "us"] if state.len() == 2 => 2,
            _ if self.zone().is_some() => 2,
            _ => 1,
        }
    }

    fn domain_parts(&self) -> usize {
        let labels: Vec<&str> = self.host.split('.').collect();
        let kinds = ["co", "ci", "county", "city", "town", "village", "twp", "borough"];
        let parts = match labels[..] {
            [.., "state", _, "us"] => 3,
            [.., kind, _, state, "us"] if state.len() == 2 && kinds.contains(&kind) => 4,
            [.., state, "us"] if state.len() == 2 => 3,
            _ if self.zone().is_some() => 3,
            _ => 2,
        };
        parts.min(labels.len())
    }

    /// The state whose own zone the host is in: `ny.gov`, `maryland.gov`, `state.or.us`. `None` for other
    /// hosts.
    pub(super) fn zone(&self) -> Option<u8> {
        let labels: Vec<&str> = self.host.split('.').collect();
        let label = match labels[..] {
            [.., "state", label, "us"] | [.., label, "gov"] => label,
            _ => return None,
        };
        let is_state = |(_, usps, name): &&(u8, &str, &str)| {
            usps.eq_ignore_ascii_case(label) || name.replace(' ', "").eq_ignore_ascii_case(label)
        };
        let short = [("mass", 25), ("wyo", 56)].iter().find(|(short, _)| *short == label).map(|row| row.1);
        STATES.iter().find(is_state).map(|row| row.0).or(short)
    }

    /// The part of the address after the host: path, query and fragment.
    pub(super) fn path(&self) -> &str {
        let at = self.url.find("://").map_or(0, |at| at + 3);
        self.url[at..].find('/').map_or("", |slash| &self.url[at + slash..])
    }

    /// Whether the host or the path has words for maps or data.
    pub(super) fn speaks_of_maps(&self) -> bool {
        let words = ["gis", "map", "data", "geo", "hub", "atlas", "ims.", "g_i_s"];
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest).to_ascii_lowercase();
        words.iter().any(|word| rest.contains(word))
    }

    /// Whether the address leads to a page about one data set.
    pub(super) fn is_data_page(&self) -> bool {
        let url = self.url.to_ascii_lowercase();
        let words = ["/datasets/", "/dataset/", "item.html", "/catalog/", "/product/", "details", "/maps/"];
        self.form == Form::Page && words.iter().any(|word| url.contains(word)) && !url.ends_with("/maps/")
    }

    /// Whether the address leads to the front page of a site that is not a map site.
    pub(super) fn is_front_page(&self) -> bool {
        self.form == Form::Page && self.path() == "/" && !self.speaks_of_maps()
    }

    /// The name of the map service or file, lower case.
    pub(super) fn title(&self) -> String {
        let path = self.path().split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        let before =
            ["/mapserver", "/featureserver", "/imageserver"].iter().filter_map(|end| path.find(end)).min();
        let path = before.map_or(path.as_str(), |at| &path[..at]);
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// Whether the name says that the data has parcels.
    pub(super) fn is_of_parcels(&self) -> bool {
        let title = self.title();
        let other = ["addr", "label", "point", "viewer", "search"].iter().any(|word| title.contains(word));
        self.form != Form::Page && !other && ["parcels", "taxlots"].iter().any(|word| title.contains(word))
    }

    /// Whether the name means a trial, a copy or a study.
    pub(super) fn is_working_copy(&self) -> bool {
        let title = self.title();
        let words: Vec<&str> = title.split(|char: char| !char.is_ascii_alphabetic()).collect();
        let whole = [
            "test",
            "publictest",
            "backup",
            "dev",
            "merge",
            "wfl",
            "hazus",
            "heirs",
            "analytics",
            "analysis",
        ];
        let on_trial =
            self.host.split('.').any(|label| ["dev", "test"].iter().any(|end| label.ends_with(end)));
        self.form == Form::Service && (on_trial || whole.iter().any(|word| words.contains(word)))
    }

    /// Whether the name has a year from 1990 to 2015. The limit is chosen, not measured.
    pub(super) fn has_old_year(&self) -> bool {
        let path = self.path();
        let digits = path.split(|char: char| !char.is_ascii_digit()).filter(|part| part.len() == 4);
        self.form == Form::Download
            && digits.filter_map(|year| year.parse::<u16>().ok()).any(|year| (1990..2016).contains(&year))
    }

    /// Whether the address has plain http and a port other than 80, which is an old setup.
    pub(super) fn is_old(&self) -> bool {
        let authority = self.url.strip_prefix("http://").and_then(|rest| rest.split('/').next());
        authority.is_some_and(|authority| authority.contains(':') && !authority.ends_with(":80"))
    }
}

fn is_ip(host: &str) -> bool {
    host.starts_with('[')
        || (host.split('.').count() == 4 && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// The path as shown, the kind of its target, and whether the target is a layer of a service.
fn shown_path(path: &str, is_website: bool) -> Result<(String, Form, bool), &'static str> {
    let lower = path.to_ascii_lowercase();
    if let Some(at) = ["/mapserver", "/featureserver", "/imageserver"]
        .iter()
        .filter_map(|server| lower.find(server).map(|at| at + server.len()))
        .min()
    {
        let rest = path[at..].split(['?', '#']).next().unwrap_or_default();
        let layer = rest.trim_matches('/').split('/').next().unwrap_or_default();
        let is_layer = !layer.is_empty() && layer.bytes().all(|byte| byte.is_ascii_digit());
        let service = &path[..at];
        let shown = if is_layer { format!("{service}/{layer}") } else { service.to_owned() };
        return Ok((escaped(&shown), Form::Service, is_layer));
    }
    if lower.contains("/rest/services") {
        let shown = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        return Ok((escaped(shown), Form::Service, false));
    }
    let shown = escaped(&without_secrets(path)?);
    let is_wfs = lower.contains("service=wfs") || lower.ends_with("/wfs");
    let bare = lower.split(['?', '#']).next().unwrap_or_default();
    let is_file = FILE_ENDINGS.iter().any(|end| bare.ends_with(end));
    let form = match (is_wfs, is_website && !is_file) {
        (true, _) => Form::Service,
        (false, true) => Form::Page,
        (false, false) => Form::Download,
    };
    Ok((shown, form, false))
}

/// Rejects a path with a parameter that grants access; returns any other path unchanged.
fn without_secrets(path: &str) -> Result<String, &'static str> {
    let Some((before, query)) = path.split_once('?') else { return Ok(path.to_owned()) };
    let (query, fragment) = query.split_once('#').map_or((query, None), |(query, rest)| (query, Some(rest)));
    let name = |part: &str| part.split('=').next().unwrap_or_default().to_ascii_lowercase();
    let secret = |part: &&str| SECRETS.contains(&name(part).as_str());
    if query.split('&').any(|part| secret(&part) && part.contains('=')) {
        return Err("the address holds a key");
    }
    let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    Ok(format!("{before}?{query}{fragment}"))
}

/// Writes characters that an address may not have with a percent sign.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for char in path.chars() {
        match char {
            ' ' | '{' | '}' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' => {
                out.push_str(&format!("%{:02X}", char as u32));
            }
            char if char.is_ascii() => out.push(char),
            char => {
                let mut bytes = [0; 4];
                char.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_shown() {
        let hennepin = "https://gis.hennepin.us/arcgis/rest/services/HennepinData/LAND_PROPERTY/MapServer";
        let cases = [
            (
                format!("{hennepin}/1/query?where=1%3D1&token=abc"),
                false,
                format!("{hennepin}/1"),
                Form::Service,
            ),
            (format!("{hennepin}/"), false, hennepin.to_owned(), Form::Service),
            (
                "https://gis.co.isanti.mn.us/arcgis/rest/services/Addressing?f=html".to_owned(),
                true,
                "https://gis.co.isanti.mn.us/arcgis/rest/services/Addressing".to_owned(),
                Form::Service,
            ),
            ("http://Example.org".to_owned(), true, "http://example.org/".to_owned(), Form::Page),
            (
                "https://mslservices.mt.gov/DataList.aspx?did={6e8}".to_owned(),
                true,
                "https://mslservices.mt.gov/DataList.aspx?did=%7B6e8%7D".to_owned(),
                Form::Page,
            ),
            (
                "https://example.org/a/Parcels.zip".to_owned(),
                true,
                "https://example.org/a/Parcels.zip".to_owned(),
                Form::Download,
            ),
            (
                "https://wfs.example.org/ows?service=WFS&typename=p".to_owned(),
                false,
                "https://wfs.example.org/ows?service=WFS&typename=p".to_owned(),
                Form::Service,
            ),
        ];
        for (text, is_website, url, form) in cases {
            let address = Address::parse(&text, is_website).unwrap();
            assert_eq!((address.url.as_str(), address.form), (url.as_str(), form), "{text}");
        }
        let layer = Address::parse(&format!("{hennepin}/1"), false).unwrap();
        assert_eq!(layer.service.as_deref(), Some(hennepin));
    }

    #[test]
    fn addresses_that_are_not_shown() {
        for (text, reason) in [
            ("ftp://ftp.gisdata.mn.gov/pub/a.zip", "ftp"),
            ("https://72.205.198.131/arcgis/rest/services/Allen/MapServer/0", "bare number"),
            ("https://user:pw@example.org/a.zip", "password"),
            ("https://example.org/a.zip?token=abc", "key"),
            ("gis.example.org/a", "no web address"),
            ("https:///nowhere", "no web address"),
        ] {
            let refused = Address::parse(text, false).unwrap_err();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn hosts_by_their_parts() {
        for (url, labels, domain) in [
            ("https://gismap.co.pennington.mn.us/a", "gismap co pennington", "co.pennington.mn.us"),
            ("https://gis.hennepin.us/a", "gis hennepin", "hennepin.us"),
            ("https://gis.dunn.wi.us/a", "gis dunn", "dunn.wi.us"),
            ("https://www.co.walton.fl.us/", "www co walton", "co.walton.fl.us"),
            ("https://opendata.hayward-ca.gov/", "opendata hayward-ca", "hayward-ca.gov"),
            ("https://gis.itd.idaho.gov/", "gis itd", "itd.idaho.gov"),
            ("https://gis.ny.gov/", "gis", "gis.ny.gov"),
            ("https://maps.dsl.state.or.us/", "maps dsl", "state.or.us"),
        ] {
            let address = Address::parse(url, true).unwrap();
            assert_eq!(address.labels().join(" "), labels);
            assert_eq!(address.domain(), domain);
        }
        assert!(Address::parse("http://gis.example.org:6080/a", true).unwrap().is_old());
        assert!(!Address::parse("https://gis.example.org:6443/a", true).unwrap().is_old());
    }
}
