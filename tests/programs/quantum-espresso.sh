#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Quantum ESPRESSO on hosts of a slow network, before and after: silicon, its k-points in four pools. What
# pw.x distributes at its start, from rank 0 to all, is the slowest part of the run in any order, and is
# slower by block; its electrons, in which ranks of a pool exchange, are what a long run is for, and far
# slower by node (cyclic). pw.x marks no phases: the record is cut into intervals of time, and the suggestion
# is by those of the electrons. Oracles: pw.x's own clock of its electrons, and the kernel's counters of the
# cables.
#
#   * The order that its electrons suggest is so many times as fast for them as is asked below, as predicted
#     of the run: what it computes stays, and is a good part of it on few CPUs.
#   * Over the cables goes what the whole record predicts, to a twentieth.
#
# LAUNCHES, SECONDS_EACH and RATE as for lammps.sh.
. "$(dirname "$0")/programs.bash"
. "$(dirname "$0")/silicon.bash"

clock() { wall electrons "$1"; }

# electron_phases OUTPUT SECONDS: the intervals of so many seconds that are all within the electrons, which
# are the last of the run, but for less than one second
electron_phases()
{
	awk -v run="$(wall PWSCF "$1")" -v electrons="$(clock "$1")" -v each="$2" \
		'BEGIN { printf "%d-%d\n", int((run - electrons) / each) + 2, int((run - 1) / each) }'
}

use_hosts 4 pw.x
calibrate || finish
silicon >"$work/silicon.in"
program=(-x OMP_NUM_THREADS=1 pw.x -nk 4 -in "$work/silicon.in")
record electrons --map-by node -x TOPOMAP_RECORD_INTERVAL=0.5 "${program[@]}" || finish
phases=$(electron_phases "$work/electrons.out" 0.5)
topomap suggest-rankfile --profile "$work/here.json" -f json -o "$work/run.json" \
	"$work/electrons.record.json" 2>"$work/err" ||
	{ fail "the whole run: $(tail -n 3 "$work/err")"; finish; }
suggest electrons --phase "$phases" || finish
grep -q "^It serves phases $phases of the record, " "$work/electrons.table" && pass ||
	fail "the suggestion does not say what it serves: $(cat "$work/electrons.table")"
same "in its electrons the suggestion sends between nodes what block does" \
	"$(said block bytes "$work/electrons.json")" "$(said after bytes "$work/electrons.json")"
bytes_said=$(ratio "$(said before bytes "$work/run.json")" "$(said block bytes "$work/run.json")")
heading
predicted=run_seconds
compare electrons 4 0.9 "${program[@]}" &&
	as_predicted electrons "$(said block bytes "$work/run.json")" "${program[@]}"
finish
