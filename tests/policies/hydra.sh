#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --launcher hydra against mpiexec.hydra: the same -bind-to and -map-by on the same
# imitated machines must bind every process of a node to the same PUs, or be refused by both. What
# it binds to, a preload prints (hydra_binds.c). A sample unless WHOLE=1; SEED=N chooses another one.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
mpiexec=$(command -v mpiexec.hydra || command -v mpiexec)
release=$("$mpiexec" --version 2>/dev/null | sed -n 's/^ *Version: *//p')
case $("$mpiexec" --version 2>/dev/null):$release in
*'HYDRA build'*:4.0*) launcher=hydra40 ;;
*'HYDRA build'*) launcher=hydra ;;
*)
	echo "skipped: Hydra (mpiexec of MPICH) is not installed"
	exit 77 ;;
esac
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export HWLOC_THISSYSTEM=0
ulimit -c 0
compared=0 refused=0 failed=0

${CC:-cc} -shared -fPIC -o "$work/binds.so" tests/policies/hydra_binds.c || exit 3

hydra()
{
	local file=$1
	shift
	: >"$work/binds"
	BINDS=$work/binds HWLOC_XMLFILE=$file LD_PRELOAD=$work/binds.so timeout 30 "$mpiexec" "$@" \
		true </dev/null 2>&1
	cat "$work/binds"
}

if ! hydra tests/data/2package-4core.xml -n 1 -bind-to core | grep -q '^bound 0 to 0$'; then
	echo "skipped: this Hydra has an hwloc of its own"
	exit 77
fi

machines()
{
	[ ! -d "$data" ] || ls "$data"/*.xml | grep -v unloadable
	ls tests/data/2package*.xml
}

objects='core hwthread socket numa l1cache l2cache l3cache machine core:2 hwthread:2 socket:2
	numa:3 core:3 hwthread:5 l3cache:2 l2cache:3'

# Pairs of -bind-to and -map-by.
devices='gpu gpu:2 gpu0 gpu1 gpu3 gpu12 gpu:2,gpu gpu,core core,gpu ib ib0 ib:2 ib:2,ib0 ib1,ib ib,hfi
	eth eth:3 en eth0,en:2 hfi hfi1_0 hfi1_0,hfi pci:0000:05:00.0 pci:01:00.0 pci:41:01.0
	pci:0000:41:00.0,pci:41:00.0'
[ "$launcher" = hydra40 ] || devices="$devices gpu-subdev gpu-subdev,gpu"

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
	machines | while read -r file; do
	for ranks in 3 11; do
	for bind in $devices; do
		map=${bind#*,}
		[ "$map" != "$bind" ] || map=-
		echo "$file $ranks ${bind%,*} $map"
	done; done; done
}

choose()
{
	awk -v step="${STEP:-$([ -n "$WHOLE" ] && echo 3 || echo 53)}" -v seed="${SEED:-1}" \
		'(NR * 7919 + seed) % step == 0'
}

# Lines "rank PUs", as hwloc prints sets.
expect()
{
	local file=$1 ranks=$2 bind=$3 map=$4 options
	options=(-bind-to "$bind")
	[ "$map" = - ] || options+=(-map-by "$map")
	hydra "$file" -n "$ranks" "${options[@]}" >"$work/said"
	awk -v ranks="$ranks" -v bind="$bind" '
	/^bound [0-9]+ to / { print $2, $4; lines++ }
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
	options=(--launcher $launcher -n "$ranks" --slots 1000 --bind-to "$bind")
	[ "$map" = - ] || options+=(--map-by "$map")
	if topomap place "$file" "${options[@]}" -o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk -v bind="$bind" '
		/^rank +node/ { table = 1; next }
		table { print $1, bind == "none" ? "unbound" : $4 }'
	else
		echo refused
	fi >"$work/have"
}

# Several programs on nodes of their own slots, "2:3", or with -ppn, "2:3@4": the node, program and PUs of each rank. Each
# proxy of mpiexec runs here and takes itself for one of the hosts.
programs()
{
	local file slots ranks bind
	for file in tests/data/2package-4core.xml tests/data/2package-2numa-3core-2pu.xml; do
	for slots in 5 2:3 4:1:2 1:1 3:3:1 1@3 2:3@4 4:1:2@2 1:1@1; do
	for ranks in 1/1 2/3 3/-/1 4/4 -/- 1/6/2; do
	for bind in none core hwthread socket numa; do
		echo "$file $slots $ranks $bind"
	done; done; done; done | awk -v step="$([ -n "$WHOLE" ] && echo 1 || echo 23)" \
		-v seed="${SEED:-1}" '(NR * 7919 + seed) % step == 0'
}

expect_programs()
{
	local file=$1 ranks=$3 bind=$4 slots list words=() program k=0
	IFS=: read -r -a slots <<<"${2%@*}"
	[[ $2 != *@* ]] || words=(-ppn "${2#*@}")
	list=x0:${slots[0]}
	for ((n = 1; n < ${#slots[@]}; n++)); do
		list+=,x$n:${slots[n]}
	done
	for program in ${ranks//// }; do
		[ "$k" -eq 0 ] || words+=(:)
		[ "$program" = - ] || words+=(-n "$program")
		words+=("$work/named" "$k")
		k=$((k + 1))
	done
	: >"$work/binds"
	: >"$work/named.out"
	BINDS=$work/binds NAMED=$work/named.out HWLOC_XMLFILE=$file LD_PRELOAD=$work/binds.so timeout -k 2 30 \
		"$mpiexec" -launcher ssh -launcher-exec "$work/agent" -hosts "$list" -bind-to "$bind" \
		"${words[@]}" </dev/null >"$work/said" 2>&1
	awk -v bind="$bind" '
	FILENAME ~ /binds$/ { pus[$2] = $4; next }
	{ print $1, $2, $3, bind == "none" ? "unbound" : pus[$1]; lines++ }
	END { if (!lines) print "refused" }' "$work/binds" "$work/named.out" | sort -n >"$work/want"
}

found_programs()
{
	local file=$1 ranks=$3 bind=$4 slots list options program k=0
	IFS=: read -r -a slots <<<"${2%@*}"
	list=x0:${slots[0]}
	for ((n = 1; n < ${#slots[@]}; n++)); do
		list+=,x$n:${slots[n]}
	done
	options=(--launcher $launcher --hosts "$list" --bind-to "$bind")
	[[ $2 != *@* ]] || options+=(--slots "${2#*@}")
	for program in ${ranks//// }; do
		[ "$program" = - ] && program="p$k" || program="-n $program p$k"
		options+=(--app "$program")
		k=$((k + 1))
	done
	if topomap place "${#slots[@]}*$file" "${options[@]}" -o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" >"$work/table"
		sed -n 's/.*"setting": "\(.*\)".*/\1/p' "$work/placement" | tr , '\n' | awk -v bind="$bind" '
		NR == FNR {
			times = split($0, run, "*") > 1 ? run[2] : 1
			last = split(run[1], end, "-") > 1 ? end[2] : end[1]
			for (k = end[1] + 0; k <= last + 0; k++)
				for (i = 0; i < times; i++) program[ranks++] = k
			next
		}
		/^rank +node/ { table = 1; next }
		table { print $1, $2, program[$1], bind == "none" ? "unbound" : $4 }' - "$work/table"
	else
		echo refused
	fi >"$work/have"
}

