#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Rules of lint on machines that others recorded: on each of them jobs in which a rule must find
# something, and twins in which it must not. Oracle: jobs made by hand to be wrong, for whatever number
# of cores, memory controllers and packages the machine has. Of these a machine has every fourth pair, the next machine
# those beside it (SEED=N: others); WHOLE=1: all.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=../shared/data/topologies passed=0 failed=0 turn=${SEED:-0}
if [ ! -d "$data" ]; then
	echo "skipped: there are no recorded machines in $data"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

# environment NAME VALUE...: all ranks were started with these variables
environment()
{
	local text=
	while [ $# -gt 0 ]; do
		text+="${text:+, }\"$1\": \"$2\""
		shift 2
	done
	sed "s/^  \"ranks\": {/  \"settings\": [{\"environment\": {$text}}],\n&/"
}

# system MEMBER VALUE: what the systems of all nodes leave to the job
system()
{
	sed "s/^  \"nodes\": \[/  \"systems\": [{\"$1\": $2}],\n&/
		s/^\(    {\"names\": .*\"topology\": [0-9]*\)}/\1, \"system\": 0}/"
}

place() { topomap place "$@"; }

# RULE|WHAT THE MACHINE MUST HAVE|JOB IN WHICH IT FINDS SOMETHING|ITS TWIN
pairs=$(cat <<'END'
unbound|cores > 1|place "$m" -n "$half" --bind-to none|place "$m" -n "$half"
oversubscribed|1|place "$m" -n $((pus + 1)) --slots $((pus + 1)) --bind-to none|place "$m" -n "$cores" --bind-to none
shared-core|pus > cores|place "$m" -n $((cores + 1)) --slots $((cores + 1)) --bind-to none|place "$m" -n "$cores" --bind-to none
shared-pu|cores > 1|place "$m" -n $((pus + 1)) --slots $((pus + 1)) --bind-to core:overload-allowed|place "$m" -n "$cores" --bind-to core:overload-allowed
two-packages|packages > 1 && cores > 2 * packages|place "$m" --rankfile "$work/wide"|place "$m" -n 1 --bind-to core
two-numa|numas > 1 && packages == 1 && cores > 2 * numas|place "$m" --rankfile "$work/wide"|place "$m" -n 1 --bind-to core
idle-memory|numas > 1 && cores % numas == 0 && cores >= 2 * numas|place "$m" -n $((cores / numas))|place "$m"
many-threads|1|place "$m" | environment OMP_NUM_THREADS $((pus + 1))|place "$m" | environment OMP_NUM_THREADS 1
piled-threads|cores > 1|place "$m" -n 2 --bind-to none | environment OMP_NUM_THREADS 1 OMP_PROC_BIND true|place "$m" | environment OMP_NUM_THREADS 1 OMP_PROC_BIND true
fewer-cpus|cores > 1|place "$m" | environment SLURM_CPUS_PER_TASK $((pus + 1))|place "$m" | environment SLURM_CPUS_PER_TASK 1
cpu-quota|cores > 1|place "$m" | system cpu_quota $((cores - 1))|place "$m" | system cpu_quota "$cores"
memory-limit|bytes > 1|place "$m" | system memory_limit_bytes 1048576|place "$m" | system memory_limit_bytes 1152921504606846976
uneven-nodes|cores > 2|place "2*$m" -n $((2 * cores - 2))|place "2*$m"
not-consecutive|cores > 1|place "2*$m" --map-by node|place "2*$m" --map-by core
unequal-nodes|cores > 2|place "$m" 'node:1 core:1 pu:2' -n 4 --slots 2 --map-by ppr:2:node --bind-to none|place "$m" 'node:1 core:2' -n 4 --slots 2 --map-by ppr:2:node --bind-to none
END
)

# measure: cores, pus, packages, numas and bytes of the machine m
measure()
{
	place "$m" -o "$work/full.json" || return 1
	topomap inspect -f json "$work/full.json" >"$work/seen.json" || return 1
	read -r cores packages numas < <(sed -n 's/^ *"\(cores\|packages\|numa_nodes\)": {"objects": \([0-9]*\),.*/\2/p' \
		"$work/seen.json" | paste -sd ' ')
	half=$(((cores + 1) / 2))
	pus=$(place "$m" --use-hwthread-cpus --map-by hwthread --bind-to hwthread | topomap inspect -f csv - | tail -n +2 | wc -l)
	bytes=$(sed -n 's/.*"size_bytes": \([0-9]*\), "kind.*/\1/p; s/.*"object": "numa.*"size_bytes": \([0-9]*\).*/\1/p' \
		"$work/full.json" | sort -n | tail -n 1)
	bytes=${bytes:-0}
	echo "rank 0=n0 slot=0-$((cores - 2))" >"$work/wide"
}

# has RULE JOB: is it found in the job that the words make?
has()
{
	eval "$2" >"$work/job.json" 2>"$work/err" || { fail "$m: $2: $(cat "$work/err")"; return 2; }
	topomap inspect -f json "$work/job.json" >"$work/seen.json" || fail "$m: $2 is not inspected"
	sed '/"skipped"/q' "$work/seen.json" | grep -q "\"name\": \"$1\""
}

for m in "$data"/*.xml; do
	case $m in
	*/unloadable-*) continue ;; # of a later hwloc
	esac
	measure || { fail "$m is not measured"; continue; }
	while IFS= read -r line; do
		rule=${line%%|*} rest=${line#*|}
		needs=${rest%%|*} rest=${rest#*|}
		found=${rest%|place*} twin=place${rest##*|place}
		((needs)) || continue
		[ -n "$WHOLE" ] || ((turn++ % 4 == 0)) || continue
		if has "$rule" "$found"; then pass; else fail "$m: $rule is not found: $found ($cores cores, $pus PUs)"; fi
		if has "$rule" "$twin"; then fail "$m: $rule is found: $twin ($cores cores, $pus PUs)"; else pass; fi
	done <<<"$pairs"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
