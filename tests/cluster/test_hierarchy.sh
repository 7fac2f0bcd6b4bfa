#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# On three imitated hosts the calls that topomap hierarchy writes make the communicators that it
# foresees, under Open MPI and MPICH, at the node level by MPICH's own hardware split; and guided
# splits give what it says, across hosts. Oracle: the communicators that the programs report.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need

machine="numa:2 core:3 pu:1"

# run SIZES PROGRAM: by the rankfile, or so many ranks on each host
run()
{
	set_by_file "$work/job.rf"
	case $mpi in
	openmpi) hosts_openmpi --host "$(hosts_slots 8)" -np "$ranks" "${by_file[@]}" "$2" ;;
	mpich) hosts_hydra -hosts "$1" -n "$ranks" "$2" ;;
	esac </dev/null 2>"$work/err" || cat "$work/err"
}

# agree WHAT SIZES: the job that $work/job.rf places
agree()
{
	ranks=$(wc -l <"$work/job.rf")
	topomap place "node:3 $machine" --hosts a,b,c -n "$ranks" --rankfile "$work/job.rf" \
		-o "$work/job.json"
	topomap hierarchy --root 4 -f json -o "$work/hierarchy.json" "$work/job.json"
	topomap hierarchy --root 4 -f c -o "$work/hierarchy.c" "$work/job.json"
	mpicc.$mpi -Wall -Wextra -Werror -DTOPOMAP_MAIN -o "$work/made" "$work/hierarchy.c" ||
		fail "$1: the calls do not compile"
	run "$2" "$work/made" >"$work/real"
	same "$mpi: $1: the calls make what is foreseen" "$(awk -f tests/mpi/levels.awk "$work/hierarchy.json" | sort)" \
		"$(sed 's/ by hardware//' "$work/real" | sort)"
	same "$mpi: $1: nodes by hardware" $([ $mpi = mpich ] && echo 3 || echo 0) \
		"$(grep -c '^level 0 by hardware' "$work/real")"
}

# guided WHAT TYPES: those types as foreseen
guided()
{
	run "$2" "$work/hardware" | grep -E "^($3) " | sort >"$work/real"
	same "$mpi: $1: guided splits" "$(awk -v library=$mpi -f tests/mpi/guided.awk \
		"$work/hierarchy.json" | grep -E "^($3) " | sort)" "$(cat "$work/real")"
	same "$mpi: $1: all of them" $(($(echo "$3" | tr '|' '\n' | wc -l) * ranks)) \
		"$(wc -l <"$work/real")"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	command -v mpicc.$mpi >/dev/null || { skip "$mpi: no mpicc.$mpi"; continue; }
	mpicc.$mpi -O1 -o "$work/hardware" tests/mpi/hardware.c || { fail "hardware.c"; continue; }
	hosts_start a="$machine" b="$machine" c="$machine"
	trap 'hosts_stop; rm -rf "$work"' EXIT
	printf 'rank %s\n' 0=a\ slot={0,1,3,4} 0=b\ slot={0,1,5} 0=c\ slot={2,3} |
		awk '{ sub(/rank 0/, "rank " NR - 1); print }' >"$work/job.rf"
	agree "irregular" a:4,b:3,c:2
	guided "irregular" a:4,b:3,c:2 "$([ $mpi = mpich ] && echo "mpi_shared_memory|unguided1" ||
		echo 'mpi_shared_memory|node|board|numa|core|pu')"
	if [ $mpi = openmpi ]; then
		printf 'rank %s slot=%s\n' 0=c 5 1=a 0 2=b 3 3=c 0-1 4=c 1 5=a 4 6=b 4 7=a 5 \
			>"$work/job.rf"
		agree "shuffled, and a rank on two cores" ""
		guided "shuffled" "" 'mpi_shared_memory|node|board|numa'
	fi
	hosts_stop
done
finish
