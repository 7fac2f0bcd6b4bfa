#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The orders of ranks that suggest-rankfile finds against SimGrid SMPI, which knows nothing of our
# model: it replays the messages of an algorithm, or of a grid whose ranks exchange with their
# neighbours, on three levels of cores, packages and nodes. Oracle: its simulated time. From a
# random order, the suggested one must not be slower than any of block, cyclic and that random order;
# on a grid, and where suggest-rankfile advises against a new mapping, not by more than 3 %, below
# which it calls it no difference.
. "$(dirname "$0")/common.bash"
calls=${CALLS:-"allgather:bruck:64KiB allgather:recursive_doubling:64KiB allgather:sparbit:64KiB
	allgather:ring:64KiB alltoall:pairwise:16KiB alltoall:pairwise:64 alltoall:pairwise:1MiB bcast:binomial_far:1MiB
	bcast:binomial_near:1MiB allgather:bruck:64 allgather:ring:64"}
grids=${GRIDS:-"4x8,cart,0,0 4x4x2,vonneumann:1,1,1,1 8x4,moore:1,1,0"}
machine='node:4 package:2 core:4'

# time_of PLACEMENT COLLECTIVE ALGORITHM BYTES [OPTION]...
time_of()
{
	cp "$work/$1.json" "$work/job.json"
	write_hosts "$work/job.json" >"$work/hosts"
	simulate "${@:2}"
}

# suggest OPTION...: what is suggested from the random order, in suggested.json
suggest()
{
	topomap suggest-rankfile "$@" --profile "$work/profile.json" --effort 20000000 \
		-o "$work/rankfile" "$work/random.json" 2>"$work/report" &&
	topomap place "$machine" --rankfile "$work/rankfile" -o "$work/suggested.json" ||
		{ cat "$work/report"; exit 1; }
}

# judge NAME MOST COLLECTIVE ALGORITHM BYTES [OPTION]...: at most so many times as slow
judge()
{
	local line=$1 order
	for order in suggested block cyclic random; do
		line="$line $order $(time_of $order "${@:3}")"
	done
	echo "$line"
	if awk -v m="$2" '{ exit !(NF == 9 && $3 <= $5 * m && $3 <= $7 * m && $3 <= $9 * m) }' <<<"$line"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		cat "$work/report"
	fi
}

passed=0 failed=0
write_platform 3 >"$work/platform.xml"
write_profile 3 >"$work/profile.json"
topomap place "$machine" --map-by core -o "$work/block.json" &&
topomap place "$machine" --map-by node -o "$work/cyclic.json" &&
topomap place "$machine" --shuffle 7 -o "$work/random.json" || exit 3
for call in $calls; do
	IFS=: read -r collective algorithm bytes <<<"$call"
	suggest --for "$call"
	most=1.001
	! grep -q 'too little to be worth a new mapping' "$work/report" || most=1.03
	judge "$call" $most "$collective" "$algorithm" "$bytes"
done
for grid in $grids; do
	IFS=, read -r dims stencil periods <<<"$grid"
	suggest --cart "$dims" --stencil "$stencil" --periods "$periods" --bytes 256KiB
	judge "$grid" 1.03 neighbor_alltoall linear 256KiB --cart "$dims" --stencil "$stencil" \
		--periods "$periods"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
