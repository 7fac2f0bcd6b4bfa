#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What topomap says that the MPI libraries here take by themselves: a launch of 64 ranks (MPICH, which
# turns while it waits: 12, on one node and on several) that calls every collective on communicators of 2 to 64 of them, with all
# sizes and elements that the libraries' rules tell apart, and compares the messages pair by pair of
# ranks with those of the algorithm that topomap names (defaults.c). A sample that is drawn
# from SEED; WHOLE=1 is all of it, about half an hour each.
# Oracle: the libraries' own messages, counted inside of them (traffic.c, traffic_ucx.c).
. "$(dirname "$0")/common.bash"
seed=${SEED:-1}

# COUNTER: the program for this library, that counts by this file
build_program()
{
	program=$work/defaults.$mpi
	"mpicc.$mpi" -std=gnu11 -D_GNU_SOURCE -I. -rdynamic -o "$program" tests/mpi/defaults.c "$1" \
		tests/support/machines.c "$build/libtopomap-inner.a" -lm -ldl >"$work/make" 2>&1 ||
		{ fail "defaults.c does not compile"; cat "$work/make"; return 1; }
}

# LIBRARY RANKS NODES SAMPLE MOST [OPTION]...: no call of the sample is unlike, and of a hundred
# at most so many are unknown
compare()
{
	local library=$1 ranks=$2 nodes=$3 sample=$4 most=$5 alike unlike unknown
	local what="$library, $ranks ranks on $nodes nodes, seed $seed"
	shift 5
	[ -z "${WHOLE:-}" ] || sample=
	awk -v ranks="$ranks" -v sample="$sample" -v seed="$seed" -f tests/mpi/defaults.awk >"$work/plan"
	if ! launch "$ranks" "$@" "$program" "$library" "$nodes" "$work/plan" >"$work/out" 2>"$work/err"; then
		if grep -q 'do not go through UCX' "$work/err"; then
			skip "$mpi: its messages do not go through UCX"
			return
		fi
		fail "$what: the program failed"
		tail -n 5 "$work/err"
		return
	fi
	read -r alike unlike unknown <<<"$(sed -n \
		's/^\([0-9]*\) alike, \([0-9]*\) unlike, \([0-9]*\) unknown$/\1 \2 \3/p' "$work/out")"
	if [ "${unlike:-1}" -gt 0 ] || [ "${alike:-0}" -lt 1 ] ||
		[ $((100 * unknown)) -gt $((most * $(wc -l <"$work/plan"))) ]; then
		fail "$what: $alike calls alike, $unlike unlike, $unknown unknown"
		grep '^un' "$work/out" | head -n 20
	else
		echo "$what: $alike calls alike, $unknown unknown"
		pass
	fi
}

if ! command -v mpicc.openmpi >/dev/null; then
	skip "there is no mpicc.openmpi"
elif use_mpi openmpi && build_program tests/mpi/traffic.c; then
	compare "openmpi$openmpi_major" 64 1 200 10 --oversubscribe
fi
# MPICH takes parts of one machine for nodes, to try what it does between them
if ! command -v mpicc.mpich >/dev/null; then
	skip "there is no mpicc.mpich"
elif use_mpi mpich && build_program tests/mpi/traffic_ucx.c; then
	compare mpich 12 1 100 0
	export MPIR_CVAR_NUM_CLIQUES=12
	compare mpich 12 12 60 0
	export MPIR_CVAR_NUM_CLIQUES=4
	compare mpich 12 4c 80 0
	export MPIR_CVAR_CLIQUES_BY_BLOCK=1
	compare mpich 12 4 80 0
fi
finish
