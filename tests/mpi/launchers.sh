#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Launchers on imitated machines: what Open MPI's sequential mapper and Hydra say that they do
# with a file must be what the file was written for; and the reordering in C, compiled and run.
# Oracle: mpirun --display-map, HYDRA_TOPO_DEBUG=1, and the rank numbers that a program prints.
. "$(dirname "$0")/common.bash"

data=${TOPOMAP_DATA:-$top/../shared/data}/topologies
host=$(hostname -s)
devel=
machines=("$top/tests/data/2package-2numa-3core-2pu.xml")
for file in 8em64t-2s4c-asymcaches.xml epyc-corona.xml; do
	[ ! -f "$data/$file" ] || machines+=("$data/$file")
done

# words LAUNCHER [OPTION]...: the file, and the options of the command line that was printed
words()
{
	local launcher=$1
	shift
	topomap place "$machine" --hosts "$host" "$@" >"$work/job.json" &&
	topomap suggest-rankfile -m identity -l "$launcher" "$work/job.json" -o "$work/file" \
		2>"$work/table" || cat "$work/table" >&2
	sed -n 's/^  mpi[a-z.]* \(.*\) PROGRAM$/\1/p' "$work/table"
}

# told OPTION WHAT: what the launcher printed is the job that was written
told()
{
	topomap place "$machine" --hosts "$host" "$1" "$work/said" 2>&1 |
		topomap compare --expect "$work/job.json" - >"$work/out" 2>&1
	same "$2" "moved     no rank" "$(grep '^moved\|: ' "$work/out")"
}

# show_map OPTION...: the map that mpirun makes on the machine, in $work/said, or with devel=-devel the
# one for developers; Open MPI 4 starts the
# program, since its sequential mapper refuses --do-not-launch
show_map()
{
	if [ "$openmpi_major" -ge 5 ]; then
		"$mpirun" --prtemca hwloc_use_topo_file "$machine" --display "map$devel" \
			--runtime-options donotlaunch "$@" true
	else
		HWLOC_XMLFILE=$machine HWLOC_THISSYSTEM=1 "$mpirun" \
			"--display${devel}-map" "$@" true
	fi >"$work/said" 2>&1 </dev/null
}

# mpiexec of Hydra can lose the last lines of processes that end at once: each of these ends when all
# lines of its job have arrived
# shellcheck disable=SC2016
arrived='for i in $(seq 600); do [ $(wc -l <"$0") -lt $PMI_SIZE ] || exit 0; sleep 0.1; done'

for machine in "${machines[@]}"; do
	name=$(basename "$machine")
	if use_mpi openmpi; then
		# the sequential mapper of Open MPI 5 takes the hosts of a file and not the cores
		file=seq
		[ "$openmpi_major" -lt 5 ] || file=openmpi5
		for options in "-n 6 --shuffle 3" "-n 8 --map-by core --bind-to socket" \
			"-n 5 --map-by core --bind-to hwthread"; do
			for devel in "" -devel; do
				# shellcheck disable=SC2046,SC2086
				show_map $(words $file $options)
				told --report-bindings "$name: $file: $options: map$devel"
			done
		done
		devel=
	fi
	if use_mpi mpich; then
		for options in "--shuffle 3" "-n 5 --map-by core --bind-to hwthread"; do
			# shellcheck disable=SC2046,SC2086
			HWLOC_XMLFILE=$machine HWLOC_THISSYSTEM=0 HYDRA_TOPO_DEBUG=1 "$mpirun" \
				$(words hydra $options) sh -c "$arrived" "$work/said" \
				>"$work/said" 2>&1 </dev/null
			told --hydra-topo-debug "$name: hydra: $options"
		done
	fi
done

# without a file: the options that were found for Open MPI 4, on the same machine
machine=${machines[0]}
if use_mpi openmpi && [ "$openmpi_major" -lt 5 ]; then
	for options in "--map-by socket --bind-to core" "--map-by ppr:2:numa --bind-to core" \
		"--map-by numa --bind-to numa"; do
		# shellcheck disable=SC2086
		words openmpi4 -n 8 $options >/dev/null
		words=$(sed -n 's/^Without.*: mpirun \(.*\) PROGRAM$/\1/p' "$work/table")
		# shellcheck disable=SC2086
		show_map --do-not-launch --host "$host:12" $words
		told --report-bindings "without a file: $options"
	done
fi

# where two ranks of this machine are, by taskset and by the kernel's own list
pus=$(getconf _NPROCESSORS_CONF)
# shellcheck disable=SC2016
script='taskset -cp $$; echo "@${OMPI_COMM_WORLD_RANK-$PMI_RANK} here $(sed -n "s/^Cpus_allowed_list:.//p" /proc/$$/status)"
for i in $(seq 600); do [ "$(grep -c "@.*here" "$0")" -lt 2 ] || exit 0; sleep 0.1; done'
for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	if ! command -v taskset >/dev/null; then
		skip "$mpi: there is no taskset"
		continue
	fi
	tag=-l
	[ $mpi = mpich ] || tag="--oversubscribe --bind-to core --tag-output"
	[ $mpi = mpich ] || [ "$openmpi_major" -lt 5 ] ||
		tag="--map-by :oversubscribe --bind-to core --output tag"
	# shellcheck disable=SC2086
	"$mpirun" $tag -n 2 sh -c "$script" "$work/all" >"$work/all" 2>/dev/null </dev/null
	sed -n 's/.*@//p' "$work/all" >"$work/table"
	grep -v @ "$work/all" >"$work/log"
	topomap place "node:1 core:$pus" --from "table:$work/table" >"$work/job.json"
	topomap place "node:1 core:$pus" --hosts here --from "$work/log" |
		topomap compare --expect "$work/job.json" - >"$work/out" 2>&1
	same "$mpi: taskset of each rank" "moved     no rank" "$(grep '^moved\|: ' "$work/out")"
done

cat >"$work/program.c" <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	MPI_Comm comm;
	int world, rank;

	MPI_Init(&argc, &argv);
	topomap_reorder(&comm);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Comm_rank(comm, &rank);
	printf("%d %d\n", rank, world);
	MPI_Finalize();
	return 0;
}
END
topomap place 'node:2 package:2 core:2' --map-by node >"$work/job.json"
topomap suggest-rankfile -l c "$work/job.json" -o "$work/reorder.h" 2>"$work/table"
topomap suggest-rankfile -l permutation "$work/job.json" 2>/dev/null |
	awk '!/#/ { print n++, $1 }' >"$work/wanted"
for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	if ! command -v "mpicc.$mpi" >/dev/null; then
		skip "$mpi: there is no mpicc.$mpi"
		continue
	fi
	"mpicc.$mpi" -include "$work/reorder.h" "$work/program.c" -o "$work/program" &&
		launch 8 "$work/program" 2>"$work/err" | sort -n >"$work/out"
	same "the program's ranks are those of the permutation" "$(cat "$work/wanted")" \
		"$(cat "$work/out")"
done
finish
