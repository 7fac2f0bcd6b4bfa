#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Collectives over nodes and their leaders against those that SimGrid SMPI has of its own: reduce
# in each node, allreduce among the leaders, bcast in each node; and bcast likewise. Oracle:
# SMPI's time of a program that calls the collective, on the platform on which it replays our
# messages; they differ by a rendezvous that replayed messages do not have, at most 5 % of these
# sizes. SMPI's own take ranks in the order of the nodes for granted. Ours do not: simulated, they
# take as long whatever seats the ranks have (Bouhrour, Pepin, Jaeger, section 10.1).
. "$(dirname "$0")/common.bash"
command -v smpicc >/dev/null || { echo "smpicc is not installed"; exit 77; }
smpicc -O1 -o "$work/collective" tests/smpi/collective.c 2>"$work/log" ||
	{ cat "$work/log"; echo "smpicc makes no programs here"; exit 77; }
passed=0 failed=0

# 4 nodes, each a host of 8 ranks.
{
	echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
	echo '<platform version="4.1"><zone id="z" routing="Full">'
	for a in 0 1 2 3; do
		echo "<host id=\"h$a\" speed=\"1Gf\" core=\"8\"/>"
		echo "<link id=\"l$a\" bandwidth=\"10GBps\" latency=\"500ns\" sharing_policy=\"FATPIPE\"/>"
		echo "<link id=\"n$a\" bandwidth=\"10GBps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>"
	done
	for a in 0 1 2 3; do
		for b in 0 1 2 3; do
			echo "<route src=\"h$a\" dst=\"h$b\" symmetrical=\"NO\">"
			[ $a != $b ] || echo "<link_ctn id=\"l$a\"/></route>"
			[ $a = $b ] || echo "<link_ctn id=\"n$a\" direction=\"UP\"/>" \
				"<link_ctn id=\"n$b\" direction=\"DOWN\"/></route>"
		done
	done
	echo '</zone></platform>'
} >"$work/platform.xml"

# place ORDER: the job, and the host of each rank
place()
{
	topomap place 'node:4 core:8' "$1" -o "$work/job.json" || exit 3
	write_hosts "$work/job.json" | awk '{ print "h" int(substr($1, 2) / 8) }' >"$work/hosts"
}

# theirs COLLECTIVE SELECTOR BYTES
theirs()
{
	smpirun -np 32 -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		"--cfg=smpi/$1:$2" "$work/collective" "$1" "$3" 2>/dev/null | grep -E '^[0-9.e-]+$'
}

# near WHAT OURS THEIRS MOST: not further apart than so many percent
near()
{
	echo "$1: $2 s, $3 s"
	if awk -v a="$2" -v b="$3" -v most="$4" 'BEGIN { d = a - b; d = d < 0 ? -d : d
			exit !(a > 0 && b > 0 && d * 100 <= most * b) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: more than $4 % apart"
	fi
}

place --map-by=core
for bytes in 65536 1048576; do
	near "allreduce of $bytes bytes and smp_rdb" \
		"$(simulate allreduce hierarchical,levels=node $bytes)" \
		"$(theirs allreduce smp_rdb $bytes)" 5
	near "allreduce of $bytes bytes and smp_binomial" \
		"$(simulate allreduce hierarchical,levels=node,inner=reduce_bcast $bytes)" \
		"$(theirs allreduce smp_binomial $bytes)" 5
	near "bcast of $bytes bytes and SMP_binomial" \
		"$(simulate bcast hierarchical,levels=node $bytes)" \
		"$(theirs bcast SMP_binomial $bytes)" 6
done
for collective in bcast allreduce; do
	place --map-by=core
	ordered=$(simulate $collective hierarchical 1048576)
	for order in --map-by=node --shuffle=7 --shuffle=8; do
		place $order
		near "$collective, $order and ordered" "$(simulate $collective hierarchical 1048576)" \
			"$ordered" 1
	done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
