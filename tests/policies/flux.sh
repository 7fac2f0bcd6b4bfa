#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --launcher flux against flux run: an instance of several brokers on this machine,
# each of which believes in the imitated node; the same -n, -c, -x, --tasks-per-node, --tasks-per-core,
# --cores, --taskmap and cpu-affinity must give every task the same node and the same PUs, or be refused by both. With
# cpu-affinity=dry-run Flux prints them and binds nothing. Needs flux-core 0.88 or later
# (FLUX=COMMAND, flux by default). A sample unless WHOLE=1; SEED=N chooses another one.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
flux=$(command -v "${FLUX:-flux}")
if ! "$flux" version 2>/dev/null | grep -q 'commands:.*[0-9]'; then
	echo "skipped: Flux (flux-core) is not installed"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
compared=0 refused=0 failed=0 late=0

# Flux sees PUs that may be used only, hence machines all of whose PUs may be.
machines()
{
	if [ -d "$data" ]; then
		printf "$data/%s\n" 8em64t-2s4c-asymcaches.xml epyc-corona.xml \
			20em64t-hybrid-1p6c2t+2ca4co1t.xml memorysidecaches.xml knl-snc4-flat-hwloc1.xml
	fi
	printf '%s\n' tests/data/2package-4core.xml tests/data/2package-2numa-3core-2pu.xml
}

# One request a line: nodes, tasks, cores each, x for --exclusive, tasks per node, map, binding, cores of
# all nodes, tasks per core
combinations()
{
	local nodes tasks cores whole each map bind
	for nodes in 1 2 3; do
	for tasks in - 1 2 3 5 7 8 11 16 23; do
	for cores in - 1 2 3 5; do
	for whole in - x; do
	for each in - 1 3 9; do
	for map in - block cyclic cyclic:2 cyclic:5 'manual:[[1,1,2,1],[0,1,3,1]]' \
		'manual:[[0,1,1,1],[1,1,3,1],[0,1,3,1]]' 'manual:{"version":1,"map":[[0,3,1,1]]}'; do
	for bind in - on per-task 'map:0;1,3;2' 'map:0x1;0xa;;2' 'map:0x00000000,0x8;0-0x1'; do
		[ "$tasks$each" != -- ] || continue
		[ "$tasks" = - ] || [ "$each" = - ] || [ "$cores$whole$map" = 2-- ] || continue
		[ "$tasks" = - ] || [ "$tasks" -ge "$nodes" ] || [ "$cores$whole$each" = --- ] || continue
		[ "$each" = - ] || [ "$cores" = - ] || [ "$map" = - ] || continue
		# maps of other numbers of nodes are refused, and few of them will do
		case $nodes$map in
		1manual* | 2manual:'{'* | 3manual:'['*) [ "$tasks" = 5 ] || continue ;;
		esac
		echo "$nodes $tasks $cores $whole $each $map $bind - -"
	done; done; done; done; done; done; done
	resources
}

# The same, where tasks are counted by resources or placed by a file
resources()
{
	local nodes tasks cores whole each map bind total core
	for nodes in 1 2 3; do
	for total in - 1 2 3 4 6 12 64; do
	for core in - 1 2 3; do
	for each in - 2 5; do
	for whole in - x; do
	for map in - cyclic cyclic:2 hostfile:again hostfile:long; do
	for bind in - per-task; do
		[ "$total$core$each" != --- ] || continue
		echo "$nodes - - $whole $each $map $bind $total $core"
	done; done; done; done; done; done; done
	for nodes in 1 2 3; do
	for tasks in 1 2 3 5 7 8 11; do
	for cores in - 1 2; do
	for whole in - x; do
	for map in hostfile:again hostfile:long hostfile:none hostfile:absent; do
	for bind in - per-task; do
		echo "$nodes $tasks $cores $whole - $map $bind - -"
	done; done; done; done; done; done
	echo '2 4 - - - - - 4 -'
	echo '2 4 - - - - - - 1'
	echo '2 - 2 - - - - 4 -'
	echo '2 - 2 - - - - - 1'
}

choose()
{
	awk -v step="${STEP:-$([ -n "$WHOLE" ] && echo 23 || echo 151)}" -v seed="${SEED:-1}" \
		-v also="$1" '(NR * 7919 + seed + 13 * also) % step == 0'
}

