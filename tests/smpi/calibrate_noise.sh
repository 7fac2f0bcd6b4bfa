#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Calibrations of a simulated cluster whose links are disturbed: their bandwidths change every few hundred microseconds,
# at random, as where others use them, too. At least 95 % of these say that the machine was not quiet, and none
# of a quiet one does. Oracle: the traces of the links' bandwidths, which SimGrid
# follows; each run has others. RUNS says how many (20 of 20 and 20 of 20 when this was written).
. "$(dirname "$0")/common.bash"
passed=0 failed=0
need_bench

# platform: $work/quiet.xml and $work/job.json
make_platform()
{
	local what machine ranks
	for what in machine platform; do
		awk -v name=nodes_16 -v what=$what -v eager=8192 -v overhead=2e-7 -f tests/smpi/platform.awk >"$work/$what" || exit 3
	done
	mv "$work/platform" "$work/quiet.xml"
	mapfile -t machine <"$work/machine"
	topomap place "${machine[@]}" --map-by=core -o "$work/job.json" || exit 3
	ranks=$(grep -c '<host ' "$work/quiet.xml")
	seq 0 $((ranks - 1)) | sed 's/^/h/' >"$work/hosts"
}

# disturb SEED LEAST PART: $work/noisy.xml, whose links have now and then, for PART of the time, from LEAST of their bandwidth
# to all of it; each has a trace of its own
disturb()
{
	awk -v seed="$1" -v least="$2" -v part="$3" -v folder="$work" '
		BEGIN { srand(seed) }
		/<link id=/ {
			match($0, /bandwidth="[0-9]*/)
			rate = substr($0, RSTART + 11, RLENGTH - 11)
			name = "trace" ++links
			file = folder "/" name
			for (at = 0; at < 0.02; at += 1e-5 + 2e-4 * rand())
				printf "%.6f %.0f\n", at, rand() < part ? rate * (least + (1 - least) * rand()) : rate >file
			print "LOOPAFTER 0.0001" >file
			close(file)
			sub(/sharing_policy/, "bandwidth_file=\"" name "\" &")
		}
		{ print }' "$work/quiet.xml" >"$work/noisy.xml"
}

# calibrate PLATFORM SEED: is the machine quiet? "true" or "false"
calibrate()
{
	# shellcheck disable=SC2086
	smpirun -np "$(wc -l <"$work/hosts")" -platform "$1" -hostfile "$work/hosts" $config \
		--cfg=smpi/wtime:0 --cfg=smpi/send-is-detached-thresh:8192 --cfg=smpi/async-small-thresh:8192 \
		--cfg=smpi/ois:0:2e-7 --cfg=smpi/or:0:2e-7 --cfg=smpi/os:0:2e-7 \
		build/smpi/topomap-bench calibrate --placement "$work/job.json" -o "$work/here.json" --seed "$2" \
		--no-check --seconds 5 >"$work/log" 2>&1 || { cat "$work/log"; echo "FAILED  calibrate"; exit 1; }
	sed -n 's/^    "quiet": \([a-z]*\),$/\1/p' "$work/here.json"
}

make_platform
runs=${RUNS:-5} said=0 quiet=0
for ((seed = 1; seed <= runs; seed++)); do
	disturb "$seed" 0.1 0.6
	[ "$(calibrate "$work/noisy.xml" "$seed")" != false ] || said=$((said + 1))
	[ "$(calibrate "$work/quiet.xml" "$seed")" != true ] || quiet=$((quiet + 1))
done
echo "not quiet said of $said of $runs with noise; quiet of $quiet of $runs without"
if [ $((100 * said)) -ge $((95 * runs)) ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED  noise is not said"; fi
if [ $quiet -eq "$runs" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED  a quiet machine is said not to be"; fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
