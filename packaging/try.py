"""Installs, asks, upgrades and removes each artefact. packaging/try prepares what this needs and cuts the network."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

NEW, WORK = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
OLD = WORK / "old"
ARCH = os.uname().machine
NODE_ARCH = {"x86_64": "x64", "aarch64": "arm64"}[ARCH]
POINT = ("44.9773", "-93.2655")
COUNTY = "county:27053"
# Seconds from the start of a program to its answer, from the download to the first answer, and to that of a container.
ANSWER_S_MAX = 1.0
INSTALL_S_MAX = 10.0
CONTAINER_S_MAX = 5.0
# The same under an emulator of a processor or of Windows, whose own start is most of it.
EMULATED_S_MAX = 30.0
# Files that package managers and systems keep for themselves.
BOOKS = re.compile(r"^(var/lib/(dpkg|rpm|systemd)|var/log|var/cache|run|dev|proc|sys|tmp|etc/(passwd|group|shadow|gshadow)-?$)")


class Failure(Exception):
    """What an artefact did wrong."""


def run(*command, **options) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, **options)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


def one(folder: pathlib.Path, pattern: str) -> pathlib.Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"expected one {pattern} in {folder}, found {len(found)}")
    return found[0]


def ask(*program, within: float = ANSWER_S_MAX) -> float:
    """Asks one point on the command line and returns the seconds."""
    begun = time.monotonic()
    printed = run(*program, "resolve", *POINT)
    took = time.monotonic() - begun
    if COUNTY not in printed or took > within:
        raise Failure(f"{COUNTY in printed=} after {took:.2f} s")
    return took


def ask_service(*command, port: int = 8080, within: float = ANSWER_S_MAX, ends_well: bool = True) -> float:
    """Starts a service, asks it one point and stops it. Returns the seconds from its start to the answer."""
    begun = time.monotonic()
    log = tempfile.TemporaryFile()
    service = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log)
    try:
        answer = request(port, service.poll)
        took = time.monotonic() - begun
        if COUNTY not in answer or took > within:
            raise Failure(f"the service: {COUNTY in answer=} after {took:.2f} s")
    except Failure as failure:
        log.seek(0)
        raise Failure(f"{failure}; its log: {log.read().decode()[-500:]}") from failure
    finally:
        service.send_signal(signal.SIGTERM)
        code = service.wait(20)
    if code and ends_well:
        raise Failure(f"the service ended with code {code}")
    return took


def request(port: int, ended=lambda: None, within: float = 5.0) -> str:
    address = f"http://127.0.0.1:{port}/v1/jurisdictions/resolve?lat={POINT[0]}&lon={POINT[1]}"
    begun = time.monotonic()
    while True:
        try:
            return urllib.request.urlopen(address, timeout=2).read().decode()
        except OSError as error:
            if ended() is not None or time.monotonic() - begun > within:
                raise Failure(f"no answer from {address}: {error}") from error
            time.sleep(0.005)


def paths(root: pathlib.Path) -> set[str]:
    found = set()
    for folder, folders, files in os.walk(root):
        below = pathlib.Path(folder).relative_to(root)
        found.update(str(below / name) for name in [*folders, *files])
    return {path for path in found if not BOOKS.match(path)}


def leaves_nothing(before: set[str], root: pathlib.Path) -> None:
    if left := sorted(paths(root) - before):
        raise Failure(f"left behind: {left[:20]}")


def fresh(name: str) -> pathlib.Path:
    folder = WORK / "roots" / name
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder


def busybox_root(name: str) -> pathlib.Path:
    """A root with a shell and the tools of one static program."""
    root = fresh(name)
    for folder in ("bin", "etc", "dev", "proc", "tmp", "var/lib", "run"):
        (root / folder).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), root / "bin/busybox")
    run("chroot", root, "/bin/busybox", "--install", "-s", "/bin")
    (root / "etc/passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\n")
    return root


# Debian's busybox leaves out the commands by which Alpine's adds users. These take the same words.
USER_COMMANDS = {
    "addgroup": 'for name; do :; done; echo "$name:x:100:" >>/etc/group',
    "adduser": 'for name; do :; done; echo "$name:x:100:100::/var/lib/$name:/sbin/nologin" >>/etc/passwd',
    "deluser": 'sed -i "/^$1:/d" /etc/passwd',
    "delgroup": 'sed -i "/^$1:/d" /etc/group',
}


def overlay(name: str) -> pathlib.Path:
    """A fresh Debian: the prepared one below, and a layer for what changes."""
    folder = fresh(name)
    for part in ("upper", "inner", "root"):
        (folder / part).mkdir()
    run("mount", "-t", "tmpfs", "tmpfs", folder / "upper")
    for part in ("upper/files", "upper/work"):
        (folder / part).mkdir()
    layers = f"lowerdir={WORK}/debian,upperdir={folder}/upper/files,workdir={folder}/upper/work"
    run("mount", "-t", "overlay", "overlay", "-o", layers, folder / "root")
    return folder / "root"


def is_new(*program) -> None:
    version = NEW_VERSION
    if not (printed := run(*program, "--version")).startswith(f"platbook {version} (snapshot of 20"):
        raise Failure(f"expected version {version}, got {printed}")


def try_archive() -> list[float]:
    """The archive's binary, in a root that has nothing else."""
    root = fresh("archive")
    run("tar", "xzf", one(NEW, f"*-{ARCH}-linux.tar.gz"), "-C", root, "--strip-components", "1")
    for path in root.iterdir():
        if path.name != "platbook":
            path.unlink()
    took = [ask("chroot", root, "/platbook"), ask_service("chroot", root, "/platbook", "serve", "--offline")]
    is_new("chroot", root, "/platbook")
    if left := paths(root) - {"platbook"}:
        raise Failure(f"it made {left}")
    return took


