#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a calibration is good for: on simulated clusters, whose figures it does not know, topomap-bench calibrate
# writes a profile; by it, by the figures that the platform was made from, and by published profiles,
# topomap score predicts the collectives that the calibration measured when it checked itself. Oracles: SimGrid's
# simulated times, judged by agree.awk. By the calibrated profile the first choice must be within 5 % of the
# best in 95 % of the cases, the mean rank correlation 0.95, no choice longer than 1.2 times the best, 95 % of all
# times within a factor of 1.3 of what was predicted, and every published profile must be worse. What the
# profile says of itself must be the same.
. "$(dirname "$0")/judge.bash"
config="${config/--cfg=smpi\/privatization:no/} --cfg=smpi/test:0" # ranks have variables of their own
config="$config --cfg=smpi/os:0:$OVERHEAD" # of persistent sends, as smpi/ois is of others
flock "${BUILD:-build}" env -u MAKEFLAGS -u MFLAGS make -s smpi B="${BUILD:-build}" CC="${CC:-cc}" WERROR=-Werror >"$work/log" 2>&1 ||
	{ cat "$work/log"; echo "FAILED  make smpi"; exit 1; }
passed=0 failed=0

# calibrate PLATFORM: $work/here.json and times.json; the figures of the platform are in profile.json
calibrate()
{
	local machine options=()
	judge_platform "$1"
	mapfile -t machine <"$work/machine"
	[ ! -s "$work/network" ] ||
		options=(--hosts "n[0-$((${#machine[@]} - 1))]" --network "$work/network")
	topomap place "${machine[@]}" "${options[@]}" --map-by=core -o "$work/job.json" || exit 3
	topomap inspect -f json --ranks "0-$(($(judge_cores) - 1))" "$work/job.json" >"$work/ranks" || exit 3
	judge_hosts >"$work/hosts"
	rm -f "$work/here.json" "$work/times.json"
	# shellcheck disable=SC2086
	smpirun -np "$(wc -l <"$work/hosts")" -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		build/smpi/topomap-bench calibrate --seed "${SEED:-1}" --placement "$work/job.json" \
		-o "$work/here.json" --times "$work/times.json" >"$work/log" 2>&1
}

# verdict PROFILE: "CASES NEAR RHO REGRET RATIO WITHIN" of the times: near is a part, as is within a factor of 1.3, rho
# a mean, the others the worst
verdict()
{
	local collective
	for collective in allgather allreduce bcast alltoall reduce_scatter; do
		topomap score -c $collective --times "$work/times.json" --profile "$1" -f csv 2>"$work/err" |
			sed 's/"\([a-z_]*\)[^"]*"/\1/g' | awk -F, -v collective=$collective 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
				{ print "x", collective, $column["bytes"], $column["algorithm"],
					$column["predicted_seconds"], $column["measured_seconds"] }'
	done >"$work/pairs"
	awk -f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/pairs" | awk -v within="$(awk '
		{ q = $5 > $6 ? $5 / $6 : $6 / $5; n++; good += q <= 1.3 } END { print n ? good / n : 0 }' "$work/pairs")" '
		NR > 1 && $2 > 0 {
		cases += $2; rho += $2 * $3; near += $2 * $6 / 100
		if ($9 > regret) regret = $9
		if ($10 > ratio) ratio = $10 }
		END { if (cases) printf "%d %.3f %.3f %.3f %.2f %.3f\n", cases, near / cases, rho / cases, regret, ratio, within }'
}

# of MEMBER: of what the profile says of itself
of() { sed -n "s/^    \"$1\": \([0-9.e+-]*\),\?$/\1/p" "$work/here.json"; }

# holds WHAT CONDITION: of the awk variables below
holds()
{
	if awk -v cases="$cases" -v near="$near" -v rho="$rho" -v regret="$regret" -v within="$within" \
		-v own_cases="$own_cases" -v own_near="$own_near" -v own_rho="$own_rho" -v says_near="$(of choices_near)" \
		-v says_rho="$(of rho)" "BEGIN { exit !(cases > 0 && ($2)) }"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: not $2"
	fi
}

printf '%-14s %-10s %5s %6s %6s %7s %6s %6s\n' platform profile cases near rho regret ratio '<=1.3'
# 16 ranks; WHOLE=1 takes unequal nodes, which are the harder ones, and nodes of two packages, too
for platform in ${PLATFORMS:-nodes_16 ${WHOLE:+unequal packages}}; do
	if ! calibrate "$platform"; then
		failed=$((failed + 1))
		echo "FAILED  $platform: $(grep topomap-bench: "$work/log" | head -n 2)"
		continue
	fi
	for profile in "$work/here.json" "$work/profile.json" summit epyc-hdr gigabit; do
		name=$(basename "$profile" .json)
		read -r cases near rho regret ratio within < <(verdict "$profile")
		printf '%-14s %-10s %5s %6s %6s %7s %6s %6s\n' "$platform" "$name" "$cases" "$near" "$rho" "$regret" "$ratio" "$within"
		case $name in
		here)
			own_cases=$cases own_near=$near own_rho=$rho
			holds "$platform by its calibration" \
				"cases == 20 && near >= 0.95 && rho >= 0.95 && regret <= 1.2 && within >= 0.95"
			holds "$platform, what the profile says of itself" \
				"says_near <= near * cases + 0.1 && says_near >= near * cases - 2.1 && says_rho - rho < 0.005 && rho - says_rho < 0.005"
			;;
		profile) ;; # what could be reached
		*) holds "$platform by $name" "cases == own_cases && near < own_near && rho < own_rho" ;;
		esac
	done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
