//! Answers `/coverage`: how much is known by state, job and layer, and how fresh it is.
//!
//! A snapshot has the figures; nothing is counted for a request.

use super::{
    Answers, Form, Notice, Parameter, RawParameters, Refusal, Request,
    model::{Answer, Data},
    parameters,
    shares::{CoverageDetails, JobShares, LayerCoverage},
};
use crate::{
    directory::Directory,
    snapshot::{ArchivedCoverageRow, CoverageFigures},
    vocabulary::{Function, Layer, Share, StateCode},
};

/// The layers that are shown, the largest areas first.
const LAYERS: [Layer; 3] = [Layer::County, Layer::Cousub, Layer::Place];

/// The parameters of `/coverage`.
pub const PARAMETERS: &[Parameter] =
    &[Parameter::query("state", 20, "Two-letter state code, or the state's name; without it, the nation")
        .of(Form::State, "MN")];

/// Parses the parameters of `/coverage`.
///
/// # Errors
/// `bad-parameter`, `unknown-state`.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Ok(Request::Coverage { state: given.get("state").map(parameters::state).transpose()? })
}

/// Answers `/coverage`. If the snapshot has no coverage figures, the answer has only its numbers of outlines.
pub(super) fn coverage(answers: &Answers, state: Option<StateCode>) -> Answer<'_> {
    let directory = answers.directory();
    let stored = directory.snapshot().coverage();
    let figures = stored.as_ref();
    let shares = |state, function| Some(JobShares::new(&figures?.people(state, function)?));
    let jobs = Function::ALL.into_iter().filter_map(|job| Some((job, shares(state, Some(job))?)));
    let jobs: Vec<(Function, JobShares)> = jobs.collect();
    let states = StateCode::all().filter(|_| state.is_none());
    let states: Vec<(StateCode, JobShares)> =
        states.filter_map(|state| Some((state, shares(Some(state), None)?))).collect();
    let is_whole = match state {
        Some(_) => !jobs.is_empty(),
        None => states.len() == StateCode::all().count(),
    };
    let notice = match figures {
        None => Some(Notice::NoCoverageFigures),
        Some(_) => (!is_whole).then_some(Notice::PeopleNotCounted { state }),
    };
    let people = figures.and_then(|figures| figures.people(state, Some(Function::ALL[0])));
    let details = CoverageDetails {
        state,
        people: people.map_or(0, |counted| counted.people),
        jobs,
        layers: LAYERS
            .into_iter()
            .filter_map(|layer| layer_coverage(directory, figures, state, layer))
            .collect(),
        links: figures.map(|figures| figures.links(state)),
        rules_checked: figures.and_then(|figures| figures.rules_checked(state)),
        states,
    };
    answers.answer(Data::Coverage(details), notice.into_iter().collect())
}

