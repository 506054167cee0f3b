//! Sentences on why the rules name a body, or no body.

use std::borrow::Cow;

use super::English;
use crate::rules::{ChainNames, Gap, Missing, Reason, Unit};

impl English {
    /// The sentence of a reason.
    pub(super) fn sentence_on(reason: &Reason, names: &ChainNames) -> String {
        let stated = |why: &str, district: &Option<String>| filled(why, &Names::in_slots(names, district));
        match reason {
            Reason::Stated { why, district } => stated(why, district),
            Reason::Unconfirmed { why, district } => {
                format!("{} This is not confirmed, so no government is named.", stated(why, district))
            }
            Reason::DependsOn(missing) => {
                format!(
                    "The office depends on the {}. {}",
                    word(missing.unit, names),
                    sentence_of(*missing, names)
                )
            }
            Reason::MayApply(missing) => format!(
                "This may apply here, depending on the {}. {}",
                word(missing.unit, names),
                sentence_of(*missing, names)
            ),
            Reason::DoneBySome(missing) => {
                format!("The {} does this. {}", word(missing.unit, names), sentence_of(*missing, names))
            }
            Reason::Divided(missing) => {
                format!("Districts share {}. {}", names.county, sentence_of(*missing, names))
            }
            Reason::NoGovernment(Unit::Place) => {
                "No city, town or village government is on record here.".to_owned()
            }
            Reason::NoGovernment(unit) => {
                format!("No {} government is on record here.", word(*unit, names))
            }
            Reason::NotActing(unit) => {
                let name = match unit {
                    Unit::Place => names.place.as_deref().unwrap_or("The city"),
                    Unit::Cousub => names.cousub.as_deref().unwrap_or("The town"),
                    Unit::County => &names.county,
                };
                format!("{name} has no government of its own. No other office for this is on record.")
            }
            Reason::NoDistrict => "No district is on record here.".to_owned(),
            Reason::InGeneral { place_words, summary } => {
                format!("In {}: {place_words}. {}", names.state.name(), summary.join(" "))
            }
        }
    }
}

/// The word for a government of a layer.
fn word(unit: Unit, names: &ChainNames) -> &str {
    match unit {
        Unit::Place => "city",
        Unit::Cousub => names.cousub_word.as_deref().unwrap_or("town"),
        Unit::County => "county",
    }
}

/// Why a government of a layer is not known.
fn sentence_of(missing: Missing, names: &ChainNames) -> String {
    let word = word(missing.unit, names);
    match missing.gap {
        Gap::OldLimits => {
            "A city near here began or ended after these city limits were drawn, so this land may or may not \
                           be inside one."
                .to_owned()
        }
        Gap::NoLines => format!(
            "This data has no {word} lines for this part of {}, so the {word} is not known.",
            names.state.name()
        ),
        Gap::Choice => format!("{} has more than one, so give a point or a {word}.", names.county),
    }
}

/// The names that stand for the slots of a sentence.
struct Names<'a> {
    place: &'a str,
    cousub: &'a str,
    county: &'a str,
    state: &'a str,
    district: &'a str,
}

impl<'a> Names<'a> {
    fn in_slots(names: &'a ChainNames, district: &'a Option<String>) -> Names<'a> {
        Names {
            place: names.place.as_deref().unwrap_or("the city"),
            cousub: names.cousub.as_deref().unwrap_or(word(Unit::Cousub, names)),
            county: &names.county,
            state: names.state.name(),
            district: district.as_deref().unwrap_or("the district"),
        }
    }

    fn in_slot(&self, slot: &str) -> Option<&'a str> {
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
fn filled(template: &str, names: &Names<'_>) -> String {
    let template = named_once(template, "{cousub}", names.cousub);
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = &*template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}').and_then(|(slot, after)| Some((names.in_slot(slot)?, after)));
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

/// Removes "the township, " before the slot if the name has that word itself, as "Elm Township" has.
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
    use crate::vocabulary::StateCode;

    #[test]
    fn each_reason_is_a_sentence() {
        let state = StateCode::from_fips(55).unwrap();
        let names = ChainNames { county: "Adams County".to_owned(), ..ChainNames::of_state(state) };
        let missing = |unit, gap| Missing { unit, gap };
        let why = || "{county} does this, not {place}.".to_owned();
        for (reason, sentence) in [
            (Reason::Stated { why: why(), district: None }, "Adams County does this, not the city."),
            (
                Reason::Unconfirmed { why: why(), district: None },
                "Adams County does this, not the city. This is not confirmed, so no government is named.",
            ),
            (
                Reason::DependsOn(missing(Unit::Place, Gap::Choice)),
                "The office depends on the city. Adams County has more than one, so give a point or a city.",
            ),
            (
                Reason::MayApply(missing(Unit::Cousub, Gap::NoLines)),
                "This may apply here, depending on the town. This data has no town lines for this part of Wisconsin, so \
                 the town is not known.",
            ),
            (
                Reason::Divided(missing(Unit::Cousub, Gap::Choice)),
                "Districts share Adams County. Adams County has more than one, so give a point or a town.",
            ),
            (Reason::NoGovernment(Unit::Place), "No city, town or village government is on record here."),
        ] {
            assert_eq!(English::sentence_on(&reason, &names), sentence);
        }
    }

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
