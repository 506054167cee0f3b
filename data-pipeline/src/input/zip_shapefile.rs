//! Reads TIGER/Line and cartographic boundary shapefiles from their zips.

use std::io::{Cursor, Read, Seek};

use dbase::{FieldError, FieldIterator, FieldValue, ReadableRecord, encoding::DynEncoding};
use platbook::{geometry::LonLat, vocabulary::Layer};
use shapefile::{Shape, ShapeReader};

use super::{
    ReadError, Record,
    attributes::{Attributes, Place},
    zipped::Archive,
};

pub(super) fn read(file: &str, archive: &mut Archive, layer: Layer) -> Result<Vec<Record>, ReadError> {
    let shapes = shapes(file, archive)?.into_iter().enumerate();
    shapes.map(|(at, (row, rings))| row.record(Place { file, record: at + 1 }, layer, rings)).collect()
}

/// The attributes and rings of one record.
type RawShape = (Attributes, Vec<Vec<LonLat>>);

/// The attributes and rings of each record, in the order of the file.
pub(super) fn shapes(file: &str, archive: &mut Archive) -> Result<Vec<RawShape>, ReadError> {
    let rows = rows(file, archive)?;
    let shp = archive.part("shp")?;
    let whole = declared_length(&shp);
    let damaged = |record, source| ReadError::Shape { file: file.to_owned(), record, source };
    if whole.is_some_and(|whole| whole > shp.len()) {
        // The reader would notice a cut within the last record, but not a cut between two records.
        return Err(damaged(0, std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()));
    }
    let mut reader = ShapeReader::new(Cursor::new(shp.as_slice())).map_err(|source| damaged(0, source))?;
    let mut found = Vec::with_capacity(rows.len());
    for (at, shape) in reader.iter_shapes().enumerate() {
        let shape = shape.map_err(|source| damaged(at + 1, source))?;
        found.push(rings(Place { file, record: at + 1 }, shape)?);
    }
    if found.len() != rows.len() {
        return Err(ReadError::Count { file: file.to_owned(), shapes: found.len(), rows: rows.len() });
    }
    Ok(rows.into_iter().zip(found).collect())
}

/// Length of the .shp part in bytes; its header declares it in 16-bit words. `None` if the header is cut off.
pub(super) fn declared_length(shp: &[u8]) -> Option<usize> {
    let words = shp.get(24..28)?.try_into().ok().map(u32::from_be_bytes)?;
    Some(words as usize * 2)
}

fn rings(at: Place, shape: Shape) -> Result<Vec<Vec<LonLat>>, ReadError> {
    let Shape::Polygon(polygon) = shape else {
        return Err(at.no_area(&format!("a shape of type {}", shape.shapetype())));
    };
    let ring = |points: &[shapefile::Point]| points.iter().map(|point| at.lonlat(point.x, point.y)).collect();
    polygon.rings().iter().map(|part| ring(part.points())).collect()
}

fn rows(file: &str, archive: &mut Archive) -> Result<Vec<Attributes>, ReadError> {
    let dbf = archive.part("dbf")?;
    let cpg = match archive.find("cpg") {
        Some(name) => Some(archive.member(&name)?),
        None => None,
    };
    let encoding = encoding(file, cpg.as_deref(), &dbf)?;
    let damaged = |record, source| ReadError::Dbf { file: file.to_owned(), record, source };
    let reader = dbase::ReaderBuilder::new().with_encoding(encoding).build(Cursor::new(dbf.as_slice()));
    let mut reader = reader.map_err(|source| damaged(0, source))?;
    let rows = reader.iter_records_as::<Attributes>().enumerate();
    rows.map(|(at, row)| row.map_err(|source| damaged(at + 1, source))).collect()
}

/// The encoding that the .cpg part names. Without that part, older Census files are ISO-8859-1, newer or
/// repackaged ones UTF-8. Bytes that are valid UTF-8 throughout are then read as UTF-8.
pub(super) fn encoding(file: &str, cpg: Option<&[u8]>, dbf: &[u8]) -> Result<DynEncoding, ReadError> {
    let Some(cpg) = cpg else {
        let header =
            dbf.get(8..10).map_or(0, |length| usize::from(u16::from_le_bytes([length[0], length[1]])));
        let utf8 = std::str::from_utf8(dbf.get(header..).unwrap_or_default()).is_ok();
        return Ok(if utf8 { dbase::Unicode.into() } else { latin1() });
    };
    let name = String::from_utf8_lossy(cpg).trim().to_owned();
    match name.to_ascii_uppercase().as_str() {
        "UTF-8" | "UTF8" | "65001" => Ok(dbase::Unicode.into()),
        "ISO-8859-1" | "ISO8859-1" | "ISO88591" | "8859-1" | "88591" | "LATIN1" | "1252" | "CP1252"
        | "ANSI 1252" => Ok(latin1()),
        _ => DynEncoding::from_name(&name)
            .ok_or_else(|| ReadError::Encoding { file: file.to_owned(), got: name }),
    }
}

/// Windows-1252 has every letter of ISO-8859-1 at the same code.
fn latin1() -> DynEncoding {
    dbase::encoding::EncodingRs::from(encoding_rs::WINDOWS_1252).into()
}

impl ReadableRecord for Attributes {
    fn read_using<S: Read + Seek, M: Read + Seek>(
        fields: &mut FieldIterator<S, M>,
    ) -> Result<Attributes, FieldError> {
        let mut attributes = Attributes::default();
        for field in fields.by_ref() {
            let field = field?;
            let Some(index) = Attributes::index(field.name) else { continue };
            match field.value {
                FieldValue::Character(Some(text)) => attributes.set(index, &text),
                // Whole numbers have up to 15 digits: exact in an f64, and printed without a fraction.
                FieldValue::Numeric(Some(number)) => attributes.set(index, &number.to_string()),
                _ => {}
            }
        }
        Ok(attributes)
    }
}
