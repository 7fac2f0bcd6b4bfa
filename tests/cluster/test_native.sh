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
# What was measured without a failure is kept in SLICES (build/slices/native), a file for each question and
# order: whoever was interrupted goes on where he stopped, until topomap-bench is built anew or other
# options are given. "SLICES=" keeps nothing.
. "$(dirname "$0")/cables.bash"
SAME=${SAME:-15} MUCH=${MUCH:-2} rate=${RATE:-20mbit} launches=${LAUNCHES:-3}
questions=${QUESTIONS:-"allgather:32KiB bcast:256KiB allreduce:256KiB"} orders=${ORDERS:-"slot node"}
if [ "$openmpi_major" -ge 5 ]; then
	skip "Open MPI $openmpi_major has other algorithms"
	finish
fi

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

# ORDER QUESTION WORD...: another launch; lines "ALGORITHM MEDIAN MIN" are added to its file
measure()
{
	local times=$work/$1.${2%:*}
	run_16 "$1" "${plainly[@]}" "$bench" collective -c "${2%:*}" -b "${2#*:}" "${@:3}" -i 3 -f csv \
		--placement "$work/$1.json" >"$work/times.csv" ||
		{ fail "$2 by $1: $(tail -5 "$work/err")"; return 1; }
	same "results of $2 by $1" "" "$(grep -v ',true,' "$work/times.csv" | sed 1d)"
	sed 's/"\([^"]*\)"/\1/; s/,\([a-z]*=\)/;\1/g' "$work/times.csv" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $2, $column["median_seconds"], $column["min_seconds"] }' >>"$times"
}

# FILE: "ALGORITHM MEDIAN LEAST MOST" over the launches
medians_of()
{
	cut -d" " -f1,2 "$1" | sort -k1,1 -k2,2g | awk '
		function put() {
			if (n)
				print name, (time[int((n + 1) / 2)] + time[int(n / 2) + 1]) / 2, time[1], time[n]
			n = 0
		}
		$1 != name { put(); name = $1 }
		{ time[++n] = $2 }
		END { put() }'
}

# FILE: "NAME NATIVE OWN", the least times of those that both have
pairs_in()
{
	awk '
		!($1 in least) || $3 < least[$1] { least[$1] = $3 }
		END {
			for (name in least)
				if ("native:" name in least)
					print name, least["native:" name], least[name]
		}' "$1" | sort
}

differing() { pairs_in "$1" | awk -v same="$SAME" '
	{ ratio = $3 / $2; if (ratio < 1) ratio = 1 / ratio; if (ratio > 1 + same / 100) print $1 }'; }

# ORDER QUESTION NAME: a launch of a pair
measure_pair() { measure "$1" "$2" -a "${3//;/,}" -a "native:${3//;/,}"; }

# ORDER QUESTION: each pair by itself, launch by launch
measure_pairs()
{
	local name launch names
	names=$(pairs_in "$work/$1.${2%:*}" | cut -d' ' -f1)
	for ((launch = 0; launch < launches; launch++)); do
		for name in $names; do measure_pair "$1" "$2" "$name" || return; done
	done
}

# ORDER QUESTION: until no pair differs, or there is no try left
measure_again()
{
	local try name names
	for try in 1 2 3; do
		names=$(differing "$work/$1.${2%:*}")
		[ -n "$names" ] || return
		echo "measured again, $2 by $1:" $names
		for name in $names; do measure_pair "$1" "$2" "$name" || return; done
	done
}

# ORDER QUESTION: what was measured
print_pairs()
{
	printf '\n%s by %s, cables of %s, least seconds\n%-34s %9s %9s %6s\n' "${2/:/ of }" "$1" "$rate" "" \
		"Open MPI" topomap ratio
	pairs_in "$work/$1.${2%:*}" | awk '{ printf "%-34s %9.3f %9.3f %6.2f\n", $1, $2, $3, $3 / $2 }'
}

# ORDER QUESTION: "ORDER QUESTION NATIVE BEST NAME GAIN SURE", the gain of the medians and the least one
gain_of()
{
	medians_of "$work/$1.${2%:*}" | awk -v what="$1 $2" '
		$1 == "native" { native = $2; least = $3 }
		$1 !~ /^native/ && (!best || $2 < best) { best = $2; most = $4; name = $1 }
		END { print what, native, best, name, native / best, least / most }'
}

# ORDER QUESTION: of one order all that is measured of it; the table, and its line in the gains
measure_slice()
{
	local order=$1 question=$2 collective=${2%:*} launch name
	for ((launch = 0; launch < launches; launch++)); do
		if [ $launch = 0 ] && [ "${BYTES:-}" != no ]; then
			# as fast as they are: bytes are the same then
			run_16 "$order" "$bench" collective -c "$collective" -b "${question#*:}" -a native:all \
				-i 1 -f csv --placement "$work/$order.json" |
				sed '1d; s/"\([^"]*\)"/\1/; s/,blocking.*//; s/^[^:]*:/native:/' >"$work/names"
			while read -r name; do
				compare_cables "$order" "$collective" 1MiB "${name#native:}" 5
			done <"$work/names"
		fi
		[ $launch != 0 ] || hosts_slow "$rate" 8kb 10s || exit 3
		# shellcheck disable=SC2046
		measure "$order" "$question" $(words_of "$collective") || finish
	done
	measure_pairs "$order" "$question" && measure_again "$order" "$question"
	hosts_fast
	print_pairs "$order" "$question" | tee "$work/table"
	same "$question by $order: more than $SAME % apart" "" "$(differing "$work/$order.$collective")"
	gain_of "$order" "$question" >"$work/gain"
}

slices=${SLICES-$build/slices/native} key=$(echo "$rate $launches $SAME ${ALGORITHMS:-} ${BYTES:-}" | cksum)
[ -z "$slices" ] || mkdir -p "$slices" || exit 3
: >"$work/gains"
for order in $orders; do
	for question in $questions; do
		kept=${slices:+$slices/$order.${question/:/.}.${key%% *}}
		if [ -n "$kept" ] && [ "$kept" -nt "$bench" ]; then
			printf '\nmeasured before, in %s:\n' "$kept"
			sed '$d' "$kept"
			tail -n 1 "$kept" >>"$work/gains"
			pass
			continue
		fi
		failures=$failed
		measure_slice "$order" "$question"
		cat "$work/gain" >>"$work/gains"
		[ -z "$kept" ] || [ "$failed" != "$failures" ] ||
			{ cat "$work/table" "$work/gain" >"$kept.part" && mv "$kept.part" "$kept"; }
	done
done

printf '\n%-22s %-6s %9s %9s  %-22s %6s %6s\n' "" by "Open MPI" topomap "" gain sure
sed 's/:/ /' "$work/gains" | awk '{
	printf "%-10s %11s %-6s %9.3f %9.3f  %-22s %6.2f %6.2f\n", $2, $3, $1, $4, $5, $6, $7, $8 }'
# of some of the calls nobody has promised that
[ -z "${QUESTIONS:-}${ORDERS:-}${ALGORITHMS:-}" ] || finish
same "twice as fast somewhere" yes "$(awk -v much="$MUCH" '$7 >= much { found = 1 }
	END { print found ? "yes" : "no" }' "$work/gains")"
finish
