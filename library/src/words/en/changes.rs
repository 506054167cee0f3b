//! English sentences on cities that began or ended, as seen from today or from a given day.

use super::Sentences;
use crate::{
    directory::{CityChangeRow, CityChangeView, DatedChangeRow, DatedChangeView, Row, When},
    vocabulary::Date,
    words::figures::day_of_year,
};

const CITY_MAY_HAVE_CHANGED: &str =
    "The city limits here may have changed since they were drawn. Ask the county about these jobs.";

pub(super) fn earlier_year(year: u16, date: Option<Date>) -> String {
    let advice = match date {
        Some(date) => format!("For the governments of that year, give a day as date, such as {date}."),
        None => "The governments of that year are not on record here.".to_owned(),
    };
    format!("The text names {year}, but this answer is of today. {advice}")
}

impl Sentences<'_> {
    pub(super) fn city_changed(&self, row: CityChangeRow) -> String {
        let Some(change) = self.directory.city_change(row) else { return CITY_MAY_HAVE_CHANGED.to_owned() };
        let CityChangeView { name, began, into, year, .. } = change;
        let year = in_year(year);
        match (began, into) {
            (true, _) => format!(
                "{name} became a city{year}, after the city limits here were drawn. Ask the city whether this land is \
                 inside: it may do some of these jobs."
            ),
            (false, Some(into)) => format!(
                "{name} became part of {into}{year}, after the city limits here were drawn. Ask {into} about all of these jobs."
            ),
            (false, None) => format!(
                "{name} left the Census Bureau's list of cities{year}, after the city limits here were drawn, and seems to be \
                 dissolved. Ask the county about these jobs."
            ),
        }
    }

    pub(super) fn young_city(&self, row: CityChangeRow, county: Row) -> String {
        let change = self.directory.city_change(row);
        let name = change.as_ref().map_or("This place", |change| change.name);
        let year = in_year(change.and_then(|change| change.year));
        format!(
            "{name} became a city{year}, after the city limits here were drawn. {} is shown instead: ask the city which \
             jobs it does.",
            self.start(county)
        )
    }

    /// A change as seen from a day.
    pub(super) fn dated_change(&self, row: DatedChangeRow, date: Date) -> String {
        let Some(change) = self.directory.dated_change(row) else { return CITY_MAY_HAVE_CHANGED.to_owned() };
        let DatedChangeView { name, began, other, is_mapped, .. } = change;
        let (when, then) = (when(&change), long(date));
        let other = |before: &str| other.map_or(String::new(), |other| format!("{before}{other}"));
        match (change.seen_from(date), began) {
            (When::Later, true) => {
                let before = other("Its land was then part of ");
                let before = if before.is_empty() { before } else { format!(" {before}.") };
                format!("{name} began {when}, so this answer for {then} does not have it.{before}")
            }
            (When::Later, false) if is_mapped => {
                let into = other(" and became part of ");
                format!("{name} governed here on {then}. It ended {when}{into}.")
            }
            (When::Later, false) => {
                let into = other(" and became part of ");
                format!(
                    "{name} governed land near this point on {then}, and its limits of then are not known. It ended {when}{into}."
                )
            }
            (When::Done, true) => format!(
                "{name} began {when}, after the city limits here were drawn. Ask the city whether this land is inside: it \
                 may do some of these jobs."
            ),
            (When::Done, false) => {
                let into = other(" and became part of ");
                format!(
                    "{name} ended {when}{into}, after the city limits here were drawn. Ask who did its jobs then."
                )
            }
            (When::Unknown, began) => {
                let word = if began { "began" } else { "ended" };
                format!(
                    "{name} {word} {when}. Whether it governed here on {then} is not known, so ask the county."
                )
            }
        }
    }
}

/// The sentence on the day of an answer, and on how much is known of that day.
pub(super) fn on_day(date: Date, known_since: Option<Date>) -> String {
    let then = long(date);
    match known_since {
        None => {
            format!("This data has no days of changes, so the answer for {then} is that of the newest data.")
        }
        Some(since) => format!(
            "This answer has the cities of {then} and those offices whose change is on record; all else is of the newest \
             data. Changes of cities are not known before {}; those of counties and most towns are not known by day.",
            long(since)
        ),
    }
}

/// The day or the span of a change: "on May 6, 2021".
fn when(change: &DatedChangeView<'_>) -> String {
    match change.days {
        (first, last) if first == last => format!("on {}", long(first)),
        (first, last) => format!("between {} and {}", long(first), long(last)),
    }
}

fn long(date: Date) -> String {
    day_of_year(date.parts())
}

fn in_year(year: Option<u16>) -> String {
    year.map_or(String::new(), |year| format!(" in {year}"))
}
