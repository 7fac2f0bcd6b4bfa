#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --launcher openmpi5 against mpirun of Open MPI 5.0 with PRRTE 3.0.8: the same
# request on the same imitated machines must give the same node and the same PUs for every rank,
# or be refused by both. mpirun maps and starts nothing (donotlaunch); openmpi5_map.c has the PUs.
# A map whose ranks have numbers left out, or none, is no job: it counts as refused.
#
# Ranks such as 3/-/4 are those of several programs, "-n 3 true : true : -n 4 true".
#
# A sample unless GRID=1; SEED=N chooses another one. RECORD=FILE writes the maps down, for
# tests/core/place/test_prrte.c, which compares where no such mpirun is.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=${TOPOMAP_DATA:-../shared/data}/topologies
mpirun=${MPIRUN:-$(command -v mpirun.openmpi || command -v mpirun)}
prterun=${PRTERUN:-prterun}
if ! "$mpirun" --version 2>/dev/null | grep -q '(Open MPI) 5\.' ||
	! "$prterun" --version 2>/dev/null | grep -q '(PRRTE) 3\.0\.8$'; then
	echo "skipped: no mpirun of Open MPI 5 with PRRTE 3.0.8 is installed"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
ulimit -c 0
${CC:-cc} -shared -fPIC -o "$work/map.so" tests/policies/openmpi5_map.c -ldl || exit 3
host=$(hostname)
compared=0 refused=0 failed=0

# Machines: a file, or a line from which hwloc makes one.
machines()
{
	cat <<-LIST
	tests/data/2package-4core.xml
	tests/data/2package-2numa-3core-2pu.xml
	tests/data/2package-first-allowed.xml
	package:2 numa:2 l3:1 l2:2 core:2 pu:2
	package:1 l3:2 core:3 pu:1
	package:2 core:3 pu:2
	package:2 pu:4
	numa:2 core:2 pu:2
	LIST
	[ -d "$data" ] || return 0
	while read -r file; do
		echo "$data/$file"
	done <<-LIST
	8em64t-2s2ca2c.xml
	16em64t-4s2c2t-offlines.xml
	20em64t-hybrid-1p6c2t+2ca4co1t.xml
	8em64t-2s4c-asymcaches.xml
	knl-snc4-flat-hwloc1.xml
	epyc-corona.xml
	64amd64-4s2n4ca2co.xml
	memorysidecaches.xml
	coral-lassen.xml
	64intel64-3g2n+2n-irregulargroups+pci.xml
	plafrim2-souris.xml
	16amd64-8n2c.xml
	20s390-2g6s4c.xml
	192em64t-12gr2n8c2t.xml
	256ia64-64n2s2c.xml
	256ppc-8n8s4t.xml
	48amd64-4d2n6c.xml
	96em64t-4no4pa3ca2co.xml
	eas-tioga.xml
	offline-cpu0-node0.xml
	nvidia-dgx-gb10.xml
	arm64-ulna-hwloc1.xml
	AMD-19h-Zen3-2xEpyc-7763.xml
	cts1-quartz-smt1.xml
	azure-hbv4-176core-24l3.xml
	LIST
}

