//! Actions that a person can take on a page. Actions are only added, never renamed.

use serde::{Deserialize, Serialize};

use super::{Function, Member, Set};

/// An action that a person can take on a page. Snapshots store the position of each, so the order must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Action {
    /// See the property tax bill, or pay it.
    PayBill,
    /// Find a property with its value and its facts.
    LookUpProperty,
    /// Question the assessed value, or appeal it.
    QuestionValue,
    /// Claim an exemption or another relief from property tax.
    ClaimExemption,
    /// Search recorded deeds, or get a copy.
    FindDeed,
    /// See the zoning of a lot, or what it allows.
    LookUpZoning,
    /// Apply for a building permit, or learn how.
    ApplyForPermit,
    /// See a parcel on a map in the browser.
    SeeParcelMap,
    /// Get map data: a portal, a download or a service for software.
    GetMapData,
}

impl Action {
    /// All actions, in the contract's order.
    pub const ALL: [Action; 9] = [
        Action::PayBill,
        Action::LookUpProperty,
        Action::QuestionValue,
        Action::ClaimExemption,
        Action::FindDeed,
        Action::LookUpZoning,
        Action::ApplyForPermit,
        Action::SeeParcelMap,
        Action::GetMapData,
    ];

    /// The contract's word for the action.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::PayBill => "pay_bill",
            Action::LookUpProperty => "look_up_property",
            Action::QuestionValue => "question_value",
            Action::ClaimExemption => "claim_exemption",
            Action::FindDeed => "find_deed",
            Action::LookUpZoning => "look_up_zoning",
            Action::ApplyForPermit => "apply_for_permit",
            Action::SeeParcelMap => "see_parcel_map",
            Action::GetMapData => "get_map_data",
        }
    }

    /// The action with this contract word; `None` for an unknown word.
    pub fn from_word(word: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.as_str() == word)
    }
}

/// A set of actions.
pub type ActionSet = Set<Action>;

impl Member for Action {
    const MEMBERS: &'static [Action] = &Action::ALL;

    fn number(self) -> u32 {
        self as u32
    }
}

impl Function {
    /// The actions for which people contact the function's office, the most common first. For maps, the property
    /// search comes second, because it often has a map.
    pub fn actions(self) -> &'static [Action] {
        match self {
            Function::Assessment => &[Action::LookUpProperty, Action::QuestionValue],
            Function::TaxCollection => &[Action::PayBill],
            Function::Recording => &[Action::FindDeed],
            Function::Zoning => &[Action::LookUpZoning],
            Function::Permits => &[Action::ApplyForPermit],
            Function::Gis => &[Action::SeeParcelMap, Action::LookUpProperty],
            Function::Exemptions => &[Action::ClaimExemption],
        }
    }

    /// The first action of the function that is in the set; `None` if the set has none of them.
    pub fn first_action(self, actions: ActionSet) -> Option<Action> {
        self.actions().iter().copied().find(|action| actions.has(*action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_both_ways_and_each_function_has_an_action() {
        for (at, action) in Action::ALL.into_iter().enumerate() {
            assert_eq!((action as usize, Action::from_word(action.as_str())), (at, Some(action)));
        }
        assert_eq!(Action::from_word("fishing"), None);
        for function in Function::ALL {
            let first = function.actions()[0];
            assert_eq!(function.first_action(ActionSet::all()), Some(first), "{function:?}");
            assert_eq!(function.first_action(ActionSet::from_iter([Action::GetMapData])), None);
        }
    }
}
