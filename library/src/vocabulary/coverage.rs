//! The share of a state's legal areas that have polygons.

/// The share of a state's legal areas in one layer that have polygons. Snapshots store these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Coverage {
    /// The snapshot has no polygons of the layer.
    Missing = 0,
    /// Some legal areas have their polygon.
    Partial = 1,
    /// Every legal area has its polygon.
    Complete = 2,
    /// The layer has no legal areas in this state.
    NotApplicable = 3,
}

impl Coverage {
    /// The coverage stored as this number; `Missing` for a number that no release has written.
    pub fn from_u8(number: u8) -> Coverage {
        use Coverage::{Complete, Missing, NotApplicable, Partial};
        [Missing, Partial, Complete, NotApplicable].get(usize::from(number)).copied().unwrap_or(Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        for number in 0..4 {
            assert_eq!(Coverage::from_u8(number) as u8, number);
        }
        assert_eq!(Coverage::from_u8(4), Coverage::Missing);
    }
}
