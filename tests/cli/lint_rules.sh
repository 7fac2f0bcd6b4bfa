#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each rule of lint has a job in which it must find something, and a twin, as like as can be, in
# which it must not; a rule without its pair fails. A well placed full job has no finding, on
# synthetic machines and on those that others recorded. Of the pairs of a rule the first one is tried, and
# of the others each third (SEED=N: others), and more until each command that is offered was run; machines
# are full by one of three launchers' words each, on one node or on two. WHOLE=1: all. Oracle: jobs made by hand to be wrong, and the recorded machines.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=../shared/data/topologies passed=0 failed=0 skipped=0 turn=${SEED:-0}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

# devices TYPE NAME OBJECT...: the placement with these devices
devices()
{
	local text=
	while [ $# -gt 0 ]; do
		text+="${text:+, }{\"type\": \"$1\", \"name\": \"$2\", \"object\": \"$3\"}"
		shift 3
	done
	sed "s/^      \"memories\": \[/      \"devices\": [$text],\n&/"
}

# gigabit: all devices are adapters of 1 Gb/s
gigabit() { sed 's/"name": "eth[0-9]*"/&, "bits_per_s": 1000000000/g'; }

# memory SET: the first place's memory policy allows these NUMA nodes
memory() { sed "0,/\"bound\": true/s//&, \"memory\": \"$1\"/"; }

# without_memory: the first package has no memory of its own
without_memory()
{
	sed '0,/"type": "numa"/{/"type": "numa"/d;}; /"os": 0, "object": "numa:0"/d
		s/"object": "numa:1"/"object": "numa:0"/'
}

# kinds_of PUS...: PUs of these kinds of cores, from slow to fast
kinds_of()
{
	local text=
	for pus in "$@"; do text+="${text:+, }{\"pus\": \"$pus\"}"; done
	sed "s/^      \"memories\": \[/      \"core_kinds\": [$text],\n&/"
}

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

# allowed PUS SET: of these the job may use a set only
allowed() { sed "s/\"allowed_pus\": \"$1\"/\"allowed_pus\": \"$2\"/"; }

# kinds SLOW FAST: PUs of the two kinds of cores
kinds()
{
	sed "s/^      \"memories\": \[/      \"core_kinds\": [{\"pus\": \"$1\"}, {\"pus\": \"$2\"}],\n&/"
}

# huge NODE: of this NUMA node some memory is huge pages
huge() { sed "s/^\( *{\"os\": $1, \"object\": \"numa:[0-9]*\"\)/\1, \"huge_bytes\": 1073741824/"; }

# few_pages: what huge has made, but fewer than programs use
few_pages() { sed 's/"huge_bytes": 1073741824/"huge_bytes": 2097152/'; }

# programs LIST THREADS THREADS: the ranks run ocean (0 in the list) and air (1), each with so many
# threads that are bound
programs()
{
	local rest='\"OMP_PLACES\": \"cores\"}}' one='\"program\": \"ocean\", \"environment\"'
	local two='\"program\": \"air\", \"environment\"' count='{\"OMP_NUM_THREADS\"'
	sed "s/^  \"ranks\": {/  \"settings\": [{\"part\": 0, $one: $count: \"$2\", $rest,\n    {\"part\": 1, $two: $count: \"$3\", $rest],\n&\n    \"setting\": \"$1\",/"
}

parts='node:2 package:2 numa:2 core:4'
two='node:1 package:2 [numa] core:4 pu:2' four='node:4 package:2 [numa] core:4'
place() { topomap place "$@"; }
printf 'SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\n' >"$work/parted"
printf 'SwitchName=s0 Nodes=n[0-3]\n' >"$work/joined"
printf 'SwitchName=s0 Nodes=n[0,2]\nSwitchName=s1 Nodes=n[1,3]\nSwitchName=top Switches=s[0-1]\n' >"$work/alternate"

echo 'rank 0=n0 slot=0-3' >"$work/wide"

echo 'rank 0=n0 slot=0-6' >"$work/all"

# a rank on a package, and one on each core of the other
printf 'rank %s\n' 0=n0\ slot=0-3 1=n0\ slot=4 2=n0\ slot=5 3=n0\ slot=6 4=n0\ slot=7 >"$work/parts"

# a rank on a package, and two on its first and second core
printf 'rank %s\n' 0=n0\ slot=0-3 1=n0\ slot=0 2=n0\ slot=1 >"$work/nested"

# cores 0-5, 2-7 and 10-15
printf 'rank %s\n' 0=n0\ slot=0-5 1=n0\ slot=2-7 2=n0\ slot=10-15 >"$work/chain"

# a rank on each core but two, and two on all
for r in {0..13}; do echo "rank $r=n0 slot=$r"; done >"$work/loose"
printf 'rank %s\n' 14=n0\ slot=0-15 15=n0\ slot=0-15 >>"$work/loose"

# the second package of each node
printf 'rank %s\n' 0=n0\ slot=4 1=n0\ slot=5 2=n0\ slot=6 3=n0\ slot=7 \
	4=n1\ slot=4 5=n1\ slot=5 6=n1\ slot=6 7=n1\ slot=7 >"$work/second"

# two ranks a node, each on a core of both packages
printf 'rank %s\n' 0=n0\ slot=0,4 1=n0\ slot=1,5 2=n1\ slot=0,4 3=n1\ slot=1,5 >"$work/across"

# two ranks a node on the same four cores
printf 'rank %s slot=0-3\n' 0=n0 1=n0 2=n1 3=n1 >"$work/masked"

# all cores but the first
printf 'rank %s\n' 0=n0\ slot=1 1=n0\ slot=2 2=n0\ slot=3 3=n0\ slot=4 4=n0\ slot=5 5=n0\ slot=6 6=n0\ slot=7 >"$work/kept"

# a program on each core but two, and another one that begins at the first core again
printf 'rank %s\n' 0=n0\ slot=0 1=n0\ slot=1 2=n0\ slot=2 3=n0\ slot=3 4=n0\ slot=4 5=n0\ slot=5 \
	6=n0\ slot=0 7=n0\ slot=1 >"$work/again"
printf 'rank %s\n' 0=n0\ slot=0 1=n0\ slot=1 2=n0\ slot=2 3=n0\ slot=3 4=n0\ slot=4 5=n0\ slot=5 \
	6=n0\ slot=6 7=n0\ slot=7 >"$work/beside"

small='node:1 core:4 pu:2' large='node:1 core:16' gib='node:1 package:2 [numa(memory=8GB)] core:4'

# RULE|JOB IN WHICH IT FINDS SOMETHING|ITS TWIN
pairs=$(cat <<'END'
unbound|place "$two" -n 8 --bind-to none|place "$two" -n 8
unbound|place "$two" -n 1 --bind-to none|place 'node:1 core:1 pu:2' -n 1 --bind-to none
unbound|place 'node:2 core:4' -n 2 --map-by ppr:1:node --bind-to none|place 'node:2 core:4' -n 2 --map-by ppr:1:node --bind-to none | environment OMP_NUM_THREADS 4
oversubscribed|place "$two" -n 17 --slots 17 --bind-to none|place "$two" -n 16 --slots 16 --bind-to none
shared-core|place "$two" -n 9 --slots 9 --bind-to none|place "$two" -n 8 --bind-to none
shared-core|place "$two" -n 16 --map-by hwthread --bind-to hwthread|place "$two" -n 8
shared-pu|place 'node:1 core:4' -n 5 --slots 5 --bind-to core:overload-allowed|place 'node:1 core:4' -n 4 --bind-to core:overload-allowed
idle-cores|place "$two" -n 4 --map-by hwthread --bind-to hwthread|place "$two" -n 4 --map-by core
idle-memory|place "$two" -n 4|place "$two" -n 4 --map-by numa --bind-to core
idle-memory|place 'node:1 package:2 core:4' -n 3|place 'node:1 package:2 core:4' -n 2
idle-memory|place 'node:1 package:2 [numa] core:8' -n 4|place 'node:1 package:2 [numa] core:8' -n 4 --map-by ppr:2:socket --bind-to core
idle-memory|place 'node:1 package:2 [numa] core:8' -n 4|place 'node:1 package:2 [numa] core:8' -n 3
idle-memory|place 'node:2 package:2 [numa] l3:8 core:8' -n 64 --map-by ppr:32:node --bind-to core|place 'node:2 package:2 [numa] l3:8 core:8' -n 32 --map-by ppr:1:l3cache --bind-to core
idle-memory|place 'node:1 package:2 [numa] core:16' -n 16|place 'node:1 package:2 [numa] core:16' -n 32
idle-memory|place "$two" -n 4 | devices gpu cuda0 numa:1|place "$two" -n 4 --map-by numa --bind-to core | devices gpu cuda0 numa:0
idle-memory|place 'node:1 package:2 numa:4 core:4' -n 4 --map-by slot:PE=4 --bind-to core|place 'node:1 package:2 numa:4 core:4' -n 8 --map-by slot:PE=4 --bind-to core
idle-memory|place 'node:2 package:2 numa:2 core:4' -n 4 --map-by ppr:2:node:PE=4|place 'node:2 package:2 numa:2 core:4' -n 2 --map-by ppr:1:node:PE=4
idle-l3|place 'node:1 package:1 l3:4 core:4' -n 4|place 'node:1 package:1 l3:4 core:4' -n 4 --map-by l3cache --bind-to core
two-packages|place 'node:1 package:3 core:2' --rankfile "$work/wide"|place "$two" -n 2 --map-by socket --bind-to socket
two-numa|place 'node:1 package:2 numa:2 core:2' -n 2 --map-by socket --bind-to socket|place 'node:1 package:2 numa:2 core:2' -n 4 --map-by numa --bind-to numa
far-memory|place "$two" -n 2 | memory 1|place "$two" -n 2 | memory 0-1
far-memory|place "$two" | memory 1|place "$two" | memory 0
far-memory|place "$two" | memory 1|place "$two" | without_memory | memory 1
shared-pu|place 'node:1 core:8' --rankfile "$work/again" | programs 0*6,1*2 1 1|place 'node:1 core:8' --rankfile "$work/beside" | programs 0*6,1*2 1 1
slow-cores|place 'node:1 [numa] core:8' -n 4 | kinds_of 0-1 4-5 2-3 6-7|place 'node:1 [numa] core:8' -n 4 | kinds_of 4-5 6-7 0-1 2-3
idle-memory|place "$four" -n 16 --map-by ppr:4:node|place "$four" -n 28
many-threads|place "$two" | environment OMP_NUM_THREADS 4|place "$two" | environment OMP_NUM_THREADS 2
many-threads|place "$two" | environment OMP_NUM_THREADS 4|place "$two" | environment OMP_NUM_THREADS 4 OMP_DYNAMIC true
many-threads|place "$two" --rankfile "$work/parts" | programs 0,1*4 4 4|place "$two" --rankfile "$work/parts" | programs 0,1*4 4 1
many-threads|place 'node:2 package:2 [numa] core:4' -n 16 --map-by numa --bind-to numa:overload-allowed | environment OMP_NUM_THREADS 4|place 'node:2 package:2 [numa] core:4' -n 4 --map-by ppr:1:numa --bind-to numa | environment OMP_NUM_THREADS 4
many-threads|place "$two" -n 16 --map-by hwthread --bind-to core:overload-allowed --use-hwthread-cpus | environment OMP_NUM_THREADS 2|place 'node:1 core:4' -n 5 --slots 5 --bind-to core:overload-allowed | environment OMP_NUM_THREADS 1
many-threads|place 'node:1 core:16' --rankfile "$work/chain" | environment OMP_NUM_THREADS 6|place 'node:1 core:16' --rankfile "$work/chain" | environment OMP_NUM_THREADS 4
many-threads|place "$two" --rankfile "$work/nested" | programs 0,1*2 6 2|place "$two" --rankfile "$work/nested" | programs 0,1*2 6 1
many-threads|place 'node:1 core:16' --rankfile "$work/loose" | programs 0*14,1*2 1 3|place 'node:1 core:16' --rankfile "$work/loose" | programs 0*14,1*2 1 1
sibling-threads|place "$two" -n 2 | environment OMP_NUM_THREADS 2|place "$two" | environment OMP_NUM_THREADS 2
sibling-threads|place 'node:1 core:8 pu:4' -n 4 | environment OMP_NUM_THREADS 2|place 'node:1 core:8 pu:4' -n 5 | environment OMP_NUM_THREADS 2
sibling-threads|place 'node:1 core:8 pu:2' -n 4 | environment OMP_NUM_THREADS 2|place 'node:1 core:8 pu:2' -n 4 | environment OMP_NUM_THREADS 2 | system isolated_pus '"0-13"'
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND close|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND close
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES cores|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND false
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PROC_BIND spread,close|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_WAIT_POLICY active
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES sockets OMP_PROC_BIND master|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES sockets
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES '{0:4}:2:4'|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES '{0:8}:2:8'
piled-threads|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 OMP_PLACES cores OMP_PROC_BIND spread|place "$two" -n 4 --map-by ppr:2:socket:PE=2 --bind-to core | environment OMP_NUM_THREADS 2 OMP_PLACES cores OMP_PROC_BIND spread
piled-threads|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 OMP_PLACES cores OMP_PROC_BIND close|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND close
piled-threads|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY compact|place "$two" -n 4 --map-by ppr:2:socket:PE=2 --bind-to core | environment OMP_NUM_THREADS 2 KMP_AFFINITY compact,1
piled-threads|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY scatter|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY none
piled-threads|place "$two" -n 4 --map-by ppr:2:socket:PE=2 --bind-to core | environment OMP_NUM_THREADS 2 KMP_AFFINITY norespect,compact,1|place "$two" -n 4 --map-by ppr:2:socket:PE=2 --bind-to core | environment OMP_NUM_THREADS 2 KMP_AFFINITY respect,compact,1
piled-threads|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY "explicit,proclist=[0,2,8,10]"|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY verbose
piled-threads|place "$two" -n 2 --bind-to none | environment OMP_NUM_THREADS 4 GOMP_CPU_AFFINITY '0 2-6:2'|place "$two" -n 1 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 GOMP_CPU_AFFINITY '0 2-14:2'
piled-threads|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 GOMP_CPU_AFFINITY '0 2-14:2'|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_PLACES '{0:2}:8:2'
piled-threads|place "$two" --bind-to none | environment OMP_NUM_THREADS 1 OMP_PROC_BIND true|place "$two" | environment OMP_NUM_THREADS 1 OMP_PROC_BIND true
piled-threads|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND master|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND true
piled-threads|place "$two" --rankfile "$work/nested" | programs 0,1*2 2 1|place "$two" --rankfile "$work/parts" | programs 0,1*4 4 1
sibling-threads|place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 KMP_AFFINITY compact,granularity=fine|place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 KMP_AFFINITY compact,granularity=fine KMP_HW_SUBSET 1t
sibling-threads|place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 KMP_AFFINITY compact|place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 KMP_AFFINITY granularity=fine,compact,1,0
sibling-threads|place 'node:2 core:8 pu:2' -n 2 --map-by ppr:1:node --bind-to none | environment OMP_NUM_THREADS 8 OMP_PLACES threads|place 'node:2 core:8 pu:2' -n 2 --map-by ppr:1:node --bind-to none | environment OMP_NUM_THREADS 8 OMP_PLACES threads OMP_PROC_BIND spread
many-threads|place 'node:1 core:16' --launcher slurm23.11 -n 3 --cpu-bind mask_cpu:0x77,0xEE,0x7700 | environment OMP_NUM_THREADS 6|place 'node:1 core:16' --launcher slurm23.11 -n 4 --cpu-bind mask_cpu:0x11,0xE,0x5400,0xA800 | environment OMP_NUM_THREADS 2
loose-threads|place "$parts" -n 4 --map-by ppr:1:socket:PE=8 --bind-to core | environment OMP_NUM_THREADS 8|place "$parts" -n 4 --map-by ppr:1:socket:PE=8 --bind-to core | environment OMP_NUM_THREADS 8 OMP_PROC_BIND true
loose-threads|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 OMP_PLACES cores OMP_PROC_BIND false|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 OMP_PLACES cores OMP_PROC_BIND close
loose-threads|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 KMP_AFFINITY none|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 KMP_AFFINITY compact
loose-threads|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 OMP_PLACES cores
many-threads|place "$two" | environment OMP_NUM_THREADS 2,2|place "$two" | environment OMP_NUM_THREADS 2,2 OMP_MAX_ACTIVE_LEVELS 1
loose-threads|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 KMP_AFFINITY none|place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 KMP_AFFINITY none OMP_PROC_BIND close
isolated-threads|place "$two" -n 2 --map-by ppr:1:socket --bind-to socket | environment OMP_NUM_THREADS 4 | system isolated_pus '"0-15"'|place "$two" -n 2 --map-by ppr:1:socket --bind-to socket | environment OMP_NUM_THREADS 4 OMP_PROC_BIND close | system isolated_pus '"0-15"'
isolated-threads|place "$two" -n 2 --map-by ppr:1:socket:PE=3 --bind-to core | environment OMP_NUM_THREADS 3 | system isolated_pus '"0-15"'|place "$two" -n 2 --map-by ppr:1:socket:PE=3 --bind-to core | environment OMP_NUM_THREADS 3 | system nohz_full_pus '"0-15"'
fewer-cpus|place "$two" | environment SRUN_CPUS_PER_TASK 4|place "$two" | environment SRUN_CPUS_PER_TASK 2
fewer-cpus|place "$two" | environment SLURM_CPUS_PER_TASK 4|place "$two" | environment SLURM_CPUS_PER_TASK 2
cpu-quota|place "$two" | system cpu_quota 4|place "$two" | system cpu_quota 8
memory-limit|place "$gib" | system memory_limit_bytes 4294967296|place "$gib" | system memory_limit_bytes 15032385536
disallowed-pus|place "$two" -n 4 --map-by ppr:2:socket --bind-to core | allowed 0-15 0-7|place "$two" -n 4 | allowed 0-15 0-7
disallowed-pus|place "$two" | allowed 0-15 0-7|place "$two" -n 8 --bind-to none | allowed 0-15 0-15
system-core|place "$two" | system isolated_pus '"1-15"'|place "$two" | system isolated_pus '"15"'
system-core|place "$two" | system nohz_full_pus '"2-15"'|place "$two" -n 7 --rankfile "$work/kept" | system nohz_full_pus '"2-15"'
slow-cores|place 'node:1 core:14' -n 8 | kinds 0-7 8-13|place 'node:1 core:14' -n 13 | kinds 0-7 8-13
slow-cores|place "$two" -n 4 | kinds 0-7 8-15|place "$two" -n 4 | kinds 8-15 0-7
unequal-cores|place "$two" | kinds 0-7 8-15|place "$two" -n 4 | kinds 8-15 0-7
unequal-cores|place "$two" --rankfile "$work/parts" | kinds 8-15 0-7 | programs 0*4,1 1 1|place "$two" --rankfile "$work/parts" | kinds 8-15 0-7 | programs 0,1*4 1 1
huge-pages|place "$two" -n 2 | huge 1|place "$two" -n 2 | huge 0
huge-pages|place "$gib" -n 2 | huge 1|place "$gib" -n 2 | huge 1 | few_pages
far-adapter|place "$parts" -n 4 --map-by ppr:2:node --bind-to core | devices network mlx5_0 package:1|place "$parts" -n 4 --map-by numa --bind-to core | devices network mlx5_0 package:0
far-adapter|place "$parts" -n 4 --map-by ppr:2:node --bind-to core | devices network mlx5_0 package:1|place "$parts" -n 8 --map-by ppr:1:numa --bind-to core | devices network mlx5_0 package:0
far-gpu|place "$parts" -n 4 --map-by ppr:2:node --bind-to core | devices gpu cuda0 package:1|place "$parts" -n 4 | devices gpu cuda0 package:0
far-adapter|place "$four" -n 8 --map-by ppr:2:node --bind-to core | devices network mlx5_0 numa:1|place "$four" | devices network mlx5_0 numa:0
far-adapter|place "$four" -n 8 --map-by ppr:2:node --bind-to core | devices network mlx5_0 numa:1|place "$four" -n 8 --map-by ppr:2:node --bind-to core | devices network mlx5_0 numa:1 network mlx5_1 numa:0
far-adapter|place "$four" -n 8 --map-by ppr:2:node --bind-to core | devices network eth0 numa:1|place "$four" -n 8 --map-by ppr:2:node --bind-to core | devices network eth0 numa:1 | gigabit
far-adapter|place 'node:2 package:2 [numa] core:4' -n 2 --map-by ppr:1:node --bind-to core | devices network mlx5_0 numa:1|place 'node:2 package:2 [numa] core:4' -n 2 --map-by ppr:1:node --bind-to core | devices network mlx5_0 numa:0
far-adapter|place 'node:2 package:2 [numa] core:4' -n 2 --map-by ppr:1:node --bind-to core | devices gpu cuda0 numa:0 gpu cuda1 numa:1 network mlx5_0 numa:1|place 'node:2 package:2 [numa] core:4' -n 2 --map-by ppr:1:node --bind-to core | devices gpu cuda0 numa:0 network mlx5_0 numa:1
one-adapter|place "$four" | devices gpu cuda0 numa:0 network mlx5_0 numa:0 network mlx5_1 numa:1|place 'node:2 package:2 [numa] core:4' -n 4 --map-by ppr:2:node --bind-to core | devices gpu cuda0 numa:0 gpu cuda1 numa:0 network mlx5_0 numa:0 network mlx5_1 numa:1
far-adapter|place "$parts" -n 2 --map-by ppr:1:node --bind-to numa | devices network mlx5_0 numa:1|place "$parts" -n 2 --map-by ppr:1:node --bind-to socket | devices network mlx5_0 numa:1
one-adapter|place "$four" | devices network mlx5_0 numa:0 network mlx5_1 numa:1|place "$four" --map-by socket --bind-to core | devices network mlx5_0 numa:0 network mlx5_1 numa:1
one-adapter|place "$four" | devices network mlx5_0 numa:0 network mlx5_1 numa:1|place "$four" | devices network mlx5_0 numa:0 network eth0 numa:1
far-gpu|place "$two" -n 2 --map-by core --bind-to core | devices gpu cuda0 numa:1|place "$two" -n 2 --map-by socket --bind-to core | devices gpu cuda0 numa:1
idle-nodes|place "$four" -n 8|place "$four" -n 8 --map-by ppr:1:socket
idle-nodes|place "$four" -n 12 --map-by ppr:4:node|place "$four" -n 4 --map-by node
uneven-nodes|place "$four" -n 30|place "$four" -n 32
uneven-nodes|place 'node:1 core:4' 'node:1 core:8' -n 6|place 'node:1 core:4' 'node:1 core:8' -n 12
uneven-nodes|place 'node:1 core:4' 'node:1 core:8' -n 6|place 'node:1 core:4' 'node:1 core:8' --hosts n0:2,n1:4
uneven-nodes|place "$four" --launcher openmpi5 --app '-n 8 ocean' --app '-n 22 air'|place "$four" --launcher openmpi5 --app '-n 4 ocean' --app '-n 8 air'
uneven-nodes|place 'node:1 core:4 pu:2' 'node:1 core:4' -n 11 --use-hwthread-cpus --map-by hwthread --bind-to hwthread|place 'node:1 core:4 pu:2' 'node:1 core:4' -n 12 --use-hwthread-cpus --map-by hwthread --bind-to hwthread
idle-l3|place 'node:4 l3:4 core:4' --map-by ppr:3:node|place 'node:4 l3:4 core:4' --map-by ppr:2:node -n 8
far-adapter|place 'node:2 package:2 [numa] core:4' -n 4 --map-by ppr:2:node --bind-to core | devices network mlx5_0 numa:1|place 'node:2 package:2 [numa] core:4' --rankfile "$work/across" | devices network mlx5_0 numa:1
unequal-nodes|place "$small" "$large" -n 16 --map-by ppr:8:node --bind-to hwthread --use-hwthread-cpus|place 'node:1 core:8 pu:2' "$large" -n 16 --map-by ppr:8:node
unequal-nodes|place "$small" "$large" -n 8 --map-by ppr:4:node | environment OMP_NUM_THREADS 2|place "$small" "$large" -n 8 --map-by ppr:4:node
unequal-nodes|place 'node:1 package:2 core:2' 'node:1 package:2 core:8' --map-by ppr:1:socket --bind-to socket|place 'node:1 package:2 core:2' 'node:1 package:2 core:8' --map-by ppr:1:socket --bind-to socket | environment OMP_NUM_THREADS 2
not-consecutive|place "$four" --map-by node|place "$four" --map-by core
not-consecutive|place "$four" --launcher openmpi5 --map-by node --app '-n 8 ocean' --app '-n 24 air'|place "$four" --launcher openmpi5 --map-by ppr:4:node --app '-n 16 ocean' --app '-n 16 air'
slow-order|place "$four" --map-by node|place "$four" --launcher openmpi5 --map-by node --app '-n 8 ocean' --app '-n 24 air'
slow-order|place 'node:4 core:8' --map-by node|place 'node:4 core:8'
not-consecutive|place 'node:65 core:8' --map-by node|place 'node:65 core:8'
long-mapping|place 'node:300 core:2' --shuffle 3|place 'node:300 core:2' --map-by node
split-switches|place 'node:4 core:2' --network "$work/alternate"|place 'node:4 core:2' --network "$work/joined"
split-switches|place 'node:4 core:2' --network "$work/alternate"|place 'node:4 core:2' --network "$work/alternate" -n 2
thread-limit|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_THREAD_LIMIT 2|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 OMP_THREAD_LIMIT 4
thread-limit|place "$two" -n 2 --map-by ppr:1:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 2,2 OMP_THREAD_LIMIT 3|place "$two" -n 2 --map-by ppr:1:socket:PE=2 --bind-to core | environment OMP_NUM_THREADS 16 OMP_THREAD_LIMIT 4
no-common-switch|place 'node:4 core:1' --network "$work/parted"|place 'node:4 core:1' --network "$work/joined"
END
)

# run_commands RULE DOCUMENT...: each command of topomap in the fix of a rule, or in all of them and the
# verdict where it is "-", ends with the name of the job and can be run as it stands
run_commands()
{
	local of=$1 text line rule command said
	text=$(sed -n '/"skipped": /q; s/^ *"name": "\([a-z0-9-]*\)",$/\1/p; s/^ *"fix": "\(.*\)",$/ \1/p' "$work/seen.json" |
		awk '/^ / { print rule $0; next } { rule = $0 }' | sed 's/\\"/"/g'
		sed -n 's/^    topomap/verdict topomap/p' "$work/verdict" | sed 's/  # .*//')
	while read -r rule line; do
		said=$(grep -o 'topomap [a-z]' <<<"$line" | wc -l)
		while read -r command; do
			[ -n "$command" ] || continue
			said=$((said - 1))
			if ! grep -qxF "$rule $command" "$work/run"; then
				eval "$command" >/dev/null 2>"$work/err" </dev/null
				case "$? $command" in
				0* | "4 topomap inspect --lint"*) pass ;;
				*) fail "$of: $rule offers $command: $(cat "$work/err")" ;;
				esac
			fi
			echo "$rule $command" >>"$work/run"
		done < <(grep -o "topomap [a-z][^;()]*$work/job.json" <<<"$line")
		[ "$said" -eq 0 ] || fail "$of: $rule offers a command without the job: $line"
	done <<<"$text"
}

