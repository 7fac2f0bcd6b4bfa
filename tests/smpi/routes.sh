#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hops and the load of the busiest cable, of random messages in toruses and dragonflies. Oracle: SimGrid's own
# routes on its torus and dragonfly clusters, link by link. Where both ways round a ring are as long topomap goes up;
# SimGrid does so but from the middle of the ring to its first place, so that no message goes there here.
. "$(dirname "$0")/common.bash"
cc -O1 -o "$work/routes" tests/smpi/routes.c -lsimgrid 2>"$work/log" ||
	{ cat "$work/log"; echo "programs with libsimgrid cannot be built here"; exit 77; }
passed=0 failed=0

# write_cluster TOPOLOGY PARAMETERS NODES
write_cluster()
{
	echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
	echo "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-$(($3 - 1))\""
	echo "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"$1\" topo_parameters=\"$2\""
	echo 'sharing_policy="SPLITDUPLEX"/></platform>'
}

# write_messages NODES SEED SIZE...: of a torus of these sizes, or of none
write_messages()
{
	awk -v nodes="$1" -v seed="$2" -v sizes="${*:3}" '
	function is_middle_to_first(a, b,   d) {
		for (d = 1; d <= dimensions; d++) {
			if (2 * (a % size[d]) == size[d] && b % size[d] == 0)
				return 1
			a = int(a / size[d]); b = int(b / size[d])
		}
		return 0
	}
	BEGIN {
		srand(seed)
		dimensions = split(sizes, size, " ")
		for (k = 0; k < 6 * nodes; k++) {
			a = int(rand() * nodes); b = int(rand() * nodes)
			if (a != b && !is_middle_to_first(a, b))
				print a, b, 1 + int(rand() * 100000)
		}
	}'
}

# compare NAME ROUTES PLACEMENT
compare()
{
	local theirs ours
	theirs=$("$work/routes" "$work/platform.xml" <"$work/messages" 2>"$work/log") ||
		{ cat "$work/log"; echo "$1: SimGrid fails"; failed=$((failed + 1)); return; }
	ours=$(topomap suggest-rankfile --matrix "$work/messages" --matrix-format list --routes "$2" \
		--mapper identity --objective congestion -f json "$3" 2>/dev/null |
		awk -F '[:,]' '/"before"/ { here = 1 }
			here && /"hop_bytes"/ { hops = $2 + 0 }
			here && /"busiest_cable_bytes"/ { printf "%.17g %.17g\n", hops, $2 + 0; exit }')
	if [ -n "$theirs" ] && [ "$ours" = "$theirs" ]; then
		passed=$((passed + 1))
	else
		echo "$1: bytes x hops and the busiest cable are $ours, by SimGrid $theirs"
		failed=$((failed + 1))
	fi
}

for sizes in "3 5 4" "4 4 4" "7 6 1" "2 3 5" "16 1 1" "5 5 5"; do
	read -r x y z <<<"$sizes"
	nodes=$((x * y * z))
	# dimensions of one place have links of one name in SimGrid
	write_cluster TORUS "$(echo "$x,$y,$z" | sed 's/\(,1\)*$//')" $nodes >"$work/platform.xml"
	topomap place "node:$nodes core:1" -o "$work/job.json"
	for seed in 1 2 3 4; do
		# shellcheck disable=SC2086
		write_messages $nodes $seed $sizes >"$work/messages"
		compare "torus $sizes, seed $seed" "torus:${x}x${y}x$z" "$work/job.json"
	done
done

for shape in "2 3 2" "3 4 2" "4 4 1" "4 7 3" "1 5 2" "6 6 4"; do
	read -r groups routers each <<<"$shape"
	nodes=$((groups * routers * each))
	write_cluster DRAGONFLY "$groups,1;1,1;$routers,1;$each" $nodes >"$work/platform.xml"
	awk -v n=$nodes -v routers="$routers" -v each="$each" 'BEGIN {
		print "node level1 level2"
		for (i = 0; i < n; i++)
			print "n" i, "r" int(i / each), "g" int(i / (each * routers))
	}' >"$work/network"
	topomap place "node:$nodes core:1" --network "$work/network" -o "$work/job.json"
	for seed in 1 2 3 4; do
		write_messages $nodes $seed >"$work/messages"
		compare "dragonfly $shape, seed $seed" dragonfly "$work/job.json"
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
