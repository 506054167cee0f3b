"""Walks some 1,500 answers of a running service and holds each against the tables of the interface contract: names, required
members, nulls, words, ids, order, headers, statuses of problems and limits: walk.py URL LIMITED_URL

The tables below are the contract's, one line for each member. The service at URL has no limits. The
one at LIMITED_URL has those of the contract, and has received no request. Members that the contract does not have are
allowed, as it says. Prints deviations and their number, and fails if there is one.
"""

import http.client
import json
import random
import re
import sys
import urllib.parse

# The tables: a shape, then its members as "name type", with ? after a type that may be null and * before a member that may
# be missing. [T] is a list of T.
TABLES = """
Source: name string; url string; publisher string?; official boolean; retrieved_at string?; license_class LicenseClass;
  *verified_status Verified; *verified_at string?
Point: type =Point; coordinates [number]
Jurisdiction: jurisdiction_id Id; type JurisdictionType; name string; *legal_type string?; *state State?; *same_as [Id];
  *ocd_id string?; *tiger_vintage string?; page_url string
Office: office_id string; name string; *kind string?; jurisdiction_id Id; *phone string?; *email string?; *url string?;
  *address string?; *person object?; *verified_status Verified; *verified_at string?; page_url string
Resource: resource_id string; name string; *description string?; url string; *search_url_template Template?; topics [Topic];
  *jurisdiction_id Id; *publisher string?; *provider string?; official boolean; verified_status Verified;
  *verified_at string?; *verification_method Method?; *last_http_status integer?; license_class =open; *source_kind string;
  page_url string
FunctionEntry: function Function; jurisdiction_id Id?; office_name string?; office Office?; resources [Resource]; *role Role;
  *levy_scope Levy?; *basis string?; *evidence_url string?; *also [FunctionEntry]
Functions: assessment FunctionEntry?; tax_collection FunctionEntry?; recording FunctionEntry?; zoning FunctionEntry?;
  permits FunctionEntry?; gis FunctionEntry?
ResolveResult: match object; point Point?; jurisdictions [Jurisdiction]; functions Functions
ResourcePage: jurisdiction Jurisdiction; *point Point?; topic Topic?; resources [Resource]; next_cursor string?
PlacePage: jurisdiction Jurisdiction; chain [Jurisdiction]; offices [Office]; resources [Resource]; functions Functions;
  next_cursor string?
TopicInfo: topic Topic; name string; description string; functions [Function]; page_url string; guide_url string?
TopicList: topics [TopicInfo]; functions object; aliases object
Rule: office string?; level Level?; where string?; *note string?
StateRules: state string; name string; assessment Rule; tax_collection Rule; recording Rule; zoning Rule?; exemptions Rule?;
  *page_url string
Guide: topic Topic; state string?; title string; summary string; sections [object]; page_url string; state_rules StateRules?;
  state_summary string?; also [object]
Decider: description string; function Function?; office FunctionEntry?
Fact: status string; summary string; detail string?; values object; dataset string; publisher string; as_of string?;
  caveat string; decided_by Decider; resources [Resource]
Screening: kind =screening; point Point; jurisdictions [Jurisdiction]; facts Facts
SearchResult: places [Jurisdiction]; resources [Resource]
Choice: label string; *lat number; *lon number; *jurisdiction_id Id; *page_url string
Problem: type ProblemType; title string; status integer; detail string; request_id string; *choices [Choice]
JurisdictionList: *count integer; function Function?; jurisdictions [Listed]; next_cursor string?
Listed: jurisdiction_id Id; type JurisdictionType; name string; page_url string; *entry FunctionEntry
ChainList: rows [ChainRow]
ChainRow: given string; point Point?; quality string?; jurisdiction_ids [Id]; bodies [Body]; notices [string]; *error RowError
Body: function Function; jurisdiction_id Id?; office_name string?
RowError: type ProblemType; detail string
Download: snapshot object; published_at string?; tables [object]; files [DataFile]; write string; check string;
  licenses [object]; sources_url string
DataFile: path string; format string; description string; url string?
CoverageReport: state string?; people integer?; people_year integer; jobs [JobCoverage]; layers [LayerCoverage];
  links LinkCoverage?; rules_checked object?; states object?
JobCoverage: function Function; office number?; no_office number?; action number?; page number?; phone number?; verified number?
LayerCoverage: layer JurisdictionType; jurisdictions integer; outlines integer; own_point number?; oldest integer?; newest integer?
LinkCoverage: addresses integer; verified integer; not_yet_verified integer; possibly_broken integer; last_look string?
"""

