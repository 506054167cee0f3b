"""Other programs give the same bytes for the same points: the command line, data frames, databases and clusters."""

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.json
import pyarrow.parquet as pq
import pytest

from conftest import SNAPSHOT
from samples import ALL, as_bytes, examples, hard_points

POINTS = {
    "float64": hard_points(),
    "float32": hard_points("float32", 1_000),
    "int32": hard_points("int32", 1_000),
    "empty": hard_points().slice(0, 0),
}


@pytest.fixture(scope="session")
def expected(directory):
    """The rows of the library for each kind of points."""
    rows = {
        kind: with_ids(points, directory.resolve_many(points["lat"], points["lon"], **ALL))
        for kind, points in POINTS.items()
    }
    found = set(rows["float64"]["quality"].to_pylist())
    assert found > {"inside", "outside", "invalid", "water"}, "the points are of every kind"
    return rows


def with_ids(points, rows):
    table = pa.table(rows)
    return table.append_column("id", points["id"])


def check_same(got, expected, ignored=()):
    names = [name for name in expected.column_names if name not in ignored]
    assert as_bytes(got, names) == as_bytes(expected, names)


def of_lists(directory, points):
    lat, lon = points["lat"].to_pylist(), points["lon"].to_pylist()
    return with_ids(points, directory.resolve_many(lat, lon, **ALL))


def of_chunks(directory, points):
    """Columns whose chunks differ in their lengths."""

    def chunks(name, rows):
        column = points[name]
        parts = [column.slice(at, rows).combine_chunks() for at in range(0, len(column), rows)]
        return pa.chunked_array(parts, column.type)

    return with_ids(points, directory.resolve_many(chunks("lat", 7), chunks("lon", 300), threads=8, **ALL))


def of_batches(directory, points):
    return pa.table(directory.resolve_batches(points.to_reader(max_chunksize=300), **ALL))


def of_dictionaries(directory, points):
    return pa.table(directory.resolve_batches(points, encoding="dictionary", **ALL))


def frame_of(directory, frame):
    import pandas as pd

    found = pd.DataFrame.from_arrow(directory.resolve_many(frame["lat"], frame["lon"], **ALL))
    return pd.concat([frame[["id"]].reset_index(drop=True), found], axis="columns")


def of_pandas(directory, points):
    import pandas as pd

    frame = points.to_pandas(types_mapper=pd.ArrowDtype)
    return pa.Table.from_pandas(frame_of(directory, frame), preserve_index=False)


def of_dask(directory, points):
    """Processes of Dask, which get the directory as a pickle."""
    import dask.dataframe
    import pandas as pd

    frame = points.to_pandas(types_mapper=pd.ArrowDtype)
    parts = dask.dataframe.from_pandas(frame, npartitions=3)
    found = parts.map_partitions(lambda part: frame_of(directory, part), meta=frame_of(directory, frame.head(0)))
    return pa.Table.from_pandas(found.compute(scheduler="processes"), preserve_index=False)


def of_polars(directory, points):
    import polars as pl

    def governments(points):
        rows = directory.resolve_many(points.struct["lat"], points.struct["lon"], **ALL)
        return pl.DataFrame(rows).to_struct("found")

    schema = pl.DataFrame(directory.resolve_many([], [], **ALL)).schema
    added = pl.struct("lat", "lon").map_batches(governments, return_dtype=pl.Struct(schema))
    return pl.from_arrow(points).lazy().select("id", added.alias("found")).unnest("found").collect().to_arrow()


def function_of(directory):
    """A function of two arrays that returns one of structures, and the type of these."""
    kind = pa.struct(pa.schema(directory.resolve_many([], [], **ALL)))

    def governments(lat, lon):
        return pa.table(directory.resolve_many(lat, lon, **ALL)).to_struct_array().combine_chunks().cast(kind)

    return governments, kind


