#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs each of the given checks (shell commands) and adds up: the last line is
# "N passed, N failed, N skipped". A check says so itself in a line of that form, or
# counts as one: exit status 0 passed, 77 skipped (its last line is the reason).
# The output of a check is shown if it fails. Checks before "--" run as many at a time as
# there are CPUs; those behind it, which start MPI jobs or make hosts, one by one. Of many the ten
# (LONGEST) that took most CPU time are named, and what all took.
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export BUILD="${BUILD:-build}"
# what the user has of his own is none of the tests
unset TOPOMAP_PROFILE TOPOMAP_SYNC
# sizes that overflow are refused with NULL, as without the sanitizer
export ASAN_OPTIONS="allocator_may_return_null=1"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"

# run NUMBER CHECK: its output goes to $dir/NUMBER.log, its status and seconds to NUMBER.end, and what times
# says of it
run() {
	began=$(date +%s)
	# hwloc unloads libpciaccess, which keeps what it found: the sanitizer sees a leak of
	# nobody's, which tests/lsan.supp cannot name
	case $2 in
	*build/san*) export HWLOC_COMPONENTS=-pci ;;
	*) unset HWLOC_COMPONENTS ;;
	esac
	(
		timeout -k 10 "${CHECK_SECONDS:-900}" sh -c "$2" >"$dir/$1.log" 2>&1 </dev/null
		echo "$? $(($(date +%s) - began))" >"$dir/$1.part"
		times >>"$dir/$1.part"
	)
	mv "$dir/$1.part" "$dir/$1.end"
}

# worker CHECK...: every check that no other worker has taken, up to "--"
worker() {
	mine=0
	for check; do
		[ "$check" != -- ] || break
		mine=$((mine + 1))
		! mkdir "$dir/$mine.taken" 2>/dev/null || run "$mine" "$check"
	done
}

passed=0 failed=0 skipped=0
# tell NUMBER CHECK: wait for its end, say how it went and add it up
tell() {
	while [ ! -e "$dir/$1.end" ]; do sleep 0.1; done
	{ read -r status seconds && read -r _ && read -r user system; } <"$dir/$1.end"
	echo "$user $system $seconds $2" >>"$dir/took"
	line=$(grep -Ex '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$dir/$1.log" | tail -n 1)
	if [ -z "$line" ]; then
		case $status in
		0) line='1 passed, 0 failed, 0 skipped' ;;
		77) line='0 passed, 0 failed, 1 skipped' ;;
		*) line='0 passed, 1 failed, 0 skipped' ;;
		esac
	fi
	p=${line%% passed*} f=${line#*, } s=${line##*, }
	f=${f%% *} s=${s%% *}
	if [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ "$f" -eq 0 ]; then
		f=1   # it counted no failure, and failed: a crash, or a time-out (status 124)
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" -ne 0 ]; then
		cat "$dir/$1.log"
		echo "FAILED  $2 ($p passed, $f failed, $s skipped, status $status, $seconds s)"
	else
		echo "ok      $2 ($p passed, $s skipped, $seconds s)"
		[ "$s" -eq 0 ] || grep -i '^skip' "$dir/$1.log" || tail -n 1 "$dir/$1.log"
	fi
}

# longest: the checks that took most CPU time, and the sum of all
longest()
{
	awk -v head="sort -rn | head -n ${LONGEST:-10}" '
	function seconds(time,    part) { split(time, part, "m"); return part[1] * 60 + part[2] }
	{
		cpu = seconds($1) + seconds($2)
		sum += cpu
		check = $0
		sub(/^[^ ]* [^ ]* [^ ]* /, "", check)
		printf "%8.1f s of CPU in %4d s: %s\n", cpu, $3, check | head
	}
	END {
		close(head)
		printf "%8.1f s of CPU for all %d\n", sum, NR
	}' "$dir/took"
}

cpus=$(nproc 2>/dev/null || echo 1)
worker=1
while [ "$worker" -le "$cpus" ]; do
	worker "$@" &
	worker=$((worker + 1))
done
number=0 alone=
for check; do
	[ "$check" != -- ] || { alone=yes; continue; }
	number=$((number + 1))
	[ -z "$alone" ] || run "$number" "$check"
	tell "$number" "$check"
done
[ "$number" -le 10 ] || longest
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
