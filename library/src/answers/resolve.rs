//! Resolves a point or a located address: which governments cover it.

use super::{
    Answers, Form, Notice, Parameter, RawParameters, Refusal, Request,
    at_point::AtPoint,
    locality::{self, Locality},
    lookup::Found,
    model::{Answer, Data, Matched, Resolved},
    notices::point_notices,
    number::decimal,
    parameters,
    reading::{Coordinates, Named},
};
use crate::{
    directory::Resolution,
    geometry::LonLat,
    vocabulary::{Date, ProblemKind},
};

/// The parameters of `/jurisdictions/resolve`.
pub const PARAMETERS: &[Parameter] = &[
    parameters::LAT,
    parameters::LON,
    Parameter::query(
        "address",
        200,
        "Address in one line, instead of lat and lon. A ZIP code, or a town with its state, is accepted too",
    )
    .of(Form::Text, "350 S 5th St, Minneapolis, MN"),
    parameters::PLACE,
    parameters::STATE_OF_PLACE,
    parameters::ID_OF_PLACE,
    parameters::DATE,
];

const MODES: &str = "give exactly one of: lat and lon, address, place and state, or jurisdiction_id";

/// Parses the one input mode that is given.
///
/// # Errors
/// `bad-parameter` if no mode or several modes are given, `bad-point` if lat and lon are not a point.
pub fn parse(given: &RawParameters<'_>) -> Result<Request, Refusal> {
    let [lat, lon, address] = ["lat", "lon", "address"].map(|name| given.get(name));
    let by_point = lat.is_some() || lon.is_some();
    let by_place = ["place", "state", "jurisdiction_id"].iter().any(|name| given.get(name).is_some());
    let request = match (by_point, address, by_place) {
        (true, None, false) => Request::Resolve { point: parse_point(lat, lon)? },
        (false, Some(address), false) => Request::ResolveAddress { address: filled("address", address)? },
        (false, None, true) => Request::ResolvePlace { place: Locality::parse(given, MODES)? },
        (false, None, false) => return Err(bad_parameter(format!("no location was given: {MODES}"))),
        _ => return Err(bad_parameter(format!("several inputs: {MODES}"))),
    };
    Ok(request.on_day(parameters::date(given)?))
}

/// Answers an address that needs no geocoder: a ZIP code, coordinates, or a town with its state. `None` for the
/// address of a house, and for names that are not in the directory.
pub(super) fn without_lookup<'a>(
    answers: &'a Answers,
    address: &str,
    date: Option<Date>,
) -> Option<Result<Answer<'a>, Refusal>> {
    let named = Named::in_address(address)?;
    if let Named::Point(coordinates) = named {
        return Some(by_coordinates(answers, coordinates, date));
    }
    if let Named::Place { text, state, .. } = &named
        && answers.directory().places_named(text, *state).is_empty()
    {
        return None;
    }
    Some(locality::by_locality(answers, &Locality::Text(named), date).map_err(|refusal| match refusal.kind {
        ProblemKind::PlaceNotFound => Refusal { kind: ProblemKind::AddressNotFound, ..refusal },
        _ => refusal,
    }))
}

/// Answers coordinates from a text. The longitude may stand first.
///
/// # Errors
/// `bad-point`, `outside-coverage`.
pub(super) fn by_coordinates(
    answers: &Answers,
    given: Coordinates,
    date: Option<Date>,
) -> Result<Answer<'_>, Refusal> {
    let is_covered = |point: &LonLat| !matches!(answers.directory().resolve(*point), Resolution::Outside);
    let point = given.points().find(is_covered).or_else(|| given.points().next());
    let point = match point {
        Some(point) => point,
        None => point_at(given.lat, given.lon)?,
    };
    let mut answer = by_point(answers, point, date)?;
    if LonLat::from_lat_lon(given.lat, given.lon) != Ok(point) {
        answer.notices.insert(0, Notice::LongitudeFirst);
    }
    Ok(answer)
}

/// Answers a request with a point.
///
/// # Errors
/// `outside-coverage`.
pub(super) fn by_point(answers: &Answers, point: LonLat, date: Option<Date>) -> Result<Answer<'_>, Refusal> {
    let at = AtPoint::look_up(answers.directory(), point, date)?;
    let matched = Matched::Point { quality: at.chain.quality, borders: at.borders };
    Ok(resolved(answers, &at, matched, date))
}

/// Answers a request with an address, from the geocoder's result.
///
/// # Errors
/// The reason, if not exactly one address was found; `outside-coverage`.
pub(super) fn by_address(answers: &Answers, found: Found, date: Option<Date>) -> Result<Answer<'_>, Refusal> {
    let lifetime_s = found.lifetime_s;
    let address = found.one_address()?;
    let (point, looked_up_at) = (address.point, address.looked_up_at.clone());
    let at = AtPoint::look_up(answers.directory(), point, date)?;
    let matched = Matched::Address { found: address, quality: at.chain.quality, borders: at.borders };
    let mut answer = resolved(answers, &at, matched, date);
    answer.notices.insert(0, Notice::AddressEstimated);
    let as_of = looked_up_at.map_or(answer.as_of, Into::into);
    Ok(Answer { as_of, lifetime_s, ..answer })
}

