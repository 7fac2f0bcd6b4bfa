#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The probe on four hosts with 64 ranks, under Open MPI's and MPICH's own daemons; and the
# whole way once: probe, suggestion, rankfile, mpirun, probe. Oracle: what the hosts were
# started as, the launchers' block order, and the places of the first probe in the order of
# the suggestion's place_of.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need

four="package:2 numa:1 l3:1 core:4 pu:2"
three="package:1 numa:2 core:3 pu:1"

start()
{
	hosts_start "$@"
	trap 'hosts_stop; rm -rf "$work"' EXIT
}

# run RANKS_PER_HOST RANKS WORD...: block order on both launchers
run()
{
	local slots
	slots=$(hosts_slots "$1")
	case $mpi in
	openmpi) hosts_openmpi --host "$slots" -np "$2" --bind-to none "${@:3}" ;;
	mpich) hosts_hydra -hosts "$slots" -n "$2" "${@:3}" ;;
	esac </dev/null
}

# "RANK NODE PUS" a line
places_of() { join <(column node "$1" | sort) <(pus_of "$1" | sort) | sort -n; }

for mpi in openmpi mpich; do
	use_mpi $mpi || continue

	start a="$four" b="$four" c="$three" d="core:16 pu:1"
	run 16 64 "$probe" -o "$work/job.json" 2>"$work/err"
	same "64 ranks on 4 hosts end well" 0 $?
	cat >"$work/wanted" <<-END
		0 15 a 0-15
		16 31 b 0-15
		32 47 c 0-5
		48 63 d 0-15
	END
	same "every rank is on its host, unbound on the machine that the host imitates" \
		"$(awk '{ for (r = $1; r <= $2; r++) print r, $3, $4 }' "$work/wanted")" \
		"$(places_of "$work/job.json")"
	same "two hosts of one kind are described once" 3 \
		"$(grep -c '^ *"allowed_pus"' "$work/job.json")"
	same "one warning that bindings cannot be asked for" 1 \
		"$(said "$work/err" | grep -c warning)"
	same "pairs between hosts are as many as there are" $((64 * 63 / 2 - 4 * 16 * 15 / 2)) \
		"$(sed -n 's/.*"histogram": {.*"7": \([0-9]*\).*/\1/p' "$work/job.json")"
	if [ $mpi = openmpi ]; then
		same "the launcher is named" 1 "$(grep -c '"launcher": ".*Open MPI' "$work/job.json")"
	else
		same "the launcher is named" 1 "$(grep -ci '"launcher": ".*hydra' "$work/job.json")"
	fi
	hosts_stop

	# Open MPI 4.1's own mpirun crashes where daemons have one host name
	[ $mpi = mpich ] || continue
	start a:node="$four" b:node="$four" c:node="$four" d:node="$four"
	run 16 64 "$probe" -o "$work/job.json" 2>"$work/err"
	same "64 ranks on 4 hosts of one name end well" 0 $?
	same "hosts of one name are told apart" "node 16,node#2 16,node#3 16,node#4 16," \
		"$(column node "$work/job.json" | cut -d' ' -f2 | sort | uniq -c |
			awk '{ printf "%s %s,", $2, $1 }')"
	hosts_stop
done

# The command line that suggest-rankfile prints, with the probe in the place of PROGRAM.
follow()
{
	local words
	words=$(sed -n 's/^  mpirun \(.*\) PROGRAM$/\1/p' "$1")
	shift
	# shellcheck disable=SC2086
	hosts_openmpi $words "$probe" "$@"
}

# go_the_whole_way WHAT BEFORE: from a probe's document to the suggested places
go_the_whole_way()
{
	topomap suggest-rankfile -l $row -o "$work/better" "$2" 2>"$work/table"
	same "$1: a rankfile is suggested" 0 $?
	topomap suggest-rankfile -f json "$2" >"$work/suggestion.json" 2>"$work/err"
	sed -n 's/^ *"place_of": \[\(.*\)\],$/\1/p' "$work/suggestion.json" | tr ',' '\n' >"$work/of"
	same "$1: something moves" yes \
		"$(seq 0 $(($(wc -l <"$work/of") - 1)) | cmp -s - "$work/of" || echo yes)"
	places_of "$2" | awk 'NR == FNR { place[$1] = $2 " " $3; next } { print FNR - 1, place[$1] }' \
		- "$work/of" >"$work/wanted"
	follow "$work/table" "${@:3}" -o "$work/after.json" >"$work/out" 2>"$work/err" ||
		cat "$work/out" "$work/err"
	same "$1: the second probe reports exactly the suggested places" \
		"$(cat "$work/wanted")" "$(places_of "$work/after.json")"
}

mpi=openmpi
if use_mpi openmpi; then
	set_by_file "$work/better"
	# four kinds of cores and threads, bindings from the rankfile
	start a="$four" b="$four" c="$three" d="package:1 core:9 pu:1"
	topomap place "node:2 $four" "node:1 $three" "node:1 package:1 core:9" --hosts a,b,c,d \
		--shuffle 5 | topomap suggest-rankfile -l $row --mapper identity -o "$work/first" 2>"$work/table"
	follow "$work/table" --rankfile "$work/first" -o "$work/before.json" 2>"$work/err" ||
		cat "$work/err"
	same "a shuffled job has all its ranks" 31 "$(places_of "$work/before.json" | wc -l)"
	go_the_whole_way "imitated hosts" "$work/before.json" --rankfile "$work/better"

	# the same with half cores: threads are counted
	{
		echo "# --mca hwloc_base_use_hwthreads_as_cpus 1"
		for r in $(seq 0 31); do
			echo "rank $r=$([ $((r % 2)) = 0 ] && echo a || echo b) slot=$((r / 2))"
		done
	} >"$work/first"
	topomap place "node:2 $four" --rankfile "$work/first" >"$work/before.json"
	go_the_whole_way "hardware threads" "$work/before.json" --rankfile "$work/better"
	same "hardware threads: the command line says so" 1 \
		"$(grep -c 'hwloc_base_use_hwthreads_as_cpus 1\|:hwtcpus' "$work/table")"
	hosts_stop

	# real machines and bindings: every host is this machine; the kernel is asked
	cores=$(lscpu -p=core,socket | grep -v '^#' | sort -u | wc -l)
	cores=$((cores > 4 ? 4 : cores))
	start a b c d
	hosts_openmpi --host "$(hosts_slots $cores)" -np $((4 * cores)) --map-by node --bind-to core \
		"$probe" -o "$work/before.json" >"$work/out" 2>"$work/err" || cat "$work/out" "$work/err"
	same "next ranks are on next hosts" "0 a,1 b,2 c,3 d," \
		"$(places_of "$work/before.json" | head -n 4 | awk '{ printf "%s %s,", $1, $2 }')"
	if [ $cores -gt 1 ]; then
		go_the_whole_way "real bindings" "$work/before.json"
	else
		skip "one core a host: no order is better than another"
	fi
	hosts_stop
fi
finish
