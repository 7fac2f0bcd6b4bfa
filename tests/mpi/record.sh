#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What libtopomap-record.so records of a program that makes every call that it counts (recorded.c), under
# each MPI, and how programs end with it.
# Oracles: for messages Open MPI's own pml_monitoring (rows E: pair, bytes, messages), which is another
# layer of another project; for collectives what the program says beside each call, by hand; for what that
# monitoring does not see (persistent requests, intercommunicators, MPI-4) the sizes in the program. Of the second
# library one of Fortran's ways, and not again how programs end; WHOLE=1: all.
. "$(dirname "$0")/common.bash"

# use_recorder: sets recorder, and compile to the compiler of the MPI in use
use_recorder()
{
	compile=mpicc.$mpi
	command -v "$compile" >/dev/null || { skip "there is no $compile to build programs with"; return 1; }
	make_for_mpi libtopomap-record.so || return 1
	recorder=$top/$built/libtopomap-record.so
	for name in recorded recorded_edges recorded_threads recorded_ends recorded_phases recorded_files recorded_spawn; do
		"$compile" -std=gnu11 -w -pthread -rdynamic -o "$work/$name" "tests/mpi/$name.c" -ldl ||
			{ fail "$name.c does not compile"; return 1; }
	done
}

# recording FILE RANKS [LAUNCHER'S OPTION]... PROGRAM...: launch with the recorder, and with exports
# in $variables
recording()
{
	local file=$1 ranks=$2 words=() name
	shift 2
	for name in "TOPOMAP_RECORD=$file" "LD_PRELOAD=$recorder" "${variables[@]}"; do
		case $mpi in
		openmpi) words+=(-x "$name") ;;
		mpich) words+=(-genv "${name%%=*}" "${name#*=}") ;;
		esac
	done
	case $mpi in
	openmpi) "$mpirun" --oversubscribe "${words[@]}" -n "$ranks" "$@" ;;
	mpich) "$mpirun" "${words[@]}" -n "$ranks" "$@" ;;
	esac </dev/null
}

# said by us, without what launchers add
own_words() { grep -a '^topomap-record:' "$1"; }

lines() { "$built/tests/mpi/record_lines" "$@"; }
messages() { lines "$1" | sed -n 's/^E //p' | sort; }
# calls on equally large communicators add up; from the record, and as the program says
added() { awk '{ n[$1 " " $2 " " $3 " " $4 " " $5] += $6 } END { for (k in n) print k, n[k] }' | sort; }
calls() { lines "$1" | sed -n 's/^C //p' | added; }

# between MANY FEW: what the first has more than the second, by pairs: FROM TO BYTES MESSAGES
between()
{
	awk 'NR == FNR { bytes[$1 " " $2] = $3; count[$1 " " $2] = $4; next }
		{ k = $1 " " $2; if ($3 != bytes[k]) print k, $3 - bytes[k], $4 - count[k] }' \
		<(messages "$2") <(messages "$1")
}

