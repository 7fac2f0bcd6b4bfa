#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every algorithm of the catalogue, executed over MPI's point-to-point, under Open MPI and MPICH.
# Oracle: their own collectives on the same data (executor.c). With more ranks than CPUs MPICH
# needs a second for each barrier, so its jobs are small.
#
# OPENMPI="RANKS:STEP ..." and MPICH take other sizes; each STEP-th root is taken.
. "$(dirname "$0")/common.bash"
openmpi_sizes=${OPENMPI:-1:1 2:1 3:1 4:1 5:2 8:3 17:16}
mpich_sizes=${MPICH:-1:1 2:1 3:1 4:2}

for flavour in openmpi mpich; do
	use_mpi "$flavour" || continue
	case $probe in
	$top/build/mpich/*) built=build/mpich compiler=(MPICC=mpicc.mpich B=build/mpich) ;;
	*) built=$build compiler=(B="$build") ;;
	esac
	if ! env -u MAKEFLAGS -u MFLAGS make -s "${compiler[@]}" WERROR=-Werror \
		"$built/tests/mpi/executor" >"$work/make" 2>&1; then
		fail "the executor cannot be built"
		cat "$work/make"
		continue
	fi
	sizes=${flavour}_sizes
	for size in ${!sizes}; do
		if launch "${size%:*}" "$built/tests/mpi/executor" "${size#*:}" \
			>"$work/out" 2>"$work/err" &&
			grep -q "^${size%:*} ranks: [0-9]* the same" "$work/out"; then
			count=$(sed -n 's/.* ranks: \([0-9]*\) the same.*/\1/p' "$work/out")
			passed=$((passed + count))
		else
			fail "$(head -n 3 "$work/out" "$work/err")"
		fi
	done
done
finish
