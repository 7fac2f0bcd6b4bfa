#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# SimGrid's smpirun replays the traces of topomap schedule. Oracle: on a switch whose links carry
# 1 GB/s each way, without latency, the times of 10 MB messages are arithmetic: every round of
# the ring lasts 10 ms; what one rank sends seven times leaves one after another.
cd "$(dirname "$0")/../.." || exit 3
command -v smpirun >/dev/null || { echo "smpirun (SimGrid) is not here"; exit 77; }
PATH=$PWD/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0

cat >platform.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="0us"/>
</platform>
END
seq -f h%g 0 7 >hosts

# replay COLLECTIVE ALGORITHM BYTES MILLISECONDS: within 5 %
replay()
{
	local took

	topomap schedule -c "$1" -a "$2" ${3:+-b "$3"} -n 8 -f ti -o trace || { failed=$((failed + 1)); return; }
	took=$(smpirun -np 8 -platform platform.xml -hostfile hosts -replay trace \
		--cfg=network/model:CM02 --cfg=network/weight-S:0 --cfg=network/crosstraffic:0 \
		--cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 \
		--cfg=smpi/simulate-computation:no 2>&1 |
		sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p')
	if awk -v t="$took" -v want="$4" 'BEGIN { t *= 1000
		exit !(t != "" && t >= 0.95 * want - 0.1 && t <= 1.05 * want + 0.1) }'; then
		passed=$((passed + 1))
	else
		echo "$1 $2: replayed in '$took' s, expected $4 ms"
		failed=$((failed + 1))
	fi
}

replay allgather ring 10000000 70
replay allgather recursive_doubling 10000000 70
replay allgather bruck 10000000 70
replay allgather sparbit 10000000 70
replay allgather neighbor_exchange 10000000 70
replay bcast binomial_near 10000000 30
replay bcast binomial_far 10000000 30
replay bcast flat 10000000 70
replay bcast pipeline,segment=1000000 10000000 16
replay reduce binomial_far 10000000 30
replay allreduce recursive_doubling 10000000 30
replay allreduce ring 80000000 140
replay alltoall pairwise 10000000 70
replay gather linear 10000000 70
replay scatter binomial_far 10000000 70
replay barrier dissemination "" 0
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
