"""The container image: an archive of the OCI layout with one layer, made from nothing but the binary."""

import time

from archives import Entry, Release, as_json, digest, packed, tar

# Nobody on the host: the number that images without a user table use.
USER = 65532
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def labels(release: Release) -> dict[str, str]:
    return {
        "org.opencontainers.image.title": "platbook",
        "org.opencontainers.image.description": release.description,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.created": created(release),
        "org.opencontainers.image.source": release.repository,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
        # The registry of MCP servers compares this with the name in server.json.
        "io.modelcontextprotocol.server.name": "io.github.platbook/platbook",
    }


def created(release: Release) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch))


def layer(release: Release) -> bytes:
    return tar(
        [
            Entry("platbook", release.binary, 0o755),
            Entry("licenses", None, 0o755),
            *[Entry(f"licenses/{entry.path}", entry.data) for entry in release.licenses()],
            Entry("licenses/platbook.cdx.json", release.bill),
            # The folder of fetched snapshots, for a volume: the rest can be read-only.
            Entry("var", None, 0o755),
            Entry("var/lib", None, 0o755),
            Entry("var/lib/platbook", None, 0o755, USER),
        ],
        release.epoch,
    )


def build(release: Release) -> None:
    """Writes the image."""
    content = layer(release)
    blob = packed(content, release.epoch)
    config = as_json(
        {
            "created": created(release),
            "architecture": release.go_arch,
            "os": "linux",
            "config": {
                "User": f"{USER}:{USER}",
                "ExposedPorts": {"8080/tcp": {}},
                # All addresses of the container; the outside reaches what is published of them.
                "Env": ["PATH=/", "PLATBOOK_LISTEN=:8080"],
                "Entrypoint": ["/platbook"],
                "Cmd": ["serve"],
                "Labels": labels(release),
                "StopSignal": "SIGTERM",
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest(content)}"]},
            "history": [{"created": created(release), "created_by": "packaging/image.py"}],
        }
    )
    manifest = as_json(
        {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": described(CONFIG, config),
            "layers": [described(LAYER, blob)],
            "annotations": labels(release),
        }
    )
    index = as_json(
        {
            "schemaVersion": 2,
            "mediaType": INDEX,
            "manifests": [
                {
                    **described(MANIFEST, manifest),
                    "platform": {"architecture": release.go_arch, "os": "linux"},
                    "annotations": {
                        "org.opencontainers.image.ref.name": release.version,
                        "io.containerd.image.name": f"docker.io/library/platbook:{release.version}",
                    },
                }
            ],
        }
    )
    # `docker load` without containerd reads this list of its own.
    of_docker = as_json(
        [
            {
                "Config": f"blobs/sha256/{digest(config)}",
                "RepoTags": [f"platbook:{release.version}"],
                "Layers": [f"blobs/sha256/{digest(blob)}"],
            }
        ]
    )
    blobs = sorted((digest(data), data) for data in (blob, config, manifest))
    entries = [
        Entry("oci-layout", as_json({"imageLayoutVersion": "1.0.0"})),
        Entry("index.json", index),
        Entry("manifest.json", of_docker),
        Entry("blobs", None, 0o755),
        Entry("blobs/sha256", None, 0o755),
        *[Entry(f"blobs/sha256/{name}", data) for name, data in blobs],
    ]
    name = f"platbook-{release.version}-{release.arch}.oci.tar"
    release.write(name, tar(entries, release.epoch))


def described(kind: str, data: bytes) -> dict[str, object]:
    return {"mediaType": kind, "digest": f"sha256:{digest(data)}", "size": len(data)}
