#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# hwloc reads XML in a process of its own (formats/base/child.h): however that ends, topomap ends with
# one sentence and a status of its own, leaves nothing behind, and takes the process with it when it is
# ended itself. Oracles: two files on which hwloc 2.9 crashes, and a library that is preloaded and ends
# the process where hwloc would load.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD data=$PWD/tests/data
PATH=$top/${BUILD:-build}:$PATH
export LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ulimit -c unlimited 2>/dev/null
cd "$work" || exit 3
cat >dies.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int hwloc_topology_load(void *topology)
{
	const char *how = getenv("DIES_BY");
	FILE *file;

	(void)topology;
	if (how && atoi(how))
		raise(atoi(how));
	else if (how)
		_exit(5);
	file = fopen(getenv("LASTS"), "w");
	fprintf(file, "%ld\n", (long)getpid());
	fclose(file);
	for (;;)
		pause();
}
END
"${CC:-cc}" -shared -fPIC -o dies.so dies.c 2>log || { tail -n 1 log; echo "skipped: no library can be built here"; exit 77; }
topomap place 'node:1 package:2 numa:1 core:2' -o job.json || exit 3
mkdir empty

fail() { failed=$((failed + 1)); echo "FAILED  $1"; cat "$work/err"; }

# a real crash, or the refusal or the answer of an hwloc that does not crash
for xml in no-complete-cpuset no-memory; do
	for command in "place" "tree $work/job.json --matrix"; do
		# shellcheck disable=SC2086 # words
		(cd empty && topomap $command "$data/crashes-hwloc-2.9-$xml.xml") >out 2>err
		status=$?
		if [ $status -gt 1 ] || [ "$(wc -l <err)" -ne $status ] || [ -n "$(ls -A empty)" ]; then
			fail "$command $xml: status $status"
		else
			passed=$((passed + 1))
		fi
	done
done

# dies STATUS SIGNAL SENTENCE
dies()
{
	for command in "place" "tree $work/job.json --matrix"; do
		# shellcheck disable=SC2086 # words
		(cd empty && DIES_BY=$2 LD_PRELOAD=$work/dies.so exec topomap $command "$data/2package-4core.xml") >out 2>err
		status=$?
		sed 's/hwloc [0-9.]*/hwloc/' err >said
		if [ $status -ne "$1" ] || [ -n "$(ls -A empty)" ] || [ -s out ] ||
		   ! [ "$(cat said)" = "topomap ${command%% *}: $data/2package-4core.xml: hwloc $3" ]; then
			fail "$command, signal $2: status $status"
		else
			passed=$((passed + 1))
		fi
	done
}
dies 1 11 "crashes on it (Segmentation fault)"
dies 1 6 "crashes on it (Aborted)"
dies 1 8 "crashes on it (Floating point exception)"
dies 3 9 "was ended by signal 9 (Killed)"
dies 3 0 "ended its process with status 5"

# one that lasts ends with topomap, however that ends
for signal in TERM HUP KILL; do
	rm -f pid
	LASTS=$work/pid LD_PRELOAD=$work/dies.so topomap place "$data/2package-4core.xml" >out 2>err &
	parent=$!
	until [ -s pid ]; do sleep 0.05; done
	child=$(cat pid)
	kill -$signal $parent
	wait $parent 2>/dev/null
	for ((i = 0; i < 200; i++)); do
		kill -0 "$child" 2>/dev/null || break
		sleep 0.05
	done
	if [ "$child" = $parent ] || kill -0 "$child" 2>/dev/null; then
		fail "SIG$signal: the child lives on"
	else
		passed=$((passed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
