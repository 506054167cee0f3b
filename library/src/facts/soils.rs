//! Map units of the soil survey (SSURGO), from the USDA's Soil Data Access or a survey area's download.

use super::{
    Attributes, FactRow, FactStatus, FactValue, Judged, Values,
    fact::{number, text},
};
use crate::vocabulary::{Function, OutsideSource, Topic};

pub(super) static ROW: FactRow = FactRow {
    word: "soils",
    schema: "Soils",
    about: "Soil.",
    about_statuses: "Whether the soil is known.",
    statuses: &[
        (FactStatus::Ok, "Known."),
        (FactStatus::None, "On no soil map."),
        (FactStatus::Unknown, "Not checked."),
    ],
    source: OutsideSource::published(
        "Soil Survey Geographic Database (SSURGO)",
        "https://sdmdataaccess.sc.egov.usda.gov/",
        "USDA Natural Resources Conservation Service",
    ),
    function: Some(Function::Permits),
    topic: Some(Topic::Soils),
    page: Some("https://websoilsurvey.nrcs.usda.gov/app/"),
    only_in: None,
};

/// Symbol of a map unit whose soil was not mapped.
const NOT_MAPPED: &str = "NOTCOM";

/// Maximum number of components of a map unit that are named, the largest first. A unit has one to three major
/// components, then minor ones.
const COMPONENTS_MAX: usize = 5;

/// A map unit of the soil survey. Its classes are the survey's words.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is named as its value for machines")]
pub struct SoilUnit {
    pub map_unit: String,
    pub map_unit_symbol: Option<String>,
    pub map_unit_key: Option<String>,
    pub survey_area: Option<String>,
    pub drainage_class: Option<String>,
    pub hydrologic_group: Option<String>,
    pub farmland_class: Option<String>,
    pub slope_percent: Option<f64>,
    pub hydric_percent: Option<f64>,
    pub components: Vec<String>,
}

impl SoilUnit {
    /// Judges the rows of a map unit: one row for each soil, the largest first, or one row for the whole unit. `None`
    /// without a row, or if the unit has no name.
    pub fn judge(rows: &[impl Attributes]) -> Option<SoilUnit> {
        let unit = rows.first()?;
        let text = |fields: &[&str]| unit.first_text(fields);
        let symbol = text(&["musym"]);
        Some(SoilUnit {
            map_unit: text(&["muname"]).or_else(|| symbol.clone().filter(|symbol| symbol == NOT_MAPPED))?,
            map_unit_symbol: symbol,
            map_unit_key: text(&["mukey"]),
            survey_area: text(&["areasymbol"]),
            drainage_class: text(&["drainagecl", "drclassdcd"]),
            hydrologic_group: text(&["hydgrp", "hydgrpdcd"]),
            farmland_class: text(&["farmlndcl"]),
            slope_percent: unit.number("slope_r"),
            hydric_percent: unit.number("hydclprs").or_else(|| hydric_percent(rows)),
            components: rows.iter().filter_map(component).take(COMPONENTS_MAX).collect(),
        })
    }

    /// Whether the unit is mapped soil.
    pub fn is_mapped(&self) -> bool {
        self.map_unit_symbol.as_deref() != Some(NOT_MAPPED)
    }
}

/// A soil of the unit with its percentage.
fn component(row: &impl Attributes) -> Option<String> {
    let name = row.text("compname")?;
    Some(row.text("comppct_r").map_or(name.to_owned(), |percent| format!("{name} {percent} %")))
}

/// Percentage of the unit with hydric soils, which are the soils of wetlands. `None` if no soil is rated.
fn hydric_percent(rows: &[impl Attributes]) -> Option<f64> {
    let rated = rows.iter().filter_map(|row| Some((row, row.text("hydricrating")?)));
    let mut rated = rated.filter(|(_, rating)| *rating != "Unranked").peekable();
    rated.peek()?;
    Some(rated.filter(|(_, rating)| *rating == "Yes").filter_map(|(row, _)| row.number("comppct_r")).sum())
}

/// The unit at a point; `None` if no soil map covers the point.
impl Judged for Option<SoilUnit> {
    fn status(&self) -> FactStatus {
        if self.as_ref().is_some_and(SoilUnit::is_mapped) { FactStatus::Ok } else { FactStatus::None }
    }

    fn values(&self) -> Values {
        let values = self.iter().flat_map(|unit| {
            let components = (!unit.components.is_empty()).then(|| FactValue::List(unit.components.clone()));
            [
                text("map_unit", Some(&unit.map_unit)),
                text("map_unit_symbol", unit.map_unit_symbol.as_deref()),
                text("map_unit_key", unit.map_unit_key.as_deref()),
                text("survey_area", unit.survey_area.as_deref()),
                text("drainage_class", unit.drainage_class.as_deref()),
                text("hydrologic_group", unit.hydrologic_group.as_deref()),
                text("farmland_class", unit.farmland_class.as_deref()),
                number("slope_percent", unit.slope_percent),
                number("hydric_percent", unit.hydric_percent),
                components.map(|components| ("components", components)),
            ]
        });
        values.flatten().collect()
    }
}
