#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Small inputs that cost as much as they can, held to the limits that tests/limits/costs states: CPU
# time and address space are the kernel's to count (setrlimit), so that a slow or busy machine does
# not matter. A case ends by itself, with one sentence where it is refused, and never for want of
# memory. Its numbers are none that wrapped (negative), nor infinite, nor none at all. LIMITS chooses
# rows. Of each row each command has its first case and each ninth, so that readers take turns
# (SEED=N: others); WHOLE=1 and LIMITS: all.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD built=$PWD/${BUILD:-build}
topomap=$built/topomap bench=$built/topomap-bench costs=$PWD/tests/limits/costs
probe=$built/topomap-probe recorder=$built/libtopomap-record.so
node=$PWD/tests/data/2package-4core.xml
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
export LC_ALL=C
passed=0 failed=0
declare -A seconds mib readers tried listed

while IFS='|' read -r name who _ cpu memory; do
	name=${name//[[:space:]]/}
	[ -n "$name" ] && [ "${name:0:1}" != '#' ] || continue
	seconds[$name]=$((cpu)) mib[$name]=$((memory)) readers[$name]=${who%%:*}
done <"$costs"

fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

# try INPUT WORD COMMAND...: topomap (or $program, which the table calls $as) COMMAND, which must be
# "refused" (status 1 or 2, one sentence), be "done" (status 0), or do whichever of these ("ends")
try()
{
	local input=$1 word=$2 status lines what command number
	shift 2
	command=$input:${as:-${program:+bench-}$1}
	number=${tried[$command]:-0}
	what="$input: topomap $*"
	[ ${#what} -lt 160 ] || what="${what:0:157}..."
	[ -n "${seconds[$input]}" ] || { fail "$what: tests/limits/costs has no row $input"; return; }
	tried[$command]=$((number + 1))
	[ -z "$LIMITS" ] || [[ " $LIMITS " == *" $input "* ]] || return
	[ -n "$WHOLE$LIMITS" ] || ((number == 0 || (number + ${SEED:-0}) % 9 == 0)) || return
	(ulimit -c 0 -t "${seconds[$input]}" -v $((mib[$input] * 1024)) && exec "${program:-$topomap}" "$@") \
		>out 2>err </dev/null
	status=$?
	lines=$(grep -vc '^Note: ' err)
	case $word:$status in
	refused:[12] | ends:[124])
		# a line with its word marked, or a sentence
		[ $status -eq 4 ] || [ "$lines" -eq 1 ] || grep -q '^ *\^ ' err || { fail "$what: $lines lines"; cat err; return; } ;;
	done:0 | ends:0) ;;
	*) fail "$what: status $status, ${seconds[$input]} s and ${mib[$input]} MiB are the most"
	   head -c 300 err; return ;;
	esac
	# hwloc without memory, perhaps
	! grep -q ' crashes on it ' err || { fail "$what: a crash"; cat err; return; }
	if grep -Eqi '(^|[^[:alnum:]_.-])-([1-9][0-9]{3,}|inf|nan)|(^|[ :,[])(inf|nan)([],} ]|$)' out; then
		fail "$what: a number that is none"
		grep -Eim 3 -- '-[1-9][0-9]{3,}|inf|nan' out | cut -c 1-120
		return
	fi
	passed=$((passed + 1))
}

# repeat N TEXT
repeat() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'; }
# count N FORMAT: 0 .. N-1
count() { awk -v n="$1" -v format="$2" 'BEGIN { for (i = 0; i < n; i++) printf format, i, i % 2, i % 8 }'; }
# file NAME: standard input
file() { cat >"$1"; }

two='node:2 package:2 core:4' job=job.json
"$topomap" place "$two" -o $job || exit 3
"$topomap" place 'node:1 core:1' -o one.json || exit 3
"$topomap" place 'node:1000 core:1000' -o million.json || exit 3
cp "$node" node.xml

# machines
for line in 'node:4194304 core:1' 'node:1 numa:1024 package:1 core:4' 'node:1 package:1024 core:4' \
	'node:1 core:4096' 'node:1 package:4 core:1024 pu:4' \
	"node:1 $(repeat 5000 '[numa] ')core:1" 'node:1 core:8 pu:2(indexes=999999999*1:2*8)' "node:1 $(repeat 100 'group:1 ')core:1"; do
	try machine-line ends place "$line" -n 1
done
for line in 'node:1000000000 core:1' 'node:1 core:1000000000' 'node:1 core:99999999999999999999' \
	'node:1 package:4096 core:4096' 'node:1 numa:2048 core:1' "node:1 $(repeat 5000 'group:2 ')core:1" \
	"node:1 $(repeat 60000 x):1" "$(repeat 9000 '[node:1 ')" \
	'1000000000*node.xml'; do
	try machine-line refused place "$line"
done
{ echo '<?xml version="1.0"?>'; repeat 3500 '<object type="Group">'; } | file nest.xml
{ echo '<?xml version="1.0"?><topology version="2.0">'; repeat 20000 '<a>'; } | file deep.xml
sed 's/cpuset="0x[0-9a-f]*"/cpuset="0x'"$(repeat 60000 f)"'"/' node.xml | head -c 65000 | file mask.xml
sed 's/os_index="[0-9]*"/os_index="4294967295"/' node.xml | file index.xml
{ repeat 15000 '<!--'; } | file comment.xml
for xml in nest deep mask index comment; do
	try machine-xml refused place $xml.xml
	try machine-xml refused tree $job --matrix $xml.xml
	try machine-xml refused ring $job --matrix $xml.xml
