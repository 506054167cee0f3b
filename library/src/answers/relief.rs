//! Exemptions of some owners, such as seniors and veterans: whether an answer shows them, or refers to a guide.

use super::Entry;
use crate::{
    directory::{DateRef, Directory},
    vocabulary::{DatedKind, FunctionSet, StateCode},
};

impl Entry {
    /// The exemptions of some owners if the request chose jobs. Otherwise empty: the answer then refers to a guide.
    pub fn shown_relief(&self, chosen: FunctionSet) -> &[DateRef] {
        if chosen.is_empty() { &[] } else { &self.relief }
    }

    /// The kinds of the exemptions in `relief`, and the state whose guide has these kinds. `None` without exemptions,
    /// or without a body.
    pub fn further_relief(&self, directory: &Directory) -> Option<(Vec<DatedKind>, StateCode)> {
        let kinds = directory.kinds_of(&self.relief);
        let state = self.body.and_then(|body| directory.state_of(body))?;
        (!kinds.is_empty()).then_some((kinds, state))
    }
}
