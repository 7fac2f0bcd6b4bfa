#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Who sends how much to whom within a collective: Open MPI itself, asked inside (traffic.c),
# against topomap schedule. For every algorithm that options of the release that is here select, by
# the very options that topomap score gives; and for what it takes by itself, as topomap score says.
# Oracle: the library's own messages, pair by pair of ranks.
#
# SIZES="2 3 ..." takes other numbers of ranks.
. "$(dirname "$0")/common.bash"
sizes=${SIZES:-"6 8 13"}

# SIZE: collectives, bytes and roots, with sizes that the rules of Open MPI tell apart. Vectors
# are multiples of what they may be cut into: topomap says that the first pieces are a byte
# larger, while Open MPI halves and halves again, or gives the last rank less.
list_questions()
{
	local collective bytes even=$((2 * $1)) power
	for ((power = 2; power <= $1; power *= 2)); do even=$((2 * even)); done
	echo barrier 0 0
	for collective in allgather alltoall reduce_scatter_block; do
		for bytes in 7 3000 70001; do echo $collective $bytes 0; done
	done
	for collective in allreduce reduce_scatter scan exscan; do
		for bytes in $even $((40 * even)) $((2000 * even)); do echo $collective $bytes 0; done
	done
	for collective in bcast reduce; do
		for bytes in 1 20 200 2000; do
			echo $collective $((bytes * even)) $((bytes % 7 % $1))
		done
	done
	for collective in neighbor_allgather neighbor_alltoall; do
		for bytes in 7 30000; do echo $collective $bytes 0; done
	done
	for collective in gather scatter; do
		for bytes in 100 3000 40001; do echo $collective $bytes $((bytes % 7 % $1)); done
	done
}

# COLLECTIVE BYTES: how topomap is told
words_of()
{
	case $1 in
	barrier) ;;
	neighbor_*) echo "-b $2 --cart 0x0 --periods 1,1 --stencil cart" ;;
	*) echo "-b $2" ;;
	esac
}

# SIZE: all calls, "number<TAB>collective<TAB>bytes<TAB>root<TAB>algorithm<TAB>options"
list_calls()
{
	local collective bytes root job
	job=$work/job$1.json
	topomap place "node:1 core:$1" -o "$job" || return 1
	list_questions "$1" | while read -r collective bytes root; do
		topomap score -c "$collective" $(words_of "$collective" "$bytes") -r "$root" \
			-f json "$job" | awk -v openmpi="$openmpi_major" -f tests/mpi/knobs.awk | cut -f1,3 |
		while read -r knob; do
			printf '%s\t%s\t%s\t%s\n' "$collective" "$bytes" "$root" "$knob"
		done
	done | awk '{ print NR "\t" $0 }'
}

use_collectives || finish

for size in $sizes; do
	list_calls "$size" >"$work/calls"
	awk -F'\t' '{ print $1, $2, $3, $4, $6 }' "$work/calls" >"$work/plan"
	launch "$size" --mca coll_tuned_use_dynamic_rules 1 "$collectives" traffic \
		"$work/plan" >"$work/traffic" 2>"$work/err" || { fail "$(cat "$work/err")"; continue; }
	while IFS=$'\t' read -r number collective bytes root algorithm knob; do
		topomap schedule -c "$collective" -a "$algorithm" \
			$(words_of "$collective" "$bytes") -r "$root" -f csv \
			"$work/job$size.json" | sed "1d; s/^/$number,/"
	done <"$work/calls" >"$work/scheduled"
	grep -a '^[0-9]*,' "$work/traffic" | sort >"$work/came"
	sort "$work/scheduled" | comm -3 - "$work/came" | tr -d '\t' | cut -d, -f1 | LC_ALL=C sort -u >"$work/unlike"
	passed=$((passed + $(wc -l <"$work/calls") - $(wc -l <"$work/unlike")))
	while IFS=$'\t' read -r number collective bytes root algorithm knob; do
		same "$size ranks, $collective of $bytes bytes from $root, ${knob:-by itself}: $algorithm" \
			"$(grep "^$number," "$work/scheduled" | sort)" "$(grep "^$number," "$work/came")"
	done < <(LC_ALL=C sort -t $'\t' -k 1,1 "$work/calls" | LC_ALL=C join -t $'\t' "$work/unlike" -)
done
finish
