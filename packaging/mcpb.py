"""The bundle that desktop clients of language models install with a click."""

from archives import Entry, Release, as_json, zipped

TITLE = "Property and Land Directory"
# At most 100 characters, a limit of the registry.
SUMMARY = "US governments and property offices at a place, with official pages. Works offline."


def manifest(release: Release) -> dict[str, object]:
    return {
        "manifest_version": "0.3",
        "name": "platbook",
        "display_name": TITLE,
        "version": release.version,
        "description": SUMMARY,
        "author": {"name": "The platbook contributors", "url": release.repository},
        "repository": {"type": "git", "url": f"{release.repository}.git"},
        "license": "MIT OR Apache-2.0",
        "keywords": ["government", "property", "land", "county", "assessor"],
        "server": {
            "type": "binary",
            "entry_point": f"server/{release.program}",
            "mcp_config": {"command": f"${{__dirname}}/server/{release.program}", "args": ["mcp", "--offline"], "env": {}},
        },
        "tools_generated": True,
        "compatibility": {"platforms": ["win32" if release.system == "windows" else "linux"]},
    }


def build(release: Release) -> None:
    """Writes the bundle."""
    entries = [
        Entry("manifest.json", as_json(manifest(release))),
        Entry(f"server/{release.program}", release.binary, 0o755),
        Entry("server/platbook.cdx.json", release.bill),
        *release.licenses(),
    ]
    name = f"platbook-{release.version}-{release.system}-{release.arch}.mcpb"
    release.write(name, zipped(entries, release.epoch))
