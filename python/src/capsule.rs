//! Arrow data from and to other packages, through the PyCapsule interface.
#![expect(unsafe_code, reason = "a capsule holds a C structure of another package behind a pointer")]

use arrow_array::{
    ArrayRef, RecordBatchReader,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi},
    ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream, RecordBatchStreamReader},
    make_array,
};
use arrow_schema::{ArrowError, Schema};
use pyo3::{
    exceptions::{PyImportError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyTuple},
};

/// An error of Arrow as an exception.
pub(crate) fn exception(error: ArrowError) -> PyErr {
    match error {
        ArrowError::InvalidArgumentError(what) | ArrowError::SchemaError(what) => PyValueError::new_err(what),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Returns a capsule with a stream of batches.
pub(crate) fn of_stream(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// Returns a capsule with a schema.
pub(crate) fn of_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(exception)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Calls a method that returns capsules. `None` if the object has no such method, or the method needs a
/// package that is not installed.
fn capsules<'py>(object: &Bound<'py, PyAny>, method: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !object.hasattr(method)? {
        return Ok(None);
    }
    match object.call_method0(method) {
        Err(error) if error.is_instance_of::<PyImportError>(object.py()) => Ok(None),
        other => other.map(Some),
    }
}

fn stream(object: &Bound<'_, PyAny>) -> PyResult<Option<FFI_ArrowArrayStream>> {
    let Some(capsule) = capsules(object, "__arrow_c_stream__")? else { return Ok(None) };
    let capsule = capsule.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a valid stream. It is moved out, and the one in the capsule is marked as released.
    Ok(Some(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) }))
}

/// Returns the batches of a table or of a reader.
///
/// # Errors
/// `TypeError` for an object without batches.
pub(crate) fn batches_of(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let Some(stream) = stream(object)? else {
        let got = object.get_type().name()?;
        let what = format!("expected a table or a reader of batches, with __arrow_c_stream__, got {got}");
        return Err(PyTypeError::new_err(what));
    };
    RecordBatchStreamReader::try_new(stream).map_err(exception)
}

/// Returns the chunks of an array or of a series; `None` for an object that is not of Arrow.
pub(crate) fn chunks_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if let Some(stream) = stream(object)? {
        let reader = ArrayStreamReader::try_new(stream).map_err(exception)?;
        return reader.collect::<Result<_, _>>().map(Some).map_err(exception);
    }
    let Some(both) = capsules(object, "__arrow_c_array__")? else { return Ok(None) };
    let both = both.cast_into::<PyTuple>()?;
    let pointer = |at, name| both.get_item(at)?.cast_into::<PyCapsule>()?.pointer_checked(Some(name));
    let (schema, array) = (pointer(0, c"arrow_schema")?, pointer(1, c"arrow_array")?);
    // SAFETY: capsules of these names hold a valid schema and its array. Both are moved out, and those in the capsules are
    // marked as released.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr().cast());
        from_ffi(FFI_ArrowArray::from_raw(array.as_ptr().cast()), &schema)
    };
    data.map(|data| Some(vec![make_array(data)])).map_err(exception)
}