fn resolved<'a>(answers: &'a Answers, at: &AtPoint, matched: Matched, date: Option<Date>) -> Answer<'a> {
    let territory = at.territory(answers.directory());
    let notices = point_notices(answers, at, answers.remarks(territory));
    let lineage = at.chain.rows().collect();
    let resolved = Resolved { matched, point: Some(at.point), date, lineage, territory };
    answers.answer(Data::Resolve(resolved), notices)
}

/// Parses a latitude and a longitude in decimal degrees.
///
/// # Errors
/// `bad-point`.
pub fn parse_point(lat: Option<&str>, lon: Option<&str>) -> Result<LonLat, Refusal> {
    let (Some(lat_text), Some(lon_text)) = (lat, lon) else {
        let missing = if lat.is_none() { "lat" } else { "lon" };
        return Err(bad_point(format!("{missing} is missing; give lat and lon in decimal degrees")));
    };
    let (lat, lon) = (degrees("lat", lat_text)?, degrees("lon", lon_text)?);
    point_at(lat, lon)
}

/// Makes a point of a latitude and a longitude, in degrees.
///
/// # Errors
/// `bad-point`.
fn point_at(lat: f64, lon: f64) -> Result<LonLat, Refusal> {
    LonLat::from_lat_lon(lat, lon).map_err(|error| {
        let hint = if is_in_a_window(lon, lat) { "; lat and lon look swapped" } else { "" };
        bad_point(format!("{error}{hint}"))
    })
}

/// Boxes around the states and territories whose longitude exceeds 90 degrees, west or east: least and largest
/// latitude, then longitude. Only in these boxes are swapped coordinates out of range. Parsing has no directory to
/// find the state in.
const WINDOWS: [[f64; 4]; 6] = [
    [25.0, 50.0, -125.0, -90.0],    // The West of the contiguous states
    [51.0, 72.0, -180.0, -129.0],   // Alaska
    [51.0, 54.0, 172.0, 180.0],     // Alaska beyond the 180th meridian
    [18.0, 29.0, -179.0, -154.0],   // Hawaii
    [-15.0, -11.0, -172.0, -168.0], // American Samoa
    [13.0, 21.0, 144.0, 147.0],     // Guam and the Northern Marianas
];

fn is_in_a_window(lat: f64, lon: f64) -> bool {
    WINDOWS
        .iter()
        .any(|[south, north, west, east]| (*south..=*north).contains(&lat) && (*west..=*east).contains(&lon))
}

fn degrees(name: &str, text: &str) -> Result<f64, Refusal> {
    decimal(text).ok_or_else(|| {
        let hint = if text.starts_with(' ') { " (a plus sign in a query means a space)" } else { "" };
        bad_point(format!("expected {name} as decimal degrees such as 44.9773, got {text:?}{hint}"))
    })
}

fn filled(name: &str, text: &str) -> Result<String, Refusal> {
    match text.trim() {
        "" => Err(bad_parameter(format!("{name} is empty; {MODES}"))),
        trimmed => Ok(trimmed.to_owned()),
    }
}

fn bad_parameter(detail: String) -> Refusal {
    Refusal::bad_parameter(detail)
}

