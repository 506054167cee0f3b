//! The targets of `fuzz/` that read published files and tables, on bytes that are nearly good.

#[path = "../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../fuzz/pipeline.rs"]
mod pipeline;

use mutate::slips;

/// A table of the repository.
fn table(name: &str) -> Vec<u8> {
    let path = format!("{}/curated/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_table_is_read_or_refused() {
    let tables = ["tribal.toml", "same_as.toml", "retired_ids.toml", "guides/zoning.toml"].map(table);
    let seeds: Vec<&[u8]> = tables.iter().map(Vec::as_slice).collect();
    slips(&seeds, &["[[", "]]", "= ", "\"", "\"\"\"", "\n", "é", "county:", "27053"], 200, pipeline::curated);
}

#[test]
fn every_published_file_is_read_or_refused() {
    let geojson: &[u8] = br#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"GEOID":"27053","NAME":"A"},
        "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}"#;
    let lists: [&[u8]; 2] = [
        b"Domain name,Domain type,Organization name,Suborganization name,City,State,Security contact email\nA.GOV,City,A,,B,MN,c@a.gov\n",
        b"SUMLEV,STATE,COUNTY,PLACE,COUSUB,NAME,POPESTIMATE2019\n050,27,053,00000,00000,Hennepin County,1265843\n",
    ];
    slips(
        &[geojson, b"PK\x03\x04"],
        &["{", "[", "1e999", "null", ",", "PK\x05\x06"],
        1_000,
        pipeline::shapes,
    );
    slips(&lists, &[",", "\"", "\n", "\0", "é"], 1_000, pipeline::published);
}
