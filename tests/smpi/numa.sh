#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Distance-aware broadcast and allgather on a simulated node of two boards of four sockets of six cores,
# the machine of their paper (Ma, Herault, Bosilca, Dongarra, section V-B), executed with ranks bound
# one after the other (contiguous), and across the sockets: rank r on core (r mod 8) * 6 + r / 8. Each core
# has a link, each socket one to its board, each board one to the other, all duplex; bandwidths were chosen
# before anything was measured: two cores fill their socket's link. Oracle: section V-B and figures 6 and
# 7. What is judged is what the paper claims, and where it is not so here the test says so, and fails when
# that changes:
#
#   * Between the bindings the distance-aware operations differ by less than 14 %. So it is: their messages,
#     replayed with all ranks starting at once, take the same time; so does what topomap-bench measures, whose
#     ranks begin together in a simulation. (Behind a barrier alone, which ranks leave one after another, the
#     contiguous binding seemed 18 % slower in the tree and 31 % in the ring at 512 bytes.)
#   * By rank an allgather loses up to 58 % of its bandwidth across the sockets. So it is: neighbors'
#     exchange 59 %, ring 66 %, Sparbit 65 %.
#   * By rank a broadcast loses more than 45 % across the sockets. It does not here: 27 % at most
#     (scatter_ring). Some lose as much or more, up to 61 %, in the contiguous binding (scatter_allgather,
#     binary), and a pipeline, or a binomial tree of the nearest first, lose next to nothing in either.
#
# The contiguous binding is thus not what is best for all that goes by rank: Bruck's allgather is three
# times as fast across the sockets.
. "$(dirname "$0")/common.bash"
need_bench
passed=0 failed=0

awk '
function socket(h) { return int(h / 6) }
function board(h) { return int(h / 24) }
function hop(id, way) { printf "<link_ctn id=\"%s\" direction=\"%s\"/>", id, way }
function link(id, bandwidth, latency) {
	printf "<link id=\"%s\" bandwidth=\"%s\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n",
		id, bandwidth, latency
}
BEGIN {
	print "<?xml version=\"1.0\"?>"
	print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
	print "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
	for (h = 0; h < 48; h++)
		printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", h
	for (h = 0; h < 48; h++)
		link("c" h, "3GBps", "200ns")
	for (s = 0; s < 8; s++)
		link("s" s, "6GBps", "100ns")
	for (b = 0; b < 2; b++)
		link("b" b, "6GBps", "100ns")
	for (a = 0; a < 48; a++)
		for (b = 0; b < 48; b++) {
			if (a == b)
				continue
			far = socket(a) != socket(b)
			across = board(a) != board(b)
			printf "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", a, b
			hop("c" a, "UP")
			if (far) hop("s" socket(a), "UP")
			if (across) { hop("b" board(a), "UP"); hop("b" board(b), "DOWN") }
			if (far) hop("s" socket(b), "DOWN")
			hop("c" b, "DOWN")
			print "</route>"
		}
	print "</zone></platform>"
}' >"$work/platform.xml"
machine='node:1 board:2 package:4 [numa] l3:1 core:6'
topomap place "$machine" -o "$work/contiguous.json" &&
	topomap place "$machine" --map-by package -o "$work/cross.json" || exit 3
seq -f 'h%g' 0 47 >"$work/contiguous.hosts"
for ((r = 0; r < 48; r++)); do echo "h$((r % 8 * 6 + r / 8))"; done >"$work/cross.hosts"

# measure BINDING OPTION...: "COLLECTIVE ALGORITHM BYTES SECONDS" a line
measure()
{
	local binding=$1
	shift
	smpirun -np 48 -platform "$work/platform.xml" -hostfile "$work/$binding.hosts" $config \
		build/smpi/topomap-bench collective "$@" --repetitions 1 --seed 1 -f csv \
		--placement "$work/$binding.json" 2>"$work/log" | sed 's/"\([a-z_]*\),[^"]*"/\1/' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["collective"], $column["algorithm"], $column["bytes"],
			$column["median_seconds"] }'
}

bcast_by_rank=(binomial_far binomial_near knomial binary split_binary scatter_allgather scatter_ring pipeline)
allgather_by_rank=(ring neighbor_exchange sparbit bruck)
for binding in contiguous cross; do
	measure $binding -c bcast -b 512,4KiB,32KiB,1MiB -a distance_tree "${bcast_by_rank[@]/#/-a}"
	measure $binding -c allgather -b 512,4KiB,32KiB -a distance_ring "${allgather_by_rank[@]/#/-a}"
done >"$work/times"

# "COLLECTIVE ALGORITHM BYTES PERCENT" a line: of the better binding's bandwidth the other has so much
# less: above 0 that across the sockets, below 0 the contiguous one, which is measured first
awk '{
	cell = $1 " " $2 " " $3
	if (!(cell in contiguous)) { contiguous[cell] = $4; next }
	lost = contiguous[cell] < $4 ? 1 - contiguous[cell] / $4 : $4 / contiguous[cell] - 1
	printf "%s %.1f\n", cell, 100 * lost
}' "$work/times" >"$work/lost"

