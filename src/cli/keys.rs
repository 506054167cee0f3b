//! `platbook keys`: makes, lists and revokes API keys.

use std::{fmt::Write as _, path::PathBuf, process::ExitCode};

use anyhow::Result;
use jiff::{Timestamp, Unit};

use super::{UsageError, print, show::shown_up_to, tell};
use crate::keys::{BadKeyId, KeyClass, KeyFileError, KeyId, KeysFile, NOTE_CHARS_MAX};

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key. It is printed once and stored only as a digest.
    Add {
        #[command(flatten)]
        file: FileArgs,
        /// Class of the key, which sets its limits
        #[arg(long)]
        class: Class,
        /// Note for the list, such as the name of the user
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// Show all keys, revoked ones included, by their ids.
    List {
        #[command(flatten)]
        file: FileArgs,
    },
    /// Revoke a key. A running service refuses it within a second.
    Revoke {
        #[command(flatten)]
        file: FileArgs,
        /// The id, as `keys list` shows it
        id: String, // parsed below: clap would print a key that was given by mistake
    },
}

/// The values of `--class`.
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
    /// File of keys, as given to `serve`; `add` creates it
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
            let (id, key) = file.add(class, note, now()?).map_err(of_option)?;
            if let Err(error) = print(&format!("{key}\n")) {
                // A key that the operator never saw must not stay valid.
                file.revoke(id, now()?)?;
                return Err(error.context(format!("key {id} could not be shown and is revoked")));
            }
            tell(format_args!("this is {class} key {id}; it cannot be shown again"));
        }
        KeysCommand::List { file } => print(&list(&file.open())?)?,
        KeysCommand::Revoke { file, id } => {
            let id: KeyId = id.parse().map_err(|error: BadKeyId| UsageError(error.to_string()))?;
            let was_valid = file.open().revoke(id, now()?).map_err(of_option)?;
            let end = if was_valid { "is revoked" } else { "was revoked before" };
            tell(format_args!("key {id} {end}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(file: &KeysFile) -> Result<String> {
    let mut text = String::from("id        class     created               revoked               note\n");
    for key in file.read().map_err(of_option)? {
        // `keys add` rejects control characters, but a file written by hand may have them.
        let texts: [&str; 3] = [&key.created, key.revoked.as_deref().unwrap_or("-"), &key.note];
        let [created, revoked, note] = texts.map(|text| shown_up_to(text.as_bytes(), NOTE_CHARS_MAX));
        let class = key.class.to_string();
        let row = format!("{}  {class:<8}  {created:<20}  {revoked:<20}  {note}", key.id);
        writeln!(text, "{}", row.trim_end())?;
    }
    Ok(text)
}

/// Makes the error for a file of keys, with the option that names the file.
fn of_option(error: KeyFileError) -> anyhow::Error {
    let is_of_file = !matches!(error, KeyFileError::BadNote | KeyFileError::Unknown { .. });
    let error = anyhow::Error::from(error);
    if is_of_file { error.context("--keys") } else { error }
}

fn now() -> Result<String> {
    Ok(Timestamp::now().round(Unit::Second)?.to_string())
}
