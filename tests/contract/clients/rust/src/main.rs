//! Calls each operation with a client that OpenAPI Generator made: rust_client URL [ADDED_TOPIC]

use platbook_client::{
    apis::{
        Error, configuration::Configuration, directory_api as directory, guides_api as guides,
        jurisdictions_api as jurisdictions, screening_api as screening, search_api as search,
    },
    models::Problem,
};

const LAT: Option<f64> = Some(44.9773);
const LON: Option<f64> = Some(-93.2655);

/// Returns the problem in a refused response.
fn problem<T: std::fmt::Debug, E: std::fmt::Debug>(refused: Result<T, Error<E>>) -> Problem {
    let Err(Error::ResponseError(response)) = refused else { panic!("expected a problem, got {refused:?}") };
    serde_json::from_str(&response.content).expect("a problem is JSON")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().expect("the address of a service");
    let to = &Configuration { base_path: format!("{address}/v1"), ..Configuration::default() };

    let resolve = async |lat, lon, place, state| {
        jurisdictions::resolve_jurisdiction(to, lat, lon, None, place, state, None, None, None, None).await
    };
    let resolved = resolve(LAT, LON, None, None).await?.data;
    assert_eq!(resolved.jurisdictions[1].jurisdiction_id, "county:27053");
    let assessment = resolved.functions.assessment.expect("somebody assesses");
    assert_eq!(assessment.office_name.as_deref(), Some("City Assessor"));
    assert!(resolve(None, None, Some("Austin County"), Some("TX")).await?.data.point.is_none());
    let id = "county:27053";
    let place = directory::get_place(to, id, Some(2), None, None, None, None).await?.data;
    assert!(place.jurisdiction.name == "Hennepin County" && place.next_cursor.is_some());
    let topic = Some("parcel_map");
    let pages = directory::list_resources(to, Some(id), None, None, topic, None, None, None, None).await?;
    assert!(pages.data.resources.iter().all(|page| page.topics.iter().any(|topic| topic == "parcel_map")));
    let topics: Vec<String> =
        guides::list_topics(to, None, None).await?.data.topics.into_iter().map(|info| info.topic).collect();
    assert_eq!(topics[19..], arguments.collect::<Vec<_>>());
    let guide = guides::get_guide(to, "zoning", Some("MN"), None, None).await?;
    assert_eq!(guide.data.state.as_deref(), Some("MN"));
    let found = search::search(to, "st paul", Some("MN"), None, None, None).await?;
    assert_eq!(found.data.places[0].name, "St. Paul");
    let screened = screening::screen_point(to, LAT, LON, None, None, None, None, None).await?;
    assert!(!screened.data.facts.flood.caveat.is_empty());

    let page = async |state, kind, limit, cursor: Option<&str>| {
        let asked = jurisdictions::list_jurisdictions(to, state, kind, None, None, None, limit, cursor, None, None);
        Ok::<_, Box<dyn std::error::Error>>(asked.await?.data)
    };
    let states = page(None, Some("state"), Some(100), None).await?.jurisdictions;
    let mut counties = 0;
    for state in states.iter().filter_map(|state| state.state.as_deref()) {
        let (mut found, mut cursor) = (std::collections::BTreeSet::new(), None);
        loop {
            let listed = page(Some(state), Some("county"), Some(40), cursor.as_deref()).await?;
            found.extend(listed.jurisdictions.into_iter().map(|county| county.jurisdiction_id));
            cursor = listed.next_cursor;
            if cursor.is_none() {
                assert_eq!(listed.count.flatten(), Some(i32::try_from(found.len())?), "{state}");
                break;
            }
        }
        counties += found.len();
    }
    let of_nation = page(None, Some("county"), Some(1), None).await?.count.flatten();
    assert!(counties > 3200 && of_nation == Some(i32::try_from(counties)?), "{counties} {of_nation:?}");

    let ambiguous = problem(resolve(None, None, Some("Springfield Township"), Some("PA")).await);
    assert_eq!(ambiguous.r#type, "/problems/ambiguous");
    assert!(ambiguous.choices.is_some_and(|choices| choices.len() > 5));
    let unknown = problem(directory::get_place(to, "county:99999", None, None, None, None, None).await);
    assert_eq!(unknown.status, 404);
    println!("OpenAPI Generator, Rust: 10 questions, {} topics, {counties} counties of {} states", topics.len(), states.len());
    Ok(())
}
