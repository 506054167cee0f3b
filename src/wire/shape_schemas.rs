//! JSON Schemas, written by hand, of types whose JSON is not that of their fields.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{PageUrl, Point, ProblemType};

schema!(PageUrl<'_>, "PageUrl", true, { "type": "string", "format": "uri" });
schema!(ProblemType, "ProblemType", true, { "type": "string", "format": "uri-reference" });
schema!(Point, "Point", false, {
    "description": "A GeoJSON point.",
    "type": "object",
    "properties": {
        "type": { "type": "string", "const": "Point" },
        "coordinates": {
            "description": "Longitude, then latitude: WGS84, decimal degrees.",
            "type": "array",
            "items": { "type": "number" },
            "minItems": 2,
            "maxItems": 2,
        },
    },
    "required": ["type", "coordinates"],
});
