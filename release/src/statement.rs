//! The statement on a release: `release.json`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::digest::Sha256;

/// The format of statements that this release of the program writes and reads.
pub const FORMAT: u32 = 1;

/// Maximum number of deltas in a statement. A publisher keeps deltas of a week or two; chosen, not measured.
pub const DELTAS_MAX: usize = 100;

/// Maximum length of a file's name. Names that `platbook-pipeline publish` gives have at most 70 characters.
const NAME_CHARS_MAX: usize = 200;

/// The statement of a publisher on the newest snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The format of the statement: [`FORMAT`].
    pub format: u32,
    /// Time after which services refuse the statement, RFC 3339. The publisher replaces the statement before that
    /// time.
    pub expires: String,
    /// The snapshot of the release.
    pub snapshot: SnapshotOfRelease,
    /// The file of the packed snapshot.
    pub file: ReleasedFile,
    /// Name of the signature of the unpacked snapshot.
    pub signature: String,
    /// Deltas from earlier snapshots, the latest first.
    pub deltas: Vec<Delta>,
}

/// A snapshot as an unpacked file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotOfRelease {
    /// Id of the snapshot.
    pub id: String,
    /// Date of the snapshot, RFC 3339.
    pub as_of: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Digest of the file.
    pub sha256: Sha256,
}

/// A file beside the statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleasedFile {
    /// Name of the file.
    pub name: String,
    /// Length of the file in bytes.
    pub bytes: u64,
}

/// A delta from an earlier snapshot to that of the release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    /// The snapshot that the delta starts from.
    pub from: SnapshotOfRelease,
    /// The file of the delta.
    pub file: ReleasedFile,
}

/// The reason why a text is not a statement on a release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseFault {
    /// The text is not JSON of this form.
    #[error("expected the statement on a release, as `platbook-pipeline publish` writes it: {0}")]
    Form(serde_json::Error),
    /// The statement has another format.
    #[error("expected a statement of format {FORMAT}, got {0}; take a newer release of platbook")]
    Format(u32),
    /// A date cannot be read.
    #[error("expected a time as in RFC 3339, got {0:?}")]
    Date(String),
    /// A name might lead out of the folder of the statement.
    #[error("expected the name of a file beside the statement, got {0:?}")]
    Name(String),
    /// There are too many deltas.
    #[error("expected at most {DELTAS_MAX} deltas, got {0}")]
    Deltas(usize),
}

impl Release {
    /// Parses a statement. Does not check the signature: callers that fetch a statement must verify it first.
    ///
    /// # Errors
    /// If it is not a statement of this format, or names files elsewhere.
    pub fn read(text: &[u8]) -> Result<Release, ReleaseFault> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format } = serde_json::from_slice(text).map_err(ReleaseFault::Form)?;
        if format != FORMAT {
            return Err(ReleaseFault::Format(format));
        }
        let release: Release = serde_json::from_slice(text).map_err(ReleaseFault::Form)?;
        release.checked()
    }

    fn checked(self) -> Result<Release, ReleaseFault> {
        if self.deltas.len() > DELTAS_MAX {
            return Err(ReleaseFault::Deltas(self.deltas.len()));
        }
        let snapshots = self.deltas.iter().map(|delta| &delta.from).chain([&self.snapshot]);
        for date in snapshots.map(|snapshot| &snapshot.as_of).chain([&self.expires]) {
            date.parse::<Timestamp>().map_err(|_| ReleaseFault::Date(date.clone()))?;
        }
        let wrong = self.names().find(|name| !is_plain(name)).map(str::to_owned);
        wrong.map_or(Ok(self), |name| Err(ReleaseFault::Name(name)))
    }

    /// Names of all files of the release.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let deltas = self.deltas.iter().map(|delta| delta.file.name.as_str());
        [self.file.name.as_str(), &self.signature].into_iter().chain(deltas)
    }

    /// Returns the delta from a snapshot with this digest, if the delta is shorter than the whole file.
    pub fn delta_from(&self, sha256: Sha256) -> Option<&Delta> {
        let delta = self.deltas.iter().find(|delta| delta.from.sha256 == sha256)?;
        (delta.file.bytes < self.file.bytes).then_some(delta)
    }

    /// Returns the text of the statement.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }
}

/// Whether a name has only letters, digits, dots, hyphens and underscores, so that it cannot lead out of the folder.
fn is_plain(name: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=NAME_CHARS_MAX).contains(&name.len()) && name.bytes().all(is_usual) && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(text: &str, as_of: &str) -> SnapshotOfRelease {
        SnapshotOfRelease {
            id: text.to_owned(),
            as_of: as_of.to_owned(),
            bytes: text.len() as u64,
            sha256: Sha256::of(text.as_bytes()),
        }
    }

    fn release() -> Release {
        let file = |name: &str, bytes| ReleasedFile { name: name.to_owned(), bytes };
        let delta = |text: &str, bytes| Delta {
            from: snapshot(text, "2026-11-25T00:00:00Z"),
            file: file(&format!("{text}-new.dcz"), bytes),
        };
        Release {
            format: FORMAT,
            expires: "2026-12-03T00:00:00Z".to_owned(),
            snapshot: snapshot("new", "2026-11-26T00:00:00Z"),
            file: file("us-new.platbook.zst", 30),
            signature: "us-new.platbook.minisig".to_owned(),
            deltas: vec![delta("old", 3), delta("older", 40)],
        }
    }

    #[test]
    fn a_statement_is_read_as_it_was_written() {
        let release = release();
        assert_eq!(Release::read(release.to_text().as_bytes()).unwrap(), release);
        let from = |text: &str| release.delta_from(Sha256::of(text.as_bytes())).map(|delta| delta.file.bytes);
        assert_eq!((from("old"), from("older"), from("other")), (Some(3), None, None));
    }

    #[test]
    fn other_texts_are_refused() {
        let text = release().to_text();
        for (text, expected) in [
            (String::new(), "expected the statement on a release"),
            ("[]".to_owned(), "expected the statement on a release"),
            (text.replace("\"format\": 1", "\"format\": 2"), "expected a statement of format 1, got 2"),
            (text.replace("2026-12-03T", "tomorrow"), "expected a time as in RFC 3339"),
            (text.replace("us-new.platbook.zst", "../us.zst"), "expected the name of a file"),
            (text.replace("old-new.dcz", ".hidden"), "expected the name of a file"),
            (text.replace("\"sha256\": \"", "\"sha256\": \"x"), "expected the statement on a release"),
        ] {
            let said = Release::read(text.as_bytes()).unwrap_err().to_string();
            assert!(said.starts_with(expected), "expected {expected:?}, got {said:?}");
        }
        let mut many = release();
        many.deltas = vec![many.deltas[0].clone(); DELTAS_MAX + 1];
        let said = Release::read(many.to_text().as_bytes()).unwrap_err().to_string();
        assert!(said.starts_with("expected at most 100 deltas"), "{said}");
    }
}
