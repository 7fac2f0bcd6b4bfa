#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time and memory of `topomap suggest-rankfile`, report and all, against the number of ranks that
# are launched node by node on nodes of 252 cores: without traffic, for a ring and for Bruck's
# allgather, and for a grid, once with a mapper that only counts and once with the best of all.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
node='package:2 numa:6 l3:1 core:21'

# measure OPTION...: "seconds MB gain"
measure()
{
	/usr/bin/time -f '%e %M' -o "$work/time" topomap suggest-rankfile "$work/job.json" "$@" \
		-l permutation -o "$work/file" 2>"$work/report" || { cat "$work/report" >&2; exit 1; }
	read -r seconds kilobytes <"$work/time"
	gain=$(sed -n 's/.* \([0-9.]* %\).*/\1/p' "$work/report" | tail -1)
	printf '%10s %8s %8s' "$seconds" $((kilobytes / 1024)) "${gain:--}"
}

[ -x /usr/bin/time ] || { echo "/usr/bin/time is not here"; exit 77; }
for row in 'walk|--mapper walk|43808' 'block, a ring|--mapper block --for allgather:ring:64KiB|43808' \
	'block, Bruck|--mapper block --for allgather:bruck:64KiB|3969' \
	'block, a grid|--mapper block --cart 0x0x0|3969' 'best, a grid|--cart 0x0x0|3969' \
	'best, Bruck|--for allgather:bruck:64KiB|397'; do
	IFS='|' read -r name options most <<<"$row"
	printf '\n%s\n%10s %10s %8s %8s\n' "$name" ranks s MB gain
	for nodes in 4 40 397 3969 43808; do
		[ "$nodes" -le "$most" ] || continue
		topomap place "node:$nodes $node" --map-by node -o "$work/job.json" || exit 1
		# shellcheck disable=SC2086
		printf '%10s %s\n' $((nodes * 252)) "$(measure $options)"
	done
done
