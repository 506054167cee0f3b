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

/// Columns of rows, in batches. `pyarrow.table(rows)`, `polars.DataFrame(rows)` and their like read it as it is.
#[pyclass(frozen, module = "platbook")]
pub(crate) struct Rows {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<platbook.Rows: {} rows of {}>", self.__len__(), self.column_names().join(", "))
    }

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

    /// The values of a column, as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let at = self.schema.index_of(name).map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        let values = PyList::empty(py);
        for batch in &self.batches {
            (0..batch.num_rows()).try_for_each(|row| values.append(value(py, batch.column(at), row)?))?;
        }
        Ok(values)
    }

    /// All columns, as lists by name.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.column_names() {
            columns.set_item(&name, self.__getitem__(py, &name)?)?;
        }
        Ok(columns)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to answer with the own schema where another is requested.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        capsule::of_stream(py, Box::new(RecordBatchIterator::new(batches, self.schema.clone())))
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
#[pyclass(frozen, module = "platbook")]
pub(crate) struct Stream {
    schema: SchemaRef,
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl Stream {
    pub(crate) fn new(reader: Box<dyn RecordBatchReader + Send>) -> Stream {
        Stream { schema: reader.schema(), reader: Mutex::new(Some(reader)) }
    }
}

#[pymethods]
impl Stream {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.schema)
    }

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
