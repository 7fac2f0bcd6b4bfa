#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What Open MPI's pml_monitoring writes of a program (monitored.c) is what that program sends, as
# suggest-rankfile reads it: each message once, also those of a collective, which the files list
# a second time as such.
# Oracle: the program, and the schedule of the ring that the library is told to use.
. "$(dirname "$0")/common.bash"
ranks=5

# figures OPTION...: cost and bytes over each level for a job with a rank on each node
figures()
{
	topomap suggest-rankfile "$work/job.json" --mapper identity -f json "$@" 2>"$work/err" |
		sed -n '/"before"/,/"after"/{/"cost"\|"bytes"/p}' | sed 's/"messages": [0-9]*, //'
}

use_collectives || finish
topomap place "node:$ranks core:1" -o "$work/job.json"
mpicc.openmpi -std=c11 -o "$work/monitored" tests/mpi/monitored.c || { fail "it does not compile"; finish; }
mkdir "$work/profiles"
if ! launch $ranks --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
	--mca pml_monitoring_filename "$work/profiles/job" --mca coll_tuned_use_dynamic_rules 1 \
	--mca coll_tuned_allgather_algorithm 4 "$work/monitored" >"$work/log" 2>&1; then
	fail "the monitored program failed"
	cat "$work/log"
	finish
fi
if ! ls "$work"/profiles/job.*.prof >/dev/null 2>&1; then
	skip "this Open MPI has no pml_monitoring"
	finish
fi
for ((r = 0; r < ranks; r++)); do
	echo "$r $(((r + 1) % ranks)) $((1000 * (r + 1)))"
done >"$work/sent.list"
figures --matrix "$work/profiles" >"$work/monitored.out"
same "monitored and known traffic" "$(figures --matrix "$work/sent.list" --for allgather:ring:5000)" \
	"$(cat "$work/monitored.out")"
same "files one by one" "$(cat "$work/monitored.out")" \
	"$(figures $(printf -- '--matrix %s ' "$work"/profiles/*.prof))"
same "bytes in all" $((1000 * ranks * (ranks + 1) / 2 + 5000 * ranks * (ranks - 1))) \
	"$(sed -n 's/.*"node", "bytes": \([0-9]*\).*/\1/p' "$work/monitored.out")"
finish
