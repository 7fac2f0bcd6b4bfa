#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every call on files that a command makes, made to fail in turn, and a signal before it, after it
# and in another thread: afterwards all files are old or all are new, as the exit status says, nothing
# else is in the folder, and who was killed by a signal ended by it. Oracle: what the file system holds.
# WHOLE=1: a signal in each of the three ways at each call; else in one, another one at the next.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=$PWD/${BUILD:-build}
PATH=$build:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0 turn=0
declare -A trees
library=$work/fail_file.so
if ! ${CC:-cc} -shared -fPIC -D_GNU_SOURCE -I. -O1 -pthread -o "$library" tests/torture/fail_file.c 2>"$work/log"; then
	tail -n 1 "$work/log"
	echo "skipped: no C library here whose functions can be replaced"
	exit 77
fi
mkdir "$work/old" "$work/new" "$work/job"
slurm=(topomap suggest-rankfile -m identity -l slurm -o X "$work/job.json")
ti=(topomap schedule -c bcast -a binomial_far -b 1k -n 4 -f ti -o X)
one=(topomap schedule -c bcast -a binomial_far -b 1k -n 4 -f csv -o X)
tune=(topomap tune -l openmpi5 -c barrier --han X.han -o X "$work/job.json")
probe=(topomap-probe --no-environment -o X)
join=(topomap-bench join "$top/tests/fuzz/seeds/times/two.json" -o X)

topomap place 'node:2 package:2 core:2 pu:2' 'node:1 core:3' --shuffle 3 >"$work/job.json" || exit 3

# tree FOLDER: its files, their content and mode; of a job the time, the PU that it happens to be on, and the
# memory of a virtual machine that grows and shrinks differ
tree()
{
	(
		shopt -s nullglob
		cd "$1" && set -- * .[!.]* && [ $# -gt 0 ] && stat -c '%n %a' "$@"
		for f; do
			sed 's/"\(date\|last_pu\)": "[^"]*"//; s/"size_bytes": [0-9]*//' "$f"
			echo . # whether or not its last line ends
		done
	)
}

# same FOLDER: job holds what old or new does
same() { [ "$(tree "$work/job")" = "${trees[$1]}" ]; }

# start FILE...: the command's folder holds old files of these names
start()
{
	rm -rf "$work/old" "$work/job"
	mkdir "$work/old" "$work/job"
	for f; do
		echo "old $f" >"$work/old/$f"
		chmod 604 "$work/old/$f"
	done
	cp -p "$work/old/." "$work/job" -r
	trees[old]=$(tree "$work/old")
}

# run ENVIRONMENT...: the command in its folder; its status
run()
{
	rm -rf "$work/job"
	cp -rp "$work/old" "$work/job"
	{ (cd "$work/job" && exec env "$@" LD_PRELOAD="$library" FILE_WITHOUT="$without" "${command[@]}") \
		>/dev/null 2>"$work/err" </dev/null; } 2>/dev/null # of bash: "Terminated"
}

complain()
{
	bad=$((bad + 1))
	echo "$title: $1"
	head -n 3 "$work/err"
	ls -A "$work/job"
}

# fails N NAME HOW: the call N, a NAME, fails; with "lost", all later ones of that name, too
fails()
{
	local status
	run FILE_AT="$1" FILE_DO="$3 5"
	status=$?
	runs=$((runs + 1))
	# where files cannot be removed they are left; whether a folder is durable shows later
	case $2 in
	unlink) rm -f "$work/job"/.topomap-* ;;
	esac
	if [ $status -eq 0 ]; then
		same new || complain "$3 $1 $2: status 0, and not all is new"
	elif [ $status -ne 3 ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
		complain "$3 $1 $2: status $status"
	elif same old; then
		[ "$2" != link ] || complain "$3 $1 $2: not done, though another way was left"
	elif same new; then
		grep -q 'is written, but may not outlast' "$work/err" ||
			complain "$3 $1 $2: all is new, and status $status"
	elif [ "$3" = lost ] && [ "$2" = rename ]; then
		# not even put back: where it is is said, and it is there
		local kept
		kept=$(sed -n "s/.*'\([^']*\)' is now '\([^']*\)'.*/\1 \2/p" "$work/err")
		[ -n "$kept" ] && cmp -s "$work/old/${kept% *}" "$work/job/${kept#* }" ||
			complain "$3 $1 $2: the old file is lost"
	else
		complain "$3 $1 $2: neither old nor new"
	fi
}

# stopped N NAME HOW SIGNAL
stopped()
{
	local status
	run FILE_AT="$1" FILE_DO="$3 $4"
	status=$?
	runs=$((runs + 1))
	if [ $status -ne $((128 + $4)) ]; then
		complain "signal $4 $3 $1 $2: status $status"
	elif ! same old && ! same new; then
		complain "signal $4 $3 $1 $2: neither old nor new, or more"
	fi
}

# torture COMMAND [FILE...]: an array's name, and the files that are there before
torture()
{
	local -n command=$1
	local n name call_names hows
	title="${command[0]} of $1${2:+ over }${*:2}${without:+ without $without}"
	bad=0 runs=0
	shift
	start "$@"
	rm -f "$work/handled"
	run FILE_CALLS="$work/calls" FILE_HANDLED="$work/handled"
	# UCX takes SIGHUP for its debugging when it is loaded: such a signal ends no program
	mapfile -t signals < <([ ! -e "$work/handled" ] || printf '%s\n' 1 2 13 15 | grep -vxFf "$work/handled")
	[ ${#signals[@]} -gt 0 ] || { failed=$((failed + 1)); echo "FAILED  $title: no signal ends it"; return; }
	rm -rf "$work/new"
	cp -rp "$work/job" "$work/new"
	trees[new]=$(tree "$work/new")
	mapfile -t call_names <"$work/calls"
	for ((n = 1; n <= ${#call_names[@]}; n++)); do
		name=${call_names[n - 1]}
		fails $n "$name" fail
		[ "$name" != rename ] || fails $n "$name" lost
		hows=(before after thread)
		[ -n "$WHOLE" ] || hows=("${hows[(n + passed) % 3]}")
		for how in "${hows[@]}"; do
			stopped $n "$name" $how "${signals[turn++ % ${#signals[@]}]}"
		done
	done
	if [ $bad -eq 0 ] && [ $runs -gt 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $title: $bad of $runs"
	fi
}

umask 022
without=
torture one
torture one X
torture ti
torture ti X
torture ti X.ranks
torture slurm X X.sh
torture tune X X.han
for without in unnamed links unnamed,links; do
	torture one X
	torture ti X X.ranks
done
# all of them wait for the disk, and none does that is told not to
without=
for sync in yes no; do
	export TOPOMAP_SYNC=$sync
	torture ti X X.ranks
	if [ "$sync:$(grep -c fsync "$work/calls")" = yes:0 ] || { [ $sync = no ] && grep -q fsync "$work/calls"; }; then
		failed=$((failed + 1))
		echo "FAILED  TOPOMAP_SYNC=$sync: $(grep -c fsync "$work/calls") files or folders are brought to the disk"
	fi
done
unset TOPOMAP_SYNC
if [ -x "$build/topomap-probe" ]; then
	for without in "" unnamed; do
		torture probe X
	done
	torture join X
else
	echo "skipped: topomap-probe was not built"
	skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
