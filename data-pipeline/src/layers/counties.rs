//! Joins radon zones and the counties of ZIP codes to the current counties.

use std::collections::{BTreeMap, BTreeSet};

use platbook::{
    directory::{Directory, Lookup, Row},
    snapshot::write::{CountyTables, RadonRow, RadonTownRow, ZipCountyRow},
    vocabulary::{Geoid, JurisdictionId, Layer, StateCode, name_key},
};

use crate::input::{radon::RadonZone, zip_counties::ZipCounty};

/// Counties of the list with another name or code today: state, name on the list, and FIPS code at that time.
/// The snapshot knows the successors of a code. Source: Census Bureau, "Substantial Changes to Counties and
/// County Equivalent Entities: 1970-Present".
const EARLIER: [(&str, &str, &str); 15] = [
    ("AK", "Prince of Wales-Outer Ketchikan Census Area", "02201"),
    ("AK", "Skagway Municipality", "02232"),
    ("AK", "Valdez-Cordova Census Area", "02261"),
    ("AK", "Wade Hampton Census Area", "02270"),
    ("AK", "Wrangell-Petersburg Census Area", "02280"),
    ("CT", "Fairfield County", "09001"),
    ("CT", "Hartford County", "09003"),
    ("CT", "Litchfield County", "09005"),
    ("CT", "Middlesex County", "09007"),
    ("CT", "New Haven County", "09009"),
    ("CT", "New London County", "09011"),
    ("CT", "Tolland County", "09013"),
    ("CT", "Windham County", "09015"),
    ("SD", "Shannon County", "46113"),
    ("VA", "Bedford", "51515"),
];

/// Lines of the list that are not counties today, and whose land another line includes. The parts of
/// Yellowstone in Montana joined two counties in 1997. Two cities of Virginia became towns in 1995 and 2001,
/// and Bedford in 2013.
const GONE: [(&str, &str); 4] = [
    ("MT", "Yellowstone National Park, MT"),
    ("VA", "Clifton Forge"),
    ("VA", "South Boston"),
    ("VA", "Bedford"),
];

/// Radon zones by county and town, and the lines of the list without a county.
#[derive(Debug, Default)]
pub struct Radon {
    /// Zones by county, in the order of their codes.
    pub counties: Vec<RadonRow>,
    /// Zones by town, for counties that are newer than the list.
    pub towns: Vec<RadonTownRow>,
    /// Names of lines without a county today.
    pub unmatched: Vec<String>,
}

/// Joins the list to the counties of the directory, by state and name.
pub fn radon(zones: &[RadonZone], directory: &Directory) -> Radon {
    let names = Names::of(directory);
    let mut radon = Radon::default();
    let mut found: BTreeMap<Geoid, u8> = BTreeMap::new();
    // Counties with their own line come first: a divided county must not give its zone to a county that has its own
    // line. A current county may have the name of a divided county.
    let is_own = |zone: &&RadonZone| earlier_code(zone).is_none() && names.county(zone).is_some();
    let (own, others): (Vec<&RadonZone>, Vec<&RadonZone>) = zones.iter().partition(is_own);
    for zone in own {
        found.extend(names.county(zone).map(|county| (county, zone.zone)));
    }
    let mut earlier: BTreeMap<u64, u8> = BTreeMap::new();
    for zone in others {
        match earlier_code(zone) {
            Some(code) => {
                earlier.insert(code.code(), zone.zone);
                for county in successors(directory, code) {
                    found.entry(county).or_insert(zone.zone);
                }
            }
            None if is_gone(zone) => {}
            None => radon.unmatched.push(format!("{}, {}", zone.name, zone.state.usps())),
        }
    }
    radon.towns = towns(directory, &earlier);
    for county in divided(directory, &radon.towns) {
        found.remove(&county);
    }
    radon.counties =
        found.into_iter().map(|(county, zone)| RadonRow { county: county.code() as u16, zone }).collect();
    radon
}

