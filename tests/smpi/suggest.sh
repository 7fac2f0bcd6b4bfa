#!/bin/bash
# The orders of ranks that suggest-rankfile finds against SimGrid SMPI, which knows nothing of our
# model: it replays the messages of an algorithm on three levels of cores, packages and nodes.
# Oracle: its simulated time. From a random order, the suggested one must not be slower than any of
# block, cyclic and that random order.
. "$(dirname "$0")/common.bash"
calls=${CALLS:-"allgather:bruck:64KiB allgather:recursive_doubling:64KiB allgather:sparbit:64KiB
	allgather:ring:64KiB alltoall:pairwise:16KiB bcast:binomial_far:1MiB
	bcast:binomial_near:1MiB allgather:bruck:64 allgather:ring:64"}
machine='node:4 package:2 core:4'

# time_of COLLECTIVE:ALGORITHM:BYTES PLACEMENT
time_of()
{
	local collective algorithm bytes
	IFS=: read -r collective algorithm bytes <<<"$1"
	cp "$2" "$work/job.json"
	write_hosts "$work/job.json" >"$work/hosts"
	simulate "$collective" "$algorithm" "$bytes"
}

passed=0 failed=0
write_platform 3 >"$work/platform.xml"
write_profile 3 >"$work/profile.json"
topomap place "$machine" --map-by core -o "$work/block.json" &&
topomap place "$machine" --map-by node -o "$work/cyclic.json" &&
topomap place "$machine" --shuffle 7 -o "$work/random.json" || exit 3
for call in $calls; do
	topomap suggest-rankfile --for "$call" --profile "$work/profile.json" --effort 20000000 \
		-o "$work/rankfile" "$work/random.json" 2>"$work/report" &&
	topomap place "$machine" --rankfile "$work/rankfile" -o "$work/suggested.json" ||
		{ cat "$work/report"; exit 1; }
	line=$call
	for order in suggested block cyclic random; do
		line="$line $order $(time_of "$call" "$work/$order.json")"
	done
	echo "$line"
	if awk '{ exit !(NF == 9 && $3 <= $5 * 1.001 && $3 <= $7 * 1.001 && $3 <= $9 * 1.001) }' <<<"$line"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		cat "$work/report"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
