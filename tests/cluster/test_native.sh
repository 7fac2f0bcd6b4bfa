#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# All algorithms of Open MPI 4.1's allgather, bcast and allreduce (native:NAME of topomap-bench), beside
# topomap's of the same name and all others of topomap's: 16 ranks on four hosts of slow cables, by
# slot and by node. Oracles: the seconds of the library's own calls; the kernel's counters of the
# cables.
#
#   * Where both are the same algorithm, the same bytes go over each host's cable (cables.bash), and the
#     least times of both differ by at most SAME percent: of a pair that is measured by itself, one right
#     after the other in an order that is drawn, in several launches. A pair that differs is measured in
#     up to three launches more before it counts: of what else the machine does, one of two neighbours may
#     get more than the other.
#   * The best of topomap's is MUCH times as fast as what the library takes by itself, in some of the
#     calls at least: the median of its worst launch against that of the library's best. Where that is not
#     so nothing is claimed.
#
# Two programs that send the same messages take the same time only where nothing happens that is not in
# their algorithms. Three things did: a cable that drops what waits longer than 50 ms, so that TCP waits
# for 200 ms; handshakes of messages above the eager limit, which wait until a rank that has other work
# looks at them; and sockets whose room grows with what was sent before. So here nothing is dropped, all
# messages are eager, and all sockets have as much room.
#
# The cables decide, not the CPUs: the slower they are, and the larger the messages, the less does it
# matter what else runs. RATE=10mbit, LAUNCHES=5, QUESTIONS="allgather:64KiB", ORDERS=node,
# ALGORITHMS="ring bruck" (these in both hands, and what the library takes), BYTES=no (no counters)
# take others.
#
# A launch, or the bytes of a pair, is a file of its own in SLICES (build/slices/native), written when it has
# ended, with a line in SLICES/log; so whoever was interrupted goes on where he stopped, until topomap-bench
# is built anew or other options are given:
#
#     make check-native BUDGET=500         begins nothing more after so many seconds, and prints what there
#                                          is; again and again, until it says "nothing left to measure"
#     make check-native PRINT=yes          only the tables, of what there is: it needs no hosts
#
# TRIES=3: so many launches more of a pair that differs. "SLICES=" keeps nothing.
SAME=${SAME:-15} MUCH=${MUCH:-2} rate=${RATE:-20mbit} launches=${LAUNCHES:-3} tries=${TRIES:-3}
questions=${QUESTIONS:-"allgather:32KiB bcast:256KiB allreduce:256KiB"} orders=${ORDERS:-"slot node"}
if [ -n "${PRINT:-}" ]; then
	. "$(dirname "$0")/../mpi/common.bash"
	bench=${BUILD:-build}/topomap-bench work=$(mktemp -d) || exit 3
	trap 'rm -rf "$work"' EXIT
	[ -e "$bench" ] || echo "$bench is not built: whether these are of the present one is not known"
else
	. "$(dirname "$0")/cables.bash"
	if [ "$openmpi_major" -ge 5 ]; then
		skip "Open MPI $openmpi_major has other algorithms"
		finish
	fi
fi
kept=${SLICES-${BUILD:-build}/slices/native} key=$(echo "$rate ${ALGORITHMS:-}" | cksum)
: "${kept:=$work/slices}"
left=0 budget=${BUDGET:-1000000000} speed=fast
SECONDS=0

# COLLECTIVE: options of topomap-bench collective. Flat trees are no row of their own.
words_of()
{
	local name
	if [ -n "${ALGORITHMS:-}" ]; then
		echo "-a native"
		for name in $ALGORITHMS; do echo "-a $name -a native:$name"; done
		return
	fi
	echo "-a all"
	[ "$1" != allreduce ] || echo "-a reduce_bcast,reduce=flat,bcast=flat"
}

# all of Open MPI's messages are eager, and its sockets have as much room as Linux gives a socket that asks
# for none
plainly=(--mca btl_tcp_eager_limit 4194304 --mca btl_tcp_rndv_eager_limit 4194304
	--mca btl_tcp_max_send_size 4194304 --mca btl_tcp_sndbuf 212992 --mca btl_tcp_rcvbuf 212992)

