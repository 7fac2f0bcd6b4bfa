#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place against mpirun 4.1: the same request on the same imitated machines must
# give the same node and the same PUs for every rank, or be refused by both.
#
# mpirun maps with --do-not-launch, which takes a fraction of a second. With SPAN that mode
# ranks in another order than a launch (policies/openmpi.h), so those cases are launched,
# on one node. A sample unless GRID=1; SEED=N chooses another one.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
mpirun=$(command -v mpirun.openmpi || command -v mpirun)
if ! "$mpirun" --version 2>/dev/null | grep -Eq '[(](Open MPI|OpenRTE)[)] 4[.]1'; then
	here=$("$mpirun" --version 2>/dev/null | sed -n 's/.*(\(Open MPI\|OpenRTE\)) \([0-9.]*\).*/\2/p')
	echo "skipped: what is imitated is mpirun of Open MPI 4.1; here is ${here:-none}"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_THISSYSTEM=1
# a session directory of our own: mpirun aborts with --do-not-launch and leaves it behind
export OMPI_MCA_orte_tmpdir_base=$work OMPI_MCA_orte_base_help_aggregate=0
ulimit -c 0
host=$(hostname)
compared=0 refused=0 failed=0

# file, and the number of its cores that may be used
machines()
{
	if [ -d "$data" ]; then
		while read -r file cores; do
			echo "$data/$file $cores"
		done <<-LIST
		8em64t-2s2ca2c.xml 8
		16em64t-4s2c2t-offlines.xml 7
		20em64t-hybrid-1p6c2t+2ca4co1t.xml 14
		8em64t-2s4c-asymcaches.xml 8
		knl-snc4-flat-hwloc1.xml 68
		epyc-corona.xml 48
		64amd64-4s2n4ca2co.xml 64
		memorysidecaches.xml 40
		coral-lassen.xml 40
		64intel64-3g2n+2n-irregulargroups+pci.xml 16
		16amd64-8n2c.xml 16
		20s390-2g6s4c.xml 20
		LIST
	fi
	echo "tests/data/2package-4core.xml 8"
}

objects='core l1cache l2cache l3cache socket numa hwthread'

# Every combination, one a line: machine nodes slots ranks map rank bind ("-": not given)
combinations()
{
	local file cores nodes slots np map rank bind
	machines | while read -r file cores; do
	for nodes in 1 3; do
	for slots in "$cores" $((cores / 2 + 1)); do
	for np in 1 2 $((cores / 2)) $((slots * nodes)) $((slots * nodes - slots / 3)); do
	for map in - slot node $objects ppr:1:node ppr:2:socket ppr:1:core ppr:1:l3cache \
		ppr:2:numa; do
	for modifier in '' PE=2 PE=3 SPAN OVERSUBSCRIBE; do
	for rank in - slot node $objects socket:SPAN numa:FILL core:SPAN l2cache:FILL; do
	for bind in - none $objects core:overload-allowed numa:overload-allowed; do
		case $map:$modifier in
		-:?*) continue ;;
		ppr*:SPAN) continue ;;
		esac
		echo "$file $nodes $slots $np $map${modifier:+:$modifier} $rank $bind"
	done; done; done; done; done; done; done
	done
	# more ranks than slots, where that is allowed
	machines | while read -r file cores; do
	for nodes in 1 2; do
	for map in slot node core socket numa l2cache; do
	for bind in none core core:overload-allowed socket:overload-allowed -; do
		echo "$file $nodes $cores $((cores * nodes + nodes + 3)) $map:OVERSUBSCRIBE - $bind"
	done; done; done; done
}

# The same of three nodes whose slots differ, which --hosts says: all of them are compared.
uneven()
{
	local np map bind
	for np in 2 5 7 8 9; do
	for map in slot node core socket ppr:1:node core:OVERSUBSCRIBE; do
	for bind in core none; do
		echo "tests/data/2package-4core.xml 3 4:1:3 $np $map - $bind"
	done; done; done
}

# Some lines of all, the same every time: about 200 of them, or with GRID=1 about 6000. Of
# those that have to be launched, which takes seconds, only every fifth.
choose()
{
	awk -v step="${STEP:-$([ -n "$GRID" ] && echo 421 || echo 12007)}" -v seed="${SEED:-1}" '
	(NR * 7919 + seed) % step == 0 && ($5 !~ /SPAN/ || ++spans % 5 == 1)'
}

