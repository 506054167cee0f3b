//! Counts the figures of the section `coverage`. A build stores them, and the report shows them.

use std::collections::BTreeMap;

use platbook::{
    answers::{Entry, LinkKind, Territory, assignment},
    directory::{Chain, Directory, Resolution, Row},
    geometry::LonLat,
    snapshot::{CoverageFigures, JobFigures, LineFigures, StateFigures},
    vocabulary::{Function, Layer, StateCode, VerifiedStatus, bare_url},
};

use super::{lines::LAYERS, people::people};

/// The number that stands for the nation among FIPS codes of states.
const NATION: u8 = 0;

/// Counts how much of a directory is known. Does not read the figures that its own snapshot may have.
pub fn figures(directory: &Directory) -> CoverageFigures {
    CoverageFigures { jobs: jobs(directory), lines: lines(directory), states: states(directory) }
}

fn jobs(directory: &Directory) -> Vec<JobFigures> {
    let mut jobs: BTreeMap<(StateCode, Function), JobFigures> = BTreeMap::new();
    for (row, people) in people(directory) {
        let Some(state) = directory.state_of(row) else { continue };
        let territory = directory.scope_of(row).map_or(Territory::Unruled, Territory::Scope);
        for function in Function::ALL {
            let entry = assignment(directory, territory, function);
            let figures = jobs.entry((state, function)).or_insert_with(|| JobFigures::of(state, function));
            figures.add(&of_people(directory, people, entry.as_ref()));
        }
    }
    jobs.into_values().collect()
}

/// The figures for people who all get the same answer for a job.
fn of_people(directory: &Directory, people: u32, entry: Option<&Entry>) -> JobFigures {
    let mut figures = JobFigures { people, ..JobFigures::default() };
    let Some(entry) = entry else { return figures };
    match (&entry.office, &entry.outcome.office) {
        (Some(office), _) => {
            let site = office.shown_site(directory);
            figures.office = people;
            figures.phone = if site.is_some_and(|site| site.phone.is_some()) { people } else { 0 };
        }
        (None, None) => figures.no_office = people,
        // Only the title of the office is known.
        (None, Some(_)) => {}
    }
    let links = entry.links(directory);
    let Some(first) = links.first() else { return figures };
    *match first.kind {
        LinkKind::Action(_) => &mut figures.action,
        LinkKind::Office => &mut figures.office_page,
        LinkKind::Page => &mut figures.other_page,
        LinkKind::HomePage => &mut figures.home_page,
        LinkKind::Data => &mut figures.data,
    } = people;
    match first.status {
        VerifiedStatus::Verified => figures.verified = people,
        VerifiedStatus::PossiblyBroken => figures.broken = people,
        VerifiedStatus::NotYetVerified => {}
    }
    figures
}

fn lines(directory: &Directory) -> Vec<LineFigures> {
    let mut lines: BTreeMap<(Layer, StateCode), LineFigures> = BTreeMap::new();
    for layer in LAYERS {
        for row in directory.rows_of(layer) {
            let view = directory.jurisdiction(row);
            let Some((state, point)) = view.state.zip(view.point) else { continue };
            let empty = LineFigures { layer: layer as u8, state: state.fips(), ..LineFigures::default() };
            let figures = lines.entry((layer, state)).or_insert(empty);
            figures.points += 1;
            figures.own += u32::from(answers_itself(directory, row, point));
        }
    }
    lines.into_values().collect()
}

fn answers_itself(directory: &Directory, row: Row, point: LonLat) -> bool {
    let has = |chain: Chain| chain.rows().any(|found| found == row);
    matches!(directory.resolve(point), Resolution::Inside(chain) if has(chain))
}

fn states(directory: &Directory) -> Vec<StateFigures> {
    let mut addresses: BTreeMap<(u8, String), (VerifiedStatus, u32)> = BTreeMap::new();
    for link in directory.links() {
        let state = directory.state_of(link.jurisdiction).map_or(NATION, StateCode::fips);
        let looked = link.check.map_or(0, |check| CoverageFigures::digits_of_day(check.at));
        addresses.insert((state, bare_url(link.url)), (link.status, looked));
    }
    let mut states: BTreeMap<u8, StateFigures> = BTreeMap::new();
    for ((state, _), (status, looked)) in addresses {
        let figures = states.entry(state).or_insert(StateFigures { state, ..StateFigures::default() });
        figures.addresses += 1;
        figures.verified += u32::from(status == VerifiedStatus::Verified);
        figures.broken += u32::from(status == VerifiedStatus::PossiblyBroken);
        figures.last_look = figures.last_look.max(looked);
    }
    for state in StateCode::all() {
        let Some(ruled) = directory.ruled_state(state) else { continue };
        let state = state.fips();
        let figures = states.entry(state).or_insert(StateFigures { state, ..StateFigures::default() });
        figures.rules_checked = CoverageFigures::digits_of_day(&ruled.file.checked);
    }
    states.into_values().collect()
}

