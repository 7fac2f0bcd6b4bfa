#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Files for launchers, run by the launchers: a job is placed at random on four hosts that are
# this machine, the file is written, Open MPI or Hydra starts the probe with the command line
# that was printed, and the probe must find every rank where the document puts it. Oracle: the
# kernel, which the probe asks.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need lstopo-no-graphics

hosts_start a b c d
trap 'hosts_stop; rm -rf "$work"' EXIT
lstopo-no-graphics --of xml -f "$work/node.xml" 2>/dev/null
place() { topomap place "4*$work/node.xml" --hosts a,b,c,d "$@"; }

# The command line that was printed, with the probe in the place of PROGRAM; that of the
# sequential mapper of Open MPI 5 is in the note.
follow()
{
	local words
	words=$(sed -n 's/^  mpi[a-z.]* \(.*\) PROGRAM$/\1/p' "$work/table")
	[ "$1 $row" != "seq openmpi5" ] ||
		words=$(sed -n 's/^Note: with Open MPI 5: mpirun \(.*\) PROGRAM.*/\1/p' "$work/table")
	case $mpi in
	openmpi) launch_by=hosts_openmpi ;;
	mpich) launch_by=hosts_hydra ;;
	esac
	eval "$launch_by $words $probe -o $work/after.json" </dev/null >"$work/out" 2>"$work/err" ||
		cat "$work/out" "$work/err"
}

# check LAUNCHER WHAT: the job in suggestion.json
check_job()
{
	rm -f "$work/file" "$work/after.json"
	topomap suggest-rankfile -m identity -l "$1" "$work/job.json" -o "$work/file" \
		2>"$work/table" || cat "$work/table"
	follow "$1"
	topomap compare --expect "$work/job.json" "$work/after.json" >"$work/out" 2>&1
	same "$1: $2: every rank is where it was put" 0 $?
	same "$1: $2: nobody moved" "moved     no rank" "$(grep '^moved' "$work/out")"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	if [ $mpi = openmpi ]; then
		place --shuffle 1 >"$work/job.json"
		set_by_file "$work/file"
		check_job $row "shuffled"
		# that of Open MPI 5 takes the hosts of a file and not the cores
		[ $row = openmpi5 ] || check_job seq "shuffled"
		place --map-by node --bind-to none >"$work/job.json"
		check_job seq "not bound"
	else
		place --shuffle 2 >"$work/job.json"
		check_job hydra40 "shuffled"
		place --map-by node --bind-to none >"$work/job.json"
		check_job hydra40 "not bound"
		place --map-by core --rank-by slot >"$work/job.json"
		check_job hydra "host after host"
	fi
done

# what is expected and is not there is told
mpi=openmpi
place --map-by node >"$work/wrong.json"
if [ -f "$work/after.json" ]; then
	topomap compare --expect "$work/wrong.json" "$work/after.json" >/dev/null 2>&1
	same "another order is a finding" 4 $?
fi
finish
