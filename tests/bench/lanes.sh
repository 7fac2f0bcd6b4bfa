#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time and memory of `topomap lanes`, and of scores of collectives by lanes, against the number of
# ranks, on nodes of 252 cores.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
[ -x /usr/bin/time ] || { echo "/usr/bin/time is not here"; exit 77; }

# run COMMAND...: "seconds" and "MB" of it
run()
{
	/usr/bin/time -f '%e %M' -o "$work/time" "$@" >"$work/out" || exit 1
	awk '{ printf "%8.2f %6d", $1, $2 / 1024 }' "$work/time"
}

for order in 'block --map-by core' 'cyclic --map-by node' 'random --shuffle 1'; do
	read -r name options <<<"$order"
	printf '\n%s\n%10s %8s %6s %8s %6s %8s %6s %8s %6s\n' "$name" ranks 'lanes s' MB 'json s' MB \
		'bcast s' MB 'gather s' MB
	for nodes in 4 40 397 3969 43808; do
		# shellcheck disable=SC2086
		topomap place "node:$nodes package:2 core:126" $options -o "$work/job.json"
		printf '%10d %s %s %s %s\n' $((nodes * 252)) "$(run topomap lanes "$work/job.json")" \
			"$(run topomap lanes -f json "$work/job.json")" \
			"$(run topomap score -c bcast -b 1MiB -a lane "$work/job.json")" \
			"$(run topomap score -c allgather -b 64 -a lane "$work/job.json")"
	done
done
