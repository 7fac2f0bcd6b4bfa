#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Mappings beside Scotch's, in the same run: cost and time. Costs are what both are judged by
# here, bytes times the cost of the outermost level that separates two ranks (100, 20, 10, 1), as
# ratios to the block mapping. Scotch gets the machine as a tleaf with the same costs, and several
# strategies, of which the best valid mapping counts; its time is that of all of them.
# ONLY=sample: the matrices and small grids, as tests/mappers/scotch.sh runs it.
cd "$(dirname "$0")/../.." || exit 3
export LC_ALL=C
bench=${BUILD:-build}/tests/bench/bench_mapping
data=${TOPOMAP_DATA:-../shared/data}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
[ -x "$bench" ] || { echo "$bench is not built"; exit 3; }
has_scotch=$(command -v scotch_gmap)
[ -n "$has_scotch" ] || echo "scotch_gmap is not installed: ours alone"
effort=${EFFORT:-200000000}

# target RANKS CORES: nodes of 2 packages of 2 NUMA nodes of so many cores
target()
{
	echo "tleaf 4 $((($1 + 4 * $2 - 1) / (4 * $2))) 100 2 20 2 10 $2 1"
}

# scotch JOB RANKS CORES: cost of its best mapping and seconds; "-" where none is valid
scotch()
{
	local begin=$EPOCHREALTIME best=- cost options
	local strategies=("" -b0 -cq -cqb "-cb -b0" "-cqb -b0")
	[ "$2" -le 8192 ] || strategies=("" "-cqb -b0") # a minute each
	"$bench" graph "$1" >"$work/graph" || return
	target "$2" "$3" >"$work/target"
	for options in "${strategies[@]}"; do
		scotch_gmap $options "$work/graph" "$work/target" "$work/map" /dev/null \
			2>/dev/null || continue
		cost=$("$bench" judge "$1" "$work/map") || continue
		[ "$cost" != - ] || continue
		best=$(awk -v a="$cost" -v b="$best" 'BEGIN { print b == "-" || a < b ? a : b }')
	done
	echo "$best" "$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')"
}

above=0 compared=0
# line JOB RANKS CORES
line()
{
	local block ours ratio seconds by theirs=- their_seconds=-
	read -r block ours ratio seconds by < <("$bench" map "$1" "$effort")
	[ -n "$by" ] || exit 1
	[ -z "$has_scotch" ] || read -r theirs their_seconds < <(scotch "$1" "$2" "$3")
	awk -v name="${1##*/}" -v b="$block" -v o="$ours" -v s="$seconds" -v t="$theirs" \
		-v ts="$their_seconds" -v by="$by" 'BEGIN {
		printf "%-26s %7.5f %8.2f s  %7s %8s s  %s\n", name, o / b, s,
			t == "-" ? "-" : sprintf("%.5f", t / b), ts, by
		exit !(t == "-" || o <= t * (1 + 1e-9)) }' || above=$((above + 1))
	[ "$theirs" = - ] || compared=$((compared + 1))
}

printf '%-26s %7s %8s    %7s %8s    %s\n' "cost / block" ours time Scotch time by
if [ -d "$data/comm" ]; then
	for file in "$data"/comm/*.size.csv "$data"/comm/*.graphStats.txt \
			"$data"/comm/miriel-job/app.mat; do
		line "$file" 64 4
	done
else
	echo "no matrices in $data: left out"
fi
grids="8x8x4 16x16x4"
[ "$ONLY" = sample ] || grids="8x8x4 16x16x4 10x12x14 32x32x4 32x32x16 64x64x16"
for grid in $grids; do
	line "$grid" $((${grid//x/*})) 16
done
echo "$above of $compared above Scotch"
[ "$above" = 0 ]
