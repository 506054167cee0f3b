//! `platbook` without a command: prints what it is, what it contains, and what to try.

use std::process::ExitCode;

use anyhow::Result;
use jiff::Timestamp;

use super::{open_directory, print, site::SITE_URL};
use platbook::{directory::Directory, vocabulary::Layer};

/// Prints six lines that fit a terminal of 80 columns.
pub(super) fn first_run() -> Result<ExitCode> {
    let inside = match open_directory(None) {
        Ok(directory) => contents(&directory),
        Err(error) => format!("{error}; name a file with --snapshot FILE"),
    };
    print(&format!(
        "platbook {}: which US governments cover a place, and which office does what\n\
         inside   {inside}\n\
         ask      platbook resolve 44.9773 -93.2655\n\
         search   platbook ask \"33139 property appraiser\"\n\
         serve    platbook serve    # pages and API on {SITE_URL}\n\
         more     platbook doctor, platbook --help\n",
        env!("CARGO_PKG_VERSION"),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Describes a snapshot by its governments and its age, in less than 70 columns.
pub(super) fn contents(directory: &Directory) -> String {
    let jurisdictions = directory.snapshot().jurisdictions();
    let [counties, towns, places] =
        [Layer::County, Layer::Cousub, Layer::Place].map(|layer| jurisdictions.rows_of(layer).len());
    let day = directory.as_of().split('T').next().unwrap_or_default();
    let age = match age_days(directory.as_of()) {
        Some(1) => "1 day old".to_owned(),
        Some(days) if days >= 0 => format!("{days} days old"),
        Some(_) => "of the future by this clock".to_owned(),
        None => "of unknown age".to_owned(),
    };
    format!("{counties} counties, {} towns and cities; of {day}, {age}", towns + places)
}

/// Returns the whole days since a date; negative if the date lies in the future of the clock. `None` if the text is
/// not a date.
pub(super) fn age_days(as_of: &str) -> Option<i64> {
    let then: Timestamp = as_of.parse().ok()?;
    Some(Timestamp::now().duration_since(then).as_hours().div_euclid(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_in_whole_days() {
        let before = |hours: i64| (Timestamp::now() - jiff::SignedDuration::from_hours(hours)).to_string();
        for (as_of, expected) in [
            (before(0), Some(0)),
            (before(23), Some(0)),
            (before(25), Some(1)),
            (before(24 * 40 + 1), Some(40)),
            (before(-30), Some(-2)),
            ("2026-13-01".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(age_days(&as_of), expected, "{as_of}");
        }
    }
}
