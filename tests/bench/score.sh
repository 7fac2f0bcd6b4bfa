#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Our time beside that of SimGrid SMPI for the same answer: how long an allgather takes. SMPI
# replays every message; ours is the mean over many answers in one process, placement given, and
# beside it a whole `topomap score`, which starts, reads a file and prints. bench_score has the
# time and memory of larger jobs. MOST_RANKS=256 leaves out what takes SMPI long.
cd "$(dirname "$0")/../.." || exit 3
B=$PWD/${BUILD:-build}
export PATH=$B:$PATH LC_ALL=C
command -v smpirun >/dev/null || { echo "smpirun is not installed: nothing to compare with"; exit 0; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: of CPU, its own and its children's
seconds()
{
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>"$work/said"; } 2>"$work/time" || { cat "$work/said" >&2; exit 1; }
	awk '{ printf "%.3f", $1 + $2 }' "$work/time"
}

printf '%6s  %-10s %12s %12s %12s %10s %10s\n' ranks allgather 'an answer' 'a process' smpirun \
	'answers' 'processes'
for ranks in 128 512 1024; do
	[ "$ranks" -le "${MOST_RANKS:-1024}" ] || break
	{
		echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
		echo "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\""
		echo " radical=\"0-$((ranks - 1))\" speed=\"1Gf\" bw=\"10GBps\" lat=\"1us\"/></platform>"
	} >"$work/platform.xml"
	seq -f 'h%g' 0 $((ranks - 1)) >"$work/hosts"
	topomap place "node:$((ranks / 8)) core:8" -o "$work/job.json" || exit 1
	for algorithm in ring bruck sparbit; do
		topomap schedule -c allgather -a $algorithm -b 64KiB -f ti -o "$work/trace" \
			"$work/job.json" || exit 1
		answer=$("$B/tests/bench/bench_score" answer $((ranks / 8)) $algorithm) || exit 1
		process=$(seconds topomap score -c allgather -a $algorithm -b 64KiB "$work/job.json")
		theirs=$(cd "$work" && seconds smpirun -np $ranks -platform platform.xml \
			-hostfile hosts -replay trace --log=root.thres:critical)
		awk -v ranks=$ranks -v name=$algorithm -v answer="$answer" -v process="$process" \
			-v theirs="$theirs" 'BEGIN { printf "%6d  %-10s %10.6f s %10.3f s %10.3f s " \
			"%8.0f x %8.0f x\n", ranks, name, answer, process, theirs, theirs / answer,
			theirs / (process > 0 ? process : 0.001) }'
	done
done
