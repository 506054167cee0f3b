//! `platbook-pipeline sign`

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result};
use platbook::{directory::Directory, fitness, snapshot::Snapshot};
use platbook_pipeline::{output::publish::publish, signing};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Snapshot to sign; FILE.minisig is written beside it, replaced only by a whole new one.
    file: PathBuf,
    /// Secret key, of `platbook-pipeline key` or `minisign -G`.
    #[arg(long)]
    key: PathBuf,
    /// File with the password of the key [default: it is asked for, if the key has one]
    #[arg(long)]
    password_file: Option<PathBuf>,
}

/// Signs a snapshot that services would take: a signature on another would only be refused later.
pub(crate) fn run(args: &Args) -> Result<()> {
    let bytes = read(&args.file)?;
    let snapshot = Snapshot::copy(&bytes).with_context(|| args.file.display().to_string())?;
    let directory = Directory::new(snapshot);
    fitness::is_sound(&directory)?;
    let text = |path: &PathBuf| String::from_utf8(read(path)?).with_context(|| path.display().to_string());
    let password = args.password_file.as_ref().map(text).transpose()?;
    let password = password.map(|password| password.trim_end_matches(['\r', '\n']).to_owned());
    let key = signing::secret_key(&text(&args.key)?, password)?;
    let comment = format!("platbook snapshot {} of {}", directory.snapshot_id(), directory.as_of());
    let at = signing::path_of(&args.file);
    publish(&at, signing::sign(&bytes, &key, &comment)?.as_bytes())?;
    println!("wrote {}: {comment}", at.display());
    Ok(())
}

fn read(path: &PathBuf) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
