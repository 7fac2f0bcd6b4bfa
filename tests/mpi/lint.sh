#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Faults for real: jobs that mpirun starts wrongly on this machine, in a cgroup that gives them too
# little, or with memory bound by numactl; each found, and a twin that is well and is not. Oracle: the
# launcher's, numactl's and the kernel's own words for what was done. What needs more than this machine
# has takes its topology from a file.
. "$(dirname "$0")/common.bash"

groups=()
remove_groups()
{
	local group
	for group in "${groups[@]}"; do
		rmdir "$group" 2>/dev/null || { sleep 1; rmdir "$group"; }
	done
	rm -rf "$work"
}
trap remove_groups EXIT

# found: the findings of the last job that are not about what a small machine cannot do better
found()
{
	topomap inspect --lint "$work/job.json" >"$work/lint" 2>"$work/err"
	case $? in
	0 | 4)
		sed -n 's/^\([a-z0-9-]* ([a-z]*)\)$/\1/p' "$work/lint" |
			grep -v "^\(unbound\|idle-\)" | paste -sd ' ' ;;
	*) echo "not inspected: $(cat "$work/err")" ;;
	esac
}

# many RANKS [COMMAND...]: unbound ranks, as --oversubscribe starts them, by way of a command
many()
{
	local ranks=$1
	shift
	rm -f "$work/job.json"
	case $mpi in
	openmpi) launch "$ranks" --bind-to none "$@" "$probe" -o "$work/job.json" 2>"$work/err" ;;
	mpich) launch "$ranks" -bind-to none "$@" "$probe" -o "$work/job.json" 2>"$work/err" ;;
	esac || cat "$work/err"
}

# group CONTROLLER NAME: sets group, a new one; fails where that cannot be
new_group()
{
	local root=/sys/fs/cgroup/$1
	[ -d "$root" ] || root=/sys/fs/cgroup
	group=$root/topomap-$$-$2
	mkdir "$group" 2>/dev/null || return 1
	groups+=("$group")
}

# limit_time PUS: the group's processes may run so many PUs' time
limit_time()
{
	if [ -e "$group/cpu.max" ]; then
		echo "$(($1 * 100000)) 100000" >"$group/cpu.max"
	elif [ -e "$group/cpu.cfs_quota_us" ]; then
		echo 100000 >"$group/cpu.cfs_period_us" && echo $(($1 * 100000)) >"$group/cpu.cfs_quota_us"
	else
		return 1
	fi 2>/dev/null
}

limit_memory()
{
	if [ -e "$group/memory.max" ]; then
		echo "$1" >"$group/memory.max"
	elif [ -e "$group/memory.limit_in_bytes" ]; then
		echo "$1" >"$group/memory.limit_in_bytes"
	else
		return 1
	fi 2>/dev/null
}

# inside RANKS: the same job in the group
inside()
{
	(
		echo "$BASHPID" >"$group/cgroup.procs" || exit 1
		many "$1"
	)
}

# on_cores COMMAND...: two ranks, each bound to a core, by way of a command
on_cores()
{
	rm -f "$work/job.json"
	case $mpi in
	openmpi) launch 2 --bind-to core "$@" "$probe" -o "$work/job.json" 2>"$work/err" ;;
	mpich) launch 2 -bind-to core "$@" "$probe" -o "$work/job.json" 2>"$work/err" ;;
	esac || cat "$work/err"
}

# isolated PUS: the same on a kernel that keeps these PUs for jobs (isolcpus), on nodes of 12 cores
isolated()
{
	echo "$1" >"$work/isolated"
	# shellcheck disable=SC2016
	on_cores env HWLOC_SYNTHETIC='package:2 core:6 pu:1' HWLOC_THISSYSTEM=1 \
		unshare -m sh -c 'mount --bind "$0" /sys/devices/system/cpu/isolated && exec "$@"' "$work/isolated"
}

