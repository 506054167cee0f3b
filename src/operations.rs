//! The operations of the service: one table that the router, the cache headers and the command line read.

use crate::answers::{Given, PARAMETERS_MAX, Parameter, Refusal, Request, resolve};

/// The path prefix of version 1.
pub const PREFIX: &str = "/v1";

/// An operation. All are asked by GET (and HEAD).
#[derive(Debug)]
pub struct Operation {
    /// Name, as in OpenAPI's `operationId`.
    pub id: &'static str,
    /// Path below [`PREFIX`].
    pub path: &'static str,
    /// `Cache-Control` of a success.
    pub cache_control: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Query parameters.
    pub parameters: &'static [Parameter],
    /// Parser of the parameters.
    pub parse: fn(&Given<'_>) -> Result<Request, Refusal>,
}

/// Fifteen minutes.
const QUARTER_HOUR: &str = "public, max-age=900";

/// Which governments cover a point.
pub const RESOLVE: Operation = Operation {
    id: "resolve_jurisdiction",
    path: "/jurisdictions/resolve",
    cache_control: QUARTER_HOUR,
    summary: "Jurisdiction chain of a point, with the responsible body and office per function",
    parameters: resolve::PARAMETERS,
    parse: resolve::parse,
};

/// All operations.
pub const OPERATIONS: &[Operation] = &[RESOLVE];

const _: () = {
    let mut at = 0;
    while at < OPERATIONS.len() {
        assert!(OPERATIONS[at].parameters.len() <= PARAMETERS_MAX);
        at += 1;
    }
};

/// The operation at a path.
pub fn find(path: &str) -> Option<&'static Operation> {
    let below = path.strip_prefix(PREFIX)?;
    OPERATIONS.iter().find(|operation| operation.path == below)
}
