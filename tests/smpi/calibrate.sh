#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench calibrate on simulated clusters of 16, 64 and 256 ranks: it must find the figures that
# the platform was made from, which it does not know. Oracle: SimGrid SMPI on platform.awk, whose
# figures are in one table; latency and bandwidth of messages by their size are smpi/lat-factor and
# smpi/bw-factor, the eager limit is smpi/send-is-detached-thresh (with smpi/async-small-thresh SMPI lets
# small messages overtake large ones of the same tag).
. "$(dirname "$0")/common.bash"
passed=0 failed=0
need_bench
${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O1 -o "$work/profile_near" tests/smpi/profile_near.c \
	"${BUILD:-build}/libtopomap-inner.a" -lhwloc -ljansson -lm >"$work/log" 2>&1 ||
	{ cat "$work/log"; exit 3; }
overhead=2e-7

# calibrate PLATFORM EAGER FACTORS [OPTION]...: $work/here.json, and the truth beside it
calibrate()
{
	local name=$1 eager=$2 factors=$3 what machine options=() latency bandwidth ranks
	shift 3
	for what in machine network platform profile; do
		awk -v name="$name" -v what=$what -v eager="$eager" -v overhead=$overhead \
			-v factors="$factors" -v waited=1 -f tests/smpi/platform.awk >"$work/$what" || exit 3
	done
	mv "$work/platform" "$work/platform.xml"
	mapfile -t machine <"$work/machine"
	[ ! -s "$work/network" ] ||
		options=(--hosts "n[0-$((${#machine[@]} - 1))]" --network "$work/network")
	topomap place "${machine[@]}" "${options[@]}" --map-by=core -o "$work/job.json" || exit 3
	ranks=$(grep -c '<host ' "$work/platform.xml")
	seq 0 $((ranks - 1)) | sed 's/^/h/' >"$work/hosts"
	latency=$(echo "$factors" | awk -F'[; ]' '{ for (i = 1; i < NF; i += 3) printf "%s%s:%s", (i > 1 ? ";" : ""), $i, $(i + 1) }')
	bandwidth=$(echo "$factors" | awk -F'[; ]' '{ for (i = 1; i < NF; i += 3) printf "%s%s:%s", (i > 1 ? ";" : ""), $i, $(i + 2) }')
	rm -f "$work/here.json"
	# shellcheck disable=SC2086
	smpirun -np "$ranks" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		--cfg=network/model:SMPI "--cfg=smpi/lat-factor:$latency" "--cfg=smpi/bw-factor:$bandwidth" \
		--cfg=network/TCP-gamma:1e12 --cfg=smpi/wtime:0 "--cfg=smpi/send-is-detached-thresh:$eager" \
		--cfg=smpi/ois:0:$overhead --cfg=smpi/or:0:$overhead \
		build/smpi/topomap-bench calibrate --placement "$work/job.json" -o "$work/here.json" "$@" \
		>"$work/log" 2>&1
}

# switches PLATFORM: of those that have some, what the platform's figures make of the adapters below a switch over
# its uplink is said, within a tenth; of others nothing is
switches()
{
	local wanted said
	wanted=$(awk -v name="$1" -v what=oversubscription -f tests/smpi/platform.awk)
	said=$(sed -n 's/.*"oversubscription at switch1: .* send \([0-9.e+]*\) times what leaves it".*/\1/p' "$work/here.json")
	if awk -v wanted="$wanted" -v said="$said" 'BEGIN { exit !(wanted <= 1.1 ? said == "" : said > 0.9 * wanted && said < 1.1 * wanted) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: oversubscription $wanted is said to be '$said'"
	fi
}

# true PLATFORM EAGER FACTORS: what is found is the truth
holds()
{
	local found
	if calibrate "$@" --seed 1 --no-check && found=$("$work/profile_near" "$work/job.json" "$work/profile" "$work/here.json"); then
		echo "$1, eager below $2, factors $3: ${found##*$'\n'}"
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1, eager below $2, factors $3:"
		grep topomap-bench: "$work/log" | head -n 3
		echo "$found" | head -n 12
	fi
}

two="0 1 0.6;32768 3 0.95"
three="0 1 0.5;1024 2 0.8;65536 4 0.95"
# platform PIECES...: by factors of so many pieces each
platform()
{
	local pieces
	for pieces in "${@:2}"; do
		case $pieces in
		1) holds "$1" 8192 "0 1 1" ;;
		2) holds "$1" 32768 "$two" ;;
		3) holds "$1" 65536 "$three" ;;
		esac
	done
	switches "$1"
}

# a sample: each number of pieces on a platform of each kind that is small; WHOLE=1 takes all of all
platforms="nodes_16 unequal_16 backbone_16 packages_64 three_levels_64"
if [ -n "$WHOLE$PLATFORMS" ]; then
	for name in ${PLATFORMS:-$platforms backbone_64 fat_tree_64 two_adapters_64 three_levels_256}; do
		platform "$name" 1 2 3
	done
else
	platform nodes_16 3
	platform unequal_16 2
	platform backbone_16 1
	platform packages_64 2
	platform three_levels_64 1 3
fi

# As long with many ranks as with few: nodes of one rank in a cluster.
seconds_of()
{
	cat >"$work/platform.xml" <<-END
		<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1">
		<cluster id="c" prefix="h" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="10us"/>
		</platform>
	END
	seq 0 $(($1 - 1)) | sed 's/^/h/' >"$work/hosts"
	topomap place "node:$1 core:1" -o "$work/job.json" || exit 3
	rm -f "$work/here.json"
	# shellcheck disable=SC2086
	smpirun -np "$1" -platform "$work/platform.xml" -hostfile "$work/hosts" $config --cfg=smpi/wtime:0 \
		build/smpi/topomap-bench calibrate --no-check --seed 1 --placement "$work/job.json" \
		-o "$work/here.json" >"$work/log" 2>&1
	sed -n '/"calibration"/,$s/^ *"seconds": \([0-9.e-]*\).*/\1/p' "$work/here.json" | head -1
}

few=$(seconds_of 16)
for ranks in 256 ${WHOLE:+1024}; do
	many=$(seconds_of "$ranks")
	echo "16 ranks: $few simulated seconds; $ranks ranks: $many"
	if awk -v few="$few" -v many="$many" 'BEGIN { exit !(few > 0 && many > 0 && many <= 1.2 * few) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  a calibration takes longer with more ranks"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
