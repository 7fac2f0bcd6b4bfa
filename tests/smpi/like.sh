#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the loops of other benchmarks (--like) say, on a simulated cluster whose times are exact.
# Oracle: closed forms. Each message of n bytes takes T = 20 us + n / (1 GB/s), and is sent at once; a
# call of a rank that only sends takes nothing. The library's barrier is linear: all ranks send to
# rank 0, which then sends to them, so that rank 0 leaves it L = 20 us before the others.
#
#   broadcast, 2 ranks  rank 1 begins L late and waits T - L: the latency is hidden, the mean half of
#                       that. Calls one after the other: they share the bandwidth and pay L once, which
#                       the barrier has hidden, so the same
#   ring, 4 ranks       rank r has its last block 3 T after rank r + 1 began: 3 T + L for rank 0, 3 T - L
#                       for rank 3, 3 T for the others. Of 4 calls one after the other a block goes round
#                       three times, and every rank ends 12 T after it began, or L earlier or later
#                       where its first block came from another: 12 T at all
. "$(dirname "$0")/common.bash"
need_bench
passed=0 failed=0
config="$config --cfg=smpi/barrier:ompi_basic_linear --cfg=smpi/async-small-thresh:65536 --cfg=smpi/wtime:0"

# platform LATENCY: that of each host's link; two are on the way
platform()
{
	cat >"$work/platform.xml" <<-END
	<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
	<platform version="4.1">
	<cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="$1"/>
	</platform>
	END
}
seq -f 'h%g' 0 3 >"$work/hosts"

# measure RANKS OPTION...: "BYTES REPETITIONS MIN AVG MAX" a line, in us, of the benchmark $way
measure()
{
	local ranks=$1
	shift
	topomap place "node:1 package:1 core:4" -n "$ranks" -o "$work/job.json" || exit 3
	smpirun -np "$ranks" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		build/smpi/topomap-bench collective "$@" --like "$way" --seed 1 -f csv \
		--placement "$work/job.json" 2>"$work/log" | awk -F, -v way="${way/-/_}" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["bytes"], $column[way "_repetitions"], $column[way "_min_seconds"] * 1e6,
			$column[way "_avg_seconds"] * 1e6, $column[way "_max_seconds"] * 1e6 }' | sort -n
}

# says WHAT WANTED CAME: numbers of lines, within 0.2 us
says()
{
	if awk -v wanted="$2" -v came="$3" 'BEGIN {
		n = split(wanted, w, " "); bad = !n || split(came, c, " ") != n
		for (i = 1; i <= n; i++) bad = bad || c[i] < w[i] - 0.2 || c[i] > w[i] + 0.2
		exit bad }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: $3, not $2"
		head -n 3 "$work/log"
	fi
}

platform 10us
for way in osu imb imb-nosync; do
	says "broadcast as $way" "1000 4 0 0.5 1 10000 4 0 5 10" \
		"$(measure 2 -c bcast -a flat -b 1000,10000 -i 4 -x 2 | paste -sd ' ')"
done
for way in osu imb; do
	says "ring as $way" "1000 4 43 63 83 10000 4 70 90 110" \
		"$(measure 4 -c allgather -a ring -b 1000,10000 -i 4 -x 2 | paste -sd ' ')"
done
way=imb-nosync
says "ring as $way" "1000 4 63 63 63 10000 4 90 90 90" \
	"$(measure 4 -c allgather -a ring -b 1000,10000 -i 4 -x 2 | paste -sd ' ')"

# Their own sizes and numbers of calls: those that their manuals and their output have.
sizes()
{
	measure 2 -c bcast -a flat -t 0.001 | awk '{ print $1 " " $2 }' | paste -sd ' '
}
way=osu
says "sizes of osu" "$(for ((b = 1; b <= 1 << 20; b *= 2)); do echo $b $((b > 8192 ? 100 : 1000)); done | paste -sd ' ')" \
	"$(sizes)"
# 3 T + L = 8 s where a message takes 2 s: 1 + 10 / 8 calls in 10 seconds, 1 + 30 / 8 in 30
platform 1s
way=imb
says "calls of imb in 10 seconds" "8 2" \
	"$(measure 4 -c allgather -a ring -b 8 | awk '{ print $1 " " $2 }' | paste -sd ' ')"
says "calls of imb in 30 seconds" "8 4" \
	"$(measure 4 -c allgather -a ring -b 8 -t 30 | awk '{ print $1 " " $2 }' | paste -sd ' ')"
says "a number of calls is that number" "8 9" \
	"$(measure 4 -c allgather -a ring -b 8 -i 9 | awk '{ print $1 " " $2 }' | paste -sd ' ')"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
