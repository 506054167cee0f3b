//! Makes small shapefiles and zips for tests.

use std::io::{Cursor, Write};

use dbase::{FieldName, TableWriterBuilder};
use shapefile::{Point, Polygon, PolygonRing};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// The parts of a small shapefile of places, by extension.
pub(crate) struct Parts {
    pub(crate) shp: Vec<u8>,
    pub(crate) shx: Vec<u8>,
    pub(crate) dbf: Vec<u8>,
    pub(crate) cpg: Option<&'static str>,
}

/// One area of a test file: GEOID, NAME, LSAD, FUNCSTAT, and the south-west corner of a small square.
pub(crate) type Area<'a> = (&'a str, &'a str, &'a str, &'a str, (f64, f64));

pub(crate) const SQUARE_DEGREES: f64 = 0.125;

pub(crate) fn square((west, south): (f64, f64)) -> Vec<(f64, f64)> {
    let (east, north) = (west + SQUARE_DEGREES, south + SQUARE_DEGREES);
    vec![(west, south), (west, north), (east, north), (east, south), (west, south)]
}

pub(crate) fn parts(areas: &[Area], geoid_width: u8) -> Parts {
    let field = |name: &str| FieldName::try_from(name).unwrap();
    let (mut shp, mut shx, mut dbf) =
        (Cursor::new(Vec::new()), Cursor::new(Vec::new()), Cursor::new(Vec::new()));
    let table = TableWriterBuilder::new()
        .add_character_field(field("GEOID"), geoid_width)
        .add_character_field(field("NAME"), 100)
        .add_character_field(field("LSAD"), 2)
        .add_character_field(field("FUNCSTAT"), 1)
        .add_numeric_field(field("ALAND"), 14, 0)
        .add_character_field(field("INTPTLAT"), 11)
        .add_character_field(field("INTPTLON"), 12)
        .build_with_dest(&mut dbf);
    let mut writer = shapefile::Writer::new(shapefile::ShapeWriter::with_shx(&mut shp, &mut shx), table);
    for (geoid, name, lsad, func_stat, corner) in areas {
        let mut row = dbase::Record::default();
        for (key, value) in [("GEOID", *geoid), ("NAME", name), ("LSAD", lsad), ("FUNCSTAT", func_stat)] {
            row.insert(key.to_owned(), dbase::FieldValue::Character(Some(value.to_owned())));
        }
        row.insert("ALAND".to_owned(), dbase::FieldValue::Numeric(Some(139_700_000.0)));
        for (key, value) in [("INTPTLAT", "+44.9632310"), ("INTPTLON", "-093.2683220")] {
            row.insert(key.to_owned(), dbase::FieldValue::Character(Some(value.to_owned())));
        }
        let points = square(*corner).into_iter().map(|(x, y)| Point::new(x, y)).collect();
        writer.write_shape_and_record(&Polygon::new(PolygonRing::Outer(points)), &row).unwrap();
    }
    drop(writer);
    Parts { shp: shp.into_inner(), shx: shx.into_inner(), dbf: dbf.into_inner(), cpg: Some("UTF-8") }
}

pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    packed(members, CompressionMethod::Deflated)
}

/// A zip file of members that are packed by this method.
pub(crate) fn packed(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(method);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

impl Parts {
    pub(crate) fn zip(&self) -> Vec<u8> {
        self.packed(CompressionMethod::Deflated)
    }

    pub(crate) fn packed(&self, method: CompressionMethod) -> Vec<u8> {
        let mut members: Vec<(&str, &[u8])> =
            vec![("t.shp", &self.shp), ("t.shx", &self.shx), ("t.dbf", &self.dbf)];
        members.extend(self.cpg.map(|cpg| ("t.cpg", cpg.as_bytes())));
        packed(&members, method)
    }
}
