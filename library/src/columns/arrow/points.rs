//! Reads points from Arrow arrays: two columns of numbers, or one column of points as WKB.

use std::ops::Range;

use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, Float16Array, Float32Array, Float64Array, Int8Array,
    Int16Array, Int32Array, Int64Array, LargeBinaryArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::{ArrowError, DataType};

use crate::columns::Location;

/// Length of a point in WKB, in bytes: byte order, type and two numbers.
const WKB_POINT_BYTES: usize = 21;
/// The type of a point in WKB.
const WKB_POINT: u32 = 1;
/// The EWKB flag for a reference system, whose number stands in four bytes before the coordinates.
const EWKB_SRID: u32 = 0x2000_0000;
/// The two EWKB flags for a point with a height or a measure.
const EWKB_MORE: u32 = 0xC000_0000;

/// A column of degrees.
#[derive(Clone, Debug)]
pub struct Coordinates {
    degrees: Float64Array,
    name: &'static str,
}

/// The points of rows.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one value for each batch")]
pub enum Points {
    /// Latitudes and longitudes, in degrees.
    LatLon(Coordinates, Coordinates),
    /// Points as WKB, with longitudes first.
    Wkb(ArrayRef),
}

impl Coordinates {
    /// Reads a column of any type of number. Error messages name the column as `name`, such as `lat` or `lon`.
    ///
    /// # Errors The column holds something other than numbers.
    pub fn new(array: &dyn Array, name: &'static str) -> Result<Coordinates, ArrowError> {
        macro_rules! numbers {
            ($($data_type:pat => $array:ty,)*) => {
                match array.data_type() {
                    $($data_type => {
                        let array = array.as_any().downcast_ref::<$array>();
                        array.map(|array| array.iter().map(|value| value.map(number)).collect())
                    })*
                    _ => None,
                }
            };
        }
        let degrees: Option<Float64Array> = numbers! {
            DataType::Float64 => Float64Array,
            DataType::Float32 => Float32Array,
            DataType::Float16 => Float16Array,
            DataType::Int8 => Int8Array,
            DataType::Int16 => Int16Array,
            DataType::Int32 => Int32Array,
            DataType::Int64 => Int64Array,
            DataType::UInt8 => UInt8Array,
            DataType::UInt16 => UInt16Array,
            DataType::UInt32 => UInt32Array,
            DataType::UInt64 => UInt64Array,
        };
        match degrees {
            Some(degrees) => Ok(Coordinates { degrees, name }),
            None if array.data_type() == &DataType::Null => {
                Ok(Coordinates { degrees: Float64Array::new_null(array.len()), name })
            }
            None => {
                let what = format!("{name}: expected a column of numbers, got {}", array.data_type());
                Err(ArrowError::InvalidArgumentError(what))
            }
        }
    }

    /// Joins the chunks of a column.
    pub fn concat(chunks: Vec<Coordinates>, name: &'static str) -> Coordinates {
        if let [one] = &chunks[..] {
            return one.clone();
        }
        Coordinates { degrees: chunks.iter().flat_map(|chunk| chunk.degrees.iter()).collect(), name }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.degrees.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.degrees.is_empty()
    }

    fn get(&self, row: usize) -> Result<f64, String> {
        if self.degrees.is_valid(row) {
            Ok(self.degrees.value(row))
        } else {
            Err(format!("{} is null", self.name))
        }
    }
}

impl Points {
    /// Reads points of WKB, as columns of GeoParquet hold them.
    ///
    /// # Errors
    /// If the column holds no binary values.
    pub fn of_wkb(array: &ArrayRef) -> Result<Points, ArrowError> {
        match array.data_type() {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Ok(Points::Wkb(array.clone())),
            other => {
                let what = format!("geometry: expected a column of WKB, which is binary, got {other}");
                Err(ArrowError::InvalidArgumentError(what))
            }
        }
    }

    /// The number of rows; for latitude and longitude, that of the shorter column.
    pub fn len(&self) -> usize {
        match self {
            Points::LatLon(lat, lon) => lat.len().min(lon.len()),
            Points::Wkb(array) => array.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The location of a row.
    pub fn location(&self, row: usize) -> Location {
        let degrees = match self {
            Points::LatLon(lat, lon) => lat.get(row).and_then(|lat| Ok((lat, lon.get(row)?))),
            Points::Wkb(array) => wkb_at(array, row).and_then(degrees_of_wkb),
        };
        degrees.map_or_else(|reason| Location::Invalid(reason.into()), Location::of_degrees)
    }

    /// The locations of these rows, in their order.
    pub fn locations(&self, rows: Range<usize>) -> impl Iterator<Item = Location> {
        rows.map(|row| self.location(row))
    }
}

/// Converts numbers of all types to degrees. Only integers beyond 2^53 lose precision, and no coordinate is that
/// large.
fn number(value: impl Degrees) -> f64 {
    value.degrees()
}

trait Degrees {
    fn degrees(self) -> f64;
}

macro_rules! degrees {
    ($($number:ty => $convert:expr,)*) => {
        $(impl Degrees for $number {
            fn degrees(self) -> f64 {
                $convert(self)
            }
        })*
    };
}

degrees! {
    f64 => std::convert::identity,
    f32 => f64::from,
    half::f16 => f64::from,
    i8 => f64::from,
    i16 => f64::from,
    i32 => f64::from,
    i64 => |value| value as f64,
    u8 => f64::from,
    u16 => f64::from,
    u32 => f64::from,
    u64 => |value| value as f64,
}

fn wkb_at(array: &ArrayRef, row: usize) -> Result<&[u8], String> {
    if array.is_null(row) {
        return Err("the geometry is null".to_owned());
    }
    let any = array.as_any();
    let bytes = any.downcast_ref::<BinaryArray>().map(|array| array.value(row));
    let bytes = bytes.or_else(|| any.downcast_ref::<LargeBinaryArray>().map(|array| array.value(row)));
    let bytes = bytes.or_else(|| any.downcast_ref::<BinaryViewArray>().map(|array| array.value(row)));
    bytes.ok_or_else(|| "the geometry is not binary".to_owned())
}

/// Returns latitude and longitude of a point in WKB or EWKB, with or without further numbers.
fn degrees_of_wkb(wkb: &[u8]) -> Result<(f64, f64), String> {
    let short = || format!("expected a point of {WKB_POINT_BYTES} bytes of WKB or more, got {}", wkb.len());
    let (order, rest) = wkb.split_first().ok_or_else(short)?;
    let is_little = *order == 1;
    let (kind, mut rest) = rest.split_first_chunk().ok_or_else(short)?;
    let kind = if is_little { u32::from_le_bytes(*kind) } else { u32::from_be_bytes(*kind) };
    if kind & EWKB_SRID != 0 {
        rest = rest.get(4..).ok_or_else(short)?;
    }
    // ISO WKB adds 1000 to the type for a height, 2000 for a measure, and 3000 for both.
    if (kind & !(EWKB_SRID | EWKB_MORE)) % 1000 != WKB_POINT {
        return Err(format!("expected a point, got a geometry of WKB type {kind}"));
    }
    let mut next = || {
        let (number, more) = rest.split_first_chunk().ok_or_else(short)?;
        rest = more;
        Ok::<f64, String>(if is_little { f64::from_le_bytes(*number) } else { f64::from_be_bytes(*number) })
    };
    let lon = next()?;
    Ok((next()?, lon))
}