# has RULE JOB: is it found in the job that the words make?
has()
{
	eval "$2" >"$work/job.json" 2>"$work/err" || { fail "$2: $(cat "$work/err")"; return 2; }
	topomap inspect -f json "$work/job.json" >"$work/seen.json" || fail "$2 is not inspected"
	# the verdict of any job: ten lines of a screen, but for commands with long names
	topomap inspect "$work/job.json" | sed '/^$/,$d' >"$work/verdict"
	: >"$work/run"
	run_commands "$2"
	cat "$work/run" >>"$work/all_run"
	awk 'NR > 10 || length > 80 && !/^    topomap/ { exit 1 }' "$work/verdict" || fail "$2: a verdict too long"
	sed '/"skipped"/q' "$work/seen.json" | grep -q "\"name\": \"$1\""
}

# pair RULE|JOB|TWIN: no job is named twice within a row, and pipes are part of jobs: fields end at |place
pair()
{
	local rule=${1%%|*} rest=${1#*|} found twin
	found=${rest%|place*} twin=place${rest##*|place}
	if has "$rule" "$found"; then pass; else fail "$rule is not found: $found"; fi
	if has "$rule" "$twin"; then fail "$rule is found: $twin"; else pass; fi
	# left out by name it is not found, and said to be left out
	eval "$found" | topomap inspect -f json --ignore "$rule" |
		sed -n '/"skipped"/,$p' | grep -q "\"name\": \"$rule\"" || fail "--ignore $rule"
}

# each command in the sources of the rules and of the verdict is run: of a new one there must be a job
# in the table
{
	cat core/lint/*.c | tr -d '\n\t' | sed 's/""//g' | grep -o 'topomap [a-z-]* --*[a-z]*' | sort -u
	cat formats/report/inspection/verdict*.c formats/report/inspection/text_verdict.c |
		grep -o '"\(inspect\|score\|suggest-rankfile\)[a-z -]*' | sed 's/^"/topomap /; s/ *$//' | sort -u
} >"$work/offered"
offered=$(wc -l <"$work/offered")

# those that were not run
left_out()
{
	while read -r command; do
		grep -q -e " $command " "$work/all_run" || echo "$command"
	done <"$work/offered"
}

declare -A tried
left=()
while read -r line; do
	rule=${line%%|*}
	if [ -n "$WHOLE" ] || [ -z "${tried[$rule]}" ] || ((turn++ % 3 == 0)); then
		tried[$rule]=yes
		pair "$line"
	else
		left+=("$line")
	fi
done <<<"$pairs"
# a sample that is without a command gets more
for line in "${left[@]}"; do
	[ -n "$(left_out)" ] || break
	pair "$line"
done
passed=$((passed + offered - $(left_out | wc -l)))
while read -r command; do
	[ -z "$command" ] || fail "$command was never offered and run"
done <<<"$(left_out)"
[ "$offered" -ge 8 ] || fail "only $offered commands are offered"

# same WHAT WANTED GOT
same() { if [ "$2" = "$3" ]; then pass; else fail "$1: '$3' and not '$2'"; fi; }

# made JOB: its placement is $work/made.json; what is refused is told, so that it is not taken for a job
# without findings
made()
{
	(set -o pipefail && eval "$1") >"$work/made.json" 2>"$work/err" && return
	echo "$1 is refused: $(cat "$work/err")"
	return 1
}

# found JOB: "RULE (SEVERITY)" of each finding
found()
{
	made "$1" || return
	topomap inspect --lint "$work/made.json" >"$work/lint" 2>"$work/err"
	case $? in
	0 | 4) sed -n 's/^\([a-z0-9-]* ([a-z]*)\)$/\1/p' "$work/lint" | paste -sd ' ' ;;
	*) echo "$1 is not inspected: $(cat "$work/err")" ;;
	esac
}
same "a job that is refused is not one without findings" 2 \
	"$({ found 'place "$two" -n 100'; found 'echo nothing'; } | grep -c 'is refused: \|is not inspected: ')"

# programs are named, and only their ranks
eval 'place "$two" --rankfile "$work/parts" | programs 0,1*4 4 3' >"$work/job.json"
same "the program of a finding" "3 threads on 2 PUs (OMP_NUM_THREADS of rank 1), in program air" \
	"$(topomap inspect -f json "$work/job.json" | sed -n 's/.*"reason": "\(.* in program [^:]*\): .*/\1/p')"
same "its name in JSON" '["air"]' \
	"$(topomap inspect -f json "$work/job.json" | sed -n 's/.*"programs": \(.*\),$/\1/p')"
same "the columns of the table" "package threads program" \
	"$(topomap inspect --table "$work/job.json" | sed -n 's/^rank .* \(package .*\)/\1/p' | tr -s ' ')"
same "unequal programs that are well placed" "" \
	"$(found 'place "$two" --rankfile "$work/parts" | programs 0,1*4 4 1')"
same "what a launcher does to all programs is not offered for one" 0 \
	"$(topomap inspect --lint "$work/job.json" 2>/dev/null | grep -c -e '--map-by')"
same "ranks at the only GPU: a hint" "idle-memory (hint)" \
	"$(found 'place "$two" -n 4 | devices gpu cuda0 numa:0')"
same "a GPU on each NUMA node" "idle-memory (warning)" \
	"$(found 'place "$two" -n 4 | devices gpu cuda0 numa:0 gpu cuda1 numa:1')"
same "ranks brought to the only adapter: a hint" "idle-memory (hint)" \
	"$(found 'place "node:2 package:2 [numa] core:4" --rankfile "$work/second" | devices network mlx5_0 numa:1')"
same "ranks that are at it by default" "idle-memory (warning)" \
	"$(found 'place "node:2 package:2 [numa] core:4" --map-by ppr:4:node | devices network mlx5_0 numa:0')"
same "ranks on all memory are far from the adapter for that" "" \
	"$(found 'place "$four" -n 16 --map-by ppr:2:socket --bind-to core | devices network mlx5_0 numa:0')"
printf 'rank %s\n' 0=n0\ slot=4 1=n1\ slot=4 >"$work/at_gpu"
at_gpu='place "node:2 package:2 [numa] core:4" --rankfile "$work/at_gpu" | devices network mlx5_0 numa:0 gpu cuda0'
same "a rank at a GPU of its own is far from the adapter for that" "" "$(found "$at_gpu numa:1")"
same "hardware threads that are all used, one by each rank, are a hint" "shared-core (hint)" \
	"$(found "place 'node:2 core:4 pu:2' --use-hwthread-cpus --map-by hwthread --bind-to hwthread")"
same "where PUs are idle it is not known that all are wanted" "shared-core (warning)" \
	"$(found "place 'node:2 core:4 pu:2' -n 14 --map-by ppr:7:node --use-hwthread-cpus --bind-to hwthread")"
same "one that is far from the GPU, too, is not" "far-adapter (warning) far-gpu (warning)" "$(found "$at_gpu numa:0")"
one='place "node:2 package:2 [numa] core:4" -n 2 --map-by ppr:1:node --bind-to core | devices network mlx5_0 numa:1'
same "one rank a node is not spread over all memory" "far-adapter (warning)" "$(found "$one")"
same "nor are ranks that leave that of the adapter idle" "far-adapter (warning)" \
	"$(found 'place "$parts" -n 4 --map-by ppr:1:package --bind-to core | devices network mlx5_0 numa:1')"
same "nodes of two sizes are not filled alike" "start at most 20 ranks, shared by cores, 4 on n0 and 16 on n1: -n 20" \
	"$(place "$small" "$large" -n 40 --map-by ppr:20:node --bind-to none --slots 20 |
		topomap inspect --lint 2>/dev/null | sed -n '/^oversubscribed/,/fix/s/^  fix  *//p')"
same "ranks with two cores each keep them" "--map-by ppr:2:socket:PE=2 --bind-to core" \
	"$(place 'node:1 package:2 [numa] core:8' -n 4 --map-by slot:PE=2 --bind-to core |
		topomap inspect -f json | sed -n 's/.*"fix": .*: \(--map-by.*core\) (Open MPI).*/\1/p')"
eval "place 'node:1 core:16' --rankfile $work/loose" | programs 0*14,1*2 1 3 >"$work/job.json"
same "threads of unbound ranks beside those of bound ones" "20 threads, 6 of unbound ranks, for 16 PUs on n0 (OMP_NUM_THREADS of rank 14)" \
	"$(topomap inspect -f json "$work/job.json" | sed -n 's/.*"reason": "\(20 threads.* of rank 14)\).*/\1/p')"
