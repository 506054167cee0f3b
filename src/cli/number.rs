//! Reads whole numbers from options and from the configuration file. Errors say which numbers are expected.

use std::{fmt, str::FromStr};

use serde::{
    Deserializer,
    de::{Error, Unexpected, Visitor},
};

const FROM_ONE: &str = "a whole number of 1 or more";

/// Parses a whole number of 1 or more, such as `--threads`. `N` is a type without 0.
///
/// # Errors
/// Returns a sentence that says which number is expected.
pub(super) fn from_one<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("expected {FROM_ONE}, got {text:?}"))
}

/// Parses a whole number of 0 or more, such as `--max-wait`.
///
/// # Errors
/// Returns a sentence that says which number is expected.
pub(super) fn from_zero<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("expected a whole number of 0 or more, got {text:?}"))
}

/// Parses a number of 1 or more in the configuration file.
pub(super) fn one_of_file<'de, N: FromStr, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    let number = deserializer.deserialize_any(Whole)?;
    let parsed = number.to_string().parse();
    parsed.map(Some).map_err(|_| D::Error::invalid_value(Unexpected::Signed(number), &Whole))
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FROM_ONE)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}
