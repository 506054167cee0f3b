//! What the pipeline reads. Each function takes any bytes: they are read, or refused with a reason, and nothing panics.

use platbook::vocabulary::Layer;
use platbook_pipeline::{
    curated,
    input::{boundaries, dotgov, gsa, outlines, population, shapes, subdivisions},
};

/// Files of shapes, in all forms in which they are published.
pub(crate) fn shapes(bytes: &[u8]) {
    let _ = shapes::read("a file", bytes, "a word");
    let _ = outlines::outlines("a file", bytes);
    let _ = boundaries("a file", bytes, Layer::County);
}

/// Published lists.
pub(crate) fn published(bytes: &[u8]) {
    let _ = gsa::rows("a file", bytes);
    let _ = dotgov::rows("a file", bytes);
    let _ = population::counties("a file", bytes);
    let _ = population::places("a file", bytes);
    let _ = subdivisions::rows("a file", bytes);
}

/// Hand-kept tables.
pub(crate) fn curated(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = curated::parse_state("MN.toml", text);
    let _ = curated::parse_sites("MN.toml", text);
    let _ = curated::parse_guide("zoning.toml", text);
    let _ = curated::parse_naming("naming.toml", text);
    let _ = curated::parse_national("national.toml", text);
    let _ = curated::parse_same_as("same_as.toml", text);
    let _ = curated::parse_retired("retired_ids.toml", text);
    let _ = curated::parse_main_sites("main_sites.toml", text);
    let _ = curated::parse_tribal("tribal.toml", text);
}
