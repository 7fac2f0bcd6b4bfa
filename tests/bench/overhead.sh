#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the executor takes beside MPI code written by hand (overhead.c), on two ranks and four. With
# more ranks than CPUs the figures are those of the scheduler.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || { echo "there is no mpirun"; exit 77; }
command -v mpicc.openmpi mpicc >/dev/null || { echo "there is no mpicc"; exit 77; }
env -u MAKEFLAGS -u MFLAGS make -s B="$build" "$build/tests/bench/overhead" || exit 1
for ranks in 2 4; do
	[ "$ranks" -le "$(nproc)" ] || break
	"$mpirun" -n "$ranks" "$build/tests/bench/overhead" || exit 1
done
