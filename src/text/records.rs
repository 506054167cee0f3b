//! Offices, resources and facts as plain text.

use std::fmt::{self, Write};

use super::Text;
use platbook::{
    answers::{Fact, Office, Screened},
    directory::ResourceView,
    vocabulary::{FactStatus, UrlScope},
};

impl Text<'_> {
    pub(super) fn offices(&mut self, offices: &[Office]) -> fmt::Result {
        if !offices.is_empty() {
            self.heading("Offices")?;
        }
        for office in offices {
            writeln!(self.out, "  {}", office.title)?;
            self.office_links(office)?;
        }
        Ok(())
    }

    /// Address and telephone of an office; says where the address is only the main site of its government.
    pub(super) fn office_links(&mut self, office: &Office) -> fmt::Result {
        let Some(site) = office.shown_site(self.directory) else { return Ok(()) };
        if let Some(url) = site.url {
            let scope = match site.scope {
                UrlScope::Office => "",
                UrlScope::Government => " (main site of the government)",
            };
            writeln!(self.out, "                 {url}{scope}")?;
        }
        match site.phone {
            Some(phone) => writeln!(self.out, "                 {phone}"),
            None => Ok(()),
        }
    }

    pub(super) fn resources(&mut self, views: &[ResourceView<'_>]) -> fmt::Result {
        if !views.is_empty() {
            self.heading("Pages")?;
        }
        views.iter().try_for_each(|view| writeln!(self.out, "  {}\n                 {}", view.name, view.url))
    }

    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        let names: Vec<&str> =
            screened.lineage.iter().rev().map(|row| self.directory.name_of(*row)).collect();
        writeln!(self.out, "{}", names.join(", "))?;
        self.heading("What the maps say")?;
        let facts = &screened.facts;
        self.fact(&facts.flood)?;
        self.fact(&facts.wetlands)?;
        self.fact(&facts.soils)?;
        self.fact(&facts.elevation)?;
        facts.shoreland.iter().try_for_each(|fact| self.fact(fact))?;
        self.fact(&facts.radon)
    }

    fn fact<S: FactStatus>(&mut self, fact: &Fact<'_, S>) -> fmt::Result {
        writeln!(self.out, "  {}: {}", fact.source().name, fact.summary())?;
        let detail = fact.finding.as_ref().and_then(|finding| finding.detail.as_ref());
        detail.into_iter().try_for_each(|detail| writeln!(self.out, "    {detail}"))?;
        writeln!(self.out, "    {}", fact.kind.caveat)
    }
}
