//! Writes snapshots: the values that a snapshot consists of, and their encoding. Code that only reads snapshots needs
//! none of this module.
//!
//! The type of each section packs its own data. [`RuledSections`] are governments with their areas and rules; a
//! directory can answer from these sections before there are pages. [`Contents`] adds the pages. `platbook-pipeline` is
//! the only writer of real snapshots; tests write small invented ones.

use std::marker::PhantomData;

use rkyv::{api::high::HighSerializer, rancor, ser::allocator::ArenaHandle, util::AlignedVec};

use super::{Snapshot, container};
pub use super::{
    actions::PageActions,
    areas::{AreaRow, Areas, Field, line_kinds},
    boundaries::{ArcRef, Boundaries},
    city_changes::{ChangeDays, CityChanges, NewCityChange, NewCityFate, NewCityLand, NewDatedChange},
    communities::{Communities, NewCommunity},
    contacts::{Contacts, NewContact},
    container::{Section, write as write_container},
    county_tables::{CountyTables, RadonRow, RadonTownRow, ZipCountyRow},
    coverage::{CoverageFigures, JobFigures, LineFigures, StateFigures},
    federal::{FederalLands, NewFederalLand},
    history::{History, HistoryChange, HistoryEntry},
    jurisdictions::{Jurisdictions, NewJurisdiction},
    layer_file::{About, NewCity, NewPolygon, NewRange, NewStreet, NewStreets, Polygons, Streets},
    link_checks::{LinkCheck, LinkChecks, NewLinkCheck},
    meta::{CoverageRow, DroppedCount, Meta, SourceRecord},
    names::Names,
    place_counties::PlaceCounties,
    records::{NewResource, NewWebsite, NewWithheld, Records},
    shore::{NewShore, Shore},
    state_files::{Dates, PastRules, StateFiles},
    tribal::{Border, NationSites, NewTribalLand, TribalLands},
    trie::{LabelSet, Line, Trie, TrieBuilder},
    write_error::{Cause, WriteError},
};

/// The encoded bytes of a section, as they stand in a file. Several snapshots can share them, so a section is encoded
/// only once.
#[derive(Debug)]
pub struct EncodedSection<T> {
    bytes: AlignedVec,
    section: PhantomData<T>,
}

