//! Decides whether an area acts as a government: `curated/functional_status.toml`.
//!
//! Many boundary files have no functional status. The table gives the status by GEOID first, then by rules on the
//! codes that the files do have.

use std::path::Path;

use platbook::vocabulary::{FuncStat, Geoid, Layer};
use serde::Deserialize;

use super::{
    checker::Checker,
    error::{CuratedError, Fault},
    file::Text,
    files::{read_file, toml_fault},
};

/// The facts that a rule looks at.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// GEOID of the area.
    pub geoid: Geoid,
    /// LSAD code, from the file or assumed; `None` without one.
    pub lsad: Option<&'a str>,
    /// Census class code; `None` in files without that column.
    pub classfp: Option<&'a str>,
    /// FUNCSTAT of the file; `None` in files without that column.
    pub stated: Option<FuncStat>,
    /// Whether an incorporated place of the same state has the same last five digits as the area.
    pub place_of_same_code: bool,
}

/// The table of overrides and rules.
#[derive(Clone, Debug, Default)]
pub struct StatusTable {
    overrides: Vec<Rule>,
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    layer: Layer,
    states: Vec<u8>,
    geoids: Vec<Geoid>,
    lsad: Vec<String>,
    classfp: Vec<String>,
    place_of_same_code: Option<bool>,
    func_stat: FuncStat,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(rename = "override", default)]
    overrides: Vec<RawRule>,
    #[serde(default)]
    rule: Vec<RawRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    layer: Text,
    #[serde(default)]
    states: Vec<Text>,
    #[serde(default)]
    geoids: Vec<Text>,
    #[serde(default)]
    lsad: Vec<String>,
    #[serde(default)]
    classfp: Vec<String>,
    place_of_same_code: Option<bool>,
    func_stat: Text,
    reason: Text,
    source: Text,
}

impl StatusTable {
    /// Reads the table. `file` names the file in faults.
    ///
    /// # Errors
    /// All faults of the text, in the order of lines.
    pub fn parse(file: &str, text: &str) -> Result<StatusTable, Vec<Fault>> {
        let raw: Raw = toml::from_str(text).map_err(|error| vec![toml_fault(file, text, &error)])?;
        let mut checker = Checker::new(file, text, None);
        let mut read = |name: &str, rules: &[RawRule]| {
            let rules = rules.iter().enumerate();
            rules.filter_map(|(at, raw)| rule(&mut checker, &format!("{name}[{}]", at + 1), raw)).collect()
        };
        let (overrides, rules) = (read("override", &raw.overrides), read("rule", &raw.rule));
        checker.finish()?;
        Ok(StatusTable { overrides, rules })
    }

    /// Reads the file of the table.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn load(path: &Path) -> Result<StatusTable, CuratedError> {
        read_file(path, StatusTable::parse).map_err(CuratedError)
    }

    /// The status of an area: by an override, else by its file, else by the first rule that matches.
    pub fn status(&self, subject: &Subject) -> FuncStat {
        let first = |rules: &[Rule]| rules.iter().find(|rule| rule.fits(subject)).map(|rule| rule.func_stat);
        first(&self.overrides).or(subject.stated).or_else(|| first(&self.rules)).unwrap_or(FuncStat::Unknown)
    }

    /// The areas whose status the table gives only by GEOID, each with that status. Only these can be compared with a
    /// snapshot without Census files.
    pub fn settled(&self) -> impl Iterator<Item = (Geoid, FuncStat)> {
        let alone = |rule: &&Rule| rule.lsad.is_empty() && rule.classfp.is_empty();
        let alone = self.overrides.iter().filter(alone).filter(|rule| rule.place_of_same_code.is_none());
        alone.flat_map(|rule| rule.geoids.iter().map(|geoid| (*geoid, rule.func_stat)))
    }
}

impl Rule {
    fn fits(&self, subject: &Subject) -> bool {
        let any = |wanted: &[String], got: Option<&str>| {
            wanted.is_empty() || got.is_some_and(|got| wanted.iter().any(|code| code == got))
        };
        self.layer == subject.geoid.layer()
            && (self.states.is_empty() || self.states.contains(&subject.geoid.state_fips()))
            && (self.geoids.is_empty() || self.geoids.contains(&subject.geoid))
            && any(&self.lsad, subject.lsad)
            && any(&self.classfp, subject.classfp)
            && self.place_of_same_code.is_none_or(|wanted| wanted == subject.place_of_same_code)
    }
}

