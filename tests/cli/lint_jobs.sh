#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole jobs: what is wrong with each is found, and nothing else; the job with what the fix says has no
# finding; jobs that look odd and are as they should be have none. Oracle: jobs by people who knew the manual
# and the machines, not the rules, and who wrote down before what is wrong with each.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=../shared/data/topologies passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

place() { topomap place "$@"; }

# limited ARGUMENT...: a cgroup gives the third of four nodes the time of 16 CPUs
limited()
{
	place "$@" | sed 's/^  "nodes": \[/  "systems": [{"cpu_quota": 32}, {"cpu_quota": 16}],\n&/
		s/^    {"names": .*/    {"names": "n[0-1]", "topology": 0, "system": 0}, {"names": "n2", "topology": 0, "system": 1}, {"names": "n3", "topology": 0, "system": 0}/'
}

# parted ARGUMENT...: the ranks of the second packages of four nodes, and nothing of the others
parted()
{
	place "$@" | sed '/^  "ranks": {/,/^  }/c\  "ranks": {"node": "0-3*16", "place": "16-31x4", "world": "16-31,48-63,80-95,112-127"},
		s/^  "size": .*/  "size": 64,/'
}

printf '%s\n' 'n1 slots=32' 'n2 slots=32' 'n3 slots=32' 'n4 slots=64' >"$work/hosts"

# WHAT THE JOB IS|ITS FINDINGS, HINTS APART; - FOR NONE|JOB|JOB AS THE FIX SAYS
jobs=$(cat <<'END'
unequal nodes, well filled|-|place "3*$data/cts1-quartz-smt1.xml" 'node:2 package:2 [numa] l3:1 core:12' --launcher hydra --hosts 'a[1-3]:36,b[1-2]:24' -n 156 --bind-to core|
four programs, one of them a small coupler|-|place 'node:4 package:2 [numa] l3:4 core:4' --launcher hydra --slots 32 --bind-to core --map-by core --app '-n 64 ocean' --app '-n 32 atm' --app '-n 28 ice' --app '-n 4 cpl'|
even CPUs are those of one package|idle-memory|place "4*$data/memorysidecaches.xml" --launcher slurm -n 80 --cpu-bind map_cpu:0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38|place "4*$data/memorysidecaches.xml" --launcher slurm -n 80 --distribution=block:block --cpus-per-task=4 --cpu-bind=cores
efficiency cores left idle|-|place "1*$data/20em64t-hybrid-1p6c2t+2ca4co1t.xml" --launcher flux -n 6 -c 1 --cpu-bind per-task|
two of six L3 caches of each memory|idle-l3|place "4*$data/azure-hbv4-176core-24l3.xml" -n 192 --map-by ppr:12:numa --bind-to core|place "4*$data/azure-hbv4-176core-24l3.xml" -n 192 --map-by ppr:2:l3cache --bind-to core
NUMA nodes of a list without GPUs|far-gpu|place "4*$data/epyc-corona.xml" --launcher slurm -n 16 -c 12 --cpu-bind map_ldom:0,2,4,6 -m block:block --env OMP_NUM_THREADS=6 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place "4*$data/epyc-corona.xml" --launcher slurm -n 16 -c 12 --cpu-bind map_ldom:1,2,5,7 -m block:block --env OMP_NUM_THREADS=6 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
domains of eight hardware threads for four threads on four cores|-|place 'node:8 package:2 [numa] l3:1 core:16 pu:2' --launcher intel -n 64 --slots 8 --env I_MPI_PIN_DOMAIN=8:compact --env OMP_NUM_THREADS=4 --env KMP_HW_SUBSET=1T --env KMP_AFFINITY=granularity=fine,compact,1,0|
a rank for each L3 cache|-|place "4*$data/AMD-19h-Zen3-2xEpyc-7763.xml" --launcher openmpi5 -n 64 --map-by ppr:1:l3cache --bind-to core --env OMP_NUM_THREADS=1|
neighbors on different packages|-|place 'node:8 package:2 [numa] l3:4 core:4 pu:2' --launcher slurm -n 128 -m block:cyclic -c 4 --cpu-bind cores --env OMP_NUM_THREADS=2 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|
all hardware threads|-|place 'node:4 package:2 [numa] l3:4 core:8 pu:2' -n 512 --use-hwthread-cpus --map-by hwthread --bind-to hwthread --env OMP_NUM_THREADS=1|
pairs dealt over the nodes|not-consecutive slow-order|place 'node:8 package:2 [numa] l3:2 core:8' --launcher flux -n 128 -c 2 --cpu-bind per-task -m cyclic:2 --env OMP_NUM_THREADS=2 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place 'node:8 package:2 [numa] l3:2 core:8' --launcher flux -n 128 -c 2 --cpu-bind per-task -m block --env OMP_NUM_THREADS=2 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
one host has a slot for each hardware thread|unbound|place 'node:4 package:2 [numa] core:16 pu:2' --launcher openmpi5 --hostfile "$work/hosts" -n 128 --map-by slot --bind-to default --env OMP_NUM_THREADS=1|place 'node:4 package:2 [numa] core:16 pu:2' --launcher openmpi5 --hostfile "$work/hosts" -n 128 --map-by slot --bind-to core --env OMP_NUM_THREADS=1
the first ten of twenty cores|slow-cores|place "2*$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 20 --map-by ppr:10:node --bind-to core|place "2*$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 20 --map-by pe-list=5,6,7,8,9,15,16,17,18,19:ORDERED --bind-to core --slots 10
the first core of each L3 cache left to the system|-|place "16*$data/eas-tioga.xml" --launcher cray -n 128 --slots 8 -c 7 --cpu-bind list:1-7:9-15:17-23:25-31:33-39:41-47:49-55:57-63 --env OMP_NUM_THREADS=7 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread|
as many ranks on small nodes|unequal-nodes|place 'node:2 package:2 [numa] l3:1 core:20 pu:2' 'node:2 package:2 [numa] l3:1 core:12 pu:2' --launcher hydra --hosts 'big[1-2]:32,old[1-2]:32' -n 128 --bind-to hwthread --map-by core|place 'node:2 package:2 [numa] l3:1 core:20 pu:2' 'node:2 package:2 [numa] l3:1 core:12 pu:2' --launcher hydra --hosts 'big[1-2]:40,old[1-2]:24' -n 128 --bind-to core
four hardware threads of a core, each with a thread|-|place "4*$data/coral-lassen.xml" -n 16 --map-by ppr:2:socket:PE=10 --bind-to core --env OMP_NUM_THREADS=40 --env OMP_PLACES=threads --env OMP_PROC_BIND=close|
srun takes no CPUs of sbatch|many-threads fewer-cpus|place 'node:4 package:2 [numa] l3:4 core:8' --launcher slurm23.11 -n 32 -m plane=8 --env SLURM_CPUS_PER_TASK=8 --env OMP_NUM_THREADS=8|place 'node:4 package:2 [numa] l3:4 core:8' --launcher slurm23.11 -n 32 -m block:block -c 8 --cpu-bind cores --env SLURM_CPUS_PER_TASK=8 --env OMP_NUM_THREADS=8
ranks at their GPUs, not at the adapter|-|place "2*$data/epyc-corona.xml" --launcher slurm -n 8 -c 12 --cpu-bind map_ldom:1,2,5,7 -m block:block --env OMP_NUM_THREADS=6 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|
domains of eight hardware threads for eight threads|sibling-threads|place 'node:4 package:2 [numa] l3:1 core:16 pu:2' --launcher intel -n 16 --slots 4 --env I_MPI_PIN_DOMAIN=8:compact --env I_MPI_PIN_ORDER=scatter --env OMP_NUM_THREADS=8 --env KMP_AFFINITY=granularity=fine,compact|place 'node:4 package:2 [numa] l3:1 core:16 pu:2' --launcher intel -n 16 --slots 4 --env I_MPI_PIN_DOMAIN=16:compact --env OMP_NUM_THREADS=8 --env KMP_AFFINITY=granularity=fine,compact,1,0
the last cores of a list twice|many-threads|place "4*$data/eas-tioga.xml" --launcher cray -n 32 --slots 8 -c 7 --cpu-bind list:1-7:9-15:17-23:25-31:33-39:41-47:49-55:49-55 --env OMP_NUM_THREADS=7 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread|place "4*$data/eas-tioga.xml" --launcher cray -n 32 --slots 8 -c 8 --cpu-bind core --env OMP_NUM_THREADS=7 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread
three ranks on two packages|two-packages|place 'node:6 package:2 [numa] l3:1 core:12' -n 18 --map-by ppr:3:node:PE=8 --bind-to core --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place 'node:6 package:2 [numa] l3:1 core:12' -n 24 --map-by ppr:4:node:PE=6 --bind-to core --env OMP_NUM_THREADS=6 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
two programs with hosts of one job|shared-pu idle-nodes|place 'node:3 package:2 [numa] l3:2 core:8' --launcher openmpi5 --map-by core:OVERSUBSCRIBE --bind-to core:overload-allowed --app '-n 48 -H n0:32,n1:32 ocean' --app '-n 32 -H n1:32,n2:32 atm'|place 'node:3 package:2 [numa] l3:2 core:8' --launcher openmpi5 --map-by l3cache --bind-to core --app '-n 48 -H n0:24,n1:24 ocean' --app '-n 32 -H n2:32 atm'
two ranks at the adapters of two nodes|-|place "2*$data/cts1-quartz-smt1.xml" --launcher slurm -n 2 --cpu-bind map_cpu:18|
a coordinator alone on the login node|-|place 'node:1 package:1 core:8' 'node:4 package:2 [numa] core:16' --hosts 'login,w[1-4]' --launcher openmpi5 --map-by core --bind-to core --app '-n 1 -H login:1 coordinator' --app '-n 128 -H w1:32,w2:32,w3:32,w4:32 worker'|
an L3 cache for each rank, and a core of it for nobody|-|place "2*$data/eas-tioga.xml" --launcher flux -n 16 -c 8 --cpu-bind per-task --env OMP_NUM_THREADS=7 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|
a limit of threads that somebody left in the environment|thread-limit|place 'node:4 package:2 [numa] core:32' --launcher intel -n 16 --slots 4 --env I_MPI_PIN_DOMAIN=omp --env OMP_NUM_THREADS=16 --env OMP_THREAD_LIMIT=4 --env KMP_AFFINITY=granularity=fine,compact|place 'node:4 package:2 [numa] core:32' --launcher intel -n 16 --slots 4 --env I_MPI_PIN_DOMAIN=omp --env OMP_NUM_THREADS=16 --env OMP_THREAD_LIMIT=16 --env KMP_AFFINITY=granularity=fine,compact
all threads at the first one|piled-threads|place 'node:4 package:2 [numa] l3:2 core:8' --launcher hydra -n 16 --slots 4 --map-by l3cache --bind-to core:8 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=master|place 'node:4 package:2 [numa] l3:2 core:8' --launcher hydra -n 16 --slots 4 --map-by l3cache --bind-to core:8 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
two of eight L3 caches of each package|idle-l3|place "2*$data/AMD-19h-Zen3-2xEpyc-7763.xml" -n 64 --map-by ppr:16:socket --bind-to core|place "2*$data/AMD-19h-Zen3-2xEpyc-7763.xml" -n 64 --map-by ppr:2:l3cache --bind-to core
ten cores of four hardware threads, and ten threads|-|place "4*$data/coral-lassen.xml" --launcher prrte --map-by ppr:2:package:PE=10 --bind-to core --env OMP_NUM_THREADS=10 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|
every third rank on both packages|two-packages|place "3*$data/epyc-corona-p2.xml" --launcher slurm -n 12 -c 20 -m block:block --env OMP_NUM_THREADS=10 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place "3*$data/epyc-corona-p2.xml" --launcher slurm -n 12 -c 24 -m block:block --env OMP_NUM_THREADS=10 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
all on slow cores|slow-cores|place "2*$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 20 --map-by ppr:5:l3cache --bind-to core|place "2*$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 20 --slots 10 --map-by pe-list=5,6,7,8,9,15,16,17,18,19:ORDERED --bind-to core
ranks in proportion to cores|-|place "2*$data/cts1-quartz-smt1.xml" 'node:2 package:2 [numa] core:12' --launcher hydra -n 120 --hosts a:36,b:36,c:24,d:24 --map-by core --bind-to core|
the second packages of a job, of which the document says no more|-|parted 'node:4 package:2 [numa] core:16'|
a quota for half of a node's ranks|cpu-quota|limited 'node:4 package:2 [numa] core:16' --launcher flux -n 128 -c 1 --cpu-bind per-task --env OMP_NUM_THREADS=1|limited 'node:4 package:2 [numa] core:16' --launcher hydra -n 112 --hosts n0:32,n1:32,n2:16,n3:32 --bind-to core --map-by socket --env OMP_NUM_THREADS=1
masks that leave the first core of each L3 cache to the system|-|place "4*$data/eas-tioga.xml" --launcher slurm23.11 -n 32 -c 16 --cpu-bind=mask_cpu:0xfe000000000000,0xfe00000000000000,0xfe0000,0xfe000000,0xfe,0xfe00,0xfe00000000,0xfe0000000000 --env OMP_NUM_THREADS=7 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread|
hosts by name are one slot each|not-consecutive slow-order|place 'node:4 package:2 [numa] core:16' --launcher hydra -n 128 --hosts n0,n1,n2,n3 --bind-to core|place 'node:4 package:2 [numa] core:16' --launcher hydra -n 128 --slots 32 --bind-to core
eight threads on both siblings of four of eight cores|sibling-threads|place 'node:4 package:2 [numa] core:32 pu:2' --launcher slurm23.11 -n 32 -c 16 --cpu-bind=cores --env OMP_NUM_THREADS=8 --env OMP_PLACES=threads --env OMP_PROC_BIND=close|place 'node:4 package:2 [numa] core:32 pu:2' --launcher slurm23.11 -n 32 -c 16 --cpu-bind=cores --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
a master alone on its node|-|place 'node:4 package:2 [numa] core:16' --launcher openmpi5 --map-by core --bind-to core --app '-n 1 -H n0:1 master' --app '-n 96 -H n1:32,n2:32,n3:32 worker'|
a rank for each memory of two kinds of nodes, all of as many threads|unequal-nodes|place 'node:2 package:2 [numa] core:16 pu:2' 'node:2 package:2 [numa] core:8 pu:2' --map-by ppr:1:numa --bind-to numa --env OMP_NUM_THREADS=16 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place 'node:2 package:2 [numa] core:16 pu:2' 'node:2 package:2 [numa] core:8 pu:2' --hosts n0:4,n1:4,n2:2,n3:2 -n 12 --map-by slot:PE=8 --bind-to core --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
not bound by the launcher, and each thread by OpenMP|-|place 'node:8 package:1 [numa] l3:8 core:8 pu:2' --launcher flux -n 8 -c 64 --cpu-bind off --env OMP_NUM_THREADS=64 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread|
slots mistyped|uneven-nodes|place 'node:4 package:2 [numa] core:16' --launcher openmpi5 --hosts 'n[0-2]:32,n3:23' --map-by core --bind-to core|place 'node:4 package:2 [numa] core:16' --launcher openmpi5 -n 128 --map-by ppr:32:node
two ranks for each L3 cache|-|place "16*$data/AMD-19h-Zen3-2xEpyc-7763.xml" --map-by ppr:2:l3cache --bind-to core --env OMP_NUM_THREADS=1|
six ranks of eight cores on four memories of twelve|two-packages|place "4*$data/a64fx-4cmg-48core.synthetic.xml" --launcher flux -n 24 -c 8 --cpu-bind per-task --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place "4*$data/a64fx-4cmg-48core.synthetic.xml" --launcher flux -n 32 -c 6 --cpu-bind per-task --env OMP_NUM_THREADS=6 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
unbound, and each rank's threads from the first core on|piled-threads|place 'node:4 package:2 [numa] core:24 pu:2' --launcher intel -n 16 --slots 4 --env I_MPI_PIN=off --env OMP_NUM_THREADS=12 --env KMP_AFFINITY=granularity=fine,compact,1,0|place 'node:4 package:2 [numa] core:24 pu:2' --launcher intel -n 16 --slots 4 --env I_MPI_PIN=1 --env I_MPI_PIN_DOMAIN=24:compact --env OMP_NUM_THREADS=12 --env KMP_AFFINITY=granularity=fine,compact,1,0
nodes of two kinds, all full|-|place 'node:2 package:2 [numa] core:18' 'node:1 package:2 [numa] core:32' --launcher hydra --hosts 'n0:36,n1:36,n2:64' -n 136 --bind-to core|
threads of a nested region that may not nest|-|place 'node:3 package:2 [numa] core:16 pu:2' --launcher slurm23.11 -n 24 -c 8 --cpu-bind cores --env SLURM_CPUS_PER_TASK=8 --env OMP_NUM_THREADS=4,2 --env OMP_MAX_ACTIVE_LEVELS=1 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread,close|
six ranks of each memory in the first of six L3 caches|idle-l3|place "2*$data/azure-hbv4-176core-24l3.xml" --map-by ppr:6:numa --bind-to core|place "2*$data/azure-hbv4-176core-24l3.xml" --map-by ppr:1:l3cache --bind-to core
nodes of two kinds, all full, by a list of hosts|-|place 'node:2 package:2 [numa] core:24' 'node:3 package:2 [numa] core:16' --hosts 'fat[1-2]:48,std[1-3]:32' --map-by core --bind-to core|
twelve ranks of eight cores on packages of 52|two-packages|place 'node:8 package:2 [numa] core:52 pu:2(indexes=2*104:104*1)' --launcher cray --slots 12 -c 8 --cpu-bind depth -n 96 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place 'node:8 package:2 [numa] core:52 pu:2(indexes=2*104:104*1)' --launcher cray --slots 12 --cpu-bind list:0-7:8-15:16-23:24-31:32-39:40-47:52-59:60-67:68-75:76-83:84-91:92-99 -n 96 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
two ranks of a package, whose threads OpenMP puts on the same cores|piled-threads|place 'node:4 package:2 [numa] core:16' --launcher hydra --slots 4 -n 16 --bind-to socket --map-by socket --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread|place 'node:4 package:2 [numa] core:16' --launcher hydra --slots 4 -n 16 --bind-to core:8 --map-by socket --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=spread
domains of Intel MPI by itself|-|place 'node:3 package:2 [numa] core:20 pu:2' --launcher intel --slots 4 -n 12 --env KMP_HW_SUBSET=1T --env KMP_AFFINITY=granularity=fine,compact,1,0|
a sibling in place of a core in a list|idle-cores|place "2*$data/eas-tioga.xml" --launcher slurm -n 16 --cpu-bind map_cpu:0,8,16,24,32,40,48,64|place "2*$data/eas-tioga.xml" --launcher slurm -n 16 --cpu-bind map_cpu:0,8,16,24,32,40,48,56
a rank for each L3 cache, bound to it|-|place 'node:4 package:2 numa:4 l3:2 core:4' --launcher openmpi5 --map-by ppr:1:l3cache --bind-to l3cache --env OMP_NUM_THREADS=1|
ranks dealt over the nodes by a variable|not-consecutive slow-order|place 'node:5 package:2 numa:2 core:12' --launcher cray --slots 48 -n 240 -c 1 --cpu-bind depth --env MPICH_RANK_REORDER_METHOD=0|place 'node:5 package:2 numa:2 core:12' --launcher cray --slots 48 -n 240 -c 1 --cpu-bind depth --env MPICH_RANK_REORDER_METHOD=1
more threads than a memory of the small nodes has cores|unequal-nodes|place 'node:2 package:2 numa:2 core:12 pu:2' 'node:2 package:2 numa:2 core:8 pu:2' --launcher openmpi5 --map-by ppr:1:numa --bind-to numa --env OMP_NUM_THREADS=12 --env OMP_PLACES=threads --env OMP_PROC_BIND=spread|place 'node:2 package:2 numa:2 core:12 pu:2' 'node:2 package:2 numa:2 core:8 pu:2' --launcher openmpi5 --map-by ppr:1:numa --bind-to numa --env OMP_NUM_THREADS=8 --env OMP_PLACES=threads --env OMP_PROC_BIND=spread
three programs that fill all nodes|-|place 'node:4 package:2 numa:4 core:16' --launcher hydra --slots 128 --bind-to core --map-by core --app '-n 256 atm' --app '-n 128 ocn' --app '-n 128 ice'|
ten ranks on the slow cores|slow-cores|place "$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 10 --map-by l3cache --bind-to core|place "$data/nvidia-dgx-gb10.xml" --launcher openmpi5 -n 10 --slots 10 --map-by pe-list=5,6,7,8,9,15,16,17,18,19:ORDERED --bind-to core
the last mask of a list a bit off|many-threads|place 'node:4 package:2 [numa] core:16' --launcher slurm -n 16 -c 8 --cpu-bind mask_cpu:0xff,0xff00,0xff0000,0x7f800000 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place 'node:4 package:2 [numa] core:16' --launcher slurm -n 16 -c 8 --cpu-bind mask_cpu:0xff,0xff00,0xff0000,0xff000000 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
six threads on the four cores of small nodes|many-threads unequal-nodes|place 'node:2 package:2 [numa] core:12' 'node:2 package:2 [numa] core:8' --launcher intel --slots 4 -n 16 --env I_MPI_PIN_DOMAIN=auto:compact --env OMP_NUM_THREADS=6 --env KMP_AFFINITY=granularity=fine,compact|place 'node:2 package:2 [numa] core:12' 'node:2 package:2 [numa] core:8' --launcher intel --slots 4 -n 16 --env I_MPI_PIN_DOMAIN=4:compact --env OMP_NUM_THREADS=4 --env KMP_AFFINITY=granularity=fine,compact
the second package, and its GPUs, idle|idle-memory|place "4*$data/coral-lassen.xml" --launcher flux -n 16 -c 5 --cpu-bind per-task --env OMP_NUM_THREADS=5 --env OMP_PLACES=cores --env OMP_PROC_BIND=close|place "4*$data/coral-lassen.xml" --launcher flux -n 16 -c 10 --cpu-bind per-task --env OMP_NUM_THREADS=10 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
six ranks of six threads on packages of eighteen cores|-|place "4*$data/cts1-quartz-smt1.xml" --launcher intel --slots 6 -n 24 --env I_MPI_PIN_DOMAIN=omp --env OMP_NUM_THREADS=6 --env KMP_AFFINITY=granularity=fine,compact|
CPUs of srun that are hardware threads|sibling-threads|place 'node:4 package:2 [numa] core:32 pu:2' --launcher slurm -n 32 -c 8 --env SLURM_CPUS_PER_TASK=8 --env OMP_NUM_THREADS=8 --env OMP_PLACES=threads --env OMP_PROC_BIND=close|place 'node:4 package:2 [numa] core:32 pu:2' --launcher slurm -n 32 -c 16 --env SLURM_CPUS_PER_TASK=16 --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
two kinds of nodes, all full|-|place 'node:2 package:2 [numa] core:16' 'node:2 package:2 [numa] core:8' --map-by core --bind-to core -n 96|
an efficiency core at the end of a list|slow-cores|place "$data/20em64t-hybrid-1p6c2t+2ca4co1t.xml" --launcher intel -n 6 --env I_MPI_PIN_PROCESSOR_LIST=2,4,6,8,10,12|place "$data/20em64t-hybrid-1p6c2t+2ca4co1t.xml" --launcher intel -n 6 --env I_MPI_PIN_PROCESSOR_LIST=0,2,4,6,8,10
the same GOMP_CPU_AFFINITY for all ranks of a node|piled-threads|place 'node:4 package:1 [numa] core:32' --launcher slurm23.11 -n 16 -c 8 --cpu-bind sockets --env OMP_NUM_THREADS=8 --env GOMP_CPU_AFFINITY=0-7|place 'node:4 package:1 [numa] core:32' --launcher slurm23.11 -n 16 -c 8 --cpu-bind cores --env OMP_NUM_THREADS=8 --env OMP_PLACES=cores --env OMP_PROC_BIND=close
a master beside its workers|-|place 'node:2 package:2 [numa] core:8' --launcher hydra --hosts n0:16,n1:16 --map-by core --bind-to core --app '-n 1 master' --app '-n 31 worker'|
two programs that leave a node without ranks|idle-nodes|place 'node:4 package:2 [numa] core:16' --launcher openmpi5 --app '-n 32 ocean' --app '-n 64 air'|place 'node:3 package:2 [numa] core:16' --launcher openmpi5 --app '-n 32 ocean' --app '-n 64 air'
END
)

# found JOB: the names of its findings, hints apart
found()
{
	if ! eval "$1" >"$work/job.json" 2>"$work/err" </dev/null; then
		echo "refused: $(cat "$work/err")"
		return
	fi
	topomap inspect --lint "$work/job.json" >"$work/lint" 2>"$work/err" </dev/null
	case $? in
	0 | 4) sed -n 's/^\([a-z0-9-]*\) (\(error\|warning\))$/\1/p' "$work/lint" | paste -sd ' ' ;;
	*) echo "not inspected: $(cat "$work/err")" ;;
	esac
}

while IFS='|' read -r what wanted job mended; do
	case $job in
	*\$data*) [ -d "$data" ] ||
		{ skipped=$((skipped + 1)); echo "skipped: $what: there are no recorded machines in $data"; continue; } ;;
	esac
	[ "$wanted" != - ] || wanted=
	got=$(found "$job")
	if [ "$got" = "$wanted" ]; then pass; else fail "$what: '$got' and not '$wanted'"; fi
	[ -n "$mended" ] || continue
	got=$(found "$mended")
	if [ -z "$got" ]; then pass; else fail "$what, mended: '$got'"; fi
done <<<"$jobs"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
