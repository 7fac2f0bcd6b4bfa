#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The example that is an MPI program, under real launchers: its broadcast over the tree of a
# communicator has the data of MPI_Bcast, which it compares itself, and its tree is that of the
# command line.
. "$(dirname "$0")/common.bash"
export PKG_CONFIG_PATH=$work LD_LIBRARY_PATH=$top/$build
sed "s,@LIBDIR@,$top/$build,; s,@INCLUDEDIR@,$top/include,; s,@VERSION@,0," lib/topomap.pc.in \
	>"$work/topomap.pc"

# parents COMM: those of the tree of a sub-communicator, by the command line
parents() { topomap tree --comm "$1" -f json "$work/job.json" | sed -n 's/^ *"parent": \[\(.*\)\].*/\1/p' | tr , ' '; }

for flavour in openmpi mpich; do
	use_mpi $flavour || continue
	if ! command -v mpicc.$flavour >/dev/null; then
		skip "$flavour: there is no mpicc.$flavour to build an example with"
		continue
	fi
	# shellcheck disable=SC2046
	if ! mpicc.$flavour -std=c11 -Wall -Wextra -Werror -pedantic -o "$work/bcast_tree" \
		examples/bcast_tree.c $(pkg-config --cflags --libs topomap) 2>"$work/log"; then
		fail "bcast_tree.c does not compile"
		cat "$work/log"
		continue
	fi
	for ranks in 1 2 7; do
		launch $ranks "$probe" -o "$work/job.json" 2>"$work/err" || { fail "the probe"; cat "$work/err"; }
		wanted="even ranks, parents: $(parents "0-$((ranks - 1))/2")"
		[ $ranks -eq 1 ] || wanted+=$'\n'"odd ranks, parents: $(parents "1-$((ranks - 1))/2")"
		# launchers pass on the lines of several ranks in any order
		same "the trees of $ranks ranks" "$wanted" \
			"$(launch $ranks "$work/bcast_tree" "$work/job.json" 2>"$work/err" | sort)"
	done
	same "a placement of other ranks ends the job, and one rank says why" 1 \
		"$(launch 3 "$work/bcast_tree" "$work/job.json" 2>&1 |
			grep -c '^bcast_tree: the placement is that of another number of ranks$')"
	export TOPOMAP_PLACEMENT=$work/job.json
	launch 7 "$work/bcast_tree" >"$work/out" 2>&1 && pass || fail "TOPOMAP_PLACEMENT is not read"
	export TOPOMAP_PLACEMENT=$work/nothing.json
	launch 2 "$work/bcast_tree" >"$work/out" 2>&1 && fail "a missing placement is no error" || pass
	unset TOPOMAP_PLACEMENT
done
finish
