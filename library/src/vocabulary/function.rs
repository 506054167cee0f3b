//! Functions: the jobs that offices do for a property, and the part that a body has in a job.

use serde::{Deserialize, Serialize};

use super::{Member, Set, Topic, TopicSet};

/// A job that some office does for a property. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Function {
    /// Setting the taxable value.
    Assessment,
    /// Billing and collecting the property tax.
    TaxCollection,
    /// Keeping deeds and other land records.
    Recording,
    /// Zoning and land use decisions.
    Zoning,
    /// Building, septic and well permits.
    Permits,
    /// Parcel maps and map sites.
    Gis,
    /// Exemptions from property tax and other relief.
    Exemptions,
}

impl Function {
    /// All functions, in the contract's order.
    pub const ALL: [Function; 7] = [
        Function::Assessment,
        Function::TaxCollection,
        Function::Recording,
        Function::Zoning,
        Function::Permits,
        Function::Gis,
        Function::Exemptions,
    ];

    /// All functions in the order of pages: tax, then building, then records. Most visitors are assumed to come for a
    /// bill. Chosen, not measured.
    pub const AS_TASKS: [Function; 7] = [
        Function::TaxCollection,
        Function::Assessment,
        Function::Exemptions,
        Function::Permits,
        Function::Zoning,
        Function::Recording,
        Function::Gis,
    ];

    /// The contract's word, which is also the name of the function's table in a state file.
    pub fn as_str(self) -> &'static str {
        match self {
            Function::Assessment => "assessment",
            Function::TaxCollection => "tax_collection",
            Function::Recording => "recording",
            Function::Zoning => "zoning",
            Function::Permits => "permits",
            Function::Gis => "gis",
            Function::Exemptions => "exemptions",
        }
    }

    /// The function with this contract word; `None` for an unknown word.
    pub fn from_word(word: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.as_str() == word)
    }

    /// The topics that serve the function, the most requested first.
    pub fn topics(self) -> &'static [Topic] {
        match self {
            Function::Assessment => &[Topic::Assessor, Topic::Appeals, Topic::PropertyRecordsGeneral],
            Function::TaxCollection => &[Topic::PropertyTaxPayment, Topic::TaxCollector],
            Function::Recording => &[Topic::RecorderDeeds, Topic::PlatsSurveys],
            Function::Zoning => &[Topic::Zoning],
            Function::Permits => &[Topic::BuildingPermits, Topic::SepticWell],
            Function::Gis => &[Topic::ParcelMap, Topic::CountyGis],
            Function::Exemptions => &[Topic::Assessor, Topic::Exemptions],
        }
    }

    /// The function that a page of these topics mainly serves. A function whose first main topic is among them comes
    /// before one whose second main topic is. `None` for pages of other topics, such as general records.
    pub fn served_first_by(topics: TopicSet) -> Option<Function> {
        let fit = |function: &Function| {
            let main = match function {
                Function::TaxCollection | Function::Gis => function.topics(),
                _ => &function.topics()[..1],
            };
            main.iter().position(|topic| topics.has(*topic))
        };
        let functions = Function::ALL.into_iter().filter(|function| fit(function).is_some());
        functions.min_by_key(|function| fit(function))
    }
}

impl Topic {
    /// The functions that the topic serves; empty for topics that no local office is responsible for.
    pub fn functions(self) -> &'static [Function] {
        match self {
            Topic::Assessor | Topic::Appeals | Topic::PropertyRecordsGeneral => &[Function::Assessment],
            Topic::Exemptions => &[Function::Exemptions],
            Topic::PropertyTaxPayment | Topic::TaxCollector => &[Function::TaxCollection],
            Topic::RecorderDeeds | Topic::PlatsSurveys => &[Function::Recording],
            Topic::Zoning => &[Function::Zoning],
            Topic::BuildingPermits | Topic::SepticWell => &[Function::Permits],
            Topic::ParcelMap | Topic::CountyGis => &[Function::Gis],
            Topic::Wetlands
            | Topic::Floodplain
            | Topic::Soils
            | Topic::Elevation
            | Topic::RoadsRightOfWay
            | Topic::PublicLand => &[],
        }
    }

    /// The functions whose offices answer a question on the topic. Septic systems belong to permits, but not to the
    /// building office: in most states a health or environment office decides on them.
    pub fn office_functions(self) -> &'static [Function] {
        match self {
            Topic::SepticWell => &[],
            _ => self.functions(),
        }
    }
}

/// A set of functions.
pub type FunctionSet = Set<Function>;

impl FunctionSet {
    /// The functions whose offices answer questions on these topics.
    pub fn of_topics<'t>(topics: impl IntoIterator<Item = &'t Topic>) -> FunctionSet {
        topics.into_iter().flat_map(|topic| topic.office_functions()).copied().collect()
    }
}

impl Member for Function {
    const MEMBERS: &'static [Function] = &Function::ALL;

    fn number(self) -> u32 {
        self as u32
    }
}

/// The part that a body has in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The body to contact first.
    Primary,
    /// A further body, for example one that sends a second bill.
    Secondary,
    /// The body that collects overdue tax.
    Delinquent,
}

/// The level of government whose levy a body bills or collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevyScope {
    /// The county's own levy.
    County,
    /// The levy of a city, town or village.
    Municipal,
    /// A school district's levy.
    School,
    /// A special district's levy.
    Special,
    /// The levies of all governments in the area.
    All,
}

/// The level of government that does a job in most of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The state's own government.
    State,
    /// Counties and county equivalents.
    County,
    /// Towns and townships (county subdivisions).
    Town,
    /// Cities and other incorporated places.
    City,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sets_go_both_ways() {
        for function in Function::ALL {
            assert_eq!(Function::from_word(function.as_str()), Some(function));
            let set: FunctionSet = [function].into_iter().collect();
            assert!(set.iter().eq([function]));
            for topic in function.topics() {
                // The assessor's pages also serve exemptions, but they are listed under assessment.
                let shown = (function, *topic) != (Function::Exemptions, Topic::Assessor);
                assert_eq!(topic.functions().contains(&function), shown, "{function:?} {topic:?}");
            }
        }
        assert!(FunctionSet::default().is_empty());
        assert_eq!(Function::from_word("fishing"), None);
    }
}
