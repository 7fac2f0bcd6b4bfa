#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What inspect --lint offers as a fix is taken by the launcher, in the release that is installed,
# on an imitated machine, for as many ranks as the job has on a node; and where the ranks are placed
# with these words the finding is gone. Oracle: the launchers; for the latter topomap place, which
# tests/policies holds against them.
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

# placed NODES WORD...: a placement by these words
placed()
{
	local nodes=$1 words
	shift
	case $mpi in
	openmpi)
		# Open MPI 5 counts slots by cores; takes() gives the host its slots, too
		[ "$machine" != "$coreless" ] || set -- --slots 8 "$@"
		topomap place "$nodes*$machine" --launcher "$place" "$@" ;;
	mpich)
		words=$(sed 's/-ppn /--slots /; s/-bind-to /--bind-to /; s/-map-by /--map-by /' <<<"$*")
		# shellcheck disable=SC2086
		topomap place "$nodes*$machine" --launcher hydra $words ;;
	esac
}

# mends NODES RANKS RULE WORDS [THREADS]: the launcher takes the words, and the finding is gone
mends()
{
	local nodes=$1 ranks=$2 rule=$3 words=$4 threads=$5 all total found
	case " $words" in
	*" -n "*) all=$words ;;
	*) all="-n $ranks $words" ;;
	esac
	total=$(sed 's/.*-n \([0-9]*\).*/\1/' <<<"$all")
	# here there is one host: its part of the ranks
	# shellcheck disable=SC2086
	found=$(takes ${all/-n $total/-n $(((total + nodes - 1) / nodes))})
	if [ "${found:-0}" -gt 0 ]; then
		pass
	else
		fail "$rule: $words is refused: $(head -n 5 "$work/err")"
	fi
	# shellcheck disable=SC2086
	placed "$nodes" $all >"$work/placed" 2>"$work/err" ||
		fail "$rule: $words is refused: $(cat "$work/err")"
	[ -z "$threads" ] || { with_threads "$threads" <"$work/placed" >"$work/threads" &&
		mv "$work/threads" "$work/placed"; }
	topomap inspect --lint "$work/placed" >"$work/lint" 2>"$work/err"
	case $? in
	0 | 4) same "$rule is mended by $all" '' "$(grep "^$rule " "$work/lint")" ;;
	*) fail "$rule: what $all makes is not inspected: $(cat "$work/err")" ;;
	esac
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	case $mpi in
	openmpi)
		name='Open MPI[ 5]*'
		version=$("$mpirun" --version | sed -n 's/.* \([0-9]*\.[0-9.]*\).*/\1/p;q')
		place=openmpi4
		[ "$openmpi_major" -lt 5 ] || place=openmpi5
		launcher=("mpirun (Open MPI) $version" "Open MPI v$version" "$name") ;;
	mpich)
		name=Hydra
		version=$("$mpirun" --version | sed -n 's/.*Version: *//p')
		launcher=("mpiexec (Hydra) $version" "MPICH $version" "$name") ;;
	esac
	offered "${launcher[@]}" >"$work/fixes"
	[ "$(grep -c . "$work/fixes")" -ge 12 ] || fail "lint offers little: $(cat "$work/fixes")"
	while read -r nodes ranks rule words; do
		mends "$nodes" "$ranks" "$rule" "$words"
	done <"$work/fixes"
	offered_threads "${launcher[@]}" >"$work/fixes"
	[ "$(grep -c . "$work/fixes")" -ge 6 ] || fail "lint offers little: $(cat "$work/fixes")"
	while read -r threads nodes ranks rule words; do
		mends "$nodes" "$ranks" "$rule" "$words" "$threads"
	done <"$work/fixes"
	(
		machine=$coreless jobs=$few
		offered "${launcher[@]}" >"$work/fixes"
		[ "$(grep -c . "$work/fixes")" -ge 4 ] || fail "lint offers little: $(cat "$work/fixes")"
		same "nothing is bound to cores where there are none" 0 "$(grep -c 'core' "$work/fixes")"
		while read -r nodes ranks rule words; do
			mends "$nodes" "$ranks" "$rule" "$words"
		done <"$work/fixes"
		echo "$passed $failed" >"$work/count"
	)
	read -r passed failed <"$work/count"
	found=$(takes -n 2 --bind-to nonsense)
	same "what is no word is refused" 0 "${found:-0}"
done
finish
