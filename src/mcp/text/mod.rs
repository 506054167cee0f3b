//! Answers as a short text that a model can quote: place, office, reason, source and caveats.
//!
//! Like [`crate::encode`], [`crate::text`] and pages, this module renders answers. It writes each fact once and in
//! few tokens. For this purpose, it remembers the addresses and sentences in the text, and omits repeated ones.
//! Sources of boundaries are grouped by publisher.

mod guide;
mod lists;
mod offices;
mod places;
mod screened;
mod several;

use std::{
    collections::HashSet,
    fmt::{self, Write as _},
};

use crate::{edition::Edition, encode::Detail, wire::PageUrl};
use platbook::{
    answers::{Answer, Answers, Data, Notice, Refusal, Resolved, Source},
    directory::{Directory, Row, SourceView},
    vocabulary::{DatedKind, FunctionSet, VerifiedStatus},
    words::{Label, Phrase, Units, Words},
};

/// Maximum length of a text in bytes: some 6,000 tokens. A longer text is cut at a line and ends with advice on how
/// to get the rest.
const TEXT_BYTES_MAX: usize = 20_000;

/// Maximum length in bytes of the whole text for a resolved place: 1,200 tokens are some 4,100 bytes if the text has
/// many addresses.
const RESOLVED_BYTES_MAX: usize = 4_000;

/// Minimum share of a ZIP code's addresses, in percent, that a county must have for its offices to be in the text.
/// Other counties are only named: 78624 reaches five counties, four of them with 3 percent or less. Chosen, not
/// measured.
const SHARE_WITH_OFFICES_MIN: u64 = 10;

const WRITES: &str = "writing to memory does not fail";
const CUT: &str = "(Shortened: ask for less, or for pages with limit and cursor.)\n";

/// The length of an answer and the offices in it, as the caller requests them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How much of the answer is written.
    pub(super) detail: Detail,
    /// The jobs whose offices are shown; empty for all.
    pub(super) only: FunctionSet,
}

impl Shape {
    /// Returns the shape of a short answer with all jobs.
    pub(super) fn short() -> Shape {
        Shape { detail: Detail::Short, only: FunctionSet::default() }
    }
}

/// Returns the text of this edition's answer in this language, after the `remarks` on the request. A short text
/// repeats nothing, and omits parts of a resolved place until it is short enough.
pub(super) fn render(
    edition: &Edition,
    words: &dyn Words,
    answer: &Answer<'_>,
    remarks: &[String],
    Shape { detail, only }: Shape,
) -> String {
    let at = |length| {
        let mut text = ModelText { length, only, ..ModelText::new(edition, words) };
        text.answer(answer, remarks, &edition.answers().sources_on(answer, only)).expect(WRITES);
        text.out
    };
    if detail == Detail::Full {
        return cut(at(Length::Full));
    }
    let is_long = |text: &String| is_resolved(&answer.data) && text.len() > RESOLVED_BYTES_MAX;
    let mut shortest = at(Length::Whole);
    for length in [Length::Lean, Length::Least] {
        if is_long(&shortest) {
            shortest = at(length);
        }
    }
    cut(shortest)
}

fn is_resolved(data: &Data<'_>) -> bool {
    match data {
        Data::Resolve(_) => true,
        Data::Ask(asked) => asked.resolved.is_some(),
        _ => false,
    }
}

/// Returns the offices that keep facts on a parcel (for assessment and for the parcel map), and the caveats of the
/// answer.
pub(super) fn keepers(
    edition: &Edition,
    words: &dyn Words,
    resolved: &Resolved,
    answer: &Answer<'_>,
) -> String {
    let mut text = ModelText::new(edition, words);
    text.keepers(resolved).and_then(|()| text.caveats(answer)).expect(WRITES);
    cut(text.out)
}

/// One place of a call with several places.
pub(super) struct Several<'a> {
    /// The text with which the caller named the place.
    pub(super) given: String,
    /// The answer for the place, or the reason why it has none.
    pub(super) found: Result<Answer<'a>, Refusal>,
    /// How the name of the place was read, if that is not obvious.
    pub(super) remark: Option<String>,
}

