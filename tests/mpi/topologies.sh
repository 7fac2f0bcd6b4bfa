#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench guidelines on virtual topologies, under real launchers: every call on every kind of
# neighborhood gives right results, what was asked for is in the document, and what a preload makes slow
# is what is found, and nothing else of it. A fifth of a second is injected
# where calls take microseconds, and the threshold is between. Oracles:
# slow_neighbor.c, and counts by hand. Of the numbers of ranks and of what is slow a sample, most of it with the first
# library; WHOLE=1: all.
. "$(dirname "$0")/bench.bash"

# guidelines RANKS ARGUMENT...: of topologies, into $work/on.json
guidelines()
{
	local ranks=$1
	shift
	LD_PRELOAD=$yield launch "$ranks" "$bench" guidelines "$@" -o "$work/on.json" >"$work/out" 2>"$work/err"
}

# of CALL: how many experiments of that call $work/on.json has
of() { count "\"collective\": \"$1\"" "$work/on.json"; }

# Open MPI 4.1.4 hangs now and then in MPI_Dist_graph_create (topomap-bench-guidelines(1), BUGS), but for:
export OMPI_MCA_topo=basic

check_calls()
{
	local ranks=$1
	guidelines "$ranks" -g GL6,GL12 --order fmaj,rand,linear --finite 0 -b 0,9 -i 1 --check -d 2 -c neighbor_alltoall
	same "neighbor_alltoall in all forms, $ranks ranks" "0 0" "$? $(count '"correct": false' "$work/on.json")"
	guidelines "$ranks" -g GL4,GL5,GL7,GL8 -n moore,full --order fmaj,linear,rand -d 2 --finite 0,1 --reorder 0 \
		--radius 1,2 -b 9 -i 1 --check
	same "calls on moore and full, $ranks ranks" "0 0" "$? $(count '"correct": false' "$work/on.json")"
	# two radii, two numbers of finite dimensions, two orders; full in two orders
	same "how many there are, $ranks ranks" "10 10 10 10 2 2 2 2 2 2" \
		"$(for call in neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv \
			neighbor_alltoallw allgather allgatherv alltoall alltoallv alltoallw; do of $call; done | paste -sd ' ')"
}

# Two neighborhoods by each constructor: made, and used
check_constructors()
{
	local ranks=$1
	guidelines "$ranks" -g GL1-3 -n vonneumann -d 2 --finite 0 --order fmaj -i 3 --check
	same "communicators, $ranks ranks" "0 6 0" "$? $(of topology_create) $(count '"correct": false' "$work/on.json")"
	guidelines "$ranks" -g GL9,GL10 -n vonneumann -d 2 --finite 1 --order fmaj --reorder 0 -b 9 -i 1 --check \
		-c neighbor_allgather
	same "all constructors, $ranks ranks" "0 3 3 0" "$? $(of neighbor_allgather) $(of neighbor_allgatherv) \
$(count '"correct": false' "$work/on.json")"
}

# Seven launches of which a call is slow on a rank. violated CALL ARGUMENT...: the guidelines that are
violated()
{
	local call=$1 i
	shift
	for i in 1 2 3 4 5 6 7; do
		launch 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_CALL="$call" "$bench" guidelines "$@" -i 2 \
			--placement "$work/two.json" -o "$work/slow$i.json" >"$work/out" 2>"$work/err" ||
			fail "slow launch $i of $call"
	done
	"$bench" join "$work"/slow[1-7].json -o "$work/slow.json"
	# what else differs differs by less, or not in all launches
	topomap guidelines --times "$work/slow.json" --ratio-threshold 3 --totals -f csv >"$work/out" 2>"$work/err"
	awk -F , '$2 == "" && $1 != "all" && $3 { printf "%s%s", found++ ? "; " : "", $1 }' "$work/out"
}

check_slow()
{
	local one=(-n vonneumann -d 1 --finite 0 --reorder 0 --order fmaj)
	slow=$work/slow.$flavour.so
	if ! command -v "mpicc.$flavour" >/dev/null ||
		! "mpicc.$flavour" -shared -fPIC -O1 -o "$slow" tests/mpi/slow_neighbor.c 2>"$work/log"; then
		skip "$flavour: there is no mpicc.$flavour to build a preload with"
		return
	fi
	same "a slow MPI_Neighbor_allgather" \
		"GL4 neighbor_allgather <= neighbor_alltoall; GL5 neighbor_allgather <= neighbor_allgatherv" \
		"$(violated neighbor_allgather -g GL4,GL5 "${one[@]}" -b 8)"
	if [ "$flavour" = openmpi ]; then
		same "nothing that is slow" "" "$(violated nothing -g GL4,GL5 "${one[@]}" -b 8)"
	fi
	if [ "$flavour" = openmpi ] && [ -n "$WHOLE" ]; then
		# and there it is slower than MPI_Neighbor_allgatherv, too
		same "slow calls on Cartesian communicators" \
			"GL5 neighbor_allgather <= neighbor_allgatherv; GL9 cart_create <= dist_graph_create_adjacent; GL9 cart_create <= dist_graph_create" \
			"$(violated cart -g GL9 -c neighbor_allgather "${one[@]}" -b 8)"
		same "a slow MPI_Cart_create" "GL1 cart_create <= dist_graph_create_adjacent" \
			"$(violated cart_create -g GL1 "${one[@]}")"
	fi
	launch 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_CALL=flipped "$bench" guidelines -g GL5 "${one[@]}" -b 8 \
		-i 1 -o "$work/on.json" >"$work/out" 2>"$work/err"
	same "a wrong byte" "4 yes" "$? $(grep -q 'topomap-bench: the result of neighbor_allgather on .* (blocking, 8) is wrong at rank 1: block 0, byte 0' \
		"$work/err" && echo yes)"
	[ "$flavour" = openmpi ] || return 0 # three ranks on two cores take MPICH long
	for call in 'GL2 topology_create' 'GL5 neighbor_allgather'; do
		launch 3 env LD_PRELOAD="$slow" SLOW_RANK=2 SLOW_CALL=swapped "$bench" guidelines -g "${call% *}" \
			"${one[@]}" $([ "${call% *}" = GL2 ] || echo -b 8) -i 1 -o "$work/on.json" >"$work/out" 2>"$work/err"
		same "wrong neighbors of ${call#* }" "4 yes" "$? $(grep -q "topomap-bench: the communicator of ${call#* }v* on .* is wrong at rank 2: its neighbors are not those" \
			"$work/err" && echo yes)"
	done
}

