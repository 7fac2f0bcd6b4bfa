#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --launcher openmpi5 against mpirun of Open MPI 5.0 with PRRTE 3.0.8: the same
# request on the same imitated machines must give the same node and the same PUs for every rank,
# or be refused by both. mpirun maps and starts nothing (donotlaunch); openmpi5_map.c has the PUs.
# A map whose ranks have numbers left out, or none, is no job: it counts as refused.
#
# Ranks such as 3/-/4 are those of several programs, "-n 3 true : true : -n 4 true".
#
# A sample unless WHOLE=1; SEED=N chooses another one. RECORD=FILE writes the maps down, for
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

# Lists of hosts: lines "machine;hosts;hostfiles;sequence;programs;map;bind". Of texts a slash ends a
# line; hostfiles h1 and h2 stand on both sides of a bar. "home" is the host of mpirun.
choose_lists()
{
	awk -v count="$1" -v seed="${SEED:-1}" '
	function pick(list,    word) { return word[1 + int(rand() * split(list, word, " "))] }
	# some of the hosts, home first unless it is left out
	function some(    list, i) {
		list = rand() < 0.85 ? "home" : ""
		for (i = 1; i <= 2; i++)
			if (list == "" || rand() < 0.7) list = list (list == "" ? "" : " ") (i == 1 ? "b" : "c")
		return list
	}
	function dash_host(list, most,    word, n, i, out) {
		n = split(list, word, " ")
		for (i = 1; i <= n; i++)
			out = out (i > 1 ? "," : "") word[i] (rand() < 0.8 ? ":" 1 + int(rand() * most) : "")
		if (rand() < 0.15) out = out "," word[1 + int(rand() * n)]
		return out
	}
	function shuffle(list,    word, n, i, j, t, out) {
		n = split(list, word, " ")
		for (i = n; i > 1; i--) { j = 1 + int(rand() * i); t = word[i]; word[i] = word[j]; word[j] = t }
		for (i = 1; i <= n; i++) out = out (i > 1 ? " " : "") word[i]
		return out
	}
	function hostfile(list, limits,    word, n, i, out, s, m) {
		n = split(list, word, " ")
		for (i = 1; i <= n; i++) {
			s = 1 + int(rand() * 4)
			m = s + int(rand() * 4)
			out = out word[i] (rand() < 0.8 ? " slots=" s : "") \
				(limits && rand() < 0.7 ? " " pick("max_slots= max-slots= slots_max=") m : "") "/"
		}
		if (rand() < 0.3) out = out word[1 + int(rand() * n)] "/"
		if (rand() < 0.1) out = "# hosts/" out
		return out
	}
	function sequence(list,    word, n, i, lines, out) {
		n = split(list, word, " ")
		lines = 1 + int(rand() * 6)
		for (i = 1; i <= lines; i++) {
			if (rand() < 0.06) out = out "/"
			if (rand() < 0.06) out = out "# no host/"
			out = out (rand() < 0.04 ? pick("localhost d home.x b.x 127.0.0.1") : \
				word[1 + int(rand() * n)]) (rand() < 0.2 ? " 0,2-3" : "") \
				(rand() < 0.1 ? " 0 2" : "") "/"
		}
		sequence_lines = lines
		if (rand() < 0.02) sub(/.$/, "", out)
		return out
	}
	function number(most) { return rand() < 0.15 ? "-" : 1 + int(rand() * most) }
	BEGIN {
		machines = split("tests/data/2package-4core.xml|package:2 numa:2 l3:1 l2:2 core:2 pu:2|" \
			"tests/data/2package-2numa-3core-2pu.xml|package:2 pu:4", machine, "|")
		srand(seed)
		while (count-- > 0) {
			kind = int(rand() * 5)
			hosts = files = seq = "-"
			map = pick("slot slot node core package numa ppr:2:node ppr:1:package - seq")
			bind = pick("- - - none core")
			programs = number(6)
			list = "home" (rand() < 0.7 ? " b" : "") (rand() < 0.4 ? " c" : "")
			if (kind == 0) {
				hosts = dash_host(list, 4)
				seq = sequence(list)
				map = "seq"
				programs = number(sequence_lines + (rand() < 0.1))
			} else if (kind == 1) {
				files = hostfile(list, 0)
				for (k = int(rand() * 3); k; k--)
					files = files pick(list) "/"
				lines = gsub("/", "/", files)
				map = "seq"
				programs = number(lines)
			} else if (kind == 2 || kind == 3) {
				programs = ""
				if (kind == 3) files = hostfile(shuffle(some()), 0) "|" hostfile(shuffle(some()), 0)
				for (k = 1 + int(rand() * 3); k; k--)
					programs = programs (programs == "" ? "" : " : ") "-n " 1 + int(rand() * 3) \
						(kind == 3 && rand() < 0.7 ? " --hostfile h" 1 + int(rand() * 2) : \
						kind == 2 && rand() < 0.85 ? " --host " dash_host(shuffle(some()), 3) : "")
				if (programs !~ /host/) programs = programs " --host home:4"
				if (rand() < 0.1 && map != "seq") gsub("-n [0-9]* --", "--", programs)
				if (map == "seq") sub("-n [0-9]*", "-n 1", programs)
			} else {
				files = hostfile(list, 1)
				map = pick("slot slot node core package ppr:2:node ppr:1:package")
				programs = 1 + int(rand() * 10)
			}
			if (rand() < (kind == 4 ? 0.8 : 0.15))
				map = (map == "-" ? "" : map) ":OVERSUBSCRIBE"
			print machine[1 + int(rand() * machines)] ";" hosts ";" files ";" seq ";" programs ";" map ";" bind
		}
	}'
}