TOPICS = (
    "parcel_map county_gis assessor property_tax_payment tax_collector recorder_deeds plats_surveys zoning building_permits "
    "septic_well wetlands floodplain soils elevation roads_right_of_way public_land property_records_general"
).split()

WORDS = {
    "LicenseClass": "open public_record restricted_no_redistribution licensed_third_party unknown",
    "Verified": "verified not_yet_verified possibly_broken",
    "JurisdictionType": "country state county cousub place district",
    "Method": "automated browser manual",
    "Function": "assessment tax_collection recording zoning permits gis exemptions",
    "Role": "primary secondary delinquent",
    "Levy": "county municipal school special all",
    "Level": "state county town city",
    "Topic": " ".join(TOPICS),
}

PATTERNS = {
    "Id": r"(state:\d{2}|county:\d{5}|cousub:\d{10}|place:\d{7}|district:[a-z0-9-]+|country:us)",
    "State": r"[A-Za-z]{2}",
    "Template": r".*\{(pin|q)\}.*",
}

STATUSES = {
    "flood": "sfha moderate minimal unmapped unknown",
    "wetlands": "yes near no unknown",
    "soils": "ok none unknown",
    "elevation": "ok unknown",
    "shoreland": "likely no unknown",
    "radon": "zone_1 zone_2 zone_3 not_listed",
}

PROBLEMS = {
    "bad-parameter": [400], "bad-point": [400], "bad-cursor": [400], "unknown-topic": [400, 404], "unknown-state": [400],
    "invalid-key": [401], "unknown-jurisdiction": [404], "outside-coverage": [404], "address-not-found": [404],
    "place-not-found": [404], "not-found": [404], "method-not-allowed": [405], "ambiguous": [409], "rate-limited": [429],
    "lookup-limit": [429], "internal-error": [500], "busy": [503], "upstream-unavailable": [503],
}

DAY, HOUR, QUARTER = 86_400, 3_600, 900
# Path, shape of the data, lifetime.
ENDPOINTS = [
    (r"/v1/jurisdictions/resolve", "ResolveResult", QUARTER), (r"/v1/jurisdictions/chains", "ChainList", QUARTER),
    (r"/v1/jurisdictions", "JurisdictionList", QUARTER), (r"/v1/offices", "JurisdictionList", QUARTER),
    (r"/v1/resources", "ResourcePage", QUARTER), (r"/v1/places/[^/]+", "PlacePage", QUARTER),
    (r"/v1/topics", "TopicList", DAY), (r"/v1/guides/[^/]+", "Guide", DAY), (r"/v1/screening", "Screening", HOUR),
    (r"/v1/search", "SearchResult", QUARTER), (r"/v1/download", "Download", QUARTER),
    (r"/v1/coverage", "CoverageReport", QUARTER),
]


def tables():
    """The shapes: name to a list of member, type, whether it may be null, whether it must be there."""
    shapes = {}
    for line in re.sub(r"\n  ", " ", TABLES).strip().splitlines():
        name, members = line.split(":", 1)
        shapes[name] = []
        for member in members.split(";"):
            field, kind = member.split()
            shapes[name].append((field.lstrip("*"), kind.rstrip("?"), kind.endswith("?"), not field.startswith("*")))
    return shapes


SHAPES = tables()
SIMPLE = {"string": str, "boolean": bool, "object": dict}


