//! The columns. Each has a name, a type and a unit, which are the same in every format.

use crate::vocabulary::{Function, Layer};

/// An attribute of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AreaPart {
    /// The GEOID without a prefix: `27053`.
    Geoid,
    /// The id with its prefix, as in answers: `county:27053`.
    Id,
    /// The name as people write it.
    Name,
    /// The legal word in lower case.
    LegalType,
    /// Other ids of the same government, separated by spaces.
    SameAs,
}

/// An attribute of the body that performs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionPart {
    /// The id of the acting body.
    BodyId,
    /// The name of the acting body.
    Body,
    /// The title of the office.
    Office,
    /// The page of the office, or the main site of its government.
    Url,
    /// The telephone of the office, or the main line of its government.
    Phone,
    /// The confidence of the assignment: high, medium, low.
    Confidence,
    /// The reason why the rules name this body, or no body, in English.
    Basis,
}

/// An attribute of a boundary near the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinePart {
    /// Distance to the nearest boundary in meters; null beyond the searched distance.
    Distance,
    /// Positional error of the boundary in meters.
    Error,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// An attribute of the state, county, subdivision or place.
    Area(Layer, AreaPart),
    /// The postal code of the state.
    Usps,
    /// The relation of the location to its areas, such as `inside` or `water`; never null.
    Quality,
    /// Meters to the nearest county, if the quality is `nearest`; otherwise null.
    NearestM,
    /// Meters to the nearest county or place boundary; null beyond the searched distance.
    BorderM,
    /// An attribute of the nearest county or place boundary.
    Line(Layer, LinePart),
    /// Whether a county or place boundary is nearer than its positional error.
    Uncertain,
    /// Layers whose polygons are missing at the point: a null cell of such a layer means "unknown".
    UnknownLayers,
    /// The land of an American Indian nation around the point.
    TribalLand,
    /// An attribute of the body that performs a function.
    Function(Function, FunctionPart),
    /// The reason why the row was not resolved.
    Error,
}

/// The type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// Text, encoded as UTF-8.
    Text,
    /// A length in meters, with tenths.
    Meters,
    /// A truth value, true or false.
    Truth,
}

const AREA_PARTS: [(AreaPart, &str); 5] = [
    (AreaPart::Geoid, ""),
    (AreaPart::Id, "_id"),
    (AreaPart::Name, "_name"),
    (AreaPart::LegalType, "_legal_type"),
    (AreaPart::SameAs, "_same_as"),
];
const FUNCTION_PARTS: [(FunctionPart, &str); 7] = [
    (FunctionPart::BodyId, "_body_id"),
    (FunctionPart::Body, "_body"),
    (FunctionPart::Office, "_office"),
    (FunctionPart::Url, "_url"),
    (FunctionPart::Phone, "_phone"),
    (FunctionPart::Confidence, "_confidence"),
    (FunctionPart::Basis, "_basis"),
];
const LINE_PARTS: [(LinePart, &str); 2] =
    [(LinePart::Distance, "_line_m"), (LinePart::Error, "_line_error_m")];
const OTHERS: [(Column, &str); 8] = [
    (Column::Usps, "usps"),
    (Column::Quality, "quality"),
    (Column::NearestM, "nearest_m"),
    (Column::BorderM, "border_m"),
    (Column::Uncertain, "uncertain"),
    (Column::UnknownLayers, "unknown_layers"),
    (Column::TribalLand, "tribal_land"),
    (Column::Error, "error"),
];

/// The columns that are added by default.
const DEFAULT: &str =
    "state,county,cousub,place,county_name,cousub_name,place_name,quality,uncertain,unknown_layers,error";

