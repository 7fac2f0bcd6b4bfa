#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How the instructions of whole commands grow with the ranks (252 a node, in block order and shuffled): the
# exponent from one size to the next, which no other load of the machine and no cache changes. What a program
# takes on one rank is taken off. The goals are 1.05 for tree and ring, 1.10 for the others. COMMANDS chooses
# by name, NODES sizes ("40 397 3968" takes minutes).
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
command -v valgrind >/dev/null || { echo "valgrind is not here"; exit 77; }

# count COMMAND...: the instructions that it takes, to standard output
count()
{
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$work/said" \
		"$@" >/dev/null 2>"$work/words" || { cat "$work/words" "$work/said" >&2; return 1; }
	awk '/refs:/ { gsub(/,/, ""); print $NF }' "$work/said"
}

# command_of NAME: its words; a % is the placement
command_of()
{
	case $1 in
	tree | ring | inspect | hierarchy) echo "$1 %" ;;
	score) echo "score -c allgather -b 64KiB -f csv %" ;;
	suggest) echo "suggest-rankfile -l permutation -o $work/order %" ;;
	*) echo "no command $1" >&2; exit 3 ;;
	esac
}

topomap place node:1 -o "$work/one.json" || exit 1
printf '%-10s %-6s %9s %14s %7s\n' command order ranks instructions grows
for order in block random; do
	shuffle=
	[ $order = block ] || shuffle="--shuffle 1"
	for nodes in ${NODES:-40 397}; do
		# shellcheck disable=SC2086 # two words or none
		topomap place "node:$nodes package:2 numa:6 l3:1 core:21" $shuffle \
			-o "$work/$order$nodes.json" || exit 1
	done
done
for name in ${COMMANDS:-tree ring inspect hierarchy score suggest}; do
	words=$(command_of "$name") || exit
	# shellcheck disable=SC2086 # words
	one=$(count topomap ${words//%/$work/one.json}) || exit 1
	for order in block random; do
		before=0 last=1
		for nodes in ${NODES:-40 397}; do
			# shellcheck disable=SC2086 # words
			all=$(count topomap ${words//%/$work/$order$nodes.json}) || exit 1
			its=$((all - one))
			awk -v name="$name" -v order=$order -v n="$nodes" -v its=$its -v before=$before \
				-v last="$last" 'BEGIN {
				grows = before > 0 ? sprintf("%.2f", log(its / before) / log(n / last)) : "-"
				printf "%-10s %-6s %9d %14.0f %7s\n", name, order, n * 252, its, grows }'
			before=$its last=$nodes
		done
	done
done
