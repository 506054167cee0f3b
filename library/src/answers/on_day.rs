//! Checks the day of a request, and says how much is known of that day.
//!
//! This module has no clock, so the newest day is the date of the snapshot. A later day is refused: an answer for it
//! would be a guess. A day before the first change in the tables is answered, with a notice.

use super::{Notice, Refusal};
use crate::{
    directory::{DatedChangeView, Directory, Row},
    vocabulary::{Date, ProblemKind},
};

/// Number of full years before the snapshot's own year for which days are answered.
const YEARS: u16 = 10;

/// Refuses a day outside the last ten years, counted from the date of the snapshot.
///
/// # Errors
/// `bad-parameter`.
pub fn check(directory: &Directory, date: Date) -> Result<(), Refusal> {
    let Some(last) = newest_day(directory) else { return Ok(()) };
    let first = last.start_of_year_before(YEARS);
    if (first..=last).contains(&date) {
        return Ok(());
    }
    let hint = if date > last { "; leave date out for the newest answer" } else { "" };
    Err(Refusal::bad_parameter(format!(
        "date: expected a day from {first} to {last}, the date of this data; got {date}{hint}"
    )))
}

/// Returns the date of the snapshot, the newest day that is answered.
fn newest_day(directory: &Directory) -> Option<Date> {
    directory.as_of().get(..10)?.parse().ok()
}

/// The caveat of each answer for a day.
pub(super) fn notice(directory: &Directory, date: Date) -> Notice {
    Notice::OnDay { date, known_since: directory.changes_known_since() }
}

