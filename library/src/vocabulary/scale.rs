//! The scale of a boundary and the positional uncertainty of its lines.

use std::fmt;

use super::GroupedText;

/// A map scale `1:denominator`. Finer scales have smaller denominators and order first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale {
    /// The second number of the scale, such as `500_000` for 1:500,000.
    pub denominator: u32,
}

impl Scale {
    /// The horizontal uncertainty of a line drawn at this scale, in meters. It is the tolerance of the United States
    /// National Map Accuracy Standards of 1947: 1/30 inch on maps larger than 1:20,000, else 1/50 inch.
    pub fn uncertainty_m(self) -> f64 {
        let parts_of_an_inch = if self.denominator < 20_000 { 30.0 } else { 50.0 };
        f64::from(self.denominator) * 0.0254 / parts_of_an_inch
    }

    /// The scale as `1:500,000`.
    pub fn text(self) -> GroupedText {
        GroupedText::of_scale(self.denominator)
    }
}

/// Writes `1:500,000`, with commas between groups of three digits.
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_read_as_on_a_map() {
        for (denominator, text, meters) in
            [(500_000, "1:500,000", 254.0), (20_000_000, "1:20,000,000", 10160.0), (5_000, "1:5,000", 4.23)]
        {
            let scale = Scale { denominator };
            assert_eq!(
                (scale.to_string().as_str(), scale.uncertainty_m().round()),
                (text, f64::round(meters))
            );
        }
    }
}
