#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Mappings of recorded matrices and of small grids against Scotch, which knows nothing of ours: by
# the same costs ours is never above the best that it finds. The larger grids are in
# `make bench` (tests/bench/mapping.sh).
cd "$(dirname "$0")/../.." || exit 3
command -v scotch_gmap >/dev/null || { echo "scotch_gmap is not installed"; exit 77; }
ONLY=sample EFFORT=${EFFORT:-10000000} tests/bench/mapping.sh | awk '
	{ print }
	$2 == "of" && $4 == "above" { above = $1; compared = $3 }
	END {
		printf "%d passed, %d failed, 0 skipped\n", compared - above, above
		exit !(compared >= 2 && above == 0)
	}'