class Walk:
    """Asks a service, holds each answer against the tables, and counts."""

    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=60)
        self.answers, self.records, self.problems, self.deviations = 0, {}, {}, []

    def fault(self, target, what):
        self.deviations.append(f"{target}: {what}")

    def send(self, target, method="GET", headers=None):
        """Status, headers and body of a response."""
        try:
            self.connection.request(method, target, headers=headers or {})
            response = self.connection.getresponse()
        except (http.client.HTTPException, OSError):
            self.connection.close()
            self.connection.request(method, target, headers=headers or {})
            response = self.connection.getresponse()
        body = response.read()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, body

    def ask(self, target, expected=200, slug=None, headers=None):
        """The data of a success, or the problem."""
        status, got, body = self.send(target, headers=headers)
        self.answers += 1
        fault = lambda what: self.fault(target, what)
        value = json.loads(body)
        if expected is not None and status != expected:
            fault(f"status {status}, expected {expected}: {value.get('detail', '')[:200]}")
        if value.get("request_id") != got.get("x-request-id"):
            fault("request_id is not that of the header")
        if not re.fullmatch(r"[A-Za-z0-9._-]{8,64}", value.get("request_id") or ""):
            fault("request_id has another form")
        if status == 200:
            self.success(target, got, value)
            return value
        self.problem(target, status, got, value, slug)
        return value

    def success(self, target, got, value):
        fault = lambda what: self.fault(target, what)
        path = urllib.parse.urlsplit(target).path
        shape, lifetime = next((shape, life) for pattern, shape, life in ENDPOINTS if re.fullmatch(pattern, path))
        if got.get("content-type") != "application/json":
            fault(f"content-type {got.get('content-type')}")
        if not re.fullmatch(r'W/"[^"]+"', got.get("etag", "")):
            fault(f"etag {got.get('etag')}")
        age = re.search(r"max-age=(\d+)", got.get("cache-control", ""))
        if not age or int(age[1]) != lifetime:
            fault(f"cache-control {got.get('cache-control')}")
        for name, kind in [("as_of", "string"), ("request_id", "string"), ("notices", "[string]"), ("sources", "[Source]")]:
            if name not in value:
                fault(f"the envelope lacks {name}")
            else:
                self.hold(target, name, value[name], kind, False)
        self.hold(target, "data", value.get("data"), shape, False)
        self.judge(target, got, value["data"], shape)

    def judge(self, target, got, data, shape):
        """Rules that are not about one member."""
        fault = lambda what: self.fault(target, what)
        cursor = data.get("next_cursor") if "next_cursor" in data else None
        link = got.get("link", "")
        if bool(cursor) != ('rel="next"' in link) or (cursor and f"cursor={cursor}>" not in link):
            fault(f"next_cursor {cursor} and Link {link}")
        if cursor and len(cursor) > 200:
            fault("the cursor is longer than 200")
        rank = ["state", "county", "cousub", "place"]
        if shape in ("ResolveResult", "Screening"):
            types = [item["type"] for item in data["jurisdictions"]]
            if types != sorted(types, key=lambda kind: rank.index(kind) if kind in rank else 9):
                fault(f"jurisdictions are not from largest to smallest: {types}")
        if shape == "ResolveResult" and ("place=" in target) != (data["point"] is None):
            fault("point is null by name, and only then")
        if shape == "TopicList":
            if set(data["functions"]) != set(WORDS["Function"].split()[:6]):
                fault("functions of the list of topics")
            # Later versions only add topics, so those of the contract come first.
            topics = [info["topic"] for info in data["topics"]]
            if not set(data["aliases"].values()) <= set(topics) or topics[: len(TOPICS)] != TOPICS:
                fault("topics or aliases")
        if shape == "Screening":
            for key, fact in data["facts"].items():
                if fact["status"] not in STATUSES.get(key, "").split():
                    fault(f"{key} has the status {fact['status']}")

    def hold(self, target, path, value, kind, nullable):
        """Holds a value against the type of its member."""
        fault = lambda what: self.fault(target, f"{path}: {what}")
        if value is None:
            return None if nullable else fault("null")
        if kind.startswith("["):
            if not isinstance(value, list):
                return fault("no list")
            for at, item in enumerate(value):
                self.hold(target, f"{path}[{at}]", item, kind[1:-1], False)
        elif kind.startswith("="):
            if value != kind[1:]:
                fault(f"{value!r}, expected {kind[1:]}")
        elif kind in SHAPES:
            self.shape(target, path, value, kind)
        elif kind in WORDS:
            if value not in WORDS[kind].split():
                fault(f"{value!r} is no word of {kind}")
        elif kind in PATTERNS:
            if not isinstance(value, str) or not re.fullmatch(PATTERNS[kind], value):
                fault(f"{value!r} is no {kind}")
        elif kind == "ProblemType":
            if value.rsplit("/", 1)[-1] not in PROBLEMS:
                fault(f"{value!r} is no type of a problem")
        elif kind == "Facts":
            for key, fact in value.items():
                self.hold(target, f"{path}.{key}", fact, "Fact", False)
        elif kind == "number":
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                fault("no number")
        elif kind == "integer":
            if isinstance(value, bool) or not isinstance(value, int):
                fault("no whole number")
        elif not isinstance(value, SIMPLE[kind]):
            fault(f"no {kind}")

    def shape(self, target, path, value, kind):
        if not isinstance(value, dict):
            return self.fault(target, f"{path}: no object")
        self.records[kind] = self.records.get(kind, 0) + 1
        for field, inner, nullable, required in SHAPES[kind]:
            if field in value:
                self.hold(target, f"{path}.{field}", value[field], inner, nullable)
            elif required:
                self.fault(target, f"{path} lacks {field}")
        if kind == "FunctionEntry" and value.get("function") == "tax_collection":
            pays = ["property_tax_payment" in page["topics"] for page in value["resources"]]
            if any(pays) and not pays[0]:
                self.fault(target, f"{path}: the page for payment is not the first")
        if kind == "Office" and value.get("person") is not None:
            self.fault(target, f"{path}: a person is named")

    def problem(self, target, status, got, value, slug):
        fault = lambda what: self.fault(target, what)
        self.hold(target, "problem", value, "Problem", False)
        own = str(value.get("type", "")).rsplit("/", 1)[-1]
        self.problems[own] = self.problems.get(own, 0) + 1
        if slug and own != slug:
            fault(f"{own}, expected {slug}")
        if status not in PROBLEMS.get(own, []) or value.get("status") != status:
            fault(f"{own} with status {status}")
        if got.get("content-type") != "application/problem+json":
            fault(f"content-type {got.get('content-type')}")
        if "no-store" not in got.get("cache-control", "") or "etag" in got:
            fault("a problem that may be cached")
        if ("choices" in value) != (status == 409):
            fault("choices and 409 go together")


