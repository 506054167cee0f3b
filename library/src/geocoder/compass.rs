//! Compass points before and after the names of streets.

/// A compass point: 1 to 8 clockwise from north, the numbers that layer files store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Compass(u8);

/// Postal short forms, clockwise from north.
const SHORT: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

impl Compass {
    /// The stored number of a point, 1 to 8; 0 for `None`.
    pub fn number(point: Option<Compass>) -> u8 {
        point.map_or(0, |point| point.0)
    }

    /// The short form in capitals: `N`, `NE`.
    pub fn short(self) -> &'static str {
        SHORT[usize::from(self.0) - 1]
    }

    /// The point that a folded word names; `None` for other words. `take_before` handles `no` and `so`, because they
    /// mean a point only before a name.
    pub(super) fn parse(word: &str) -> Option<Compass> {
        Some(Compass(match word {
            "n" | "north" => 1,
            "ne" | "northeast" => 2,
            "e" | "east" => 3,
            "se" | "southeast" => 4,
            "s" | "south" => 5,
            "sw" | "southwest" => 6,
            "w" | "west" => 7,
            "nw" | "northwest" => 8,
            _ => return None,
        }))
    }

    /// The point that two words name together, such as `north west`; `None` for other pairs.
    pub(super) fn of_two(first: Option<Compass>, second: Option<Compass>) -> Option<Compass> {
        Some(Compass(match (first?.0, second?.0) {
            (1, 3) => 2,
            (5, 3) => 4,
            (5, 7) => 6,
            (1, 7) => 8,
            _ => return None,
        }))
    }
}
