#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What ranks were started as, under each launcher: commands of one launch, programs, threads; and
# what the system leaves to them. Oracle: the command lines, and the files of the cgroup that the
# test writes below HWLOC_FSROOT.
. "$(dirname "$0")/common.bash"

# The programs and threads of a document, as inspect prints them.
settings_of()
{
	topomap inspect "$1" | sed -n 's/^programs  *//p'
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	case $mpi in
	openmpi) one=(-n 1 -x OMP_NUM_THREADS=8) two=(-n 1 -x OMP_NUM_THREADS=2) job=("$mpirun" --oversubscribe) ;;
	mpich) one=(-n 1 -env OMP_NUM_THREADS 8) two=(-n 1 -env OMP_NUM_THREADS 2) job=("$mpirun") ;;
	esac
	"${job[@]}" "${one[@]}" "$probe" --program ocean -o "$work/job.json" : \
		"${two[@]}" "$probe" --program air </dev/null 2>"$work/err" || cat "$work/err"
	same "programs and threads of two commands" \
		"ocean (1 rank, 8 threads each), air (1 rank, 2 threads each)" \
		"$(settings_of "$work/job.json")"
	"${job[@]}" "${one[@]}" "$probe" -o "$work/job.json" : "${two[@]}" "$probe" \
		</dev/null 2>"$work/err" || cat "$work/err"
	same "commands without names" \
		"program 0 (1 rank, 8 threads each), program 1 (1 rank, 2 threads each)" \
		"$(settings_of "$work/job.json")"
	SECRET=x OMP_NUM_THREADS=4 "${job[@]}" -n 2 "$probe" -o "$work/job.json" </dev/null
	same "no other variable is recorded" 0 "$(grep -c SECRET "$work/job.json")"
	OMP_NUM_THREADS=4 "${job[@]}" -n 2 "$probe" --no-environment -o "$work/job.json" </dev/null
	same "and none with --no-environment" 0 "$(grep -c OMP_ "$work/job.json")"

	mkdir -p "$work/files/proc/self" "$work/files/sys/fs/cgroup/job" "$work/files/sys/devices/system/cpu"
	echo '0::/job' >"$work/files/proc/self/cgroup"
	echo '150000 100000' >"$work/files/sys/fs/cgroup/job/cpu.max"
	echo 1-3 >"$work/files/sys/devices/system/cpu/isolated"
	(
		export HWLOC_FSROOT=$work/files HWLOC_THISSYSTEM=0
		export HWLOC_XMLFILE=$top/tests/data/2package-4core.xml
		case $mpi in
		openmpi) "${job[@]}" -x HWLOC_FSROOT -x HWLOC_XMLFILE -x HWLOC_THISSYSTEM -n 2 "$probe" ;;
		mpich) "${job[@]}" -n 2 "$probe" ;;
		esac </dev/null >"$work/job.json" 2>"$work/err" || cat "$work/err"
	)
	same "a quota and isolated PUs" '{"cpu_quota": 1.5, "isolated_pus": "1-3"}' \
		"$(sed -n 's/^ *\({"cpu_quota.*}\)$/\1/p' "$work/job.json")"
	topomap inspect --lint "$work/job.json" >"$work/lint" 2>/dev/null
	same "two ranks in the time of one and a half are found" "cpu-quota (error)" \
		"$(grep '^cpu-quota' "$work/lint")"
done
finish