/// Returns the text on several places: the governments of each, the offices for these jobs, and caveats.
pub(super) fn several(
    edition: &Edition,
    words: &dyn Words,
    places: &[Several<'_>],
    only: FunctionSet,
) -> String {
    let mut text = ModelText { length: Length::Lean, only, ..ModelText::new(edition, words) };
    text.places(places).expect(WRITES);
    cut(text.out)
}

/// Returns the text on the best page of several places for a topic. Each page has the office for the jobs of the
/// topic.
pub(super) fn compared(edition: &Edition, words: &dyn Words, places: &[Several<'_>]) -> String {
    let mut text = ModelText { length: Length::Lean, ..ModelText::new(edition, words) };
    text.compared(places).expect(WRITES);
    cut(text.out)
}

/// Returns the offices for these jobs in a government, each on its own line.
pub(super) fn offices(edition: &Edition, words: &dyn Words, row: Row, only: FunctionSet) -> String {
    let mut text = ModelText { length: Length::Lean, only, ..ModelText::new(edition, words) };
    text.offices_in(row).expect(WRITES);
    text.out
}

/// How much of an answer the text contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Length {
    /// In addition to [`Length::Whole`]: all pages of each job, other ways to reach an office, and the addresses of
    /// sources.
    Full,
    /// All parts that a short text can have.
    Whole,
    /// Without pages of other bodies and names of sources. Each repeated part is written once.
    Lean,
    /// As [`Length::Lean`], but laws are cited by section, without addresses.
    Least,
}

/// A text for a model, under construction.
struct ModelText<'d> {
    answers: &'d Answers,
    directory: &'d Directory,
    site: &'d str,
    words: &'d dyn Words,
    out: String,
    /// Addresses, laws and remarks that the text already contains.
    said: HashSet<String>,
    /// Whether the text contains a link without a record of a check.
    has_unchecked: bool,
    length: Length,
    /// The jobs whose offices are shown; empty for all jobs.
    only: FunctionSet,
    /// The kinds of relief that the caller requests; empty for all kinds.
    relief: Vec<DatedKind>,
    /// Whether the heading already states for all jobs that they vary locally.
    all_vary: bool,
}

impl<'d> ModelText<'d> {
    fn new(edition: &'d Edition, words: &'d dyn Words) -> ModelText<'d> {
        let answers = edition.answers();
        ModelText {
            answers,
            directory: answers.directory(),
            site: edition.encoder().site(),
            words,
            out: String::with_capacity(4096),
            said: HashSet::new(),
            has_unchecked: false,
            length: Length::Whole,
            only: FunctionSet::default(),
            relief: Vec::new(),
            all_vary: false,
        }
    }

    /// Returns whether part of the answer is omitted.
    fn is_lean(&self) -> bool {
        self.length > Length::Whole
    }

    fn label(&self, label: Label) -> &'static str {
        self.words.label(label)
    }

    fn phrase(&self, phrase: Phrase<'_>) -> String {
        self.words.phrase(phrase)
    }

    /// Returns whether the text already contains this address, law or remark.
    fn has_said(&self, what: &str) -> bool {
        self.said.contains(what)
    }

    fn answer(&mut self, answer: &Answer<'_>, remarks: &[String], sources: &[Source<'_>]) -> fmt::Result {
        remarks.iter().try_for_each(|remark| writeln!(self.out, "{remark}"))?;
        self.said.extend(remarks.iter().cloned());
        match &answer.data {
            Data::Resolve(resolved) => self.resolved(resolved)?,
            Data::Place(place) => self.place(place)?,
            Data::Resources(list) => self.resource_list(list)?,
            Data::List(list) => self.listing(list)?,
            // No tool returns these answers.
            Data::Chains(_) | Data::Download | Data::Coverage(_) => {}
            Data::Search(matches) => self.matches(matches)?,
            Data::Ask(asked) => self.asked(asked)?,
            Data::Screening(screened) => self.screened(screened)?,
            Data::Topics(topics) => self.topics(topics)?,
            Data::Guide(guide) => self.guide(guide)?,
        }
        self.caveats(answer)?;
        self.sources(sources)?;
        if self.has_unchecked {
            writeln!(self.out, "{}", self.words.label(Label::UncheckedLinks))?;
        }
        writeln!(self.out, "{}", self.words.phrase(Phrase::AsOf(&answer.as_of)))
    }

    /// Writes caveats that the text does not contain yet. Omits three kinds: those for programs, main sites, which links
    /// of offices name, and the age of a drawn outline, which its own caveat names.
    fn caveats(&mut self, answer: &Answer<'_>) -> fmt::Result {
        let outline = answer.notices.iter().find_map(|notice| match *notice {
            Notice::FromPrecincts { town, year, .. } => Some((town, year)),
            _ => None,
        });
        let others = answer.notices.iter().filter(|notice| match **notice {
            Notice::MainSiteStandsIn => false,
            ref notice if notice.is_for_programs() => false,
            Notice::OldBoundary { jurisdiction, year } => outline != Some((jurisdiction, year)),
            _ => true,
        });
        let texts = others.map(|notice| self.words.notice(notice, self.directory, Units::Both));
        let texts: Vec<String> = texts.filter(|text| !self.has_said(text)).collect();
        if !texts.is_empty() {
            writeln!(self.out, "{}:", self.words.label(Label::Caveats))?;
        }
        texts.iter().try_for_each(|text| writeln!(self.out, "- {text}"))?;
        self.said.extend(texts);
        Ok(())
    }

    /// Writes sources by publisher, except those whose address the text already contains.
    fn sources(&mut self, sources: &[Source<'_>]) -> fmt::Result {
        if self.length == Length::Full {
            return self.sources_with_addresses(sources);
        }
        let mut by_publisher: Vec<(&str, Vec<String>)> = Vec::new();
        for (publisher, name, url) in sources.iter().map(|source| self.named(*source)) {
            if self.has_said(url) {
                continue;
            }
            match by_publisher.iter_mut().find(|(known, _)| *known == publisher) {
                Some((_, names)) => names.push(name),
                None => by_publisher.push((publisher, vec![name])),
            }
        }
        let count: usize = by_publisher.iter().map(|(_, names)| names.len()).sum();
        let parts: Vec<String> =
            by_publisher.into_iter().map(|(publisher, names)| of_publisher(publisher, &names)).collect();
        match (count, self.is_lean()) {
            (0, _) => Ok(()),
            (_, true) => writeln!(self.out, "{}", self.words.phrase(Phrase::FurtherSources(count))),
            (_, false) => {
                writeln!(self.out, "{}", self.words.phrase(Phrase::OtherSources(&parts.join("; "))))
            }
        }
    }

    fn sources_with_addresses(&mut self, sources: &[Source<'_>]) -> fmt::Result {
        if !sources.is_empty() {
            writeln!(self.out, "{}:", self.label(Label::Sources))?;
        }
        for source in sources {
            let (publisher, name, url) = self.named(*source);
            writeln!(self.out, "- {}: {url}", of_publisher(publisher, &[name]))?;
        }
        Ok(())
    }

    /// Returns publisher, name and address of a source. The name of an unofficial source says so.
    fn named<'s>(&self, source: Source<'s>) -> (&'s str, String, &'s str)
    where
        'd: 's,
    {
        match source {
            Source::Snapshot(row) => {
                let SourceView { publisher, name, url, official, publisher_kind, .. } =
                    self.directory.source(row);
                let mark = if official {
                    String::new()
                } else {
                    format!(" ({})", self.words.phrase(Phrase::NotOfficial(publisher_kind)))
                };
                (publisher, format!("{name}{mark}"), url)
            }
            Source::Outside(source) => (&source.publisher, source.name.to_string(), &source.url),
        }
    }

    fn name(&self, row: Row) -> &'d str {
        self.directory.name_of(row)
    }

    /// Writes name, legal word and id: `Minneapolis city (place:2743000)`.
    fn with_id(&self, row: Row) -> String {
        let view = self.directory.jurisdiction(row);
        let word = view.legal_type.filter(|word| !view.name.to_lowercase().ends_with(word));
        let word = word.map_or(String::new(), |word| format!(" {word}"));
        format!("{}{word} ({})", view.name, view.id)
    }

    /// Returns the address of a government's page on this service; `None` if only this machine can reach the service.
    fn page(&self, row: Row) -> Option<PageUrl<'d>> {
        let page = PageUrl::Place { site: self.site, id: self.directory.id_of(row) };
        Some(page).filter(|_| !is_local(self.site))
    }

    /// Writes a line with the address of a government's page.
    fn page_line(&mut self, row: Row) -> fmt::Result {
        let Some(page) = self.page(row) else { return Ok(()) };
        writeln!(self.out, "{}: {page}", self.label(Label::OwnPage))
    }

    /// Writes an address with the result of its last check.
    fn link(&mut self, url: &str, status: VerifiedStatus) -> fmt::Result {
        self.said.insert(url.to_owned());
        self.out.push_str(url);
        match status {
            VerifiedStatus::NotYetVerified => self.has_unchecked = true,
            VerifiedStatus::Verified | VerifiedStatus::PossiblyBroken => {
                write!(self.out, " ({})", self.words.phrase(Phrase::Link(status, "")))?;
            }
        }
        Ok(())
    }
}

