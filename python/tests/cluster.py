"""Runs a program with a session of an engine as ``spark``: python cluster.py ENGINE PROGRAM.

ENGINE is a mode of Sail, such as ``sail-local-cluster``, or a master of Spark, such as ``local[2]``. A process has one session, so
each engine gets a process of its own.
"""

import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession


def session_of_sail(mode):
    from pysail.spark import SparkConnectServer

    os.environ["SAIL_MODE"] = mode
    server = SparkConnectServer()
    server.start(background=True)
    _, port = server.listening_address
    return SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate(), server.stop


def session_of_spark(master):
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    # Loopback alone, and several batches for each task.
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "300").getOrCreate()
    return session, lambda: None


def main(engine, program):
    is_sail = engine.startswith("sail-")
    session, stop = session_of_sail(engine.removeprefix("sail-")) if is_sail else session_of_spark(engine)
    try:
        exec(compile(Path(program).read_text(), program, "exec"), {"spark": session})
    finally:
        session.stop()
        stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
