//! Tests governments with several ids: each office has one id, wherever it is named.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    answers::{Found, Paging, Request},
    directory::Row,
    vocabulary::JurisdictionId,
};
use platbook_service::edition::Edition;
use serde_json::Value;

use crate::harness::SITE;

fn page(edition: &Edition, id: JurisdictionId) -> Value {
    let paging = Paging { limit: 1, cursor: None };
    let answer = edition.answers().finish(&Request::Place { id, paging }, Found::default()).unwrap();
    let body = edition.encode(&answer).fill("a-request").into_contiguous();
    serde_json::from_slice::<Value>(&body).unwrap()["data"].take()
}

/// The offices of `functions`, including those of further bodies.
fn named(page: &Value) -> Vec<Value> {
    let entries = page["functions"].as_object().unwrap().values();
    let further = entries.clone().flat_map(|entry| entry["also"].as_array().into_iter().flatten());
    entries.chain(further).map(|entry| entry["office"].clone()).filter(Value::is_object).collect()
}

#[test]
fn an_office_has_one_id_under_all_ids_of_its_government() {
    let directory = platbook_service::embedded().unwrap();
    let rows = directory.rows();
    let several_ids: Vec<Row> = rows.filter(|row| directory.same_as(*row).next().is_some()).collect();
    assert!(several_ids.len() > 2900, "{} have another id", several_ids.len());
    let edition = Edition::new(platbook_service::embedded().unwrap(), SITE);
    // Ids by government and title.
    let mut ids: BTreeMap<(Row, String), BTreeSet<String>> = BTreeMap::new();
    let mut faults = Vec::new();
    for row in several_ids {
        let group: Vec<Row> = std::iter::once(row).chain(directory.same_as(row)).collect();
        let of_group: Vec<String> =
            group.iter().map(|row| directory.jurisdiction(*row).id.to_string()).collect();
        let page = page(&edition, directory.jurisdiction(row).id);
        let listed = page["offices"].as_array().unwrap();
        let is_own = |office: &Value| of_group.iter().any(|id| office["jurisdiction_id"] == **id);
        for office in named(&page).iter().filter(|office| is_own(office)) {
            if !listed.contains(office) {
                faults.push(format!("{} does not list {office}", of_group[0]));
            }
        }
        let government = *group.iter().min().unwrap();
        for office in listed {
            assert!(is_own(office), "{} lists {office}", of_group[0]);
            let title = office["name"].as_str().unwrap().to_lowercase();
            let id = office["office_id"].as_str().unwrap().to_owned();
            ids.entry((government, title)).or_default().insert(id);
        }
    }
    let several = ids.iter().filter(|(_, ids)| ids.len() > 1);
    faults.extend(
        several.map(|((row, title), ids)| {
            format!("{title:?} of {} is {ids:?}", directory.jurisdiction(*row).id)
        }),
    );
    let some = &faults[..faults.len().min(20)];
    assert!(faults.is_empty(), "{} faults, such as\n{}", faults.len(), some.join("\n"));
}