done

# ranks
for launcher in openmpi4 openmpi5 slurm hydra flux intel; do
	try ranks refused place "$two" --launcher $launcher -n 134217728
done
try ranks refused place "$two" --launcher cray --cpu-bind none --slots 134217728
try ranks refused place "$two" --slots 134217728
try ranks refused place "$two" --map-by ppr:134217728:core:OVERSUBSCRIBE
try ranks refused place "$two" --hosts a:134217728,b:2
try ranks refused place "$two" --launcher openmpi5 --app '-n 134217728 a' --app '-n 134217728 b'
try ranks refused place 'node:1048576 core:1024'
try ranks refused place "$two" -n 99999999999999999999
try ranks 'done' place 'node:4194304 core:32' -o /dev/null
for way in '--map-by core:OVERSUBSCRIBE --rank-by core' '--map-by node:OVERSUBSCRIBE --rank-by core:SPAN' \
	'--map-by core:OVERSUBSCRIBE --rank-by node' '--map-by ppr:4096:core:OVERSUBSCRIBE --rank-by core:FILL'; do
	# shellcheck disable=SC2086 # words
	try ranks 'done' place 'node:1 core:8' -n 32768 $way --bind-to core:overload-allowed -o /dev/null
done
try ranks 'done' place 'node:4 package:16 numa:32 core:32' -n 1000000 --slots 250000 --map-by core:OVERSUBSCRIBE \
	--bind-to core:overload-allowed -o many.json
[ ! -e many.json ] || try crowd 'done' hierarchy many.json
try ranks ends place 'node:1 core:64' -n 262144 --launcher openmpi5 --map-by core:OVERSUBSCRIBE -o /dev/null
try ranks ends place 'node:1 core:4096' -n 16777216 --launcher hydra -o /dev/null
try ranks 'done' place 'node:1 package:8 l3:16 l2:4 core:32' -n 1000000 --slots 1000000 --launcher openmpi5 \
	--map-by l3:OVERSUBSCRIBE --bind-to core:overload-allowed -o /dev/null
for list in 0-1000000000 "$(repeat 15000 0-7,)0" 0-2147483647/1 99999999999999999999; do
	try rank-list refused inspect $job --comm "$list"
	try rank-list ends inspect $job --ranks "$list"
	try rank-list ends suggest-rankfile $job --together "$list"
	try rank-list ends suggest-rankfile $job --pin-rank "$list=here"
	try rank-list refused suggest-rankfile $job --slots core --leave-free "pu:$list"
done
try rank-list refused inspect $job --comm node:1000000000
try rank-list refused inspect $job --comm column:100000000000

# names of hosts
many='n[0-999999999]'
for list in "$many" "$(repeat 4000 'n[0-4194303],')a" "n$(repeat 40 '[0-9]')" "$(repeat 9000 '[')" \
	"n[$(repeat 60000 0)-1]" "$(repeat 9000 x)[0-4194303]" "$(repeat 30000 a,)a" 'n[0-4194303]:1000000000'; do
	try hostlist ends place "$two" --hosts "$list"
	echo "$list" | file hosts
	for reader in openmpi4 openmpi5 seq slurm hydra flux intel cray; do
		try hostlist refused place "$two" --from $reader:hosts
	done
	try hostlist refused place "$two" --hostfile hosts
done
try hostlist 'done' place 'node:4194304 core:1' -n 1 --hosts 'n[0-4194303]'

# hostfiles
for line in 'n0 slots=1000000000\nn1' 'n0:1000000000' 'n0*1000000000' 'n0 slots=2147483647 max_slots=2147483647'; do
	printf '%b\n' "$line" | file hostfile
	for reader in slurm hydra hydra40 intel; do
		try hostfile refused place "$two" --from $reader:hostfile
	done
	try hostfile refused place "$two" --hostfile hostfile
done
count 12000 'n%d\n' | file hostfile
try hostfile ends place "$two" --hostfile hostfile
try hostfile refused place "$two" --from seq:hostfile

# rankfiles
count 1500 'rank %d=n%d slot=0-1000000000\n' | file long
{ printf 'rank 0=n0 slot='; repeat 15000 '0-7,'; } | file list
echo 'rank 1000000000=n0 slot=0' | file far
echo 'rank 0=n0 slot=0-1000000000:0-1000000000' | file sockets
for f in long list far sockets; do
	for reader in openmpi4 openmpi5; do
		try rankfile refused place "$two" --from $reader:$f
		try rankfile ends suggest-rankfile $job --launcher $reader --lint $f
	done
done
count 3000 'rank %d=n%d slot=%d\n' | file full
try rankfile 'done' place 'node:2 core:8' --from openmpi4:full

# maps of tasks
for map in '(vector,(0,4,33554432))' '(vector,[(0,2,1)]x1000000000)' "(vector,$(repeat 9000 '[')(0,1,1)" \
	"$(repeat 9000 '(vector,')" 0-134217727 "$(repeat 6000 '0-1000000;')" '[[0,2,1,1000000000]]' \
	'{"version":1,"map":[[0,2147483647,2147483647,2147483647]]}' "$(repeat 9000 '[')"; do
	echo "$map" | file map
	for reader in flux hydra-rankmap permutation permutation-json; do
		try task-map refused place "$two" --from $reader:map
	done
	try task-map refused place "$two" --launcher flux -n 8 -m "manual:$map"
done

