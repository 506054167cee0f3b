//! Tests that the tables of the repository are complete and that each place of `curated/tests/` gets its
//! known answer.

use std::path::Path;

use super::Tables;

#[test]
fn all_tables_are_whole_and_all_places_come_out_as_written() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated"));
    let tables = Tables::load(folder).unwrap_or_else(|error| panic!("\n{error}\n"));
    assert_eq!(tables.states.len(), 56);
    assert!(tables.areas.same_as.len() > 90, "{}", tables.areas.same_as.len());
    assert!(tables.areas.naming.words.len() >= 12);
    assert!(tables.lists.domains.len() >= 9, "{}", tables.lists.domains.len());
    assert!(tables.main_sites.sites.len() > 400, "{}", tables.main_sites.sites.len());
}
