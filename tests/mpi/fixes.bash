# SPDX-License-Identifier: BSD-3-Clause
# The words that inspect --lint offers as fixes to jobs that were probed under a launcher; sourced by
# tests that hand them to that launcher.
machine=$PWD/tests/data/2package-2numa-3core-2pu.xml

coreless=$PWD/tests/data/2package-4pu.xml

# NODES OPTIONS: placements in which each rule that has words finds something. A node has 12 cores of
# two hardware threads.
jobs="1 -n 4 --map-by core --bind-to none
1 -n 30 --slots 30 --bind-to none
1 -n 16 --slots 16 --bind-to none
1 -n 4 --map-by core --bind-to core:overload-allowed --slots 4
1 -n 8 --map-by hwthread --bind-to hwthread
1 -n 6 --map-by core --bind-to core
1 -n 4 --map-by socket --bind-to socket
4 -n 64 --slots 16 --bind-to none
4 -n 96 --map-by hwthread --bind-to hwthread
4 -n 8 --map-by node --bind-to core
4 -n 8 --map-by node --bind-to numa
4 -n 16 --map-by node:PE=2 --bind-to core
4 -n 20 --map-by socket --bind-to socket
2 -n 12 --map-by ppr:6:node --bind-to core
2 -n 10 --map-by ppr:5:node --bind-to core
2 -n 12 --map-by ppr:6:node --bind-to none
2 -n 20 --map-by core --bind-to core"

# THREADS OPTIONS: of ranks that run so many threads, on one node
threaded="4 -n 2 --map-by core --bind-to none
3 -n 4 --map-by core --bind-to core
6 -n 2 --map-by core --bind-to core
5 -n 2 --map-by core --bind-to core
2 -n 4 --map-by core --bind-to core
2 -n 6 --map-by core --bind-to core
2 -n 2 --map-by core --bind-to core
2 -n 2 --map-by numa --bind-to core"

# NODES OPTIONS: on nodes of 8 PUs in two packages, without cores
few="1 -n 4 --map-by hwthread --bind-to none
1 -n 16 --slots 16 --bind-to none
1 -n 2 --map-by hwthread --bind-to hwthread:overload-allowed --slots 2
1 -n 4 --map-by hwthread --bind-to hwthread
2 -n 4 --map-by node --bind-to hwthread
2 -n 12 --map-by hwthread --bind-to hwthread"

# probed LAUNCHER MPI: a placement as if it were the probe's under that launcher
probed()
{
	sed "s|\"by\": .*|\"by\": \"topomap-probe\",|; s|\"request\": .*|\"mpi\": \"$2\", \"launcher\": \"$1\"|"
}

# machine_of NODES: what topomap place takes
machine_of() { echo "$1*$machine"; }

# with_threads COUNT: all ranks run so many
with_threads()
{
	sed "s/^  \"ranks\": {/  \"settings\": [{\"environment\": {\"OMP_NUM_THREADS\": \"$1\"}}],\n&/"
}

# fixes_of NODES NAME: of the placement on standard input, as "NODES RANKS RULE WORDS"
fixes_of()
{
	# of what goes with a list of hosts the tests of one host have no use
	topomap inspect -f json | grep -v 'keeps its [0-9]* rank' | awk -v nodes="$1" '
		$1 == "\"size\":" { ranks = $2 + 0 }
		$1 == "\"findings\":" { lint = 1 }
		lint && $1 == "\"name\":" { rule = $2 }
		lint && $1 == "\"fix\":" { gsub("[\",]", "", rule); print nodes, ranks, rule, $0 }' |
		sed -n "s/^\([^ ]* [^ ]* [^ ]*\)  *\"fix\": .*\(: \| with \|, \)\(-.*\) ($2).*/\1 \3/p"
}

# offered LAUNCHER MPI NAME: the fixes of lint for each placement in the words of the launcher; NAME
# is a basic regular expression.
offered()
{
	local nodes options
	while read -r nodes options; do
		# shellcheck disable=SC2086
		topomap place "$(machine_of "$nodes")" $options | probed "$1" "$2" | fixes_of "$nodes" "$3"
	done <<<"$jobs" | sort -u
}

# offered_threads LAUNCHER MPI NAME: the same of threaded, with the threads before each
offered_threads()
{
	local threads options
	while read -r threads options; do
		# shellcheck disable=SC2086
		topomap place "$(machine_of 1)" $options | probed "$1" "$2" | with_threads "$threads" |
			fixes_of 1 "$3" | sed "s/^/$threads /"
	done <<<"$threaded" | sort -u
}
