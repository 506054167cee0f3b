//! Contacts of offices: telephone, email address and street address, each contact with its source.
//!
//! A website in `records` has one source for its page and its telephone. A contact has a source of its own, and the
//! year of that source's text.

use rkyv::{Archive, Serialize};

use super::{
    SnapshotError,
    records::{function_bits, run},
    text_heap::{TextHeap, text_at},
    write_error::WriteError,
};
use crate::vocabulary::FunctionSet;

/// Number of bytes for the length before each text in the heap.
const LENGTH_BYTES: usize = 2;

/// A contact before it is packed into a snapshot. Unknown texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewContact {
    /// Row of the jurisdiction in the section `jurisdictions`.
    pub jurisdiction: u32,
    /// The jobs of the office that answers; empty if the contact is the main line of the government.
    pub functions: FunctionSet,
    /// The office or role that answers, in the source's words.
    pub name: String,
    /// Telephone of the office, `000-000-0000`.
    pub phone: String,
    /// Email address of a role such as the assessor, never that of a person.
    pub email: String,
    /// Street address, in one line.
    pub address: String,
    /// Row of the source in the section `meta`.
    pub source: u16,
    /// Year of the source's text; 0 if the text has no date.
    pub year: u16,
}

/// The contacts as stored.
#[derive(Debug, Default, Archive, Serialize)]
pub struct Contacts {
    /// Sorted by jurisdiction, then by functions.
    rows: Vec<ContactRow>,
    /// Texts, each after two bytes with its length, the low byte first.
    heap: Vec<u8>,
}

/// A contact, as stored.
#[derive(Clone, Copy, Debug, Archive, Serialize)]
pub struct ContactRow {
    jurisdiction: u32,
    /// Positions of texts in the heap; the empty text is at 0.
    name: u32,
    phone: u32,
    email: u32,
    address: u32,
    source: u16,
    year: u16,
    functions: u8,
}

impl Contacts {
    /// Sorts the contacts and packs them.
    ///
    /// # Errors
    /// [`WriteError::LongText`] if a text is longer than 65,535 bytes.
    pub fn pack(mut contacts: Vec<NewContact>) -> Result<Contacts, WriteError> {
        contacts.sort_by(|a, b| {
            (a.jurisdiction, a.functions, &a.phone).cmp(&(b.jurisdiction, b.functions, &b.phone))
        });
        let mut texts = TextHeap::<LENGTH_BYTES>::new();
        let row = |new: &NewContact| -> Result<ContactRow, WriteError> {
            Ok(ContactRow {
                jurisdiction: new.jurisdiction,
                name: texts.place(&new.name)?,
                phone: texts.place(&new.phone)?,
                email: texts.place(&new.email)?,
                address: texts.place(&new.address)?,
                source: new.source,
                year: new.year,
                functions: function_bits(new.functions),
            })
        };
        let rows = contacts.iter().map(row).collect::<Result<_, _>>()?;
        Ok(Contacts { rows, heap: texts.into_bytes() })
    }
}

impl ArchivedContacts {
    /// All contacts, ascending by jurisdiction.
    pub fn rows(&self) -> &[ArchivedContactRow] {
        &self.rows
    }

    /// Index of a jurisdiction's first contact in [`ArchivedContacts::rows`], and the jurisdiction's contacts. The main
    /// line of the government comes first, if it is known.
    pub fn rows_of(&self, jurisdiction: u32) -> (usize, &[ArchivedContactRow]) {
        run(&self.rows, jurisdiction, |row| row.jurisdiction.to_native())
    }

    fn known(&self, place: u32) -> Option<&str> {
        Some(text_at::<LENGTH_BYTES>(&self.heap, place)).filter(|text| !text.is_empty())
    }

    pub(super) fn check_layout(&self, jurisdictions: usize, sources: usize) -> Result<(), SnapshotError> {
        let is_there = |row: &ArchivedContactRow| {
            (row.jurisdiction.to_native() as usize) < jurisdictions && usize::from(row.source()) < sources
        };
        if !self.rows.iter().all(is_there) {
            return Err(SnapshotError::layout("contacts", "a jurisdiction or a source that is not there"));
        }
        if !self.rows.is_sorted_by_key(|row| row.jurisdiction.to_native()) {
            return Err(SnapshotError::layout("contacts", "jurisdictions in ascending order expected"));
        }
        Ok(())
    }
}

impl ArchivedContactRow {
    /// The jobs of the office that answers; empty if the contact is the main line of the government.
    pub fn functions(&self) -> FunctionSet {
        FunctionSet::from_bits(self.functions.into())
    }

    /// Row of the jurisdiction in the section `jurisdictions`.
    pub fn jurisdiction(&self) -> u32 {
        self.jurisdiction.to_native()
    }

    /// Row of the source in the section `meta`.
    pub fn source(&self) -> u16 {
        self.source.to_native()
    }

    /// Year of the source's text; `None` if the text has no date.
    pub fn year(&self) -> Option<u16> {
        Some(self.year.to_native()).filter(|year| *year != 0)
    }

    /// The office or role that answers, in the source's words; `None` if unknown.
    pub fn name<'a>(&self, contacts: &'a ArchivedContacts) -> Option<&'a str> {
        contacts.known(self.name.to_native())
    }

    /// Telephone as the source writes it; `None` if unknown.
    pub fn phone<'a>(&self, contacts: &'a ArchivedContacts) -> Option<&'a str> {
        contacts.known(self.phone.to_native())
    }

    /// Email address of a role such as the assessor, never that of a person; `None` if unknown.
    pub fn email<'a>(&self, contacts: &'a ArchivedContacts) -> Option<&'a str> {
        contacts.known(self.email.to_native())
    }

    /// Street address, in one line; `None` if unknown.
    pub fn address<'a>(&self, contacts: &'a ArchivedContacts) -> Option<&'a str> {
        contacts.known(self.address.to_native())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Function;

    #[test]
    fn contacts_are_found_by_their_government() {
        let contact = |jurisdiction, functions: &[Function], phone: &str| NewContact {
            jurisdiction,
            functions: functions.iter().copied().collect(),
            phone: phone.to_owned(),
            source: 1,
            year: 2020,
            ..NewContact::default()
        };
        let all = vec![
            contact(7, &[Function::Recording], "612-555-0102"),
            contact(7, &[], "612-555-0101"),
            contact(3, &[Function::Assessment], "612-555-0103"),
        ];
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&Contacts::pack(all).unwrap()).unwrap();
        let read = rkyv::access::<ArchivedContacts, rkyv::rancor::Error>(&bytes).unwrap();
        let (start, of_seven) = read.rows_of(7);
        let phones: Vec<_> = of_seven.iter().map(|row| row.phone(read).unwrap()).collect();
        assert_eq!((start, phones), (1, vec!["612-555-0101", "612-555-0102"]));
        assert_eq!((of_seven[1].year(), of_seven[1].name(read)), (Some(2020), None));
        assert!(read.rows_of(5).1.is_empty());
        assert!(read.check_layout(8, 2).is_ok());
        assert!(read.check_layout(7, 2).is_err() && read.check_layout(8, 1).is_err());
    }
}
