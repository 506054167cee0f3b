"""The examples of docs/python.md are run, in one process and in their order. Those for clusters are run by test_engines.py."""

import os

from conftest import SNAPSHOT
from samples import examples


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = examples(for_cluster=False)
    assert len(blocks) > 6
    names = {"SNAPSHOT": os.fspath(SNAPSHOT)}
    for block in blocks:
        exec(compile(block.replace("platbook.open()", "platbook.open(SNAPSHOT)"), "docs/python.md", "exec"), names)
    assert (tmp_path / "hennepin.svg").read_text().count("<circle") > 30
