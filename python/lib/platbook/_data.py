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


def temporary_folder() -> Path:
    """A folder for users whose home is not writable, as on some clusters. Others must not be able to place a file in it."""
    folder = Path(tempfile.gettempdir()) / f"platbook-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"expected a folder that only you can write to, got {folder}")
    return folder


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
    if not wanted.exists():
        try:
            unpack(packed, wanted)
        except OSError:
            wanted = temporary_folder() / name
            if not wanted.exists():
                unpack(packed, wanted)
    return wanted
