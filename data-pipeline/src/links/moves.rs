//! Links that have moved, as a patch of the hand-kept tables. A person reviews and applies the patch.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{ledger::Table, rule::MOVED_TIMES};

/// Returns a patch for `git apply --unidiff-zero` that replaces links which their servers have moved for good. `prefix`
/// is the path of the folder in the repository.
///
/// # Errors
/// If a table cannot be read.
pub fn patch(curated: &Path, prefix: &str, table: &Table) -> io::Result<String> {
    let moved: Vec<(String, String)> = table
        .links
        .iter()
        .filter_map(|(url, state)| {
            let moved = state.moved.as_ref().filter(|moved| moved.times >= MOVED_TIMES)?;
            Some((format!("\"{url}\""), format!("\"{}\"", moved.to)))
        })
        .collect();
    let mut patch = String::new();
    for path in tables(curated)? {
        let text = fs::read_to_string(&path)?;
        let mut hunks = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            if let Some((old, new)) = moved.iter().find(|(old, _)| line.contains(old.as_str())) {
                let changed = line.replace(old, new);
                hunks += &format!("@@ -{number} +{number} @@\n-{line}\n+{changed}\n");
            }
        }
        if !hunks.is_empty() {
            let name = path.strip_prefix(curated).unwrap_or(&path).display();
            patch += &format!("--- a/{prefix}/{name}\n+++ b/{prefix}/{name}\n{hunks}");
        }
    }
    Ok(patch)
}

/// Paths of all tables below a folder, in the order of the paths.
fn tables(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(tables(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::links::{Finding, LinkState, Observation, Outcome};

    #[test]
    fn a_link_that_moved_three_times_in_turn_is_proposed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sites")).unwrap();
        fs::write(folder.path().join("sites/MN.toml"), "[[page]]\nurl = \"https://old.example/a\"\n")
            .unwrap();
        let seen = |day, to: &str| Observation {
            url: "https://old.example/a".to_owned(),
            day: date(2026, 11, day),
            finding: Finding { moved_to: Some(to.to_owned()), ..Finding::new(Outcome::Works, None) },
        };
        let (new, other) = ("https://new.example/a", "https://other.example/");
        for (targets, expected) in [
            (&[new, new][..], ""),
            (&[new, new, other], ""),
            (
                &[other, new, new, new],
                "--- a/t/sites/MN.toml\n+++ b/t/sites/MN.toml\n@@ -2 +2 @@\n-url = \"https://old.example/a\"\n+url = \
                 \"https://new.example/a\"\n",
            ),
        ] {
            let mut table = Table::default();
            for (day, to) in (1..).zip(targets) {
                let seen = seen(day, to);
                let before = table.links.remove(&seen.url);
                table.links.insert(seen.url.clone(), LinkState::after(before, &seen));
            }
            assert_eq!(patch(folder.path(), "t", &table).unwrap(), expected, "{targets:?}");
        }
    }
}
