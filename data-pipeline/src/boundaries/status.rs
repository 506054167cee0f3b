//! Functional status by rule, from `curated/functional_status.toml`.

use std::path::{Path, PathBuf};

use platbook::vocabulary::{FuncStat, Geoid, Layer};
use serde::Deserialize;
use toml::Spanned;

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The area.
    pub geoid: Geoid,
    /// Its LSAD code, given or assumed.
    pub lsad: Option<&'a str>,
    /// Its Census class code.
    pub classfp: Option<&'a str>,
    /// FUNCSTAT of its file.
    pub stated: Option<FuncStat>,
    /// Whether an incorporated place of the same state has the same last five digits.
    pub place_of_same_code: bool,
}

/// The table of overrides and rules.
#[derive(Clone, Debug)]
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

/// Why the table was refused.
#[derive(Debug, thiserror::Error)]
pub enum StatusError {
    /// The file is no TOML of the expected shape.
    #[error("{path}: {source}", path = path.display())]
    Toml {
        /// The table.
        path: PathBuf,
        /// Line, key and what was expected.
        source: Box<toml::de::Error>,
    },
    /// A key has a value that makes no sense.
    #[error("{path}:{line}: key `{key}`: expected {expected}, got {got:?}; correct the table", path = path.display())]
    Value {
        /// The table.
        path: PathBuf,
        /// Line of the value, counted from 1.
        line: usize,
        /// The key.
        key: &'static str,
        /// What would be right.
        expected: &'static str,
        /// What came.
        got: String,
    },
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
    layer: Spanned<String>,
    #[serde(default)]
    states: Vec<Spanned<String>>,
    #[serde(default)]
    geoids: Vec<Spanned<String>>,
    #[serde(default)]
    lsad: Vec<String>,
    #[serde(default)]
    classfp: Vec<String>,
    place_of_same_code: Option<bool>,
    func_stat: Spanned<String>,
    reason: Spanned<String>,
    source: Spanned<String>,
}

impl StatusTable {
    /// The table that belongs to this version of the pipeline.
    ///
    /// # Errors
    /// Never, as long as the tests pass; see [`StatusTable::parse`].
    pub fn curated() -> Result<StatusTable, StatusError> {
        let text = include_str!("../../curated/functional_status.toml");
        StatusTable::parse(Path::new("data-pipeline/curated/functional_status.toml"), text)
    }

    /// Checks a table's text; `path` is only named in errors.
    ///
    /// # Errors
    /// When the text is no TOML, has an unknown or missing key, or a value that makes no sense.
    pub fn parse(path: &Path, text: &str) -> Result<StatusTable, StatusError> {
        let raw: Raw = toml::from_str(text)
            .map_err(|source| StatusError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        let checker = Checker { path, text };
        let check =
            |rules: Vec<RawRule>| rules.iter().map(|rule| checker.rule(rule)).collect::<Result<Vec<_>, _>>();
        Ok(StatusTable { overrides: check(raw.overrides)?, rules: check(raw.rule)? })
    }

    /// The status of an area: an override, else what its file states, else the first rule that fits.
    pub fn status(&self, subject: &Subject) -> FuncStat {
        let first = |rules: &[Rule]| rules.iter().find(|rule| rule.fits(subject)).map(|rule| rule.func_stat);
        first(&self.overrides).or(subject.stated).or_else(|| first(&self.rules)).unwrap_or(FuncStat::Unknown)
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

struct Checker<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Checker<'_> {
    fn rule(&self, raw: &RawRule) -> Result<Rule, StatusError> {
        let layer = Layer::from_prefix(raw.layer.get_ref())
            .ok_or_else(|| self.wrong("layer", "state, county, cousub or place", &raw.layer))?;
        let state = |code: &Spanned<String>| {
            let geoid = Geoid::parse(Layer::State, code.get_ref()).ok();
            geoid.map(Geoid::state_fips).ok_or_else(|| self.wrong("states", "two-digit FIPS codes", code))
        };
        let geoid = |digits: &Spanned<String>| {
            Geoid::parse(layer, digits.get_ref())
                .map_err(|_| self.wrong("geoids", "GEOIDs of the layer", digits))
        };
        let letter = raw.func_stat.get_ref().as_str();
        let func_stat = (letter.len() == 1).then(|| FuncStat::from_letter(letter.as_bytes()[0])).flatten();
        for (key, text) in [("reason", &raw.reason), ("source", &raw.source)] {
            if text.get_ref().trim().is_empty()
                || (key == "source" && !text.get_ref().starts_with("https://"))
            {
                return Err(self.wrong(key, "a reason in words and an https:// source", text));
            }
        }
        Ok(Rule {
            layer,
            states: raw.states.iter().map(state).collect::<Result<_, _>>()?,
            geoids: raw.geoids.iter().map(geoid).collect::<Result<_, _>>()?,
            lsad: raw.lsad.clone(),
            classfp: raw.classfp.clone(),
            place_of_same_code: raw.place_of_same_code,
            func_stat: func_stat
                .ok_or_else(|| self.wrong("func_stat", "a letter of A B C F G I N S U", &raw.func_stat))?,
        })
    }

    fn wrong(&self, key: &'static str, expected: &'static str, got: &Spanned<String>) -> StatusError {
        let line = 1 + self.text.bytes().take(got.span().start).filter(|byte| *byte == b'\n').count();
        StatusError::Value { path: self.path.to_owned(), line, key, expected, got: got.get_ref().clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        StatusTable::curated().unwrap().status(&subject).letter()
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
        assert!(StatusTable::parse(Path::new("s.toml"), good).is_ok());
        for (from, to, place) in [
            ("\"A\"", "\"X\"", "s.toml:3: key `func_stat`"),
            ("\"county\"", "\"zip\"", "s.toml:2: key `layer`"),
            ("https://x", "", "s.toml:5: key `source`"),
            ("reason = \"r\"", "reason = \"r\"\ngeoids = [\"1\"]", "s.toml:5: key `geoids`"),
            ("reason", "because", "line 4"),
        ] {
            let message =
                StatusTable::parse(Path::new("s.toml"), &good.replace(from, to)).unwrap_err().to_string();
            assert!(message.contains(place), "{message}");
        }
    }
}
