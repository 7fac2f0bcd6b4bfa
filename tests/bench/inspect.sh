#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time and memory of `topomap place`, `topomap inspect` and `topomap hierarchy` against the number
# of ranks, on nodes of 252 cores, and how the seconds of inspect grow: the exponent from one size
# to the next.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
node='package:2 numa:6 l3:1 core:21'

# run NAME COMMAND...: sets seconds and peak (in MB, of the process itself)
run()
{
	local begin end
	begin=$EPOCHREALTIME
	"${@:2}" >"$work/out" &
	peak=0
	while [ -r "/proc/$!/status" ]; do
		size=$(sed -n 's/^VmHWM:[ \t]*\([0-9]*\) kB/\1/p' "/proc/$!/status" 2>/dev/null)
		[ -n "$size" ] && peak=$((size / 1024))
		sleep 0.01
	done
	[ "$peak" -gt 0 ] || peak=-   # too quick to be seen
	wait $! || { echo "$1 failed" >&2; exit 1; }
	end=$EPOCHREALTIME
	seconds=$(awk "BEGIN { printf \"%.2f\", $end - $begin }")
}

for order in 'block --map-by core' 'cyclic --map-by node' 'random --shuffle 1'; do
	read -r name options <<<"$order"
	printf '\n%s\n%10s %10s %6s %10s %6s %10s %9s %12s %6s\n' "$name" ranks 'place s' MB \
		'inspect s' MB 'document' exponent 'hierarchy s' MB
	before=
	for nodes in 4 40 397 3969 43808; do
		# shellcheck disable=SC2086
		run place topomap place "node:$nodes $node" $options -o "$work/job.json"
		place="$seconds $peak"
		run inspect topomap inspect "$work/job.json"
		exponent=$(awk -v now="$seconds" -v before="$before" -v nodes="$nodes" -v last="$last" \
			'BEGIN { if (before > 0.05) printf "%.2f", log(now / before) / log(nodes / last) }')
		before=$seconds last=$nodes
		inspect="$seconds $peak"
		run hierarchy topomap hierarchy "$work/job.json"
		# shellcheck disable=SC2086
		printf '%10d %10s %6s %10s %6s %10s %9s %12s %6s\n' $((nodes * 252)) $place $inspect \
			"$(stat -c %s "$work/job.json" | numfmt --to=si)" "${exponent:--}" \
			"$seconds" "$peak"
	done
done
