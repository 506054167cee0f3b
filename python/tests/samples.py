"""Points that are hard on an engine, tables as bytes that can be compared, and the examples of the documentation."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv

from conftest import ROOT

ALL = {"columns": "all", "functions": "all"}

# The middles of Minneapolis, Chicago, Atlanta, New York, Los Angeles, Boston and San Juan.
CITIES = np.array(
    [(44.98, -93.27), (41.88, -87.63), (33.75, -84.39), (40.71, -74.0), (34.05, -118.24), (42.36, -71.06), (18.4, -66.06)]
)
# Values that are not coordinates on the globe. Nulls are added to them.
BAD = [float("nan"), float("inf"), float("-inf"), 91.0, -1e30]


def scattered(count, seed=7):
    """Latitudes and longitudes over the mainland and around it."""
    rng = np.random.default_rng(seed)
    return rng.uniform(25, 49, count), rng.uniform(-124, -68, count)


def hard_points(dtype="float64", count=4_000, seed=7):
    """A table of ``id``, ``lat`` and ``lon``: half of the points lie near cities, and some of the rows are invalid."""
    rng = np.random.default_rng(seed)
    points = np.column_stack(scattered(count, seed))
    near = rng.random(count) < 0.5
    points[near] = CITIES[rng.integers(0, len(CITIES), near.sum())] + rng.normal(0, 0.2, (near.sum(), 2))
    bad = rng.choice(count, count // 40, replace=False)
    values = [91.0, -1e9] if dtype.startswith("int") else BAD
    points[bad, rng.integers(0, 2, len(bad))] = np.resize(values, len(bad))
    lat, lon = (pa.array(column.astype(dtype), mask=rng.random(count) < 0.01) for column in points.T)
    return pa.table({"id": np.arange(count), "lat": lat, "lon": lon})


def as_bytes(table, names):
    """The columns of these names in the order of ``id``, as CSV. A null is empty there, and an empty text has quotes."""
    table = table.sort_by("id")
    sink = pa.BufferOutputStream()
    csv.write_csv(pa.table({name: plain(table[name]) for name in names}), sink)
    return sink.getvalue().to_pybytes()


def plain(column):
    """A column with plain strings, however an engine stores its texts."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    is_text = pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return column.cast(pa.string()) if is_text else column


def examples(for_cluster):
    """The examples of docs/python.md: those that run on one machine, or those that get a session as ``spark``."""
    page = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return [block for block in blocks if ("spark." in block) == for_cluster]
