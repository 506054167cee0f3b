//! Finds an address among address ranges along streets, without a network.
//!
//! [`parse()`] splits a line of text, or says why it is not an address. [`Geocoder::locate`] looks for the street in
//! the ZIP codes that the address names. It tolerates slips if no street has exactly the name. It finds the range of
//! the house number and places the house in proportion along the line, a few meters to the side.
//!
//! Each match has a score and a list of guesses. If two places fit equally well, both are returned, because a wrong
//! office is worse than none. The same streets and text always give the same answer.

mod compass;
mod find;
mod matched;
mod near;
mod parse;
mod place;
mod readings;
mod road_forms;
mod roads;
mod street_name;
mod street_types;
mod street_word;
mod town;
mod units;
mod words;

pub use compass::Compass;
pub use find::{Geocoder, Located, Miss};
pub use matched::{Guess, Match};
pub use parse::{Address, HouseNumber, NotAnAddress, parse};
pub use place::point_along;
pub use street_name::StreetName;
pub use town::town_of;
