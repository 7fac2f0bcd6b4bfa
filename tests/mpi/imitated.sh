#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Machines that are not there: with HWLOC_XMLFILE and HWLOC_THISSYSTEM=0 the probe takes the
# bindings of a rankfile. The oracle is the map that mpirun --display-map prints of the same
# rankfile on the same imitated machine. Two rankfiles, with WHOLE=1 six.
. "$(dirname "$0")/common.bash"

cores=12 ranks=9 host=$(hostname)
export HWLOC_XMLFILE=$top/tests/data/2package-2numa-3core-2pu.xml HWLOC_THISSYSTEM=0

# write_rankfile SEED: a random slot list for each rank: one core, a range, or several
write_rankfile()
{
	awk -v seed="$1" -v ranks=$ranks -v cores=$cores -v host="$host" 'BEGIN {
		srand(seed)
		for (r = 0; r < ranks; r++) {
			a = int(rand() * cores)
			b = a + int(rand() * (cores - a))
			kind = int(rand() * 3)
			list = kind == 0 ? a : kind == 1 ? a "-" b : a "," (a + 5) % cores
			printf "rank %d=%s slot=%s\n", r, host, list
		}
	}'
}

# "Process rank: 3 Bound: socket 0[core 5[hwt 0-1]]...:[../BB][../..]" as "3 10-11", and so what
# Open MPI 5 prints, "Process rank: 3 Bound: package[0][core:1,5]"
read_map()
{
	if [ "$openmpi_major" -ge 5 ]; then
		sed -n 's/.*Process rank: \([0-9]*\) Bound: /\1 /p' "$1" | sort -n | awk '{
			rank = $1
			$1 = ""
			list = ""
			while (match($0, /core:[0-9,-]*/)) {
				count = split(substr($0, RSTART + 5, RLENGTH - 5), part, ",")
				for (i = 1; i <= count; i++) {
					if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
					for (core = ends[1] + 0; core <= ends[2] + 0; core++)
						bound[rank, 2 * core] = bound[rank, 2 * core + 1] = 1
				}
				$0 = substr($0, RSTART + RLENGTH)
			}
			for (pu = 0; pu < '$((2 * cores))'; pu++) {
				if (!((rank, pu) in bound)) continue
				for (end = pu; (rank, end + 1) in bound; end++) ;
				list = list (list == "" ? "" : ",") pu (end > pu ? "-" end : "")
				pu = end
			}
			print rank, list
		}'
		return
	fi
	sed -n 's/.*Process rank: \([0-9]*\) Bound: .*:\(\[.*\)$/\1 \2/p
		s/.*Process rank: \([0-9]*\) Bound: UNBOUND.*/\1 UNBOUND/p' "$1" | sort -n |
	awk -v pus=$((2 * cores)) '{
		if ($2 == "UNBOUND") {
			print $1, "0-" (pus - 1)
			next
		}
		gsub(/[][\/]/, "", $2)
		list = ""
		for (i = 1; i <= length($2); i++) {
			if (substr($2, i, 1) != "B")
				continue
			for (j = i; substr($2, j + 1, 1) == "B"; j++)
				;
			list = list (list == "" ? "" : ",") (i - 1) (j > i ? "-" (j - 1) : "")
			i = j
		}
		print $1, list
	}'
}

mpi=openmpi
if use_mpi openmpi; then
	for seed in 1 2 ${WHOLE:+3 4 5 6}; do
		write_rankfile $seed >"$work/job.rf"
		launch $ranks --display-map --rankfile "$work/job.rf" "$probe" \
			--rankfile "$work/job.rf" -o "$work/job.json" >"$work/map" 2>"$work/err" ||
			cat "$work/err"
		read_map "$work/map" >"$work/wanted"
		same "rankfile $seed: the map has all ranks" $ranks "$(wc -l <"$work/wanted")"
		same "rankfile $seed" "$(cat "$work/wanted")" \
			"$(pus_of "$work/job.json" logical_pus)"
		same "rankfile $seed: nothing to warn of" "" "$(said "$work/err")"
	done
fi

# refused WHAT STATUS SENTENCE RANKS [OPTION]...
refused()
{
	local what=$1 status=$2 sentence=$3 ranks=$4
	shift 4
	rm -f "$work/job.json"
	launch "$ranks" "$probe" -o "$work/job.json" "$@" >"$work/out" 2>"$work/err"
	same "$what: status" "$status" $?
	same "$what: one sentence" "topomap-probe: $sentence" "$(said "$work/err")"
	same "$what: no document" "" "$(cat "$work/job.json" 2>/dev/null)"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	launch 3 "$probe" -o "$work/job.json" 2>"$work/err"
	same "without a rankfile all are unbound" "$(printf '%s\n' "0 false" "1 false" "2 false")" \
		"$(column bound "$work/job.json")"
	same "without a rankfile all have the whole node" \
		"$(printf '%s\n' "0 0-23" "1 0-23" "2 0-23")" "$(pus_of "$work/job.json")"
	same "without a rankfile there is one warning" 1 "$(said "$work/err" | grep -c warning)"

	printf 'rank %s\n' "0=$host slot=0" "1=$host slot=1" >"$work/two.rf"
	refused "a rankfile of another size" 1 \
		"$work/two.rf: it places 2 ranks, but the job has 3" 3 --rankfile "$work/two.rf"
	refused "a rankfile that is not there" 3 \
		"$work/none.rf: cannot be read: No such file or directory" 2 --rankfile "$work/none.rf"
	printf 'rank %s\n' "0=$host slot=0" "1=$host slot=12" >"$work/far.rf"
	refused "a core that the machine lacks" 1 \
		"$work/far.rf:2: slot list '12': core 12 does not exist: the node has 12 that the job may use" \
		2 --rankfile "$work/far.rf"
done
finish
