//! The values of answers in the shapes of the contract.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{
    Detail, Encoder,
    chain_text::{ChainText, Filling},
    encoded::{Encoded, drafted},
    holes::{Hole, Holes},
    parts::{self, matched, notices, point},
    ready::{self, ReadyText},
};
use crate::wire::{self, Folder, Functions, PageUrl, ReadAs};
use platbook::{
    answers::{
        Answer, Answers, Asked, Assignment, Assignments, Data, Entry, Fact, GuideDetails, Office,
        PlaceDetails, Resolved, ResourceList, Screened, Source, Subject, TopicInfo,
    },
    directory::{Directory, Matches, ResourceView, Row},
    vocabulary::{FactStatus, Function, StateCode, TOPIC_ALIASES, Topic},
};

/// Functions that the list of topics knows; the contract has no more there.
const LISTED_FUNCTIONS: usize = 6;

/// Puts the values of answers into shapes, with ready-made text for their parts.
#[derive(Clone, Copy)]
pub(super) struct Shaper<'a> {
    pub(super) encoder: &'a Encoder,
    pub(super) answers: &'a Answers,
    pub(super) detail: Detail,
    /// Where texts that are ready are left open, if they are.
    pub(super) open: Option<&'a Holes<Filling>>,
}

/// Ready-made text of a part, written or left open.
#[derive(Clone, Copy)]
enum Text<'a> {
    Written(&'a RawValue),
    LeftOpen(Hole<'a, Filling>),
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Text::Written(text) => text.serialize(serializer),
            Text::LeftOpen(hole) => hole.serialize(serializer),
        }
    }
}