/// Returns whether only this machine can reach a site's address, as for a service without `--site-url`.
fn is_local(site: &str) -> bool {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    ["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local))
}

/// Joins the names of a publisher's sources: `U.S. Census Bureau: places 2019, counties 2016`.
fn of_publisher(publisher: &str, names: &[String]) -> String {
    let names = names.join(", ");
    if publisher.is_empty() || names == publisher { names } else { format!("{publisher}: {names}") }
}

/// Cuts the text after the last whole line that fits.
fn cut(mut text: String) -> String {
    if text.len() <= TEXT_BYTES_MAX {
        return text;
    }
    let whole = text.floor_char_boundary(TEXT_BYTES_MAX - CUT.len());
    let end = text[..whole].rfind('\n').map_or(whole, |at| at + 1);
    text.truncate(end);
    text.push_str(CUT);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_are_not_shown() {
        for (site, expected) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080", true),
            ("http://[::1]:8080", true),
            ("https://platbook.example", false),
            ("https://example.org/127.0.0.1", false),
        ] {
            assert_eq!(is_local(site), expected, "{site}");
        }
    }

    #[test]
    fn long_texts_are_cut_at_a_line() {
        let line = "é".repeat(99) + "\n";
        let text = cut(line.repeat(200));
        assert!(text.len() <= TEXT_BYTES_MAX && text.len() > TEXT_BYTES_MAX - 200 - CUT.len());
        assert!(text.ends_with(&format!("é\n{CUT}")));
        assert_eq!(cut(line.clone()), line);
        assert!(cut("é".repeat(20_000)).len() <= TEXT_BYTES_MAX);
    }
}
