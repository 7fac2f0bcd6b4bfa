#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Several nodes in one job. MPICH can be told that ranks of one host do not share memory
# (MPIR_CVAR_NOLOCAL, MPIR_CVAR_ODD_EVEN_CLIQUES): to the probe they are nodes with equal
# host names. With an XML file for each rank they are of several kinds.
. "$(dirname "$0")/common.bash"

nodes_of() { column node "$1" | cut -d' ' -f2 | paste -sd' '; }
kinds_of() { grep -c '^ *"allowed_pus"' "$1"; }
histogram_of() { sed -n 's/^ *"histogram": //p' "$1"; }

mpi=mpich
use_mpi mpich || finish
h=$(hostname)

MPIR_CVAR_NOLOCAL=1 launch 5 "$probe" -o "$work/job.json"
same "equal host names become distinct" "$h $h#2 $h#3 $h#4 $h#5" "$(nodes_of "$work/job.json")"
same "equal nodes are described once" 1 "$(kinds_of "$work/job.json")"
same "all pairs are between nodes" '{"7": 10}' "$(histogram_of "$work/job.json")"

MPIR_CVAR_ODD_EVEN_CLIQUES=1 launch 6 "$probe" -o "$work/job.json"
same "ranks that share memory are one node" "$h $h#2 $h $h#2 $h $h#2" \
	"$(nodes_of "$work/job.json")"

# Even ranks on one kind of node, odd ones on another; equal kinds under different host names
# in their XML files are one.
for i in 0 1 2 3 4 5; do
	case $((i % 2)) in
	0) file=2package-4core.xml ;;
	1) file=2package-2numa-3core-2pu.xml ;;
	esac
	sed "s|<info name=\"Backend\"|<info name=\"HostName\" value=\"host$i\"/>&|" \
		"tests/data/$file" >"$work/node$i.xml"
done
cat >"$work/own" <<EOF
#!/bin/sh
HWLOC_XMLFILE=$work/node\$PMI_RANK.xml HWLOC_THISSYSTEM=0 exec "\$@"
EOF
chmod +x "$work/own"
MPIR_CVAR_NOLOCAL=1 launch 6 "$work/own" "$probe" -o "$work/job.json" 2>"$work/err"
same "two kinds of nodes are described" 2 "$(kinds_of "$work/job.json")"
same "each rank has the whole of its own kind" \
	"$(printf '%s\n' "0 0-7" "1 0-23" "2 0-7" "3 0-23" "4 0-7" "5 0-23")" \
	"$(pus_of "$work/job.json")"
same "imitated nodes are warned of once" 1 "$(said "$work/err" | wc -l)"

# More nodes than the XML files: the others are what the system is.
MPIR_CVAR_NOLOCAL=1 launch 40 "$work/own" "$probe" -o "$work/many.json" 2>"$work/err"
same "40 nodes are one for each rank" 40 "$(column node "$work/many.json" | cut -d' ' -f2 |
	sort -u | wc -l)"
finish
