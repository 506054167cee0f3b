//! Finds which ids are one government, by the hand-kept table and by shared codes.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{Geoid, Layer};

use crate::curated::SameGovernment;

/// Ids of one government, as pairs.
#[derive(Debug, Default)]
pub struct SameAs {
    /// The other ids of each id's government, ascending; an id without others is not a key.
    pub others: BTreeMap<Geoid, BTreeSet<Geoid>>,
    /// Five-digit code of the place, for each place and subdivision that are one government.
    pub links: BTreeMap<Geoid, u32>,
}

impl SameAs {
    /// Pairs ids by the table, and subdivisions with the place of the same state and five-digit code. Leaves
    /// out ids that are not among `known`.
    pub fn of(table: &[SameGovernment], known: &BTreeSet<Geoid>) -> SameAs {
        let mut same = SameAs::default();
        for row in table {
            let here: Vec<Geoid> = row.ids.iter().copied().filter(|id| known.contains(id)).collect();
            for (at, one) in here.iter().enumerate() {
                here[at + 1..].iter().for_each(|other| same.pair(*one, *other));
            }
        }
        for cousub in known.iter().filter(|geoid| geoid.layer() == Layer::Cousub) {
            let digits = cousub.fp5().map(|code| format!("{:02}{code:05}", cousub.state_fips()));
            let place = digits.and_then(|digits| Geoid::parse(Layer::Place, &digits).ok());
            if let Some(place) = place.filter(|place| known.contains(place)) {
                same.pair(*cousub, place);
            }
        }
        same
    }

    fn pair(&mut self, one: Geoid, other: Geoid) {
        self.others.entry(one).or_default().insert(other);
        self.others.entry(other).or_default().insert(one);
        let layers = [one.layer(), other.layer()];
        if layers.contains(&Layer::Cousub) && layers.contains(&Layer::Place) {
            let place = if one.layer() == Layer::Place { one } else { other };
            let code = place.fp5().unwrap_or_default();
            self.links.extend([(one, code), (other, code)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use platbook::vocabulary::JurisdictionId;

    use super::*;

    #[test]
    fn cities_are_paired_with_their_parts() {
        let id = |text: &str| match text.parse() {
            Ok(JurisdictionId::Census(geoid)) => geoid,
            other => panic!("{text}: {other:?}"),
        };
        let known =
            ["place:2727530", "cousub:2703727530", "cousub:2716327530", "cousub:2703701234"].map(id).into();
        let same = SameAs::of(&[], &known);
        assert_eq!(same.others[&id("place:2727530")].len(), 2);
        assert_eq!(same.links[&id("cousub:2716327530")], 27530);
        assert!(!same.links.contains_key(&id("cousub:2703701234")));
    }
}
