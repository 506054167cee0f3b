//! Topics: what a web resource is about. Only added to, never renamed.

use serde::{Deserialize, Serialize};

/// What a resource serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[expect(missing_docs, reason = "each is described by its row in TOPICS")]
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
}

/// Word, name and description of each, in the order of [`Topic`].
const TOPICS: [(Topic, &str, &str, &str); 17] = {
    use Topic as T;
    [
        (T::ParcelMap, "parcel_map", "Parcel map", "Maps of property lines, parcel numbers and lot sizes."),
        (
            T::CountyGis,
            "county_gis",
            "County and city map sites (GIS)",
            "Map sites and open map data of counties, cities and states.",
        ),
        (
            T::Assessor,
            "assessor",
            "Property assessment",
            "The office that sets a property's value for tax, with value lookups, appeals and exemptions.",
        ),
        (
            T::PropertyTaxPayment,
            "property_tax_payment",
            "Paying property tax",
            "Where to look up and pay a property tax bill.",
        ),
        (
            T::TaxCollector,
            "tax_collector",
            "Property tax office",
            "The office that sends tax bills, takes payments and handles overdue tax.",
        ),
        (
            T::RecorderDeeds,
            "recorder_deeds",
            "Deeds and land records",
            "The office that records deeds, mortgages and liens, and where to search them.",
        ),
        (
            T::PlatsSurveys,
            "plats_surveys",
            "Plats and surveys",
            "Maps of subdivisions, surveys and survey marks.",
        ),
        (T::Zoning, "zoning", "Zoning and land use", "What may be built or done on a lot, and who decides."),
        (
            T::BuildingPermits,
            "building_permits",
            "Building permits",
            "Who issues permits for building, and which codes apply.",
        ),
        (
            T::SepticWell,
            "septic_well",
            "Septic systems and wells",
            "Permits and records for septic systems and private wells.",
        ),
        (T::Wetlands, "wetlands", "Wetlands", "Wetland maps, and who decides what is a wetland."),
        (T::Floodplain, "floodplain", "Flood zones", "Flood maps, flood zones and flood insurance."),
        (T::Soils, "soils", "Soils", "Soil maps, and what a soil is fit for."),
        (T::Elevation, "elevation", "Elevation", "Ground height, contour lines and lidar."),
        (
            T::RoadsRightOfWay,
            "roads_right_of_way",
            "Roads and rights of way",
            "Who owns a road, road rights of way and driveway permits.",
        ),
        (T::PublicLand, "public_land", "Public land", "Land of the federal, state and local governments."),
        (
            T::PropertyRecordsGeneral,
            "property_records_general",
            "Property records in general",
            "Where to start when it is not clear which office has a record.",
        ),
    ]
};

/// Deprecated names, each with the topic that replaced it. They still resolve.
pub const TOPIC_ALIASES: [(&str, Topic); 4] = [
    ("gis", Topic::CountyGis),
    ("property_tax", Topic::PropertyTaxPayment),
    ("deeds", Topic::RecorderDeeds),
    ("permits", Topic::BuildingPermits),
];

impl Topic {
    /// How many there are.
    pub const COUNT: usize = TOPICS.len();

    /// All topics, in the contract's order.
    pub fn all() -> impl ExactSizeIterator<Item = Topic> {
        TOPICS.iter().map(|row| row.0)
    }

    /// The contract's word.
    pub fn as_str(self) -> &'static str {
        TOPICS[self as usize].1
    }

    /// What a person calls it.
    pub fn name(self) -> &'static str {
        TOPICS[self as usize].2
    }

    /// One sentence.
    pub fn description(self) -> &'static str {
        TOPICS[self as usize].3
    }

    /// The topic with this word, or the one that replaced it.
    pub fn from_word(word: &str) -> Option<Topic> {
        let alias = || TOPIC_ALIASES.into_iter().find(|(old, _)| *old == word).map(|(_, topic)| topic);
        Topic::all().find(|topic| topic.as_str() == word).or_else(alias)
    }
}

/// A set of topics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TopicSet(pub u32);

impl TopicSet {
    /// Whether the set has the topic.
    pub fn has(self, topic: Topic) -> bool {
        self.0 & (1 << topic as u8) != 0
    }

    /// Whether the two sets have a topic in common.
    pub fn meets(self, other: TopicSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Its topics in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = Topic> {
        Topic::all().filter(move |topic| self.has(*topic))
    }

    /// How many.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a topic.
    pub fn insert(&mut self, topic: Topic) {
        self.0 |= 1 << topic as u8;
    }
}

impl FromIterator<Topic> for TopicSet {
    fn from_iter<I: IntoIterator<Item = Topic>>(topics: I) -> TopicSet {
        let mut set = TopicSet::default();
        topics.into_iter().for_each(|topic| set.insert(topic));
        set
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
            assert!(topic.description().ends_with('.'));
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
