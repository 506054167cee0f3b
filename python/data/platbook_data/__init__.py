"""A snapshot of platbook. ``platbook.open()`` unpacks it once and maps it."""

from __future__ import annotations

from pathlib import Path

from ._digest import DIGEST

__all__ = ["DIGEST", "packed_path"]


def packed_path() -> Path:
    """The path of the packed snapshot."""
    return Path(__file__).with_name("snapshot.platbook.zst")
