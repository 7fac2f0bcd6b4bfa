#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `make MPICC=...` builds the probe of that MPI library, in a folder of its own or in one that had
# another's; each runs under its own launcher.
. "$(dirname "$0")/common.bash"
mpi=libraries
folder=build/libraries
rm -rf "$folder"

# build_probe MPICC: what make says is in $work/make
build_probe()
{
	env -u MAKEFLAGS -u MFLAGS make INNER="$build/libtopomap-inner.a" B="$folder" MPICC="$1" \
		"$folder/topomap-probe" >"$work/make" 2>&1 || { fail "make MPICC=$1"; cat "$work/make"; }
}

built=
for flavour in openmpi mpich openmpi; do
	if ! command -v "mpicc.$flavour" >/dev/null; then
		skip "$flavour: there is no mpicc.$flavour to build its probe with"
		continue
	fi
	build_probe "mpicc.$flavour"
	built="$built $flavour"
	probe=$folder/topomap-probe
	same "the library that the probe is linked with after$built" "$flavour" \
		"$(for each in openmpi mpich; do is_built_with $each && echo $each; done)"
	build_probe "mpicc.$flavour"
	same "it is built once" "" "$(grep -e ' -o ' "$work/make")"
	case $flavour in
	openmpi) mpirun=$(find_launcher 'Open MPI\|OpenRTE' mpirun.openmpi mpirun) ;;
	mpich) mpirun=$(find_launcher HYDRA mpirun.mpich mpiexec.hydra mpirun) ;;
	esac
	if [ -z "$mpirun" ]; then
		skip "$flavour: its launcher is not installed"
		continue
	fi
	mpi=$flavour openmpi_major=$("$mpirun" --version | sed -n 's/.* \([0-9]*\)\.[0-9.]*.*/\1/p;q')
	launch 2 "$probe" -o "$work/job.json" 2>"$work/err" || { fail "two ranks"; cat "$work/err"; }
	same "two ranks" $'0\n1' "$(column bound "$work/job.json" | cut -d' ' -f1)"
	mpi=libraries
done
finish
