#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files of every kind, given to every option that reads files: one that is another's is called what it
# is, with status 1 and in one line; an option's own is read. The oracle is the table below, which was
# written by hand.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD
PATH=$top/${BUILD:-build}:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cp tests/data/2package-4core.xml "$work/hwloc2"
cp tests/data/hwloc3-2package-2core.xml "$work/hwloc3"
cd "$work" || exit 3
export LC_ALL=C
passed=0 failed=0

topomap place 'node:2 core:2' -o placement.json
topomap score placement.json -c bcast -b 64k -f json -o score
topomap profile summit -f json >profile 2>/dev/null || topomap profile summit -o profile
topomap inspect placement.json -f svg -o picture
printf '0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n' >matrix
printf '0 1 100\n2 3 100\n' >list
printf 'rank 0=n0 slot=0\nrank 1=n0 slot=1\nrank 2=n1 slot=0\nrank 3=n1 slot=1\n' >rankfile
printf 'n0 slots=2\nn1 slots=2\n' >hostfile
printf 'n0*2\nn1*2\n' >slurm
printf '[n0:1] \033[1mMCW rank 0\033[0m bound to socket 0[core 0[hwt 0]]: [B/.]\n' >log
printf 'SwitchName=s0 Nodes=n[0-1]\n' >conf
printf -- '- topology: t\n  cluster_default: true\n  tree:\n    switches:\n' >yaml
printf '    - {switch: s, nodes: "n[0-1]"}\n' >>yaml
printf '{"instances":[{"id":"n0","network_layers":["l"]},{"id":"n1","network_layers":["l"]}]}' >graph
printf '{"a": 1}\n' >json
printf 'The quick brown fox\njumps over the lazy dog.\n' >prose
: >empty
cp placement.json placement

# What an hwloc 2 adds of hwloc 3's XML
cure="hwloc 2.* reads no XML of hwloc 3: export it again with hwloc 3's lstopo --export-xml-flags 2 FILE"
reads_hwloc3=
! topomap place hwloc3 >/dev/null 2>&1 || reads_hwloc3=hwloc3

# What each kind is called where it is refused; "-": nothing that is known
name_of()
{
	case $1 in
	hwloc2) echo "it is hwloc's XML of a machine, which topomap place reads as MACHINE" ;;
	hwloc3) echo "it is hwloc's XML of a machine, which topomap place reads as MACHINE${reads_hwloc3:-; but $cure}" |
		sed 's/hwloc3$//' ;;
	placement | score | profile) echo "it is topomap's $1 document" ;;
	picture) echo "it is an SVG picture" ;;
	matrix | list) echo "it is traffic ($1), which topomap suggest-rankfile --matrix reads" ;;
	rankfile) echo "it is a rankfile of Open MPI 4, which topomap place --from openmpi4:FILE reads" ;;
	log) echo "it is output of Open MPI's mpirun --report-bindings, --display-map or --display-devel-map, which topomap place --from report-bindings:FILE reads" ;;
	conf | yaml) echo "it is a network (topology.$1), which topomap place --network reads" ;;
	graph) echo "it is a network (topograph), which topomap place --network reads" ;;
	*) echo '*' ;;
	esac
}

# What a use takes, which follows where what a file is says nothing of who reads it
rule_of()
{
	lists="'topomap help hostfile' and 'topomap help logs'"
	case $1 in
	machine) echo "a MACHINE is hwloc's XML or a line such as 'node:4 core:8', and a placement stands alone, with --network" ;;
	inspect) echo 'a PLACEMENT is a document with the places of ranks' ;;
	network) echo '--network reads one of: topograph, ibnetdiscover, topology.yaml, topology.conf, table' ;;
	from) echo "--from reads what launchers read and print, as $lists list it" ;;
	slurm | hostfile) echo "the files of hosts and ranks that are read are those of $lists" ;;
	traffic) echo '--matrix reads one of: monitoring, otf2, json, mtx, edges, scotch, metis, matrix, list' ;;
	distances) echo "--matrix reads a matrix of distances, hwloc's XML or a placement" ;;
	profile) echo '--profile reads a profile or times' ;;
	esac
}

# USE KIND...: what a use reads, or says itself what is wrong with
own_of()
{
	case $1 in
	machine) echo hwloc2 $reads_hwloc3 ;;
	inspect) echo placement score profile ;;
	network) echo conf yaml graph ;;
	from) echo rankfile log ;;
	slurm) echo slurm matrix list ;; # names of hosts may be numbers
	hostfile) echo hostfile slurm matrix list ;;
	traffic) echo matrix list ;;
	distances) echo matrix list placement score profile hwloc2 $reads_hwloc3 ;;
	profile) echo profile placement score ;;
	esac
}

run()
{
	case $1 in
	machine) topomap place "$2" ;;
	inspect) topomap inspect "$2" ;;
	network) topomap place placement.json --network "$2" ;;
	from) topomap place 'node:2 core:2' --from "./$2" ;;
	slurm) topomap place 'node:2 core:2' --from "slurm:$2" ;;
	hostfile) topomap place 'node:2 core:2' --hostfile "$2" ;;
	traffic) topomap suggest-rankfile placement.json --matrix "$2" ;;
	distances) topomap tree placement.json --matrix "$2" ;;
	profile) topomap score placement.json -c bcast -b 1k --profile "$2" ;;
	esac >/dev/null 2>err
}

is_listed() { case " $2 " in *" $1 "*) ;; *) false ;; esac }

for use in machine inspect network from slurm hostfile traffic distances profile; do
	for kind in hwloc2 hwloc3 placement score profile picture matrix list rankfile hostfile slurm \
		log conf yaml graph json prose empty; do
		# a document as the machine is a placement to which --network is missing
		[ "$use" = machine ] && is_listed $kind 'placement score profile graph json' && continue
		run $use $kind
		status=$?
		said=$(cat err)
		wanted=$(name_of $kind)
		# what hwloc itself is asked first
		[ "$use $kind" != "machine hwloc3" ] && [ "$use $kind" != "distances hwloc3" ] ||
			wanted=$cure
		! is_listed $kind 'placement score profile picture' || wanted="$wanted; $(rule_of $use)"
		if is_listed $kind "$(own_of $use)"; then
			case $said in
			*": it is "[aoht]*", which topomap "*) good=0 ;;
			*) good=1 ;;
			esac
		else
			good=0
			[ "$status" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] &&
				case $said in
				"topomap "*"$kind"*": "$wanted) good=1 ;;
				esac
		fi
		if [ $good -eq 1 ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAILED  $use $kind: status $status, $said"
		fi
	done
done
for own in 'machine hwloc2' 'inspect placement' 'network conf' 'network yaml' 'network graph' \
	'from rankfile' 'slurm slurm' 'hostfile hostfile' 'profile profile'; do
	if run $own; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $own: $(cat err)"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
