//! Latitudes and longitudes out of Python objects: Arrow arrays, buffers such as those of NumPy, and sequences.

use arrow_array::Float64Array;
use platbook::columns::arrow::Coordinates;
use pyo3::{
    buffer::{Element, ElementType, PyUntypedBuffer},
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyString, PyType},
};

use crate::capsule::{chunks_of, exception};

/// Names of types whose values stand for a missing number.
const MISSING: [&str; 3] = ["NoneType", "NAType", "NaTType"];

/// Reads a column of numbers. `None` and values like it become null.
///
/// # Errors
/// `TypeError` for an object that holds something other than numbers.
pub(crate) fn coordinates(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Coordinates> {
    if let Some(chunks) = chunks_of(object)? {
        let chunks: Result<Vec<_>, _> = chunks.iter().map(|chunk| Coordinates::new(chunk, name)).collect();
        let chunks = chunks.map_err(|error| PyTypeError::new_err(exception(error).to_string()))?;
        return Ok(Coordinates::concat(chunks, name));
    }
    let degrees = match buffer(object, name)? {
        Some(degrees) => degrees,
        None => of_items(object, name)?,
    };
    Coordinates::new(&degrees, name).map_err(exception)
}

/// Reads an object with a buffer; `None` for other objects, and for buffers of objects.
fn buffer(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Float64Array>> {
    let Ok(buffer) = PyUntypedBuffer::get(object) else {
        // A series of pandas without Arrow.
        return match object.call_method0("to_numpy") {
            Ok(array) if !array.is(object) => self::buffer(&array, name),
            _ => Ok(None),
        };
    };
    if buffer.dimensions() != 1 {
        let got = buffer.dimensions();
        return Err(PyValueError::new_err(format!("{name}: expected one dimension, got {got}")));
    }
    let is_foreign = matches!(buffer.format().to_bytes(), [b'>' | b'!', ..]);
    let py = object.py();
    let floats = match ElementType::from_format(buffer.format()) {
        _ if is_foreign => None,
        ElementType::Float { bytes: 8 } => numbers::<f64>(py, &buffer)?,
        ElementType::Float { bytes: 4 } => numbers::<f32>(py, &buffer)?,
        ElementType::SignedInteger { bytes: 8 } => wide::<i64>(py, &buffer, |number| number as f64)?,
        ElementType::SignedInteger { bytes: 4 } => numbers::<i32>(py, &buffer)?,
        ElementType::SignedInteger { bytes: 2 } => numbers::<i16>(py, &buffer)?,
        ElementType::SignedInteger { bytes: 1 } => numbers::<i8>(py, &buffer)?,
        ElementType::UnsignedInteger { bytes: 8 } => wide::<u64>(py, &buffer, |number| number as f64)?,
        ElementType::UnsignedInteger { bytes: 4 } => numbers::<u32>(py, &buffer)?,
        ElementType::UnsignedInteger { bytes: 2 } => numbers::<u16>(py, &buffer)?,
        ElementType::UnsignedInteger { bytes: 1 } => numbers::<u8>(py, &buffer)?,
        _ => None,
    };
    match floats {
        Some(floats) => Ok(Some(floats.into())),
        // Half floats, foreign byte orders and the like: NumPy converts them.
        None if object.hasattr("astype")? && buffer.format().to_bytes() != b"O" => {
            self::buffer(&object.call_method1("astype", ("=f8",))?, name)
        }
        None => Ok(None),
    }
}

fn numbers<T: Element + Into<f64>>(py: Python<'_>, buffer: &PyUntypedBuffer) -> PyResult<Option<Vec<f64>>> {
    wide::<T>(py, buffer, Into::into)
}

/// Reads a buffer of numbers, also if there are gaps between them. `None` if it is not aligned.
fn wide<T: Element>(
    py: Python<'_>,
    buffer: &PyUntypedBuffer,
    degrees: impl Fn(T) -> f64,
) -> PyResult<Option<Vec<f64>>> {
    let Ok(buffer) = buffer.as_typed::<T>() else { return Ok(None) };
    Ok(Some(buffer.to_vec(py)?.into_iter().map(degrees).collect()))
}

/// Reads the items of a sequence, or of any other object that can be iterated.
fn of_items(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Float64Array> {
    let fault = |at: Option<usize>, got: &Bound<'_, PyType>| -> PyErr {
        let at = at.map_or(String::new(), |at| format!("[{at}]"));
        let got = got.name().map_or_else(|_| "another object".to_owned(), |name| name.to_string());
        let expected = if at.is_empty() { "an array or a sequence of numbers" } else { "a number or None" };
        PyTypeError::new_err(format!("{name}{at}: expected {expected}, got {got}"))
    };
    if object.is_instance_of::<PyString>() {
        return Err(fault(None, &object.get_type()));
    }
    let items = object.try_iter().map_err(|_| fault(None, &object.get_type()))?;
    let number = |(at, item): (usize, PyResult<Bound<'_, PyAny>>)| -> PyResult<Option<f64>> {
        let item = item?;
        let kind = item.get_type();
        if MISSING.iter().any(|name| kind.name().is_ok_and(|kind| kind == *name)) {
            return Ok(None);
        }
        if item.is_instance_of::<PyString>() {
            return Err(fault(Some(at), &kind));
        }
        item.extract::<f64>().map(Some).map_err(|_| fault(Some(at), &kind))
    };
    items.enumerate().map(number).collect()
}
