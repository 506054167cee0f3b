//! The `sign` subcommand: writes the signature of a snapshot.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use minisign::SecretKey;
use platbook::{acceptance, directory::Directory, snapshot::Snapshot};
use platbook_pipeline::signing;

use super::files::{bytes_of, publish, text_of};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot to sign; FILE.minisig is written beside it and replaced only by a complete file.
    file: PathBuf,
    #[command(flatten)]
    key: KeyArgs,
}

/// The options for a secret key.
#[derive(clap::Args)]
pub(crate) struct KeyArgs {
    /// File with the secret key, as `platbook-pipeline key` or `minisign -G` writes it.
    #[arg(long)]
    key: PathBuf,
    /// File with the password of the key [default: a prompt, if the key has a password]
    #[arg(long)]
    password_file: Option<PathBuf>,
}

/// Signs a snapshot that services would accept. Any other would be rejected later, so it is not signed.
pub(crate) fn run(args: &Args) -> Result<()> {
    let bytes = bytes_of(&args.file)?;
    let snapshot = Snapshot::copy(&bytes).with_context(|| args.file.display().to_string())?;
    let directory = Directory::new(snapshot);
    acceptance::is_sound(&directory)?;
    let key = secret_key(&args.key)?;
    let comment = signing::comment_on(&directory);
    let at = signing::path_of(&args.file);
    publish(&at, signing::sign(&bytes, &key, &comment)?.as_bytes())?;
    say!("wrote {}: {comment}", at.display());
    Ok(())
}

/// Reads the secret key that the options name.
pub(super) fn secret_key(args: &KeyArgs) -> Result<SecretKey> {
    let password = args.password_file.as_deref().map(text_of).transpose()?;
    let password = password.map(|password| password.trim_end_matches(['\r', '\n']).to_owned());
    Ok(signing::secret_key(&text_of(&args.key)?, password)?)
}
