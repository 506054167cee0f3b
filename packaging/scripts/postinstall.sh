#!/bin/sh
# After an installation or upgrade. A first installation starts nothing: `systemctl enable --now platbook` does.
# The unit has a dynamic user, so there is no user to add.
set -e
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart platbook.service
fi
