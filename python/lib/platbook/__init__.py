"""Which US governments cover a point, and which office does each property job there.

``platbook.open()`` opens the snapshot of the package ``platbook-data``, or a file by its path. Everything is answered from that
file, offline.
"""

from __future__ import annotations

import os
import threading
from typing import Final

from ._data import default_path
from ._platbook import Directory, Rows, Stream, __version__

__all__: Final = ["Directory", "Rows", "Stream", "__version__", "open"]

_opened: dict[tuple[str, int, int, int], Directory] = {}
_lock = threading.Lock()


def _forget_lock() -> None:
    """Give a forked process a lock of its own: a thread that it does not have may hold that of its parent."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_lock)


def open(path: str | os.PathLike[str] | None = None) -> Directory:
    """Open a snapshot file, by default that of ``platbook-data``. A file that is open already is shared by its readers."""
    found = os.path.realpath(default_path() if path is None else os.fspath(path))
    try:
        status = os.stat(found)
    except OSError:
        return Directory(found)  # says what is wrong with the path
    key = (found, status.st_dev, status.st_ino, status.st_mtime_ns)
    with _lock:
        directory = _opened.get(key)
        if directory is None:
            directory = Directory(found)
            # Forgets earlier files of this path. Their memory is freed once no directory uses it.
            for old in [known for known in _opened if known[0] == found]:
                del _opened[old]
            _opened[key] = directory
        return directory


def _reopen(path: str, snapshot_id: str) -> Directory:
    """Open the file of a pickled directory, which must still hold the same snapshot."""
    directory = open(path)
    if directory.snapshot_id != snapshot_id:
        raise ValueError(f"expected the snapshot {snapshot_id} in {path}, got {directory.snapshot_id}")
    return directory
