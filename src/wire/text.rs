//! Text forms of ids and addresses, written without allocating.

use std::fmt;

use serde::{Serialize, Serializer};

use platbook::vocabulary::{Date, IdText, JurisdictionId, RecordId};

/// Writes an id; for `#[serde(serialize_with)]`.
pub(super) fn id<S: Serializer>(id: &JurisdictionId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(IdText::of(id).as_str())
}

/// Writes an id or null; for `#[serde(serialize_with)]`.
pub(super) fn optional_id<S: Serializer>(
    id: &Option<JurisdictionId>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match id {
        Some(known) => self::id(known, serializer),
        None => serializer.serialize_none(),
    }
}

/// Writes a day or null; for `#[serde(serialize_with)]`.
pub(super) fn optional_day<S: Serializer>(day: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    match day {
        Some(known) => serializer.collect_str(known),
        None => serializer.serialize_none(),
    }
}

/// Writes a list of ids; for `#[serde(serialize_with)]`.
pub(super) fn ids<S: Serializer>(ids: &[JurisdictionId], serializer: S) -> Result<S::Ok, S::Error> {
    struct Id<'a>(&'a JurisdictionId);
    impl Serialize for Id<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            id(self.0, serializer)
        }
    }
    serializer.collect_seq(ids.iter().map(Id))
}

/// The kinds of records that have their own pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// Offices of governments, under `/offices`.
    Offices,
    /// Resources of governments, under `/resources`.
    Resources,
}

impl Folder {
    fn path(self) -> &'static str {
        match self {
            Folder::Offices => "offices",
            Folder::Resources => "resources",
        }
    }

    /// Returns the prefix of this kind's ids.
    pub fn prefix(self) -> &'static str {
        match self {
            Folder::Offices => "off_",
            Folder::Resources => "res_",
        }
    }
}

/// The address of a page of this service, under its site.
#[derive(Clone, Debug)]
pub enum PageUrl<'a> {
    /// The page of a place: `{site}/places/{jurisdiction_id}`.
    Place {
        /// The site, without a slash at its end.
        site: &'a str,
        /// Id of the place.
        id: JurisdictionId,
    },
    /// The page of an office or a resource: `{site}/{folder}/{id}`.
    Record {
        /// The site, without a slash at its end.
        site: &'a str,
        /// The kind of record.
        folder: Folder,
        /// The record's opaque id.
        id: RecordId,
    },
    /// The page of a guide or a topic: `{site}/{folder}/{word}`.
    Word {
        /// The site, without a slash at its end.
        site: &'a str,
        /// `guides`, `topics` or `states`, or the path below which the API has them.
        folder: &'static str,
        /// The last segment: a topic or a state.
        word: &'static str,
    },
}

impl fmt::Display for PageUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageUrl::Place { site, id } => write_all(f, [site, "/places/", IdText::of(id).as_str()]),
            PageUrl::Record { site, folder, id } => {
                write_all(f, [site, "/", folder.path(), "/", &id.text(folder.prefix())])
            }
            PageUrl::Word { site, folder, word } => write_all(f, [site, "/", folder, "/", word]),
        }
    }
}

/// Writes the parts one after another: `write!` would call the formatting code for each part.
fn write_all<const N: usize>(f: &mut fmt::Formatter<'_>, parts: [&str; N]) -> fmt::Result {
    parts.into_iter().try_for_each(|part| f.write_str(part))
}

impl Serialize for PageUrl<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lie_under_the_site() {
        let place = PageUrl::Place { site: "https://x.example", id: "county:27053".parse().unwrap() };
        assert_eq!(place.to_string(), "https://x.example/places/county:27053");
        let office =
            PageUrl::Record { site: "https://x.example", folder: Folder::Offices, id: RecordId([0; 10]) };
        assert_eq!(office.to_string(), "https://x.example/offices/off_0000000000000000");
        let guide = PageUrl::Word { site: "https://x.example", folder: "guides", word: "zoning" };
        assert_eq!(guide.to_string(), "https://x.example/guides/zoning");
    }
}
