#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What two papers measured beside what is predicted with the costs of their machines
# (tests/data/papers, made of published figures and estimates before anything was compared): how much an
# order of the ranks that does not fit the machine costs. The papers print the largest effect over
# all sizes, and so does this. A sign that is wrong fails; sizes are shown.
cd "$(dirname "$0")/../.." || exit 3
B=$PWD/${BUILD:-build} costs=$PWD/tests/data/papers
export PATH=$B:$PATH LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
wrong=0

# seconds COSTS COLLECTIVE ALGORITHM BYTES PLACEMENT
seconds()
{
	topomap score --profile "$costs/$1.json" -c "$2" -a "$3" -b "$4" -f csv "$5" |
		awk -F, 'NR == 2 { print $2 }'
}

# worst COSTS COLLECTIVE ALGORITHM GOOD BAD BYTES...: the largest ratio of bad to good, and its size
worst()
{
	local machine=$1 collective=$2 algorithm=$3 good=$4 bad=$5 bytes
	shift 5
	for bytes; do
		echo "$(seconds "$machine" "$collective" "$algorithm" "$bytes" "$good")" \
			"$(seconds "$machine" "$collective" "$algorithm" "$bytes" "$bad")" "$bytes"
	done | awk '$2 / $1 > most { most = $2 / $1; at = $3 } END { printf "%.4f %s\n", most, at }'
}

# row WHAT MEASURED ALGORITHM "PREDICTED BYTES": both as how many times as long; below 1 is wrong
row()
{
	local said='' predicted bytes
	read -r predicted bytes <<<"$4"
	awk -v a="$predicted" 'BEGIN { exit a > 1.001 ? 0 : 1 }' || { said='  the sign is wrong'; wrong=1; }
	printf '%-47s %-21s %9.2f %10.2f at %s%s\n' "$1" "$3" "$2" "$predicted" "$bytes" "$said"
}

sizes=(1KiB 2KiB 16KiB 256KiB 1MiB 4MiB)
ig='node:1 board:2 package:4 numa:1 l3:1 core:6'
topomap place "$ig" --map-by core --bind-to core -o contiguous.json || exit 3
topomap place "$ig" --map-by package --bind-to core -o across.json || exit 3
sandybridge='node:10 package:2 numa:1 l3:1 core:8'
topomap place "$sandybridge" -o ordered.json || exit 3
topomap place "$sandybridge" --map-by node -o scattered.json || exit 3

printf '%-47s %-21s %9s %10s\n' 'times as long' algorithm measured predicted
# Ma et al., figures 6 and 7: tuned loses more than 45 and up to 58 % of its bandwidth
for algorithm in chain pipeline; do
	row 'IG, broadcast, packages in turn' 1.82 "$algorithm" \
		"$(worst ig bcast "$algorithm" contiguous.json across.json "${sizes[@]}")"
done
for algorithm in ring neighbor_exchange; do
	row 'IG, allgather, packages in turn' 2.38 "$algorithm" \
		"$(worst ig allgather "$algorithm" contiguous.json across.json "${sizes[@]}")"
done
# what knows the distances differs by less than 14 %, and is no slower either way
for bytes in 256KiB 4MiB; do
	for placement in contiguous across; do
		topomap tree --profile "$costs/ig.json" -b "$bytes" --chunk 64KiB -f json $placement.json |
			sed -n 's/^  "seconds": \([^,]*\),*$/\1/p'
	done | paste -s -d ' ' | awk -v bytes="$bytes" '{
		ratio = $2 > $1 ? $2 / $1 : $1 / $2
		printf "%-47s %-21s %9s %10.2f at %s%s\n", "IG, broadcast, packages in turn",
			"distance_tree", "< 1.14", ratio, bytes, (ratio > 1.14 ? "  it differs more" : "")
		exit (ratio > 1.14) }' || wrong=1
done
# persistent collectives, figure 6: 4 bytes, binomial trees, ten nodes filled
row '10 nodes, broadcast, ranks scattered' 5 binomial_far \
	"$(worst sandybridge bcast binomial_far ordered.json scattered.json 4)"
row '10 nodes, allreduce, ranks scattered' 9 reduce_bcast \
	"$(worst sandybridge allreduce reduce_bcast ordered.json scattered.json 4)"
exit $wrong
