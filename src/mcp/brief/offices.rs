//! Who does what, in a line or two for each job.

use std::{
    fmt::{self, Write as _},
    iter,
};

use super::{Brief, Length};
use platbook::{
    answers::{Assignment, Assignments, Entry, Office, Resolved},
    directory::{ResourceView, ShownSite},
    vocabulary::{Confidence, Function, Topic, UrlScope},
};

impl Brief<'_> {
    pub(super) fn assignments(&mut self, assignments: &Assignments) -> fmt::Result {
        let all: Vec<&Assignment> = assignments.iter().map(|assignment| &**assignment).collect();
        if !all.is_empty() {
            self.all_vary = self.is_lean() && all.iter().all(|assignment| varies(assignment));
            self.out.push_str(if self.all_vary {
                "Who does what (each varies locally):\n"
            } else {
                "Who does what:\n"
            });
        }
        for (at, assignment) in all.iter().enumerate() {
            self.assignment(assignment, &all[..at])?;
        }
        Ok(())
    }

    /// Assessment and parcel map, for who asks for facts on a parcel.
    pub(super) fn keepers(&mut self, resolved: &Resolved) -> fmt::Result {
        writeln!(self.out, "{}", self.lineage(&resolved.lineage))?;
        let assignments = self.answers.assignments(resolved.territory);
        for function in [Function::Assessment, Function::Gis] {
            if let Some(assignment) = assignments.get(function) {
                self.assignment(assignment, &[])?;
            }
        }
        Ok(())
    }

    fn assignment(&mut self, assignment: &Assignment, earlier: &[&Assignment]) -> fmt::Result {
        let same = earlier.iter().find(|other| is_same_office(&other.main, &assignment.main));
        write!(self.out, "- {}: ", assignment.function.as_str())?;
        match same {
            Some(other) => write!(self.out, "same office as {}.", other.function.as_str())?,
            None => self.whole_entry(&assignment.main)?,
        }
        self.reason(&assignment.main)?;
        self.further_page(&assignment.main, assignment.function)?;
        for entry in &assignment.also {
            self.out.push_str("  also ");
            self.whole_entry(entry)?;
            self.reason(entry)?;
        }
        Ok(())
    }

    /// Title, body, address and telephone.
    pub(super) fn whole_entry(&mut self, entry: &Entry) -> fmt::Result {
        let body = entry.body.map(|row| self.name(row));
        match (entry.outcome.office.as_deref(), body) {
            (Some(title), Some(body)) => write!(self.out, "{title}, {body}.")?,
            (Some(title), None) => write!(self.out, "{title} (no body named).")?,
            (None, _) => self.out.push_str("nobody on record."),
        }
        entry.office.as_ref().map_or(Ok(()), |office| self.office_link(office))
    }

    pub(super) fn office_link(&mut self, office: &Office) -> fmt::Result {
        let Some(site) = office.shown_site(self.directory) else { return Ok(()) };
        if let Some(url) = site.url {
            let is_told = self.out.contains(url);
            if is_told && self.is_lean() {
                self.out.push_str(" Same site.");
                return self.telephone(&site);
            }
            self.out.push(' ');
            self.link(url, site.status)?;
            if site.scope == UrlScope::Government && !is_told {
                self.out.push_str(" (main site)");
            }
        }
        self.telephone(&site)
    }

    fn telephone(&mut self, site: &ShownSite<'_>) -> fmt::Result {
        match site.phone {
            Some(phone) => write!(self.out, " Tel. {phone}"),
            None => Ok(()),
        }
    }

    /// Why this body, how sure that is, and where it is written.
    fn reason(&mut self, entry: &Entry) -> fmt::Result {
        let reason = entry.reason();
        let law = reason.strip_prefix(&entry.outcome.basis).filter(|law| !law.is_empty());
        let is_told = self.is_lean() && law.is_some_and(|law| self.out.contains(law));
        write!(self.out, " {}", if is_told { &entry.outcome.basis } else { &reason })?;
        match entry.outcome.confidence {
            Confidence::High => {}
            Confidence::Medium if self.all_vary => {}
            Confidence::Medium => self.out.push_str(" (varies locally)"),
            Confidence::Low => self.out.push_str(" (not sure: check)"),
        }
        if let Some(source) = entry.evidence.map(|row| self.directory.source(row))
            && !self.out.contains(source.url)
            && (law.is_none() || self.length < Length::Least)
        {
            write!(self.out, " {}", source.url)?;
        }
        self.out.push('\n');
        Ok(())
    }

    /// The best page of a job's first topic that is not told yet, with whose it is where it is not the body's own.
    fn further_page(&mut self, entry: &Entry, function: Function) -> fmt::Result {
        let first: Topic = function.topics()[0];
        let is_own = |view: &ResourceView<'_>| {
            entry.body.is_some_and(|body| self.directory.is_same(body, view.jurisdiction))
        };
        let views = entry.resources.iter().filter_map(|number| self.directory.resource(*number));
        let mut untold = views.filter(|view| view.topics.has(first) && !self.out.contains(view.url));
        let Some(view) =
            untold.find(|view| !self.directory.is_main_site(view) && (is_own(view) || !self.is_lean()))
        else {
            return Ok(());
        };
        let whose =
            if is_own(&view) { String::new() } else { format!(" of {}", self.name(view.jurisdiction)) };
        write!(self.out, "  page{whose}: {}, ", view.name)?;
        self.link(view.url, view.status)?;
        self.out.push('\n');
        Ok(())
    }
}

fn varies(assignment: &Assignment) -> bool {
    let mut entries = iter::once(&assignment.main).chain(&assignment.also);
    entries.all(|entry| entry.outcome.confidence == Confidence::Medium)
}

fn is_same_office(one: &Entry, other: &Entry) -> bool {
    one.outcome.body == other.outcome.body
        && one.outcome.office == other.outcome.office
        && one.outcome.office.is_some()
}
