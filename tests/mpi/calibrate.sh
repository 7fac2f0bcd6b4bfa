#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench calibrate under real launchers: what it writes is read by those who predict, its times of
# the check are those that topomap score compares with them, and a machine that plays tricks is reported
# and not averaged. Oracles: the tricks, each of which is known (a rank that is stopped again and again,
# a clock that jumps, odd_machine.c), and agree.awk, which judges the pairs of the check. No time is
# compared with another. A clock that jumps is all of it, and with WHOLE=1 the other tricks and busy loops.
. "$(dirname "$0")/bench.bash"

# calibrate SECONDS OPTION...: $work/here.json
calibrate()
{
	local seconds=$1
	shift
	rm -f "$work/here.json" "$work/times.json"
	launch 4 "$bench" calibrate -t "$seconds" --seed 1 -o "$work/here.json" "$@" >"$work/out" 2>"$work/err"
}

# of MEMBER: a number or word of the calibration
of()
{
	sed -n "s/^    \"$1\": \"\?\([^\",]*\)\"\?,\?$/\1/p" "$work/here.json"
}

# notes PATTERN: so many notes have it
notes()
{
	sed -n '/^    "notes": \[/,/^    \]/p' "$work/here.json" | grep -c -e "$1"
}

# Of pairs those of cases that have an order: three algorithms, which are not all like the best
ordered()
{
	awk '{
		at = $2 " " $3
		if (!(at in n)) name[++count] = at
		line[at, ++n[at]] = $0
		y[at, n[at]] = $6; low[at, n[at]] = $7 + 0; high[at, n[at]] = $8 + 0
		if (!(at in best) || $6 < y[at, best[at]]) best[at] = n[at]
	}
	END {
		for (i = 1; i <= count; i++) {
			at = name[i]; b = best[at]; has = 0
			for (k = 1; k <= n[at]; k++)
				has = has || y[at, k] > 1.02 * y[at, b] &&
					(low[at, k] > y[at, b] || y[at, b] > high[at, k] ||
					 low[at, b] > y[at, k] || y[at, k] > high[at, b])
			for (k = 1; k <= n[at]; k++)
				if (n[at] >= 3 && has)
					print line[at, k]
		}
	}'
}

check_document()
{
	calibrate 6 --progress --times "$work/times.json" || { fail "calibrate: $(head -n 3 "$work/err")"; return; }
	# a busy machine may leave no time to check anything by
	if [ "$(notes 'the check had time for 0 of')" -eq 1 ]; then
		calibrate 30 --progress --times "$work/times.json" || { fail "calibrate: $(head -n 3 "$work/err")"; return; }
	fi
	same "progress that ends at its end" 1 \
		"$(grep ': [0-9]* %, ' "$work/err" | tail -n 1 | grep -c ': 100 %, [0-9]* s$')"
	same "the profile is read" 0 "$(topomap profile "$work/here.json" >"$work/text" 2>&1; echo $?)"
	same "collectives that were predicted" "$(of collectives)" "$(grep -c '^      "algorithm"' "$work/times.json")"
	same "results that are wrong" 0 "$(grep -c '"correct": false' "$work/times.json")"
	same "ranks that shared a core" \
		"$(topomap score -c bcast -b 8 "$work/here.json" | sed -n 's/^\([0-9]*\) ranks share a .*/\1/p')" "$(of sharing_ranks)"
	: >"$work/pairs"
	for collective in allgather allreduce bcast alltoall reduce_scatter; do
		# "bruck,radix=4" is one word
		topomap score -c $collective --times "$work/times.json" --profile "$work/here.json" -f csv \
			2>"$work/err" | sed 's/"\([a-z_]*\)[^"]*"/\1/g' | awk -F, -v collective=$collective '
			NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{ print "x", collective, $column["bytes"], $column["algorithm"],
				$column["predicted_seconds"], $column["measured_seconds"],
				$column["ci_low_seconds"], $column["ci_high_seconds"] }' >>"$work/pairs"
	done
	same "cases by those who read the times" "$(of choices)" "$(cut -d' ' -f2,3 "$work/pairs" | uniq | wc -l)"
	ordered <"$work/pairs" >"$work/ordered"
	if awk -f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/ordered" | awk -v rho="$(of rho)" '
		NR > 1 { cases += $2; sum += $2 * $3 }
		END { mean = cases ? sum / cases : 0; exit !(mean - rho < 0.01 && rho - mean < 0.01) }'; then
		pass
	else
		fail "rho is $(of rho), and not what the same pairs have by others"
	fi
}

# Two ranks with a core each, and a busy loop on each core beside them: the machine is said not to be quiet, by the
# kernel's own count. A machine that is too busy for that has said nothing of it.
check_busy()
{
	local loops=() core status
	if [ ! -r /proc/thread-self/schedstat ] || [ "$(nproc)" -lt 2 ]; then
		skip "nothing counts who waits for a core"
		return
	fi
	for core in 0 1; do
		taskset -c $core sh -c 'while :; do :; done' &
		loops+=($!)
	done
	rm -f "$work/here.json"
	launch 2 --bind-to core "$bench" calibrate -t 6 --seed 1 -o "$work/here.json" >"$work/out" 2>"$work/err"
	status=$?
	kill "${loops[@]}"
	wait "${loops[@]}" 2>/dev/null
	if [ $status -eq 1 ] && grep -q 'seconds are too few: at distance' "$work/err"; then
		skip "beside busy loops there was no time to measure: $(head -n 1 "$work/err")"
		return
	fi
	same "calibrate beside busy loops" 0 $status
	same "quiet, beside busy loops" false "$(of quiet)"
	same "notes of a core that was busy" 1 \
		"$(notes 'the core of rank [01] ran something else for [0-9]* % of the time')"
}

