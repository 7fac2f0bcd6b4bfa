#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What rule files of topomap tune gain with the real Open MPI: 16 ranks on four hosts of slow cables, by slot
# and by node (where neighboring ranks are on different hosts), collectives of several sizes. A file is made
# from times of the library's algorithms (native:all), another one from the profile that topomap-bench
# calibrate writes there. Oracle: the seconds of the library's own calls, with each file, without, and with each
# algorithm by its knob, some in segments: the least of these is the best that there is.
#
#   * The sum of all times with a file is at most SAME times that of the best.
#   * By node the library's own choices take at least MUCH times as long as with a file.
#
# The cables decide, and not the CPUs, which others use as well: RATE=20mbit. Ranks wait for most of the time, and
# get a CPU at once when they do not (waits.bash). With VERBOSE=1 all times are shown.
# ORDERS=node, FROM=times, QUESTIONS="bcast:1KiB,64KiB" take others. Some calls take half as long again in one launch
# as in the next, so there are LAUNCHES=3 of each.
. "$(dirname "${BASH_SOURCE[0]}")/waits.bash"
SAME=${SAME:-1.05} MUCH=${MUCH:-1.5} rate=${RATE:-20mbit} launches=${LAUNCHES:-3}
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

# ORDER WHAT WORD...: another launch of all questions with these words for mpirun, each a document of WHAT
measure()
{
	local question name number
	for question in $questions; do
		name=$work/$1.$2.${question%:*}
		number=$(find "$work" -name "$1.$2.${question%:*}.*.json" | wc -l)
		# shellcheck disable=SC2046
		run_16 "$1" "${plainly[@]}" "${@:3}" "$bench" collective -c "${question%:*}" -b "${question#*:}" \
			$([ "$2" = all ] && tried "${question%:*}" || echo "-a native") -i 7 -t 3 --seed "$((number + 1))" -f json --placement "$work/$1.json" \
			-o "$name.$number.json" || { fail "$question by $1: $(tail -5 "$work/err")"; return 1; }
	done
}

# COLLECTIVE: words for all that is tried of it
tried()
{
	local name names=
	echo "-a native -a native:all"
	case $1 in
	bcast) names="pipeline binary binomial_near" ;;
	reduce) names="pipeline binary" ;;
	esac
	for name in $names; do
		echo "-a native:$name,segment=4096 -a native:$name,segment=16384"
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

# ORDER: lines "RULES SECONDS OF_THE_BEST OF_THE_LIBRARY" of all that was measured, and
# "missing COLLECTIVE BYTES COLUMN" of what was not, as launches are not joined, or a call took no time
sums()
{
	{
		times_of "$1" all
		for basis in $from; do times_of "$1" "$basis" | sed "s/ native / $basis /"; done
	} | awk -v from="native $from" -v verbose="${VERBOSE:-}" -v wanted="$(echo "$questions" | tr -cd ':,' | wc -c)" '
		{ call = $1 " " $2; calls[call]; time[call, $3] = $4 }
		!(call in best) || $4 < best[call] { best[call] = $4; name[call] = $3 }
		END {
			count = split(from, basis, " ")
			for (call in calls)
				wanted--
			if (wanted)
				print "missing", wanted, "calls", "all"
			for (call in calls) {
				line = sprintf("  %-18s %.6f %-34s own %.6f", call, best[call], name[call], time[call, "native"])
				sum += best[call]
				own += time[call, "native"]
				for (i = 1; i <= count; i++) {
					if (!(time[call, basis[i]] > 0))
						print "missing", call, basis[i]
					with[i] += time[call, basis[i]]
					if (i > 1)
						line = line sprintf(" %s %.6f", basis[i], time[call, basis[i]])
				}
				if (verbose)
					print line >"/dev/stderr"
			}
			for (i = 2; i <= count; i++)
				print basis[i], with[i], sum, own
		}'
}

# ORDER
judge()
{
	local basis with best own loss gain
	while read -r basis with best own; do
		[ "$basis" != missing ] || { fail "$1: no time of $with $best, $own"; continue; }
		loss=$(awk "BEGIN { printf \"%.3f\", $with / $best }") gain=$(awk "BEGIN { printf \"%.2f\", $own / $with }")
		printf '%-6s %-8s %8.3f s %8.3f s %8.3f s %9s %8s\n' "$1" "$basis" "$best" "$with" "$own" "$loss" "$gain"
		if awk "BEGIN { exit !($loss <= $SAME) }"; then pass; else fail "$1: rules from a $basis take $loss times as long as the best"; fi
		[ "$1" = node ] || continue
		if awk "BEGIN { exit !($gain >= $MUCH) }"; then pass; else fail "$1: with rules from a $basis it is $gain times as fast"; fi
	done < <(sums "$1")
}

# ORDER BASIS: a file of rules
rules()
{
	local words=()
	if [ "$2" = times ]; then
		mapfile -t words < <(printf -- '--times\n%s\n' "$work/$1".all.*.json)
	else
		run_16 "$1" "${plainly[@]}" "$bench" calibrate --placement "$work/$1.json" --seed 1 -t "$seconds" \
			-o "$work/$1.profile.json" >/dev/null || return 1
		words=(--profile "$work/$1.profile.json")
	fi
	topomap tune -l openmpi4 -c "$collectives" -b 256KiB "${words[@]}" -o "$work/$1.$2.rules" "$work/$1.json" \
		2>"$work/out" || return 1
	[ -z "${VERBOSE:-}" ] || cat "$work/$1.$2.rules" >&2
}

collectives=$(echo "$questions" | tr ' \t\n' '\n' | sed -n 's/:.*//p' | paste -sd ,)
printf '%-6s %-8s %10s %10s %10s %9s %8s\n' order rules best with own with/best own/with
for order in $orders; do
	for ((launch = 0; launch < launches; launch++)); do
		measure "$order" all || finish
	done
	for basis in $from; do
		rules "$order" "$basis" || { fail "no rules from a $basis: $(tail -3 "$work/out" "$work/err")"; finish; }
		for ((launch = 0; launch < launches; launch++)); do
			measure "$order" "$basis" --mca coll_tuned_use_dynamic_rules 1 \
				--mca coll_tuned_dynamic_rules_filename "$work/$order.$basis.rules" || finish
		done
	done
	judge "$order"
done
finish