/// Reads a rule; `None` if its layer is unknown, since its GEOIDs depend on the layer.
fn rule(checker: &mut Checker<'_>, key: &str, raw: &RawRule) -> Option<Rule> {
    let key = |name: &str| format!("{key}.{name}");
    for (name, text) in [("reason", &raw.reason), ("source", &raw.source)] {
        checker.words(text, &key(name));
    }
    if !raw.source.get_ref().starts_with("https://") {
        let what = format!("expected an https:// address, got {:?}", raw.source.get_ref());
        checker.at(&raw.source, &key("source"), what);
    }
    let letter = raw.func_stat.get_ref().as_str();
    let func_stat = (letter.len() == 1).then(|| FuncStat::from_letter(letter.as_bytes()[0])).flatten();
    if func_stat.is_none() {
        let what = format!("expected a letter of A B C F G I N S U, got {letter:?}");
        checker.at(&raw.func_stat, &key("func_stat"), what);
    }
    let Some(layer) = Layer::from_prefix(raw.layer.get_ref()) else {
        let what = format!("expected state, county, cousub or place, got {:?}", raw.layer.get_ref());
        checker.at(&raw.layer, &key("layer"), what);
        return None;
    };
    let mut codes = |name: &str, layer: Layer, list: &[Text]| {
        let mut found = Vec::new();
        for text in list {
            match Geoid::parse(layer, text.get_ref()) {
                Ok(geoid) => found.push(geoid),
                Err(error) => checker.at(text, &key(name), error.to_string()),
            }
        }
        found
    };
    let states = codes("states", Layer::State, &raw.states).into_iter().map(Geoid::state_fips).collect();
    Some(Rule {
        layer,
        states,
        geoids: codes("geoids", layer, &raw.geoids),
        lsad: raw.lsad.clone(),
        classfp: raw.classfp.clone(),
        place_of_same_code: raw.place_of_same_code,
        func_stat: func_stat.unwrap_or(FuncStat::Unknown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StatusTable {
        StatusTable::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/curated/functional_status.toml")))
            .unwrap()
    }

    fn status(
        layer: Layer,
        digits: &str,
        lsad: &str,
        classfp: Option<&str>,
        stated: Option<FuncStat>,
        place: bool,
    ) -> char {
        let subject = Subject {
            geoid: Geoid::parse(layer, digits).unwrap(),
            lsad: Some(lsad),
            classfp,
            stated,
            place_of_same_code: place,
        };
        table().status(&subject).letter()
    }

    #[test]
    fn counties() {
        for (digits, lsad, letter) in [
            ("27053", "06", 'A'),
            ("09110", "PL", 'N'),
            ("44007", "06", 'N'),
            ("25017", "06", 'N'),
            ("25001", "06", 'A'),
            ("25019", "06", 'C'),
            ("50007", "06", 'A'),
            ("02050", "05", 'N'),
            ("02110", "03", 'C'),
            ("60010", "07", 'N'),
            ("66010", "00", 'N'),
            ("78010", "10", 'N'),
            ("69110", "12", 'A'),
            ("36061", "06", 'C'),
            ("51510", "25", 'A'),
            ("11001", "00", 'C'),
            ("22071", "15", 'C'),
            ("15005", "06", 'N'),
        ] {
            assert_eq!(status(Layer::County, digits, lsad, None, None, false), letter, "{digits}");
        }
    }

    #[test]
    fn subdivisions() {
        let fictitious = Some(FuncStat::Fictitious);
        for (digits, lsad, classfp, stated, place, letter) in [
            ("3400114260", "21", None, None, true, 'F'),
            ("3400108680", "44", None, None, false, 'A'),
            ("3300774500", "44", None, None, false, 'N'),
            ("5000902162", "31", None, None, false, 'N'),
            ("2300302762", "46", None, None, false, 'S'),
            ("2302957090", "86", None, None, false, 'N'),
            ("3600901308", "86", Some("Z2"), fictitious, false, 'N'),
            ("2502507000", "25", Some("C5"), fictitious, true, 'F'),
            ("2501127060", "25", Some("C5"), fictitious, false, 'A'),
            ("3600508510", "21", Some("Z1"), Some(FuncStat::Subordinate), false, 'G'),
            ("0911037070", "43", None, None, false, 'C'),
            ("0911002060", "43", None, None, false, 'A'),
            ("2705312345", "99", None, None, false, 'U'),
        ] {
            assert_eq!(status(Layer::Cousub, digits, lsad, classfp, stated, place), letter, "{digits}");
        }
    }

    #[test]
    fn places() {
        for (digits, lsad, classfp, stated, letter) in [
            ("0644000", "25", None, None, 'A'),
            ("0600001", "57", None, None, 'S'),
            ("4752006", "00", None, None, 'C'),
            ("1836003", "00", Some("C8"), Some(FuncStat::Fictitious), 'C'),
            ("6914550", "47", Some("C9"), Some(FuncStat::Nonfunctioning), 'N'),
        ] {
            assert_eq!(status(Layer::Place, digits, lsad, classfp, stated, false), letter, "{digits}");
        }
    }

    #[test]
    fn a_wrong_table_names_file_line_and_key() {
        let good =
            "[[rule]]\nlayer = \"county\"\nfunc_stat = \"A\"\nreason = \"r\"\nsource = \"https://x\"\n";
        assert!(StatusTable::parse("s.toml", good).is_ok());
        for (from, to, expected) in [
            (
                "\"A\"",
                "\"X\"",
                "s.toml:3: rule[1].func_stat: expected a letter of A B C F G I N S U, got \"X\"",
            ),
            ("\"county\"", "\"zip\"", "s.toml:2: rule[1].layer: expected state, county, cousub or place"),
            ("https://x", "http://x", "s.toml:5: rule[1].source: expected an https:// address"),
            (
                "reason = \"r\"",
                "reason = \"r\"\ngeoids = [\"1\"]",
                "s.toml:5: rule[1].geoids: a county GEOID has 5",
            ),
            ("reason", "because", "s.toml:4: unknown field `because`"),
        ] {
            let faults = StatusTable::parse("s.toml", &good.replace(from, to)).unwrap_err();
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(all.iter().any(|fault| fault.starts_with(expected)), "{expected}: {all:?}");
        }
    }

    #[test]
    fn only_what_goes_by_geoid_alone_is_settled() {
        let row = |kind: &str, more: &str| {
            format!(
                "[[{kind}]]\nlayer = \"county\"\nfunc_stat = \"N\"\nreason = \"r\"\nsource = \"https://x\"\n{more}\n"
            )
        };
        let text = [
            row("override", "geoids = [\"27053\"]"),
            row("override", "geoids = [\"27123\"]\nlsad = [\"06\"]"),
            row("rule", "geoids = [\"27003\"]"),
        ];
        let table = StatusTable::parse("s.toml", &text.concat()).unwrap();
        let settled: Vec<String> = table.settled().map(|(geoid, _)| geoid.to_string()).collect();
        assert_eq!(settled, ["county:27053"]);
    }
}
