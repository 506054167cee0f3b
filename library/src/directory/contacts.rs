//! Telephone, mail box and street address of an office: the office's own, or else those of its government's main
//! line.

use super::{Directory, Row, SourceRow};
use crate::{
    snapshot::ArchivedContactRow,
    vocabulary::{FunctionSet, UrlScope},
};

/// A contact by its position among all contacts of the snapshot. Only a [`Directory`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactRef(u32);

/// The desk that a telephone, mail box or street address reaches, and the source of that contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactOrigin<'a> {
    /// Whether the office answers, or the main line of its government.
    pub scope: UrlScope,
    /// The desk that answers, as the source calls it; `None` if the source names no desk.
    pub name: Option<&'a str>,
    /// Year of the source's text; `None` where it has no date.
    pub year: Option<u16>,
    /// The source of the contact data.
    pub source: SourceRow,
}

/// Telephone, mail box and street address of an office.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contact<'a> {
    /// The telephone number, as its source writes it.
    pub phone: Option<&'a str>,
    /// The mail box, which is never that of a person.
    pub email: Option<&'a str>,
    /// The street or postal address, in one line.
    pub address: Option<&'a str>,
    /// The desk that telephone, mail box and address reach; `None` without any of them.
    pub origin: Option<ContactOrigin<'a>>,
}

impl Directory {
    /// The contact of the office that does any of these jobs for a body, or else the contact of the body's main line.
    pub(super) fn contact_for(&self, body: Row, functions: FunctionSet) -> Option<ContactRef> {
        let serves = |of: FunctionSet| of.meets(functions);
        let own = self.contacts_of(body).find(|contact| serves(self.contact_row(*contact).functions()));
        own.or_else(|| self.contacts_of(body).find(|contact| self.is_main_line(*contact)))
    }

    fn contacts_of(&self, body: Row) -> impl Iterator<Item = ContactRef> {
        let contacts = self.snapshot.contacts();
        let rows = contacts
            .into_iter()
            .flat_map(move |contacts| self.with_same(body).map(|row| contacts.rows_of(row.number())));
        rows.flat_map(|(start, own)| (start as u32..).take(own.len()).map(ContactRef))
    }

    fn contact_row(&self, contact: ContactRef) -> &ArchivedContactRow {
        let contacts = self.snapshot.contacts();
        let row = contacts.and_then(|contacts| contacts.rows().get(contact.0 as usize));
        row.expect("contacts come from this directory")
    }

    fn is_main_line(&self, contact: ContactRef) -> bool {
        self.contact_row(contact).functions().is_empty()
    }

    /// Chooses between `of_site`, the contact in the record of the office's own page, and `contact`. Returns
    /// `of_site` if it has a telephone, or if there is no `contact`.
    pub(super) fn shown_contact<'d>(
        &'d self,
        of_site: Contact<'d>,
        contact: Option<ContactRef>,
    ) -> Contact<'d> {
        if of_site.phone.is_some() {
            return of_site;
        }
        let listed = contact.zip(self.snapshot.contacts()).map(|(contact, contacts)| {
            let row = self.contact_row(contact);
            let is_main_line = self.is_main_line(contact);
            let scope = if is_main_line { UrlScope::Government } else { UrlScope::Office };
            let source = SourceRow::new(row.source());
            Contact {
                phone: row.phone(contacts),
                email: row.email(contacts),
                address: row.address(contacts),
                origin: Some(ContactOrigin { scope, name: row.name(contacts), year: row.year(), source }),
            }
        });
        listed.unwrap_or(of_site)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        snapshot::write::{Contacts, NewContact},
        testing,
        vocabulary::{Function, UrlScope},
    };

    /// Row 4 is Baker County: rows stand in the order of ids.
    #[test]
    fn an_office_shows_its_own_contact_before_the_main_line() {
        let contact = |functions: &[Function], phone: &str| NewContact {
            jurisdiction: 4,
            functions: functions.iter().copied().collect(),
            name: "Clerk".to_owned(),
            phone: phone.to_owned(),
            year: 2020,
            source: 1,
            ..NewContact::default()
        };
        let rows = vec![contact(&[], "612-555-0101"), contact(&[Function::Recording], "612-555-0102")];
        let directory = testing::directory_with(|contents| {
            contents.pages.contacts = Contacts::pack(rows).unwrap();
        });
        let baker = directory.found(&"county:27003".parse().unwrap()).unwrap();
        assert_eq!(baker.number(), 4);
        for (function, phone, scope) in [
            (Function::Recording, "612-555-0102", UrlScope::Office),
            (Function::Assessment, "612-555-0101", UrlScope::Government),
        ] {
            let title = format!("Office of {}", function.as_str().replace('_', " "));
            let shown = directory.shown_site(directory.office_named(baker, &title, function).site).unwrap();
            let origin = shown.origin.unwrap();
            assert_eq!((shown.phone, shown.url), (Some(phone), None));
            assert_eq!((origin.scope, origin.name, origin.year), (scope, Some("Clerk"), Some(2020)));
            assert_eq!((origin.source.index(), shown.source.index()), (1, 1));
        }
    }
}