impl Column {
    /// Every column with its name, in the order of `all`.
    pub fn named() -> impl Iterator<Item = (Column, String)> {
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

    /// The name of the column in a header.
    pub fn name(self) -> String {
        let found = Column::named().find(|(column, _)| *column == self);
        found.map_or_else(String::new, |(_, name)| name)
    }

    /// The type of the column's cells.
    pub fn cell_type(self) -> CellType {
        match self {
            Column::NearestM | Column::BorderM | Column::Line(..) => CellType::Meters,
            Column::Uncertain => CellType::Truth,
            Column::Area(..)
            | Column::Usps
            | Column::Quality
            | Column::UnknownLayers
            | Column::TribalLand
            | Column::Function(..)
            | Column::Error => CellType::Text,
        }
    }

    /// The unit of the column's cells: `m` for lengths; `None` for cells without a unit.
    pub fn unit(self) -> Option<&'static str> {
        (self.cell_type() == CellType::Meters).then_some("m")
    }

    /// Whether some rows may have no value.
    pub fn is_nullable(self) -> bool {
        self != Column::Quality
    }

    /// Whether cells differ between points of one chain and ground. All other cells are texts.
    pub fn depends_on_point(self) -> bool {
        match self {
            Column::Quality
            | Column::NearestM
            | Column::BorderM
            | Column::Line(..)
            | Column::Uncertain
            | Column::TribalLand
            | Column::Error => true,
            Column::Area(..) | Column::Usps | Column::UnknownLayers | Column::Function(..) => false,
        }
    }

    /// The chosen columns, each once; the error is always the last. `columns` holds names of columns, or only `all`
    /// for every column that is not of a function. `None` stands for the default columns. `functions` adds the
    /// columns of these functions; `None` adds no columns.
    ///
    /// # Errors A name is unknown; the message lists the known names.
    pub fn chosen(columns: Option<&[&str]>, functions: Option<&[&str]>) -> Result<Vec<Column>, String> {
        let default: Vec<&str> = DEFAULT.split(',').collect();
        let mut chosen = match columns.unwrap_or(&default) {
            ["all"] => all_but_functions().map(|(column, _)| column).collect(),
            names => names.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?,
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
}

fn all_but_functions() -> impl Iterator<Item = (Column, String)> {
    Column::named().filter(|(column, _)| !matches!(column, Column::Function(..)))
}

fn column(name: &str) -> Result<Column, String> {
    let found = Column::named().find(|(_, known)| known == name.trim());
    found.map(|(column, _)| column).ok_or_else(|| {
        let names: Vec<_> = all_but_functions().map(|(_, name)| name).collect();
        format!("columns: expected all, or some of {}, got {name:?}; functions adds offices", names.join(","))
    })
}

fn wanted_functions(names: Option<&[&str]>) -> Result<Vec<Function>, String> {
    let function = |name: &&str| {
        Function::ALL.into_iter().find(|function| function.as_str() == name.trim()).ok_or_else(|| {
            let names = Function::ALL.map(Function::as_str).join(",");
            format!("functions: expected all, or some of {names}, got {name:?}")
        })
    };
    match names {
        None => Ok(Vec::new()),
        Some(["all"]) => Ok(Function::ALL.to_vec()),
        Some(names) => names.iter().map(function).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let names: Vec<String> = Column::named().map(|(_, name)| name).collect();
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
        let zoning = "county,zoning_body_id,zoning_body,zoning_office,zoning_url,zoning_phone,\
                      zoning_confidence,zoning_basis,error";
        for (columns, functions, expected) in [
            (Some("place,state"), None, Ok("place,state,error")),
            (Some("error, place,place"), None, Ok("place,error")),
            (Some("county"), Some("zoning"), Ok(zoning)),
            (None, None, Ok(DEFAULT)),
            (Some("town"), None, Err("got \"town\"")),
            (None, Some("policing"), Err("got \"policing\"")),
        ] {
            let names = |list: Option<&'static str>| list.map(|list| list.split(',').collect::<Vec<_>>());
            let chosen = Column::chosen(names(columns).as_deref(), names(functions).as_deref());
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
