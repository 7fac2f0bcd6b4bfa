#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# CPU seconds and memory (beyond that of a job of one rank) of whole commands on jobs of 252 ranks a
# node, in block order and shuffled: beside the bare loop over the messages of one allgather of log p
# rounds with one counter in the same order of ranks, and beside that which adds up what each link carries
# (bench_score), without which no score of ranks in no order is exact; how they grow from one size to the
# next (the exponent), and how many times as long shuffled ranks take. COMMANDS chooses by name, NODES sizes
# ("397 3968 43808" takes half an hour).
cd "$(dirname "$0")/../.." || exit 3
B=$PWD/${BUILD:-build}
PATH=$B:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
[ -x /usr/bin/time ] || { echo "/usr/bin/time is not here"; exit 77; }

# command NAME: its words; a % is the placement
command_of()
{
	case $1 in
	inspect | tree | ring | hierarchy | lanes) echo "$1 %" ;;
	sparbit | bruck | recursive_doubling) echo "score -c allgather -a $1 -b 64KiB -f csv %" ;;
	binomial_far | distance_tree) echo "score -c bcast -a $1 -b 64KiB -f csv %" ;;
	allgather | bcast | allreduce) echo "score -c $1 -b 64KiB -f csv %" ;;
	guidelines) echo "guidelines -b 64KiB %" ;;
	schedule) echo "schedule -c bcast -a binomial_far -b 64KiB %" ;;
	suggest) echo "suggest-rankfile -l permutation -o $work/order %" ;;
	grid) echo "suggest-rankfile --cart 0x0x0 -l permutation -o $work/order %" ;;
	*) echo "no command $1" >&2; exit 3 ;;
	esac
}

# goals_of NAME: how many loops, bytes a rank, growth, and times as long in no order; 0: none. The loop is
# that of one algorithm of log p rounds, so what times many has no goal beside it.
goals_of()
{
	case $1 in
	tree | ring) echo "3 64 1.05 2" ;;
	suggest | grid) echo "3 128 1.10 2" ;;
	schedule) echo "0 128 1.10 2" ;; # its messages are written one by one
	hierarchy | inspect) echo "3 0 1.10 2" ;;
	lanes | guidelines) echo "0 0 1.10 2" ;;
	allgather | bcast | allreduce) echo "0 64 1.10 2" ;;
	*) echo "3 64 1.10 2" ;;
	esac
}

# What a program takes whatever the job.
topomap place node:1 -o "$work/one.json" &&
	/usr/bin/time -f %M -o "$work/time" topomap inspect "$work/one.json" >/dev/null || exit 1
base=$(tail -1 "$work/time")
declare -A loop links regular
for nodes in ${NODES:-397 3968}; do
	topomap place "node:$nodes package:2 numa:6 l3:1 core:21" -o "$work/block$nodes.json" &&
		topomap place "node:$nodes package:2 numa:6 l3:1 core:21" --shuffle 1 \
			-o "$work/random$nodes.json" || exit 1
	for order in block random; do
		loop[$order$nodes]=$("$B/tests/bench/bench_score" loop sparbit "$nodes" $order) &&
			links[$order$nodes]=$("$B/tests/bench/bench_score" links sparbit "$nodes" $order) || exit 1
		echo "$((nodes * 252)) ranks, $order: a loop of ${loop[$order$nodes]} s," \
			"over links of ${links[$order$nodes]} s"
	done
done
printf '%-18s %-6s %9s %9s %14s %14s %10s %14s %12s\n' command order ranks 'CPU s' 'bytes a rank' loops \
	'over links' grows shuffled | tee "$work/table"
for name in ${COMMANDS:-inspect tree ring hierarchy lanes sparbit bruck recursive_doubling allgather \
	binomial_far distance_tree bcast allreduce suggest grid schedule guidelines}; do
	read -r most_loops most_bytes most_growth most_shuffled < <(goals_of "$name")
	for order in block random; do
		before=-
		for nodes in ${NODES:-397 3968}; do
			words=$(command_of "$name") || exit
			# shellcheck disable=SC2086 # words
			/usr/bin/time -f '%U %S %M' -o "$work/time" \
				topomap ${words//%/$work/$order$nodes.json} >/dev/null 2>"$work/said" ||
				{ cat "$work/said"; exit 1; }
			tail -1 "$work/time" >"$work/last"
			read -r seconds bytes < <(awk -v n="$nodes" -v base="$base" \
				'{ print $1 + $2, ($3 - base) * 1024 / n / 252 }' "$work/last")
			[ "$order" = random ] || regular[$nodes]=$seconds
			awk -v name="$name" -v order="$order" -v n="$nodes" -v s="$seconds" -v b="$bytes" \
				-v loop="${loop[$order$nodes]}" -v links="${links[$order$nodes]}" -v before="$before" -v last="${last:-1}" \
				-v regular="${regular[$nodes]}" -v most_loops="$most_loops" \
				-v most_bytes="$most_bytes" -v most_growth="$most_growth" \
				-v most_shuffled="$most_shuffled" '
				function judged(form, value, goal) {
					value = sprintf(form, value)
					if (goal > 0)
						value = value " of " goal (value + 0 > goal + 0 ? " !" : "")
					return value
				}
				BEGIN {
				grows = more = "-"
				if (before + 0 > 0.05)
					grows = judged("%.2f", log(s / before) / log(n / last), most_growth)
				if (order == "random" && regular > 0.05)
					more = judged("%.1f", s / regular, most_shuffled)
				printf "%-18s %-6s %9d %9.2f %14s %14s %10.1f %14s %12s\n", name, order, n * 252, s,
					judged("%.0f", b, most_bytes), judged("%.1f", s / loop, most_loops),
					s / links, grows, more }' | tee -a "$work/table"
			before=$seconds last=$nodes
		done
	done
done
awk '{ goals += gsub(/ of [0-9.]+/, "&"); missed += gsub(/!/, "&") }
	END { printf "%d of %d goals hold\n", goals - missed, goals }' "$work/table"
