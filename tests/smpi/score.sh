#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The predicted order of 15 allgathers against SimGrid SMPI, which knows nothing of our model:
# it replays the messages of each algorithm, rank by rank, over links that are shared max-min.
# Oracle: its simulated time. Two platforms (nodes; nodes and packages) x three placements x
# four sizes; of each such group Spearman's rank correlation, which must reach $LEAST, and over
# all of them the mean (0.95 when this was written). Predicted and simulated times were at most
# 1.24 apart, with small messages: SMPI's ranks run ahead of a round, ours wait for the slowest.
. "$(dirname "$0")/common.bash"
LEAST=${LEAST:-0.75} MEAN=${MEAN:-0.9}
algorithms="ring neighbor_exchange recursive_doubling recursive_doubling_any bruck bruck,radix=4
	sparbit sparbit_blocks pat swing locality_bruck spread linear distance_ring lane"
sizes=${SIZES:-"64 4096 65536 1048576"}
passed=0 failed=0
for levels in 2 3; do
	write_platform $levels >"$work/platform.xml"
	write_profile $levels >"$work/profile.json"
	machine='node:4 core:8'
	[ $levels = 2 ] || machine='node:4 package:2 core:4'
	for order in --map-by=core --map-by=node --shuffle=7; do
		topomap place "$machine" $order -o "$work/job.json" || exit 3
		write_hosts "$work/job.json" >"$work/hosts"
		[ "$(sort -u "$work/hosts" | wc -l)" = 32 ] || { echo "no hosts"; exit 3; }
		for bytes in $sizes; do
			topomap score -c allgather -b "$bytes" --profile "$work/profile.json" \
				$(printf -- '-a %s ' $algorithms) -f csv "$work/job.json" |
				awk -F, '{ name = $1; at = 2 }
					/^"/ { name = substr($1, 2) "," substr($2, 1, length($2) - 1); at = 3 }
					NR > 1 && !seen[name]++ { print name, $at }' >"$work/predicted"
			while read -r algorithm seconds; do
				echo "$seconds $(simulate allgather "$algorithm" "$bytes") $algorithm"
			done <"$work/predicted" >"$work/pairs"
			if [ "$(awk 'NF == 3' "$work/pairs" | wc -l)" != 15 ]; then
				echo "FAILED  smpirun said no time:"; cat "$work/pairs"; exit 1
			fi
			read -r rho ratio who < <(awk -f tests/correlate.awk "$work/pairs")
			echo "$levels levels, $order, $bytes bytes: rho $rho, at most $ratio apart ($who)"
			echo "$rho" >>"$work/rhos"
			[ -z "$VERBOSE" ] || cat "$work/pairs"
			if awk "BEGIN { exit !($rho >= $LEAST) }"; then
				passed=$((passed + 1))
			else
				failed=$((failed + 1))
			fi
		done
	done
done
mean=$(awk '{ s += $1 } END { printf "%.3f", s / NR }' "$work/rhos")
echo "mean rho $mean"
if awk "BEGIN { exit !($mean >= $MEAN) }"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
