//! Writes places, their pages, and the results for a name.

use std::fmt::{self, Write as _};

use super::{ModelText, SHARE_WITH_OFFICES_MIN, offices::territory_at};
use platbook::{
    answers::{
        Asked, Entry, Matched, Notice, PlaceDetails, Resolved, ResourceList, Territory, TopicInfo,
        office_beside_jobs, sentences_beside_jobs, state_page_beside_jobs,
    },
    directory::{Matches, POPULATION_YEAR, Quality, ResourceView, Row},
    facts::FactKey,
    geometry::LonLat,
    vocabulary::{Function, FunctionSet, StateCode, Topic, TopicSet, VerifiedStatus},
    words::{Label, Phrase, Units, lineage_names},
};

impl ModelText<'_> {
    pub(super) fn resolved(&mut self, resolved: &Resolved) -> fmt::Result {
        self.place_line(resolved)?;
        self.jobs(resolved)
    }

    /// Writes the place, and how it was found.
    pub(super) fn place_line(&mut self, resolved: &Resolved) -> fmt::Result {
        self.out.push_str(&lineage_names(self.directory, &resolved.lineage));
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

    /// Writes governments and offices, which are the same for all points in one chain.
    pub(super) fn jobs(&mut self, resolved: &Resolved) -> fmt::Result {
        self.governments(&resolved.lineage)?;
        self.nation(resolved.point)?;
        self.assignments(&self.answers.assignments(resolved.territory))
    }

    /// Writes the tribal nation on whose land a point lies, with its site: a reader asks the nation before the
    /// offices.
    pub(super) fn nation(&mut self, point: Option<LonLat>) -> fmt::Result {
        let land = point.and_then(|point| self.directory.tribal_land_at(point));
        let Some(land) = land.map(|land| self.directory.tribal_land(land)) else { return Ok(()) };
        let Some(site) = land.site else { return Ok(()) };
        write!(self.out, "- {} ", self.phrase(Phrase::AskNation(land.nation.unwrap_or("nation"))))?;
        self.link(site, VerifiedStatus::NotYetVerified)?;
        writeln!(self.out, " ({})", self.label(Label::MainSite))
    }

    fn quality(&mut self, quality: Quality) -> fmt::Result {
        match quality {
            Quality::Inside => Ok(()),
            Quality::Sliver | Quality::Water | Quality::Nearest { .. } => {
                write!(self.out, " ({})", self.words.phrase(Phrase::Quality(quality)).trim_end_matches('.'))
            }
        }
    }

    /// Writes each government once with its id, and the page address of the smallest one.
    fn governments(&mut self, lineage: &[Row]) -> fmt::Result {
        let shown = self.directory.each_government_once(lineage.iter().rev().copied());
        let named: Vec<String> = shown.iter().rev().map(|row| self.with_id(*row)).collect();
        writeln!(self.out, "{}: {}", self.words.label(Label::GovernmentsWithIds), named.join("; "))?;
        lineage.last().map_or(Ok(()), |row| self.page_line(*row))
    }

    /// Writes the answer for a point or an address, the counties of a ZIP code, or the results for a name.
    pub(super) fn asked(&mut self, asked: &Asked) -> fmt::Result {
        let topics = &asked.reading.topics;
        if !topics.is_empty() {
            let named: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
            writeln!(self.out, "{}: {}", self.words.label(Label::Topic), named.join(", "))?;
        }
        // A text with tasks requests only the offices for these tasks, and a task without an office requests none.
        self.only = FunctionSet::of_topics(topics);
        self.relief.clone_from(&asked.reading.relief);
        let has_none = !topics.is_empty() && self.only.is_empty();
        match &asked.resolved {
            Some(resolved) if has_none => {
                self.place_line(resolved)?;
                self.governments(&resolved.lineage)?;
            }
            Some(resolved) => self.resolved(resolved)?,
            None => {}
        }
        for (row, percent) in &asked.counties {
            let share = self.phrase(Phrase::AddressShare(*percent));
            writeln!(self.out, "- {}: {share}", self.with_id(*row))?;
            if *percent >= SHARE_WITH_OFFICES_MIN {
                self.offices_on(topics, self.answers.territory_of(*row))?;
            }
        }
        let rows = asked.with_offices(self.directory);
        for row in &rows {
            writeln!(self.out, "{}{}", self.with_id(*row), if rows.len() > 1 { ":" } else { "" })?;
            self.offices_on(topics, asked.territory_of(self.answers, *row))?;
        }
        let resolved = asked.resolved.as_ref().and_then(|resolved| resolved.lineage.last()).copied();
        let county = asked.counties.first().map(|(row, _)| *row);
        if let Some(place) = resolved.or(county).or(asked.meant(self.directory)) {
            self.without_jobs(topics, place)?;
        }
        self.matches(&asked.matches)
    }

    /// Writes whom to ask about each topic that no job covers: the state's sentences and page, then the local office.
    fn without_jobs(&mut self, topics: &[Topic], place: Row) -> fmt::Result {
        let state = self.directory.state_of(place);
        let around = self.directory.with_parents(place);
        for topic in topics.iter().filter(|topic| topic.office_functions().is_empty()) {
            let mut resources = self.directory.resources_for(&around, *topic);
            resources.retain(|view| view.topics.has(*topic) && !view.is_broken());
            let list = ResourceList { place, point: None, topic: Some(*topic), resources, next_cursor: None };
            if FactKey::of_topic(*topic).is_some() {
                writeln!(self.out, "{}", self.label(Label::ScreenHere))?;
            }
            self.own_page(&list).map_or(Ok(()), |view| self.resource(Label::Best, view))?;
            self.beside_jobs(Some(*topic), state)?;
            self.local_part(&list, self.answers.territory_of(place))?;
        }
        Ok(())
    }

    /// Writes the office for each job of the topics, and nothing for topics without jobs. Returns whether it wrote an
    /// office.
    fn offices_on(&mut self, topics: &[Topic], territory: Territory) -> Result<bool, fmt::Error> {
        let entries = self.answers.entries_on(topics, territory);
        for entry in &entries {
            self.job(entry, &[])?;
        }
        Ok(entries.iter().any(|entry| entry.outcome.office.is_some()))
    }

    pub(super) fn place(&mut self, place: &PlaceDetails<'_>) -> fmt::Result {
        writeln!(self.out, "{}", lineage_names(self.directory, &place.lineage))?;
        self.governments(&place.lineage)?;
        self.assignments(&place.assignments)?;
        self.further_offices(place)?;
        self.pages_by_topic(&place.resources)?;
        self.more(place.next_cursor.as_deref())
    }

    /// Writes offices that have no job in the list: those that act only in a part of the place.
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
        self.nation(list.point)?;
        // Exemptions for some owners are shown only if the caller chose jobs, and a topic chooses its jobs.
        self.only = FunctionSet::of_topics(&list.topic);
        let at_point = list.point.and_then(|point| territory_at(self.directory, point));
        let territory = at_point.unwrap_or_else(|| self.answers.territory_of(list.place));
        if !self.beside_jobs(list.topic, self.directory.state_of(list.place))?
            && self.offices_on(list.topic.as_slice(), territory)?
            && self.own_page(list).is_none()
        {
            writeln!(self.out, "{}", self.phrase(Phrase::OnlyOffice(self.name(list.place))))?;
        }
        self.local_part(list, territory)?;
        for (at, view) in list.resources.iter().enumerate() {
            let first = if self.may_be_best(list, territory, view) { Label::Best } else { Label::OwnPage };
            self.resource(if at == 0 { first } else { Label::Then }, view)?;
        }
        self.more(list.next_cursor.as_deref())
    }

    /// Writes the state's sentences on a topic that no job covers, and the state's page on the topic. Returns whether
    /// no job covers the topic.
    ///
    /// No office is shown, since it would be the office for another job. A building department does not decide on
    /// septic systems where a health district permits them.
    pub(super) fn beside_jobs(
        &mut self,
        topic: Option<Topic>,
        state: Option<StateCode>,
    ) -> Result<bool, fmt::Error> {
        let Some(topic) = topic.filter(|topic| topic.office_functions().is_empty()) else { return Ok(false) };
        let Some(state) = state else { return Ok(true) };
        let sentences = sentences_beside_jobs(self.directory, state, topic);
        let page = state_page_beside_jobs(self.directory, state, topic);
        let page = page.filter(|page| !self.has_said(page.url));
        // The counties of a ZIP code are all in one state, so its sentences are written once.
        let sentences = sentences.filter(|sentences| self.said.insert(sentences.clone()));
        if sentences.is_none() && page.is_none() {
            return Ok(true);
        }
        write!(self.out, "{}:", self.words.phrase(Phrase::InState(state.name())))?;
        sentences.iter().try_for_each(|sentences| write!(self.out, " {sentences}"))?;
        let notice = Notice::BesideJobs { topic, state };
        self.said.insert(self.words.notice(&notice, self.directory, Units::Both));
        if let Some(page) = page {
            write!(self.out, " {}, ", page.name)?;
            self.link(page.url, page.status)?;
        }
        self.out.push('\n');
        Ok(true)
    }

    /// Writes whom to ask locally about a topic that no job covers: the office that decides on the topic's fact.
    /// Without such an office and without a page on the topic, writes the main sites of place and county.
    fn local_part(&mut self, list: &ResourceList<'_>, territory: Territory) -> fmt::Result {
        let Some(topic) = list.topic.filter(|topic| topic.office_functions().is_empty()) else {
            return Ok(());
        };
        let function = FactKey::of_topic(topic).and_then(|key| key.row().function);
        if let Some(entry) = function.and_then(|function| self.answers.assignment(territory, function)) {
            write!(self.out, "- {}: ", self.label(Label::DecidesHere))?;
            self.whole_entry(&entry)?;
            self.out.push('\n');
            return Ok(());
        }
        // Local offices cannot help with soils and elevation, which agencies survey, or with public land.
        let is_local = matches!(topic, Topic::SepticWell | Topic::Wetlands | Topic::RoadsRightOfWay);
        let wide = self.wide(list.place);
        let local = self.directory.with_parents(list.place).into_iter();
        let local: Vec<Row> = local.filter(|row| !wide.contains(&Some(*row))).collect();
        let Some(smallest) = local.first().filter(|_| is_local && self.own_page(list).is_none()) else {
            return Ok(());
        };
        if let Some(office) = office_beside_jobs(self.directory, &local, topic) {
            let body = self.name(office.body);
            write!(self.out, "- {}: {}, {body}.", self.label(Label::DecidesHere), office.title)?;
            self.office_link(&office)?;
            self.out.push('\n');
            return Ok(());
        }
        write!(self.out, "{}", self.phrase(Phrase::NoLocalOffice(self.name(*smallest))))?;
        for row in local {
            let Some(site) = self.directory.main_site_of(row) else { continue };
            let Some(url) = site.url.filter(|url| !self.has_said(url)) else { continue };
            write!(self.out, " {}: ", self.name(row))?;
            self.link(url, site.status)?;
        }
        self.out.push('\n');
        Ok(())
    }

    /// Returns whether a page may be called the best one. A page of the state or the nation may not if a local body does
    /// the job or keeps the road. Maine's land use commission does not zone organized towns.
    fn may_be_best(&self, list: &ResourceList<'_>, territory: Territory, view: &ResourceView<'_>) -> bool {
        let wide = self.wide(list.place);
        let Some(topic) = list.topic else { return true };
        if !wide.contains(&Some(view.jurisdiction)) || wide.contains(&Some(list.place)) {
            return true;
        }
        let entries = self.answers.entries_on(&[topic], territory);
        let bodies: Option<Vec<Row>> = entries.iter().flat_map(Entry::all).map(|entry| entry.body).collect();
        let is_doer = |row: &Row| self.directory.is_same(*row, view.jurisdiction);
        match topic {
            Topic::RoadsRightOfWay => false,
            Topic::Zoning | Topic::BuildingPermits | Topic::TaxCollector | Topic::RecorderDeeds => {
                bodies.is_none_or(|bodies| bodies.is_empty() || bodies.iter().any(is_doer))
            }
            _ => true,
        }
    }

    /// Returns the state of a place, and the nation.
    fn wide(&self, place: Row) -> [Option<Row>; 2] {
        let state = self.directory.state_of(place).and_then(|state| self.directory.state_row(state));
        [state, self.directory.country_row()]
    }

    /// Returns the first page of a list on its topic that is neither a main site nor a page of the state or the
    /// nation.
    fn own_page<'l, 'r>(&self, list: &'l ResourceList<'r>) -> Option<&'l ResourceView<'r>> {
        let wide = self.wide(list.place);
        list.resources.iter().find(|view| {
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
