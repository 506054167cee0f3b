//! Soil Data Access of the USDA: the map unit at a point and its soils.
//!
//! Queries are in SQL, and responses are tables of text. The response is `{}` if no row matches, and XML with status
//! 200 after a timeout.

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
    // The control point is in a lake, which is a map unit as well.
    control: || ControlQuestion {
        query: query(LAKE.point()),
        finds: |reply| Ok(read(reply)?.status() == FactStatus::Ok),
    },
    fact: |line, point| Box::pin(line.ask(query(point), read)),
};

/// Queries the map unit at a point, its components and the date of its survey.
fn query(point: LonLat) -> Query {
    // The SQL contains only numbers that were formatted here, and no text from a caller.
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

/// The response. Only an empty object means that no row matches, so unknown fields are an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(rename = "Table")]
    table: Option<Vec<Vec<Option<CleanText>>>>,
}

/// The cells of a row, by the names of their columns.
type Row<'t> = HashMap<&'t str, &'t str>;

/// Reads the soils of a map unit.
pub(super) fn read(reply: &Reply) -> Result<Fact, Fault> {
    // A response that is not JSON is the XML of a failure.
    let Answer { table } = json(reply)?;
    let rows = table.as_ref().map_or(Ok(Vec::new()), |table| rows(table))?;
    let Some(unit) = rows.first() else { return Ok(Fact::new(FactKey::Soils, Said::Soils(None))) };
    let as_of = unit.text("saverest").and_then(values::date_of_american);
    let unit = SoilUnit::judge(&rows).ok_or(Fault::Unreadable)?;
    Ok(Fact { as_of, ..Fact::new(FactKey::Soils, Said::Soils(Some(unit))) })
}

/// Returns the rows by column name; the first row holds the names.
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
