//! Tests free texts over HTTP: how each is read, and its answer.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::harness::{Client, Server};

const MINNEAPOLIS: &str = "place:2743000";

/// Each row has a text, its expected reading or problem, and parts that the JSON of the answer must contain.
const TEXTS: &[(&str, &str, &[&str])] = &[
    ("44.9773, -93.2655", "point", &[MINNEAPOLIS]),
    ("44.9773 N 93.2655 W", "point", &[MINNEAPOLIS]),
    ("44°58'38.28\"N 93°15'55.8\"W", "point", &[MINNEAPOLIS]),
    ("lat 44.9773 lon -93.2655", "point", &[MINNEAPOLIS]),
    ("geo:44.9773,-93.2655", "point", &[MINNEAPOLIS]),
    ("https://www.google.com/maps/@44.9773,-93.2655,17z", "point", &[MINNEAPOLIS]),
    ("https://maps.apple.com/?ll=44.9773,-93.2655", "point", &[MINNEAPOLIS]),
    ("https://www.openstreetmap.org/#map=16/44.9773/-93.2655", "point", &[MINNEAPOLIS]),
    ("https://www.bing.com/maps?cp=44.9773~-93.2655", "point", &[MINNEAPOLIS]),
    // Longitude comes first if only that order is on the globe, or in a covered area.
    ("-93.2655, 44.9773", "point", &[MINNEAPOLIS, "The first number was read as the longitude"]),
    ("-77.0365, 38.8977", "point", &["place:1150000", "The first number was read as the longitude"]),
    ("zoning 44.9773, -93.2655", "point", &[MINNEAPOLIS, "\"topic\":\"zoning\"", "\"res_"]),
    ("99, 99", "bad-point", &[]),
    ("48.8566, 2.3522", "outside-coverage", &[]),
    ("https://maps.google.com/?q=-93.2655,44.9773", "bad-point", &["lat and lon look swapped"]),
    ("55415", "zip", &["county:27053", "\"address_percent\":100", "A ZIP code is a mail route"]),
    ("33139 property appraiser", "zip", &["county:12086", "\"topic\":\"assessor\"", "\"res_"]),
    ("00001", "zip", &["\"counties\":[]", "No county is on record for this ZIP code."]),
    ("Stowe, Vermont", "name", &["cousub:5001570525"]),
    ("springfield", "name", &["place:2970000", "place:1772000"]),
    ("mableton ga", "name", &["county:13067", "Mableton became a city"]),
    ("who do I call about a fence in Stowe, Vermont?", "name", &["cousub:5001570525", "building_permits"]),
    ("pay property tax austin tx", "name", &["place:4805000", "property_tax_payment", "\"res_"]),
    ("How do I appeal my property taxes in Cook County?", "name", &["county:17031", "property_tax_payment"]),
    ("Fence, Wisconsin", "name", &["cousub:5503725575", "\"topic\":null"]),
    ("travis cad", "name", &["county:48453", "\"topic\":\"assessor\""]),
    // Several tasks at one place.
    (
        "property tax and deeds office of Travis County",
        "name",
        &["county:48453", "[\"property_tax_payment\",\"recorder_deeds\"]"],
    ),
    // An earlier year is not answered, but noticed.
    (
        "who issued building permits in Kokomo, Indiana in 2019",
        "name",
        &["place:1840392", "The text names 2019, but this answer is of today.", "such as 2019-07-01"],
    ),
    ("zoning and permits in Bend OR", "name", &["place:4105800", "[\"zoning\",\"building_permits\"]"]),
    // Several places: the first is answered, and the others are named.
    (
        "assessor of Ada and Bannock counties",
        "name",
        &["county:16001", "Bannock County, Idaho (county:16005) is named as well"],
    ),
    (
        "recorder phone for Boise, Pocatello and Twin Falls, Idaho",
        "name",
        &["place:1608830", "(place:1664090) is named as well", "(place:1682810) is named as well"],
    ),
    // The destination of a move is answered, and both places of a choice.
    (
        "portability of homestead when moving from Ocala to Palm Bay - which office & deadline",
        "name",
        &["place:1254000", "\"topic\":\"exemptions\"", "(place:1250750) is named as well"],
    ),
    (
        "I'm in Harrisonburg - city or Rockingham County? who assess real estate",
        "name",
        &["place:5135624", "county:51165"],
    ),
    (
        "Harrisonburg city or Rockingham County, Virginia: who assesses",
        "name",
        &["place:5135624", "county:51165"],
    ),
    (
        "I'm a soldier PCSing to Fort Stewart, bought in Hinesville GA. Homestead exemption, where?",
        "name",
        &["place:1338964", "\"notices\":[]"],
    ),
    ("Ada County and Bannock County", "name", &["county:16001", "(county:16005) is named as well"]),
    (
        "assessor of the City of St. Louis, Missouri, and building permit in unincorporated St. Louis County",
        "name",
        &[
            "place:2965000",
            "\"topic\":\"assessor\"",
            "Ask again with \\\"building permits St. Louis County, Missouri\\\"",
        ],
    ),
    // A task beside a link, and a ZIP code whose towns do the job.
    (
        "https://www.google.com/maps/@33.7490,-84.3880,15z pay property tax",
        "point",
        &["place:1304000", "\"topic\":\"property_tax_payment\""],
    ),
    (
        "05672 building permit",
        "zip",
        &["county:50015", "cousub:5001570525", "The cities and towns of the county are listed."],
    ),
    ("building permit 33139", "zip", &["county:12086", "a city or town may do this job"]),
    // Texts in Spanish.
    (
        "¿Quién tasa las propiedades en Ponce, Puerto Rico y dónde pido la exoneración?",
        "name",
        &["county:72113", "[\"assessor\",\"exemptions\"]"],
    ),
    ("Ponce PR contribución sobre la propiedad", "name", &["county:72113", "property_tax_payment"]),
    (
        "¿Dónde apelo el valor de mi casa en El Paso, Texas?",
        "name",
        &["place:4824000", "\"topic\":\"appeals\""],
    ),
    ("tasador Miami Florida exención", "name", &["place:1245000", "[\"assessor\",\"exemptions\"]"]),
    ("registro de la propiedad Caguas", "name", &["county:72025", "recorder_deeds"]),
    ("zonificación al norte de Denver", "name", &["place:0820000", "\"topic\":\"zoning\""]),
    ("impuestos en el estado de Texas", "name", &["state:48"]),
    // Of several governments with the name, the one that does the job answers.
    ("record a deed in Guam", "name", &["county:66010", "recorder_deeds"]),
    ("pay property tax Bennington Vermont", "name", &["cousub:5000304825", "property_tax_payment"]),
    ("record a deed in Hawaii", "name", &["state:15", "recorder_deeds"]),
    ("what county is Naperville in", "name", &["place:1751622"]),
    (
        "44.4906, -73.1110",
        "point",
        &["place:5024400", "perhaps because it is older than the limits of the City of Essex Junction"],
    ),
    // Words that lead to topics, and topics without an office.
    (
        "100% disabled veteran exemption Fairfax County VA",
        "name",
        &["county:51059", "\"topic\":\"exemptions\""],
    ),
    ("senior freeze Cook County Illinois", "name", &["county:17031", "\"topic\":\"exemptions\""]),
    ("over 65 exemption Harris County", "name", &["county:48201", "\"topic\":\"exemptions\""]),
    ("grievance day Cheektowaga NY", "name", &["cousub:3602915011", "\"topic\":\"appeals\""]),
    ("protest my appraisal Dallas County TX", "name", &["county:48113", "\"topic\":\"appeals\""]),
    (
        "59718 septic permit",
        "zip",
        &["county:30031", "In Montana: For a septic system ask the county sanitarian"],
    ),
    (
        "driveway permit Bernalillo County New Mexico",
        "name",
        &["county:35001", "Which office permits driveways and work beside a road is not on record here."],
    ),
    // Words for things, such as "car", do not name places. A state in the text applies to each of its parts.
    (
        "when are house and car taxes due in Groton, CT and who collects?",
        "name",
        &["cousub:0918034250", "property_tax_payment"],
    ),
    ("who values my house in Parma, Ohio for taxes", "name", &["place:3961000", "\"topic\":\"assessor\""]),
    // A city in two counties: both are named if a county does the job.
    ("deed recorder Naperville IL", "name", &["Naperville lies in DuPage County and Will County"]),
    // Land outside of a city is the county's, and an address within a sentence is not looked up.
    (
        "building permit just outside Bozeman, Montana",
        "name",
        &["county:30031", "The text speaks of land outside the City of Bozeman"],
    ),
    (
        "Farmer near Decorah Iowa. Do I need a zoning permit for a machine shed? who do I call",
        "name",
        &["county:19191", "The text speaks of land outside the City of Decorah"],
    ),
    ("permit office near Decorah, Iowa", "name", &["place:1919405", "building_permits"]),
    ("zoning office near me, Decorah Iowa", "name", &["place:1919405", "\"topic\":\"zoning\""]),
    (
        "I own a house at 1400 S Main St, Moab, Utah. who is the recorder",
        "name",
        &["place:4950700", "The street address in this text was not looked up"],
    ),
    // Everyday words of tasks.
    ("greenbelt application deadline Cookeville TN", "name", &["place:4716920", "\"topic\":\"exemptions\""]),
    (
        "veteran tax credit in Conway, New Hampshire",
        "name",
        &["cousub:3300314660", "\"topic\":\"exemptions\""],
    ),
    (
        "100 percent disabled veteran in Mountain Home, Arkansas",
        "name",
        &["place:0547390", "\"topic\":\"exemptions\""],
    ),
    ("building permit on Fort Sill, Oklahoma", "name", &["county:40031", "Fort Sill is a military base"]),
    // A county in the text chooses among places of one name; without a county, the reader of the answer chooses.
    (
        "property tax and deed for St. Louis - I live in the county, in Kirkwood",
        "name",
        &["place:2939044", "[\"property_tax_payment\",\"recorder_deeds\"]"],
    ),
    (
        "building permit for a pole barn in Sheridan, Michigan",
        "name",
        &["place:2673100", "Several places have this name"],
    ),
    // A telephone and a subject that are not on record.
    (
        "assessor phone number Minot north dakota",
        "name",
        &["place:3853380", "No telephone number of the offices"],
    ),
    (
        "do I need a rental license in Dover, Delaware",
        "name",
        &["place:1021200", "does not cover licenses to rent out a home"],
    ),
    // Opening hours are not on record, and a text without a known task says so for a county and a state, too.
    (
        "town clerk hours/phone in Brattleboro Vermont",
        "name",
        &["recorder_deeds", "Opening hours of offices are not kept here"],
    ),
    ("cookies for Pierce County, North Dakota", "name", &["county:38069", "No task was recognized"]),
    ("whom may I give my many old chairs to, Idaho", "name", &["state:16", "No task was recognized"]),
    // The own terms of states.
    ("act of sale in Mandeville, Louisiana", "name", &["place:2248225", "recorder_deeds"]),
    ("complaint against valuation Ross County Ohio", "name", &["county:39141", "\"topic\":\"appeals\""]),
    ("Prop 19 base-year transfer to Grass Valley CA", "name", &["place:0630798", "\"topic\":\"exemptions\""]),
    ("township road not graded, Pierce County ND", "name", &["county:38069", "roads_right_of_way"]),
    ("code enforcement officer in Rangeley, Maine", "name", &["cousub:2300761840", "building_permits"]),
    // A ZIP code settles which place of the name is meant.
    ("duplex in Detroit 48205: who assesses", "name", &["place:2622000"]),
    // A ZIP code before a name is not a house number.
    ("25702 Huntington WV homestead exemption", "name", &["place:5439460"]),
    ("12345 main st, Minneapolis, MN", "address", &[MINNEAPOLIS]),
    // The ZIP code and the name that was read lie in different counties.
    ("building permits on Vashon Island WA 98070", "name", &["county:53033"]),
    // An unknown place in a known state.
    (
        "greenbelt application Leipers Fork, Tennessee",
        "name",
        &["state:47", "Nothing with this name is on record", "\"topic\":\"exemptions\""],
    ),
    // Land of an American Indian nation, and land of no town.
    (
        "who assesses a house in Hobart, Wisconsin",
        "name",
        &["place:5535150", "All or part of the Village of Hobart lies in Oneida"],
    ),
    (
        "zoning in Washington County, Maine unorganized territory",
        "name",
        &["county:23029", "no town or city covers, this office does the job: Land Use Planning Commission"],
    ),
    // A job's word may be the name of a place.
    ("homestead zoning", "name", &["place:1232275", "\"topic\":\"zoning\""]),
    ("register ga zoning", "name", &["\"topic\":\"zoning\""]),
    ("zoning", "name", &["\"topic\":\"zoning\""]),
    ("https://maps.app.goo.gl/abc", "name", &["\"places\":[]"]),
    ("zzzzqqqq", "name", &["\"places\":[]", "Nothing with this name is on record."]),
    // This server looks up no addresses, so it answers with the places that have the town's name.
    ("350 S 5th St, Minneapolis, MN", "address", &[MINNEAPOLIS, "\"resolve\":null", "name of its town"]),
    ("233 s wacker dr chicago il", "address", &["place:1714000"]),
    ("https://maps.google.com/?q=350+S+5th+St,+Minneapolis,+MN", "address", &[MINNEAPOLIS]),
    ("building permit for 12 Main St, Stowe, VT", "address", &["cousub:5001570525", "building_permits"]),
    ("1 Main St, Zzzzqqqq", "upstream-unavailable", &[]),
    (" ", "bad-parameter", &["q is missing"]),
];