# sets of PUs
digits=$(repeat 60000 f) range=0-1000000000
try set ends place "$two" --launcher slurm -n 4 --cpu-bind "mask_cpu:0x$digits"
try set ends place "$two" --launcher slurm -n 4 --cpu-bind "map_cpu:0*1000000000"
try set ends place "$two" --launcher slurm -n 4 --cpu-bind "map_cpu:$(repeat 30000 0,)0"
try set refused place "$two" --launcher flux -n 4 --cpu-bind "map:$range"
try set refused place "$two" --launcher cray --slots 2 --cpu-bind "list:$range"
# a rank for each PU of the largest node
most='node:1 package:8 l3:16 l2:4 core:16 pu:2' one=$(count 16384 '%d;')
try local-sets done place "$most" --launcher cray --slots 16384 --cpu-bind depth
try local-sets done place "$most" --launcher cray --slots 8192 --cpu-bind core
try local-sets done place "$most" --launcher cray --slots 16384 --cpu-bind "list:$(count 16383 '%d:')16383"
try local-sets done place "$most" --launcher flux -n 8192 --cpu-bind "map:${one%;}"
try local-sets done place "$most" --launcher flux -n 8192 --cpu-bind per-task
try local-sets done place "$most" --launcher intel --slots 16384 --env I_MPI_PIN_DOMAIN=1:platform
try local-sets done place "$most" --launcher intel --slots 16384 --env I_MPI_PIN_PROCESSOR_LIST=0-16383
try local-sets done place "$most" --launcher intel --slots 8192 --env I_MPI_PIN_DOMAIN=core \
	--env I_MPI_PIN_ORDER=range
try local-sets refused place "$most" --launcher intel --slots 8192 --env I_MPI_PIN_DOMAIN=core \
	--env I_MPI_PIN_ORDER=scatter
for unit in rr core hwthread; do
	try local-sets done place "$most" --launcher hydra -n 16384 --slots 16384 --bind-to $unit
done
for value in "0x$digits" 1000000000 "[$range]"; do
	try set ends place "$two" --launcher intel -n 4 --env "I_MPI_PIN_DOMAIN=$value"
done
for value in $range 'allcores:grain=1000000000,shift=1000000000' "$(repeat 8000 0-7,)0"; do
	try set ends place "$two" --launcher intel -n 4 --env "I_MPI_PIN_PROCESSOR_LIST=$value"
done

# logs
{
	echo "cpu-bind-verbose cpu-bind=MASK - n0, task  0  0 [1]: mask 0x$digits set"
	echo 'cpu-bind-verbose cpu-bind=MASK - n0, task  1000000000  0 [1]: mask 0x1 set'
	echo "cpumask-display [PE_0]: cpumask set to 2 cpus on n0, cpumask = $(repeat 60000 1)"
	echo 'cpumask-display [PE_1000000000]: cpumask set to 2 cpus on n0, cpumask = 11'
	echo "hydra-topo-debug process 0 binding: $(repeat 60000 1)"
	echo 'hello-jobstep MPI 1000000000 - OMP 000 - HWT 001 - Node n0'
	echo 'hello-jobstep MPI 0 - OMP 1000000000 - HWT 1000000000 - Node n0'
	echo "mpibind mpibind: task  0 nths  2 gpus 1 cpus $range"
	echo "mvapich2-show RANK: 0  CPU_SET: $(repeat 30000 ' 1')"
	echo 'mvapich2-show RANK:1000000000 CPU_SET: 1'
	echo "report-bindings [a:1] MCW rank 0 bound: [$(repeat 30000 ./)]"
	echo 'report-bindings [a:1] MCW rank 1000000000 is not bound (or bound to all available processors)'
	echo 'report-bindings [a:1] Rank 0 bound to package[0][core:0-1000000000]'
	echo "taskset 0: pid 9's current affinity list: $range"
	echo "taskset 1000000000: pid 9's current affinity list: 4"
	echo "xthi Node 0, rank 0, thread 1000000000, (affinity = $range)"
	echo 'xthi Hello from rank 1000000000, on n1. (core affinity = 7)'
} | file logs
while read -r reader line; do
	echo "$line" | file log
	try log ends place "$two" --from "$reader:log"
	try log ends place "$two" --from log
done <logs
for text in '[' '{' '<' '"' '0 ' 'rank ' '(' '#' 'a'; do
	repeat 20000 "$text" | file log
	try log ends place "$two" --from log
	try document refused inspect log
	try document refused profile log
	try document refused guidelines $job -b 8 --measured log
	for form in osu imb netgauge simgrid mlc stream; do
		try costs refused profile --from $form:log
	done
	try matrix ends suggest-rankfile $job --matrix log
	try distances refused tree $job --matrix log
	try network refused place "$two" --network log
	try machine-xml refused place log
done


# what other programs measured
# record PLACEMENT ROW COMMUNICATORS CALLS: rows are all as the one
record()
{
	printf '{"kind":"record","format":1,"placement":'
	cat "$1"
	printf ',"program":"p","mpi":"m","date":"d","seconds":1,"point_to_point":{"rows":[%s],"row":"0*100000"}' "$2"
	printf ',"communicators":[%s],"collectives":[%s]}\n' "$3" "$4"
}
empty='{"offsets":[],"messages":[],"bytes":[],"sizes":[]}'
all='"size":100000,"ranks":"0-99999","name":"","topology":""}'
"$topomap" place 'node:12500 core:8' -o wide.json
many=$(seq -s, 0 5999)
record wide.json "{\"offsets\":[$many],\"messages\":[$(repeat 5999 1,)1],\"bytes\":[$(repeat 5999 1,)1],\"sizes\":[0,6000]}" \
	'' '' | file record.json
