//! Writes the office of each job, in a line or two.

use std::fmt::{self, Write as _};

use super::{Length, ModelText};
use platbook::{
    answers::{Assignments, Entry, Ground, Office, Resolved, Territory},
    directory::{DateRef, Directory, Resolution, ResourceView, Row, ShownSite},
    geometry::LonLat,
    vocabulary::{Confidence, DatedKind, Function, Topic, UrlScope, host_of},
    words::{Label, Phrase, is_named_in, lineage_names, without_body},
};

impl ModelText<'_> {
    pub(super) fn assignments(&mut self, assignments: &Assignments) -> fmt::Result {
        let is_wanted = |entry: &&Entry| self.only.allows(entry.outcome.function);
        let all: Vec<&Entry> = assignments.iter().filter(is_wanted).collect();
        if !all.is_empty() {
            self.all_vary = self.is_lean() && all.iter().all(|entry| varies(entry));
            let heading = if self.all_vary { Label::WhoDoesWhatVaries } else { Label::WhoDoesWhat };
            writeln!(self.out, "{}:", self.words.label(heading))?;
        }
        for (at, entry) in all.iter().enumerate() {
            self.job(entry, &all[..at])?;
        }
        Ok(())
    }

    /// Writes the offices that have facts on a parcel: assessment and parcel map.
    pub(super) fn keepers(&mut self, resolved: &Resolved) -> fmt::Result {
        writeln!(self.out, "{}", lineage_names(self.directory, &resolved.lineage))?;
        let assignments = self.answers.assignments(resolved.territory);
        for entry in
            [Function::Assessment, Function::Gis].into_iter().filter_map(|function| assignments.get(function))
        {
            self.job(entry, &[])?;
        }
        Ok(())
    }

    /// Writes the office for each of the shown jobs in a government, without reasons.
    pub(super) fn offices_in(&mut self, row: Row) -> fmt::Result {
        let (only, assignments) = (self.only, self.answers.assignments(self.answers.territory_of(row)));
        for entry in assignments.iter().filter(|entry| only.allows(entry.outcome.function)) {
            write!(self.out, "\n  {}: ", entry.outcome.function.as_str())?;
            self.whole_entry(entry)?;
        }
        Ok(())
    }

    pub(super) fn job(&mut self, entry: &Entry, earlier: &[&Entry]) -> fmt::Result {
        let same = earlier.iter().find(|other| is_same_office(other, entry));
        write!(self.out, "- {}: ", entry.outcome.function.as_str())?;
        match same {
            Some(other) => self.out.push_str(&self.words.phrase(Phrase::SameOffice(other.outcome.function))),
            None => self.whole_entry(entry)?,
        }
        self.reason(entry)?;
        self.further_page(entry)?;
        self.dates(&entry.dates)?;
        self.relief(entry)?;
        for further in &entry.also {
            write!(self.out, "  {} ", self.words.label(Label::Also))?;
            self.whole_entry(further)?;
            self.reason(further)?;
        }
        Ok(())
    }

    /// Writes dates and amounts, one line for each. A short text has only the days that a reader must not miss. Later
    /// steps of an appeal are written only if the caller chose jobs.
    pub(super) fn dates(&mut self, dates: &[DateRef]) -> fmt::Result {
        let mut has_appeal = false;
        for view in dates.iter().filter_map(|date| self.directory.date(*date)) {
            let is_day = view.kind.is_taken() || view.kind == DatedKind::Due;
            let is_first = view.kind == DatedKind::Appeal && !std::mem::replace(&mut has_appeal, true);
            let is_appeal = matches!(view.kind, DatedKind::Appeal | DatedKind::AppealNext);
            let is_further = is_appeal && !is_first && self.only.is_empty();
            if self.length > Length::Full && (is_further || (self.is_lean() && !is_day)) {
                continue;
            }
            let name = |row| self.name(self.directory.shown_row(row));
            let area = view.area.map_or(String::new(), |row| format!(" ({})", name(row)));
            write!(self.out, "  {}{area}: {}", self.words.dated_kind(view.kind), view.text.says)?;
            if let Some(with) = view.taken_by().filter(|_| self.length < Length::Least) {
                write!(self.out, " {}", self.phrase(Phrase::TakenBy(with)))?;
            }
            let remark = self.words.dated_remark(view.text, self.directory.as_of());
            if !remark.is_empty() && self.length < Length::Least {
                write!(self.out, " {remark}")?;
            }
            let source = self.directory.source(view.source);
            if view.kind.is_relief() && self.said.insert(source.url.to_owned()) {
                write!(self.out, " {}", source.url)?;
                if !source.official {
                    write!(self.out, " ({})", self.phrase(Phrase::NotOfficial(source.publisher_kind)))?;
                }
            }
            self.out.push('\n');
        }
        Ok(())
    }

    /// Writes exemptions for some owners, if the caller chose jobs. Writes only those of the requested kind, and how
    /// to ask for others.
    fn relief(&mut self, entry: &Entry) -> fmt::Result {
        let shown = entry.shown_relief(self.only);
        let is_asked =
            |date: &DateRef| self.directory.date(*date).is_some_and(|view| self.relief.contains(&view.kind));
        let (asked, others): (Vec<DateRef>, Vec<DateRef>) = shown.iter().copied().partition(is_asked);
        if !asked.is_empty() {
            self.dates(&asked)?;
            let kinds = self.directory.kinds_of(&others);
            return match kinds[..] {
                [] => Ok(()),
                _ => writeln!(self.out, "  {}", self.phrase(Phrase::FurtherRelief(&kinds, None))),
            };
        }
        let is_left_out = shown.is_empty() && self.length < Length::Least;
        match entry.further_relief(self.directory).filter(|_| is_left_out) {
            Some((kinds, _)) => writeln!(self.out, "  {}", self.phrase(Phrase::FurtherRelief(&kinds, None))),
            None => self.dates(shown),
        }
    }

    /// Writes title, body, address and telephone of an office.
    pub(super) fn whole_entry(&mut self, entry: &Entry) -> fmt::Result {
        self.title_and_body(entry)?;
        match &entry.office {
            Some(office) => self.office_link(office),
            // The office of this body is named, but no record has its contact.
            None if entry.body.is_some() && entry.outcome.office.is_some() && self.wants_office() => {
                write!(self.out, " {}", self.label(Label::NoContact))
            }
            None => Ok(()),
        }
    }

    pub(super) fn title_and_body(&mut self, entry: &Entry) -> fmt::Result {
        let body = entry.body.map(|row| self.name(row));
        match (entry.outcome.office.as_deref(), body) {
            (Some(title), Some(body)) => match without_body(body, title) {
                title if is_named_in(body, title) => write!(self.out, "{title}.")?,
                title => write!(self.out, "{title}, {body}.")?,
            },
            (Some(title), None) => write!(self.out, "{title}.")?,
            (None, _) => write!(self.out, "{}.", self.words.label(Label::NoOffice))?,
        }
        Ok(())
    }

    pub(super) fn office_link(&mut self, office: &Office) -> fmt::Result {
        let Some(site) = office.shown_site(self.directory) else {
            // A caller of several jobs learns only of the offices that cannot be reached at all.
            let is_asked = !self.only.is_empty() && self.length <= Length::Whole;
            return if is_asked { write!(self.out, " {}", self.label(Label::NoTelephone)) } else { Ok(()) };
        };
        if let Some(url) = site.url {
            let is_repeated = self.has_said(url);
            if is_repeated && self.length == Length::Least {
                write!(self.out, " {}", host_of(url))?;
                return self.telephone(&site);
            }
            self.out.push(' ');
            self.link(url, site.status)?;
            if site.scope == UrlScope::Government && !is_repeated {
                write!(self.out, " ({})", self.words.label(Label::MainSite))?;
            }
        }
        self.telephone(&site)
    }

    /// Returns whether the caller requests one or two jobs, and so probably wants to contact their offices.
    fn wants_office(&self) -> bool {
        (1..=2).contains(&self.only.iter().count()) && self.length <= Length::Whole
    }

    fn telephone(&mut self, site: &ShownSite<'_>) -> fmt::Result {
        if self.length == Length::Full {
            let mut others = [site.email, site.address].into_iter().flatten();
            others.try_for_each(|line| write!(self.out, " {line}"))?;
        }
        let Some(phone) = site.phone else {
            return if self.wants_office() {
                write!(self.out, " {}", self.label(Label::NoTelephone))
            } else {
                Ok(())
            };
        };
        write!(self.out, " {} {phone}", self.words.label(Label::Telephone))?;
        match site.origin.filter(|origin| origin.scope == UrlScope::Government) {
            Some(origin) => write!(self.out, " ({})", self.words.contact(&origin)),
            None => Ok(()),
        }
    }

    /// Writes the reason for an office, its confidence and its source.
    fn reason(&mut self, entry: &Entry) -> fmt::Result {
        let outcome = &entry.outcome;
        write!(self.out, " {}", self.words.basis(&outcome.basis))?;
        let law = outcome.statute.as_deref().map(|law| self.words.phrase(Phrase::Law(law)));
        if let Some(law) = &law
            && (self.said.insert(law.clone()) || !self.is_lean())
        {
            write!(self.out, " {law}")?;
        }
        match outcome.confidence {
            Confidence::High => {}
            Confidence::Medium if self.all_vary => {}
            Confidence::Medium => write!(self.out, " ({})", self.words.label(Label::VariesLocally))?,
            Confidence::Low => write!(self.out, " ({})", self.words.label(Label::NotSure))?,
        }
        // Only an official page is written with an office; `sources` lists the others.
        if let Some(source) =
            entry.evidence.map(|row| self.directory.source(row)).filter(|source| source.official)
            && (law.is_none() || self.length < Length::Least)
            && self.said.insert(source.url.to_owned())
        {
            write!(self.out, " {}", source.url)?;
        }
        self.out.push('\n');
        Ok(())
    }

    /// Writes all pages of a job that the text does not contain yet.
    fn all_pages(&mut self, entry: &Entry) -> fmt::Result {
        let directory = self.directory;
        for view in entry.resources.iter().filter_map(|number| directory.resource(*number)) {
            if self.has_said(view.url) {
                continue;
            }
            write!(
                self.out,
                "  {}: {}, ",
                self.phrase(Phrase::PageOf(self.name(view.jurisdiction))),
                view.name
            )?;
            self.link(view.url, view.status)?;
            self.out.push('\n');
        }
        Ok(())
    }

    /// Writes the page on which people do the job or, without one, the best page on the job's first topic. Omits
    /// pages that the text already contains. Names the owner of another government's page.
    fn further_page(&mut self, entry: &Entry) -> fmt::Result {
        if self.length == Length::Full {
            return self.all_pages(entry);
        }
        let first: Topic = entry.outcome.function.topics()[0];
        let is_own = |view: &ResourceView<'_>| {
            entry.body.is_some_and(|body| self.directory.is_same(body, view.jurisdiction))
        };
        let views = entry.resources.iter().filter_map(|number| self.directory.resource(*number));
        let action_of = |view: &ResourceView<'_>| entry.outcome.function.first_action(view.actions);
        let fits = |view: &ResourceView<'_>| view.topics.has(first) || action_of(view).is_some();
        let mut new = views.filter(|view| fits(view) && !self.has_said(view.url));
        let Some(view) = new.find(|view| {
            let is_near = is_own(view) || action_of(view).is_some() || !self.is_lean();
            !self.directory.is_main_site(view) && is_near
        }) else {
            return Ok(());
        };
        let page = match (action_of(&view), is_own(&view)) {
            (Some(action), _) => self.words.action(action).to_owned(),
            (None, true) => self.label(Label::OwnPage).to_lowercase(),
            (None, false) => self.phrase(Phrase::PageOf(self.name(view.jurisdiction))),
        };
        write!(self.out, "  {page}: {}, ", view.name)?;
        self.link(view.url, view.status)?;
        self.out.push('\n');
        Ok(())
    }
}

/// Returns the area whose offices apply at a point; `None` outside of all coverage.
pub(super) fn territory_at(directory: &Directory, point: LonLat) -> Option<Territory> {
    let Resolution::Inside(chain) = directory.resolve(point) else { return None };
    Some(Ground::at(directory, point, &chain).territory(directory, &chain))
}

fn varies(entry: &Entry) -> bool {
    entry.all().all(|entry| entry.outcome.confidence == Confidence::Medium)
}

fn is_same_office(one: &Entry, other: &Entry) -> bool {
    one.outcome.body == other.outcome.body
        && one.outcome.office == other.outcome.office
        && one.outcome.office.is_some()
}
