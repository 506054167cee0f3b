//! The result of a search: the place, its score and the guesses behind it.

use std::fmt;

use crate::geometry::LonLat;

/// A place that fits an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The place, a few meters beside the street.
    pub point: LonLat,
    /// The address as the file has it, such as `100 W Main St, Hertford, NC 27944`.
    pub address: String,
    /// FIPS code of the county that the range is published for, 5 digits.
    pub county: u16,
    /// ZIP code as a number.
    pub zip: u32,
    /// 100 if everything fits, less for each guess.
    pub score: u8,
    /// House numbers at the ends of the range, the lower one first.
    pub range: (u32, u32),
    /// The deviations from the text of the address, sorted and each once.
    pub guesses: Vec<Guess>,
}

/// A deviation of a match from the text of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guess {
    /// The street's name differs by this number of slips.
    Spelling(u8),
    /// The street's type has a slip.
    TypeSpelling,
    /// The text has no street type, but the street has one.
    TypeAdded,
    /// The text has a street type, but the street has none.
    TypeDropped,
    /// A compass point stands at the other end of the name.
    CompassMoved,
    /// The street has a compass point that the text does not have.
    CompassAdded,
    /// The text has a compass point that the street does not have.
    CompassDropped,
    /// The number is even and the range odd, or the reverse. The place is in the right block, on the side that has a
    /// range.
    OtherSide,
    /// The first of two hyphenated numbers was used.
    FirstNumber,
    /// The file does not know the city, so only the ZIP code decides.
    CityUnknown,
    /// The file knows the city in other ZIP codes, but not in this one.
    CityElsewhere,
}

impl Guess {
    /// The cost of the guess, in points of 100. Chosen, not measured.
    pub(super) fn cost(self) -> u8 {
        match self {
            Guess::Spelling(slips) => 6 * slips,
            Guess::TypeSpelling => 6,
            Guess::TypeAdded => 3,
            Guess::TypeDropped | Guess::CityElsewhere => 5,
            Guess::CompassMoved => 2,
            Guess::CompassAdded | Guess::FirstNumber => 4,
            Guess::CompassDropped => 8,
            Guess::OtherSide => 10,
            Guess::CityUnknown => 3,
        }
    }
}

/// Describes the guess in plain words.
impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guess::Spelling(1) => "one slip in the street's name",
            Guess::Spelling(_) => "two slips in the street's name",
            Guess::TypeSpelling => "a slip in the street's type",
            Guess::TypeAdded => "the street's type added",
            Guess::TypeDropped => "the street's type left out",
            Guess::CompassMoved => "the compass point moved",
            Guess::CompassAdded => "a compass point added",
            Guess::CompassDropped => "the compass point left out",
            Guess::OtherSide => "its side of the street does not have this number: placed on the other side",
            Guess::FirstNumber => "the first of two numbers",
            Guess::CityUnknown => "city not checked",
            Guess::CityElsewhere => "city and ZIP code do not match",
        })
    }
}

impl Match {
    /// Describes the match in plain words: the range, then the guesses.
    pub fn how(&self) -> String {
        let (low, high) = self.range;
        let mut how = format!("placed between house numbers {low} and {high}");
        for guess in &self.guesses {
            how.push_str(&format!("; {guess}"));
        }
        how
    }
}
