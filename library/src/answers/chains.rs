//! Answers `/jurisdictions/chains`: the governments and bodies of up to a hundred points, a row for each.

use super::{
    Answers, Form, GivenPoint, Notice, Parameter, RawParameters, Refusal, Remarks, Request,
    at_point::AtPoint,
    model::{Answer, ChainAt, ChainRow, Data},
    notices::point_notices,
    parameters,
    resolve::parse_point,
};
use crate::{
    geometry::LonLat,
    vocabulary::{Date, ProblemKind, echoed},
};

/// Maximum number of points in a request. Each takes about 20 us, and an answering thread may take 5 ms.
const POINTS_MAX: usize = 100;

/// Maximum number of characters of all points together: forty for each.
const CHARS_MAX: usize = 40 * POINTS_MAX;

/// Maximum number of characters of a point's text that the answer repeats.
const GIVEN_CHARS_MAX: usize = 60;

/// The parameters of `/jurisdictions/chains`.
pub const PARAMETERS: &[Parameter] = &[POINTS, parameters::DATE];

const POINTS: Parameter = Parameter::query(
    "points",
    CHARS_MAX,
    "Up to 100 points, each lat,lon in decimal degrees; a semicolon stands between two",
)
.of(Form::Text, "44.9773,-93.2655;41.8781,-87.6298")
.required();

/// Parses the points. A text that is not a point becomes a row with its error.
///
/// # Errors
/// `bad-parameter` without points, or with too many.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let text = given.get("points").unwrap_or_default().trim();
    let text = text.strip_suffix(';').unwrap_or(text);
    if text.is_empty() {
        return Err(Refusal::bad_parameter(
            "points is missing; give lat,lon;lat,lon with at most 100 points",
        ));
    }
    let count = text.split(';').count();
    if count > POINTS_MAX {
        return Err(Refusal::bad_parameter(format!("expected at most {POINTS_MAX} points, got {count}")));
    }
    let request = Request::Chains { points: text.split(';').map(given_point).collect() };
    Ok(request.on_day(parameters::date(given)?))
}

fn given_point(text: &str) -> GivenPoint {
    let text = text.trim();
    let point = match text.split_once(',') {
        Some((lat, lon)) => parse_point(Some(lat.trim()), Some(lon.trim())),
        None => Err(Refusal::new(
            ProblemKind::BadPoint,
            format!("expected lat,lon in decimal degrees, got {text:?}"),
        )),
    };
    GivenPoint { text: echoed(text, GIVEN_CHARS_MAX).into_owned(), point }
}

/// Answers `/jurisdictions/chains`: a row for each point, in their order.
pub(super) fn chains<'a>(answers: &'a Answers, points: &[GivenPoint], date: Option<Date>) -> Answer<'a> {
    let found = |given: &GivenPoint| given.point.clone().and_then(|point| chain_at(answers, point, date));
    let rows =
        points.iter().map(|given| ChainRow { given: given.text.clone(), found: found(given) }).collect();
    answers.answer(Data::Chains(rows), Vec::new())
}

fn chain_at(answers: &Answers, point: LonLat, date: Option<Date>) -> Result<ChainAt, Refusal> {
    let directory = answers.directory();
    let at = AtPoint::look_up(directory, point, date)?;
    let territory = at.territory(directory);
    let mut notices = point_notices(answers, &at, Remarks::default());
    notices.retain(is_about_the_point);
    Ok(ChainAt {
        point,
        lineage: at.chain.rows().collect(),
        quality: at.chain.quality,
        territory,
        outcomes: answers.outcomes(territory),
        notices,
    })
}

/// Whether a caveat makes the chain or the bodies of this point doubtful. Caveats on the age or origin of whole layers
/// do not; only the answer for a single point has them.
fn is_about_the_point(notice: &Notice) -> bool {
    !matches!(
        notice,
        Notice::NoCityByLinesOf { .. } | Notice::OldBoundary { .. } | Notice::FromPrecincts { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{directory, point};

    fn parsed(points: &str) -> Result<Vec<GivenPoint>, String> {
        let given = RawParameters::from_query(PARAMETERS, points).map_err(|refusal| refusal.detail)?;
        match parse(&given).map_err(|refusal| refusal.detail)? {
            Request::Chains { points } => Ok(points),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_bad_point_spoils_its_row_alone() {
        let points = parsed("points=44.97,-93.26;%20x%20;+1,2+;91,0;1;").unwrap();
        let kinds: Vec<bool> = points.iter().map(|given| given.point.is_ok()).collect();
        assert_eq!(kinds, [true, false, true, false, false]);
        assert_eq!(points[1].text, "x");
        let detail = |at: usize| points[at].point.clone().unwrap_err().detail;
        assert!(detail(1).contains("expected lat,lon"), "{}", detail(1));
        assert!(detail(3).contains("-90 to 90"), "{}", detail(3));
    }

    #[test]
    fn none_and_too_many_are_refused() {
        for (query, said) in [
            ("", "points is missing"),
            ("points=;", "points is missing"),
            (&*format!("points={}", "1,2;".repeat(101)), "at most 100 points, got 101"),
            (&*format!("points={}", "1".repeat(CHARS_MAX + 1)), "longer than 4000"),
        ] {
            let refused = parsed(query).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
        assert_eq!(parsed(&format!("points={}", "1,2;".repeat(100))).unwrap().len(), 100);
        let weight = |count: usize| {
            Request::Chains { points: parsed(&format!("points={}", "1,2;".repeat(count))).unwrap() }.weight()
        };
        assert_eq!([1, 10, 11, 100].map(weight), [1, 1, 2, 10]);
    }

    /// Rows have the bodies that the answer for a single point has.
    #[test]
    fn rows_have_the_bodies_of_single_points() {
        let answers = Answers::new(directory());
        for (x, y) in [(5.0, 1.5), (2.0, 1.5), (8.5, 9.5), (10.0, 5.0), (25.0, 2.0)] {
            let point = point(x, y);
            let given = GivenPoint { text: String::new(), point: Ok(point) };
            let Data::Chains(rows) = chains(&answers, &[given], None).data else { panic!("rows") };
            let row = rows[0].found.as_ref().unwrap();
            let assignments = answers.assignments(row.territory);
            let expected: Vec<_> = assignments.iter().map(|entry| entry.outcome.clone()).collect();
            assert!(row.outcomes.len() == expected.len() && !row.lineage.is_empty());
            for (lean, full) in answers.performers(row.territory).iter().zip(assignments.iter()) {
                assert_eq!((&lean.outcome, &lean.office), (&full.outcome, &full.office));
            }
            for (own, other) in row.outcomes.iter().zip(&expected) {
                assert_eq!(
                    (&own.body, &own.office, own.confidence),
                    (&other.body, &other.office, other.confidence)
                );
                let bodies = |also: &[crate::rules::Outcome]| -> Vec<_> {
                    also.iter().map(|outcome| outcome.body.clone()).collect()
                };
                let further: Vec<_> = assignments
                    .get(own.function)
                    .unwrap()
                    .also
                    .iter()
                    .map(|entry| entry.outcome.body.clone())
                    .collect();
                assert_eq!(bodies(&own.also), further);
            }
        }
    }
}
