//! How names stand in the sentences of rules.

use std::borrow::Cow;

/// The template without "the township, " before the slot of a name that says so itself: "Elm Township".
pub(super) fn named_once<'t>(template: &'t str, slot: &str, name: &str) -> Cow<'t, str> {
    let shorter = || {
        let (before, after) = template.split_once(slot)?;
        let (rest, word) = before.strip_suffix(", ")?.rsplit_once(' ').unwrap_or_default();
        let rest = rest.strip_suffix("the").or_else(|| rest.strip_suffix("The"))?;
        let says_so = name.split(' ').any(|part| part.eq_ignore_ascii_case(word));
        says_so.then(|| format!("{rest}{slot}{}", after.strip_prefix(',').unwrap_or(after)))
    };
    shorter().map_or(Cow::Borrowed(template), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_says_itself_is_not_said_before_it() {
        for (template, name, filled) in [
            ("The township, {cousub}, zones its land.", "Elm Township", "{cousub} zones its land."),
            (
                "The treasurer of the township, {cousub}, bills.",
                "Elm Township",
                "The treasurer of {cousub} bills.",
            ),
            ("Ask the town, {cousub}: it may.", "Lake", "Ask the town, {cousub}: it may."),
            ("In Vermont the town, {cousub}, lists.", "Georgetown", "In Vermont the town, {cousub}, lists."),
            ("{cousub} zones.", "Elm Township", "{cousub} zones."),
            ("The county zones.", "Elm Township", "The county zones."),
        ] {
            assert_eq!(named_once(template, "{cousub}", name), filled, "{template}");
        }
    }
}
