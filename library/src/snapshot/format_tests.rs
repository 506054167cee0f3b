//! Compares the sizes in FORMAT.md with those of the compiled types.

use std::collections::BTreeMap;

use super::{
    actions, areas, boundaries, city_changes, communities, contacts, container, county_tables, coverage,
    federal, history, jurisdictions, link_checks, meta, names, place_counties, records, shore, state_files,
    tribal, trie,
};

const FORMAT: &str = include_str!("../../../snapshots/FORMAT.md");

/// Returns the rows of the table below a heading, split into cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let (_, section) = FORMAT.split_once(heading).unwrap_or_else(|| panic!("FORMAT.md has {heading:?}"));
    let lines =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    lines.skip(2).map(cells).collect()
}

#[test]
fn the_header_is_as_long_as_its_fields() {
    let rows = table("## The file");
    let mut end = 0;
    for row in rows.iter().take_while(|row| !row[1].ends_with("each")) {
        assert_eq!(row[0].parse(), Ok(end), "{row:?} begins where the row before ends");
        end += row[1].parse::<usize>().unwrap();
    }
    assert_eq!(end, container::HEADER_BYTES);
    assert_eq!(rows[5][1], format!("{} each", container::ROW_BYTES));
    assert_eq!(rows[5][0].parse(), Ok(container::HEADER_BYTES));
}

#[test]
fn rows_are_as_large_as_the_page_says() {
    macro_rules! sizes {
        ($($name:literal: $type:ty),+ $(,)?) => {
            BTreeMap::from([$(($name.to_owned(), (size_of::<$type>(), align_of::<$type>()))),+])
        };
    }
    let laid_out = sizes! {
        "meta": meta::ArchivedMeta,
        "SourceRecord": meta::ArchivedSourceRecord,
        "CoverageRow": meta::ArchivedCoverageRow,
        "jurisdictions": jurisdictions::ArchivedJurisdictions,
        "JurisdictionRow": jurisdictions::ArchivedJurisdictionRow,
        "ReplacedRow": jurisdictions::ArchivedReplacedRow,
        "areas": areas::ArchivedAreas,
        "Field": areas::ArchivedField,
        "AreaRow": areas::ArchivedAreaRow,
        "trie": trie::ArchivedTrie,
        "boundaries": boundaries::ArchivedBoundaries,
        "records": records::ArchivedRecords,
        "WebsiteRow": records::ArchivedWebsiteRow,
        "ResourceRow": records::ArchivedResourceRow,
        "WithheldRow": records::ArchivedWithheldRow,
        "book": state_files::ArchivedStateFiles,
        "names": names::ArchivedNames,
        "county_tables": county_tables::ArchivedCountyTables,
        "RadonRow": county_tables::ArchivedRadonRow,
        "RadonTownRow": county_tables::ArchivedRadonTownRow,
        "ZipCountyRow": county_tables::ArchivedZipCountyRow,
        "tribal": tribal::ArchivedTribalLands,
        "nation_sites": tribal::ArchivedNationSites,
        "shore": shore::ArchivedShore,
        "city_changes": city_changes::ArchivedCityChanges,
        "CityChangeRow": city_changes::ArchivedCityChangeRow,
        "change_days": city_changes::ArchivedChangeDays,
        "ChangeDayRow": city_changes::ArchivedChangeDayRow,
        "communities": communities::ArchivedCommunities,
        "CommunityRow": communities::ArchivedCommunityRow,
        "actions": actions::ArchivedPageActions,
        "dates": state_files::ArchivedDates,
        "past_cases": state_files::ArchivedPastRules,
        "link_checks": link_checks::ArchivedLinkChecks,
        "CheckColumns": link_checks::ArchivedCheckColumns,
        "place_counties": place_counties::ArchivedPlaceCounties,
        "federal": federal::ArchivedFederalLands,
        "FederalRow": federal::ArchivedFederalRow,
        "contacts": contacts::ArchivedContacts,
        "ContactRow": contacts::ArchivedContactRow,
        "coverage": coverage::ArchivedCoverageFigures,
        "JobFigures": coverage::ArchivedJobFigures,
        "LineFigures": coverage::ArchivedLineFigures,
        "StateFigures": coverage::ArchivedStateFigures,
        "history": history::ArchivedHistory,
        "HistoryEntry": history::ArchivedHistoryEntry,
        "HistoryChange": history::ArchivedHistoryChange,
    };
    let stated: BTreeMap<String, (usize, usize)> = table("## Sizes")
        .into_iter()
        .map(|row| (row[0].clone(), (row[1].parse().unwrap(), row[2].parse().unwrap())))
        .collect();
    assert_eq!(stated, laid_out);
}
