use serde_json::Value;

use crate::harness::{COVERED, Client, Response, SITE, Server};

/// Requests whose answers are paged: few and many resources, with and without a topic, by id and by point.
const LISTS: &[&str] = &[
    "/v1/resources?jurisdiction_id=country:us",
    "/v1/resources?jurisdiction_id=state:06",
    "/v1/resources?jurisdiction_id=county:27053",
    "/v1/resources?jurisdiction_id=county:06037&topic=floodplain",
    "/v1/resources?jurisdiction_id=place:2743000&topic=zoning",
    "/v1/resources?jurisdiction_id=county:48301",
    "/v1/resources?lat=44.9773&lon=-93.2655&topic=parcel_map",
    "/v1/places/country:us?",
    "/v1/places/state:27?",
    "/v1/places/county:17031?",
    "/v1/places/county%3A06037?unknown=1",
    "/v1/places/place:2743000?",
];

/// An answer without its page and without its request id.
fn without_page(mut answer: Value) -> Value {
    answer["request_id"].take();
    answer["sources"].take();
    answer["notices"].take();
    for field in ["resources", "next_cursor"] {
        answer["data"][field].take();
    }
    answer
}

fn resources(answer: &Value) -> &[Value] {
    answer["data"]["resources"].as_array().unwrap()
}

/// The target of the next page, as the header has it.
fn next_link(response: &Response) -> Option<String> {
    let link = response.header("link");
    if link.is_empty() {
        return None;
    }
    let target = link.strip_prefix(&format!("<{SITE}")).and_then(|rest| rest.strip_suffix(">; rel=\"next\""));
    Some(target.unwrap_or_else(|| panic!("{link} is not a link to a page of {SITE}")).to_owned())
}

/// Returns all pages from the first on, by following the header.
fn pages(client: &mut Client, first: &str) -> Vec<Value> {
    let (mut pages, mut target) = (Vec::new(), Some(first.to_owned()));
    while let Some(asked) = target {
        let response = client.get(&asked);
        assert_eq!(response.status, 200, "{asked}: {}", response.body);
        let page = response.json();
        target = next_link(&response);
        match page["data"]["next_cursor"].as_str() {
            Some(cursor) => {
                assert!(cursor.len() <= 200 && cursor.bytes().all(|byte| byte.is_ascii_alphanumeric()));
                assert!(target.as_ref().is_some_and(|next| next.ends_with(&format!("cursor={cursor}"))));
            }
            None => assert_eq!(target, None, "{asked}"),
        }
        pages.push(page);
        assert!(pages.len() < 1000, "{first} has no end");
    }
    pages
}

#[test]
fn pages_concatenate_to_the_whole() {
    let mut client = Client::connect(Server::shared().address);
    let mut most = 0;
    for list in LISTS {
        let whole: Vec<Value> =
            pages(&mut client, &format!("{list}&limit=100")).iter().flat_map(resources).cloned().collect();
        most = most.max(whole.len());
        for limit in [1, 2, 3, 7, 49, 50, 99] {
            let pages = pages(&mut client, &format!("{list}&limit={limit}"));
            let (last, full) = pages.split_last().unwrap();
            assert!(full.iter().all(|page| resources(page).len() == limit), "{list}, {limit}");
            assert!(resources(last).len() <= limit && (full.is_empty() || !resources(last).is_empty()));
            let joined: Vec<Value> = pages.iter().flat_map(resources).cloned().collect();
            assert_eq!(joined, whole, "{list}, {limit}");
            for page in full {
                assert_eq!(without_page(page.clone()), without_page(last.clone()), "{list}, {limit}");
            }
        }
        let unsaid = pages(&mut client, list);
        assert_eq!(unsaid, with_ids_of(&unsaid, pages(&mut client, &format!("{list}&limit=50"))), "{list}");
    }
    assert!(most > 50, "some list must need pages of its own accord, the longest has {most}");
}

/// Pages of separate requests differ in their request ids.
fn with_ids_of(like: &[Value], mut pages: Vec<Value>) -> Vec<Value> {
    for (page, like) in pages.iter_mut().zip(like) {
        page["request_id"] = like["request_id"].clone();
    }
    pages
}

fn cursor_of(client: &mut Client, target: &str) -> String {
    client.get(target).json()["data"]["next_cursor"].as_str().unwrap().to_owned()
}

fn check_refused(client: &mut Client, target: &str, said: &str) {
    let response = client.get(target);
    let problem = response.json();
    let got = (response.status, problem["type"].as_str().unwrap());
    assert_eq!(got, (400, "/problems/bad-cursor"), "{target}");
    assert_eq!(response.header("cache-control"), "no-store");
    assert!(problem["detail"].as_str().unwrap().contains(said), "{target}: {problem}");
}

