//! The columns that are added to those of the input. Each has one name and one type of value in every format.

use platbook::vocabulary::{Function, Layer};

/// An attribute of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AreaPart {
    /// The GEOID alone: `27053`.
    Geoid,
    /// The id of the interface: `county:27053`.
    Id,
    /// The name as people write it.
    Name,
    /// The legal word, lower case.
    Type,
    /// The ids of the same government, with spaces between.
    SameAs,
}

/// An attribute of the body that performs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionPart {
    /// The id of the acting body.
    BodyId,
    /// The name of the acting body.
    Body,
    /// The title of the office.
    Office,
    /// The page of the office, or the main site of its government.
    Page,
    /// The confidence of the assignment: high, medium, low.
    Confidence,
}

/// An attribute of a boundary near the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePart {
    /// Distance to the nearest boundary in meters; empty beyond the searched distance.
    Distance,
    /// Positional error of the boundary in meters.
    Error,
}

/// A column that is added to the input's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// An attribute of the state, county, subdivision or place.
    Area(Layer, AreaPart),
    /// The postal code of the state.
    Usps,
    /// `inside`, `sliver`, `nearest`, `water`.
    Quality,
    /// An attribute of the nearest county or place boundary.
    Line(Layer, LinePart),
    /// Whether a county or place boundary is nearer than its positional error.
    Uncertain,
    /// Layers whose polygons are missing here: an empty column of such a layer means "unknown".
    UnknownLayers,
    /// An attribute of the body that performs a function.
    Function(Function, FunctionPart),
    /// Why the row was not resolved.
    Error,
}

const AREA_PARTS: [(AreaPart, &str); 5] = [
    (AreaPart::Geoid, ""),
    (AreaPart::Id, "_id"),
    (AreaPart::Name, "_name"),
    (AreaPart::Type, "_type"),
    (AreaPart::SameAs, "_same_as"),
];
const FUNCTION_PARTS: [(FunctionPart, &str); 5] = [
    (FunctionPart::BodyId, "_body_id"),
    (FunctionPart::Body, "_body"),
    (FunctionPart::Office, "_office"),
    (FunctionPart::Page, "_page"),
    (FunctionPart::Confidence, "_confidence"),
];
const LINE_PARTS: [(LinePart, &str); 2] =
    [(LinePart::Distance, "_line_m"), (LinePart::Error, "_line_error_m")];
const OTHERS: [(Column, &str); 5] = [
    (Column::Usps, "state_usps"),
    (Column::Quality, "quality"),
    (Column::Uncertain, "uncertain"),
    (Column::UnknownLayers, "unknown_layers"),
    (Column::Error, "error"),
];

/// The columns that are added by default.
const DEFAULT: &str =
    "state,county,cousub,place,county_name,cousub_name,place_name,quality,uncertain,unknown_layers,error";

impl Column {
    /// Returns the name of the column in the header.
    pub(super) fn name(self) -> String {
        let found = named().find(|(column, _)| *column == self);
        found.map_or_else(String::new, |(_, name)| name)
    }
}

/// Returns every column with its name, in the order of `--columns all`.
fn named() -> impl Iterator<Item = (Column, String)> {
    let areas = Layer::ALL.into_iter().flat_map(|layer| {
        AREA_PARTS.map(|(part, end)| (Column::Area(layer, part), format!("{}{end}", layer.prefix())))
    });
    let lines = [Layer::County, Layer::Place].into_iter().flat_map(|layer| {
        LINE_PARTS.map(|(part, end)| (Column::Line(layer, part), format!("{}{end}", layer.prefix())))
    });
    let functions = Function::ALL.into_iter().flat_map(|function| {
        FUNCTION_PARTS
            .map(|(part, end)| (Column::Function(function, part), format!("{}{end}", function.as_str())))
    });
    let others = OTHERS.map(|(column, name)| (column, name.to_owned()));
    areas.chain(lines).chain(functions).chain(others)
}

/// Returns the chosen columns, each once; the column `error` is always the last.
///
/// # Errors
/// If a name is unknown: the message lists the known ones.
pub(super) fn chosen(columns: Option<&str>, functions: Option<&str>) -> Result<Vec<Column>, String> {
    let mut chosen = match columns {
        Some("all") => named().map(|(column, _)| column).filter(|column| !is_of_function(column)).collect(),
        names => names.unwrap_or(DEFAULT).split(',').map(column).collect::<Result<Vec<_>, _>>()?,
    };
    for function in wanted_functions(functions)? {
        chosen.extend(FUNCTION_PARTS.map(|(part, _)| Column::Function(function, part)));
    }
    chosen.retain(|column| *column != Column::Error);
    chosen.push(Column::Error);
    let mut once: Vec<Column> = Vec::with_capacity(chosen.len());
    for column in chosen {
        if !once.contains(&column) {
            once.push(column);
        }
    }
    Ok(once)
}

fn is_of_function(column: &Column) -> bool {
    matches!(column, Column::Function(..))
}

fn column(name: &str) -> Result<Column, String> {
    let found = named().find(|(_, known)| known == name.trim());
    found.map(|(column, _)| column).ok_or_else(|| {
        let names: Vec<_> =
            named().filter(|(column, _)| !is_of_function(column)).map(|(_, name)| name).collect();
        format!(
            "--columns: expected all, or some of {}, got {name:?}; --functions adds offices",
            names.join(",")
        )
    })
}

fn wanted_functions(names: Option<&str>) -> Result<Vec<Function>, String> {
    let function = |name: &str| {
        Function::ALL.into_iter().find(|function| function.as_str() == name.trim()).ok_or_else(|| {
            let names = Function::ALL.map(Function::as_str).join(",");
            format!("--functions: expected all, or some of {names}, got {name:?}")
        })
    };
    match names {
        None => Ok(Vec::new()),
        Some("all") => Ok(Function::ALL.to_vec()),
        Some(names) => names.split(',').map(function).collect(),
    }
}

/// A value of a column.
pub(super) enum Value<'a> {
    /// The value is missing or unknown.
    Null,
    /// A text, not yet quoted or escaped.
    Text(&'a str),
    /// A length in meters.
    Meters(f64),
    /// A truth value, written as `true` or `false`.
    Truth(bool),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let names: Vec<String> = named().map(|(_, name)| name).collect();
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len(), "each name means one column");
        for name in &names {
            assert_eq!(column(name).unwrap().name(), *name);
        }
    }

    #[test]
    fn columns_are_chosen_once_and_the_error_is_last() {
        for (columns, functions, expected) in [
            (Some("place,state"), None, Ok("place,state,error")),
            (Some("error, place,place"), None, Ok("place,error")),
            (
                Some("county"),
                Some("zoning"),
                Ok("county,zoning_body_id,zoning_body,zoning_office,zoning_page,zoning_confidence,error"),
            ),
            (None, None, Ok(DEFAULT)),
            (Some("town"), None, Err("got \"town\"")),
            (None, Some("policing"), Err("got \"policing\"")),
        ] {
            let chosen = chosen(columns, functions);
            match expected {
                Ok(names) => {
                    let got: Vec<_> = chosen.unwrap().into_iter().map(Column::name).collect();
                    assert_eq!(got.join(","), names);
                }
                Err(part) => assert!(chosen.unwrap_err().contains(part)),
            }
        }
    }
}