# Words cut down, run on and wrongly written, each once: requests as those of choose().
spellings()
{
	local machine='package:2 numa:1 l3:1 l2:2 core:2 pu:2' word
	# no * or ? is in them
	for word in : :: core: core:: core::SPAN :SPAN ::SPAN core:SPAN: c s sl se n no nu h hwthreads \
		p pa pe pe=0 pe-l=0,1 p-l=0,1 pe-list-x=0 pe-=0 pel=0 l l1 l3 L3 l3cachex lx sockets sock \
		SOCKET r co-re core-x -core core- slot:s slot:o slot:n slot:no slot:nol slot:noi slot:i \
		slot:h slot:co slot:c slot:p slot:pe slot:pe2 slot:p=2 slot:pe=2 slot:PE=2:o slot:span-x \
		slot:spanning slot:s-p slot:SPAN:no-over slot=3 core=x ppr:2:p ppr:2:n ppr:2:nu ppr:2:l \
		ppr:2:s ppr:2:sk ppr:2:h ppr:2:packages PPR:2:node ppr:2:node:o ppr::2:node ppr:2:node: \
		ppr:2:node:x core:HWT node:ord pe-list=0,1,2,3:ord pe-list=0,1,2,3:o dist span \
		core:inh:noinh core:PE core:PE=1: core:SPAN:SPAN=3 core:oversub-x core:over:nooversub; do
		echo "$machine;8;3;$word;-;-"
	done
	for word in s sl n f sp slot: slot:: :slot span: fill- slots S slot:slot fill:span node: :; do
		echo "$machine;8;4;package;$word;-"
	done
	for word in core:overload core:over core:o core:overload- core:overload-allowed:if \
		core:overload-allowed:if-s core:overload-allowed:o core:overload-a:if-s core:if core:if-s \
		core:i-s core:if-supp:over core:if-supp:o-a core:if-supp:no core:no core:no-over core:n-o \
		core:no-overload:o-a core:o-a-x core:report core:if-s:report core:if-s:r :if-s:report c h n \
		no nu l l2 p pac sockets sock : :: core: core:: core::if-s core:if-s: :if-s :if :o ::o-a \
		core- co-re -core none: core:xo-a core:IF-S core:if-supported-x noneX corex; do
		echo "$machine;8;3;-;-;$word"
	done
	# nine ranks and more are bound to these eight cores with overload-allowed only
	for word in core:o-a core:o-allowed core:overload-all core:if-s core:if-s:o-a core:no-o:o-a core:o-a:n-o \
		core:-o-a core:overload--allowed core:overload-allowedx; do
		echo "$machine;12;10;-;-;$word"
	done
}

