//! The directory as a WebAssembly module without imports: a browser, Node.js or a worker at an edge opens a snapshot and
//! asks it. `browser/platbook.js` is its other half.
//!
//! The caller writes into memory that [`room`] or [`words`] gives. Each question returns the length in bytes of its
//! answer, UTF-8 that begins at [`answer`]. An answer stays until the next question. One thread has one snapshot.
#![expect(unsafe_code, reason = "an export needs a name that the linker keeps, which Rust calls unsafe")]

mod json;

use std::{cell::RefCell, sync::Arc};

use json::{Object, list};
use platbook::{
    answers::Answers,
    columns::{Cell, CellType, Column, Location, PointCells, Table},
    directory::{Directory, Lookup},
    snapshot::{Buffer, Snapshot},
    vocabulary::JurisdictionId,
};

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State::new()) };
}

/// The state of a module between two calls.
struct State {
    /// The file that the caller fills, until it is opened.
    file: Option<Buffer>,
    /// The table of all columns over the opened file, with the names of the columns.
    opened: Option<(Arc<Table>, Vec<String>)>,
    /// The text of the next question.
    words: Vec<u8>,
    answer: String,
}

impl State {
    const fn new() -> State {
        State { file: None, opened: None, words: Vec::new(), answer: String::new() }
    }

    fn open(&mut self) -> Result<(), String> {
        let file = self.file.take().ok_or("no file was received")?;
        let snapshot = Snapshot::own(file).map_err(|error| error.to_string())?;
        let columns = Column::chosen(Some(&["all"]), Some(&["all"]))?;
        let names = columns.iter().map(|column| column.name()).collect();
        let answers = Answers::new(Directory::new(snapshot));
        self.opened = Some((Arc::new(Table::new(Arc::new(answers), columns)), names));
        Ok(())
    }

    /// Answers from the opened file; without one, the answer is `null`.
    fn ask(&mut self, ask: impl FnOnce(&Arc<Table>, &[String], &str) -> String) -> usize {
        let words = std::str::from_utf8(&self.words).unwrap_or_default();
        self.answer = match &self.opened {
            Some((table, names)) => ask(table, names, words),
            None => "null".to_owned(),
        };
        self.answer.len()
    }
}

/// Gives memory for a file of this many bytes, and frees the opened one. The file is not copied again.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        // First the old file: memory of a module grows, but never shrinks.
        (state.opened, state.file) = (None, None);
        state.file.insert(Buffer::zeroed(bytes)).as_mut_slice().as_mut_ptr()
    })
}

/// Verifies and opens the file in the room. Returns 0, or the length of the reason why it cannot be opened.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    STATE.with_borrow_mut(|state| {
        state.answer = state.open().err().unwrap_or_default();
        state.answer.len()
    })
}

/// Gives memory for the text of a question, of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn words(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.words = vec![0; bytes];
        state.words.as_mut_ptr()
    })
}

/// The first byte of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// The id and date of the snapshot, and the columns of rows with their types and units.
#[unsafe(no_mangle)]
pub extern "C" fn about() -> usize {
    STATE.with_borrow_mut(|state| {
        state.ask(|table, names, _| {
            let columns = table.columns().iter().zip(names).map(|(column, name)| {
                let kind = match column.cell_type() {
                    CellType::Text => "text",
                    CellType::Meters => "meters",
                    CellType::Truth => "truth",
                };
                Object::default().text("name", Some(name)).text("type", Some(kind)).end()
            });
            let directory = table.directory();
            Object::default()
                .text("snapshot_id", Some(directory.snapshot_id()))
                .text("as_of", Some(directory.as_of()))
                .raw("columns", &list(columns))
                .end()
        })
    })
}

/// The row of a point in degrees, with all columns. For a bad point, `error` has the reason.
#[unsafe(no_mangle)]
pub extern "C" fn resolve(lat: f64, lon: f64) -> usize {
    STATE.with_borrow_mut(|state| {
        state.ask(|table, names, _| row(table, names, Location::of_degrees((lat, lon))))
    })
}

/// The row of the government whose id is in [`words`].
#[unsafe(no_mangle)]
pub extern "C" fn place() -> usize {
    STATE.with_borrow_mut(|state| {
        state.ask(|table, names, words| row(table, names, named(table.directory(), words)))
    })
}

/// At most `limit` governments with the name in [`words`], the best first.
#[cfg(feature = "names")]
#[unsafe(no_mangle)]
pub extern "C" fn search(limit: usize) -> usize {
    STATE.with_borrow_mut(|state| {
        state.ask(|table, _, words| {
            let directory = table.directory();
            let places = directory.search(words, None, limit).places;
            list(places.into_iter().map(|place| label(directory, place.row)))
        })
    })
}

fn named(directory: &Directory, id: &str) -> Location {
    let found = id.trim().parse::<JurisdictionId>().ok().map(|id| directory.lookup(&id));
    match found {
        Some(Lookup::Found(row)) => Location::Jurisdiction(row),
        Some(Lookup::Replaced(rows)) => {
            let ids: Vec<String> = rows.into_iter().map(|row| directory.id_of(row).to_string()).collect();
            Location::Invalid(format!("this id was replaced by {}", ids.join(" ")).into())
        }
        Some(Lookup::Unknown) | None => Location::Invalid("no government has this id".into()),
    }
}

/// The id and name of a government, with the county and state that distinguish it from others of this name.
#[cfg(feature = "names")]
fn label(directory: &Directory, row: platbook::directory::Row) -> String {
    let view = directory.jurisdiction(row);
    let county = directory.county_around(row).filter(|county| *county != row);
    Object::default()
        .text("id", Some(&directory.id_of(row).to_string()))
        .text("name", Some(view.name))
        .text("legal_type", view.legal_type)
        .text("county_name", county.map(|county| directory.name_of(county)))
        .text("usps", directory.state_of(row).map(|state| state.usps()))
        .end()
}

fn row(table: &Arc<Table>, names: &[String], location: Location) -> String {
    let mut texts = Vec::new();
    let mut resolver = table.resolver();
    let outcomes = resolver.resolve(std::iter::once(location), |chain| {
        texts = chain.columns().iter().map(|column| chain.text(*column).map(String::from)).collect();
    });
    let Some(outcome) = outcomes.first() else { return "null".to_owned() };
    let cells = PointCells::new(table.directory(), outcome);
    texts.resize(names.len(), None); // a point outside has no chain
    let mut row = Object::default();
    for ((column, name), text) in table.columns().iter().zip(names).zip(&texts) {
        row = match (text.as_deref(), cells.cell(*column)) {
            (Some(text), _) | (None, Cell::Text(text)) => row.text(name, Some(text)),
            (None, Cell::Null) => row.text(name, None),
            (None, Cell::Meters(meters)) => row.tenths(name, meters),
            (None, Cell::Truth(truth)) => row.raw(name, if truth { "true" } else { "false" }),
        };
    }
    row.end()
}
