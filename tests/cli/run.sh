#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Golden command lines. A case is a folder tests/cli/cases/NAME or tests/cli/bad/NAME:
#   cmd     a shell script, run in the folder; topomap is on the PATH, $scratch is an
#           empty folder of its own
#   out     what standard output must be (absent: empty)
#   err     what standard error must be (absent: empty)
#   status  what the exit status must be (absent: 0); a case under bad/ must have one
# UPDATE=1 writes what came instead of comparing. Arguments choose cases by folder. Under sanitizers,
# where a case takes five times as long, each third of all is run (SEED=N: others), and all with WHOLE=1.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD
PATH=$top/${BUILD:-build}:$PATH
# the mark of a sanitizer's finding must not be taken for one of topomap's statuses
export ASAN_OPTIONS="$ASAN_OPTIONS:exitcode=99" UBSAN_OPTIONS="exitcode=99:halt_on_error=1"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset TOPOMAP_PROFILE TOPOMAP_SYNC
export LC_ALL=C   # the texts draw lines where the locale has them
passed=0 failed=0 number=${SEED:-0} each=1

# Compares (or updates) one part of a case.
compare()
{
	if [ -n "$UPDATE" ]; then
		rm -f "$1"
		[ ! -s "$2" ] || cp "$2" "$1"
	elif [ -e "$1" ]; then
		diff -u "$1" "$2"
	elif [ -s "$2" ]; then
		diff -u /dev/null "$2"
	fi
}

if [ $# -eq 0 ]; then
	set -- tests/cli/cases/*/ tests/cli/bad/*/
	case $BUILD$WHOLE in */san) each=3 ;; esac
fi
for case; do
	case=${case%/}
	[ -f "$case/cmd" ] || continue
	number=$((number + 1))
	[ $((number % each)) -eq 0 ] || continue
	rm -rf "$work/scratch"
	mkdir "$work/scratch"
	(cd "$case" && scratch=$work/scratch exec sh ./cmd) >"$work/out" 2>"$work/err" </dev/null
	status=$?
	: >"$work/status"
	[ "$status" -eq 0 ] || echo "$status" >"$work/status"
	good=yes
	for part in out err status; do
		compare "$case/$part" "$work/$part" || good=
	done
	case $case in
	tests/cli/bad/*)
		if [ "$status" -eq 0 ] || [ "$(wc -c <"$work/err")" -eq 0 ]; then
			echo "a bad case must fail with a sentence"
			good=
		fi ;;
	esac
	if [ -n "$good" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $case"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
