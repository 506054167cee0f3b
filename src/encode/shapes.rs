//! Fills the JSON types of the contract with the values of answers, one function for each type.

use std::iter;

use serde::Serialize;

use super::{
    Detail,
    body::put,
    match_quality,
    parts::{self, point},
};
use crate::wire::{self, Folder, PageUrl, ReadAs};
use platbook::{
    answers::{
        Answer, Answers, Asked, Assignments, CHECK, ChainRow, Data, Entry, GuideDetails, Link, LinkKind,
        ListedRow, Listing, Office, PlaceDetails, Resolved, ResourceList, Screened, ScreenedFact, Source,
        Subject, TABLES, TopicInfo, WRITE,
    },
    directory::{DateRef, DateView, Directory, Matches, ResourceView, Row},
    vocabulary::{Function, PublisherKind, StateCode, TOPIC_ALIASES, Topic},
    words::{FactText, TopicText, Units, Words},
};

/// Number of functions in the list of topics; the contract allows no more there.
const LISTED_FUNCTIONS: usize = 6;

/// Initial capacity of a body in bytes. Answers for points have some 12,000 bytes, and most others fewer than this.
const BODY_BYTES: usize = 4 << 10;

/// Writes answers of one directory, in one language and one length.
#[derive(Clone, Copy)]
pub(super) struct Shaper<'a> {
    pub(super) site: &'a str,
    /// The address at which the operator publishes files.
    pub(super) published_at: Option<&'a str>,
    pub(super) answers: &'a Answers,
    pub(super) detail: Detail,
    pub(super) words: &'a dyn Words,
}

impl<'a> Shaper<'a> {
    /// Returns the whole JSON of an answer, with a request id of null.
    pub(super) fn json(self, answer: &Answer<'_>) -> Vec<u8> {
        match &answer.data {
            Data::Resolve(resolved) => {
                let assignments = self.answers.assignments(resolved.territory);
                self.envelope(answer, self.resolved(resolved, &assignments))
            }
            Data::Place(place) => self.envelope(answer, self.place(place)),
            Data::Resources(list) => self.envelope(answer, self.resource_list(list)),
            Data::List(list) => self.envelope(answer, self.listing(list)),
            Data::Chains(rows) => self.envelope(answer, self.chains(rows)),
            Data::Download => self.envelope(answer, self.download()),
            Data::Coverage(details) => self.envelope(answer, self.coverage(details)),
            Data::Search(matches) => self.envelope(answer, self.found(matches)),
            Data::Ask(asked) => {
                let resolved = asked.resolved.as_ref();
                let assignments = resolved.map(|resolved| self.answers.assignments(resolved.territory));
                self.envelope(answer, self.asked(asked, assignments.as_ref()))
            }
            Data::Screening(screened) => self.envelope(answer, self.screened(screened)),
            Data::Topics(topics) => self.envelope(answer, self.topics(topics)),
            Data::Guide(guide) => self.envelope(answer, self.guide(guide)),
        }
    }

    fn envelope(self, answer: &Answer<'_>, data: impl Serialize) -> Vec<u8> {
        let envelope = wire::Envelope {
            data,
            sources: self.sources(answer),
            as_of: &answer.as_of,
            request_id: (),
            notices: self.notices(answer),
        };
        let mut json = Vec::with_capacity(BODY_BYTES);
        put(&mut json, &envelope);
        json
    }

    /// Returns the caveats as sentences, with lengths in both units.
    pub(super) fn notices(self, answer: &Answer<'_>) -> Vec<String> {
        let sentence = |notice| self.words.notice(notice, self.directory(), Units::Both);
        answer.notices.iter().map(sentence).collect()
    }

