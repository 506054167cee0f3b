//! Checks the day of a request, and says how much is known of it.
//!
//! Nothing here has a clock, so the newest day is that of the snapshot. A later day is refused: an answer for it would
//! be a guess. A day before the changes that the tables have is answered, with a notice.

use super::{Notice, Refusal};
use crate::{
    directory::{DatedChangeView, Directory, Row},
    vocabulary::{Date, ProblemKind},
};

/// Full years before that of the snapshot for which days are answered.
const YEARS: u16 = 10;

/// Refuses a day that is not of the last ten years, as seen from the date of the snapshot.
///
/// # Errors
/// `bad-parameter`.
pub fn check(directory: &Directory, date: Date) -> Result<(), Refusal> {
    let as_of: Option<Date> = directory.as_of().get(..10).and_then(|day| day.parse().ok());
    let Some(last) = as_of else { return Ok(()) };
    let first = last.start_of_year_before(YEARS);
    if (first..=last).contains(&date) {
        return Ok(());
    }
    let hint = if date > last { "; leave date out for the newest answer" } else { "" };
    Err(Refusal::bad_parameter(format!(
        "date: expected a day from {first} to {last}, the date of this data; got {date}{hint}"
    )))
}

/// The caveat of each answer for a day.
pub(super) fn notice(directory: &Directory, date: Date) -> Notice {
    Notice::OnDay { date, known_since: directory.changes_known_since() }
}

/// Refuses a government that began after the day.
///
/// # Errors
/// `unknown-jurisdiction`.
pub fn check_existed(directory: &Directory, date: Date, row: Row) -> Result<(), Refusal> {
    let began = directory.place_on_day(date, row).began_later.and_then(|row| directory.dated_change(row));
    let Some(DatedChangeView { name, days: (first, last), .. }) = began else { return Ok(()) };
    let when = if first == last { format!("on {first}") } else { format!("between {first} and {last}") };
    let detail = format!(
        "{name} began {when}, after {date}; ask with lat and lon for the governments of its land on that day"
    );
    Err(Refusal::new(ProblemKind::UnknownJurisdiction, detail))
}
