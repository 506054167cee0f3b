//! Reads the location of a row: its coordinates, its address, or its place and state.

use std::{borrow::Cow, collections::HashMap};

use super::{
    fields::Fields,
    json_lines::text_of,
    layout::{Form, Kind, Layout},
    point::{point, short},
};
use platbook::{
    answers::{AddressAnswer, Answers, Finder as _, Found, Locality, Request, name_with_surroundings},
    columns::Location,
    geometry::LonLat,
    map_files::MapFiles,
    vocabulary::{Folded, StateCode, state_called},
};

/// Maximum number of place names that a thread remembers, some 100 bytes each. Chosen, not measured.
const NAMES_MAX: usize = 100_000;

/// Reads the locations of the rows of one thread.
pub(super) struct Locator<'a> {
    answers: &'a Answers,
    /// Files that locate addresses.
    map_files: &'a MapFiles,
    layout: &'a Layout,
    /// Locations of the place names looked up so far, by name and state. Hashing is randomized, since the names come
    /// from a file.
    known: HashMap<(String, String), Location>,
}

impl<'a> Locator<'a> {
    pub(super) fn new(answers: &'a Answers, map_files: &'a MapFiles, layout: &'a Layout) -> Locator<'a> {
        Locator { answers, map_files, layout, known: HashMap::new() }
    }

    /// Returns the location of a row.
    pub(super) fn locate(&mut self, row: Fields<'_>) -> Location {
        let field = |at| row.get(at).unwrap_or_default();
        match self.layout.kind {
            Kind::Point { lat, lon } => match self.layout.form {
                Form::Csv(_) => location_of(point(field(lat), field(lon))),
                Form::JsonLines => {
                    location_of(point(text_of(field(lat)).as_bytes(), text_of(field(lon)).as_bytes()))
                }
            },
            Kind::Address(at) => self.address(&self.text(field(at))),
            Kind::Place { place, state } => {
                let key = [place, state].map(|at| self.text(field(at)).trim().to_owned());
                self.place(key.into())
            }
        }
    }

    fn text<'f>(&self, field: &'f [u8]) -> Cow<'f, str> {
        match self.layout.form {
            Form::Csv(_) => String::from_utf8_lossy(field),
            Form::JsonLines => text_of(field),
        }
    }

    fn address(&self, text: &str) -> Location {
        let request = Request::ResolveAddress { address: text.to_owned() };
        if text.trim().is_empty() {
            return Location::Invalid("expected an address, got nothing".into());
        }
        let Some(address) = self.map_files.address(self.answers, text) else {
            return Location::Invalid("no layer file has this address".into());
        };
        if let AddressAnswer::One(found) = &address {
            return Location::Point(found.point);
        }
        match self.answers.finish(&request, Found { address, ..Found::default() }) {
            Ok(_) => Location::Invalid("no layer file has this address".into()),
            Err(refusal) => Location::Invalid(short(refusal.detail).into()),
        }
    }

    fn place(&mut self, key: (String, String)) -> Location {
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = self.look_up(&key.0, &key.1).unwrap_or_else(|why| Location::Invalid(short(why).into()));
        if self.known.len() >= NAMES_MAX {
            self.known.clear();
        }
        self.known.insert(key, found.clone());
        found
    }

    /// Looks up a place by its exact name. A row has no room for a notice, so a similar name is an error that
    /// suggests that name.
    fn look_up(&self, place: &str, state: &str) -> Result<Location, String> {
        if place.is_empty() {
            return Err("expected the name of a place, got nothing".to_owned());
        }
        let state = state_of(state)?;
        let directory = self.answers.directory();
        if let [row] = directory.places_named(place, state)[..] {
            return Ok(Location::Jurisdiction(row));
        }
        let locality = Locality::Name { place: place.to_owned(), state };
        let request = Request::ResolvePlace { place: locality };
        match self.answers.finish(&request, Found::default()) {
            Err(refusal) => Err(refusal.detail),
            Ok(_) => {
                let nearest = directory.nearest_name(place, state);
                let nearest = nearest.map(|row| name_with_surroundings(directory, row));
                let nearest = nearest.map_or(String::new(), |name| format!("; the nearest name is {name}"));
                Err(format!("no government of {} has exactly the name {place:?}{nearest}", state.name()))
            }
        }
    }
}

fn location_of(point: Result<LonLat, String>) -> Location {
    point.map_or_else(|reason| Location::Invalid(reason.into()), Location::Point)
}

/// Reads a state by its name or its two letters.
fn state_of(text: &str) -> Result<StateCode, String> {
    let folded = Folded::of(text);
    let words: Vec<&str> = folded.words().collect();
    state_called(&words)
        .map(|(state, _)| state)
        .ok_or_else(|| format!("expected the name or the two letters of a state, got {text:?}"))
}
