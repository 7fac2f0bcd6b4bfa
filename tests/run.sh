#!/bin/sh
# Runs each of the given checks (shell commands) and adds up: the last line is
# "N passed, N failed, N skipped". A check says so itself in a line of that form, or
# counts as one: exit status 0 passed, 77 skipped (its last line is the reason).
# The output of a check is shown if it fails.
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
export BUILD="${BUILD:-build}"
# sizes that overflow are refused with NULL, as without the sanitizer
export ASAN_OPTIONS="allocator_may_return_null=1"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"

for check; do
	# hwloc unloads libpciaccess, which keeps what it found: the sanitizer sees a leak of
	# nobody's, which tests/lsan.supp cannot name
	case $check in
	*build/san*) export HWLOC_COMPONENTS=-pci ;;
	*) unset HWLOC_COMPONENTS ;;
	esac
	began=$(date +%s)
	timeout -k 10 "${CHECK_SECONDS:-900}" sh -c "$check" >"$log" 2>&1 </dev/null
	status=$? seconds=$(($(date +%s) - began))
	line=$(grep -Ex '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | tail -n 1)
	if [ -z "$line" ]; then
		case $status in
		0) line='1 passed, 0 failed, 0 skipped' ;;
		77) line='0 passed, 0 failed, 1 skipped' ;;
		*) line='0 passed, 1 failed, 0 skipped' ;;
		esac
	fi
	set -f
	# shellcheck disable=SC2086
	set -- $line
	set +f
	p=$1 f=$3 s=$5
	if [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ "$f" -eq 0 ]; then
		f=1   # it counted no failure, and failed: a crash, or a time-out (status 124)
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" -ne 0 ]; then
		cat "$log"
		echo "FAILED  $check ($p passed, $f failed, $s skipped, status $status, $seconds s)"
	else
		echo "ok      $check ($p passed, $s skipped, $seconds s)"
		[ "$s" -eq 0 ] || grep -i '^skip' "$log" || tail -n 1 "$log"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
