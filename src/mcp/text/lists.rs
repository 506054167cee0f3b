//! Writes lists of jurisdictions, one line for each.

use std::fmt::{self, Write as _};

use super::ModelText;
use platbook::{
    answers::{Entry, Listing},
    directory::POPULATION_YEAR,
    vocabulary::{Confidence, StateCode},
    words::{Label, Phrase, is_named_in, without_body},
};

impl ModelText<'_> {
    pub(super) fn listing(&mut self, list: &Listing) -> fmt::Result {
        if let Some(count) = list.count.filter(|count| *count > 0) {
            writeln!(self.out, "{}", self.words.phrase(Phrase::Shown(list.rows.len(), count)))?;
        }
        // Further bodies that do the job themselves have the same reason with another name, so only the first reason
        // is written.
        let mut has_reason = false;
        for listed in &list.rows {
            let state = self.directory.state_of(listed.row).map_or("", StateCode::usps);
            write!(self.out, "- {}, {state}", self.with_id(listed.row))?;
            if let (None, Some(people)) = (&listed.entry, self.directory.people_of(listed.row)) {
                write!(self.out, ", {}", self.words.phrase(Phrase::People(people, POPULATION_YEAR)))?;
            }
            if let Some(entry) = &listed.entry {
                let is_own = entry.body.is_some_and(|body| self.directory.is_same(body, listed.row));
                self.listed_entry(entry, is_own)?;
                if !is_own || !std::mem::replace(&mut has_reason, true) {
                    write!(self.out, " {}", self.words.basis(&entry.outcome.basis))?;
                }
                match entry.outcome.confidence {
                    Confidence::High => {}
                    Confidence::Medium => write!(self.out, " ({})", self.label(Label::VariesLocally))?,
                    Confidence::Low => write!(self.out, " ({})", self.label(Label::NotSure))?,
                }
            }
            self.out.push('\n');
        }
        self.telephones_known(list.rows.iter().filter_map(|listed| listed.entry.as_ref()))?;
        self.more(list.next_cursor.as_deref())
    }

    /// Writes how many offices have a telephone number, if some have none. Without this line, a missing number looks
    /// like an oversight.
    pub(super) fn telephones_known<'e>(
        &mut self,
        entries: impl Iterator<Item = &'e Entry> + Clone,
    ) -> fmt::Result {
        let phone = |entry: &&Entry| {
            let site = entry.office.as_ref().and_then(|office| office.shown_site(self.directory));
            site.is_some_and(|site| site.phone.is_some())
        };
        let (known, all) = (entries.clone().filter(phone).count(), entries.count());
        if known == all {
            return Ok(());
        }
        writeln!(self.out, "{}", self.phrase(Phrase::Telephones(known, all)))
    }

    /// Writes the office and its links. Writes the body unless the row already names it.
    fn listed_entry(&mut self, entry: &Entry, is_own: bool) -> fmt::Result {
        let body = entry.body.map(|body| self.name(body));
        let title = entry.outcome.office.as_deref();
        match (title.map(|title| body.map_or(title, |body| without_body(body, title))), body) {
            (Some(title), Some(body)) if !is_own && !is_named_in(body, title) => {
                write!(self.out, ": {title}, {body}.")?;
            }
            (Some(title), _) => write!(self.out, ": {title}.")?,
            (None, _) => write!(self.out, ": {}.", self.label(Label::NoOffice))?,
        }
        entry.office.as_ref().map_or(Ok(()), |office| self.office_link(office))
    }
}
