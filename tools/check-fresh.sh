#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A fresh machine for true: `check-fresh.sh bookworm|trixie` makes a bare Debian of that release in
# build/fresh/RELEASE (git and make, nothing else), and in a clone there says what README says:
# `make demo` and `make check`. The last lines are theirs. Needs root, debootstrap and a mirror,
# which is that of this machine's own package sources. What runs there ends with this script.
set -eu -o pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: check-fresh.sh RELEASE}
root=$PWD/build/fresh/$release
[ "$(id -u)" -eq 0 ] || { echo "check-fresh: it needs root" >&2; exit 3; }
command -v debootstrap >/dev/null || { echo "check-fresh: it needs debootstrap" >&2; exit 3; }

# The first source of this machine that is no security archive.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' |
	grep -v security | head -n 1)
[ -n "$mirror" ] || { echo "check-fresh: /etc/apt names no mirror" >&2; exit 3; }

rm -rf "$root"
mkdir -p "$root"
debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" "$mirror" \
	>"$root.log" 2>&1 || { tail -n 3 "$root.log" >&2; exit 3; }
echo "deb $mirror $release main" >"$root/etc/apt/sources.list"
cp /etc/apt/apt.conf.d/*prox* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
git clone -q . "$root/root/topomap"

cat >"$root/root/commands" <<'END'
cd /root/topomap
for command in "make demo" "make check"; do
	began=$(date +%s)
	$command >/root/log 2>&1 </dev/null
	status=$?
	[ "$status" -eq 0 ] || grep -a -A 12 '^FAILED\|[Ee]rror' /root/log | tail -n 200
	[ "$command" = "make demo" ] || grep -a -i '^skip' /root/log
	[ "$command" = "make demo" ] || grep -a ' passed, .* failed' /root/log | tail -n 1
	echo "$command: status $status after $(($(date +%s) - began)) s"
	[ "$status" -eq 0 ] || exit 1
done
END
# namespaces of its own for mounts and processes: both are gone when it ends; tests that make
# namespaces themselves need a root that is a mount point
exec unshare --mount --pid --fork --kill-child bash -c '
	mount --bind "$0" "$0" && cd "$0" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" && mount -t proc proc "$0/proc" &&
	exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C chroot "$0" bash /root/commands' \
	"$root"
