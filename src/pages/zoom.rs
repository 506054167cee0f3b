//! How much land the map of a point shows: one of the fixed steps, or the view to which a person moved the map.

use std::{borrow::Cow, ops::RangeInclusive};

use platbook::{
    answers::{Refusal, parse_point},
    geometry::LonLat,
};

/// The zoom of a point's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zoom {
    /// Wide enough to show a line near the point, or else the smallest government around it.
    Fitting,
    /// A block of streets around the point.
    Block,
    /// The land within walking distance of the point.
    Walk,
    /// The town or city.
    Town,
    /// The land around another point, to which a person moved the map: the center, and the meters to its north and to
    /// its south.
    View(LonLat, u32),
}

/// Minimum and maximum meters to the north and to the south of a view's center. A larger view would show more towns
/// than can be drawn in time.
const VIEW_M: RangeInclusive<u32> = 40..=20_000;

impl Zoom {
    /// The fixed steps, the closest first.
    pub(super) const STEPS: [Zoom; 4] = [Zoom::Fitting, Zoom::Block, Zoom::Walk, Zoom::Town];

    /// Returns the word for the zoom in an address; for a view, for example `44.98_-93.25_1200`.
    pub(super) fn word(self) -> Cow<'static, str> {
        match self {
            Zoom::Fitting => "fitting".into(),
            Zoom::Block => "block".into(),
            Zoom::Walk => "walk".into(),
            Zoom::Town => "town".into(),
            Zoom::View(center, meters) => {
                format!("{}_{}_{meters}", center.lat_degrees(), center.lon_degrees()).into()
            }
        }
    }

    /// Returns the text of the link to this zoom, for a point in a city or town, or outside of them in a county.
    pub(super) fn words(self, is_in_town: bool) -> &'static str {
        match self {
            Zoom::Fitting | Zoom::View(..) => "The line",
            Zoom::Block => "A block",
            Zoom::Walk => "A mile",
            Zoom::Town if is_in_town => "The whole town",
            Zoom::Town => "The whole county",
        }
    }

    /// Returns the query for the zoom in an address; empty for the usual step.
    pub(super) fn query(self) -> String {
        if self == Zoom::Fitting { String::new() } else { format!("?zoom={}", self.word()) }
    }

    /// Parses the word for a zoom in an address.
    ///
    /// # Errors
    /// `bad-parameter`.
    pub(super) fn parse(word: &str) -> Result<Zoom, Refusal> {
        let wrong = || {
            Refusal::bad_parameter(format!(
                "expected zoom as block, walk, town, or a view such as 44.98_-93.25_1200 of 40 to 20,000 meters, got {word:?}"
            ))
        };
        Zoom::from_word(word).ok_or_else(wrong)
    }

    fn from_word(word: &str) -> Option<Zoom> {
        Zoom::STEPS.into_iter().find(|zoom| zoom.word() == word).or_else(|| {
            let (lat, rest) = word.split_once('_')?;
            let (lon, meters) = rest.split_once('_')?;
            let center = parse_point(Some(lat), Some(lon)).ok()?;
            let meters = meters.parse().ok().filter(|meters| VIEW_M.contains(meters))?;
            Some(Zoom::View(center, meters))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_addresses_are_read_back() {
        let center = LonLat::from_lat_lon(44.98, -93.25).unwrap();
        for zoom in Zoom::STEPS.into_iter().chain([Zoom::View(center, 40), Zoom::View(center, 20_000)]) {
            assert_eq!(Zoom::parse(&zoom.word()).unwrap(), zoom);
        }
        for word in [
            "",
            "near",
            "44.98_-93.25",
            "44.98_-93.25_39",
            "44.98_-93.25_20001",
            "44.98_-93.25_9.5",
            "95_0_900",
        ] {
            assert!(Zoom::parse(word).is_err(), "{word}");
        }
    }
}
