#!/bin/sh
# After a removal. Keys and fetched snapshots in /var/lib/platbook stay.
rm -f /var/log/platbook.log
deluser platbook 2>/dev/null
delgroup platbook 2>/dev/null
exit 0
