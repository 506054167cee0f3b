//! Telephones of offices: `curated/contacts/*.csv`, a row for each office of a government, and the rules beside them.

use std::path::{Path, PathBuf};

use platbook::vocabulary::{Function, Geoid, JurisdictionId, Layer, PublisherKind, StateCode, bare_url};
use serde::Deserialize;

use super::{
    CuratedSource, Fault,
    contact_rules::{ContactRules, names_person, parse_contact_rules},
    files::{files_with, read_file, unreadable},
    hosts::kind_of,
};

/// How far a contact is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// The government's own page, or two independent pages.
    High,
    /// A list of a state or an association, another government's page, or an old official text.
    Medium,
    /// One page of a third party: not shown.
    Low,
}

/// A contact as a table or a list has it. Texts that are not known are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfficeContact {
    /// The government that has the office.
    pub body: JurisdictionId,
    /// Name of the government in the table.
    pub government: String,
    /// The job of the office; `None` for the main line of the government.
    pub function: Option<Function>,
    /// Name of the office that answers.
    pub desk: String,
    /// Telephone of the office, `000-000-0000`.
    pub phone: String,
    /// Mail box of a role.
    pub email: String,
    /// Street address, in one line.
    pub address: String,
    /// Page of the office.
    pub url: String,
    /// Key of the source, as [`Website::source`](crate::directory::records::Website::source).
    pub source: String,
    /// Year of the text; 0 where it has no date.
    pub year: u16,
    /// How far the contact is to be trusted.
    pub trust: Trust,
}

/// All rows of the folder, and the rules that rows are checked against.
#[derive(Clone, Debug, Default)]
pub struct ContactTables {
    /// Rules for telephones, mail boxes and names.
    pub rules: ContactRules,
    /// Texts that rows cite; the id of each is its address.
    pub sources: Vec<CuratedSource>,
    /// Contacts, in the order of files and rows.
    pub contacts: Vec<OfficeContact>,
}

/// Prefix of the keys of contacts' sources; the address of the cited text follows.
pub const CONTACTS: &str = "contacts";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    geoid: String,
    jurisdiction: String,
    office_kind: String,
    office_name: String,
    phone: String,
    email: String,
    address: String,
    url: String,
    source_url: String,
    source_name: String,
    source_date: String,
    seen: String,
    trust: Trust,
}

/// Reads the folder: returns the valid rows, and all faults.
pub(super) fn read_contacts(folder: &Path) -> (ContactTables, Vec<Fault>) {
    let mut tables = ContactTables::default();
    match read_file(&folder.join("rules.toml"), parse_contact_rules) {
        Ok(rules) => tables.rules = rules,
        Err(faults) => return (tables, faults),
    }
    let paths: Vec<PathBuf> = match files_with(folder, "csv") {
        Ok(paths) => paths,
        Err(cause) => return (tables, vec![unreadable(folder, &cause)]),
    };
    let mut faults = Vec::new();
    for path in paths {
        let rules = &tables.rules;
        match read_file(&path, |file, text| parse_contacts(file, text, rules)) {
            Ok(rows) => rows.into_iter().for_each(|(contact, source)| {
                tables.contacts.push(contact);
                tables.sources.push(source);
            }),
            Err(more) => faults.extend(more),
        }
    }
    tables.sources.sort_by(|a, b| a.id.cmp(&b.id));
    tables.sources.dedup_by(|a, b| a.id == b.id);
    (tables, faults)
}

/// Reads one table: each contact with the text that it cites. `file` names the file in faults.
///
/// # Errors
/// Every fault found, in the order of lines.
pub fn parse_contacts(
    file: &str,
    text: &str,
    rules: &ContactRules,
) -> Result<Vec<(OfficeContact, CuratedSource)>, Vec<Fault>> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let (mut contacts, mut faults) = (Vec::new(), Vec::new());
    let headers = reader.headers().cloned().unwrap_or_default();
    for record in reader.records() {
        let fault =
            |line, key: &str, what: String| Fault { file: file.to_owned(), line, key: key.to_owned(), what };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(1, |position| position.line() as usize);
                faults.push(fault(line, "", error.to_string()));
                continue;
            }
        };
        let line = record.position().map_or(1, |position| position.line() as usize);
        match record.deserialize::<Row>(Some(&headers)) {
            Ok(row) => match contact_of(&row, rules) {
                Ok(contact) => contacts.push((contact, source_of(&row))),
                Err(wrong) => faults.extend(wrong.into_iter().map(|(key, what)| fault(line, key, what))),
            },
            Err(error) => faults.push(fault(line, "", error.to_string())),
        }
    }
    if faults.is_empty() { Ok(contacts) } else { Err(faults) }
}

