//! Sentences on federal land, at a point or by its name.

use super::Sentences;
use crate::{
    directory::{FederalLandRow, FederalLandView},
    vocabulary::FederalKind,
};

const NOT_BOUND: &str = "local zoning and permits usually do not apply there";
const MAY_BE_FEDERAL: &str = "This point may lie on federal land, where local zoning and permits usually do not apply. Ask the agency \
                              that runs it first.";

impl Sentences<'_> {
    pub(super) fn federal_land(&self, row: FederalLandRow) -> String {
        let Some(FederalLandView { name, kind }) = self.directory.federal_land(row) else {
            return MAY_BE_FEDERAL.to_owned();
        };
        match kind {
            FederalKind::Base => format!(
                "This point may lie on a military base, {name}. If it does, ask the base first: {NOT_BOUND}."
            ),
            FederalKind::Park => format!(
                "This point may lie in {name}, which the National Park Service runs. If the land is federal, ask the park \
                 first: {NOT_BOUND}."
            ),
            FederalKind::Agency => format!(
                "This point may lie in {name}, which is federal land. If it does, ask the agency that runs it first: \
                 {NOT_BOUND}."
            ),
            FederalKind::Forest => format!(
                "This point may lie in {name}, where some land is private. If this land is federal, ask the Forest Service \
                 first: {NOT_BOUND}."
            ),
        }
    }

    pub(super) fn federal_land_of_name(&self, row: FederalLandRow) -> String {
        let Some(FederalLandView { name, kind }) = self.directory.federal_land(row) else {
            return MAY_BE_FEDERAL.to_owned();
        };
        let first = match kind {
            FederalKind::Base => format!("{name} is a military base, so ask the base first: {NOT_BOUND}."),
            FederalKind::Park => {
                format!("The National Park Service runs {name}, so ask the park first: {NOT_BOUND}.")
            }
            FederalKind::Agency => {
                format!("{name} is federal land, so ask the agency that runs it first: {NOT_BOUND}.")
            }
            FederalKind::Forest => format!(
                "{name} has federal and private land. On federal land ask the Forest Service first: {NOT_BOUND}."
            ),
        };
        format!("{first} The offices shown serve private land there and land around it.")
    }
}
