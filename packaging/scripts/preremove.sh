#!/bin/sh
# Before a removal, and before an upgrade, which leaves the service alone. Debian gives a word, and Red Hat the count of
# versions that stay.
set -e
case "${1:-}" in
upgrade | failed-upgrade | 1) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then systemctl stop platbook.service; fi
if command -v systemctl >/dev/null; then systemctl --quiet disable platbook.service; fi
