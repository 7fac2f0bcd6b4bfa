#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A fresh machine for true: `check-fresh.sh bookworm|trixie` makes a bare Debian of that release in
# build/fresh/RELEASE (git and make, nothing else), and in a clone of what is committed here it says
# what README says: `make demo` and `make check`, with `make deps-oracles` between them, unless
# ORACLES=no. It prints the time of each, failures, the reason of each skip and the sums; the whole
# output stays in build/fresh/RELEASE/srv/log.*.
#
# Needs root, debootstrap and a mirror, which is that of this machine's own package sources. All
# that runs, and all that is mounted, ends with this script, however that ends.
set -eu -o pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: check-fresh.sh RELEASE}
root=$PWD/build/fresh/$release
. tools/bare.bash
bare_needs "$release"
[ -z "$(git status --porcelain)" ] || echo "check-fresh: what is not committed is left out" >&2

began=$(date +%s)
bare_make "$release" "$root" git,make,ca-certificates
echo "a bare $release: $(($(date +%s) - began)) s"
# with objects of its own, wherever this clone has its
git clone -q --no-local . "$root/srv/topomap"

cat >"$root/srv/commands" <<'END'
cd /srv/topomap
for command; do
	log=/srv/log.${command#make }
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
commands=("make demo" "make deps-oracles" "make check")
[ "${ORACLES:-yes}" != no ] || commands=("make demo" "make check")
bare_exec "$root" bash /srv/commands "${commands[@]}"
