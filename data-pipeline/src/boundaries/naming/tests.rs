use platbook::vocabulary::Geoid;

use super::*;

const COUNTY: Layer = Layer::County;
const COUSUB: Layer = Layer::Cousub;
const PLACE: Layer = Layer::Place;

/// Layer, GEOID, NAME, NAMELSAD, LSAD; name, legal type. All from published files.
const TABLE: [(Layer, &str, &str, &str, &str, &str, &str); 58] = [
    (Layer::State, "27", "Minnesota", "", "00", "Minnesota", ""),
    (Layer::State, "11", "District of Columbia", "", "00", "District of Columbia", ""),
    (COUNTY, "27053", "Hennepin", "", "06", "Hennepin County", "county"),
    (COUNTY, "19111", "Lee", "Lee County", "06", "Lee County", "county"),
    (COUNTY, "22071", "Orleans", "", "15", "Orleans Parish", "parish"),
    (COUNTY, "02110", "Juneau", "", "03", "Juneau City and Borough", "city and borough"),
    (COUNTY, "02020", "Anchorage", "", "12", "Anchorage Municipality", "municipality"),
    (COUNTY, "02063", "Chugach", "Chugach Census Area", "05", "Chugach Census Area", "census area"),
    (COUNTY, "02013", "Aleutians East", "", "04", "Aleutians East Borough", "borough"),
    (
        COUNTY,
        "09110",
        "Capitol",
        "Capitol Planning Region",
        "PL",
        "Capitol Planning Region",
        "planning region",
    ),
    (COUNTY, "51510", "Alexandria", "", "25", "Alexandria city", "city"),
    (COUNTY, "24510", "Baltimore", "", "25", "Baltimore city", "city"),
    (COUNTY, "32510", "Carson City", "", "25", "Carson City", "city"),
    (COUNTY, "11001", "District of Columbia", "", "00", "District of Columbia", "district"),
    (COUNTY, "72021", "Bayamón", "", "13", "Bayamón Municipio", "municipio"),
    (COUNTY, "35013", "Doña Ana", "", "06", "Doña Ana County", "county"),
    (COUNTY, "60010", "Eastern", "", "07", "Eastern District", "district"),
    (COUNTY, "60030", "Rose Island", "", "00", "Rose Island", "island"),
    (COUNTY, "66010", "Guam", "", "00", "Guam", "territory"),
    (COUNTY, "78010", "St. Croix", "", "10", "St. Croix Island", "island"),
    (COUNTY, "69110", "Saipan", "", "12", "Saipan Municipality", "municipality"),
    (PLACE, "2743000", "Minneapolis", "Minneapolis city", "25", "Minneapolis", "city"),
    (PLACE, "2938000", "Kansas City", "Kansas City city", "25", "Kansas City", "city"),
    (
        PLACE,
        "1723256",
        "Elk Grove Village",
        "Elk Grove Village village",
        "47",
        "Elk Grove Village",
        "village",
    ),
    (PLACE, "2355225", "Old Town", "Old Town city", "25", "Old Town", "city"),
    (PLACE, "2503690", "Barnstable Town", "Barnstable Town city", "25", "Barnstable", "city"),
    (PLACE, "2507000", "Boston", "Boston city", "25", "Boston", "city"),
    (PLACE, "3106015", "Boys Town", "Boys Town village", "47", "Boys Town", "village"),
    (
        PLACE,
        "4752006",
        "Nashville-Davidson metropolitan government (balance)",
        "",
        "00",
        "Nashville-Davidson",
        "metropolitan government",
    ),
    (
        PLACE,
        "1304204",
        "Augusta-Richmond County consolidated government (balance)",
        "",
        "00",
        "Augusta-Richmond County",
        "consolidated government",
    ),
    (
        PLACE,
        "1303440",
        "Athens-Clarke County unified government (balance)",
        "",
        "00",
        "Athens-Clarke County",
        "unified government",
    ),
    (
        PLACE,
        "2148006",
        "Louisville/Jefferson County metro government (balance)",
        "",
        "00",
        "Louisville/Jefferson County",
        "metro government",
    ),
    (
        PLACE,
        "1836003",
        "Indianapolis city (balance)",
        "Indianapolis city (balance)",
        "00",
        "Indianapolis",
        "city",
    ),
    (PLACE, "0947515", "Milford city (balance)", "Milford city (balance)", "00", "Milford", "city"),
    (
        PLACE,
        "3011397",
        "Butte-Silver Bow (balance)",
        "Butte-Silver Bow (balance)",
        "00",
        "Butte-Silver Bow",
        "consolidated government",
    ),
    (PLACE, "3209700", "Carson City", "Carson City", "00", "Carson City", "city"),
    (PLACE, "1349008", "Macon-Bibb County", "", "00", "Macon-Bibb County", "consolidated government"),
    (PLACE, "1381128", "Webster County", "", "UG", "Webster County", "unified government"),
    (
        PLACE,
        "4744382",
        "Lynchburg, Moore County",
        "",
        "MG",
        "Lynchburg, Moore County",
        "metropolitan government",
    ),
    (
        PLACE,
        "2146027",
        "Lexington-Fayette",
        "Lexington-Fayette urban county",
        "UC",
        "Lexington-Fayette",
        "urban county",
    ),
    (PLACE, "3460900", "Princeton", "Princeton", "00", "Princeton", "municipality"),
    (
        PLACE,
        "4922875",
        "Emigration Canyon",
        "Emigration Canyon metro township",
        "35",
        "Emigration Canyon",
        "metro township",
    ),
    (PLACE, "0236400", "Juneau", "Juneau city and borough", "53", "Juneau", "city and borough"),
    (PLACE, "5466988", "Ranson", "Ranson corporation", "CN", "Ranson", "corporation"),
    (COUSUB, "3610938000", "Ithaca", "Ithaca town", "43", "Ithaca", "town"),
    (COUSUB, "0911037070", "Hartford", "", "43", "Hartford", "town"),
    (COUSUB, "2500103690", "Barnstable Town", "Barnstable Town city", "25", "Barnstable", "city"),
    (COUSUB, "3400108680", "Buena Vista", "", "44", "Buena Vista Township", "township"),
    (
        COUSUB,
        "2601537140",
        "Hastings",
        "Hastings charter township",
        "49",
        "Hastings Charter Township",
        "charter township",
    ),
    (COUSUB, "2700100532", "Aitkin", "Aitkin township", "44", "Aitkin Township", "township"),
    (COUSUB, "2300316235", "Cyr", "Cyr plantation", "39", "Cyr Plantation", "plantation"),
    (COUSUB, "5000902162", "Avery's", "", "31", "Avery's Gore", "gore"),
    (COUSUB, "5000902162", "Averys gore", "", "31", "Averys Gore", "gore"),
    (COUSUB, "3300768500", "Second College", "", "32", "Second College Grant", "grant"),
    (COUSUB, "3300332500", "Hale's", "", "36", "Hale's Location", "location"),
    (COUSUB, "3300732420", "Hadleys", "", "42", "Hadleys Purchase", "purchase"),
    (
        COUSUB,
        "3602975011",
        "Tonawanda",
        "Tonawanda Reservation",
        "86",
        "Tonawanda Reservation",
        "reservation",
    ),
    (COUSUB, "3600508510", "Bronx", "Bronx borough", "21", "Bronx", "borough"),
];

#[test]
fn names_as_people_write_them() {
    let table = include_str!("../../../curated/naming.toml");
    let table = crate::curated::parse_naming("naming.toml", table).unwrap();
    for (layer, digits, census, full, lsad, expected, word) in TABLE {
        let geoid = Geoid::parse(layer, digits).unwrap();
        let record = Record {
            namelsad: (!full.is_empty()).then(|| full.to_owned()),
            lsad: Some(lsad.to_owned()),
            ..Record::named(geoid, census.to_owned(), String::new())
        };
        let name = name(&table, &record, Some(lsad));
        assert_eq!(
            (name.name.as_str(), name.legal_type.as_deref().unwrap_or("")),
            (expected, word),
            "{census}"
        );
    }
}