pus=$(nproc) host=$(hostname)
for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	many $((2 * pus + 1))
	same "more ranks than PUs" "oversubscribed (error)" "$(found)"
	many "$pus"
	same "as many ranks as PUs" "" "$(found)"

	if [ "$(id -u)" -eq 0 ] && new_group cpu "$mpi-time" && limit_time 1 && [ "$pus" -gt 1 ]; then
		inside "$pus"
		same "a rank a PU in the time of one" "cpu-quota (error)" "$(found)"
		limit_time "$pus"
		inside "$pus"
		same "in the time of all" "" "$(found)"
	else
		skip "$mpi: no cgroup can be made that limits time, or there is one PU"
	fi
	if [ "$(id -u)" -eq 0 ] && new_group memory "$mpi-memory" && limit_memory 2147483648; then
		inside 1
		limit=$(sed -n 's/.*"memory_limit_bytes": \([0-9]*\).*/\1/p' "$work/job.json")
		same "the limit of the memory" 2147483648 "$limit"
		if [ "$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -gt 6000000 ]; then
			same "little memory" "memory-limit (hint)" "$(found)"
		fi
	else
		skip "$mpi: no cgroup can be made that limits memory"
	fi
	many 1
	same "no limit" "" "$(found)"
	if [ "$(id -u)" -eq 0 ] && [ "$pus" -gt 1 ] && new_group cpuset "$mpi-pus" &&
		{ [ ! -e "${group%/*}/cpuset.mems" ] || cat "${group%/*}/cpuset.mems" >"$group/cpuset.mems"; } 2>/dev/null &&
		{ allowed_pus | sed 's/[,-].*//' >"$group/cpuset.cpus"; } 2>/dev/null; then
		inside 3
		same "three ranks in a cpuset of one PU" "oversubscribed (error)" "$(found)"
		inside 1
		same "one rank in it" "" "$(found)"
	else
		skip "$mpi: no cgroup can be made that restricts PUs, or there is one PU"
	fi

	if command -v numactl >/dev/null && numactl --membind=0 --cpunodebind=0 true 2>/dev/null; then
		many 1 numactl --membind=0 --cpunodebind=0
		same "PUs and memory of one NUMA node" "" "$(found)"
		same "the policy is known" 1 "$(grep -c '"memory": "0"' "$work/job.json")"
		if numactl --membind=1 --cpunodebind=0 true 2>/dev/null; then
			many 1 numactl --membind=1 --cpunodebind=0
			same "PUs of one and memory of another one" "far-memory (error)" "$(found)"
		else
			skip "$mpi: this machine has one NUMA node, and no memory far from a PU"
		fi
	else
		skip "$mpi: there is no numactl, or it may not bind memory"
	fi

	if [ "$(id -u)" -eq 0 ] && [ -e /sys/devices/system/cpu/isolated ] && unshare -m true 2>/dev/null &&
		[ "$(allowed_pus)" = 0-1 ]; then
		isolated 1-11
		same "a rank on the PU that is not isolated" "system-core (warning)" "$(found)"
		same "it is the first rank" '"0"' "$(topomap inspect -f json "$work/job.json" |
			sed -n '/"system-core"/,/"ranks"/s/.*"ranks": \(.*\),$/\1/p')"
		isolated ''
		same "no PU is isolated" "" "$(found)"
		same "a PU or two for other things" "" "$(isolated 10-11; found)"
	else
		skip "$mpi: isolcpus cannot be imitated here"
	fi

	# two programs, the second of which has too many threads for its cores
	printf 'rank %s\n' "0=$host slot=0-2" "1=$host slot=3" "2=$host slot=4" >"$work/parts"
	for threads in 1 3; do
		case $mpi in
		openmpi) one=(-n 1 -x OMP_NUM_THREADS=3) two=(-n 2 -x "OMP_NUM_THREADS=$threads") job=("$mpirun" --oversubscribe --bind-to none) ;;
		mpich) one=(-n 1 -env OMP_NUM_THREADS 3) two=(-n 2 -env OMP_NUM_THREADS "$threads") job=("$mpirun") ;;
		esac
		rm -f "$work/job.json"
		HWLOC_XMLFILE=$top/tests/data/2package-2numa-3core-2pu.xml HWLOC_THISSYSTEM=0 OMP_PLACES=cores \
			"${job[@]}" "${one[@]}" "$probe" --program ocean --rankfile "$work/parts" -o "$work/job.json" : \
			"${two[@]}" "$probe" --program air --rankfile "$work/parts" </dev/null 2>"$work/err" ||
			cat "$work/err"
		case $threads in
		1) same "unequal programs that are well" "" "$(found)" ;;
		3)
			same "threads of one program" "many-threads (error)" "$(found)"
			same "it is named" '["air"]' "$(topomap inspect -f json "$work/job.json" |
				sed -n 's/.*"programs": \(.*\),$/\1/p' | sort -u)" ;;
		esac
	done
done
finish