impl ContactTables {
    /// The texts that are cited by contacts that may be shown.
    pub fn cited(&self) -> Vec<CuratedSource> {
        let is_shown = |source: &&CuratedSource| {
            let mut shown = self.contacts.iter().filter(|contact| contact.trust < Trust::Low);
            shown.any(|contact| contact.source.strip_prefix("contacts/") == Some(source.id.as_str()))
        };
        self.sources.iter().filter(is_shown).cloned().collect()
    }
}

impl OfficeContact {
    /// The state of the contact's government, read from its id; `None` for the nation.
    pub fn state(&self) -> Option<StateCode> {
        state_of(&self.body)
    }
}

fn state_of(body: &JurisdictionId) -> Option<StateCode> {
    match body {
        JurisdictionId::Census(geoid) => StateCode::from_fips(geoid.state_fips()),
        JurisdictionId::District(name) => name.get(..2)?.to_ascii_uppercase().parse().ok(),
        JurisdictionId::Country => None,
    }
}

/// The contact of a row.
///
/// # Errors
/// Each column with a fault, and what is wrong.
fn contact_of(row: &Row, rules: &ContactRules) -> Result<OfficeContact, Vec<(&'static str, String)>> {
    let mut wrong: Vec<(&'static str, String)> = Vec::new();
    let body: Option<JurisdictionId> = row.geoid.parse().ok();
    let state = body.as_ref().and_then(state_of);
    if state.is_none() {
        wrong.push(("geoid", format!("expected an id such as county:27053, got {:?}", row.geoid)));
    }
    let function = match row.office_kind.as_str() {
        "government" => None,
        word => {
            let function = Function::ALL.into_iter().find(|function| function.as_str() == word);
            if function.is_none() {
                wrong.push((
                    "office_kind",
                    format!("unknown {word:?}, expected a function or \"government\""),
                ));
            }
            function
        }
    };
    if let Some(fault) = state.and_then(|state| phone_fault(row, rules, state)) {
        wrong.push(("phone", fault.to_owned()));
    }
    if !row.email.is_empty() && !rules.is_of_office(&row.email, &row.jurisdiction) {
        wrong.push(("email", format!("{:?} is no mail box of an office that the rules know", row.email)));
    }
    if !rules.is_office(&row.office_name) {
        wrong
            .push(("office_name", format!("{:?} has no word of an office; name no person", row.office_name)));
    }
    if names_person(&row.address) {
        wrong.push(("address", format!("names a person: {:?}", row.address)));
    }
    wrong.extend(source_faults(row));
    match body.filter(|_| wrong.is_empty()) {
        Some(body) => Ok(OfficeContact {
            body,
            government: row.jurisdiction.clone(),
            function,
            desk: row.office_name.clone(),
            phone: row.phone.clone(),
            email: row.email.clone(),
            address: row.address.clone(),
            url: row.url.clone(),
            source: format!("{CONTACTS}/{}", row.source_url),
            year: year_of(&row.source_date).unwrap_or_default(),
            trust: row.trust,
        }),
        None => Err(wrong),
    }
}

/// The faults of the columns that say where a row is from, and how old it is.
fn source_faults(row: &Row) -> Vec<(&'static str, String)> {
    let mut wrong: Vec<(&'static str, String)> = Vec::new();
    let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    let needed = [("jurisdiction", &row.jurisdiction), ("source_name", &row.source_name)];
    wrong.extend(
        needed
            .iter()
            .filter(|(_, text)| text.trim().is_empty())
            .map(|(key, _)| (*key, "is empty".to_owned())),
    );
    if !is_web(&row.source_url) {
        wrong.push(("source_url", "no contact without the address of its source".to_owned()));
    }
    if !row.url.is_empty() && !is_web(&row.url) {
        wrong.push(("url", "expected an address that begins with https:// or http://".to_owned()));
    }
    let seen = year_of(&row.seen);
    let year = if row.source_date.is_empty() { Some(0) } else { year_of(&row.source_date) };
    if seen.is_none() || row.seen.len() != 10 {
        wrong.push(("seen", format!("expected a day such as 2026-11-24, got {:?}", row.seen)));
    }
    if year.is_none_or(|year| Some(year) > seen) {
        wrong
            .push(("source_date", format!("expected a date before {}, got {:?}", row.seen, row.source_date)));
    }
    wrong
}

fn phone_fault(row: &Row, rules: &ContactRules, state: StateCode) -> Option<&'static str> {
    match (row.phone.as_str(), row.email.as_str(), row.address.as_str()) {
        ("", "", "") => Some("a row without telephone, mail box and address says nothing"),
        ("", ..) => None,
        (phone, ..) => rules.phone_fault(phone, state),
    }
}

/// The year that a date begins with; `None` before 1990, when offices had no pages, and after 2100.
fn year_of(date: &str) -> Option<u16> {
    let year: u16 = date.get(..4)?.parse().ok()?;
    let is_year = (1990..=2100).contains(&year)
        && date[4..].chars().all(|letter| letter == '-' || letter.is_ascii_digit());
    is_year.then_some(year)
}

/// The text that a row cites. It is official if its host is: by `hosts.toml`, or by an ending such as `.gov`.
fn source_of(row: &Row) -> CuratedSource {
    let bare = bare_url(&row.source_url);
    let host = bare.split('/').next().unwrap_or_default().to_owned();
    let is_official = kind_of(&row.source_url) == Some(PublisherKind::Official);
    CuratedSource {
        id: row.source_url.clone(),
        name: row.source_name.clone(),
        url: row.source_url.clone(),
        publisher: host,
        official: is_official,
        read: Some(row.seen.clone()),
    }
}

/// The GEOID of a list, whose layer follows from its length: 5 digits a county, 7 a place, 10 a county subdivision.
pub fn geoid_by_length(digits: &str) -> Option<Geoid> {
    let layer = match digits.len() {
        5 => Layer::County,
        7 => Layer::Place,
        10 => Layer::Cousub,
        _ => return None,
    };
    Geoid::parse(layer, digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "geoid,jurisdiction,office_kind,office_name,phone,email,address,url,source_url,source_name,source_date,seen,trust\n";
    const ROW: &str = "county:27053,\"Hennepin County, Minnesota\",assessment,County Assessor,612-348-3046,assessor@hennepin.us,\"300 S 6th St, Minneapolis, MN 55487\",https://www.hennepin.us/assessor,https://www.hennepin.us/assessor,Hennepin County,2020,2026-11-24,high\n";

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("curated/contacts")
    }

    /// Checks the tables of the repository: no number without a source, no mail box of a person, no name of a person.
    #[test]
    fn the_tables_are_whole() {
        let (tables, faults) = read_contacts(&folder());
        assert_eq!(faults, []);
        assert!(tables.contacts.len() > 1_000, "{}", tables.contacts.len());
        assert!(tables.contacts.iter().all(|contact| contact.source.starts_with("contacts/http")));
    }

    #[test]
    fn a_row_is_read_or_refused_with_its_line() {
        let (tables, _) = read_contacts(&folder());
        let parse = |row: &str| parse_contacts("c.csv", &format!("{HEAD}{row}"), &tables.rules);
        let (contact, source) = parse(ROW).unwrap().remove(0);
        assert_eq!(
            (contact.function, contact.year, contact.trust),
            (Some(Function::Assessment), 2020, Trust::High)
        );
        assert_eq!((source.publisher.as_str(), source.official), ("hennepin.us", false));
        let main_line = parse(&ROW.replace(",assessment,", ",government,")).unwrap().remove(0).0;
        assert_eq!(main_line.function, None);
        for (is, broken, said) in [
            ("612-348-3046", "512-348-3046", "phone: its area code is of another state"),
            ("612-348-3046", "612 348 3046", "phone: its telephone is no number"),
            ("assessor@hennepin.us", "jane.doe@hennepin.us", "email: "),
            ("County Assessor", "Jane Doe", "office_name: \"Jane Doe\" has no word of an office"),
            ("County Assessor", "Hon. J. Doe Assessor", "has no word of an office"),
            ("\"300 S 6th St", "\"c/o J. Doe, 300 S 6th St", "address: names a person"),
            ("https://www.hennepin.us/assessor,Hennepin", ",Hennepin", "source_url: no contact without"),
            ("county:27053", "county:2705", "geoid: expected an id"),
            (",assessment,", ",sheriff,", "office_kind: unknown"),
            (",2020,", ",2027,", "source_date: expected a date before"),
            (",2020,", ",about 2020,", "source_date: expected a date before"),
            ("2026-11-24", "2026", "seen: expected a day"),
            (",high", ",certain", "unknown variant"),
        ] {
            let faults = parse(&ROW.replacen(is, broken, 1)).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(
                all.iter().any(|fault| fault.starts_with("c.csv:2: ") && fault.contains(said)),
                "{broken}: {all:?}"
            );
        }
    }
}
