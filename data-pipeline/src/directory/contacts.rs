//! Contacts of the hand-kept tables and of published lists, each matched to the office of its government that does the
//! job.
//!
//! The most trusted text comes first, then the newest; texts without a date come last. An office has one contact, and
//! contacts that differ from it are reported. Telephone and address are checked against the state and county, so that a
//! mistyped row is left out.

use std::{
    cmp::Reverse,
    collections::{HashMap, hash_map::Entry},
};

use platbook::{
    directory::{Directory, Row},
    snapshot::write::NewContact,
    vocabulary::{
        FunctionSet, Geoid, JurisdictionId, Layer, SourceKind, StateCode, VerifiedStatus, bare_url, name_key,
    },
};

use super::{
    PackError, SourceTable,
    documented::{self, Hosts},
    records::{Disposition, LeftOut, Website},
};
use crate::{
    curated::{CONTACTS, ContactRules, ContactTables, OfficeContact, Trust, geoid_by_length, names_person},
    input::{contacts::ListedContact, manifest::Manifest, zip_counties::ZipCounty},
};

/// Population below which towns and cities show no street address: their clerks may work from home.
const PEOPLE_MIN: u32 = 300;

/// Population up to which a clerk counts as a government's main line. Lists of clerks come from state election
/// offices. In a small government the clerk's desk passes callers on. In a large one it is an election department, as
/// in Boston, Detroit and Clark County, Nevada. Chosen, not measured.
const MAIN_LINE_PEOPLE_MAX: u32 = 20_000;

const LOW: &str = "contact: only a third party shows it";
const NO_BODY: &str = "contact: its government is not in the snapshot";
const OTHER_NAME: &str = "contact: its government is not called so";
const OTHER_JOB: &str = "contact: its government does not do this job";
const UNKNOWN_DESK: &str = "contact: the rules do not know the office";
const LARGE_GOVERNMENT: &str = "contact: the clerk's desk is no main line of a large government";
const EMPTY: &str = "contact: nothing of it may be shown";
const SAME_NUMBER: &str = "contact: one before it has the same telephone";
const OTHER_NUMBER: &str = "contact: one before it has another telephone";
const NOT_OF_OFFICE: &str = "mail box of a contact: not that of an office";
const PERSON: &str = "address of a contact: names a person";
const STALE: &str = "address of a contact: known to be an old one";
const SMALL_TOWN: &str = "address of a contact: may be a home, the town is small or has no site";
const OTHER_STATE: &str = "address of a contact: its ZIP code is of another state";
const OTHER_COUNTY: &str = "address of a contact: its ZIP code is of another county";

/// A contact and the row of the body whose office it reaches.
#[derive(Clone, Debug)]
struct Matched {
    row: Row,
    body: JurisdictionId,
    contact: OfficeContact,
}

/// All contacts that are shown, and the reasons why others are not.
#[derive(Debug, Default)]
pub struct Contacts {
    matched: Vec<Matched>,
    /// Rows and parts of rows that are not shown, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// The rules and the directory that contacts are checked against.
struct Matcher<'a> {
    rules: &'a ContactRules,
    directory: &'a Directory,
    /// Counties that each ZIP code reaches, by FIPS code.
    zips: HashMap<u32, Vec<u16>>,
    left_out: Vec<LeftOut>,
}

impl Contacts {
    /// Matches the rows of tables and lists. Each row of a list comes with the position of its source in the
    /// manifest.
    pub fn of(
        tables: &ContactTables,
        lists: Vec<(usize, ListedContact)>,
        manifest: &Manifest,
        zip_counties: &[ZipCounty],
        directory: &Directory,
    ) -> Contacts {
        let mut zips: HashMap<u32, Vec<u16>> = HashMap::new();
        zip_counties.iter().for_each(|pair| zips.entry(pair.zip).or_default().push(pair.county));
        let mut matcher = Matcher { rules: &tables.rules, directory, zips, left_out: Vec::new() };
        let listed = lists
            .into_iter()
            .filter(|(_, row)| geoid_by_length(&row.geoid).is_none_or(|geoid| manifest.takes(geoid)));
        let listed: Vec<OfficeContact> =
            listed.filter_map(|(source, row)| matcher.of_list(&manifest.sources[source].id, row)).collect();
        matcher.joined(tables.contacts.iter().cloned().chain(listed).collect())
    }

