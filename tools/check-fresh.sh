#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A fresh machine for true: `check-fresh.sh bookworm|trixie` makes a bare Debian of that release in
# build/fresh/RELEASE (git and make, nothing else), and in a clone of what is committed here it says
# what README says: `make demo` and `make check`, with `make deps-oracles` between them, unless
# ORACLES=no. It prints the time of each, failures, the reason of each skip and the sums; the whole
# output stays in build/fresh/RELEASE/root/log.*.
#
# Needs root, debootstrap and a mirror, which is that of this machine's own package sources. All
# that runs, and all that is mounted, ends with this script, however that ends.
set -eu -o pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: check-fresh.sh RELEASE}
root=$PWD/build/fresh/$release
stop() { echo "check-fresh: $*" >&2; exit 3; }
[ "$(id -u)" -eq 0 ] || stop "it needs root"
command -v debootstrap >/dev/null || stop "it needs debootstrap"
[ -e "/usr/share/debootstrap/scripts/$release" ] || stop "debootstrap knows no release '$release'"
[ -z "$(git status --porcelain)" ] || echo "check-fresh: what is not committed is left out" >&2

# Of this machine's sources the first that is Debian itself, or else the first that is no security
# archive.
sources=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' |
	grep -v security || true)
mirror=$(echo "$sources" | grep -m 1 '/debian/*$' || echo "$sources" | head -n 1)
[ -n "$mirror" ] || stop "/etc/apt names no mirror"

# Namespaces of its own for mounts and processes: both are gone when it ends.
alone() { unshare --mount --pid --fork --kill-child --mount-proc "$@"; }

mkdir -p "${root%/*}"
rm -rf --one-file-system "$root"
began=$(date +%s)
# with debootstrap's own mounts in sight of nobody
alone debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" \
	"$mirror" >"$root.log" 2>&1 </dev/null || { tail -n 3 "$root.log" >&2; exit 3; }
echo "a bare $release: $(($(date +%s) - began)) s"
echo "deb $mirror $release main" >"$root/etc/apt/sources.list"
# how this machine reaches its mirror
{ grep -l '^ *Acquire' /etc/apt/apt.conf.d/* /etc/apt/apt.conf 2>/dev/null || true; } |
	while read -r file; do cp "$file" "$root/etc/apt/apt.conf.d/"; done
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" >"$root/etc/hosts"
# with objects of its own, wherever this clone has its
git clone -q --no-local . "$root/root/topomap"

cat >"$root/root/commands" <<'END'
cd /root/topomap
for command; do
	log=/root/log.${command#make }
	began=$(date +%s)
	status=0
	$command >"$log" 2>&1 </dev/null || status=$?
	seconds=$(($(date +%s) - began))
	if [ "$command" = "make check" ]; then
		# a line that begins with ok or FAILED ends a check's, and behind ok are its reasons to skip
		awk '/^(ok|FAILED) / { skips = /^ok .* [1-9][0-9]* skipped/ } skips || /^[Ss]kip/' "$log"
		[ "$status" -eq 0 ] || grep -a -A 12 '^FAILED' "$log" | head -n 300
		grep -a -x '[0-9]* passed, [0-9]* failed, [0-9]* skipped' "$log" | tail -n 1
	elif [ "$status" -ne 0 ]; then
		tail -n 40 "$log"
	fi
	echo "$command: status $status after $seconds s"
	[ "$status" -eq 0 ] || exit 1
done
END
# tests that make namespaces need a root that is a mount point
commands=("make demo" "make deps-oracles" "make check")
[ "${ORACLES:-yes}" != no ] || commands=("make demo" "make check")
exec unshare --mount --pid --fork --kill-child bash -c '
	root=$1
	shift
	mount --bind "$root" "$root" && cd "$root" &&
	mount --rbind /dev dev && mount -t tmpfs tmpfs dev/shm && mount --rbind /sys sys &&
	mount -t proc proc proc &&
	exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
		chroot . bash /root/commands "$@"' check-fresh "$root" "${commands[@]}"
