//! Soil Data Access of the USDA: the map unit at a point and the soils that it is made of.
//!
//! It is asked in SQL and answers with tables of text. Where no row matches it answers `{}`; where it runs out of time, XML
//! under the status of a success.

use std::collections::HashMap;

use serde::Deserialize;

use super::{
    ControlQuestion, LAKE, Query, degrees, json,
    values::{self, CleanText},
};
use crate::upstream::{fault::Fault, fetch::Reply};
use platbook::{
    answers::{FactValue, Finding},
    geometry::LonLat,
    vocabulary::Soils,
};

/// Where it answers when nothing else is set.
pub(crate) const BASE: &str = "https://sdmdataaccess.sc.egov.usda.gov";

/// Symbol of a map unit where nobody has mapped the soil.
const NOT_MAPPED: &str = "NOTCOM";

/// Components of a map unit that are named, the largest first.
const COMPONENTS_MAX: usize = 5;

/// Asks for the map unit, its components and the version of its survey.
pub(crate) fn query(point: LonLat) -> Query {
    // Numbers that we have formatted, and nothing that a caller wrote.
    let (lon, lat) = degrees(point);
    let sql = format!(
        "SELECT mu.mukey, mu.musym, mu.muname, l.areasymbol, s.saverest, c.compname, c.comppct_r, c.hydricrating, \
         c.drainagecl, c.hydgrp, c.slope_r \
         FROM mapunit mu \
         INNER JOIN legend l ON l.lkey = mu.lkey \
         LEFT JOIN sacatalog s ON s.areasymbol = l.areasymbol \
         LEFT JOIN component c ON c.mukey = mu.mukey \
         WHERE mu.mukey IN (SELECT mukey FROM SDA_Get_Mukey_from_intersection_with_WktWgs84('point({lon} {lat})')) \
         ORDER BY c.comppct_r DESC"
    );
    let pairs = vec![("query", sql), ("format", "JSON+COLUMNNAME".to_owned())];
    Query { path: "/Tabular/post.rest", pairs, is_posted: true }
}

/// A lake is a map unit, too.
pub(crate) fn control() -> ControlQuestion {
    let finds = |reply: &Reply| Ok(read(reply)?.status == Soils::Ok);
    ControlQuestion { query: query(LAKE.point()), finds }
}

/// Nothing but an empty object says that no row matches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(rename = "Table")]
    table: Option<Vec<Vec<Option<CleanText>>>>,
}

/// A row by the names of its columns.
type Row<'t> = HashMap<&'t str, &'t str>;

/// Reads the soil.
pub(crate) fn read(reply: &Reply) -> Result<Finding<Soils>, Fault> {
    // What is not JSON is the service's XML of a failure.
    let Answer { table } = json(reply)?;
    let Some(table) = table else { return Ok(not_mapped()) };
    let rows = rows(&table)?;
    let Some(unit) = rows.first() else { return Ok(not_mapped()) };
    let name = unit.get("muname").ok_or(Fault::Unreadable)?;
    if unit.get("musym").is_some_and(|symbol| *symbol == NOT_MAPPED) {
        return Ok(not_mapped());
    }
    Ok(Finding {
        detail: detail(&rows),
        values: unit_values(unit, name, &rows),
        as_of: unit.get("saverest").and_then(|text| values::date_of_american(text)),
        ..Finding::new(Soils::Ok, format!("The soil map shows {name} here."))
    })
}

fn not_mapped() -> Finding<Soils> {
    Finding::new(Soils::None, "No soil map covers this point.")
}

/// The first row names the columns.
fn rows(table: &[Vec<Option<CleanText>>]) -> Result<Vec<Row<'_>>, Fault> {
    let (names, rows) = table.split_first().ok_or(Fault::Unreadable)?;
    if rows.iter().any(|row| row.len() != names.len()) {
        return Err(Fault::Unreadable);
    }
    let named = rows.iter().map(|row| {
        let pairs = names.iter().zip(row);
        let filled =
            pairs.filter_map(|(name, cell)| Some((name.as_ref()?.0.as_str(), cell.as_ref()?.0.as_str())));
        filled.filter(|(_, text)| !text.is_empty()).collect()
    });
    Ok(named.collect())
}

fn unit_values(unit: &Row<'_>, name: &str, rows: &[Row<'_>]) -> Vec<(&'static str, FactValue)> {
    let text = |name: &'static str, column: &str| {
        let text = unit.get(column)?;
        Some((name, FactValue::Text((*text).to_owned())))
    };
    let mut values = vec![("map_unit", FactValue::Text(name.to_owned()))];
    values.extend(text("map_unit_symbol", "musym"));
    values.extend(text("map_unit_key", "mukey"));
    values.extend(text("survey_area", "areasymbol"));
    values.extend(text("drainage_class", "drainagecl"));
    values.extend(text("hydrologic_group", "hydgrp"));
    let slope = unit.get("slope_r").and_then(|slope| slope.parse().ok());
    values.extend(slope.map(|percent| ("slope_percent", FactValue::Number(percent))));
    values.extend(hydric_percent(rows).map(|percent| ("hydric_percent", FactValue::Number(percent))));
    let components: Vec<FactValue> = components(rows).into_iter().map(FactValue::Text).collect();
    values.extend((!components.is_empty()).then_some(("components", FactValue::List(components))));
    values
}

/// The soils of the unit with their shares.
fn components(rows: &[Row<'_>]) -> Vec<String> {
    let named = rows.iter().filter_map(|row| Some((row.get("compname")?, row.get("comppct_r"))));
    let worded = named.map(|(name, percent)| match percent {
        Some(percent) => format!("{name} {percent} %"),
        None => (*name).to_owned(),
    });
    worded.take(COMPONENTS_MAX).collect()
}

/// Share of the unit whose soils are hydric, as those of wetlands are. `None` where no soil is rated.
fn hydric_percent(rows: &[Row<'_>]) -> Option<f64> {
    let is_rated = |row: &&Row<'_>| row.get("hydricrating").is_some_and(|rating| *rating != "Unranked");
    let mut rated = rows.iter().filter(is_rated).peekable();
    rated.peek()?;
    let hydric = rated.filter(|row| row.get("hydricrating") == Some(&"Yes"));
    Some(hydric.filter_map(|row| row.get("comppct_r")?.parse::<f64>().ok()).sum())
}

fn detail(rows: &[Row<'_>]) -> Option<String> {
    let unit = rows.first()?;
    let drainage = unit.get("drainagecl").map(|class| format!("Its main soil is {}.", class.to_lowercase()));
    let hydric = hydric_percent(rows).filter(|percent| *percent > 0.0);
    let hydric = hydric.map(|percent| {
        format!("About {percent} % of the map unit is hydric soil, as it is found in wetlands.")
    });
    let sentences: Vec<String> = drainage.into_iter().chain(hydric).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
