#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Does a suggestion do harm where nobody has measured the costs? Oracle: SimGrid SMPI, which replays
# the messages of twelve patterns on six platforms of 16 to 128 cores that no published profile is of;
# suggest-rankfile is told nothing of them but the machine's levels. From three starts (block, cyclic,
# random) it must never be slower than 1.05 times as launched, and in 95 of 100 cases not slower than
# 1.02 times the best of as launched, block, cyclic and random; and the order that is said to be changed
# is another one, the one that is not is the same. All orders of a platform are one simulation.
#
# WHOLE=1 (make check-long): all six platforms, each with its lines as it ends; else a sample. PLATFORMS=
# and PATTERNS= name some.
cd "$(dirname "$0")/../.." || exit 3
# What a message below 64 KiB takes does not depend on its receiver, as in most libraries.
EAGER=${EAGER:-65536}
. tests/smpi/judge.bash
shopt -s extglob
patterns=${PATTERNS:-"allgather:ring:64KiB allgather:ring:1KiB allgather:bruck:16KiB
	allgather:recursive_doubling:64KiB allreduce:ring:1MiB allreduce:recursive_doubling:64
	bcast:binomial_far:1MiB bcast:binomial_near:64KiB alltoall:pairwise:64KiB alltoall:bruck:64
	grid:0x0:256KiB matrix:5:64KiB"}
platforms=fast_packages_32
[ -z "$WHOLE" ] || platforms="nodes_16 fast_packages_32 slow_network_32 packages_64 fat_tree_64
	three_levels_128"
starts="--map-by=core --map-by=node --shuffle=7"
effort=${EFFORT:-20000000}

# Every rank sends some others something: the matrix is not symmetric, and has no structure.
write_matrix()
{
	awk -v p="$1" -v seed="$2" -v bytes=65536 'BEGIN {
		srand(seed)
		for (r = 0; r < p; r++)
			for (k = 0; k < 4; k++) {
				to = int(rand() * p)
				if (to != r) print r, to, int(bytes * (1 + 3 * rand()))
			}
	}' | sort -n | awk '$1 != a || $2 != b { print } { a = $1; b = $2 }'
}

# options PATTERN: what suggest-rankfile is told
options_of()
{
	local collective algorithm bytes
	IFS=: read -r collective algorithm bytes <<<"$1"
	case $collective in
	grid) echo "--cart $algorithm --bytes $bytes" ;;
	matrix) echo "--matrix $work/matrix.list" ;;
	*) echo "--for $1" ;;
	esac
}

# messages_of PATTERN: "round from to bytes", a line each
messages_of()
{
	local collective algorithm bytes what
	IFS=: read -r collective algorithm bytes <<<"$1"
	case $collective in
	matrix) awk '{ print 0, $0 }' "$work/matrix.list" && return ;;
	grid) what="-c neighbor_alltoall -a linear --stencil cart --cart $algorithm" ;;
	*) what="-c $collective -a $algorithm" ;;
	esac
	# shellcheck disable=SC2086
	topomap schedule $what -b "$bytes" -n "$cores" -f json |
		sed -n 's/.*"round": \([0-9]*\), "from": \([0-9]*\), "to": \([0-9]*\), "bytes": \([0-9]*\).*/\1 \2 \3 \4/p'
}

# places_of DOCUMENT: the place of each rank, cores being counted through all nodes
places_of()
{
	topomap inspect -f json --ranks "0-$((cores - 1))" "$1" >"$work/ranks" || exit 3
	judge_hosts | sed s/h//
}

# suggest PATTERN START NUMBER: the places that are suggested
suggest()
{
	# shellcheck disable=SC2046
	topomap suggest-rankfile $(options_of "$1") --effort "$effort" -f json -o "$work/suggestion.json" \
		"$work/start.$3.json" 2>"$work/log" || { cat "$work/log"; exit 3; }
	places_of "$work/suggestion.json" >"$4"
	if grep -q '"changed": true' "$work/suggestion.json"; then
		! cmp -s "$4" "$work/places.$3"
	else
		grep -q '"changed": false' "$work/suggestion.json" && cmp -s "$4" "$work/places.$3"
	fi || { echo "FAILED  $1 $2: \"changed\" is not what became of the ranks"; exit 1; }
}

