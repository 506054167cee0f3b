//! Makes the JSON types of the contract from single values: jurisdictions, resources, sources, rules, problems.

use serde_json::Value;

use super::{
    body::{Encoded, put},
    match_quality,
};
use crate::wire::{self, Folder, MatchMode, MatchQuality, PageUrl};
use platbook::{
    answers::{CHECKSUMS, Choice, FileTable, Matched, Refusal, Table, whole_meters},
    directory::{
        BorderLine, Borders, DateView, Directory, Quality, ResourceView, Row, RuledState, SourceRow,
    },
    facts::FactValue,
    geometry::LonLat,
    rules::{Deadline, Outcome},
    vocabulary::{Function, LicenseClass, OutsideSource, VerifiedStatus},
};

/// Shapes the match: how the request was matched to a point or a place.
pub(super) fn matched<'a>(directory: &'a Directory, matched: &'a Matched) -> wire::Match<'a> {
    let at_point = |mode, quality: Quality, borders: &Borders| wire::Match {
        mode,
        quality: match_quality(quality),
        matched_name: None,
        matched_address: None,
        geocoder: None,
        method: None,
        border: Some(border(directory, borders)),
    };
    match matched {
        Matched::Point { quality, borders } => at_point(MatchMode::Point, *quality, borders),
        Matched::Address { found, quality, borders } => wire::Match {
            matched_address: Some(&found.matched_address),
            geocoder: Some(&found.geocoder),
            method: Some(&found.method),
            ..at_point(MatchMode::Address, *quality, borders)
        },
        Matched::Name { place } => wire::Match {
            mode: MatchMode::Place,
            quality: MatchQuality::Exact,
            matched_name: Some(directory.name_of(*place)),
            matched_address: None,
            geocoder: None,
            method: None,
            border: None,
        },
    }
}

fn border<'a>(directory: &'a Directory, borders: &Borders) -> wire::Border<'a> {
    let line = |line: &BorderLine| wire::BorderLine {
        distance_m: whole_meters(line.distance_m),
        neighbor_name: line.neighbor.map(|row| directory.name_of(row)),
        neighbor: line.neighbor.map(|row| directory.id_of(row)),
        scale: line.scale,
        uncertainty_m: whole_meters(line.uncertainty_m),
    };
    wire::Border {
        county: borders.county.as_ref().map(line),
        place: borders.place.as_ref().map(line),
        searched_m: whole_meters(borders.searched_m),
    }
}

/// Shapes a point as GeoJSON.
pub(super) fn point(point: LonLat) -> wire::Point {
    wire::Point { lon: point.lon_degrees(), lat: point.lat_degrees() }
}

/// Shapes a jurisdiction with its page under `site`.
pub(super) fn jurisdiction<'a>(directory: &'a Directory, site: &'a str, row: Row) -> wire::Jurisdiction<'a> {
    let view = directory.jurisdiction(row);
    wire::Jurisdiction {
        page_url: PageUrl::Place { site, id: view.id.clone() },
        jurisdiction_id: view.id,
        jurisdiction_type: view.kind,
        name: view.name,
        legal_type: view.legal_type,
        state: view.state,
        same_as: directory.same_as(row).map(|same| directory.id_of(same)).collect(),
        ocd_id: directory.ocd_id(row),
        tiger_vintage: view.tiger_vintage,
    }
}

/// Shapes the body that an outcome names.
pub(super) fn body(outcome: &Outcome) -> wire::Body<'_> {
    wire::Body {
        function: outcome.function,
        jurisdiction_id: outcome.body.clone(),
        office_name: outcome.office.as_deref(),
        confidence: outcome.confidence,
        role: outcome.role,
    }
}

/// Converts a count, or a size in bytes, to `u32`. Larger numbers are capped, but a snapshot has less than 2 GiB.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Shapes a table that a command of the program writes.
pub(super) fn table(table: &Table) -> wire::TableCommand {
    let Table { name, description, command } = *table;
    wire::TableCommand { name, description, command }
}

