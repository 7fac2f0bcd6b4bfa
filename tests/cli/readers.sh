#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every reader of a text or of JSON against the same odd files: marks, ends of lines, bytes that are no
# text, no file, a FIFO, a device, a very long line. What is taken gives what the plain file gives; what is
# refused is refused within a minute in one short sentence with the file's name, and the line where it
# has one. Oracle: the answer to the plain file. READERS chooses rows, LONG_LINE the bytes of that line: a
# gigabyte takes minutes.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD
PATH=$top/${BUILD:-build}:$PATH
export LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
seeds=$top/tests/fuzz/seeds
cd "$work" || exit 3
mkdir plain odd

topomap place 'node:4 core:1' --hosts a,b,c,d -o job.json
cp job.json plain/placement
cp "$top/tests/cli/cases/score-times/times.json" plain/times
cp "$top/tests/cli/cases/lanes-times/exchange.json" plain/lane-times
topomap profile summit -f json -o plain/profile
topomap place 'node:2 package:2 core:2' -o eight.json
topomap suggest-rankfile -m cyclic -f json eight.json -o plain/suggestion 2>/dev/null
cp "$top/tests/data/2package-4core.xml" plain/machine.xml
cp "$top/tests/cli/cases/tree-matrix/matrix.csv" plain/matrix
topomap place 'node:1 core:4' -o four.json
topomap guidelines -b 1MiB -c bcast -f json "$top/tests/data/job.json" |
	sed 's/"native_seconds": null, "mockup_seconds": null/"native_seconds": 3e-3, "mockup_seconds": 1e-3/' \
	>plain/measured
printf '# hosts\na slots=3\nroot@b slots = 2 # two\nc\nd\n' >plain/hostfile
printf 'b:3 binding=user:2,0-1\na:4 # tail\n' >plain/hydra-hostfile
printf '# two nodes of two\n0,2\n3,1\n' >plain/rank-order
printf '# mine\nrank 0=n0 slot=0:0,1\nrank 1=n1 slot=0-1\n' >plain/linted
for seed in "$seeds"/launchers/*; do
	case $seed in
	*/hydra-rankmap) ;; # no file
	*/report-bindings | */report-bindings-[5m]* | */report-bindings-devel | */taskset) ;; # below
	*) tail -n +2 "$seed" >"plain/from-${seed##*/}" ;;
	esac
done
# as Open MPI 4 and 5 print them, and as a script does
printf '[a:1] MCW rank %s\n' '0 bound to socket 0[core 0[hwt 0]]: [B/././.][./././.]' \
	'1 bound to socket 1[core 4[hwt 0]]: [./././.][B/././.]' >plain/from-report-bindings
printf "[1,%d]<stdout>: pid 7's current affinity list: %s\n" 0 0 1 1-2 >plain/from-taskset
for kind in network traffic; do
	for seed in "$seeds/$kind"/*; do
		cp "$seed" "plain/$kind-${seed##*/}"
	done
done
printf '# t\nnode chassis rack\na c0 r0\nb c0 r0\nc c1 r0\nd c2 r1\n' >plain/network-network_table-table

# The command of a reader, with the file FILE.
command_of()
{
	local name
	case $1 in
	placement) echo "topomap inspect FILE" ;;
	profile) echo "topomap tree --profile FILE job.json" ;;
	suggestion) echo "topomap compare --expect FILE eight.json" ;;
	machine.xml) echo "topomap place FILE" ;;
	matrix) echo "topomap tree --matrix FILE four.json" ;;
	times) echo "topomap score -c allgather --times FILE" ;;
	lane-times) echo "topomap lanes --times FILE" ;;
	measured) echo "topomap guidelines -b 1MiB -c bcast --measured FILE $top/tests/data/job.json" ;;
	hostfile) echo "topomap place 'node:4 core:4' --hostfile FILE --map-by node -n 3" ;;
	hydra-hostfile) echo "topomap place 'node:2 core:4' --hydra-hostfile FILE -n 5" ;;
	rank-order) echo "topomap place 'node:2 core:2' --mpich-rank-order FILE --map-by node" ;;
	linted) echo "topomap suggest-rankfile --lint FILE 'node:2 package:2 core:2'" ;;
	from-*)
		name=$(head -n 1 "$seeds/launchers/${1#from-}")
		case $name in
		mvapich2-show | taskset) echo "topomap place 'node:1 core:8' --from $name:FILE" ;;
		*) echo "topomap place 'node:2 package:2 core:4' --from $name:FILE" ;;
		esac ;;
	network-*) echo "topomap place job.json --network FILE" ;;
	traffic-*) echo "topomap suggest-rankfile -m cyclic --matrix FILE four.json" ;;
	esac
}