same "unknown threads: a hint" "unequal-nodes (hint)" \
	"$(found "place 'node:1 package:2 core:2' 'node:1 package:2 core:8' --map-by ppr:1:socket --bind-to socket")"

same "sets that overlap in part, and others" "12 threads of 2 ranks whose sets of PUs overlap, 8 PUs in all (OMP_NUM_THREADS of rank 0) 0-1" \
	"$(place 'node:1 core:16' --rankfile "$work/chain" | environment OMP_NUM_THREADS 6 >"$work/job.json"
		topomap inspect -f json "$work/job.json" | sed -n 's/.*"reason": "\(12 threads.* of rank 0)\).*/\1/p; s/.*"ranks": \["*\([0-9-]*\)"*\].*/\1/p; s/^ *"ranks": "\([-0-9]*\)",/\1/p' | paste -sd ' ')"

# what decides comes first, and the ranks are named: short of time, one reads no further
verdict() { eval "$1" | topomap inspect | sed '/^$/q'; }
first() { verdict "$1" | sed -n 's/^\(error\|warning\) //p' | paste -sd '|'; }
same "threads and PUs first" "many-threads (all ranks): 4 threads on 2 PUs (OMP_NUM_THREADS of rank 0)" \
	"$(first 'place "$two" | environment OMP_NUM_THREADS 4')"
same "the NUMA nodes of far memory" "far-memory (rank 0): memory only of NUMA node 1, PUs on NUMA node 0 (rank" \
	"$(first 'place "$two" -n 2 | memory 1')"
same "their numbers in JSON" '{"memory_node": 1, "pu_node": 0}' \
	"$(place "$two" -n 2 | memory 1 | topomap inspect -f json | sed -n 's/.*"figures": \({"memory.*\)/\1/p')"
same "each node, not the first" "idle-memory (all ranks): 1 of 2 NUMA nodes is idle on each node, while ranks take at least half of the cores of 1" \
	"$(verdict 'place "$four" -n 16 --map-by ppr:4:node --bind-to core' | sed -n '/^warning/,/^  /p' | sed '/^  /,$d; s/^warning //' | paste -sd ' ')"
same "one of several such nodes: one finding" "10 ranks for 4 cores on n0 (one of 2 such nodes)" \
	"$(place 'node:2 core:4' 'node:2 core:16' -n 40 --map-by ppr:10:node --bind-to none --slots 10 |
		topomap inspect -f json | sed -n 's/.*"reason": "\([0-9n][^:]*\): .*/\1/p' | grep ranks | grep -v bound | paste -sd '|')"
same "the cores that a cpuset leaves the job" "36 ranks for the 16 of 64 cores that the job may use on n0: they take turns on the PUs, and all wait for those whose turn it is not" \
	"$(place 'node:1 package:2 [numa] core:32' -n 36 --bind-to none | sed '/allowed_pus/s/0-63/0-15/; /"places"/,$ s/"0-63"/"0-15"/' |
		topomap inspect -f json | sed -n 's/.*"reason": "\(36 ranks.*\)".*/\1/p')"
same "what asked for more is a warning beside the error that comes of it" "many-threads (error) fewer-cpus (warning)" \
	"$(found 'place "$two" | environment OMP_NUM_THREADS 4 SLURM_CPUS_PER_TASK 4')"
same "what isolcpus leaves the system is kept for nobody" "" \
	"$(found 'place "$two" -n 2 --map-by ppr:1:socket:PE=3 --bind-to core | sed "/places/,/ranks/s/0-5/2-7/" | environment SLURM_CPUS_PER_TASK 8 OMP_NUM_THREADS 6 OMP_PLACES cores OMP_PROC_BIND close | system isolated_pus "\"2-15\""' | grep -o fewer-cpus)"
same "and else a hint" "fewer-cpus (hint)" "$(found 'place "$two" | environment SLURM_CPUS_PER_TASK 4')"
same "the worst come first" "shared-pu (error) idle-memory (warning)" \
	"$(found "place 'node:1 package:2 core:4' -n 4 --map-by core --bind-to core | sed 's/\"pus\": \"1\"/\"pus\": \"0\"/'")"

# counts: the first line, standard error and JSON
place "$gib" | environment OMP_NUM_THREADS 4 SLURM_CPUS_PER_TASK 4 |
	system memory_limit_bytes 4294967296 >"$work/job.json"
counted=$(topomap inspect --lint "$work/job.json" 2>"$work/err" | sed -n 1p)
same "the same count on standard error" "topomap inspect: $counted" "$(cat "$work/err")"
same "each finding is in it" "$(topomap inspect --lint "$work/job.json" 2>/dev/null | sed -n 's/^[a-z0-9-]* (\([a-z]*\))$/\1/p' |
	sort | uniq -c | sort -k 2,2 | tr -s ' ' | paste -sd '\0')" \
	"$(topomap inspect -f json "$work/job.json" |
		sed -n 's/.*"finding_counts": {"error": \(.*\), "warning": \(.*\), "hint": \(.*\)},/ \1 error \3 hint \2 warning/p' |
		sed 's/ 0 [a-z]*//g; s/  */ /g')"

# below an error the order is said to fit without it, and nothing is to be tried
same "the order below an error" 1 "$(verdict 'place "$four" | environment OMP_NUM_THREADS 4' | grep -c '^Once that is mended, the order fits: block')"
same "no file is offered that keeps the error" 0 \
	"$(verdict 'place "$four" --map-by node | environment OMP_NUM_THREADS 4' | grep -c suggest-rankfile)"
