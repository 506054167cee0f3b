//! Finds records by their ids, and the places in counties and towns.
//!
//! The snapshot has no such indexes, so each is made from its tables when first needed. The index of resources takes
//! a millisecond. The index of offices needs the rules of all governments and takes about a second. A service
//! prepares both at startup.

use std::{cmp::Reverse, collections::BTreeMap, sync::OnceLock};

use super::{
    Directory, ResourceView, Row, SourceRow,
    search::{FederalNames, NamedLands},
};
use crate::{
    snapshot::ArchivedContactRow,
    vocabulary::{Geoid, JurisdictionId, Layer, RecordId, StateCode, office_key, zip_at_end},
};

/// Number of ZIP codes with the same first three digits. One center sorts the mail for all of them.
const ZIPS_BESIDE: u32 = 100;
/// Minimum percentage of the addresses of all ZIP codes beside an unknown one that one county must have to stand for
/// it. Beside 85001, Maricopa County has all. Chosen, not measured.
const PERCENT_BESIDE_MIN: u64 = 95;

/// Indexes that are made when first needed.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// Resource numbers, sorted by resource id.
    resources: OnceLock<Box<[(RecordId, u32)]>>,
    /// Bodies, sorted by the id of their office.
    offices: OnceLock<Box<[(RecordId, Row)]>>,
    /// Pairs of a county or town and a place whose inner point lies in it; ascending.
    places: OnceLock<Box<[(Row, Row)]>>,
    /// Pairs of a county and a county subdivision in it; ascending.
    subdivisions: OnceLock<Box<[(Row, Row)]>>,
    /// Land of American Indian nations, by name.
    lands: OnceLock<NamedLands>,
    /// Federal land, by name.
    federal: OnceLock<FederalNames>,
    /// Pairs of the ZIP code of an office's address and the city or town of the office; ascending.
    zips: OnceLock<Box<[(u32, Row)]>>,
}

impl Directory {
    /// Prepares all indexes. This takes a second and helps only pages; [`Directory::warm`] prepares what points need.
    pub fn warm_catalogue(&self) {
        self.office_ids();
        self.catalogue.resources.get_or_init(|| self.resource_ids());
        self.catalogue.places.get_or_init(|| self.places_by_area());
        self.catalogue.subdivisions.get_or_init(|| self.subdivisions_by_county());
        self.named_lands();
        self.federal_names();
        self.catalogue.zips.get_or_init(|| self.governments_by_zip());
    }

    /// Land of American Indian nations, by name.
    pub(super) fn named_lands(&self) -> &NamedLands {
        self.catalogue.lands.get_or_init(|| NamedLands::new(self))
    }

    /// Names of federal land.
    pub(super) fn federal_names(&self) -> &FederalNames {
        self.catalogue.federal.get_or_init(|| FederalNames::of(self.federal_lands()))
    }

