"""platbook beside other engines that find the county, county subdivision and place of points: run.py --help."""

import argparse
import datetime
import json
import os
import pathlib
import pickle
import platform
import signal
import statistics
import sys
import time
from typing import Any

# Before the engines are imported, which read them once.
os.environ.update(POLARS_MAX_THREADS="1", OMP_NUM_THREADS="1", TOKIO_WORKER_THREADS="1")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python"))

import numpy as np
import shapely
from shapely.geometry import shape

import chart
import platbook
from engines import LAYERS, PEERS, Array, Engine, Pairs, Platbook
from points import near_borders, uniform, urban

SEED = 30
ROUNDS = 3
SINGLE = 1_000  # points asked alone, of each kind
# Of 192,000 points near borders 30 differ, nearly all of them off the shore of the Great Lakes: benches/README.md.
AGREE = 0.999
FEW = 2  # points that may differ in any case: one of 500 would be too many otherwise
FIRST = np.array([44.9773]), np.array([-93.2655])
KEPT = ROOT / "target/peers"


def outlines(directory: platbook.Directory) -> tuple[list[str], list[bytes]]:
    """Ids and WKB of all outlines of the layers, kept for the next run."""
    kept = KEPT / f"outlines-{directory.snapshot_id}.pickle"
    if not kept.exists():
        rows = directory.jurisdictions()
        ids = [id for layer in LAYERS for id, its in zip(rows["id"], rows["layer"]) if its == layer]
        shapes = {id: shape(found) for id in ids if (found := directory.boundary(str(id)))}
        kept.write_bytes(pickle.dumps((list(shapes), [bytes(wkb) for wkb in shapely.to_wkb(list(shapes.values()))])))
    ids, wkb = pickle.loads(kept.read_bytes())
    return ids, wkb