# Lines "machine;slots;ranks;map;rank;bind" ("-": not given), $1 of the whole grid: the number of a
# combination is taken apart digit by digit.
choose()
{
	local count=$1
	while IFS= read -r machine; do
		printf '%s;%s\n' "$machine" \
			"$(topomap place "$(file_of "$machine")" 2>/dev/null | sed -n 's/^  "size": \([0-9]*\),/\1/p')"
	done < <(machines) | awk -F ';' -v count="$count" -v seed="${SEED:-1}" '
	{ machine[NR - 1] = $1; cores[NR - 1] = $2 }
	function depth(word) {
		sub(/:.*/, "", word)
		return word in level ? level[word] : word ~ /^ppr:.:/ ? level[substr(word, 7)] : 0
	}
	function digit(n,    d) { d = number % n; number = int(number / n); return d }
	END {
		objects = "core l1cache l2cache l3cache package numa hwthread"
		maps = split("- slot node seq " objects " " objects " ppr:1:node ppr:3:node " \
			"ppr:2:package ppr:1:numa ppr:2:numa ppr:1:l3cache ppr:2:l2cache " \
			"ppr:1:core ppr:2:core ppr:1:hwthread pe-list=0 pe-list=0,1 pe-list=0-1 " \
			"pe-list=0,2-3 pe-list=1,3,0", map, " ")
		mods = split("- - - - - - - - - - - - - - PE=1 PE=2 PE=3 PE=4 SPAN SPAN SPAN:PE=2 OVERSUBSCRIBE " \
			"OVERSUBSCRIBE:SPAN NOLOCAL HWTCPUS HWTCPUS HWTCPUS:PE=2 CORECPUS ORDERED core",
			mod, " ")
		ranks = split("- - - - slot node fill span", rank, " ")
		binds = split("- - - - - - - - none none none core core core core core hwthread " objects \
			" core:overload-allowed numa:overload-allowed hwthread:if-supported " \
			"package:no-overload core:overload-allowed:if-supported", bind, " ")
		for (i = split("package numa l3cache l2cache l1cache core hwthread", word, " "); i; i--)
			level[word[i]] = i
		srand(seed)
		for (i = 0; i < count; i++) {
			m = int(rand() * NR)
			number = int(rand() * 2147483647)
			c = cores[m]
			if (c == 0) c = 4
			nodes = 1 + digit(3)
			kind = digit(8)
			slots = ""
			all = first = 0
			for (n = 0; n < nodes; n++) {
				s = kind < 4 ? c : kind == 4 ? int(c / 2) + 1 : kind == 5 ? 2 * c : \
					int(rand() * 4) + 1
				slots = slots (n ? ":" : "") s
				all += s
				first = first ? first : s
			}
			k = digit(16)
			np = k == 0 ? "-" : k < 10 ? k % 6 + 1 : k < 12 ? int(c / 2) + 1 : \
				k == 12 ? all : k == 13 ? all - int(first / 3) : k == 14 ? 11 : all + 2
			number = int(rand() * 2147483647)
			a = map[1 + digit(maps)]
			b = mod[1 + digit(mods)]
			r = rank[1 + digit(ranks)]
			t = bind[1 + digit(binds)]
			# most of what is refused anyway need not be asked
			if (digit(4)) {
				if (a ~ /^seq/ && np != "-" && np > nodes) np = nodes
				if (depth(t) && depth(t) < depth(a)) t = "-"
				if (a !~ /cache|numa|package|core|hwt/ && r ~ /fill|span/) r = "-"
				if (a ~ /pe-list/ && t !~ /core|hwt/) t = "-"
				if (np != "-" && np !~ /\// && np > all) np = all
			}
			# for programs enough slots in most cases; pe-list and seq are imitated for one
			if (digit(5) == 0 && a !~ /pe-list|seq/) {
				np = int(rand() * 4) + 1
				for (n = 1 + digit(2); n; n--)
					np = np "/" (rand() < 0.1 ? "-" : int(rand() * 5) + 1)
				slots = int(rand() * 6) + 3
				for (n = 1; n < nodes; n++)
					slots = slots ":" int(rand() * 6) + 3
			}
			if (b != "-") a = (a == "-" ? "" : a) ":" b
			print machine[m] ";" slots ";" np ";" a ";" r ";" t
		}
	}'
}

# The machine as a file.
file_of()
{
	local name=${1//[ :]/}
	case $1 in
	*.xml) echo "$PWD/$1" ;;
	*)
		[ -e "$work/$name.xml" ] ||
			lstopo -i "$1" --of xml "$work/$name.xml" 2>/dev/null || exit 3
		echo "$work/$name.xml" ;;
	esac
}

# Sets of PUs as "0-1,4", a star for all that there are.
sets='
function spread(text, set,    part, parts, i, ends, k) {
	split("", set)
	parts = split(text, part, ",")
	for (i = 1; i <= parts; i++) {
		if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
		for (k = ends[1] + 0; k <= ends[2] + 0; k++) set[k] = 1
	}
}
function shorten(text,    set, k, out, from, last) {
	spread(text, set)
	last = -2
	for (k = 0; k < 4096; k++) {
		if (!(k in set)) continue
		if (k != last + 1) {
			out = out (last > from ? "-" last : "") (out == "" ? "" : ",") k
			from = k
		}
		last = k
	}
	return out (last > from ? "-" last : "")
}'