#[test]
fn each_text_is_read_and_answered() {
    let mut client = Client::connect(Server::shared().address);
    let mut faults = Vec::new();
    for (text, read_as, holds) in TEXTS.iter().copied() {
        // The client of these tests checks each answer against the OpenAPI document.
        let response = client.get(&format!("/v1/ask?q={}", utf8_percent_encode(text, NON_ALPHANUMERIC)));
        let body = response.json();
        let problem = body["type"].as_str().and_then(|kind| kind.rsplit('/').next());
        let got = problem.or(body["data"]["read_as"].as_str()).unwrap_or_default();
        let missing: Vec<_> = holds.iter().filter(|part| !response.body.contains(**part)).collect();
        if got != read_as || !missing.is_empty() {
            faults.push(format!("{text}: {got}, without {missing:?}: {:.600}", response.body));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The answer to a free text is that of the operation that it stands for.
#[test]
fn an_answer_is_that_of_the_operation_it_stands_for() {
    let mut client = Client::connect(Server::shared().address);
    let mut data = |target: &str| -> Value { client.get(target).json()["data"].take() };
    let asked = data("/v1/ask?q=44.9773+N+93.2655+W");
    assert_eq!(asked["resolve"], data("/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655"));
    let asked = data("/v1/ask?q=springfield");
    let searched = data("/v1/search?q=springfield&limit=20");
    assert_eq!((&asked["places"], &asked["resources"]), (&searched["places"], &searched["resources"]));
}
