//! Runs an operation of the service for a tool.

use platbook::answers::{Answer, Plan, RawParameters, Refusal, Request};

use super::{Setting, arguments::Given};
use crate::operations::Operation;

/// Parses arguments with the operation's own parser.
pub(super) fn parsed(operation: &Operation, given: &Given<'_>) -> Result<Request, Refusal> {
    let pairs = given.iter().map(|(name, value)| (*name, &**value));
    (operation.parse)(&RawParameters::from_pairs(operation.parameters, pairs)?)
}

/// Answers a request. Runs the lookup first if the request needs one.
pub(super) async fn answer<'a>(setting: &mut Setting<'a>, request: &Request) -> Result<Answer<'a>, Refusal> {
    let answers = setting.edition.answers();
    let lookup = match answers.plan(request) {
        Plan::Done(answer) => return answer,
        Plan::Needs(lookup) => lookup,
    };
    let found = setting.access.look_up(answers, lookup).await?;
    answers.finish(request, found)
}
