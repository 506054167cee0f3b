//! Joins published lists of pages to governments.

use std::collections::BTreeMap;

use platbook::{
    snapshot::write::NewJurisdiction,
    vocabulary::{Geoid, JurisdictionId, Layer, StateCode},
};

use super::documented::{Hosts, above};
use crate::{
    boundaries::load::Loaded,
    curated::PublishedLists,
    directory::{opendata, records::Records, websites},
    input::{
        dotgov::DotGovRow,
        gsa::{GsaRow, Retired},
        openaddresses::OaSource,
    },
};

/// The rows of all published lists, as read.
#[derive(Debug, Default)]
pub struct Feeds {
    dotgov: Vec<DotGovRow>,
    govt_urls: Vec<GsaRow>,
    govt_urls_retired: Retired,
    open_data: Vec<OaSource>,
}

/// Facts about hosts from the lists.
pub(super) struct KnownHosts {
    given: websites::Hosts,
    /// Registered domains, each with the state that registered it; `None` if another body did.
    registry: BTreeMap<String, Option<StateCode>>,
}

impl Feeds {
    /// Takes the rows out of the loaded files.
    pub fn take(loaded: &mut Loaded) -> Feeds {
        Feeds {
            dotgov: std::mem::take(&mut loaded.dotgov),
            govt_urls: std::mem::take(&mut loaded.govt_urls),
            govt_urls_retired: std::mem::take(&mut loaded.govt_urls_retired),
            open_data: std::mem::take(&mut loaded.open_data),
        }
    }

    /// Joins all lists to the governments: facts about hosts, and the records in the order of precedence.
    pub(super) fn join(
        self,
        lists: &PublishedLists,
        rows: &[NewJurisdiction],
        counties: &BTreeMap<Geoid, Geoid>,
    ) -> (KnownHosts, Vec<Records>) {
        let governments = websites::governments(rows, counties);
        let joined =
            websites::join(&governments, lists, &self.dotgov, &self.govt_urls, &self.govt_urls_retired);
        let is_government = |host: &str| joined.hosts.is_government_host(host);
        let open_data = opendata::resources(&self.open_data, rows, lists, &is_government);
        let of_state = |row: &DotGovRow| row.state.parse().ok().filter(|_| row.kind.starts_with("State"));
        let registry = self.dotgov.iter().map(|row| (row.domain.clone(), of_state(row))).collect();
        (KnownHosts { given: joined.hosts, registry }, vec![joined.records, open_data])
    }
}

impl Hosts for KnownHosts {
    fn registered_to(&self, host: &str, body: &JurisdictionId) -> bool {
        let JurisdictionId::Census(geoid) = body else { return false };
        if geoid.layer() == Layer::State {
            let state = StateCode::from_fips(geoid.state_fips());
            return above(host).any(|domain| self.registry.get(domain).is_some_and(|of| *of == state));
        }
        self.registered(host) && self.given.documents(host, *geoid)
    }

    fn registered(&self, host: &str) -> bool {
        above(host).any(|domain| self.registry.contains_key(domain))
    }

    fn listed(&self, host: &str) -> bool {
        above(host).any(|domain| self.given.listed.contains(domain))
    }
}