def seconds(work: Any, *words: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work(*words)
    return time.perf_counter() - start, result


def started(path: str | None, ids: list[str], wkb: list[bytes]) -> tuple[list[Engine], dict[str, Any], dict[str, str]]:
    """The engines that answer a first point, with their versions and times to build, and why the others do not."""
    engines: list[Engine] = []
    results, not_tried = {}, {}
    kinds: list[type[Engine]] = [Platbook, *PEERS]
    for kind in kinds:
        engine: Engine | None = None
        try:
            engine = Platbook(path, ids) if kind is Platbook else kind()
            build_s = seconds(engine.build, wkb)[0]
            engine.load(*FIRST)
            engine.pairs(engine.answer())
        except Exception as error:
            if engine:
                engine.close()
            not_tried[kind.name] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            engines.append(engine)
            results[engine.name] = {"version": engine.version, "build_s": build_s}
    return engines, results, not_tried


def counties_of(ids: list[str]) -> list[int | None]:
    """For each outline of a county subdivision the outline of its county, which its GEOID begins with."""
    numbers = {id: number for number, id in enumerate(ids)}
    return [numbers[f"county:{id[7:12]}"] if id.startswith("cousub:") else None for id in ids]


def sets(pairs: Pairs, count: int, counties: list[int | None]) -> list[frozenset[int]]:
    """For each point the outlines that cover it, and the county of its subdivision.

    Some subdivisions reach into water where the outline of their county ends at the shore.
    """
    found: list[set[int]] = [set() for _ in range(count)]
    for row, outline in zip(pairs[0].tolist(), pairs[1].tolist()):
        found[row].add(outline)
        if (county := counties[outline]) is not None:
            found[row].add(county)
    return [frozenset(each) for each in found]


def agreement(ours: list[frozenset[int]], theirs: list[frozenset[int]], inside: Array) -> tuple[float, list[int]]:
    """The share of equal answers among points inside, and the rows of the others."""
    rows = np.flatnonzero(inside[: len(theirs)])
    differing = [row for row in rows.tolist() if ours[row] != theirs[row]]
    return 1 - len(differing) / len(rows), differing


def alone(engine: Engine, lat: Array, lon: Array) -> dict[str, float] | None:
    """Percentiles of the time of a single point, in microseconds; `None` for an engine of batches only."""
    if type(engine).one is Engine.one:
        return None
    for point in zip(lat[:20].tolist(), lon[:20].tolist()):
        engine.one(*point)
    times = [seconds(engine.one, *point)[0] * 1e6 for point in zip(lat.tolist(), lon.tolist())]
    return {"p50": float(np.percentile(times, 50)), "p99": float(np.percentile(times, 99))}


def measure(engines: list[Engine], samples: dict[str, tuple[Array, Array]], directory: platbook.Directory,
            ids: list[str], results: dict[str, dict[str, Any]]) -> bool:
    """Fills the results by engine and sample; whether all agree."""
    agrees, counties = True, counties_of(ids)
    for sample, (lat, lon) in samples.items():
        inside = np.array(directory.resolve_many(lat, lon, columns="quality")["quality"]) == "inside"
        times: dict[str, list[float]] = {engine.name: [] for engine in engines}
        ours: list[frozenset[int]] = []
        print(f"{sample}: {len(lat):,} points, {ROUNDS} rounds", file=sys.stderr)
        for engine in engines:
            count = max(int(len(lat) * engine.share), min(len(lat), 500))
            engine.load(lat[:count], lon[:count])
            found = sets(engine.pairs(engine.answer()), count, counties)
            ours = ours or found
            share, differing = agreement(ours, found, inside)
            results[engine.name][sample] = {"points": count, "agreement": share, "differing": len(differing)}
            if share < AGREE and len(differing) > FEW:
                agrees = False
                for row in differing[:10]:
                    mine, other = ([ids[number] for number in sorted(each[row])] for each in (ours, found))
                    print(f"{engine.name}, {sample}: {lat[row]:.6f},{lon[row]:.6f} platbook {mine}, peer {other}")
        for _ in range(ROUNDS):
            for engine in engines:
                times[engine.name].append(seconds(engine.answer)[0])
        for engine in engines:
            result = results[engine.name][sample]
            result["seconds"] = times[engine.name]
            result["us_a_point"] = statistics.median(times[engine.name]) / result["points"] * 1e6
            result["alone_us"] = alone(engine, lat[:SINGLE], lon[:SINGLE])
    return agrees


def processor() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(": ")[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def table(report: dict[str, Any]) -> str:
    lines = [
        "| engine | build s | points | " + " | ".join(f"{sample}, us" for sample in report["samples"])
        + " | alone p50 / p99, us | agree |",
        "|---" * (len(report["samples"]) + 5) + "|",
    ]
    for name, engine in report["engines"].items():
        found = [engine[sample] for sample in report["samples"]]
        best = report["engines"]["platbook"]
        cells = [
            f"{each['us_a_point']:.2f} ({each['us_a_point'] / best[sample]['us_a_point']:.0f}x)"
            for sample, each in zip(report["samples"], found)
        ]
        single = found[0]["alone_us"]
        single = f"{single['p50']:.1f} / {single['p99']:.1f}" if single else "-"
        least = min(each["agreement"] for each in found)
        lines.append(
            f"| {name} | {engine['build_s']:.2f} | {found[0]['points']:,} | {' | '.join(cells)}"
            f" | {single} | {least * 100:.3f} % |"
        )
    for name, reason in report["not_tried"].items():
        lines.append(f"| {name} | not tried: {reason} |" + " |" * (len(report["samples"]) + 3))
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", help="a file; by default that of the wheel platbook-data")
    parser.add_argument("--points", type=int, default=200_000, help="of each kind (%(default)s)")
    parser.add_argument("--only", nargs="*", default=[], help="words in the names of peers")
    words = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    directory = platbook.open(words.snapshot) if words.snapshot else platbook.open()
    ids, wkb = outlines(directory)
    vertices = shapely.get_coordinates(shapely.from_wkb(wkb))
    rng = np.random.default_rng(SEED)
    samples = {
        "on land": uniform(directory, words.points, rng),
        "urban": urban(directory, words.points, rng),
        "near borders": near_borders(vertices, words.points, rng),
    }
    if hasattr(os, "sched_setaffinity"):  # threads that an engine starts anyway share one processor
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if words.only:
        PEERS[:] = [peer for peer in PEERS if any(word.lower() in peer.name.lower() for word in words.only)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that servers are stopped
    engines, results, not_tried = started(words.snapshot, ids, wkb)
    try:
        agrees = measure(engines, samples, directory, ids, results)
    finally:
        for engine in engines:
            engine.close()
    report = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{processor()}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}",
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "snapshot": directory.snapshot_id,
        "outlines": len(ids), "vertices": len(vertices),
        "samples": list(samples), "rounds": ROUNDS, "seed": SEED,
        "engines": results, "not_tried": not_tried,
    }
    (KEPT / "peers.json").write_text(json.dumps(report, indent=1) + "\n")
    (KEPT / "peers.svg").write_text(chart.bars(report))
    print(table(report))
    print(f"\n{report['date']}, {report['machine']}, load {report['load']:.1f}; {len(ids):,} outlines, {len(vertices):,} vertices")
    print("; ".join(engine["version"] for engine in results.values()))
    if not agrees:
        print(f"answers agree for less than {AGREE * 100} % of the points", file=sys.stderr)
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
