#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place against mpirun: the same request on the same imitated machines must give the
# same node and the same PUs for every rank, or be refused by both. What is imitated is mpirun of
# Open MPI 4.1; with mpirun 5 those requests are compared that both releases answer alike.
#
# mpirun 4.1 maps with --do-not-launch, which takes a fraction of a second. With SPAN that mode
# ranks in another order than a launch (policies/openmpi.h), so those cases are launched,
# on one node. A sample unless WHOLE=1; SEED=N chooses another one. SLICE=I/N compares every N-th
# request, from the I-th on: 1/7 of a sample, and all with WHOLE=1.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
mpirun=$(command -v mpirun.openmpi || command -v mpirun)
release=$("$mpirun" --version 2>/dev/null | sed -n 's/.*(\(Open MPI\|OpenRTE\)) \([0-9.]*\).*/\2/p')
case $release in
4.1* | 5.*) ;;
*)
	echo "skipped: no mpirun of Open MPI 4.1 or 5 is installed"
	exit 77 ;;
esac
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

# The same of nodes without Core objects: all of them are compared.
coreless()
{
	local map bind
	for map in - slot node core hwthread socket numa socket:PE=1 socket:PE=2 slot:PE=1 ppr:2:socket \
		ppr:3:node; do
	for bind in - none core hwthread socket; do
		echo "tests/data/2package-4pu.xml 2 8 6 $map - $bind"
	done; done
	echo "tests/data/2package-4pu.xml 2 8 6 socket - socket --use-hwthread-cpus"
	echo "tests/data/2package-4pu.xml 2 8 6 core - - --use-hwthread-cpus"
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

# The same where hardware threads are cpus: machine nodes slots ranks map rank bind option. Slots
# that nobody gives ("-") are what mpirun counts when it launches, on one node.
threads()
{
	local file=tests/data/2package-2numa-3core-2pu.xml np map rank bind
	for np in 3 8 12 24; do
	for map in slot node core hwthread socket numa:PE=2 ppr:2:core; do
	for rank in - slot core hwthread; do
	for bind in - none core hwthread socket; do
		[ "$bind" = none ] || [ "$map" != node ] || continue
		echo "$file 1 24 $np $map $rank $bind --use-hwthread-cpus"
		echo "$file 3 8 $np $map $rank $bind --use-hwthread-cpus"
	done; done; done; done | awk -v whole="${WHOLE:-0}" -v seed="${SEED:-1}" '
		whole || (NR * 7919 + seed) % 23 == 0'
	echo "$file 1 - 24 core - core --use-hwthread-cpus"
	echo "$file 1 - 24 - - hwthread"
	echo "$file 1 - 24 hwthread - core"
	echo "$file 1 - 25 core - core --use-hwthread-cpus"
}

# The same of several programs, whose ranks are "3/2/-". With all of them launched on one node,
# where ranks are numbered by objects; elsewhere --do-not-launch numbers them before it maps.
programs()
{
	local file cores nodes slots np map rank bind modifier
	while read -r file cores; do
	for nodes in 1 2 3; do
	for slots in "$cores" $((cores / 2 + 1)) 4:1:3; do
	for np in 1/1 3/2 2/4/1 5/8 4/4 -/2 3/-; do
	for map in - slot node core socket numa hwthread ppr:1:node ppr:3:node ppr:2:socket; do
	for modifier in '' OVERSUBSCRIBE SPAN PE=2; do
	for rank in - slot node socket core core:FILL socket:SPAN; do
	for bind in - none core socket; do
		case $map:$modifier,$nodes,$rank in
		-:?*,* | ppr*:SPAN,*) continue ;;
		*,[23],slot | *,[23],node | slot*,[23],- | node*,[23],- | ppr*,[23],- | *,1,*) ;;
		*) continue ;;
		esac
		echo "$file $nodes $slots $np $map${modifier:+:$modifier} $rank $bind"
	done; done; done; done; done; done; done
	done <<-LIST | awk -v step="${PROGRAMS_STEP:-$([ -n "$WHOLE" ] && echo 31 || echo 1009)}" \
		-v seed="${SEED:-1}" '(NR * 7919 + seed) % step == 0'
	tests/data/2package-4core.xml 8
	tests/data/2package-2numa-3core-2pu.xml 12
	LIST
}