# Nodes with a slot more than cpus: by slot no rank is bound there, by other words it depends.
slots_above_cpus()
{
	local ranks map
	for ranks in 8 9; do
		for map in slot node package - ppr:8:node ppr:9:node ppr:5:package; do
			echo "tests/data/2package-4core.xml;9;$ranks;$map;-;-"
		done
		for map in slot node package; do
			echo "tests/data/2package-4core.xml;9:9;$ranks;$map;-;-"
		done
	done
}

# More ranks than cpus, with and without leave to share them; ranges of cpus for one rank each.
cpus_run_out()
{
	cat <<-LIST
	tests/data/2package-4core.xml;9;9;-;-;core:overload-allowed
	tests/data/2package-4core.xml;9;9;package;-;package:overload-allowed
	tests/data/2package-4core.xml;9;9;package;-;core:overload-allowed
	tests/data/2package-4core.xml;9;9;package;-;none:overload-allowed
	tests/data/2package-4core.xml;9;9;core;-;none
	tests/data/2package-4core.xml;9;9;core;-;none:overload-allowed
	tests/data/2package-4core.xml;8;9;numa:OVERSUBSCRIBE;-;core:overload-allowed
	tests/data/2package-4core.xml;8;9;numa:OVERSUBSCRIBE;-;-
	tests/data/2package-4core.xml;8;9;numa:OVERSUBSCRIBE;-;none:overload-allowed
	tests/data/2package-4core.xml;8;9;node:OVERSUBSCRIBE;-;core:overload-allowed
	tests/data/2package-4core.xml;8;9;slot:OVERSUBSCRIBE;-;core:overload-allowed
	tests/data/2package-4core.xml;9;9;ppr:9:node;-;core:overload-allowed
	tests/data/2package-4core.xml;10;10;ppr:5:package;-;core
	tests/data/2package-4core.xml;10;10;ppr:5:package;-;core:overload-allowed
	package:2 numa:1 l3:1 l2:2 core:2 pu:2;9;9;l2cache:PE=1;-;-
	package:2 numa:1 l3:1 l2:2 core:2 pu:2;9;9;l2cache:PE=1;-;core:overload-allowed
	package:2 numa:1 l3:1 l2:2 core:2 pu:2;20;17;hwthread;-;-
	package:2 numa:1 l3:1 l2:2 core:2 pu:2;20;17;hwthread;-;hwthread:overload-allowed
	tests/data/2package-4core.xml;8;2;pe-list=0-3,4-7:ORDERED;-;-
	package:2 numa:1 l3:1 l2:2 core:2 pu:2;8;2;pe-list=0-1,2-3:ORDERED;-;-
	tests/data/2package-4core.xml;8;2;pe-list=0,1:ORDERED;-;-
	tests/data/2package-4core.xml;8;3;pe-list=0,1:ORDERED;-;core:overload-allowed
	LIST
}

# What mpirun makes of the options, a process a line: its host and PUs, or "refused".
map_of()
{
	local file=$1
	shift
	rm -rf "$work"/pus "$work"/prte.*
	# the shell says so when mpirun crashes, as it does with seq:NOLOCAL
	{ OPENMPI5_MAP=$work/pus LD_PRELOAD=$work/map.so timeout -k 2 20 "$mpirun" \
		--prtemca hwloc_use_topo_file "$file" --display map \
		--runtime-options donotlaunch "$@" </dev/null >"$work/said" 2>&1; } 2>/dev/null
	touch "$work/pus"
	awk -v all="$all" "$sets"'
	FILENAME ~ /pus$/ { pus[++lines] = $0; next }
	/Data for node:/ {
		node = $0
		sub(/.*Data for node: /, "", node)
		sub(/\t.*/, "", node)
		if (sub(/.*Num procs: /, "")) processes += $0
	}
	# of some jobs of three programs the map is the one for developers
	/Num procs:/ && !/Data for node:/ { sub(/.*Num procs: /, ""); processes += $0 }
	/Data for proc:/ { rank = $0; sub(/.*,/, "", rank); sub(/\].*/, "", rank) }
	/Process rank:/ { rank = $0; sub(/.*Process rank: /, "", rank); sub(/ .*/, "", rank) }
	/Process rank:/ || /\tBinding: / {
		set = /Bound: N\/A|Binding: UNBOUND/ ? "*" : shorten(pus[++next_line])
		if (set == "" || rank == "INVALID") bad = 1
		place[rank + 0] = node "\t" (set == all ? "*" : set)
		count++
	}
	END {
		# the map is made twice
		if (count != processes || !count) bad = 1
		for (r = 0; r < count; r++) if (!(r in place)) bad = 1
		if (bad) { print "refused"; exit }
		for (r = 0; r < count; r++) print place[r]
	}' "$work/pus" "$work/said" >"$work/places"
}

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
	map_of "$file" --host "$hosts" "${options[@]}" "${programs[@]}"
	awk -F '\t' -v host="$host" '
	/^refused/ { printf "refused"; next }
	{
		node = $1 == host ? 0 : substr($1, 5)
		printf "%s%d:%s", count++ ? " " : "", node, $2
	}
	END { print "" }' "$work/places" >"$work/want"
}

