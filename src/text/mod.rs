//! Plain text of answers, for people at a terminal.
//!
//! Reads only the values of an answer and the directory to which they refer, as [`crate::encode`] does for JSON.

mod coverage;
mod lists;
mod records;

use std::fmt::{self, Write};

use platbook::{
    answers::{
        Answer, Answers, Asked, Assignments, Data, Entry, GuideDetails, LinkKind, Matched, PlaceDetails,
        Resolved, ResourceList, Source, TopicInfo, name_with_surroundings,
    },
    directory::{DateRef, Directory, Matches, Quality, Row},
    vocabulary::StateCode,
    words::{Label, Phrase, Units, Words, is_named_in, lineage_names, without_body},
};

/// Returns the text of an answer in this language; it ends with a line break. `answers` must be the value that made
/// the answer.
pub fn render(answers: &Answers, words: &dyn Words, answer: &Answer<'_>) -> String {
    let mut text = Text { answers, directory: answers.directory(), words, out: String::with_capacity(4096) };
    let sources = answers.sources(answer);
    text.answer(answer, &sources).expect("writing to memory does not fail");
    text.out
}

/// The margin of lines below an office or a page: as wide as the column of functions with its spaces.
const INDENT: &str = "                             ";

/// A text under construction.
struct Text<'d> {
    answers: &'d Answers,
    directory: &'d Directory,
    words: &'d dyn Words,
    out: String,
}