    /// Matches only the rows of the tables, without the published lists.
    pub fn of_tables(tables: &ContactTables, directory: &Directory) -> Contacts {
        let (zips, left_out) = (HashMap::new(), Vec::new());
        Matcher { rules: &tables.rules, directory, zips, left_out }.joined(tables.contacts.clone())
    }

    /// The rows of the section.
    ///
    /// # Errors
    /// When a contact names a source that does not exist.
    pub fn rows(&self, sources: &SourceTable) -> Result<Vec<NewContact>, PackError> {
        let row = |matched: &Matched| {
            let contact = &matched.contact;
            let unknown = || PackError::UnknownSource { key: contact.source.clone() };
            Ok(NewContact {
                jurisdiction: matched.row.number(),
                functions: functions_of(contact),
                name: contact.desk.clone(),
                phone: contact.phone.clone(),
                email: contact.email.clone(),
                address: contact.address.clone(),
                source: sources.row(&contact.source).ok_or_else(unknown)?,
                year: contact.year,
            })
        };
        self.matched.iter().map(row).collect()
    }

    /// The pages of offices that come with contacts, each documented by a list, by a text of the same host, or by the
    /// registry. A front page counts only for a district, because a district has one office.
    pub fn pages(&self, hosts: &dyn Hosts) -> Vec<Website> {
        let page = |matched: &Matched| {
            let OfficeContact { url, function, desk, source, .. } = &matched.contact;
            let body = &matched.body;
            let is_page = bare_url(url).contains('/') || matches!(body, JurisdictionId::District(_));
            let cited = source.strip_prefix(&format!("{CONTACTS}/"));
            let is_cited = cited.is_none_or(|cited| documented::host(cited) == documented::host(url));
            let vouched = is_cited.then(|| source.clone());
            let vouched = vouched.or_else(|| documented::of_government(hosts, url, body).map(str::to_owned));
            Some(Website {
                body: body.clone(),
                functions: FunctionSet::from_iter([(*function)?]),
                office: Some(desk.clone()),
                url: url.clone(),
                phone: None,
                email: None,
                address: None,
                source: vouched.filter(|_| is_page)?,
                kind: SourceKind::Curated,
                status: VerifiedStatus::NotYetVerified,
            })
        };
        // The list has the name of two districts of Texas in place of an address: "https://Palo Pinto Appraisal
        // District".
        let is_address = |url: &str| !url.is_empty() && !url.contains(char::is_whitespace);
        self.matched.iter().filter(|matched| is_address(&matched.contact.url)).filter_map(page).collect()
    }
}

fn functions_of(contact: &OfficeContact) -> FunctionSet {
    contact.function.into_iter().collect()
}

