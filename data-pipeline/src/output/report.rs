//! Reports a build and the snapshot that it made.
//!
//! For a build, the report lists the records that were dropped, repaired, left out, or not found again at their own
//! point. For a snapshot, `coverage` counts the content and `snapshot` writes it down.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Write as _},
};

use platbook::{
    directory::{Chain, Directory, Resolution, Row},
    geometry::{LonLat, ring},
    vocabulary::{Geoid, Layer},
};

use crate::{
    boundaries::{load::Loaded, precincts, select::Kind},
    directory::records::LeftOut,
    input::manifest::Manifest,
};

mod census_list;
mod columns;
mod coverage;
mod figures;
mod known;
mod lines;
mod people;
mod phones;
mod snapshot;
mod table;

pub use census_list::CensusList;
pub use figures::figures;
pub use snapshot::{Holdings, jobs};

/// A published internal point that does not resolve to its own area.
#[derive(Clone, Debug)]
pub struct Miss {
    /// GEOID of the area.
    pub geoid: Geoid,
    /// The internal point as published.
    pub point: LonLat,
    /// The reason in plain words, then the chain that was found.
    pub why: String,
}

/// The report on a build. [`Report::summary`] is short and committed; [`Report::records`] has a line for each
/// record.
#[derive(Clone, Debug, Default)]
pub struct Report {
    dropped: Vec<String>,
    repaired: Vec<String>,
    left_out: Vec<String>,
    /// Election precincts, each with its town or the reason why it has none.
    precincts: Vec<String>,
    /// Area, published point, and whether the published rings contain the point.
    internal_points: Vec<(Geoid, LonLat, bool)>,
    misses: Vec<Miss>,
    census_list: Option<CensusList>,
    summary: String,
}

impl Report {
    /// Starts the report with the results of loading.
    pub fn of_inputs(manifest: &Manifest, loaded: &Loaded) -> Report {
        let mut report = Report::default();
        for record in &loaded.dropped {
            report
                .dropped
                .push(format!("{}\t{}\t{}\t{}", record.geoid, record.name, record.reason, record.file));
        }
        for (geoid, changes) in &loaded.cleaned {
            report.repaired.push(format!("{geoid}\t{changes:?}"));
        }
        let published = loaded.kept.iter().filter(|area| area.kind == Kind::Jurisdiction);
        let points = published.filter_map(|area| {
            let point = area.internal_point?;
            Some((area.geoid, point, ring::area_contains(&area.rings, point)))
        });
        report.internal_points = points.collect();
        let (listed, people) = (loaded.listed.clone(), loaded.population.clone());
        report.census_list = CensusList::of(manifest, listed, people);
        report.precincts = loaded.precincts.iter().map(ToString::to_string).collect();
        let _ = writeln!(report.summary, "sources {}", manifest.sources.len());
        report.summary.push_str(&precincts::summary(&loaded.precincts));
        report
    }

    /// Resolves each published internal point, and notes those that miss their area.
    pub fn check_internal_points(&mut self, directory: &Directory) {
        for (geoid, point, inside) in &self.internal_points {
            let own = directory.row_of(*geoid);
            let found = match directory.resolve(*point) {
                Resolution::Inside(chain) => Some(chain),
                Resolution::Outside => None,
            };
            let rows = |chain: Chain| [Some(chain.state), Some(chain.county), chain.cousub, chain.place];
            if !found.is_some_and(|chain| rows(chain).contains(&own)) {
                let why = why_missed(directory, *geoid, *point, *inside, found);
                self.misses.push(Miss { geoid: *geoid, point: *point, why });
            }
        }
    }

    /// Adds the results of the build and the content of the snapshot to the summary.
    pub fn describe(&mut self, directory: &Directory) {
        let _ = writeln!(self.summary, "repaired {}", self.repaired.len());
        self.describe_internal_points();
        self.summary.push('\n');
        let _ = write!(self.summary, "{}", Holdings::of(directory, self.census_list.as_ref()));
    }

    /// Notes the records of pages that were left out.
    pub fn left_out(&mut self, left_out: &[LeftOut]) {
        self.left_out = left_out.iter().map(LeftOut::to_string).collect();
    }

    fn describe_internal_points(&mut self) {
        let mut by_layer: BTreeMap<Layer, Found> = BTreeMap::new();
        let missed: BTreeSet<Geoid> = self.misses.iter().map(|miss| miss.geoid).collect();
        for (geoid, _, inside) in &self.internal_points {
            let layer = by_layer.entry(geoid.layer()).or_default();
            layer.count(!missed.contains(geoid), *inside);
        }
        for (layer, found) in by_layer {
            let _ = writeln!(self.summary, "internal points of {}: {found}", layer.prefix());
        }
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        self.misses.iter().for_each(|miss| {
            *reasons.entry(miss.why.split(':').next().unwrap_or_default()).or_default() += 1
        });
        for (reason, count) in reasons {
            let _ = writeln!(self.summary, "internal points missed, {reason}: {count}");
        }
    }

