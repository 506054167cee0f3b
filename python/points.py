"""Kinds of points for measurements, as arrays of latitudes and longitudes."""

from typing import TypeAlias

import numpy as np

import platbook

Array: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Points: TypeAlias = tuple[Array, Array]

DEGREE_M = 111_320


def uniform(directory: platbook.Directory, count: int, rng: np.random.Generator) -> Points:
    """Points on land, by area."""
    lat, lon = rng.uniform(25, 49, 2 * count), rng.uniform(-124, -68, 2 * count)
    quality = np.array(directory.resolve_many(lat, lon, columns="quality")["quality"])
    inside = np.flatnonzero(quality == "inside")[:count]
    return lat[inside], lon[inside]


def urban(directory: platbook.Directory, count: int, rng: np.random.Generator) -> Points:
    """Points around the middles of places, by population."""
    rows = directory.jurisdictions().to_pydict()
    is_place = np.array([layer == "place" for layer in rows["layer"]])
    people, lat, lon = (np.array(rows[name], dtype=float)[is_place] for name in ["population", "lat", "lon"])
    people = np.nan_to_num(people)
    chosen = rng.choice(len(people), count, p=people / people.sum())
    spread = np.sqrt(people[chosen]) / 20_000
    return lat[chosen] + rng.normal(0, 1, count) * spread, lon[chosen] + rng.normal(0, 1, count) * spread


def near_borders(vertices: np.ndarray, count: int, rng: np.random.Generator, meters: float = 200) -> Points:
    """Points within some meters of random vertices, which are rows of longitude and latitude."""
    lon, lat = vertices[rng.integers(0, len(vertices), count)].T
    angle, far = rng.uniform(0, 2 * np.pi, count), meters * np.sqrt(rng.uniform(0, 1, count)) / DEGREE_M
    return lat + far * np.sin(angle), lon + far * np.cos(angle) / np.cos(np.radians(lat))
