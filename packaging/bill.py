"""Writes the bill of materials of the binary as CycloneDX: python3 packaging/bill.py TARGET >platbook.cdx.json.

It has each crate that is linked, by what cargo resolves for the target, the snapshot, and the libraries of the compiler
and of the system that a static program has inside. Macros and build scripts run at the build alone, so they are left out."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "platbook-service"


def linked(target: str) -> tuple[list[dict], dict[str, list[str]]]:
    """What the program links, itself first, and the graph of it by references."""
    command = [os.environ.get("CARGO", "cargo"), "tree", "--locked", "--package", PACKAGE, "--target", target]
    command += ["--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}|{l}|{r}"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    crates, graph, above = {}, {}, []
    for line in printed.splitlines():
        depth, line = line.split(" ", 1)
        name, license, repository = line.removesuffix(" (*)").split("|")
        name, version = name.split(" ")[:2]
        version = version.removeprefix("v")
        reference = f"pkg:cargo/{name}@{version}"
        crates[reference] = {
            "bom-ref": reference,
            "name": name,
            "version": version,
            "purl": reference,
            # Old crates separate licenses by a slash.
            "licenses": [{"expression": license.replace("/", " OR ")}],
            "repository": repository,
        }
        graph.setdefault(reference, set())
        above[int(depth) :] = [reference]
        if int(depth):
            graph[above[-2]].add(reference)
    return list(crates.values()), {reference: sorted(links) for reference, links in graph.items()}


def component(crate: dict, digests: dict[tuple[str, str], str]) -> dict:
    kept = {name: value for name, value in crate.items() if name != "repository"}
    if digest := digests.get((crate["name"], crate["version"])):
        kept["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return {"type": "library", **kept}


def c_library(target: str) -> str:
    """The version of the C library that is linked: of this machine, or of its cross compiler."""
    if target.startswith(os.uname().machine):
        return os.confstr("CS_GNU_LIBC_VERSION").split()[1]
    package = {"aarch64": "libc6-dev-arm64-cross", "x86_64": "libc6-dev-amd64-cross"}[target.split("-")[0]]
    command = ["dpkg-query", "--show", "--showformat", "${Version}", package]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("-")[0]


def others(target: str) -> list[dict]:
    """What is inside and no crate: the standard library, the C library and the snapshot."""
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()[1]
    snapshot = (ROOT / "snapshots/default.platbook").read_bytes()
    made = [
        ("library", "rust-std", rust, "MIT OR Apache-2.0"),
    ]
    if "linux" in target:
        made.append(("library", "glibc", c_library(target), "LGPL-2.1-or-later"))
    components = [
        {"type": kind, "bom-ref": name, "name": name, "version": version, "licenses": [{"expression": license}]}
        for kind, name, version, license in made
    ]
    digest = hashlib.sha256(snapshot).hexdigest()
    components.append(
        {"type": "data", "bom-ref": "snapshot", "name": "default.platbook", "hashes": [{"alg": "SHA-256", "content": digest}]}
    )
    return components


def main() -> None:
    crates, graph = linked(sys.argv[1])
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    digests = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    program, rest = crates[0], others(sys.argv[1])
    graph[program["bom-ref"]] += [component["bom-ref"] for component in rest]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "component": {
                "type": "application",
                "bom-ref": program["bom-ref"],
                "name": "platbook",
                "version": program["version"],
                "licenses": program["licenses"],
                "externalReferences": [{"type": "vcs", "url": program["repository"]}],
            },
        },
        "components": sorted((component(crate, digests) for crate in crates[1:]), key=lambda found: found["bom-ref"]) + rest,
        "dependencies": [{"ref": reference, "dependsOn": links} for reference, links in sorted(graph.items())],
    }
    print(json.dumps(bill, indent=2))


if __name__ == "__main__":
    main()
