"""The wheel that brings the binary: `pip install platbook-server` puts `platbook` on the path.

It is a wheel of its own: who only calls the library `platbook` from Python needs no server of this size."""

import base64
import hashlib

from archives import Entry, Release, zipped

README = """\
# platbook-server

{description}

This package brings the program `platbook`: one static binary with the whole country inside. It needs no network.

```sh
pip install platbook-server
platbook resolve 44.9773 -93.2655    # who does what at this point
platbook serve                       # web pages and API on http://127.0.0.1:8080
platbook mcp                         # for language models
```

The library for arrays and data frames is the package `platbook`.

mcp-name: io.github.platbook/platbook
"""


def platforms(release: Release) -> list[str]:
    arch = release.arch
    if release.system == "windows":
        return [f"win_{release.go_arch}"]
    # A static binary needs no C library of any version, so it has the oldest tags that installers know.
    return [f"manylinux_2_17_{arch}", f"manylinux2014_{arch}", f"musllinux_1_1_{arch}"]


def metadata(release: Release) -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.4",
            "Name: platbook-server",
            f"Version: {release.version}",
            f"Summary: {release.description}",
            "License-Expression: MIT OR Apache-2.0",
            "License-File: LICENSE-MIT",
            "License-File: LICENSE-APACHE",
            f"Project-URL: Source, {release.repository}",
            "Classifier: Operating System :: Microsoft :: Windows",
            "Classifier: Operating System :: POSIX :: Linux",
            "Classifier: Programming Language :: Rust",
            "Requires-Python: >=3.8",
            "Description-Content-Type: text/markdown",
            "",
            README.format(description=release.description),
        ]
    )


def build(release: Release) -> None:
    """Writes the wheel."""
    tags = platforms(release)
    stem = f"platbook_server-{release.version}"
    info = f"{stem}.dist-info"
    wheel = ["Wheel-Version: 1.0", "Generator: packaging/wheel.py", "Root-Is-Purelib: false"]
    wheel += [f"Tag: py3-none-{tag}" for tag in tags]
    entries = [
        Entry(f"{stem}.data/scripts/{release.program}", release.binary, 0o755),
        Entry(f"{info}/METADATA", metadata(release).encode()),
        Entry(f"{info}/WHEEL", ("\n".join(wheel) + "\n").encode()),
        *[Entry(f"{info}/licenses/{entry.path}", entry.data) for entry in release.licenses()],
        Entry(f"{info}/sboms/platbook.cdx.json", release.bill),
    ]
    rows = [f"{entry.path},sha256={checksum(entry.data or b'')},{len(entry.data or b'')}" for entry in entries]
    record = f"{info}/RECORD"
    entries.append(Entry(record, ("\n".join([*rows, f"{record},,"]) + "\n").encode()))
    name = f"{stem}-py3-none-{'.'.join(tags)}.whl"
    release.write(name, zipped(entries, release.epoch))


def checksum(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