try record refused suggest-rankfile record.json
try record 'done' inspect record.json
try record refused inspect --traffic -f svg record.json
"$topomap" place 'node:16 core:128' -o dense.json
record dense.json "{\"offsets\":[$(seq -s, 2047)],\"messages\":[$(repeat 2046 1,)1],\"bytes\":[$(repeat 2046 1,)9],\"sizes\":[0,2047]}" \
	'' '' | sed 's/0\*100000/0*2048/' | file record.json
try record 'done' suggest-rankfile record.json -l permutation -o order
try record 'done' inspect --traffic -f svg --against dense.json record.json
record wide.json "$empty" "$(for ((i = 0; i < 60; i++)); do printf '%s{"id":%d,%s' "${i:+$([ $i = 0 ] || echo ,)}" $i "$all"; done)" '' |
	file record.json
try record refused suggest-rankfile record.json
record wide.json "$empty" '{"id":0,"size":99999,"ranks":"0-99998","name":"","topology":""}' \
	'{"collective":"alltoall","mode":"nonblocking","communicator":0,"root":0,"bytes":9223372036854775807,"element":0,"calls":9223372036854775807}' |
	file record.json
try record refused suggest-rankfile record.json
try record 'done' inspect record.json
try record 'done' lanes record.json
{ echo '# Size Latency (us)'; count 6000 '%d 1.5\n'; } | file times
try costs 'done' profile --from osu:times -f json
{ echo '# Size Latency (us)'; repeat 9000 '1 1.5\n'; } | file times
try costs refused profile --from osu:times
{ echo '# Benchmarking PingPong'; echo '# #processes = 2'; echo '#bytes #repetitions t[usec] Mbytes/sec'; count 6000 '%d 1000 1.5 1\n'; } | file times
try costs ends profile --from imb:times
{ echo '# size n PRTT(1,0,s)'; repeat 2000 '1 10 2 3 4 5 6 7 8 9 10\n'; } | file times
try costs refused profile --from netgauge:times
for part in '--cfg=smpi/os:' '<prop id="smpi/os" ' '<cluster ' '<cluster bw="1" ' '--cfg=smpi/os:0:0:0;'; do
	repeat 4000 "$part" | file times
	try costs refused profile --from simgrid:times
	{ repeat 4000 "$part"; echo '>'; } | file times
	try costs refused profile --from simgrid:times
done
{ echo '--cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:'; } | tr -d '\n' >times
{ count 64 '%d:1;'; echo ' <cluster bw="1GBps" lat="1us"/>'; } >>times
try costs 'done' profile --from simgrid:times -f json
{ echo 'Measuring Memory Bandwidths between nodes'; repeat 9000 '4096 1\n'; } | file times
try costs refused profile --from mlc:times
repeat 9000 'Triad: 1\n' | file times
try costs refused profile --from stream:times
# networks
network() { file "$1"; try network ends place "$two" --network "$1"; }
echo 'TorusName=p Dims=1000000000x1000000000x1000000000 Nodes=n[0-1]' | network torus.conf
echo 'TorusName=p Dims=160x160x160 Nodes=n[0-4095999]' | network torus2.conf
printf 'TorusName=p Dims=2x1x1 Nodes=n[0-1]\n TorusName=p PlacementDims=1x1x1(1000000000) Anchors=%s\n' "$range" | network torus3.conf
printf -- '- topology: t\n  torus3d:\n    toruses:\n      - name: p\n        dims: {x: 1000000000, y: 1000000000, z: 1000000000}\n        regions:\n          - anchor: {x: 0, y: 0, z: 0}\n            dims: {x: 1000000000, y: 1, z: 1}\n            nodes: n[0-1]\n' | network torus.yaml
echo 'p:1000000000:1000000000:1000000000.n0 torus:x:y:z.node n0' | network torus.addr
for names in "$many" 'n[0-4194303]' "$(repeat 4000 'n[0-4194303],')a"; do
	echo "SwitchName=s0 Nodes=$names" | network wide.conf
	printf 'SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Switches=%s\n' "$names" | network switches.conf
	printf 'BlockName=b0 Nodes=%s\nBlockSizes=1000000000\n' "$names" | network blocks.conf
	echo "RingName=r Nodes=$names" | network ring.conf
	printf 'node rack\n%s r0\n' "$names" | network wide.txt
done
{ echo 'SwitchName=s0 Nodes=n[0-1]'; awk 'BEGIN { for (i = 0; i < 1700; i++) printf "SwitchName=s%d Switches=s%d\n", i + 1, i }'; } | network chain.conf
count 700 'SwitchName=s%d Nodes=n[0-1]\n' | { cat; count 700 'SwitchName=u%d Switches=s[0-699]\n'; } | network full.conf
count 1500 'SwitchName=s%d Nodes=n[0-1] Switches=s[0-1499]\n' | network circle.conf
{ printf 'a: &b0 [x,x]\n'; awk 'BEGIN { for (i = 1; i < 40; i++) printf "k%d: &b%d [*b%d,*b%d,*b%d]\n", i, i, i - 1, i - 1, i - 1 }'; } | network bomb.yaml
repeat 30000 '[' | network nest.yaml
repeat 15000 '- ' | network dashes.yaml
repeat 15000 '? ' | network keys.yaml
{ printf '{"instances":['; count 1200 '{"id":"n%d","network_layers":["l%d","s%d"]},'; printf '{"id":"x","network_layers":[]}]}'; } | network graph.json
{ printf '{"instances":[{"id":"n0","network_layers":['; count 7000 '"l%d",'; printf '"s"]}]}'; } | network layers.json
count 1000 'Switch\t65 "S-%d"\t# "l%d" lid %d\n[1]\t"S-1"[1]\t# "x"\n' | network ib.txt
{ printf 'node'; count 5000 ' c%d'; printf '\nn0'; count 5000 ' c%d'; echo; } | network columns.txt

