#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the library writes is what the command line writes, byte for byte. (Other oracles
# of the command line are elsewhere.)
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# same NAME WHAT FORMAT COMMAND...: of the placement $work/job.json
same()
{
	name=$1 what=$2 format=$3
	shift 3
	"$build/tests/lib/documents" "$what" "$work/job.json" "$format" >"$work/library" 2>"$work/err"
	status=$?
	"$@" >"$work/command" 2>"$work/err2"
	if [ "$status" -eq $? ] && cmp -s "$work/library" "$work/command" && [ -s "$work/library" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $name: $what -f $format (status $status)"
		cat "$work/err" "$work/err2"
		diff "$work/library" "$work/command" | head -n 5
	fi
}

t=$build/topomap
export LC_ALL=C
for line in "node:4 package:2 core:4" "node:3 package:2 [numa] l3:2 core:3" "node:1 core:8" \
	"node:16 package:2 core:4"; do
	for by in core node socket; do
		"$t" place "$line" --map-by $by -o "$work/job.json" || exit 3
		job=$work/job.json n="$line by $by"
		same "$n" placement json cat "$job"
		for f in json text dot; do
			same "$n" tree $f "$t" tree --root 3 -f $f "$job"
			same "$n" ring $f "$t" ring --scale latency -f $f "$job"
			same "$n" lanes $f "$t" lanes --lanes 2 -f $f "$job"
		done
		for f in json text csv c dot; do
			same "$n" hierarchy $f "$t" hierarchy --root 2 --elect idle -f $f "$job"
		done
		for f in json text csv; do
			same "$n" score $f "$t" score -c neighbor_alltoall --stencil moore:1 \
				--cart 0x0 --periods 1,0 -b 65536 --profile bluewaters -f $f "$job"
		done
		size=$(sed -n 's/.*"size": \([0-9]*\),.*/\1/p' "$job" | head -n 1)
		awk -v p="$size" 'BEGIN { for (r = 0; r < p; r++) print r, (r + p / 2) % p, 1000 }' >"$work/list"
		for f in openmpi4 seq slurm; do
			same "$n" mapping $f "$t" suggest-rankfile --launcher $f --effort 100000 \
				--objective cost --seed 5 --matrix "$work/list" --matrix-format list "$job"
		done
	done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
