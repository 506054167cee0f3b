use std::sync::Arc;

use platbook::{
    answers::{Lookup, ParcelAnswer},
    facts::FactValue,
};
use platbook_service::upstream::{Asker, Lookups, ParcelSettings, Services};

use super::{
    answers, city_hall,
    outside::{Act, Outside},
};

/// A provider's reply on a parcel, with fields that the service must not use.
const PARCEL: &str = r#"{
    "parcel_id": "23-029-24-13-0001", "site_address": "350 S 5TH ST", "land_area_acres": 2.3, "land_use": "Government",
    "year_built": 1888, "tax_year": 2026, "total_value_usd": 0, "last_sale_date": null, "as_of": "2026-01-31",
    "owner_name": "SMITH JOHN", "owner": {"name": "SMITH JOHN"}, "mailing_address": "1 HOME ST",
    "legal_description": "LOT 1, SMITH'S ADDITION", "taxpayer": "SMITH JOHN"
}"#;

fn lookups(url: &str, places: &[&str]) -> Lookups {
    let settings = ParcelSettings {
        url: url.to_owned(),
        name: "Parcels of this test".to_owned(),
        publisher: "A provider".to_owned(),
        about_url: "https://parcels.example/".to_owned(),
        places: places.iter().map(|id| id.parse().unwrap()).collect(),
    };
    Lookups::of(Arc::new(Services::new(&[], None, Some(&settings)).unwrap()))
}

async fn asked(lookups: &Lookups) -> ParcelAnswer {
    let lineage = ["state:27", "county:27053"].map(|id| id.parse().unwrap()).to_vec();
    lookups
        .run(answers(), Lookup::Parcel { point: city_hall(), lineage }, || Ok(Asker::Operator))
        .await
        .unwrap()
        .parcel
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_is_asked_only_where_it_is_cleared() {
    let outside = Outside::start(|_| Act::json(PARCEL)).await;
    let url = format!("{}/v1/parcel", outside.url());
    assert_eq!(asked(&Lookups::closed()).await, ParcelAnswer::NotConfigured);
    let nobody = Lookups::of(Arc::new(Services::new(&[], None, None).unwrap()));
    assert_eq!(asked(&nobody).await, ParcelAnswer::NotConfigured);
    for places in [&[][..], &["county:27123"], &["place:2743000"]] {
        assert_eq!(asked(&lookups(&url, places)).await, ParcelAnswer::NotCleared, "{places:?}");
    }
    assert_eq!(outside.calls().len(), 0);
    for places in [&["county:27053"][..], &["county:27123", "state:27"]] {
        let ParcelAnswer::Facts(facts) = asked(&lookups(&url, places)).await else { panic!("{places:?}") };
        assert_eq!(
            (facts.as_of.as_deref(), &*facts.source.name),
            (Some("2026-01-31"), "Parcels of this test")
        );
    }
    assert_eq!(outside.calls()[0].target(), "/v1/parcel?lat=44.9773000&lon=-93.2655000");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_name_comes_through() {
    let outside = Outside::start(|_| Act::json(PARCEL)).await;
    let lookups = lookups(&outside.url(), &["state:27"]);
    let ParcelAnswer::Facts(facts) = asked(&lookups).await else { panic!("there are facts") };
    let text = |text: &str| FactValue::Text(text.to_owned());
    assert_eq!(
        facts.values,
        [
            ("parcel_id", text("23-029-24-13-0001")),
            ("site_address", text("350 S 5TH ST")),
            ("land_area_acres", FactValue::Number(2.3)),
            ("land_use", text("Government")),
            ("year_built", FactValue::Number(1888.0)),
            ("total_value_usd", FactValue::Number(0.0)),
            ("tax_year", FactValue::Number(2026.0)),
        ]
    );
    assert!(!format!("{facts:?}").to_uppercase().contains("SMITH"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_misbehaves_gives_no_facts() {
    let long = format!("{{\"parcel_id\":\"{}\"}}", "1".repeat(61));
    for (name, act, expected) in [
        ("no parcel", Act::answer(404, "application/json", "{}"), "no parcel"),
        ("no parcel, without a body", Act::answer(404, "text/plain", ""), "no parcel"),
        ("no such page", Act::answer(404, "text/html", "<html>not here</html>"), "unavailable"),
        ("a text that turns around", Act::json("{\"parcel_id\":\"1\u{202e}2\"}"), "unavailable"),
        ("no number", Act::json("{\"year_built\":1888}"), "unavailable"),
        ("a number that is none", Act::json("{\"parcel_id\":\"1\",\"year_built\":\"old\"}"), "unavailable"),
        ("less than nothing", Act::json("{\"parcel_id\":\"1\",\"tax_usd\":-1}"), "unavailable"),
        ("a text that is none", Act::json("{\"parcel_id\":7}"), "unavailable"),
        ("a long text", Act::json(&long), "unavailable"),
        ("a text over lines", Act::json("{\"parcel_id\":\"1\\n2\"}"), "unavailable"),
        ("no day", Act::json("{\"parcel_id\":\"1\",\"last_sale_date\":\"soon\"}"), "unavailable"),
        ("an error", Act::answer(500, "text/html", "<html>"), "unavailable"),
        ("no key", Act::answer(401, "application/json", "{}"), "unavailable"),
        ("a list", Act::json("[]"), "unavailable"),
    ] {
        let outside = Outside::start(move |_| act.clone()).await;
        let got = match asked(&lookups(&outside.url(), &["state:27"])).await {
            ParcelAnswer::NoParcel => "no parcel",
            ParcelAnswer::Unavailable(why) if why.contains("could not be asked") => "unavailable",
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(got, expected, "{name}");
    }
}
