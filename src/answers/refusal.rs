//! Why there is no answer.

use crate::wire::{Choice, PageUrl, Problem, ProblemKind, ProblemType, RequestIdSlot, SlottedJson};

/// A problem before it is put on the wire.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Which problem.
    pub kind: ProblemKind,
    /// What came, what was expected, what to do.
    pub detail: String,
    /// The status of the response.
    pub status: u16,
    /// Candidates to choose from; the problem body adds their pages.
    pub choices: Vec<Choice<'static>>,
}

impl Refusal {
    /// A refusal without choices.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Refusal {
        Refusal { kind, detail: detail.into(), status: kind.status(), choices: Vec::new() }
    }

    /// The same about a segment of the path: what it names is not found.
    pub fn in_path(self) -> Refusal {
        Refusal { status: 404, ..self }
    }

    /// The problem body, still without its request id.
    pub fn to_json(&self, site: &str) -> SlottedJson {
        let choice = |choice: &Choice<'static>| Choice {
            page_url: choice.jurisdiction_id.clone().map(|id| PageUrl::Place { site, id }),
            ..choice.clone()
        };
        let choices: Vec<Choice<'_>> = self.choices.iter().map(choice).collect();
        SlottedJson::of(&Problem {
            problem_type: ProblemType { site, kind: self.kind },
            title: self.kind.title(),
            status: self.status,
            detail: &self.detail,
            request_id: RequestIdSlot,
            choices: &choices,
        })
    }
}
