//! Headers of requests and responses, as components of the OpenAPI document.

use serde_json::{Value, json};

use crate::wire::schema::REQUEST_ID_PATTERN;

/// Returns the request headers that every operation accepts.
pub(super) fn request() -> Value {
    json!({
        "RequestId": {
            "name": "X-Request-Id",
            "in": "header",
            "description": "Comes back as request_id and in X-Request-Id. If it is omitted or unusable, an id \
                            is generated.",
            "schema": { "type": "string", "pattern": REQUEST_ID_PATTERN, "minLength": 8, "maxLength": 64 },
            "example": "my-request-1",
        },
        "IfNoneMatch": {
            "name": "If-None-Match",
            "in": "header",
            "description": "ETag of an earlier response, or several, or *. If the answer is unchanged, the status is \
                            304 without a body.",
            "schema": { "type": "string" },
            "example": "W/\"0123456789abcdef\"",
        },
    })
}

/// Returns references to the request headers.
pub(super) fn of_requests() -> [Value; 2] {
    ["RequestId", "IfNoneMatch"].map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }))
}

/// The component, field name, presence in every response, schema, description and example of each response header.
#[rustfmt::skip]
const RESPONSE: [(&str, &str, bool, &str, &str, &str); 16] = [
    ("RequestId", "X-Request-Id", true, REQUEST_ID_PATTERN, "The request's id, or one that was made for it.", "te2znxmxmnr3ke0gfz82ekzc"),
    ("ETag", "ETag", true, "^W/\"[^\"]*\"$", "Weak tag of the answer: the same for all who ask the same.", "W/\"0123456789abcdef\""),
    ("CacheControl", "Cache-Control", true, r"^public, max-age=\d+$", "How long the answer may be kept: a day for topics and guides, an hour for screening, else a quarter of an hour.", "public, max-age=900"),
    ("NoStore", "Cache-Control", true, "^no-store$", "Errors are never kept.", "no-store"),
    ("Vary", "Vary", true, "", "The answer may come compressed.", "Accept-Encoding"),
    ("AllowOrigin", "Access-Control-Allow-Origin", true, r"^\*$", "Browsers on any site may read the answer.", "*"),
    ("RateLimitPolicy", "RateLimit-Policy", false, r#"^"[a-z-]+";q=\d+;w=\d+(, "[a-z-]+";q=\d+;w=\d+)*$"#, "The limits of the caller: q requests in w seconds. Left out where limits are off.", "\"minute\";q=30;w=60, \"day\";q=1000;w=86400"),
    ("RateLimit", "RateLimit", false, r#"^"[a-z-]+";r=\d+;t=\d+(, "[a-z-]+";r=\d+;t=\d+)*$"#, "The rest of each limit: r requests; t seconds until it is renewed. Left out where limits are off.", "\"minute\";r=29;t=41, \"day\";r=987;t=40211"),
    ("RetryAfter", "Retry-After", true, r"^[1-9]\d*$", "Seconds to wait before the next request.", "41"),
    ("RetryLater", "Retry-After", false, r"^[1-9]\d*$", "Seconds to wait before the next request; left out where waiting does not help, as where nobody outside is asked.", "60"),
    ("Link", "Link", false, r#"rel="(next|deprecation|sunset)""#, "The next page, as next_cursor has it; left out on the last.", "<SITE/v1/places/county:27053?limit=2&cursor=00000002fd92f67a2c6cf86f0a3c52d1>; rel=\"next\""),
    ("ContentEncoding", "Content-Encoding", false, "^(gzip|zstd)$", "How the body is compressed, where Accept-Encoding asks for it.", "gzip"),
    ("Deprecation", "Deprecation", false, r"^@\d+$", "Since when this operation has been deprecated, in seconds since 1970; left out where it is not.", "@1798761600"),
    ("Sunset", "Sunset", false, " GMT$", "When this operation ends, at least twelve months after the notice; left out where it does not.", "Wed, 01 Mar 2028 00:00:00 GMT"),
    ("Authenticate", "WWW-Authenticate", true, "^Bearer ", "How to send a key.", "Bearer realm=\"platbook\", error=\"invalid_token\", error_description=\"The key is malformed, unknown or revoked\""),
    ("Allow", "Allow", true, "", "The methods that are answered.", "GET, HEAD, OPTIONS"),
];

/// Returns all response headers as components. `site` replaces `SITE` in examples.
pub(super) fn response(site: &str) -> Value {
    let header = |(id, _, required, pattern, description, example): (&str, _, bool, &str, &str, &str)| {
        let mut schema = json!({ "type": "string" });
        if !pattern.is_empty() {
            schema["pattern"] = json!(pattern);
        }
        let example = example.replace("SITE", site);
        let header =
            json!({ "description": description, "required": required, "schema": schema, "example": example });
        (id.to_owned(), header)
    };
    Value::Object(RESPONSE.into_iter().map(header).collect())
}

/// Headers of every response.
const COMMON: [&str; 5] = ["RequestId", "Vary", "AllowOrigin", "RateLimitPolicy", "RateLimit"];

/// Headers that only successful responses of operations have.
pub(super) const OF_SUCCESS: [&str; 5] = ["ETag", "CacheControl", "ContentEncoding", "Deprecation", "Sunset"];

/// Returns references to these headers, and to those of every response.
pub(super) fn of_responses(own: impl IntoIterator<Item = &'static str>) -> Value {
    let reference = |id: &str| {
        let row = RESPONSE.iter().find(|row| row.0 == id).expect("only headers of the table are named");
        (row.1.to_owned(), json!({ "$ref": format!("#/components/headers/{id}") }))
    };
    Value::Object(own.into_iter().chain(COMMON).map(reference).collect())
}
