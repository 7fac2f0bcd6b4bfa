#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time of scoring a hierarchical collective, by ranks: on equal nodes, and where the last node is
# not full. MOST_RANKS=11039616 goes on to the largest machine, which takes minutes.
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

collectives='bcast allreduce allgather gather reduce_scatter alltoall'
printf '%10s' ranks
printf '  %14s' $collectives
echo '  seconds, hierarchical, 64 B'
for nodes in 4 40 400 4000 43808; do
	ranks=$((nodes * 252))
	[ "$ranks" -le "${MOST_RANKS:-1008000}" ] || break
	for missing in 0 5; do
		topomap place "node:$nodes package:2 numa:2 l3:3 core:21" -n $((ranks - missing)) \
			-o "$work/job.json" || exit 1
		printf '%10d' $((ranks - missing))
		for collective in $collectives; do
			printf '  %14s' "$(seconds topomap score -c $collective -b 64 \
				-a hierarchical "$work/job.json")"
		done
		echo
	done
done
