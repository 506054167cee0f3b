use std::{
    collections::BTreeSet,
    process::{Command, Output},
};

use platbook::{
    answers::{FileTable, Found, Request, TABLES},
    vocabulary::{Function, StateCode},
};
use platbook_release::Sha256;
use platbook_service::edition::Edition;
use serde_json::Value;

use crate::{
    columnar,
    harness::{Client, Server},
    sweep::steps,
};

/// All rows of a list, following its cursors.
fn rows(client: &mut Client, target: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    for _ in 0..2_000 {
        let page = client.get(&format!("{target}{cursor}"));
        assert_eq!(page.status, 200, "{target}: {}", page.body);
        let mut answer = page.json();
        let Value::Array(own) = answer["data"]["jurisdictions"].take() else { panic!("{target}: no rows") };
        rows.extend(own);
        let Some(next) = answer["data"]["next_cursor"].as_str() else { return rows };
        assert!(page.header("link").contains(&format!("cursor={next}>; rel=\"next\"")), "{target}");
        cursor = format!("&cursor={next}");
    }
    panic!("{target} has no end")
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["jurisdiction_id"].as_str().unwrap()).collect()
}

fn client() -> Client {
    Client::connect(Server::shared().address)
}

#[test]
fn pages_join_to_the_whole_list() {
    let mut client = client();
    for list in [
        "/v1/jurisdictions?type=state",
        "/v1/jurisdictions?state=WY&order=population",
        "/v1/jurisdictions?within=county:27053&order=name",
        "/v1/jurisdictions?state=CT&type=county&function=recording",
        "/v1/offices?function=recording&state=CT",
        "/v1/offices?function=zoning&within=county:36027",
        "/v1/offices?function=assessment&state=GA",
    ] {
        let whole = rows(&mut client, &format!("{list}&limit=100"));
        let unique: BTreeSet<&str> = ids(&whole).into_iter().collect();
        assert!(unique.len() == whole.len() && whole.len() > 7, "{list}: {}", whole.len());
        for limit in [1, 7, 99] {
            assert_eq!(rows(&mut client, &format!("{list}&limit={limit}")), whole, "{list}, {limit}");
        }
    }
}

