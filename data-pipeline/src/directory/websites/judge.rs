//! Decides what a row is: the main site of a government, the site of an office, or neither.
//!
//! The words of the organization are read first (`parse`, `office`), then the address (`label`). Both must agree. A
//! government that only the address names is the least certain result.

use std::collections::BTreeSet;

use platbook::vocabulary::{FunctionSet, Geoid};

use super::{
    index::Index,
    label::{Beside, beside},
    office::{Part, part},
    parse::{Found, Subject, find},
    words::{key, words},
};

/// Certainty of a main site; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grade {
    /// The organization is the government, and the address consists of the government's name.
    Plain,
    /// The organization is the government, and the address contains the government's name among other words.
    Named,
    /// The organization is the government; the address does not name it.
    Organization,
    /// Only the address names the government, or the organization is an office that often keeps the government's site.
    Address,
}

/// The decision on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Main site of a group, with its certainty.
    Main(usize, Grade),
    /// Site of an office of a group: its functions, its title, and whether the address names the job.
    Office(usize, FunctionSet, String, bool),
    /// Neither a main site nor the site of an office: the reason, and the group that owns the domain if it is known.
    Neither(&'static str, Option<usize>),
}

/// The governments to which the hand-kept table gives a domain.
pub(super) fn by_hand(index: &Index, domains: &[(String, Geoid)], domain: &str) -> BTreeSet<usize> {
    let rows = domains.iter().filter(|(listed, _)| listed == domain);
    rows.filter_map(|(_, body)| index.group(*body)).collect()
}

pub(super) fn judge(index: &Index, subject: &Subject) -> Verdict {
    let found = find(index, subject);
    let by_label = counties_of_label(index, subject);
    let Found::One(group, rest) = &found else { return by_address(index, subject, &found, by_label) };
    let label = label_of(index, subject, *group);
    let agrees = by_label.is_empty() || by_label.contains(group) || index.is_county(*group);
    if agrees || (label.pure && !subject.county) {
        return known(*group, part(rest, subject.state), &label);
    }
    if subject.county {
        return by_address(index, subject, &found, by_label);
    }
    Verdict::Neither("the address names a county, the organization does not", Some(*group))
}

/// The best match of the label with the names of the group's members.
fn label_of(index: &Index, subject: &Subject, group: usize) -> Beside {
    let mut best: Option<Beside> = None;
    for member in index.members(group) {
        let bare = member.bare();
        let mut names = vec![bare.clone(), words(&member.name, Some(subject.state))];
        names.extend(member.name.split(['-', '/']).map(|part| words(part, Some(subject.state))));
        for name in names.iter().filter(|name| !name.is_empty()) {
            let here = beside(subject.label, name, subject.state);
            let better = |old: &Beside| (here.pure, here.named) > (old.pure, old.named);
            if best.as_ref().is_none_or(better) {
                best = Some(here);
            }
        }
    }
    best.unwrap_or(Beside { named: false, pure: false, worded: false, stated: false, part: Part::Unknown })
}

fn known(group: usize, said: Part, label: &Beside) -> Verdict {
    let whole_label = label.pure && label.worded;
    match (said, &label.part) {
        (Part::Whole, Part::Other(_)) => Verdict::Neither("the address names another office", Some(group)),
        (Part::Whole, Part::Office(functions, title)) => {
            Verdict::Office(group, *functions, title.clone(), true)
        }
        (Part::Whole, _) if label.pure => Verdict::Main(group, Grade::Plain),
        (Part::Whole, _) if label.named => Verdict::Main(group, Grade::Named),
        (Part::Whole, _) => Verdict::Main(group, Grade::Organization),
        (Part::Office(..) | Part::Other(_), _) if whole_label => Verdict::Main(group, Grade::Address),
        (Part::Office(..), Part::Other(_)) => {
            Verdict::Neither("the address names another office", Some(group))
        }
        (Part::Office(functions, title), beside) => {
            Verdict::Office(group, functions, title, matches!(beside, Part::Office(..)))
        }
        (Part::Other(reason), _) => Verdict::Neither(reason, Some(group)),
        (Part::Keeper | Part::Unknown, Part::Office(functions, title)) => {
            Verdict::Office(group, *functions, title.clone(), true)
        }
        (Part::Keeper, _) if label.pure => Verdict::Main(group, Grade::Address),
        (Part::Unknown, _) if whole_label => Verdict::Main(group, Grade::Address),
        (Part::Keeper | Part::Unknown, _) => Verdict::Neither("names a part of the government", Some(group)),
    }
}

/// Counties whose name and legal word, with or without the state, make up the label.
fn counties_of_label(index: &Index, subject: &Subject) -> BTreeSet<usize> {
    // "boulderco" is Boulder in Colorado, so "co" by itself is not a legal word there.
    let words: &[&str] =
        if subject.state.usps() == "CO" { &["county", "coco"] } else { &["county", "parish", "co"] };
    let named = |name: &str| {
        let after = subject.label.split_once(name).map_or("", |(_, after)| after);
        let label = beside(subject.label, &[name.to_owned()], subject.state);
        let before = subject.label.starts_with("countyof") || subject.label.starts_with("county");
        label.pure && ((words.iter().any(|word| after.starts_with(word))) || before)
    };
    let stands = |name: &str| subject.label.contains(name) && named(name);
    index.all_counties(subject.state).filter(|(name, _)| stands(name)).map(|(_, group)| group).collect()
}

/// Decides only by the label: a county with a legal word, or a town with the state or "cityof" beside its name.
fn by_address(index: &Index, subject: &Subject, found: &Found, counties: BTreeSet<usize>) -> Verdict {
    let mut groups = counties;
    if groups.is_empty() && *found == Found::Nobody {
        groups = towns_of_label(index, subject);
    }
    let mut groups = groups.into_iter();
    match (groups.next(), groups.next(), found) {
        (Some(group), None, _) if office_or_more(subject) => Verdict::Main(group, Grade::Address),
        (_, _, Found::Several) => Verdict::Neither("several governments have this name", None),
        (Some(_), _, _) => Verdict::Neither("only the address names a government", None),
        (None, _, _) => Verdict::Neither(reason(subject), None),
    }
}

/// Whether an organization whose words name no government may be matched by its label. A body of its own may not.
fn office_or_more(subject: &Subject) -> bool {
    !matches!(
        part(&subject.words, subject.state),
        Part::Other("another body or office" | "court or attorney")
    )
}

/// The towns that the label may name, such as "cityofnyamn" and "newyorkmills-mn". Tries every split into a
/// name and the rest.
fn towns_of_label(index: &Index, subject: &Subject) -> BTreeSet<usize> {
    let label = subject.label;
    let mut groups = BTreeSet::new();
    for start in (0..label.len()).filter(|at| label.is_char_boundary(*at)) {
        for end in (start + 3..=label.len()).rev() {
            let Some(name) = label.get(start..end) else { continue };
            let found = index.towns(subject.state, &key(&words(name, None)));
            let prefixed = label.starts_with("cityof") || label.starts_with("townof");
            let fits = || {
                let around = beside(label, &[name.to_owned()], subject.state);
                around.pure && (around.stated || prefixed)
            };
            if !found.is_empty() && fits() {
                groups.extend(found);
            }
        }
    }
    groups
}

/// The reason why a row has no government.
fn reason(subject: &Subject) -> &'static str {
    match part(&subject.words, subject.state) {
        Part::Other(reason) => reason,
        Part::Office(..) => "an office whose government is not named",
        _ => "no government of this name in the list",
    }
}