#[cfg(test)]
mod tests {
    use platbook::{
        snapshot::write::{LinkCheck, LinkChecks},
        testing,
        vocabulary::VerificationMethod,
    };

    use super::*;

    fn state(code: &str) -> StateCode {
        code.parse().unwrap()
    }

    /// Adams County, with 12,000 people, has a home page and a map, and the other offices have nothing. No telephone is
    /// on record, and Wisconsin has no rules.
    #[test]
    fn people_count_by_the_answer_that_they_get() {
        let directory = testing::directory();
        let figures = figures(&directory);
        let check = |code: &str, function, expected: [u32; 7]| {
            let found = figures.people(Some(state(code)), Some(function)).unwrap();
            let JobFigures { people, office, no_office, other_page, home_page, phone, verified, .. } = found;
            assert_eq!(
                [people, office, no_office, other_page, home_page, phone, verified],
                expected,
                "{code} {function:?}"
            );
        };
        check("MN", Function::Recording, [20_000, 20_000, 0, 0, 12_000, 0, 0]);
        // Inside Rivertown, with 5,000 people of Adams County, the city zones.
        check("MN", Function::Zoning, [20_000, 20_000, 0, 0, 7_000, 0, 0]);
        check("MN", Function::Gis, [20_000, 20_000, 0, 12_000, 0, 0, 0]);
        check("WI", Function::Recording, [34_000, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn jobs_without_an_office_count_apart() {
        let directory = testing::directory();
        let row = directory.found(&"county:27001".parse().unwrap()).unwrap();
        let scope = directory.scope_of(row).unwrap();
        let entry = || assignment(&directory, Territory::Scope(scope), Function::Recording).unwrap();
        let check = |entry: Entry, expected: (u32, u32, u32)| {
            let found = of_people(&directory, 7, Some(&entry));
            assert_eq!((found.office, found.no_office, found.home_page), expected, "{entry:?}");
        };
        check(entry(), (7, 0, 7));
        let mut title_alone = entry();
        title_alone.office = None;
        check(title_alone.clone(), (0, 0, 0));
        title_alone.outcome.office = None;
        check(title_alone, (0, 7, 0));
    }

    #[test]
    fn checks_of_links_count_with_their_last_day() {
        let minnesota = |directory: &Directory| {
            let figures = figures(directory);
            (figures.links(Some(state("MN"))), figures.people(Some(state("MN")), Some(Function::Recording)))
        };
        let (links, people) = minnesota(&testing::directory());
        assert_eq!((links.addresses, links.not_yet_verified(), links.last_look), (2, 2, None));
        assert_eq!(people.map(|figures| figures.verified), Some(0));
        let check = LinkCheck {
            status: VerifiedStatus::Verified,
            at: "2026-11-25T00:00:00Z",
            method: VerificationMethod::Automated,
            http_status: Some(200),
        };
        let directory = testing::directory_with(|contents| {
            let sources = vec![None; contents.ruled.meta.sources.len()];
            contents.pages.link_checks = Some(LinkChecks::pack(&[Some(check)], &[None], &sources));
        });
        let (links, people) = minnesota(&directory);
        assert_eq!((links.verified, links.last_look.as_deref()), (1, Some("2026-11-25")));
        assert_eq!(people.map(|figures| figures.verified), Some(12_000));
    }

    #[test]
    fn outlines_are_measured_at_their_points() {
        let figures = figures(&testing::directory());
        let share = |layer| figures.own_points(Some(state("MN")), layer).to_string();
        assert_eq!([Layer::County, Layer::Cousub, Layer::Place].map(share), ["100.0"; 3]);
        assert_eq!(figures.own_points(Some(state("IA")), Layer::County).to_string(), "-");
        assert_eq!(figures.rules_checked(None), Some(("2026-01-01".to_owned(), "2026-01-01".to_owned())));
    }
}
