//! Describes the street, city and ZIP code in the text of an address that could not be placed.

use super::{Beside, address::county_id, cleaned};
use crate::{
    geocoder::{Address, Geocoder, Located, Miss, parse},
    snapshot::ArchivedCountyTables,
    vocabulary::{JurisdictionId, JurisdictionType, Layer, StateCode},
};

/// Maximum number of counties that the sentence about a ZIP code names. Chosen, not measured.
const COUNTIES_MAX: usize = 4;

/// Complete sentences about the street, the city and the ZIP code, with the query to try next. `None` if nothing is
/// known about them.
pub(super) fn hint_for(layers: Beside<'_>, text: &str) -> Option<String> {
    let address = match parse(text) {
        Ok(address) => address,
        // Another answer has already given the reason for a text that is certainly not an address.
        Err(why) => return (!why.is_certain()).then(|| sentence(&why.to_string())),
    };
    let sentences = [street(layers, &address), city(layers, &address), zip(layers, &address)];
    let sentences: Vec<String> = sentences.into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), chars.as_str())
}

/// A sentence about a street that exists, but has no such house number.
fn street(layers: Beside<'_>, address: &Address) -> Option<String> {
    let misses =
        layers.files.iter().filter_map(|file| match Geocoder::new(file.streets()?).locate(address) {
            Located::None(Miss::NoNumber { street, numbers }) => Some((street, numbers)),
            _ => None,
        });
    let (street, (low, high)) = misses.min()?;
    let street = cleaned(&street);
    Some(format!(
        "The local address ranges have {street} there with house numbers from {low} to {high} only."
    ))
}

/// A sentence about the city that the text names in its state.
fn city(layers: Beside<'_>, address: &Address) -> Option<String> {
    let (state, words) = (address.state?, address.city.as_ref()?);
    let directory = layers.directory;
    let rows = directory.places_named(&words.join(" "), state);
    let is_local = |kind| matches!(kind, JurisdictionType::Layer(Layer::Place | Layer::Cousub));
    let rows: Vec<_> = rows.into_iter().filter(|row| is_local(directory.jurisdiction(*row).kind)).collect();
    let (name, code) = (directory.jurisdiction(*rows.first()?).name, state.usps());
    let several = if rows.len() > 1 { ", a name that several places have" } else { "" };
    Some(format!("The text names {name}, {code}{several}: look up {name}, {code} for its offices."))
}

/// A sentence about the counties in which the ZIP code has addresses.
fn zip(layers: Beside<'_>, address: &Address) -> Option<String> {
    let zip = address.zip?;
    let tables = layers.county_tables().find(|tables| tables.counties_of(zip).len() > 0)?;
    let counties: Vec<(u16, u32)> = tables.counties_of(zip).collect();
    let all: u64 = counties.iter().map(|(_, ranges)| u64::from(*ranges)).sum();
    let named = counties.iter().take(COUNTIES_MAX).filter_map(|(county, ranges)| {
        let (name, state) = county_name(layers, *county)?;
        let share = (u64::from(*ranges) * 100).checked_div(all).unwrap_or(0);
        Some((name, state, share))
    });
    let named: Vec<(String, StateCode, u64)> = named.collect();
    let (first, state, _) = named.first()?;
    let query = format!("look up {first}, {} for its offices", state.usps());
    if counties.len() == 1 {
        return Some(format!("ZIP code {zip:05} lies in {first}, {}: {query}.", state.usps()));
    }
    let list: Vec<String> = named
        .iter()
        .map(|(name, state, share)| format!("{name}, {} ({share}% of its addresses)", state.usps()))
        .collect();
    let more = if counties.len() > named.len() { " and others" } else { "" };
    Some(format!("ZIP code {zip:05} reaches {}{more}: {query}.", list.join("; ")))
}

fn county_name(layers: Beside<'_>, county: u16) -> Option<(String, StateCode)> {
    let id: JurisdictionId = county_id(county)?;
    let view = layers.directory.jurisdiction(layers.directory.found(&id)?);
    Some((view.name.to_owned(), view.state?))
}

impl<'a> Beside<'a> {
    /// Tables of counties: first those of the layer files, then that of the snapshot.
    pub(super) fn county_tables(self) -> impl Iterator<Item = &'a ArchivedCountyTables> {
        let files = self.files.iter().filter_map(|file| file.county_tables());
        files.chain(self.directory.snapshot().county_tables())
    }
}
