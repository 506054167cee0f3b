//! JSON Schemas of values whose JSON differs from their Rust type. The other types derive their own schemas, with
//! fields in order.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The pattern of a jurisdiction id.
pub const ID_PATTERN: &str =
    r"^(state:\d{2}|county:\d{5}|cousub:\d{10}|place:\d{7}|district:[a-z0-9-]+|country:us)$";
/// The pattern of a state code; answers have it in upper case.
pub const STATE_PATTERN: &str = "^[A-Za-z]{2}$";
/// The pattern of a day such as 2019-05-01.
pub const DAY_PATTERN: &str = r"^\d{4}-\d{2}-\d{2}$";
/// The pattern of a request id.
pub const REQUEST_ID_PATTERN: &str = "^[A-Za-z0-9._-]{8,64}$";

/// Implements a named schema for a type. An inline schema stands where it is used, without a component of its own.
macro_rules! schema {
    ($type:ty, $name:literal, $inline:literal, $schema:tt) => {
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                $inline
            }
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

/// Schema of a jurisdiction id.
pub struct Id;
schema!(Id, "JurisdictionId", false, {
    "description": "Census GEOID with a type prefix; district: is for bodies that are not Census units.",
    "type": "string",
    "pattern": (ID_PATTERN),
    "examples": ["county:27053"],
});

/// Schema of a jurisdiction's type.
pub struct TypeWord;
schema!(TypeWord, "JurisdictionType", false, {
    "description": "The layer of a jurisdiction; cousub is a county subdivision such as a town or township.",
    "type": "string",
    "x-extensible-enum": ["country", "state", "county", "cousub", "place", "district"],
});

/// Schema of a state code in an answer.
pub struct State;
schema!(State, "StateCode", false, {
    "description": "Postal code of a state, the District of Columbia or a territory.",
    "type": "string",
    "pattern": (STATE_PATTERN),
    "examples": ["MN"],
});

/// Schema of a year as text.
pub struct Year;
schema!(Year, "Year", true, { "type": "string", "pattern": r"^\d{4}$" });

/// Schema of a day of the calendar.
pub struct Day;
schema!(Day, "Day", true, { "type": "string", "format": "date", "pattern": (DAY_PATTERN) });

/// Schema of a map scale, such as `1:500,000`.
pub struct ScaleWord;
schema!(ScaleWord, "Scale", true, { "type": "string", "pattern": r"^1:\d{1,3}(,\d{3})*$" });

/// Schema of an absolute web address.
pub struct Uri;
schema!(Uri, "Uri", true, { "type": "string", "format": "uri" });

/// Schema of a date, or of a date and time in UTC.
pub struct Time;
schema!(Time, "Time", true, { "type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$" });

/// Schema of a member that the contract has as an object and this service always writes as null.
pub struct AlwaysNull;
schema!(AlwaysNull, "AlwaysNull", true, { "type": ["object", "null"] });

/// Schema of the one license class of records that are shown.
pub struct Open;
schema!(Open, "Open", true, { "type": "string", "const": "open" });

/// Schema of the id of a request.
pub struct RequestId;
schema!(RequestId, "RequestId", true, { "type": "string", "pattern": (REQUEST_ID_PATTERN) });

/// Schema of the word that marks an answer of screening.
pub struct ScreeningWord;
schema!(ScreeningWord, "ScreeningWord", true, { "type": "string", "const": "screening" });