# matrices of communication, and of distances
matrix() { file "$1"; for how in seconds cost busiest; do try matrix "$2" suggest-rankfile $job -f json --objective $how --matrix "$1"; done; }
printf '%%%%MatrixMarket matrix coordinate real general\n1000000000 1000000000 1\n1 1 1\n' | matrix a.mtx refused
printf '%%%%MatrixMarket matrix coordinate real general\n16 16 1000000000000\n1 2 1\n' | matrix a.mtx refused
printf '%%%%MatrixMarket matrix array real general\n1000000000 1000000000\n1\n' | matrix a.mtx refused
printf '0\n1000000000 4\n1 0\n' | matrix a.grf refused
printf '1000000000 1000000000 111 1000000000\n' | matrix a.graph refused
echo '0 1000000000 1' | matrix list refused
repeat 30000 '1,' | matrix row refused
repeat 30000 '1\n' | matrix rows refused
printf 'from,to,messages,bytes\n0,1,9223372036854775807,9223372036854775807\n0,1,9223372036854775807,9223372036854775807\n' | matrix sum.csv refused
for number in inf nan -1 1e400 0x7fffffffffffffff 1e308; do echo "0 1 $number" | matrix list ends; done
for number in 9223372036854775807 1e308 1e-320 4611686018427387904 100000000000000000; do
	awk -v n=$number 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++) printf "%s%s", n, j < 15 ? "," : "\n" }' | matrix square.csv ends
	awk -v n=$number 'BEGIN { for (i = 0; i < 16; i++) for (j = 0; j < 16; j++) printf "%s%s", i == j ? 0 : n, j < 15 ? "," : "\n" }' >far.csv
	for way in '' '-b 1EiB' '--accesses' '-a all'; do
		# shellcheck disable=SC2086 # words
		try distances ends tree $job --matrix far.csv -f json $way
		# shellcheck disable=SC2086
		try distances ends ring $job --matrix far.csv -f json $way
	done
done

# grids, schedules
for cart in 100000x100000 2147483647x2147483647 0x0x0 "$(repeat 3000 1x)16" 99999999999999999999; do
	for stencil in cart vonneumann:1000000000 moore:1000000000 "offsets:$(repeat 9000 '1,0;')1,0"; do
		try grid ends suggest-rankfile $job --cart "$cart" --stencil "$stencil" -f json
		try grid ends score $job -c neighbor_alltoall -b 1EiB --cart "$cart" --stencil "$stencil" -f json
	done
done
try grid refused suggest-rankfile $job --cart 16 --periods "$(repeat 30000 1,)1"
try messages refused schedule -n 1000000 -c neighbor_alltoall -a linear -b 8 --cart 1000x1000 --stencil moore:100
try messages refused schedule -n 134217727 -c allgather -a ring -b 8 -f json
try messages refused schedule -n 1000 -c bcast -a pipeline,segment=1 -b 9223372036854775807
for format in json csv ti goal; do
	try messages 'done' schedule -n 700 -c alltoall -a linear -b 8 -f $format -o messages
done
try messages 'done' schedule -n 4194304 -c bcast -a binomial_near -b 8 --fold always -o messages

