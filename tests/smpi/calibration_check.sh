#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The check that topomap-bench calibrate makes of its profile, of profiles that are known: by the figures
# that a simulated platform was made from it must say that they hold, and by those of other machines that
# they do not. Oracle: the platform, and agree.awk, which judges the same pairs without our code.
. "$(dirname "$0")/judge.bash"
config="${config/--cfg=smpi\/privatization:no/} --cfg=smpi/test:0" # ranks have variables of their own
flock "${BUILD:-build}" env -u MAKEFLAGS -u MFLAGS make -s smpi B="${BUILD:-build}" CC="${CC:-cc}" WERROR=-Werror >"$work/log" 2>&1 ||
	{ cat "$work/log"; echo "FAILED  make smpi"; exit 1; }
smpicc -std=c11 -D_GNU_SOURCE -I. -O1 -o "$work/check" tests/smpi/calibration_check.c \
	build/smpi/libtopomap-{bench,operation,executor,probe}.a "${BUILD:-build}/libtopomap-inner.a" -lhwloc -ljansson -lyaml -lm -pthread \
	>"$work/log" 2>&1 || { cat "$work/log"; echo "FAILED  the program of this test"; exit 1; }
passed=0 failed=0

# run PLATFORM OPTION PROFILE SECONDS SEED: pairs in $work/out, the verdict in $work/verdict
run()
{
	local machine options=()
	judge_platform "$1"
	mapfile -t machine <"$work/machine"
	[ ! -s "$work/network" ] ||
		options=(--hosts "n[0-$((${#machine[@]} - 1))]" --network "$work/network")
	topomap place "${machine[@]}" "${options[@]}" "$2" -o "$work/job.json" || exit 3
	topomap inspect -f json --ranks "0-$(($(judge_cores) - 1))" "$work/job.json" >"$work/ranks" || exit 3
	judge_hosts >"$work/hosts"
	# shellcheck disable=SC2086
	smpirun -np "$(wc -l <"$work/hosts")" -platform "$work/platform.xml" -hostfile "$work/hosts" \
		$config "$work/check" "$work/job.json" "$3" "$4" "$5" >"$work/out" 2>"$work/verdict"
}

# of NAME: a figure of the verdict
of()
{
	awk -v name="$1" '$1 == "cases" { for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' "$work/verdict"
}

# says WHAT CONDITION: of the verdict's cases, near, rho, worst and ratio
says()
{
	local line
	line="cases $(of cases) near $(of near) rho $(of rho) worst $(of worst) ratio $(of ratio)"
	if awk -v cases="$(of cases)" -v near="$(of near)" -v rho="$(of rho)" -v worst="$(of worst)" \
		-v ratio="$(of ratio)" "BEGIN { exit !(cases != \"\" && ($2)) }"; then
		echo "$1: $line"
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: $line, not $2"
		head -n 3 "$work/verdict"
	fi
}

# The same pairs, judged by others: rho, and the choices, which are fewer where two are predicted alike, as
# the check takes the slower one.
agrees()
{
	local others
	others=$(sed 's/^/x /' "$work/out" | awk -f tests/rank_correlation.awk -f tests/smpi/agree.awk | awk '
		NR > 1 { cases += $2; rho += $2 * $3; near += $2 * $6 / 100 }
		END { printf "%d %d %.3f", cases, near + 0.5, rho / cases }')
	if awk -v others="$others" -v cases="$(of cases)" -v near="$(of near)" -v rho="$(of rho)" 'BEGIN {
		split(others, o, " ")
		exit !(o[1] == cases && o[2] >= near && o[2] <= near + 2 && o[3] - rho < 0.002 && rho - o[3] < 0.002) }'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: others find $others in the same pairs"
	fi
}

# 16 ranks; WHOLE=1 takes 32 on nodes of two packages as well, which are four times the work
for platform in ${PLATFORMS:-nodes_16 ${WHOLE:+packages}}; do
	run "$platform" --map-by=core "$work/profile.json" 5 1
	says "$platform by its own figures" "cases == 20 && rho >= 0.95 && near >= 19 && worst <= 1.2 && ratio < 1.5"
	agrees "$platform by its own figures"
	rho=$(of rho)
	run "$platform" --map-by=core gigabit 5 1
	says "$platform by those of gigabit" "cases == 20 && rho < $rho - 0.02 && near < 19"
	agrees "$platform by those of gigabit"
done
# of so little time that it is over within the first ones, nothing is claimed
run nodes_16 --map-by=core "$work/profile.json" 0.0005 1
says "half a millisecond" "cases < 20"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