# What mpirun says, as lines "rank node-number PUs", or "refused"
expect()
{
	local file=$1 nodes=$2 slots np=$4 map=$5 rank=$6 bind=$7 hosts options mode
	IFS=: read -r -a slots <<<"$3"
	hosts=$host:${slots[0]}
	for ((n = 1; n < nodes; n++)); do
		hosts+=,node$n:${slots[n % ${#slots[@]}]}
	done
	options=(--host "$hosts" -np "$np")
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	case $map in
	*SPAN*) mode='' ;;
	*) mode='--do-not-launch --novm' ;;
	esac
	# the shell says "Aborted" when mpirun ends so, as it does with --do-not-launch
	# shellcheck disable=SC2086
	{ HWLOC_XMLFILE=$file timeout 30 "$mpirun" $mode --mca rmaps_base_verbose 5 \
		"${options[@]}" --display-map true </dev/null >"$work/said" 2>&1; } 2>/dev/null
	rm -rf "$work"/ompi.*
	awk '
	/ PROC .* BITMAP / { pus[rank_of($4)] = $NF }
	/ BOUND PROC .* on node / {
		pus[rank_of($5)] = $7
		sub(/\[.*/, "", pus[rank_of($5)])
	}
	/Data for node:/ { node++ }
	/Process rank:/ {
		rank = $0; sub(/.*Process rank: /, "", rank); sub(/ .*/, "", rank)
		all = /Bound: (UNBOUND|N\/A)/
		print rank, node - 1, all ? "unbound" : pus[rank]
		lines++
	}
	END { if (!lines) print "refused" }
	function rank_of(name) { sub(/.*,/, "", name); sub(/\].*/, "", name); return name }
	' "$work/said" | sort -n >"$work/want"
}

found()
{
	local file=$1 nodes=$2 slots np=$4 map=$5 rank=$6 bind=$7 options hosts
	options=(-n "$np" --map-by "${map/#-/default}" --bind-to "${bind/#-/default}")
	IFS=: read -r -a slots <<<"$3"
	if [ ${#slots[@]} -eq 1 ]; then
		options+=(--slots "$3")
		hosts="x[0-$((nodes - 1))]"
	else
		hosts=x0:${slots[0]}
		for ((n = 1; n < nodes; n++)); do
			hosts+=,x$n:${slots[n % ${#slots[@]}]}
		done
	fi
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	if topomap place "$nodes*$file" --hosts "$hosts" "${options[@]}" \
		-o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk '
		/^rank +node/ { table = 1; bound = $NF == "bound"; next }
		table { print $1, substr($2, 2), bound && $NF == "no" ? "unbound" : $4 }'
	else
		echo refused
	fi >"$work/have"
}

compare()
{
	expect "$@"
	found "$@"
	compared=$((compared + 1))
	[ "$(cat "$work/want")" != refused ] || refused=$((refused + 1))
	cmp -s "$work/want" "$work/have" && return
	failed=$((failed + 1))
	[ "$failed" -le 20 ] || return
	echo "FAILED  $*"
	if grep -q refused "$work/have"; then
		cat "$work/reason"
	fi
	if grep -q refused "$work/want"; then
		grep -v '^\[\|^-*$\|^$' "$work/said" | head -n 5
	fi
	diff "$work/want" "$work/have" | head -n 8
}

# can_compare NODES MAP BIND: SPAN over several nodes cannot be launched here. And all nodes
# share one topology in mpirun where nothing is launched; it then counts the processes that
# are bound to a NUMA node over all of them, which no launch does.
can_compare()
{
	[ "$1" -gt 1 ] || return 0
	case $2,$3 in
	*SPAN*,* | *,numa* | -,- | slot*,- | node*,- | ppr*,- | numa*,-) return 1 ;;
	esac
}

while read -r file nodes slots np map rank bind; do
	if can_compare "$nodes" "$map" "$bind"; then
		compare "$file" "$nodes" "$slots" "$np" "$map" "$rank" "$bind"
	fi
done < <(combinations | choose; uneven)
echo "$compared requests compared with mpirun, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
