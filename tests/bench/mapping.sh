#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Mappings beside those of other mappers. Both get the same: a graph and the costs of a machine's
# levels; three seeds each, of which the second and the third give the ranks other numbers. Scotch
# runs here, with every strategy that may put each rank on a core of its own: gmap's default, -cq, -cs,
# -cqb -b0 and gpart level by level. What TreeMatch reached, in one run each, is in
# tests/bench/mapping_peers.txt. Printed for each job: our mean and our worst cost as ratios to the
# best of all others', CPU seconds of one run of ours and of gmap -cq, who was best.
#
#     ONLY=sample      small jobs, as tests/mappers/scotch.sh runs it
#     ONLY=small       up to 1,024 ranks
#     ONLY=curve       quality over time: ours by effort, the others' points
#     JOBS="..."       these jobs
cd "$(dirname "$0")/../.." || exit 3
export LC_ALL=C TIMEFORMAT=%U
bench=${BUILD:-build}/tests/bench/bench_mapper
data=${TOPOMAP_DATA:-../shared/data}
peers=tests/bench/mapping_peers.txt
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
[ -x "$bench" ] || { echo "$bench is not built"; exit 3; }
has_scotch=$(command -v scotch_gmap)
[ -n "$has_scotch" ] || echo "scotch_gmap is not installed: without it"
effort=${EFFORT:-0}

sample="8x8x4@small 16x16x4@three multigrid:16x16@flat moore:16x16@smt rgg:256@flat"
small="8x8@small 16x16@flat torus:16x16@small 8x8x8@three 16x16x4@smt 16x16x4@uneven
	moore:16x16@flat moore:16x16x4@three 4x4x4x4@small 8x8x4x4@fat
	multigrid:32x32@flat multigrid:32x32@fat multigrid:8x8x8@small multigrid:16x16x4@three
	amg:8x8x8@flat amg:10x10x10@three transpose:8x8@small transpose:16x16@flat
	allreduce:8x8x4@small allreduce:16x16x4@fat rgg:64@small rgg:512@three rgg:1024@fat
	rgg:1000@uneven rmat:256@flat rmat:1024@three"
large="16x16x16@three 32x32x16@three torus:64x64@fat moore:64x64@flat 16x16x8x8@three
	multigrid:64x64@fat multigrid:16x16x16@three amg:16x16x16@flat transpose:32x32@three
	allreduce:16x16x16@fat rgg:4096@three rgg:16384@fat rgg:262144@three
	rmat:4096@three"
matrices=
if [ -d "$data/comm" ]; then
	for file in "$data"/comm/*.size.csv "$data"/comm/*.graphStats.txt \
			"$data"/comm/miriel-job/app.mat; do
		matrices+=" $file@small"
	done
else
	echo "no matrices in $data: left out"
fi
case $ONLY in
sample) jobs="$matrices $sample" ;;
small) jobs="$matrices $small" ;;
curve) jobs="multigrid:32x32@fat rgg:1024@fat 16x16x16@three rgg:16384@fat" ;;
*) jobs="$matrices $small $large" ;;
esac
jobs=${JOBS:-$jobs}

# named JOB SEED: the job with ranks numbered by the seed
named()
{
	[ "$2" = 0 ] && echo "$1" || echo "shuffled:$2:$1"
}

# scotch JOB: lines "strategy cost seconds" of the valid mappings
scotch()
{
	local options cost seconds
	"$bench" graph "$1" >"$work/graph" && "$bench" target "$1" >"$work/target" || return
	for options in "" -cq -cs "-cqb -b0"; do
		seconds=$({ time timeout 300 scotch_gmap $options "$work/graph" "$work/target" \
			"$work/map" /dev/null >/dev/null 2>&1; } 2>&1)
		cost=$("$bench" judge "$1" "$work/map" 2>/dev/null)
		[ "${cost:--}" = - ] || echo "gmap${options// /} $cost $seconds"
	done
	seconds=$({ time "$bench" recurse "$1" "$work" >"$work/cost"; } 2>&1)
	cost=$(<"$work/cost")
	[ "${cost:--}" = - ] || echo "gpart $cost $seconds"
}

# others JOB: the same of all others and all seeds
others()
{
	local seed
	[ -z "$has_scotch" ] || for seed in 0 1 2; do
		scotch "$(named "$1" $seed)"
	done
	awk -v job="$1" '$1 == job { print $2, $3, $4 }' $peers
}

curve()
{
	echo "$1: cost / best, CPU seconds"
	others "$1" >"$work/others"
	for effort in 100000 1000000 10000000 100000000 1000000000; do
		echo "ours-$effort $("$bench" map "$1" $effort 1)"
	done >>"$work/others"
	sort -g -k3 "$work/others" | awk '
		{ name[NR] = $1; cost[NR] = $2; seconds[NR] = $3
		  if (NR == 1 || $2 < best) best = $2 }
		END { for (i = 1; i <= NR; i++)
			printf "%10.3f s  %7.4f  %s\n", seconds[i], cost[i] / best, name[i] }'
}

above=0 compared=0
line()
{
	local seed
	others "$1" >"$work/others"
	for seed in 0 1 2; do
		"$bench" map "$(named "$1" $seed)" "$effort" $((seed + 1)) || exit 1
	done >"$work/ours"
	block=$("$bench" block "$1")
	awk -v name="${1##*/}" -v block="$block" '
		FILENAME ~ /ours$/ { sum += $1; if ($1 > worst) worst = $1; ours += $2 / 3; by = $3; next }
		{ if (best == "" || $2 < best) { best = $2; who = $1 } }
		$1 == "gmap-cq" { cq += $3; runs++ }
		END {
			printf "%-28s %7.4f %7.4f %7.4f %9.2f s %9s s  %-10s %s\n", name, worst / block,
				best ? sum / 3 / best : 0, best ? worst / best : 0, ours,
				runs ? sprintf("%.2f", cq / runs) : "-", by, who
			exit best != "" && worst > best * (1 + 1e-9)
		}' "$work/others" "$work/ours" || above=$((above + 1))
	[ ! -s "$work/others" ] || compared=$((compared + 1))
}

if [ "$ONLY" = curve ]; then
	for job in $jobs; do
		curve "$job"
	done
	exit 0
fi
printf '%-28s %7s %7s %7s %9s   %9s    %-10s %s\n' "cost" /block mean worst ours "gmap -cq" by "best other"
for job in $jobs; do
	line "$job"
done
echo "$above of $compared above the best of the others"
[ "$above" = 0 ]
