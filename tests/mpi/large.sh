#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The executor on more bytes than an int counts (large.c): a copy of 2.3 GB of elements with gaps by
# one rank; with WHOLE=1 blocks and a vector of 2^31 bytes and more between two, too, which moves
# several GB through shared memory. Skipped where so much memory is not free.
. "$(dirname "$0")/common.bash"
cases='1:copy'
[ -z "$WHOLE" ] || cases='1:copy 2:allgather 2:allreduce'

free_gb()
{
	awk '/^MemAvailable:/ { print int($2 / 1e6) }' /proc/meminfo
}

for flavour in openmpi mpich; do
	use_mpi "$flavour" || continue
	make_for_mpi tests/mpi/large || continue
	for case in $cases; do
		ranks=${case%:*} what=${case#*:}
		if [ "$(free_gb)" -lt $((ranks * 5 + 1)) ]; then
			skip "$flavour: $what takes $((ranks * 5)) GB of memory," \
				"and $(free_gb) GB are free"
			continue
		fi
		launch "$ranks" "$built/tests/mpi/large" "$what" >"$work/out" 2>"$work/err"
		if grep -q "^$what of $ranks ranks is right" "$work/out"; then
			pass
		else
			fail "$(head -n 3 "$work/out" "$work/err")"
		fi
	done
done
finish
