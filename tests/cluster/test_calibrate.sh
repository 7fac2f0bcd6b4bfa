#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What a calibration is good for on real networks: four hosts with cables of 10, 100 and 1000 Mbit/s, and of
# 100 with one of 25, a rank on each, and of 100 with two. topomap-bench calibrate writes a profile, and by it and by published
# profiles topomap score predicts the collectives that it has measured besides. Oracles: Open MPI's times over
# TCP, and agree.awk, which judges them. Each line of the table is a network and a profile: cases, the part of
# these whose first choice is within 5 % of the best, and that of those whose intervals do not tell, the mean rank correlation, the longest choice over the
# best, the part of all times that are predicted within a factor of 1.3, and the worst factor.
#
# The cables are cables.c, each with 1 ms besides: ranks have no CPUs of their own here, and what they take
# from each other (0.1 ms and more a message) is to be little beside a message, as it is on real hosts. TCP
# starts with windows that hold what these cables do, as it does where connections have been used. A network
# whose first choices are not as good as they should be is calibrated once more before that counts: this
# machine may have other things to do.
#
# Ranks and cables wait for most of the time, and get a CPU at once when they do not (waits.bash).
#
# With AGAIN=1 the same collectives are measured once more, and the line "again" judges the times of the first
# calibration as if they were predictions of those of the second: no prediction can be told to be better than that.
. "$(dirname "${BASH_SOURCE[0]}")/waits.bash"
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/bench.bash"
. tests/cluster/hosts
hosts_need
use_bench openmpi || finish
hosts_start a="core:4 pu:1" b="core:4 pu:1" c="core:4 pu:1" d="core:4 pu:1"
trap 'hosts_stop; rm -rf "$work"' EXIT
seconds=${SECONDS_EACH:-60}
collectives="allgather allreduce bcast alltoall reduce_scatter"