def try_deb() -> list[float]:
    root = overlay("deb")
    before = paths(root)
    for folder in (OLD, NEW):
        shutil.copy(one(folder, f"*-{ARCH}.deb"), root / "tmp/platbook.deb")
        begun = time.monotonic()
        run("chroot", root, "dpkg", "--install", "/tmp/platbook.deb")
        took = [time.monotonic() - begun, ask("chroot", root, "platbook")]
    is_new("chroot", root, "platbook")
    took.append(ask_service("chroot", root, "platbook", "serve", "--config", "/etc/platbook.toml"))
    run("chroot", root, "systemd-analyze", "verify", "--man=no", "/usr/lib/systemd/system/platbook.service")
    run("chroot", root, "bash", "-n", "/usr/share/bash-completion/completions/platbook")
    # A line of the operator's own outlives an upgrade and a removal, and goes with a purge.
    with open(root / "etc/platbook.toml", "a") as file:
        file.write("threads = 1\n")
    run("chroot", root, "dpkg", "--install", "/tmp/platbook.deb")
    run("chroot", root, "dpkg", "--remove", "platbook")
    if "threads = 1" not in (root / "etc/platbook.toml").read_text():
        raise Failure("a removal takes the configuration along")
    run("chroot", root, "dpkg", "--purge", "platbook")
    leaves_nothing(before, root)
    return took


def try_unit() -> list[float]:
    """Boots a Debian with systemd, where packaging/unit_trial.sh starts, upgrades, reloads and purges the service."""
    root = overlay("unit")
    for name, folder in (("old", OLD), ("new", NEW)):
        shutil.copy(one(folder, f"*-{ARCH}.deb"), root / f"srv/{name}.deb")
    shutil.copy(pathlib.Path(__file__).parent / "unit_trial.sh", root / "srv/trial.sh")
    unit = "[Service]\nExecStart=/bin/bash /srv/trial.sh\n[Unit]\nAfter=basic.target\n"
    (root / "etc/systemd/system/trial.service").write_text(unit)
    wants = root / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / "trial.service").symlink_to("/etc/systemd/system/trial.service")
    begun = time.monotonic()
    nspawn = ("systemd-nspawn", "--quiet", "--directory", root, "--register=no", "--keep-unit", "--private-network", "--boot")
    run(*nspawn, stdin=subprocess.DEVNULL)
    result = (root / "srv/result").read_text()
    if not result.endswith("fine\n"):
        raise Failure(f"systemd: {result[-1500:]}")
    return [time.monotonic() - begun, 0.0]