# A signal while collectives are measured: what there is by then is written, both documents. It is sent when
# --progress names what is measured of the third collective and size: those of the first two are whole, and
# how long they take is the machine's business.
check_signal()
{
	local pid third before others said TIMEFORMAT='%U %S'
	rm -f "$work/here.json" "$work/times.json"
	before=$(cpu_busy)
	{ time launch 4 "$bench" calibrate -t 60 --seed 1 --progress -o "$work/here.json" --times "$work/times.json" \
		>"$work/out" 2>"$work/err"; } 2>"$work/used" &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		third=$(sed -n 's/.*; next: \([a-z_]*\) [^ ]* (\([^)]*\))$/\1 \2/p' "$work/err" | uniq | sed -n 3p)
		[ -z "$third" ] || break
		sleep 0.05
	done
	# shellcheck disable=SC2046
	kill -TERM $(pgrep -P $pid -f calibrate) 2>/dev/null
	wait $pid
	if [ -z "$third" ] && grep -q 'the check had time for [012] of\|seconds are too few' "$work/err"; then
		others=$(cpu_others "$before" "$(cpu_busy)" "$(cpu_used "$work/used")")
		said="no third collective began in a minute, in which others had $others % of the CPUs: $(
			grep -m 1 'the check had\|too few' "$work/err")"
		if [ "$others" -le 10 ]; then fail "$said"; else skip "$said"; fi
		return
	fi
	same "the profile of an interrupted check" 0 "$(topomap profile "$work/here.json" >"$work/text" 2>&1; echo $?)"
	same "the note of an interrupted check" 1 "$(notes 'interrupted before collectives')"
	if grep -q '"interrupted": true' "$work/times.json" && grep -q '"algorithm"' "$work/times.json"; then
		pass
	else
		fail "times of an interrupted check: $(head -c 300 "$work/times.json" 2>&1)"
	fi
}

# odd RANKS VARIABLE PATTERN WHAT: with that preload a note has the pattern, or the program says so and ends
odd()
{
	local status
	rm -f "$work/here.json"
	LD_PRELOAD=$work/odd.so launch_odd "$1" "$2" "$bench" calibrate -t "${SECONDS_EACH:-6}" --seed 1 -o "$work/here.json" \
		>"$work/out" 2>"$work/err"
	status=$?
	if [ $status -eq 0 ] && [ "$(notes "$3")" -ge 1 ]; then
		pass
	elif [ $status -eq 1 ] && grep -q -e "$3" "$work/err"; then
		pass
	else
		fail "$4 is not reported: status $status"
		head -n 3 "$work/err"
		[ ! -e "$work/here.json" ] || sed -n '/^    "notes": \[/,/^    \]/p' "$work/here.json"
	fi
}

# launch_odd RANKS VARIABLE PROGRAM...: only ranks have the preload
launch_odd()
{
	local ranks=$1 variable=$2 preload=$LD_PRELOAD
	shift 2
	unset LD_PRELOAD
	launch "$ranks" env "LD_PRELOAD=$preload" "$variable" "$@"
}

# A picture is asked for by the name of the file.
check_picture()
{
	if ! command -v xmllint >/dev/null; then
		skip "there is no xmllint"
	elif launch 2 "$bench" calibrate -t 2 --seed 1 --no-check -o "$work/here.svg" >"$work/out" 2>"$work/err"; then
		same "distances in the picture" 1 "$(grep -c '>distance [0-9]*<' "$work/here.svg")"
		same "the picture as XML" "" "$(xmllint --noout "$work/here.svg" 2>&1)"
	else
		fail "calibrate -o here.svg: $(head -n 3 "$work/err")"
	fi
}

use_bench openmpi || finish
check_document
check_picture
check_signal
[ -z "$WHOLE" ] || check_busy
if mpicc.openmpi -shared -fPIC -O1 -o "$work/odd.so" tests/mpi/odd_machine.c 2>"$work/log"; then
	odd 4 ODD_CLOCK=2 'clock of rank 2' "a clock that jumps"
	# what is slow or stopped for a while has to be told from what else the machine does
	if [ -n "$WHOLE" ]; then
		odd 4 ODD_CLOCK=0 'clock of rank 0' "a clock of rank 0 that jumps"
		SECONDS_EACH=15 odd 6 ODD_SLOW=2 'ranks \(2 and [0-9]\|[0-9] and 2\) are left out: their .* messages take [0-9.e+]* times as long' \
			"a slow pair"
		odd 4 ODD_STOP=1 'rank 1 .*is interrupted\|rank 1 is interrupted' "a rank that is stopped"
		same "quiet, with a rank that is stopped" false "$(of quiet)"
	fi
else
	skip "there is no mpicc.openmpi to build a preload with"
fi
output=$work/here.json refused 3 '--times: /nowhere' 2 calibrate -t 1 --times /nowhere/times.json
finish
