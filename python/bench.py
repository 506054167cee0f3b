"""Points per second of resolve_many on one thread and on all: python bench.py SNAPSHOT [POINTS]. Medians of three turns."""

import os
import statistics
import sys
import time

import numpy as np

import platbook
from points import uniform, urban

CHOICES = {
    "four layers": {"columns": "state,county,cousub,place"},
    "four layers, dictionary": {"columns": "state,county,cousub,place", "encoding": "dictionary"},
    "default columns": {},
    "four layers, all functions": {
        "columns": "state,county,cousub,place", "functions": "all", "encoding": "dictionary",
    },
}


def by_space(lat, lon):
    """The same points in stripes of a tenth of a degree, so that neighbors follow each other."""
    order = np.lexsort((lon, np.floor(lat * 10)))
    return lat[order], lon[order]


def main(path, count=1_000_000):
    directory, rng = platbook.open(path), np.random.default_rng(7)
    land = uniform(directory, int(count), rng)
    samples = {"by space": by_space(*land), "uniform": land, "urban": urban(directory, int(count), rng)}
    for title, options in CHOICES.items():
        for name, (lat, lon) in samples.items():
            rates = []
            for threads in [1, os.cpu_count()]:
                seconds = []
                for _ in range(3):
                    start = time.perf_counter()
                    directory.resolve_many(lat, lon, threads=threads, **options)
                    seconds.append(time.perf_counter() - start)
                rates.append(len(lat) / statistics.median(seconds) / 1e6)
            print(f"{title:28} {name:10} {rates[0]:6.2f} M/s on 1 thread, {rates[1]:6.2f} M/s on {os.cpu_count()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