def try_rpm() -> list[float]:
    root = busybox_root("rpm")
    before = paths(root)
    base = ("rpm", "--root", root, "--dbpath", "/var/lib/rpm")
    for folder in (OLD, NEW):
        begun = time.monotonic()
        run(*base, "--upgrade", "--nodeps", "--nosignature", one(folder, f"*-{ARCH}.rpm"))
        took = [time.monotonic() - begun, ask("chroot", root, "/usr/bin/platbook")]
    is_new("chroot", root, "/usr/bin/platbook")
    took.append(ask_service("chroot", root, "/usr/bin/platbook", "serve", "--config", "/etc/platbook.toml"))
    if (count := run(*base, "--query", "platbook").count("\n")) != 1:
        raise Failure(f"after an upgrade {count} versions are installed")
    run(*base, "--erase", "platbook")
    # On a whole system, its own packages have the folders that all programs share.
    shared = {path for path in paths(root) if (root / path).is_dir() and "platbook" not in path}
    leaves_nothing(before | shared, root)
    return took


def try_apk() -> list[float]:
    """Unpacks the package as apk does, and runs its scripts in the same order: apk itself is not in Debian."""
    root = busybox_root("apk")
    for name, script in USER_COMMANDS.items():
        (root / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (root / "bin" / name).chmod(0o755)
    before = paths(root)
    files = []
    for folder, scripts in ((OLD, [".pre-install"]), (NEW, [])):
        begun = time.monotonic()
        run("tar", "xzf", one(folder, f"*-{ARCH}.apk"), "--ignore-zeros", "-C", root, "--exclude=.PKGINFO")
        for script in scripts:
            run("chroot", root, f"/{script}")
        took = [time.monotonic() - begun, ask("chroot", root, "/usr/bin/platbook")]
        files = run("tar", "tzf", one(folder, f"*-{ARCH}.apk"), "--ignore-zeros").split()
    is_new("chroot", root, "/usr/bin/platbook")
    if "platbook:x:" not in (root / "etc/passwd").read_text():
        raise Failure("there is no user platbook")
    command = ("chroot", "--userspec=platbook:platbook", root, "/usr/bin/platbook")
    took.append(ask_service(*command, "serve", "--config", "/etc/platbook.toml"))
    run("chroot", root, "sh", "-n", "/etc/init.d/platbook")
    run("chroot", root, "/.pre-deinstall")
    for path in reversed(files):
        whole = root / path
        if whole.is_dir():
            if not any(whole.iterdir()):
                whole.rmdir()
        elif path != ".post-deinstall" and path != ".PKGINFO":
            whole.unlink()
    run("chroot", root, "/.post-deinstall")
    (root / ".post-deinstall").unlink()
    leaves_nothing(before, root)
    if "platbook" in (root / "etc/passwd").read_text() + (root / "etc/group").read_text():
        raise Failure("the user platbook is left")
    return took


def try_image() -> list[float]:
    """The image in podman: no rights, a read-only root, the user of the image."""
    folder = fresh("image")
    stored = ("--root", folder / "stored", "--runroot", folder / "run", "--storage-driver", "vfs")
    podman = ("podman", *stored, "--runtime", "runc", "--cgroup-manager", "cgroupfs")
    for source in (OLD, NEW):
        begun = time.monotonic()
        run(*podman, "load", "--input", one(source, f"*-{ARCH}.oci.tar"))
        took = [time.monotonic() - begun]
    image = f"platbook:{NEW_VERSION}"
    user = run(*podman, "inspect", "--format", "{{.Config.User}}", image).strip()
    if user in ("", "0", "root"):
        raise Failure(f"the image runs as {user or 'root'}")
    # Within a container or a small machine, the limits that podman would set are above those that are allowed.
    limits = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024")
    rights = ("--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges")
    container = (*podman, "run", "--rm", *rights, *limits)
    # Nearly all of the time is that of podman, which is not ours.
    took.append(ask(*container, "--network", "none", image, within=CONTAINER_S_MAX))
    # The name space of this trial has no network, and its loopback is where the service is asked.
    took.append(ask_service(*container, "--network", "host", image, within=CONTAINER_S_MAX))
    run(*podman, "rmi", "--all")
    if left := run(*podman, "images", "--quiet") + run(*podman, "ps", "--all", "--quiet"):
        raise Failure(f"left behind: {left}")
    return took


def try_wheel() -> list[float]:
    folder = fresh("wheel")
    run(sys.executable, "-m", "venv", folder)
    before = paths(folder)
    pip = (folder / "bin/pip", "--disable-pip-version-check", "install", "--no-index", "--no-compile")
    for source in (OLD, NEW):
        begun = time.monotonic()
        run(*pip, one(source, f"*{ARCH}.whl"))
        took = [time.monotonic() - begun, ask(folder / "bin/platbook")]
    is_new(folder / "bin/platbook")
    took.append(ask_service(folder / "bin/platbook", "serve", "--offline"))
    run(folder / "bin/pip", "uninstall", "--yes", "platbook-server")
    leaves_nothing({*before, *(path for path in paths(folder) if "__pycache__" in path)}, folder)
    return took


def try_npm() -> list[float]:
    folder = fresh("npm")
    (folder / "package.json").write_text('{"private": true}')
    options = {"cwd": folder, "env": {**os.environ, "npm_config_cache": str(folder / "cache"), "npm_config_offline": "true"}}
    npm = ("npm", "install", "--offline", "--no-audit", "--no-fund", "--install-links=false")
    for source in (OLD, NEW):
        files = [one(source, f"npm-platbook-linux-{NODE_ARCH}-*.tgz"), one(source, "npm-platbook-[0-9]*.tgz")]
        begun = time.monotonic()
        run(*npm, *files, **options)
        took = [time.monotonic() - begun]
        program = folder / "node_modules/.bin/platbook"
        took.append(ask(program))
    is_new(program)
    if COUNTY not in run("npx", "--offline", "platbook", "resolve", *POINT, **options):
        raise Failure("npx does not answer")
    took.append(ask_service(program, "serve", "--offline"))
    run("npm", "uninstall", "--offline", "platbook", f"@platbook/linux-{NODE_ARCH}", **options)
    modules = folder / "node_modules"
    if left := {path for path in paths(modules) if path != ".package-lock.json" and not (modules / path).is_dir()}:
        raise Failure(f"left behind: {sorted(left)[:9]}")
    return took


def try_bundle() -> list[float]:
    """The bundle: its manifest by the validator of the format, and a session as a client has it."""
    folder = fresh("bundle")
    begun = time.monotonic()
    run("unzip", "-q", one(NEW, f"*-linux-{ARCH}.mcpb"), "-d", folder)
    took = [time.monotonic() - begun]
    run(WORK / "mcpb/node_modules/.bin/mcpb", "validate", folder / "manifest.json")
    of_server = json.loads((folder / "manifest.json").read_text())["server"]["mcp_config"]
    command = [of_server["command"].replace("${__dirname}", str(folder)), *of_server["args"]]
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "try", "version": "1"}}
    point = {"lat": float(POINT[0]), "lon": float(POINT[1])}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": TOOL, "arguments": point}},
    ]
    begun = time.monotonic()
    printed = run(*command, input="".join(json.dumps(message) + "\n" for message in messages))
    took.append(time.monotonic() - begun)
    if COUNTY not in printed.splitlines()[-1]:
        raise Failure(f"the bundle does not answer: {printed[-500:]}")
    return took


