use platbook::vocabulary::ProblemKind;
use platbook_service::wire::help_with;
use serde_json::Value;

use crate::harness::{Client, Response, SITE, Server};

pub fn get(target: &str) -> Response {
    Client::connect(Server::shared().address).get(target)
}

/// Texts that a person must find at an address, and the status.
const PAGES: &[(&str, u16, &[&str])] = &[
    (
        "/",
        200,
        &[
            "Who do I call about my property?",
            "href=\"/states/VT\"",
            "name=\"q\"",
            "Town, county, ZIP code or coordinates",
            "For an address, type its town",
            "href=\"/places/place:2743000#permits\"",
        ],
    ),
    (
        "/at/44.9773,-93.2655",
        200,
        &[
            "City of Minneapolis, Minnesota</h1>",
            "<summary>Due May 15, 2027 and October 15, 2027",
            "in the City of Minneapolis, Hennepin County, Minnesota",
            "City Assessor",
            "Law: ",
            "<h3><a href=\"#permits\">Get a building permit</a></h3>",
            "Something wrong? Report it on GitHub (needs an account)",
        ],
    ),
    ("/at/44.4654,-72.6874", 200, &["Stowe, Lamoille County, Vermont", "Get a building permit"]),
    (
        "/at/44.8901,-93.2655?zoom=walk",
        200,
        &[
            "The same either way",
            "Depends on the line",
            "if the line is off",
            ">The line</a>",
            "data-moves=\"/at/44.8901,-93.2655 ",
        ],
    ),
    (
        "/places/county:27053",
        200,
        &[
            "Hennepin County, Minnesota",
            "Ten questions",
            "/boundaries/county:27053.geojson",
            "Which city or town is the land in? Choose it:",
            "The same anywhere in Hennepin County",
            "Depends on the city or town",
        ],
    ),
    (
        "/places/county:32023",
        200,
        &["Call the Nye County assessor. Law: NRS 361.260. No telephone number of it is on record."],
    ),
    ("/places/place:2743000", 200, &["City of Minneapolis", "GovernmentOrganization"]),
    ("/places/country:us", 200, &["Official pages of the United States"]),
    ("/places/district:tx-travis-cad", 404, &["No place has this address"]),
    ("/states/VT", 200, &["Who handles property in Vermont?", "href=\"/places/county:50015\"", ">Stowe</a>"]),
    ("/states/vt", 200, &["Who handles property in Vermont?"]),
    ("/states", 200, &["Puerto Rico"]),
    ("/states/TX", 200, &["href=\"/states/TX?q=h\"", ">Houston</a>"]),
    ("/states/TX?q=h", 200, &["begin with H", "City of Houston", "Harris County"]),
    ("/states/TX?q=ustin", 200, &["City of Austin"]),
    ("/states/TX?q=zzzz", 200, &["has this in its name"]),
    ("/topics/zoning?place=county:27053", 200, &["All offices here", "Ask what zoning allows"]),
    ("/topics/zoning", 200, &["Find that office for your place"]),
    ("/topics", 200, &["Building permits"]),
    ("/changes", 200, &["Changes of the data</h1>", "href=\"/changes.atom\""]),
    (
        "/topics/zoning?at=44.9773,-93.2655",
        200,
        &[
            "Zoning and land use: Minneapolis, Minnesota",
            "href=\"/at/44.9773,-93.2655\"",
            "City of Minneapolis",
        ],
    ),
    ("/guides/recorder_deeds?state=VT", 200, &["In Vermont", "Town"]),
    ("/problems/ambiguous", 200, &["Several candidates match"]),
    (
        "/data",
        200,
        &["Sources and freshness", "U.S. Census Bureau", "How much is known", "counties with an outline"],
    ),
    (
        "/docs",
        200,
        &[
            "resolve_jurisdiction",
            "openapi.json",
            "curl 'https://platbook.example/v1/",
            "City Assessor",
            "20,000 a day",
            "/mcp",
        ],
    ),
    (
        "/docs?lang=python",
        200,
        &["urlopen(", "<details class=\"part\" open>", "Whoever runs this server gives keys"],
    ),
    ("/about", 200, &["A wrong office is worse than none"]),
    ("/?q=springfield", 200, &["Springfield: which one do you mean?", "<b>Missouri:</b>"]),
    ("/?q=zzzzqqqq", 200, &["Nothing found"]),
    ("/?q=How+do+I+appeal+my+property+taxes+in+Cook+County?", 200, &["which one do you mean?", "Illinois"]),
    (
        "/?q=55415",
        200,
        &["A ZIP code is a mail route", "href=\"/places/county:27053\"", "ZIP code 55415: Hennepin County"],
    ),
    ("/?q=-93.2655,+44.9773", 200, &["class=\"note caution\"><p>The first number was read as the longitude"]),
    ("/?q=property+appraiser+33139", 200, &["ZIP code 33139", "Official pages for this", "Miami-Dade"]),
    ("/?q=00001", 200, &["A ZIP code is a mail route", "Use a street address"]),
    (
        "/?q=mableton+ga",
        200,
        &["Mableton is a city that our map does not show yet", "href=\"/places/county:13067\""],
    ),
    ("/data/1", 200, &["Sources of rules, lists and pages, part 1", "The next part"]),
    ("/data/0", 404, &["There is no page here"]),
    ("/data/9999", 404, &["There is no page here"]),
    (
        "/?q=350+S+5th+St,+Minneapolis,+MN",
        200,
        &["Which town is it in?", "This server looks up no street addresses", "City of Minneapolis"],
    ),
    (
        "/?q=01002",
        200,
        &["does not show which city or town", "Hampshire County, Massachusetts", "City of Amherst"],
    ),
    ("/?q=33012+building+permit", 200, &["<nav class=\"cities\"", "#permits\">Hialeah</a>"]),
    // The line belongs to both St. Paul and Minneapolis, so there are only two sides.
    (
        "/at/44.9857,-93.2067",
        200,
        &[
            "<h1>City of St. Paul or City of Minneapolis, Minnesota</h1>",
            "<div class=\"sides heads\"><div><p class=\"side\">",
        ],
    ),
    ("/?q=01002+building+permit", 200, &["href=\"/places/county:25015#permits\""]),
    (
        "/?q=59101",
        200,
        &["<b>Yellowstone County, Montana</b>", "Fewer than 1% of its addresses are in each of these: "],
    ),
    (
        "/at/44.4654,-72.6874?zoom=44.47_-72.69_900",
        200,
        &["Map of the point", "at:44.4654,-72.6874:44.47_-72.69_900"],
    ),
    ("/at/44.4654,-72.6874?zoom=44.47_-72.69_90000", 400, &["This link is not whole"]),
    ("/at/0,0", 404, &["This point is outside the United States"]),
    ("/at/-93.2655,44.9773", 400, &["Do you mean", "href=\"/at/44.9773,-93.2655\"", "City of Minneapolis"]),
    ("/at/44.9773,93.2655", 404, &["href=\"/at/44.9773,-93.2655\""]),
    ("/?q=new+york", 200, &["Which one do you mean?", "<b>New York:</b> <span class=\"where\">State"]),
    ("/?q=stove+vermont", 200, &["Do you mean Stowe, Vermont?"]),
    ("/at/north,0", 400, &["This is not a point"]),
    ("/places/county:99999", 404, &["No place has this address"]),
    ("/topics/fishing", 404, &["No such topic"]),
    ("/offices/off_0000000000000000", 404, &["There is no page here"]),
];