impl Matcher<'_> {
    /// Keeps one contact of each office, the most trusted and newest.
    fn joined(mut self, mut all: Vec<OfficeContact>) -> Contacts {
        all.sort_by_key(|contact| (contact.trust, Reverse(contact.year)));
        let mut taken: HashMap<(Row, FunctionSet), String> = HashMap::new();
        let mut matched = Vec::new();
        for contact in all {
            let Some(found) = self.matched(contact) else { continue };
            let own = std::iter::once(found.row).chain(self.directory.same_as(found.row)).min();
            let key = (own.unwrap_or(found.row), functions_of(&found.contact));
            match taken.entry(key) {
                Entry::Vacant(slot) => {
                    slot.insert(found.contact.phone.clone());
                    matched.push(found);
                }
                Entry::Occupied(first) => {
                    let is_same = *first.get() == found.contact.phone;
                    let reason = if is_same { SAME_NUMBER } else { OTHER_NUMBER };
                    self.leave_out(Disposition::Superseded, &found.contact, first.get(), reason);
                }
            }
        }
        Contacts { matched, left_out: self.left_out }
    }

    fn leave_out(
        &mut self,
        disposition: Disposition,
        contact: &OfficeContact,
        detail: &str,
        reason: &'static str,
    ) {
        let job = contact.function.map_or("main line", |function| function.as_str());
        let what = format!("{} {} {job} {} {detail}", contact.body, contact.government, contact.phone);
        self.left_out.push(LeftOut {
            disposition,
            of: contact.source.clone(),
            what: what.trim_end().to_owned(),
            reason,
        });
    }

    fn of_list(&mut self, source: &str, row: ListedContact) -> Option<OfficeContact> {
        let ListedContact { geoid, government, kind, phone, email, address, url, year, trust } = row;
        let mut reject = |reason| {
            let what = format!("{geoid} {government} {kind} {phone}");
            self.left_out.push(LeftOut {
                disposition: Disposition::Rejected,
                of: source.to_owned(),
                what,
                reason,
            });
            None
        };
        let Some(body) = geoid_by_length(&geoid) else { return reject(NO_BODY) };
        let Some(desk) = self.rules.desk(&kind) else { return reject(UNKNOWN_DESK) };
        let people = people(self.directory, &JurisdictionId::Census(body));
        if desk.function.is_none() && people.is_some_and(|people| people > MAIN_LINE_PEOPLE_MAX) {
            return reject(LARGE_GOVERNMENT);
        }
        // Lists write some addresses without their scheme.
        let url = if url.is_empty() || url.contains("://") { url } else { format!("http://{url}") };
        Some(OfficeContact {
            body: JurisdictionId::Census(body),
            government,
            function: desk.function,
            desk: desk.name.clone(),
            phone,
            email,
            address,
            url,
            source: source.to_owned(),
            year,
            trust: match trust.as_str() {
                "high" => Trust::High,
                "medium" => Trust::Medium,
                _ => Trust::Low,
            },
        })
    }

    /// The contact of an office without the parts that must not be shown; `None` if no part is left.
    fn matched(&mut self, mut contact: OfficeContact) -> Option<Matched> {
        let found =
            if contact.trust == Trust::Low { Err((Disposition::Withheld, LOW)) } else { self.row(&contact) };
        let row = match found {
            Ok(row) => row,
            Err((disposition, reason)) => {
                self.leave_out(disposition, &contact, "", reason);
                return None;
            }
        };
        let rules = self.rules;
        let fault = contact.state().and_then(|state| rules.phone_fault(&contact.phone, state));
        if let Some(fault) = fault.filter(|_| !contact.phone.is_empty()) {
            self.leave_out(Disposition::Rejected, &contact, "", fault);
            return None;
        }
        if let Some(reason) = self.address_fault(&contact) {
            self.leave_out(Disposition::Withheld, &contact, &contact.address, reason);
            contact.address.clear();
        }
        if !contact.email.is_empty() && !rules.is_of_office(&contact.email, &contact.government) {
            // The mail box may name a person, so the report does not show it.
            self.leave_out(Disposition::Withheld, &contact, "", NOT_OF_OFFICE);
            contact.email.clear();
        }
        let is_empty = [&contact.phone, &contact.email, &contact.address].iter().all(|text| text.is_empty());
        if is_empty {
            self.leave_out(Disposition::Rejected, &contact, "", EMPTY);
        }
        let body = self.directory.jurisdiction(row).id;
        (!is_empty).then_some(Matched { row, body, contact })
    }

    /// The body that has the office: the government itself, or the district that does the job in the whole county.
    fn row(&self, contact: &OfficeContact) -> Result<Row, (Disposition, &'static str)> {
        let directory = self.directory;
        let row = directory.found(&contact.body).ok_or((Disposition::Rejected, NO_BODY))?;
        if !is_called(directory.name_of(row), &contact.government) {
            return Err((Disposition::Rejected, OTHER_NAME));
        }
        let Some(function) = contact.function else { return Ok(row) };
        if directory.jobs_of(row).iter().any(|job| job.function == function) {
            return Ok(row);
        }
        let outcome = directory.scope_of(row).and_then(|scope| directory.who_does(scope, function));
        match outcome.and_then(|outcome| outcome.body) {
            Some(district @ JurisdictionId::District(_)) if !is_of_county(&contact.desk) => {
                directory.found(&district).ok_or((Disposition::Rejected, NO_BODY))
            }
            _ => Err((Disposition::Rejected, OTHER_JOB)),
        }
    }

    /// The reason why the street address of a contact is not shown; `None` if it is shown or not known.
    fn address_fault(&self, contact: &OfficeContact) -> Option<&'static str> {
        if contact.address.is_empty() {
            return None;
        }
        if names_person(&contact.address) {
            return Some(PERSON);
        }
        if self.rules.has_stale_address(&contact.source, &contact.body) {
            return Some(STALE);
        }
        let JurisdictionId::Census(geoid) = contact.body else { return None };
        self.zip_fault(&contact.address, geoid)
            .or_else(|| self.may_be_home(contact, geoid).then_some(SMALL_TOWN))
    }

    /// Whether the street address may be a home. The population of most towns is not known; such a town has an office
    /// if it has its own site or mail boxes.
    fn may_be_home(&self, contact: &OfficeContact, geoid: Geoid) -> bool {
        if !matches!(geoid.layer(), Layer::Place | Layer::Cousub) {
            return false;
        }
        match people(self.directory, &contact.body) {
            Some(people) => people < PEOPLE_MIN,
            None => contact.url.is_empty() && !self.rules.is_of_office(&contact.email, &contact.government),
        }
    }

    /// The fault of the ZIP code in an address. A county's office lies in the county or, in Virginia, in a city that
    /// the county surrounds. A city may reach over several counties.
    fn zip_fault(&self, address: &str, geoid: Geoid) -> Option<&'static str> {
        let last = address.split([' ', ',']).rfind(|word| !word.is_empty())?;
        let digits = last.split('-').next().filter(|digits| digits.len() == 5)?;
        let counties = self.zips.get(&digits.parse().ok()?)?;
        if counties.iter().all(|county| county / 1000 != u16::from(geoid.state_fips())) {
            return Some(OTHER_STATE);
        }
        let county: u16 =
            geoid.county().or((geoid.layer() == Layer::County).then_some(geoid))?.digits().parse().ok()?;
        let is_listed = self.zips.values().any(|counties| counties.contains(&county));
        let is_virginia = StateCode::from_fips(geoid.state_fips()).is_some_and(|state| state.usps() == "VA");
        (is_listed && !is_virginia && !counties.contains(&county)).then_some(OTHER_COUNTY)
    }
}

