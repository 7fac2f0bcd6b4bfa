#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a program may give the executor by mistake, or rightly but seldom, under Open MPI and MPICH:
# corners.c, each case in a launch of its own, on one rank and on three. Oracles: there.
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
	for case in $("$built/tests/mpi/corners"); do
		for ranks in 1 3; do
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
