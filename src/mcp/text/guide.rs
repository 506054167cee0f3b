//! Short text of a guide, with the rules of a state.

use std::fmt::{self, Write as _};

use super::{ModelText, is_local};
use crate::wire::PageUrl;
use platbook::{
    answers::GuideDetails,
    directory::RuledState,
    words::{Label, Phrase},
};

impl ModelText<'_> {
    pub(super) fn guide(&mut self, guide: &GuideDetails<'_>) -> fmt::Result {
        let page = PageUrl::Word { site: self.site, folder: "guides", word: guide.topic.as_str() };
        let (title, summary) = self.words.guide(guide);
        writeln!(self.out, "{title}. {summary}")?;
        if !is_local(self.site) {
            writeln!(self.out, "{}: {page}", self.label(Label::OwnPage))?;
        }
        if self.beside_jobs(Some(guide.topic), guide.state)? {
            // `beside_jobs` has already written the state's sentences, with its page.
        } else if let Some((state, summary)) = guide.state.zip(guide.state_summary(self.directory)) {
            writeln!(self.out, "{}: {summary}", self.words.phrase(Phrase::InState(state.name())))?;
        }
        if let Some(ruled) = guide.ruled {
            self.rules(ruled, guide)?;
        }
        self.dates(&guide.dates)?;
        self.dates(&guide.local_dates)?;
        if let Some(text) = guide.text {
            for section in &text.sections {
                writeln!(self.out, "{}: {}", section.heading, section.text.join(" "))?;
            }
            writeln!(self.out, "{}", self.words.phrase(Phrase::GuideChecked(&text.checked)))?;
        }
        if !guide.also.is_empty() {
            let also: Vec<&str> = guide.also.iter().map(|text| text.topic.as_str()).collect();
            writeln!(self.out, "{}: {}.", self.words.label(Label::RelatedGuides), also.join(", "))?;
        }
        Ok(())
    }

    /// Writes the office for each job of the topic in most of the state, with the laws. Writes nothing if the topic
    /// has no jobs.
    fn rules(&mut self, ruled: &RuledState, guide: &GuideDetails<'_>) -> fmt::Result {
        let rules = &ruled.file.rules;
        if guide.rules().next().is_none() {
            return Ok(());
        }
        for rule in guide.rules() {
            write!(self.out, "- {}: {}, {}.", rule.function.as_str(), rule.office, rule.place_words)?;
            for source in
                rule.statewide_cases().filter_map(|case| self.directory.rule_source(rules.state, case.source))
            {
                let view = self.directory.source(source);
                if view.official && self.said.insert(view.url.to_owned()) {
                    write!(self.out, " {}: {}", view.name, view.url)?;
                }
            }
            self.out.push('\n');
        }
        for quirk in &ruled.file.quirks {
            writeln!(self.out, "- {}: {quirk}", self.words.label(Label::Note))?;
        }
        writeln!(self.out, "{}", self.words.phrase(Phrase::RulesChecked(&ruled.file.checked)))
    }
}