# max_slots of hostfiles, "2<4" slots, at most 4: 4.1 looks at them for later programs only.
limits()
{
	local np map
	for np in 4 6 3/3 5/2 6/1/1 7/2; do
	for map in slot node core socket ppr:3:node slot:OVERSUBSCRIBE node:OVERSUBSCRIBE \
		core:OVERSUBSCRIBE ppr:3:node:OVERSUBSCRIBE; do
		echo "tests/data/2package-4core.xml 2 2<4:2<2 $np $map slot core"
	done; done
}

# Some lines of all, the same every time: about 200 of them, of which a slice is compared, or with
# WHOLE=1 about 6000. Of those that have to be launched, which takes seconds, only every fifth.
choose()
{
	awk -v step="${STEP:-$([ -n "$WHOLE" ] && echo 421 || echo 12007)}" -v seed="${SEED:-1}" '
	(NR * 7919 + seed) % step == 0 && ($5 !~ /SPAN/ || ++spans % 5 == 1)'
}

# What mpirun says, as lines "rank node-number PUs", or "refused"
expect()
{
	local file=$1 nodes=$2 slots np=$4 map=$5 rank=$6 bind=$7 hosts options mode words=() program
	IFS=: read -r -a slots <<<"$3"
	for program in ${np//// }; do
		[ ${#words[@]} -eq 0 ] || words+=(:)
		[ "$program" = - ] || words+=(-np "$program")
		words+=(true)
	done
	hosts=$host:${slots[0]}
	for ((n = 1; n < nodes; n++)); do
		hosts+=,node$n:${slots[n % ${#slots[@]}]}
	done
	options=(--host "$hosts" ${8:+"$8"})
	[ "$3" != - ] || options=(${8:+"$8"})
	case $3 in
	*\<*)
		write_limits "$host" node "${slots[@]}"
		options=(--hostfile "$work/hostfile") ;;
	esac
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	case $map,$3,$nodes,$np in
	*SPAN*,* | *,-,*,* | *,1,*/*) mode='' ;;
	*) mode='--do-not-launch --novm' ;;
	esac
	# the shell says "Aborted" when mpirun ends so, as it does with --do-not-launch
	# shellcheck disable=SC2086
	{ HWLOC_XMLFILE=$file timeout 30 "$mpirun" $mode --mca rmaps_base_verbose 5 \
		"${options[@]}" --display-map "${words[@]}" </dev/null >"$work/said" 2>&1; } 2>/dev/null
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

# A hostfile of "2<4" and the like: the first host, and the beginning of the others' names.
write_limits()
{
	local n=0 first=$1 other=$2
	shift 2
	for slots; do
		echo "$([ "$n" -eq 0 ] && echo "$first" || echo "$other$n")" \
			"slots=${slots%<*} max_slots=${slots#*<}"
		n=$((n + 1))
	done >"$work/hostfile"
}

found()
{
	local file=$1 nodes=$2 slots np=$4 map=$5 rank=$6 bind=$7 options hosts program named
	options=(--map-by "${map/#-/default}" --bind-to "${bind/#-/default}" ${8:+"$8"})
	IFS=: read -r -a slots <<<"$3"
	if [ "$3" = - ]; then
		hosts=x0
	elif [ ${#slots[@]} -eq 1 ]; then
		options+=(--slots "$3")
		hosts="x[0-$((nodes - 1))]"
	else
		hosts=x0:${slots[0]}
		for ((n = 1; n < nodes; n++)); do
			hosts+=,x$n:${slots[n % ${#slots[@]}]}
		done
	fi
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	case $np in
	*/*)
		for program in ${np//// }; do
			[ "$program" = - ] && program=true || program="-n $program true"
			options+=(--app "$program")
		done ;;
	*) options+=(-n "$np") ;;
	esac
	named=(--hosts "$hosts")
	case $3 in
	*\<*)
		write_limits x0 x "${slots[@]}"
		named=(--hostfile "$work/hostfile") ;;
	esac
	if topomap place "$nodes*$file" "${named[@]}" "${options[@]}" \
		-o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk '
		/^rank +node/ { table = 1; bound = index($0, " bound") + 1; next }
		table { print $1, substr($2, 2), (bound > 1 && substr($0, bound, 2) == "no" ? "unbound" : $4) }'
	else
		echo refused
	fi >"$work/have"
}

compare()
{
	case $release in
	5*) expect_of_5 "$@"; found "$@"; spread ;;
	*) expect "$@"; found "$@" ;;
	esac
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

# The requests that mpirun 5 answers as 4.1 does: by slot, node and core and so many a node or a
# package, one core or none for each rank. Elsewhere it binds, orders or refuses otherwise; of
# ppr:2:package it starts an even number of ranks, whatever -np says.
requests_of_5()
{
	local file cores nodes slots np map bind
	while read -r file cores; do
	for nodes in 1 3; do
	for slots in "$cores" $((cores / 2 + 1)) 4:1:3; do
	for np in 1 2 3 $((cores / 2)) 8 $((cores / 2 * nodes)) $((${slots%%:*} * nodes)); do
	for map in slot core node ppr:1:node ppr:3:node ppr:2:package; do
	for bind in core none; do
		case $slots,$np,$map in
		*,*[13579],ppr:2:package) continue ;;
		*:*,*,[np]*) continue ;; # uneven slots
		esac
		echo "$file $nodes $slots $np $map - $bind"
	done; done; done; done; done
	done <<-LIST
	tests/data/2package-4core.xml 8
	tests/data/2package-2numa-3core-2pu.xml 12
	LIST
}

