#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Who waits at a terminal sees that a command works after two seconds, whatever it does, and nothing of it stays:
# here each waits for its input, which comes when the line is seen, or after a minute. All wait at once.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
command -v script >/dev/null || { echo "script is not here: a terminal for a command"; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
passed=0 failed=0

topomap place 'node:2 core:4' -o "$work/job.json" || exit 1

# when_seen NAME: the placement, once NAME's line is on its terminal
when_seen()
{
	local tenths=0
	until grep -q 'now: reading' "$work/$1.err" || [ $tenths = 600 ]; do
		sleep 0.1
		tenths=$((tenths + 1))
	done
	cat "$work/job.json"
}
export -f when_seen
export work

# late NAME COMMAND...: standard error is a terminal, which is kept
late()
{
	local name=$1
	shift
	SHELL=/bin/bash script -qec "when_seen $name | topomap $* >'$work/$name.out'" /dev/null \
		>"$work/$name.err" </dev/null &
}

# check NAME [COMMAND]: it showed itself, took that back, and did what it was asked
check()
{
	local command=${2:-$1}
	if grep -Eq $'\r'"topomap $command: ([2-9]|[0-9]{2}) s; now: reading" "$work/$1.err" &&
		[ "$(grep -c "topomap $command: .*"$'\e\\[K\r\e\\[K' "$work/$1.err")" = 1 ] &&
		[ -s "$work/$1.out" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1 at a terminal, waiting for its input:"
		cat -v "$work/$1.err"
	fi
}

late tree tree
late ring ring
late inspect inspect
late hierarchy hierarchy
late lanes lanes
late compare compare - "$work/job.json"
late schedule schedule -c bcast -a binomial_far -b 8
late place place - --adapters none
late score score -c bcast -b 8
late guidelines guidelines -b 8
late tune tune --library openmpi4
# tune does two other things, each by itself; what one of them writes goes to the terminal
topomap tune --library openmpi4 "$work/job.json" -o "$work/rules" 2>/dev/null || exit 1
late lint tune --library openmpi4 --lint "$work/rules" -
SHELL=/bin/bash script -qec "when_seen changes | topomap tune --library openmpi4 --compare '$work/rules' -" \
	/dev/null >"$work/changes.err" </dev/null &
# a part of what is written is found while it is; where that goes to a terminal the line is gone before
topomap place 'node:20000 core:200' -o "$work/large.json" || exit 1
script -qec "topomap hierarchy '$work/large.json' -o '$work/large.out'" /dev/null >"$work/large.err" </dev/null
script -qec "topomap hierarchy '$work/large.json'" /dev/null >"$work/mixed.err" </dev/null
wait
if [ -s "$work/large.out" ] && ! grep -q 'writing' "$work/mixed.err" &&
	! grep -q $'now: [a-z]*\e\\[K[^\r]' "$work/mixed.err" "$work/changes.err" &&
	grep -q $'now: reading\e' "$work/changes.err"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "FAILED: a line of progress among what is written"
	head -c 2000 "$work/mixed.err" | cat -v
	head -c 2000 "$work/changes.err" | cat -v
fi
for name in tree ring inspect hierarchy lanes compare schedule place score guidelines tune; do
	check $name
done
check lint tune
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