check_refused()
{
	refused 1 'about ranks that communicate, and there is one' 1 guidelines -g GL4 -b 8
	refused 2 "--guideline: 'GL13' is no guideline (one of: GL1 to GL12" 2 guidelines -g GL4,GL13 -b 8
	refused 2 "--neighborhood: unknown neighborhood 'torus' (one of: vonneumann, moore, full)" 2 guidelines \
		-g GL4 -n torus -b 8
	# what would change nothing of what is measured
	refused 2 '--finite: 3 is of no grid that these guidelines compare' 2 guidelines -g GL4 -b 8 -d 2 --finite 1,3
	refused 2 '--dimensions: 2 is of no grid' 2 guidelines -g GL4 -b 8 -n full -d 2
	refused 2 '--radius: 7 is of no grid' 2 guidelines -g GL7,GL8 -b 8 --radius 7
	refused 2 '--radius: 3 is of no grid' 2 guidelines -g GL4 -b 8 -d 1 --order cart --radius 1,3
	refused 2 '--neighborhood: these guidelines compare nothing with moore here' 2 \
		guidelines -g GL4 -b 8 -d 1 -n moore,vonneumann --order cart
	refused 2 '--order: these guidelines compare nothing with linear here' 2 \
		guidelines -g GL4 -b 8 -n vonneumann --order fmaj,linear
	refused 2 "--order: unknown order of neighbors 'best'" 2 guidelines -g GL11 --order best -b 8
	refused 2 '--dimensions: 9 is not from 1 to 8' 2 guidelines -g GL4 -d 9 -b 8
	refused 2 '--neighborhood is of virtual topologies, of which no --guideline is named' 2 guidelines -n full -b 8
	refused 2 '--bytes is missing' 2 guidelines -g GL3,GL4
	refused 2 'communicators are made of no --bytes' 2 guidelines -g GL1-3 -b 8
	refused 2 '--root is of mock-ups' 2 guidelines -g GL4 -b 8 -r 1
	refused 1 'a rank has more than 1048576 neighbors' 2 guidelines -g GL4 -n moore -d 8 --radius 3 -b 8
	refused 1 'these guidelines compare nothing on these neighborhoods' 2 guidelines -g GL7 -n moore -b 8
	refused 2 '--guideline: none of these is about bcast' 2 guidelines -g GL4 -c bcast -b 8
	refused 1 '--bytes: .*: MPI cannot count 2147483648 bytes' 2 guidelines -g GL4 -n moore -d 1 -b 2GiB
	refused 1 '--bytes: neighbor_allgatherv: MPI cannot count 2 blocks of 1073741824 bytes' 2 guidelines -g GL5 \
		-n moore -d 1 -b 1GiB
	refused 1 '[0-9]* experiments are asked for, and the most are 100000' 2 guidelines \
		-g GL4-12 -d 1,2,3,4,5,6,7,8 --radius 1,2 -b 1..1GiB
}

topomap place 'node:1 core:2' -n 2 -o "$work/two.json"
last=
for flavour in openmpi mpich; do
	use_bench "$flavour" || continue
	yield=
	if [ "$flavour" = mpich ]; then # which turns while it waits: with more ranks than CPUs for long
		yield=$work/yield.so
		${CC:-cc} -shared -fPIC -D_GNU_SOURCE -o "$yield" tests/mpi/yield.c -ldl ||
			{ fail "yield.c does not compile"; continue; }
	fi
	case $flavour$WHOLE in
	openmpi) calls="3 8" constructors=4 ;;
	mpich) calls=3 constructors=3 ;;
	openmpi*) calls="2 3 4 5 8" constructors="2 4" ;;
	mpich*) calls="2 3 8" constructors="2 3 8" ;;
	esac
	for ranks in $calls; do check_calls "$ranks"; done
	for ranks in $constructors; do check_constructors "$ranks"; done
	! is_first || check_slow
	last=$flavour
done
# the same words whatever the library, and MPICH begins sooner
[ -z "$last" ] || { use_bench "$last" && check_refused; }
finish
