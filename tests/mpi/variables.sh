#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The variables by which topomap score selects algorithms of MPICH are known to the MPICH that is
# installed, with these values. Oracle: the library, which names its variables and stops at a
# value that it does not know.
. "$(dirname "$0")/common.bash"
mpi=mpich
command -v mpicc.mpich >/dev/null || { skip "there is no mpicc.mpich"; finish; }
mpicc.mpich -std=c11 -o "$work/knows" tests/mpi/knows.c || exit 3
version=$(mpichversion 2>/dev/null | sed -n 's/^MPICH Version:[ \t]*//p')
[ -n "$version" ] || { skip "mpichversion does not say which MPICH it is"; finish; }

# VERSION: is it this one or a later one?
has() { [ "$(printf '%s\n' "$1" "$version" | sort -V | head -n 1)" = "$1" ]; }

# WORD...: variables of the environment
takes()
{
	local names=()
	for word; do names+=("${word%%=*}"); done
	env "$@" "$work/knows" "${names[@]}"
}

takes MPIR_CVAR_BCAST_INTRA_ALGORITHM=none >/dev/null 2>&1 && fail "any value is taken"
takes MPIR_CVAR_NONE=1 >/dev/null 2>&1 && fail "any variable is known"
for job in "node:1 core:8" "node:2 core:4"; do
	topomap place "$job" -o "$work/job.json"
	for collective in barrier allgather bcast reduce allreduce reduce_scatter \
		reduce_scatter_block gather scatter alltoall scan exscan; do
		topomap score -c $collective $([ $collective = barrier ] || echo "-b 4096") -f json \
			"$work/job.json" | awk '
			function value() { sub(/^[^:]*: "?/, ""); sub(/"?,?$/, ""); return $0 }
			/^      "name"/ { name = value() }
			/^        "mpich": "/ { words = value(); since = 4 }
			/^        "mpich_since"/ { since = value() }
			/^        "ucc"/ && words { print name, since, words; words = "" }'
	done
done | sort -u >"$work/knobs"
while read -r name since words; do
	has "$since" || continue
	# shellcheck disable=SC2086
	if takes $words >"$work/said" 2>&1; then
		pass
	else
		fail "$name: $words: $(head -n 1 "$work/said")"
	fi
done <"$work/knobs"
finish
