"""What comes out: the same cells in each package, on any number of threads, in each process."""

import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import platbook
from conftest import COUNTY, LAT, LON, SNAPSHOT
from samples import ALL, hard_points, scattered

OFFICES = {"columns": "county,place_name,quality,border_m,uncertain", "functions": "all"}

# Rows of a batch, which one thread makes.
BATCH_ROWS = 65_536


@pytest.mark.parametrize("encoding", ["plain", "dictionary"])
def test_each_package_reads_the_rows(directory, encoding):
    rows = directory.resolve_many(LAT, LON, encoding=encoding, **OFFICES)
    expected = rows.to_pydict()
    assert expected["county"] == COUNTY
    assert expected["recording_office"][0] == "County Recorder and Registrar of Titles"
    found = pa.table(rows)
    assert found.to_pydict() == expected
    assert found.schema.metadata[b"platbook.snapshot_id"].decode() == directory.snapshot_id
    assert found.schema.field("border_m").metadata == {b"unit": b"m"}
    assert not found.schema.field("quality").nullable
    found.validate(full=True)
    assert pl.DataFrame(rows).to_dict(as_series=False) == expected
    assert pd.DataFrame.from_arrow(rows)["county"].tolist()[:2] == COUNTY[:2]
    assert duckdb.sql("select county from found order by county nulls last").fetchall() == [(county,) for county in COUNTY]


def test_batches_of_a_stream_keep_their_columns(directory):
    table = pa.table({"id": [1, 2, 3], "lat": LAT, "lon": LON, "county": ["a", "b", "c"]})
    for source in [table, table.to_reader(max_chunksize=1), pl.from_arrow(table)]:
        stream = directory.resolve_batches(source, columns="county")
        got = pa.table(stream)
        assert got.column_names == ["id", "lat", "lon", "county", "platbook_county", "error"]
        assert got["id"].to_pylist() == [1, 2, 3]
        assert got["platbook_county"].to_pylist() == COUNTY
        with pytest.raises(RuntimeError, match="has been read"):
            pa.table(stream)
    wkb = [b"\x01\x01\x00\x00\x00" + np.array([lon, lat]).tobytes() for lat, lon in zip(LAT, LON)]
    got = pa.table(directory.resolve_batches(pa.table({"geometry": wkb}), geometry="geometry", columns="county"))
    assert got["county"].to_pylist() == COUNTY
    with pytest.raises(ValueError, match="expected a column lat, got id"):
        directory.resolve_batches(pa.table({"id": [1]}))
    with pytest.raises(TypeError, match="__arrow_c_stream__, got list"):
        directory.resolve_batches([1])


def test_threads_change_nothing(directory):
    lat, lon = scattered(8 * BATCH_ROWS + 1)
    one = pa.table(directory.resolve_many(lat, lon, columns="county,quality", threads=1))
    assert one["county"].num_chunks == 9
    for threads in [2, 8, None]:
        assert pa.table(directory.resolve_many(lat, lon, columns="county,quality", threads=threads)).equals(one)


def test_threads_share_a_directory(directory):
    points = hard_points()
    resolve = lambda _: pa.table(directory.resolve_many(points["lat"], points["lon"], **ALL))  # noqa: E731
    with ThreadPoolExecutor(8) as threads:
        for rows in threads.map(resolve, range(8), timeout=60):
            assert rows.equals(resolve(0))


def test_other_threads_run_meanwhile(directory):
    lat, lon = scattered(2_000_000)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    start = time.monotonic()
    directory.resolve_many(lat, lon, columns="county", threads=1)
    took = time.monotonic() - start
    stop.set()
    ticker.join()
    during = [tick for tick in ticks if start < tick < start + took]
    assert len(during) > 5, f"{len(during)} ticks in {took} s"


def county_of(directory):
    return directory.resolve_many(LAT, LON, columns="county")["county"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_share_a_directory(directory, method):
    county_of(directory)
    with multiprocessing.get_context(method).Pool(2) as pool:
        # Without a limit, a worker that dies would let the test wait for ever.
        assert pool.map_async(county_of, [directory] * 4).get(60) == [COUNTY] * 4


def test_a_fork_in_the_midst_of_an_open_waits_for_nobody(directory):
    with platbook._lock, multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(county_of, [directory]).get(60) == COUNTY


PRIVATE = """
import sys
import platbook

def private():
    [line] = [line for line in open("/proc/self/status") if line.startswith("RssAnon:")]
    return int(line.split()[1])

before = private()
directory = platbook.open(sys.argv[1])
assert directory.resolve_many([44.9773], [-93.2655], columns="county")["county"] == ["27053"]
print(private() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says which memory a file backs")
def test_a_process_has_no_copy_of_the_file():
    done = subprocess.run([sys.executable, "-c", PRIVATE, SNAPSHOT], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 5_000, "kilobytes beside the map, which is 60 MB"


def test_a_pickle_is_a_path_and_an_id(directory, tmp_path):
    pickled = pickle.dumps(directory)
    assert len(pickled) < 500
    assert pickle.loads(pickled) is platbook.open(SNAPSHOT)
    with pytest.raises(ValueError, match="expected the snapshot 0123"):
        platbook._reopen(os.fspath(SNAPSHOT), "0123")


def test_a_file_may_be_replaced_while_it_is_open(tmp_path):
    path = tmp_path / "a.platbook"
    shutil.copy(SNAPSHOT, path)
    old = platbook.open(path)
    shutil.copy(SNAPSHOT, tmp_path / "new")
    os.replace(tmp_path / "new", path)
    new = platbook.open(path)
    assert old is not new
    assert county_of(old) == county_of(new) == COUNTY
    (tmp_path / "bad").write_bytes(b"no snapshot")
    os.replace(tmp_path / "bad", path)
    with pytest.raises(OSError, match="expected a snapshot of 32 bytes, got 11"):
        platbook.open(path)
    assert county_of(old) == COUNTY
    with pytest.raises(OSError, match="none"):
        platbook.open(tmp_path / "none")


def test_one_point_place_search_and_outline(directory):
    row = directory.resolve(LAT[0], LON[0])
    assert (row["county"], row["place_name"], row["quality"], row["error"]) == ("27053", "Minneapolis", "inside", None)
    assert row["assessment_body"] == "Minneapolis"
    row = directory.resolve(float("nan"), 0.0, columns=["county"])
    assert row["county"] is None and "lat" in row["error"]
    assert set(row) == {"county", "error"}  # offices are only looked up if they are asked for
    place = directory.place("county:27053")
    assert (place["name"], place["state"], place["resolved"]["quality"]) == ("Hennepin County", "MN", "exact")
    assert place["resolved"]["recording_office"] == "County Recorder and Registrar of Titles"
    assert directory.place("county:99999") is None
    with pytest.raises(ValueError, match="id:"):
        directory.place("x")
    assert directory.search("Minneapolis", state="MN", limit=1)[0]["id"] == "place:2743000"
    outline = directory.boundary("county:27053")
    assert outline["type"] == "MultiPolygon"
    ring = outline["coordinates"][0][0]
    assert ring[0] == ring[-1] and all(-94 < lon < -93 and 44 < lat < 46 for lon, lat in ring)
    assert directory.boundary("country:us") is None


def test_all_jurisdictions_are_a_table(directory):
    table = pa.table(directory.jurisdictions())
    assert table.num_rows > 38_000
    counties = pl.DataFrame(directory.jurisdictions()).filter(pl.col("layer") == "county")
    assert 3_140 < counties.height < 3_250
    assert counties.filter(pl.col("id") == "county:27053")["name"].item() == "Hennepin County"
