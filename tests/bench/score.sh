#!/bin/bash
# Time of scoring every allgather, by ranks; and our time beside SMPI's for one
# answer. MOST_RANKS=11039616 goes on to the largest machine, which takes minutes.
cd "$(dirname "$0")/../.." || exit 3
export PATH=$PWD/${BUILD:-build}:$PATH LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: wall clock of a command
seconds()
{
	local begin=$EPOCHREALTIME
	"$@" >/dev/null || exit 1
	awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f", b - a }'
}

printf '%10s  %9s  every allgather of 64 KiB\n' ranks seconds
for nodes in 4 40 400 4000 43808; do
	ranks=$((nodes * 252))
	[ "$ranks" -le "${MOST_RANKS:-1008000}" ] || break
	topomap place "node:$nodes package:2 numa:2 l3:3 core:21" -o "$work/job.json" || exit 1
	printf '%10d  %9s\n' $ranks \
		"$(seconds topomap score -c allgather -b 64KiB "$work/job.json")"
done

command -v smpirun >/dev/null || { echo "smpirun is not installed: nothing to compare with"; exit 0; }
{
	echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
	echo '<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-127"'
	echo ' speed="1Gf" bw="10GBps" lat="1us"/></platform>'
} >"$work/platform.xml"
seq -f 'h%g' 0 127 >"$work/hosts"
topomap place 'node:16 core:8' -o "$work/job.json" || exit 1
printf '\n%10s  %9s  %9s  an allgather of 64 KiB, 128 ranks\n' algorithm topomap smpirun
for algorithm in ring bruck sparbit; do
	topomap schedule -c allgather -a $algorithm -b 64KiB -f ti -o "$work/trace" \
		"$work/job.json" || exit 1
	ours=$(seconds topomap score -c allgather -a $algorithm -b 64KiB "$work/job.json")
	theirs=$(cd "$work" && seconds smpirun -np 128 -platform platform.xml -hostfile hosts \
		-replay trace --log=root.thres:critical 2>/dev/null)
	printf '%10s  %9s  %9s\n' $algorithm "$ours" "$theirs"
done
