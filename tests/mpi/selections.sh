#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Does MPICH do what selection files say that topomap tune writes, and what topomap says of others? For each
# test of sizes the calls of an element less, of just as much, and of one more are made, and their messages
# compared, pair by pair of ranks, with those of the algorithm that the file selects (defaults.c,
# selections.awk).
# Run on MPICH 4.0.2, with files of 4.0, and on 4.2.1, with those of 4.1 to 4.3.
# Oracle: the library's own messages, counted inside of it (traffic_ucx.c), and its sources on what a test
# means (selections.awk).
. "$(dirname "$0")/common.bash"

# The library of topomap tune for this release
release_library()
{
	case $("$mpirun" --version | sed -n 's/^ *Version: *//p') in
	4.0*) echo mpich ;;
	4.[123]*) echo mpich41 ;;
	*) return 1 ;;
	esac
}

build_program()
{
	program=$work/defaults
	"mpicc.$mpi" -std=gnu11 -D_GNU_SOURCE -I. -rdynamic -o "$program" tests/mpi/defaults.c \
		tests/mpi/traffic_ucx.c tests/support/machines.c "$build/libtopomap-inner.a" -lm -ldl \
		>"$work/make" 2>&1 || { fail "defaults.c does not compile"; cat "$work/make"; return 1; }
}

# RANKS FILE PROGRAM...: under that selection
selecting()
{
	local ranks=$1 file=$2
	shift 2
	MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$file launch "$ranks" "$@" >"$work/out" 2>"$work/err"
}

# MACHINE RANKS NODES LEAST COLLECTIVES [OPTION OF TUNE]...: at least LEAST calls, all as the file says
tuned()
{
	local machine=$1 ranks=$2 nodes=$3 least=$4 collectives=$5 alike unlike unknown
	shift 5
	if ! topomap place "$machine" |
		topomap tune -l "$release" --profile summit -b 256KiB -c "$collectives" "$@" -o "$work/rules" 2>"$work/err"; then
		fail "no rules for $machine"
		cat "$work/err"
		return
	fi
	awk -v ranks="$ranks" -f tests/mpi/selections.awk "$work/rules" 2>"$work/unnamed" |
		grep -E "^($(tr , '|' <<<"$collectives")) " >"$work/plan"
	export MPIR_CVAR_NUM_CLIQUES=$nodes MPIR_CVAR_CLIQUES_BY_BLOCK=1
	selecting "$ranks" "$work/rules" "$program" mpich "$nodes" "$work/plan"
	if grep -q 'do not go through UCX' "$work/err"; then
		skip "$mpi: its messages do not go through UCX"
		return
	fi
	read -r alike unlike unknown <<<"$(sed -n \
		's/^\([0-9]*\) alike, \([0-9]*\) unlike, \([0-9]*\) unknown$/\1 \2 \3/p' "$work/out")"
	if [ "${unlike:-1}" -gt 0 ] || [ "${alike:-0}" -lt "$least" ] || [ -s "$work/unnamed" ]; then
		fail "$machine $*: ${alike:-no} calls alike, ${unlike:-no} unlike, ${unknown:-no} unknown"
		grep '^un' "$work/out" | head -n 20
		tail -n 3 "$work/err"
		head -n 3 "$work/unnamed"
	else
		echo "rules for $machine $*: $alike calls alike"
		pass
	fi
}

# What the library makes of mistakes that topomap tune --lint finds: those that end the program, of which the
# last line is a call that is not made.
mistaken()
{
	local what edit
	echo "allgather 6 100 1 0 ring" >"$work/plan"
	unset MPIR_CVAR_NUM_CLIQUES MPIR_CVAR_CLIQUES_BY_BLOCK
	topomap place 'node:6 core:1' | topomap tune -l "$release" --profile summit -c barrier -o "$work/whole" 2>/dev/null
	while IFS='|' read -r what edit; do
		sed "$edit" "$work/whole" >"$work/rules"
		if cmp -s "$work/whole" "$work/rules" ||
			topomap tune -l "$release" --lint "$work/rules" >"$work/lint" 2>&1; then
			fail "$what: --lint finds nothing"
			continue
		fi
		selecting 6 "$work/rules" "$program" mpich 6 "$work/plan"
		if grep -q alike "$work/out"; then
			fail "$what: the program does not end"
		else
			pass
		fi
	done <<-'END'
	no such algorithm|s/MPIR_Bcast_intra_binomial/MPIR_Bcast_intra_chain/
	of another release|s/intra_dissemination/intra_k_dissemination/;t;s/intra_k_dissemination/intra_dissemination/
	no such test|s/comm_size=pow2/comm_size=power/
	a collective is missing|/^ "collective=alltoall"/,/^ },$/d
	as many ranks, too|/collective=allgather"/,/collective=allgatherv"/{s/comm_size=pow2/total_msg_size<100000/;s/total_msg_size<524288/comm_size<6/}
	a size that is none of the collective|/collective=allgather"/,/collective=allgatherv"/s/total_msg_size<81920/avg_msg_size<81920/
	powers of two alone|/collective=allgather"/,/collective=allgatherv"/s/intra_brucks/intra_recursive_doubling/
	another collective|/collective=allgather"/,/collective=allgatherv"/s/MPIR_Allgather_intra_brucks/MPIR_Alltoall_intra_brucks/
	no algorithm is left|/collective=allgather"/,/collective=allgatherv"/s/comm_size=any/comm_size<=5/
	END
}

if ! command -v mpicc.mpich >/dev/null; then
	skip "there is no mpicc.mpich"
elif ! use_mpi mpich; then
	: # that is said
elif ! release=$(release_library); then
	skip "there is no selection file for $("$mpirun" --version | grep -m 1 Version)"
elif build_program; then
	all=bcast,reduce,allreduce,allgather,alltoall,reduce_scatter,reduce_scatter_block
	some=allgather,alltoall,reduce_scatter,reduce_scatter_block
	tuned 'node:6 core:1' 6 6 40 $all
	tuned 'node:8 core:1' 8 8 40 $all --profile leonardo
	tuned 'node:2 core:4' 8 2 20 $some
	tuned 'node:2 core:3' 6 2 20 $some --profile xeon-omnipath
	mistaken
fi
finish
