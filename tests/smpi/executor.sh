#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench built by smpicc, on simulated clusters: every algorithm at 64 ranks and some at 250,
# executed over SMPI's point-to-point, every result looked at. Oracles: what each collective must
# leave (bench_data.h), and the platform, on which a message of few bytes takes 20 us, so that a ring
# takes p - 1 of them and sparbit log p. WHOLE=1: every algorithm at 64 ranks, else at 32.
. "$(dirname "$0")/common.bash"
passed=0 failed=0
need_bench

cat >"$work/platform.xml" <<'END'
<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-249" speed="1Gf" bw="1GBps" lat="10us"/>
</platform>
END
seq -f 'h%g' 0 249 >"$work/hosts"

# measure RANKS OPTION...: CSV in $work/out
measure()
{
	local ranks=$1
	shift
	topomap place "node:$(((ranks + 3) / 4)) package:2 core:2" -n "$ranks" -o "$work/job.json" ||
		exit 3
	smpirun -np "$ranks" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		build/smpi/topomap-bench collective --repetitions 1 --check -f csv \
		--placement "$work/job.json" -o "$work/out" "$@" >"$work/log" 2>&1
}

# right ROWS WHAT OPTION...: at least so many algorithms are right, and the status says so
right()
{
	local rows=$1 what=$2 count
	shift 2
	rm -f "$work/out"
	if ! measure "$@"; then
		failed=$((failed + 1))
		echo "FAILED  $what: $(grep topomap-bench: "$work/log" | head -n 3)"
		return
	fi
	count=$(($(wc -l <"$work/out") - 1))
	if [ "$count" -ge "$rows" ]; then
		passed=$((passed + count))
	else
		failed=$((failed + 1))
		echo "FAILED  $what: $count experiments, not $rows"
	fi
}

# takes ALGORITHM MESSAGES: as long as so many of 20 us one after another, and 2 % at most
takes()
{
	local seconds
	seconds=$(awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["algorithm"] == name { print $column["median_seconds"] }' "$work/out")
	if awk -v is="$seconds" -v least="$2" 'BEGIN { least *= 20e-6
			exit !(is >= least && is <= least * 1.02) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1 takes $seconds s, and $2 messages $2 times 20 us"
	fi
}

all=()
for collective in allgather bcast reduce allreduce reduce_scatter reduce_scatter_block gather \
	scatter scan exscan alltoall; do
	all+=(-c $collective)
done
most=32
[ -z "$WHOLE" ] || most=64
right 100 "every algorithm at $most ranks" $most "${all[@]}" -b 1000 -a all
right 3 "barriers at 64 ranks" 64 -c barrier -a dissemination -a tree -a hierarchical
right 2 "neighbors at 64 ranks" 64 -c neighbor_allgather,neighbor_alltoall -b 1000 -a linear \
	--stencil moore:1 --cart 8x8 --periods 1,0
right 2 "neighbors at 250 ranks" 250 -c neighbor_allgather,neighbor_alltoall -b 1000 -a linear \
	--stencil cart --cart 5x5x10 --periods 0,1,1
right 3 "allgather at 64 ranks" 64 -c allgather -b 8 -a ring -a sparbit -a bruck
takes ring 63
takes sparbit 6
takes bruck 6
right 4 "allgather at 250 ranks" 250 -c allgather -b 8 -a sparbit -a bruck -a lane -a hierarchical
takes sparbit 8
# messages of one algorithm on both sides of the eager limit
config="$config --cfg=smpi/async-small-thresh:8192 --cfg=smpi/send-is-detached-thresh:8192"
right 1 "allgather with small and large messages" 32 -c allgather -b 6712 -a neighbor_exchange
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
