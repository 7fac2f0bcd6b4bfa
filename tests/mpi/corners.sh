#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a program may give the executor by mistake, or rightly but seldom, under Open MPI and MPICH:
# corners.c, each case in a launch of its own, on one rank or on three, under the other library on the other; WHOLE=1: on
# both. Oracles: there.
. "$(dirname "$0")/common.bash"
for flavour in openmpi mpich; do
	use_mpi "$flavour" || continue
	make_for_mpi tests/mpi/corners || continue
	# MPICH turns while it waits
	preload=
	if [ "$flavour" = mpich ]; then
		${CC:-cc} -shared -fPIC -D_GNU_SOURCE -o "$work/yield.so" tests/mpi/yield.c -ldl ||
			{ fail "yield.c does not compile"; continue; }
		preload=$work/yield.so
	fi
	turn=$((turn + 1)) # there is an even number of them
	for case in $("$built/tests/mpi/corners"); do
		turn=$((turn + 1))
		for ranks in $([ -n "$WHOLE" ] && echo 1 3 || echo $((turn % 2 * 2 + 1))); do
			LD_PRELOAD=$preload launch "$ranks" "$built/tests/mpi/corners" "$case" >"$work/out" 2>"$work/err"
			status=$?
			if [ $status -eq 0 ] && grep -qx right "$work/out"; then
				pass
			elif [ $status -eq 0 ] && grep -qx skipped "$work/out"; then
				skip "$flavour: $case on $ranks ranks"
			else
				fail "$case on $ranks ranks: $(grep corners: "$work/err" | head -n 3)"
			fi
		done
	done
done
finish
