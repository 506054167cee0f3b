//! Help on each problem, for people who read `{site}/problems/{slug}`: its meaning, a remedy and an example.

use platbook::vocabulary::ProblemKind;

/// Help on one kind of problem.
#[derive(Clone, Copy, Debug)]
pub struct ProblemHelp {
    /// The kind of problem that this help explains.
    pub kind: ProblemKind,
    /// The meaning in sentences, which the OpenAPI document also contains.
    pub meaning: &'static str,
    /// The remedy, in sentences for a person.
    pub remedy: &'static str,
    /// An example of the `detail` in a problem of this kind.
    pub detail: &'static str,
}

const fn help(
    kind: ProblemKind,
    meaning: &'static str,
    remedy: &'static str,
    detail: &'static str,
) -> ProblemHelp {
    ProblemHelp { kind, meaning, remedy, detail }
}

/// Help on each kind, in the order of [`ProblemKind`]. The number of a kind is thus the index.
const HELP: [ProblemHelp; 18] = {
    use ProblemKind as P;
    [
        help(
            P::BadParameter,
            "A parameter is missing, has the wrong form, is out of range, or is given more than once.",
            "Read detail: it names the parameter, the value expected and the value received. Correct it and ask again.",
            "no location was given: give exactly one of: lat and lon, address, or place and state",
        ),
        help(
            P::BadPoint,
            "lat and lon are missing, are not decimal degrees, or lie outside -90 to 90 and -180 to 180.",
            "Send both as plain decimals, WGS84. In the United States longitude is nearly always negative. Check that \
             the two are not swapped.",
            "expected lat as decimal degrees such as 44.9773, got \"north\"",
        ),
        help(
            P::BadCursor,
            "The cursor was not given for this request: it was changed, belongs to other parameters, or is of an older \
             snapshot of the data.",
            "Pass next_cursor back unchanged, with the same other parameters. If that does not help, begin again without \
             a cursor.",
            "this cursor is of an older snapshot; ask again without a cursor",
        ),
        help(
            P::UnknownTopic,
            "The topic is not in the vocabulary. The status is 400 for a parameter and 404 in a path.",
            "Choose a topic that /v1/topics lists.",
            "\"fishing\" is not a topic; /v1/topics lists them",
        ),
        help(
            P::UnknownState,
            "The two letters stand for no state, district or territory that is covered.",
            "Send a postal code such as MN. The 50 states, DC, AS, GU, MP, PR and VI are covered.",
            "state: ZZ is not a state, DC or a territory of the United States",
        ),
        help(
            P::InvalidKey,
            "The Authorization header is malformed, or the key is unknown or revoked.",
            "Send the key as Authorization: Bearer KEY. Or leave the header out: no key is needed, it only raises the \
             limits.",
            "the key is unknown or revoked; no key is needed to ask without",
        ),
        help(
            P::UnknownJurisdiction,
            "The id is well formed, but no place has it.",
            "Look the id up by point or by name. detail says when an id was retired and which ids took its place.",
            "no jurisdiction has the id county:27999",
        ),
        help(
            P::OutsideCoverage,
            "The point lies in no covered state or territory.",
            "Check the coordinates. detail says when they look swapped or seem to have lost a minus sign.",
            "lat 0, lon 0 is in no covered state or territory",
        ),
        help(
            P::AddressNotFound,
            "No address matched the text.",
            "Write it as on an envelope: number, street, city, state. Or send lat and lon.",
            "no address matches the text; write number, street, city and state, or ask with lat and lon",
        ),
        help(
            P::PlaceNotFound,
            "No county, city, town or township of this name is in the state.",
            "Check the spelling and the state, or leave out words such as County.",
            "no county, city, town or township named \"Hennepen\" is in MN",
        ),
        help(
            P::NotFound,
            "No endpoint is at this path.",
            "Check the path. All endpoints are below /v1; /openapi.json lists them.",
            "no endpoint at /v1/nowhere",
        ),
        help(
            P::MethodNotAllowed,
            "The service only reads: it answers GET, HEAD and OPTIONS.",
            "Ask with GET.",
            "POST is not answered; ask with GET, HEAD or OPTIONS",
        ),
        help(
            P::Ambiguous,
            "Several candidates match the address or the name. They are in choices.",
            "Ask again with lat and lon of a choice, or with a more specific name.",
            "3 places match \"Springfield\"; choose one of them",
        ),
        help(
            P::RateLimited,
            "The limit of requests per minute or per day is used up.",
            "Wait as many seconds as Retry-After says. RateLimit on each response says what is left.",
            "the requests of this minute are used up; ask again in 41 s",
        ),
        help(
            P::LookupLimit,
            "The limit on new outside lookups, which addresses and screening share, is used up.",
            "Wait as many seconds as Retry-After says. Requests that need no outside lookup are still answered.",
            "the new outside lookups of this minute are used up; ask again in 41 s",
        ),
        help(
            P::InternalError,
            "The service failed. The request is not at fault.",
            "Ask again later. If it goes on, report the request_id.",
            "an error of this service, not of the request; ask again later",
        ),
        help(
            P::Busy,
            "The same lookup is already running, or the service has too much to do.",
            "Ask again after as many seconds as Retry-After says.",
            "the same lookup is already running; ask again in a few seconds",
        ),
        help(
            P::UpstreamUnavailable,
            "An outside service that the answer needs, such as the one that locates addresses, did not answer, or this server \
             asks none.",
            "If there is a Retry-After, ask again after as many seconds. Or send lat and lon instead of an address.",
            "address lookups are switched off on this server; ask with lat and lon, or with place and state",
        ),
    ]
};

/// Returns the help on a kind of problem.
pub fn help_with(kind: ProblemKind) -> &'static ProblemHelp {
    &HELP[kind as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_problem_has_its_help() {
        for kind in ProblemKind::all() {
            let help = help_with(kind);
            assert_eq!(help.kind, kind);
            assert!(help.meaning.ends_with('.') && help.remedy.ends_with('.'), "{kind:?}");
        }
    }
}