#[test]
fn each_address_has_its_page() {
    for (target, status, texts) in PAGES {
        let page = get(target);
        assert_eq!(
            (page.status, page.header("content-type")),
            (*status, "text/html; charset=utf-8"),
            "{target}"
        );
        for text in *texts {
            assert!(page.body.contains(text), "{target} does not say {text}: {:.3000}", page.body);
        }
        // Drawings have titles of their own, so titles are counted in the head.
        let (head, body) = page.body.split_once("</head>").unwrap();
        let once = [(head, "<title>"), (body, "<h1>"), (body, "<main ")];
        once.iter().for_each(|(part, text)| assert_eq!(part.matches(text).count(), 1, "{target}: {text}"));
        let canonical = head.matches("rel=\"canonical\"").count();
        assert_eq!(
            canonical,
            usize::from(*status == 200),
            "{target}: of what was refused there is no address"
        );
    }
}

/// Each `page_url` that the interface gives leads to a page.
#[test]
fn page_urls_of_answers_are_answered() {
    let mut client = Client::connect(Server::shared().address);
    let mut pages = Vec::new();
    for target in [
        "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655",
        "/v1/jurisdictions/resolve?lat=44.4654&lon=-72.6874",
        "/v1/jurisdictions/resolve?lat=30.2672&lon=-97.7431",
        "/v1/places/county:27053",
        "/v1/places/state:50",
        "/v1/topics",
        "/v1/guides/zoning?state=VT",
        "/v1/resources?jurisdiction_id=county:27053&topic=zoning",
    ] {
        gather(&client.get(target).json(), &mut pages);
    }
    pages.sort();
    pages.dedup();
    assert!(pages.len() > 60, "{} pages", pages.len());
    for page in pages {
        let path = page.strip_prefix(SITE).expect("pages are below the site");
        let mut answer = client.get(path);
        if answer.status == 301 {
            answer = client.get(answer.header("location"));
        }
        assert_eq!(answer.status, 200, "{page}");
    }
}

