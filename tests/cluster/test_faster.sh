#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Suggested orders of ranks on four hosts of a slow network, with the real MPI_Allgather: 64 KiB
# a rank by three algorithms, from jobs launched by slot, by node and shuffled. Oracle: the
# seconds that it takes before and after, each by the fastest of some calls. Where the order
# was adverse it is several times faster, and nowhere slower than as launched.
. "$(dirname "$0")/slow.bash"
MUCH=2                       # times as fast where the order was adverse: 3 to 4 on idle CPUs
SAME=1.2                     # so much longer is no difference, or the machine's other work

# Calls are warmed up by others like them, until TCP has found its speed
knob() { echo "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allgather_algorithm $1"; }
for row in recursive_doubling:3 bruck:2 ring:4; do
	call="allgather 65536 0 $(knob "${row#*:}")"
	printf '%s\n' "warm $call" "${row%:*} $call" >"$work/${row%:*}.plan"
	cat "$work/${row%:*}.plan" >>"$work/all.plan"
done

# The options of mpirun that a launch by WORD has
options()
{
	case $1 in
	shuffled) echo "--rankfile $work/shuffled" ;;
	*) echo "--map-by $1" ;;
	esac
}
place() { topomap place "node:4 core:4 pu:1" --hosts a,b,c,d "${@:2}" -o "$work/$1.json"; }
place slot --map-by slot && place node --map-by node && place shuffled --shuffle 5 &&
	topomap suggest-rankfile --mapper identity -o "$work/shuffled" "$work/shuffled.json" \
		2>"$work/err" || exit 3

# LAUNCH ALGORITHM LEAST_GAIN: times before, in $work/LAUNCH.times, and after
check_suggestion()
{
	local before after words gain try
	topomap suggest-rankfile --for "allgather:$2:64KiB" --profile "$profile" --effort 3000000 \
		-o "$work/better" "$work/$1.json" 2>"$work/table" ||
		{ fail "$1, $2: no suggestion: $(cat "$work/table")"; return; }
	words=$(sed -n 's/^  mpirun -np 16 \(.*\) PROGRAM$/\1/p' "$work/table")
	for try in 1 2 3; do
		# shellcheck disable=SC2046,SC2086
		time_plan 2 "$work/$2.plan" $words >>"$work/$1.$2.after"
		before=$(least_of "$work/$1.times" | sed -n "s/^$2 //p")
		after=$(least_of "$work/$1.$2.after" | sed -n "s/^$2 //p")
		gain=$(awk "BEGIN { print $before / $after }")
		awk "BEGIN { exit !($gain >= $3) }" && break
		# shellcheck disable=SC2046
		time_plan 2 "$work/$2.plan" $(options "$1") >>"$work/$1.times"
	done
	echo "$1, $2: $before s, then $after s: $gain times as fast, at least $3 expected"
	if awk "BEGIN { exit !($gain >= $3) }"; then pass; else fail "$1, $2: $gain"; fi
}

# LAUNCH PLAN
time_launch()
{
	# shellcheck disable=SC2046
	time_plan 2 "$work/$2.plan" $(options "$1") >"$work/$1.times" ||
		{ fail "Open MPI has failed: $(tail -20 "$work/err")"; finish; }
}

no_worse=$(awk "BEGIN { print 1 / $SAME }")
time_launch slot all
check_suggestion slot recursive_doubling $MUCH
check_suggestion slot bruck $MUCH
check_suggestion slot ring "$no_worse"
time_launch node ring
check_suggestion node ring $MUCH
time_launch shuffled ring
check_suggestion shuffled ring $MUCH
finish
