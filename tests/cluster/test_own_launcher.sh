#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A job is probed under its launcher on four hosts that are this machine; without --launcher the
# suggestion must be for that very launcher and release, and the command line that was printed,
# followed by that launcher, must give the suggested places. Oracle: the launcher's --version, and
# the kernel, which the probe asks.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need

hosts_start a b c d
trap 'hosts_stop; rm -rf "$work"' EXIT

# cyclic WORD...: two ranks a host, one after the other on the next host
cyclic()
{
	case $mpi in
	openmpi) hosts_openmpi --host a:2,b:2,c:2,d:2 -np 8 --map-by node --bind-to core "$@" ;;
	mpich) hosts_hydra -hosts a:2,b:2,c:2,d:2 -ppn 1 -n 8 -bind-to core "$@" ;;
	esac </dev/null
}

# What is expected of the release that is installed: row, and reason
expect_row()
{
	release=$("$mpirun" --version | sed -n 's/.* \([0-9][0-9]*\.[0-9.]*\).*/\1/p' | head -n 1)
	case $mpi,$release in
	openmpi,[234].*) echo "openmpi4, as the probe ran under Open MPI $release." ;;
	openmpi,*) echo "openmpi5, as the probe ran under Open MPI $release." ;;
	mpich,[34].* | mpich,5.0*) echo "hydra40, as the probe ran under Hydra $release." ;;
	mpich,*) echo "hydra, as the probe ran under Hydra $release." ;;
	esac
}

follow()
{
	local words
	words=$(sed -n 's/^  mpi[a-z.]* \(.*\) PROGRAM$/\1/p' "$work/table")
	case $mpi in
	openmpi) eval "hosts_openmpi $words $probe -o $work/after.json" ;;
	mpich) eval "hosts_hydra $words $probe -o $work/after.json" ;;
	esac </dev/null >"$work/out" 2>"$work/err" || cat "$work/out" "$work/err"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	rm -f "$work"/*.json "$work/file"
	cyclic "$probe" -o "$work/job.json" 2>"$work/err" || cat "$work/err"
	wanted=$(expect_row)
	# the ring of ranks goes from host to host; afterwards two at a time are on one
	for mapper in walk identity; do
		topomap suggest-rankfile -m $mapper "$work/job.json" -o "$work/file" 2>"$work/table"
		topomap suggest-rankfile -m $mapper -f json "$work/job.json" \
			-o "$work/suggestion.json" 2>/dev/null
		same "$mapper: the launcher and its release are assumed" "This is for $wanted" \
			"$(grep '^This is for' "$work/table")"
		same "$mapper: the file has them in a comment" "# for ${wanted%.}" \
			"$(head -n 1 "$work/file")"
		same "$mapper: the document has them" "${wanted%%,*}" \
			"$(sed -n 's/^  "launcher": "\(.*\)",$/\1/p' "$work/suggestion.json")"
		follow
		topomap compare --expect "$work/suggestion.json" "$work/after.json" \
			>"$work/out" 2>&1
		same "$mapper: every rank is where it was suggested" "0 moved     no rank" \
			"$? $(grep '^moved\|: ' "$work/out")"
		topomap suggest-rankfile -m identity "$work/suggestion.json" 2>&1 >/dev/null |
			grep '^This is for' >"$work/out"
		same "$mapper: a suggestion is for it, too" "This is for $wanted" \
			"$(cat "$work/out")"
	done
	same "walk has moved ranks" "other than as launched" "$(
		topomap suggest-rankfile -m walk -f json "$work/job.json" 2>/dev/null |
		grep -q '"place_of": \[0, 1, 2' || echo "other than as launched")"
	topomap suggest-rankfile -m identity --launcher flux "$work/job.json" 2>&1 >/dev/null |
		grep -c '^Note: this is for flux (Flux), but the probe ran under' >"$work/out"
	same "another launcher gets one note" 1 "$(cat "$work/out")"
done
finish
