//! Soil Data Access of the USDA: the map unit at a point and the soils that it is made of.
//!
//! It is asked in SQL and answers with tables of text. Where no row matches it answers `{}`; where it runs out of time, XML
//! under the status of a success.

use std::collections::HashMap;

use serde::Deserialize;

use super::{
    Agency, LAKE, degrees, json,
    values::{self, CleanText},
};
use crate::upstream::{
    control::ControlQuestion,
    fetch::{Query, Reply},
};
use platbook::{
    facts::{Attributes as _, Fact, FactKey, FactStatus, Fault, Said, SoilUnit},
    geometry::LonLat,
};

pub(super) const AGENCY: Agency = Agency {
    key: FactKey::Soils,
    base: "https://sdmdataaccess.sc.egov.usda.gov",
    // A lake is a map unit, too.
    control: || ControlQuestion {
        query: query(LAKE.point()),
        finds: |reply| Ok(read(reply)?.status() == FactStatus::Ok),
    },
    fact: |line, point| Box::pin(line.ask(query(point), read)),
};

/// Asks for the map unit, its components and the version of its survey.
fn query(point: LonLat) -> Query {
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
pub(super) fn read(reply: &Reply) -> Result<Fact, Fault> {
    // What is not JSON is the service's XML of a failure.
    let Answer { table } = json(reply)?;
    let rows = table.as_ref().map_or(Ok(Vec::new()), |table| rows(table))?;
    let Some(unit) = rows.first() else { return Ok(Fact::new(FactKey::Soils, Said::Soils(None))) };
    let as_of = unit.text("saverest").and_then(values::date_of_american);
    let unit = SoilUnit::judge(&rows).ok_or(Fault::Unreadable)?;
    Ok(Fact { as_of, ..Fact::new(FactKey::Soils, Said::Soils(Some(unit))) })
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