#[test]
fn lists_are_in_the_order_that_is_asked() {
    let mut client = client();
    let mut first = |target: &str| -> Vec<String> {
        let answer = client.get(target).json();
        let rows = answer["data"]["jurisdictions"].as_array().unwrap().clone();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let ohio = "/v1/jurisdictions?state=OH&type=county&limit=3";
    assert_eq!(first(ohio), ["Adams County", "Allen County", "Ashland County"]);
    let populous = ["Franklin County", "Cuyahoga County", "Hamilton County"];
    assert_eq!(first(&format!("{ohio}&order=population")), populous);
    let mut names = first("/v1/jurisdictions?type=place&order=name&limit=100");
    assert!(names.is_sorted() && names.len() == 100);
    names.dedup();
    assert!(names.len() > 50);
    let nation = first("/v1/jurisdictions?type=place&order=population&limit=3");
    assert_eq!(nation, ["New York", "Los Angeles", "Chicago"]);
}

/// The list has every county of the nation with its recorder, and every recording office once.
#[test]
fn each_county_has_its_recorder() {
    let mut client = client();
    let counties = rows(&mut client, "/v1/jurisdictions?type=county&function=recording&limit=100");
    assert!((3_143..3_300).contains(&counties.len()), "{}", counties.len());
    let entry = |row: &Value| row["entry"]["function"] == "recording" && row["entry"]["basis"].is_string();
    assert!(counties.iter().all(entry));
    let offices = rows(&mut client, "/v1/offices?function=recording&limit=100");
    let recording: BTreeSet<&str> = ids(&offices).into_iter().collect();
    let wrong = offices.iter().find(|row| {
        row["entry"]["jurisdiction_id"] != row["jurisdiction_id"] || row["entry"]["office"].is_null()
    });
    assert_eq!(wrong, None);
    // A body that a county names for recording is in the list of offices.
    let named = counties.iter().filter_map(|row| row["entry"]["jurisdiction_id"].as_str());
    let missing: Vec<&str> = named.filter(|id| !recording.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    println!("{} counties, {} offices that record", counties.len(), offices.len());
    let ids = ids(&offices);
    let has = |prefix: &str| ids.iter().filter(|id| id.starts_with(prefix)).count();
    // Towns of Connecticut, Rhode Island and Vermont; the states of Alaska and Hawaii.
    assert!(has("cousub:09") > 140 && has("cousub:50") > 230 && has("county:") > 2_900);
    assert!(has("state:02") == 1 && has("state:15") == 1);
}

/// Each body that a place names for a job is in the list of the job, with the same entry.
#[test]
fn lists_have_the_bodies_that_places_name() {
    let mut client = client();
    for (state, function) in [
        ("WY", "assessment"),
        ("NH", "tax_collection"),
        ("GA", "assessment"),
        ("NJ", "permits"),
        ("MN", "zoning"),
    ] {
        let offices = rows(&mut client, &format!("/v1/offices?function={function}&state={state}&limit=100"));
        for row in offices.iter().step_by((offices.len() / steps(100)).max(1)) {
            let id = row["jurisdiction_id"].as_str().unwrap();
            let place = client.get(&format!("/v1/places/{id}?limit=1")).json();
            let own = &place["data"]["functions"][function];
            let all = own["also"].as_array().into_iter().flatten().chain([own]);
            let same = all.filter(|entry| entry["jurisdiction_id"] == id).find(|entry| {
                ["office_name", "office", "basis", "evidence_url"]
                    .iter()
                    .all(|name| entry[*name] == row["entry"][*name])
            });
            let listed = place["data"]["offices"].as_array().unwrap();
            let office = |office: &Value| office["office_id"] == row["entry"]["office"]["office_id"];
            assert!(same.is_some() || listed.iter().any(office), "{id} {function}: {row:#}");
        }
    }
}

#[test]
fn many_points_have_the_rows_of_single_ones() {
    let mut client = client();
    let points =
        ["44.9773,-93.2655", "43.6243,-72.5185", "0,0", "x", "91,0", "43.35,-102.4", "46.8793,-91.9191"];
    let answer = client.get(&format!("/v1/jurisdictions/chains?points={}", points.join(";"))).json();
    let rows = answer["data"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), points.len());
    for (point, row) in points.iter().zip(rows) {
        assert_eq!(row["given"], *point);
        let (lat, lon) = point.split_once(',').unwrap_or((point, ""));
        let single = client.get(&format!("/v1/jurisdictions/resolve?lat={lat}&lon={lon}"));
        let single = single.json();
        if single.get("data").is_none() {
            assert_eq!(
                row["error"]["type"],
                if *point == "x" { "/problems/bad-point".into() } else { single["type"].clone() }
            );
            assert!(row["point"].is_null() && row["jurisdiction_ids"].as_array().unwrap().is_empty());
            continue;
        }
        let data = &single["data"];
        assert_eq!((&row["point"], &row["quality"]), (&data["point"], &data["match"]["quality"]), "{point}");
        let chain: Vec<&Value> =
            data["jurisdictions"].as_array().unwrap().iter().map(|one| &one["jurisdiction_id"]).collect();
        assert_eq!(row["jurisdiction_ids"].as_array().unwrap().iter().collect::<Vec<_>>(), chain, "{point}");
        let entries = data["functions"].as_object().unwrap().values().filter(|entry| !entry.is_null());
        let all = entries
            .flat_map(|entry| [entry].into_iter().chain(entry["also"].as_array().into_iter().flatten()));
        let members = ["function", "jurisdiction_id", "office_name", "confidence", "role"];
        let expected: Vec<Vec<&Value>> = all.map(|entry| members.map(|name| &entry[name]).into()).collect();
        let bodies = row["bodies"].as_array().unwrap().iter();
        let bodies: Vec<Vec<&Value>> = bodies.map(|body| members.map(|name| &body[name]).into()).collect();
        assert_eq!(bodies, expected, "{point}");
        let said = data_notices(&single);
        assert!(row["notices"].as_array().unwrap().iter().all(|notice| said.contains(notice)), "{point}");
    }
}

fn data_notices(answer: &Value) -> &[Value] {
    answer["notices"].as_array().unwrap()
}

#[test]
fn the_download_is_the_file_that_is_served() {
    let answer = client().get("/v1/download").json();
    let directory = platbook_service::embedded().unwrap();
    let (snapshot, file) = (&answer["data"]["snapshot"], directory.snapshot());
    assert_eq!(
        (&snapshot["snapshot_id"], &snapshot["bytes"]),
        (&file.id().into(), &file.bytes().len().into())
    );
    assert!(answer["data"]["published_at"].is_null(), "no address is configured");
    let files = answer["data"]["files"].as_array().unwrap();
    assert!(files.len() == 8 && files.iter().all(|file| file["url"].is_null()), "{files:?}");
    let sources = answer["data"]["licenses"].as_array().unwrap().iter();
    assert_eq!(
        sources.map(|class| class["sources"].as_u64().unwrap()).sum::<u64>(),
        directory.source_count() as u64
    );
}

/// Each state and the nation has an answer of at most four kilobytes: the snapshot's own figures, or unknown with a reason.
#[test]
fn coverage_is_that_of_the_snapshot() {
    let mut client = client();
    let directory = platbook_service::embedded().unwrap();
    let figures = directory.snapshot().coverage();
    for state in std::iter::once(None).chain(StateCode::all().map(Some)) {
        let target = state.map_or("/v1/coverage".to_owned(), |state| format!("/v1/coverage?state={state}"));
        let response = client.get(&target);
        assert!(response.body.len() <= 4_000, "{target}: {} bytes", response.body.len());
        let answer = response.json();
        let (data, notices) = (&answer["data"], data_notices(&answer));
        let Some(figures) = &figures else {
            assert!(data["links"].is_null() && notices.len() == 1, "{target}: {notices:?}");
            continue;
        };
        let counted = figures.people(state, Some(Function::Recording));
        assert_eq!(data["people"].as_u64(), counted.map(|of| u64::from(of.people)), "{target}");
        assert_eq!(data["links"]["addresses"], figures.links(state).addresses, "{target}");
        assert_eq!(data["jobs"].as_array().unwrap().is_empty(), counted.is_none(), "{target}");
        assert!(counted.is_some() || !notices.is_empty(), "{target}");
    }
    assert_eq!(client.get("/v1/coverage?state=ZZ").json()["type"], "/problems/unknown-state");
}

fn platbook(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_platbook")).args(words).env_clear().output().unwrap()
}

/// Runs the commands that `/v1/download` shows, as they are written there.
#[test]
fn commands_of_tables_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let points = folder.path().join("points.csv");
    std::fs::write(&points, "lat,lon\n44.9773,-93.2655\n").unwrap();
    for table in TABLES {
        let command = table.command.replace("points.csv", points.to_str().unwrap());
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let output = platbook(&words);
        let text = String::from_utf8(output.stdout).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected =
            if command.ends_with("jsonl") { "{\"jurisdiction_id\":" } else { "jurisdiction_id,type" };
        assert!(output.status.success() && text.lines().count() > 1, "{command}: {first}");
        assert!(table.name == "points" || first.starts_with(expected), "{command}: {first}");
        if table.name == "county_offices" {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let named = reader.records().map(Result::unwrap).filter(|row| !row[7].is_empty()).count();
            assert!(named > 3_143, "{named} counties with the title of an office");
        }
    }
}

