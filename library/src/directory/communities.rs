//! Finds the county of a community without a government.

use super::{Directory, Row};
use crate::vocabulary::StateCode;

/// A community without a government, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommunityRow(u32);

/// The fields of a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommunityView<'a> {
    /// Name as the Census Bureau publishes it.
    pub name: &'a str,
    /// The county that contains it.
    pub county: Row,
}

impl Directory {
    /// The communities with a folded name, restricted to a state if one is given.
    pub(super) fn communities_named(&self, key: &str, state: Option<StateCode>) -> Vec<CommunityRow> {
        let Some(communities) = self.snapshot.communities() else { return Vec::new() };
        let in_state = |number: &u32| {
            let fips = communities.get(*number).map(|(_, fips, _)| fips);
            state.is_none_or(|state| fips == Some(state.fips()))
        };
        communities.named(key).filter(in_state).map(CommunityRow).collect()
    }

    /// The fields of a community; `None` for a row of another snapshot.
    pub fn community(&self, row: CommunityRow) -> Option<CommunityView<'_>> {
        let (name, _, county) = self.snapshot.communities()?.get(row.0)?;
        Some(CommunityView { name, county: Row::new(county) })
    }
}
