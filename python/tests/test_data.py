"""The snapshot of the package ``platbook-data``: it is unpacked once, whole, and only into a folder of one's own."""

import os
import subprocess
import sys

import pytest

import platbook
from platbook import _data

pytest.importorskip("platbook_data", reason="python/wheels.sh builds it")


def test_the_first_open_unpacks_the_snapshot(directory, tmp_path, monkeypatch):
    monkeypatch.setenv("PLATBOOK_CACHE", os.fspath(tmp_path / "cache"))
    program = "import platbook; directory = platbook.open(); print(directory.snapshot_id, directory.path)"
    # Several at once, as workers of a machine begin.
    command = [sys.executable, "-c", program]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    path = _data.default_path()
    for worker in workers:
        assert worker.communicate(timeout=60)[0].split() == [directory.snapshot_id, os.fspath(path)]
    assert [path] == list((tmp_path / "cache").iterdir()), "nothing is left over"
    assert platbook.open().snapshot_id == directory.snapshot_id


def test_a_home_that_cannot_be_written_to_is_no_hindrance(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLATBOOK_CACHE", os.fspath(tmp_path / "file" / "cache"))
    monkeypatch.setattr(_data.tempfile, "gettempdir", lambda: os.fspath(tmp_path))
    path = _data.default_path()
    assert path.parent == tmp_path / f"platbook-{os.getuid()}" and path.exists()
    path.unlink()
    path.parent.chmod(0o777)
    with pytest.raises(PermissionError, match="expected a folder that only you can write to"):
        _data.default_path()
