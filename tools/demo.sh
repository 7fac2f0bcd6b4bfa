#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The whole way once: a real MPI job on this machine, another that is made to believe in a larger
# machine, and an imagined one on a cluster. A line a step: what it does, the file of its result,
# the command. Files are in build/demo, the commands' outputs in build/demo/log; of a step that
# fails the output is shown. Works as root and as an ordinary user, with and without MPI.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top/${BUILD:-build}"
PATH=$PWD:$PATH
mkdir -p demo/log
cd demo

# Open MPI refuses root unless told so; in containers its shared memory and ptrace tricks
# make noise that nobody needs, and TCP where there is no network.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=^tcp

steps=0
# step WHAT RESULT COMMAND: "log" for RESULT where the output is the result
step()
{
	local what=$1 result=$2 command=$3 log status=0
	steps=$((steps + 1))
	log=log/$(printf %02d "$steps")
	[ "$result" != log ] || result=$log
	printf '  %-21s %-18s  %s\n' "$what" "$result" "$command"
	printf '$ %s\n' "$command" >"$log"
	bash -o pipefail -c "$command" >>"$log" 2>&1 </dev/null || status=$?
	[ "$status" -ne 0 ] || return 0
	{
		echo "demo: this step failed with status $status; its command and output:"
		cat "$log"
	} >&2
	exit 1
}

# explore NAME: what topomap has to say of a placement, and a better mapping as a rankfile
explore()
{
	step "mapping and binding" log "topomap inspect $1.json"
	step "broadcast tree" "$1-tree.svg" "topomap tree -o $1-tree.svg $1.json"
	step "allgather ring" "$1-ring.svg" "topomap ring -o $1-ring.svg $1.json"
	step "costs of allgather" log "topomap score --collective allgather --bytes 64KiB $1.json"
	step "a better mapping" "$1.rankfile" "topomap suggest-rankfile$launcher $1.json -o $1.rankfile"
}

# must_agree NAME: the ranks of NAME-again ran where NAME.rankfile says
must_agree()
{
	step "where the ranks ran" "$1-again.rankfile" "topomap suggest-rankfile$launcher --mapper\
 identity $1-again.json -o $1-again.rankfile"
	step "is what was asked for" log "cmp <(grep ^rank $1.rankfile) <(grep ^rank $1-again.rankfile)"
	step "before and after" log "topomap compare $1.json $1-again.json"
}

# Open MPI's own launcher, where several MPI libraries are installed; from 5 on a rankfile is a
# policy of --map-by.
mpirun=mpirun launcher="" by_file="--rankfile "
if command -v mpirun.openmpi >/dev/null; then
	mpirun=mpirun.openmpi
fi
release=$($mpirun --version 2>/dev/null | sed -n 's/.*(Open[ A-Z]*) \([0-9]*\).*/\1/p' || true)
if [ "${release:-4}" -ge 5 ]; then
	launcher=" --launcher openmpi5" by_file="--map-by rankfile:file="
fi

libraries=
[ ! -x ../topomap-probe ] || libraries=$(ldd ../topomap-probe)
if [ -z "$libraries" ]; then
	echo "No MPI compiler here: the real jobs are left out"
elif [ -z "$release" ] || [ "${libraries#*libopen-pal}" = "$libraries" ]; then
	echo "The probe or mpirun is not Open MPI's, whose rankfiles this shows: no real jobs"
else
	echo "A real job on this machine: a rank for each core, then in the suggested order"
	step "run the probe" job.json "$mpirun --map-by socket --bind-to core topomap-probe -o job.json"
	explore job
	step "run it there" job-again.json "$mpirun -np $(grep -c '^rank ' job.rankfile)\
 ${by_file}job.rankfile topomap-probe -o job-again.json"
	must_agree job

	echo "A real job that believes in 2 packages of 4 cores: ranks in random order, then suggested"
	cp "$top/tests/data/2package-4core.xml" node.xml
	step "a random order" node.json \
		"topomap place node.xml --hosts $(hostname -s) --shuffle 1 -o node.json"
	explore node
	step "run it there" node-again.json "HWLOC_XMLFILE=node.xml HWLOC_THISSYSTEM=0 $mpirun -np 8\
 ${by_file}node.rankfile topomap-probe --rankfile node.rankfile -o node-again.json"
	must_agree node
fi

echo "An imagined job on a cluster: 4 nodes, next ranks on next nodes"
step "no job, no MPI" cluster.json \
	"topomap place 'node:4 package:2 numa:2 core:4' --map-by node -o cluster.json"
explore cluster
echo "All $steps steps went well; results are in ${BUILD:-build}/demo"