def of_duckdb(directory, points):
    import duckdb

    resolved = pa.RecordBatchReader.from_stream(directory.resolve_batches(points, **ALL))
    return duckdb.connect().sql("select * exclude (lat, lon) from resolved").to_arrow_table()


def of_duckdb_function(directory, points):
    import duckdb

    governments, kind = function_of(directory)
    types = {"string": "VARCHAR", "double": "DOUBLE", "bool": "BOOLEAN"}
    result = duckdb.struct_type({field.name: types[str(field.type)] for field in kind})
    connection = duckdb.connect()
    # Without "special", a null would give a null and not its reason.
    connection.create_function(
        "governments", governments, ["DOUBLE", "DOUBLE"], result, type="arrow", null_handling="special"
    )
    return connection.sql("select id, unnest(governments(lat, lon)) from points").to_arrow_table()


def of_datafusion(directory, points):
    import datafusion

    context = datafusion.SessionContext()
    context.from_arrow(directory.resolve_batches(points, **ALL), name="resolved")
    return context.sql("select * from resolved").to_arrow_table()


def of_datafusion_function(directory, points):
    import datafusion

    context = datafusion.SessionContext()
    context.from_arrow(points, name="points")
    governments, kind = function_of(directory)
    context.register_udf(datafusion.udf(governments, [pa.float64(), pa.float64()], kind, "stable", name="governments"))
    found = context.sql("select id, governments(cast(lat as double), cast(lon as double)) as found from points")
    return pa.Table.from_batches(found.collect(), found.schema()).flatten().rename_columns(["id", *kind.names])


# Each engine, with the package that it needs besides Arrow.
ENGINES = {
    "lists": (None, of_lists),
    "chunks": (None, of_chunks),
    "batches": (None, of_batches),
    "dictionaries": (None, of_dictionaries),
    "pandas": ("pandas", of_pandas),
    "dask": ("dask", of_dask),
    "polars": ("polars", of_polars),
    "duckdb": ("duckdb", of_duckdb),
    "duckdb function": ("duckdb", of_duckdb_function),
    "datafusion": ("datafusion", of_datafusion),
    "datafusion function": ("datafusion", of_datafusion_function),
}


@pytest.mark.parametrize("kind", POINTS)
@pytest.mark.parametrize("engine", ENGINES)
def test_each_package_gives_the_same_bytes(directory, expected, engine, kind):
    package, resolve = ENGINES[engine]
    if package is not None:
        pytest.importorskip(package)
    check_same(resolve(directory, POINTS[kind]), expected[kind])