# The texts of a request as files below $work, where both find them.
write_lists()
{
	local text=${1//home/$2} seq=${3//home/$2}
	printf %s "${text%%|*}" | tr / '\n' >"$work/h1"
	printf %s "${text#*|}" | tr / '\n' >"$work/h2"
	printf %s "$seq" | tr / '\n' >"$work/s"
}

# The same of lists of hosts: "home:0-1 b:*". Fewer ranks than were asked for are no job.
expect_lists()
{
	local file=$1 hosts=${2//home/$host} files=$3 seq=$4 programs=$5 map=$6 bind=$7
	local options=() words=() ranks
	write_lists "$files" "$host" "$seq"
	[ "$hosts" = - ] || options+=(--host "$hosts")
	[ "$seq" = - ] || map=seq:file=$work/s${map#seq}
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	case $programs in
	-*[nh]*)
		programs=${programs//--hostfile /--hostfile $work/}
		read -r -a words <<<"${programs//home/$host}"
		# each program ends with its name
		words=("${words[@]/#:/true :}")
		read -r -a words <<<"${words[*]} true" ;;
	*)
		[ "$files" = - ] || options+=(--hostfile "$work/h1")
		[ "$programs" = - ] || words=(-n "$programs")
		words+=(true) ;;
	esac
	map_of "$file" "${options[@]}" "${words[@]}"
	ranks=$(ranks_of "$programs")
	# without a number of ranks there must be one for each slot of the list
	case $map,$programs in
	seq*,-) ranks=$(sed -n 's/.*Total slots allocated //p' "$work/said" | head -n 1) ;;
	esac
	awk -F '\t' -v host="$host" -v ranks="$ranks" '
	/^refused/ { ranks = NR + 1 }
	{ line[NR] = ($1 == host ? "home" : $1) ":" $2 }
	END {
		if (NR < ranks) printf "refused"
		for (i = 1; i <= NR && NR >= ranks; i++)
			printf "%s%s", (i > 1 ? " " : ""), line[i]
		print ""
	}' "$work/places" >"$work/want"
}

# How many ranks there must be where all is well; 0: that follows from the slots.
ranks_of()
{
	case $1 in
	-*[nh]*) echo "$1" | awk '{ for (i = 1; i < NF; i++) if ($i == "-n") sum += $(i + 1); print sum + 0 }' ;;
	-) echo 0 ;;
	*) echo "$1" ;;
	esac
}

found_lists()
{
	local file=$1 hosts=$2 files=$3 seq=$4 programs=$5 map=$6 bind=$7
	local options=(--launcher openmpi5) program nodes
	write_lists "$files" home "$seq"
	[ "$seq" = - ] || map=seq:file=$work/s${map#seq}
	[ "$map" = - ] || options+=(--map-by "$map")
	[ "$bind" = - ] || options+=(--bind-to "$bind")
	nodes=3
	case $programs in
	-*[nh]*)
		options+=(--hosts home,b,c)
		while read -r program; do
			options+=(--app "${program//--hostfile /--hostfile $work/} true")
		done < <(echo "${programs// : /$'\n'}") ;;
	*)
		[ "$programs" = - ] || options+=(-n "$programs")
		if [ "$files" = - ]; then
			hosts=$(echo "$hosts" | awk -F , '{
				for (i = 1; i <= NF; i++) {
					n = split($i, part, ":")
					if (!(part[1] in sum)) order[++count] = part[1]
					sum[part[1]] += n > 1 ? part[2] : 1
				}
				for (i = 1; i <= count; i++) printf "%s%s:%d", (i > 1 ? "," : ""), order[i], sum[order[i]]
			}')
			options+=(--hosts "$hosts")
			nodes=$(echo "$hosts" | tr , '\n' | wc -l)
		else
			options+=(--hostfile "$work/h1")
			nodes=$(sed 's/#.*//; s/ .*//; /^$/d' "$work/h1" | sort -u | wc -l)
		fi ;;
	esac
	if topomap place "$nodes*$file" "${options[@]}" -o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk -v all="$all" "$sets"'
		/^rank +node/ { table = 1; bound = index($0, " bound") + 1; next }
		table {
			set = shorten($4)
			printf "%s%s:%s", count++ ? " " : "", $2, \
				set == all || (bound > 1 && substr($0, bound, 2) == "no") ? "*" : set
		}
		END { print "" }'
	else
		echo refused
	fi >"$work/have"
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
		/^rank +node/ { table = 1; bound = index($0, " bound") + 1; next }
		table {
			set = shorten($4)
			printf "%s%d:%s", count++ ? " " : "", substr($2, 2), \
				set == all || (bound > 1 && substr($0, bound, 2) == "no") ? "*" : set
		}
		END { print "" }'
	else
		echo refused
	fi >"$work/have"
}