impl Text<'_> {
    fn answer(&mut self, answer: &Answer<'_>, sources: &[Source<'_>]) -> fmt::Result {
        match &answer.data {
            Data::Resolve(resolved) => self.resolved(resolved)?,
            Data::Place(place) => self.place(place)?,
            Data::Resources(list) => self.resource_list(list)?,
            Data::List(list) => self.listing(list)?,
            Data::Chains(rows) => rows.iter().try_for_each(|row| self.chain(row))?,
            Data::Download => self.download()?,
            Data::Coverage(details) => self.coverage(details)?,
            Data::Search(matches) => self.matches(matches)?,
            Data::Ask(asked) => self.asked(asked)?,
            Data::Screening(screened) => self.screened(screened)?,
            Data::Topics(topics) => self.topics(topics)?,
            Data::Guide(guide) => self.guide(guide)?,
        }
        let mut caveats = answer.notices.iter().filter(|notice| !notice.is_for_programs()).peekable();
        if caveats.peek().is_some() {
            self.heading(Label::Caveats)?;
        }
        for notice in caveats {
            writeln!(self.out, "  - {}", self.words.notice(notice, self.directory, Units::Both))?;
        }
        self.sources(sources)?;
        writeln!(self.out, "\n{}", self.words.phrase(Phrase::AsOf(&answer.as_of)))
    }

    fn heading(&mut self, label: Label) -> fmt::Result {
        writeln!(self.out, "\n{}", self.words.label(label))
    }

    fn resolved(&mut self, resolved: &Resolved) -> fmt::Result {
        writeln!(self.out, "{}", lineage_names(self.directory, &resolved.lineage))?;
        match &resolved.matched {
            Matched::Point { quality, .. } => self.quality(*quality)?,
            Matched::Address { found, quality, .. } => {
                writeln!(self.out, "{}", self.words.phrase(Phrase::AddressRead(found)))?;
                self.quality(*quality)?;
            }
            Matched::Name { .. } => {}
        }
        self.heading(Label::Governments)?;
        self.lineage(&resolved.lineage)?;
        self.assignments(&self.answers.assignments(resolved.territory))
    }

    fn quality(&mut self, quality: Quality) -> fmt::Result {
        match quality {
            Quality::Inside => Ok(()),
            Quality::Sliver | Quality::Water | Quality::Nearest { .. } => {
                writeln!(self.out, "{}", self.words.phrase(Phrase::Quality(quality)))
            }
        }
    }

    /// Writes a line for each government: its kind, its name, its id. The Census also lists some cities as a county
    /// subdivision.
    fn lineage(&mut self, lineage: &[Row]) -> fmt::Result {
        let shown = self.directory.each_government_once(lineage.iter().rev().copied());
        for row in shown.iter().rev() {
            let view = self.directory.jurisdiction(*row);
            let kind = view.legal_type.unwrap_or(view.kind.as_str());
            writeln!(self.out, "  {kind:<14} {} ({})", view.name, view.id)?;
        }
        Ok(())
    }

    fn assignments(&mut self, assignments: &Assignments) -> fmt::Result {
        if assignments.iter().next().is_some() {
            self.heading(Label::WhoDoesWhat)?;
        }
        self.entries(assignments.iter())
    }

    /// Writes who does some jobs, with the further bodies of each job.
    fn entries<'e>(&mut self, entries: impl IntoIterator<Item = &'e Entry>) -> fmt::Result {
        let also = format!("  {}", self.words.label(Label::Also));
        for entry in entries {
            self.entry(self.words.function(entry.outcome.function).name, entry)?;
            entry.also.iter().try_for_each(|entry| self.entry(&also, entry))?;
        }
        Ok(())
    }

    /// Writes the body that performs a function, its links, and the reason.
    fn entry(&mut self, function: &str, entry: &Entry) -> fmt::Result {
        let outcome = &entry.outcome;
        let title = outcome.office.as_deref().unwrap_or(self.words.label(Label::NoOffice));
        match entry.body.map(|row| self.directory.name_of(row)) {
            Some(name) if !is_named_in(name, without_body(name, title)) => {
                writeln!(self.out, "  {function:<26} {}, {name}", without_body(name, title))?
            }
            _ => writeln!(self.out, "  {function:<26} {title}")?,
        }
        for link in entry.links(self.directory) {
            if let LinkKind::Action(action) = link.kind {
                writeln!(self.out, "{INDENT}{}: {}", self.words.action(action), link.url)?;
            }
        }
        if let Some(office) = &entry.office {
            self.office_links(office)?;
        }
        writeln!(self.out, "{INDENT}{}", self.words.reason(outcome))?;
        self.dates(&entry.dates, INDENT)?;
        let Some((kinds, state)) = entry.further_relief(self.directory) else { return Ok(()) };
        writeln!(self.out, "{INDENT}{}", self.words.phrase(Phrase::FurtherRelief(&kinds, Some(state.name()))))
    }

    /// Writes dates and amounts with their remarks, one line for each.
    fn dates(&mut self, dates: &[DateRef], indent: &str) -> fmt::Result {
        for view in dates.iter().filter_map(|date| self.directory.date(*date)) {
            let kind = self.words.dated_kind(view.kind);
            let name = |row| self.directory.name_of(self.directory.shown_row(row));
            let area = view.area.map_or(String::new(), |row| format!(" ({})", name(row)));
            let remark = self.words.dated_remark(view.text, self.directory.as_of());
            let with = view.taken_by().map(|with| self.words.phrase(Phrase::TakenBy(with)));
            let parts =
                [Some(view.text.says.clone()), with, Some(remark).filter(|remark| !remark.is_empty())];
            let text = Vec::from_iter(parts.into_iter().flatten()).join(" ");
            writeln!(self.out, "{indent}{kind}{area}: {text}")?;
        }
        Ok(())
    }

    fn place(&mut self, place: &PlaceDetails<'_>) -> fmt::Result {
        writeln!(self.out, "{}", self.directory.name_of(place.place))?;
        self.heading(Label::Governments)?;
        self.lineage(&place.lineage)?;
        self.assignments(&place.assignments)?;
        self.offices(&place.offices)?;
        self.resources(&place.resources)
    }

    fn resource_list(&mut self, list: &ResourceList<'_>) -> fmt::Result {
        let name = self.directory.name_of(list.place);
        match list.topic {
            Some(topic) => writeln!(self.out, "{}: {name}", self.words.topic(topic).name)?,
            None => writeln!(self.out, "{name}")?,
        }
        self.resources(&list.resources)
    }

    fn matches(&mut self, matches: &Matches) -> fmt::Result {
        if !matches.places.is_empty() {
            writeln!(self.out, "{}", self.words.label(Label::Places))?;
        }
        for found in &matches.places {
            let view = self.directory.jurisdiction(found.row);
            let kind = view.legal_type.unwrap_or(view.kind.as_str());
            let name = name_with_surroundings(self.directory, found.row);
            writeln!(self.out, "  {kind:<14} {name} ({})", view.id)?;
        }
        let views: Vec<_> =
            matches.resources.iter().filter_map(|number| self.directory.resource(*number)).collect();
        self.resources(&views)
    }

    fn asked(&mut self, asked: &Asked) -> fmt::Result {
        let topics: Vec<&str> =
            asked.reading.topics.iter().map(|topic| self.words.topic(*topic).name).collect();
        if !topics.is_empty() {
            writeln!(self.out, "{}\n", topics.join("; "))?;
        }
        asked.resolved.iter().try_for_each(|resolved| self.resolved(resolved))?;
        if !asked.counties.is_empty() {
            writeln!(self.out, "{}", self.words.label(Label::Counties))?;
        }
        for (row, percent) in &asked.counties {
            let name = name_with_surroundings(self.directory, *row);
            let id = self.directory.id_of(*row);
            let share = self.words.phrase(Phrase::AddressShare(*percent));
            writeln!(self.out, "  {name} ({id}): {share}")?;
        }
        for row in asked.with_offices(self.directory) {
            writeln!(self.out, "{}", name_with_surroundings(self.directory, row))?;
            let territory = asked.territory_of(self.answers, row);
            self.entries(&self.answers.entries_on(&asked.reading.topics, territory))?;
            self.out.push('\n');
        }
        self.matches(&asked.matches)
    }

    fn topics(&mut self, topics: &[TopicInfo]) -> fmt::Result {
        topics.iter().try_for_each(|info| {
            writeln!(self.out, "{:<26} {}", info.topic.as_str(), self.words.topic(info.topic).description)
        })
    }

    fn guide(&mut self, guide: &GuideDetails<'_>) -> fmt::Result {
        let (title, summary) = self.words.guide(guide);
        writeln!(self.out, "{title}\n\n{summary}")?;
        if let Some(summary) = guide.state_summary(self.directory) {
            writeln!(self.out, "\n{}\n{summary}", guide.state.map_or("", StateCode::name))?;
        }
        if !guide.dates.is_empty() {
            self.heading(Label::DatesAndAmounts)?;
        }
        self.dates(&guide.dates, "  ")?;
        self.dates(&guide.local_dates, "  ")?;
        for section in guide.text.map_or(&[][..], |text| &text.sections) {
            writeln!(self.out, "\n{}\n{}", section.heading, section.text.join("\n\n"))?;
        }
        Ok(())
    }

    fn sources(&mut self, sources: &[Source<'_>]) -> fmt::Result {
        if !sources.is_empty() {
            self.heading(Label::Sources)?;
        }
        for source in sources {
            match source {
                Source::Snapshot(row) => {
                    let view = self.directory.source(*row);
                    let kind = self.words.phrase(Phrase::NotOfficial(view.publisher_kind));
                    let mark = if view.official { String::new() } else { format!(" ({kind})") };
                    writeln!(self.out, "  {}: {}{mark}", view.name, view.url)?;
                }
                Source::Outside(source) => writeln!(self.out, "  {}: {}", source.name, source.url)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use platbook::{
        answers::{Found, Notice, Request},
        testing,
        words::English,
    };

    use super::*;

    /// Caveats stand below a heading between the answer and its sources, one on each line. Without caveats for people,
    /// the heading is missing.
    #[test]
    fn caveats_stand_below_their_heading() {
        let answers = Answers::new(testing::directory());
        for request in [Request::Topics, Request::Resolve { point: testing::point(0.5, 0.5) }] {
            let mut answer = answers.finish(&request, Found::default()).unwrap();
            let (main_site, withheld) = (Notice::MainSiteStandsIn, Notice::Withheld { records: 2 });
            for (notices, shown) in
                [(vec![], 0), (vec![withheld], 0), (vec![main_site, withheld], 1), (vec![main_site; 2], 2)]
            {
                answer.notices = notices;
                let text = render(&answers, &English, &answer);
                let heading = format!("\n{}\n", English.label(Label::Caveats));
                let Some((before, after)) = text.split_once(&heading) else {
                    assert_eq!(shown, 0, "{text}");
                    continue;
                };
                let said = |notice| English.notice(notice, answers.directory(), Units::Both);
                let shown = answer.notices.iter().take(shown);
                let lines: String = shown.map(|one| format!("  - {}\n", said(one))).collect();
                assert!(after.starts_with(&lines) && !lines.is_empty(), "{text}");
                let sources = English.label(Label::Sources);
                assert!(!before.contains(sources) && !after.contains(&heading), "{text}");
                assert!(!after[lines.len()..].contains("  - "), "{text}");
            }
        }
    }
}
