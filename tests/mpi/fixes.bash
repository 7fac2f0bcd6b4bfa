# SPDX-License-Identifier: BSD-3-Clause
# The words that inspect --lint offers as fixes to jobs that were probed under a launcher; sourced by
# tests that hand them to that launcher.
machine=$PWD/tests/data/2package-2numa-3core-2pu.xml

# placements in which each rule that has words finds something
jobs="-n 4 --map-by core --bind-to none
-n 4 --map-by core --bind-to core:overload-allowed --slots 4
-n 8 --map-by hwthread --bind-to hwthread
-n 2 --map-by node --bind-to none
-n 4 --map-by socket --bind-to socket"

# probed LAUNCHER MPI: a placement as if it were the probe's under that launcher
probed()
{
	sed "s|\"by\": .*|\"by\": \"topomap-probe\",|; s|\"request\": .*|\"mpi\": \"$2\", \"launcher\": \"$1\"|"
}

# The fixes of lint for placements of all kinds, one a line, without other sentences: what stands
# in front of the launcher's name, up to "or"; N is 2, and of two hosts one is here.
offered()
{
	{
		for nodes in "4*$machine" "$machine"; do
			while read -r options; do
				# shellcheck disable=SC2086
				topomap place "$nodes" $options 2>/dev/null |
					probed "$1" "$2" | topomap inspect --lint -f json 2>/dev/null
			done <<<"$jobs"
		done
		topomap place 'node:2 core:4' -n 7 --map-by core | probed "$1" "$2" |
			topomap inspect --lint -f json 2>/dev/null
		printf 'rank 0=n0 slot=0-2\nrank 1=n0 slot=3\n' |
			topomap place 'node:1 package:2 core:2' --rankfile - | probed "$1" "$2" |
			sed '/"launcher": "openmpi4"/d' | topomap inspect --lint -f json 2>/dev/null
		topomap place 'node:2 package:2 core:2' -n 8 --map-by node | probed "$1" "$2" |
			topomap inspect --lint -f json 2>/dev/null
	} | sed -n "s/^ *\"mend\": \".*\(: \| with \)\(-.*\) ($3).*/\2/p" |
		sed 's/ or /\n/g; s/ for N ranks on a node//; s/=N\b/=2/; s/ N$/ 2/; s/^-n 8 /-n 4 /' |
		sort -u
}