/// The files that `/v1/download` names are those that `platbook tables` writes: the same bytes each time, and the same rows in
/// each format.
#[test]
fn tables_are_written_as_the_download_names_them() {
    let directory = platbook::testing::directory();
    let resources = directory.resource_count();
    let folder = tempfile::tempdir().unwrap();
    let snapshot = folder.path().join("s.platbook");
    std::fs::write(&snapshot, directory.snapshot().bytes()).unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    for to in [&one, &two, &two] {
        let words = ["tables", to.to_str().unwrap(), "--snapshot", snapshot.to_str().unwrap()];
        let output = platbook(&words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let edition = Edition::new(directory, "https://platbook.example");
    let edition = edition.published_at(Some("https://mirror.example/data/".to_owned()));
    let answer = edition.answers().finish(&Request::Download, Found::default()).unwrap();
    let body = edition.encode(&answer).fill("x").into_contiguous();
    let files = serde_json::from_slice::<Value>(&body).unwrap()["data"]["files"].take();
    let (mut sums, mut expected) = (String::new(), String::new());
    for file in files.as_array().unwrap() {
        let (path, format) = (file["path"].as_str().unwrap(), file["format"].as_str().unwrap());
        assert_eq!(file["url"].as_str().unwrap(), format!("https://mirror.example/data/{path}"));
        // `platbook tables` does not write the packed snapshot: `platbook-pipeline publish` does.
        match format {
            "platbook.zst" => continue,
            "sha256sums" => sums = std::fs::read_to_string(one.join(path)).unwrap(),
            _ => {
                let bytes = std::fs::read(one.join(path)).unwrap();
                assert!(bytes == std::fs::read(two.join(path)).unwrap(), "{path} has other bytes");
                let name = path.rsplit('/').next().unwrap();
                expected += &format!("{}  {name}\n", Sha256::of(&bytes));
            }
        }
    }
    assert_eq!(sums, expected);
    assert_eq!(sums.lines().count(), 6, "three tables in two formats");
    let id = edition.answers().directory().snapshot_id();
    for table in FileTable::ALL {
        let at = |format: &str| one.join(id).join(format!("{}.{format}", table.as_str()));
        let csv = csv::Reader::from_path(at("csv")).unwrap().into_records();
        let csv: Vec<Vec<String>> = csv.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(csv, columnar::rows_of(&at("parquet")), "{table:?}");
        assert!(!csv.is_empty() && (table != FileTable::Resources || csv.len() == resources), "{table:?}");
    }
}

#[test]
fn rows_of_a_list_end_at_its_limit() {
    for (words, lines) in [
        (&["list", "jurisdictions", "--state", "WY", "--type", "county", "--format", "jsonl"][..], 23),
        (
            &[
                "list",
                "jurisdictions",
                "--state",
                "WY",
                "--type",
                "county",
                "--format",
                "csv",
                "--limit",
                "5",
            ],
            6,
        ),
        (&["list", "offices", "--function", "assessment", "--state", "WY", "--format", "jsonl"], 23),
    ] {
        let output = platbook(words);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), lines, "{words:?}");
    }
    for (words, code, said) in [
        (&["list"][..], 2, "Usage"),
        (&["list", "offices"], 2, "function is missing"),
        (&["list", "offices", "--function", "x", "--format", "csv"], 2, "expected function as one of"),
        (
            &["list", "jurisdictions", "--limit", "0", "--format", "csv"],
            2,
            "expected --limit as a number of rows",
        ),
        (
            &["list", "jurisdictions", "--within", "county:27999", "--format", "csv"],
            1,
            "unknown-jurisdiction",
        ),
        (&["topics", "--format", "csv"], 2, "csv and jsonl are for lists"),
    ] {
        let output = platbook(words);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(code) && text.contains(said), "{words:?}: {text}");
    }
}
