"""Finds the snapshot of the package ``platbook-data``, and unpacks it once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ._platbook import unpack


def cache_folder() -> Path:
    """The folder of unpacked snapshots: ``PLATBOOK_CACHE``, or one of the user's cache."""
    chosen = os.environ.get("PLATBOOK_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "platbook"


def default_path() -> Path:
    """The path of the unpacked snapshot."""
    try:
        import platbook_data
    except ImportError:
        raise FileNotFoundError(
            "no snapshot: pip install platbook-data, or give the path of a file to platbook.open()"
        ) from None
    packed = Path(platbook_data.packed_path())
    name = f"{platbook_data.DIGEST}.platbook"
    wanted = cache_folder() / name
    if wanted.exists():
        return wanted
    try:
        unpack(packed, wanted)
    except OSError:
        # A home that cannot be written to, as on some clusters.
        wanted = Path(tempfile.gettempdir()) / f"platbook-{os.getuid()}" / name
        if not wanted.exists():
            unpack(packed, wanted)
    return wanted
