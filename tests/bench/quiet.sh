#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What only a machine that does nothing else can show: whether two calibrations of it agree within their own
# confidence intervals, or say that it was not quiet; the same beside a busy loop on each core; and, as root,
# what a calibration is good for on four hosts with cables (tests/cluster/test_calibrate.sh).
#
#     tests/bench/quiet.sh            ten minutes, then half an hour; RUNS=6 SECONDS_EACH=20 HOSTS= for less
#
# It says how much CPU time others took meanwhile (/proc/stat), so that a table made beside other work is
# known as such. It fails where two calibrations differ that both call the machine quiet, where beside busy
# loops one does not say that it was not, and where a machine that others used for less than 2 % of the time is never
# called quiet.
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/bench.bash"
use_bench openmpi || finish
runs=${RUNS:-4} seconds=${SECONDS_EACH:-20} cores=$(nproc)
[ "$cores" -ge 2 ] || { skip "there is one core"; finish; }
[ "$cores" -le 4 ] || cores=4

loops=()
# whoever interrupts it leaves no busy loop behind
trap '[ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# of FILE MEMBER: of what a profile says of itself
of() { sed -n "s/^    \"$2\": \"\?\([^\",]*\)\"\?,\?$/\1/p" "$1"; }

# near_of FILE: "17+2/20": first choices near the best, those not told from it, of so many
near_of()
{
	local near tied all
	near=$(of "$1" choices_near) tied=$(of "$1" choices_tied) all=$(of "$1" choices)
	echo "${near:-0}${tied:+"+$tied"}/${all:-0}"
}

# calibrate NAME SEED: a line of the table; others is the part of all CPU time that was neither idle nor of the job
calibrate()
{
	local before after rho TIMEFORMAT='%U %S'
	before=$(cpu_busy)
	{ time launch "$cores" --bind-to core "$bench" calibrate -t "$seconds" --seed "$2" -o "$work/$1.json" \
		>"$work/out" 2>"$work/err"; } 2>"$work/used"
	after=$(cpu_busy)
	[ -s "$work/$1.json" ] || { fail "calibrate: $(head -n 2 "$work/err")"; return 1; }
	others=$(cpu_others "$before" "$after" "$(cpu_used "$work/used")")
	rho=$(of "$work/$1.json" rho)
	printf '%-10s %6s %6s %6.5s %8.2f %10s %10.2f\n' "$1" "$(of "$work/$1.json" quiet)" "$others %" \
		"${rho:--}" "$(of "$work/$1.json" regret)" \
		"$(near_of "$work/$1.json")" "$(of "$work/$1.json" variation)"
}

# agree A B: "AGREE DIFFER UNKNOWN"
agree()
{
	topomap profile "$work/$1.json" --compare "$work/$2.json" -f json 2>/dev/null |
		awk '/"agrees": true/ { yes++ } /"agrees": false/ { no++ } /"agrees": null/ { open++ }
			END { print yes + 0, no + 0, open + 0 }'
}

# pairs NAME...: each with the next one
pairs()
{
	local a=$1 b yes no open word
	for b in "${@:2}"; do
		read -r yes no open < <(agree "$a" "$b")
		if [ "$no" -eq 0 ] && [ "$yes" -eq 0 ]; then
			word="nothing is known well enough"
		elif [ "$no" -eq 0 ]; then
			word="agree"
		elif [ "$(of "$work/$a.json" quiet)" != true ] || [ "$(of "$work/$b.json" quiet)" != true ]; then
			word="differ, and one does not say that the machine was quiet"
		else
			word="DIFFER"
		fi
		printf '%-24s %3d agree %3d differ %3d unknown: %s\n' "$a, $b" "$yes" "$no" "$open" "$word"
		if [ "$word" = DIFFER ]; then fail "$a and $b differ, and both say that the machine was quiet"; else pass; fi
		a=$b
	done
}

echo "load $(cut -d' ' -f1-3 /proc/loadavg), $cores ranks bound to cores of $(nproc), $seconds s each"
printf '%-10s %6s %6s %6s %8s %10s %10s\n' run quiet others rho regret near variation
quiet=() called=0 alone=0
for ((i = 1; i <= runs; i++)); do
	calibrate "quiet$i" "$i" || continue
	quiet+=("quiet$i")
	[ "$others" -ge 2 ] || alone=$((alone + 1))
	[ "$(of "$work/quiet$i.json" quiet)" != true ] || called=$((called + 1))
done
for ((i = 0; i < cores; i++)); do
	taskset -c "$i" sh -c 'while :; do :; done' &
	loops+=($!)
done
loaded=()
for i in 1 2; do
	calibrate "loaded$i" "$i" && loaded+=("loaded$i")
done
kill "${loops[@]}"
wait "${loops[@]}" 2>/dev/null
loops=()
pairs "${quiet[@]}"
pairs "${loaded[@]}"
for name in "${loaded[@]}"; do
	same "quiet, beside busy loops ($name)" false "$(of "$work/$name.json" quiet)"
done
if [ "$alone" -eq 0 ]; then
	skip "others used 2 % of all CPUs or more all the time: whether a quiet machine is called so is not known"
elif [ "$called" -eq 0 ]; then
	fail "the machine was quiet in $alone of $runs runs, and none says so"
else
	pass
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || status=1
if [ -n "${HOSTS-1}" ]; then
	tests/cluster/test_calibrate.sh || [ $? -eq 77 ] || status=1
fi
exit "${status:-0}"
