#!/bin/sh
# Before an installation: OpenRC has no dynamic users.
id platbook >/dev/null 2>&1 && exit 0
addgroup -S platbook
adduser -S -D -H -h /var/lib/platbook -s /sbin/nologin -G platbook -g platbook platbook
