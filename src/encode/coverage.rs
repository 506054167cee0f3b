//! Fills the JSON type of a `/coverage` answer.

use super::shapes::Shaper;
use crate::wire;
use platbook::{
    answers::{CoverageDetails, JobShares, LayerCoverage},
    directory::POPULATION_YEAR,
    vocabulary::{Function, StateCode},
};

impl<'a> Shaper<'a> {
    pub(super) fn coverage(self, details: &'a CoverageDetails) -> wire::CoverageReport<'a> {
        let states = || details.states.iter().map(|(state, shares)| (state.usps(), state_coverage(shares)));
        wire::CoverageReport {
            state: details.state.map(StateCode::usps),
            people: Some(details.people).filter(|people| *people > 0),
            people_year: POPULATION_YEAR,
            jobs: details.jobs.iter().map(|(function, shares)| job_coverage(*function, shares)).collect(),
            layers: details.layers.iter().map(layer_coverage).collect(),
            links: details.links.as_ref().map(|links| wire::LinkCoverage {
                addresses: links.addresses,
                verified: links.verified,
                not_yet_verified: links.not_yet_verified(),
                possibly_broken: links.broken,
                last_look: links.last_look.as_deref(),
            }),
            rules_checked: details
                .rules_checked
                .as_ref()
                .map(|(first, last)| wire::CheckedBetween { first, last }),
            states: details.state.is_none().then(|| wire::StateShares(states().collect())),
        }
    }
}

fn job_coverage(function: Function, shares: &JobShares) -> wire::JobCoverage {
    let JobShares { office, no_office, action, page, phone, verified } = shares;
    wire::JobCoverage {
        function,
        office: office.percent(),
        no_office: no_office.percent(),
        action: action.percent(),
        page: page.percent(),
        phone: phone.percent(),
        verified: verified.percent(),
    }
}

fn layer_coverage(layer: &LayerCoverage) -> wire::LayerCoverage<'static> {
    wire::LayerCoverage {
        layer: layer.layer.prefix(),
        jurisdictions: layer.jurisdictions,
        outlines: layer.outlines,
        own_point: layer.own_point.percent(),
        oldest: layer.years.map(|(oldest, _)| oldest),
        newest: layer.years.map(|(_, newest)| newest),
    }
}

fn state_coverage(shares: &JobShares) -> wire::StateCoverage {
    wire::StateCoverage {
        office: shares.office.whole_percent(),
        page: shares.page.whole_percent(),
        phone: shares.phone.whole_percent(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{edition::Edition, text};
    use platbook::{
        answers::{Found, Request},
        snapshot::{CoverageFigures, JobFigures, LineFigures, StateFigures},
        testing::directory_with,
        vocabulary::{Function, Layer, StateCode},
        words::English,
    };

    /// Maximum length of an answer in bytes.
    const BYTES_MAX: usize = 4_000;

    /// Figures longer than real ones can be: each state has a tenth of the nation's people, and shares have three or
    /// four digits.
    fn longest() -> CoverageFigures {
        let (people, most) = (39_999_999, 39_999_998);
        let job = |state, function| JobFigures {
            people,
            office: people,
            no_office: most,
            action: most,
            office_page: 0,
            phone: people,
            verified: most,
            ..JobFigures::of(state, function)
        };
        let states = StateCode::all;
        let line = |state: StateCode, layer: Layer| LineFigures {
            layer: layer as u8,
            state: state.fips(),
            points: 9_999,
            own: 9_998,
        };
        let of_state = |state| StateFigures {
            state,
            addresses: 99_999,
            verified: 33_333,
            broken: 33_333,
            last_look: 20_261_126,
            rules_checked: 20_261_126,
        };
        CoverageFigures {
            jobs: states().flat_map(|state| Function::ALL.map(|function| job(state, function))).collect(),
            lines: states().flat_map(|state| Layer::ALL.map(|layer| line(state, layer))).collect(),
            states: std::iter::once(0).chain(states().map(StateCode::fips)).map(of_state).collect(),
        }
    }

    #[test]
    fn every_answer_has_at_most_four_kilobytes() {
        let counted = directory_with(|contents| contents.pages.coverage = Some(longest()));
        let not_counted = directory_with(|contents| {
            contents.pages.coverage = Some(CoverageFigures { jobs: Vec::new(), ..longest() });
        });
        for directory in [counted, not_counted, directory_with(|_| {})] {
            let edition = Edition::new(directory, "https://platbook.example");
            for state in std::iter::once(None).chain(StateCode::all().map(Some)) {
                let answer =
                    edition.answers().finish(&Request::Coverage { state }, Found::default()).unwrap();
                let json = edition.encode(&answer).fill("an-id-of-a-request-12345").into_contiguous();
                let text = text::render(edition.answers(), &English, &answer);
                assert!(json.len() <= BYTES_MAX, "{state:?}: {} bytes of JSON", json.len());
                assert!(text.len() <= BYTES_MAX, "{state:?}: {} bytes of text", text.len());
            }
        }
    }
}
