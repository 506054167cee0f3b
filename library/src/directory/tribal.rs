//! Finds the land of an American Indian nation at a point.

use super::{Directory, SourceRow};
use crate::geometry::LonLat;

/// Land of a nation, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TribalLandRow(u32);

/// The fields of a nation's land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TribalLandView<'a> {
    /// The name of the land, with its legal words.
    pub name: &'a str,
    /// The nation's name, if it differs from the land's.
    pub nation: Option<&'a str>,
    /// Sentences on what the status of the land changes for an owner.
    pub words: &'a str,
    /// URL of the nation's main site; `None` if none is on record.
    pub site: Option<&'a str>,
}

impl Directory {
    /// The land of a nation that contains the point: a reservation, or land held in trust. `None` outside of such
    /// land.
    pub fn tribal_land_at(&self, point: LonLat) -> Option<TribalLandRow> {
        self.snapshot.tribal()?.at(point).map(TribalLandRow)
    }

    /// The fields of a nation's land.
    pub fn tribal_land(&self, row: TribalLandRow) -> TribalLandView<'_> {
        let [name, nation, words] = self.snapshot.tribal().map_or([""; 3], |lands| lands.texts(row.0));
        let site = self.snapshot.nation_sites().and_then(|sites| sites.of(row.0));
        TribalLandView { name, nation: Some(nation).filter(|nation| !nation.is_empty()), words, site }
    }

    /// The sources of the lines, sentences and site of a nation's land; in older snapshots, those of all such land.
    pub fn tribal_sources(&self, land: TribalLandRow) -> impl Iterator<Item = SourceRow> {
        let own = self.snapshot.nation_sites();
        let all = self.snapshot.tribal().filter(|_| own.is_none());
        let own = own.into_iter().flat_map(move |sites| sites.sources(land.0));
        own.chain(all.into_iter().flat_map(|lands| lands.sources())).map(SourceRow::new)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{directory, point};

    #[test]
    fn a_point_on_land_of_a_nation_stays_in_its_chain() {
        let directory = directory();
        let row = directory.tribal_land_at(point(8.5, 9.5)).unwrap();
        let land = directory.tribal_land(row);
        assert_eq!((land.name, land.nation), ("Heron Reservation", Some("Heron Nation")));
        assert_eq!(land.site, Some("https://heron.example/"));
        assert_eq!(directory.tribal_land_at(point(7.5, 9.5)), None);
        assert_eq!(directory.resolve(point(8.5, 9.5)), directory.resolve(point(7.5, 9.5)));
        assert_eq!(directory.tribal_sources(row).count(), 1);
    }
}