/// Whether the title is that of a county officer, who does not work for a district. The appraisal district of Taylor
/// County in Texas collects the tax; the county's tax assessor-collector has another number.
fn is_of_county(desk: &str) -> bool {
    desk.starts_with("County ") || desk.contains("Assessor-Collector")
}

/// The people of a government under any of its ids; `None` where the lists of population do not have it.
fn people(directory: &Directory, body: &JurisdictionId) -> Option<u32> {
    let rows = directory.found(body).into_iter();
    let rows = rows.flat_map(|row| std::iter::once(row).chain(directory.same_as(row)));
    rows.map(|row| directory.jurisdiction(row).population).max().filter(|people| *people > 0)
}

/// Words that people put before or after the name of a government.
const LEGAL_WORDS: [&str; 14] = [
    "borough",
    "charter",
    "city",
    "consolidated",
    "county",
    "government",
    "metro",
    "metropolitan",
    "municipality",
    "of",
    "parish",
    "town",
    "township",
    "village",
];

/// Whether a table's name of a government has all words of the government's own name, except legal words.
fn is_called(name: &str, written: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric() && !"'’.".contains(letter))
            .map(name_key)
            .filter(|word| !word.is_empty())
            .collect()
    };
    let written = words(written);
    words(name).iter().all(|word| LEGAL_WORDS.contains(&word.as_str()) || written.contains(word))
}

#[cfg(test)]
mod tests;
