"""Engines that say which outlines cover which points, each on one thread.

An answer is made of pairs: the row of a point, and the number of an outline that covers it.
"""

import importlib.metadata
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

import platbook

Array: TypeAlias = np.ndarray[Any, Any]
Pairs: TypeAlias = tuple[Array, Array]

COVERED = "select p.point, o.outline from points p join outlines o on ST_Intersects(o.geom, {})"
LAYERS = ["county", "cousub", "place"]


def version(package: str) -> str:
    return f"{package} {importlib.metadata.version(package)}"


def columns(table: Any) -> Pairs:
    return table["point"].to_numpy(), table["outline"].to_numpy()


class Engine:
    """`build` and `load` prepare; `answer` is what is timed; `pairs` reads the answer."""

    name: str
    share = 1.0  # part of the points, for engines that would take minutes otherwise

    def __init__(self) -> None:
        self.version = ""

    def build(self, wkb: list[bytes]) -> None:
        raise NotImplementedError

    def load(self, lat: Array, lon: Array) -> None:
        self.lat, self.lon = lat, lon

    def answer(self) -> Any:
        raise NotImplementedError

    def pairs(self, answer: Any) -> Pairs:
        return columns(answer)

    def one(self, lat: float, lon: float) -> Any:
        """The outlines around a single point."""
        raise NotImplementedError

    def close(self) -> None:
        pass


class Platbook(Engine):
    name = "platbook"

    def __init__(self, path: str | None, ids: list[str]) -> None:
        self.path, self.numbers = path, {id: number for number, id in enumerate(ids)}
        self.version = f"platbook {platbook.__version__}"

    def build(self, wkb: list[bytes]) -> None:
        self.directory = platbook.open(self.path) if self.path else platbook.open()
        self.one(39.0, -95.0)

    def answer(self) -> Any:
        return self.directory.resolve_many(
            self.lat, self.lon, columns="state,county,cousub,place", threads=1
        )

    def pairs(self, answer: Any) -> Pairs:
        found = [
            (row, self.numbers[f"{layer}:{code}"])
            for layer in LAYERS for row, code in enumerate(answer[layer]) if code is not None
        ]
        rows, outlines = zip(*found)
        return np.array(rows), np.array(outlines)

    def one(self, lat: float, lon: float) -> Any:
        return self.directory.resolve(lat, lon, columns="state,county,cousub,place")


class Shapely(Engine):
    name = "shapely: STRtree, prepared polygons"

    def __init__(self) -> None:
        import shapely

        self.shapely, self.version = shapely, f"{version('shapely')}, GEOS {shapely.geos_version_string}"

    def build(self, wkb: list[bytes]) -> None:
        self.shapes = self.shapely.from_wkb(wkb)
        self.shapely.prepare(self.shapes)
        self.tree = self.shapely.STRtree(self.shapes)
        self.tree.query(self.shapely.Point(0, 0))

    def answer(self) -> Any:
        rows, outlines = self.tree.query(self.shapely.points(self.lon, self.lat))
        covered = self.shapely.intersects_xy(self.shapes[outlines], self.lon[rows], self.lat[rows])
        return rows[covered], outlines[covered]

    def pairs(self, answer: Any) -> Pairs:
        rows, outlines = answer
        return rows, outlines

    def one(self, lat: float, lon: float) -> Any:
        outlines = self.tree.query(self.shapely.Point(lon, lat))
        return outlines[self.shapely.intersects_xy(self.shapes[outlines], lon, lat)]


class GeoPandas(Engine):
    name = "GeoPandas: sjoin"

    def __init__(self) -> None:
        import geopandas

        self.geopandas, self.version = geopandas, version("geopandas")

    def build(self, wkb: list[bytes]) -> None:
        self.outlines = self.geopandas.GeoDataFrame(geometry=self.geopandas.GeoSeries.from_wkb(wkb, crs=4326))

    def answer(self) -> Any:
        # "within" prepares the outlines and indexes the points; "intersects" prepares no outline.
        points = self.geopandas.points_from_xy(self.lon, self.lat, crs=4326)
        return self.geopandas.GeoDataFrame(geometry=points).sjoin(self.outlines, predicate="within")

    def pairs(self, answer: Any) -> Pairs:
        return answer.index.to_numpy(), answer["index_right"].to_numpy()


