//! Unpacks members of a zip archive in memory.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::ReadError;

/// Maximum size of an unpacked member, in bytes; the largest national TIGER/Line part has about 130 MB. Chosen, not
/// measured.
const MEMBER_BYTES_MAX: u64 = 1 << 30;

pub(super) struct Archive<'a> {
    file: &'a str,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    names: Vec<String>,
}

impl<'a> Archive<'a> {
    pub(super) fn open(file: &'a str, bytes: &'a [u8]) -> Result<Archive<'a>, ReadError> {
        let damaged = |source| ReadError::Zip { file: file.to_owned(), source };
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        let names =
            zip.file_names().map(|name| name.map(String::from)).collect::<Result<_, _>>().map_err(damaged)?;
        Ok(Archive { file, zip, names })
    }

    /// The name of the first member with this extension, ignoring case.
    pub(super) fn find(&self, extension: &str) -> Option<String> {
        let ends = |name: &&String| {
            name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension))
        };
        self.names.iter().find(ends).cloned()
    }

    /// The names of all members with this extension, sorted.
    pub(super) fn all(&self, extension: &str) -> Vec<String> {
        let ends = |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| end == extension);
        let mut found: Vec<String> = self.names.iter().filter(ends).cloned().collect();
        found.sort();
        found
    }

    /// The first shapefile name, in alphabetical order, that contains `word` in any case; without its extension.
    pub(super) fn stem_with(&self, word: &str) -> Option<String> {
        let word = word.to_ascii_lowercase();
        let stems = self.names.iter().filter_map(|name| {
            let (stem, extension) = name.rsplit_once('.')?;
            extension.eq_ignore_ascii_case("shp").then_some(stem)
        });
        stems.filter(|stem| stem.to_ascii_lowercase().contains(&word)).min().map(str::to_owned)
    }

    /// A part of a shapefile, unpacked; an error if it is missing.
    pub(super) fn required(&mut self, stem: &str, extension: &str) -> Result<Vec<u8>, ReadError> {
        self.optional(stem, extension)?.ok_or_else(|| self.missing(extension))
    }

    /// A part of a shapefile, unpacked; `None` if it is missing.
    pub(super) fn optional(&mut self, stem: &str, extension: &str) -> Result<Option<Vec<u8>>, ReadError> {
        let named = |name: &&String| {
            name.rsplit_once('.')
                .is_some_and(|(start, end)| start == stem && end.eq_ignore_ascii_case(extension))
        };
        let Some(name) = self.names.iter().find(named).cloned() else { return Ok(None) };
        self.member(&name).map(Some)
    }

    /// A member by name, unpacked; the zip reader checks its CRC.
    pub(super) fn member(&mut self, name: &str) -> Result<Vec<u8>, ReadError> {
        let (file, member) = (self.file.to_owned(), name.to_owned());
        let entry = self.zip.by_name(name).map_err(|source| ReadError::Zip { file: file.clone(), source })?;
        let mut bytes = Vec::with_capacity(entry.size().min(MEMBER_BYTES_MAX) as usize);
        match entry.take(MEMBER_BYTES_MAX + 1).read_to_end(&mut bytes) {
            Err(source) => Err(ReadError::Member { file, member, source }),
            Ok(_) if bytes.len() as u64 > MEMBER_BYTES_MAX => {
                Err(ReadError::TooLarge { file, member, limit: MEMBER_BYTES_MAX })
            }
            Ok(_) => Ok(bytes),
        }
    }

    /// The first member with this extension, unpacked.
    pub(super) fn part(&mut self, extension: &str) -> Result<Vec<u8>, ReadError> {
        let name = self.find(extension).ok_or_else(|| self.missing(extension))?;
        self.member(&name)
    }

    pub(super) fn missing(&self, part: &str) -> ReadError {
        let members =
            if self.names.is_empty() { "an empty archive".to_owned() } else { self.names.join(", ") };
        ReadError::MissingPart { file: self.file.to_owned(), part: part.to_owned(), members }
    }
}
