#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Quantum ESPRESSO on hosts of a slow network with a rule file for its collectives: silicon, its k-points in
# four pools, launched by node (cyclic), where the ranks of a pool are on different hosts. topomap tune makes
# the rules of its record and of a calibration of these hosts. Oracle: pw.x's own clock of its whole run.
#
#   * With the rules it is not slower than SAME (1.05) times as long as without.
#   * The library takes the rules: between the same ranks it sends other messages of its own, by pml_monitoring,
#     and the same ones again without rules.
#   * What the recorded calls are predicted to gain is shown beside what the run gains.
#   * The file has no mistakes by that record.
#
# On cables of 10 Mbit/s it took 21.3 s without and 19.7 s with rules: broadcasts of what is read at the start,
# and allreduces and reduces of pools gain; alltoallv, by which pools exchange most, has no rules. Each time is
# a median of LAUNCHES (3) after a cold one.
. "$(dirname "$0")/programs.bash"
. "$(dirname "$0")/silicon.bash"
SAME=${SAME:-1.05}

clock() { wall PWSCF "$1"; }

# inner NAME WORD...: NAME.inner, "FROM TO BYTES MESSAGES" of what the library's collectives send in one launch
inner()
{
	local folder=$work/$1.prof
	mkdir "$folder"
	on_hosts --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$folder/job" "${@:2}" >"$work/$1.out" 2>"$work/err" ||
		{ fail "$1: $(tail -n 3 "$work/err")"; return 1; }
	cat "$folder"/* | awk '/^I/ { print $2, $3, $4, $6 }' | sort >"$work/$1.inner"
	[ -s "$work/$1.inner" ] || { fail "$1: pml_monitoring has no message of collectives"; return 1; }
}

use_hosts 4 pw.x
if [ "$openmpi_major" -ge 5 ]; then
	skip "rules are for Open MPI 4"
	finish
fi
calibrate || finish
silicon >"$work/silicon.in"
program=(-x OMP_NUM_THREADS=1 pw.x -nk 4 -in "$work/silicon.in")
record run --map-by node "${program[@]}" || finish
topomap tune -l openmpi4 --profile "$work/here.json" -o "$work/run.rules" "$work/run.record.json" \
	2>"$work/said" || { fail "no rules: $(cat "$work/said")"; finish; }
topomap tune -l openmpi4 --lint "$work/run.rules" --profile "$work/here.json" "$work/run.record.json" \
	>"$work/lint" && pass || fail "its own record finds mistakes: $(cat "$work/lint")"
rules=(--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$work/run.rules")
inner first --map-by node "${program[@]}" && inner again --map-by node "${program[@]}" &&
	inner ruled --map-by node "${rules[@]}" "${program[@]}" || finish
same "messages of collectives without rules, twice" "$(cat "$work/first.inner")" "$(cat "$work/again.inner")"
if cmp -s "$work/first.inner" "$work/ruled.inner"; then fail "no message is another one with the rules"; else pass; fi
timed own --map-by node "${program[@]}" &&
	timed rules --map-by node "${rules[@]}" "${program[@]}" || finish
own=$(median 1 own) with=$(median 1 rules)
grep -v '^mpirun' "$work/said"
printf '%s s without rules, %s s with them: %s times as fast\n' "$own" "$with" "$(ratio "$own" "$with")"
[ -z "${VERBOSE:-}" ] || cat "$work/run.rules" "$work/own.runs" "$work/rules.runs"
if awk "BEGIN { exit !($with <= $SAME * $own) }"; then pass; else fail "with rules $with s, without $own s"; fi
finish