    /// The resource with this id; `None` if the snapshot does not have it.
    pub fn resource_of_id(&self, id: RecordId) -> Option<ResourceView<'_>> {
        let known = self.catalogue.resources.get_or_init(|| self.resource_ids());
        let at = known.binary_search_by_key(&id, |entry| entry.0).ok()?;
        self.resource(known[at].1 as usize)
    }

    fn resource_ids(&self) -> Box<[(RecordId, u32)]> {
        let numbers = 0..self.resource_count();
        let views = numbers.filter_map(|number| self.resource(number));
        let mut ids: Vec<_> = views.map(|view| (view.id, view.number as u32)).collect();
        ids.sort_unstable();
        ids.into()
    }

    /// The body of the office with this id; `None` for an unknown id.
    pub fn body_of_office(&self, id: RecordId) -> Option<Row> {
        let known = self.office_ids();
        known.binary_search_by_key(&id, |entry| entry.0).ok().map(|at| known[at].1)
    }

    /// The ids of all offices that the rules name, ascending, each with its body.
    fn office_ids(&self) -> &[(RecordId, Row)] {
        self.catalogue.offices.get_or_init(|| {
            let mut ids: Vec<_> = self.rows().flat_map(|row| self.own_offices(row)).collect();
            ids.sort_unstable();
            ids.dedup();
            ids.into()
        })
    }

    /// The ids of the offices that the rules name at a jurisdiction, each with its body.
    fn own_offices(&self, row: Row) -> Vec<(RecordId, Row)> {
        let jobs = self.jobs_of(row);
        let named = jobs.iter().filter_map(|job| job.office.as_deref().map(|title| (&job.body, title)));
        named
            .filter_map(|(body, title)| Some((RecordId::of(&office_key(body, title)), self.found(body)?)))
            .collect()
    }

    /// The counties that a ZIP code reaches with their percentage of its address ranges, the largest first. Empty if
    /// the snapshot does not know the code.
    pub fn counties_of_zip(&self, zip: u32) -> Vec<(Row, u64)> {
        let Some(tables) = self.snapshot.county_tables() else { return Vec::new() };
        let all: u64 = tables.counties_of(zip).map(|(_, ranges)| u64::from(ranges)).sum();
        let named = tables.counties_of(zip).filter_map(|(county, ranges)| {
            let row = self.found(&format!("county:{county:05}").parse().ok()?)?;
            Some((row, (u64::from(ranges) * 100).checked_div(all)?))
        });
        named.collect()
    }

    /// The county of a ZIP code without addresses of its own, such as one for post office boxes. Nearly all addresses
    /// of the ZIP codes with the same first three digits lie in this county. `None` if they lie in several.
    pub fn county_beside_zip(&self, zip: u32) -> Option<Row> {
        let tables = self.snapshot.county_tables()?;
        let first = zip / ZIPS_BESIDE * ZIPS_BESIDE;
        let mut counties: BTreeMap<u16, u64> = BTreeMap::new();
        for (county, ranges) in (first..first + ZIPS_BESIDE).flat_map(|zip| tables.counties_of(zip)) {
            *counties.entry(county).or_default() += u64::from(ranges);
        }
        let all: u64 = counties.values().sum();
        let (county, most) = counties.into_iter().max_by_key(|(_, ranges)| *ranges)?;
        let is_nearly_all = most * 100 >= all * PERCENT_BESIDE_MIN;
        self.found(&format!("county:{county:05}").parse().ok()?).filter(|_| is_nearly_all)
    }

    /// The cities and towns that have an office with this ZIP code in its address, in the order of their ids. Only some
    /// governments have contacts on record.
    pub fn governments_at_zip(&self, zip: u32) -> impl Iterator<Item = Row> {
        let known = self.catalogue.zips.get_or_init(|| self.governments_by_zip());
        let start = known.partition_point(|(other, _)| *other < zip);
        known[start..].iter().take_while(move |(other, _)| *other == zip).map(|(_, row)| *row)
    }

    fn governments_by_zip(&self) -> Box<[(u32, Row)]> {
        let Some(contacts) = self.snapshot.contacts() else { return Box::default() };
        let of_contact = |contact: &ArchivedContactRow| {
            let address: Vec<&str> = contact.address(contacts)?.split([' ', ',']).collect();
            let (_, zip) = zip_at_end(&address)?;
            let row = Row::new(contact.jurisdiction());
            let is_local = matches!(self.layer(row), Some(Layer::Place | Layer::Cousub));
            is_local.then_some((zip, row))
        };
        let mut zips: Vec<(u32, Row)> = contacts.rows().iter().filter_map(of_contact).collect();
        zips.sort_unstable();
        zips.dedup();
        zips.into()
    }

    /// The counties of a place that reaches into several: first the county of its inner point, then the others by
    /// population. Empty for other places.
    pub fn counties_of_place(&self, place: Row) -> Vec<Row> {
        let listed = self.snapshot.place_counties().into_iter().flat_map(|places| places.of(place.number()));
        let mut counties: Vec<Row> = listed.map(Row::new).collect();
        let own = self.county_around(place);
        counties.sort_by_key(|row| (Some(*row) != own, Reverse(self.population_of(*row))));
        counties
    }

    /// The source of [`Directory::counties_of_place`].
    pub fn place_counties_source(&self) -> Option<SourceRow> {
        self.snapshot.place_counties().map(|places| SourceRow::new(places.source()))
    }

    /// The counties of a state, in the order of their ids.
    pub fn counties_in(&self, state: StateCode) -> Vec<Row> {
        self.counties_of(Some(state)).collect()
    }

    /// The county subdivisions of a county, in the order of their ids.
    pub fn subdivisions_in(&self, county: Row) -> Vec<Row> {
        let known = self.catalogue.subdivisions.get_or_init(|| self.subdivisions_by_county());
        listed_after(known, county).collect()
    }

    fn subdivisions_by_county(&self) -> Box<[(Row, Row)]> {
        let county_of = |row: Row| match self.id_of(row) {
            JurisdictionId::Census(geoid) => self.row_of(geoid.county()?),
            JurisdictionId::Country | JurisdictionId::District(_) => None,
        };
        let mut towns: Vec<(Row, Row)> =
            self.rows_of(Layer::Cousub).filter_map(|row| Some((county_of(row)?, row))).collect();
        towns.sort_unstable();
        towns.into()
    }

    /// The incorporated places whose inner point lies in this county or county subdivision, in the order of their ids.
    pub fn places_in(&self, area: Row) -> impl Iterator<Item = Row> {
        let known = self.catalogue.places.get_or_init(|| self.places_by_area());
        listed_after(known, area)
    }

    fn places_by_area(&self) -> Box<[(Row, Row)]> {
        let mut places: Vec<(Row, Row)> = Vec::new();
        for place in self.rows_of(Layer::Place) {
            let Some(chain) = self.chain_of_place(place) else { continue };
            let areas = [Some(chain.county), chain.cousub].into_iter().flatten();
            places.extend(areas.map(|area| (area, place)));
        }
        places.sort_unstable();
        places.into()
    }

    /// The districts of a state that are not Census units, such as appraisal districts, in the order of their ids.
    pub fn districts_in(&self, state: StateCode) -> impl Iterator<Item = Row> {
        let is_district = |row: &Row| matches!(self.id_of(*row), JurisdictionId::District(_));
        self.rows().filter(is_district).filter(move |row| self.state_of(*row) == Some(state))
    }

    /// The state of a state's row; `None` for rows of other layers.
    pub fn state_code_of(&self, row: Row) -> Option<StateCode> {
        let state = self.state_of(row)?;
        (self.row_of(Geoid::of_state(state)) == Some(row)).then_some(state)
    }
}

/// The second entries of the pairs that begin with this row, in a sorted list.
fn listed_after(list: &[(Row, Row)], first: Row) -> impl Iterator<Item = Row> {
    let start = list.partition_point(|entry| entry.0 < first);
    list[start..].iter().take_while(move |entry| entry.0 == first).map(|entry| entry.1)
}
