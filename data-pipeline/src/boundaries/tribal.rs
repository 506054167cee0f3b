//! Turns areas of American Indian nations into their section of a snapshot.
//!
//! Their lines are cleaned and simplified like those of governments, but separately: a nation's land crosses
//! counties.

use platbook::{
    geometry::LonLat,
    snapshot::write::{Border, NationSites, NewTribalLand, TribalLands, WriteError},
};

use super::{
    clean::{LongEdge, clean},
    simplify::{Ground, Leeway, simplify},
    topology::Topology,
};
use crate::{
    curated::{TribalTable, UnknownLsad},
    input::outlines::Outline,
};

/// Maximum number of edges in a leaf of the trie. The trie is small, so more edges would save little; chosen, not
/// measured.
const LEAF_EDGES_MAX: usize = 32;

/// The reason why the section cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TribalError {
    /// The table does not list the kind of an area.
    #[error("{area}: {source}")]
    Kind {
        /// Name of the area.
        area: String,
        /// The unknown LSAD code.
        source: UnknownLsad,
    },
    /// An edge is longer than any real one: the border jumps.
    #[error("{area}: {source}")]
    LongEdge {
        /// Name of the area.
        area: String,
        /// Both ends of the edge.
        source: LongEdge,
    },
    /// The section cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Selects, cleans, simplifies by at most `simplify_m` meters and packs the areas. `cited` are the rows of
/// the table's own sources.
///
/// # Errors
/// See [`TribalError`].
pub fn pack(
    outlines: Vec<(usize, Outline)>,
    table: &TribalTable,
    cited: Vec<u16>,
    simplify_m: u32,
) -> Result<(TribalLands, NationSites), TribalError> {
    let (mut lands, mut rings, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for (source, outline) in outlines {
        let kind = table.kind(&outline.lsad, &outline.code);
        let kind = kind.map_err(|source| TribalError::Kind { area: outline.full_name.clone(), source })?;
        let Some(kind) = kind else { continue };
        let cleaned = clean(outline.rings);
        let (cleaned, _) =
            cleaned.map_err(|source| TribalError::LongEdge { area: outline.full_name.clone(), source })?;
        rings.push(cleaned);
        sources.push(source as u16);
        let [nation, site] = [&table.nations, &table.sites].map(|texts| texts.get(&outline.code));
        let of_table = [nation, site].into_iter().flatten().map(|text| text.source);
        let of_table = kind.sources.iter().copied().chain(of_table).map(|source| cited[source]);
        lands.push(NewTribalLand {
            name: outline.full_name,
            nation: nation.map(|name| name.text.clone()),
            words: kind.words.clone(),
            site: site.map(|site| site.text.clone()),
            sources: std::iter::once(source as u16).chain(of_table).collect(),
        });
    }
    sources.dedup();
    sources.extend(if lands.is_empty() { Vec::new() } else { cited });
    let mut topology = Topology::of(rings.iter().map(Vec::as_slice));
    let leeway = Leeway { settled_m: f64::from(simplify_m), elsewhere_m: f64::from(simplify_m), tilings: 1 };
    let leeways = vec![leeway; topology.arcs.len()];
    simplify(&mut topology.arcs, &leeways, &Ground::default());
    let sides = topology.sides();
    let borders: Vec<Border<'_>> =
        topology.arcs.iter().map(Vec::as_slice).zip(sides).filter(is_border).collect();
    Ok((TribalLands::pack(&lands, &borders, LEAF_EDGES_MAX, sources)?, NationSites::pack(&lands)?))
}

fn is_border((_, sides): &(&[LonLat], Vec<u32>)) -> bool {
    !sides.is_empty()
}