test_calls()
{
	variables=()
	recording "$work/$mpi.json" 4 "$work/recorded" >"$work/said" 2>"$work/err" ||
		{ fail "the program failed"; cat "$work/err"; return; }
	same "collectives of each kind" "$(grep -v '^L' "$work/said" | added)" "$(calls "$work/$mpi.json")"
	same "collectives between groups" "$(grep '^L' "$work/said")" "$(lines "$work/$mpi.json" | grep '^L')"
	recording "$work/$mpi.plain.json" 4 "$work/recorded" plain >"$work/said" 2>"$work/err" ||
		{ fail "the plain program failed"; cat "$work/err"; return; }
	same "collectives without some" "$(added <"$work/said")" "$(calls "$work/$mpi.plain.json")"
	# twice 3000 bytes in 8 messages, on MPI_COMM_WORLD and on the grid, to the next; 1234 between groups
	same "persistent requests and groups" "0 1 7234 17
1 2 6000 16
2 3 7234 17
3 0 6000 16" "$(between "$work/$mpi.json" "$work/$mpi.plain.json")"
	same "no word of ours" "" "$(own_words "$work/err")"
	same "the grid is known" '"name": "the \"grid\"", "topology": "cart 2x2 periods 1,0"' \
		"$(grep -o '"name": "the \\"grid\\"", "topology": "[^"]*"' "$work/$mpi.json")"
	same "communicators made again are one" 1 "$(grep -c '"ranks": "1-0"' "$work/$mpi.json")"
}

# monitor PROGRAM ARGUMENT: launched with recorder and pml_monitoring at once
monitor()
{
	rm -rf "$work/prof"
	mkdir "$work/prof"
	variables=()
	recording "$work/monitored.json" 4 --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$work/prof/job" "$@" >/dev/null 2>"$work/err"
	ls "$work"/prof/job.*.prof >/dev/null 2>&1 || { skip "this Open MPI has no pml_monitoring"; return 1; }
}

# monitored WHAT PROGRAM: every pair of ranks, message by message
monitored()
{
	monitor "$2" plain || return 0
	same "$1: messages as pml_monitoring has them" \
		"$(cat "$work"/prof/*.prof | awk '/^E/ { print $2, $3, $4, $6 }' | sort)" \
		"$(messages "$work/monitored.json")"
	rm "$work/monitored.json"
}

# MPI-4's calls for large counts, and partitioned ones.
test_large()
{
	variables=()
	recording "$work/large.$mpi.json" 4 "$work/recorded" large >"$work/said" 2>"$work/err" ||
		{ fail "the program with large counts failed"; cat "$work/err"; return; }
	if [ ! -s "$work/said" ]; then
		skip "$mpi has no calls of MPI-4"
		return
	fi
	same "large counts: collectives" "$(added <"$work/said")" "$(calls "$work/large.$mpi.json")"
	same "large counts and parts: messages" "0 1 640 5
1 2 640 5
2 3 640 5
3 0 640 5" "$(messages "$work/large.$mpi.json")"
}

# One-sided calls and neighborhood collectives, as the program says them. Oracle beside it: what Open MPI's
# monitoring has of one-sided calls, sent and received (rows S and R; it lets an operation that is none,
# twice 4 bytes here, be sent, too).
test_edges()
{
	variables=()
	recording "$work/edges.$mpi.json" 4 "$work/recorded_edges" >"$work/said" 2>"$work/err" ||
		{ fail "the program with edges failed"; cat "$work/err"; return; }
	same "one-sided calls and neighborhoods" "$(sort <"$work/said")" \
		"$(lines "$work/edges.$mpi.json" | grep '^[SN]' | sort)"
	[ $mpi != mpich ] || return 0
	monitor "$work/recorded_edges" windows || return 0
	same "one-sided calls as the monitoring has them" \
		"$(cat "$work"/prof/*.prof | awk '/^[SR]/ { bytes[$2 " " $3] += $4; if (/^S/) calls[$2 " " $3] = $6 }
			END { for (k in bytes) print k, bytes[k], calls[k] }' | sort)" \
		"$(lines "$work/monitored.json" | awk '/^S/ { print $2, $3, $4 + ($4 == 159 ? 8 : 0), $5 }' | sort)"
	rm "$work/monitored.json"
}

# phases FILE: those that it has
phases() { sed -n 's/^ *"phase": \([0-9]*\).*/\1/p' "$1" | paste -sd' '; }

# seconds FILE: "run SECONDS", and the same of each of its phases by its number
seconds()
{
	topomap inspect -f json "$1" | sed -n 's/^    "seconds": \(.*\),/run \1/p
		s/^ *{"phase": \([0-9]*\), "seconds": \([0-9.e-]*\),.*/\1 \2/p'
}

# What a program does in each phase, as it says in its head: by its marks, and by time, in which what it does
# before its pause is in the first interval, and what it does behind it in the third or later. Every interval is
# there, and has its seconds; a marked phase has not those of a pause in it.
test_phases()
{
	local file=$work/phases.$mpi.json empty last
	variables=()
	recording "$file" 2 "$work/recorded_phases" >/dev/null 2>"$work/err" ||
		{ fail "the program with phases failed"; cat "$work/err"; return; }
	same "marked phases" "1 2 9" "$(phases "$file")"
	same "phase 1" "C allreduce blocking 2 0 8 7
C alltoallv blocking 2 0 8 2
E 0 1 10 1
E 1 0 10 1" "$(lines "$file" 1 | sort)"
	same "phase 2" "C allreduce blocking 2 0 8 7
C alltoallv blocking 2 0 8192 1
E 0 1 200 2
E 1 0 200 2" "$(lines "$file" 2 | sort)"
	same "phase 9" "C allreduce blocking 2 0 8 5" "$(lines "$file" 9)"
	same "all phases are the run" "$(lines "$file" | sort)" "$(lines "$file" 1-9 | sort)"
	# 300 levels are 256 phases: what is sent in the others is in the last one
	recording "$work/many.$mpi.json" 2 "$work/recorded_phases" many >/dev/null 2>"$work/err" ||
		{ fail "the program with many phases failed"; cat "$work/err"; return; }
	same "more phases than a record has" "E 0 1 360 45
E 1 0 360 45
L 0 0 44" "$(lines "$work/many.$mpi.json" 256 | sort)"
	same "that is said" 1 "$(topomap inspect "$work/many.$mpi.json" | grep -c '^left out  44 marks beyond 256 phases')"
	seconds "$file" | awk 'NR == 1 { run = $2 } $1 == 2 { exit !($2 + 0.5 <= run) }' && pass ||
		fail "phase 2 has the pause in it: $(seconds "$file")"
	# by the clock of each rank, whatever the library
	is_first || return 0
	variables=(TOPOMAP_RECORD_INTERVAL=0.5)
	file=$work/intervals.$mpi.json
	recording "$file" 2 "$work/recorded_phases" slow >/dev/null 2>"$work/err" ||
		{ fail "the slow program failed"; cat "$work/err"; return; }
	last=$(phases "$file")
	last=${last##* }
	same "every interval" "$(seq -s' ' "$last")" "$(phases "$file")"
	[ "$last" -ge 4 ] && pass || fail "the last interval is $last"
	same "their seconds" "$(seq -f '%g 0.5' $((last - 1)))" "$(seconds "$file" | sed '1d;$d')"
	same "before the pause" "C allreduce blocking 2 0 8 6
C alltoallv blocking 2 0 2736 3
E 0 1 110 2
E 1 0 110 2" "$(lines "$file" 1-2 | sort)"
	same "all intervals are the run" "$(lines "$file" | sort)" "$(lines "$file" "1-$last" | sort)"
	for ((empty = 2; empty < last; empty++)); do
		[ -n "$(lines "$file" $empty)" ] || break
	done
	[ "$empty" -lt "$last" ] && pass || fail "in no interval nothing was called"
	lines "$file" $empty >/dev/null && pass || fail "an interval without calls is no phase"
	grep -q '"interval_s": 0.5' "$file" && pass || fail "the interval is not in the record"
	variables=(TOPOMAP_RECORD_INTERVAL=often)
	recording "$work/often.$mpi.json" 2 "$work/recorded_phases" >/dev/null 2>"$work/err"
	same "no interval" "topomap-record: the record has no phases of time: TOPOMAP_RECORD_INTERVAL is \
'often', and not seconds from 0.1 to 1e6" "$(own_words "$work/err")"
	same "then phases are marked ones" "1 2 9" "$(phases "$work/often.$mpi.json")"
}

# The same from Fortran, by each of its ways to MPI: the program says its collectives, and its messages
# are 11, 23 and 50 + 7 integers, 37 and 1 doubles, 41 characters and 300 reals to the next rank, 77
# integers to the one before, and twice 1000 characters of persistent requests; what goes beside messages
# is said in it.
test_fortran()
{
	local way program file
	if ! "mpifort.$mpi" -show >/dev/null 2>&1; then
		skip "$mpi: no Fortran"
		return
	fi
	for way in MPIF MPI "${mpi^^}_F08"; do
		is_first || [ "$way" = "${mpi^^}_F08" ] || continue
		program=$work/fortran.$way file=$work/fortran.$way.$mpi
		"mpifort.$mpi" -w -fallow-argument-mismatch -D$way -o "$program" tests/mpi/recorded_fortran.F90 2>"$work/err" ||
			{ fail "Fortran, $way: it does not compile"; cat "$work/err"; continue; }
		variables=()
		recording "$file" 4 "$program" all "$work/data.$way.$mpi" >"$work/said" 2>"$work/err" ||
			{ fail "Fortran, $way: the program failed"; cat "$work/err"; continue; }
		same "Fortran, $way: collectives" "$(added <"$work/said")" "$(calls "$file")"
		same "Fortran, $way: messages" "0 1 3909 17
0 3 308 1
1 0 308 1
1 2 3909 17
2 1 308 1
2 3 3909 17
3 0 3909 17
3 2 308 1" "$(messages "$file")"
		same "Fortran, $way: one-sided" "S 0 1 60 3
S 1 2 60 3
S 2 3 60 3
S 3 0 60 3" "$(lines "$file" | grep '^S')"
		same "Fortran, $way: neighbors" "N 0 1 15 2
N 0 3 11 2
N 1 0 11 2
N 1 2 15 2
N 2 1 11 2
N 2 3 15 2
N 3 0 15 2
N 3 2 11 2" "$(lines "$file" | grep '^N' | sort)"
		same "Fortran, $way: files" "F read 8 160 4 40
F read_all 4 48 4 12
F write 4 160 4 40
F write_all 4 64 4 16" "$(lines "$file" | grep '^F')"
		same "Fortran, $way: no word of ours" "" "$(own_words "$work/err")"
		[ $mpi = mpich ] || monitored "Fortran, $way" "$program"
	done
}

# Files, as the program adds them up; with MPI-4 its calls for large counts, too. Nothing else is in the record
# but what adds them up: what the library sends for them is its own.
test_files()
{
	local file=$work/files.$mpi.json
	variables=()
	recording "$file" 4 "$work/recorded_files" "$work/data.$mpi" large >"$work/said" 2>"$work/err" ||
		{ fail "the program with files failed"; cat "$work/err"; return; }
	same "files" "$(cat "$work/said")" "$(lines "$file" | grep '^F')"
	same "nothing beside files" "C barrier blocking 4 0 0 1
C reduce blocking 4 0 16 4
C reduce blocking 4 0 8 4" "$(lines "$file" | grep -v '^F' | sort)"
}

# Processes that MPI connects. Those that were started by others have a record of their own; what crosses between
# the two programs is outside of each, and collectives over both are counted as left out. The two halves of one
# program are in its record, but for collectives between two groups.
test_connected()
{
	local folder=$work/connected.$mpi way file own="C barrier blocking 2 0 0 1
E 0 1 7 1
E 1 0 7 1
L 8 0 0
O 0 2 200
O 1 2 200"
	mkdir "$folder"
	variables=()
	for way in spawn multiple; do
		if ! timeout 60 "$mpirun" ${oversubscribe} -n 2 "$work/recorded_spawn" $way >"$work/out" 2>"$work/err" </dev/null; then
			skip "$mpi: this library does not start processes ($way)"
			continue
		fi
		file=$folder/$way
		recording "$file.json" 2 "$work/recorded_spawn" $way >"$work/out" 2>"$work/err" ||
			{ fail "$way: the program failed"; cat "$work/err"; continue; }
		same "$way: two records" "$way-2.json $way.json" "$(cd "$folder" && echo $way*)"
		same "$way: the one" "$own" "$(lines "$file.json" | sort)"
		same "$way: the other" "$own" "$(lines "$file-2.json" | sort)"
		same "$way: the program's own is in the file that it asked for" "$file-2.json" \
			"$(grep -l '"spawned": true' "$file"*.json)"
		same "$way: what we said" "topomap-record: the record of processes that another job started is $file-2.json" \
			"$(own_words "$work/err")"
		same "$way: that is said" 1 "$(for one in "$file"*.json; do topomap inspect "$one"; done | grep -c 'started by another job')"
	done
	if ! timeout 60 "$mpirun" ${oversubscribe} -n 4 "$work/recorded_spawn" connect >"$work/out" 2>"$work/err" </dev/null; then
		skip "$mpi: this library opens no port"
		return
	fi
	recording "$folder/connect.json" 4 "$work/recorded_spawn" connect >"$work/out" 2>"$work/err" ||
		{ fail "connect: the program failed"; cat "$work/err"; return; }
	same "connected halves" "C allreduce blocking 4 0 8 1
C barrier blocking 4 0 0 1
E 0 1 7 1
E 0 2 200 2
E 1 2 7 1
E 1 3 200 2
E 2 0 200 2
E 2 3 7 1
E 3 0 7 1
E 3 1 200 2
L 12 0 0" "$(lines "$folder/connect.json" | sort)"
}

test_threads()
{
	variables=()
	recording "$work/threads.$mpi.json" 2 "$work/recorded_threads" >/dev/null 2>"$work/err"
	case $? in
	77) skip "$mpi: no MPI_THREAD_MULTIPLE" ; return ;;
	0) ;;
	*) fail "the program with threads failed"; cat "$work/err"; return ;;
	esac
	same "messages of four threads" "0 1 2900 380
1 0 2900 380" "$(messages "$work/threads.$mpi.json")"
	same "puts and neighbors of four threads" "N 0 1 120 40
N 1 0 120 40
S 0 1 320 80
S 1 0 320 80" "$(lines "$work/threads.$mpi.json" | grep '^[SN]' | sort)"
	same "calls of four threads" "allreduce blocking 2 0 4 40" "$(calls "$work/threads.$mpi.json")"
}

