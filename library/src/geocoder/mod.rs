//! Where is an address? From address ranges along streets, without a network.
//!
//! [`parse()`] takes a line of text apart, or says why it is no address. [`Geocoder::locate`] looks for its street in the ZIP
//! codes that it names, tolerates slips where no street has exactly the name, finds the range that the house number
//! lies in, and places it in proportion along the line, a few meters to its side. A score and a list of what had to be
//! supposed come with each match. Where two places fit equally well, both are given: a wrong office is worse than none.
//!
//! Pure: the same streets and the same text give the same answer.

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
