//! Words in a text with jobs and places that name neither: words without meaning, legal words, regions, things.

/// Words around a job or a place that carry no meaning for either.
pub(super) const IDLE_WORDS: [&str; 43] = [
    "a",
    "address",
    "also",
    "and",
    "at",
    "collects",
    "contact",
    "deadline",
    "department",
    "dept",
    "do",
    "estate",
    "find",
    "for",
    "hours",
    "how",
    "i",
    "lookup",
    "my",
    "near",
    "number",
    "of",
    "office",
    "offices",
    "online",
    "out",
    "pay",
    "phone",
    "plus",
    "property",
    "real",
    "search",
    "site",
    "telephone",
    "the",
    "then",
    "this",
    "to",
    "versus",
    "vs",
    "website",
    "where",
    "who",
];
/// Those words of [`IDLE_BEFORE`] that may end the name of a place: "in" is Indiana, and "is" an island.
pub(super) const ENDS: [&str; 2] = ["in", "is"];
/// Further words without meaning before a place. After a place, only those of [`ENDS`] may have a meaning.
pub(super) const IDLE_BEFORE: [&str; 28] = [
    "about",
    "an",
    "apply",
    "are",
    "ask",
    "by",
    "call",
    "can",
    "claim",
    "does",
    "file",
    "get",
    "handles",
    "in",
    "is",
    "issues",
    "it",
    "need",
    "paying",
    "record",
    "records",
    "unincorporated",
    "what",
    "whats",
    "when",
    "which",
    "with",
    "you",
];
/// Words that begin a phrase of a job but may also end the name before it.
pub(super) const LEGAL_WORDS: [&str; 4] = ["city", "county", "town", "township"];
/// Names of regions that people add to the name of a place: "nova fairfax" is Fairfax in Northern Virginia.
pub(super) const REGIONS: [&str; 3] = ["norcal", "nova", "socal"];
/// Things that are taxed or built. A text with only these words names no place.
pub(super) const THINGS: [&str; 10] =
    ["building", "car", "cars", "condo", "home", "house", "land", "parcel", "truck", "vehicle"];
/// Words between two tasks or two places.
pub(super) const BETWEEN: [&str; 4] = ["and", "plus", "versus", "vs"];
/// Legal words for several places, with the word for one: "Ada and Bannock counties".
pub(super) const PLURALS: [(&str, &str); 8] = [
    ("boroughs", "borough"),
    ("cities", "city"),
    ("condados", "county"),
    ("counties", "county"),
    ("parishes", "parish"),
    ("towns", "town"),
    ("townships", "township"),
    ("villages", "village"),
];