same "the fix of the first one" "--map-by ppr:1:node:PE=8 --bind-to core (Open MPI)" \
	"$(verdict "place 'node:2 core:8' -n 2 --map-by ppr:1:node --bind-to core --launcher openmpi4 | environment OMP_NUM_THREADS 8" |
		sed -n '/^  fix/,/)$/p' | paste -sd ' ' | tr -s ' ' | sed 's/.*: --/--/')"

# one of two orders may be better, and neither leads to the other and back
warned() { topomap inspect --lint --library "$library" --profile "$profile" "$work/$1.json" 2>/dev/null | sed -n 's/^\(not-consecutive\|slow-order\) (\([a-z]*\))$/\1 \2/p' | paste -sd ' '; }
better=
for machine in 'node:2 core:10' 'node:4 core:8'; do
	place "$machine" >"$work/block.json"
	place "$machine" --map-by node >"$work/cyclic.json"
	for library in openmpi4 openmpi5 mpich; do
		for profile in summit gigabit; do
			orders="$(warned block)|$(warned cyclic)"
			case $orders in
			'slow-order hint|not-consecutive hint') better+=c ;;
			'|not-consecutive warning slow-order warning') better+=b ;;
			'|not-consecutive hint') better+=n ;;
			*)
				fail "orders of $machine with $library by $profile: $orders"
				continue
				;;
			esac
			pass
		done
	done
done
same "cyclic, block or neither is better" "b c n" "$(grep -o . <<<"$better" | sort -u | paste -sd ' ')"
same "of a library of which nothing is known nodes are counted one by one" "not-consecutive (warning)" \
	"$(found 'place "node:4 core:8" --map-by node | sed "s/  \"by\": .*/  \"by\": \"topomap-probe\",/; s/\"request\": .*/\"mpi\": \"MVAPICH2 2.3.7\"/"')"
same "the advice of a hint has no words that lose what the order gains" 0 \
	"$(place 'node:2 core:10' --map-by node | topomap inspect --lint --profile gigabit 2>/dev/null | sed -n '/^not-consecutive/,/^$/p' | grep -c -e '--')"

# what no order mends is not written in silence, and what an order mends is no part of it
kept()
{
	made "$1" || return
	# shellcheck disable=SC2086
	topomap suggest-rankfile --mapper identity $2 - <"$work/made.json" 2>"$work/err" >/dev/null ||
		echo "$1 is refused: $(cat "$work/err")"
	sed -n 's/^This mapping keeps .*: \(.*\); fixes: \(.*\)/\1, \2/p' "$work/err"
}
same "suggest-rankfile keeps an error" "many-threads (error), topomap inspect --lint JOB.json" \
	"$(kept 'place "$two" | environment OMP_NUM_THREADS 4')"
same "it keeps nothing of a job that is well placed" "" "$(kept 'place "$four"')"
same "an order is what it mends" "" "$(kept 'place "$four" --map-by node')"
same "other slots without the fault" "" \
	"$(kept 'place "$two" -n 8 --map-by hwthread --bind-to hwthread' '--slots core')"

# fix RULE: what the rule offers for the placement on standard input
fix() { topomap inspect -f json | sed -n "/\"name\": \"$1\"/,/\"fix\"/s/.*\"fix\": \"\(.*\)\",$/\1/p"; }

openmpi='s|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "Open MPI v4.1.6", "launcher": "mpirun (Open MPI) 4.1.6"|'
hydra='s|"by": .*|"by": "topomap-probe",|; /^    "launcher": /d; s|"request": .*|"mpi": "MPICH 4.2.1", "launcher": "mpiexec (Hydra) 4.2.1"|'
same "as many ranks on each NUMA node, and on each node" \
	"distribute the ranks of a node over its packages: --map-by ppr:2:socket --bind-to core (Open MPI)" \
	"$(place 'node:4 package:2 core:4' -n 16 --map-by ppr:4:node | sed "$openmpi" | fix idle-memory)"
same "as many PUs as Slurm was asked for" \
	"bind each rank to as many PUs as were asked for (5): --distribution=block:block --cpus-per-task=6 --cpu-bind=cores (Slurm)" \
	"$(place 'node:2 package:2 [numa] core:6 pu:2' --launcher slurm -n 8 --env SLURM_CPUS_PER_TASK=5 | fix fewer-cpus)"
same "what does not come out even" \
	"distribute the ranks of a node over its NUMA nodes: --map-by numa --bind-to core (Open MPI); each node keeps its 3 ranks (slots in a list of hosts)" \
	"$(place 'node:2 numa:2 core:4' -n 6 --map-by ppr:3:node | sed "$openmpi" | fix idle-memory)"
same "ranks that have no room on the cores kept for jobs" \
	"start 7 ranks a node, as 7 cores are kept apart for jobs, and leave the others free: topomap suggest-rankfile -n 7 --slots core --leave-free pu:0-1 JOB.json" \
	"$(place "$two" | system isolated_pus '"2-15"' | fix system-core)"
place "$two" | system isolated_pus '"2-15"' >"$work/job.json"
same "the command that it offers" 0 "$(topomap suggest-rankfile -n 7 --slots core --leave-free pu:0-1 -m walk \
	"$work/job.json" 2>/dev/null >"$work/offered" && place "$two" --rankfile "$work/offered" |
	system isolated_pus '"2-15"' | topomap inspect --lint 2>/dev/null | grep -c '^system-core')"
same "ranks that have it" \
	"bind the 4 ranks of a node to the 7 cores that are kept apart for jobs: topomap suggest-rankfile -n 4 --slots core --leave-free pu:0-1 JOB.json" \
	"$(place "$two" -n 4 | system isolated_pus '"2-15"' | fix system-core)"
same "ranks of several cores" \
	"start at most 3 ranks a node, 2 cores for each, on the 7 cores that are kept apart for jobs, by a file of their launcher" \
	"$(place "$two" -n 4 --map-by slot:PE=2 --bind-to core | system isolated_pus '"2-15"' | fix system-core)"
same "memory that a command around a rank leaves out, or a cgroup" \
	"start the ranks without numactl --membind=1, or what else limits their memory to NUMA node 1: numactl --localalloc, or no memory policy at all; if a cgroup leaves NUMA node 0 out (cpuset.mems), ask for it too" \
	"$(place "$two" -n 1 | memory 1 | sed "$openmpi" | fix far-memory)"
same "memory that other ranks may use is not" \
	"bind memory of rank 0 to where its PUs are, NUMA node 0: numactl --localalloc, or no memory policy at all" \
	"$(place "$two" -n 2 | memory 1 | sed 's/"bound": true}/"bound": true, "memory": "0"}/' | sed "$openmpi" | fix far-memory)"
slurm='s|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "Open MPI v4.1.6", "launcher": "srun (Slurm) 23.11.4"|'
# all_memory SET: the memory policy of every place
all_memory() { sed "s/\"bound\": true/&, \"memory\": \"$1\"/"; }
eight='node:1 numa:8 core:2'
same "all NUMA nodes that a command around the ranks leaves out" \
	"start the ranks without numactl --membind=0, or what else limits their memory to NUMA node 0: --mem-bind=local (Slurm); if a cgroup leaves NUMA nodes 1-7 out (cpuset.mems), ask for them too" \
	"$(place "$eight" --map-by ppr:1:numa --bind-to numa | all_memory 0 | sed "$slurm" | fix far-memory |
		sed 's/numactl --localalloc, \(.*\), or no memory policy at all/\1/')"
own=$(for n in {0..7}; do echo "s/\"object\": \"numa:$n\", \"bound\": true/&, \"memory\": \"$n\"/;"; done)
same "the ranks whose memory is bound wrong" \
	"bind memory of ranks 2,6, of each rank to where its PUs are, NUMA nodes 2,6: numactl --localalloc, or no memory policy at all" \
	"$(place "$eight" --map-by ppr:1:numa --bind-to numa | sed "$own" | sed 's/"memory": "[26]"/"memory": "0"/' |
		sed "$openmpi" | fix far-memory)"
# the nodes of a KNL in flat mode: oracle: Linux takes the nearest of the nodes that --membind allows
flat='s/{"os": \([01]\), "object": "numa:\([01]\)"}/&, {"os": 1\1, "object": "numa:\2", "kind": "MCDRAM"}/'
place 'node:2 numa:2 core:4' | sed "$flat" | all_memory 10 >"$work/job.json"
same "memory of a kind that is wanted stays of that kind" \
	"numactl --membind=10-11 instead of --membind=10: of these the system takes the MCDRAM nearest to each rank first" \
	"$(sed "$slurm" "$work/job.json" | fix far-memory)"
same "that mends it" "" "$(sed 's/"memory": "10"/"memory": "10-11"/' "$work/job.json" | topomap inspect --lint 2>/dev/null | grep '^far-memory')"
same "where the kind has none that is nearer" \
	"start the ranks without numactl --membind=10, or what else limits their memory to NUMA node 10: numactl --localalloc, --mem-bind=local (Slurm), or no memory policy at all; if a cgroup leaves NUMA node 1 out (cpuset.mems), ask for it too" \
	"$(place 'node:2 numa:2 core:4' | sed "${flat//\[01\]/0}" | all_memory 10 | sed "$slurm" | fix far-memory)"
# a launcher starts all ranks of a job: what counts those of a communicator is no word for it
place 'node:4 package:2 core:4' -n 16 --map-by ppr:4:node | sed "$openmpi" >"$work/job.json"
same "ranks of a communicator on one package are distributed, without their number" \
	"distribute the ranks of a node over its packages" \
	"$(topomap inspect -f json --comm 0-7 "$work/job.json" | sed -n '/"name": "idle-memory"/,/"fix"/s/.*"fix": "\(.*\)",$/\1/p')"
same "a limit of time has the name of its node" \
	"raise the CPU limit of n0's pod or cgroup to 24 (cpu.max), or run at most 1 thread a rank there (OMP_NUM_THREADS=1)" \
	"$(place "$two" | environment OMP_NUM_THREADS 3 | system cpu_quota 8 | fix cpu-quota)"
same "one rank alone gets no fewer threads than one" \
	"raise the CPU limit of each pod or cgroup to 8 (cpu.max), or put 4 ranks on every node, as many on each package: -n 16 -ppn 4 -bind-to core -map-by socket (Hydra)" \
	"$(place "$four" | system cpu_quota 4 | sed "$hydra" | fix cpu-quota)"
# so that ranks which crowd no memory do not crowd a cache instead
same "a quota's fewer ranks go to all caches, too" \
	"raise the CPU limit of each pod or cgroup to 32 (cpu.max), or put 8 ranks on every node, as many on each L3 cache: -n 16 -ppn 8 -bind-to core -map-by l3cache (Hydra)" \
	"$(place 'node:2 package:2 [numa] l3:4 core:4' | system cpu_quota 8 | sed "$hydra" | fix cpu-quota)"
same "the second of two programs goes to the idle cores" \
	"bind air to cores 6-7, which are idle on n0" \
	"$(place 'node:1 core:8' --rankfile "$work/again" | programs '0*6,1*2' 1 1 | fix shared-pu)"
same "where it has no room there, the idle cores are named" \
	"give each rank PUs of its own: core 6 is idle on n0" \
	"$(place 'node:1 core:7' --rankfile "$work/again" | programs '0*6,1*2' 1 1 | fix shared-pu)"
same "threads on places of one hardware thread each are siblings, whatever the rank is bound to" \
	"4 threads on 8 PUs of 4 cores (OMP_NUM_THREADS of rank 0), of which they take 2, as OMP_PLACES is threads: set OMP_PLACES=cores" \
	"$(place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 OMP_PLACES threads |
		topomap inspect -f json | sed -n 's/.*"reason": "\(.*\): the threads share.*/\1/p; s/.*"fix": "\(set .*\)",$/\1/p' |
		paste -sd: | sed 's/:/&\ /')"
# words of the finding and of its fix, whoever decides where threads are
while IFS='|' read -r what job; do
	same "piled-threads: $job" "$what" "$(eval "$job" | sed "$openmpi" | topomap inspect -f json |
		sed -n '/"name": "piled-threads"/,/"fix"/{s/.*"reason": "\(.*\): they share.*/\1/p; s/.*"severity": "\(.*\)",$/\1/p; s/.*"fix": "\(.*\)",$/\1/p}' | paste -sd '~')"
