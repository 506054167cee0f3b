//! Re-exports the parameters and parsers of each operation, for the table of operations.

pub use super::{
    ask::{PARAMETERS as ASK, parse as parse_ask},
    chains::{PARAMETERS as CHAINS, parse as parse_chains},
    coverage::{PARAMETERS as COVERAGE, parse as parse_coverage},
    download::parse as parse_download,
    guides::{PARAMETERS as GUIDE, parse as parse_guide, parse_topics},
    lists::{
        JURISDICTION_PARAMETERS as JURISDICTIONS, OFFICE_PARAMETERS as OFFICES, parse_jurisdictions,
        parse_offices,
    },
    places::{PLACE_PARAMETERS as PLACE, RESOURCES_PARAMETERS as RESOURCES, parse_place, parse_resources},
    resolve::{PARAMETERS as RESOLVE, parse as parse_resolve},
    screening::{PARAMETERS as SCREENING, parse as parse_screening},
    search::{PARAMETERS as SEARCH, parse as parse_search},
};
