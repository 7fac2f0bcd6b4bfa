#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the executor takes beside MPI code written by hand (overhead.c): times, on two ranks and four, and
# the instructions of rank 0 in a broadcast of 8 bytes, which are the same whatever else runs. With more
# ranks than CPUs the figures are those of the scheduler.
#
#     tests/bench/overhead.sh [ROUNDS]
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build} rounds=${1:-2000} calls=400
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || { echo "there is no mpirun"; exit 77; }
command -v mpicc.openmpi mpicc >/dev/null || { echo "there is no mpicc"; exit 77; }
env -u MAKEFLAGS -u MFLAGS make -s B="$build" "$build/tests/bench/overhead" || exit 1
overhead=$build/tests/bench/overhead
for ranks in 2 4; do
	[ "$ranks" -le "$(nproc)" ] || break
	"$mpirun" -n "$ranks" "$overhead" "$rounds" || exit 1
done

# KIND: the instructions of one call at the root, MPI_Send's included
instructions_of()
{
	"$mpirun" -n 1 valgrind --tool=callgrind --toggle-collect=calls_run --callgrind-out-file=/dev/null \
		"$overhead" "$calls" bcast "$1" : -n 1 "$overhead" "$calls" bcast "$1" 2>&1 |
		awk -v calls="$calls" '/Collected/ { printf "%.0f", $NF / calls }'
}

command -v valgrind >/dev/null || { echo "instructions: there is no valgrind"; exit 0; }
hand=$(instructions_of hand)
printf '\nbroadcast of 8 bytes, instructions of a call at its root, MPI_Send included: %s by hand' "$hand"
for kind in schedule datatypes; do printf ', %+d (%s kept)' $(($(instructions_of $kind) - hand)) $kind; done
echo
