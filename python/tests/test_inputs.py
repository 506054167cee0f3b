"""Every way to give points gives the same rows; a bad point is a row with its error."""

import array
import decimal
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from conftest import COUNTY, LAT, LON


def strided(values):
    wide = np.zeros(2 * len(values))
    wide[::2] = values
    return wide[::2]


KINDS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "decimals": lambda values: [decimal.Decimal(str(value)) for value in values],
    "array": lambda values: array.array("d", values),
    "numpy": np.array,
    "strided": strided,
    "reversed": lambda values: np.array(values[::-1])[::-1],
    "big endian": lambda values: np.array(values, dtype=">f8"),
    "objects": lambda values: np.array(values, dtype=object),
    "read only": lambda values: np.frombuffer(np.array(values).tobytes()),
    "pandas": pd.Series,
    "pandas index": lambda values: pd.Series(values, index=[7, 7, 7]),
    "pandas arrow": lambda values: pd.Series(values, dtype="float64[pyarrow]"),
    "pandas nullable": lambda values: pd.Series(values, dtype="Float64"),
    "polars": pl.Series,
    "polars chunked": lambda values: pl.concat([pl.Series(values[:1]), pl.Series(values[1:])], rechunk=False),
    "arrow": pa.array,
    "arrow chunked": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "arrow slice": lambda values: pa.array([0.0, *values, 0.0]).slice(1, len(values)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_points_come_in_each_way(directory, kind):
    make = KINDS[kind]
    rows = directory.resolve_many(make(LAT), make(LON), columns="county")
    assert rows["county"] == COUNTY
    assert rows["error"][2] == "the point is in no covered state or territory"


@pytest.mark.parametrize("dtype", "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8".split())
def test_numbers_have_any_type(directory, dtype):
    lat = np.array([45, 38, 45], dtype=dtype)
    lon = np.array([-93, -92, -79], dtype=dtype.replace("u", "i"))
    expected = directory.resolve_many([45.0, 38.0, 45.0], [-93.0, -92.0, -79.0], columns="county,place")
    assert directory.resolve_many(lat, lon, columns="county,place").to_pydict() == expected.to_pydict()
    arrow = directory.resolve_many(pa.array(lat), pa.array(lon), columns="county,place")
    assert arrow.to_pydict() == expected.to_pydict()


BAD = [math.nan, math.inf, -math.inf, 91.0, -90.1, 1e300]


@pytest.mark.parametrize("make", [list, np.array, pl.Series, lambda values: pa.array(values, from_pandas=False)])
def test_a_bad_point_fails_no_other(directory, make):
    lat = make([44.9773, *BAD, 44.9773])
    lon = make([-93.2655] * (len(BAD) + 2))
    rows = directory.resolve_many(lat, lon, columns="county,quality", functions="recording")
    assert rows["county"] == ["27053", *[None] * len(BAD), "27053"]
    assert rows["quality"] == ["inside", *["invalid"] * len(BAD), "inside"]
    assert all(error and "lat" in error.lower() for error in rows["error"][1:-1])
    assert rows["recording_office"][1:-1] == [None] * len(BAD)


@pytest.mark.parametrize(
    "missing",
    [
        [44.9773, None],
        pd.array([44.9773, pd.NA], dtype="Float64"),
        [44.9773, pd.NA],
        pl.Series([44.9773, None]),
        pa.array([44.9773, None]),
    ],
)
def test_a_missing_number_is_said(directory, missing):
    rows = directory.resolve_many(missing, [-93.2655, -93.2655], columns="county")
    assert rows["county"] == ["27053", None]
    assert rows["error"][1] is not None


def test_no_points_are_no_rows(directory):
    for empty in [[], np.array([]), pl.Series([], dtype=pl.Float64), pa.array([], pa.float64()), pa.chunked_array([[]], pa.float64())]:
        rows = directory.resolve_many(empty, empty)
        assert len(rows) == 0
        assert pa.table(rows).num_rows == 0


def test_what_cannot_be_read_is_refused_by_name(directory):
    for lat, lon, error, words in [
        ([1.0], [1.0, 2.0], ValueError, "got 1 latitudes and 2 longitudes"),
        (["x"], [1.0], TypeError, r"lat\[0\]: expected a number or None, got str"),
        ([1.0], "1", TypeError, "lon: expected an array or a sequence of numbers, got str"),
        (1.0, [1.0], TypeError, "lat: expected an array or a sequence of numbers, got float"),
        (np.zeros((2, 2)), [1.0], ValueError, "lat: expected one dimension, got 2"),
        (pa.array(["x"]), [1.0], TypeError, "lat: expected a column of numbers, got Utf8"),
        ([1.0], np.array(["x"]), (TypeError, ValueError), "x|lon"),
    ]:
        with pytest.raises(error, match=words):
            directory.resolve_many(lat, lon)
    for options, words in [
        ({"columns": "town"}, 'columns: expected all, or some of .*got "town"'),
        ({"functions": ["policing"]}, "functions: expected all"),
        ({"encoding": "utf8"}, "encoding: expected plain or dictionary"),
        ({"threads": 0}, "threads: expected a number from 1"),
    ]:
        with pytest.raises(ValueError, match=words):
            directory.resolve_many([1.0], [1.0], **options)
