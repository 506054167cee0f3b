//! Parts of answers that do not depend on the question: made when first needed, then kept.

use std::sync::OnceLock;

use super::notices::{cousub_notice, no_government_notice, vintage_notice};
use crate::{
    directory::{Directory, Row, SourceRow},
    vocabulary::{Coverage, LicenseClass, PerState, StateCode, VerifiedStatus},
    wire::{Folder, Jurisdiction, PageUrl, Ready, Resource, Source},
};

/// The parts.
#[derive(Debug)]
pub(super) struct Pieces {
    jurisdictions: Box<[OnceLock<JurisdictionPiece>]>,
    sources: Box<[OnceLock<Ready<Source<'static>>>]>,
    resources: Box<[OnceLock<Ready<Resource<'static>>>]>,
    cousub_coverage: PerState<OnceLock<(Coverage, Ready<str>)>>,
    reaches_beyond: Box<[OnceLock<bool>]>,
}

/// All that an answer says of a jurisdiction; about 400 bytes, so 16 MB once all 41,000 were asked for.
#[derive(Debug)]
pub(super) struct JurisdictionPiece {
    pub(super) shape: Ready<Jurisdiction<'static>>,
    pub(super) source: SourceRow,
    pub(super) state: Option<StateCode>,
    pub(super) vintage: Option<u16>,
    pub(super) no_government_notice: Option<Ready<str>>,
    pub(super) vintage_notice: Option<Ready<str>>,
}

impl Pieces {
    /// No part is made yet.
    pub(super) fn new(directory: &Directory) -> Pieces {
        Pieces {
            jurisdictions: unmade(directory.jurisdiction_count()),
            sources: unmade(directory.source_count()),
            resources: unmade(directory.resource_count()),
            cousub_coverage: PerState::default(),
            reaches_beyond: unmade(directory.jurisdiction_count()),
        }
    }

    pub(super) fn jurisdiction(&self, directory: &Directory, site: &str, row: Row) -> &JurisdictionPiece {
        self.jurisdictions[row.index()].get_or_init(|| jurisdiction_piece(directory, site, row))
    }

    pub(super) fn source(&self, directory: &Directory, row: SourceRow) -> &Ready<Source<'static>> {
        self.sources[row.index()].get_or_init(|| Ready::of(&source(directory, row)))
    }

    pub(super) fn resource(
        &self,
        directory: &Directory,
        site: &str,
        number: usize,
    ) -> &Ready<Resource<'static>> {
        self.resources[number].get_or_init(|| Ready::of(&resource(directory, site, number)))
    }

    /// Whether a place reaches into another county than that of its inner point.
    pub(super) fn reaches_beyond(&self, directory: &Directory, place: Row, county: Row) -> bool {
        *self.reaches_beyond[place.index()].get_or_init(|| directory.reaches_beyond(place, county))
    }

    /// How far towns and townships are known in a state, and the notice that says so.
    pub(super) fn cousub_coverage(&self, directory: &Directory, state: StateCode) -> (Coverage, &Ready<str>) {
        let (coverage, notice) = self.cousub_coverage.get(state).get_or_init(|| {
            let coverage = directory.cousub_coverage(state);
            (coverage, Ready::of(&cousub_notice(coverage, state.name())))
        });
        (*coverage, notice)
    }
}

fn unmade<T>(count: usize) -> Box<[OnceLock<T>]> {
    std::iter::repeat_with(OnceLock::new).take(count).collect()
}

fn jurisdiction_piece(directory: &Directory, site: &str, row: Row) -> JurisdictionPiece {
    let view = directory.jurisdiction(row);
    JurisdictionPiece {
        source: view.source,
        state: view.state,
        vintage: view.tiger_vintage,
        no_government_notice: no_government_notice(directory, &view).map(|notice| Ready::of(&notice)),
        vintage_notice: vintage_notice(directory, &view).map(|notice| Ready::of(&notice)),
        shape: Ready::of(&Jurisdiction {
            page_url: PageUrl::Place { site, id: view.id.clone() },
            jurisdiction_id: view.id,
            jurisdiction_type: view.kind,
            name: view.name,
            legal_type: view.legal_type,
            state: view.state,
            same_as: directory.same_as(row).map(|same| directory.jurisdiction(same).id).collect(),
            ocd_id: directory.ocd_id(row).as_deref(),
            tiger_vintage: view.tiger_vintage,
        }),
    }
}

fn resource<'a>(directory: &'a Directory, site: &'a str, number: usize) -> Resource<'a> {
    let view = directory.resource(number).expect("numbers come from this directory");
    Resource {
        resource_id: view.id.text(Folder::Resources.prefix()),
        name: view.name,
        description: view.description,
        url: view.url,
        search_url_template: view.template,
        topics: view.topics.iter().collect(),
        jurisdiction_id: directory.jurisdiction(view.jurisdiction).id,
        publisher: view.publisher,
        provider: view.provider,
        official: view.official,
        verified_status: view.status,
        verified_at: None,
        verification_method: None,
        last_http_status: None,
        license_class: LicenseClass::Open,
        source_kind: view.kind,
        page_url: PageUrl::Record { site, folder: Folder::Resources, id: view.id },
    }
}

fn source(directory: &Directory, row: SourceRow) -> Source<'_> {
    let view = directory.source(row);
    Source {
        name: view.name,
        url: view.url,
        publisher: known(view.publisher),
        official: view.official,
        retrieved_at: known(view.retrieved_at),
        license_class: view.license_class,
        verified_status: Some(VerifiedStatus::NotYetVerified),
        verified_at: None,
    }
}

/// The snapshot stores an unknown text as an empty one.
fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
