#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What topomap says that Open MPI 5 does by itself between and within nodes, by coll/han, against
# that component, which Open MPI 4.1 has too if it is asked for: two to four hosts with several
# ranks each, by slot and by node. Oracle: the library's own messages, pair by pair of ranks, as
# counted inside of it (tests/mpi/traffic.c).
#
# What the two versions do differently by default is set: 4.1 has other modules between nodes,
# and gathers in another way.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
as_in_5="--mca coll_han_priority 35 --mca coll_han_use_simple_gather 1
	--mca coll_han_allgather_dynamic_inter_node_module 3
	--mca coll_han_gather_dynamic_inter_node_module 3"

hosts_need
use_collectives || finish
hosts_start a="core:4 pu:1" b="core:4 pu:1" c="core:4 pu:1" d="core:4 pu:1"
trap 'hosts_stop; rm -rf "$work"' EXIT

# Vectors are cut into equal parts by both, see tests/mpi/traffic.sh.
questions="allgather:10 allgather:3000 gather:10 gather:700 gather:9000 scatter:10 scatter:5000
	bcast:48 bcast:3072 bcast:64Ki reduce:48 reduce:3072 reduce:49152"

# HOSTS RANKS_PER_HOST ORDER
compare()
{
	local slots question collective bytes number=0 algorithm
	slots=$(hosts_slots "$2" | cut -d, -f1-"$1")
	topomap place "node:$1 core:$2 pu:1" --map-by "${3/slot/core}" -o "$work/job.json" || return 1
	for question in $questions; do
		collective=${question%:*} bytes=$(numfmt --from=auto "${question#*:}")
		number=$((number + 1))
		algorithm=$(topomap score -c "$collective" -b "$bytes" -f json "$work/job.json" |
			grep -A1 '"library": "openmpi5"' | sed -n 's/.*"algorithm": "\(.*\)",/\1/p')
		topomap schedule -c "$collective" -a "$algorithm" -b "$bytes" -f csv "$work/job.json" |
			sed "1d; s/^/$number,/" >"$work/scheduled.$number"
		echo "$number $collective $bytes 0"
		echo "$collective of $bytes bytes: $algorithm" >"$work/what.$number"
	done >"$work/plan"
	hosts_openmpi --host "$slots" --map-by "$3" -np $(($1 * $2)) $as_in_5 \
		"$collectives" traffic "$work/plan" >"$work/traffic" 2>"$work/err" </dev/null ||
		{ fail "$(tail -20 "$work/err")"; return; }
	while read -r number collective bytes root; do
		same "$1 hosts of $2 ranks by $3, $(cat "$work/what.$number")" \
			"$(sort "$work/scheduled.$number")" \
			"$(grep -a "^$number," "$work/traffic" | sort)"
	done <"$work/plan"
}

# COLLECTIVE ALGORITHM BYTES: with all of the options that topomap score gives, literally, a job in
# which HAN has the say by default sends what the algorithm does; without the last one it does not.
check_options()
{
	local options matrix
	topomap place "node:4 core:4 pu:1" -o "$work/job.json"
	topomap score -c "$1" -a "$2" -b "$3" -f json "$work/job.json" >"$work/score"
	options=$(awk -v openmpi="$openmpi_major" -f tests/mpi/knobs.awk "$work/score" | sed -n "s/^$2\t[^\t]*\t\(.\)/\1/p")
	matrix=$(topomap schedule -c "$1" -a "$2" -b "$3" -f csv "$work/job.json" | sed '1d; s/^/x,/')
	echo "x $1 $3 0" >"$work/plan"
	# shellcheck disable=SC2086
	same "$1 by $2, with $options" "$(sort <<<"$matrix")" "$(OMPI_MCA_coll_han_priority=35 \
		hosts_openmpi --host "$(hosts_slots 4)" -np 16 $options "$collectives" traffic \
		"$work/plan" 2>"$work/err" </dev/null | sort)"
	# shellcheck disable=SC2086
	if [ "$(sort <<<"$matrix")" = "$(OMPI_MCA_coll_han_priority=35 \
		hosts_openmpi --host "$(hosts_slots 4)" -np 16 ${options% --mca*} "$collectives" \
		traffic "$work/plan" 2>"$work/err" </dev/null | sort)" ]; then
		fail "$1 by $2 without ${options##*--mca }: HAN keeps away"
	else
		pass
	fi
}

check_options allgather neighbor_exchange 3000
check_options bcast pipeline 1000
compare 4 4 slot
compare 4 2 node
compare 3 4 node
compare 2 3 slot
finish
