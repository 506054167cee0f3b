//! Answers `/download`: the snapshot as a file, and the tables that the program writes from it.

use super::{
    Answers, RawParameters, Refusal, Request,
    model::{Answer, Data},
};

/// A table that the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name of the table.
    pub name: &'static str,
    /// The table's rows and columns, in a sentence.
    pub description: &'static str,
    /// The command that writes the table; `--snapshot FILE` reads a file instead of the built-in snapshot.
    pub command: &'static str,
}

/// The command that checks a file.
pub const CHECK: &str = "platbook verify FILE";

/// The tables that the program writes. `tests/it/lists.rs` runs each command.
pub const TABLES: &[Table] = &[
    Table {
        name: "jurisdictions",
        description: "Every jurisdiction with id, type, name, legal word, state and Open Civic Data id.",
        command: "platbook list jurisdictions --format csv",
    },
    Table {
        name: "county_offices",
        description: "Every county with its recorder: office, telephone, links and reason. Other functions take the same form.",
        command: "platbook list jurisdictions --type county --function recording --format csv",
    },
    Table {
        name: "offices",
        description: "Every body that records deeds, once, with its office. Other functions take the same form.",
        command: "platbook list offices --function recording --format jsonl",
    },
    Table {
        name: "points",
        description: "Governments and offices for a file of your own points.",
        command: "platbook resolve --csv points.csv --functions all",
    },
];

/// A table that the program writes as files, for users who want all data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileTable {
    /// Every jurisdiction of the snapshot.
    Jurisdictions,
    /// Every body that performs a function.
    Offices,
    /// Every web page of a government.
    Resources,
}

impl FileTable {
    /// All tables, in the order in which they are written.
    pub const ALL: [FileTable; 3] = [FileTable::Jurisdictions, FileTable::Offices, FileTable::Resources];

    /// The name of the table, and of its files without their endings.
    pub fn as_str(self) -> &'static str {
        match self {
            FileTable::Jurisdictions => "jurisdictions",
            FileTable::Offices => "offices",
            FileTable::Resources => "resources",
        }
    }

    /// The table's rows and columns, in a sentence.
    pub fn description(self) -> &'static str {
        match self {
            FileTable::Jurisdictions => {
                "Every jurisdiction with id, type, name, legal word, state and Open Civic Data id."
            }
            FileTable::Offices => {
                "Every body that performs a function, once for each function, with office, telephone, links and reason."
            }
            FileTable::Resources => {
                "Every web page with its government, topics, actions, publisher and the last check of its link."
            }
        }
    }
}

/// The command that writes the files of all tables, with their checksums.
pub const WRITE: &str = "platbook tables FOLDER";

/// Name of the file with the SHA-256 of each table's files, as `sha256sum` writes it.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// Parses the parameters: the operation has none.
///
/// # Errors
/// Does not fail; its type is that of all parsers.
pub fn parse(_given: &RawParameters<'_>) -> Result<Request, Refusal> {
    Ok(Request::Download)
}

/// Answers `/download`. The renderers read the snapshot from the directory.
pub(super) fn download(answers: &Answers) -> Answer<'_> {
    answers.answer(Data::Download, Vec::new())
}
