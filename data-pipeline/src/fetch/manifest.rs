//! Writes the manifest of a downloaded set.

use std::{collections::BTreeMap, io::Write as _, path::Path};

use platbook::{
    files::durable::{Disk, PUBLIC},
    vocabulary::{Layer, StateCode},
};
use serde::Serialize;

use super::{FetchError, Item, OFFICIAL_BASE_URL, Order, plan};
use crate::input::{digest, manifest::Manifest as Known};

/// Scale denominator of TIGER/Line, which states none; the comment at the head of the default manifest
/// explains it.
const TIGER_SCALE: u32 = 100_000;

#[derive(Serialize)]
struct Manifest<'a> {
    released: &'a str,
    source: Vec<Source<'a>>,
    replaced: Vec<Replaced>,
}

#[derive(Serialize)]
struct Source<'a> {
    id: String,
    name: String,
    publisher: &'a str,
    url: String,
    official: bool,
    license_class: &'a str,
    vintage: u16,
    scale: u32,
    retrieved_at: &'a str,
    role: &'a str,
    layer: &'a str,
    complete: bool,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    path: String,
    states: States,
    sha256: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum States {
    All(&'static str),
    List(Vec<String>),
}

#[derive(Serialize)]
struct Replaced {
    old: String,
    new: Vec<String>,
    note: String,
    source_url: String,
}

pub(super) fn write(order: &Order, path: &Path, date: &str) -> Result<(), FetchError> {
    let mut layers: BTreeMap<Layer, Vec<File>> = BTreeMap::new();
    for item in plan(order) {
        layers.entry(item.layer).or_default().push(file(order, item)?);
    }
    let source = layers.into_iter().map(|(layer, files)| source(order, layer, files, date)).collect();
    let disk = |error| FetchError::Disk { path: path.to_owned(), source: error };
    let manifest = Manifest { released: date, source, replaced: replaced() };
    let text = toml::to_string(&manifest).map_err(|error| disk(std::io::Error::other(error)))?;
    Disk::default().replace(path, PUBLIC, |file| file.write_all(text.as_bytes())).map_err(disk)
}

fn source<'a>(order: &Order, layer: Layer, files: Vec<File>, date: &'a str) -> Source<'a> {
    let (year, word) = (order.vintage, layer.prefix());
    let plural = match layer {
        Layer::State => "states",
        Layer::County => "counties",
        Layer::Cousub => "county subdivisions",
        Layer::Place => "places",
    };
    Source {
        id: format!("{word}-{year}"),
        name: format!("TIGER/Line, {plural}, {year}"),
        publisher: "U.S. Census Bureau, Geography Division",
        // The publisher's address, even for a download from a mirror.
        url: format!("{OFFICIAL_BASE_URL}/TIGER{year}/{}/", word.to_uppercase()),
        official: true,
        license_class: "open",
        vintage: year,
        scale: TIGER_SCALE,
        retrieved_at: date,
        role: "boundaries",
        layer: word,
        complete: true,
        files,
    }
}

fn file(order: &Order, item: Item) -> Result<File, FetchError> {
    let full = order.data_dir.join(&item.path);
    let bytes = std::fs::read(&full).map_err(|source| FetchError::Disk { path: full, source })?;
    let states = if item.states.len() == StateCode::all().count() {
        States::All("all")
    } else {
        States::List(item.states.iter().map(|state| format!("{:02}", state.fips())).collect())
    };
    Ok(File { path: item.path, states, sha256: digest::sha256(&bytes) })
}

/// The rows kept by hand in the default manifest; a build uses those that apply to its vintage.
fn replaced() -> Vec<Replaced> {
    let known = Known::parse(Path::new("sources.toml"), include_str!("../../sources.toml"));
    let rows = known.map(|known| known.replaced).unwrap_or_default();
    let row = |row: crate::input::manifest::Replaced| Replaced {
        old: row.old.to_string(),
        new: row.new.iter().map(ToString::to_string).collect(),
        note: row.note,
        source_url: row.source_url,
    };
    rows.into_iter().map(row).collect()
}
