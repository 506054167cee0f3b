//! The directory as Python sees it.

use std::{path::PathBuf, sync::Arc, thread};

use arrow_array::{
    RecordBatch, RecordBatchReader, StringArray, UInt32Array, builder::Float64Builder,
    ffi_stream::RecordBatchStreamReader,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use platbook::{
    answers::Answers,
    columns::{
        Cell, Column, Location, PointCells, Table,
        arrow::{Appender, Encoding, Points, batches_of, schema},
    },
    directory::{Directory, Row},
    geometry::{LonLat, polygons},
    vocabulary::{JurisdictionId, JurisdictionType, StateCode},
};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
    types::{PyDict, PyList},
};

use crate::{
    capsule::{self, exception},
    input::coordinates,
    rows::{Rows, Stream},
};

/// Minimum number of points for which the tables are made that speed up distances to lines. Chosen, not measured.
const WARM_POINTS: usize = 100_000;
/// Maximum number of results of a search, as over HTTP.
const SEARCH_MAX: usize = 50;

/// Names of columns or functions: a list, or a text with commas between them.
#[derive(FromPyObject)]
pub(crate) enum Names {
    Text(String),
    List(Vec<String>),
}

impl Names {
    fn all() -> Names {
        Names::Text("all".to_owned())
    }

    fn each(self) -> Vec<String> {
        match self {
            Names::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
            Names::List(names) => names,
        }
    }
}

/// A directory over one snapshot file. Threads share it; pickled, it is a path and the id of the snapshot.
#[pyclass(frozen, name = "Directory", module = "platbook")]
pub(crate) struct PyDirectory {
    answers: Arc<Answers>,
    path: PathBuf,
}

