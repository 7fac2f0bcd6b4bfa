#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A sample of what `make bench-smpi` compares: predicted times of every algorithm of five collectives
# against SimGrid SMPI, which knows nothing of our model: it sends the messages of each algorithm,
# rank by rank, over links that are shared max-min. Oracle: its simulated time. Of the groups (a
# collective, a placement and a size) so many must be ranked alike (rho >= 0.95), in so many the
# first choice must be within 5 % of the best, and nowhere may it take longer than 1.2 times
# that. All algorithms of a placement are one simulation.
cd "$(dirname "$0")/../.." || exit 3
SIZES=${SIZES:-"64 32768 1048576"}
. tests/smpi/judge.bash
judge_begin
for platform in ${PLATFORMS:-packages unequal}; do
	judge_platform "$platform"
	for order in --map-by=core --shuffle=7; do
		judge_order "$platform" "$order"
	done
done
if awk -v least_rho="${LEAST:-0.9}" -v least_choice="${CHOICE:-0.95}" -v most_regret=1.2 \
	${VERBOSE:+-v verbose=1} -f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/pairs"; then
	echo "$(wc -l <"$work/pairs") passed, 0 failed, 0 skipped"
else
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