def of_bundle(path: pathlib.Path) -> bytes:
    """The program in a zip file: a wheel, a bundle or an archive for Windows."""
    with zipfile.ZipFile(path) as file:
        name = next(name for name in file.namelist() if name.rsplit("/", 1)[-1] in ("platbook", "platbook.exe"))
        return file.read(name)


def of_tar(path: pathlib.Path) -> bytes:
    """The program in a packed tar file: an archive, or a package of npm or of Alpine."""
    with tarfile.open(path, ignore_zeros=True) as file:
        # Completions and the script for OpenRC have the same name, and are small.
        named = [member for member in file if member.isfile() and member.name.rsplit("/", 1)[-1] in ("platbook", "platbook.exe")]
        return file.extractfile(max(named, key=lambda member: member.size)).read()


def same_program(program: bytes, artefacts: list[pathlib.Path]) -> None:
    """Other artefacts of a system hold the program that was tried."""
    for path in artefacts:
        if (of_bundle if path.suffix in (".whl", ".mcpb", ".zip") else of_tar)(path) != program:
            raise Failure(f"{path.name} holds another program")


def try_arm64() -> list[float]:
    """The program for the other processor under qemu, and the packages that hold it."""
    root = fresh("arm64")
    archive = one(NEW, "*-aarch64-linux.tar.gz")
    (root / "platbook").write_bytes(of_tar(archive))
    (root / "platbook").chmod(0o755)
    shutil.copy(shutil.which("qemu-aarch64-static"), root / "qemu")
    command = ("chroot", root, "/qemu", "/platbook")
    took = [0.0, ask(*command, within=EMULATED_S_MAX)]
    took.append(ask_service(*command, "serve", "--offline", within=EMULATED_S_MAX))
    is_new(*command)
    others = ["*aarch64.whl", "npm-platbook-linux-arm64-*.tgz", "*-linux-aarch64.mcpb", "*-aarch64.apk"]
    same_program((root / "platbook").read_bytes(), [one(NEW, pattern) for pattern in others])
    if "arm64" not in run("dpkg-deb", "--field", one(NEW, "*-aarch64.deb"), "Architecture"):
        raise Failure("the package of Debian is not for arm64")
    if "aarch64" not in run("rpm", "--query", "--package", "--nosignature", "--queryformat", "%{ARCH}", one(NEW, "*-aarch64.rpm")):
        raise Failure("the package of Red Hat is not for aarch64")
    return took


