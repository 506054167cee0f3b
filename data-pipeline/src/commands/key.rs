//! The `key` subcommand: writes a pair of signing keys.

use std::{fs::File, io::Write as _, path::PathBuf};

use anyhow::{Context as _, Result};
use platbook::files::system;
use platbook_pipeline::signing;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of the two files: NAME.key, which signs and must stay secret, and NAME.pub for services. Existing
    /// files are not replaced.
    name: PathBuf,
}

/// Writes both keys, and prints the option that gives the public key to a service.
pub(crate) fn run(args: &Args) -> Result<()> {
    let (public, secret) = signing::new_key()?;
    for (ending, text, mode) in [("key", &secret, 0o600), ("pub", &public, 0o644)] {
        let path = args.name.with_extension(ending);
        let mut options = File::options();
        options.write(true).create_new(true);
        let file = system::with_mode(&mut options, mode).open(&path);
        let written =
            file.and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
        written.with_context(|| format!("cannot write {}", path.display()))?;
        say!("wrote {}", path.display());
    }
    say!("platbook serve --snapshot-key {}", public.lines().nth(1).unwrap_or_default());
    Ok(())
}
