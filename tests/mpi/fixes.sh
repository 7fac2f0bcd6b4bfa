#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What inspect --lint offers as a fix is taken by the launcher, in the release that is installed,
# on an imitated machine; the words of MPICH and of Open MPI 4 and 5 differ. Oracle: the launchers.
. "$(dirname "$0")/common.bash"
. tests/mpi/fixes.bash
host=$(hostname -s)

# takes WORD...: does the launcher map or start a job so?
takes()
{
	case $mpi in
	openmpi)
		if [ "$openmpi_major" -ge 5 ]; then
			"$mpirun" --prtemca hwloc_use_topo_file "$machine" --display map \
				--runtime-options donotlaunch --host "$host:12" "$@" true
		else
			HWLOC_XMLFILE=$machine HWLOC_THISSYSTEM=1 "$mpirun" --do-not-launch \
				--display-map --host "$host:12" "$@" true
		fi | grep -c 'Process rank\|Process OMPI jobid' ;;
	mpich)
		HWLOC_XMLFILE=$machine HWLOC_THISSYSTEM=0 "$mpirun" "$@" true >&2 && echo 1 ;;
	esac </dev/null 2>"$work/err"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	case $mpi in
	openmpi)
		name='Open MPI[ 5]*'
		version=$("$mpirun" --version | sed -n 's/.* \([0-9]*\.[0-9.]*\).*/\1/p;q')
		offered "mpirun (Open MPI) $version" "Open MPI v$version" "$name" >"$work/fixes"
		least=6 ;;
	mpich)
		name=Hydra
		version=$("$mpirun" --version | sed -n 's/.*Version: *//p')
		offered "mpiexec (Hydra) $version" "MPICH $version" "$name" >"$work/fixes"
		least=4 ;;
	esac
	[ "$(grep -c . "$work/fixes")" -ge $least ] || fail "lint offers little: $(cat "$work/fixes")"
	while read -r words; do
		# shellcheck disable=SC2086
		set -- $words
		case " $words " in
		*" -n "*) ;;
		*) set -- -n 2 "$@" ;;
		esac
		found=$(takes "$@")
		if [ "${found:-0}" -gt 0 ]; then
			pass
		else
			fail "$words is refused: $(head -n 5 "$work/err")"
		fi
	done <"$work/fixes"
	found=$(takes -n 2 --bind-to nonsense)
	same "what is no word is refused" 0 "${found:-0}"
done
finish
