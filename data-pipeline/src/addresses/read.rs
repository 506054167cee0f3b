//! Reads edges with address ranges from TIGER/Line files.

use platbook::{geocoder::HouseNumber, geometry::LonLat};

use crate::input::{ReadError, shapes};

/// An edge with house numbers on one or both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct TigerEdge {
    /// FULLNAME: the name of the street; `None` for a street without one.
    pub name: Option<String>,
    /// FIPS code of the file's county, 5 digits.
    pub county: u16,
    /// Vertices; left and right are as seen by someone who walks along them in order.
    pub line: Vec<LonLat>,
    /// Range on the left side; `None` without numbers.
    pub left: Option<Side>,
    /// Range on the right side; `None` without numbers.
    pub right: Option<Side>,
}

/// The house numbers of one side of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// House number at the first vertex, as published.
    pub from: String,
    /// House number at the last vertex, as published.
    pub to: String,
    /// ZIP code; `None` if the record has none of five digits.
    pub zip: Option<u32>,
}

impl Side {
    /// The common beginning of both numbers, and the last digits of each; `None` if the numbers differ in more than
    /// their last digits.
    pub(super) fn numbers(&self) -> Option<(String, u32, u32)> {
        let (from, to) = (HouseNumber::read(&self.from)?, HouseNumber::read(&self.to)?);
        (from.prefix == to.prefix).then_some((from.prefix, from.number, to.number))
    }
}

/// Reads the edges with numbers of an `addrfeat` or `edges` file.
///
/// # Errors
/// When the file cannot be read, has no address ranges, or does not name its county.
pub fn edges(file: &str, bytes: &[u8]) -> Result<Vec<TigerEdge>, ReadError> {
    let of_file = county_of_file(file);
    let mut found = Vec::new();
    for (at, shape) in shapes::read(file, bytes, "")?.into_iter().enumerate() {
        let [left, right] =
            [["lfrom", "lto", "zipl"], ["rfrom", "rto", "zipr"]].map(|names| side(&shape, names));
        let county = match (shape.get("statefp"), shape.get("countyfp")) {
            (Some(state), Some(county)) => format!("{state}{county}").parse().ok(),
            _ => of_file,
        };
        let Some(county) = county else {
            return Err(ReadError::Field {
                file: file.to_owned(),
                record: at + 1,
                field: "COUNTYFP",
                expected: "a county, or a file named like tl_2021_30059_addrfeat.zip".to_owned(),
                got: "neither".to_owned(),
            });
        };
        let name = shape.get("fullname").map(str::to_owned);
        let line = shape.parts.into_iter().next().filter(|line| shape.is_line && line.len() >= 2);
        if let Some(line) = line.filter(|_| left.is_some() || right.is_some()) {
            found.push(TigerEdge { name, county, line, left, right });
        }
    }
    Ok(found)
}

/// The county's FIPS code in a file name such as `tl_2021_30059_addrfeat.zip`; `None` without one.
fn county_of_file(file: &str) -> Option<u16> {
    let name = file.rsplit('/').next()?;
    name.split(['_', '.'])
        .find(|part| part.len() == 5 && part.bytes().all(|byte| byte.is_ascii_digit()))?
        .parse()
        .ok()
}

/// Reads a side; its fields end in `hn` in `addrfeat` files and in `add` in `edges` files.
fn side(shape: &shapes::RawShape, [from, to, zip]: [&str; 3]) -> Option<Side> {
    let number = |field: &str| shape.get(&format!("{field}hn")).or_else(|| shape.get(&format!("{field}add")));
    Some(Side {
        from: number(from)?.to_owned(),
        to: number(to)?.to_owned(),
        zip: shape.get(zip).filter(|zip| zip.len() == 5).and_then(|zip| zip.parse().ok()),
    })
}