fn bad_point(detail: String) -> Refusal {
    Refusal::new(ProblemKind::BadPoint, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(query: &str) -> Result<Request, Refusal> {
        parse(&RawParameters::from_query(PARAMETERS, query)?)
    }

    #[test]
    fn one_mode_is_parsed() {
        let point = LonLat::from_lat_lon(44.97, -93.26).unwrap();
        for query in ["lat=44.97&lon=-93.26", "lon=-9.326e1&lat=%2B44.97&x=y&x=z"] {
            assert_eq!(parsed(query).unwrap(), Request::Resolve { point }, "{query}");
        }
        assert_eq!(
            parsed("address=1+Main+St%2C+X").unwrap(),
            Request::ResolveAddress { address: "1 Main St, X".into() }
        );
        let state = "TX".parse().unwrap();
        let name = Request::ResolvePlace { place: Locality::Name { place: "Austin".into(), state } };
        for query in ["place=%20Austin&state=tx", "place=Austin&state=Texas", "place=Austin&state=tex."] {
            assert_eq!(parsed(query).unwrap(), name, "{query}");
        }
        let named = |text| Request::ResolvePlace { place: Locality::Text(Named::in_name(text).unwrap()) };
        assert_eq!(parsed("place=Travis+County,+TX").unwrap(), named("Travis County, TX"));
        assert_eq!(parsed("place=55404&state=MN").unwrap(), named("55404"));
        let id = Request::ResolvePlace { place: Locality::Id("county:27053".parse().unwrap()) };
        assert_eq!(parsed("jurisdiction_id=county:27053").unwrap(), id);
    }

    #[test]
    fn anything_else_says_what_was_expected() {
        use ProblemKind::{BadParameter, BadPoint};
        for (query, kind, said) in [
            ("", BadParameter, "no location was given: give exactly one of"),
            ("lat=1&lon=2&address=x", BadParameter, "several inputs"),
            ("lat=1&lon=2&state=MN", BadParameter, "several inputs"),
            ("address=+", BadParameter, "address is empty"),
            ("place=Austin", BadParameter, "state is missing"),
            ("state=TX", BadParameter, "place is missing; for the state itself, give place=Texas"),
            ("state=XX", BadParameter, "place is missing; give"),
            ("place=+&state=TX", BadParameter, "place is empty"),
            ("jurisdiction_id=county:27053&state=MN", BadParameter, "several inputs"),
            ("jurisdiction_id=county:27053&lat=1&lon=2", BadParameter, "several inputs"),
            ("jurisdiction_id=27053", BadParameter, "jurisdiction_id: "),
            ("place=Austin&state=XX", ProblemKind::UnknownState, "XX is not a state"),
            ("place=Austin&state=Texaz", BadParameter, "two-letter state code"),
            ("lat=1", BadPoint, "lon is missing"),
            ("lon=1", BadPoint, "lat is missing"),
            ("lat=&lon=1", BadPoint, "expected lat as decimal degrees"),
            ("lat=+1&lon=1", BadPoint, "a plus sign in a query means a space"),
            ("lat=nan&lon=1", BadPoint, "got \"nan\""),
            ("lat=1&lon=181", BadPoint, "from -180 to 180, got 181"),
            ("lat=-93.26&lon=44.97", BadPoint, "lat and lon look swapped"),
            ("lat=-93.26&lon=144.97", BadPoint, "from -90 to 90, got -93.26"),
            ("lat=144.79&lon=13.44", BadPoint, "lat and lon look swapped"),
            ("place=Austin&state=TX+", BadParameter, "two-letter state code"),
            ("place=Austin&state=", BadParameter, "two-letter state code"),
        ] {
            let refusal = parsed(query).unwrap_err();
            assert_eq!(refusal.kind, kind, "{query}");
            assert!(refusal.detail.contains(said), "{query}: {}", refusal.detail);
        }
    }

    /// The land lies in Oak town of Adams County, where some offices have high confidence outside of this land.
    #[test]
    fn on_land_of_a_nation_a_notice_comes_first_and_no_office_is_sure() {
        use crate::{
            answers::{Answers, Data, Notice},
            testing::{directory, point},
            vocabulary::Confidence,
            words::{English, Units, Words as _},
        };
        let answers = Answers::new(directory());
        let sure_at = |east: f64| {
            let answer = by_point(&answers, point(east, 9.5), None).unwrap();
            let Data::Resolve(resolved) = &answer.data else { panic!("a point was resolved") };
            let assignments = answers.assignments(resolved.territory);
            let sure = assignments.iter().map(|entry| entry.outcome.confidence);
            let first =
                answer.notices.first().map(|notice| English.notice(notice, answers.directory(), Units::Both));
            (sure.max(), first, matches!(answer.notices.first(), Some(Notice::TribalLand { .. })))
        };
        let (sure, notice, is_tribal) = sure_at(8.5);
        assert_eq!((sure, is_tribal), (Some(Confidence::Medium), true));
        let words = "This point lies in Heron Reservation, land of the Heron Nation. The nation zones it. The nation's own site \
                     is https://heron.example/";
        assert_eq!(notice.as_deref(), Some(words));
        let (sure, _, is_tribal) = sure_at(7.5);
        assert_eq!((sure, is_tribal), (Some(Confidence::High), false));
    }

    #[test]
    fn land_that_may_be_federal_has_a_notice_and_no_sure_zoning() {
        use crate::{
            answers::{Answers, Data},
            testing::{directory, point},
            vocabulary::{Confidence, Function},
            words::{English, Units, Words as _},
        };
        let answers = Answers::new(directory());
        for (east, is_federal) in [(4.5, true), (6.5, false)] {
            let answer = by_point(&answers, point(east, 1.5), None).unwrap();
            let Data::Resolve(resolved) = &answer.data else { panic!("a point was resolved") };
            let sure =
                |function| answers.assignment(resolved.territory, function).unwrap().outcome.confidence;
            let expected = if is_federal { Confidence::Medium } else { Confidence::High };
            assert_eq!((sure(Function::Zoning), sure(Function::Recording)), (expected, Confidence::High));
            let notices =
                answer.notices.iter().map(|notice| English.notice(notice, answers.directory(), Units::Both));
            let words = "This point may lie in Elk National Park, which the National Park Service runs. If the land is \
                         federal, ask the park first: local zoning and permits usually do not apply there.";
            assert_eq!(notices.into_iter().any(|notice| notice == words), is_federal);
        }
    }

    #[test]
    fn a_swap_is_suspected_only_where_it_would_help() {
        for query in ["lat=91&lon=0", "lat=-93.26&lon=144.97", "lat=-93.26&lon=-44.97", "lat=93.26&lon=44.97"]
        {
            let refusal = parsed(query).unwrap_err();
            assert!(!refusal.detail.contains("swapped"), "{query}: {}", refusal.detail);
        }
    }
}
