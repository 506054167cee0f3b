//! Topics: the subjects of web resources. Topics are only added, never renamed.

use serde::{Deserialize, Serialize};

use super::{Member, Set};

/// The subject that a resource serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[expect(missing_docs, reason = "each is its own word; words/en/labels.rs describes it")]
pub enum Topic {
    ParcelMap,
    CountyGis,
    Assessor,
    PropertyTaxPayment,
    TaxCollector,
    RecorderDeeds,
    PlatsSurveys,
    Zoning,
    BuildingPermits,
    SepticWell,
    Wetlands,
    Floodplain,
    Soils,
    Elevation,
    RoadsRightOfWay,
    PublicLand,
    PropertyRecordsGeneral,
    Appeals,
    Exemptions,
}

/// The contract's word for each topic, in the order of [`Topic`].
const TOPICS: [(Topic, &str); 19] = [
    (Topic::ParcelMap, "parcel_map"),
    (Topic::CountyGis, "county_gis"),
    (Topic::Assessor, "assessor"),
    (Topic::PropertyTaxPayment, "property_tax_payment"),
    (Topic::TaxCollector, "tax_collector"),
    (Topic::RecorderDeeds, "recorder_deeds"),
    (Topic::PlatsSurveys, "plats_surveys"),
    (Topic::Zoning, "zoning"),
    (Topic::BuildingPermits, "building_permits"),
    (Topic::SepticWell, "septic_well"),
    (Topic::Wetlands, "wetlands"),
    (Topic::Floodplain, "floodplain"),
    (Topic::Soils, "soils"),
    (Topic::Elevation, "elevation"),
    (Topic::RoadsRightOfWay, "roads_right_of_way"),
    (Topic::PublicLand, "public_land"),
    (Topic::PropertyRecordsGeneral, "property_records_general"),
    (Topic::Appeals, "appeals"),
    (Topic::Exemptions, "exemptions"),
];

/// Deprecated words, each with the topic that replaced it. Requests may still use them.
pub const TOPIC_ALIASES: [(&str, Topic); 4] = [
    ("gis", Topic::CountyGis),
    ("property_tax", Topic::PropertyTaxPayment),
    ("deeds", Topic::RecorderDeeds),
    ("permits", Topic::BuildingPermits),
];

impl Topic {
    /// The number of topics.
    pub const COUNT: usize = TOPICS.len();

    /// All topics, in the contract's order.
    pub fn all() -> impl ExactSizeIterator<Item = Topic> {
        TOPICS.iter().map(|row| row.0)
    }

    /// The contract's word for the topic.
    pub fn as_str(self) -> &'static str {
        TOPICS[self as usize].1
    }

    /// The topic with this word, or the topic that replaced it; `None` for an unknown word.
    pub fn from_word(word: &str) -> Option<Topic> {
        let alias = || TOPIC_ALIASES.into_iter().find(|(old, _)| *old == word).map(|(_, topic)| topic);
        Topic::all().find(|topic| topic.as_str() == word).or_else(alias)
    }
}

/// A set of topics.
pub type TopicSet = Set<Topic>;

impl Member for Topic {
    const MEMBERS: &'static [Topic] = &{
        let mut topics = [Topic::ParcelMap; Topic::COUNT];
        let mut at = 0;
        while at < Topic::COUNT {
            topics[at] = TOPICS[at].0;
            at += 1;
        }
        topics
    };

    fn number(self) -> u32 {
        self as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_at_its_topic() {
        for (at, topic) in Topic::all().enumerate() {
            assert_eq!(topic as usize, at, "{topic:?}");
            assert_eq!(Topic::from_word(topic.as_str()), Some(topic));
            let set: TopicSet = [topic].into_iter().collect();
            assert!(set.iter().eq([topic]) && set.len() == 1);
        }
    }

    #[test]
    fn deprecated_names_resolve_and_are_no_topics() {
        for (old, topic) in TOPIC_ALIASES {
            assert_eq!(Topic::from_word(old), Some(topic));
            assert!(Topic::all().all(|topic| topic.as_str() != old));
        }
        assert_eq!(Topic::from_word("fishing"), None);
    }
}