${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -o "$work/cables" tests/cluster/cables.c ||
	{ fail "the cables cannot be built"; finish; }
waits_build || finish

windows()
{
	local number=0 name
	for name in $hosts_all; do
		number=$((number + 1))
		ip -n "topomap-$hosts_run-$name" route change 10.77.0.0/24 dev eth0 proto kernel scope link \
			src "10.77.0.$number" initcwnd 400 initrwnd 400 quickack 1 &&
			ip netns exec "topomap-$hosts_run-$name" \
				sh -c 'echo 0 >/proc/sys/net/ipv4/tcp_slow_start_after_idle' || return 1
	done
}

# network MBIT...: cables of so much, those that are left like the last
network()
{
	local number=0 name mbit=$1 words=()
	[ -z "$cables" ] || { kill "$cables"; wait "$cables" 2>/dev/null; }
	for name in $hosts_all; do
		number=$((number + 1))
		mbit=${1:-$mbit}
		[ $# -eq 0 ] || shift
		ip -n "topomap-$hosts_run-switch" link set "v$number" nomaster || return 1
		words+=("v$number=${mbit}e6")
	done
	ip netns exec "topomap-$hosts_run-switch" "$work/cables" 1000 "${words[@]}" &
	cables=$!
	sleep 0.2
	kill -0 "$cables"
}

# calibrate RANKS_EACH; hosts have cores for their ranks as far as anybody is told
calibrate()
{
	rm -f "$work/here.json" "$work/times.json"
	topomap place "node:4 core:4" --hosts a,b,c,d -n $((4 * $1)) --map-by "ppr:$1:node" -o "$work/job.json" ||
		return 1
	# shellcheck disable=SC2086
	hosts_openmpi -x "LD_PRELOAD=$work/waits.so" --host "$(hosts_slots "$1")" -np $((4 * $1)) --map-by slot $WRAPPER \
		"$bench" calibrate --placement "$work/job.json" --seed "${SEED:-1}" -t "$seconds" -o "$work/here.json" --times "$work/times.json" \
		</dev/null >"$work/out" 2>"$work/err"
}

# pairs PROFILE: lines for agree.awk
pairs()
{
	local collective
	for collective in $collectives; do
		topomap score -c "$collective" --times "$work/times.json" --profile "$1" -f csv 2>/dev/null |
			sed 's/"\([a-z_]*\)[^"]*"/\1/g' | awk -F, -v collective="$collective" '
				NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
				{ print "x", collective, $column["bytes"], $column["algorithm"],
					$column["predicted_seconds"], $column["measured_seconds"],
					$column["ci_low_seconds"], $column["ci_high_seconds"] }'
	done
}

# again: as pairs, but what the same algorithms took in an earlier calibration, times.first, stands for the prediction
again()
{
	mv "$work/times.json" "$work/times.second"
	mv "$work/times.first" "$work/times.json"
	pairs "$work/here.json" >"$work/first"
	mv "$work/times.second" "$work/times.json"
	pairs "$work/here.json" | awk 'NR == FNR { took[$2, $3, $4] = $6; next }
		($2, $3, $4) in took { $5 = took[$2, $3, $4]; print }' "$work/first" -
}

# verdict: "CASES NEAR TIED RHO REGRET WITHIN RATIO" of $work/pairs; near is a part of the cases, and tied another one, whose
# first choice and the best are each within the interval of the other
verdict()
{
	awk -f tests/rank_correlation.awk -f tests/smpi/agree.awk "$work/pairs" | awk -v within="$(awk '
		{ q = $5 > $6 ? $5 / $6 : $6 / $5; n++; good += q <= 1.3 } END { print n ? good / n : 0 }' "$work/pairs")" '
		NR > 1 && $2 > 0 {
			cases += $2; rho += $2 * $3; near += $2 * $6 / 100
			tied += $11
			if ($9 > regret) regret = $9
			if ($10 > ratio) ratio = $10 }
		END { if (cases) printf "%d %.2f %.2f %.2f %.2f %.2f %.2f\n", cases, near / cases, tied / cases, rho / cases, regret, within, ratio }'
}

# is CONDITION: of the variables below
is()
{
	awk -v cases="${cases:-0}" -v near="${near:-0}" -v tied="${tied:-0}" -v rho="${rho:-0}" -v regret="${regret:-9}" -v within="${within:-0}" \
		-v own_near="${own_near:-0}" -v own_rho="${own_rho:-0}" "BEGIN { exit !($1) }"
}

# holds WHAT CONDITION
holds()
{
	if is "$2"; then pass; else fail "$1: not $2"; fi
}

# line NAME: of the table, by $work/pairs
line()
{
	read -r cases near tied rho regret within worst < <(verdict)
	printf '%-16s %-10s %5s %5s %5s %5s %6s %6s %6s\n' "$spec" "$1" "$cases" "$near" "$tied" "$rho" "$regret" "$within" "$worst"
	[ -z "$VERBOSE" ] || awk '{ printf "    %-14s %8d %-26s %.6f %.6f %5.2f\n", $2, $3, $4, $5, $6, $6 / $5 }' "$work/pairs"
}

# judge PROFILE
judge()
{
	pairs "$1" >"$work/pairs"
	line "$(basename "$1" .json)"
}

windows || hosts_skip "this kernel has no such routes"
printf '%-16s %-10s %5s %5s %5s %5s %6s %6s %6s\n' Mbit/s profile cases near tied rho regret '<=1.3' worst
for spec in ${NETWORKS:-10 100 1000 100,100,100,25 100x2}; do
	rates=${spec%x*} each=1 least=0.95
	[ "$rates" = "$spec" ] || each=${spec#*x} least=0.85
	# shellcheck disable=SC2086
	network ${rates//,/ } || { fail "no cables: $(tail -n 3 "$work/err")"; break; }
	# two ranks of a host, which are 8 on fewer CPUs here, begin and are served one after another
	wanted="cases >= 15 && near + tied >= $least && rho >= $least - 0.1 && regret <= 1.2"
	calibrate "$each" || { fail "calibrate at $spec Mbit/s: $(tail -n 3 "$work/err")"; continue; }
	judge "$work/here.json"
	if ! is "$wanted" && SEED=2 calibrate "$each"; then
		echo "measured again:"
		judge "$work/here.json"
	fi
	holds "$spec Mbit/s by its calibration" "$wanted"
	[ "$each" -gt 1 ] || holds "$spec Mbit/s, times by its calibration" "within >= 0.85"
	own_near=$(awk "BEGIN { print $near + $tied }") own_rho=$rho
	if [ -n "$AGAIN" ]; then
		cp "$work/times.json" "$work/times.first"
		if calibrate "$each"; then
			again >"$work/pairs"
			line again
		else
			fail "calibrate again at $spec Mbit/s: $(tail -n 3 "$work/err")"
		fi
		judge "$work/here.json"
	fi
	for profile in summit epyc-hdr gigabit; do
		judge "$profile"
		# of a slow network any profile knows that fewer bytes are better
		holds "$spec Mbit/s by $profile" "near + tied <= own_near && rho < own_rho"
	done
done
finish
