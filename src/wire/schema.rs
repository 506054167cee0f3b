//! JSON Schemas of what has a form of its own on the wire. The shapes derive theirs, fields in order.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// What a jurisdiction id looks like.
pub const ID_PATTERN: &str =
    r"^(state:\d{2}|county:\d{5}|cousub:\d{10}|place:\d{7}|district:[a-z0-9-]+|country:us)$";
/// What a state code looks like; answers have it in upper case.
pub const STATE_PATTERN: &str = "^[A-Za-z]{2}$";
/// What a request id looks like.
pub const REQUEST_ID_PATTERN: &str = "^[A-Za-z0-9._-]{8,64}$";

/// A schema of this name in the document, or one that stands where it is used.
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

/// A jurisdiction id.
pub struct Id;
schema!(Id, "JurisdictionId", false, {
    "description": "Census GEOID with a type prefix; district: is for bodies that are not Census units.",
    "type": "string",
    "pattern": (ID_PATTERN),
    "examples": ["county:27053"],
});

/// The type of a jurisdiction.
pub struct TypeWord;
schema!(TypeWord, "JurisdictionType", false, {
    "description": "The layer of a jurisdiction; cousub is a county subdivision such as a town or township.",
    "type": "string",
    "x-extensible-enum": ["country", "state", "county", "cousub", "place", "district"],
});

/// A state code in an answer.
pub struct State;
schema!(State, "StateCode", false, {
    "description": "Postal code of a state, the District of Columbia or a territory.",
    "type": "string",
    "pattern": (STATE_PATTERN),
    "examples": ["MN"],
});

/// A year as text.
pub struct Year;
schema!(Year, "Year", true, { "type": "string", "pattern": r"^\d{4}$" });

/// A map scale.
pub struct ScaleWord;
schema!(ScaleWord, "Scale", true, { "type": "string", "pattern": r"^1:\d{1,3}(,\d{3})*$" });

/// An absolute address.
pub struct Uri;
schema!(Uri, "Uri", true, { "type": "string", "format": "uri" });

/// A date, or a date and time.
pub struct Time;
schema!(Time, "Time", true, { "type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$" });

/// What the contract has as an object, and this service always as null.
pub struct AlwaysNull;
schema!(AlwaysNull, "AlwaysNull", true, { "type": ["object", "null"] });

/// The one class of records that are shown.
pub struct Open;
schema!(Open, "Open", true, { "type": "string", "const": "open" });

/// The id of a request.
pub struct RequestId;
schema!(RequestId, "RequestId", true, { "type": "string", "pattern": (REQUEST_ID_PATTERN) });

/// What an answer of screening is called.
pub struct ScreeningWord;
schema!(ScreeningWord, "ScreeningWord", true, { "type": "string", "const": "screening" });
