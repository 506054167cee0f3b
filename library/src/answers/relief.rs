//! Exemptions of some owners, such as seniors and veterans: where an answer shows them, and where a guide has them.

use super::Entry;
use crate::{
    directory::{DateRef, Directory},
    vocabulary::{DatedKind, FunctionSet, StateCode},
};

impl Entry {
    /// The exemptions of some owners, where jobs are chosen and exemptions are among them; else a guide has them.
    pub fn shown_relief(&self, chosen: FunctionSet) -> &[DateRef] {
        if chosen.is_empty() { &[] } else { &self.relief }
    }

    /// The kinds of its exemptions of some owners, and the state whose guide has them; `None` without such.
    pub fn further_relief(&self, directory: &Directory) -> Option<(Vec<DatedKind>, StateCode)> {
        let kinds = directory.kinds_of(&self.relief);
        let state = self.body.and_then(|body| directory.state_of(body))?;
        (!kinds.is_empty()).then_some((kinds, state))
    }
}