fn gather(value: &Value, pages: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            pages.extend(fields.get("page_url").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| gather(field, pages));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, pages)),
        _ => {}
    }
}

#[test]
fn what_is_typed_leads_on() {
    for (target, location) in [
        ("/?q=44.9773,+-93.2655", "/at/44.9773,-93.2655"),
        ("/?q=44.9773+N+93.2655+W", "/at/44.9773,-93.2655"),
        ("/?q=https://www.openstreetmap.org/%23map%3D16/44.9773/-93.2655", "/at/44.9773,-93.2655"),
        ("/?q=zoning+44.9773,+-93.2655", "/at/44.9773,-93.2655#zoning"),
        ("/?q=Stowe,+Vermont", "/places/cousub:5001570525"),
        ("/?q=who+do+I+call+about+a+fence+in+Stowe,+Vermont%3F", "/places/cousub:5001570525#permits"),
        ("/?place=Hennepin+County&state=MN", "/places/county:27053"),
        ("/?q=stowe+vt+building+permit", "/places/cousub:5001570525#permits"),
        ("/?q=stowe%09vt", "/places/cousub:5001570525"),
        ("/?q=Texas", "/states/TX"),
        ("/?q=florida+homestead+deadline", "/guides/exemptions?state=FL"),
        ("/?q=florida+homestead+exemption", "/guides/exemptions?state=FL"),
        ("/?q=texas+property+tax", "/guides/property_tax_payment?state=TX"),
        ("/?q=homestead+florida", "/places/place:1232275"),
        ("/?q=wyoming", "/states/WY"),
        ("/at?map=at:44.9773,-93.2655:walk,480,340", "/at/44.9"),
        ("/at?map=at:44.9773,-93.2655:44.98_-93.26_900,480,340", "/at/44.98"),
        ("/docs/get_place?jurisdiction_id=county%3A27053&limit=", "/v1/places/county:27053"),
        ("/places/state:50", "/states/VT"),
        ("/at?map=county:27053,720,400", "/at/"),
    ] {
        let answer = get(target);
        assert!([301, 303].contains(&answer.status), "{target}: {}", answer.status);
        assert!(answer.header("location").starts_with(location), "{target}: {}", answer.header("location"));
    }
}

#[test]
fn the_same_address_gives_text_and_leads_to_json() {
    let mut client = Client::connect(Server::shared().address);
    let text = client.ask("GET", "/at/44.9773,-93.2655", "Accept: text/plain\r\n");
    assert_eq!(text.header("content-type"), "text/plain; charset=utf-8");
    assert!(text.body.starts_with("Minneapolis"), "{}", text.body);
    let json = client.ask("GET", "/places/county:27053", "Accept: application/json\r\n");
    assert_eq!((json.status, json.header("location")), (303, "/v1/places/county:27053"));
    let problem = client.ask("GET", "/places/county:99999", "Accept: application/json\r\n");
    assert_eq!((problem.status, problem.header("location")), (303, "/v1/places/county:99999"));
    let strict = client.ask("GET", "/v1/topics", "Accept: text/html\r\n");
    assert_eq!(strict.header("content-type"), "application/json");
}

