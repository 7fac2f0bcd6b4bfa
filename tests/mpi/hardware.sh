#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap hierarchy says what guided hardware splits give: Open MPI's own split types on imitated
# machines with rankfiles, and MPICH's on machines of the two PUs that there are. Oracle: the
# libraries, asked by hardware.c; of communicators that overlap, that the three ranks named do.
. "$(dirname "$0")/common.bash"

host=$(hostname) overlaps=0

# answers LIBRARY PLACEMENT: what is foreseen
answers() { topomap hierarchy -f json "$2" | awk -v library="$1" -f tests/mpi/guided.awk; }

# agree WHAT: $work/real is what foreseen says, but for types that overlap
agree()
{
	local type a b c
	answers "$mpi" "$work/job.json" >"$work/foreseen"
	same "$1" "$(grep -v overlap "$work/foreseen" | sort)" \
		"$(awk 'NR == FNR { if (/overlap/) skip[$1] = 1; next } !($1 in skip)' \
			"$work/foreseen" "$work/real" | grep -v 'unguided.*null' | sort)"
	while read -r type _ a b c; do
		overlaps=$((overlaps + 1))
		same "$1: $type: rank $a is given $b and $c" 1 \
			"$(grep "^$type $a:" "$work/real" | grep -w "$b" | grep -cw "$c")"
		same "$1: $type: rank $b is not given $c" 0 \
			"$(grep "^$type $b:" "$work/real" | cut -d: -f2 | grep -cw "$c")"
	done < <(grep overlap "$work/foreseen")
}

# make_calls: the program that topomap hierarchy writes for $work/job.json, as $work/made
make_calls()
{
	topomap hierarchy -f json -o "$work/hierarchy.json" "$work/job.json"
	topomap hierarchy -f c -o "$work/hierarchy.c" "$work/job.json"
	"mpicc.$mpi" -std=c99 -Wall -Wextra -Wpedantic -Werror -DTOPOMAP_MAIN -o "$work/made" \
		"$work/hierarchy.c" || fail "the calls do not compile"
}

# made_calls WHAT: what the program has printed is foreseen
made_calls()
{
	same "$1: the calls make what is foreseen" \
		"$(awk -f tests/mpi/levels.awk "$work/hierarchy.json" | sort)" \
		"$(sed 's/ by hardware//' "$work/real" | sort)"
}

# build FLAVOUR: hardware.c as $work/hardware
build()
{
	command -v "mpicc.$1" >/dev/null || { skip "$1: no mpicc.$1"; return 1; }
	"mpicc.$1" -O1 -Wall -Wextra -Werror -o "$work/hardware" tests/mpi/hardware.c ||
		{ fail "hardware.c does not compile"; return 1; }
}

# write_rankfile SEED RANKS CORES: one core, neighbours, or two of them anywhere
write_rankfile()
{
	awk -v seed="$1" -v ranks="$2" -v cores="$3" -v host="$host" 'BEGIN {
		srand(seed)
		for (r = 0; r < ranks; r++) {
			a = int(rand() * cores)
			b = a + int(rand() * (cores - a) / 2)
			kind = seed == 1 ? 0 : int(rand() * 4)
			list = kind < 2 ? a : kind == 2 ? a "-" b : a "," (a + 3) % cores
			printf "rank %d=%s slot=%s\n", r, host, list
		}
	}'
}

# imitate MACHINE CORES RANKS SEED
imitate()
{
	write_rankfile "$4" "$3" "$2" >"$work/job.rf"
	topomap place "node:1 $1" --hosts "$host" -n "$3" --rankfile "$work/job.rf" \
		-o "$work/job.json"
	HWLOC_SYNTHETIC=$1 HWLOC_THISSYSTEM=0 launch "$3" --rankfile "$work/job.rf" \
		"$work/hardware" >"$work/real" 2>"$work/err" || cat "$work/err"
	agree "openmpi, $1, rankfile $4"
	same "all types of all ranks" $((10 * $3)) "$(wc -l <"$work/real")"
}

mpi=openmpi
if use_mpi openmpi && build openmpi; then
	imitate 'package:2 numa:2 l3:2 l2:2 l1:1 core:2 pu:1' 32 8 1
	imitate 'package:2 numa:2 l3:2 l2:2 l1:1 core:2 pu:1' 32 7 2
	imitate 'package:2 core:4 pu:2' 8 6 3
	make_calls
	launch 6 "$work/made" >"$work/real" 2>"$work/err" || cat "$work/err"
	made_calls "openmpi"
	launch 3 --bind-to none "$probe" -o "$work/job.json" 2>"$work/err"
	launch 3 --bind-to none "$work/hardware" >"$work/real" 2>"$work/err" || cat "$work/err"
	agree "openmpi, unbound"
	same "some communicators overlap" 1 $((overlaps > 0))
fi

# pretend MACHINE CORES-OF-RANKS: a synthetic machine that is said to be this one. PUs 0 and 1 are
# real, so bindings hold; hydra says 0+1 where a rankfile says 0-1.
pretend()
{
	echo "$2" | tr ' ' '\n' | awk -v host="$host" '
		{ gsub(/[+]/, "-"); print "rank " NR - 1 "=" host " slot=" $0 }' >"$work/job.rf"
	topomap place "node:1 $1" --hosts "$host" -n "$(echo "$2" | wc -w)" \
		--rankfile "$work/job.rf" -o "$work/job.json"
	HWLOC_SYNTHETIC=$1 HWLOC_THISSYSTEM=1 launch "$(echo "$2" | wc -w)" \
		-bind-to "user:${2// /,}" "$work/hardware" >"$work/real" 2>"$work/err" ||
		cat "$work/err"
	agree "mpich, $1, $2"
	same "all types of all ranks" $((11 * $(echo "$2" | wc -w))) "$(grep -vc unguided "$work/real")"
}

mpi=mpich
if ! allowed_pus | grep -q '^0-'; then
	skip "mpich: PUs 0 and 1 are not both ours"
elif use_mpi mpich && build mpich; then
	pretend 'package:2 l3:1 l2:1 core:1 pu:1' '0 0 1'
	make_calls
	HWLOC_SYNTHETIC='package:2 l3:1 l2:1 core:1 pu:1' HWLOC_THISSYSTEM=1 \
		launch 3 -bind-to user:0,0,1 "$work/made" >"$work/real" 2>"$work/err" ||
		cat "$work/err"
	made_calls "mpich"
	same "mpich: packages by hardware" 2 "$(grep -c '^level 0 by hardware' "$work/real")"
	pretend 'package:1 numa:2 l2:1 l1:1 core:1 pu:1' '0 0+1 1'
	pretend 'package:2 numa:1 core:1 pu:1' '0+1 0+1'
	launch 2 -bind-to core "$probe" -o "$work/job.json" 2>"$work/err"
	launch 2 -bind-to core "$work/hardware" >"$work/real" 2>"$work/err" || cat "$work/err"
	agree "mpich on this machine"
fi
finish