done <<'END'
error~the threads of 4 ranks are put on the same 2 cores, while 6 are idle (OMP_PLACES=cores, OMP_PROC_BIND=close: each rank counts from the first core that it may run on)~bind each rank to as many cores of its own as it has threads (2): --map-by ppr:4:node:PE=2 --bind-to core (Open MPI)|place 'node:1 core:8' -n 4 --bind-to none | environment OMP_NUM_THREADS 2 OMP_PLACES cores OMP_PROC_BIND close
warning~the threads of every 2 ranks are put on the same 2 cores, while 2 are idle (OMP_PLACES=cores, OMP_PROC_BIND=spread: each rank distributes them over the same cores)~bind each rank to as many cores of its own as it has threads (2): --map-by ppr:4:node:PE=2 --bind-to core (Open MPI)|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 OMP_PLACES cores OMP_PROC_BIND spread
error~8 ranks are put, if they use OpenMP, on the same core, while 7 are idle (OMP_PROC_BIND=true: each rank counts from the first core that it may run on)~bind each rank to a core of its own: --map-by ppr:8:node --bind-to core (Open MPI)|place 'node:1 core:8' --bind-to none | environment OMP_NUM_THREADS 1 OMP_PROC_BIND true
error~the threads of 2 ranks are put on the same 2 cores, while 6 are idle (GOMP_CPU_AFFINITY=0-7: the same list for all ranks of a node)~bind each rank to as many cores of its own as it has threads (2): --map-by ppr:2:node:PE=2 --bind-to core (Open MPI), and set OMP_PLACES=cores instead of GOMP_CPU_AFFINITY|place 'node:1 core:8' -n 2 --bind-to none | environment OMP_NUM_THREADS 2 GOMP_CPU_AFFINITY 0-7
error~the 4 threads of a rank are put on the same core, while 3 are idle (OMP_PLACES=cores, OMP_PROC_BIND=master: all threads of a rank are where its first one is)~set OMP_PROC_BIND=close|place 'node:1 core:8' -n 2 --map-by slot:PE=4 | environment OMP_NUM_THREADS 4 OMP_PLACES cores OMP_PROC_BIND master
error~the threads of every 2 ranks are put on the same core, while 3 are idle (KMP_AFFINITY=compact: each rank counts from the first core that it may run on)~bind each rank to as many cores of its own as it has threads (2): --map-by ppr:4:node:PE=2 --bind-to core (Open MPI), and set KMP_AFFINITY=granularity=fine,compact,1,0|place "$two" -n 4 --map-by ppr:2:socket --bind-to socket | environment OMP_NUM_THREADS 2 KMP_AFFINITY compact
END
for words in 'OMP_PLACES cores' 'OMP_PLACES threads OMP_PROC_BIND spread' 'OMP_PLACES threads OMP_PROC_BIND false' \
	'OMP_PROC_BIND close'; do
	# shellcheck disable=SC2086
	same "no siblings: $words" 0 "$(place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=4 |
		environment OMP_NUM_THREADS 4 $words | topomap inspect --lint 2>/dev/null | grep -c '^sibling-threads')"
done
same "the places are part of what is to be done" \
	"bind each rank to as many cores as it has threads (4): --map-by ppr:2:node:PE=4 --bind-to core (Open MPI), and set OMP_PLACES=cores" \
	"$(place 'node:1 [numa] core:8 pu:2' -n 2 --map-by slot:PE=2 | environment OMP_NUM_THREADS 4 OMP_PLACES threads |
		sed "$openmpi" | fix sibling-threads)"

# where a launcher has no file for places that no rank had, its words, which place takes
while IFS='|' read -r launcher jobs rest; do
	for job in $jobs; do
		words=$(sed "s/RANKS/$job/g" <<<"$rest")
		# shellcheck disable=SC2086
		place "$two" --launcher $launcher $words | system isolated_pus '"2-15"' >"$work/job.json"
		offered=$(fix system-core <"$work/job.json" | sed 's/^[^-]*: \(-.*\) (.*/\1/; s/-N [0-9]*//
			s/--ppn\|-ppn/--slots/; s/--tasks-per-node=/--slots /; s/-genv \([^ ]*\) /--env \1=/; s/-o cpu-affinity=/--cpu-bind /')
		same "words of $launcher for cores that are kept apart, $job ranks: $offered" "0 0" \
			"$(eval "place '$two' --launcher $launcher $offered" 2>"$work/err" | system isolated_pus '"2-15"' \
				>"$work/offered"; echo "$([ -s "$work/offered" ]; echo $?) $(topomap inspect --lint "$work/offered" 2>/dev/null |
				grep -c '^system-core')")"
	done
done <<'END'
cray|8 4|-n RANKS --slots RANKS --cpu-bind core
intel|8|-n RANKS --slots RANKS
flux|8|--slots RANKS --cpu-bind per-task
END

# launchers that bind core after core leave no memory idle with more cores for each rank, if these divide
while IFS='|' read -r launcher ranks options rule words; do
	# shellcheck disable=SC2086
	place 'node:2 package:2 numa:2 core:4 pu:2' --launcher $launcher $ranks $options >"$work/job.json"
	same "$rule in the words of $launcher, $options" "$words" "$(fix $rule <"$work/job.json" | sed 's/.*: //')"
	offered=$(sed 's/ (.*//; s/--ppn/--slots/; s/--depth/-c/; s/-o cpu-affinity=/--cpu-bind /' <<<"$words")
	# shellcheck disable=SC2086
	same "ends it" 0 "$(place 'node:2 package:2 numa:2 core:4 pu:2' --launcher $launcher $ranks $offered |
		topomap inspect --strict >/dev/null 2>&1; echo $?)"
done <<'END'
cray|-n 8|--slots 4 --cpu-bind core|idle-memory|--ppn 4 --depth 4 --cpu-bind core (Cray MPICH)
slurm|-n 8|--cpu-bind cores -m block:block -c 2|idle-memory|--distribution=block:block --cpus-per-task=8 --cpu-bind=cores (Slurm)
cray|-n 8 --env OMP_NUM_THREADS=4|--slots 4 --cpu-bind core|many-threads|--ppn 4 --depth 4 --cpu-bind core (Cray MPICH)
END
same "Flux too" "-c 4 -o cpu-affinity=per-task (Flux)" \
	"$(place 'node:2 package:2 numa:2 core:4' -n 8 --map-by ppr:4:node | fix idle-memory | grep -o -e '-c [^,]*(Flux)')"
same "cores that do not divide are named" \
	"distribute the ranks of a node over its NUMA nodes: -n 10 --ppn 5 --cpu-bind list:0:1:2:8:9 (Cray MPICH)" \
	"$(place 'node:2 package:2 [numa] core:8' --launcher cray -n 10 --slots 5 --cpu-bind core | fix idle-memory)"

# ranks that share a set: their threads are not to be bound to its first cores
echo 'rank 0=n0 slot=0-11;rank 1=n0 slot=0-11' | tr ';' '\n' >"$work/together"
place 'node:1 package:2 numa:2 core:4' --rankfile "$work/together" | environment OMP_NUM_THREADS 4 >"$work/job.json"
same "all to the same cores" "two-packages (warning)" "$(found 'cat "$work/job.json"')"
same "is said" 1 "$(topomap inspect --lint "$work/job.json" 2>/dev/null | grep -c 'of several packages, all 2 ranks of a node to the same')"
same "each gets as many as it has threads" "bind each to PUs of one NUMA node: --map-by ppr:1:socket:PE=4 --bind-to core (Open MPI)" \
	"$(fix two-packages <"$work/job.json")"
place 'node:1 package:2 numa:2 core:4' -n 2 --map-by ppr:1:socket:PE=8 | environment OMP_NUM_THREADS 8 >"$work/job.json"
same "threads away from their memory weigh more than from their cache" "warning" \
	"$(topomap inspect -f json "$work/job.json" | grep -A1 '"name": "loose-threads"' | sed -n 's/.*severity": "\(.*\)".*/\1/p')"
place 'node:1 l3:2 core:4' --rankfile "$work/all" | environment OMP_NUM_THREADS 8 KMP_AFFINITY none >"$work/job.json"
same "what looses them goes" "unset KMP_AFFINITY, set OMP_PLACES=cores and OMP_PROC_BIND=close" "$(fix loose-threads <"$work/job.json")"

# programs of different threads: one binding for all, where there is room
job="-n 8 --launcher openmpi5 --slots 4 --bind-to core"
# shellcheck disable=SC2086
place 'node:2 package:2 [numa] core:4' $job --map-by package | programs '0*4,1*4' 2 1 >"$work/job.json"
same "a binding for programs of different threads" \
	"bind each rank to as many cores as it has threads (2), all programs alike: --map-by package:PE=2 --rank-by slot --bind-to core (Open MPI 5); each node keeps its 4 ranks (slots in a list of hosts); or run fewer threads (OMP_NUM_THREADS)" \
	"$(fix many-threads <"$work/job.json")"
# shellcheck disable=SC2086
same "ends it" 0 "$(place 'node:2 package:2 [numa] core:4' $job --map-by package:PE=2 --rank-by slot | programs '0*4,1*4' 2 1 |
	topomap inspect --strict >/dev/null 2>&1; echo $?)"
same "the fast cores by name" \
	"bind the 4 ranks of the node to the fastest cores, PUs P#2-3,6-7: topomap suggest-rankfile -n 4 --slots core --leave-free pu:0-1,4-5 JOB.json" \
	"$(place 'node:1 [numa] core:8' -n 4 | kinds_of 0-1 4-5 2-3 6-7 | fix slow-cores)"
place 'node:1 [numa] core:8' -n 4 | kinds_of 0-1 4-5 2-3 6-7 >"$work/job.json"
same "only those on slow cores are at fault" "0-1" \
	"$(topomap inspect --lint "$work/job.json" 2>/dev/null | sed -n 's/^  ranks  *\([^ ]*\).*/\1/p' | head -n 1)"
same "the command for fast cores ends it" 0 "$(topomap suggest-rankfile -n 4 --slots core --leave-free pu:0-1,4-5 \
	-m walk "$work/job.json" 2>/dev/null >"$work/offered" && place 'node:1 [numa] core:8' --rankfile "$work/offered" |
	kinds_of 0-1 4-5 2-3 6-7 | topomap inspect --lint 2>/dev/null | grep -c -e '^slow-cores')"
same "ranks that have no room: more nodes for all" \
	"start at most one rank a core: -n 8 --map-by ppr:4:node --bind-to core (Open MPI), or take 1 more node for all 12" \
	"$(place 'node:2 core:4' -n 12 --slots 6 --map-by ppr:6:node --bind-to none | sed "$openmpi" | fix oversubscribed)"
place 'node:3 core:4' -n 16 --hosts a:4,b:8,c:4 --bind-to none >"$work/job.json"
same "a node with twice as many ranks" \
	"is b twice in the list of hosts? Else start at most one rank a core: -n 12 --map-by ppr:4:node --bind-to core (Open MPI), or take 1 more node for all 16" \
	"$(sed "$openmpi" "$work/job.json" | fix oversubscribed)"
same "how many nodes they take" \
	"is b twice in the list of hosts? Else put 4 ranks on every node: 16 ranks take 4 nodes" \
	"$(fix uneven-nodes <"$work/job.json")"
same "three times as many is no such slip" \
	"put 4 ranks on every node: 20 ranks take 5 nodes" \
	"$(place 'node:3 core:4' -n 20 --hosts a:4,b:12,c:4 --bind-to none | fix uneven-nodes)"
same "what is left for the last node is one finding" "uneven-nodes (warning)" \
	"$(found "place 'node:4 package:4 numa:2 core:8' -n 200")"
same "as many on each node, over its NUMA nodes" \
	"put 50 ranks on every node, distributed over its NUMA nodes: -n 200 --map-by numa --bind-to core (Open MPI); each node gets 50 slots in the list of hosts" \
	"$(place 'node:4 package:4 numa:2 core:8' -n 200 | sed "$openmpi" | fix uneven-nodes)"
same "where that comes out even" \
	"put 24 ranks on every node, as many on each NUMA node: -n 48 --map-by ppr:6:numa --bind-to core (Open MPI)" \
	"$(place 'node:2 package:2 numa:2 core:8' -n 48 | sed "$openmpi" | fix uneven-nodes)"
place "node:2 package:2 [numa] core:6" --map-by ppr:3:node:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 >"$work/job.json"
same "one of three ranks is on both packages" "two-packages (warning)" \
	"$(topomap inspect --lint "$work/job.json" 2>/dev/null | grep '^two-packages')"
same "as many ranks as divide over them" \
	"put 4 ranks on every node: -n 8 --map-by ppr:4:node:PE=3 --bind-to core (Open MPI), 3 threads each; or 2 ranks of 6" \
	"$(sed "$openmpi" "$work/job.json" | fix two-packages)"
same "which is clean" "" "$(place 'node:2 package:2 [numa] core:6' -n 8 --map-by ppr:4:node:PE=3 --bind-to core |
	environment OMP_NUM_THREADS 3 | topomap inspect --lint 2>/dev/null | grep '^[a-z-]* (')"
printf 'rank %s\n' '0=n0 slot=0-1,4-5' '1=n1 slot=0-1,4-5' >"$work/alone"
same "the one rank of a node near the adapter" "bind the rank of each node to PUs of one package, that of mlx5_0" \
	"$(place 'node:2 package:2 [numa] core:4' --rankfile "$work/alone" | devices network mlx5_0 numa:1 |
		sed "/^    \"launcher\"/d; $slurm" | fix two-packages)"
same "all ranks on both is for their threads" "two-packages (hint)" \
	"$(place "node:2 package:2 [numa] core:6" --map-by ppr:1:node:PE=10 --bind-to core | environment OMP_NUM_THREADS 10 |
		topomap inspect --lint 2>/dev/null | grep '^two-packages')"
pals='s|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "CRAY MPICH version 8.1.28", "launcher": "mpiexec (PALS) 1.3.2"|'
flux='s|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "Open MPI v4.1.6", "launcher": "flux run 0.66.0"|'
printf 'rank %s\n' '0=n0 slot=0,4' '1=n0 slot=1,5' '2=n0 slot=2,6' '3=n0 slot=3,7' >"$work/torn"
same "ranks that share no core keep their own" \
	"bind each to PUs of one package: --distribution=block:block --cpus-per-task=2 --cpu-bind=cores (Slurm)" \
	"$(place 'node:1 package:2 [numa] core:4' --rankfile "$work/torn" | sed "/^    \"launcher\"/d; $slurm" | fix two-packages)"
place 'node:1 package:2 [numa] core:4' --launcher slurm23.11 -n 4 --distribution block:block -c 2 --cpu-bind cores >"$work/job.json"
same "which ends it" "" "$(found 'cat "$work/job.json"')"
same "words with PUs where cores of nodes have not as many" \
	"bind each rank to as many cores as it has threads (3): --map-by ppr:2:node:PE=3 --bind-to core (Open MPI), -ppn 2 -bind-to core:3 (Hydra), --ppn 2 --depth 3 --cpu-bind core (Cray MPICH), -c 3 -o cpu-affinity=per-task (Flux)" \
	"$(place 'node:1 core:8 pu:2' 'node:1 core:8' -n 4 --map-by ppr:2:node | environment OMP_NUM_THREADS 3 | fix many-threads)"
