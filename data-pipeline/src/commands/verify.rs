//! The `verify` subcommand: checks a snapshot as a service does.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use platbook::{acceptance, directory::Directory, snapshot::Snapshot};
use platbook_pipeline::signing;

use super::files::{bytes_of, open, text_of};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot file to verify.
    file: PathBuf,
    /// Public key that it must be signed with (FILE.minisig): the key itself, or its file.
    #[arg(long)]
    key: Option<String>,
    /// Snapshot that services have now: checks whether they would accept the new one in its place.
    #[arg(long)]
    after: Option<PathBuf>,
}

/// Applies the checks of a service to a file before it is published.
pub(crate) fn run(args: &Args) -> Result<()> {
    let bytes = bytes_of(&args.file)?;
    let directory = Directory::new(Snapshot::copy(&bytes).with_context(|| args.file.display().to_string())?);
    say!("snapshot {} of {} is whole", directory.snapshot_id(), directory.as_of());
    acceptance::is_sound(&directory)?;
    say!("its counties and known points are found");
    if let Some(key) = &args.key {
        let key = if Path::new(key).exists() { text_of(Path::new(key))? } else { key.clone() };
        let at = signing::path_of(&args.file);
        say!("it is signed: {}", signing::verify(&bytes, &text_of(&at)?, &signing::public_key(&key)?)?);
    }
    if let Some(path) = &args.after {
        acceptance::may_follow(&directory, &open(path)?, false)?;
        say!("services that have {} would take it", path.display());
    }
    Ok(())
}