def write_text(points, path):
    """Writes points as CSV or as JSON lines, which has no word for numbers that are not finite."""
    if path.suffix == ".csv":
        csv.write_csv(points, path)
        return
    rows = [
        {name: number if number is not None and math.isfinite(number) else None for name, number in row.items()}
        for row in points.to_pylist()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def read(path, schema):
    """Reads what the command line has written, with the types of this schema."""
    match path.suffix:
        case ".parquet":
            return pq.read_table(path)
        case ".arrow":
            return pa.ipc.open_file(path).read_all()
        case ".csv":
            options = csv.ConvertOptions(column_types=schema, strings_can_be_null=True)
            return csv.read_csv(path, convert_options=options)
        case _:
            return pyarrow.json.read_json(path, parse_options=pyarrow.json.ParseOptions(explicit_schema=schema))


BINARY = os.environ.get("PLATBOOK_BINARY")


@pytest.mark.skipif(not BINARY, reason="PLATBOOK_BINARY names no program of `make dist`")
@pytest.mark.parametrize("kind", POINTS)
@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "jsonl"])
def test_the_command_line_gives_the_same_bytes(expected, tmp_path, ending, kind):
    is_text = ending in ("csv", "jsonl")
    if is_text and kind == "float32":
        pytest.skip("a text has the digits of a number and not its type")
    if ending == "jsonl" and kind == "empty":
        pytest.skip("JSON lines without a row have no columns")
    source, target = tmp_path / f"points.{ending}", tmp_path / f"resolved.{ending}"
    if is_text:
        write_text(POINTS[kind], source)
    elif ending == "parquet":
        pq.write_table(POINTS[kind], source, row_group_size=500)
    else:
        with pa.ipc.new_file(source, POINTS[kind].schema) as writer:
            writer.write_table(POINTS[kind], max_chunksize=500)
    command = [BINARY, "resolve", "--snapshot", SNAPSHOT, "--in", source, "--out", target, "--threads", "8"]
    done = subprocess.run([*command, "--columns", "all", "--functions", "all"], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    # A text field that is not a number has a reason of its own.
    check_same(read(target, expected[kind].schema), expected[kind], ["error"] if is_text else [])


def need(engine):
    """Skips an engine that is not installed."""
    version = pytest.importorskip("pyspark", reason="pip install pyspark").__version__
    if engine.startswith("sail-"):
        pytest.importorskip("pysail", reason="pip install pysail")
        if tuple(int(part) for part in version.split(".")[:2]) > (4, 2):
            pytest.skip(f"pysail accepts pyspark up to 4.2, got {version}")
    elif shutil.which("java") is None:
        pytest.skip("Spark needs Java")


def run_on(engine, program, folder):
    """Runs a program with a session of an engine, in a process and a folder of its own."""
    path = folder / "program.py"
    path.write_text(program)
    command = [sys.executable, Path(__file__).with_name("cluster.py"), engine, path]
    variables = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-5_000:]


@pytest.mark.cluster
@pytest.mark.timeout(400)
@pytest.mark.parametrize("engine", ["local[2]", "local-cluster[2,1,1024]", "sail-local", "sail-local-cluster"])
def test_each_cluster_gives_the_same_bytes(expected, engine, tmp_path):
    need(engine)
    [example] = examples(for_cluster=True)
    program = ""
    for kind, points in POINTS.items():
        (tmp_path / kind).mkdir()
        # Several groups of rows in several files, so that there are several tasks.
        for at in (0, len(points) // 2):
            part = points.slice(at, len(points) // 2)
            pq.write_table(part, tmp_path / kind / f"{at}.parquet", row_group_size=500)
        text = example.replace('"/data/us.platbook"', repr(os.fspath(SNAPSHOT)))
        program += text.replace('"points"', repr(kind)).replace('"resolved"', repr(f"resolved-{kind}"))
    run_on(engine, program, tmp_path)
    for kind in POINTS:
        target = tmp_path / f"resolved-{kind}"
        # Without rows, Spark writes a file without rows, and Sail writes no file.
        if kind != "empty" or target.exists():
            check_same(pq.read_table(target), expected[kind])


KILLED_ONCE = """
import os
from platbook.spark import resolve

def kill(batches):
    for number, batch in enumerate(batches):
        if number == 3 and not os.path.exists(MARK):
            open(MARK, "w").close()
            os.kill(os.getpid(), 9)
        yield batch

points = spark.read.parquet("points")
killed = points.mapInArrow(kill, points.schema)
resolve(killed, path=SNAPSHOT, columns="all", functions="all").write.parquet("resolved")
"""


@pytest.mark.cluster
@pytest.mark.timeout(400)
def test_a_killed_worker_loses_and_repeats_no_row(expected, tmp_path):
    need("local-cluster[2,1,1024]")
    (tmp_path / "points").mkdir()
    pq.write_table(POINTS["float64"], tmp_path / "points" / "points.parquet")
    mark = tmp_path / "killed"
    program = KILLED_ONCE.replace("MARK", repr(os.fspath(mark))).replace("SNAPSHOT", repr(os.fspath(SNAPSHOT)))
    run_on("local-cluster[2,1,1024]", program, tmp_path)
    assert mark.exists(), "a worker was killed"
    check_same(pq.read_table(tmp_path / "resolved"), expected["float64"])
