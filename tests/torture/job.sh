#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Allocations of our own made to fail in a job, on the rank that leads and on one that follows, from the
# second to the last: topomap-bench calibrate ends on all ranks with one sentence and status 3, and leaves
# no part of a document: none, or, where the sentence says that the profile is written, the whole of it. The
# first allocation of a rank is before MPI_Init, in which all others wait for it: that is the launcher's to
# end. How many there are depends on the time that there is, so a number that is not reached is a run like
# others. TORTURE_RUNS bounds the runs of a rank: 12 with WHOLE=1, else 3.
#
# An algorithm with messages of several pieces, whose datatypes want memory, is measured under the same: each
# refusal is agreed on by all, and none breaks off a call that the others are in, which no one could end but
# by an abort. There the last allocations are tried, those of the second of two sizes: all of the last 48
# with WHOLE=1, else each sixth, from SEED on.
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/bench.bash"
use_bench openmpi || finish
library=$work/fail_alloc.so
if ! mpicc.openmpi -shared -fPIC -D_GNU_SOURCE -I. -O1 -o "$library" tests/torture/fail_alloc.c 2>"$work/log"; then
	skip "no C library here whose malloc can be replaced"
	finish
fi
mkdir "$work/job"

# torture RANK WORD ARGUMENT...: that rank of topomap-bench has the preload and the word in its environment
torture()
{
	local rank=$1 word=$2
	shift 2
	rm -f "$work/job/"*
	# shellcheck disable=SC2016
	launch 2 sh -c 'rank=$1 preload=$2 word=$3; shift 3
		[ "$OMPI_COMM_WORLD_RANK" != "$rank" ] || exec env "LD_PRELOAD=$preload" "$word" "$@"
		exec "$@"' sh "$rank" "$library" "$word" "$bench" "$@" >"$work/out" 2>"$work/err"
}

# calibrate RANK WORD
calibrate()
{
	torture "$1" "$2" calibrate -t 2 --seed 1 -o "$work/job/here.json" --times "$work/job/times.json"
}

# measure RANK WORD
measure()
{
	torture "$1" "$2" collective -c reduce_scatter -a reduce_and_scatter -b 64,220744 --repetitions 3 \
		-o "$work/job/times.json"
}

# is_read: a profile, and no temporary file
is_read()
{
	topomap profile "$work/job/here.json" >/dev/null 2>&1 &&
		[ -z "$(ls -A "$work/job" | grep -vx 'here.json\|times.json')" ]
}

# is_refused STATUS: in one sentence, and what it says is there
is_refused()
{
	local said
	said=$(grep '^topomap-bench: ' "$work/err" | grep -v ': note: \|: rank correlation\|: regret ')
	[ "$1" -eq 3 ] && grep -q memory <<<"$said" && [ "$(wc -l <<<"$said")" -eq 1 ] || return 1
	case $said in
	*'the profile is written'*) is_read ;;
	*) [ -z "$(ls -A "$work/job")" ] ;;
	esac
}

# is_whole STATUS
is_whole() { [ "$1" -eq 0 ] && is_read; }

for rank in 0 1; do
	calibrate $rank "FAIL_COUNT=$work/count"
	if ! is_whole $?; then
		skip "rank $rank: calibrate has no time to be tortured: $(grep -m 1 '^topomap-bench: ' "$work/err")"
		continue
	fi
	total=$(cat "$work/count") refused=0 whole=0 bad=0
	runs=${TORTURE_RUNS:-${WHOLE:+12}} runs=${runs:-3} last=$((runs > 1 ? runs - 1 : 1))
	for ((k = 0; k < runs; k++)); do
		n=$((2 + k * k * (total - 2) / (last * last))) # more of the first ones
		calibrate $rank "FAIL_AT=$n"
		status=$?
		if is_refused $status; then
			refused=$((refused + 1))
		elif is_whole $status; then
			whole=$((whole + 1))
		else
			bad=$((bad + 1))
			echo "allocation $n of $total on rank $rank: status $status, $(ls -A "$work/job" | tr '\n' ' ')"
			head -n 4 "$work/err"
		fi
	done
	if [ $bad -eq 0 ] && [ $refused -ge $((runs / 2)) ]; then
		pass
	else
		fail "rank $rank: of $runs allocations $refused were refused, $whole came to nothing, $bad ended otherwise"
	fi
done

measure 1 "FAIL_COUNT=$work/count"
came=$? total=$(cat "$work/count") tried=0 bad=0
[ $came -eq 0 ] && [ "$total" -gt 150 ] || fail "an algorithm with pieces: status $came, $total allocations"
step=${WHOLE:+1} step=${step:-6}
for ((n = total - ${SEED:-0} % step; n > total - 48; n -= step)); do
	measure 1 "FAIL_AT=$n"
	came=$? tried=$((tried + 1))
	said=$(unshared "$work/err" | grep '^topomap-bench: ')
	case $came:$said in
	"3:topomap-bench: "*"rank 1 on "*": out of memory"*"; 1 experiment is written") continue ;;
	0:) [ "$n" -gt $((total - 6)) ] && continue ;; # a number that is not reached
	esac
	bad=$((bad + 1))
	echo "allocation $n of $total: status $came"
	head -n 4 "$work/err"
done
[ $bad -eq 0 ] && [ $tried -ge 8 ] && pass || fail "an algorithm with pieces: $bad of $tried ended otherwise"
finish
