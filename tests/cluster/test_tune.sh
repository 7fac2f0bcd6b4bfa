#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What rule files of topomap tune gain with the real Open MPI: 16 ranks on four hosts of slow cables, by slot
# and by node (where neighboring ranks are on different hosts), collectives of several sizes. A file is made
# from times of the library's algorithms (native:all), another one from the profile that topomap-bench
# calibrate writes there. Oracle: the seconds of the library's own calls, with each file, without, and with each
# algorithm by its knob: the least of these is the best that there is.
#
#   * The sum of all times with a file is at most SAME times that of the best.
#   * By node the library's own choices take at least MUCH times as long as with a file.
#
# The cables decide, and not the CPUs, which others use as well: RATE=20mbit. Ranks wait for most of the time, and
# get a CPU at once when they do not (waits.bash). With VERBOSE=1 all times are shown.
# ORDERS=node, FROM=times, QUESTIONS="bcast:1KiB,64KiB" take others; LAUNCHES=3 of each.
. "$(dirname "${BASH_SOURCE[0]}")/waits.bash"
SAME=${SAME:-1.05} MUCH=${MUCH:-1.5} rate=${RATE:-20mbit} launches=${LAUNCHES:-1}
orders=${ORDERS:-"slot node"} from=${FROM:-"times profile"} seconds=${SECONDS_EACH:-60}
questions=${QUESTIONS:-"bcast:1KiB,4KiB,16KiB,64KiB,256KiB allgather:256,1KiB,4KiB,16KiB allreduce:1KiB,4KiB,16KiB,64KiB,256KiB
	reduce:4KiB,16KiB,64KiB,256KiB alltoall:256,1KiB,4KiB"}
. "$(dirname "$0")/cables.bash"
if [ "$openmpi_major" -ge 5 ]; then
	skip "Open MPI $openmpi_major has other algorithms"
	finish
fi
waits_build || finish
hosts_slow "$rate" 8kb 10s || exit 3

# All messages are eager, and sockets have as much room as Linux gives one that asks for none.
plainly=(-x "LD_PRELOAD=$work/waits.so" --mca btl_tcp_eager_limit 4194304 --mca btl_tcp_rndv_eager_limit 4194304
	--mca btl_tcp_max_send_size 4194304 --mca btl_tcp_sndbuf 212992 --mca btl_tcp_rcvbuf 212992)

# ORDER WHAT WORD...: another launch of all questions with these words, each a document of WHAT
measure()
{
	local question name number
	for question in $questions; do
		name=$work/$1.$2.${question%:*}
		number=$(find "$work" -name "$1.$2.${question%:*}.*.json" | wc -l)
		run_16 "$1" "${plainly[@]}" "${knobs[@]}" "$bench" collective -c "${question%:*}" -b "${question#*:}" \
			"${@:3}" -i 7 -t 3 --seed "$((number + 1))" -f json --placement "$work/$1.json" \
			-o "$name.$number.json" || { fail "$question by $1: $(tail -5 "$work/err")"; return 1; }
	done
}

# ORDER WHAT: lines "COLLECTIVE BYTES ALGORITHM SECONDS" of all launches
times_of()
{
	local question
	for question in $questions; do
		topomap-bench-join "$work/$1.$2.${question%:*}".*.json
	done
}
topomap-bench-join()
{
	"$bench" join -f csv "$@" 2>>"$work/err" | sed 's/"\([^"]*\)"/\1/; s/,\([a-z]*=\)/;\1/g' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["collective"], $column["bytes"], $column["algorithm"], $column["median_seconds"] }'
}

# ORDER FILE: another file of rules, and the times with it
judge()
{
	local line best with own loss gain
	knobs=(--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$work/$1.$2.rules")
	for ((launch = 0; launch < launches; launch++)); do measure "$1" "$2" -a native || return; done
	knobs=()
	line=$({ times_of "$1" all; times_of "$1" "$2" | sed 's/ native / with /'; } | awk -v verbose="${VERBOSE:-}" '
		{ call = $1 " " $2; calls[call] }
		$3 == "with" { with[call] = $4; next }
		$3 == "native" { own[call] = $4 }
		!(call in best) || $4 < best[call] { best[call] = $4; name[call] = $3 }
		END {
			for (call in calls) {
				a += best[call]; b += with[call]; c += own[call]
				if (verbose)
					printf "  %-20s best %.6f %-30s with %.6f own %.6f\n", call, best[call], name[call], with[call], own[call] >"/dev/stderr"
			}
			print a, b, c, b / a, c / b
		}')
	read -r best with own loss gain <<<"$line"
	printf '%-6s %-8s %8.3f s %8.3f s %8.3f s %8.3f %8.2f\n' "$1" "$2" "$best" "$with" "$own" "$loss" "$gain"
	if awk "BEGIN { exit !($loss <= $SAME) }"; then pass; else fail "$1: rules from $2 take $loss times as long as the best"; fi
	[ "$1" = node ] || return
	if awk "BEGIN { exit !($gain >= $MUCH) }"; then pass; else fail "$1: with rules from $2 it is $gain times as fast"; fi
}

collectives=$(echo "$questions" | tr ' \t\n' '\n' | sed -n 's/:.*//p' | paste -sd ,)
knobs=()
printf '%-6s %-8s %10s %10s %10s %8s %8s\n' order rules best with own with/best own/with
for order in $orders; do
	for ((launch = 0; launch < launches; launch++)); do
		measure "$order" all -a native -a native:all || finish
	done
	for basis in $from; do
		if [ "$basis" = times ]; then
			# shellcheck disable=SC2046
			topomap tune -l openmpi4 -c "$collectives" -b 256KiB $(printf ' --times %s' "$work/$order".all.*.json) \
				-o "$work/$order.times.rules" "$work/$order.json" 2>"$work/out"
		else
			run_16 "$order" "${plainly[@]}" "$bench" calibrate --placement "$work/$order.json" --seed 1 \
				-t "$seconds" -o "$work/$order.profile.json" >/dev/null &&
				topomap tune -l openmpi4 -c "$collectives" -b 256KiB --profile "$work/$order.profile.json" \
					-o "$work/$order.profile.rules" "$work/$order.json" 2>"$work/out"
		fi || { fail "no rules from $basis: $(tail -3 "$work/out" "$work/err")"; continue; }
		[ -z "${VERBOSE:-}" ] || cat "$work/$order.$basis.rules" >&2
		judge "$order" "$basis"
	done
done
finish
