//! Columns as Python sees them: batches that other packages read without a copy.

use std::sync::Mutex;

use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader,
    cast::AsArray as _,
    types::{Float64Type, Int32Type, UInt32Type},
};
use arrow_schema::{DataType, SchemaRef};
use pyo3::{
    exceptions::{PyKeyError, PyRuntimeError},
    prelude::*,
    types::{PyCapsule, PyDict, PyList},
};

use crate::capsule;

/// The columns of [`Rows`] or of a [`Stream`], without their values.
#[pyclass(frozen, subclass, module = "platbook")]
pub(crate) struct Columns {
    schema: SchemaRef,
}

#[pymethods]
impl Columns {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The names of the columns, each with the type of its values: string, double, bool or uint32.
    #[getter]
    fn column_types(&self) -> Vec<(String, &'static str)> {
        let fields = self.schema.fields().iter();
        fields.map(|field| (field.name().clone(), type_name(field.data_type()))).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.schema)
    }
}

/// Columns of rows, in batches. `pyarrow.table(rows)`, `polars.DataFrame(rows)` and similar calls read it without
/// conversion.
#[pyclass(frozen, extends = Columns, module = "platbook")]
pub(crate) struct Rows {
    batches: Vec<RecordBatch>,
}

impl Rows {
    pub(crate) fn new(
        py: Python<'_>,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> PyResult<Bound<'_, Rows>> {
        Bound::new(py, (Rows { batches }, Columns { schema }))
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(this: &Bound<'_, Self>) -> String {
        let names = this.as_super().get().column_names().join(", ");
        format!("<platbook.Rows: {} rows of {names}>", this.get().__len__())
    }

    /// The values of a column, as a list.
    fn __getitem__<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let at = this.as_super().get().schema.index_of(name);
        let at = at.map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        let values = PyList::empty(this.py());
        for batch in &this.get().batches {
            (0..batch.num_rows())
                .try_for_each(|row| values.append(value(this.py(), batch.column(at), row)?))?;
        }
        Ok(values)
    }

    /// All columns, as lists by name.
    fn to_pydict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(this.py());
        for name in this.as_super().get().column_names() {
            columns.set_item(&name, Self::__getitem__(this, &name)?)?;
        }
        Ok(columns)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        this: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a stream to ignore a requested schema and keep its own.
        drop(requested_schema);
        let batches = this.get().batches.clone().into_iter().map(Ok);
        let schema = this.as_super().get().schema.clone();
        capsule::of_stream(this.py(), Box::new(RecordBatchIterator::new(batches, schema)))
    }
}

fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Float64 => "double",
        DataType::Boolean => "bool",
        DataType::UInt32 => "uint32",
        _ => "string",
    }
}

/// The value of a cell.
pub(crate) fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::Dictionary(..) => {
            let array = array.as_dictionary::<Int32Type>();
            let text = array.values().as_string::<i32>().value(array.keys().value(row) as usize);
            text.into_pyobject(py)?.into_any()
        }
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        other => return Err(PyRuntimeError::new_err(format!("a column has the type {other}"))),
    })
}

/// A stream of batches with their added columns. It can be read once.
#[pyclass(frozen, extends = Columns, module = "platbook")]
pub(crate) struct Stream {
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl Stream {
    pub(crate) fn new(
        py: Python<'_>,
        reader: Box<dyn RecordBatchReader + Send>,
    ) -> PyResult<Bound<'_, Stream>> {
        let schema = reader.schema();
        Bound::new(py, (Stream { reader: Mutex::new(Some(reader)) }, Columns { schema }))
    }
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let reader = self.reader.lock().ok().and_then(|mut reader| reader.take());
        let reader = reader.ok_or_else(|| PyRuntimeError::new_err("this stream has been read"))?;
        capsule::of_stream(py, reader)
    }
}
