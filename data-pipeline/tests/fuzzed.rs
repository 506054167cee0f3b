//! Runs the targets of `fuzz/` that read published files and tables, on bytes that are nearly valid.

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
    let tables = [
        "tribal.toml",
        "same_as.toml",
        "retired_ids.toml",
        "guides/zoning.toml",
        "precincts/IN.toml",
        "published_lists.toml",
        "functional_status.toml",
    ]
    .map(table);
    let seeds: Vec<&[u8]> = tables.iter().map(Vec::as_slice).collect();
    slips(&seeds, &["[[", "]]", "= ", "\"", "\"\"\"", "\n", "é", "county:", "27053"], 300, pipeline::curated);
}

/// Inputs for readers of shapes; the first byte of each is the number of the reader.
const SHAPES: [&[u8]; 8] = [
    b"\0{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"GEOID\":\"27053\",\"NAME\":\"A\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}}]}",
    b"\x01{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"a\":1},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,0]]}}]}",
    b"\x02{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"GEOID\":\"27053\",\"NAME\":\"A\",\"NAMELSAD\":\"A County\",\"LSAD\":\"06\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}}]}",
    b"\x03{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"GEOID\":\"27053-A TWP\"},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[1,0],[1,1],[0,0]]]]}}]}",
    b"\x04{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"GEOID20\":\"26051051001\",\"NAME\":\"0517986000001\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}}]}",
    b"\x05PK\x03\x04",
    b"\x06\x64\x00\x7f\x18\x00\xff\x2c\x00\x80",
    b"\x07\x08\x00\x7f\x20\x00\xff\x0a\x00\x80",
];

/// Rows of published lists; the first byte of each is the number of the list.
const LISTS: [&[u8]; 14] = [
    b"\x00Lee.ga.us,County,Georgia,\"Lee County, Ga -- Note\",#N/A\n",
    b"\x01211RI.org,x\n",
    b"\x02A.GOV,City,A,B,MN\n",
    b"\x03050,27,053,1265843\n40,27,0,5639632\n",
    b"\x04162,1,124,2560\n",
    b"\x052601537140|Hastings charter township|A|77761081|1364958|42.632535|-85.242371\n",
    b"\x06Hardin,FOREST / JACKSON,27636,37814,,\n",
    b"\x07AUTAUGA,AL\tAutauga County\tAL\t1\t2\n",
    b"\x0855401,27053,12\n",
    b"\x09PAR1",
    b"\x0aocd-division/country:us/state:mn/county:hennepin,Hennepin,place-27053\n",
    b"\x0bocd-division/country:us/state:mn/place:a,ocd-division/country:us/state:mn/county:a,x\n",
    b"\x0cocd-division/country:us/state:mn/place:b,ocd-division/country:us/state:mn/place:c\n",
    b"\x0d\x1f\x8b\x08",
];

#[test]
fn every_published_file_is_read_or_refused() {
    slips(&SHAPES, &["{", "[", "1e999", "null", ",", "PK\x05\x06", "\0", "\x7f"], 5_000, pipeline::shapes);
    slips(&LISTS, &[",", "\"", "\n", "\0", "é", "\t"], 10_000, pipeline::published);
}
