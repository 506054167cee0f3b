#!/bin/sh
# After a removal. Keys and fetched snapshots stay until `apt purge platbook`; on Red Hat, delete the folder by hand.
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "${1:-}" = purge ]; then rm -rf /var/lib/platbook /var/lib/private/platbook; fi