#[test]
fn a_cursor_is_of_one_question() {
    let mut client = Client::connect(Server::shared().address);
    for (own, other) in [
        ("/v1/resources?jurisdiction_id=state:06&limit=2", "/v1/places/state:06?limit=2"),
        ("/v1/places/state:06?limit=2", "/v1/resources?jurisdiction_id=state:06&limit=2"),
        ("/v1/places/state:06?limit=2", "/v1/places/state:27?limit=2"),
        ("/v1/places/state:06?limit=2", "/v1/places/state:06?limit=3"),
        ("/v1/places/state:06?limit=2", "/v1/places/state:06?"),
        (
            "/v1/resources?jurisdiction_id=state:06&limit=2",
            "/v1/resources?jurisdiction_id=state:06&limit=2&topic=zoning",
        ),
        (
            "/v1/resources?jurisdiction_id=state:06&limit=2&topic=zoning",
            "/v1/resources?jurisdiction_id=state:06&limit=2&topic=floodplain",
        ),
        (
            "/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning&limit=2",
            "/v1/resources?lat=44.9774&lon=-93.2655&topic=zoning&limit=2",
        ),
        (
            "/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning&limit=2",
            "/v1/resources?jurisdiction_id=place:2743000&topic=zoning&limit=2",
        ),
    ] {
        let cursor = cursor_of(&mut client, own);
        assert_eq!(client.get(&format!("{own}&cursor={cursor}")).status, 200, "{own}");
        check_refused(&mut client, &format!("{other}&cursor={cursor}"), "not given for these parameters");
    }
}

#[test]
fn a_cursor_outlives_other_spellings_of_its_question() {
    let mut client = Client::connect(Server::shared().address);
    let cursor = cursor_of(&mut client, "/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning&limit=2");
    let escaped: String = cursor.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let expected = client
        .get(&format!("/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning&limit=2&cursor={cursor}"))
        .json();
    for target in [
        format!("/v1/resources?cursor={cursor}&lat=44.9773&lon=-93.2655&topic=zoning&limit=2"),
        format!("/v1/resources?lat=44.9773&cursor={cursor}&lon=-93.26550&topic=zon%69ng&limit=02"),
        format!("/v1/resources?limit=2&&%63urso%72={escaped}&topic=zoning&lat=449773e-4&lon=-93.2655&"),
        format!(
            "/v1/resources?cursor={cursor}&unknown=a|b^{{}}&lat=44.9773&lon=-93.2655&topic=zoning&limit=2"
        ),
    ] {
        let response = client.get(&target);
        let answer = response.json();
        assert_eq!((response.status, &answer["data"]), (200, &expected["data"]), "{target}");
        let next = next_link(&response).unwrap();
        assert_eq!(next.matches("cursor=").count(), 1, "{next}");
        assert!(!next.contains("%63urso") && !next.contains(['|', '^', '{', '}']), "{next}");
        let following = client.get(&next);
        let expected = client.get(&next_of(&expected)).json();
        assert_eq!((following.status, &following.json()["data"]), (200, &expected["data"]), "{next}");
    }
}

fn next_of(answer: &Value) -> String {
    let cursor = answer["data"]["next_cursor"].as_str().unwrap();
    format!("/v1/resources?lat=44.9773&lon=-93.2655&topic=zoning&limit=2&cursor={cursor}")
}

#[test]
fn spoilt_cursors_are_refused() {
    let mut client = Client::connect(Server::shared().address);
    let list = "/v1/places/state:06?limit=2";
    let cursor = cursor_of(&mut client, list);
    for at in 0..cursor.len() {
        let mut spoilt = cursor.clone();
        let digit = if &cursor[at..=at] == "0" { "1" } else { "0" };
        spoilt.replace_range(at..=at, digit);
        check_refused(&mut client, &format!("{list}&cursor={spoilt}"), "cursor");
        check_refused(&mut client, &format!("{list}&cursor={}", &cursor[..at]), "cursor");
    }
    for (spoilt, said) in [
        ("", "not a cursor"),
        ("next", "not a cursor"),
        ("%C3%A9", "not a cursor"),
        ("-1", "not a cursor"),
        (&*format!("{cursor}0"), "not given for these parameters"),
        (&*format!("{cursor}%20"), "cursor"),
        (&*format!("{cursor}{cursor}"), "cursor"),
        (&*"0".repeat(32), "not given for these parameters"),
        (&*"f".repeat(200), "cursor"),
        (&*"0".repeat(201), "longer than 200 characters"),
        (&*"0".repeat(5000), "longer than 200 characters"),
    ] {
        check_refused(&mut client, &format!("{list}&cursor={spoilt}"), said);
    }
    let twice = client.get(&format!("{list}&cursor={cursor}&cursor={cursor}"));
    assert!(twice.json()["type"].as_str().unwrap().ends_with("/bad-parameter"));
}

#[test]
fn only_pages_with_another_one_have_a_link() {
    let mut client = Client::connect(Server::shared().address);
    for (target, linked) in [
        (COVERED, false),
        ("/v1/topics", false),
        ("/v1/guides/zoning", false),
        ("/v1/places/state:06?limit=100", false),
        ("/v1/places/state:06?limit=1", true),
        ("/v1/places/state:06?limit=0", false),
    ] {
        for method in ["GET", "HEAD"] {
            assert_eq!(
                !client.ask(method, target, "").header("link").is_empty(),
                linked,
                "{method} {target}"
            );
        }
    }
}