# replayed COLLECTIVE ALGORITHM BYTES: percent between the bindings, of its messages alone
replayed()
{
	local binding
	for binding in contiguous cross; do
		rm -f "$work"/trace*
		topomap schedule -c "$1" -a "$2" -b "$3" -f ti -o "$work/trace" "$work/$binding.json" || return
		(cd "$work" && smpirun -np 48 -platform platform.xml -hostfile $binding.hosts -replay trace \
			$config 2>&1) | sed -n 's/.*[Ss]imulated time: \([0-9.e+-]*\) seconds.*/\1/p'
	done | awk '{ t[NR] = $1 } END {
		if (NR != 2 || !t[1]) exit 1
		printf "%.1f\n", 100 * (t[1] < t[2] ? 1 - t[1] / t[2] : 1 - t[2] / t[1]) }'
}

# replay COLLECTIVE ALGORITHM BYTES...: less than 14 % of each
replay()
{
	local bytes percent
	for bytes in "${@:3}"; do
		percent=$(replayed "$1" "$2" "$bytes")
		if awk -v p="${percent:-none}" 'BEGIN { exit !(p != "none" && p < 14) }'; then
			passed=$((passed + 1))
			echo "  messages of $2, $bytes bytes, replayed: $percent %"
		else
			failed=$((failed + 1))
			echo "FAILED  messages of $2, $bytes bytes: ${percent:-nothing}, not below 14 %"
		fi
	done
}

# holds WHAT COLLECTIVE CONDITION: of awk, of the arrays p[ALGORITHM, BYTES] and most[ALGORITHM], least[ALGORITHM]
# over the sizes
holds()
{
	if awk -v collective="$2" '
		function size(x) { return x < 0 ? -x : x }
		$1 != collective { next }
		{ p[$2, $3] = $4; n++ }
		!($2 in most) || $4 > most[$2] { most[$2] = $4 }
		!($2 in least) || $4 < least[$2] { least[$2] = $4 }
		END { exit !(n && ('"$3"')) }' "$work/lost"; then
		passed=$((passed + 1))
		echo "  $1"
	else
		failed=$((failed + 1))
		echo "FAILED  $2: $1: not $3"
		head -n 3 "$work/log"
	fi
}

echo "percent of bandwidth lost across the sockets, or (-) in the contiguous binding:"
awk '{
	row = $1 " " $2
	if (!(row in rows)) { rows[row] = ++count; name[count] = row }
	at[row, $3] = $4
}
END {
	split("512 4096 32768 1048576", bytes, " ")
	printf "%-30s %8d %8d %8d %8d\n", "", bytes[1], bytes[2], bytes[3], bytes[4]
	for (i = 1; i <= count; i++) {
		printf "%-30s", name[i]
		for (k = 1; k <= 4; k++)
			printf " %8s", at[name[i], bytes[k]]
		print ""
	}
}' "$work/lost"
rows=$(wc -l <"$work/lost")
if [ "$rows" -eq $((4 * (1 + ${#bcast_by_rank[@]}) + 3 * (1 + ${#allgather_by_rank[@]}))) ]; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "FAILED  $rows cells: $(head -n 3 "$work/log")"
fi
echo "as in the paper:"
replay bcast distance_tree 512 4096 32768 1048576
replay allgather distance_ring 512 4096 32768
holds "the distance-aware tree differs by less than 14 %" bcast \
	'size(p["distance_tree", 512]) < 14 && size(p["distance_tree", 4096]) < 14 && size(p["distance_tree", 32768]) < 14 && size(p["distance_tree", 1048576]) < 14'
holds "so does the distance-aware ring" allgather \
	'size(p["distance_ring", 512]) < 14 && size(p["distance_ring", 4096]) < 14 && size(p["distance_ring", 32768]) < 14'
holds "allgathers by rank lose half and more across the sockets" allgather \
	'p["ring", 32768] > 50 && p["neighbor_exchange", 32768] > 50 && p["sparbit", 32768] > 50'
echo "not as in the paper:"
holds "no broadcast by rank loses 45 % across the sockets; some lose more than 14" bcast \
	'most["binomial_far"] > 14 && most["knomial"] > 14 && most["scatter_ring"] > 14 && most["binomial_far"] < 45 && most["knomial"] < 45 && most["scatter_ring"] < 45 && most["binary"] < 45 && most["split_binary"] < 45 && most["scatter_allgather"] < 45 && most["binomial_near"] < 45 && most["pipeline"] < 45'
holds "scatter_allgather loses more than 45 % in the contiguous binding" bcast 'least["scatter_allgather"] < -45'
holds "so does Bruck's allgather" allgather 'least["bruck"] < -45'
holds "a pipeline and a binomial tree of the nearest first are insensitive at 1 MiB, too" bcast \
	'size(p["pipeline", 1048576]) < 14 && size(p["binomial_near", 1048576]) < 14'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