# sizes and weights
for bytes in 1EiB 9223372036854775807 384307168202282325 96076792050570581; do
	for collective in allgather bcast reduce allreduce reduce_scatter reduce_scatter_block gather scatter \
		alltoall scan exscan; do
		try bytes ends score -c $collective -b $bytes $job -f json
		try bytes ends lanes -c $collective -b $bytes $job -f json
	done
	for way in '' '--chunk 1' '--accesses' '-a all'; do
		# shellcheck disable=SC2086 # words
		try bytes ends tree -b $bytes $way $job -f json
		# shellcheck disable=SC2086
		try bytes 'done' tree -b $bytes $way one.json -f json
		[ "$way" = '--chunk 1' ] && continue
		# shellcheck disable=SC2086
		try bytes ends ring -b $bytes $way $job -f json
	done
	for algorithm in bcast:pipeline,segment=1 allreduce:segmented_ring,segment=1 reduce:chain,segment=1; do
		try bytes ends score -c ${algorithm%%:*} -a ${algorithm#*:} -b $bytes $job -f json
		try bytes ends suggest-rankfile --for $algorithm:$bytes $job -f json
	done
	try bytes ends guidelines -b $bytes $job -f json
	try bytes ends suggest-rankfile --for alltoall:pairwise:$bytes@9223372036854775807 $job -f json
	try bytes ends suggest-rankfile --cart 4x4 -b $bytes $job -f json
done
for size in 8EiB 16EiB 18446744073709551615 -1 1e30; do
	for command in 'score -c bcast' 'schedule -c bcast -a chain' tree ring guidelines 'lanes -c bcast'; do
		# shellcheck disable=SC2086 # words
		try bytes refused $command -b $size $job
	done
done
for weight in 1e308 1e-320 inf nan 1e400; do
	try bytes ends suggest-rankfile --for alltoall:pairwise:8@$weight $job -f json
	try bytes ends suggest-rankfile --for alltoall:pairwise:8 --objective cost --level-costs node:$weight,package:1 $job -f json
	try bytes ends suggest-rankfile --cart 4x4 --stencil "offsets:1,0@$weight;-1,0@$weight" $job -f json
done
try tuned done tune -l openmpi4 -b 1GiB $job
try tuned done tune -l openmpi5 -b 1GiB -c allreduce --datatype 65536 $job
try tuned refused tune -l openmpi4 -b 9223372036854775807 $job
try tuned refused tune -l openmpi4 million.json
{ echo 1 7 1 8 5000; count 5000 '%d 6 0 1\n'; } | file rules
try rules ends tune -l openmpi4 --lint rules $job
{ echo 1 7 1 4 40000; count 40000 '%d 6 0 1\n'; } | file rules
try rules ends tune -l openmpi4 --lint rules $job
{ echo 200000; repeat 100000 '1 0 '; repeat 100000 '0 0 '; } | file rules
try rules ends tune -l openmpi4 --lint rules $job
{ echo 1 7 60000; count 60000 '%d 1 0 6 0 1\n'; } | file rules
try rules ends tune -l openmpi4 --lint rules $job
echo 1 7 1 8 9223372036854775807 0 0 0 0 | file rules
try rules refused tune -l openmpi4 --lint rules
echo 1 0 1 9223372036854775807 2 0 1 0 0 9223372036854775807 5 9223372036854775807 9223372036854775807 | file rules
try rules ends tune -l openmpi4 --lint rules $job

try sweep ends score $job --sweep -c allgather --sizes '1..9223372036854775807*2' -f json
try sweep refused score $job --sweep -c allgather --sizes "$(count 9000 '%d,')9000" --rank-counts 2,3,4,5,6,7,8,9,10 -f json
"$topomap" place 'node:33 core:8' --map-by node -o wide.json
try search 'done' suggest-rankfile wide.json --for allgather:neighbor_exchange:64KiB
try search 'done' suggest-rankfile million.json --for allgather:ring:8 -o rankfile
try search 'done' suggest-rankfile $job --for alltoall:pairwise:8 --effort 9223372036854775807

# everyone to everyone over the cables of many nodes, also where nobody asks for these
printf -- '- topology: t\n  torus3d:\n    toruses:\n      - {name: t, dims: {x: 16, y: 16, z: 16}, nodes: "n[0-4095]"}\n' >torus.yaml
"$topomap" place 'node:4096 core:1' --network torus.yaml -o torus.json 2>err || exit 3
"$topomap" place 'node:65536 core:1' -o nodes.json || exit 3
"$topomap" place 'node:4194304 core:1' -n 2 -o most.json || exit 3
try hops 'done' suggest-rankfile --for alltoall:pairwise:1KiB torus.json
for goal in seconds hops congestion; do
	try hops 'done' suggest-rankfile --for alltoall:pairwise:1KiB --routes torus:64x32x32 --objective $goal nodes.json
done
try hops refused suggest-rankfile --for alltoall:pairwise:1KiB --routes torus:2048x2048 most.json

# a million ranks: no document of theirs is longer for it
for command in tree ring 'suggest-rankfile -l permutation -o order'; do
	# shellcheck disable=SC2086 # words
	try job 'done' $command million.json
done

for collective in allgather bcast; do
	try scored 'done' score -c $collective -b 64KiB million.json
done
try grouped 'done' hierarchy million.json
try shown 'done' schedule -c bcast -a binomial_far -b 64KiB million.json
try shown 'done' schedule -c bcast -a scatter_allgather -b 64KiB -n 100000
try shown 'done' schedule -c allreduce -a ring -b 1MiB -n 5792

"$topomap" place 'node:100 core:1000' -o many.json || exit 3
for command in 'guidelines -b 8' 'score -c alltoall -b 8' 'lanes -c bcast -b 8' 'compare many.json' 'inspect --lint' \
	'tune -l openmpi4 -b 8 -c bcast'; do
	# shellcheck disable=SC2086 # words
	try predicted 'done' $command many.json
done

# documents
"$topomap" profile summit -f json >profile.json || exit 3
for number in 1e308 1e-320 -1 9223372036854775807; do
	sed -E 's/("(latency|overhead)[a-z_]*": )[0-9.e+-]+/\1'$number'/' profile.json >odd.json
	try document ends score -c bcast -b 1KiB --profile odd.json $job -f json
	try document ends tree -b 1KiB --profile odd.json $job -f json
	try document ends suggest-rankfile --for alltoall:pairwise:1KiB --profile odd.json $job -f json
done
for text in "$(repeat 30000 '[')" "$(repeat 9000 '{"a":')" "{\"kind\":\"placement\",\"a\":$(repeat 2000 '[')$(repeat 2000 ']')}" \
	"{$(count 6000 '"k%d":1,')\"k\":1}" '{"kind":"placement","format":1e400}' "{\"kind\":\"placement\",\"format\":$(repeat 60000 9)}"; do
	printf '%s' "$text" | file odd.json
	try document refused inspect odd.json
	try document refused score -c bcast -b 8 --profile odd.json $job
	try document refused compare $job odd.json
	try network refused place "$two" --network odd.json
	try task-map refused place "$two" --from flux:odd.json
done
for size in 65537 134217728 2147483647 99999999999; do
	sed -E "s/\"size\": 16/\"size\": $size/; s/\"(node|place)\": \"[^\"]*\"/\"\\1\": \"0*$size\"/" $job >odd.json
	try document refused inspect odd.json
done

# many ranks on few nodes of many PUs
# crowd RANKS PUS BOUND
crowd()
{
	printf '{"kind": "placement", "format": 1, "size": %d, "topologies": [{"pus": "0-65535"}], "nodes": [{"names": "n[0-1]", "topology": 0}],
		"places": [{"topology": 0, "pus": "%s", "bound": %s}], "ranks": {"node": "0*%d,1*%d", "place": "0*%d"}}\n' \
		"$1" "$2" "$3" $(($1 / 2)) $(($1 / 2)) "$1" | file crowd.json
}
for place in '0-65535 true' '0-65534 true' '0,65535 true' '0-65535 false'; do
	# shellcheck disable=SC2086 # words
	crowd 1000000 $place
	for command in inspect 'inspect --lint' 'inspect --table' 'inspect -f svg' 'inspect -f json' tree ring lanes hierarchy; do
		# shellcheck disable=SC2086
		try crowd ends $command crowd.json
	done