# judge REQUEST RECORD: what both have said is in $work.
judge()
{
	compared=$((compared + 1))
	[ "$(cat "$work/want")" != refused ] || refused=$((refused + 1))
	if [ -n "$2" ]; then
		echo "${1/"$data/"/"@"};$(cat "$work/want")" >>"$2"
	fi
	cmp -s "$work/want" "$work/have" && return
	failed=$((failed + 1))
	[ "$failed" -le 20 ] || return
	echo "FAILED  $1"
	! grep -q refused "$work/have" || cat "$work/reason"
	! grep -q refused "$work/want" || grep -a -v '^-*$\|^$' "$work/said" | head -n 5
	diff "$work/want" "$work/have" | cut -c 1-300
}

[ -z "$RECORD" ] || {
	echo "# Maps of mpirun (Open MPI 5.0.7, PRRTE 3.0.8 of Debian 13), made by"
	echo "#     RECORD=FILE tests/policies/openmpi5.sh"
	echo "# machine;slots of each node;ranks;map-by;rank-by;bind-to;node:PUs of each rank"
} >"$RECORD"
[ -z "$RECORD_LISTS" ] || {
	echo "# The same of lists of hosts, made by RECORD_LISTS=FILE tests/policies/openmpi5.sh; of texts a"
	echo "# slash ends a line, and \"home\" is the host of mpirun."
	echo "# machine;hosts;hostfiles;sequence;programs;map-by;bind-to;node:PUs of each rank"
} >"$RECORD_LISTS"
all_of()
{
	topomap place "$1" -n 1 --map-by slot --bind-to none --slots 1 2>/dev/null |
		sed -n 's/^  *"allowed_pus": "\(.*\)",/\1/p'
}

# SLICE=I/N takes every N-th request, from the I-th on.
slice()
{
	awk -v slice="${SLICE:-1/1}" 'BEGIN { split(slice, part, "/") } NR % part[2] == part[1] % part[2]'
}

while IFS= read -r request; do
	IFS=';' read -r machine slots ranks map rank bind <<<"$request"
	file=$(file_of "$machine")
	all=$(all_of "$file")
	expect "$file" "$slots" "$ranks" "$map" "$rank" "$bind"
	found "$file" "$slots" "$ranks" "$map" "$rank" "$bind"
	judge "$request" "$RECORD"
done < <({ spellings; slots_above_cpus; cpus_run_out; choose "${COUNT:-$([ -n "$WHOLE" ] && echo 6000 || echo 150)}"; } | slice)
while IFS= read -r request; do
	IFS=';' read -r machine hosts files seq programs map bind <<<"$request"
	file=$(file_of "$machine")
	all=$(all_of "$file")
	expect_lists "$file" "$hosts" "$files" "$seq" "$programs" "$map" "$bind"
	found_lists "$file" "$hosts" "$files" "$seq" "$programs" "$map" "$bind"
	judge "$request" "$RECORD_LISTS"
done < <(choose_lists "${LISTS:-$([ -n "$WHOLE" ] && echo 2000 || echo 60)}" | slice)
echo "$compared requests compared with mpirun 5, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