#[pymethods]
impl PyDirectory {
    /// Opens a snapshot file and verifies all of it.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<PyDirectory> {
        let opened = py.detach(|| platbook::open(&path));
        let directory = opened.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(PyDirectory { answers: Arc::new(Answers::new(directory)), path })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf, String))> {
        let reopen = py.import("platbook")?.getattr("_reopen")?;
        Ok((reopen, (self.path.clone(), self.snapshot_id().to_owned())))
    }

    fn __repr__(&self) -> String {
        format!("<platbook.Directory {} as of {}>", self.path.display(), self.as_of())
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The digest of the snapshot.
    #[getter]
    fn snapshot_id(&self) -> &str {
        self.directory().snapshot_id()
    }

    /// The date of the snapshot.
    #[getter]
    fn as_of(&self) -> &str {
        self.directory().as_of()
    }

    #[pyo3(signature = (lat, lon, *, columns=None, functions=None))]
    fn resolve<'py>(
        &self,
        py: Python<'py>,
        lat: f64,
        lon: f64,
        columns: Option<Names>,
        functions: Option<Names>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let table = match (columns, functions) {
            (None, None) => self.table(Some(Names::all()), Some(Names::all()))?,
            (columns, functions) => self.table(columns, functions)?,
        };
        row(py, &table, Location::of_degrees((lat, lon)))
    }

    #[pyo3(signature = (lat, lon, *, columns=None, functions=None, encoding="plain", threads=None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn resolve_many<'py>(
        &self,
        py: Python<'py>,
        lat: &Bound<'_, PyAny>,
        lon: &Bound<'_, PyAny>,
        columns: Option<Names>,
        functions: Option<Names>,
        encoding: &str,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, Rows>> {
        let (table, encoding) = (self.table(columns, functions)?, encoding_of(encoding)?);
        let (lat, lon) = (coordinates(lat, "lat")?, coordinates(lon, "lon")?);
        if lat.len() != lon.len() {
            let (lats, lons) = (lat.len(), lon.len());
            return Err(PyValueError::new_err(format!(
                "expected as many longitudes as latitudes, got {lats} latitudes and {lons} longitudes"
            )));
        }
        let points = Points::LatLon(lat, lon);
        let threads = threads_of(threads)?;
        let batches = py.detach(|| {
            if points.len() >= WARM_POINTS {
                table.directory().warm();
            }
            batches_of(&table, &points, encoding, threads)
        });
        Rows::new(py, Arc::new(schema(&table, encoding)), batches.map_err(exception)?)
    }

    #[pyo3(signature = (stream, *, lat="lat", lon="lon", geometry=None, columns=None, functions=None,
                        encoding="plain"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn resolve_batches<'py>(
        &self,
        stream: &Bound<'py, PyAny>,
        lat: &str,
        lon: &str,
        geometry: Option<String>,
        columns: Option<Names>,
        functions: Option<Names>,
        encoding: &str,
    ) -> PyResult<Bound<'py, Stream>> {
        let (table, encoding) = (self.table(columns, functions)?, encoding_of(encoding)?);
        let names = geometry.map_or_else(|| vec![lat.to_owned(), lon.to_owned()], |column| vec![column]);
        let input = capsule::batches_of(stream)?;
        let appender = Appender::new(&input.schema(), &table, encoding, &names).map_err(exception)?;
        Stream::new(stream.py(), Box::new(Appended { input, appender }))
    }

    #[pyo3(signature = (text, *, state=None, limit=10))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        state: Option<&str>,
        limit: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let state = state.map(state_of).transpose()?;
        let found = self.directory().search(text, state, limit.clamp(1, SEARCH_MAX));
        let places = found.places.iter().map(|place| self.describe(py, place.row));
        PyList::new(py, places.collect::<PyResult<Vec<_>>>()?)
    }

    fn place<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(place) = self.found(id)? else { return Ok(None) };
        let description = self.describe(py, place)?;
        let table = self.table(Some(Names::all()), Some(Names::all()))?;
        description.set_item("resolved", row(py, &table, Location::Jurisdiction(place))?)?;
        Ok(Some(description))
    }

    fn jurisdictions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Rows>> {
        let batch = jurisdictions(self.directory()).map_err(exception)?;
        Rows::new(py, batch.schema(), vec![batch])
    }

    fn boundary<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(row) = self.found(id)? else { return Ok(None) };
        let shapes = py.detach(|| polygons(self.directory().rings(row)));
        if shapes.is_empty() {
            return Ok(None);
        }
        let place = |point: &LonLat| (point.lon_degrees(), point.lat_degrees());
        let ring = |ring: &Vec<LonLat>| ring.iter().map(place).collect::<Vec<_>>();
        let shapes: Vec<Vec<Vec<(f64, f64)>>> =
            shapes.iter().map(|rings| rings.iter().map(ring).collect()).collect();
        let geometry = PyDict::new(py);
        geometry.set_item("type", "MultiPolygon")?;
        geometry.set_item("coordinates", shapes)?;
        Ok(Some(geometry))
    }
}

impl PyDirectory {
    fn directory(&self) -> &Directory {
        self.answers.directory()
    }

    fn table(&self, columns: Option<Names>, functions: Option<Names>) -> PyResult<Arc<Table>> {
        let [columns, functions] = [columns, functions].map(|names| names.map(Names::each));
        let chosen = Column::chosen(texts(&columns).as_deref(), texts(&functions).as_deref());
        Ok(Arc::new(Table::new(self.answers.clone(), chosen.map_err(PyValueError::new_err)?)))
    }

    fn found(&self, id: &str) -> PyResult<Option<Row>> {
        let id: JurisdictionId = id.parse().map_err(|error| PyValueError::new_err(format!("id: {error}")))?;
        Ok(self.directory().found(&id))
    }

    /// The fields of a jurisdiction.
    fn describe<'py>(&self, py: Python<'py>, row: Row) -> PyResult<Bound<'py, PyDict>> {
        let view = self.directory().jurisdiction(row);
        let fields = PyDict::new(py);
        fields.set_item("id", view.id.to_string())?;
        fields.set_item("name", view.name)?;
        fields.set_item("legal_type", view.legal_type)?;
        fields.set_item("state", view.state.map(StateCode::usps))?;
        fields.set_item("population", Some(view.population).filter(|people| *people > 0))?;
        fields.set_item("lat", view.point.map(|point| point.lat_degrees()))?;
        fields.set_item("lon", view.point.map(|point| point.lon_degrees()))?;
        Ok(fields)
    }
}

