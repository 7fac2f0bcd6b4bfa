# SPDX-License-Identifier: BSD-3-Clause
# The words that inspect --lint offers as fixes to jobs that were probed under a launcher; sourced by
# tests that hand them to that launcher.
machine=$PWD/tests/data/2package-2numa-3core-2pu.xml

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
2 -n 20 --map-by core --bind-to core"

# probed LAUNCHER MPI: a placement as if it were the probe's under that launcher
probed()
{
	sed "s|\"by\": .*|\"by\": \"topomap-probe\",|; s|\"request\": .*|\"mpi\": \"$2\", \"launcher\": \"$1\"|"
}

# machine_of NODES: what topomap place takes
machine_of() { echo "$1*$machine"; }

# offered LAUNCHER MPI NAME: the fixes of lint for each placement in the words of the launcher, as
# "NODES RANKS RULE WORDS"; NAME is a basic regular expression.
offered()
{
	local nodes options
	while read -r nodes options; do
		# shellcheck disable=SC2086
		topomap place "$(machine_of "$nodes")" $options | probed "$1" "$2" |
			topomap inspect -f json | awk -v nodes="$nodes" '
			$1 == "\"size\":" { ranks = $2 + 0 }
			$1 == "\"findings\":" { lint = 1 }
			lint && $1 == "\"name\":" { rule = $2 }
			lint && $1 == "\"fix\":" { gsub("[\",]", "", rule); print nodes, ranks, rule, $0 }'
	done <<<"$jobs" |
		sed -n "s/^\([^ ]* [^ ]* [^ ]*\)  *\"fix\": .*\(: \| with \|, \)\(-.*\) ($3).*/\1 \3/p" |
		sort -u
}
