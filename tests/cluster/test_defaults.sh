#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What topomap says that Open MPI 5 takes by itself on several hosts, where coll/han takes it apart
# (tests/mpi/defaults.sh has the same on one): a sample of calls of every collective on communicators
# of all sizes, of one host or of several, also with different numbers of ranks. A sample that is
# drawn from SEED. Oracle: the library's own messages, pair by pair of ranks, as counted inside of it
# (tests/mpi/traffic.c). Open MPI 4.1 takes HAN only where it is asked to: test_han.sh.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
seed=${SEED:-1}

hosts_need
use_mpi openmpi || finish
if [ "$openmpi_major" -lt 5 ] || ! command -v mpicc.openmpi >/dev/null; then
	skip "there is no Open MPI 5 with its compiler, which takes HAN by itself"
	finish
fi
hosts_start a b c d e f g h
trap 'hosts_stop; rm -rf "$work"' EXIT
program=$work/defaults
mpicc.openmpi -std=gnu11 -D_GNU_SOURCE -I. -rdynamic -o "$program" tests/mpi/defaults.c tests/mpi/traffic.c \
	tests/support/machines.c "$build/libtopomap-inner.a" -lm -ldl || { fail "defaults.c does not compile"; finish; }

# HOSTS RANKS_PER_HOST ORDER: no call is unlike
compare()
{
	local hosts=$1 ranks=$(($1 * $2)) order=$3 nodes=$1
	local what="$hosts hosts of $2 ranks by $order, seed $seed" alike unlike unknown
	[ "$order" != node ] || nodes=${nodes}c
	awk -v ranks="$ranks" -v sample=250 -v seed="$seed" -f tests/mpi/defaults.awk >"$work/plan"
	hosts_openmpi --host "$(hosts_slots "$2" | cut -d, -f1-"$hosts")" --map-by "$order" \
		--bind-to none -np "$ranks" "$program" openmpi5 "$nodes" "$work/plan" \
		>"$work/out" 2>"$work/err" </dev/null || { fail "$what: $(tail -5 "$work/err")"; return; }
	read -r alike unlike unknown <<<"$(sed -n \
		's/^\([0-9]*\) alike, \([0-9]*\) unlike, \([0-9]*\) unknown$/\1 \2 \3/p' "$work/out")"
	if [ "${unlike:-1}" -gt 0 ] || [ "${alike:-0}" -lt 150 ]; then
		fail "$what: $alike calls alike, $unlike unlike, $unknown unknown"
		grep -a '^unlike' "$work/out" | head -n 20
	else
		echo "$what: $alike calls alike, $unknown unknown"
		pass
	fi
}

compare 4 4 slot
compare 2 8 node
compare 8 2 slot
finish