# Runs in an instance: lines "node task PUs" for each request, or "refused"
cat >"$work/ask" <<'SCRIPT'
flux=$1 requests=$2 number=0
while read -r nodes tasks cores whole each map bind total core; do
	number=$((number + 1))
	options=(-N "$nodes")
	[ "$tasks" = - ] || options+=(-n "$tasks")
	[ "$cores" = - ] || options+=(-c "$cores")
	[ "$whole" = - ] || options+=(-x)
	[ "$each" = - ] || options+=(--tasks-per-node="$each")
	[ "$total" = - ] || options+=(--cores="$total")
	[ "$core" = - ] || options+=(--tasks-per-core="$core")
	[ "$map" = - ] || options+=(--taskmap="$map")
	[ "$bind" = - ] || bind=",$bind"
	# of maps that are long its PMI would have nothing
	options+=(-o "cpu-affinity=dry-run${bind#-}" -o pmi=off)
	timeout 60 "$flux" run "${options[@]}" true </dev/null >"$requests.said" 2>&1
	status=$?
	if [ "$status" -eq 0 ]; then
		"$flux" job taskmap --to=multiline "$("$flux" job last)" >"$requests.map"
		awk '
		FNR == NR { sub(/:/, "", $1); node[$1] = $2; tasks++; next }
		/cpu-affinity: cpus: / {
			i = $0; sub(/.*flux-shell\[/, "", i); sub(/\].*/, "", i); shared[i] = $NF
		}
		/cpu-affinity: task / {
			t = $0; sub(/.*task /, "", t); sub(/:.*/, "", t); own[t] = $NF
		}
		END { for (t = 0; t < tasks; t++) print t, node[t], t in own ? own[t] : shared[node[t]] }
		' "$requests.map" "$requests.said" >"$requests.$number"
	elif [ "$status" -eq 124 ]; then # a busy machine: that is no refusal
		echo late >"$requests.$number"
	else
		echo refused >"$requests.$number"
	fi
done <"$requests"
SCRIPT

found()
{
	local file=$1 nodes=$2 tasks=$3 cores=$4 whole=$5 each=$6 map=$7 bind=$8 total=$9
	local core=${10}
	local options=(--launcher flux)
	[ "$tasks" = - ] || options+=(-n "$tasks")
	[ "$cores" = - ] || options+=(-c "$cores")
	[ "$whole" = - ] || options+=(-x)
	[ "$each" = - ] || options+=(--slots "$each")
	[ "$total" = - ] || options+=(--cores "$total")
	[ "$core" = - ] || options+=(--tasks-per-core "$core")
	[ "$map" = - ] || options+=(--distribution "$map")
	[ "$bind" = - ] || options+=(--cpu-bind "$bind")
	if topomap place "$nodes*$file" --hosts "n[0-$((nodes - 1))]" "${options[@]}" \
		-o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk '
		/^rank +node/ { table = 1; next }
		table { sub(/^n/, "", $2); print $1, $2, $4 }'
	else
		echo refused
	fi >"$work/have"
}

# hostfile:FILE, in the folder of the files
printf 'n1\n\nn[0-1],n1\n' >"$work/again"
printf 'n0\nn2\nn1\nn[0-2]\nn[1-2,0]\n' >"$work/long"
printf 'n[0-2]\nn7\n' >"$work/none"
for name in again long none absent; do
	printf '%s\n' "s,hostfile:$name,hostfile:$work/$name,"
done >"$work/names"

set -f
machine=0
while read -r file; do
	machine=$((machine + 1))
	combinations | choose "$machine" | sed -f "$work/names" >"$work/requests"
	# the nodes' names, which hostfiles have, are those of the resources
	"$flux" R encode -r 0-2 -c "0-$(($(grep -c 'type="Core"' "$file") - 1))" -H 'n[0-2]' \
		>"$work/R.json"
	printf '[resource]\npath = "%s"\nnoverify = true\n' "$work/R.json" >"$work/resources.toml"
	FLUX_HWLOC_XMLFILE=$file FLUX_HWLOC_XMLFILE_NOT_THISSYSTEM=1 "$flux" start --test-size=3 \
		--test-hosts='n[0-2]' --config-path="$work/resources.toml" \
		bash "$work/ask" "$flux" "$work/requests" >"$work/instance" 2>&1
	number=0
	while read -r request; do
		number=$((number + 1))
		if grep -qs late "$work/requests.$number"; then
			late=$((late + 1))
			continue
		fi
		compared=$((compared + 1))
		# shellcheck disable=SC2086
		found "$file" $request
		cp "$work/requests.$number" "$work/want" 2>/dev/null || : >"$work/want"
		! grep -q refused "$work/want" || refused=$((refused + 1))
		if ! cmp -s "$work/want" "$work/have"; then
			failed=$((failed + 1))
			if [ "$failed" -le 20 ]; then
				echo "FAILED  $file $request"
				! grep -q refused "$work/have" || cat "$work/reason"
				diff "$work/want" "$work/have" | head -n 6
			fi
		fi
	done <"$work/requests"
	rm -f "$work"/requests.*
done < <(machines)
echo "$compared requests compared with Flux, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, $late skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
