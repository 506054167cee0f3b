//! The 56 covered states: 50 states, the District of Columbia and five island areas.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A covered state, stored as its index in [`STATES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct StateCode(u8);

/// FIPS code, postal code and name of each state, in FIPS order.
///
/// Source: Census Bureau, ANSI state codes (standard INCITS 38-2009).
pub const STATES: [(u8, &str, &str); 56] = [
    (1, "AL", "Alabama"),
    (2, "AK", "Alaska"),
    (4, "AZ", "Arizona"),
    (5, "AR", "Arkansas"),
    (6, "CA", "California"),
    (8, "CO", "Colorado"),
    (9, "CT", "Connecticut"),
    (10, "DE", "Delaware"),
    (11, "DC", "District of Columbia"),
    (12, "FL", "Florida"),
    (13, "GA", "Georgia"),
    (15, "HI", "Hawaii"),
    (16, "ID", "Idaho"),
    (17, "IL", "Illinois"),
    (18, "IN", "Indiana"),
    (19, "IA", "Iowa"),
    (20, "KS", "Kansas"),
    (21, "KY", "Kentucky"),
    (22, "LA", "Louisiana"),
    (23, "ME", "Maine"),
    (24, "MD", "Maryland"),
    (25, "MA", "Massachusetts"),
    (26, "MI", "Michigan"),
    (27, "MN", "Minnesota"),
    (28, "MS", "Mississippi"),
    (29, "MO", "Missouri"),
    (30, "MT", "Montana"),
    (31, "NE", "Nebraska"),
    (32, "NV", "Nevada"),
    (33, "NH", "New Hampshire"),
    (34, "NJ", "New Jersey"),
    (35, "NM", "New Mexico"),
    (36, "NY", "New York"),
    (37, "NC", "North Carolina"),
    (38, "ND", "North Dakota"),
    (39, "OH", "Ohio"),
    (40, "OK", "Oklahoma"),
    (41, "OR", "Oregon"),
    (42, "PA", "Pennsylvania"),
    (44, "RI", "Rhode Island"),
    (45, "SC", "South Carolina"),
    (46, "SD", "South Dakota"),
    (47, "TN", "Tennessee"),
    (48, "TX", "Texas"),
    (49, "UT", "Utah"),
    (50, "VT", "Vermont"),
    (51, "VA", "Virginia"),
    (53, "WA", "Washington"),
    (54, "WV", "West Virginia"),
    (55, "WI", "Wisconsin"),
    (56, "WY", "Wyoming"),
    (60, "AS", "American Samoa"),
    (66, "GU", "Guam"),
    (69, "MP", "Northern Mariana Islands"),
    (72, "PR", "Puerto Rico"),
    (78, "VI", "U.S. Virgin Islands"),
];

/// The error for a text that is not a postal code of a covered state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateCodeError {
    /// The text is not two ASCII letters.
    #[error("expected a two-letter state code such as MN, got {got:?}")]
    Malformed {
        /// The rejected text, cut to 20 characters.
        got: String,
    },
    /// The text is two letters that name no covered state.
    #[error("{got} is not a state, DC or a territory of the United States")]
    Unknown {
        /// The rejected code, in upper case.
        got: String,
    },
}

impl StateCode {
    /// Every covered state, in FIPS order.
    pub fn all() -> impl Iterator<Item = StateCode> {
        (0..STATES.len() as u8).map(StateCode)
    }

    /// The state with this FIPS code; `None` for a code that no covered state has.
    pub fn from_fips(fips: u8) -> Option<StateCode> {
        STATES.binary_search_by_key(&fips, |row| row.0).ok().map(|at| StateCode(at as u8))
    }

    /// The FIPS code, 1 to 78.
    pub fn fips(self) -> u8 {
        STATES[usize::from(self.0)].0
    }

    /// Two-letter postal code, upper case.
    pub fn usps(self) -> &'static str {
        STATES[usize::from(self.0)].1
    }

    /// The state's name as people write it.
    pub fn name(self) -> &'static str {
        STATES[usize::from(self.0)].2
    }
}

/// Converts to the FIPS code, which snapshots store.
impl From<StateCode> for u8 {
    fn from(state: StateCode) -> u8 {
        state.fips()
    }
}

impl TryFrom<u8> for StateCode {
    type Error = &'static str;

    fn try_from(fips: u8) -> Result<StateCode, &'static str> {
        StateCode::from_fips(fips).ok_or("expected the FIPS code of a covered state")
    }
}

impl FromStr for StateCode {
    type Err = StateCodeError;

    /// Parses a postal code in any case.
    ///
    /// # Errors
    /// [`StateCodeError::Malformed`] if the text is not two ASCII letters, [`StateCodeError::Unknown`] if they name no
    /// covered state.
    fn from_str(text: &str) -> Result<StateCode, StateCodeError> {
        if text.len() != 2 || !text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(StateCodeError::Malformed { got: text.chars().take(20).collect() });
        }
        let at = STATES.iter().position(|row| row.1.eq_ignore_ascii_case(text));
        at.map(|at| StateCode(at as u8))
            .ok_or_else(|| StateCodeError::Unknown { got: text.to_ascii_uppercase() })
    }
}

impl fmt::Display for StateCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.usps())
    }
}

impl fmt::Debug for StateCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.usps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_found_by_both_codes() {
        assert_eq!(StateCode::all().count(), 56);
        for state in StateCode::all() {
            assert_eq!(StateCode::from_fips(state.fips()), Some(state));
            assert_eq!(state.usps().to_lowercase().parse(), Ok(state));
        }
    }

    #[test]
    fn malformed_and_unknown_are_distinguished() {
        for text in ["", "M", "MNN", "M1", "ÄÖ", "27"] {
            assert!(matches!(text.parse::<StateCode>(), Err(StateCodeError::Malformed { .. })), "{text:?}");
        }
        for text in ["ZZ", "um", "ON"] {
            assert!(matches!(text.parse::<StateCode>(), Err(StateCodeError::Unknown { .. })), "{text:?}");
        }
    }
}
