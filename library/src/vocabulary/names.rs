//! The names by which a jurisdiction is found: its own, the name without its legal word, and other names in use.

use std::{collections::HashMap, sync::LazyLock};

use super::{Folded, JurisdictionId, JurisdictionType, Layer, Topic, TopicSet};

/// Legal types whose word belongs to a subdivision's name: "Old Town" is not "Old".
const SILENT_WORDS: [&str; 4] = ["city", "town", "village", "borough"];

/// Names in daily use that neither the Census Bureau nor Open Civic Data has. Each line holds an id and a name. After a
/// bar, it may hold the URL of a page that uses the name.
static OTHER_NAMES: LazyLock<HashMap<JurisdictionId, Vec<&str>>> = LazyLock::new(|| {
    let mut names: HashMap<JurisdictionId, Vec<&str>> = HashMap::new();
    for line in include_str!("other_names.txt").lines() {
        let fact = line.split_once(" | ").map_or(line, |(fact, _)| fact);
        let row = fact.split_once(' ').and_then(|(id, name)| Some((id.parse().ok()?, name)));
        let (id, name) = row.expect("a test reads every line of the file");
        names.entry(id).or_default().push(name);
    }
    names
});

/// All names of a jurisdiction, folded and without duplicates; its own name comes first.
pub fn names_of(
    id: &JurisdictionId,
    name: &str,
    legal_type: Option<&str>,
    ocd_id: Option<&str>,
) -> Vec<Folded> {
    let mut names: Vec<Folded> = Vec::with_capacity(4);
    let mut add = |text: &str| {
        let folded = Folded::of(text);
        if !folded.is_empty() && names.iter().all(|known| known.key() != folded.key()) {
            names.push(folded);
        }
    };
    add(name);
    if let Some(bare) = bare_name(id.jurisdiction_type(), name, legal_type) {
        add(bare);
        if legal_type == Some("charter township") {
            add(&format!("{bare} township"));
        }
    }
    if legal_type.is_some_and(is_consolidated) {
        name.split(['-', '/']).next().into_iter().for_each(&mut add);
    }
    name.strip_prefix("The ").into_iter().for_each(&mut add);
    OTHER_NAMES.get(id).into_iter().flatten().for_each(|name| add(name));
    // "San Buenaventura (Ventura)": people use either name. The closing parenthesis is dropped by folding.
    if let Some((outer, inner)) = name.split_once('(') {
        add(outer);
        add(inner);
    }
    ocd_id.and_then(ocd_name).iter().for_each(|name| add(name));
    names
}

/// The words of topics, as people type them: "parcel map" for `parcel_map`.
pub fn topic_words(topics: TopicSet) -> Folded {
    let words: Vec<&str> = topics.iter().map(Topic::as_str).collect();
    Folded::of(&words.join(" ").replace('_', " "))
}

/// Whether the legal type is that of a city and county that form one government.
pub(super) fn is_consolidated(legal_type: &str) -> bool {
    legal_type.ends_with("government") || legal_type == "urban county"
}

/// The name without the legal word at its end; `None` if the name does not end in a legal word.
pub fn bare_name<'n>(kind: JurisdictionType, name: &'n str, legal_type: Option<&str>) -> Option<&'n str> {
    let legal_type = legal_type.filter(|word| !word.is_empty())?;
    let at = name.len().checked_sub(legal_type.len() + 1)?;
    let (bare, end) = (name.get(..at)?, name.get(at..)?.strip_prefix(' ')?);
    let spoken = match kind {
        // "Baltimore city" is Baltimore, "Carson City" is not Carson.
        JurisdictionType::Layer(Layer::County) => {
            if legal_type == "city" {
                end == "city"
            } else {
                end.eq_ignore_ascii_case(legal_type)
            }
        }
        JurisdictionType::Layer(Layer::Cousub) => {
            end.eq_ignore_ascii_case(legal_type) && !SILENT_WORDS.contains(&legal_type)
        }
        _ => false,
    };
    (spoken && !bare.is_empty()).then_some(bare)
}

/// The name in an Open Civic Data id, without the list of counties that some ids add:
/// `place:st_anthony_~hennepin~ramsey_counties~`.
pub fn ocd_name(ocd_id: &str) -> Option<String> {
    let (_, name) = ocd_id.rsplit_once(':')?;
    let name = name.split("_~").next().unwrap_or(name);
    Some(name.replace('_', " ").replace('~', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_other_name_is_read() {
        let lines = include_str!("other_names.txt").lines();
        assert_eq!(OTHER_NAMES.values().map(Vec::len).sum::<usize>(), lines.clone().count());
        let sources = lines.filter_map(|line| line.split_once(" | ")).map(|(_, source)| source);
        assert!(
            sources.clone().count() > 0 && sources.into_iter().all(|source| source.starts_with("https://"))
        );
    }

    #[test]
    fn names_and_aliases() {
        for (id, name, legal_type, ocd_id, expected) in [
            (
                "county:27053",
                "Hennepin County",
                "county",
                "x/county:hennepin",
                &["hennepin county", "hennepin"][..],
            ),
            ("county:24510", "Baltimore city", "city", "", &["baltimore city", "baltimore"]),
            ("county:32510", "Carson City", "city", "", &["carson city"]),
            (
                "cousub:2601537240",
                "Hastings Charter Township",
                "charter township",
                "",
                &["hastings charter township", "hastings", "hastings township"],
            ),
            ("cousub:2305500000", "Old Town", "town", "", &["old town"]),
            ("place:2743000", "Minneapolis", "city", "x/place:minneapolis", &["minneapolis", "mpls"]),
            (
                "place:4752006",
                "Nashville-Davidson",
                "metropolitan government",
                "",
                &["nashville davidson", "nashville", "music city"],
            ),
            (
                "place:0665042",
                "San Buenaventura (Ventura)",
                "city",
                "",
                &["san buenaventura ventura", "san buenaventura", "ventura"],
            ),
            (
                "place:2756680",
                "St. Anthony",
                "city",
                "x/place:st_anthony_~hennepin~ramsey_counties~",
                &["saint anthony"],
            ),
            ("place:4171950", "The Dalles", "city", "", &["the dalles", "dalles"]),
            ("place:1608830", "Boise City", "city", "", &["boise city", "boise"]),
            (
                "county:46102",
                "Oglala Lakota County",
                "county",
                "x/county:shannon",
                &["oglala lakota county", "oglala lakota", "shannon county", "shannon"],
            ),
        ] {
            let ocd_id = Some(ocd_id).filter(|id| !id.is_empty());
            let names = names_of(&id.parse().unwrap(), name, Some(legal_type), ocd_id);
            let names: Vec<&str> = names.iter().map(Folded::as_str).collect();
            assert_eq!(names, expected);
        }
    }
}
