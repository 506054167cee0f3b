//! The writer's half: what a snapshot is made from, and how it becomes bytes. Readers need none of it.
//!
//! Each section is packed by the type of its name; [`Contents`] holds them all and [`Contents::to_bytes`] makes the
//! file. `platbook-pipeline` is the one writer; tests write small invented worlds.

use rkyv::{api::high::HighSerializer, rancor, ser::allocator::ArenaHandle, util::AlignedVec};

use super::container;
pub use super::{
    areas::{AreaRow, Areas, Field, line_kinds},
    boundaries::{ArcRef, Boundaries},
    city_changes::{CityChanges, NewCityChange, NewCityFate, NewCityLand},
    communities::{Communities, NewCommunity},
    container::{Section, write as write_container},
    county_tables::{CountyTables, RadonRow, RadonTownRow, ZipCountyRow},
    jurisdictions::{Jurisdictions, NewJurisdiction},
    layer_file::{About, NewCity, NewPolygon, NewRange, NewStreet, NewStreets, Polygons, Streets},
    meta::{CoverageRow, DroppedCount, Meta, SourceRecord},
    names::Names,
    records::{NewResource, NewWebsite, NewWithheld, Records},
    shore::{NewShore, Shore},
    state_files::StateFiles,
    tribal::{Border, NewTribalLand, TribalLands},
    trie::{LabelSet, Line, Trie, TrieBuilder},
    write_error::{Cause, WriteError},
};

/// All sections of a snapshot on its way to a file.
#[derive(Debug)]
pub struct Contents {
    /// What it was made of.
    pub meta: Meta,
    /// Rows and names.
    pub jurisdictions: Jurisdictions,
    /// Polygons by number, and their codes.
    pub areas: Areas,
    /// Point location.
    pub trie: Trie,
    /// The polygons.
    pub boundaries: Boundaries,
    /// Websites and resources of governments.
    pub records: Records,
    /// Rules and guides.
    pub state_files: StateFiles,
    /// Names of places and resources.
    pub names: Names,
    /// What is known of whole counties; a snapshot can be without.
    pub county_tables: Option<CountyTables>,
    /// Land of American Indian nations.
    pub tribal: TribalLands,
    /// Cities that began or ended after their lines were drawn.
    pub city_changes: CityChanges,
    /// Communities without a government.
    pub communities: Communities,
    /// Where the mapped land ends; a snapshot can be without.
    pub shore: Option<Shore>,
}

impl Contents {
    /// The bytes of the file: same contents, same bytes.
    ///
    /// # Errors
    /// [`WriteError::Section`] when a section is larger than 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        macro_rules! encoded {
            ($name:literal, $section:ident) => {
                encoded($name, &self.$section)?
            };
        }
        let mut sections = vec![
            encoded!("meta", meta),
            encoded!("jurisdictions", jurisdictions),
            encoded!("areas", areas),
            encoded!("trie", trie),
            encoded!("boundaries", boundaries),
            encoded!("records", records),
            // The name that the first release gave it; to change it would change the format.
            encoded!("book", state_files),
            encoded!("names", names),
            encoded!("tribal", tribal),
            encoded!("city_changes", city_changes),
            encoded!("communities", communities),
        ];
        if let Some(tables) = &self.county_tables {
            sections.push(encoded("county_tables", tables)?);
        }
        if let Some(shore) = &self.shore {
            sections.push(encoded("shore", shore)?);
        }
        Ok(container::write(&borrowed(&sections)))
    }
}

/// All sections of a layer file on its way to a file.
#[derive(Debug, Default)]
pub struct LayerContents {
    /// What it was made of.
    pub about: About,
    /// Address ranges along streets.
    pub streets: Option<Streets>,
    /// Polygons of one kind of map.
    pub polygons: Option<Polygons>,
    /// What is known of whole counties.
    pub county_tables: Option<CountyTables>,
}

impl LayerContents {
    /// The bytes of the file: same contents, same bytes.
    ///
    /// # Errors
    /// [`WriteError::Section`] when a section is larger than 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let mut sections = vec![encoded("about", &self.about)?];
        if let Some(streets) = &self.streets {
            sections.push(encoded("streets", streets)?);
        }
        if let Some(polygons) = &self.polygons {
            sections.push(encoded("polygons", polygons)?);
        }
        if let Some(tables) = &self.county_tables {
            sections.push(encoded("county_tables", tables)?);
        }
        Ok(container::write_as(&container::LAYER, &borrowed(&sections)))
    }
}

/// A section's name and bytes.
type Encoded = (&'static str, AlignedVec);

fn encoded<T>(name: &'static str, section: &T) -> Result<Encoded, WriteError>
where
    T: for<'a> rkyv::Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>,
{
    let bytes = rkyv::to_bytes::<rancor::Error>(section);
    Ok((name, bytes.map_err(|error| WriteError::section(name, error))?))
}

fn borrowed(sections: &[Encoded]) -> Vec<Section<'_>> {
    sections.iter().map(|(name, bytes)| Section { name, bytes }).collect()
}
