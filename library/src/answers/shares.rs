//! Shares of people, outlines and links for which something is known. The pipeline's report computes its shares with
//! the same functions, so its shares equal those of the answers.

use crate::{
    snapshot::{CoverageFigures, JobFigures, StateFigures},
    vocabulary::{Function, Layer, Share, StateCode},
};

/// How much is known about the nation or a state.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageDetails {
    /// The state from the request; `None` for the nation.
    pub state: Option<StateCode>,
    /// People by the estimates of [`POPULATION_YEAR`](crate::directory::POPULATION_YEAR); 0 where they are not counted.
    pub people: u32,
    /// Shares of people by job, in the contract's order. Empty where people are not counted.
    pub jobs: Vec<(Function, JobShares)>,
    /// Counts of outlines by layer; a layer that the nation or the state lacks is left out.
    pub layers: Vec<LayerCoverage>,
    /// Counts of web addresses of pages and offices; `None` if they were not counted.
    pub links: Option<LinkCoverage>,
    /// First and last day on which the rules of a state were checked.
    pub rules_checked: Option<(String, String)>,
    /// Shares of people by state over all jobs, in the order of FIPS codes. Empty for a state.
    pub states: Vec<(StateCode, JobShares)>,
}

/// Shares of people for one job, or the mean of all jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobShares {
    /// The office is known, with the government that runs it.
    pub office: Share,
    /// The rules say that no office does the job.
    pub no_office: Share,
    /// The first link is a page to do the job on.
    pub action: Share,
    /// The first link is such a page, or the office's own page.
    pub page: Share,
    /// A telephone of the office, or the main line of its government, is known.
    pub phone: Share,
    /// The first link was verified.
    pub verified: Share,
}

/// Counts of the outlines of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCoverage {
    /// The layer of the outlines.
    pub layer: Layer,
    /// Number of jurisdictions, with an outline or without.
    pub jurisdictions: u32,
    /// Number of jurisdictions with an outline.
    pub outlines: u32,
    /// Of the jurisdictions with an inner point, the share whose inner point resolves to themselves.
    pub own_point: Share,
    /// First and last year of outlines. The year of a state is that of the source with most of its outlines. `None`
    /// without outlines.
    pub years: Option<(u16, u16)>,
}

/// Numbers of web addresses of pages and offices, and of those that were verified or may be broken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkCoverage {
    /// Number of addresses. Each counts once in each state that has it.
    pub addresses: u32,
    /// Number of addresses that were verified.
    pub verified: u32,
    /// Number of addresses that may be broken.
    pub broken: u32,
    /// Day of the last check of any address; `None` if none was checked.
    pub last_look: Option<String>,
}

impl LinkCoverage {
    /// Number of addresses that are neither verified nor possibly broken.
    pub fn not_yet_verified(&self) -> u32 {
        self.addresses.saturating_sub(self.verified).saturating_sub(self.broken)
    }
}

impl JobShares {
    /// Computes the shares of these figures among their people.
    pub fn new(figures: &JobFigures) -> JobShares {
        let share = |part: u32| Share::new(part, figures.people);
        JobShares {
            office: share(figures.office),
            no_office: share(figures.no_office),
            action: share(figures.action),
            page: share(figures.action.saturating_add(figures.office_page)),
            phone: share(figures.phone),
            verified: share(figures.verified),
        }
    }
}

impl CoverageFigures {
    /// The figures of one job, or of all jobs together, in a state or in all states. `None` without people.
    pub fn people(&self, state: Option<StateCode>, function: Option<Function>) -> Option<JobFigures> {
        let mut sum = JobFigures::default();
        let wanted = |row: &&JobFigures| {
            state.is_none_or(|state| row.state == state.fips())
                && function.is_none_or(|function| row.function == function as u8)
        };
        self.jobs.iter().filter(wanted).for_each(|row| sum.add(row));
        (sum.people > 0).then_some(sum)
    }

    /// The share of a layer's jurisdictions whose inner point resolves to themselves, in a state or in all states.
    /// Jurisdictions without an inner point do not count.
    pub fn own_points(&self, state: Option<StateCode>, layer: Layer) -> Share {
        let wanted = self
            .lines
            .iter()
            .filter(|row| row.layer == layer as u8 && state.is_none_or(|state| row.state == state.fips()));
        let (own, points) = wanted
            .fold((0u64, 0u64), |(own, all), row| (own + u64::from(row.own), all + u64::from(row.points)));
        Share::new(own, points)
    }

    /// The web addresses of a state; without a state, those of the nation and all states.
    pub fn links(&self, state: Option<StateCode>) -> LinkCoverage {
        let mut links = LinkCoverage::default();
        let mut last_look = 0;
        for row in self.rows_of_states(state) {
            links.addresses = links.addresses.saturating_add(row.addresses);
            links.verified = links.verified.saturating_add(row.verified);
            links.broken = links.broken.saturating_add(row.broken);
            last_look = last_look.max(row.last_look);
        }
        LinkCoverage { last_look: CoverageFigures::day_of_digits(last_look), ..links }
    }

    /// First and last day on which the rules of a state were checked; without a state, those of all states.
    pub fn rules_checked(&self, state: Option<StateCode>) -> Option<(String, String)> {
        let days = || self.rows_of_states(state).map(|row| row.rules_checked).filter(|day| *day > 0);
        let [first, last] = [days().min()?, days().max()?].map(CoverageFigures::day_of_digits);
        first.zip(last)
    }

    fn rows_of_states(&self, state: Option<StateCode>) -> impl Iterator<Item = &StateFigures> {
        self.states.iter().filter(move |row| state.is_none_or(|state| row.state == state.fips()))
    }
}
