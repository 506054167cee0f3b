//! Writes offices, resources and facts as plain text.

use std::fmt::{self, Write};

use super::{INDENT, Text};
use platbook::{
    answers::{Office, Screened},
    directory::ResourceView,
    facts::Fact,
    vocabulary::UrlScope,
    words::{FactText, Label, lineage_names},
};

impl Text<'_> {
    pub(super) fn offices(&mut self, offices: &[Office]) -> fmt::Result {
        if !offices.is_empty() {
            self.heading(Label::Offices)?;
        }
        for office in offices {
            writeln!(self.out, "  {}", office.title)?;
            self.office_links(office)?;
        }
        Ok(())
    }

    /// Writes how to contact an office. Adds a remark if the page or telephone belongs to its government and not to
    /// the office itself.
    pub(super) fn office_links(&mut self, office: &Office) -> fmt::Result {
        let Some(site) = office.shown_site(self.directory) else { return Ok(()) };
        if let Some(url) = site.url {
            match site.scope {
                UrlScope::Office => writeln!(self.out, "{INDENT}{url}")?,
                UrlScope::Government => {
                    writeln!(self.out, "{INDENT}{url} ({})", self.words.label(Label::MainSite))?;
                }
            }
        }
        if let Some(phone) = site.phone {
            let note = site.origin.map(|origin| self.words.contact(&origin)).filter(|note| !note.is_empty());
            let note = note.map_or(String::new(), |note| format!(" ({note})"));
            writeln!(self.out, "{INDENT}{} {phone}{note}", self.words.label(Label::Telephone))?;
        }
        let mut others = [site.email, site.address].into_iter().flatten();
        others.try_for_each(|line| writeln!(self.out, "{INDENT}{line}"))
    }

    pub(super) fn resources(&mut self, views: &[ResourceView<'_>]) -> fmt::Result {
        if !views.is_empty() {
            self.heading(Label::Pages)?;
        }
        views.iter().try_for_each(|view| writeln!(self.out, "  {}\n{INDENT}{}", view.name, view.url))
    }

    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        writeln!(self.out, "{}", lineage_names(self.directory, &screened.lineage))?;
        self.heading(Label::MapFacts)?;
        screened.facts.iter().try_for_each(|screened| self.fact(&screened.fact))
    }

    fn fact(&mut self, fact: &Fact) -> fmt::Result {
        let FactText { summary, detail } = self.words.fact(fact);
        writeln!(self.out, "  {}: {summary}", fact.source().name)?;
        detail.into_iter().try_for_each(|detail| writeln!(self.out, "    {detail}"))?;
        writeln!(self.out, "    {}", self.words.fact_kind(fact.key).caveat)
    }
}
