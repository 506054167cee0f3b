//! Finds a jurisdiction by an id that was typed as a name: an id of the contract or an Open Civic Data id.

use crate::{
    directory::{Directory, Row},
    snapshot::Space,
    vocabulary::{JurisdictionId, StateCode, name_key, ocd_name},
};

impl Directory {
    /// The row of a text that is an id. Bare digits are not accepted, because they may be a ZIP code.
    pub(super) fn row_of_written_id(&self, text: &str) -> Option<Row> {
        let text = text.to_ascii_lowercase();
        match text.parse::<JurisdictionId>() {
            Ok(id) => self.found(&id),
            Err(_) => self.row_of_ocd_id(&text),
        }
    }

    /// The row with an Open Civic Data id. The snapshot has no index of these ids, so the name in the id is looked up
    /// in its state.
    fn row_of_ocd_id(&self, ocd_id: &str) -> Option<Row> {
        let path = ocd_id.strip_prefix("ocd-division/country:us/")?;
        let mut parts = path.split('/').filter_map(|part| part.split_once(':'));
        let (_, code) = parts.next().filter(|(kind, _)| ["state", "district", "territory"].contains(kind))?;
        let state: StateCode = code.parse().ok()?;
        if parts.next().is_none() {
            return self.state_row(state);
        }
        let names = self.snapshot.names();
        let ranks = names.exact(Space::PlacesOf(state), &name_key(&ocd_name(ocd_id)?));
        let mut rows = ranks.iter().filter_map(|rank| names.place(rank)).map(Row::new);
        rows.find(|row| self.ocd_id(*row).is_some_and(|id| id == ocd_id))
    }
}