# ending WHAT WANTED_STATUS WANTED_WORDS OUTPUT PROGRAM...
ending()
{
	local what=$1 wanted=$2 words=$3 file=$4 status
	shift 4
	recording "$file" "$@" >"$work/out" 2>"$work/err"
	status=$?
	same "$what: status" "$wanted" "$status"
	same "$what: what we said" "$words" "$(own_words "$work/err")"
	same "$what: what the program said" "the program's own words" "$(cat "$work/out")"
}

test_ends()
{
	local folder=$work/ends.$mpi library
	mkdir "$folder"
	variables=()
	ending "a status" 3 "" "$folder/r.json" 2 "$work/recorded_ends"
	ending "the same again" 3 "topomap-record: $folder/r.json was there: the record is $folder/r-2.json" \
		"$folder/r.json" 2 "$work/recorded_ends" slow
	ending "a folder" 3 "topomap-record: $folder: it is no file" "$folder" 2 "$work/recorded_ends"
	same "no file is overwritten" "r-2.json r.json" "$(cd "$folder" && echo *)"
	# into files: while Hydra ends a job it may lose what ranks still say
	ending MPI_Abort 7 "" "$folder/none.json" 2 \
		sh -c "exec '$work/recorded_ends' abort 2>'$work/said.$mpi.'\$\$"
	cat "$work/said.$mpi."* >"$work/err"
	same "MPI_Abort: what we said" "topomap-record: nothing is recorded: rank 1 called MPI_Abort" \
		"$(own_words "$work/err")"
	ending "no MPI_Finalize" 5 "topomap-record: nothing is recorded: rank 0 ended without MPI_Finalize" \
		"$folder/none.json" 2 "$work/recorded_ends" exit
	ending "MPI_Init unseen" 3 "topomap-record: nothing is recorded: the program's MPI_Init was not seen; \
it may call PMPI_Init, or a library that does" "$folder/none.json" 1 "$work/recorded_ends" begins
	ending "no folder" 3 "topomap-record: $folder/no/r.json: No such file or directory" \
		"$folder/no/r.json" 2 "$work/recorded_ends"
	ending "no communication" 3 "topomap-record: nothing is recorded: the program sent no message and called no collective that is recorded" \
		"$folder/none.json" 2 "$work/recorded_ends" silent
	ending "a kept receive" 3 "" "$folder/receive.json" 2 "$work/recorded_ends" receive
	ending "requests released unseen" 3 "" "$folder/unseen.json" 2 "$work/recorded_ends" unseen
	(failed=0 && cd "$folder" && umask 027 && ending "in another folder" 3 "" moved.json 2 "$work/recorded_ends" moved
		[ "$failed" -eq 0 ]) && pass || fail "in another folder"
	same "its mode is that of other files" 640 "$(stat -c %a "$folder/moved.json" 2>&1)"
	ending "a shell starts it" 3 "" "$folder/shell.json" 2 sh -c "'$work/recorded_ends'"
	same "once" shell.json "$(cd "$folder" && echo shell*)"
	# Hydra speaks to its processes by a descriptor that python would close
	if command -v python3 >/dev/null; then
		ending "python starts it" 3 "" "$folder/python.json" 2 python3 -c \
			"import subprocess, sys; sys.exit(subprocess.call(['$work/recorded_ends'], close_fds=False))"
		same "once" python.json "$(cd "$folder" && echo python*)"
	else
		skip "there is no python3"
	fi
	topomap place 'node:2 core:1' -o "$folder/placement" || fail "no placement"
	variables=("TOPOMAP_PLACEMENT=$folder/placement")
	ending "a placement" 3 "" "$folder/placed.json" 2 "$work/recorded_ends"
	# which launcher it is for the record adds
	library=mpich
	[ $mpi = mpich ] || library=openmpi4
	same "it is the record's" "$(topomap inspect -f json --library $library "$folder/placement")" \
		"$(topomap inspect -f json --library $library "$folder/placed.json" |
			sed '/^  "record"/,/^  }/d; /"launcher"/d; /"launcher_reason"/d')"
	ending "of other ranks" 3 "topomap-record: TOPOMAP_PLACEMENT: $folder/placement: it has 2 ranks, and the job has 3" \
		"$folder/none.json" 3 "$work/recorded_ends"
	same "nothing else was written" "" "$(cd "$folder" && ls -A | grep -v '^[a-z]*\(-2\)\?\.json$\|^placement$')"
	same "no record of what failed" "" "$(cd "$folder" && ls | grep none)"
}