/// Lists the files of a snapshot and of its tables, with the addresses at which the operator publishes them.
pub(super) fn data_files(snapshot: &str, published_at: Option<&str>) -> Vec<wire::DataFile> {
    let file = |path: String, format, description| {
        let url = published_at.map(|folder| format!("{}/{path}", folder.trim_end_matches('/')));
        wire::DataFile { path, format, description, url }
    };
    let packed =
        "The snapshot, packed with zstd. Its signature has .platbook.minisig in place of .platbook.zst.";
    let tables = FileTable::ALL.into_iter().flat_map(|table| {
        let path = move |format| format!("{snapshot}/{}.{format}", table.as_str());
        wire::TABLE_FORMATS.iter().map(move |format| (path(*format), *format, table.description()))
    });
    let sums = (format!("{snapshot}/{CHECKSUMS}"), "sha256sums", "The SHA-256 of each file of a table.");
    let whole = (format!("{snapshot}.platbook.zst"), "platbook.zst", packed);
    let all = [whole].into_iter().chain(tables).chain([sums]);
    all.map(|(path, format, description)| file(path, format, description)).collect()
}

/// Counts the sources of a snapshot by license class, in the order of the classes' first use.
pub(super) fn licenses(directory: &Directory) -> Vec<wire::LicenseCount> {
    let mut counts: Vec<wire::LicenseCount> = Vec::new();
    let rows = (0..directory.source_count() as u16).filter_map(|number| directory.source_row(number));
    for class in rows.map(|row| directory.source(row).license_class) {
        match counts.iter_mut().find(|count| count.license_class == class) {
            Some(count) => count.sources += 1,
            None => counts.push(wire::LicenseCount { license_class: class, sources: 1 }),
        }
    }
    counts
}

/// Shapes a resource with its page under `site`.
pub(super) fn resource<'a>(
    directory: &Directory,
    site: &'a str,
    view: &ResourceView<'a>,
) -> wire::Resource<'a> {
    wire::Resource {
        resource_id: view.id.text(Folder::Resources.prefix()),
        name: view.name,
        description: view.description,
        url: view.url,
        search_url_template: view.template,
        topics: view.topics.iter().collect(),
        actions: view.actions.iter().collect(),
        jurisdiction_id: directory.id_of(view.jurisdiction),
        publisher: view.publisher,
        provider: view.provider,
        official: view.official,
        verified_status: view.status,
        verified_at: view.check.map(|check| check.at),
        verification_method: view.check.map(|check| check.method),
        last_http_status: view.check.and_then(|check| check.http_status),
        license_class: LicenseClass::Open,
        source_kind: view.kind,
        page_url: PageUrl::Record { site, folder: Folder::Resources, id: view.id },
    }
}

/// Shapes a date or an amount.
pub(super) fn dated_rule<'a>(
    directory: &'a Directory,
    view: &DateView<'a>,
    remark: String,
) -> wire::DatedRule<'a> {
    let text = view.text;
    wire::DatedRule {
        subject: view.kind,
        says: &text.says,
        remark,
        applies: text.applies.as_deref(),
        with: text.with.as_deref(),
        deadline: text
            .deadline
            .as_ref()
            .map(|deadline| wire_deadline(deadline, text.next_day(directory.as_of()))),
        amount: text.amount.as_deref(),
        none: text.is_none,
        jurisdiction_id: view.area.map(|row| directory.id_of(row)),
        statute: text.statute.as_deref(),
        source_url: directory.source(view.source).url,
        seen: &text.seen,
        tax_year: text.tax_year,
        confidence: text.shown_confidence(),
    }
}

fn wire_deadline(deadline: &Deadline, next: Option<(u16, u8, u8)>) -> wire::Deadline<'_> {
    let after = deadline.after.as_ref();
    let both = deadline.on.is_some() && after.is_some();
    wire::Deadline {
        next_date: next.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")),
        opens: deadline.opens.map(|(month, day)| format!("{month:02}-{day:02}")),
        days: after.map(|(days, _)| *days),
        after: after.map(|(_, event)| event.as_str()),
        whichever: both.then_some(if deadline.later { "later" } else { "earlier" }),
        varies: deadline.varies.as_deref(),
    }
}

