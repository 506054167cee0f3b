//! Writes places, their pages, and the results of a name.

use std::fmt::{self, Write as _};

use super::{ModelText, offices::territory_at};
use platbook::{
    answers::{
        Asked, Entry, Matched, PlaceDetails, Resolved, ResourceList, Territory, TopicInfo,
        sentences_beside_jobs,
    },
    directory::{Matches, POPULATION_YEAR, Quality, ResourceView, Row},
    vocabulary::{Function, StateCode, Topic, TopicSet},
    words::{Label, Phrase},
};

impl ModelText<'_> {
    pub(super) fn resolved(&mut self, resolved: &Resolved) -> fmt::Result {
        self.place_line(resolved)?;
        self.jobs(resolved)
    }

    /// Writes the place, and how it was found.
    pub(super) fn place_line(&mut self, resolved: &Resolved) -> fmt::Result {
        self.out.push_str(&self.lineage(&resolved.lineage));
        match &resolved.matched {
            Matched::Point { quality, .. } => self.quality(*quality)?,
            Matched::Address { found, quality, .. } => {
                write!(self.out, ". {}", self.words.phrase(Phrase::AddressRead(found)))?;
                self.quality(*quality)?;
            }
            Matched::Name { .. } => {}
        }
        self.out.push('\n');
        Ok(())
    }

    /// Writes governments and offices: the same for all points of a chain.
    pub(super) fn jobs(&mut self, resolved: &Resolved) -> fmt::Result {
        self.governments(&resolved.lineage)?;
        self.assignments(&self.answers.assignments(resolved.territory))
    }

    fn quality(&mut self, quality: Quality) -> fmt::Result {
        match quality {
            Quality::Inside => Ok(()),
            Quality::Sliver | Quality::Water | Quality::Nearest { .. } => {
                write!(self.out, " ({})", self.words.phrase(Phrase::Quality(quality)).trim_end_matches('.'))
            }
        }
    }

    /// Writes each government once with its id, and the page of the smallest.
    fn governments(&mut self, lineage: &[Row]) -> fmt::Result {
        let mut shown: Vec<Row> = Vec::new();
        for row in lineage.iter().rev() {
            if !shown.iter().any(|other| self.directory.is_same(*other, *row)) {
                shown.push(*row);
            }
        }
        let named: Vec<String> = shown.iter().rev().map(|row| self.with_id(*row)).collect();
        writeln!(self.out, "{}: {}", self.words.label(Label::GovernmentsWithIds), named.join("; "))?;
        lineage.last().map_or(Ok(()), |row| self.page_line(*row))
    }

    /// Writes the answer for a point or an address, the counties of a ZIP code, or the results of a name.
    pub(super) fn asked(&mut self, asked: &Asked) -> fmt::Result {
        if let Some(topic) = asked.reading.topic {
            writeln!(self.out, "{}: {}", self.words.label(Label::Topic), topic.as_str())?;
        }
        // A text with a task asks for the office of that task alone.
        let jobs = asked.reading.topic.map_or(&[][..], Topic::functions);
        self.only = jobs.iter().copied().collect();
        asked.resolved.iter().try_for_each(|resolved| self.resolved(resolved))?;
        for (row, percent) in &asked.counties {
            let share = self.phrase(Phrase::AddressShare(*percent));
            writeln!(self.out, "- {}: {share}", self.with_id(*row))?;
            self.office_on(asked.reading.topic, self.answers.territory_of(*row))?;
        }
        // Of many places of a name, the reader has to choose first.
        if let ([found], None, false) = (&asked.matches.places[..], &asked.resolved, jobs.is_empty()) {
            writeln!(self.out, "{}", self.with_id(found.row))?;
            self.office_on(asked.reading.topic, self.answers.territory_of(found.row))?;
        }
        self.matches(&asked.matches)
    }

    /// Writes the office for each job of a topic; nothing for a topic without one. Returns whether there was one.
    fn office_on(&mut self, topic: Option<Topic>, territory: Territory) -> Result<bool, fmt::Error> {
        let jobs = topic.map_or(&[][..], Topic::functions).iter();
        let entries: Vec<Entry> =
            jobs.filter_map(|function| self.answers.assignment(territory, *function)).collect();
        for entry in &entries {
            self.job(entry, &[])?;
        }
        Ok(entries.iter().any(|entry| entry.outcome.office.is_some()))
    }

    pub(super) fn place(&mut self, place: &PlaceDetails<'_>) -> fmt::Result {
        writeln!(self.out, "{}", self.lineage(&place.lineage))?;
        self.governments(&place.lineage)?;
        self.assignments(&place.assignments)?;
        self.further_offices(place)?;
        self.pages_by_topic(&place.resources)?;
        self.more(place.next_cursor.as_deref())
    }

    /// Writes offices without a job in the list: those that act only in a part of the place.
    fn further_offices(&mut self, place: &PlaceDetails<'_>) -> fmt::Result {
        let titles = || {
            place.assignments.iter().flat_map(Entry::all).filter_map(|entry| entry.outcome.office.as_ref())
        };
        for office in place.offices.iter().filter(|office| !titles().any(|title| *title == office.title)) {
            let jobs: Vec<Function> = office.functions.iter().collect();
            write!(self.out, "- {}: {}.", self.words.phrase(Phrase::InPart(&jobs)), office.title)?;
            self.office_link(office)?;
            self.out.push('\n');
        }
        Ok(())
    }

    /// Writes each page once, below the first of its topics.
    fn pages_by_topic(&mut self, views: &[ResourceView<'_>]) -> fmt::Result {
        if views.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "{}:", self.words.label(Label::PagesByTopic))?;
        let mut headed = TopicSet::default();
        for topic in Topic::all() {
            let first = |view: &&ResourceView<'_>| view.topics.iter().next() == Some(topic);
            for view in views.iter().filter(first) {
                let heading = if headed.has(topic) { "" } else { topic.as_str() };
                headed.insert(topic);
                let further: Vec<&str> = view.topics.iter().skip(1).map(Topic::as_str).collect();
                self.listed(heading, view, &further)?;
            }
        }
        Ok(())
    }

    fn listed(&mut self, heading: &str, view: &ResourceView<'_>, further: &[&str]) -> fmt::Result {
        if !heading.is_empty() {
            writeln!(self.out, "{heading}")?;
        }
        write!(self.out, "- {}, ", view.name)?;
        self.link(view.url, view.status)?;
        if !further.is_empty() {
            write!(self.out, " ({} {})", self.words.label(Label::Also), further.join(", "))?;
        }
        self.out.push('\n');
        Ok(())
    }

    pub(super) fn resource_list(&mut self, list: &ResourceList<'_>) -> fmt::Result {
        let topic = list.topic.map_or(self.label(Label::Pages), |topic| self.words.topic(topic).name);
        writeln!(self.out, "{topic}: {}", self.with_id(list.place))?;
        self.page_line(list.place)?;
        let at_point = list.point.and_then(|point| territory_at(self.directory, point));
        let territory = at_point.unwrap_or_else(|| self.answers.territory_of(list.place));
        if !self.beside_jobs(list)? && self.office_on(list.topic, territory)? && !self.has_own_page(list) {
            writeln!(self.out, "{}", self.phrase(Phrase::OnlyOffice(self.name(list.place))))?;
        }
        for (at, view) in list.resources.iter().enumerate() {
            self.resource(if at == 0 { Label::Best } else { Label::Then }, view)?;
        }
        self.more(list.next_cursor.as_deref())
    }

    /// Writes the state's sentences on a topic that no job covers. No office is shown, since it would be that of
    /// another job. A building department does not decide on septic systems where a health district permits them.
    fn beside_jobs(&mut self, list: &ResourceList<'_>) -> Result<bool, fmt::Error> {
        let of_state = |(topic, state): (Topic, StateCode)| {
            sentences_beside_jobs(self.directory, state, topic).map(|sentences| (state, sentences))
        };
        let found = list.topic.zip(self.directory.state_of(list.place)).and_then(of_state);
        if let Some((state, sentences)) = &found {
            writeln!(self.out, "{}: {sentences}", self.words.phrase(Phrase::InState(state.name())))?;
        }
        Ok(found.is_some())
    }

    /// Whether a list has a page on its topic that is neither a main site nor one of the state or the nation.
    fn has_own_page(&self, list: &ResourceList<'_>) -> bool {
        let state = self.directory.state_of(list.place).and_then(|state| self.directory.state_row(state));
        let wide = [state, self.directory.country_row()];
        list.resources.iter().any(|view| {
            list.topic.is_none_or(|topic| view.topics.has(topic))
                && !wide.contains(&Some(view.jurisdiction))
                && !self.directory.is_main_site(view)
        })
    }

    /// Writes name, address, owner and description of a page.
    fn resource(&mut self, rank: Label, view: &ResourceView<'_>) -> fmt::Result {
        write!(self.out, "- {}: {}, ", self.words.label(rank), view.name)?;
        self.link(view.url, view.status)?;
        let publisher = view.publisher.unwrap_or_else(|| self.name(view.jurisdiction));
        match view.official {
            true => write!(self.out, " ({publisher})")?,
            false => write!(self.out, " ({publisher}, {})", self.words.label(Label::NotOfficial))?,
        }
        if let Some(description) = view.description {
            write!(self.out, " {description}")?;
        }
        if let Some(template) = view.template {
            write!(self.out, " Search: {template}")?;
        }
        self.out.push('\n');
        Ok(())
    }

    pub(super) fn more(&mut self, next_cursor: Option<&str>) -> fmt::Result {
        match next_cursor {
            Some(cursor) => writeln!(self.out, "{}", self.words.phrase(Phrase::NextPage(cursor))),
            None => Ok(()),
        }
    }

    pub(super) fn matches(&mut self, matches: &Matches) -> fmt::Result {
        if !matches.places.is_empty() {
            writeln!(self.out, "{}:", self.words.label(Label::Places))?;
        }
        for found in &matches.places {
            let state = self.directory.state_of(found.row).map_or("", StateCode::usps);
            let county = self.directory.county_around(found.row);
            let county = county.filter(|county| !self.directory.is_same(found.row, *county));
            let county = county.map_or(String::new(), |county| format!(", {}", self.name(county)));
            let people = self.directory.people_of(found.row);
            let people =
                people.map(|people| format!(", {}", self.phrase(Phrase::People(people, POPULATION_YEAR))));
            writeln!(
                self.out,
                "- {}{county}, {state}{}",
                self.with_id(found.row),
                people.unwrap_or_default()
            )?;
        }
        if !matches.resources.is_empty() {
            writeln!(self.out, "{}:", self.words.label(Label::Pages))?;
        }
        for view in matches.resources.iter().filter_map(|number| self.directory.resource(*number)) {
            write!(self.out, "- {}, ", view.name)?;
            self.link(view.url, view.status)?;
            writeln!(self.out, " ({})", self.with_id(view.jurisdiction))?;
        }
        Ok(())
    }

    pub(super) fn topics(&mut self, topics: &[TopicInfo]) -> fmt::Result {
        topics.iter().try_for_each(|info| {
            writeln!(self.out, "- {}: {}", info.topic.as_str(), self.words.topic(info.topic).description)
        })
    }
}
