#!/bin/bash
# Runs as a service of a freshly booted Debian, with /srv/old.deb and /srv/new.deb: the unit of the package is started,
# upgraded, reloaded and purged. Ends the system; /srv/result says "fine" at its end if all went well.
set -eu
exec >/srv/result 2>&1
trap 'systemctl poweroff --no-block 2>/dev/null' EXIT

ask() {
    exec 3<>/dev/tcp/127.0.0.1/8080 || return
    printf 'GET /v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n' >&3
    grep --quiet county:27053 <&3
}

# answers: within a second of now.
answers() {
    for _ in $(seq 20); do
        if (ask) 2>/dev/null; then return; fi
        sleep 0.05
    done
    echo "no answer within a second"
    systemctl status --no-pager platbook || true
    journalctl --no-pager --unit platbook || true
    return 1
}

process() { systemctl show --property MainPID --value platbook; }

dpkg --install /srv/old.deb
if systemctl is-active platbook; then echo "started without a command"; exit 1; fi
systemctl enable --now platbook
answers
old=$(process)
[ "$(stat --format %u "/proc/$old")" != 0 ] || { echo "it runs as root"; exit 1; }
dpkg --install /srv/new.deb
answers
[ "$(process)" != "$old" ] || { echo "an upgrade does not restart it"; exit 1; }
[ "$(readlink "/proc/$(process)/exe")" = /usr/bin/platbook ] || { echo "not the new program"; exit 1; }
systemctl reload platbook
answers
dpkg --purge platbook
if systemctl is-active platbook; then echo "runs after its removal"; exit 1; fi
for left in /usr/bin/platbook /etc/platbook.toml /var/lib/platbook /var/lib/private/platbook /run/platbook \
    /etc/systemd/system/multi-user.target.wants/platbook.service; do
    if [ -e "$left" ] || [ -L "$left" ]; then echo "left behind: $left"; exit 1; fi
done
echo fine