/// The outlines of a layer in a state or in all states; `None` if the layer has no jurisdictions there.
fn layer_coverage(
    directory: &Directory,
    figures: Option<&CoverageFigures>,
    state: Option<StateCode>,
    layer: Layer,
) -> Option<LayerCoverage> {
    let is_wanted = |row: &&ArchivedCoverageRow| {
        row.layer() == Some(layer) && row.state().is_some() && (state.is_none() || row.state() == state)
    };
    let rows = || directory.snapshot().meta().coverage.iter().filter(is_wanted);
    let (outlines, named) = rows().fold((0u32, 0u32), |(outlines, named), row| {
        (outlines.saturating_add(row.with_boundary()), named.saturating_add(row.named_only()))
    });
    let sources = rows().filter_map(|row| directory.source_row(row.source()?));
    let years: Vec<u16> = sources.map(|row| directory.source(row).vintage).filter(|year| *year > 0).collect();
    let jurisdictions = outlines.saturating_add(named);
    (jurisdictions > 0).then(|| LayerCoverage {
        layer,
        jurisdictions,
        outlines,
        own_point: figures.map_or_else(Share::default, |figures| figures.own_points(state, layer)),
        years: years.iter().copied().min().zip(years.iter().copied().max()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answers::Found,
        snapshot::{JobFigures, LineFigures, StateFigures},
        testing::{directory, directory_with},
    };

    fn state(code: &str) -> StateCode {
        code.parse().unwrap()
    }

    fn figures() -> CoverageFigures {
        let job = |code: &str, function, people: u32| JobFigures {
            people,
            office: people / 2,
            action: people / 10,
            office_page: people / 5,
            phone: people,
            ..JobFigures::of(state(code), function)
        };
        CoverageFigures {
            jobs: vec![
                job("MN", Function::Assessment, 1_000),
                job("MN", Function::Zoning, 1_000),
                job("WI", Function::Assessment, 3_001),
            ],
            lines: [(27, 2, 2), (55, 5, 1)]
                .map(|(state, points, own)| LineFigures { layer: Layer::County as u8, state, points, own })
                .to_vec(),
            states: [(0, 5, 0, 0), (27, 10, 20_261_125, 20_260_301), (55, 7, 20_261_124, 20_260_201)]
                .map(|(state, addresses, last_look, rules_checked)| StateFigures {
                    state,
                    addresses,
                    verified: 2,
                    broken: 1,
                    last_look,
                    rules_checked,
                })
                .to_vec(),
        }
    }

    fn details(directory: Directory, state: Option<StateCode>) -> (CoverageDetails, Vec<Notice>) {
        let answers = Answers::new(directory);
        let answer = answers.finish(&Request::Coverage { state }, Found::default()).unwrap();
        match answer.data {
            Data::Coverage(details) => (details, answer.notices),
            other => panic!("expected coverage, got {other:?}"),
        }
    }

    #[test]
    fn shares_are_those_of_the_snapshot() {
        let made = || directory_with(|contents| contents.pages.coverage = Some(figures()));
        let check =
            |code: Option<&str>, jobs: &[(Function, &str)], links: (u32, u32, &str), days: (&str, &str)| {
                let (found, _) = details(made(), code.map(state));
                let texts: Vec<(Function, String)> = found
                    .jobs
                    .iter()
                    .map(|(function, of)| {
                        let JobShares { office, action, page, phone, .. } = of;
                        (*function, format!("{office} {action} {page} {phone}"))
                    })
                    .collect();
                let texts: Vec<(Function, &str)> =
                    texts.iter().map(|(function, text)| (*function, &**text)).collect();
                assert_eq!(texts, jobs, "{code:?}");
                let own = found.links.unwrap();
                assert_eq!(
                    (own.addresses, own.not_yet_verified(), own.last_look.as_deref()),
                    (links.0, links.1, Some(links.2))
                );
                assert_eq!(found.rules_checked, Some((days.0.to_owned(), days.1.to_owned())), "{code:?}");
            };
        check(
            None,
            &[(Function::Assessment, "49.9 9.9 29.9 100.0"), (Function::Zoning, "50.0 10.0 30.0 100.0")],
            (22, 13, "2026-11-25"),
            ("2026-02-01", "2026-03-01"),
        );
        check(
            Some("WI"),
            &[(Function::Assessment, "49.9 9.9 29.9 100.0")],
            (7, 4, "2026-11-24"),
            ("2026-02-01", "2026-02-01"),
        );
    }

    #[test]
    fn people_who_are_not_counted_are_unknown_and_not_zero() {
        let made = |jobs: Vec<JobFigures>| {
            directory_with(|contents| contents.pages.coverage = Some(CoverageFigures { jobs, ..figures() }))
        };
        let (nation, said) = details(made(figures().jobs), None);
        assert_eq!((nation.people, nation.states.len()), (4_001, 2));
        assert_eq!(said, [Notice::PeopleNotCounted { state: None }]);
        let iowa = Some(state("IA"));
        let (found, said) = details(made(figures().jobs), iowa);
        assert_eq!((found.people, found.jobs.len(), found.states.len()), (0, 0, 0));
        assert_eq!(said, [Notice::PeopleNotCounted { state: iowa }]);
        let all =
            StateCode::all().map(|code| JobFigures { people: 1, ..JobFigures::of(code, Function::Gis) });
        assert_eq!(details(made(all.collect()), None).1, []);
    }

    #[test]
    fn a_snapshot_without_figures_has_its_outlines_alone() {
        let (found, said) = details(directory(), None);
        assert_eq!((found.jobs.len(), found.links, found.states.len()), (0, None, 0));
        assert_eq!(said, [Notice::NoCoverageFigures]);
        let towns = found.layers.iter().find(|layer| layer.layer == Layer::Cousub).unwrap();
        assert_eq!((towns.own_point.tenths(), towns.years.is_some()), (None, true));
    }
}
