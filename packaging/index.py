"""Makes what speaks of all artefacts of a release: digests, the Homebrew formula, the entry of the registry of MCP servers.

Reads a folder with the artefacts of one architecture or more: python3 packaging/index.py FOLDER."""

import os
import pathlib
import subprocess
import sys
import tomllib

from archives import as_json, digest
from mcpb import SUMMARY, TITLE

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "io.github.platbook/platbook"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
OF_ALL = ("SHA256SUMS", "SHA256SUMS.minisig", "server.json", "platbook.rb")
# How Homebrew calls the architectures.
BLOCKS = {"x86_64": "intel", "aarch64": "arm"}
FORMULA = """\
# Made by packaging/index.py for version {version}.
class Platbook < Formula
  desc "Which US governments cover a place, and which office does each property job"
  homepage "{repository}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on :linux
{addresses}
  def install
    bin.install "platbook"
    man1.install "platbook.1"
    bash_completion.install "platbook.bash" => "platbook"
    zsh_completion.install "platbook.zsh" => "_platbook"
    fish_completion.install "platbook.fish"
  end

  test do
    assert_match "county:27053", shell_output("#{{bin}}/platbook resolve 44.9773 -93.2655")
  end
end
"""
ADDRESS = """
  on_{block} do
    url "{address}"
    sha256 "{digest}"
  end
"""


def formula(version: str, repository: str, archives: dict[str, pathlib.Path]) -> str:
    """The formula; `archives` has the archive of each architecture."""
    addresses = "".join(
        ADDRESS.format(block=BLOCKS[arch], address=address(version, repository, path), digest=digest(path.read_bytes()))
        for arch, path in archives.items()
    )
    return FORMULA.format(version=version, repository=repository, addresses=addresses)


def address(version: str, repository: str, path: pathlib.Path) -> str:
    """Where a file of this release is published."""
    return f"{repository}/releases/download/v{version}/{path.name}"


def registry_entry(version: str, repository: str, bundles: list[pathlib.Path]) -> dict[str, object]:
    """server.json, which names each bundle by its digest."""
    stdio = {"type": "stdio"}
    arguments = [{"type": "positional", "value": "mcp"}, {"type": "named", "name": "--offline"}]
    of_registry = {"version": version, "transport": stdio, "packageArguments": arguments}
    of_bundles = [
        {
            "registryType": "mcpb",
            "identifier": address(version, repository, path),
            "fileSha256": digest(path.read_bytes()),
            "transport": stdio,
        }
        for path in bundles
    ]
    return {
        "$schema": SCHEMA,
        "name": NAME,
        "title": TITLE,
        "description": SUMMARY,
        "version": version,
        "repository": {"url": repository, "source": "github"},
        "packages": [
            {"registryType": "npm", "identifier": "platbook", "runtimeHint": "npx", **of_registry},
            {"registryType": "pypi", "identifier": "platbook-server", **of_registry},
            *of_bundles,
        ],
    }


def sums(folder: pathlib.Path, version: str) -> None:
    """Writes the digests of all files, and signs them if there is a key: one signature for all."""
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("SHA256SUMS"))
    lines = [f"{digest((folder / name).read_bytes())}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines))
    if key := os.environ.get("SIGN_KEY"):
        command = ["minisign", "-S", "-s", key, "-t", f"platbook {version}", "-m", folder / "SHA256SUMS"]
        subprocess.run(command, check=True)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for name in OF_ALL:
        (folder / name).unlink(missing_ok=True)
    archives = {path.name.split("-")[2]: path for path in sorted(folder.glob("platbook-*-linux.tar.gz"))}
    version = next(iter(archives.values())).name.split("-")[1]
    repository = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
    (folder / "platbook.rb").write_text(formula(version, repository, archives))
    entry = registry_entry(version, repository, sorted(folder.glob("*.mcpb")))
    (folder / "server.json").write_bytes(as_json(entry))
    sums(folder, version)


if __name__ == "__main__":
    main()
