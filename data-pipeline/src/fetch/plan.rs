//! Lists the files of an order.

use platbook::vocabulary::{Layer, StateCode};

use super::Order;

/// One file of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Path relative to the data directory and to the base address: `TIGER2024/PLACE/tl_2024_27_place.zip`.
    pub path: String,
    /// Layer of the file.
    pub layer: Layer,
    /// The states in the file.
    pub states: Vec<StateCode>,
}

/// The files of an order: one for the nation's states, one for its counties, and one per state for
/// subdivisions and places.
pub fn plan(order: &Order) -> Vec<Item> {
    let year = order.vintage;
    let mut layers = order.layers.clone();
    layers.sort();
    layers.dedup();
    let mut states = order.states.clone();
    states.sort();
    states.dedup();
    let item = |layer: Layer, area: &str, states: Vec<StateCode>| {
        let word = layer.prefix();
        Item {
            path: format!("TIGER{year}/{}/tl_{year}_{area}_{word}.zip", word.to_uppercase()),
            layer,
            states,
        }
    };
    let files = |layer: Layer| match layer {
        Layer::State | Layer::County => vec![item(layer, "us", StateCode::all().collect())],
        Layer::Cousub | Layer::Place => {
            states.iter().map(|state| item(layer, &format!("{:02}", state.fips()), vec![*state])).collect()
        }
    };
    layers.into_iter().flat_map(files).collect()
}
