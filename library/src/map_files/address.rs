//! Finds an address among the streets of local layer files.

use super::{Beside, cleaned, outside};
use crate::{
    answers::{AddressAnswer, Choice, FoundAddress},
    directory::Resolution,
    geocoder::{Geocoder, Located, Match, parse},
    geometry::{LonLat, Plane},
    snapshot::LayerFile,
    vocabulary::{Geoid, JurisdictionId, Layer, LicenseClass, OutsideSource},
};

/// Finds an address in the layer files. `None` if the files have no clear answer; online services are then tried next.
pub(super) fn find(layers: Beside<'_>, text: &str) -> Option<AddressAnswer> {
    let address = match parse(text) {
        Ok(address) => address,
        Err(why) if why.is_certain() => return Some(AddressAnswer::Unplaceable(why.to_string())),
        Err(_) => return None,
    };
    let located = layers.files.iter().filter_map(|file| {
        let places = match Geocoder::new(file.streets()?).locate(&address) {
            Located::One(place) => vec![place],
            Located::Several(places) => places,
            Located::None(_) => return None,
        };
        Some((file, places))
    });
    // Of several files that have the street, the one with the best match is used. Of equally good ones, it is the
    // first.
    let score = |places: &[Match]| places.first().map_or(0, |place| place.score);
    let (file, places) =
        located.reduce(|best, next| if score(&next.1) > score(&best.1) { next } else { best })?;
    let places: Vec<Match> = places.into_iter().filter_map(|place| in_its_county(layers, place)).collect();
    match &places[..] {
        [] => None,
        [place] => Some(AddressAnswer::One(found(file, place))),
        _ => Some(AddressAnswer::Several(places.iter().map(choice).collect())),
    }
}

/// Distances in meters by which a found place may be moved into its own county. County lines are often less detailed
/// than streets. Chosen, not measured.
const MOVES_M: [f64; 4] = [20.0, 40.0, 80.0, 160.0];

/// Moves a found place into the county that its address range belongs to, if the snapshot's line has it on the wrong
/// side. `None` if this county is farther away than [`MOVES_M`] allows, because the place is then doubtful.
fn in_its_county(layers: Beside<'_>, place: Match) -> Option<Match> {
    let county = county_id(place.county)?;
    let lies_in = |point: LonLat| match layers.directory.resolve(point) {
        Resolution::Inside(chain) => layers.directory.id_of(chain.county) == county,
        Resolution::Outside => false,
    };
    if lies_in(place.point) {
        return Some(place);
    }
    let plane = Plane::at(place.point);
    let around = MOVES_M.iter().flat_map(|meters| {
        (0..8).map(move |eighth| {
            let angle = f64::from(eighth) * std::f64::consts::FRAC_PI_4;
            (meters * angle.cos(), meters * angle.sin())
        })
    });
    let mut moved = around.map(|by| plane.moved(place.point, by));
    moved.find(|point| lies_in(*point)).map(|point| Match { point, ..place.clone() })
}

/// The id of a county by its FIPS code; `None` for a code of more than five digits.
pub(super) fn county_id(fips: u16) -> Option<JurisdictionId> {
    Geoid::parse(Layer::County, &format!("{fips:05}")).ok().map(JurisdictionId::Census)
}

fn found(file: &LayerFile, place: &Match) -> FoundAddress {
    let county = format!("county {:05}", place.county);
    let sources = &file.about().sources;
    // A file with several counties has one source for each of them.
    let source = sources.iter().find(|source| source.name.contains(&county)).or_else(|| sources.first());
    FoundAddress {
        point: place.point,
        matched_address: cleaned(&place.address),
        geocoder: "local address ranges".to_owned(),
        method: place.how().into(),
        source: source.map_or_else(|| std::sync::Arc::new(unnamed()), outside),
        looked_up_at: None,
    }
}

/// The source for places from a file that names no source.
fn unnamed() -> OutsideSource {
    OutsideSource {
        name: "Address ranges".into(),
        url: "".into(),
        publisher: "".into(),
        official: false,
        license_class: LicenseClass::Unknown,
    }
}

fn choice(place: &Match) -> Choice {
    Choice { label: cleaned(&place.address), point: Some(place.point), jurisdiction: None }
}
