//! Finds the government that answers for a community without one.

use super::{Directory, Row};
use crate::vocabulary::StateCode;

/// A community without a government, by its number in one snapshot. Only a directory makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommunityRow(u32);

/// The fields of a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommunityView<'a> {
    /// Name of the community, as its source has it.
    pub name: &'a str,
    /// The city, town or county that answers for the community. Parts of the community may lie in others.
    pub body: Row,
    /// Whether the community comes first among communities of the same name.
    pub known: bool,
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
        let communities = self.snapshot.communities()?;
        let (name, _, body) = communities.get(row.0)?;
        Some(CommunityView { name, body: Row::new(body), known: communities.is_known(row.0) })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        directory::{Row, Unlisted},
        testing::directory,
        vocabulary::StateCode,
    };

    #[test]
    fn a_community_leads_to_the_government_around_it() {
        let directory = directory();
        let names =
            |rows: &[Row]| rows.iter().map(|row| directory.name_of(*row)).collect::<Vec<_>>().join(", ");
        for (text, expected, notices) in [
            ("Millbrook", "Baker County", 1),
            ("the hollow", "Oak town", 1),
            ("The Hollow, MN", "Oak town", 1),
            ("hollow mn zoning", "Oak town", 1),
            ("the hollow wi", "", 0),
            ("Twin Pines", "Elm town, Pine town", 2),
            // A government has the name, so the community does not count.
            ("Rivertown", "Rivertown", 0),
        ] {
            let found = directory.search(text, None, 10);
            let rows: Vec<Row> = found.places.iter().map(|place| place.row).collect();
            assert_eq!((names(&rows).as_str(), found.unlisted.len()), (expected, notices), "{text}");
        }
        let state: StateCode = "MN".parse().unwrap();
        for (name, expected) in [("Hollow", "Oak town"), ("Twin Pines", "Elm town, Pine town"), ("Elm", "")] {
            let named = directory.unlisted_named(name, state);
            assert!(named.iter().all(|(unlisted, _)| matches!(unlisted, Unlisted::Community(_))));
            let rows: Vec<Row> = named.into_iter().map(|(_, body)| body).collect();
            assert_eq!(names(&rows), expected, "{name}");
        }
    }
}
