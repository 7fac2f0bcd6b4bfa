#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The lane pattern on simulated nodes with 1, 2 and 4 links: it must find as many lanes. Oracle: SimGrid
# SMPI, which shares each link among the messages on it; a message of rank i goes over link i modulo
# their number.
. "$(dirname "$0")/common.bash"
command -v smpicc >/dev/null || { echo "smpicc is not installed"; exit 77; }
smpicc -std=c11 -D_GNU_SOURCE -I. -O1 -o "$work/lanes" tests/smpi/lanes.c mpi_run/bench/lane_exchange.c \
	"${BUILD:-build}/libtopomap-inner.a" -lm >"$work/log" 2>&1 ||
	{ cat "$work/log"; echo "smpicc makes no programs here"; exit 77; }
passed=0 failed=0

# 4 nodes of 4 ranks, each a host, and so many links of 1 GB/s a node.
platform()
{
	awk -v links="$1" '
	function hop(id, way) { printf "<link_ctn id=\"%s\" direction=\"%s\"/>", id, way }
	BEGIN {
		print "<?xml version=\"1.0\"?>"
		print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
		print "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
		for (h = 0; h < 16; h++)
			printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", h
		for (n = 0; n < 4; n++)
			for (l = 0; l < links; l++)
				printf "<link id=\"n%d_%d\" bandwidth=\"1GBps\" latency=\"1us\" " \
					"sharing_policy=\"SPLITDUPLEX\"/>\n", n, l
		for (a = 0; a < 16; a++)
			for (b = 0; b < 16; b++) {
				if (a == b)
					continue
				printf "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", a, b
				hop("n" int(a / 4) "_" a % links, "UP")
				hop("n" int(b / 4) "_" b % links, "DOWN")
				print "</route>"
			}
		print "</zone></platform>"
	}' >"$work/platform.xml"
	seq 0 15 | sed 's/^/h/' >"$work/hosts"
}

# speedups BYTES: of 1, 2 and 4 ranks a node
speedups()
{
	# shellcheck disable=SC2086
	smpirun -np 16 -platform "$work/platform.xml" -hostfile "$work/hosts" $config "$work/lanes" 4 "$1" 5 \
		2>"$work/err" | awk 'NF == 3 { print $3 }' | paste -sd ' '
}

# near WHAT WANTED CAME: within 5 %
near()
{
	echo "$1: $3"
	if awk -v wanted="$2" -v came="$3" 'BEGIN {
		n = split(wanted, w, " "); bad = split(came, c, " ") != n
		for (i = 1; i <= n; i++) bad = bad || c[i] < 0.95 * w[i] || c[i] > 1.05 * w[i]
		exit bad }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: not $2"
		head -n 3 "$work/err"
	fi
}

for links in 1 2 4; do
	platform "$links"
	near "2 MiB over $links links" "1 $((links < 2 ? links : 2)) $links" "$(speedups 2097152)"
	near "4 bytes over $links links" "1 1 1" "$(speedups 4)"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
