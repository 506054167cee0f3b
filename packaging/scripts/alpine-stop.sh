#!/bin/sh
# Before a removal.
if [ -d /run/openrc ]; then rc-service --ifstarted platbook stop; fi
rm -f /etc/runlevels/*/platbook
