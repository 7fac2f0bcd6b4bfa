#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What can go wrong with topomap-bench in a job: one sentence and its status, before anything is
# measured where that can be known before; no hang, and no part of a file. What a signal or the end of
# a rank interrupts is written as far as it came: a preload sends the signal (signal.c), in a known
# call, so that no test depends on time. Under the second library there are the signals; WHOLE=1: all.
. "$(dirname "$0")/bench.bash"

# The words that make a verb measure something on two nodes.
words_of()
{
	case $1 in
	lanes | guidelines) words=("$1" --placement "$work/two.json") ;;
	persistent) words=(persistent -c bcast -a flat) ;;
	collective) words=(collective -c bcast -a native -a binomial_near) ;;
	esac
}

# A file system that has room for a page, and not for a placement.
small_disk()
{
	mkdir -p "$work/small"
	if ! mount -t tmpfs -o size=4k tmpfs "$work/small" 2>"$work/log"; then
		skip "no small file system can be mounted"
		return
	fi
	output=$work/small/x.json refused 3 'small/x.json: cannot be written: No space left on device' 2 \
		"${words[@]}" -b 8..1KiB -i 1
	same "$verb leaves nothing on a full disk" "" "$(ls -A "$work/small")"
	umount "$work/small"
}

# interrupted VARIABLE=VALUE...: a broadcast of 8, 1000 and 4000 bytes, five times each; sets status, and
# came: "interrupted", and the repetitions of each size
interrupted()
{
	rm -f "$work/cut.json"
	mpirun=$work/known launch 2 $killed_after env "$@" LD_PRELOAD="$signal" "$bench" collective -c bcast \
		-b 8,1000,4000 -a native -i 5 --seed 1 -o "$work/cut.json" >"$work/out" 2>"$work/err"
	status=$?
	came=$(sed -n 's/^  "interrupted": true,$/interrupted/p; s/^      "bytes": \(.*\),$/\1/p
		s/^      "repetitions": \(.*\),$/\1/p' "$work/cut.json" 2>/dev/null | paste -sd ' ')
}

check_interrupted()
{
	local said='topomap-bench: interrupted by'

	signal=$work/signal.$flavour.so
	if ! command -v "mpicc.$flavour" >/dev/null ||
		! "mpicc.$flavour" -shared -fPIC -O1 -o "$signal" tests/mpi/signal.c 2>"$work/log"; then
		skip "$flavour: there is no mpicc.$flavour to build a preload with"
		return
	fi
	printf '#!/bin/sh\nexport LAUNCHER=$$\nexec %s "$@"\n' "$mpirun" >"$work/known"
	chmod +x "$work/known"
	killed_after=
	[ "$flavour" = mpich ] || killed_after='--mca odls_base_sigkill_timeout 2'
	# the call before the first repetition, two of these, and the ranks stop
	interrupted SIGNAL_RANK=1 SIGNAL_BYTES=1000 SIGNAL_CALL=3 SIGNAL_NUMBER=15
	same "SIGTERM of a rank" "3 interrupted 8 5 1000 2" "$status $came"
	same "what SIGTERM of a rank says" "$said SIGTERM: 2 experiments are written" "$(unshared "$work/err" | grep '^topomap')"
	topomap score -c bcast --times "$work/cut.json" -f csv >"$work/out" 2>&1
	same "what was interrupted can be read" 0 $?
	# as of another launch
	sed 's/"seed": [0-9]*/"seed": 7/' "$work/cut.json" >"$work/again.json"
	"$bench" join "$work/cut.json" "$work/again.json" -f json | count '^  "interrupted": true,$' - >"$work/out"
	same "what is joined of it is not whole" 1 "$(cat "$work/out")"
	"$bench" join "$work/cut.json" | tail -n 1 >"$work/out"
	same "words of it" "# Interrupted: not all that was asked for was measured." "$(cat "$work/out")"
	# the ranks cannot stop together
	interrupted SIGNAL_RANK=0 SIGNAL_BYTES=8 SIGNAL_CALL=1 SIGNAL_NUMBER=15 SIGNAL_STAYS=yes
	same "SIGTERM before there is anything" "" "$came"
	same "what it says then" "$said SIGTERM before anything was measured" "$(unshared "$work/err" | grep '^topomap')"
	# what the launcher makes of SIGINT, and the exit status then, are its own
	interrupted SIGNAL_RANK=1 SIGNAL_BYTES=1000 SIGNAL_CALL=3 SIGNAL_NUMBER=2 SIGNAL_TO=launcher SIGNAL_STAYS=yes
	same "SIGINT of the launcher" "interrupted 8 5 1000 1" "$came"
	same "what it says" "$said a signal: 2 experiments are written" \
		"$(unshared "$work/err" | sed -n 's/by SIG[A-Z]*:/by a signal:/; /^topomap/p')"
	interrupted SIGNAL_RANK=1 SIGNAL_BYTES=1000 SIGNAL_CALL=3 SIGNAL_NUMBER=9
	# Hydra ends the others with SIGKILL
	[ "$flavour" = mpich ] || same "a rank that died" "interrupted 8 5 1000 1" "$came"
	same "a job in which a rank died has not ended well" no "$([ "$status" = 0 ] || echo no)"
	# in the fourth of five repetitions of the first experiment, and no other
	interrupted SIGNAL_RANK=1 SIGNAL_BYTES=8 SIGNAL_CALL=5 SIGNAL_NUMBER=2 SIGNAL_TO=launcher SIGNAL_STAYS=yes
	same "what there is of an experiment that cannot end" "interrupted 8 3" "$came"
	same "what it says of that" "$said a signal: 1 experiment is written" \
		"$(unshared "$work/err" | sed -n 's/by SIG[A-Z]*:/by a signal:/; /^topomap/p')"
	same "nothing but the document is left" "" "$(cd "$work" && find . -name '.topomap*')"
}

# On a terminal a line says how far it is, and is gone in the end; else a list does, if it is wanted.
check_progress()
{
	local slow=$work/slow.$flavour.so
	launch 2 "$bench" collective -c bcast -b 8,16 -a native -i 1 --seed 1 --progress -o "$work/x.json" \
		>"$work/out" 2>"$work/err"
	same "a list of what is measured" "0 of 2 experiments, next: bcast native, blocking, 8
1 of 2 experiments, next: bcast native, blocking, 16" \
		"$(sed -n 's/^topomap-bench: \(. of . experiments, \).*; \(next: .*\)/\1\2/p' "$work/err")"
	launch 2 "$bench" collective -c bcast -b 8,16 -a native -i 1 -o "$work/x.json" >"$work/out" 2>"$work/err"
	same "nothing where nobody reads it" "" "$(unshared "$work/err")"
	if ! command -v script >/dev/null || [ "$flavour" = mpich ] ||
		! mpicc.openmpi -shared -fPIC -O1 -o "$slow" tests/mpi/slow.c 2>"$work/log"; then
		skip "$flavour: no terminal can be imitated, or no preload built"
		return
	fi
	# a job of one rank has the terminal itself; two seconds are over when the second begins
	LD_PRELOAD="$slow" SLOW_RANK=0 SLOW_BYTES=8 SLOW_SECONDS=1.1 script -qec \
		"$bench collective -c bcast -b 8,16 -a native -i 1 --seed 1 -o $work/x.json" "$work/typed" </dev/null >"$work/out"
	same "the line on a terminal" "1 of 2 experiments" "$(tr '\r' '\n' <"$work/typed" |
		sed -n 's/^topomap-bench: \(.*\), [0-9]* s, about [0-9]* s more.*/\1/p')"
	same "one rank without a launcher" 1 "$(count 'no launcher has started this, so there is one rank' "$work/typed")"
	same "the line is gone" "$(printf '\r\033[K')" "$(sed 1d "$work/typed" | grep -v 'no launcher has' | head -n 1 | sed 's/.*more.\[K//' |
		head -c 4)"
}