test_sessions()
{
	variables=()
	recording "$work/session.$mpi.json" 1 "$work/recorded_ends" session >"$work/out" 2>"$work/err"
	case $? in
	77) skip "$mpi has no sessions" ; return ;;
	3) pass ;;
	*) fail "the program with a session failed"; cat "$work/err"; return ;;
	esac
	same "sessions: what we said" "topomap-record: nothing is recorded: the program has MPI sessions and calls \
no MPI_Init" "$(own_words "$work/err")"
	recording "$work/session.$mpi.json" 1 "$work/recorded_ends" both >"$work/out" 2>"$work/err"
	same "a session and PMPI_Init: what we said" "topomap-record: nothing is recorded: the program's MPI_Init was \
not seen; it may call PMPI_Init, or a library that does" "$(own_words "$work/err")"
}

# A rank that a signal ends while the others wait for it in MPI_Finalize: all is as without the recorder, and
# what the launcher says is enough.
test_signals()
{
	local folder=$work/signals.$mpi signal status
	mkdir "$folder"
	variables=()
	for signal in 9 11; do
		timeout 100 "$mpirun" $oversubscribe -n 2 "$work/recorded_ends" signal$signal >"$work/out" 2>"$work/err" </dev/null
		status=$?
		[ $status -ne 0 ] && [ $status -ne 124 ] && pass || fail "signal $signal without the recorder: status $status"
		recording "$folder/r.json" 2 "$work/recorded_ends" signal$signal >"$work/out" 2>"$work/err"
		same "signal $signal: status" $status $?
		same "signal $signal: what we said" "" "$(own_words "$work/err")"
		same "signal $signal: what the program said" "the program's own words" \
			"$(grep -a '^the program' "$work/out")"
		same "signal $signal: nothing is left" "" "$(ls -A "$folder")"
	done
}

