//! Makes rules more certain where pages show which body does a job.
//!
//! A state file says of all its towns: "zones the land, if it has adopted zoning". A town that has a zoning page on
//! record does zone. Such towns get a case of their own, before the doubtful one, with the sentence in `sure`. A further
//! body that only acts where no town does is left out in such towns (`unless.shown`).

use std::collections::BTreeMap;

use platbook::{
    rules::{Case, Performer},
    vocabulary::{Function, Geoid, JurisdictionId, Layer},
};

use super::{CuratedSites, CuratedState, PageKind, SitePage, cases::SureCase};

/// Adds cases for the bodies whose pages show that they do the job.
pub(super) fn settle(state: &mut CuratedState, sites: &[CuratedSites]) {
    let of_state = sites.iter().filter(|sites| sites.state == state.rules.state);
    let mut shown = BTreeMap::new();
    for (function, geoid) in of_state.flat_map(shown_by) {
        let bodies: &mut Vec<Geoid> = shown.entry((function, geoid.layer())).or_default();
        if !bodies.contains(&geoid) {
            bodies.push(geoid);
        }
    }
    // Starts with the last case, so that the positions of earlier cases stay valid.
    for SureCase { function, case: at, why } in state.by_pages.sure.drain(..).rev() {
        let rule = state.rules.functions.iter_mut().find(|rule| rule.function == function);
        let Some(cases) = rule.map(|rule| &mut rule.cases) else { continue };
        let Some(case) = cases.get(at).and_then(|case| surer(case, function, &why, &shown)) else { continue };
        cases.insert(at, case);
    }
    for (function, at) in state.by_pages.unless_shown.drain(..) {
        let rule = state.rules.functions.iter_mut().find(|rule| rule.function == function);
        let Some(further) = rule.and_then(|rule| rule.also.get_mut(at)) else { continue };
        for (layer, listed) in
            [(Layer::Place, &mut further.unless.places), (Layer::Cousub, &mut further.unless.cousubs)]
        {
            let bodies = shown.get(&(function, layer)).into_iter().flatten();
            let new: Vec<Geoid> = bodies.filter(|geoid| !listed.contains(geoid)).copied().collect();
            listed.extend(new);
        }
    }
}

/// The case of the bodies whose pages are on record; `None` without such bodies.
fn surer(
    case: &Case,
    function: Function,
    why: &str,
    shown: &BTreeMap<(Function, Layer), Vec<Geoid>>,
) -> Option<Case> {
    let mut sure = Case { why: why.to_owned(), ..case.clone() };
    let (layer, named) = match case.by {
        Performer::Place => (Layer::Place, &mut sure.when.places),
        Performer::Cousub => (Layer::Cousub, &mut sure.when.cousubs),
        _ => (Layer::County, &mut sure.when.counties),
    };
    let bodies = shown.get(&(function, layer))?;
    if named.is_empty() {
        named.clone_from(bodies);
    } else {
        named.retain(|geoid| bodies.contains(geoid));
    }
    (!named.is_empty()).then_some(sure)
}

/// The jobs that pages of a state show, each with the body that does it.
fn shown_by(sites: &CuratedSites) -> impl Iterator<Item = (Function, Geoid)> {
    sites.pages.iter().filter_map(|page| match &page.body {
        JurisdictionId::Census(geoid) => Some((job_shown_by(page, geoid.layer())?, *geoid)),
        JurisdictionId::Country | JurisdictionId::District(_) => None,
    })
}

/// The job that a page shows. A county may have planners and no zoning, so its page must say that it zones.
fn job_shown_by(page: &SitePage, layer: Layer) -> Option<Function> {
    match page.kind {
        PageKind::Permits => Some(Function::Permits),
        PageKind::ZoningCode => Some(Function::Zoning),
        PageKind::Planning if layer != Layer::County || says_zoning(page) => Some(Function::Zoning),
        _ => None,
    }
}

fn says_zoning(page: &SitePage) -> bool {
    [&page.name, &page.url].into_iter().any(|text| text.to_ascii_lowercase().contains("zoning"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curated::{parse_sites, parse_state};

    const PAGES: &str = r#"state = "MN"
checked = 2026-11-27

[[page]]
body = "place:2743000 Minneapolis"
kind = "zoning_code"
name = "Zoning code"
url = "https://minneapolismn.gov/zoning"

[[page]]
body = "county:27053 Hennepin"
kind = "planning"
name = "Planning department"
url = "https://hennepincounty.gov/planning"
"#;

    #[test]
    fn a_zoning_page_settles_a_doubt_about_zoning() {
        let text = include_str!("../../curated/states/MN.toml");
        let mut state = parse_state("MN.toml", text).unwrap();
        let sites = vec![parse_sites("MN.toml", PAGES).unwrap()];
        let before = state.rules.functions.clone();
        state.by_pages.sure =
            vec![SureCase { function: Function::Zoning, case: 0, why: "Surely.".to_owned() }];
        let rule = |functions: &[platbook::rules::FunctionRule]| {
            functions.iter().find(|rule| rule.function == Function::Zoning).unwrap().cases.clone()
        };
        let at =
            rule(&before).iter().position(|case| case.by == Performer::Place && case.when.places.is_empty());
        let at = at.unwrap();
        state.by_pages.sure[0].case = at;
        settle(&mut state, &sites);
        let cases = rule(&state.rules.functions);
        assert_eq!(cases.len(), rule(&before).len() + 1);
        assert_eq!((cases[at].why.as_str(), cases[at].when.places.len()), ("Surely.", 1));
        assert_eq!(cases[at + 1], rule(&before)[at]);
        let mut by_county = parse_state("MN.toml", text).unwrap();
        let last = rule(&before).len() - 1;
        by_county.by_pages.sure =
            vec![SureCase { function: Function::Zoning, case: last, why: "Surely.".to_owned() }];
        settle(&mut by_county, &sites);
        assert_eq!(rule(&by_county.rules.functions).len(), rule(&before).len(), "planners need not zone");
    }

    #[test]
    fn a_further_body_gives_way_to_a_city_whose_page_shows_that_it_zones() {
        let text = include_str!("../../curated/states/MN.toml");
        let mut state = parse_state("MN.toml", text).unwrap();
        let sites = vec![parse_sites("MN.toml", PAGES).unwrap()];
        let zoning = |rules: &platbook::rules::StateRules| {
            rules.functions.iter().position(|rule| rule.function == Function::Zoning).unwrap()
        };
        let at = zoning(&state.rules);
        let rule = &mut state.rules.functions[at];
        rule.also = vec![rule.cases[rule.cases.len() - 1].clone()];
        state.by_pages.unless_shown = vec![(Function::Zoning, 0)];
        settle(&mut state, &sites);
        let unless = &state.rules.functions[at].also[0].unless;
        assert_eq!((unless.places.len(), unless.cousubs.len()), (1, 0));
    }
}
