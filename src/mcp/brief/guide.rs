//! A guide, with the rules of a state.

use std::fmt::{self, Write as _};

use super::Brief;
use crate::wire::PageUrl;
use platbook::{
    answers::GuideDetails,
    directory::RuledState,
    vocabulary::{StateCode, Topic},
};

impl Brief<'_> {
    pub(super) fn guide(&mut self, guide: &GuideDetails<'_>) -> fmt::Result {
        let page = PageUrl::Word { site: self.site, folder: "guides", word: guide.topic.as_str() };
        writeln!(self.out, "{}. {}\nPage: {page}", guide.title(), guide.summary())?;
        if let Some(summary) = guide.state_summary() {
            writeln!(self.out, "In {}: {summary}", guide.state.map_or("", StateCode::name))?;
        }
        if let Some(ruled) = guide.ruled {
            self.rules(ruled, guide.topic)?;
        }
        if let Some(text) = guide.text {
            for section in &text.sections {
                writeln!(self.out, "{}: {}", section.heading, section.text.join(" "))?;
            }
            writeln!(self.out, "Guide gone through on {}.", text.checked)?;
        }
        if !guide.also.is_empty() {
            let also: Vec<&str> = guide.also.iter().map(|text| text.topic.as_str()).collect();
            writeln!(self.out, "Related guides: {}.", also.join(", "))?;
        }
        Ok(())
    }

    /// Who does the jobs of the topic in most of the state, with the laws; all jobs where the topic has none.
    fn rules(&mut self, ruled: &RuledState, topic: Topic) -> fmt::Result {
        let rules = &ruled.file.rules;
        let jobs = topic.functions();
        for rule in rules.functions.iter().filter(|rule| jobs.is_empty() || jobs.contains(&rule.function)) {
            write!(self.out, "- {}: {}, {}.", rule.function.as_str(), rule.office, rule.place_words)?;
            for source in
                rule.cases.iter().filter_map(|case| self.directory.rule_source(rules.state, case.source))
            {
                let view = self.directory.source(source);
                if !self.out.contains(view.url) {
                    write!(self.out, " {}: {}", view.name, view.url)?;
                }
            }
            self.out.push('\n');
        }
        for quirk in &ruled.file.quirks {
            writeln!(self.out, "- note: {quirk}")?;
        }
        writeln!(self.out, "Rules gone through on {}.", ruled.file.checked)
    }
}
