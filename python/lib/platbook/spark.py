"""Columns for data frames of Spark and of engines with its interface, such as Sail."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import platbook

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def resolve(
    df: DataFrame,
    *,
    lat: str = "lat",
    lon: str = "lon",
    columns: str | Sequence[str] | None = None,
    functions: str | Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> DataFrame:
    """Add columns of governments and offices to a data frame.

    It is one ``mapInArrow``. Each Python worker maps the snapshot at ``path``, so workers of a machine share its memory. The
    file must be at this path on each machine; by default it is that of ``platbook-data``.
    """
    from pyspark.sql.types import BooleanType, DoubleType, StringType, StructField, StructType

    directory = platbook.open(path)
    snapshot_id, as_given = directory.snapshot_id, None if path is None else os.fspath(path)
    added = directory.resolve_many([], [], columns=columns, functions=functions)
    types: dict[str, Any] = {"string": StringType(), "double": DoubleType(), "bool": BooleanType()}
    taken = {field.name.lower() for field in df.schema.fields}
    fields = [
        StructField(f"platbook_{name}" if name.lower() in taken else name, types[kind], True)
        for name, kind in added.column_types
    ]
    schema = StructType(list(df.schema.fields) + fields)

    def of_batches(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        opened = platbook.open(as_given)
        if opened.snapshot_id != snapshot_id:
            raise ValueError(f"expected the snapshot {snapshot_id} on each machine, got {opened.snapshot_id}")
        first = next(batches, None)
        if first is not None:
            # One stream for all batches of the task, so that texts are made once.
            reader = pyarrow.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))
            stream = opened.resolve_batches(reader, lat=lat, lon=lon, columns=columns, functions=functions)
            yield from pyarrow.RecordBatchReader.from_stream(stream)

    return df.mapInArrow(of_batches, schema)