# run ROW FILE: its standard output, and its status
run()
{
	local command words
	command=$(command_of "$1")
	eval "words=(${command//FILE/\"\$2\"})"
	timeout 60 "${words[@]}" >out 2>err </dev/null
	status=$?
}

complain()
{
	bad=$((bad + 1))
	echo "$row, $1: status $status"
	head -c 300 err
}

# the same ROW KIND FILE: as the plain file, whose name may be in the answer
same()
{
	run "$row" "$2"
	sed -i "s|$2|FILE|g" out
	sed -i 's/"date": "[^"]*"//' out
	[ $status -eq "$plain_status" ] && cmp -s out want || complain "$1"
}

# refused KIND FILE STATUS [WHERE]: one sentence that begins with the file's name, and WHERE
refused()
{
	run "$row" "$file"
	[ $status -eq "$3" ] && [ "$(wc -c <err)" -lt 1000 ] &&
		grep -a -q "^topomap [a-z-]*: \([^:]*: \)\?$2$4: " err || complain "$1"
}

# The FIFO's writer, which nobody may have read from.
writer_end()
{
	kill $! 2>/dev/null
	wait $! 2>/dev/null
	rm -f "$file"
}

head -c "${LONG_LINE:-16777216}" /dev/zero | tr '\0' x >letters
for row in ${READERS:-$(ls plain)}; do
	bad=0
	file=odd/$row
	run "$row" "plain/$row"
	plain_status=$status
	sed "s|plain/$row|FILE|g; s/\"date\": \"[^\"]*\"//" out >want
	[ $plain_status -eq 0 ] || [ "$row" = linted ] || complain plain

	{ printf '\357\273\277'; cat "plain/$row"; } >"$file"
	same "byte order mark" "$file"
	sed 's/$/\r/' "plain/$row" >"$file"
	case $row in
	from-openmpi*) refused "CR LF" "$file" 1 ":[12]:[0-9]*" ;; # as Open MPI does
	linted) refused "CR LF" "$file" 4 ;;
	*)
		same "CR LF" "$file"
		tr '\n' '\r' <"plain/$row" >"$file"
		same "CR" "$file" ;;
	esac
	printf %s "$(cat "plain/$row")" >"$file"
	same "no end of the last line" "$file"
	rm -f "$file"
	mkfifo "$file"
	timeout 60 cp "plain/$row" /dev/stdout >"$file" &
	same "FIFO" "$file"
	writer_end

	{ cat "plain/$row"; printf '\0'; } >"$file"
	line=$(wc -l <"plain/$row")
	case $row in
	*.xml) same "zero byte at the end" "$file" ;; # hwloc's own buffers end so
	*) refused "zero byte" "$file" 1 ":$((line + 1))\(:[0-9]*\)\?" ;;
	esac
	{ cat "plain/$row"; printf '# \351\n'; } >"$file"
	case $row in
	*cpu-bind-verbose | *cpumask-display | *hello-jobstep | *topo-debug | *intel-debug | *mpibind | \
		*mvapich2-show | *report-bindings* | *taskset | *xthi)
		same "no UTF-8 in a log" "$file" ;;
	*.xml) refused "no UTF-8" "$file" 1 ;; # hwloc says where
	*) refused "no UTF-8" "$file" 1 ":$((line + 1))\(:[0-9]*\)\?" ;;
	esac
	iconv -f UTF-8 -t UTF-16 "plain/$row" >"$file"
	refused "UTF-16" "$file" 1 "\(:1\)\?"
	: >"$file"
	[ "$row" = linted ] || refused "empty" "$file" 1
	rm -f "$file"
	ln -s /dev/zero "$file"
	refused "a device without an end" "$file" 1
	rm -f "$file"
	if truncate -s 1T "$file" 2>/dev/null; then # it takes no place
		refused "zeros, and no end of them" "$file" 1 "\(:1\(:[0-9]*\)\?\)\?"
	fi
	cp "plain/$row" "$file"
	if [ "${row%.xml}" = "$row" ] && truncate -s 4000000001 "$file" 2>/dev/null; then
		refused "more bytes than are read" "$file" 1
		grep -q ': it has more than [14]000000000 bytes, which are the most that are read$' err ||
			complain "more bytes than are read"
	fi
	rm -f "$file"
	refused "no such file" "$file" 3
	mkdir "$file"
	case $row in
	traffic-*) refused "folder" "$file" 1 ;;
	*) refused "folder" "$file" 3 ;;
	esac
	rmdir "$file"
	mkfifo "$file"
	timeout 60 head -c "${LONG_LINE:-16777216}" letters >"$file" 2>/dev/null &
	case $row in
	linted) refused "long line" "$file" 4 ;; # a finding
	*) refused "long line" "$file" 1 "\(:1\(:[0-9]*\)\?\)\?" ;;
	esac
	writer_end

	if [ $bad -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $row"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