class PolarsSt(Engine):
    name = "polars-st: sjoin"

    def __init__(self) -> None:
        import polars
        import polars_st

        self.polars, self.st = polars, polars_st
        self.version = f"{version('polars-st')}, {version('polars')}"

    def build(self, wkb: list[bytes]) -> None:
        outlines = self.polars.DataFrame({"outline": np.arange(len(wkb)), "wkb": wkb})
        self.outlines: Any = outlines.select("outline", geometry=self.st.from_wkb("wkb"))

    def load(self, lat: Array, lon: Array) -> None:
        self.frame = self.polars.DataFrame({"point": np.arange(len(lat)), "lat": lat, "lon": lon})

    def answer(self) -> Any:
        points = self.frame.select("point", geometry=self.st.point(self.polars.concat_arr("lon", "lat")))
        # This way around it prepares the outlines, not the points: twice as fast as "within".
        return self.outlines.st.sjoin(points, on="geometry", predicate="contains").select("point", "outline")


class DuckDb(Engine):
    name = "DuckDB spatial"

    def __init__(self) -> None:
        import duckdb
        import duckdb_extension_spatial

        extension = next(pathlib.Path(duckdb_extension_spatial.__file__).parent.rglob("spatial.duckdb_extension"))
        self.connection = duckdb.connect()
        self.connection.execute(f"load '{extension}'; set threads = 1")
        self.version = version("duckdb")

    def build(self, wkb: list[bytes]) -> None:
        raw = pa.table({"outline": np.arange(len(wkb)), "wkb": wkb})
        self.connection.register("raw", raw)
        self.connection.execute("create table outlines as select outline, ST_GeomFromWKB(wkb) as geom from raw")
        self.connection.execute("create index by_space on outlines using rtree (geom)")

    def load(self, lat: Array, lon: Array) -> None:
        self.connection.register("columns", pa.table({"point": np.arange(len(lat)), "lat": lat, "lon": lon}))
        self.connection.execute("create or replace table points as from columns")

    def answer(self) -> Any:
        return self.connection.execute(COVERED.format("ST_Point(p.lon, p.lat)")).to_arrow_table()

    def one(self, lat: float, lon: float) -> Any:
        asked = "select outline from outlines where ST_Intersects(geom, ST_Point($1, $2))"
        return self.connection.execute(asked, [lon, lat]).fetchall()


class SedonaDb(Engine):
    name = "SedonaDB"

    def __init__(self) -> None:
        import sedonadb

        self.context, self.version = sedonadb.connect(), version("sedonadb")
        self.context.sql("set datafusion.execution.target_partitions = 1").execute()

    def build(self, wkb: list[bytes]) -> None:
        raw = pa.table({"outline": np.arange(len(wkb)), "wkb": pa.array(wkb, pa.binary())})
        self.context.create_data_frame(raw).to_view("raw", overwrite=True)
        outlines = self.context.sql("select outline, ST_GeomFromWKB(wkb) as geom from raw")
        outlines.to_memtable().to_view("outlines", overwrite=True)

    def load(self, lat: Array, lon: Array) -> None:
        points = pa.table({"point": np.arange(len(lat)), "lat": lat, "lon": lon})
        self.context.create_data_frame(points).to_view("points", overwrite=True)

    def answer(self) -> Any:
        return self.context.sql(COVERED.format("ST_Point(p.lon, p.lat)")).to_arrow_table()