same "ranks with threads go to NUMA nodes in turn rather than to one of each package" \
	"bind each rank to as many cores as it has threads (2): -bind-to core:2 -map-by numa (Hydra)" \
	"$(place 'node:1 package:4 numa:2 core:6' -n 12 | environment OMP_NUM_THREADS 2 |
		sed 's|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "MPICH 4.2.1", "launcher": "mpiexec (Hydra) 4.2.1"|' |
		fix many-threads)"
same "nor is a rank torn" "--map-by numa:PE=4 --bind-to core" \
	"$(place 'node:1 package:2 numa:4 core:6' -n 4 | environment OMP_NUM_THREADS 4 | fix many-threads |
		sed -n 's/.*: \(--map-by.*core\) (Open MPI),.*/\1/p')"
same "more ranks than GPUs on all memory are far from them for that" "" \
	"$(found 'place "$parts" -n 16 --map-by ppr:2:numa --bind-to core | devices gpu cuda0 numa:0 gpu cuda1 numa:1')"
same "as many as GPUs may use one each" "far-gpu (warning)" \
	"$(found 'place "$parts" -n 8 --map-by ppr:1:numa --bind-to core |
		devices gpu cuda0 numa:0 gpu cuda1 numa:0 gpu cuda2 numa:1 gpu cuda3 numa:1')"
four_numas='node:2 package:2 numa:2 core:4'
same "ranks go to the GPUs" \
	"bind ranks that use GPUs close to them, on NUMA nodes 1,3 of each node: --cpu-bind=map_ldom:1,3 (Slurm)" \
	"$(place "$four_numas" -n 4 --map-by ppr:1:socket --bind-to core | devices gpu cuda0 numa:1 gpu cuda1 numa:3 |
		sed "$slurm" | fix far-gpu)"
same "more ranks than NUMA nodes with GPUs would share their cores" \
	"put ranks near all GPUs, as many on each NUMA node, 4 cores for each: --distribution=block:block --cpus-per-task=4 --cpu-bind=cores (Slurm)" \
	"$(place "$four_numas" -n 8 --map-by ppr:2:socket --bind-to core | devices gpu cuda0 numa:1 gpu cuda1 numa:3 |
		sed "$slurm" | fix far-gpu)"
same "the order under PALS" \
	"number the ranks node after node with MPICH_RANK_REORDER_METHOD=1 (Cray MPICH), or reorder them inside the program" \
	"$(place 'node:300 core:2' --shuffle 3 | sed "$pals" | fix long-mapping)"
same "the rank of each node goes to the adapter" \
	"bind the rank of each node to PU 4, near mlx5_0: --exclusive -o cpu-affinity=map:4 (Flux)" \
	"$(eval "$one" | sed "$flux" | fix far-adapter)"
same "which ends it" "" \
	"$(found 'place "node:2 package:2 [numa] core:4" --launcher flux -n 2 --exclusive --cpu-bind map:4 | devices network mlx5_0 numa:1')"
same "by its NUMA node" "bind the rank of each node to PU 4, near mlx5_0: --cpu-bind=map_ldom:1 (Slurm)" \
	"$(eval "$one" | sed "/^    \"launcher\"/d; $slurm" | fix far-adapter)"
gpus='gpu cuda0 l3:0 gpu cuda1 l3:1 gpu cuda2 l3:2 gpu cuda3 l3:3'
# shellcheck disable=SC2086
place 'node:2 numa:2 l3:2 core:2' -n 8 --map-by ppr:4:node | devices $gpus | sed "$openmpi" >"$work/job.json"
same "GPUs that no rank is near" ", and no rank is near 2 of its 4 GPUs" \
	"$(topomap inspect -f json "$work/job.json" | sed -n 's/.*of the cores of 1\(, and [^:]*\).*/\1/p')"
same "the fix uses them" \
	"put ranks near all GPUs, as many on each L3 cache, 2 cores for each: --map-by ppr:1:l3cache:PE=2 --bind-to core (Open MPI)" \
	"$(fix idle-memory <"$work/job.json")"
same "names of one GPU are not counted twice" 1 \
	"$(place 'node:2 numa:2 core:4' -n 8 --map-by ppr:4:node |
		devices gpu card0 numa:0 gpu renderD128 numa:0 gpu card1 numa:1 gpu renderD129 numa:1 |
		topomap inspect -f json | grep -c 'near 1 of its 2 GPUs')"
same "threads for which there are no cores" \
	"run at most 1 thread a rank (OMP_NUM_THREADS=1), or start at most 1 of these ranks on a node and bind each to 3 cores" \
	"$(place "$two" --rankfile "$work/parts" | programs 0,1*4 4 3 | fix many-threads)"
same "adapters of one package" \
	"let neighboring ranks alternate between NUMA nodes, so that lanes and leaders use all adapters: --map-by numa --bind-to core (Open MPI)" \
	"$(place 'node:2 package:1 numa:2 core:4' | devices network mlx5_0 numa:0 network mlx5_1 numa:1 |
		sed "$openmpi" | fix one-adapter)"
same "one rank with a thread for each core of its node" "" \
	"$(found 'place "node:2 core:4" -n 2 --map-by ppr:1:node --bind-to none | environment OMP_NUM_THREADS 4 OMP_PLACES cores')"

# what sentences and the ten lines of the verdict say; oracle: the same numbers elsewhere in the output
place 'node:4 package:2 core:16' --map-by node >"$work/job.json"
said() { topomap inspect --lint "$@" "$work/job.json" 2>/dev/null | tr -s ' \n' ' '; }
same "a call that an order does not slow is not among those that it does" \
	"0 allreduce, the other one as long" \
	"$(said --library mpich | sed 's/.*the same places, on average: //; s/ by the published.*/\n/' | head -n 1 |
		{ read -r calls; echo "$(grep -c allreduce <<<"$calls") allreduce, $(grep -o 'the other one as long' <<<"$calls")"; })"
same "which it slows where it is another algorithm" 1 "$(said --library openmpi4 | grep -c 'allreduce of 1MiB (rabenseifner) [2-9]')"
same "profiles agree that the order is slow" 1 "$(said | grep -c '; 6 of 6 other published ones agree fix')"
same "the verdict has the first clause of a fix" "  fix: number the ranks node after node" \
	"$(topomap inspect "$work/job.json" | grep '^  fix: ')"
same "in ten lines" 10 "$(topomap inspect "$work/job.json" | sed '/^$/q' | grep -c .)"
for r in 0 1 2 3; do echo "rank $r=n0 slot=$((r + 4))"; done >"$work/slow"
place 'node:1 core:8' -n 4 --rankfile "$work/slow" | kinds 4-7 0-3 >"$work/job.json"
same "ranks that are all slow wait for no others" 1 "$(said | grep -c 'idle (rank 0 on n0): each step takes')"
command=$(fix slow-cores <"$work/job.json" | sed 's/.*: topomap //; s/ JOB\.json$//')
same "nothing else is gained by faster cores" \
	"The ranks get such places as were asked for; the ring is as long as before." \
	"$(eval "topomap $command $work/job.json" 2>&1 >"$work/fast" | grep 'such places')"
place 'node:1 core:8' -n 4 --rankfile "$work/fast" | kinds 4-7 0-3 >"$work/job.json"
same "which ends it" "" "$(found 'cat "$work/job.json"')"
same "a quota has time for so many ranks" \
	"raise the CPU limit of n0's pod or cgroup to 16 (cpu.max), or put 9 ranks on every node: -n 9 -ppn 9 (Hydra)" \
	"$(place 'node:1 package:2 [numa] core:8' | system cpu_quota 9.5 | sed "$hydra" | fix cpu-quota)"
same "as many as their threads need" "or put 2 ranks on every node, as many on each package: -n 2 -ppn 2 -bind-to core:2 -map-by socket (Hydra)" \
	"$(place 'node:1 package:2 [numa] core:8' -n 8 --map-by ppr:4:socket:PE=2 | environment OMP_NUM_THREADS 2 |
		system cpu_quota 5 | sed "$hydra" | fix cpu-quota | grep -o 'or put.*')"
place 'node:1 core:4' -n 6 --slots 6 --bind-to core:overload-allowed >"$work/job.json"
same "score and inspect count the same ranks that share cores" "4 4" \
	"$(topomap inspect "$work/job.json" | sed -n 's/^sharing *\([0-9]*\) .*/\1/p') $(topomap score -c bcast -b 8 "$work/job.json" |
		sed -n 's/^\([0-9]*\) ranks share a core.*/\1/p')"
place 'node:1 core:4' >"$work/job.json"
same "a table asks for none" "1 0" \
	"$(topomap inspect "$work/job.json" | grep -c 'inspect --table') $(topomap inspect -t "$work/job.json" | grep -c 'inspect --table')"
place 'node:1 core:4' | programs 0*2,1*2 1 2 >"$work/job.json"
same "programs of a communicator are those that it has ranks of" "programs  ocean (2 ranks, 1 thread each)" \
	"$(topomap inspect --comm 0-1 "$work/job.json" | grep '^programs')"
same "adapters in the order of their numbers" "adapters  hsi[0-3,10]" \
	"$(place 'node:1 numa:5 core:1' | devices network hsi2 numa:0 network hsi10 numa:1 network hsi1 numa:2 network hsi3 numa:3 network hsi0 numa:4 |
		topomap inspect | grep '^adapters')"

# L3 caches that are idle while others are crowded cost where an even share is much less; oracle: the cores of
# each cache that ranks are on, counted by hand
caches='node:1 package:2 [numa] l3:8 core:8'
same "half of the caches of each package have all ranks" "idle-l3 (warning)" \
	"$(found 'place "$caches" -n 64 --map-by ppr:32:socket --bind-to core')"
same "one cache of sixteen is left to the system" "idle-l3 (hint)" "$(found 'place "$caches" -n 120 --map-by core')"
same "ranks on all caches" "" "$(found 'place "$caches" -n 64 --map-by ppr:4:l3cache --bind-to core')"
same "a rank on each, with its threads" "" "$(found 'place "$caches" -n 16 --map-by ppr:1:l3cache:PE=8 | environment OMP_NUM_THREADS 8')"
same "memory that is idle has caches" "idle-memory (warning)" "$(found 'place "$caches" -n 32')"
same "ranks that may not use the others" "" \
	"$(found 'place "node:1 l3:2 core:8" -n 8 | sed "s/\"allowed_pus\": \"0-15\"/\"allowed_pus\": \"0-7\"/"')"
same "all ranks are at the GPUs" "idle-l3 (hint)" \
	"$(found 'place "node:1 l3:4 core:8" -n 16 | devices gpu cuda0 l3:0 gpu cuda1 l3:1')"
place "$caches" -n 12 --map-by ppr:6:socket --bind-to core >"$work/job.json"
same "fewer ranks than caches" \
	"distribute the ranks of a node over its L3 caches: topomap suggest-rankfile -n 12 --slots core --leave-free pu:1-7,9-15,17-23,25-31,33-39,41-63,65-71,73-79,81-87,89-95,97-103,105-127 JOB.json" \
	"$(fix idle-l3 <"$work/job.json")"
same "which ends it" "" "$(found "topomap suggest-rankfile -f json \
	$(fix idle-l3 <"$work/job.json" | sed 's/.*suggest-rankfile //; s/ JOB\.json$//') $work/job.json 2>/dev/null")"
place "$caches" -n 4 --map-by ppr:2:socket:PE=4 --bind-to core | environment OMP_NUM_THREADS 4 >"$work/job.json"
same "a cache for each rank and its threads" "" "$(found "topomap suggest-rankfile -f json \
	$(fix idle-l3 <"$work/job.json" | sed 's/.*suggest-rankfile //; s/ JOB\.json$//') $work/job.json 2>/dev/null")"
same "Slurm reaches caches by cores for each rank" \
	"distribute the ranks of a node over its L3 caches: --distribution=block:block --cpus-per-task=2 --cpu-bind=cores (Slurm)" \
	"$(place "$caches" -n 64 --map-by ppr:32:socket --bind-to core | sed "/^    \"launcher\"/d; $slurm" | fix idle-l3)"
same "which ends it" "" "$(found 'place "$caches" --launcher slurm23.11 -n 64 --distribution block:block -c 2 --cpu-bind cores')"
same "idle-nodes has words of Intel MPI" \
	"put 6 ranks on every node, as many on each package: -n 12 -ppn 6 -genv I_MPI_PIN_DOMAIN 1:compact -genv I_MPI_PIN_ORDER scatter (Intel MPI); or ask for 1 node" \
	"$(place 'node:2 package:2 [numa] core:6' --launcher intel -n 12 | fix idle-nodes)"
same "which end it" "" "$(found 'place "node:2 package:2 [numa] core:6" --launcher intel -n 12 --slots 6 --env I_MPI_PIN_DOMAIN=1:compact --env I_MPI_PIN_ORDER=scatter')"
same "more ranks than the nodes have cores for are no words" "distribute the ranks over the 2 nodes" \
	"$(place 'node:2 core:8' -n 8 --bind-to core --env OMP_NUM_THREADS=4 | fix idle-nodes)"
same "nodes that are too few are not asked for, and too many ranks on some have room on all" \
	"distribute the ranks over all 3 nodes, at most 11 on each, so that each has 1 core of its own|distribute the ranks over the 3 nodes" \
	"$(place 'node:3 core:16' -n 31 --slots 32 --bind-to none >"$work/job.json"; for i in oversubscribed idle-nodes; do
		fix $i <"$work/job.json"; done | paste -sd '|')"
