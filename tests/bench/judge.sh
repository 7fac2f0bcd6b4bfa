#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Predicted times against SimGrid SMPI: every algorithm of five collectives on six platforms, by
# three placements, in five sizes. Oracle: SMPI, which knows nothing of our model: it sends every
# message, rank by rank, over links that are shared max-min. tests/smpi/platform.awk makes the
# platform and the profile of the same figures. PLATFORMS, ORDERS, COLLECTIVES and SIZES choose,
# VERBOSE=1 shows each group, PAIRS=FILE keeps every pair of times.
cd "$(dirname "$0")/../.." || exit 3
. tests/smpi/judge.bash
judge_begin
for platform in ${PLATFORMS:-nodes packages fat_tree two_adapters unequal three_levels}; do
	judge_platform "$platform"
	for order in ${ORDERS:---map-by=core --map-by=node --shuffle=7}; do
		judge_order "$platform" "$order"
	done
done
awk ${VERBOSE:+-v verbose=1} -f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/pairs"
[ -z "$PAIRS" ] || cp "$work/pairs" "$PAIRS"
