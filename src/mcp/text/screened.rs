//! Writes the facts that maps give for a point, each with its caveat and the office that decides.

use std::fmt::{self, Write as _};

use super::{Length, ModelText};
use platbook::{
    answers::{Screened, ScreenedFact},
    directory::ResourceView,
    words::{FactText, Label, Phrase, lineage_names},
};

impl ModelText<'_> {
    pub(super) fn screened(&mut self, screened: &Screened<'_>) -> fmt::Result {
        let point = screened.point;
        let place = lineage_names(self.directory, &screened.lineage);
        writeln!(self.out, "Screening at lat {}, lon {}: {place}", point.lat_degrees(), point.lon_degrees())?;
        if let Some(row) = screened.lineage.last() {
            self.page_line(*row)?;
        }
        for fact in &screened.facts {
            match fact.fact.is_checked() || self.length == Length::Full {
                true => self.fact(fact)?,
                false => self.unchecked(fact)?,
            }
        }
        Ok(())
    }

    /// Writes who decides on a fact that was not checked, and where to look. A caveat says why it was not checked.
    fn unchecked(&mut self, screened: &ScreenedFact<'_>) -> fmt::Result {
        let ScreenedFact { fact, decider, resources } = screened;
        write!(self.out, "- {}: {}.", fact.key.as_str(), fact.status().as_str())?;
        if let Some(entry) = decider {
            write!(self.out, " {}: ", self.words.label(Label::DecidesHere))?;
            self.title_and_body(entry)?;
        }
        // The map itself comes first, then the state's page on the fact.
        let new: Vec<&ResourceView<'_>> = resources.iter().filter(|view| !self.has_said(view.url)).collect();
        for (label, view) in [Label::Confirm, Label::Also].into_iter().zip(new) {
            write!(self.out, " {}: {}, ", self.words.label(label), view.name)?;
            self.link(view.url, view.status)?;
        }
        self.out.push('\n');
        Ok(())
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
