//! Tables of what is known: the figures that `/v1/coverage` gives, and the pages that first links of jobs lead to.

use platbook::{
    answers::{JobShares, LinkCoverage},
    directory::POPULATION_YEAR,
    snapshot::{CoverageFigures, JobFigures},
    vocabulary::{Function, Share, StateCode},
};

use super::table::{Rows, Table};

/// Title of the table that has the shares of `/v1/coverage`.
const BY_JOB: &str = "Known by state and job, in percent of people";

/// The name of the nation in tables.
const ALL: &str = "all";

/// The tables of these figures.
pub(super) fn tables(figures: &CoverageFigures) -> [Table; 3] {
    [
        Table::new(BY_JOB, jobs(figures)).with_note(format!(
            "as /v1/coverage gives it; people in thousands, of {POPULATION_YEAR}, each by place, town or rest of a county; \
             office: with its government; none: no office by the rules; action: the first link is a page to do it on; \
             page: that, or the office's page; phone: of the office or the main line of its government; rounded down"
        )),
        Table::new("First links of jobs, in percent of people", first_links(figures)).with_note(
            "without jobs that no office does by the rules; action: a page to do it on; page: another page of the job; \
             data: a portal or a download; rounded down"
                .to_owned(),
        ),
        Table::new("Checks of web addresses and rules, by state", checks(figures))
            .with_note("rules checked: for all, the oldest check".to_owned()),
    ]
}

/// All states, the nation first.
fn states() -> impl Iterator<Item = Option<StateCode>> {
    std::iter::once(None).chain(StateCode::all().map(Some))
}

fn name(state: Option<StateCode>) -> String {
    state.map_or(ALL, StateCode::usps).to_owned()
}

fn jobs(figures: &CoverageFigures) -> Rows {
    let heading =
        ["state", "job", "people", "office %", "none %", "action %", "page %", "phone %", "verified %"];
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    for state in states() {
        for function in Function::ALL {
            let Some(people) = figures.people(state, Some(function)) else { continue };
            let JobShares { office, no_office, action, page, phone, verified } = JobShares::new(&people);
            let mut cells =
                vec![name(state), function.as_str().to_owned(), (people.people / 1_000).to_string()];
            cells.extend([office, no_office, action, page, phone, verified].map(|share| share.to_string()));
            table.push(cells);
        }
    }
    table
}

fn first_links(figures: &CoverageFigures) -> Rows {
    let heading = ["job", "action", "office", "page", "home page", "data", "none", "may be broken"];
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    for function in std::iter::once(None).chain(Function::ALL.map(Some)) {
        let Some(of) = figures.people(None, function) else { continue };
        let JobFigures {
            people, no_office, action, office_page, other_page, home_page, data, broken, ..
        } = of;
        // A job that no office does has no link to give.
        let people = people.saturating_sub(no_office);
        let kinds = [action, office_page, other_page, home_page, data];
        let none = kinds.iter().fold(people, |left, count| left.saturating_sub(*count));
        let counts = kinds.into_iter().chain([none, broken]);
        let mut cells = vec![function.map_or(ALL, Function::as_str).to_owned()];
        cells.extend(counts.map(|count| Share::new(count, people).to_string()));
        table.push(cells);
    }
    table
}

fn checks(figures: &CoverageFigures) -> Rows {
    let heading = ["state", "addresses", "verified", "may be broken", "last look", "rules checked"];
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    table.extend(states().map(|state| {
        let LinkCoverage { addresses, verified, broken, last_look } = figures.links(state);
        let rules = figures.rules_checked(state).map_or("-".to_owned(), |(first, _)| first);
        let mut cells = vec![name(state)];
        cells.extend([addresses, verified, broken].map(|count| count.to_string()));
        cells.extend([last_look.unwrap_or_else(|| "-".to_owned()), rules]);
        cells
    }));
    table
}

#[cfg(test)]
mod tests {
    use platbook::{
        answers::{Answers, Data, Found, Request},
        testing,
    };
    use serde_json::{Value, json};

    use super::{super::snapshot::Holdings, *};
    use crate::output::report::figures::figures;

    /// The rows of a table of the report in JSON.
    fn rows<'r>(report: &'r Value, title: &str) -> &'r [Value] {
        let tables = report["tables"].as_array().unwrap();
        let table = tables.iter().find(|table| table["title"].as_str().unwrap().starts_with(title));
        table.unwrap_or_else(|| panic!("the report has {title}"))["rows"].as_array().unwrap()
    }

    #[test]
    fn the_report_has_the_figures_of_the_answer() {
        let counted = figures(&testing::directory());
        let directory = testing::directory_with(|contents| contents.pages.coverage = Some(counted));
        let report = serde_json::to_value(Holdings::of(&directory, None)).unwrap();
        let (mut jobs, mut checks) = (rows(&report, BY_JOB).iter(), rows(&report, "Checks of").iter());
        let answers = Answers::new(directory);
        let mut seen = Vec::new();
        for state in states() {
            let answer = answers.finish(&Request::Coverage { state }, Found::default()).unwrap();
            let details = match answer.data {
                Data::Coverage(details) => details,
                other => panic!("expected coverage, got {other:?}"),
            };
            for (function, shares) in &details.jobs {
                let JobShares { office, no_office, action, page, phone, verified } = shares;
                let row = jobs.next().unwrap();
                assert_eq!((&row[0], &row[1]), (&json!(name(state)), &json!(function.as_str())));
                let cells = &row.as_array().unwrap()[3..];
                let expected =
                    [office, no_office, action, page, phone, verified].map(|share| json!(share.percent()));
                assert_eq!(cells, expected, "{row}");
                seen.extend(office.tenths());
            }
            for layer in &details.layers {
                let of_layer =
                    |row: &&Value| row[0] == json!(name(state)) && row[1] == json!(layer.layer.prefix());
                let Some(row) = rows(&report, "Lines").iter().find(of_layer) else { continue };
                let share = Share::new(row[3].as_u64().unwrap(), row[2].as_u64().unwrap());
                assert_eq!(layer.own_point.tenths(), share.tenths(), "{row}");
            }
            let (links, row) = (details.links.unwrap(), checks.next().unwrap());
            assert_eq!(
                row.as_array().unwrap()[1..3],
                [json!(links.addresses), json!(links.verified)],
                "{row}"
            );
        }
        assert_eq!((jobs.next(), checks.next()), (None, None));
        assert_eq!(seen.iter().max(), Some(&1_000), "some office is known");
    }

    #[test]
    fn first_links_are_shares_of_people_with_an_office() {
        let of = |function, home_page| JobFigures {
            people: 1_500,
            no_office: 500,
            home_page,
            broken: 100,
            ..JobFigures::of("MN".parse().unwrap(), function)
        };
        let jobs = vec![of(Function::Zoning, 500), of(Function::Gis, 250)];
        let figures = CoverageFigures { jobs, ..CoverageFigures::default() };
        let text = Table::new("", first_links(&figures)).to_string();
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for expected in ["all 0.0 0.0 0.0 37.5 0.0 62.5 10.0", "zoning 0.0 0.0 0.0 50.0 0.0 50.0 10.0"] {
            assert!(lines.iter().any(|line| line == expected), "{text}");
        }
    }
}
