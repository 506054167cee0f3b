//! Names of governments with the words for their kinds.

use super::titled;
use crate::{
    directory::{Directory, JurisdictionView, Row},
    vocabulary::{JurisdictionType, Layer},
};

/// Legal words that stand before the name: "City of Austin".
const BEFORE_THE_NAME: [&str; 4] = ["city", "town", "village", "borough"];

/// Whether the title of an office already has the whole name of its body, as "Cook County Assessor" has. Renderers then
/// do not add the body.
pub fn is_named_in(body: &str, title: &str) -> bool {
    title.match_indices(body).any(|(at, _)| {
        let beside = [title[..at].chars().next_back(), title[at + body.len()..].chars().next()];
        !beside.into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// The title without the name of its own body at the end, which stands beside it in answers: "Inspections" of
/// "Inspections (Lee County)".
pub fn without_body<'t>(body: &str, title: &'t str) -> &'t str {
    let head = title.strip_suffix(')').and_then(|rest| rest.strip_suffix(body)?.strip_suffix(" ("));
    head.unwrap_or(title)
}

/// A government's name as people say it: "City of Austin", "Bucks County", "Elm Township".
pub fn full_name(view: &JurisdictionView<'_>) -> String {
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

/// The names of a lineage, from the smallest government to the largest: "Minneapolis, Hennepin County, Minnesota". A
/// city that is a town of its own is named once.
pub fn lineage_names(directory: &Directory, lineage: &[Row]) -> String {
    let mut names: Vec<&str> = lineage.iter().rev().map(|row| directory.name_of(*row)).collect();
    names.dedup();
    names.join(", ")
}

/// The name, with the article that a sentence needs: "the City of Austin".
pub fn with_article(view: &JurisdictionView<'_>) -> String {
    let name = full_name(view);
    let has_article = match view.kind {
        JurisdictionType::Country => true,
        JurisdictionType::Layer(Layer::State) => false,
        _ => name.contains(" of "),
    };
    let article = if has_article { "the " } else { "" };
    format!("{article}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn titles_that_name_their_body_are_noticed() {
        for (body, title, expected) in [
            ("Cook County", "Cook County Assessor", true),
            ("Stowe", "Stowe", true),
            ("Lake", "Lakeside Building Office", false),
            ("Cook County", "County Assessor", false),
        ] {
            assert_eq!(is_named_in(body, title), expected, "{title}");
        }
        for (body, title, expected) in [
            ("Lee County", "Inspections (Lee County)", "Inspections"),
            ("Lee County", "Inspections (Memphis and Lee County)", "Inspections (Memphis and Lee County)"),
            ("Lee County", "Lee County", "Lee County"),
        ] {
            assert_eq!(without_body(body, title), expected);
        }
    }
}
