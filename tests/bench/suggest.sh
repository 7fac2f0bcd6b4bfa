#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# CPU time and memory of `topomap suggest-rankfile`, report and all, against the number of ranks that
# are launched node by node on nodes of 252 cores: without traffic, for a ring and for Bruck's
# allgather, and for a grid, once with a mapper that only counts and once with the best of all. A grid is
# put beside a bare loop over its messages with one counter (bench_grid; the goal is 3 times that, 128 bytes a
# rank, and growth by at most p^1.10): as launched, block, cyclic and what is found, by the costs of seven
# machines each, are as many passes over all messages. NODES chooses sizes ("40 397").
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
bare=${BUILD:-build}/tests/bench/bench_grid
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
node='package:2 numa:6 l3:1 core:21'

# measure OPTION...: "seconds KB gain"
measure()
{
	/usr/bin/time -f '%U %S %M' -o "$work/time" topomap suggest-rankfile "$work/job.json" "$@" \
		-l permutation -o "$work/file" 2>"$work/report" || { cat "$work/report" >&2; exit 1; }
	gain=$(sed -n 's/.* \([0-9.]* %\).*/\1/p' "$work/report" | tail -1)
	awk -v gain="${gain:--}" '{ print $1 + $2, $3, gain }' "$work/time"
}

[ -x /usr/bin/time ] || { echo "/usr/bin/time is not here"; exit 77; }
for row in 'walk|--mapper walk|43808' 'block, a ring|--mapper block --for allgather:ring:64KiB|43808' \
	'block, Bruck|--mapper block --for allgather:bruck:64KiB|3969' \
	'block, a grid|--mapper block --cart 0x0x0|43808' 'best, a grid|--cart 0x0x0|43808' \
	'best, Bruck|--for allgather:bruck:64KiB|397'; do
	IFS='|' read -r name options most <<<"$row"
	printf '\n%s\n%10s %10s %8s %8s %8s %8s %8s\n' "$name" ranks 'CPU s' grows 'B/rank' 'bare s' \
		'x bare' gain
	before=0 last=1
	for nodes in ${NODES:-4 40 397 3969 43808}; do
		[ "$nodes" -le "$most" ] || continue
		topomap place "node:$nodes $node" --map-by node -o "$work/job.json" || exit 1
		loop=-
		[[ $options != *--cart* || ! -x $bare ]] || loop=$("$bare" $((nodes * 252)))
		# shellcheck disable=SC2086
		read -r seconds kilobytes gain <<<"$(measure $options)"
		awk -v n=$((nodes * 252)) -v last="$last" -v s="$seconds" -v before="$before" -v kb="$kilobytes" \
			-v loop="$loop" -v gain="$gain" 'BEGIN {
			grows = before > 0 && s > 0 ? sprintf("%.2f", log(s / before) / log(n / last)) : "-"
			beside = loop > 0 ? sprintf("%.0f", s / loop) : "-"
			printf "%10d %10.2f %8s %8.0f %8s %8s %8s\n", n, s, grows, kb * 1024 / n, loop, beside, gain }'
		before=$seconds last=$((nodes * 252))
	done
done