def try_windows() -> list[float]:
    """The program for Windows under Wine, and the packages that hold it."""
    root = WORK / "wine"
    program = root / "srv/platbook.exe"
    program.write_bytes(of_bundle(one(NEW, "*-windows.zip")))
    for folder in ("proc", "dev"):
        run("mount", "--bind", f"/{folder}", root / folder)
    inside = ("chroot", root, "env", "HOME=/srv", "WINEDEBUG=-all", "wine")
    begun = time.monotonic()
    run(*inside, "wineboot", "--init")
    command = (*inside, "/srv/platbook.exe")
    took = [time.monotonic() - begun, ask(*command, within=EMULATED_S_MAX)]
    # Wine does not pass signals of Unix on.
    took.append(ask_service(*command, "serve", "--offline", within=EMULATED_S_MAX, ends_well=False))
    is_new(*command)
    others = ["*win_amd64.whl", "npm-platbook-win32-x64-*.tgz", "*-windows-x86_64.mcpb"]
    same_program(program.read_bytes(), [one(NEW, pattern) for pattern in others])
    return took


TOOL = "resolve_jurisdiction"
TRIALS = {
    f"*-{ARCH}-linux.tar.gz": try_archive,
    f"*-{ARCH}.deb": try_deb,
    f"platbook-*-{ARCH}.deb": try_unit,
    f"*-{ARCH}.rpm": try_rpm,
    f"*-{ARCH}.apk": try_apk,
    f"*-{ARCH}.oci.tar": try_image,
    f"*{ARCH}.whl": try_wheel,
    f"npm-platbook-linux-{NODE_ARCH}-*.tgz": try_npm,
    f"*-linux-{ARCH}.mcpb": try_bundle,
    "*-aarch64-linux.tar.gz": try_arm64,
    "*-windows.zip": try_windows,
}


