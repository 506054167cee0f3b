"""The packages of npm: `platbook` picks the package of its platform, which holds the binary."""

from archives import Entry, Release, as_json, packed, tar

# Platforms that packages are published for. npm installs the one that fits.
PLATFORMS = ("linux-x64", "linux-arm64", "win32-x64")

README = """\
# platbook

{description}

```sh
npx platbook resolve 44.9773 -93.2655    # who does what at this point
npx platbook serve                       # web pages and API on http://127.0.0.1:8080
npx platbook mcp                         # for language models
```

The whole country is inside: it needs no network.
"""


def common(release: Release) -> dict[str, object]:
    return {
        "version": release.version,
        "description": release.description,
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": f"git+{release.repository}.git"},
    }


def package(release: Release, name: str, entries: list[Entry]) -> None:
    entries = [Entry(f"package/{entry.path}", entry.data, entry.mode) for entry in entries]
    release.write(name, packed(tar(entries, release.epoch), release.epoch))


def build(release: Release) -> None:
    """Writes both packages."""
    readme = Entry("README.md", README.format(description=release.description).encode())
    system = "win32" if release.system == "windows" else release.system
    platform = f"{system}-{release.node_arch}"
    of_platform = {
        "name": f"@platbook/{platform}",
        **common(release),
        "os": [system],
        "cpu": [release.node_arch],
        "files": [release.program, "platbook.cdx.json"],
        "preferUnplugged": True,
    }
    wrapper = {
        "name": "platbook",
        **common(release),
        "bin": {"platbook": "platbook.js"},
        "files": ["platbook.js"],
        "engines": {"node": ">=18"},
        "mcpName": "io.github.platbook/platbook",
        "optionalDependencies": {f"@platbook/{name}": release.version for name in PLATFORMS},
    }
    binary = [
        Entry("package.json", as_json(of_platform)),
        Entry(release.program, release.binary, 0o755),
        Entry("platbook.cdx.json", release.bill),
        readme,
        *release.licenses(),
    ]
    script = [
        Entry("package.json", as_json(wrapper)),
        Entry("platbook.js", release.text("packaging/platbook.js"), 0o755),
        readme,
        *release.licenses(),
    ]
    package(release, f"npm-platbook-{platform}-{release.version}.tgz", binary)
    package(release, f"npm-platbook-{release.version}.tgz", script)
