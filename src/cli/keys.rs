//! `platbook keys`

use std::{fmt::Write as _, path::PathBuf, process::ExitCode};

use anyhow::Result;
use jiff::{Timestamp, Unit};

use super::{UsageError, print, tell};
use crate::{
    keys::{BadKeyId, KeyClass, KeyId, KeysFile},
    vocabulary::is_unsafe_to_show,
};

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key. It is printed once and stored only as a digest.
    Add {
        #[command(flatten)]
        file: FileArgs,
        /// Which limits it has
        #[arg(long)]
        class: Class,
        /// Whose it is, for the list
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// Show all keys, revoked ones included, by their ids.
    List {
        #[command(flatten)]
        file: FileArgs,
    },
    /// End a key. A running service refuses it within a second.
    Revoke {
        #[command(flatten)]
        file: FileArgs,
        /// The id, as `keys list` shows it
        id: String, // read by us: clap would repeat a key that was given by mistake
    },
}

/// What `--class` takes.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Class {
    /// 120 requests a minute, 20,000 a day
    Standard,
    /// 600 requests a minute, 200,000 a day
    Partner,
}

impl From<Class> for KeyClass {
    fn from(class: Class) -> KeyClass {
        match class {
            Class::Standard => KeyClass::Standard,
            Class::Partner => KeyClass::Partner,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct FileArgs {
    /// The file of keys, as given to `serve`; `add` makes it
    #[arg(long, value_name = "FILE", env = "PLATBOOK_KEYS")]
    keys: PathBuf,
}

impl FileArgs {
    fn open(&self) -> KeysFile {
        KeysFile::at(&self.keys)
    }
}

pub(super) fn keys(command: &KeysCommand) -> Result<ExitCode> {
    match command {
        KeysCommand::Add { file, class, note } => {
            let class = KeyClass::from(*class);
            let file = file.open();
            let (id, key) = file.add(class, note, now()?)?;
            if let Err(error) = print(&format!("{key}\n")) {
                // A key that nobody has seen must not stay valid.
                file.revoke(id, now()?)?;
                return Err(error.context(format!("key {id} could not be shown and is revoked")));
            }
            tell(format_args!("this is {class} key {id}; it cannot be shown again"));
        }
        KeysCommand::List { file } => print(&list(&file.open())?)?,
        KeysCommand::Revoke { file, id } => {
            let id: KeyId = id.parse().map_err(|error: BadKeyId| UsageError(error.to_string()))?;
            let was_valid = file.open().revoke(id, now()?)?;
            let end = if was_valid { "is revoked" } else { "was revoked before" };
            tell(format_args!("key {id} {end}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(file: &KeysFile) -> Result<String> {
    let mut text = String::from("id        class     created               revoked               note\n");
    for key in file.read()? {
        let revoked = key.revoked.as_deref().unwrap_or("-");
        let class = key.class.to_string();
        let row = format!("{}  {class:<8}  {:<20}  {revoked:<20}  {}", key.id, key.created, key.note);
        // Someone may have edited the file, and this goes to a terminal.
        let row = row.replace(is_unsafe_to_show, " ");
        writeln!(text, "{}", row.trim_end())?;
    }
    Ok(text)
}

fn now() -> Result<String> {
    Ok(Timestamp::now().round(Unit::Second)?.to_string())
}
