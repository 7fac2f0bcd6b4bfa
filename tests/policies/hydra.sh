#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --launcher hydra against mpiexec.hydra 4.0: the same -bind-to and -map-by on
# the same imitated machines must bind every process of a node to the same PUs, or be
# refused by both. A sample unless GRID=1; SEED=N chooses another one.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
mpiexec=$(command -v mpiexec.hydra || command -v mpiexec)
if ! "$mpiexec" --version 2>/dev/null | grep -q 'HYDRA build'; then
	echo "skipped: Hydra (mpiexec of MPICH) is not installed"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export HWLOC_THISSYSTEM=0 HYDRA_TOPO_DEBUG=1
ulimit -c 0
compared=0 refused=0 failed=0

# Machines all of whose PUs may be used (Hydra sees the others only in part) and whose PUs
# have the indexes from 0 on (it prints one digit for each PU, whatever their indexes).
machines()
{
	if [ -d "$data" ]; then
		printf "$data/%s\n" 8em64t-2s2ca2c.xml 20em64t-hybrid-1p6c2t+2ca4co1t.xml \
			8em64t-2s4c-asymcaches.xml knl-snc4-flat-hwloc1.xml epyc-corona.xml \
			64amd64-4s2n4ca2co.xml memorysidecaches.xml \
			16amd64-8n2c.xml 20s390-2g6s4c.xml eas-tioga.xml
	fi
	printf '%s\n' tests/data/2package-4core.xml tests/data/2package-2numa-3core-2pu.xml
}

objects='core hwthread socket numa l1cache l2cache l3cache machine core:2 hwthread:2 socket:2
	numa:3 core:3 hwthread:5 l3cache:2 l2cache:3'

combinations()
{
	local file ranks bind map
	machines | while read -r file; do
	for ranks in 3 17 40; do
	for bind in none $objects; do
	for map in - $objects; do
		[ "$bind:$map" = "none:-" ] || [ "$bind" != none ] || continue
		echo "$file $ranks $bind $map"
	done; done; done; done
}

choose()
{
	awk -v step="${STEP:-$([ -n "$GRID" ] && echo 3 || echo 53)}" -v seed="${SEED:-1}" \
		'(NR * 7919 + seed) % step == 0'
}

# Lines "rank PUs"; process I binding: 1100 means PUs 0 and 1.
expect()
{
	local file=$1 ranks=$2 bind=$3 map=$4 options
	options=(-bind-to "$bind")
	[ "$map" = - ] || options+=(-map-by "$map")
	HWLOC_XMLFILE=$file timeout 30 "$mpiexec" -n "$ranks" "${options[@]}" true \
		</dev/null >"$work/said" 2>&1
	awk -v ranks="$ranks" -v bind="$bind" '
	/^process [0-9]+ binding:/ {
		pus = ""
		for (i = 1; i <= length($4); i++)
			if (substr($4, i, 1) == "1") pus = pus (pus == "" ? "" : ",") i - 1
		print $2, index($4, "0") ? pus : "unbound"
		lines++
	}
	END {
		for (i = 0; bind == "none" && i < ranks; i++) { print i, "unbound"; lines++ }
		if (lines != ranks) print "refused"
	}' "$work/said" | sort -n >"$work/want"
	if grep -q refused "$work/want"; then
		echo refused >"$work/want"
	fi
}

found()
{
	local file=$1 ranks=$2 bind=$3 map=$4 options
	options=(--launcher hydra -n "$ranks" --slots 1000 --bind-to "$bind")
	[ "$map" = - ] || options+=(--map-by "$map")
	if topomap place "$file" "${options[@]}" -o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk '
		/^rank +node/ { table = 1; bound = $NF == "bound"; next }
		table { print $1, bound && $NF == "no" ? "unbound" : expand($4) }
		function expand(set,    n, part, i, k, ends, out) {
			n = split(set, part, ",")
			for (i = 1; i <= n; i++) {
				if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
				for (k = ends[1] + 0; k <= ends[2] + 0; k++)
					out = out (out == "" ? "" : ",") k
			}
			return out
		}'
	else
		echo refused
	fi >"$work/have"
}

while read -r request; do
	# shellcheck disable=SC2086
	expect $request
	# shellcheck disable=SC2086
	found $request
	compared=$((compared + 1))
	! grep -q refused "$work/want" || refused=$((refused + 1))
	if ! cmp -s "$work/want" "$work/have"; then
		failed=$((failed + 1))
		if [ "$failed" -le 20 ]; then
			echo "FAILED  $request"
			! grep -q refused "$work/have" || cat "$work/reason"
			! grep -q refused "$work/want" || head -n 3 "$work/said"
			diff "$work/want" "$work/have" | head -n 6
		fi
	fi
done < <(combinations | choose)
echo "$compared requests compared with Hydra, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