def quoted(text):
    return urllib.parse.quote(text, safe="")


def pages(walk, target):
    """All pages of a list, by next_cursor; with the rows."""
    rows, cursor = [], ""
    while True:
        data = walk.ask(f"{target}{cursor}")["data"]
        rows += data.get("jurisdictions", data.get("resources"))
        if not data["next_cursor"]:
            return rows
        cursor = f"&cursor={quoted(data['next_cursor'])}"


def walk_answers(walk, dice):
    # Includes topics that were added after the contract.
    listed = json.loads(walk.send("/v1/topics")[2])["data"]["topics"]
    WORDS["Topic"] = " ".join(info["topic"] for info in listed)
    states = pages(walk, "/v1/jurisdictions?type=state")
    counties = pages(walk, "/v1/jurisdictions?type=county&limit=100")
    smaller = [
        row
        for kind in ("cousub", "place", "district")
        for row in walk.ask(f"/v1/jurisdictions?type={kind}&order=name&limit=100")["data"]["jurisdictions"]
    ]
    walk.ask("/v1/topics")
    walk.ask("/v1/download")
    walk.ask("/v1/coverage")
    some = dice.sample(counties, 130) + dice.sample(smaller, 100)
    for row in states + some:
        walk.ask(f"/v1/places/{row['jurisdiction_id']}")
    for at, row in enumerate(states + some):
        walk.ask(f"/v1/resources?jurisdiction_id={row['jurisdiction_id']}&topic={TOPICS[at % len(TOPICS)]}")
    for row in some[::4]:
        pages(walk, f"/v1/resources?jurisdiction_id={row['jurisdiction_id']}&limit=7")
    for at, row in enumerate(states):
        walk.ask(f"/v1/coverage?state={row['state']}")
        walk.ask(f"/v1/guides/{TOPICS[at % len(TOPICS)]}?state={row['state']}")
        walk.ask(f"/v1/offices?function={WORDS['Function'].split()[at % 7]}&state={row['state']}&limit=100")
        walk.ask(f"/v1/jurisdictions?type=county&state={row['state']}&function=recording&order=population&limit=20")
    for topic in TOPICS:
        walk.ask(f"/v1/guides/{topic}")
    for row in some:
        walk.ask(f"/v1/search?q={quoted(row['name'])}&limit=5")
        walk.ask(f"/v1/jurisdictions/resolve?place={quoted(row['name'])}&state={row['state']}", expected=None)
    walk_points(walk, dice)


