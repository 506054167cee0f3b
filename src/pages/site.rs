//! The context that all pages share, and the addresses of pages.

use super::{
    corrections::Corrections,
    words::{full_name, nearest_first},
};
use crate::edition::Edition;
use platbook::{
    answers::{Answers, Office},
    directory::{Directory, ResourceView, Row},
    geometry::LonLat,
    map_files::Ground,
    vocabulary::{JurisdictionId, StateCode, Topic},
};

pub(super) use super::query::in_query;

/// Settings of the operator for pages.
#[derive(Debug, Default)]
pub(super) struct Operator {
    /// The address to which people report errors.
    pub(super) corrections: Corrections,
    /// Roads and water for maps.
    pub(super) ground: Ground,
    /// Whether the service looks up addresses.
    pub(super) takes_addresses: bool,
}

/// The context of every page: an edition, the public address at which it is served, and the settings of the operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'e> {
    edition: &'e Edition,
    operator: &'e Operator,
}

impl<'e> Site<'e> {
    pub(super) fn new(edition: &'e Edition, operator: &'e Operator) -> Site<'e> {
        Site { edition, operator }
    }

    /// Returns the address to which people report errors.
    pub(super) fn corrections(self) -> &'e Corrections {
        &self.operator.corrections
    }

    /// Returns the roads and water for maps.
    pub(super) fn ground(self) -> &'e Ground {
        &self.operator.ground
    }

    /// Returns whether the service looks up addresses.
    pub(super) fn takes_addresses(self) -> bool {
        self.operator.takes_addresses
    }

    pub(super) fn answers(self) -> &'e Answers {
        self.edition.answers()
    }

    pub(super) fn directory(self) -> &'e Directory {
        self.edition.answers().directory()
    }

    /// Returns the public address of the service, without a slash at its end.
    pub(super) fn origin(self) -> &'e str {
        self.edition.encoder().site()
    }

    /// Returns the path below which the service lies; empty if it has its own host.
    fn prefix(self) -> &'e str {
        let host = self.origin().split_once("://").map_or(self.origin(), |(_, host)| host);
        host.find('/').map_or("", |at| &host[at..])
    }

    /// Returns the link to a path of this service.
    pub(super) fn href(self, path: &str) -> String {
        format!("{}{path}", self.prefix())
    }

    /// Returns the link to a jurisdiction's page. States have pages of another kind.
    pub(super) fn place(self, row: Row) -> String {
        self.href(&place_path(self.directory(), row))
    }

    pub(super) fn state(self, state: StateCode) -> String {
        self.href(&state_path(state))
    }

    pub(super) fn point(self, point: LonLat) -> String {
        self.href(&point_path(point))
    }

    pub(super) fn office(self, office: &Office) -> String {
        self.href(&format!("/offices/{}", office.id.text("off_")))
    }

    pub(super) fn resource(self, resource: &ResourceView<'_>) -> String {
        self.href(&format!("/resources/{}", resource.id.text("res_")))
    }

    pub(super) fn topic(self, topic: Topic) -> String {
        self.href(&format!("/topics/{}", topic.as_str()))
    }

    /// Returns the link to a guide, with the rules of a state if one is known.
    pub(super) fn guide(self, topic: Topic, state: Option<StateCode>) -> String {
        self.href(&guide_path(topic, state))
    }
}

/// Returns the path of a guide, with the rules of a state if one is known.
pub(super) fn guide_path(topic: Topic, state: Option<StateCode>) -> String {
    let query = state.map_or_else(String::new, |state| format!("?state={state}"));
    format!("/guides/{}{query}", topic.as_str())
}

/// Returns links to the jurisdictions around the last one, and to that one.
pub(super) fn trail(site: Site<'_>, lineage: &[Row]) -> Vec<(String, String)> {
    let rows = nearest_first(site.directory(), lineage);
    rows.iter().rev().map(|row| (full_name(&site.directory().jurisdiction(*row)), site.place(*row))).collect()
}

/// Returns the path of a jurisdiction's page.
pub(super) fn place_path(directory: &Directory, row: Row) -> String {
    match directory.state_code_of(row) {
        Some(state) => state_path(state),
        None => format!("/places/{}", directory.id_of(row)),
    }
}

pub(super) fn state_path(state: StateCode) -> String {
    format!("/states/{state}")
}

/// Returns the path of a point's page. Coordinates have five decimals, which is about a meter.
pub(super) fn point_path(point: LonLat) -> String {
    format!("/at/{}", point_text(point))
}

/// Formats a point for people: latitude and longitude with at most five decimals.
pub(super) fn point_text(point: LonLat) -> String {
    format!("{},{}", decimals(point.lat_degrees()), decimals(point.lon_degrees()))
}

fn decimals(degrees: f64) -> String {
    let text = format!("{degrees:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the path of a jurisdiction's outline file.
pub(super) fn boundary_path(id: &JurisdictionId) -> String {
    format!("/boundaries/{id}.geojson")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lie_below_the_site() {
        let at = |site: &str| {
            let edition = Edition::new(platbook::testing::directory(), site);
            Site::new(&edition, &Operator::default()).href("/topics")
        };
        assert_eq!(at("https://platbook.example"), "/topics");
        assert_eq!(at("https://example.org/plat%20book"), "/plat%20book/topics");
        assert_eq!(at("http://[::1]:8080"), "/topics");
    }

    #[test]
    fn points_are_written_to_the_meter() {
        let point = LonLat::from_lat_lon(44.977_3, -93.0).unwrap();
        assert_eq!(point_path(point), "/at/44.9773,-93");
    }
}
