//! Writes lists of jurisdictions and of points as plain text, one or two lines for each.

use std::fmt::{self, Write};

use super::Text;
use platbook::{
    answers::{CHECK, ChainRow, Listing, TABLES, WRITE, name_with_surroundings},
    words::{Label, Phrase, Units, lineage_names},
};

impl Text<'_> {
    pub(super) fn listing(&mut self, list: &Listing) -> fmt::Result {
        for listed in &list.rows {
            let view = self.directory.jurisdiction(listed.row);
            let kind = view.legal_type.unwrap_or(view.kind.as_str());
            let name = name_with_surroundings(self.directory, listed.row);
            writeln!(self.out, "{kind:<14} {name} ({})", view.id)?;
            if let (Some(function), Some(entry)) = (list.function, &listed.entry) {
                self.entry(self.words.function(function).name, entry)?;
            }
        }
        match &list.next_cursor {
            Some(cursor) => writeln!(self.out, "\n{}", self.words.phrase(Phrase::NextPage(cursor))),
            None => Ok(()),
        }
    }

    pub(super) fn chain(&mut self, row: &ChainRow) -> fmt::Result {
        let chain = match &row.found {
            Ok(chain) => chain,
            Err(refusal) => return writeln!(self.out, "{}: {}", row.given, refusal.detail),
        };
        writeln!(self.out, "{}: {}", row.given, lineage_names(self.directory, &chain.lineage))?;
        for outcome in &chain.outcomes {
            let title = outcome.office.as_deref().unwrap_or(self.words.label(Label::NoOffice));
            let body = outcome.body.as_ref().and_then(|id| self.directory.found(id));
            let body = body.map_or(String::new(), |row| format!(", {}", self.directory.name_of(row)));
            let function = self.words.function(outcome.function).name;
            writeln!(self.out, "  {function:<26} {title}{body}")?;
        }
        for notice in chain.notices.iter().filter(|notice| !notice.is_for_programs()) {
            let sentence = self.words.notice(notice, self.directory, Units::Both);
            writeln!(self.out, "  - {sentence}")?;
        }
        Ok(())
    }

    pub(super) fn download(&mut self) -> fmt::Result {
        let snapshot = self.directory.snapshot();
        writeln!(self.out, "{} ({} bytes)\n  {CHECK}", snapshot.id(), snapshot.bytes().len())?;
        TABLES.iter().try_for_each(|table| {
            writeln!(self.out, "{}: {}\n  {}", table.name, table.description, table.command)
        })?;
        writeln!(self.out, "All tables as files, with checksums:\n  {WRITE}")
    }
}