same "programs, too" "distribute the ranks over all 3 nodes, at most 27 on each, so that each has 1 core of its own" \
	"$(place 'node:3 core:32' --launcher openmpi5 --map-by core:OVERSUBSCRIBE --bind-to core:overload-allowed \
		--app '-n 48 -H n0:32,n1:32 ocean' --app '-n 32 -H n1:32,n2:32 air' | fix shared-pu)"
same "of a job that is larger, nodes are not asked for its few ranks" "ask for 1 node fewer" \
	"$(place 'node:8 core:4' -n 28 >"$work/job.json"; topomap inspect --comm 0-1 -f json "$work/job.json" |
		sed -n '/"name": "idle-nodes"/,/"fix"/s/.*"fix": "\(.*\)",$/\1/p')"
same "threads that one node has no cores for" "put 1 rank on every node: --map-by ppr:1:node:PE=4
put each rank on a node of its own|put each rank on a node of its own" \
	"$(place 'node:4 core:4' -n 4 --env OMP_NUM_THREADS=4 | sed "$openmpi" | fix many-threads | grep -o '.*PE=4' | sed 's/-n 4 //'
		place 'node:4 core:4' -n 3 --env OMP_NUM_THREADS=4 >"$work/job.json"
		for i in many-threads idle-nodes; do fix $i <"$work/job.json"; done | paste -sd '|')"
same "a limit that two ranks of a package need" "" \
	"$(place 'node:1 package:2 [numa] core:8' -n 4 --map-by ppr:2:socket --bind-to socket |
		environment OMP_NUM_THREADS 8 OMP_THREAD_LIMIT 4 | fix thread-limit)"
same "nodes of a kind that get different numbers" \
	"share the ranks by cores, 26 or 27 on each node like n0, 9 on n2 and 9 on n3" \
	"$(for i in n0:18:30 n1:18:30 n2:6:6 n3:6:5; do
		IFS=: read -r host half count <<<"$i"
		for ((j = 0; j < count; j++)); do echo "$host $((j / half % 2)):$((j % half))"; done
	done | awk '{ print "rank " NR - 1 "=" $1 " slot=" $2 }' >"$work/ranks71"
		place 'node:2 package:2 core:18' 'node:2 package:2 core:6' --rankfile "$work/ranks71" | fix uneven-nodes | sed 's/:.*//')"
same "a rankfile has no slots to be mistyped" "uneven-nodes (hint) -" \
	"$(for ((i = 0; i < 13; i++)); do echo "rank $i=n$((i / 8)) slot=$((i % 8))"; done >"$work/ranks13"
		echo "$(found "place 'node:2 core:8' --rankfile \"$work/ranks13\"")" \
			"$(place 'node:2 core:8' --rankfile "$work/ranks13" | fix uneven-nodes | grep -o slots\? || echo -)")"
same "nodes of a quota in cyclic order are two" "raise the CPU limit of each pod or cgroup to 8 (cpu.max), or put 4 ranks on every node" \
	"$(place 'node:2 package:2 [numa] core:8' -n 16 --map-by node --bind-to core | system cpu_quota 4 | fix cpu-quota | sed 's/, as many.*//')"
for launcher in permutation permutation-json c; do
	same "a launcher without words, $launcher" "uneven-nodes (warning)" \
		"$(found "place 'node:2 core:4' -n 6 | sed 's/\"by\": \"topomap place\"/&, \"launcher\": \"$launcher\"/; /^    \"launcher\": /d; s/^\(    \"request\": .*\),\$/\1/'")"
done
same "fewer ranks than nodes are a hint" "idle-nodes (hint)" "$(found 'place "node:4 core:8" -n 1')"
same "nodes without ranks are the finding, not how many others have" "idle-nodes (warning)" \
	"$(found 'place "node:3 package:2 core:4" -n 12' | grep -e nodes)"
same "no words lack a number" "" "$(place 'node:16 package:2 core:8' -n 64 --map-by node | sed '/^    "by"/d; /^    "request"/d; /^    "launcher"/d' |
	topomap inspect --lint 2>/dev/null | tr -s ' \n' ' ' | grep -o -e '--depth --' -e '-c -' -e 'task= ')"
same "threads of which only the number is known are not said to be loose" "" \
	"$(place 'node:1 core:16' -n 1 --bind-to none | sed 's/^  "ranks": {/  "settings": [{"threads": 4}],\n&/' |
		system isolated_pus '"0-15"' | topomap inspect --lint 2>/dev/null | grep '^isolated-threads')"
same "ranks on slow cores are one finding, not of caches too" "slow-cores (warning)" \
	"$(found "place 'node:1 [numa] l3:2 core:5' -n 5 | kinds 0-4 5-9")"

seven='node:7 package:2 core:18'
even() { place "$@" | topomap inspect --lint 2>/dev/null | grep '^uneven'; }
same "ranks that do not divide over their nodes are no fault" "uneven-nodes (hint)" "$(even "$seven" -n 250)"
same "nor if they are as even as they can be" "" "$(even "$seven" -n 250 --map-by node)"
same "one node has more to do than the others" "uneven-nodes (warning)" "$(even 'node:3 core:4' -n 5 --hosts a:3,b:1,c:1)"
same "ranks that would divide" "uneven-nodes (warning)" "$(even "$seven" -n 245)"
same "one node is nearly empty" "uneven-nodes (warning)" "$(even 'node:3 package:4 [numa] core:12' -n 100)"
same "and the others take its share" \
	"put 33 or 34 ranks on each node: -n 100 --host n0:34,n1:33,n2:33 --map-by numa --rank-by slot --bind-to core (Open MPI 5)" \
	"$(place 'node:3 package:4 [numa] core:12' --launcher openmpi5 -n 100 | fix uneven-nodes)"
same "which is as even as it can be" "" \
	"$(even 'node:3 package:4 [numa] core:12' --launcher openmpi5 -n 100 --hosts n0:34,n1:33,n2:33 --map-by numa --rank-by slot --bind-to core)"
same "the fix does not ask for what the program cannot" \
	"250 ranks do not divide over 7 nodes; if the program can, put 36 ranks on every node: -n 252 --map-by ppr:36:node (Open MPI)" \
	"$(place 'node:7 package:2 core:18' -n 250 | sed "$openmpi" | fix uneven-nodes)"

same "memory that is idle for want of cores is one finding" "many-threads (error)" \
	"$(found 'place "node:1 package:2 numa:2 core:4" -n 3 --map-by slot:PE=2 | environment OMP_NUM_THREADS 4')"
same "and else another one" "idle-memory (warning)" \
	"$(found 'place "node:1 package:2 numa:2 core:4" -n 3 --map-by slot:PE=2 | environment OMP_NUM_THREADS 2')"

# Intel MPI binds nothing where it was told so, and a wrapper binds after it
intel='s|"by": .*|"by": "topomap-probe",|; s|"request": .*|"mpi": "Intel(R) MPI Library 2021.13 for Linux* OS", "launcher": "mpiexec (Hydra)"|'
for pin in off 1; do
	[ $pin = 1 ] || before='-genv I_MPI_PIN 1 ' after=', without what binds them now (taskset, numactl)'
	[ $pin = off ] || before='' after=''
	same "words of Intel MPI where I_MPI_PIN is $pin" \
		"bind each to PUs of one package: ${before}-genv I_MPI_PIN_DOMAIN 2:compact (Intel MPI)$after" \
		"$(place 'node:1 package:2 [numa] core:4' --rankfile "$work/torn" | environment I_MPI_PIN $pin | sed "/^    \"launcher\"/d; $intel" | fix two-packages)"
done
same "what is not bound has nothing to be left out" "-genv I_MPI_PIN 1 -genv I_MPI_PIN_DOMAIN core (Intel MPI); for threads" \
	"$(place "$two" --bind-to none | environment I_MPI_PIN disable | sed "/^    \"launcher\"/d; $intel" | fix unbound | sed 's/bind them: //; s/threads.*/threads/')"

# ranks outside of a communicator are on their cores all the same: oracle: the whole job is full
place 'node:2 package:2 [numa] core:8' >"$work/job.json"
same "ranks outside of --comm are not idle cores" \
	"Bound well: 8 ranks on 1 of 2 nodes, each to a core; no core is idle there." \
	"$(topomap inspect --comm 0-7 "$work/job.json" | grep '^Bound')"
same "none but theirs are" 1 "$(place "$two" -n 6 | topomap inspect --comm 0-3 -f json | grep -c '"idle_cores": 2,')"
printf 'rank %s\n' 0=n0\ slot=8 1=n0\ slot=9 2=n1\ slot=8 3=n1\ slot=9 >"$work/away"
same "far from all adapters, which one package has" \
	"far-adapter (warning)" \
	"$(place "$parts" --rankfile "$work/away" | devices network mlx5_0 numa:0 network mlx5_1 numa:1 |
		topomap inspect --lint 2>/dev/null | grep -e '-adapter')"
hybrid() { place "$@" --bind-to core | environment OMP_NUM_THREADS 8 OMP_PLACES cores; }
same "threads that no NUMA node has cores for" "two-numa (hint)" \
	"$(hybrid 'node:2 package:2 numa:2 core:4' -n 4 --map-by ppr:1:socket:PE=8 | topomap inspect --lint 2>/dev/null |
		grep -e '^two-numa')"
same "a rank a package keeps what the system leaves" \
	"leave PUs 0-1 to the system, so that each rank keeps at least 6 cores, by a file of their launcher" \
	"$(place 'node:1 package:2 [numa] core:8' -n 2 --map-by ppr:1:socket --bind-to socket |
		system isolated_pus '"2-15"' | fix system-core)"
same "many ranks a core" 1 \
	"$(place 'node:2 core:1' -n 256 --slots 128 --bind-to none | topomap inspect | grep -c '; 128 ranks a core')"
same "of very many, too" 1 \
	"$(place 'node:2 core:1' -n 2560 --slots 1280 --bind-to none | topomap inspect | grep -c '; 1280 ranks a core')"
same "what was left out is said" 1 \
	"$(place "$two" --bind-to none | topomap inspect --ignore unbound | grep -c '^Placed well (left out: unbound): ')"

# unequal FROM RANKS OPTIONS...: 2 nodes of 36 cores and 2 of 12 with as many ranks each, as LAUNCHER started
# them
unequal()
{
	local marks=$1
	shift
	place 'node:2 package:2 [numa] core:18' 'node:2 package:2 [numa] core:6' "$@" | sed "$marks"
}
openmpi5='s|"by": .*|"by": "topomap-probe",|; /^    "launcher": /d; s|"request": .*|"mpi": "Open MPI v5.0.5", "launcher": "mpirun (Open MPI) 5.0.5"|'
slurm='s|"by": .*|"by": "topomap-probe",|; /^    "launcher": /d; s|"request": .*|"mpi": "MPICH 4.2.1", "launcher": "srun (Slurm) 23.11.4"|'
names='--hosts c1,c2,d1,d2'
same "oversubscribed small nodes: one finding, and the verdict has its fix" \
	"error oversubscribed (ranks 48-95): 24 ranks for 12 cores on d1 (one of 2 such nodes) fix: share the ranks by cores, 36 on each node like c1 and 12 on each node like d1: -n 96 -hosts c1:36,c2:36,d1:12,d2:12 -bind-to core (Hydra)" \
	"$(unequal "$hydra" --launcher hydra --hosts c1:24,c2:24,d1:24,d2:24 -n 96 | environment OMP_NUM_THREADS 1 |
		topomap inspect | sed -n '/^error/,/^    t/p; /^warning/p' | sed '$d' | tr -s '\n ' ' ' | sed 's/ $//')"
same "bound ones are one finding, too" "shared-pu (error)" \
	"$(unequal "$openmpi" $names --slots 24 -n 96 --map-by ppr:24:node --bind-to core:overload-allowed |
		topomap inspect --lint 2>/dev/null | sed 1d | grep '([ehw][a-z]*)$')"
same "hardware threads of small nodes are one finding" "unequal-nodes (warning)" \
	"$(found 'place "$small" "$large" -n 16 --map-by ppr:8:node --bind-to hwthread --use-hwthread-cpus')"

# near LAUNCHER NUMA RANKS OPTIONS: the fix of ranks far from the adapter on that NUMA node of each of two nodes, and
# what is found once it is followed; oracle: the PUs of that NUMA node
near()
{
	local mark=$1 numa=$2 words command
	shift 2
	place 'node:2 package:2 numa:2 core:8' "$@" | devices network mlx5_0 "numa:$numa" |
		sed "/^    \"launcher\"/d; $mark" >"$work/far.json"
	words=$(fix far-adapter <"$work/far.json")
	case $words in
	*"topomap "*)
		command=${words##*topomap }
		topomap ${command/JOB.json/-} -f json <"$work/far.json" 2>/dev/null >"$work/near.json"
		echo "${words%: topomap*}: $(found 'cat "$work/near.json"') on $(sed -n 's/.*"pus": "\([0-9,-]*\)", "object": .*/\1/p' "$work/near.json" | sort -u | paste -sd ' ')"
		;;
	*) echo "$words" ;;
	esac
}
same "the rank of each node, for Open MPI 5" "bind the rank of each node to PU 24, near mlx5_0:  on 24" \
	"$(near "$openmpi5" 3 -n 2 --map-by ppr:1:node --bind-to core)"
same "one of several cores" "bind the rank of each node to PUs 24-27, near mlx5_0:  on 24-31" \
	"$(near "$openmpi5" 3 -n 2 --map-by ppr:1:node:PE=4 --bind-to core)"
same "for Cray MPICH" "bind the rank of each node to PUs 24-27, near mlx5_0: --ppn 1 --cpu-bind list:24-27 (Cray MPICH)" \
	"$(near "$pals" 3 -n 2 --map-by ppr:1:node:PE=4 --bind-to core)"