done
for command in "compare crowd.json" suggest-rankfile; do
	# shellcheck disable=SC2086
	try crowd ends $command crowd.json
done
crowd 134217728 0-65535 false
try crowd 'done' inspect crowd.json
crowd 134217730 0-65535 false
try crowd refused inspect crowd.json

# measured times
times() # EXPERIMENTS FORMAT: what counts them up, and a size, or a name
{
	sed '/"experiments"/,$d' "$top/tests/fuzz/seeds/times/two.json"
	printf ' "experiments": [\n'
	awk -v n="$1" -v format="$2" 'BEGIN { for (i = 0; i < n; i++) { printf "%s{\"collective\": \"allgather\", \"mode\": \"blocking\", \"root\": 0, \"correct\": true, \"outliers\": 0, \"seconds\": {\"min\": 1, \"q1\": 1, \"median\": 1, \"q3\": 1, \"max\": 1, \"mean\": 1}, ", i ? "," : ""; printf format, i; printf "}\n" } }'
	echo ']}'
}
times 250 '"algorithm": "ring", "bytes": %d, "repetitions": 9223372036854775807, "runs": [1]' | file times.json
times 250 '"algorithm": "sparbit", "bytes": 922337203685477%d, "repetitions": 1, "runs": [1]' | file large.json
times 1 "\"algorithm\": \"ring\", \"bytes\": 1, \"repetitions\": 30000, \"runs\": [$(repeat 29999 1,)1]" | file runs.json
sed 's/"sync": "barrier"/"sync": "clock", "clock": {"clocks": 1, "uncertainty_s": 4e9, "late": 9223372036854775807}, "seed": 9223372036854775807/' \
	times.json | file clock.json
for t in times large runs clock; do
	# of other launches
	sed 's/"runs": \[1/"runs": [2/' $t.json | file $t.2.json
	sed 's/"runs": \[1/"runs": [3/' $t.json | file $t.3.json
	try times ends score -c allgather --times $t.json -f json
	try times ends score -c allgather --times $t.json
	[ -x "$bench" ] || continue
	for format in text json csv; do
		program=$bench try times 'done' join $t.json $t.2.json $t.3.json -f $format
	done
done

# launches of mock-ups: two sides of 5000 times, of 50 (all subsets of ties), and of large sizes
sides() # TIMES BYTES: the library's scan and what does the same
{
	sed '/"experiments"/,$d' "$top/tests/cli/cases/guidelines-times/times.json"
	printf ' "experiments": [\n'
	for a in native mockup:exscan; do
		echo "${comma-}{\"collective\": \"scan\", \"algorithm\": \"$a\", \"mode\": \"blocking\", \"bytes\": $2, \"root\": 0, \"repetitions\": $((2 * $1 + 1)), \"correct\": true, \"seconds\": {\"min\": 1, \"q1\": 1, \"median\": 1, \"q3\": 1, \"max\": 1, \"mean\": 1}, \"outliers\": 0, \"runs\": [$(repeat "$1" '1,2,')3]}"
		local comma=,
	done
	echo ']}'
}
sides 2500 8 | file sides.json
sides 24 8 | file ties.json
sides 3 9223372036854775807 | file sizes.json
for t in sides ties sizes times; do
	for format in text json csv; do
		try times ends guidelines --times $t.json -f $format
	done
	[ $t = times ] || try times 'done' guidelines --times $t.json
	try times ends lanes --times $t.json
	try times ends inspect $t.json
done

# a campaign: all calls are counted before the first one
campaign() { echo algorithm,collective,root,bytes,repetitions; awk -v n="$1" -v row="$2" 'BEGIN { for (i = 1; i <= n; i++) printf row "\n", i }'; }
campaign 2000 'native,bcast,0,8,%d' | file again.csv
campaign 1 'native,bcast,0,9223372036854775807,1' | file bytes.csv
campaign 1 'native,bcast,0,8,9223372036854775807' | file repetitions.csv
campaign 1 'native,bcast,2147483647,8,%d' | file root.csv
campaign 30 "$(repeat 1000 x),bcast,0,8,%d" | file long.csv
for c in again bytes repetitions root long; do
	[ -x "$bench" ] || continue
	program=$bench try campaign refused run $c.csv
done