# What mpirun says in one line: "0:0-1 1:*", node and PUs of each rank, or "refused".
expect()
{
	local file=$1 slots ranks=$3 map=$4 rank=$5 bind=$6 hosts options=() programs=() program
	IFS=: read -r -a slots <<<"$2"
	hosts=$host:${slots[0]}
	for ((n = 1; n < ${#slots[@]}; n++)); do
		hosts+=,node$n:${slots[n]}
	done
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	for program in ${ranks//// }; do
		[ ${#programs[@]} -eq 0 ] || programs+=(:)
		[ "$program" = - ] || programs+=(-n "$program")
		programs+=(true)
	done
	rm -f "$work/pus"
	# the shell says so when mpirun crashes, as it does with seq:NOLOCAL
	{ OPENMPI5_MAP=$work/pus LD_PRELOAD=$work/map.so timeout 60 "$mpirun" \
		--prtemca hwloc_use_topo_file "$file" --display map \
		--runtime-options donotlaunch --host "$hosts" "${options[@]}" "${programs[@]}" \
		</dev/null >"$work/said" 2>&1; } 2>/dev/null
	touch "$work/pus"
	awk -v all="$all" "$sets"'
	FILENAME ~ /pus$/ { pus[++lines] = $0; next }
	/Data for node:/ {
		node++
		sub(/.*Num procs: /, "")
		processes += $0
	}
	/Process rank:/ {
		rank = $0; sub(/.*Process rank: /, "", rank); sub(/ .*/, "", rank)
		set = /Bound: N\/A/ ? "*" : shorten(pus[++next_line])
		if (set == "" || rank == "INVALID") bad = 1
		place[rank + 0] = node "\t" (set == all ? "*" : set)
		count++
	}
	END {
		# the map is made twice, and node names are looked up by the shell
		if (count != processes || !count) bad = 1
		for (r = 0; r < count; r++) if (!(r in place)) bad = 1
		if (bad) { print "refused"; exit }
		for (r = 0; r < count; r++) print place[r]
	}' "$work/pus" "$work/said" >"$work/places"
	# the nodes of the map stand in the order in which they were used
	grep -a 'Data for node:' "$work/said" | sed 's/.*Data for node: //; s/\t.*//' >"$work/nodes"
	awk -F '\t' -v host="$host" '
	FILENAME ~ /nodes$/ { name[++nodes] = $0; next }
	/^refused/ { printf "refused"; next }
	{
		node = name[$1] == host ? 0 : substr(name[$1], 5)
		printf "%s%d:%s", count++ ? " " : "", node, $2
	}
	END { print "" }' "$work/nodes" "$work/places" >"$work/want"
}

found()
{
	local file=$1 slots ranks=$3 map=$4 rank=$5 bind=$6 options=(--launcher openmpi5) hosts program
	IFS=: read -r -a slots <<<"$2"
	hosts=x0:${slots[0]}
	for ((n = 1; n < ${#slots[@]}; n++)); do
		hosts+=,x$n:${slots[n]}
	done
	case $ranks in
	*/*)
		for program in ${ranks//// }; do
			[ "$program" = - ] && program=true || program="-n $program true"
			options+=(--app "$program")
		done ;;
	-) ;;
	*) options+=(-n "$ranks") ;;
	esac
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$rank" = - ] || options+=(--rank-by "$rank")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	if topomap place "${#slots[@]}*$file" --hosts "$hosts" "${options[@]}" \
		-o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk -v all="$all" "$sets"'
		/^rank +node/ { table = 1; bound = $NF == "bound"; next }
		table {
			set = shorten($4)
			printf "%s%d:%s", count++ ? " " : "", substr($2, 2), \
				set == all || (bound && $NF == "no") ? "*" : set
		}
		END { print "" }'
	else
		echo refused
	fi >"$work/have"
}

[ -z "$RECORD" ] || {
	echo "# Maps of mpirun (Open MPI 5.0.7, PRRTE 3.0.8 of Debian 13), made by"
	echo "#     RECORD=FILE tests/policies/openmpi5.sh"
	echo "# machine;slots of each node;ranks;map-by;rank-by;bind-to;node:PUs of each rank"
} >"$RECORD"
while IFS= read -r request; do
	IFS=';' read -r machine slots ranks map rank bind <<<"$request"
	file=$(file_of "$machine")
	all=$(topomap place "$file" -n 1 --map-by slot --bind-to none 2>/dev/null |
		sed -n 's/^  *"allowed_pus": "\(.*\)",/\1/p')
	expect "$file" "$slots" "$ranks" "$map" "$rank" "$bind"
	found "$file" "$slots" "$ranks" "$map" "$rank" "$bind"
	compared=$((compared + 1))
	[ "$(cat "$work/want")" != refused ] || refused=$((refused + 1))
	if [ -n "$RECORD" ]; then
		echo "${request/"$data/"/"@"};$(cat "$work/want")" >>"$RECORD"
	fi
	cmp -s "$work/want" "$work/have" && continue
	failed=$((failed + 1))
	[ "$failed" -le 20 ] || continue
	echo "FAILED  $request"
	! grep -q refused "$work/have" || cat "$work/reason"
	! grep -q refused "$work/want" || grep -a -v '^-*$\|^$' "$work/said" | head -n 5
	diff "$work/want" "$work/have" | cut -c 1-300
done < <(choose "${COUNT:-$([ -n "$GRID" ] && echo 6000 || echo 150)}")
echo "$compared requests compared with mpirun 5, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
