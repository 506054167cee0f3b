//! The tables of a state file as TOML spells them. An unknown key is an error.

use serde::Deserialize;
use toml::{Spanned, value::Datetime};

pub(super) type Text = Spanned<String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateFile {
    pub(super) state: Text,
    pub(super) name: Text,
    pub(super) checked: Spanned<Datetime>,
    pub(super) summary: Spanned<Vec<Text>>,
    #[serde(default)]
    pub(super) quirks: Vec<Text>,
    pub(super) apart: Option<Spanned<Vec<Text>>>,
    pub(super) counties: AreasTable,
    pub(super) subdivisions: Option<AreasTable>,
    pub(super) places: Option<AreasTable>,
    #[serde(default)]
    pub(super) source: Vec<Spanned<SourceTable>>,
    #[serde(default)]
    pub(super) group: Vec<Spanned<GroupTable>>,
    pub(super) assessment: Spanned<FunctionTable>,
    pub(super) tax_collection: Spanned<FunctionTable>,
    pub(super) recording: Spanned<FunctionTable>,
    pub(super) zoning: Spanned<FunctionTable>,
    pub(super) permits: Spanned<FunctionTable>,
    pub(super) gis: Spanned<FunctionTable>,
    pub(super) exemptions: Spanned<FunctionTable>,
    #[serde(default)]
    pub(super) district: Vec<Spanned<DistrictTable>>,
    #[serde(default)]
    pub(super) district_per_county: Vec<Spanned<PerCountyTable>>,
    #[serde(default)]
    pub(super) office: Vec<Spanned<OfficeTable>>,
    #[serde(default)]
    pub(super) resource: Vec<Spanned<ResourceTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AreasTable {
    pub(super) word: Text,
    #[serde(default)]
    pub(super) governing_types: Vec<Text>,
    #[serde(default)]
    pub(super) governing: Vec<Text>,
    #[serde(default)]
    pub(super) not_governing: Vec<Text>,
    pub(super) note: Option<Text>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceTable {
    pub(super) id: Text,
    pub(super) name: Text,
    pub(super) url: Text,
    pub(super) publisher: Text,
    #[serde(default = "yes")]
    pub(super) official: bool,
    /// Day on which the source's text (or a stored copy) was read; `None` if the source was not opened.
    pub(super) read: Option<Spanned<Datetime>>,
}

/// Areas that several cases name together, as `@name`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupTable {
    pub(super) name: Text,
    #[serde(default)]
    pub(super) place: Vec<Text>,
    #[serde(default)]
    pub(super) cousub: Vec<Text>,
    #[serde(default)]
    pub(super) county: Vec<Text>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FunctionTable {
    pub(super) office: Text,
    pub(super) level: Option<Text>,
    #[serde(rename = "where")]
    pub(super) place_words: Text,
    pub(super) note: Option<Text>,
    pub(super) summary: Spanned<Vec<Text>>,
    pub(super) statute: Option<Text>,
    pub(super) source: Text,
    pub(super) confidence: Text,
    #[serde(default)]
    pub(super) case: Vec<Spanned<CaseTable>>,
    #[serde(default)]
    pub(super) also: Vec<Spanned<CaseTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseTable {
    pub(super) when: Option<Spanned<WhenTable>>,
    pub(super) unless: Option<Spanned<WhenTable>>,
    pub(super) by: Text,
    pub(super) office: Option<Text>,
    pub(super) why: Text,
    pub(super) sure: Option<Text>,
    pub(super) role: Option<Text>,
    pub(super) levy_scope: Option<Text>,
    pub(super) statute: Option<Text>,
    pub(super) source: Option<Text>,
    pub(super) confidence: Option<Text>,
    pub(super) until: Option<Spanned<Datetime>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WhenTable {
    #[serde(default)]
    pub(super) place: Vec<Text>,
    #[serde(default)]
    pub(super) cousub: Vec<Text>,
    #[serde(default)]
    pub(super) county: Vec<Text>,
    #[serde(default)]
    pub(super) place_type: Vec<Text>,
    #[serde(default)]
    pub(super) cousub_type: Vec<Text>,
    #[serde(default)]
    pub(super) county_type: Vec<Text>,
    pub(super) in_place: Option<bool>,
    pub(super) in_cousub: Option<bool>,
    pub(super) cousub_governs: Option<bool>,
    pub(super) county_governs: Option<bool>,
    pub(super) shown: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DistrictTable {
    pub(super) id: Text,
    pub(super) name: Text,
    pub(super) set: Text,
    #[serde(default)]
    pub(super) county: Vec<Text>,
    #[serde(default)]
    pub(super) cousub: Vec<Text>,
    #[serde(default)]
    pub(super) rest_of: Vec<Text>,
    pub(super) url: Option<Text>,
    pub(super) source: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PerCountyTable {
    pub(super) id: Text,
    pub(super) name: Text,
    pub(super) set: Text,
    pub(super) source: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfficeTable {
    pub(super) body: Text,
    pub(super) name: Text,
    pub(super) functions: Spanned<Vec<Text>>,
    pub(super) url: Option<Text>,
    pub(super) phone: Option<Text>,
    pub(super) email: Option<Text>,
    pub(super) address: Option<Text>,
    pub(super) source: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResourceTable {
    pub(super) name: Text,
    pub(super) url: Text,
    pub(super) topics: Spanned<Vec<Text>>,
    pub(super) publisher: Text,
    pub(super) kind: Text,
    pub(super) confidence: Text,
    #[serde(default = "yes")]
    pub(super) official: bool,
    /// Body that the resource belongs to; the state if absent.
    pub(super) body: Option<Text>,
    /// Counties to whose land the resource is limited: it becomes a page of each of them, not of the state.
    pub(super) counties: Option<Spanned<Vec<Text>>>,
    pub(super) search_url_template: Option<Text>,
    pub(super) description: Option<Text>,
    /// Source; required unless the host is a documented government address.
    pub(super) source: Option<Text>,
}

fn yes() -> bool {
    true
}
