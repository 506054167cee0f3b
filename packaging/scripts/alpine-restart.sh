#!/bin/sh
# After an upgrade.
if [ -d /run/openrc ]; then rc-service --ifstarted platbook restart; fi
exit 0