/// A source of the snapshot is ready; one outside of it comes with its answer.
#[derive(Serialize)]
#[serde(untagged)]
enum SourceText<'a> {
    Ready(Text<'a>),
    Outside(wire::Source<'a>),
}

/// Ready-made text of who performs a function.
struct SharedText(Arc<RawValue>);

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'a> Shaper<'a> {
    /// A whole answer of any kind.
    pub(super) fn whole(self, answer: &Answer<'_>) -> Encoded {
        match &answer.data {
            Data::Resolve(resolved) => {
                let data = self.resolved(resolved, matched(self.directory(), &resolved.matched));
                self.envelope(answer, data)
            }
            Data::Place(place) => self.envelope(answer, self.place(place)),
            Data::Resources(list) => self.envelope(answer, self.resource_list(list)),
            Data::Search(matches) => self.envelope(answer, self.matches(matches)),
            Data::Ask(asked) => self.envelope(answer, self.asked(asked)),
            Data::Screening(screened) => self.envelope(answer, self.screened(screened)),
            Data::Topics(topics) => self.envelope(answer, self.topics(topics)),
            Data::Guide(guide) => self.envelope(answer, self.guide(guide)),
        }
    }

    fn envelope(self, answer: &Answer<'_>, data: impl Serialize) -> Encoded {
        let sources = self.sources(answer);
        let notices = notices(self.directory(), &answer.notices);
        let holes = Holes::default();
        let envelope =
            wire::Envelope { data, sources, as_of: &answer.as_of, request_id: holes.hole(()), notices };
        Encoded::of(&holes, &envelope)
    }

    /// What answers share that have this lineage and these assignments.
    pub(super) fn chain_text(self, answer: &Answer<'_>, resolved: &Resolved) -> ChainText {
        let holes = Holes::default();
        let shaper = Shaper { open: Some(&holes), ..self };
        let assignments = self.answers.assignments(resolved.territory);
        let data = wire::ResolveResult {
            matched: holes.hole(Filling::Own),
            point: holes.hole(Filling::Own),
            jurisdictions: shaper.jurisdictions(&resolved.lineage),
            functions: Functions::of(|function| Some(shaper.assignment(assignments.get(function)?))),
        };
        let envelope = wire::Envelope {
            data,
            sources: shaper.sources(answer),
            as_of: &answer.as_of,
            request_id: holes.hole(Filling::Own),
            notices: holes.hole(Filling::Own),
        };
        // A text that is kept has no more memory than it needs.
        drafted(|json| {
            let at = holes.write(json, &envelope);
            ChainText::new(json, &at, &self.encoder.ready, &self.encoder.whole)
        })
    }

    fn resolved(self, resolved: &Resolved, matched: impl Serialize) -> impl Serialize {
        wire::ResolveResult {
            matched,
            point: resolved.point.map(point),
            jurisdictions: self.jurisdictions(&resolved.lineage),
            functions: self.functions(&self.answers.assignments(resolved.territory)),
        }
    }

    fn matches(self, matches: &Matches) -> wire::SearchResult<Text<'a>, Text<'a>> {
        wire::SearchResult {
            places: matches.places.iter().map(|found| self.jurisdiction(found.row)).collect(),
            resources: matches.resources.iter().map(|number| self.resource(*number)).collect(),
        }
    }

    fn asked(self, asked: &'a Asked) -> impl Serialize {
        let wire::SearchResult { places, resources } = self.matches(&asked.matches);
        let resolved = asked.resolved.as_ref();
        let county = |(row, percent): &(Row, u64)| wire::ZipCounty {
            jurisdiction: self.jurisdiction(*row),
            address_percent: u32::try_from(*percent).unwrap_or(u32::MAX),
        };
        wire::AskResult {
            read_as: match asked.reading.subject {
                Subject::Point(_) => ReadAs::Point,
                Subject::Zip(_) => ReadAs::Zip,
                Subject::Address(_) => ReadAs::Address,
                Subject::Name(_) => ReadAs::Name,
            },
            topic: asked.reading.topic,
            resolve: resolved
                .map(|resolved| self.resolved(resolved, matched(self.directory(), &resolved.matched))),
            places,
            resources,
            counties: asked.counties.iter().map(county).collect(),
        }
    }

    fn place(self, place: &'a PlaceDetails<'_>) -> impl Serialize {
        wire::PlacePage {
            jurisdiction: self.jurisdiction(place.place),
            chain: self.jurisdictions(&place.lineage),
            offices: place.offices.iter().map(|office| self.office(office)).collect(),
            resources: self.resources(&place.resources),
            functions: self.functions(&place.assignments),
            next_cursor: place.next_cursor.as_deref(),
        }
    }

    fn resource_list(self, list: &'a ResourceList<'_>) -> impl Serialize {
        wire::ResourcePage {
            jurisdiction: self.jurisdiction(list.place),
            point: list.point.map(point),
            topic: list.topic,
            resources: self.resources(&list.resources),
            next_cursor: list.next_cursor.as_deref(),
        }
    }

    fn screened(self, screened: &'a Screened<'_>) -> impl Serialize {
        let facts = &screened.facts;
        wire::Screening {
            kind: "screening",
            point: point(screened.point),
            jurisdictions: self.jurisdictions(&screened.lineage),
            facts: wire::Facts {
                flood: self.fact(&facts.flood),
                wetlands: self.fact(&facts.wetlands),
                soils: self.fact(&facts.soils),
                elevation: self.fact(&facts.elevation),
                shoreland: facts.shoreland.as_ref().map(|fact| self.fact(fact)),
                radon: self.fact(&facts.radon),
            },
        }
    }

    fn fact<S: FactStatus>(
        self,
        fact: &'a Fact<'_, S>,
    ) -> wire::Fact<'a, wire::StatusWord<S>, SharedText, Text<'a>> {
        let finding = fact.finding.as_ref();
        let values = finding.map_or(&[][..], |finding| &finding.values).iter();
        wire::Fact {
            status: wire::StatusWord(fact.status()),
            summary: fact.summary(),
            detail: finding.and_then(|finding| finding.detail.as_deref()),
            values: values.map(|(name, value)| (*name, parts::fact_value(value))).collect(),
            dataset: &fact.source().name,
            publisher: &fact.source().publisher,
            as_of: finding.and_then(|finding| finding.as_of.as_deref()),
            caveat: fact.kind.caveat,
            decided_by: wire::Decider {
                description: fact.kind.decider,
                function: fact.kind.function,
                office: fact.decider.as_ref().map(|assignment| self.shared_assignment(assignment)),
            },
            resources: self.resources(&fact.resources),
        }
    }

    fn topics(self, topics: &[TopicInfo]) -> impl Serialize {
        let site = self.encoder.site();
        let page = |folder, topic: Topic| PageUrl::Word { site, folder, word: topic.as_str() };
        let info = |info: &TopicInfo| wire::TopicInfo {
            topic: info.topic,
            name: info.topic.name(),
            description: info.topic.description(),
            functions: info.topic.functions(),
            page_url: page("topics", info.topic),
            guide_url: info.has_guide.then(|| page("v1/guides", info.topic)),
        };
        let serving = |function: &Function| {
            let topics = Topic::all().filter(|topic| topic.functions().contains(function));
            (function.as_str(), topics.collect())
        };
        wire::TopicList {
            topics: topics.iter().map(info).collect(),
            functions: Function::ALL[..LISTED_FUNCTIONS].iter().map(serving).collect(),
            aliases: TOPIC_ALIASES.to_vec(),
        }
    }

    fn guide(self, guide: &'a GuideDetails<'a>) -> impl Serialize {
        let page = |topic: Topic| PageUrl::Word {
            site: self.encoder.site(),
            folder: "guides",
            word: topic.as_str(),
        };
        let sections = guide.text.map_or(&[][..], |text| text.sections.as_slice()).iter();
        wire::Guide {
            topic: guide.topic,
            state: guide.state.map(StateCode::usps),
            title: guide.title(),
            summary: guide.summary(),
            sections: sections
                .map(|section| wire::Section { heading: &section.heading, text: section.text.join("\n\n") })
                .collect(),
            page_url: page(guide.topic),
            state_rules: guide.ruled.and_then(|ruled| parts::state_rules(self.encoder.site(), ruled)),
            state_summary: guide.state_summary(),
            also: guide
                .also
                .iter()
                .map(|other| wire::FurtherGuide {
                    topic: other.topic,
                    title: &other.title,
                    page_url: page(other.topic),
                })
                .collect(),
        }
    }

    fn functions(self, assignments: &Assignments) -> Functions<SharedText> {
        Functions::of(|function| Some(self.shared_assignment(assignments.get(function)?)))
    }

    fn shared_assignment(self, assignment: &Assignment) -> SharedText {
        let key = (assignment.function, assignment.territory, self.detail);
        SharedText(
            self.encoder.assignments.get_or(key, || ready::text_of(&self.assignment(assignment)).into()),
        )
    }

    fn assignment<'e>(self, assignment: &'e Assignment) -> wire::FunctionEntry<'e, Vec<Text<'a>>>
    where
        'a: 'e,
    {
        let also = assignment.also.iter().map(|entry| self.entry(entry, true)).collect();
        wire::FunctionEntry { also, ..self.entry(&assignment.main, false) }
    }

    fn entry<'e>(self, entry: &'e Entry, is_further: bool) -> wire::FunctionEntry<'e, Vec<Text<'a>>>
    where
        'a: 'e,
    {
        let outcome = &entry.outcome;
        let pages = entry.resources.iter().take(self.detail.pages_max(is_further));
        wire::FunctionEntry {
            function: outcome.function,
            jurisdiction_id: outcome.body.clone(),
            office_name: outcome.office.as_deref(),
            office: entry.office.as_ref().map(|office| self.office(office)),
            resources: pages.map(|number| self.resource(*number)).collect(),
            role: Some(outcome.role),
            levy_scope: outcome.levy_scope,
            basis: Some(entry.reason()),
            evidence_url: entry.evidence.map(|row| self.directory().source(row).url),
            confidence: Some(outcome.confidence),
            also: Vec::new(),
        }
    }

    fn office<'e>(self, office: &'e Office) -> wire::Office<'e>
    where
        'a: 'e,
    {
        let site = office.shown_site(self.directory());
        let linked = site.filter(|site| site.url.is_some());
        let functions: Vec<&str> = office.functions.iter().map(Function::as_str).collect();
        let id = office.id;
        wire::Office {
            office_id: id.text(Folder::Offices.prefix()),
            name: &office.title,
            kind: Some(functions.join(", ")),
            page_url: PageUrl::Record { site: self.encoder.site(), folder: Folder::Offices, id },
            jurisdiction_id: self.directory().id_of(office.body),
            phone: site.and_then(|site| site.phone),
            email: site.and_then(|site| site.email),
            url: site.and_then(|site| site.url),
            url_scope: linked.map(|site| site.scope),
            address: site.and_then(|site| site.address),
            person: (),
            verified_status: linked.map(|site| site.status),
            verified_at: None,
        }
    }

    fn sources<'s>(self, answer: &'s Answer<'_>) -> Vec<SourceText<'s>>
    where
        'a: 's,
    {
        let text = |source: Source<'s>| match source {
            Source::Snapshot(row) => SourceText::Ready(self.text(ReadyText::Source(row))),
            Source::Outside(source) => SourceText::Outside(parts::outside_source(source)),
        };
        self.answers.sources(answer).into_iter().map(text).collect()
    }

    fn jurisdictions(self, rows: &[Row]) -> Vec<Text<'a>> {
        rows.iter().map(|row| self.jurisdiction(*row)).collect()
    }

    fn jurisdiction(self, row: Row) -> Text<'a> {
        self.text(ReadyText::Jurisdiction(row))
    }

    fn resources(self, views: &[ResourceView<'_>]) -> Vec<Text<'a>> {
        views.iter().map(|view| self.resource(view.number)).collect()
    }

    fn resource(self, number: usize) -> Text<'a> {
        self.text(ReadyText::Resource(number))
    }

    fn text(self, of: ReadyText) -> Text<'a> {
        let Encoder { ready, site, .. } = self.encoder;
        let text = ready.text(self.directory(), site, of);
        self.open.map_or(Text::Written(text), |holes| Text::LeftOpen(holes.hole(Filling::Ready(of))))
    }

    fn directory(self) -> &'a Directory {
        self.answers.directory()
    }
}
