//! Writes the facts that maps give for a point, each with its caveat and the office that decides.

use std::fmt::{self, Write as _};

use super::ModelText;
use platbook::{
    answers::{Screened, ScreenedFact},
    words::{FactText, Label, Phrase},
};

impl ModelText<'_> {
    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        let point = screened.point;
        let place = self.lineage(&screened.lineage);
        writeln!(self.out, "Screening at lat {}, lon {}: {place}", point.lat_degrees(), point.lon_degrees())?;
        if let Some(row) = screened.lineage.last() {
            writeln!(self.out, "{}: {}", self.words.label(Label::OwnPage), self.page(*row))?;
        }
        screened.facts.iter().try_for_each(|fact| self.fact(fact))
    }

    fn fact(&mut self, screened: &ScreenedFact<'_>) -> fmt::Result {
        let ScreenedFact { fact, decider, resources } = screened;
        let (FactText { summary, detail }, kind) = (self.words.fact(fact), self.words.fact_kind(fact.key));
        write!(self.out, "- {}: {}. {summary}", fact.key.as_str(), fact.status().as_str())?;
        detail.iter().try_for_each(|detail| write!(self.out, " {detail}"))?;
        if let Some(date) = &fact.as_of {
            write!(self.out, " {}", self.words.phrase(Phrase::MapOf(date)))?;
        }
        writeln!(self.out, " {} ({})", kind.caveat, fact.source().name)?;
        write!(self.out, "  {}: {}", self.words.label(Label::Decides), kind.decider)?;
        if let Some(entry) = decider {
            write!(self.out, " {}: ", self.words.label(Label::DecidesHere))?;
            self.whole_entry(entry)?;
        }
        self.out.push('\n');
        let new = resources.iter().find(|view| !self.has_said(view.url));
        let Some(view) = new else { return Ok(()) };
        write!(self.out, "  {}: {}, ", self.words.label(Label::Confirm), view.name)?;
        self.link(view.url, view.status)?;
        self.out.push('\n');
        Ok(())
    }
}
