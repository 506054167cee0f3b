"""The examples of docs/python.md are run, in one process and in their order."""

import os
import re

from conftest import ROOT, SNAPSHOT


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) > 4
    names = {"SNAPSHOT": os.fspath(SNAPSHOT)}
    for example in examples:
        exec(compile(example.replace("platbook.open()", "platbook.open(SNAPSHOT)"), "docs/python.md", "exec"), names)