    fn resolved(self, resolved: &'a Resolved, assignments: &'a Assignments) -> wire::ResolveResult<'a> {
        wire::ResolveResult {
            matched: parts::matched(self.directory(), &resolved.matched),
            point: resolved.point.map(point),
            date: resolved.date,
            jurisdictions: self.jurisdictions(&resolved.lineage),
            functions: self.functions(assignments),
        }
    }

    fn asked(self, asked: &'a Asked, assignments: Option<&'a Assignments>) -> wire::AskResult<'a> {
        let wire::SearchResult { places, resources } = self.found(&asked.matches);
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
            topic: asked.reading.topics.first().copied(),
            topics: &asked.reading.topics,
            resolve: asked
                .resolved
                .as_ref()
                .zip(assignments)
                .map(|(resolved, own)| self.resolved(resolved, own)),
            places,
            resources,
            counties: asked.counties.iter().map(county).collect(),
        }
    }

    fn place(self, place: &'a PlaceDetails<'_>) -> wire::PlacePage<'a> {
        wire::PlacePage {
            jurisdiction: self.jurisdiction(place.place),
            date: place.date,
            chain: self.jurisdictions(&place.lineage),
            counties: self.jurisdictions(&place.counties),
            offices: place.offices.iter().map(|office| self.office(office)).collect(),
            resources: self.resources(&place.resources),
            functions: self.functions(&place.assignments),
            next_cursor: place.next_cursor.as_deref(),
        }
    }

    fn resource_list(self, list: &'a ResourceList<'_>) -> wire::ResourcePage<'a> {
        wire::ResourcePage {
            jurisdiction: self.jurisdiction(list.place),
            point: list.point.map(point),
            topic: list.topic,
            resources: self.resources(&list.resources),
            next_cursor: list.next_cursor.as_deref(),
        }
    }

    /// Shapes a list of jurisdictions. Each entry has only its best page.
    fn listing(self, list: &'a Listing) -> wire::JurisdictionList<'a> {
        let short = Shaper { detail: Detail::Short, ..self };
        let listed = |listed: &'a ListedRow| wire::ListedJurisdiction {
            jurisdiction: self.jurisdiction(listed.row),
            entry: listed.entry.as_ref().map(|entry| short.entry(entry, false)),
        };
        wire::JurisdictionList {
            count: list.count.map(parts::count),
            function: list.function,
            jurisdictions: list.rows.iter().map(listed).collect(),
            next_cursor: list.next_cursor.as_deref(),
        }
    }

    fn chains(self, rows: &'a [ChainRow]) -> wire::ChainList<'a> {
        wire::ChainList { rows: rows.iter().map(|row| self.chain(row)).collect() }
    }

    fn chain(self, row: &'a ChainRow) -> wire::ChainRow<'a> {
        let (chain, refusal) = match &row.found {
            Ok(chain) => (Some(chain), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let outcomes = chain.into_iter().flat_map(|chain| &chain.outcomes);
        let sentence = |notice| self.words.notice(notice, self.directory(), Units::Both);
        wire::ChainRow {
            given: &row.given,
            point: chain.map(|chain| point(chain.point)),
            quality: chain.map(|chain| match_quality(chain.quality)),
            jurisdiction_ids: chain.map_or(Vec::new(), |chain| {
                chain.lineage.iter().map(|row| self.directory().id_of(*row)).collect()
            }),
            bodies: outcomes
                .flat_map(|outcome| iter::once(outcome).chain(&outcome.also))
                .map(parts::body)
                .collect(),
            notices: chain.map_or(Vec::new(), |chain| chain.notices.iter().map(sentence).collect()),
            error: refusal.map(|refusal| wire::RowError {
                problem_type: wire::ProblemType(refusal.kind),
                detail: &refusal.detail,
            }),
        }
    }

    fn download(self) -> wire::Download<'a> {
        let directory = self.directory();
        let snapshot = directory.snapshot();
        wire::Download {
            snapshot: wire::SnapshotFile {
                snapshot_id: snapshot.id(),
                bytes: parts::count(snapshot.bytes().len()),
                jurisdictions: parts::count(directory.jurisdiction_count()),
                resources: parts::count(directory.resource_count()),
            },
            published_at: self.published_at,
            tables: TABLES.iter().map(parts::table).collect(),
            files: parts::data_files(snapshot.id(), self.published_at),
            write: WRITE,
            check: CHECK,
            licenses: parts::licenses(directory),
            sources_url: format!("{}/data", self.site),
        }
    }

    fn found(self, matches: &Matches) -> wire::SearchResult<'a> {
        let resources = matches.resources.iter().filter_map(|number| self.numbered(*number));
        wire::SearchResult {
            places: matches.places.iter().map(|found| self.jurisdiction(found.row)).collect(),
            resources: resources.collect(),
        }
    }

    fn screened(self, screened: &'a Screened<'_>) -> wire::Screening<'a> {
        wire::Screening {
            kind: "screening",
            point: point(screened.point),
            jurisdictions: self.jurisdictions(&screened.lineage),
            facts: wire::Facts(
                screened.facts.iter().map(|screened| (screened.fact.key, self.fact(screened))).collect(),
            ),
        }
    }

    fn fact(self, screened: &'a ScreenedFact<'_>) -> wire::Fact<'a> {
        let ScreenedFact { fact, decider, resources } = screened;
        let (FactText { summary, detail }, kind) = (self.words.fact(fact), self.words.fact_kind(fact.key));
        let values = fact.values().into_iter();
        wire::Fact {
            status: fact.status().as_str(),
            summary,
            detail,
            values: values.map(|(name, value)| (name, parts::fact_value(&value))).collect(),
            dataset: &fact.source().name,
            publisher: &fact.source().publisher,
            as_of: fact.as_of.as_deref(),
            caveat: kind.caveat,
            decided_by: wire::Decider {
                description: kind.decider,
                function: fact.key.row().function,
                office: decider.as_ref().map(|entry| self.entry(entry, false)),
            },
            resources: self.resources(resources),
        }
    }

    fn topics(self, topics: &[TopicInfo]) -> wire::TopicList<'a> {
        let site = self.site;
        let page = |folder, topic: Topic| PageUrl::Word { site, folder, word: topic.as_str() };
        let info = |info: &TopicInfo| {
            let TopicText { name, description } = self.words.topic(info.topic);
            wire::TopicInfo {
                topic: info.topic,
                name,
                description,
                functions: info.topic.functions(),
                page_url: page("topics", info.topic),
                guide_url: info.has_guide.then(|| page("v1/guides", info.topic)),
            }
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

    fn guide(self, guide: &'a GuideDetails<'a>) -> wire::Guide<'a> {
        let page = |topic: Topic| PageUrl::Word { site: self.site, folder: "guides", word: topic.as_str() };
        let sections = guide.text.map_or(&[][..], |text| text.sections.as_slice()).iter();
        let (title, summary) = self.words.guide(guide);
        wire::Guide {
            topic: guide.topic,
            state: guide.state.map(StateCode::usps),
            title,
            summary,
            sections: sections
                .map(|section| wire::Section { heading: &section.heading, text: section.text.join("\n\n") })
                .collect(),
            page_url: page(guide.topic),
            state_rules: guide.ruled.and_then(|ruled| parts::state_rules(self.site, ruled)),
            state_summary: guide.state_summary(self.directory()),
            dates: [self.dates(&guide.dates), self.dates(&guide.local_dates)].concat(),
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

    fn functions(self, assignments: &'a Assignments) -> wire::Functions<'a> {
        wire::Functions::from_entries(|function| Some(self.entry(assignments.get(function)?, false)))
    }

    fn entry(self, entry: &'a Entry, is_further: bool) -> wire::FunctionEntry<'a> {
        let outcome = &entry.outcome;
        let evidence = entry.evidence.map(|row| self.directory().source(row));
        let pages = entry.resources.iter().take(self.detail.pages_max(is_further));
        wire::FunctionEntry {
            function: outcome.function,
            jurisdiction_id: outcome.body.clone(),
            office_name: outcome.office.as_deref(),
            office: entry.office.as_ref().map(|office| self.office(office)),
            actions: self.actions(entry, is_further),
            resources: pages.filter_map(|number| self.numbered(*number)).collect(),
            role: Some(outcome.role),
            levy_scope: outcome.levy_scope,
            basis: Some(self.words.reason(outcome)),
            evidence_url: evidence.as_ref().map(|source| source.url),
            // Snapshots that do not record the kind of a publisher still say whether a source is official.
            evidence_kind: evidence
                .as_ref()
                .filter(|source| !source.official)
                .map(|source| source.publisher_kind.unwrap_or(PublisherKind::Other)),
            confidence: Some(outcome.confidence),
            dates: self.dates(&entry.dates),
            also: entry.also.iter().map(|entry| self.entry(entry, true)).collect(),
        }
    }

    /// Returns links to the pages on which people do a job, such as paying or applying.
    fn actions(self, entry: &Entry, is_further: bool) -> Vec<wire::ActionLink<'a>> {
        let action = |link: Link<'a>| {
            let (LinkKind::Action(action), Some(page)) = (link.kind, link.page) else { return None };
            Some(wire::ActionLink {
                action,
                text: self.words.action_link(action, link.url),
                url: link.url,
                resource_id: page.id.text(Folder::Resources.prefix()),
                verified_status: link.status,
            })
        };
        let links = entry.links(self.directory()).into_iter().filter_map(action);
        links.take(self.detail.pages_max(is_further)).collect()
    }

    fn dates(self, dates: &[DateRef]) -> Vec<wire::DatedRule<'a>> {
        let views = dates.iter().filter_map(|date| self.directory().date(*date));
        let remark = |view: &DateView<'_>| self.words.dated_remark(view.text, self.directory().as_of());
        views.map(|view| parts::dated_rule(self.directory(), &view, remark(&view))).collect()
    }

    fn office(self, office: &'a Office) -> wire::Office<'a> {
        let site = office.shown_site(self.directory());
        let linked = site.filter(|site| site.url.is_some());
        let contact = site.and_then(|site| site.origin);
        let functions: Vec<&str> = office.functions.iter().map(Function::as_str).collect();
        let (id, body) = (office.id, self.directory().id_of(office.body));
        let page_url = if office.is_past {
            PageUrl::Place { site: self.site, id: body.clone() }
        } else {
            PageUrl::Record { site: self.site, folder: Folder::Offices, id }
        };
        wire::Office {
            office_id: id.text(Folder::Offices.prefix()),
            name: &office.title,
            kind: Some(functions.join(", ")),
            page_url,
            jurisdiction_id: body,
            phone: site.and_then(|site| site.phone),
            email: site.and_then(|site| site.email),
            contact_scope: contact.map(|contact| contact.scope),
            contact_name: contact.and_then(|contact| contact.name),
            contact_year: contact.and_then(|contact| contact.year),
            contact_source_url: contact.map(|contact| self.directory().source(contact.source).url),
            url: site.and_then(|site| site.url),
            url_scope: linked.map(|site| site.scope),
            address: site.and_then(|site| site.address),
            person: (),
            verified_status: linked.map(|site| site.status),
            verified_at: linked.and_then(|site| site.check).map(|check| check.at),
        }
    }

    fn sources<'s>(self, answer: &'s Answer<'_>) -> Vec<wire::Source<'s>>
    where
        'a: 's,
    {
        let shape = |source| match source {
            Source::Snapshot(row) => parts::source(self.directory(), row),
            Source::Outside(source) => parts::outside_source(source),
        };
        self.answers.sources(answer).into_iter().map(shape).collect()
    }

    fn jurisdictions(self, rows: &[Row]) -> Vec<wire::Jurisdiction<'a>> {
        rows.iter().map(|row| self.jurisdiction(*row)).collect()
    }

    fn jurisdiction(self, row: Row) -> wire::Jurisdiction<'a> {
        parts::jurisdiction(self.directory(), self.site, row)
    }

    fn resources(self, views: &[ResourceView<'a>]) -> Vec<wire::Resource<'a>> {
        views.iter().map(|view| parts::resource(self.directory(), self.site, view)).collect()
    }

    /// Shapes a resource by its number; `None` for a number that the snapshot does not have.
    pub(super) fn numbered(self, number: usize) -> Option<wire::Resource<'a>> {
        let view = self.directory().resource(number)?;
        Some(parts::resource(self.directory(), self.site, &view))
    }

    pub(super) fn directory(self) -> &'a Directory {
        self.answers.directory()
    }
}