def check_sums() -> None:
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=NEW)
    listed = {line.split("  ")[1] for line in (NEW / "SHA256SUMS").read_text().splitlines()}
    there = {path.name for path in NEW.iterdir()} - {"SHA256SUMS", "SHA256SUMS.minisig"}
    if listed != there:
        raise Failure(f"SHA256SUMS and the folder differ: {listed ^ there}")


def check_table() -> None:
    """Each artefact has a row in docs/install.md, with its size up to a tenth."""
    document = (pathlib.Path(__file__).parent.parent / "docs/install.md").read_text()
    rows = re.findall(r"^\| `([^`]+)` \| ([0-9.]+) \|", document, re.MULTILINE)
    holes = {"VERSION": r"[0-9][0-9.]*", "NODEARCH": "linux-x64|linux-arm64|win32-x64", "ARCH": "x86_64|aarch64", "PLATFORMS": r"[a-z0-9_.]+", "SYSTEM": "linux|windows"}
    patterns = []
    for name, size in rows:
        pattern = re.escape(name)
        for hole, values in holes.items():
            pattern = pattern.replace(hole, f"(?:{values})")
        patterns.append((re.compile(pattern), float(size)))
    for path in NEW.iterdir():
        if path.name.startswith("SHA256SUMS"):
            continue
        sizes = [size for pattern, size in patterns if pattern.fullmatch(path.name)]
        actual = path.stat().st_size / 1e6
        if len(sizes) != 1 or abs(actual - sizes[0]) > max(0.1, 0.1 * actual):
            raise Failure(f"docs/install.md: {path.name} has {actual:.1f} MB, and these sizes in the table: {sizes}")


def check_bill() -> None:
    """The bill of materials follows its schema, and names what the program has inside."""
    text = one(NEW, f"platbook-*-{ARCH}.cdx.json").read_text()
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise Failure(f"the bill of materials: {fault}")
    names = {component["name"] for component in json.loads(text)["components"]}
    if missing := {"hyper", "rkyv", "rustls", "zstd-sys", "glibc", "rust-std", "default.platbook"} - names:
        raise Failure(f"the bill of materials lacks {missing}")
    if extra := {"serde_derive", "cc", "proptest", "syn", "arrow-array"} & names:
        raise Failure(f"the bill of materials has {extra}, which no program holds")


def main() -> int:
    words = sys.argv[3:]
    failed = 0
    for check in (check_sums, check_table, check_bill):
        try:
            check()
        except (Failure, ValueError) as failure:
            failed += 1
            print(f"FAILED: {failure}")
    print(f"{'artefact':<44} {'MB':>6} {'install s':>9} {'answer s':>9} {'service s':>9}")
    trials = {trial: pattern for pattern, trial in TRIALS.items() if not words or trial.__name__[4:] in words}
    # Artefacts for other machines are made on demand.
    for trial in (try_arm64, try_windows):
        if trial in trials and not words and not list(NEW.glob(trials[trial])):
            del trials[trial]
    for trial, pattern in trials.items():
        name = trial.__name__
        try:
            artefact = one(NEW, pattern)
            name = f"{trial.__name__.removeprefix('try_'):<8} {artefact.name}"[:44]
            took = trial()
            if took[0] + took[1] > (INSTALL_S_MAX if trial not in (try_arm64, try_windows) else 2 * EMULATED_S_MAX):
                raise Failure(f"{took[0] + took[1]:.1f} s from download to first answer")
            if trial is try_archive:
                took.insert(0, 0.0)
            figures = " ".join(f"{seconds:>9.2f}" for seconds in took)
            print(f"{name:<44} {artefact.stat().st_size / 1e6:>6.1f} {figures}")
        except (Failure, subprocess.TimeoutExpired, OSError) as failure:
            failed += 1
            print(f"{name:<44} FAILED: {failure}")
    print(f"{len(trials) + 3 - failed} passed, {failed} failed")
    return min(failed, 1)


NEW_VERSION = one(NEW, f"*-{ARCH}-linux.tar.gz").name.split("-")[1]
if __name__ == "__main__":
    sys.exit(main())