# A disk that is full before it has all of it, and one that takes nothing.
test_disks()
{
	variables=()
	mkdir "$work/small.$mpi"
	if ! mount -t tmpfs -o size=4k tmpfs "$work/small.$mpi" 2>/dev/null; then
		skip "no small disk can be made: that takes root"
		return
	fi
	head -c 4096 /dev/zero >"$work/small.$mpi/filled"
	ending "a full disk" 3 "topomap-record: $work/small.$mpi/r.json: the document cannot be written: No space left on device" \
		"$work/small.$mpi/r.json" 2 "$work/recorded_ends"
	same "nothing is left" filled "$(ls -A "$work/small.$mpi")"
	mount -o remount,ro "$work/small.$mpi"
	ending "a read-only disk" 3 "topomap-record: $work/small.$mpi/r.json: Read-only file system" \
		"$work/small.$mpi/r.json" 2 "$work/recorded_ends"
	umount "$work/small.$mpi"
}

test_two_jobs()
{
	mkdir "$work/two.$mpi"
	variables=()
	for job in 1 2; do
		recording "$work/two.$mpi/r.json" 2 "$work/recorded_ends" >/dev/null 2>&1 &
	done
	wait
	same "two jobs at once, two records" "r-2.json r.json" "$(cd "$work/two.$mpi" && echo *)"
	for file in "$work/two.$mpi"/*; do
		lines "$file" >/dev/null && pass || fail "$file is no record"
	done
}

# Some ranks have no recorder, as those of a static program: the others do not wait for ever.
test_some_ranks()
{
	local words
	words="topomap-record: nothing is recorded: within 2 s (TOPOMAP_RECORD_WAIT) some ranks did not come to \
MPI_Finalize, or have no recorder: a static program, or a launcher that does not pass on LD_PRELOAD"
	for first in with without; do
		case $mpi.$first in
		openmpi.with) set -- -x "LD_PRELOAD=$recorder" : ;;
		openmpi.without) set -- : -x "LD_PRELOAD=$recorder" ;;
		mpich.with) set -- -env LD_PRELOAD "$recorder" : ;;
		mpich.without) set -- : -env LD_PRELOAD "$recorder" ;;
		esac
		local parts=() part=(-n 1)
		for word; do
			if [ "$word" = : ]; then
				parts+=("${part[@]}" "$work/recorded_ends" :)
				part=(-n 2)
			else
				part+=("$word")
			fi
		done
		TOPOMAP_RECORD_WAIT=2 TOPOMAP_RECORD=$work/some.json timeout 100 "$mpirun" \
			${oversubscribe} "${parts[@]}" "${part[@]}" "$work/recorded_ends" >"$work/out" 2>"$work/err" </dev/null
		same "ranks without, first $first: status" 3 $?
		same "ranks without, first $first" "$words" "$(own_words "$work/err")"
	done
	[ ! -e "$work/some.json" ] && pass || fail "ranks are missing in a record"
}

declare -A recorder_of
for flavour in openmpi mpich; do
	use_mpi $flavour && use_recorder || continue
	make_for_mpi tests/mpi/record_lines || finish
	recorder_of[$flavour]=$recorder
	oversubscribe=
	[ $flavour = mpich ] || oversubscribe=--oversubscribe
	cp "$work/recorded_ends" "$work/ends.program.$flavour"
	test_calls
	[ $flavour = mpich ] || monitored C "$work/recorded"
	test_edges
	test_files
	test_connected
	test_phases
	test_large
	test_fortran
	test_threads
	test_sessions
	is_first || continue
	test_ends
	test_signals
	test_disks
	test_two_jobs
	test_some_ranks
done
# the recorder of one library in a program of the other
if [ ${#recorder_of[@]} = 2 ]; then
	for flavour in openmpi mpich; do
		use_mpi $flavour
		variables=()
		recorder=${recorder_of[mpich]} other=MPICH own='Open MPI v[0-9.]*'
		[ $flavour = openmpi ] || { recorder=${recorder_of[openmpi]} other='Open MPI' own='MPICH Version:.*'; }
		recording "$work/other.json" 2 "$work/ends.program.$flavour" >"$work/out" 2>"$work/err"
		same "another library: status" 3 $?
		same "another library: the program" "the program's own words" "$(cat "$work/out")"
		own_words "$work/err" | grep -qx "topomap-record: nothing is recorded: it was built with $other, and the program runs with another MPI ($own)" &&
			pass || { fail "another library is not named"; cat "$work/err"; }
		[ ! -e "$work/other.json" ] && pass || fail "a record of another library"
	done
fi
finish
