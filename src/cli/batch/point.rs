//! Reads the point of a row.

use super::super::show::shown;
use platbook::{answers::parse_point, geometry::LonLat};

/// Number of decimals of the unit of coordinates, 1e-7 degree.
const DECIMALS: usize = 7;
/// Maximum length of a number without overflow, in characters: up to 12 digits, times 10^7, fit into 64 bits.
const LENGTH_MAX: usize = 12;
/// Maximum length of a reason that is printed in full, in bytes. Chosen, not measured.
const REASON_MAX: usize = 200;

/// Reads the coordinates of a row.
///
/// # Errors
/// Returns the reason why the fields are not a point on the globe.
pub(super) fn point(lat: &[u8], lon: &[u8]) -> Result<LonLat, String> {
    match (plain(lat, 90), plain(lon, 180)) {
        (Some(lat), Some(lon)) => Ok(LonLat::from_units(lat, lon)),
        _ => any(lat, lon),
    }
}

/// Reads coordinates in any notation, with spaces around them.
fn any(lat: &[u8], lon: &[u8]) -> Result<LonLat, String> {
    let text = |field| std::str::from_utf8(field).map_or("\u{fffd}", str::trim);
    parse_point(Some(text(lat)), Some(text(lon))).map_err(|refusal| short(refusal.detail))
}

/// Shortens a reason, which quotes the unreadable field in full.
pub(super) fn short(reason: String) -> String {
    if reason.len() <= REASON_MAX { reason } else { shown(reason.as_bytes()) }
}

/// Reads the usual notation: digits with a point and up to seven decimals. Returns units of 1e-7 degree. The result
/// equals that of [`any`], which is many times slower. `None` for any other text, valid or not.
#[inline]
fn plain(field: &[u8], limit: u32) -> Option<i32> {
    let (sign, digits) = match field {
        [b'-', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    if digits.len() > LENGTH_MAX || !digits.first()?.is_ascii_digit() {
        return None;
    }
    let (mut number, mut point) = (0_u64, None);
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => number = number * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |at| digits.len() - at - 1);
    let units = number * 10_u64.pow(DECIMALS.checked_sub(decimals)? as u32);
    let is_on_globe = units <= u64::from(limit) * 10_u64.pow(DECIMALS as u32);
    is_on_globe.then(|| sign * units as i32)
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn odd_numbers_are_read_as_elsewhere() {
        for text in [
            "",
            "-",
            ".",
            "-.",
            "5.",
            ".5",
            "-.5",
            "--5",
            "1.2.3",
            "+5",
            " 5",
            "5 ",
            "5e1",
            "0x5",
            "é",
            "90",
            "90.0000001",
            "-90",
            "180",
            "-180.0000001",
            "000000000045",
            "0000000000045",
            "45.1234567",
            "45.12345678",
            "-0",
            "nan",
            "9999999999",
        ] {
            let text = text.as_bytes();
            assert_eq!(point(text, b"1"), any(text, b"1"));
            assert_eq!(point(b"1", text), any(b"1", text));
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_elsewhere(lat in "-?[0-9]{1,3}(\\.[0-9]{0,9})?", lon in "-?[0-9]{1,3}(\\.[0-9]{0,9})?") {
            prop_assert_eq!(point(lat.as_bytes(), lon.as_bytes()), any(lat.as_bytes(), lon.as_bytes()));
        }
    }
}
