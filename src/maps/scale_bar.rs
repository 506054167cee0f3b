//! The scale bar of a drawn map.

use maud::{Markup, html};

use super::View;
use platbook::geometry::{FEET_PER_MILE, METERS_PER_FOOT};

/// Lengths that a scale bar may have, in feet: round numbers of feet and miles.
const BAR_FEET: [f64; 15] = [
    100.0,
    200.0,
    500.0,
    1_000.0,
    0.5 * FEET_PER_MILE,
    FEET_PER_MILE,
    2.0 * FEET_PER_MILE,
    5.0 * FEET_PER_MILE,
    10.0 * FEET_PER_MILE,
    20.0 * FEET_PER_MILE,
    50.0 * FEET_PER_MILE,
    100.0 * FEET_PER_MILE,
    200.0 * FEET_PER_MILE,
    500.0 * FEET_PER_MILE,
    1_000.0 * FEET_PER_MILE,
];

/// Maximum length of a scale bar, in units; chosen, not measured.
const BAR_MAX: f64 = 400.0;

/// Draws a bar with a round length on the ground, such as a mile, and its label.
pub fn scale_bar(view: &View) -> Markup {
    let units = |feet: f64| feet * METERS_PER_FOOT / view.meters_per_unit();
    let fitting = BAR_FEET.into_iter().rev().find(|feet| units(*feet) <= BAR_MAX);
    let Some(feet) = fitting else { return html! {} };
    let text = match feet {
        feet if feet < 0.4 * FEET_PER_MILE => format!("{feet} feet"),
        feet if feet < FEET_PER_MILE => "half a mile".to_owned(),
        FEET_PER_MILE => "1 mile".to_owned(),
        feet => format!("{} miles", feet / FEET_PER_MILE),
    };
    let (left, y) = (24, view.height - 24);
    html! {
        g.bar {
            path d=(format!("M{left} {}v10h{:.0}v-10", y - 10, units(feet))) {}
            text x=(left) y=(y - 20) { (text) }
        }
    }
}
