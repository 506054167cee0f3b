import os
from pathlib import Path

import pytest

import platbook

ROOT = Path(__file__).parents[2]
SNAPSHOT = Path(os.environ.get("PLATBOOK_SNAPSHOT", ROOT / "snapshots" / "default.platbook"))

# The middle of Minneapolis, a farm in Missouri, a point north of Toronto.
LAT = [44.9773, 38.5, 45.5]
LON = [-93.2655, -92.5, -79.0]
COUNTY = ["27053", "29135", None]


@pytest.fixture(scope="session")
def directory() -> platbook.Directory:
    return platbook.open(SNAPSHOT)
