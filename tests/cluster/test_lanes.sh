#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap lanes says what MPI does: node communicators of MPI_Comm_split_type and lanes of
# MPI_Comm_split under Open MPI and MPICH on four imitated hosts, regular and not; the placement
# is what the probe reports of the same job. Oracle: the communicators themselves (splits.c).
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need

# run SLOTS RANKS [--map-by node] PROGRAM...
run()
{
	case $mpi in
	openmpi) hosts_openmpi --host "$1" -np "$2" --bind-to none "${@:3}" ;;
	mpich) hosts_hydra -hosts "$1" -n "$2" "${@:3}" ;;
	esac </dev/null 2>"$work/err" || cat "$work/err"
}

# The communicators of a document, as splits prints them.
lanes_of()
{
	topomap lanes -f json "$@" | awk '
		/^  "(nodes|lanes|groups)": \[/ { gsub(/[^a-z]/, ""); what = $0; next }
		/^    \[/ && what != "groups" { gsub(/[^0-9]+/, " "); sub(/ $/, ""); print what $0 }'
}

# agree WHAT SLOTS RANKS WORD...
agree()
{
	run "$2" "$3" "${@:4}" "$probe" -o "$work/job.json"
	run "$2" "$3" "${@:4}" "$work/splits" 2 >"$work/real"
	same "$1: splits by node and by rank in the node" \
		"$(grep 'nodes\|lanes' "$work/real" | sort)" "$(lanes_of "$work/job.json" | sort)"
	same "$1: two virtual lanes" "$(sed -n 's/virtual/lanes/p' "$work/real" | sort)" \
		"$(lanes_of --lanes 2 "$work/job.json" | grep lanes | sort)"
	same "$1: there are communicators at all" 4 "$(grep -c nodes "$work/real")"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	command -v mpicc.$mpi >/dev/null || { skip "$mpi: no mpicc.$mpi"; continue; }
	mpicc.$mpi -O1 -o "$work/splits" tests/cluster/splits.c || { fail "splits.c"; continue; }
	hosts_start a b c d
	trap 'hosts_stop; rm -rf "$work"' EXIT
	agree "irregular" a:3,b:2,c:3,d:2 10
	case $mpi in
	openmpi) agree "cyclic" a:2,b:2,c:2,d:2 8 --map-by node ;;
	mpich) agree "cyclic" a:1,b:1,c:1,d:1 8 ;;
	esac
	hosts_stop
done
finish