#[test]
fn an_unknown_address_is_answered_in_the_accepted_form() {
    const PAGE: &str = "text/html; charset=utf-8";
    const PROBLEM: &str = "application/problem+json";
    let mut client = Client::connect(Server::shared().address);
    for (target, accept, media_type) in [
        ("/nowhere", "text/html,application/xhtml+xml,*/*;q=0.8", PAGE),
        ("/nowhere/%3Cb%3E", "text/html", PAGE),
        ("/nowhere", "*/*", PROBLEM),
        ("/nowhere", "application/json, text/html;q=0.5", PROBLEM),
        ("/v1/nowhere", "text/html", PROBLEM),
        ("/v1", "text/html", PROBLEM),
        ("/mcp/nowhere", "text/html", PROBLEM),
    ] {
        let answer = client.ask("GET", target, &format!("Accept: {accept}\r\n"));
        assert_eq!((answer.status, answer.header("content-type")), (404, media_type), "{target} {accept}");
        assert!(!answer.body.contains("<b>"), "{target}");
    }
}

#[test]
fn pages_are_kept_by_their_tag_and_load_nothing_from_elsewhere() {
    let mut client = Client::connect(Server::shared().address);
    for target in [
        "/",
        "/at/44.9773,-93.2655",
        "/places/county:27053",
        "/boundaries/county:27053.geojson",
        "/sitemap.xml",
    ] {
        let page = client.get(target);
        let again = client.ask("GET", target, &format!("If-None-Match: {}\r\n", page.header("etag")));
        assert_eq!((page.status, again.status), (200, 304), "{target}");
        assert_eq!(page.header("vary"), "Accept, Accept-Encoding");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    }
    let page = client.get("/at/44.9773,-93.2655").body;
    assert!(!page.contains("style=\"") && !page.contains("<style"), "no style within a page");
    for src in page.split(" src=\"").skip(1) {
        assert!(src.starts_with("/assets/"), "{src:.80}");
    }
    let style =
        page.split("rel=\"stylesheet\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let asset = client.get(style);
    assert_eq!((asset.status, asset.header("cache-control")), (200, "public, max-age=31536000"));
    assert!(asset.bytes.len() <= 12_000, "{} bytes of style", asset.bytes.len());
}

#[test]
fn outlines_are_geojson_as_the_standard_wants() {
    for (id, points) in
        [("county:27053", 100), ("place:2743000", 50), ("county:02016", 500), ("state:15", 500)]
    {
        let answer = get(&format!("/boundaries/{id}.geojson"));
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/geo+json"), "{id}");
        let feature = answer.json();
        assert_eq!(feature["geometry"]["type"], "MultiPolygon");
        let rings: Vec<&Vec<Value>> = feature["geometry"]["coordinates"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|polygon| polygon.as_array().unwrap())
            .map(|ring| ring.as_array().unwrap())
            .collect();
        assert!(rings.iter().map(|ring| ring.len()).sum::<usize>() > points, "{id}");
        for ring in rings {
            assert!(ring.len() > 3 && ring.first() == ring.last(), "{id}");
        }
    }
    assert_eq!(get("/boundaries/county:99999.geojson").status, 404);
}

#[test]
fn every_problem_has_its_page() {
    for kind in ProblemKind::all() {
        let page = get(&format!("/problems/{}", kind.slug()));
        assert_eq!(page.status, 200);
        for text in [kind.slug(), kind.title(), help_with(kind).meaning, help_with(kind).remedy] {
            let escaped =
                text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
            assert!(page.body.contains(&escaped), "{}: {text}", kind.slug());
        }
    }
}

#[test]
fn search_engines_get_every_page() {
    let index = get("/sitemap.xml").body;
    let parts: Vec<&str> = index.split("<loc>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
    assert!(parts.len() > 2, "{index}");
    let mut addresses = 0;
    for part in &parts {
        let list = get(part.strip_prefix(SITE).unwrap()).body;
        assert!(!list.contains("<loc></loc>") && list.contains(&format!("<loc>{SITE}/")), "{part}");
        addresses += list.matches("<loc>").count();
    }
    assert!(addresses > 60_000, "{addresses}");
    assert_eq!(get(&format!("/sitemaps/{}.xml", parts.len())).status, 404);
    assert!(get("/robots.txt").body.contains("Sitemap: https://platbook.example/sitemap.xml"));
}

/// Each address in the guide for language models is answered, the changes are a feed, and the contacts name the
/// project.
#[test]
fn programs_find_what_they_look_for() {
    let guide = get("/llms.txt").body;
    let addresses: Vec<&str> = guide.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(addresses.len() > 15 && guide.starts_with("# "), "{guide}");
    // The shared server has no tools.
    for path in
        addresses.iter().map(|address| address.strip_prefix(SITE).unwrap()).filter(|path| *path != "/mcp")
    {
        assert_eq!(get(path).status, 200, "{path}");
    }
    let feed = get("/changes.atom");
    assert_eq!(feed.header("content-type"), "application/atom+xml");
    assert!(
        feed.body.contains("<feed xmlns=\"http://www.w3.org/2005/Atom\"")
            && feed.body.contains("/changes</id>")
    );
    let contacts = get("/.well-known/security.txt").body;
    for line in [
        "\nContact: https://github.com/",
        "\nExpires: 20",
        "\nCanonical: https://platbook.example/.well-known/security.txt\n",
    ] {
        assert!(contacts.contains(line), "{line} is not in\n{contacts}");
    }
    assert_eq!(contacts.matches("Contact: ").count(), 1);
    assert_eq!(get("/.well-known/nothing").status, 404);
    for (name, media_type, list) in [
        ("ai-catalog.json", "application/ai-catalog+json", "entries"),
        ("ard.json", "application/ai-catalog+json", "entries"),
        (
            "api-catalog",
            "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
            "linkset",
        ),
    ] {
        let file = get(&format!("/.well-known/{name}"));
        assert_eq!(file.header("content-type"), media_type);
        let value: Value = serde_json::from_str(&file.body).unwrap();
        assert!(!value[list].as_array().unwrap().is_empty(), "{value}");
        for address in file.body.split('"').filter_map(|text| text.strip_prefix(SITE)) {
            // The shared server has no tools and is not warm, and `/v1` is only the beginning of addresses.
            let is_here = !address.starts_with("/mcp") && !["/v1", "/readyz"].contains(&address);
            assert!(!is_here || get(address).status == 200, "{address}");
        }
    }
    let catalog = Client::connect(Server::shared().address).ask("HEAD", "/.well-known/api-catalog", "");
    assert_eq!(catalog.header("link"), "<api-catalog>; rel=\"api-catalog\"");
}

/// With `.txt` after its path, a page with an answer is what `Accept: text/plain` gives.
#[test]
fn pages_have_twins_in_text() {
    let mut client = Client::connect(Server::shared().address);
    for path in ["/guides/zoning", "/states/vt", "/places/county:27053", "/at/44.9773,-93.2655"] {
        let twin = get(&format!("{path}.txt"));
        assert_eq!((twin.status, twin.header("content-type")), (200, "text/plain; charset=utf-8"), "{path}");
        assert_eq!(twin.body, client.ask("GET", path, "Accept: text/plain\r\n").body, "{path}");
    }
    for (path, status) in [("/guides/nothing.txt", 404), ("/about.txt", 404), ("/places/.txt", 400)] {
        assert_eq!(get(path).status, status, "{path}");
    }
}

/// With more pages than the cache holds, each plain and packed, the least used are evicted.
#[test]
fn more_pages_than_are_kept_are_answered() {
    let mut client = Client::connect(Server::shared().address);
    for round in 0..2 {
        for county in (1..200).step_by(2) {
            let target = format!("/places/county:48{county:03}");
            let coding = ["gzip", "zstd", "identity"][county % 3];
            let page = client.ask("GET", &target, &format!("Accept-Encoding: {coding}\r\n"));
            assert_eq!(page.status, 200, "{target} in round {round}");
        }
    }
}