    /// The short part: one figure on each line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The long part: a tab-separated line for each record that was dropped, repaired, left out or missed,
    /// and for each precinct.
    pub fn records(&self) -> String {
        let mut text = String::from("what\tid\tdetail\n");
        self.dropped.iter().for_each(|line| _ = writeln!(text, "dropped\t{line}"));
        self.repaired.iter().for_each(|line| _ = writeln!(text, "repaired\t{line}"));
        self.left_out.iter().for_each(|line| _ = writeln!(text, "{line}"));
        self.precincts.iter().for_each(|line| _ = writeln!(text, "{line}"));
        self.misses
            .iter()
            .for_each(|miss| _ = writeln!(text, "missed\t{}\t{}\t{}", miss.geoid, miss.point, miss.why));
        text
    }
}

/// Counts of a layer's internal points: all points, and those inside their own published polygon. Each count is
/// [points, points that resolve to their own area].
///
/// The Census gives some points outside of their polygon in the same file.
#[derive(Default)]
struct Found {
    all: [usize; 2],
    inside: [usize; 2],
}

impl Found {
    fn count(&mut self, found: bool, inside: bool) {
        for [points, own] in [Some(&mut self.all), inside.then_some(&mut self.inside)].into_iter().flatten() {
            *points += 1;
            *own += usize::from(found);
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |[points, own]: [usize; 2]| 100.0 * own as f64 / points.max(1) as f64;
        let ([points, own], [points_inside, own_inside]) = (self.all, self.inside);
        write!(f, "{own} of {points} found again ({:.2} %)", share(self.all))?;
        match points - points_inside {
            0 => Ok(()),
            _ => write!(
                f,
                "; of those inside their own published polygon {own_inside} of {points_inside} ({:.2} %)",
                share(self.inside)
            ),
        }
    }
}

/// The reason why an internal point does not resolve to its own area.
fn why_missed(
    directory: &Directory,
    geoid: Geoid,
    point: LonLat,
    inside_as_published: bool,
    found: Option<Chain>,
) -> String {
    let snapshot = directory.snapshot();
    let areas = snapshot.areas();
    let own = (0..areas.rows.len() as u32)
        .find(|number| areas.area(*number).and_then(|row| row.geoid()) == Some(geoid));
    let inside = own.is_some_and(|area| snapshot.boundaries().contains(area, point));
    let why = match (inside_as_published, inside) {
        (false, false) => "the published point lies outside the published polygon",
        (true, false) => "simplification moved the line across the published point",
        (_, true) => "a finer or overlapping line of another source decides there",
    };
    let chain = found.map_or("outside coverage".to_owned(), |chain| {
        let name =
            |row: Option<Row>| row.map_or("-".to_owned(), |row| directory.jurisdiction(row).id.to_string());
        format!("{} {} {}", name(Some(chain.county)), name(chain.cousub), name(chain.place))
    });
    format!("{why}: {chain}")
}

#[cfg(test)]
mod tests {
    use platbook::testing;

    use super::*;

    #[test]
    fn points_that_lie_in_another_area_are_misses() {
        let county = |digits| Geoid::parse(Layer::County, digits).unwrap();
        let (adams, baker, beyond) = (county("27001"), county("27003"), testing::point(-5.0, 5.0));
        let inside = testing::point(5.0, 7.0);
        let internal_points = vec![(adams, inside, true), (baker, inside, true), (baker, beyond, true)];
        let mut report = Report { internal_points, ..Report::default() };
        report.check_internal_points(&testing::directory());
        let missed: Vec<(Geoid, LonLat)> =
            report.misses.iter().map(|miss| (miss.geoid, miss.point)).collect();
        assert_eq!(missed, [(baker, inside), (baker, beyond)]);
        assert!(report.misses[0].why.ends_with(": county:27001 cousub:2700120000 -"), "{:?}", report.misses);
        assert!(report.misses[1].why.ends_with(": outside coverage"), "{:?}", report.misses);
    }

    #[test]
    fn points_that_their_own_polygon_does_not_hold_are_counted_apart() {
        let check = |rows: &[(bool, bool)], expected: &str| {
            let mut found = Found::default();
            rows.iter().for_each(|(own, inside)| found.count(*own, *inside));
            assert_eq!(found.to_string(), expected);
        };
        check(&[(true, true), (true, true)], "2 of 2 found again (100.00 %)");
        check(
            &[(true, true), (false, true), (false, false), (true, false)],
            "2 of 4 found again (50.00 %); of those inside their own published polygon 1 of 2 (50.00 %)",
        );
    }
}