/// Shapes a source that the snapshot contains.
pub(super) fn source(directory: &Directory, row: SourceRow) -> wire::Source<'_> {
    let view = directory.source(row);
    wire::Source {
        name: view.name,
        url: view.url,
        publisher: known(view.publisher),
        official: view.official,
        retrieved_at: known(view.retrieved_at),
        license_class: view.license_class,
        publisher_kind: view.publisher_kind,
        verified_status: Some(view.check.map_or(VerifiedStatus::NotYetVerified, |check| check.status)),
        verified_at: view.check.map(|check| check.at),
    }
}

/// Returns a text; `None` for an empty one, as which the snapshot stores unknown texts.
fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Shapes a source outside of the snapshot that this answer uses.
pub(super) fn outside_source(source: &OutsideSource) -> wire::Source<'_> {
    wire::Source {
        name: &source.name,
        url: &source.url,
        publisher: known(&source.publisher),
        official: source.official,
        retrieved_at: None,
        license_class: source.license_class,
        publisher_kind: None,
        verified_status: None,
        verified_at: None,
    }
}

/// Shapes the rules of a state. `None` if the state has no rule for a function that the contract requires.
pub(super) fn state_rules<'a>(site: &'a str, ruled: &'a RuledState) -> Option<wire::StateRules<'a>> {
    let file = &ruled.file;
    let rule = |function: Function| {
        let rule = file.rules.rule(function)?;
        Some(wire::Rule {
            office: Some(&rule.office),
            level: rule.level,
            place_words: Some(&rule.place_words),
            note: rule.note.as_deref(),
        })
    };
    Some(wire::StateRules {
        state: file.rules.state.usps(),
        name: file.rules.state.name(),
        assessment: rule(Function::Assessment)?,
        tax_collection: rule(Function::TaxCollection)?,
        recording: rule(Function::Recording)?,
        zoning: rule(Function::Zoning),
        exemptions: rule(Function::Exemptions),
        permits: rule(Function::Permits),
        gis: rule(Function::Gis),
        quirks: &file.quirks,
        checked_at: &file.checked,
        page_url: PageUrl::Word { site, folder: "states", word: file.rules.state.usps() },
    })
}

/// Maximum of whole numbers that are exact as floating point, also in JSON readers (RFC 8259 section 6): 2^53.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Converts a value of a fact to JSON.
pub fn fact_value(value: &FactValue) -> Value {
    match value {
        FactValue::Text(text) => Value::from(text.as_str()),
        // Years and counts are written without a decimal point.
        FactValue::Number(number) if number.fract() == 0.0 && number.abs() < WHOLE_MAX => {
            Value::from(*number as i64)
        }
        FactValue::Number(number) => Value::from(*number),
        FactValue::Flag(flag) => Value::from(*flag),
        FactValue::List(texts) => texts.iter().map(|text| Value::from(text.as_str())).collect(),
    }
}

/// Initial capacity in bytes of the JSON for a problem without choices.
const PROBLEM_BYTES: usize = 512;

/// Returns the JSON of a problem, without the request id. Its choices link to their pages. `site` is the public
/// address of the service.
pub fn problem(site: &str, refusal: &Refusal, status: u16) -> Encoded {
    let choice = |choice: &'_ Choice| wire::Choice {
        label: choice.label.clone(),
        lat: choice.point.map(LonLat::lat_degrees),
        lon: choice.point.map(LonLat::lon_degrees),
        jurisdiction_id: choice.jurisdiction.clone(),
        page_url: choice.jurisdiction.clone().map(|id| PageUrl::Place { site, id }),
    };
    let choices: Vec<wire::Choice<'_>> = refusal.choices.iter().map(choice).collect();
    let problem = wire::Problem {
        problem_type: wire::ProblemType(refusal.kind),
        title: refusal.kind.title(),
        status,
        detail: &refusal.detail,
        request_id: (),
        choices: &choices,
    };
    let mut json = Vec::with_capacity(PROBLEM_BYTES);
    put(&mut json, &problem);
    Encoded::whole(json)
}
