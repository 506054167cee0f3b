"""Archives with the same bytes each time: entries in the given order, one time for all, no user names."""

import dataclasses
import gzip
import hashlib
import io
import json
import pathlib
import tarfile
import time
import zipfile

# What gzip of level 9 saves on the snapshot is 0.3 %, for twice the time.
GZIP_LEVEL = 6


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file of an archive, or a folder if it has no bytes."""

    path: str
    data: bytes | None
    mode: int = 0o644
    owner: int = 0


def packed(data: bytes, epoch: int) -> bytes:
    """Compresses with gzip, without a file name in it."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=epoch, compresslevel=GZIP_LEVEL) as file:
        file.write(data)
    return out.getvalue()


def tar(entries: list[Entry], epoch: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for entry in entries:
            info = tarfile.TarInfo(entry.path)
            info.mtime, info.mode, info.uid, info.gid = epoch, entry.mode, entry.owner, entry.owner
            if entry.data is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(entry.data)
                archive.addfile(info, io.BytesIO(entry.data))
    return out.getvalue()


def zipped(entries: list[Entry], epoch: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=GZIP_LEVEL) as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.path, time.gmtime(epoch)[:6])
            info.create_system, info.external_attr = 3, (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.data or b"")
    return out.getvalue()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def as_json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


@dataclasses.dataclass(frozen=True)
class Release:
    """What each artefact is made of."""

    version: str
    epoch: int
    arch: str  # as `uname -m` says it
    system: str  # linux or windows
    repository: str
    description: str
    binary: bytes
    bill: bytes  # CycloneDX, JSON
    root: pathlib.Path
    out: pathlib.Path

    @property
    def go_arch(self) -> str:
        """The architecture as Go, images and Debian call it."""
        return {"x86_64": "amd64", "aarch64": "arm64"}[self.arch]

    @property
    def node_arch(self) -> str:
        return {"x86_64": "x64", "aarch64": "arm64"}[self.arch]

    @property
    def program(self) -> str:
        """The file name of the program."""
        return "platbook.exe" if self.system == "windows" else "platbook"

    @property
    def stem(self) -> str:
        """What tells artefacts of one kind apart in their names: the architecture, and the system unless it is Linux."""
        return self.arch if self.system == "linux" else f"{self.arch}-{self.system}"

    def text(self, path: str) -> bytes:
        """A file of the repository."""
        return (self.root / path).read_bytes()

    def write(self, name: str, data: bytes) -> pathlib.Path:
        path = self.out / name
        path.write_bytes(data)
        return path

    def licenses(self) -> list[Entry]:
        return [Entry(name, self.text(name)) for name in ("LICENSE-MIT", "LICENSE-APACHE")]
