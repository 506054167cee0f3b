//! The actions that a person can take on each page: one set for each resource of the section `records`.

use rkyv::{Archive, Serialize};

use super::{SnapshotError, records::NewResource};
use crate::vocabulary::{Action, ActionSet};

/// The actions as stored: one set for each resource, in the order of `records`.
#[derive(Debug, Default, Archive, Serialize)]
pub struct PageActions {
    /// The bits of the sets, one number for each resource.
    sets: Vec<u16>,
}

impl PageActions {
    /// Packs the actions of the resources, which are in the order of the section `records`.
    pub fn pack(resources: &[NewResource]) -> PageActions {
        const _: () = assert!(Action::ALL.len() <= u16::BITS as usize, "a bit for each action");
        PageActions { sets: resources.iter().map(|resource| resource.actions.bits() as u16).collect() }
    }
}

impl ArchivedPageActions {
    /// The actions of the resource with this number; empty for an unknown number.
    pub fn of(&self, resource: usize) -> ActionSet {
        self.sets
            .get(resource)
            .map_or_else(ActionSet::default, |bits| ActionSet::from_bits(bits.to_native().into()))
    }

    pub(super) fn check_layout(&self, resources: usize) -> Result<(), SnapshotError> {
        // The pipeline first writes a snapshot without pages, and adds the pages later. The list is empty in the first.
        if self.sets.is_empty() || self.sets.len() == resources {
            return Ok(());
        }
        let detail = format!("{resources} sets expected, one for each resource; got {}", self.sets.len());
        Err(SnapshotError::layout("actions", detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{JurisdictionId, SourceKind};

    #[test]
    fn sets_follow_the_resources() {
        let resource = |actions: &[Action]| {
            let page =
                NewResource::page(JurisdictionId::Country, String::new(), String::new(), SourceKind::Curated);
            NewResource { actions: actions.iter().copied().collect(), ..page.placed(0, 0) }
        };
        let all = [resource(&[]), resource(&[Action::PayBill, Action::GetMapData])];
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&PageActions::pack(&all)).unwrap();
        let read = rkyv::access::<ArchivedPageActions, rkyv::rancor::Error>(&bytes).unwrap();
        assert_eq!(
            (read.of(0), read.of(1), read.of(2)),
            (all[0].actions, all[1].actions, ActionSet::default())
        );
        assert!(read.check_layout(2).is_ok() && read.check_layout(3).is_err());
    }
}
