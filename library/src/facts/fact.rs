//! A fact as it is looked up and kept, and sets of them.

use std::sync::Arc;

use super::{FactKey, FactStatus, Said};
use crate::vocabulary::{Member, OutsideSource, Set};

/// What one map says of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Which fact it is.
    pub key: FactKey,
    /// What is said.
    pub said: Said,
    /// Date of the map.
    pub as_of: Option<String>,
    /// The data that it was read from, where that is not the usual source of its key, such as a county's own map.
    pub own_source: Option<Arc<OutsideSource>>,
}

impl Fact {
    /// A fact of the usual source, without a date.
    pub fn new(key: FactKey, said: Said) -> Fact {
        Fact { key, said, as_of: None, own_source: None }
    }

    /// The fact in one word.
    pub fn status(&self) -> FactStatus {
        self.said.judged().map_or(FactStatus::Unknown, |judged| judged.status())
    }

    /// Values for machines.
    pub fn values(&self) -> Values {
        self.said.judged().map_or_else(Vec::new, |judged| judged.values())
    }

    /// The data that the fact is read from.
    pub fn source(&self) -> &OutsideSource {
        self.own_source.as_deref().unwrap_or(&self.key.row().source)
    }

    /// Whether a map was read: it may have said that nothing is known.
    pub fn is_checked(&self) -> bool {
        self.said.judged().is_some()
    }

    /// Bytes that the fact holds besides its own size, about.
    pub fn bytes(&self) -> usize {
        self.values().iter().map(|(_, value)| value.bytes()).sum()
    }
}

/// Values for machines by their names, which hold the units, such as `feet`.
pub type Values = Vec<(&'static str, FactValue)>;

/// A value for machines.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A word or text.
    Text(String),
    /// A number; the name of the value holds its unit.
    Number(f64),
    /// Whether something holds.
    Flag(bool),
    /// Several texts.
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

/// A text under its name, where there is one.
pub(super) fn text(name: &'static str, text: Option<&str>) -> Option<(&'static str, FactValue)> {
    text.map(|text| (name, FactValue::Text(text.to_owned())))
}

/// A number under its name, where there is one.
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
    /// The fact of a key.
    pub fn get(&self, key: FactKey) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.key == key)
    }

    /// The facts that there are.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// The keys that there are.
    pub fn keys(&self) -> FactKeys {
        self.iter().map(|fact| fact.key).collect()
    }

    /// These facts, and where one is missing, that of the others.
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