cat >"$work/named" <<-'END'
	#!/bin/sh
	echo "$PMI_RANK $HOST_TAKEN $1" >>"$NAMED"
	END
cat >"$work/agent" <<-'END'
	#!/bin/sh
	# [-x] HOST COMMAND...
	while [ "${1#-}" != "$1" ]; do shift; done
	HOST_TAKEN=$1
	export HOST_TAKEN
	shift
	exec sh -c "$*"
	END
chmod +x "$work/named" "$work/agent"

# judge REQUEST: what both have said is in $work.
judge()
{
	compared=$((compared + 1))
	! grep -q refused "$work/want" || refused=$((refused + 1))
	cmp -s "$work/want" "$work/have" && return
	failed=$((failed + 1))
	[ "$failed" -le 20 ] || return
	echo "FAILED  $1"
	! grep -q refused "$work/have" || cat "$work/reason"
	! grep -q refused "$work/want" || head -n 3 "$work/said"
	diff "$work/want" "$work/have" | head -n 6
}

# SLICE=I/N takes every N-th request, from the I-th on: 1/4 of a sample, and all with WHOLE=1.
slice()
{
	awk -v slice="${SLICE:-$([ -n "$WHOLE" ] && echo 1/1 || echo 1/4)}" 'BEGIN { split(slice, part, "/") } NR % part[2] == part[1] % part[2]'
}

while read -r request; do
	# shellcheck disable=SC2086
	expect $request
	# shellcheck disable=SC2086
	found $request
	judge "$request"
done < <(combinations | choose | slice)
while read -r request; do
	# shellcheck disable=SC2086
	expect_programs $request
	# shellcheck disable=SC2086
	found_programs $request
	judge "$request"
done < <(programs | slice)
echo "$compared requests compared with Hydra $release, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
