//! A fact as it is looked up and cached, and sets of facts.

use std::sync::Arc;

use super::{FactKey, FactStatus, Said};
use crate::vocabulary::{Member, OutsideSource, Set};

/// The statement of one map about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The key of the fact.
    pub key: FactKey,
    /// The statement, as keys and figures.
    pub said: Said,
    /// Date of the map, as its publisher writes it; `None` if unknown.
    pub as_of: Option<String>,
    /// The data that the fact was read from, such as a county's own map. `None` for the usual source of the fact's
    /// key.
    pub own_source: Option<Arc<OutsideSource>>,
}

impl Fact {
    /// A fact from the usual source, without a date.
    pub fn new(key: FactKey, said: Said) -> Fact {
        Fact { key, said, as_of: None, own_source: None }
    }

    /// The fact as one word of the contract; `Unknown` if no map was read.
    pub fn status(&self) -> FactStatus {
        self.said.judged().map_or(FactStatus::Unknown, |judged| judged.status())
    }

    /// The fact as values for programs; empty if no map was read.
    pub fn values(&self) -> Values {
        self.said.judged().map_or_else(Vec::new, |judged| judged.values())
    }

    /// The data that the fact was read from.
    pub fn source(&self) -> &OutsideSource {
        self.own_source.as_deref().unwrap_or(&self.key.row().source)
    }

    /// Whether a map was read, even if it stated nothing.
    pub fn is_checked(&self) -> bool {
        self.said.judged().is_some()
    }

    /// Approximate heap size of the fact in bytes, for the cache budget.
    pub fn bytes(&self) -> usize {
        self.values().iter().map(|(_, value)| value.bytes()).sum()
    }
}

/// Values for programs. Their names include the unit, such as `feet`.
pub type Values = Vec<(&'static str, FactValue)>;

/// A value for programs.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A word or text.
    Text(String),
    /// A number; the name of the value includes its unit.
    Number(f64),
    /// A statement that is true or false.
    Flag(bool),
    /// A list of texts.
    List(Vec<String>),
}

impl FactValue {
    fn bytes(&self) -> usize {
        match self {
            FactValue::Text(text) => text.len(),
            FactValue::Number(_) | FactValue::Flag(_) => 0,
            FactValue::List(texts) => texts.iter().map(|text| size_of_val(text) + text.len()).sum(),
        }
    }
}

/// A text with its name; `None` without a text.
pub(super) fn text(name: &'static str, text: Option<&str>) -> Option<(&'static str, FactValue)> {
    text.map(|text| (name, FactValue::Text(text.to_owned())))
}

/// A number with its name; `None` without a number.
pub(super) fn number(
    name: &'static str,
    number: Option<impl Into<f64>>,
) -> Option<(&'static str, FactValue)> {
    number.map(|number| (name, FactValue::Number(number.into())))
}

/// Facts of one point, each key at most once, in the order of the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// The fact with this key; `None` if it was not found.
    pub fn get(&self, key: FactKey) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.key == key)
    }

    /// The facts in the order of the answer.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// The keys of the facts.
    pub fn keys(&self) -> FactKeys {
        self.iter().map(|fact| fact.key).collect()
    }

    /// These facts, and those of `others` with other keys.
    pub fn or(mut self, others: Facts) -> Facts {
        let own = self.keys();
        self.0.extend(others.0.into_iter().filter(|fact| !own.has(fact.key)));
        self.0.sort_by_key(|fact| fact.key);
        self
    }
}

impl FromIterator<Fact> for Facts {
    fn from_iter<I: IntoIterator<Item = Fact>>(facts: I) -> Facts {
        facts.into_iter().fold(Facts::default(), |all, fact| all.or(Facts(vec![fact])))
    }
}

/// A set of keys.
pub type FactKeys = Set<FactKey>;

impl Member for FactKey {
    const MEMBERS: &'static [FactKey] = &FactKey::ALL;

    fn number(self) -> u32 {
        self as u32
    }
}
