//! Plain words: names with their kind, dates, lengths, and what people ask for.

use crate::{
    directory::{Directory, JurisdictionView, Row},
    vocabulary::{Function, JurisdictionType, Layer, StateCode, VerifiedStatus},
};

/// Feet of one metre.
const FEET_PER_METRE: f64 = 3.280_84;

/// Feet of one mile.
const FEET_PER_MILE: f64 = 5_280.0;

/// Legal words that stand before the name: "City of Austin".
const BEFORE_THE_NAME: [&str; 4] = ["city", "town", "village", "borough"];

/// What people call a function.
pub(super) fn function_name(function: Function) -> &'static str {
    match function {
        Function::Assessment => "Property value",
        Function::TaxCollection => "Paying property tax",
        Function::Recording => "Deeds and land records",
        Function::Zoning => "Zoning",
        Function::Permits => "Building permits",
        Function::Gis => "Property maps",
        Function::Exemptions => "Exemptions and tax relief",
    }
}

/// What the office of a function is asked.
pub(super) fn function_question(function: Function) -> &'static str {
    match function {
        Function::Assessment => "What is my property worth for tax, and how do I appeal?",
        Function::TaxCollection => "Where do I look up or pay my property tax bill?",
        Function::Recording => "Where is my deed, mortgage or lien on record?",
        Function::Zoning => "What may I build or do on this land?",
        Function::Permits => "Do I need a permit, and who issues it?",
        Function::Gis => "Where are my property lines on a map?",
        Function::Exemptions => "Can I pay less: homestead, senior, veteran?",
    }
}

/// A government's name as people say it: "City of Austin", "Bucks County", "Elm Township".
pub(super) fn full_name(view: &JurisdictionView<'_>) -> String {
    let (name, Some(word)) = (view.name, view.legal_type) else { return view.name.to_owned() };
    let is_below_county = matches!(view.kind, JurisdictionType::Layer(Layer::Cousub | Layer::Place));
    let has_it = name.to_lowercase().split([' ', '-']).any(|part| word.split(' ').any(|word| word == part));
    if !is_below_county || has_it {
        return name.to_owned();
    }
    if BEFORE_THE_NAME.contains(&word) {
        format!("{} of {name}", titled(word))
    } else {
        format!("{name} {}", titled(word))
    }
}

/// The name, with the article where a sentence needs one: "the City of Austin".
pub(super) fn with_article(view: &JurisdictionView<'_>) -> String {
    let name = full_name(view);
    let has_article = match view.kind {
        JurisdictionType::Country => true,
        JurisdictionType::Layer(Layer::State) => false,
        _ => name.contains(" of "),
    };
    let article = if has_article { "the " } else { "" };
    format!("{article}{name}")
}

