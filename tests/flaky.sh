#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs each of the given checks (shell commands) FLAKY_ROUNDS times beside two busy loops, round after
# round, as long as FLAKY_SECONDS last: a check that passes on an idle machine only, or now and then
# only, shows itself. Prints how often each failed; what a failed run printed is in $BUILD/flaky. With FLAKY_KEEP the
# runs are added to those before, so that slices of FLAKY_SECONDS add up.
rounds=${FLAKY_ROUNDS:-50} seconds=${FLAKY_SECONDS:-0}
export BUILD="${BUILD:-build}"
kept=$BUILD/flaky
[ -n "$FLAKY_KEEP" ] || rm -rf "$kept"
mkdir -p "$kept" || exit 3
busy() { while :; do :; done; }
busy &
loops=$!
busy &
loops="$loops $!"
running=
# shellcheck disable=SC2086 # numbers
trap 'kill $loops $running 2>/dev/null' EXIT
trap 'exit 130' INT TERM

# file_of CHECK: a name for what it prints
file_of() { printf %s "$1" | tr -c 'A-Za-z0-9_.\n' '-'; }

began=$(date +%s) round=0
while [ "$round" -lt "$rounds" ]; do
	round=$((round + 1))
	for check; do
		name=$kept/$(file_of "$check")
		[ ! -e "$name.skipped" ] || continue
		if [ "$seconds" -gt 0 ] && [ $(($(date +%s) - began)) -ge "$seconds" ]; then
			rounds=0
			break
		fi
		timeout -k 10 "${CHECK_SECONDS:-900}" sh -c "$check" >"$kept/log" 2>&1 </dev/null &
		running=$! # so that a signal need not wait for its end
		wait $running
		status=$?
		running=
		case $status in
		0) echo ok >>"$name.runs" ;;
		77) tail -n 1 "$kept/log" >"$name.skipped" ;;
		*)
			echo failed >>"$name.runs"
			run=$(wc -l <"$name.runs")
			mv "$kept/log" "$name.$run"
			echo "run $run: $check: status $status, see $name.$run" ;;
		esac
	done
done
passed=0 failed=0 skipped=0
for check; do
	name=$kept/$(file_of "$check")
	if [ -e "$name.skipped" ]; then
		skipped=$((skipped + 1))
		echo "skipped $check: $(cat "$name.skipped")"
		continue
	fi
	[ -e "$name.runs" ] || { skipped=$((skipped + 1)); echo "skipped $check: no time was left"; continue; }
	runs=$(wc -l <"$name.runs") bad=$(grep -c failed "$name.runs")
	if [ "$bad" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok      $check ($runs runs)"
	else
		failed=$((failed + 1))
		echo "FAILED  $check ($bad of $runs runs)"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
