"""The same function on engines with the interface of Spark, each with the same rows as the library."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import SNAPSHOT
from test_outputs import points

ENGINES = os.environ.get("PLATBOOK_ENGINES", "").split()
CHOSEN = {"columns": "county,place,quality,border_m,uncertain", "functions": "recording"}

pytestmark = pytest.mark.skipif(not ENGINES, reason="PLATBOOK_ENGINES names none, such as spark://127.0.0.1:7077 or sail")


@pytest.fixture(params=ENGINES)
def session(request):
    from pyspark.sql import SparkSession

    if request.param == "sail":
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer()
        server.start(background=True)
        _, port = server.listening_address
        session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        yield session
        session.stop()
        server.stop()
    else:
        session = SparkSession.builder.master(request.param).config("spark.ui.enabled", "false").getOrCreate()
        yield session
        session.stop()


def test_an_engine_gives_the_rows_of_the_library(directory, session, tmp_path):
    from platbook.spark import resolve

    count = int(os.environ.get("PLATBOOK_ENGINE_ROWS", "200000"))
    lat, lon = points(count)
    lat[::1_000] = float("nan")
    table = pa.table({"id": range(count), "lat": lat, "lon": lon})
    source, target = tmp_path / "points.parquet", tmp_path / "resolved"
    pq.write_table(table, source, row_group_size=20_000)
    resolve(session.read.parquet(os.fspath(source)), path=SNAPSHOT, **CHOSEN).write.parquet(os.fspath(target))
    got = pq.read_table(target).sort_by("id")
    expected = pa.table(directory.resolve_many(lat, lon, **CHOSEN))
    assert got.num_rows == count
    assert got["id"].to_pylist() == list(range(count))
    for name in expected.column_names:
        assert got[name].combine_chunks().equals(expected[name].combine_chunks()), name
