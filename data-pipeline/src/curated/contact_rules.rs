//! Rules for telephones, mail boxes and names of offices: `curated/contacts/rules.toml`.

use std::collections::BTreeMap;

use platbook::vocabulary::{Function, JurisdictionId, StateCode};
use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use super::{checker::Checker, error::Fault, file::Text, files::toml_fault};

/// Rules that each contact is checked against.
#[derive(Clone, Debug, Default)]
pub struct ContactRules {
    states: BTreeMap<u16, StateCode>,
    toll_free: Vec<u16>,
    office_words: Vec<String>,
    mail: Mail,
    desks: Vec<Desk>,
    /// Pairs of a list, by its id in the manifest, and a government whose street address is wrong in that list.
    stale_addresses: Vec<(String, JurisdictionId)>,
}

/// An office as a list names it, and as answers name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    written: String,
    /// Name of the office in answers.
    pub name: String,
    /// Job of the office; `None` if it is the main line of its government.
    pub function: Option<Function>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mail {
    role_words: Vec<String>,
    of_offices: Vec<String>,
    providers: Vec<String>,
    other_desks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    office_words: Vec<String>,
    area_codes: AreaCodes,
    mail: Mail,
    desk: Vec<DeskTable>,
    #[serde(default)]
    stale_address: Vec<StaleAddress>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StaleAddress {
    list: String,
    body: Text,
    why: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaCodes {
    source: Text,
    read: Spanned<Datetime>,
    toll_free: Vec<u16>,
    states: BTreeMap<String, Spanned<Vec<u16>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeskTable {
    written: Text,
    name: Text,
    function: Option<Text>,
}

/// Reads the rules. `file` names the file in faults.
///
/// # Errors
/// Every fault found, in the order of lines.
pub fn parse_contact_rules(file: &str, text: &str) -> Result<ContactRules, Vec<Fault>> {
    let table: File = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
    let mut checker = Checker::new(file, text, None);
    checker.url(&table.area_codes.source, "area_codes.source");
    checker.date(&table.area_codes.read, "area_codes.read");
    let mut states = BTreeMap::new();
    for (usps, codes) in &table.area_codes.states {
        let key = format!("area_codes.states.{usps}");
        let Ok(state) = usps.parse::<StateCode>() else {
            checker.at(codes, &key, "expected the postal code of a state");
            continue;
        };
        for code in codes.get_ref() {
            if states.insert(*code, state).is_some() || table.area_codes.toll_free.contains(code) {
                checker.at(codes, &key, format!("{code} is listed twice"));
            }
        }
    }
    let functions = Function::ALL.map(|function| (function.as_str(), function));
    let desks = table.desk.iter().enumerate().map(|(at, desk)| {
        let key = |name: &str| format!("desk[{}].{name}", at + 1);
        let function =
            desk.function.as_ref().and_then(|text| checker.known_word(text, &key("function"), &functions));
        Desk {
            written: checker.words(&desk.written, &key("written")),
            name: checker.words(&desk.name, &key("name")),
            function,
        }
    });
    let desks = desks.collect();
    let mut stale_addresses = Vec::new();
    for (at, stale) in table.stale_address.iter().enumerate() {
        let key = |name: &str| format!("stale_address[{}].{name}", at + 1);
        checker.sentence(&stale.why, &key("why"));
        match stale.body.get_ref().parse() {
            Ok(body) => stale_addresses.push((stale.list.clone(), body)),
            Err(_) => checker.at(&stale.body, &key("body"), "expected an id such as county:27053"),
        }
    }
    checker.finish()?;
    let File { area_codes, office_words, mail, .. } = table;
    Ok(ContactRules { states, toll_free: area_codes.toll_free, office_words, mail, desks, stale_addresses })
}

impl ContactRules {
    /// Returns the fault of a telephone number of an office in the state; `None` if the number may be shown. It must
    /// be a number of the North American Numbering Plan, `000-000-0000`. Its area code must be one of the state's, or
    /// toll-free.
    pub fn phone_fault(&self, phone: &str, state: StateCode) -> Option<&'static str> {
        let parts: Vec<&str> = phone.split('-').collect();
        let is_number = parts.iter().map(|part| part.len()).eq([3, 3, 4])
            && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        // An area code or an exchange code begins with 2 to 9; N11 codes are services such as 911.
        let is_code = |code: &str| !code.starts_with(['0', '1']) && !code.ends_with("11");
        if !is_number || !is_code(parts[0]) || !is_code(parts[1]) {
            return Some("its telephone is no number of the numbering plan, 000-000-0000");
        }
        let area: u16 = parts[0].parse().unwrap_or_default();
        let fits = self.toll_free.contains(&area) || self.states.get(&area) == Some(&state);
        (!fits).then_some("its area code is of another state")
    }

    /// Whether a name is that of an office, and not of a person: it has a word of offices and no personal title.
    pub fn is_office(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        self.office_words.iter().any(|word| lower.contains(word.as_str())) && !names_person(name)
    }

    /// Whether a mail box is that of an office. Before the `@` it has a word of offices or of the government's name,
    /// but no word of a desk that runs elections. Its host is not a mail provider for people. The rules also list
    /// single mail boxes of offices.
    pub fn is_of_office(&self, mail_box: &str, government: &str) -> bool {
        let lower = mail_box.to_ascii_lowercase();
        let Some((local, host)) = lower.split_once('@') else { return false };
        if host.is_empty() || !host.contains('.') || lower.contains(char::is_whitespace) {
            return false;
        }
        let Mail { role_words, of_offices, providers, other_desks } = &self.mail;
        let letters = |text: &str| {
            text.to_ascii_lowercase().chars().filter(char::is_ascii_alphabetic).collect::<String>()
        };
        let first = government.split([' ', ',']).find(|word| word.len() > 3).map(letters);
        let has_name = first.is_some_and(|name| letters(local).contains(&name));
        let has_one_of = |words: &[String]| words.iter().any(|word| local.contains(word.as_str()));
        let is_desk = (has_one_of(role_words) || has_name) && !has_one_of(other_desks);
        of_offices.contains(&lower) || (is_desk && !providers.iter().any(|one| one == host))
    }

    /// Whether a source is known to have a wrong street address of a government.
    pub fn has_stale_address(&self, source: &str, body: &JurisdictionId) -> bool {
        self.stale_addresses.iter().any(|(list, of)| list == source && of == body)
    }

    /// The office that a list means by this name; `None` for a name that the rules do not have.
    pub fn desk(&self, written: &str) -> Option<&Desk> {
        self.desks.iter().find(|desk| desk.written == written)
    }
}

/// Whether a text names a person: by a title such as "Mr.", or by "c/o" or "Attn".
pub fn names_person(text: &str) -> bool {
    let lower = format!(" {}", text.to_lowercase());
    [" mr. ", " mrs. ", " ms. ", " hon. ", " c/o ", " attn"].iter().any(|sign| lower.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> ContactRules {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/curated/contacts/rules.toml");
        parse_contact_rules("rules.toml", &std::fs::read_to_string(file).unwrap()).unwrap()
    }

    #[test]
    fn a_telephone_is_one_of_its_state() {
        let (rules, texas) = (rules(), "TX".parse().unwrap());
        for (phone, fits) in [
            ("512-854-9473", true),
            ("800-252-7551", true),
            ("612-348-3011", false),
            ("512-911-9473", false),
            ("112-854-9473", false),
            ("512-154-9473", false),
            ("5128549473", false),
            ("(512) 854-9473", false),
            ("512-854-947x", false),
        ] {
            assert_eq!(rules.phone_fault(phone, texas).is_none(), fits, "{phone}");
        }
    }

    #[test]
    fn a_mail_box_is_one_of_an_office() {
        let rules = rules();
        for (mail_box, fits) in [
            ("townclerk@acworthnh.gov", true),
            ("acworth@example.org", true),
            ("jsmith@acworthnh.gov", false),
            ("elections@acworthnh.gov", false),
            ("clerkselection@acworthnh.gov", false),
            ("qvfclerk@acworthnh.gov", false),
            ("townclerk@gmail.com", false),
            ("nolancad@gmail.com", true),
            ("townclerk", false),
            ("town clerk@acworthnh.gov", false),
        ] {
            assert_eq!(rules.is_of_office(mail_box, "Acworth, New Hampshire"), fits, "{mail_box}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let good = "office_words = []\n[area_codes]\nsource = \"https://example.org/\"\nread = 2026-01-05\ntoll_free = [800]\n\n[area_codes.states]\n\
                    MN = [612]\n\n[mail]\nrole_words = []\nof_offices = []\nproviders = []\nother_desks = []\n\n[[desk]]\nwritten = \"a\"\nname = \"A\"\n";
        assert!(parse_contact_rules("r.toml", good).is_ok());
        for (is, broken, said) in [
            ("MN = [612]", "ZZ = [612]", "r.toml:8: area_codes.states.ZZ: expected the postal code"),
            ("MN = [612]", "MN = [612, 800]", "800 is listed twice"),
            ("name = \"A\"", "name = \"\"", "desk[1].name: is empty"),
            ("name = \"A\"", "name = \"A\"\nfunction = \"sheriff\"", "unknown \"sheriff\""),
        ] {
            let faults = parse_contact_rules("r.toml", &good.replace(is, broken)).unwrap_err();
            assert!(faults.iter().any(|fault| fault.to_string().contains(said)), "{faults:?}");
        }
    }
}