def walk_points(walk, dice):
    inside = 0
    points = [(dice.uniform(25, 49), dice.uniform(-124, -67)) for _ in range(300)]
    for lat, lon in points:
        found = walk.ask(f"/v1/jurisdictions/resolve?lat={lat:.5f}&lon={lon:.5f}", expected=None)
        if "data" in found and inside < 60:
            inside += 1
            walk.ask(f"/v1/screening?lat={lat:.5f}&lon={lon:.5f}")
            walk.ask(f"/v1/resources?lat={lat:.5f}&lon={lon:.5f}&topic=zoning&limit=5")
    for at in range(0, 300, 25):
        texts = ";".join(f"{lat:.4f},{lon:.4f}" for lat, lon in points[at : at + 25])
        rows = walk.ask(f"/v1/jurisdictions/chains?points={texts};x")["data"]["rows"]
        if len(rows) != 26 or "error" not in rows[-1]:
            walk.fault("chains", "a row is missing, or a bad point has no error")


# A target, its status and the slug of its problem.
REFUSED = [
    ("/v1/jurisdictions/resolve", 400, "bad-parameter"), ("/v1/jurisdictions/resolve?lat=1", 400, "bad-point"),
    ("/v1/jurisdictions/resolve?lat=91&lon=0", 400, "bad-point"), ("/v1/jurisdictions/resolve?lat=0&lon=181", 400, "bad-point"),
    ("/v1/jurisdictions/resolve?lat=0&lon=0", 404, "outside-coverage"),
    ("/v1/jurisdictions/resolve?lat=44.9&lon=-93.2&address=x", 400, "bad-parameter"),
    ("/v1/jurisdictions/resolve?place=Nowhere&state=MN", 404, "place-not-found"),
    ("/v1/jurisdictions/resolve?place=Springfield+Township&state=PA", 409, "ambiguous"),
    ("/v1/jurisdictions/resolve?place=Austin&state=ZZ", 400, "unknown-state"),
    (f"/v1/jurisdictions/resolve?address={'a' * 201}", 400, "bad-parameter"),
    (f"/v1/jurisdictions/resolve?place={'a' * 101}&state=TX", 400, "bad-parameter"),
    ("/v1/resources?jurisdiction_id=county:27053&topic=fishing", 400, "unknown-topic"),
    ("/v1/resources?jurisdiction_id=county:27053&limit=0", 400, "bad-parameter"),
    ("/v1/resources?jurisdiction_id=county:27053&limit=101", 400, "bad-parameter"),
    ("/v1/resources?jurisdiction_id=county:27053&cursor=x", 400, "bad-cursor"),
    (f"/v1/resources?jurisdiction_id=county:27053&cursor={'0' * 201}", 400, "bad-cursor"),
    ("/v1/resources?jurisdiction_id=county:27999", 404, "unknown-jurisdiction"),
    ("/v1/resources?lat=44.9&lon=-93.2", 400, None), ("/v1/places/county:27999", 404, "unknown-jurisdiction"),
    ("/v1/places/county:27", 400, "bad-parameter"), ("/v1/guides/fishing", 404, "unknown-topic"),
    ("/v1/guides/zoning?state=ZZ", 400, "unknown-state"), ("/v1/screening?lat=0&lon=0", 404, "outside-coverage"),
    ("/v1/screening?lat=44.9", 400, "bad-point"), ("/v1/search", 400, "bad-parameter"),
    (f"/v1/search?q={'a' * 201}", 400, "bad-parameter"), ("/v1/search?q=x&limit=51", 400, "bad-parameter"),
    ("/v1/search?q=x&state=ZZ", 400, "unknown-state"), ("/v1/nowhere", 404, "not-found"),
    ("/v1/jurisdictions?state=ZZ", 400, "unknown-state"), ("/v1/jurisdictions?type=town", 400, "bad-parameter"),
    ("/v1/jurisdictions?within=county:27999", 404, "unknown-jurisdiction"),
    ("/v1/jurisdictions?within=place:2743000", 400, "bad-parameter"), ("/v1/offices?state=WY", 400, "bad-parameter"),
    ("/v1/offices?function=recording&cursor=x", 400, "bad-cursor"), ("/v1/jurisdictions/chains", 400, "bad-parameter"),
    ("/v1/jurisdictions/chains?points=" + ";".join(["1,2"] * 101), 400, "bad-parameter"),
]