same "a few of one core" "bind the ranks of each node near mlx5_0:  on 24 25" \
	"$(near "$hydra" 3 -n 4 --map-by ppr:2:node --bind-to core)"
same "as many as NUMA nodes" \
	"distribute the ranks of a node over its NUMA nodes, one of which is near the adapter: -ppn 4 -bind-to core -map-by numa (Hydra)" \
	"$(near "$hydra" 3 -n 8 --map-by ppr:4:node --bind-to core)"

# ranks that crowd the memory near it, with a NUMA node each: the first one there, and the same words for those
# that leave a package idle
wide='-n 4 --map-by ppr:2:node:PE=8 --bind-to core'
same "a NUMA node each, for Slurm" \
	"bind the ranks of each node apart, the first one near mlx5_0: -N 2 -n 4 --ntasks-per-node=2 --cpu-bind=mask_cpu:0xff000000,0xff (Slurm)" \
	"$(near "$slurm" 3 $wide)"
same "one finding's words mend the other one" "$(near "$slurm" 3 $wide)" "$(fix idle-memory <"$work/far.json")"
same "which they do" "" \
	"$(place 'node:2 package:2 numa:2 core:8' --launcher slurm23.11 -n 4 --cpu-bind mask_cpu:0xff000000,0xff |
		devices network mlx5_0 numa:3 | topomap inspect --lint 2>/dev/null | grep '([ew]')"
same "a NUMA node each, for Open MPI" "bind the ranks of each node apart, one near mlx5_0:  on 0-7 24-31" \
	"$(near "$openmpi5" 3 $wide)"

same "sets that lie between the PUs of another one, and overlap none, are not blamed" "0" \
	"$(place 'node:1 core:16' --launcher slurm23.11 -n 4 --cpu-bind mask_cpu:0x11,0xE,0x5400,0xA800 |
		environment OMP_NUM_THREADS 3 | topomap inspect -f json | sed -n '/"many-threads"/,/"ranks"/s/.*"ranks": "\(.*\)".*/\1/p')"

# shared RANKS THREADS OPTIONS...: with the words of each launcher, placed again, there is no finding but hints,
# no rank more than there were, and as many as have room
shared()
{
	local ranks=$1 threads=$2 name mark words want=$3 nodes machines
	shift 3
	for name in openmpi4 openmpi5 hydra slurm23.11; do
		case $name in
		openmpi4) mark=$openmpi ;;
		openmpi5) mark=$openmpi5 ;;
		hydra) mark=$hydra ;;
		slurm*) mark=$slurm ;;
		esac
		words=$(unequal "$mark" $names --slots "$((ranks / 4))" -n "$ranks" "$@" |
			environment OMP_NUM_THREADS "$threads" | topomap inspect -f json | sed '/"skipped"/q' |
			sed -n 's/.*"fix": "[^:]*: \(-[nN] .*\) ([A-Z].*/\1/p' | sort -u)
		if [ "$name" = slurm23.11 ] && [ "$want" -ne $((96 / threads)) ]; then
			same "$name has no words for part of the cores ($ranks $threads $*)" "" "$words"
			continue
		fi
		words=$(sed 's/--* *hosts* /--hosts /; s/-N [0-9]* //; s/ -bind-to / --bind-to /; s/ -map-by / --map-by /' <<<"$words")
		case $words in
		*--hosts*) nodes= ;;
		*) nodes=$names ;;
		esac
		# shellcheck disable=SC2086
		if unequal "s/^/&/" --launcher "$name" $nodes $words 2>"$work/err" |
			environment OMP_NUM_THREADS "$threads" >"$work/job.json" &&
			topomap inspect --strict "$work/job.json" >/dev/null 2>&1 &&
			grep -q "^  \"size\": $want,\|\"size\": $want," "$work/job.json"; then
			pass
		else
			fail "$name: $ranks ranks of $threads threads $*: '$words' $(cat "$work/err")" \
				"$(topomap inspect --lint "$work/job.json" 2>&1 | grep '(')"
		fi
	done
}
none='--bind-to none'
shared 96 1 96 --map-by ppr:24:node $none
shared 96 1 96 --map-by ppr:24:node --bind-to core:overload-allowed
shared 72 1 72 --map-by ppr:18:node $none
shared 60 1 60 --map-by ppr:15:node $none
shared 68 1 68 --map-by ppr:17:node --bind-to core:overload-allowed
shared 240 1 96 --map-by ppr:60:node $none
shared 96 2 48 --map-by ppr:24:node $none
shared 96 3 32 --map-by ppr:24:node $none
same "the fix of too many ranks of several threads" \
	"start at most 2 ranks on a node, with 2 cores for each: -n 4 --map-by ppr:2:node:PE=2 --bind-to core (Open MPI), or take 4 more nodes for all 12" \
	"$(place 'node:2 core:4' -n 12 --slots 6 --map-by ppr:6:node --bind-to none | environment OMP_NUM_THREADS 2 |
		sed "$openmpi" | fix oversubscribed)"
same "nothing else is wrong then" "" \
	"$(place 'node:2 core:4' -n 4 --map-by ppr:2:node:PE=2 --bind-to core | environment OMP_NUM_THREADS 2 | topomap inspect --lint 2>/dev/null | grep '([ew]')"
same "unequal nodes with other shares get theirs" \
	"share the ranks by cores, 27 on each node like c1 and 9 on each node like d1: -n 72 -hosts c1:27,c2:27,d1:9,d2:9 -bind-to core (Hydra)" \
	"$(unequal "$hydra" --launcher hydra --hosts c1:24,c2:24,d1:12,d2:12 -n 72 --bind-to core | fix uneven-nodes)"

# names of hosts are no part of what fixes are made of, nor of command lines
host() { HOST=$1 awk '/"names": "n0"/ { at = index($0, "\"n0\""); $0 = substr($0, 1, at) ENVIRON["HOST"] substr($0, at + 3) } { print }'; }
for name in 'a{b' 'a|b' 'a}b' 'x{:|fewer|}' '{{{' 'a$1'; do
	same "a host called $name" "if the code is limited by arithmetic or memory, start one rank a core (4 on $name): -n 4" \
		"$(place 'node:1 core:4 pu:2' -n 6 --slots 6 --bind-to none | host "$name" | fix shared-core | sed 's/ --map-by .*//')"
	same "a host called $name in no list" "share the ranks by cores, 4 on $name and 16 on n1, with as many slots for these in the list of hosts" \
		"$(place 'node:1 core:4' "$large" -n 20 --map-by ppr:10:node --bind-to none --slots 10 |
			sed "$hydra" | host "$name" | fix oversubscribed)"
done

# which library the order is weighed for, and why
assumed() { topomap inspect | tr -s '\n ' ' ' | sed -n 's/.*\(Order[^:]*: block, for [^)]*)\).*topomap score -c [^ ]* -b [^ ]*\(.*\) JOB\.json ranks.*/\1\2/p'; }
while IFS='|' read -r launcher options want; do
	same "the library of $launcher" "Order fits: block, for $want" \
		"$(place 'node:3 package:2 core:4' --launcher "$launcher" $options | assumed)"
done <<'END'
openmpi4||Open MPI 4.1 (no library is named)
openmpi5||Open MPI 5.0 (assumed: PRRTE is its launcher) --library openmpi5
prrte||Open MPI 5.0 (assumed: PRRTE is its launcher) --library openmpi5
hydra||MPICH 4 (assumed: Hydra is its launcher) --library mpich
hydra40||MPICH 4 (assumed: Hydra is its launcher) --library mpich
cray|--slots 8 --cpu-bind core|MPICH 4 (assumed: Cray MPICH is made of it) --library mpich
intel||MPICH 4 (assumed: Intel MPI is made of it) --library mpich
flux||Open MPI 4.1 (assumed: none is named, and Flux starts any)
slurm||Open MPI 4.1 (assumed: none is named, and Slurm starts any)
slurm23.11||Open MPI 4.1 (assumed: none is named, and Slurm starts any)
END
same "one that is named is no assumption" 1 \
	"$(place 'node:3 core:4' --launcher hydra | topomap inspect --library openmpi4 | grep -c 'for Open MPI 4.1\. ')"

# sentences that are true alone
said() { topomap inspect | sed '/^ /,$d; /^[ew][a-z]* [-a-z0-9]* (/,$d' | paste -sd ' '; }
same "what is idle is a sentence of its own" \
	"Bound well: 2 ranks on 2 nodes, each to a core; 14 of 16 cores idle. 2 of 4 packages have no rank." \
	"$(place 'node:2 package:2 core:4' -n 2 --map-by ppr:1:node --bind-to core | said)"
same "who is not bound is not bound well" "Placed well: 1 rank on 1 node, none is bound." \
	"$(place 'node:1 core:1 pu:2' -n 1 --bind-to none | said)"
same "one set for all of a node may be inherited" \
	"Not bound well: 4 ranks on 2 nodes, all of a node to the same 4 cores, maybe inherited (taskset); 24 of 32 cores idle. 2 of 4 packages have no rank." \
	"$(place 'node:2 package:2 core:8' --rankfile "$work/masked" | sed "$openmpi5" | said)"
same "but what topomap placed is not" "Not bound well: 4 ranks on 2 nodes, all of a node to the same 4 cores; 24 of 32 cores idle. 2 of 4 packages have no rank." \
	"$(place 'node:2 package:2 core:8' --rankfile "$work/masked" | said)"
same "users know packages" "far from mlx5_0 on package 1, the only adapter of their node that messages go over, near which cores are idle" \
	"$(place 'node:2 package:2 [numa] l3:2 core:2' -n 4 --map-by ppr:2:node --bind-to core | devices network mlx5_0 l3:2 |
		topomap inspect -f json | sed -n 's/.*"reason": "\(far from[^:]*\): .*/\1/p')"

same "and NUMA nodes" "far from mlx5_0 on NUMA node 2, the only adapter of their node that messages go over, near which cores are idle" \
	"$(place 'node:2 package:2 numa:2 l3:2 core:2' -n 4 --map-by ppr:2:node --bind-to core | devices network mlx5_0 l3:4 |
		topomap inspect -f json | sed -n 's/.*"reason": "\(far from[^:]*\): .*/\1/p')"

# an order that one published profile prefers and another denies is not advised
place 'node:3 core:2' --map-by node >"$work/job.json"
same "the verdict on an order of which profiles disagree" \
	"Order: cyclic, for Open MPI 4.1 (no library is named). No advice: block would gain 1.9 times, but lose by 1 of 6 other profiles." \
	"$(topomap inspect --profile gigabit "$work/job.json" | sed -n '/^Order/,/^ /p' | paste -sd ' ' | sed 's/\(profiles\.\).*/\1/')"
same "the rule does not decide" 1 \
	"$(topomap inspect -f json --profile gigabit "$work/job.json" | sed -n '/"skipped"/,$p' | grep -c slow-order)"

for rule in $(topomap help lint | sed -n '/^$/{n;s/^\([a-z0-9-]*\)$/\1/p}'); do
	if grep -q "^$rule|" <<<"$pairs"; then
		pass
	else
		fail "rule $rule has no job in which it must be found, and no twin"
	fi
done

# well PLACE-OPERAND...: full jobs are well placed
well()
{
	local launcher=0
	turn=$((turn + 1))
	for words in '--map-by core --bind-to core' '--map-by core --bind-to core --launcher openmpi5' \
		'--launcher hydra --bind-to core'; do
		[ -n "$WHOLE" ] || ((launcher++ == turn % 3)) || continue
		# shellcheck disable=SC2086
		if topomap place "$@" $words >"$work/job.json" 2>"$work/err" &&
			topomap inspect --strict "$work/job.json" >/dev/null 2>&1; then
			pass
		else
			fail "$* $words: $(cat "$work/err")" \
				"$(topomap inspect --lint "$work/job.json" 2>/dev/null | grep '(')"
		fi
	done
}

for machine in 'node:1 core:4' 'node:3 package:2 numa:2 l3:2 core:4 pu:2' "$four" \
	'node:2 package:2 l3:4 core:3'; do
	well "$machine"
done
well 'node:1 core:4' 'node:1 core:8'
if [ -d "$data" ]; then
	for file in "$data"/*.xml; do
		case $file in
		*/unloadable-*) continue ;; # of a later hwloc
		esac
		if [ -n "$WHOLE" ]; then
			well "$file"
			well "2*$file"
		elif ((turn % 2)); then
			well "$file"
		else
			well "2*$file"
		fi
	done
	# a Matrox of a management controller alone, an ASPEED (card0) beside two GPUs of AMD
	gpus() { topomap place "$data/$1" | sed -n 's/.*"gpu", "name": "\([^"]*\)".*/\1/p' | paste -sd ' '; }
	[ "$(gpus knl-snc4-flat-hwloc1.xml)" = '' ] || fail "a display is a GPU: knl"
	# ten Cortex-X925 of a GB10, of which Linux gives some a little more capacity, and a slower A725
	for cores in '5 6 7 8 9 15 16 17 18 19|' '4 5 6 7 8 9 15 16 17 18 19|unequal-cores (hint)'; do
		rank=0
		for core in ${cores%|*}; do
			echo "rank $rank=n0 slot=$core"
			rank=$((rank + 1))
		done >"$work/fastest"
		same "ranks on cores ${cores%|*} of a GB10" "${cores#*|}" \
			"$(place "$data/nvidia-dgx-gb10.xml" --hosts n0 -n $rank --rankfile "$work/fastest" | topomap inspect --lint 2>/dev/null | grep -e '-cores (')"
	done
	[ "$(gpus arm64-ulna-hwloc1.xml)" = 'card1 controlD65 renderD128 card2 controlD66 renderD129' ] ||
		fail "GPUs of ulna: $(gpus arm64-ulna-hwloc1.xml)"
else
	skipped=1
	echo "skipped: there are no recorded machines in $data"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
