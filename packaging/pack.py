"""Packs a static binary into each artefact of a release. packaging/build says how it is called."""

import argparse
import os
import pathlib
import shutil
import subprocess
import time
import tomllib

import image
import mcpb
import npm
import wheel
from archives import Entry, Release, packed, tar, zipped

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHELLS = ("bash", "zsh", "fish")


def made(release: Release, program: list[str]) -> dict[str, bytes]:
    """Files beside the binary: those of the repository, and those that the program prints."""

    def printed(*words: str) -> bytes:
        return subprocess.run([*program, *words], check=True, capture_output=True, env={}).stdout

    common = {
        release.program: release.binary,
        "platbook.toml": release.text("deploy/platbook.toml"),
        "platbook.cdx.json": release.bill,
    }
    # Windows has no manual pages, shells of Unix or units.
    if release.system == "windows":
        return common
    unit = release.text("deploy/platbook.service").replace(b"/usr/local/bin/", b"/usr/bin/")
    licenses = b"\n".join([release.text("LICENSE-MIT"), release.text("LICENSE-APACHE")])
    return {
        **common,
        "platbook.1": printed("man"),
        **{f"platbook.{shell}": printed("completions", shell) for shell in SHELLS},
        "platbook.service": unit,
        "openrc": release.text("packaging/openrc"),
        "copyright": b"License: MIT or Apache-2.0, as you like.\n\n" + licenses,
    }


def archive(release: Release, files: dict[str, bytes]) -> None:
    """Writes the archive for a copy by hand, for Homebrew and for cargo binstall."""
    stem = f"platbook-{release.version}-{release.arch}-{release.system}"
    kept = {name: data for name, data in files.items() if name not in ("openrc", "copyright")}
    if "platbook.service" in kept:
        # A hand's place for programs is /usr/local/bin.
        kept["platbook.service"] = release.text("deploy/platbook.service")
    entries = [Entry(f"{stem}/{name}", data, 0o755 if name == release.program else 0o644) for name, data in kept.items()]
    entries += [Entry(f"{stem}/{entry.path}", entry.data) for entry in release.licenses()]
    if release.system == "windows":
        release.write(f"{stem}.zip", zipped(entries, release.epoch))
    else:
        release.write(f"{stem}.tar.gz", packed(tar([Entry(stem, None, 0o755), *entries], release.epoch), release.epoch))


def of_systems(release: Release, files: dict[str, bytes]) -> None:
    """Writes the packages of Linux systems by nfpm."""
    work = release.out / "platbook.work"
    stage = work / "stage"
    stage.mkdir(parents=True)
    for name, data in {**files, "platbook.1.gz": packed(files["platbook.1"], release.epoch)}.items():
        (stage / name).write_bytes(data)
    shutil.copytree(ROOT / "packaging/scripts", work / "scripts")
    for path in [*stage.iterdir(), *(work / "scripts").iterdir(), stage]:
        os.utime(path, (release.epoch, release.epoch))
    # nfpm reads variables in few of its fields.
    config = (ROOT / "packaging/nfpm.yaml").read_text()
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch))
    for name, value in {"ARCH": release.go_arch, "VERSION": release.version, "MTIME": moment}.items():
        config = config.replace(f"${{NFPM_{name}}}", value)
    (work / "nfpm.yaml").write_text(config)
    for kind in ("deb", "rpm", "apk"):
        name = f"platbook-{release.version}-{release.arch}.{kind}"
        command = ["nfpm", "package", "--packager", kind, "--target", (release.out / name).resolve()]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch), "TZ": "UTC"}
        subprocess.run(command, check=True, cwd=work, stdout=subprocess.DEVNULL, env=environment)
    shutil.rmtree(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--bill", type=pathlib.Path, required=True)
    parser.add_argument("--target", help="triple of the binary", required=True)
    parser.add_argument("--strip", help="program that removes symbols from it", default="strip")
    parser.add_argument("--runner", help="program that runs it, for another processor", default="")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--version", help="another version than that of Cargo.toml, to try upgrades")
    given = parser.parse_args()
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    given.out.mkdir(parents=True, exist_ok=True)
    stripped = given.out / "platbook"
    subprocess.run([given.strip, "-o", stripped, given.binary], check=True)
    release = Release(
        version=given.version or manifest["workspace"]["package"]["version"],
        epoch=int(os.environ["SOURCE_DATE_EPOCH"]),
        arch=given.target.split("-")[0],
        system="windows" if "windows" in given.target else "linux",
        repository=manifest["workspace"]["package"]["repository"],
        description="Which US governments cover a place, and which office does each property job there.",
        binary=stripped.read_bytes(),
        bill=given.bill.read_bytes(),
        root=ROOT,
        out=given.out,
    )
    files = made(release, [word for word in (given.runner, str(stripped.resolve())) if word])
    archive(release, files)
    if release.system == "linux":
        of_systems(release, files)
        image.build(release)
    stripped.unlink()
    wheel.build(release)
    npm.build(release)
    mcpb.build(release)
    release.write(f"platbook-{release.version}-{release.stem}.cdx.json", release.bill)


if __name__ == "__main__":
    main()
