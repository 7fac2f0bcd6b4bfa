#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Predicted times against SimGrid SMPI: every algorithm of five collectives on six platforms, by
# three placements, in five sizes: in nine of ten groups they must be ranked alike (rho >= 0.95), in
# 95 of 100 the first choice must be within 5 % of the best, and nowhere may it take 1.2 times that.
# Oracle: SMPI, which knows nothing of our model: it sends every message, rank by rank, over links that
# are shared max-min. tests/smpi/platform.awk makes the
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
[ -z "$PAIRS" ] || cp "$work/pairs" "$PAIRS"
awk -v least_rho=0.9 -v least_choice=0.95 -v most_regret=1.2 ${VERBOSE:+-v verbose=1} \
	-f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/pairs" ||
	{ echo "FAILED  predictions do not agree with the simulator"; exit 1; }
