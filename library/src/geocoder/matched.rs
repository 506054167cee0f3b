//! What was found, how good it is, and what had to be supposed.

use std::fmt;

use crate::geometry::LonLat;

/// A place that fits an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Where it is.
    pub point: LonLat,
    /// The address as the file has it, such as `100 W Main St, Hertford, NC 27944`.
    pub address: String,
    /// FIPS code of the county that the range is published for, 5 digits.
    pub county: u16,
    /// ZIP code.
    pub zip: u32,
    /// 100 where all fits, less for each guess.
    pub score: u8,
    /// House numbers at the ends of the range, the lower one first.
    pub range: (u32, u32),
    /// What had to be supposed.
    pub guesses: Vec<Guess>,
}

/// What had to be supposed for an address to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guess {
    /// So many slips in the name of the street.
    Spelling(u8),
    /// A slip in the type of the street.
    TypeSpelling,
    /// The text has no type of street, the street has.
    TypeAdded,
    /// The text has a type of street, the street has none.
    TypeDropped,
    /// A compass point stands at the other end of the name.
    CompassMoved,
    /// The street has a compass point that the text has not.
    CompassAdded,
    /// The text has a compass point that the street has not.
    CompassDropped,
    /// The number is even and the range odd, or the reverse: it is placed in the block, on the side with a range.
    OtherSide,
    /// Of two numbers with a hyphen the first is taken.
    FirstNumber,
    /// The file does not know the city, and the ZIP code alone decides.
    CityUnknown,
    /// The file knows the city, but not in this ZIP code.
    CityElsewhere,
}

impl Guess {
    /// What the guess costs, of 100.
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

/// The guess in plain words.
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
            Guess::OtherSide => "no such number on its side of the street: placed on the other side",
            Guess::FirstNumber => "the first of two numbers",
            Guess::CityUnknown => "the city not checked",
            Guess::CityElsewhere => "city and ZIP code do not go together",
        })
    }
}

impl Match {
    /// How it was found, in plain words.
    pub fn how(&self) -> String {
        let (low, high) = self.range;
        let mut how = format!("placed between house numbers {low} and {high}");
        for guess in &self.guesses {
            how.push_str(&format!("; {guess}"));
        }
        how
    }
}
