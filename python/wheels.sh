#!/usr/bin/env bash
# Builds both wheels into python/dist: code by maturin, and data from snapshots/default.platbook. ZSTD_LEVEL=3 packs quickly.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p dist
# setuptools skips files that are not newer, and zstd gives the packed snapshot the time of its source. So an earlier
# build is removed.
rm -rf dist/*.whl data/build
maturin build --locked --out dist "$@"
snapshot=../snapshots/default.platbook
zstd -q -f "-${ZSTD_LEVEL:-19}" "$snapshot" -o data/platbook_data/snapshot.platbook.zst
digest=$(sha256sum "$snapshot" | cut -c1-32)
echo "DIGEST = \"$digest\"" > data/platbook_data/_digest.py
pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./data
ls -l dist
# The wheels have limits of size, because each new machine of a cluster fetches both.
is_small() { [ "$(stat --format=%s $1)" -le "$2" ] || { echo "$1: expected at most $2 bytes" >&2; exit 1; }; }
is_small "dist/platbook-*.whl" 4000000
is_small "dist/platbook_data-*.whl" 36000000