impl<T> EncodedSection<T>
where
    T: for<'a> rkyv::Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>,
{
    /// Encodes a section in the form that files store.
    ///
    /// # Errors
    /// [`WriteError::Section`] if the encoded section is larger than 2 GiB.
    pub fn new(section: &T) -> Result<EncodedSection<T>, WriteError> {
        let bytes = rkyv::to_bytes::<rancor::Error>(section);
        let bytes = bytes.map_err(|error| WriteError::section(std::any::type_name::<T>(), error))?;
        Ok(EncodedSection { bytes, section: PhantomData })
    }

    fn named(&self, name: &'static str) -> Section<'_> {
        Section { name, bytes: &self.bytes }
    }
}

/// Governments, their areas and their rules. These sections are made first, without a directory.
#[derive(Debug)]
pub struct RuledSections {
    /// Sources, coverage, counts and dates.
    pub meta: Meta,
    /// The jurisdictions with their names. The index of a jurisdiction is its row.
    pub jurisdictions: EncodedSection<Jurisdictions>,
    /// Polygons by number, with the codes that the trie uses.
    pub areas: EncodedSection<Areas>,
    /// The index with which a lookup finds the areas at a point.
    pub trie: EncodedSection<Trie>,
    /// The outlines of all areas, as shared arcs.
    pub boundaries: EncodedSection<Boundaries>,
    /// Rules and guides of the states.
    pub state_files: EncodedSection<StateFiles>,
    /// Land of American Indian nations.
    pub tribal: EncodedSection<TribalLands>,
    /// Main sites of American Indian nations, and the sources of each of their areas.
    pub nation_sites: EncodedSection<NationSites>,
    /// Cities that began or ended after the mapped city limits were drawn.
    pub city_changes: EncodedSection<CityChanges>,
    /// Cities that began or ended, with their days; optional.
    pub change_days: Option<EncodedSection<ChangeDays>>,
    /// Dates and amounts of the property tax.
    pub dates: EncodedSection<Dates>,
    /// Cases of the rules that held until a day.
    pub past_rules: EncodedSection<PastRules>,
    /// Land that may be federal; optional.
    pub federal: Option<EncodedSection<FederalLands>>,
    /// The line between land and water; optional.
    pub shore: Option<EncodedSection<Shore>>,
}

/// Pages, names and lists. A directory of the ruled sections first locates the governments that the pages belong to.
#[derive(Debug, Default)]
pub struct PageSections {
    /// Numbers of pages that were left out, by reason.
    pub left_out: Vec<DroppedCount>,
    /// Websites and resources of governments.
    pub records: Records,
    /// The actions that a person can take on each page.
    pub actions: PageActions,
    /// Names of places and resources.
    pub names: Names,
    /// Facts about whole counties; optional.
    pub county_tables: Option<CountyTables>,
    /// Communities without a government.
    pub communities: Communities,
    /// Telephone numbers, addresses and hours of offices.
    pub contacts: Contacts,
    /// Places in several counties; optional.
    pub place_counties: Option<PlaceCounties>,
    /// The last check of each link; optional.
    pub link_checks: Option<LinkChecks>,
    /// How much of the directory is known; `None` until it is counted.
    pub coverage: Option<CoverageFigures>,
    /// The changes since earlier snapshots; `None` if the snapshot was not compared with an earlier one.
    pub history: Option<History>,
}

/// All sections of a snapshot.
#[derive(Debug)]
pub struct Contents {
    /// The sections that are made before the pages.
    pub ruled: RuledSections,
    /// Pages, names and lists.
    pub pages: PageSections,
}

impl Contents {
    /// Assembles the snapshot in memory and verifies it. [`Snapshot::bytes`] returns its file. Equal contents give
    /// equal bytes.
    ///
    /// # Errors
    /// [`WriteError::Section`] if a section is larger than 2 GiB; [`WriteError::Unreadable`] if sections contradict
    /// each other.
    pub fn seal(&self) -> Result<Snapshot, WriteError> {
        self.ruled.with(&self.pages)
    }
}

impl RuledSections {
    /// Assembles a snapshot from these sections and from pages.
    ///
    /// # Errors
    /// As for [`Contents::seal`].
    pub fn with(&self, pages: &PageSections) -> Result<Snapshot, WriteError> {
        let dropped = [self.meta.dropped.as_slice(), &pages.left_out].concat();
        let meta = EncodedSection::new(&Meta { dropped, ..self.meta.clone() })?;
        let (records, names) = (EncodedSection::new(&pages.records)?, EncodedSection::new(&pages.names)?);
        let communities = EncodedSection::new(&pages.communities)?;
        let contacts = EncodedSection::new(&pages.contacts)?;
        let actions = EncodedSection::new(&pages.actions)?;
        let place_counties = pages.place_counties.as_ref().map(EncodedSection::new).transpose()?;
        let link_checks = pages.link_checks.as_ref().map(EncodedSection::new).transpose()?;
        let county_tables = pages.county_tables.as_ref().map(EncodedSection::new).transpose()?;
        let coverage = pages.coverage.as_ref().map(EncodedSection::new).transpose()?;
        let history = pages.history.as_ref().map(EncodedSection::new).transpose()?;
        let mut sections = vec![
            meta.named("meta"),
            self.jurisdictions.named("jurisdictions"),
            self.areas.named("areas"),
            self.trie.named("trie"),
            self.boundaries.named("boundaries"),
            records.named("records"),
            // The section has had the name "book" since the first release. Another name would change the format.
            self.state_files.named("book"),
            names.named("names"),
            self.tribal.named("tribal"),
            self.nation_sites.named("nation_sites"),
            self.city_changes.named("city_changes"),
            communities.named("communities"),
            contacts.named("contacts"),
            actions.named("actions"),
            self.dates.named("dates"),
        ];
        sections.extend(county_tables.iter().map(|tables| tables.named("county_tables")));
        sections.extend(place_counties.iter().map(|places| places.named("place_counties")));
        sections.extend(link_checks.iter().map(|checks| checks.named("link_checks")));
        sections.extend(coverage.iter().map(|figures| figures.named("coverage")));
        sections.extend(history.iter().map(|history| history.named("history")));
        sections.extend(self.change_days.iter().map(|changes| changes.named("change_days")));
        sections.extend(self.federal.iter().map(|lands| lands.named("federal")));
        sections.extend(self.shore.iter().map(|shore| shore.named("shore")));
        sections.push(self.past_rules.named("past_cases"));
        Ok(Snapshot::copy(&container::write(&sections))?)
    }
}

/// Returns the file of a snapshot with its link checks replaced, as a nightly run replaces them. For tests of deltas.
///
/// # Errors
/// If the file is not a snapshot, or the checks cannot be encoded.
#[cfg(any(test, feature = "testing"))]
pub fn with_link_checks(file: &[u8], checks: &LinkChecks) -> Result<Vec<u8>, WriteError> {
    let later = ["coverage", "history", "change_days", "federal", "shore", "past_cases"];
    with_section(file, EncodedSection::new(checks)?.named("link_checks"), &later)
}

/// Returns the file of a snapshot with its section `change_days` replaced. For tests of changes on real city limits.
///
/// # Errors
/// If the file is not a snapshot, or the days cannot be encoded.
#[cfg(any(test, feature = "testing"))]
pub fn with_change_days(file: &[u8], days: &ChangeDays) -> Result<Vec<u8>, WriteError> {
    with_section(file, EncodedSection::new(days)?.named("change_days"), &["federal", "shore", "past_cases"])
}

/// Returns the file of a snapshot with one section replaced or added. The section stands before the sections `later`.
#[cfg(any(test, feature = "testing"))]
fn with_section(file: &[u8], section: Section<'_>, later: &[&str]) -> Result<Vec<u8>, WriteError> {
    let (mut sections, _) = container::read(file)?;
    sections.retain(|other| other.name != section.name);
    let at = sections.iter().position(|other| later.contains(&other.name)).unwrap_or(sections.len());
    sections.insert(at, section);
    Ok(container::write(&sections))
}

/// The sections of a layer file, before it is written.
#[derive(Debug, Default)]
pub struct LayerContents {
    /// The description of the data that the file is made from.
    pub about: About,
    /// Address ranges along streets, if any.
    pub streets: Option<Streets>,
    /// Polygons of one kind of map, if any.
    pub polygons: Option<Polygons>,
    /// Facts about whole counties, if any.
    pub county_tables: Option<CountyTables>,
}

impl LayerContents {
    /// Encodes the file; equal contents give equal bytes.
    ///
    /// # Errors
    /// [`WriteError::Section`] if a section is larger than 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let about = EncodedSection::new(&self.about)?;
        let streets = self.streets.as_ref().map(EncodedSection::new).transpose()?;
        let polygons = self.polygons.as_ref().map(EncodedSection::new).transpose()?;
        let county_tables = self.county_tables.as_ref().map(EncodedSection::new).transpose()?;
        let mut sections = vec![about.named("about")];
        sections.extend(streets.iter().map(|streets| streets.named("streets")));
        sections.extend(polygons.iter().map(|polygons| polygons.named("polygons")));
        sections.extend(county_tables.iter().map(|tables| tables.named("county_tables")));
        Ok(container::write_as(&container::LAYER, &sections))
    }
}
