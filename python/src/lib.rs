//! The Python package: a directory over one file, and columns for arrays of points.
//!
//! Arrays come in and go out through the Arrow PyCapsule interface or as buffers, so no other package is needed. Points are
//! copied into memory of this library first; then the interpreter runs other threads until the columns are done.

mod capsule;
mod directory;
mod input;
mod rows;

use std::{fs, io, path::PathBuf};

use pyo3::{exceptions::PyOSError, prelude::*};

/// Unpacks the snapshot of the data package to a path, whole or not at all.
#[pyfunction]
fn unpack(py: Python<'_>, packed: PathBuf, path: PathBuf) -> PyResult<()> {
    let unpacked = py.detach(|| -> io::Result<()> {
        let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        zstd::stream::copy_decode(io::BufReader::new(fs::File::open(&packed)?), &mut file)?;
        file.persist(&path)?;
        Ok(())
    });
    unpacked.map_err(|error| PyOSError::new_err(format!("cannot unpack {}: {error}", packed.display())))
}

#[pymodule]
fn _platbook(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<directory::PyDirectory>()?;
    module.add_class::<rows::Columns>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<rows::Stream>()?;
    module.add_function(wrap_pyfunction!(unpack, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
