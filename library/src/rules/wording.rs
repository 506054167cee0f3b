//! How names stand in the sentences of rules.

use std::borrow::Cow;

/// The names that stand for the slots of a sentence.
pub(super) struct Names<'a> {
    pub(super) place: &'a str,
    pub(super) cousub: &'a str,
    pub(super) county: &'a str,
    pub(super) state: &'a str,
    pub(super) district: &'a str,
}

impl<'a> Names<'a> {
    fn of(&self, slot: &str) -> Option<&'a str> {
        match slot {
            "place" => Some(self.place),
            "cousub" => Some(self.cousub),
            "county" => Some(self.county),
            "state" => Some(self.state),
            "district" => Some(self.district),
            _ => None,
        }
    }
}

/// A sentence with the names in its slots, such as `{county}`. Other words in braces stay as they are.
pub(super) fn filled(template: &str, names: &Names<'_>) -> String {
    let template = named_once(template, "{cousub}", names.cousub);
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = &*template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}').and_then(|(slot, after)| Some((names.of(slot)?, after)));
        match named {
            Some((name, after)) => {
                text.push_str(name);
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

/// The template without "the township, " before the slot of a name that says so itself: "Elm Township".
fn named_once<'t>(template: &'t str, slot: &str, name: &str) -> Cow<'t, str> {
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
    fn slots_are_filled_and_other_braces_stay() {
        let (place, cousub, county, state) = ("Ames", "Oak Township", "Story County", "Iowa");
        let names = Names { place, cousub, county, state, district: "the district" };
        for (template, words) in [
            ("{county} of {state} assesses {place}.", "Story County of Iowa assesses Ames."),
            ("The township, {cousub}, zones.", "Oak Township zones."),
            ("{district}{county}", "the districtStory County"),
            ("a {b} {county", "a {b} {county"),
            ("{{county}}", "{Story County}"),
            ("", ""),
        ] {
            assert_eq!(filled(template, &names), words);
        }
    }

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