def walk_protocol(walk):
    """Methods, revalidation, ids of requests, keys, lengths of pages."""
    for target, status, slug in REFUSED:
        walk.ask(target, status, slug)
    topics = "/v1/topics"
    status, got, _ = walk.send(topics)
    revalidated = walk.send(topics, headers={"If-None-Match": got["etag"]})
    if revalidated[0] != 304 or revalidated[2]:
        walk.fault(topics, f"revalidated: {revalidated[0]}, {len(revalidated[2])} bytes")
    head = walk.send(topics, method="HEAD")
    if head[0] != 200 or head[2] or head[1].get("etag") != got["etag"]:
        walk.fault(topics, "HEAD differs")
    if walk.send(topics, method="OPTIONS")[0] != 204:
        walk.fault(topics, "OPTIONS is not answered")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        status, refused, body = walk.send(topics, method=method, headers={"Content-Length": "0"})
        walk.problem(topics, status, refused, json.loads(body), "method-not-allowed")
        if set(refused.get("allow", "").replace(" ", "").split(",")) != {"GET", "HEAD", "OPTIONS"}:
            walk.fault(topics, f"allow {refused.get('allow')}")
    for own, echoed in [("a" * 8, True), ("a" * 64, True), ("a" * 7, False), ("a" * 65, False), ("a b c d e f", False)]:
        _, got, body = walk.send(topics, headers={"X-Request-Id": own})
        if (json.loads(body)["request_id"] == own) != echoed:
            walk.fault(topics, f"X-Request-Id {own}")
    for key in ("nope", "Bearer nope", "Bearer"):
        walk.ask(topics, 401, "invalid-key", headers={"Authorization": key})
    if len(walk.ask("/v1/search?q=washington")["data"]["places"]) > 10:
        walk.fault("/v1/search", "more than ten places by default")
    if len(walk.ask("/v1/jurisdictions?state=TX")["data"]["jurisdictions"]) != 50:
        walk.fault("/v1/jurisdictions", "not 50 rows by default")
    status, got, body = walk.send("/openapi.json")
    if status != 200 or not json.loads(body)["openapi"].startswith("3.1"):
        walk.fault("/openapi.json", "no OpenAPI 3.1")


def walk_limits(walk):
    """The limits of a caller without a key: 30 a minute; ten points count as one request."""
    def left(target, wanted):
        status, got, body = walk.send(target)
        walk.answers += 1
        policy, standing = got.get("ratelimit-policy", ""), got.get("ratelimit", "")
        if '"minute";q=30;w=60' not in policy or '"day";q=1000;w=86400' not in policy:
            walk.fault(target, f"ratelimit-policy {policy}")
        minute = re.search(r'"minute";r=(\d+);t=(\d+)', standing)
        if not minute or int(minute[1]) != wanted or not 0 < int(minute[2]) <= 60:
            walk.fault(target, f"ratelimit {standing}, expected r={wanted}")
        return status, got, body

    points = ";".join(["44.9773,-93.2655"] * 95)
    left("/v1/topics", 29)
    left(f"/v1/jurisdictions/chains?points={points}", 19)
    left(f"/v1/jurisdictions/chains?points={points}", 9)
    for at in range(9):
        left("/v1/topics", 8 - at)
    status, got, body = left("/v1/topics", 0)
    walk.problem("/v1/topics", status, got, json.loads(body), "rate-limited")
    if not 0 < int(got.get("retry-after", 0)) <= 60:
        walk.fault("/v1/topics", f"retry-after {got.get('retry-after')}")


def main():
    walk, limited = Walk(sys.argv[1]), Walk(sys.argv[2])
    walk_answers(walk, random.Random(1))
    walk_protocol(walk)
    walk_limits(limited)
    deviations = walk.deviations + limited.deviations
    for line in deviations[:40]:
        print(line, file=sys.stderr)
    print(f"{walk.answers + limited.answers} answers, {sum(walk.records.values())} records of {len(walk.records)} shapes, "
          f"{len(walk.problems | limited.problems)} kinds of problems: {len(deviations)} deviations")
    sys.exit(1 if deviations or walk.answers < 1500 else 0)


main()
