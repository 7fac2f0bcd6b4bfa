# SPDX-License-Identifier: BSD-3-Clause
# What tests of topomap-bench on four hosts share: 16 ranks of Open MPI, and the bytes on each
# host's cable.
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/bench.bash"
. tests/cluster/hosts
. tests/cluster/counters.bash
hosts_need
use_bench openmpi || finish
hosts_start a="core:4 pu:1" b="core:4 pu:1" c="core:4 pu:1" d="core:4 pu:1"
trap 'hosts_stop; rm -rf "$work"' EXIT

# ORDER WORD...: a program on 16 ranks
run_16()
{
	hosts_openmpi --host "$(hosts_slots 4)" -np 16 --map-by "$1" "${@:2}" </dev/null 2>>"$work/err"
}

# ORDER COLLECTIVE BYTES ALGORITHM REPETITIONS: "HOST BYTES" that each host sends meanwhile, with what it
# takes to start and to end the program
moved()
{
	sent >"$work/before"
	run_16 "$1" "$bench" collective -c "$2" ${3:+-b "$3"} -a "$4" -i "$5" --check -f csv \
		--placement "$work/$1.json" >"$work/moved.csv" || return 1
	sent | join "$work/before" - | awk '{ print $1, $3 - $2 }'
}

# ORDER COLLECTIVE BYTES ALGORITHM: "HOST BYTES" that messages of one call bring to other hosts
scheduled()
{
	topomap schedule -c "$2" -a "$4" -b "$3" -f csv "$work/$1.json" |
		awk -F, -v order="$1" '
			function host(rank) { return substr("abcd", (order == "slot" ? int(rank / 4) : rank % 4) + 1, 1) }
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			host($column["from"]) != host($column["to"]) { sum[host($column["from"])] += $column["bytes"] }
			END { for (i = 1; i <= 4; i++) print substr("abcd", i, 1), sum[substr("abcd", i, 1)] + 0 }'
}

# ORDER COLLECTIVE BYTES ALGORITHM REPETITIONS: the library's own algorithm and ours send the same over
# each cable, to 0.5 % of what the busiest carries, and that is what the schedule says, once more than there
# are repetitions, with less than 1 % for the headers of Open MPI
compare_cables()
{
	local what="$2 $4 of $3 by $1"
	moved "$1" "$2" "$3" "native:$4" "$5" >"$work/native.sent" &&
		moved "$1" "$2" "$3" "$4" "$5" >"$work/own.sent" ||
		{ fail "$what: $(tail -3 "$work/err")"; return; }
	scheduled "$1" "$2" "$3" "$4" >"$work/scheduled"
	same "$what" "alike, as scheduled" "$(join "$work/native.sent" "$work/own.sent" | join - "$work/scheduled" |
		join - "$work/start.$1" | awk -v times=$(($5 + 1)) '
		{ native[NR] = $2 - $5; own[NR] = $3 - $5; wanted[NR] = times * $4
		  if (wanted[NR] > most) most = wanted[NR] }
		END {
			for (i = 1; i <= NR; i++) {
				if (native[i] - own[i] > most / 200 || own[i] - native[i] > most / 200)
					bad = bad " native " native[i] ", ours " own[i] " of " wanted[i] ";"
				if (own[i] < wanted[i] - most / 500 || own[i] > wanted[i] + most / 100)
					bad = bad " sent " own[i] " of " wanted[i] ";"
			}
			print NR == 4 && most && !bad ? "alike, as scheduled" : bad
		}')"
}

# What is on the cables without messages to speak of; the first launch has cold caches.
for order in slot node; do
	run_16 $order "$probe" -o "$work/$order.json" || { fail "no probe: $(tail -5 "$work/err")"; finish; }
	moved $order barrier "" native 1 >"$work/start.$order" ||
		{ fail "no barrier: $(tail -5 "$work/err")"; finish; }
done
