//! Writes several places in one text: the offices of each place, or its best page on a topic.

use std::fmt::{self, Write as _};

use super::{ModelText, Several};
use platbook::{
    answers::{Answer, Data, Entry, Refusal, ResourceList},
    words::{Label, Phrase},
};

impl ModelText<'_> {
    pub(super) fn places(&mut self, places: &[Several<'_>]) -> fmt::Result {
        let mut shown: Vec<Entry> = Vec::new();
        for place in places {
            let Some(answer) = self.answered(place)? else { continue };
            let Data::Resolve(resolved) = &answer.data else { continue };
            let named: Vec<String> = resolved.lineage.iter().map(|row| self.with_id(*row)).collect();
            writeln!(self.out, "{}: {}", place.given, named.join("; "))?;
            self.nation(resolved.point)?;
            if !self.only.is_empty() {
                let assignments = self.answers.assignments(resolved.territory);
                self.assignments(&assignments)?;
                let wanted = assignments.iter().filter(|entry| self.only.allows(entry.outcome.function));
                shown.extend(wanted.cloned());
            }
            self.caveats(answer)?;
        }
        self.telephones_known(shown.iter())?;
        writeln!(self.out, "{}", self.words.phrase(Phrase::AsOf(self.directory.as_of())))
    }

    pub(super) fn compared(&mut self, places: &[Several<'_>]) -> fmt::Result {
        let mut shown: Vec<Entry> = Vec::new();
        for place in places {
            let Some(answer) = self.answered(place)? else { continue };
            let Data::Resources(list) = &answer.data else { continue };
            self.beside_jobs(list.topic, self.directory.state_of(list.place))?;
            write!(self.out, "- {}:", self.with_id(list.place))?;
            let entries =
                self.answers.entries_on(list.topic.as_slice(), self.answers.territory_of(list.place));
            for entry in &entries {
                self.out.push(' ');
                self.whole_entry(entry)?;
            }
            self.best_page(list)?;
            shown.extend(entries);
        }
        self.telephones_known(shown.iter())?;
        if self.has_unchecked {
            writeln!(self.out, "{}", self.label(Label::UncheckedLinks))?;
        }
        writeln!(self.out, "{}", self.words.phrase(Phrase::AsOf(self.directory.as_of())))
    }

    /// Writes the best page of a list, unless the text already contains it as an office's link.
    fn best_page(&mut self, list: &ResourceList<'_>) -> fmt::Result {
        match list.resources.first() {
            Some(view) if self.has_said(view.url) => {}
            Some(view) => {
                write!(self.out, " {}, ", view.name)?;
                self.link(view.url, view.status)?;
                write!(self.out, " ({})", self.name(view.jurisdiction))?;
            }
            None => write!(self.out, " {}", self.label(Label::NoPage))?,
        }
        self.out.push('\n');
        Ok(())
    }

    /// Returns the answer for a place, and writes how its name was read. Without an answer, writes the reason and the
    /// choices.
    fn answered<'p, 'a>(&mut self, place: &'p Several<'a>) -> Result<Option<&'p Answer<'a>>, fmt::Error> {
        match &place.found {
            Ok(answer) => {
                place.remark.iter().try_for_each(|remark| writeln!(self.out, "{remark}"))?;
                Ok(Some(answer))
            }
            Err(Refusal { detail, choices, .. }) => {
                write!(self.out, "{}: {detail}", place.given)?;
                for choice in choices {
                    let id = choice.jurisdiction.as_ref().map_or(String::new(), |id| format!(" ({id})"));
                    write!(self.out, "; {}{id}", choice.label)?;
                }
                self.out.push('\n');
                Ok(None)
            }
        }
    }
}
