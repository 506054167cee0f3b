//! Ids and titles of offices, as answers show them.

use crate::{
    directory::{Directory, Row},
    rules::Outcome,
    vocabulary::{RecordId, office_key, title_of_kind},
};

/// Returns the outcome with the title that its body's kind gives.
pub(super) fn with_kind(directory: &Directory, outcome: Outcome) -> Outcome {
    let body = outcome.body.as_ref().and_then(|id| directory.found(id));
    let office = match (body, outcome.office) {
        (Some(body), Some(title)) => Some(shown_title(directory, body, &title)),
        (_, title) => title,
    };
    Outcome { office, ..outcome }
}

/// Returns the title of an office without the kinds that its government is not. The id of the office is that of the
/// title in the rules.
pub(super) fn shown_title(directory: &Directory, body: Row, title: &str) -> String {
    let view = directory.jurisdiction(body);
    let kind = view.legal_type.unwrap_or(view.kind.as_str());
    title_of_kind(title, kind.rsplit(' ').next().unwrap_or(kind)).into_owned()
}

pub(super) fn office_id(directory: &Directory, body: Row, title: &str) -> RecordId {
    RecordId::of(&office_key(&directory.id_of(body), title))
}
