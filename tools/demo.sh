#!/bin/bash
# The whole way once: a real MPI job on this machine, then an imagined one on a cluster.
# Its files stay in build/demo. Works as root and as an ordinary user.
set -eu -o pipefail
cd "$(dirname "$0")/.."
mkdir -p build/demo
cd build/demo
PATH=$(cd .. && pwd):$PATH

# Open MPI refuses root unless told so; in containers its shared memory and ptrace tricks
# make noise that nobody needs.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# Shows a command line and executes it.
show()
{
	printf '\n$ %s\n' "$*"
	bash -o pipefail -c "$*"
}

has_command() { topomap --generate commands | grep -qx "$1"; }

# what FILE: everything that topomap says of one placement
explore()
{
	show "topomap inspect $1.json"
	show "topomap tree $1.json"
	show "topomap tree -f svg -o $1-tree.svg $1.json"
	show "topomap ring $1.json"
	show "topomap ring -f svg -o $1-ring.svg $1.json"
	if has_command score; then
		show "topomap score --collective allgather --bytes 64KiB $1.json"
	fi
	show "topomap suggest-rankfile $1.json -o $1.rankfile"
	show "cat $1.rankfile"
}

# The launcher of the compiler that the probe was built with.
mpirun=mpirun
if command -v mpirun.openmpi >/dev/null; then
	mpirun=mpirun.openmpi
fi

if [ -x ../topomap-probe ]; then
	say "A real job on this machine: one rank for each core, next ranks on next packages"
	show "$mpirun --map-by socket --bind-to core topomap-probe -o job.json"
	explore job
	say "The same job in the suggested order"
	show "$mpirun --rankfile job.rankfile topomap-probe -o again.json"
	if has_command compare; then
		show "topomap compare job.json again.json"
	fi
	topomap suggest-rankfile --mapper identity again.json -o again.rankfile 2>/dev/null
	cmp job.rankfile again.rankfile
	echo "Every rank sits where the rankfile says."
else
	say "No MPI compiler here: the real job is left out"
fi

say "An imagined job on a cluster of 4 nodes with 2 packages, next ranks on next nodes"
show "topomap place 'node:4 package:2 numa:2 core:4' -n 32 --map-by node -o cluster.json"
explore cluster

say "Pictures and files are in build/demo:"
ls
