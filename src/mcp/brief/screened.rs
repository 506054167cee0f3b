//! What the maps say of a point, each fact with its caveat and who decides.

use std::fmt::{self, Write as _};

use super::Brief;
use platbook::{
    answers::{Fact, Screened},
    vocabulary::FactStatus,
};

impl Brief<'_> {
    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        let point = screened.point;
        let place = self.lineage(&screened.lineage);
        writeln!(self.out, "Screening at lat {}, lon {}: {place}", point.lat_degrees(), point.lon_degrees())?;
        if let Some(row) = screened.lineage.last() {
            writeln!(self.out, "Page: {}", self.page(*row))?;
        }
        let facts = &screened.facts;
        self.fact("flood", &facts.flood)?;
        self.fact("wetlands", &facts.wetlands)?;
        self.fact("soils", &facts.soils)?;
        self.fact("elevation", &facts.elevation)?;
        facts.shoreland.iter().try_for_each(|fact| self.fact("shoreland", fact))?;
        self.fact("radon", &facts.radon)
    }

    fn fact<S: FactStatus>(&mut self, name: &str, fact: &Fact<'_, S>) -> fmt::Result {
        write!(self.out, "- {name}: {}. {}", fact.status().as_str(), fact.summary())?;
        if let Some(finding) = &fact.finding {
            finding.detail.iter().try_for_each(|detail| write!(self.out, " {detail}"))?;
            finding.as_of.iter().try_for_each(|date| write!(self.out, " Map of {date}."))?;
        }
        writeln!(self.out, " {} ({})", fact.kind.caveat, fact.source().name)?;
        write!(self.out, "  decides: {}", fact.kind.decider)?;
        if let Some(entry) = fact.decider.as_ref().map(|assignment| &assignment.main) {
            self.out.push_str(" Here: ");
            self.whole_entry(entry)?;
        }
        self.out.push('\n');
        let new = fact.resources.iter().find(|view| !self.out.contains(view.url));
        let Some(view) = new else { return Ok(()) };
        write!(self.out, "  confirm: {}, ", view.name)?;
        self.link(view.url, view.status)?;
        self.out.push('\n');
        Ok(())
    }
}