/// The same with a capital at the beginning of each word.
pub(super) fn titled(words: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    words.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// The governments of a chain, the nearest first, each government once.
pub(super) fn nearest_first(directory: &Directory, lineage: &[Row]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for row in lineage.iter().rev() {
        if !rows.iter().any(|known| directory.is_same(*known, *row)) {
            rows.push(*row);
        }
    }
    rows
}

/// A chain as a part of a sentence: "the City of Stowe, Lamoille County, Vermont".
pub(super) fn chain(directory: &Directory, lineage: &[Row]) -> String {
    let rows = nearest_first(directory, lineage);
    let names = rows.iter().enumerate().map(|(at, row)| {
        let view = directory.jurisdiction(*row);
        if at == 0 { with_article(&view) } else { full_name(&view) }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// A place in short, as a title has it: "Stowe, Vermont".
pub(super) fn short_place(directory: &Directory, row: Row) -> String {
    let view = directory.jurisdiction(row);
    match view.state.map(StateCode::name).filter(|state| *state != view.name) {
        Some(state) => format!("{}, {state}", view.name),
        None => view.name.to_owned(),
    }
}

/// `2026-11-21` as "21 November 2026"; other texts as they are.
pub(super) fn date(text: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let day = text.get(..10).unwrap_or(text);
    let mut parts = day.split('-').map(|part| part.parse::<usize>().ok());
    let (year, month, day) = (parts.next().flatten(), parts.next().flatten(), parts.next().flatten());
    let month = month.and_then(|month| MONTHS.get(month.wrapping_sub(1)));
    match (year, month, day) {
        (Some(year), Some(month), Some(day)) => format!("{day} {month} {year}"),
        _ => text.to_owned(),
    }
}

/// A length on the ground in feet or miles, as people say it.
pub(super) fn length(metres: f64) -> String {
    let feet = metres * FEET_PER_METRE;
    if feet < 1.5 {
        return "1 foot".to_owned();
    }
    if feet < 1_000.0 {
        let step = if feet < 100.0 { 1.0 } else { 10.0 };
        return format!("{:.0} feet", (feet / step).round() * step);
    }
    format!("{:.1} miles", feet / FEET_PER_MILE)
}

/// A length in metres, for those who count so.
pub(super) fn metres(metres: f64) -> String {
    format!("{metres:.0} metres")
}

/// The host of an address, as a person reads it.
pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether a link may be followed from a page: only web addresses are.
pub(super) fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// What is known of a link.
pub(super) fn link_status(status: VerifiedStatus, listed: &str) -> String {
    match status {
        VerifiedStatus::Verified => "Link checked.".to_owned(),
        VerifiedStatus::NotYetVerified if listed.is_empty() => "Link not checked yet.".to_owned(),
        VerifiedStatus::NotYetVerified => format!("Link not checked since {}.", date(listed)),
        VerifiedStatus::PossiblyBroken => "This link may be broken.".to_owned(),
    }
}

/// Several things as a part of a sentence: "a, b and c".
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A count with its noun: "1 county", "14 counties".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {}", if number == 1 { one } else { many })
}

/// What the counties of a state are called, one and many.
pub(super) fn county_word(state: StateCode) -> (&'static str, &'static str) {
    match state.usps() {
        "LA" => ("parish", "parishes"),
        "AK" => ("borough or census area", "boroughs and census areas"),
        "PR" => ("municipio", "municipios"),
        "CT" => ("planning region", "planning regions"),
        _ => ("county", "counties"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_put_as_people_say_them() {
        for (metres, text) in [
            (0.2, "1 foot"),
            (9.0, "30 feet"),
            (36.0, "120 feet"),
            (76.2, "250 feet"),
            (1_609.3, "1.0 miles"),
        ] {
            assert_eq!(length(metres), text);
        }
        assert_eq!(
            (date("2026-11-21"), date("2026-11-20T00:00:00Z")),
            ("21 November 2026".into(), "20 November 2026".into())
        );
        assert_eq!(
            (date("2026"), date("2026-13-01"), date("é")),
            ("2026".into(), "2026-13-01".into(), "é".into())
        );
        assert_eq!(
            (count(1, "county", "counties"), count(3_144, "county", "counties")),
            ("1 county".into(), "3,144 counties".into())
        );
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn names_have_their_kind_once() {
        let directory = crate::testing::directory();
        for (id, name, in_a_sentence) in [
            ("place:2740000", "City of Rivertown", "the City of Rivertown"),
            ("cousub:2700110000", "Elm town", "Elm town"),
            ("county:27001", "Adams County", "Adams County"),
            ("state:27", "Minnesota", "Minnesota"),
        ] {
            let view = directory.jurisdiction(directory.found(&id.parse().unwrap()).unwrap());
            assert_eq!((full_name(&view).as_str(), with_article(&view).as_str()), (name, in_a_sentence));
        }
    }

    #[test]
    fn hosts_are_read_off_addresses() {
        for (url, host) in
            [("https://www.hennepin.us/tax?a", "hennepin.us"), ("http://x.gov", "x.gov"), ("x", "x")]
        {
            assert_eq!(super::host(url), host);
        }
        assert!(is_web("https://x.gov") && !is_web("javascript:alert(1)"));
    }
}