/// Packs both lists, each with the row of its source.
pub fn tables(
    radon: Radon,
    radon_source: Option<u16>,
    pairs: &[ZipCounty],
    zip_source: Option<u16>,
) -> CountyTables {
    let pairs =
        pairs.iter().map(|pair| ZipCountyRow { zip: pair.zip, county: pair.county, ranges: pair.ranges });
    CountyTables::pack(radon.counties, radon.towns, radon_source, pairs.collect(), zip_source)
}

/// GEOIDs of the directory's counties by state and folded name.
struct Names {
    counties: BTreeMap<(StateCode, String), Geoid>,
}

impl Names {
    fn of(directory: &Directory) -> Names {
        let counties = directory.rows_of(Layer::County).flat_map(|row| {
            let view = directory.jurisdiction(row);
            let JurisdictionId::Census(geoid) = view.id else { return Vec::new() };
            let Some(state) = view.state else { return Vec::new() };
            let word = view.legal_type.unwrap_or_default();
            let whole = name_key(&with_word(view.name, word));
            let name = name_key(view.name);
            let is_city = word == "city";
            let mut names = vec![((state, whole), geoid)];
            if !is_city {
                names.push(((state, name), geoid));
            }
            names
        });
        Names { counties: counties.collect() }
    }

    fn county(&self, zone: &RadonZone) -> Option<Geoid> {
        let name = if zone.is_city { name_key(&format!("{} city", zone.name)) } else { name_key(&zone.name) };
        self.counties.get(&(zone.state, name)).copied()
    }
}

/// The name with its legal word, which most names already have: Richmond city is not Richmond County.
fn with_word(name: &str, word: &str) -> String {
    if name.to_lowercase().ends_with(word) { name.to_owned() } else { format!("{name} {word}") }
}

fn earlier_code(zone: &RadonZone) -> Option<Geoid> {
    let row = EARLIER.iter().find(|(state, name, _)| *state == zone.state.usps() && *name == zone.name)?;
    Geoid::parse(Layer::County, row.2).ok()
}

fn is_gone(zone: &RadonZone) -> bool {
    GONE.contains(&(zone.state.usps(), zone.name.as_str()))
}

/// The counties that replaced a county, or the county itself if it is still in use.
fn successors(directory: &Directory, code: Geoid) -> Vec<Geoid> {
    match directory.lookup(&JurisdictionId::Census(code)) {
        Lookup::Replaced(rows) => rows.into_iter().filter_map(|row| geoid_of(directory, row)).collect(),
        Lookup::Found(row) => geoid_of(directory, row).into_iter().collect(),
        Lookup::Unknown => Vec::new(),
    }
}

fn geoid_of(directory: &Directory, row: Row) -> Option<Geoid> {
    match directory.jurisdiction(row).id {
        JurisdictionId::Census(geoid) => Some(geoid),
        _ => None,
    }
}

/// Zones of towns whose counties are newer than the list: those of Connecticut, which keep their last five
/// digits.
fn towns(directory: &Directory, earlier: &BTreeMap<u64, u8>) -> Vec<RadonTownRow> {
    let towns = directory.rows_of(Layer::Cousub).filter_map(|row| geoid_of(directory, row));
    let towns = towns.filter(|town| town.state_fips() == 9);
    let zone_of = |town: Geoid| {
        earlier.iter().find_map(|(county, zone)| {
            let code = format!("{county:05}{:05}", town.code() % 100_000);
            let old = Geoid::parse(Layer::Cousub, &code).ok()?;
            successors(directory, old).contains(&town).then_some(*zone)
        })
    };
    towns.filter_map(|town| Some(RadonTownRow { town: town.code(), zone: zone_of(town)? })).collect()
}

/// Counties with towns in several zones: a point there outside of every town has no zone.
fn divided(directory: &Directory, towns: &[RadonTownRow]) -> Vec<Geoid> {
    let mut zones: BTreeMap<u64, BTreeSet<u8>> = BTreeMap::new();
    towns.iter().for_each(|row| {
        zones.entry(row.town / 100_000).or_default().insert(row.zone);
    });
    let several = |county: &Geoid| zones.get(&county.code()).is_some_and(|zones| zones.len() > 1);
    directory.rows_of(Layer::County).filter_map(|row| geoid_of(directory, row)).filter(several).collect()
}

#[cfg(test)]
mod tests;