# ORDER QUESTION: where its files are; those of another topomap-bench go
slice_of() { echo "$kept/$1.${2/:/.}.${key%% *}"; }
slice_begin()
{
	local slice
	slice=$(slice_of "$1" "$2")
	mkdir -p "$slice" || exit 3
	find "$slice" -type f ! -newer "$bench" -delete
}

# ORDER QUESTION FILE fast|slow COMMAND...: what the command writes, unless it is there; 1: it is not
unit()
{
	local slice file begin=$SECONDS failures=$failed
	slice=$(slice_of "$1" "$2")
	file=$slice/$3
	if [ -s "$file" ]; then pass; return 0; fi
	if [ "$SECONDS" -ge "$budget" ]; then left=$((left + 1)); return 1; fi
	if [ "$4" != "$speed" ]; then
		speed=$4
		if [ "$speed" = slow ]; then hosts_slow "$rate" 8kb 10s || exit 3; else hosts_fast; fi
	fi
	if ! "${@:5}" >"$work/unit" || [ "$failed" != "$failures" ]; then
		cat "$work/unit" # why
		left=$((left + 1))
		return 1
	fi
	echo "# $(date -u +%FT%TZ)" >>"$work/unit"
	mv "$work/unit" "$file"
	echo "$(date -u +%FT%TZ) $1 $2 $3 $((SECONDS - begin)) s" >>"$kept/log"
}

# ORDER QUESTION WORD...: another launch; lines "ALGORITHM MEDIAN MIN"
measure()
{
	run_16 "$1" "${plainly[@]}" "$bench" collective -c "${2%:*}" -b "${2#*:}" "${@:3}" -i 3 -f csv \
		--placement "$work/$1.json" >"$work/times.csv" ||
		{ fail "$2 by $1: $(tail -5 "$work/err")"; return 1; }
	same "results of $2 by $1" "" "$(grep -v ',true,' "$work/times.csv" | sed 1d)"
	sed 's/"\([^"]*\)"/\1/; s/,\([a-z]*=\)/;\1/g' "$work/times.csv" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $2, $column["median_seconds"], $column["min_seconds"] }'
}

# ORDER QUESTION: the library's algorithms, a line each; as fast as they are
names()
{
	run_16 "$1" "$bench" collective -c "${2%:*}" -b "${2#*:}" -a native:all -i 1 -f csv \
		--placement "$work/$1.json" >"$work/times.csv" ||
		{ fail "$2 by $1: $(tail -5 "$work/err")"; return 1; }
	sed '1d; s/"\([^"]*\)"/\1/; s/,blocking.*//; s/^[^:]*://' "$work/times.csv"
}

# ORDER QUESTION: "ALGORITHM MEDIAN MIN" of all launches
times_of() { cat "$(slice_of "$1" "$2")"/{all,pair,again}.* 2>/dev/null | grep -v '^#'; }

# < TIMES: "ALGORITHM MEDIAN LEAST MOST" over the launches
medians_of()
{
	cut -d" " -f1,2 | sort -k1,1 -k2,2g | awk '
		function put() {
			if (n)
				print name, (time[int((n + 1) / 2)] + time[int(n / 2) + 1]) / 2, time[1], time[n]
			n = 0
		}
		$1 != name { put(); name = $1 }
		{ time[++n] = $2 }
		END { put() }'
}

# < TIMES: "NAME NATIVE OWN", the least times of those that both have
pairs_in()
{
	awk '
		!($1 in least) || $3 < least[$1] { least[$1] = $3 }
		END {
			for (name in least)
				if ("native:" name in least)
					print name, least["native:" name], least[name]
		}' | sort
}