class SpatiaLite(Engine):
    name = "SpatiaLite"
    share = 0.02

    def __init__(self) -> None:
        import apsw

        self.connection = apsw.Connection(":memory:")
        self.connection.enable_load_extension(True)
        self.connection.load_extension("mod_spatialite")
        self.version = f"SpatiaLite {self.rows('select spatialite_version()')[0][0]}"

    def rows(self, query: str, values: Any = ()) -> list[Any]:
        return list(self.connection.execute(query, values))

    def build(self, wkb: list[bytes]) -> None:
        self.rows("select InitSpatialMetaData(1)")
        self.rows("create table outlines (outline integer primary key)")
        self.rows("select AddGeometryColumn('outlines', 'geom', 4326, 'MULTIPOLYGON', 'XY')")
        with self.connection:
            self.connection.executemany("insert into outlines values (?, ST_GeomFromWKB(?, 4326))", enumerate(wkb))
        self.rows("select CreateSpatialIndex('outlines', 'geom')")

    def load(self, lat: Array, lon: Array) -> None:
        self.rows("drop table if exists points")
        self.rows("create table points (point integer primary key, lat real, lon real)")
        with self.connection:
            self.connection.executemany(
                "insert into points values (?, ?, ?)", zip(range(len(lat)), lat.tolist(), lon.tolist())
            )

    def answer(self) -> Any:
        return self.rows(
            "select p.point, o.outline from points p cross join idx_outlines_geom i"
            " on i.xmin <= p.lon and i.xmax >= p.lon and i.ymin <= p.lat and i.ymax >= p.lat"
            " cross join outlines o on o.outline = i.pkid and ST_Intersects(o.geom, MakePoint(p.lon, p.lat, 4326)) = 1"
        )

    def pairs(self, answer: Any) -> Pairs:
        rows, outlines = np.array(answer).T
        return rows, outlines


class PostGis(Engine):
    name = "PostGIS"
    share = 0.1

    def __init__(self) -> None:
        import psycopg

        programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), default=None)
        if programs is None:
            raise FileNotFoundError("no programs in /usr/lib/postgresql")
        self.folder, self.programs = tempfile.mkdtemp(prefix="peers-"), programs
        try:
            shutil.chown(self.folder, "postgres")  # it refuses to run as root
            self.run("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8")
            settings = f"-k {self.folder} -c listen_addresses= -c shared_buffers=1GB -c max_parallel_workers_per_gather=0"
            self.run("pg_ctl", "--wait", f"--options={settings}", f"--log={self.folder}/log", "start")
            self.connection = psycopg.connect(host=self.folder, user="postgres", autocommit=True)
            self.connection.execute("create extension postgis")
            found = self.connection.execute("select postgis_lib_version(), current_setting('server_version')").fetchone()
        except Exception:
            self.close()
            raise
        self.version = "PostGIS {}, PostgreSQL {}".format(*(found or ("?", "?")))

    def run(self, program: str, *words: str) -> None:
        command = ["runuser", "-u", "postgres", "--", str(self.programs / program), f"--pgdata={self.folder}/data"]
        subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def fill(self, table: str, rows: Any) -> None:
        with self.connection.cursor().copy(f"copy {table} from stdin") as copy:
            for row in rows:
                copy.write_row(row)

    def build(self, wkb: list[bytes]) -> None:
        self.connection.execute("create table outlines (outline int, geom geometry)")
        self.fill("outlines", ((number, shape.hex()) for number, shape in enumerate(wkb)))
        self.connection.execute("create index on outlines using gist (geom)")
        self.connection.execute("vacuum analyze outlines")

    def load(self, lat: Array, lon: Array) -> None:
        self.connection.execute("drop table if exists points, answer")
        self.connection.execute("create table points (point int, lat float8, lon float8)")
        self.fill("points", zip(range(len(lat)), lat.tolist(), lon.tolist()))
        self.connection.execute("vacuum analyze points")

    def answer(self) -> Any:
        self.connection.execute("drop table if exists answer")
        self.connection.execute(f"create temp table answer as {COVERED.format('ST_Point(p.lon, p.lat)')}")

    def pairs(self, answer: Any) -> Pairs:
        rows, outlines = np.array(self.connection.execute("select point, outline from answer").fetchall()).T
        return rows, outlines

    def one(self, lat: float, lon: float) -> Any:
        asked = "select outline from outlines where ST_Intersects(geom, ST_Point(%s, %s))"
        return self.connection.execute(asked, [lon, lat], prepare=True).fetchall()

    def close(self) -> None:
        if pathlib.Path(self.folder, "data/postmaster.pid").exists():
            self.run("pg_ctl", "--mode=immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


PEERS: list[type[Engine]] = [Shapely, GeoPandas, PolarsSt, DuckDb, SedonaDb, SpatiaLite, PostGis]
