#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Rows of the catalogue executed over SMPI at 250 ranks, no power of two, on 63 nodes of which the last
# has 2: every result is compared with what the collective must leave (bench_data.h, which knows no
# algorithm). WHOLE=1: all rows that can run; else a sample, a row of each collective at random, as
# SAMPLE_SEED says. Oracles: these results; and that as many rows were measured as were listed.
#
# Rows of alltoall in which each rank sends to all others directly run at 100 ranks: a rank waits for all
# of its 2 (p - 1) requests at once, and SimGrid 3.32 goes through all of them for each that ends
# (CommImpl::finish), so that 64, 128 ranks take 2, 39 s and 250 would take about ten minutes a row.
. "$(dirname "$0")/common.bash"
need_bench
passed=0 failed=0
seed=${SAMPLE_SEED:-20261124}

cat >"$work/platform.xml" <<'END'
<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-249" speed="1Gf" bw="1GBps" lat="10us"/>
</platform>
END
seq -f 'h%g' 0 249 >"$work/hosts"
for ranks in 100 250; do
	topomap place 'node:63 package:2 core:2' -n $ranks -o "$work/job.$ranks.json" || exit 3
done

# rows COLLECTIVE: a line of a campaign for each row that can run there
rows()
{
	local bytes=(-b 1000) size=1000
	[ "$1" = barrier ] && bytes=() size=
	topomap score -c "$1" "${bytes[@]}" -f csv "$work/job.250.json" | awk -F, -v size="$size" -v collective="$1" '
		NR > 1 && $2 != "" && !seen[$1]++ { print collective "," $1 "," size }'
}

# chosen FILE: all of its lines, or one of them
chosen()
{
	if [ -n "$WHOLE" ]; then
		cat "$1"
	else
		shuf -n 1 --random-source=<(yes "$seed") "$1"
	fi
}

for collective in allgather bcast reduce allreduce reduce_scatter reduce_scatter_block gather scatter scan \
	exscan alltoall barrier; do
	rows $collective >"$work/rows"
	[ -s "$work/rows" ] || { failed=$((failed + 1)); echo "FAILED  $collective has no rows"; }
	chosen "$work/rows"
done >"$work/campaign"
[ -n "$WHOLE" ] || echo "SAMPLE_SEED=$seed: $(cut -d, -f1,2 "$work/campaign" | tr ',\n' '  ')"

# In parts, so that a row that fails does not hide the others.
direct='^alltoall,\(pairwise\|pairwise_xor\|linear\|spread\),'
grep -v "$direct" "$work/campaign" | split -l 20 - "$work/part.250."
grep "$direct" "$work/campaign" | split -l 1 - "$work/part.100."
for part in "$work"/part.*; do
	ranks=${part#"$work/part."} ranks=${ranks%.*}
	{
		echo collective,algorithm,bytes
		cat "$part"
	} >"$work/campaign.csv"
	rm -f "$work/out"
	smpirun -np "$ranks" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		build/smpi/topomap-bench run "$work/campaign.csv" -i 1 --seed 1 -f csv \
		--placement "$work/job.$ranks.json" -o "$work/out" >"$work/log" 2>&1
	status=$?
	right=$(awk -F, '$0 ~ /,true,/' "$work/out" 2>/dev/null | wc -l)
	passed=$((passed + right))
	if [ $status -ne 0 ] || [ "$right" -ne "$(wc -l <"$part")" ]; then
		failed=$((failed + 1))
		echo "FAILED  $right of $(wc -l <"$part") rows are right at $ranks ranks, status $status:" \
			"$(grep topomap-bench: "$work/log" | head -n 3)"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
