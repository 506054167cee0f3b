//! What the maps say of a point, each fact with its caveat and who decides.

use std::fmt::{self, Write as _};

use super::Brief;
use platbook::{
    answers::{Screened, ScreenedFact},
    words::{English, FactText, Words as _},
};

impl Brief<'_> {
    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        let point = screened.point;
        let place = self.lineage(&screened.lineage);
        writeln!(self.out, "Screening at lat {}, lon {}: {place}", point.lat_degrees(), point.lon_degrees())?;
        if let Some(row) = screened.lineage.last() {
            writeln!(self.out, "Page: {}", self.page(*row))?;
        }
        screened.facts.iter().try_for_each(|fact| self.fact(fact))
    }

    fn fact(&mut self, screened: &ScreenedFact<'_>) -> fmt::Result {
        let ScreenedFact { fact, decider, resources } = screened;
        let (FactText { summary, detail }, kind) = (English.fact(fact), English.fact_kind(fact.key));
        write!(self.out, "- {}: {}. {summary}", fact.key.as_str(), fact.status().as_str())?;
        detail.iter().try_for_each(|detail| write!(self.out, " {detail}"))?;
        fact.as_of.iter().try_for_each(|date| write!(self.out, " Map of {date}."))?;
        writeln!(self.out, " {} ({})", kind.caveat, fact.source().name)?;
        write!(self.out, "  decides: {}", kind.decider)?;
        if let Some(entry) = decider.as_ref().map(|assignment| &assignment.main) {
            self.out.push_str(" Here: ");
            self.whole_entry(entry)?;
        }
        self.out.push('\n');
        let new = resources.iter().find(|view| !self.out.contains(view.url));
        let Some(view) = new else { return Ok(()) };
        write!(self.out, "  confirm: {}, ", view.name)?;
        self.link(view.url, view.status)?;
        self.out.push('\n');
        Ok(())
    }
}
