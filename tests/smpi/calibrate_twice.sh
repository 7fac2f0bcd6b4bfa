#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Two calibrations of one simulated cluster, in another order each, agree within their confidence intervals,
# by topomap profile --compare; those of clusters whose messages have a fifth more latency, or a fifth less
# bandwidth, do not. Oracle: the factors of the platforms.
. "$(dirname "$0")/common.bash"
passed=0 failed=0
need_bench

# calibrate OUTPUT SEED LATENCY BANDWIDTH: factors
calibrate()
{
	local what machine ranks
	for what in machine platform; do
		awk -v name=packages -v what=$what -v eager=8192 -v overhead=2e-7 -v factors="0 1 0.6;32768 3 0.95" \
			-v waited=1 -f tests/smpi/platform.awk >"$work/$what" || exit 3
	done
	mv "$work/platform" "$work/platform.xml"
	mapfile -t machine <"$work/machine"
	topomap place "${machine[@]}" --map-by=core -o "$work/job.json" || exit 3
	ranks=$(grep -c '<host ' "$work/platform.xml")
	seq 0 $((ranks - 1)) | sed 's/^/h/' >"$work/hosts"
	# shellcheck disable=SC2086
	smpirun -np "$ranks" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		--cfg=network/model:SMPI "--cfg=smpi/lat-factor:$3" "--cfg=smpi/bw-factor:$4" \
		--cfg=network/TCP-gamma:1e12 --cfg=smpi/wtime:0 --cfg=smpi/send-is-detached-thresh:8192 \
		--cfg=smpi/ois:0:2e-7 --cfg=smpi/or:0:2e-7 \
		build/smpi/topomap-bench calibrate --placement "$work/job.json" -o "$1" --seed "$2" --no-check \
		>"$work/log" 2>&1 || { cat "$work/log"; echo "FAILED  calibrate"; exit 1; }
}

# expect WHAT STATUS A B
expect()
{
	topomap profile "$3" --compare "$4" >"$work/out" 2>&1
	status=$?
	if [ $status -eq "$2" ]; then
		passed=$((passed + 1))
		echo "$1: $(sed -n 1p "$work/out")"
	else
		failed=$((failed + 1))
		echo "FAILED  $1: status $status, not $2"
		cat "$work/out"
	fi
}

for seed in 1 2 3; do
	calibrate "$work/here$seed.json" $seed "0:1;32768:3" "0:0.6;32768:0.95"
done
calibrate "$work/latency.json" 4 "0:1.2;32768:3" "0:0.6;32768:0.95"
calibrate "$work/bandwidth.json" 5 "0:1;32768:3" "0:0.6;32768:0.76"
expect "other seeds" 0 "$work/here1.json" "$work/here2.json"
expect "other seeds" 0 "$work/here2.json" "$work/here3.json"
expect "another latency of small messages" 4 "$work/here1.json" "$work/latency.json"
expect "another bandwidth of large ones" 4 "$work/here1.json" "$work/bandwidth.json"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
