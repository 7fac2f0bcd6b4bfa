#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Algorithms of Open MPI 4.1 and topomap's of the same name, executed by topomap-bench on four hosts of
# four ranks: the same bytes go over each host's cable, and the results are right. No time is
# compared (test_native.sh). Oracle: the kernel's counters of the cables.
. "$(dirname "$0")/cables.bash"

compare_cables slot allgather 64KiB ring 10
compare_cables node bcast 1MiB scatter_ring 10
compare_cables node allreduce 1MiB rabenseifner 10
finish
