#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The whole way once: a real MPI job on this machine, then an imagined one on a cluster.
# Its files stay in build/demo. Works as root and as an ordinary user.
set -eu -o pipefail
cd "$(dirname "$0")/.."
mkdir -p build/demo
cd build/demo
PATH=$(cd .. && pwd):$PATH

# Open MPI refuses root unless told so; in containers its shared memory and ptrace tricks
# make noise that nobody needs, and TCP where there is no network.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=^tcp

bold= plain=
if [ -t 1 ]; then
	bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# Shows a command line and executes it.
show()
{
	printf '\n$ %s\n' "$*"
	bash -o pipefail -c "$*"
}

has_command() { topomap --generate commands | grep -qx "$1"; }

# show_if COMMAND...: the same for a command of topomap that this version may not have
show_if()
{
	if has_command "$1"; then
		show "topomap $*"
	fi
}

# explore NAME: everything that topomap says of one placement
explore()
{
	show_if inspect "$1.json"
	show_if tree "$1.json"
	show_if tree -f svg -o "$1-tree.svg" "$1.json"
	show_if ring "$1.json"
	show_if ring -f svg -o "$1-ring.svg" "$1.json"
	show_if score --collective allgather --bytes 64KiB "$1.json"
	show "topomap suggest-rankfile$launcher $1.json -o $1.rankfile"
	show "head -n 4 $1.rankfile"
}

# must_agree FROM AGAIN: what was measured under FROM's rankfile is what it asks for
must_agree()
{
	# shellcheck disable=SC2086
	topomap suggest-rankfile $launcher --mapper identity "$2.json" -o "$2.rankfile" 2>/dev/null
	cmp "$1.rankfile" "$2.rankfile"
	show_if compare "$1.json" "$2.json"
	echo
	echo "Every rank sits where the rankfile says."
}

# Open MPI's own launcher, where several MPI libraries are installed; from 5 on a rankfile is a
# policy of --map-by.
mpirun=mpirun launcher= by_file="--rankfile "
if command -v mpirun.openmpi >/dev/null; then
	mpirun=mpirun.openmpi
fi
if $mpirun --version 2>/dev/null | grep -Eq '[(](Open MPI|OpenRTE)[)] ([5-9]|[1-9][0-9])'; then
	launcher=" --launcher openmpi5" by_file="--map-by rankfile:file="
fi

if [ -x ../topomap-probe ] && ! ldd ../topomap-probe | grep -q 'libmpi\.so'; then
	say "The probe is not built with Open MPI, whose rankfiles this shows: no real jobs"
elif [ -x ../topomap-probe ]; then
	say "1. A real job on this machine: one rank for each core"
	show "$mpirun --map-by socket --bind-to core topomap-probe -o job.json"
	explore job
	say "The same job in the suggested order"
	ranks=$(grep -c '^rank ' job.rankfile)
	show "$mpirun -np $ranks ${by_file}job.rankfile topomap-probe -o job-again.json"
	must_agree job job-again

	say "2. A real job on an imitated machine: 2 packages of 4 cores, ranks in a random order"
	cp ../../tests/data/2package-4core.xml node.xml
	show "topomap place node.xml --hosts $(hostname -s) --shuffle 1 -o node.json"
	explore node
	say "Open MPI and the probe, made to believe that this machine is that one"
	show "HWLOC_XMLFILE=node.xml HWLOC_THISSYSTEM=0 $mpirun -np 8 ${by_file}node.rankfile" \
		"topomap-probe --rankfile node.rankfile -o node-again.json"
	must_agree node node-again
else
	say "No MPI compiler here: the real jobs are left out"
fi

say "3. An imagined job on a cluster: 4 nodes, next ranks on next nodes"
show "topomap place 'node:4 package:2 numa:2 core:4' --map-by node -o cluster.json"
explore cluster

say "Pictures and files are in build/demo:"
ls
