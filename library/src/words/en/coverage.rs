//! English sentences on how much is known, and how fresh it is.

use crate::{
    answers::{JobShares, LayerCoverage, LinkCoverage},
    directory::POPULATION_YEAR,
    vocabulary::{Layer, Share, StateCode},
    words::{Known, count, date, thousands},
};

/// Caveat for a snapshot without coverage figures.
pub(super) const NO_FIGURES: &str = "This snapshot was made before coverage was counted, so shares are not known. Only its outlines \
                                     are counted here.";

/// Caveat for a state, or for some states, whose people no estimate counts.
pub(super) fn people_not_counted(state: Option<StateCode>) -> String {
    match state {
        Some(state) => format!(
            "The population estimates of {POPULATION_YEAR} have no figures for {}, so shares of its people are not known.",
            state.name()
        ),
        None => format!(
            "Some territories have no population estimates of {POPULATION_YEAR}. Shares of people leave them out."
        ),
    }
}

/// A remark on how much is known, without a period at its end.
pub(super) fn known_text(known: Known<'_>) -> String {
    match known {
        Known::Job(shares) => job(shares),
        Known::State(shares) => state(shares),
        Known::Layer(layer) => outlines(layer),
        Known::Links(links) => looked_at(links),
        Known::Rules(first, last) if first == last => format!("rules checked on {}", date(first)),
        Known::Rules(first, last) => format!("rules checked between {} and {}", date(first), date(last)),
    }
}

fn job(JobShares { office, no_office, action, page, phone, verified }: &JobShares) -> String {
    let without = match no_office.tenths() {
        Some(0) | None => String::new(),
        Some(_) => format!(", no office by the rules {no_office}%"),
    };
    format!(
        "office known {office}%{without}, page to do the job on {action}%, that page or the office's own {page}%, \
         telephone {phone}%, first link verified {verified}%"
    )
}

/// The columns that the heading names: office, page, telephone.
fn state(JobShares { office, page, phone, .. }: &JobShares) -> String {
    let percent = |share: &Share| share.whole_percent().map_or("-".to_owned(), |percent| percent.to_string());
    format!("{:>4} {:>4} {:>4}", percent(office), percent(page), percent(phone))
}

fn outlines(coverage: &LayerCoverage) -> String {
    let LayerCoverage { layer, jurisdictions, outlines, own_point, years } = coverage;
    let (one, many) = match layer {
        Layer::State => ("state", "states"),
        Layer::County => ("county", "counties"),
        Layer::Cousub => ("town or township", "towns and townships"),
        Layer::Place => ("city or village", "cities and villages"),
    };
    let all = count(*jurisdictions as usize, one, many);
    let mut text = format!("{} of {all} with an outline", thousands(u64::from(*outlines)));
    if own_point.tenths().is_some() {
        text.push_str(&format!(", {own_point}% of these found at a point inside them"));
    }
    match years {
        Some((first, last)) if first == last => text.push_str(&format!(", lines of {first}")),
        Some((first, last)) => text.push_str(&format!(", lines of {first} to {last}")),
        None => {}
    }
    text
}

fn looked_at(links: &LinkCoverage) -> String {
    let addresses = count(links.addresses as usize, "web address", "web addresses");
    match &links.last_look {
        None if links.broken == 0 => format!("{addresses}, not yet verified: none was checked"),
        None => format!(
            "{addresses}, none checked yet, {} possibly broken according to the lists that name them",
            thousands(u64::from(links.broken))
        ),
        Some(day) => format!(
            "{addresses}, {} verified, {} possibly broken, last look on {}",
            thousands(u64::from(links.verified)),
            thousands(u64::from(links.broken)),
            date(day)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_say_what_is_known() {
        let check = |known: Known<'_>, expected: &str| assert_eq!(known_text(known), expected);
        let of = |part: u64| Share::new(part, 200u64);
        let (office, no_office, action, page, phone, verified) =
            (of(199), of(0), of(3), of(50), of(200), of(0));
        let shares = JobShares { office, no_office, action, page, phone, verified };
        check(
            Known::Job(&shares),
            "office known 99.5%, page to do the job on 1.5%, that page or the office's own 25.0%, telephone 100.0%, \
             first link verified 0.0%",
        );
        check(Known::State(&shares), "  99   25  100");
        check(Known::State(&JobShares::default()), "   -    -    -");
        let none = JobShares { no_office: of(1), ..shares };
        assert!(known_text(Known::Job(&none)).contains("99.5%, no office by the rules 0.5%, page"));
        let towns = LayerCoverage {
            layer: Layer::Cousub,
            jurisdictions: 1_300,
            outlines: 1_299,
            own_point: Share::new(1_298u64, 1_299u64),
            years: Some((2016, 2023)),
        };
        check(
            Known::Layer(&towns),
            "1,299 of 1,300 towns and townships with an outline, 99.9% of these found at a point inside them, lines of 2016 to 2023",
        );
        let named = LayerCoverage { outlines: 0, own_point: Share::default(), years: None, ..towns };
        check(Known::Layer(&named), "0 of 1,300 towns and townships with an outline");
        let links = LinkCoverage { addresses: 48_511, ..LinkCoverage::default() };
        check(Known::Links(&links), "48,511 web addresses, not yet verified: none was checked");
        let listed = LinkCoverage { broken: 2_066, ..links.clone() };
        check(
            Known::Links(&listed),
            "48,511 web addresses, none checked yet, 2,066 possibly broken according to the lists that name them",
        );
        let seen = LinkCoverage { verified: 1_000, last_look: Some("2026-11-26".to_owned()), ..links };
        check(
            Known::Links(&seen),
            "48,511 web addresses, 1,000 verified, 0 possibly broken, last look on November 26, 2026",
        );
        check(Known::Rules("2026-11-01", "2026-11-01"), "rules checked on November 1, 2026");
    }
}
