//! The links of a snapshot, the words that their pages must have, and the results as a snapshot stores them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use platbook::{
    directory::Directory,
    snapshot::write::{LinkCheck, LinkChecks},
    vocabulary::VerificationMethod,
};

use super::ledger::Table;

/// Words of names that say nothing of a place or a publisher.
const GENERIC: [&str; 24] = [
    "county",
    "parish",
    "borough",
    "township",
    "town",
    "city",
    "village",
    "state",
    "states",
    "united",
    "office",
    "department",
    "division",
    "bureau",
    "board",
    "district",
    "official",
    "website",
    "services",
    "agency",
    "administration",
    "commission",
    "municipality",
    "government",
];

/// Minimum length of a word that pages are searched for, in characters. A name without such a word is searched for as
/// a whole.
const WORD_CHARS_MIN: usize = 4;

/// A link to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// URL of the link.
    pub url: String,
    /// Words in lower case, one of which its page must have.
    pub words: Vec<String>,
    /// The entity tag of the page when it worked.
    pub etag: Option<String>,
}

/// Returns all links of a snapshot, each once, by URL.
pub fn links(directory: &Directory, table: &Table) -> Vec<Link> {
    let mut words: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |url: &str, names: &[&str]| {
        if !url.is_empty() {
            let known = words.entry(url.to_owned()).or_default();
            known.extend(names.iter().flat_map(|name| words_of(name)));
        }
    };
    let records = directory.snapshot().records();
    for row in directory.rows() {
        let name = directory.name_of(row);
        for site in records.websites_of(row.number()).1 {
            add(site.url(records).unwrap_or_default(), &[name]);
        }
        for page in records.resources_of(row.number()).1 {
            add(page.url(records), &[name, page.publisher(records).unwrap_or_default()]);
        }
    }
    for source in directory.snapshot().meta().sources.iter() {
        add(&source.url, &[&source.publisher, &source.name]);
    }
    let etag = |url: &str| table.links.get(url).and_then(|state| state.etag.clone());
    let link = |(url, words): (String, BTreeSet<String>)| Link {
        etag: etag(&url),
        words: words.into_iter().collect(),
        url,
    };
    words.into_iter().map(link).collect()
}

/// The words of a name that distinguish it; the whole name if it has no such word.
fn words_of(name: &str) -> Vec<String> {
    let name = name.trim().to_lowercase();
    let is_telling = |word: &&str| word.chars().count() >= WORD_CHARS_MIN && !GENERIC.contains(word);
    let words: Vec<String> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(is_telling).map(str::to_owned).collect();
    if words.is_empty() && !name.is_empty() { vec![name] } else { words }
}

/// Returns the results for each website, resource and source of a snapshot that are valid on the day `today`.
pub fn checks(directory: &Directory, table: &Table, today: Date) -> LinkChecks {
    let results: BTreeMap<&str, _> = table
        .links
        .iter()
        .filter_map(|(url, state)| {
            let (status, day) = state.result(today)?;
            Some((url.as_str(), (status, format!("{day}T00:00:00Z"), state.http_status)))
        })
        .collect();
    let check = |url: &str| {
        let (status, at, http_status) = results.get(url)?;
        let method = VerificationMethod::Automated;
        Some(LinkCheck { status: *status, at, method, http_status: *http_status })
    };
    let records = directory.snapshot().records();
    let websites: Vec<_> = records.websites().iter().map(|site| site.url(records).and_then(check)).collect();
    let resources: Vec<_> = records.resources().iter().map(|page| check(page.url(records))).collect();
    let sources: Vec<_> =
        directory.snapshot().meta().sources.iter().map(|source| check(&source.url)).collect();
    LinkChecks::pack(&websites, &resources, &sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_name_tell_it_from_others() {
        for (name, expected) in [
            ("Hennepin County", &["hennepin"][..]),
            ("St. Louis County", &["louis"]),
            ("Ada", &["ada"]),
            ("City of New York", &["york"]),
            ("Colorado Department of Local Affairs", &["colorado", "local", "affairs"]),
            ("", &[]),
        ] {
            assert_eq!(words_of(name), expected, "{name}");
        }
    }
}
