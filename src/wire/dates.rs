//! The JSON types for dates and amounts of the property tax. They go beyond the contract.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema, text, words::Word};
use platbook::vocabulary::{Confidence, DatedKind, JurisdictionId};

/// A date or an amount that people ask an office for, as a law or an office says it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DatedRule<'a> {
    /// The subject of the rule.
    #[schemars(with = "Word<DatedKind>")]
    pub subject: DatedKind,
    /// The rule in one or two sentences.
    pub says: &'a str,
    /// The next day, the age of the text and whether it may change, in sentences; absent where there is nothing to add.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(with = "Option<String>")]
    pub remark: String,
    /// The property or the case that it applies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applies: Option<&'a str>,
    /// The office or board that it is done with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<&'a str>,
    /// The time limit, as a day or a number of days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Deadline<'a>>,
    /// The amount in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<&'a str>,
    /// True where the state has nothing of the kind, such as no transfer tax.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(with = "Option<bool>")]
    pub none: bool,
    /// The county, town or city whose rule it is; absent for the state's own.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::optional_id")]
    #[schemars(with = "Option<schema::Id>")]
    pub jurisdiction_id: Option<JurisdictionId>,
    /// The law, by its title and section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statute: Option<&'a str>,
    /// The page of a law or an office that is cited.
    #[schemars(with = "schema::Uri")]
    pub source_url: &'a str,
    /// The day on which the text was read.
    pub seen: &'a str,
    /// The newest year that the text speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2000, max = 9999))]
    pub tax_year: Option<u16>,
    /// How sure the rule is. One that may change soon is at most `medium`.
    #[schemars(with = "Word<Confidence>")]
    pub confidence: Confidence,
}

/// A time limit: a day of each year, days after an event, or both.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Deadline<'a> {
    /// The first day on or after the date of the answer, `YYYY-MM-DD`, of all installments; absent where no day is fixed.
    /// It is absent, too, if only the day of an earlier year is known. A weekend or a holiday is not taken into account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_date: Option<String>,
    /// The day on which the window opens, `MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opens: Option<String>,
    /// Number of days after the event `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub days: Option<u16>,
    /// The event from which `days` count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<&'a str>,
    /// With both a day and an event: `later` or `earlier`, which of the two counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whichever: Option<&'static str>,
    /// The localities that set the day, or how it differs, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varies: Option<&'a str>,
}
