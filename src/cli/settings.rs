//! Reads settings from a configuration file.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;

use super::UsageError;
use platbook::{files::regular_file, vocabulary::Spelling};

/// Maximum length of a configuration file in bytes: a thousand times the example in docs/operate.md.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Reads a TOML file; without a path, every setting is unset. `known` holds the options that the file may contain.
pub(super) fn from_file<T: DeserializeOwned + Default>(
    path: Option<&Path>,
    known: &clap::Command,
) -> Result<T> {
    let Some(path) = path else { return Ok(T::default()) };
    let bytes = regular_file::read(path, FILE_BYTES_MAX);
    let bytes = bytes.with_context(|| {
        format!("--config: cannot read {}; name a file that exists and may be read", path.display())
    })?;
    let parsed = toml::from_slice(&bytes);
    parsed.map_err(|error: toml::de::Error| {
        let (shown, hint) = (error.to_string(), hint_on_field(error.message(), known).unwrap_or_default());
        UsageError(format!("--config {}: {}{hint}", path.display(), shown.trim_end())).into()
    })
}

/// Returns the setting that an unknown field probably means, or a list of all settings. `None` for other errors.
fn hint_on_field(message: &str, known: &clap::Command) -> Option<String> {
    let field = message.strip_prefix("unknown field `")?.split('`').next()?;
    // `parcels` is the only setting that is not an option.
    let names: Vec<&str> =
        known.get_arguments().filter_map(|argument| argument.get_long()).chain(["parcels"]).collect();
    let written = field.replace('_', "-");
    let spelling = Spelling::new(&written, Spelling::slips_for(&written))?;
    let near = names.iter().filter_map(|name| Some((spelling.slips_to(name)?, *name))).min();
    Some(match near {
        Some((_, name)) => format!("; did you mean `{name}`?"),
        None => format!("; settings are {}", names.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;

    use super::*;
    use crate::cli::number;

    #[derive(Debug, Default, clap::Args, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    struct Few {
        #[arg(long)]
        listen: Option<String>,
        #[arg(long)]
        #[serde(default, deserialize_with = "number::one_of_file")]
        max_threads: Option<std::num::NonZero<u32>>,
    }

    #[test]
    fn each_fault_of_a_file_says_what_to_write() {
        let known = <Few as clap::Args>::augment_args(clap::Command::new("few"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        for (text, said) in [
            ("lisen = \"a\"", "unknown field `lisen`"),
            ("lisen = \"a\"", "did you mean `listen`?"),
            ("max_threads = 1", "did you mean `max-threads`?"),
            ("colour = 1", "settings are listen, max-threads, parcels"),
            ("max-threads = 0", "integer `0`, expected a whole number of 1 or more"),
            ("max-threads = -1", "integer `-1`, expected a whole number of 1 or more"),
            ("max-threads = \"a\"", "string \"a\", expected a whole number of 1 or more"),
            ("listen = ", "--config "),
        ] {
            fs::write(&path, text).unwrap();
            let error = from_file::<Few>(Some(&path), &known).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        fs::write(&path, "max-threads = 3").unwrap();
        assert_eq!(from_file::<Few>(Some(&path), &known).unwrap().max_threads.unwrap().get(), 3);
        let missing = from_file::<Few>(Some(&folder.path().join("none")), &known).unwrap_err();
        assert!(missing.to_string().starts_with("--config: cannot read "), "{missing}");
    }
}
