# SPDX-License-Identifier: BSD-3-Clause
# How predictions are compared with SimGrid SMPI, all algorithms of a placement in one simulation.
# A script sources this file in the project's folder; lines for agree.awk come together in
# $work/pairs.
B=${BUILD:-build}
export PATH=$PWD/$B:$PATH LC_ALL=C
command -v smpirun >/dev/null && command -v smpicc >/dev/null ||
	{ echo "SimGrid's smpicc and smpirun are not installed"; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
# Latency and bandwidth are those of the platform; what is smaller than EAGER bytes is sent
# whether or not its receiver waits for it, and its sender goes on.
EAGER=${EAGER:-8192}
# A rank's own time for each message that it sends, and for each eager one that it receives.
OVERHEAD=${OVERHEAD:-2e-7}
config="--cfg=network/model:CM02 --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1
	--cfg=network/weight-S:0 --cfg=network/crosstraffic:0 --cfg=smpi/simulate-computation:no
	--cfg=smpi/wtime:0 --cfg=smpi/privatization:no --cfg=smpi/send-is-detached-thresh:$EAGER
	--cfg=smpi/async-small-thresh:${SMALL:-$EAGER} --cfg=smpi/ois:0:$OVERHEAD
	--cfg=smpi/or:0:$OVERHEAD --log=root.thres:critical"

judge_begin()
{
	smpicc -O1 -o "$work/replay" tests/smpi/replay.c >"$work/log" 2>&1 ||
		{ cat "$work/log"; echo "smpicc makes no programs here"; exit 77; }
	calls=
	for collective in ${COLLECTIVES:-allgather allreduce bcast alltoall reduce_scatter}; do
		for size in ${SIZES:-64 2048 32768 262144 1048576}; do
			calls="$calls $collective:$size"
		done
	done
	: >"$work/pairs"
}

# judge_platform NAME: what the platform is in each form
judge_platform()
{
	local what
	for what in machine network platform profile; do
		awk -v name="$1" -v what=$what -v eager="$EAGER" -v overhead="$OVERHEAD" -f tests/smpi/platform.awk \
			>"$work/$what" || exit 3
	done
	mv "$work/platform" "$work/platform.xml"
	mv "$work/profile" "$work/profile.json"
}

# judge_order NAME OPTION: every call of ranks that are placed so
judge_order()
{
	local machine options=()
	mapfile -t machine <"$work/machine"
	[ ! -s "$work/network" ] ||
		options=(--hosts "n[0-$((${#machine[@]} - 1))]" --network "$work/network")
	topomap place "${machine[@]}" "${options[@]}" "$2" -o "$work/job.json" || exit 3
	topomap inspect -f json --ranks "0-$(($(judge_cores) - 1))" "$work/job.json" \
		>"$work/ranks" || exit 3
	judge_hosts >"$work/hosts"
	"$B/tests/bench/bench_judge" "$work/job.json" "$work/profile.json" "$work/messages" $calls \
		>"$work/predicted" || exit 3
	smpirun -np "$(wc -l <"$work/hosts")" -platform "$work/platform.xml" \
		-hostfile "$work/hosts" $config "$work/replay" "$work/messages" \
		>"$work/simulated" 2>"$work/log" || { cat "$work/log"; exit 3; }
	[ "$(wc -l <"$work/simulated")" = "$(wc -l <"$work/predicted")" ] ||
		{ echo "FAILED  smpirun said no time"; exit 1; }
	paste -d' ' "$work/predicted" "$work/simulated" | sed "s/^/$1$2 /" >>"$work/pairs"
}

judge_cores()
{
	awk -F: '{ n = 1; for (i = 1; i <= NF; i++) { split($i, w, " ")
		if (i > 1) n *= w[1] } sum += n } END { print sum }' "$work/machine"
}

# The host of each rank: cores are counted through all nodes.
judge_hosts()
{
	awk -F'"' '
		NR == FNR {
			n = split($0, word, /[: ]/)
			cores = 1
			for (i = 4; i <= n; i += 2) cores *= word[i]
			base[NR] = sum + 0
			sum += cores
			next
		}
		/"rank":/ {
			node = pu = ""
			for (i = 1; i < NF; i++) {
				if ($i == "node") node = substr($(i + 2), 2)
				if ($i == "logical_pus") pu = $(i + 2)
			}
			printf "h%d\n", base[node + 1] + pu
		}' "$work/machine" "$work/ranks"
}