# judge_harm PLATFORM: "PLATFORM PATTERN START SUGGESTED LAUNCHED BLOCK CYCLIC RANDOM" seconds
judge_harm()
{
	local machine network=() pattern start number=0 n
	judge_platform "$1"
	cores=$(judge_cores)
	mapfile -t machine <"$work/machine"
	[ ! -s "$work/network" ] ||
		network=(--hosts "n[0-$((${#machine[@]} - 1))]" --network "$work/network")
	for start in $starts; do
		topomap place "${machine[@]}" "${network[@]}" "$start" -o "$work/start.$number.json" || exit 3
		places_of "$work/start.$number.json" >"$work/places.$number"
		number=$((number + 1))
	done
	write_matrix "$cores" 5 >"$work/matrix.list"
	number=0
	: >"$work/pairs"
	for pattern in $patterns; do
		messages_of "$pattern" >"$work/messages.$number"
		[ -s "$work/messages.$number" ] || { echo "FAILED  $pattern has no messages"; exit 1; }
		n=0
		for start in $starts; do
			suggest "$pattern" "$start" $n "$work/places.$number.$n" || exit 1
			echo "$work/messages.$number $work/places.$n" >>"$work/pairs"
			echo "$work/messages.$number $work/places.$number.$n" >>"$work/pairs"
			n=$((n + 1))
		done
		number=$((number + 1))
	done
	"$work/orders" "$work/messages" "$cores" <"$work/pairs" || exit 3
	seq -f 'h%g' 0 $((cores - 1)) >"$work/hosts"
	smpirun -np "$cores" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		"$work/replay" "$work/messages" >"$work/simulated" 2>"$work/log" ||
		{ cat "$work/log"; exit 3; }
	[ "$(wc -l <"$work/simulated")" = "$(wc -l <"$work/pairs")" ] ||
		{ echo "FAILED  smpirun said no time"; exit 1; }
	awk -v platform="$1" -v patterns="$patterns" '
		BEGIN { split(patterns, pattern, " "); split("block cyclic random", start, " ") }
		{ time[NR] = $1 }
		END {
			for (i = 0; 6 * i < NR; i++)
				for (s = 0; s < 3; s++)
					print platform, pattern[i + 1], start[s + 1],
						time[6 * i + 2 * s + 2], time[6 * i + 2 * s + 1],
						time[6 * i + 1], time[6 * i + 3], time[6 * i + 5]
		}' "$work/simulated" >"$work/times"
	cat "$work/times" >>"$work/all"
}

judge_begin
"${CC:-cc}" -O1 -o "$work/orders" tests/smpi/orders.c || exit 3
: >"$work/all"
for platform in ${PLATFORMS:-$platforms}; do
	judge_harm "$platform"
	awk '{ best = $5; for (k = 6; k <= 8; k++) if ($k < best) best = $k
		printf "%-20s %-34s %-7s launched %10.2f us, suggested %10.2f us: %.3f of it, %.3f of the best%s\n",
			$1, $2, $3, 1e6 * $5, 1e6 * $4, $4 / $5, $4 / best,
			($4 > 1.05 * $5 ? "  HARM" : $4 > 1.02 * best ? "  above" : "") }' "$work/times"
done
awk -v share="${SHARE:-0.95}" '
	{ best = $5; for (k = 6; k <= 8; k++) if ($k < best) best = $k
	  count++; near += $4 <= 1.02 * best; harm += $4 > 1.05 * $5; gain += log($5 / $4)
	  if ($4 / $5 > worst) worst = $4 / $5 }
	END {
		printf "%d of %d not above 1.02 of the best, %d above 1.05 as launched (worst %.3f); %.2f times as fast as launched\n",
			near, count, harm, worst, exp(gain / count)
		exit !(count && near >= share * count && !harm)
	}' "$work/all" && echo "$(wc -l <"$work/all") passed, 0 failed, 0 skipped" ||
	{ echo "0 passed, 1 failed, 0 skipped"; exit 1; }