# virtual topologies: their neighbors and the experiments are counted before the first one
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
{ # what the launcher says besides is not topomap's
	printf '#!/bin/sh\nmpirun -n 2 %s "$@" 2>all\nstatus=$?\n' "$bench"
	printf "grep '^topomap-bench: ' all >&2\nexit \$status\n"
} | file pair
chmod +x pair
for words in '-n moore -d 8 --radius 5 -b 8' '-n moore -d 8 --radius 3 -b 8' '-n vonneumann -d 8 --radius 1000 -b 8' \
	'-n moore -d 2 --radius 500 -b 1GiB' '-n vonneumann -d 1 --radius 1000 -b 1TiB' \
	"-d 1 --radius $(seq -s, 1 1000) -b $(seq -s, 1 1000)" "-d 1,2 --radius $(seq -s, 1000 -1 1) -b 8" \
	"-n vonneumann -d 8 --radius 1 -b 1..1GiB,$(seq -s, 1 5000)"; do
	[ -x "$bench" ] && command -v mpirun >/dev/null || continue
	# shellcheck disable=SC2086 # words
	program=./pair try neighbors refused guidelines -g GL4-12 $words
done

# a job of one rank: what measures
measured() # VERB OPTION...
{
	[ ! -x "$bench" ] || program=$bench try measured refused "$@"
}
for seconds_told in 1e300 86401 9223372036854775807 nan -1; do
	measured calibrate -t $seconds_told
done
for number in 2147483648 9223372036854775807 1e9; do
	measured collective -c allgather -a ring -b 8 -i $number --raw
	measured collective -c allgather -a ring -b 8 -x $number --like osu
	measured persistent -c bcast -a native -b 8 -r $number
	measured lanes -b 8 --exchanges $number
done
for bytes in 1EiB 9223372036854775807 4194304..1EiB; do
	measured collective -c bcast -a all -b $bytes
	measured persistent -c allreduce -a all -b $bytes
	measured guidelines -b $bytes
done

# every command, by a placement that says of more ranks than there can be
sed -E 's/"size": 16/"size": 134217728/' $job >odd.json
for command in tree ring hierarchy lanes 'score -c bcast -b 8' 'guidelines -b 8' 'schedule -c bcast -a binomial_far -b 8' \
	suggest-rankfile 'tune -l openmpi4'; do
	# shellcheck disable=SC2086 # words
	try document refused $command odd.json
done
if [ -x "$bench" ]; then
	for command in calibrate 'collective -c bcast -a native -b 8' 'persistent -c bcast -a native -b 8' 'lanes -b 8' \
		'guidelines -b 8' 'run campaign.csv'; do
		echo algorithm,collective,root,bytes,repetitions >campaign.csv
		echo native,bcast,0,8,1 >>campaign.csv
		# shellcheck disable=SC2086
		program=$bench try document refused $command --placement odd.json
	done
fi

# the probe, by its options and its environment; each is refused, or cut
probed() { [ ! -x "$probe" ] || program=$probe as=topomap-probe try probe "$@" -o /dev/null; }
for network in torus.conf torus2.conf wide.conf switches.conf chain.conf full.conf circle.conf wide.txt bomb.yaml nest.yaml \
	graph.json layers.json torus.addr ib.txt columns.txt; do
	probed ends --network $network
	probed ends --network $network --topology "$(repeat 60000 x)"
done
for f in long list far sockets full log; do
	probed ends --rankfile $f
done
probed 'done' --program "$(repeat 60000 x)"
for value in "$(repeat 30000 '{0},')" "$(repeat 60000 '(')" "$range" 99999999999999999999 '{0}:1000000000' $'\033[31m'; do
	OMP_PLACES=$value OMP_NUM_THREADS=$value KMP_AFFINITY=$value GOMP_CPU_AFFINITY=$value probed 'done'
	SLURM_CPUS_PER_TASK=$value SLURM_TOPOLOGY_ADDR=$value SLURM_TOPOLOGY_ADDR_PATTERN=$value probed ends
done

# the recorder in an MPI program, by its environment: the program ends as without it
{
	printf '#!/bin/sh\nLD_PRELOAD=%s %s -o /dev/null 2>all\nstatus=$?\n' "$recorder" "$probe"
	printf "grep -a '^topomap-record: ' all >&2 && exit 1\nexit \$status\n"
} | file recorded
chmod +x recorded
recorded()
{
	[ ! -e "$recorder" ] || [ ! -x "$probe" ] || program=./recorded as=libtopomap-record try recorder "$@"
}
for document in odd.json crowd.json times.json nest.yaml full absent; do
	TOPOMAP_PLACEMENT=$document TOPOMAP_RECORD=recorded.json recorded refused
done
TOPOMAP_PLACEMENT=one.json TOPOMAP_RECORD=recorded.json recorded ends
for seconds_told in 99999999999999999999 -1 nan ''; do
	TOPOMAP_RECORD_WAIT=$seconds_told TOPOMAP_RECORD=recorded.json recorded ends
done
TOPOMAP_RECORD=$(repeat 60000 x) recorded refused
TOPOMAP_RECORD=/absent/recorded.json recorded refused

# the table lists those that it was tried with, and everyone
for name in "${!seconds[@]}"; do
	prefix=
	for word in ${readers[$name]}; do
		[ "$word" != topomap-bench ] || { prefix=bench-; continue; }
		listed[$prefix$word]=yes
		case $prefix$word in bench-* | topomap-probe | libtopomap-record) [ -x "$bench" ] || continue ;; esac
		{ [ "$name" = neighbors ] && ! command -v mpirun >/dev/null; } || [ -n "${tried[$name:$prefix$word]}" ] ||
			fail "the row $name of tests/limits/costs has no case of $prefix$word"
	done
done
for command in topomap-probe libtopomap-record $("$topomap" --generate commands) $(cd "$top/man" && ls topomap-bench-*.1.in | sed 's/^topomap-\(.*\)\.1\.in$/\1/'); do
	[ "$command" = help ] || [ -n "${listed[$command]}" ] || fail "tests/limits/costs has no row of $command"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