# What mpirun 5 says, a PU a line: "rank node-number PU", or "refused". It counts cores; where each has
# one PU, it gives that PU's number.
expect_of_5()
{
	local file=$1 nodes=$2 slots np=$4 map=$5 bind=$7 hosts
	IFS=: read -r -a slots <<<"$3"
	hosts=$host:${slots[0]}
	for ((n = 1; n < nodes; n++)); do
		hosts+=,node$n:${slots[n % ${#slots[@]}]}
	done
	TMPDIR=$work timeout 60 "$mpirun" --prtemca hwloc_use_topo_file "$file" --display map \
		--runtime-options donotlaunch --host "$hosts" -np "$np" --map-by "$map" \
		--bind-to "$bind" true </dev/null >"$work/said" 2>&1
	awk '
	NR == FNR && /type="Core"/ { cores++ }
	NR == FNR && /type="PU"/ {
		match($0, /os_index="[0-9]+/)
		pus[cores - 1] = pus[cores - 1] " " substr($0, RSTART + 10, RLENGTH - 10)
		threads++
	}
	NR == FNR { next }
	/Data for node:/ { node++ }
	/Process rank:/ {
		rank = $0; sub(/.*Process rank: /, "", rank); sub(/ .*/, "", rank)
		sub(/.*Bound: /, "")
		lines++
		if (/UNBOUND|N\/A/) print rank, node - 1, "unbound"
		else for (field = 1; field <= NF; field++) {
			sub(/.*core:/, "", $field); sub(/\]/, "", $field)
			count = split($field, span, ",")
			for (i = 1; i <= count; i++) {
				ends = split(span[i], end, "-")
				for (core = end[1] + 0; core <= end[ends] + 0; core++)
					say(cores == threads ? core : pus[core])
			}
		}
	}
	END { if (!lines) print "refused" }
	function say(list, part, parts, j) {
		parts = split(list, part, " ")
		for (j = 1; j <= parts; j++) print rank, node - 1, part[j]
	}
	' "$file" "$work/said" | sort -n -k1,1 -k3,3 >"$work/want"
}

# The same of what was found.
spread()
{
	awk '
	$3 !~ /^[0-9]/ { print; next }
	{
		count = split($3, span, ",")
		for (i = 1; i <= count; i++) {
			ends = split(span[i], end, "-")
			for (pu = end[1] + 0; pu <= end[ends] + 0; pu++) print $1, $2, pu
		}
	}' "$work/have" | sort -n -k1,1 -k3,3 >"$work/spread"
	mv "$work/spread" "$work/have"
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

while read -r file nodes slots np map rank bind option; do
	case $release in
	4*) can_compare "$nodes" "$map" "$bind" || continue ;;
	esac
	compare "$file" "$nodes" "$slots" "$np" "$map" "$rank" "$bind" $option
done < <(case $release in
	5*) requests_of_5 | awk -v whole="${WHOLE:-0}" -v seed="${SEED:-1}" 'whole || (NR + seed) % 4 == 0' ;;
	*) combinations | choose; uneven; coreless; threads; programs; limits ;;
	esac | awk -v slice="${SLICE:-$([ -n "$WHOLE" ] && echo 1/1 || echo 1/7)}" '
		BEGIN { split(slice, part, "/") } NR % part[2] == part[1] % part[2]')
echo "$compared requests compared with mpirun $release, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