differing() { times_of "$1" "$2" | pairs_in | awk -v same="$SAME" '
	{ ratio = $3 / $2; if (ratio < 1) ratio = 1 / ratio; if (ratio > 1 + same / 100) print $1 }'; }

# ORDER QUESTION FILE NAME: a launch of a pair
measure_pair() { unit "$1" "$2" "$3.${4//\//_}" slow measure "$1" "$2" -a "${4//;/,}" -a "native:${4//;/,}"; }

# ORDER QUESTION: until no pair differs, or there is no try left
measure_again()
{
	local try name
	for ((try = 0; try < tries; try++)); do
		for name in $(differing "$1" "$2"); do measure_pair "$1" "$2" "again.$try" "$name"; done
	done
}

# ORDER QUESTION: all that is measured of it, as far as there is time
measure_slice()
{
	local launch name slice
	slice=$(slice_of "$1" "$2")
	slice_begin "$1" "$2"
	if [ "${BYTES:-}" != no ]; then
		unit "$1" "$2" names fast names "$1" "$2" &&
			for name in $(grep -v '^#' "$slice/names"); do
				unit "$1" "$2" "bytes.${name//\//_}" fast compare_cables "$1" "${2%:*}" 1MiB "$name" 5
			done
	fi
	for ((launch = 0; launch < launches; launch++)); do
		# shellcheck disable=SC2046
		unit "$1" "$2" "all.$launch" slow measure "$1" "$2" $(words_of "${2%:*}")
	done
	# which pairs there are is known from the first launch on
	[ -s "$slice/all.0" ] || return
	for ((launch = 0; launch < launches; launch++)); do
		for name in $(times_of "$1" "$2" | pairs_in | cut -d' ' -f1); do
			measure_pair "$1" "$2" "pair.$launch" "$name"
		done
	done
	measure_again "$1" "$2"
}

# ORDER QUESTION: what was measured
print_pairs()
{
	local slice older
	slice=$(slice_of "$1" "$2")
	older=$(find "$slice" -type f ! -newer "$bench" 2>/dev/null | wc -l)
	printf '\n%s by %s, cables of %s, least seconds of %d launches; bytes of %d pairs alike\n%-34s %9s %9s %6s\n' \
		"${2/:/ of }" "$1" "$rate" "$(find "$slice" -name 'all.*' -o -name 'pair.*' -o -name 'again.*' | wc -l)" \
		"$(find "$slice" -name 'bytes.*' | wc -l)" "" "Open MPI" topomap ratio
	[ "$older" -eq 0 ] || echo "$older of these measurements are of an older topomap-bench: the next run makes them anew"
	times_of "$1" "$2" | pairs_in | awk '{ printf "%-34s %9.3f %9.3f %6.2f\n", $1, $2, $3, $3 / $2 }'
}

# ORDER QUESTION: "ORDER QUESTION NATIVE BEST NAME GAIN SURE", the gain of the medians and the least one
gain_of()
{
	times_of "$1" "$2" | medians_of | awk -v what="$1 $2" '
		$1 == "native" { native = $2; least = $3 }
		$1 !~ /^native/ && (!best || $2 < best) { best = $2; most = $4; name = $1 }
		END { if (native && best) print what, native, best, name, native / best, least / most }'
}

for order in $orders; do
	for question in $questions; do
		[ -n "${PRINT:-}" ] || measure_slice "$order" "$question"
		[ -d "$(slice_of "$order" "$question")" ] || continue
		print_pairs "$order" "$question"
		# with launches to come it is no verdict yet
		[ -n "${PRINT:-}" ] || [ "$left" -gt 0 ] ||
			same "$question by $order: more than $SAME % apart" "" "$(differing "$order" "$question")"
		gain_of "$order" "$question" >>"$work/gains"
	done
done
[ "$speed" = fast ] || hosts_fast

printf '\n%-22s %-6s %9s %9s  %-22s %6s %6s\n' "" by "Open MPI" topomap "" gain sure
[ ! -s "$work/gains" ] || sed 's/:/ /' "$work/gains" | awk '{
	printf "%-10s %11s %-6s %9.3f %9.3f  %-22s %6.2f %6.2f\n", $2, $3, $1, $4, $5, $6, $7, $8 }'
[ -z "${PRINT:-}" ] || exit 0
if [ "$left" -gt 0 ]; then
	skip "$left measurements and more are left after $SECONDS s: the next run goes on from here"
	finish
fi
echo "nothing left to measure"
# of some of the calls nobody has promised that
[ -z "${QUESTIONS:-}${ORDERS:-}${ALGORITHMS:-}" ] || finish
same "twice as fast somewhere" yes "$(awk -v much="$MUCH" '$7 >= much { found = 1 }
	END { print found ? "yes" : "no" }' "$work/gains")"
finish
