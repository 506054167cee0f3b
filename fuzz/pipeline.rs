//! Fuzz targets for the readers of the pipeline. Each accepts any bytes, and must return a result or an error without a
//! panic.

#[path = "../data-pipeline/src/input/made.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "made for the tests of the readers")]
mod made;

use std::{path::Path, sync::LazyLock};

use made::{Parts, packed, parts};
use platbook::vocabulary::Layer;
use platbook_pipeline::{
    curated,
    input::{
        boundaries, dotgov, gazetteer, gsa,
        manifest::{Manifest, Role},
        ocd::Ocd,
        openaddresses, outlines, population, precinct_codes, precincts, radon, shapes, zip_counties,
    },
};
use zip::CompressionMethod;

/// Reads bytes, and drops the result.
type Reader = fn(&[u8]);

/// Makes a zip file without compression, which would take most of the time of an execution.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    packed(members, CompressionMethod::Stored)
}

/// Reads files of shapes; the first byte chooses the reader. For packed files, the bytes are the unpacked contents,
/// since a fuzzer cannot learn to pack.
pub(crate) fn shapes(bytes: &[u8]) {
    const READERS: [Reader; 8] = [
        |bytes| drop(boundaries("a.geojson", bytes, Layer::County)),
        |bytes| drop(shapes::read("a.geojson", bytes, "a")),
        |bytes| drop(outlines::outlines("a.zip", &zip(&[("a.geojson", bytes)]))),
        |bytes| drop(precincts::named("a.zip", &zip(&[("a.geojson", bytes)]))),
        |bytes| drop(precincts::districts("a.zip", &zip(&[("a.geojson", bytes)]))),
        |bytes| drop(boundaries("a.zip", bytes, Layer::County)),
        |bytes| shapefile(with_slips(&WORLD.shp, bytes), WORLD.dbf.clone()),
        |bytes| shapefile(WORLD.shp.clone(), with_slips(&WORLD.dbf, bytes)),
    ];
    by_first_byte(&READERS, bytes);
}

/// A small shapefile of two counties.
static WORLD: LazyLock<Parts> = LazyLock::new(|| {
    let areas =
        [("27053", "Hennepin", "06", "A", (-93.5, 44.75)), ("27123", "Ramsey", "06", "A", (-93.25, 44.75))];
    parts(&areas, 10)
});

/// Returns a valid file with changed bytes. Each change takes three bytes: two for the position, one for the new value.
fn with_slips(file: &[u8], slips: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    for slip in slips.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([slip[0], slip[1]])) % file.len();
        file[at] = slip[2];
    }
    file
}

/// Reads a shapefile of these parts with each of its readers.
fn shapefile(shp: Vec<u8>, dbf: Vec<u8>) {
    let file = Parts { shp, dbf, shx: WORLD.shx.clone(), cpg: None }.packed(CompressionMethod::Stored);
    drop(boundaries("a.zip", &file, Layer::County));
    drop(shapes::read("a.zip", &file, "t"));
}

/// Reads published lists; the first byte chooses the reader. Headers are prepended to the bytes.
pub(crate) fn published(bytes: &[u8]) {
    const READERS: [Reader; 15] = [
        |bytes| drop(gsa::rows("a", &below("Domain name,Type of government,State,Comments,Link", bytes))),
        |bytes| drop(gsa::retired("a", &below("Domain,Status", bytes))),
        |bytes| {
            drop(dotgov::rows("a", &below("Domain name,Domain type,Organization name,City,State", bytes)))
        },
        |bytes| drop(population::counties("a", &below("SUMLEV,STATE,COUNTY,POPESTIMATE2019", bytes))),
        |bytes| drop(population::places("a", &below("SUMLEV,STATE,PLACE,POPESTIMATE2019", bytes))),
        |bytes| {
            let table = below("GEOID|NAME|FUNCSTAT|ALAND|AWATER|INTPTLAT|INTPTLONG", bytes);
            drop(gazetteer::listed("a.zip", &zip(&[("a.txt", &table)])));
        },
        |bytes| drop(precinct_codes::rows("a", bytes)),
        |bytes| drop(radon::zones("a", &below("County,State\tLabel\tGroup\tLevel\tZone", bytes))),
        |bytes| drop(zip_counties::pairs("a.csv", &below("ZIP,county_fips,n_ranges", bytes))),
        |bytes| drop(zip_counties::pairs("a.parquet", bytes)),
        |bytes| ids(Role::OcdIds, "id,name,census_geoid", bytes),
        |bytes| ids(Role::OcdAliases, "id,sameAs,sameAsNote", bytes),
        |bytes| ids(Role::OcdCorrections, "incorrectId,id", bytes),
        |bytes| drop(openaddresses::sources("a.tar.gz", bytes)),
        |bytes| drop(dotgov::rows("a", bytes)),
    ];
    by_first_byte(&READERS, bytes);
}

fn below(header: &str, rows: &[u8]) -> Vec<u8> {
    [header.as_bytes(), b"\n", rows].concat()
}

fn ids(role: Role, header: &str, rows: &[u8]) {
    let mut ocd = Ocd::default();
    drop(ocd.add(role, "a", &below(header, rows)));
    ocd.correct();
}

fn by_first_byte(readers: &[Reader], bytes: &[u8]) {
    if let Some((number, rest)) = bytes.split_first() {
        readers[usize::from(*number) % readers.len()](rest);
    }
}

/// Reads hand-maintained tables, and the manifest.
pub(crate) fn curated(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    drop(curated::parse_state("MN.toml", text));
    drop(curated::parse_sites("MN.toml", text));
    drop(curated::parse_guide("zoning.toml", text));
    drop(curated::parse_naming("naming.toml", text));
    drop(curated::parse_national("national.toml", text));
    drop(curated::parse_same_as("same_as.toml", text));
    drop(curated::parse_retired("retired_ids.toml", text));
    drop(curated::parse_main_sites("main_sites.toml", text));
    drop(curated::parse_tribal("tribal.toml", text));
    drop(curated::parse_city_changes("city_changes.toml", text));
    drop(curated::parse_published_lists("published_lists.toml", text));
    drop(curated::parse_precincts("MN.toml", text));
    drop(curated::parse_precincts("words.toml", text));
    drop(curated::StatusTable::parse("functional_status.toml", text));
    drop(Manifest::parse(Path::new("manifest.toml"), text));
}
