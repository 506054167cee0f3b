//! Numbers of requests and answers: decimal degrees as people and programs write them, and whole meters.

/// Parses a finite decimal: sign, digits, fraction, exponent. Rejects `nan`, `inf`, hexadecimal and spaces.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    if !text.bytes().all(plain) {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Rounds meters to the nearest whole one.
pub fn whole_meters(meters: f64) -> u32 {
    meters.round() as u32
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn decimals_and_others() {
        for (text, number) in [
            ("44.97", 44.97),
            ("-93", -93.0),
            ("+1.5", 1.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("4.5e1", 45.0),
            ("1E-400", 0.0),
        ] {
            assert_eq!(decimal(text), Some(number), "{text}");
        }
        for text in
            ["", " 1", "1 ", "nan", "inf", "-Infinity", "0x10", "1,5", "1_0", "--1", "e", "1e999", "44°", "٤"]
        {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
