//! `platbook update`: downloads a newer snapshot from `--snapshot-url` now, for the next start of a service.

use std::{process::ExitCode, sync::Arc};

use anyhow::{Error, Result, anyhow};
use platbook::{directory::Directory, vocabulary::with_causes};

use super::{UsageError, fresh::built_in_one, print, serve::ServeArgs, tell, variables};
use crate::{
    edition::Edition,
    shipping::{Refusal, SnapshotUrl},
};

/// Checks the address once. A newer snapshot must pass the same checks as in a service, and is then stored in the
/// folder of the service.
pub(super) fn update(args: ServeArgs) -> Result<ExitCode> {
    variables::warn_of_unknown();
    let fresh = args.settings()?.fresh;
    let Some((url, folder)) = fresh.remote() else {
        let expected = "expected --snapshot-url URL, the address to take a snapshot from";
        return Err(UsageError(expected.to_owned()).into());
    };
    let mut remote = fresh.open_folder(url).map_err(with_hint)?;
    let known = match remote.stored(|event| tell(format_args!("{event}")))? {
        Some(stored) => Some(stored),
        None => built_in_one()?,
    };
    let known = known.map(|directory| Arc::new(Edition::new(directory, "")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let newer = runtime.block_on(remote.look(known.clone(), false))?;
    let at = folder.display();
    print(&match (newer, known) {
        (Some(newer), _) => format!(
            "took snapshot {}; `platbook serve` with {at} as --snapshot-dir starts with it\n",
            id_of(&newer)
        ),
        (None, Some(known)) => none_newer(url, known.answers().directory()),
        (None, None) => format!("{url} has no snapshot\n"),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn none_newer(url: &SnapshotUrl, known: &Directory) -> String {
    format!("{url} has no snapshot newer than {}\n", id_of(known))
}

fn id_of(directory: &Directory) -> String {
    format!("{} of {}", directory.snapshot_id(), directory.as_of())
}

/// Adds advice to the error for a folder that a running service uses.
fn with_hint(error: Error) -> Error {
    match error.downcast_ref::<Refusal>() {
        Some(Refusal::FolderInUse { .. }) => anyhow!(
            "{}; a running service takes newer snapshots itself, at once on SIGHUP",
            with_causes(error.as_ref())
        ),
        _ => error,
    }
}