topomap place 'node:2 core:2' -n 2 --map-by node -o "$work/two.json"
for flavour in openmpi mpich; do
	use_bench "$flavour" || continue
	check_interrupted
	is_first || continue
	# MPICH's ranks take long to begin
	for verb in $([ "$flavour" = mpich ] || echo collective guidelines lanes) persistent; do
		words_of "$verb"
		refused 2 '--repetitions: 0 is not between 1 and' 2 "${words[@]}" -b 8 -i 0
		# also behind sizes that can be measured, which would be lost
		refused 1 '--bytes: .*MPI cannot count [0-9]* bytes' 2 "${words[@]}" -b 8,1TiB -i 1
		output=/dev/full refused 3 '/dev/full: cannot be written: No space left on device' 2 "${words[@]}" \
			-b 8 -i 1
	done
	small_disk
	check_progress
	refused 2 "--algorithm nobody: unknown bcast algorithm 'nobody' (one of: binomial_near," 2 \
		persistent -c bcast -b 8 -a nobody
	refused 2 "--algorithm native:nobody: unknown bcast algorithm 'nobody'" 2 collective -c bcast -b 8 -a native:nobody
	refused 1 'lanes are between nodes, and there is one rank' 1 lanes -b 8
	for verb in $([ "$flavour" = mpich ] || echo guidelines persistent) collective; do
		words_of "$verb"
		[ "$verb" != guidelines ] || words=(guidelines -c bcast)
		launch 1 "$bench" "${words[@]}" -b 8 -i 1 --check >"$work/out" 2>"$work/err"
		same "$verb of one rank" "0 # 1 rank 0" "$? $(sed 's/,.*//;q' "$work/out") $(count 'no launcher' "$work/err")"
	done
done
finish
