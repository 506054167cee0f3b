//! Lists governments and areas that are new, gone or renamed.

use platbook::{
    directory::{Directory, JurisdictionView, Lookup, Row},
    vocabulary::{FuncStat, JurisdictionId},
};

use super::{Change, Kind};

/// Compares the ids, names, legal words and functional status of all jurisdictions.
pub(super) fn changes(old: &Directory, new: &Directory) -> Vec<Change> {
    let mut changes: Vec<Change> = old.rows().filter_map(|row| change(old, new, row)).collect();
    let is_new = |row: &Row| old.found(&new.jurisdiction(*row).id).is_none();
    let added = new.rows().filter(is_new);
    changes.extend(added.map(|row| Change::of(new, row, Kind::Jurisdictions, "is new".to_owned())));
    changes
}

fn change(old: &Directory, new: &Directory, row: Row) -> Option<Change> {
    let was = old.jurisdiction(row);
    let is = match new.lookup(&was.id) {
        Lookup::Found(row) => row,
        Lookup::Replaced(rows) => {
            let heirs: Vec<&str> = rows.iter().map(|row| new.jurisdiction(*row).name).collect();
            return Some(gone(old, row, format!("is replaced by {}", heirs.join(", "))));
        }
        Lookup::Unknown => return Some(gone(old, row, "is gone".to_owned())),
    };
    let mut what = differences(&was, &new.jurisdiction(is));
    if same_as(old, row) != same_as(new, is) {
        what.push("is one government with others than before".to_owned());
    }
    (!what.is_empty()).then(|| Change::of(new, is, Kind::Jurisdictions, what.join("; ")))
}

fn gone(old: &Directory, row: Row, what: String) -> Change {
    Change::of(old, row, Kind::Jurisdictions, what)
}

fn differences(was: &JurisdictionView<'_>, is: &JurisdictionView<'_>) -> Vec<String> {
    let mut what = Vec::new();
    if was.name != is.name {
        what.push(format!("was called {}", was.name));
    }
    if was.legal_type != is.legal_type {
        let word = |legal: Option<&str>| legal.unwrap_or("nothing").to_owned();
        what.push(format!("is a {}, was a {}", word(is.legal_type), word(was.legal_type)));
    }
    if was.func_stat != is.func_stat {
        let letter = |status: FuncStat| char::from(status as u8);
        what.push(format!(
            "has the functional status {}, had {}",
            letter(is.func_stat),
            letter(was.func_stat)
        ));
    }
    what
}

fn same_as(directory: &Directory, row: Row) -> Vec<JurisdictionId> {
    directory.same_as(row).map(|same| directory.jurisdiction(same).id).collect()
}
