//! The JSON types for the answer of `/download`. They go beyond the contract.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema, words::Word};
use platbook::vocabulary::LicenseClass;

/// The file that all answers are made from, and how to get and use it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Download<'a> {
    /// The file that this server answers from.
    pub snapshot: SnapshotFile<'a>,
    /// The address at which the operator publishes files; null where none is configured. This server does not look there.
    #[schemars(with = "Option<schema::Uri>")]
    pub published_at: Option<&'a str>,
    /// Tables that the program `platbook` writes from the file.
    pub tables: Vec<TableCommand>,
    /// The snapshot and its tables as files, under the names that `platbook-pipeline publish` and `platbook tables` give them.
    pub files: Vec<DataFile>,
    /// The command that writes the files of tables and their checksums, for a build that writes these formats.
    pub write: &'static str,
    /// The command that checks a file and prints its `snapshot_id`.
    pub check: &'static str,
    /// How freely the sources of the file may be passed on.
    pub licenses: Vec<LicenseCount>,
    /// The page that lists all sources.
    #[schemars(with = "schema::Uri")]
    pub sources_url: String,
}

/// A snapshot, as a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SnapshotFile<'a> {
    /// Digest of all its sections, 32 hexadecimal digits: XXH3 of 128 bits.
    #[schemars(regex(pattern = r"^[0-9a-f]{32}$"))]
    pub snapshot_id: &'a str,
    /// Size of the file in bytes.
    pub bytes: u32,
    /// The number of jurisdictions in it.
    pub jurisdictions: u32,
    /// The number of web resources in it.
    pub resources: u32,
}

/// A table that the program writes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TableCommand {
    /// Name of the table.
    pub name: &'static str,
    /// Its rows and columns, in a sentence.
    pub description: &'static str,
    /// The command that writes it; `--snapshot FILE` reads a file instead of the built-in snapshot.
    pub command: &'static str,
}

/// A file of the data.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DataFile {
    /// Path of the file, below `published_at`.
    pub path: String,
    /// Its format: `platbook.zst` (a snapshot packed with zstd), `csv`, `parquet` or `sha256sums`.
    pub format: &'static str,
    /// Its content, in a sentence.
    pub description: &'static str,
    /// Its address, if the operator publishes it; null where no address is configured.
    #[schemars(with = "Option<schema::Uri>")]
    pub url: Option<String>,
}

/// The formats in which this build writes tables. Each format is also the ending of its files' names.
pub const TABLE_FORMATS: &[&str] = table_formats(cfg!(feature = "parquet"));

const fn table_formats(has_parquet: bool) -> &'static [&'static str] {
    if has_parquet { &["csv", "parquet"] } else { &["csv"] }
}

/// The number of sources of a license class.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LicenseCount {
    /// The class of their licenses.
    #[schemars(with = "Word<LicenseClass>")]
    pub license_class: LicenseClass,
    /// The number of sources of this class.
    pub sources: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_parquet_promises_none() {
        assert_eq!((table_formats(true), table_formats(false)), (&["csv", "parquet"][..], &["csv"][..]));
    }
}