fn texts(names: &Option<Vec<String>>) -> Option<Vec<&str>> {
    names.as_ref().map(|names| names.iter().map(String::as_str).collect())
}

fn encoding_of(text: &str) -> PyResult<Encoding> {
    match text {
        "plain" => Ok(Encoding::Plain),
        "dictionary" => Ok(Encoding::Dictionary),
        _ => Err(PyValueError::new_err(format!("encoding: expected plain or dictionary, got {text:?}"))),
    }
}

fn state_of(text: &str) -> PyResult<StateCode> {
    text.parse().map_err(|error| PyValueError::new_err(format!("state: {error}")))
}

fn threads_of(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(0) => Err(PyValueError::new_err("threads: expected a number from 1, got 0")),
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// One row as a dictionary of its cells.
fn row<'py>(py: Python<'py>, table: &Arc<Table>, location: Location) -> PyResult<Bound<'py, PyDict>> {
    let mut texts: Vec<Option<String>> = vec![None; table.columns().len()];
    let mut resolver = table.resolver();
    let outcomes = resolver.resolve([location].into_iter(), |cells| {
        texts = cells.columns().iter().map(|column| cells.text(*column).map(String::from)).collect();
    });
    let cells = PointCells::new(table.directory(), &outcomes[0]);
    let dict = PyDict::new(py);
    for (column, text) in table.columns().iter().zip(texts) {
        let name = column.name();
        match (text, cells.cell(*column)) {
            (Some(text), _) => dict.set_item(name, text)?,
            (None, Cell::Null) => dict.set_item(name, py.None())?,
            (None, Cell::Text(text)) => dict.set_item(name, text)?,
            (None, Cell::Meters(meters)) => dict.set_item(name, meters)?,
            (None, Cell::Truth(truth)) => dict.set_item(name, truth)?,
        }
    }
    Ok(dict)
}

/// All jurisdictions, a row for each.
fn jurisdictions(directory: &Directory) -> Result<RecordBatch, ArrowError> {
    let views: Vec<_> = directory.rows().map(|row| directory.jurisdiction(row)).collect();
    let layer = |kind: JurisdictionType| match kind {
        JurisdictionType::Layer(layer) => Some(layer.prefix()),
        _ => None,
    };
    let mut lat = Float64Builder::with_capacity(views.len());
    let mut lon = Float64Builder::with_capacity(views.len());
    for view in &views {
        lat.append_option(view.point.map(|point| point.lat_degrees()));
        lon.append_option(view.point.map(|point| point.lon_degrees()));
    }
    let columns: Vec<(&str, arrow_array::ArrayRef)> = vec![
        ("id", Arc::new(StringArray::from_iter_values(views.iter().map(|view| view.id.to_string())))),
        ("name", Arc::new(StringArray::from_iter_values(views.iter().map(|view| view.name)))),
        ("legal_type", Arc::new(views.iter().map(|view| view.legal_type).collect::<StringArray>())),
        ("layer", Arc::new(views.iter().map(|view| layer(view.kind)).collect::<StringArray>())),
        (
            "state",
            Arc::new(views.iter().map(|view| view.state.map(StateCode::usps)).collect::<StringArray>()),
        ),
        (
            "population",
            Arc::new(
                views
                    .iter()
                    .map(|view| Some(view.population).filter(|people| *people > 0))
                    .collect::<UInt32Array>(),
            ),
        ),
        ("lat", Arc::new(lat.finish())),
        ("lon", Arc::new(lon.finish())),
    ];
    let is_nullable = |name: &str| !matches!(name, "id" | "name");
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, array)| Field::new(*name, DataType::clone(array.data_type()), is_nullable(name)))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.into_iter().map(|(_, array)| array).collect())
}

/// A stream of batches that gets the table's columns.
struct Appended {
    input: RecordBatchStreamReader,
    appender: Appender,
}

impl Iterator for Appended {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.input.next()?.and_then(|batch| self.appender.append(&batch)))
    }
}

impl RecordBatchReader for Appended {
    fn schema(&self) -> SchemaRef {
        self.appender.schema()
    }
}