/// The caveat on an answer for today, if the text names an earlier year. `None` for the snapshot's own year and later
/// ones.
pub(super) fn earlier_year(directory: &Directory, year: u16) -> Option<Notice> {
    let date = Date::new(year, 7, 1).filter(|date| check(directory, *date).is_ok());
    (year < newest_day(directory)?.parts().0).then_some(Notice::EarlierYear { year, date })
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

#[cfg(test)]
mod tests {
    use crate::{
        answers::{Answer, Answers, Data, Found, Refusal, Request},
        directory::Scope,
        rules::Part,
        testing::{directory, directory_with, point},
        words::{English, Units, Words as _},
    };

    fn on<'a>(answers: &'a Answers, request: Request, date: &str) -> Result<Answer<'a>, Refusal> {
        answers.finish(&request.on_day(Some(date.parse().unwrap())), Found::default())
    }

    /// The smallest government, the certainty of the city, and the sentences that follow the one on the day.
    fn at(answers: &Answers, x: f64, y: f64, date: &str) -> (String, &'static str, String) {
        let answer = on(answers, Request::Resolve { point: point(x, y) }, date).unwrap();
        let Data::Resolve(resolved) = &answer.data else { panic!("a point was resolved") };
        assert_eq!(resolved.date.map(|date| date.to_string()).as_deref(), Some(date));
        let scope = resolved.territory.scope().expect("a point lies in a county");
        let city = match scope {
            Scope { place: Part::NotAtHand, .. } => "unsure",
            Scope { place: Part::In(_), .. } => "city",
            Scope { .. } => "none",
        };
        let directory = answers.directory();
        let said: Vec<String> =
            answer.notices.iter().map(|notice| English.notice(notice, directory, Units::Both)).collect();
        assert!(said[0].contains("not known before June 1, 2016"), "{}", said[0]);
        let smallest = resolved.lineage.last().copied().unwrap();
        (directory.name_of(smallest).to_owned(), city, said[1..].join(" "))
    }

    /// Coordinates of a point and a day, then the expected smallest government, certainty of the city, and words of the
    /// sentences.
    const ON_DAYS: &[(f64, f64, &str, &str, &str, &str)] = &[
        // A city that is mapped, from its first day on.
        (
            9.0,
            5.5,
            "2017-04-30",
            "Oak town",
            "none",
            "Rivertown began on May 1, 2017, so this answer for April 30, 2017",
        ),
        (9.0, 5.5, "2017-04-30", "Oak town", "none", "Its land was then part of Pine town."),
        (9.0, 5.5, "2017-05-01", "Rivertown", "city", ""),
        // A city without an outline.
        (3.0, 8.1, "2023-03-31", "Oak town", "none", "Newtown began on April 1, 2023, so this answer"),
        (3.0, 8.1, "2023-04-01", "Oak town", "unsure", "Ask the city whether this land is inside"),
        // A city that ended before limits were drawn.
        (
            5.0,
            8.1,
            "2018-06-30",
            "Oak town",
            "unsure",
            "Oldtown governed land near this point on June 30, 2018",
        ),
        (
            5.0,
            8.1,
            "2018-06-30",
            "Oak town",
            "unsure",
            "It ended on July 1, 2018 and became part of Oak town.",
        ),
        (5.0, 8.1, "2018-07-01", "Oak town", "none", ""),
        // A city that began between two lists.
        (
            13.0,
            8.1,
            "2018-12-31",
            "Pine town",
            "none",
            "began between January 1, 2019 and January 1, 2022, so",
        ),
        (
            13.0,
            8.1,
            "2020-01-01",
            "Pine town",
            "unsure",
            "Whether it governed here on January 1, 2020 is not known",
        ),
        (13.0, 8.1, "2022-01-01", "Pine town", "unsure", "Ask the city whether this land is inside"),
        // A city that merged into another and is still mapped.
        (
            29.5,
            7.0,
            "2020-01-31",
            "Port",
            "city",
            "Port governed here on January 31, 2020. It ended on February 1, 2020",
        ),
        (
            29.5,
            7.0,
            "2020-02-01",
            "Port",
            "unsure",
            "Port ended on February 1, 2020 and became part of Harbor",
        ),
    ];

    #[test]
    fn a_point_has_the_governments_of_its_day() {
        let answers = Answers::new(directory());
        for (x, y, date, smallest, city, said) in ON_DAYS.iter().copied() {
            let (name, certainty, sentences) = at(&answers, x, y, date);
            assert_eq!((name.as_str(), certainty), (smallest, city), "{x} {y} {date}: {sentences}");
            assert!(sentences.contains(said), "{x} {y} {date}: {sentences}");
            let names_none = !["began", "ended", "governed"].iter().any(|word| sentences.contains(word));
            assert_eq!(names_none, said.is_empty(), "{x} {y} {date}: {sentences}");
        }
    }

    #[test]
    fn days_that_nobody_knows_are_refused() {
        let answers = Answers::new(directory());
        let point = || Request::Resolve { point: point(5.0, 1.5) };
        let expected = "expected a day from 2016-01-01 to 2026-01-01, the date of this data; got ";
        for (date, end) in
            [("2015-12-31", "2015-12-31"), ("2026-01-02", "2026-01-02; leave date out for the newest answer")]
        {
            let refusal = on(&answers, point(), date).unwrap_err();
            assert_eq!(refusal.detail, format!("date: {expected}{end}"));
        }
        let id = || Request::of_id("place:2740000".parse().unwrap());
        let refusal = on(&answers, id(), "2017-04-30").unwrap_err();
        let words = "Rivertown began on 2017-05-01, after 2017-04-30; ask with lat and lon";
        assert!(refusal.detail.starts_with(words), "{}", refusal.detail);
        assert!(on(&answers, id(), "2017-05-01").is_ok());
    }

    #[test]
    fn a_snapshot_without_days_says_so_and_answers_as_today() {
        let answers = Answers::new(directory_with(|contents| contents.ruled.change_days = None));
        let request = || Request::Resolve { point: point(3.0, 8.1) };
        let today = answers.finish(&request(), Found::default()).unwrap();
        let dated = on(&answers, request(), "2019-05-01").unwrap();
        let words = English.notice(&dated.notices[0], answers.directory(), Units::Both);
        assert!(words.starts_with("This data has no days of changes"), "{words}");
        assert_eq!(dated.notices[1..], today.notices);
        let territory = |answer: &Answer<'_>| match &answer.data {
            Data::Resolve(resolved) => resolved.territory,
            other => panic!("{other:?}"),
        };
        assert_eq!(territory(&dated), territory(&today));
    }
}
