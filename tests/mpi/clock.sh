#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The common clock (topomap-bench --sync clock) under real MPI libraries: clocks that a preload lets run
# apart, and kernel's time namespaces, are never farther off than is said (clock.c; oracle: the real
# clock of the host); who is late is dropped and the repetition made again; where ranks share cores
# one sentence says so. No time is compared with another. Under the second library there are clocks of two ranks that
# do not run apart, and time namespaces; WHOLE=1: all.
. "$(dirname "$0")/common.bash"

# apart WHAT CLOCKS COMMAND...: as many clocks, and none farther off than said
apart()
{
	local what=$1 clocks=$2
	shift 2
	if launch "$@" >"$work/out" 2>"$work/err" &&
		grep -q "^[0-9]* ranks, $clocks clocks: .* 0 of [0-9]* too far" "$work/out"; then
		pass
	else
		fail "$what: $(tail -n 3 "$work/out" "$work/err")"
	fi
}

known() { sed -n 's/.*known within \([0-9]*\) ns.*/\1/p' "$work/out"; }
once_known() { sed -n 's/.*once within \([0-9]*\) ns.*/\1/p' "$work/out"; }
count() { grep -c -e "$1" "$2"; }
member() { sed -n 's/.*"'"$1"'": \([^,}]*\).*/\1/p' "$2" | head -n 1; }

# measure WHAT COMMAND...: into out and err; false where other processes leave the ranks no time together,
# which the program finds out itself (check_refused), and is skipped here after three tries
measure()
{
	local what=$1 try
	shift
	for try in 1 2 3; do
		launch "$@" >"$work/out" 2>"$work/err"
		status=$?
		grep -q ' a rank began late in ' "$work/err" || return 0
	done
	skip "$mpi: $what: other processes use these CPUs"
	return 1
}

# A program whose rank 1, 2, ... has a clock of its own by the kernel.
cat >"$work/space" <<'EOF_SPACE'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
[ "$rank" = 0 ] && exec "$@"
exec unshare --time --monotonic $((rank * 1000000)) "$@"
EOF_SPACE
chmod +x "$work/space"
topomap place 'node:2 core:1' -o "$work/two.json"

check_drift()
{
	local drift=$work/drift.so try
	${CC:-cc} -shared -fPIC -O1 -D_GNU_SOURCE -o "$drift" tests/mpi/drift.c -ldl ||
		{ fail "drift.c does not compile"; return; }
	apart "one clock" 1 2 "$program" shared 1
	same "error of one clock" 0 "$(known)"
	apart "clocks of one rank each" 2 2 "$program" own 2
	is_first || return
	apart "clocks that run apart" 2 2 env LD_PRELOAD="$drift" DRIFT_PPM=50 DRIFT_OFFSET=1000000 "$program" own 5
	# 0.2 s of a drift that nobody has learnt are 2 ms, and never known within less. Where others use the
	# CPUs no exchange of a round may be quick; one round that is is enough
	[ "$mpi" = openmpi ] || return
	for try in 1 2 3 4 5; do
		apart "clocks that run far apart" 2 2 env LD_PRELOAD="$drift" DRIFT_PPM=5000 "$program" own 8
		[ "$(once_known)" -ge 500000 ] || break
	done
	same "a drift is learnt" yes "$([ "$(once_known)" -lt 500000 ] && echo yes)"
	apart "a tree of clocks" 5 5 env LD_PRELOAD="$drift" DRIFT_PPM=50 \
		DRIFT_OFFSET=-100 "$program" own 3
}

check_spaces()
{
	local status
	if ! unshare --time --monotonic 1000000 true 2>"$work/err"; then
		skip "$mpi: the kernel makes no time namespace here: $(head -n 1 "$work/err")"
		return
	fi
	apart "clocks of time namespaces" 2 2 "$work/space" "$program" shared 3
	measure "times in time namespaces" 2 "$work/space" "$bench" collective -c allgather -b 8,64 -a ring \
		-a native -i 20 --sync clock --check --placement "$work/two.json" -o "$work/spaces.json" || return
	same "times in time namespaces" '0 "clock" 2 4 4' "$status $(member sync "$work/spaces.json") \
$(member clocks "$work/spaces.json") $(count '"repetitions": 20' "$work/spaces.json") \
$(count '"correct": true' "$work/spaces.json")"
	same "uncertainty above 0, below 0.1 s" yes "$(awk -v u="$(member uncertainty_s "$work/spaces.json")" \
		'BEGIN { print (u > 0 && u < 0.1 ? "yes" : u) }')"
	[ "$mpi" = openmpi ] || return
	apart "a tree of time namespaces" 3 3 "$work/space" "$program" shared 2
	# rank 0 finds out that there is no use in going on, and no rank looks at the clocks again alone
	refused 3 'bcast native (blocking, 8): --sync clock: a rank began late in [0-9]* of [0-9]* windows: others use its core, too' \
		2 taskset -c "$(allowed_pus | sed 's/[-,].*//')" "$work/space" "$bench" collective -c bcast -b 8 \
		-a native -i 1000 --sync clock --placement "$work/two.json"
}

check_late()
{
	local slow=$work/slow.$mpi.so status
	"mpicc.$mpi" -shared -fPIC -O1 -o "$slow" tests/mpi/slow.c 2>"$work/log" ||
		{ skip "$mpi: there is no mpicc.$mpi to build a preload with"; return; }
	measure "a rank that is late at times" 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_PROBES=2000 "$bench" \
		collective -c bcast -b 8 -a native -i 30 --sync clock --placement "$work/two.json" \
		-o "$work/late.json" || return
	same "repetitions with a rank that is late at times" "0 1" "$status $(count '"repetitions": 30,' "$work/late.json")"
	same "some were late" yes "$([ "$(member late "$work/late.json")" -gt 0 ] && echo yes)"
	"$bench" join "$work/late.json" >"$work/out"
	same "nothing is said of thirty that count" 0 "$(count 'their medians say little' "$work/out")"
	sed 's/"repetitions": 30,/"repetitions": 1,/; s/"outliers": [0-9]*/"outliers": 0/' "$work/late.json" >"$work/one.json"
	"$bench" join "$work/one.json" >"$work/out" 2>&1
	same "what is said of one that counts" 1 "$(count '^# 1 experiment has fewer than 5: their medians say little$' "$work/out")"
}

check_bench()
{
	local verb i status
	for verb in "guidelines -c bcast -b 8" "persistent -c bcast -b 8 -a binomial_near" "lanes -b 8 -k 1"; do
		# shellcheck disable=SC2086 # words
		measure "$verb" 2 "$bench" $verb -i 10 --sync clock --seed 3 --placement "$work/two.json" \
			-o "$work/verb.json" || continue
		same "$verb" '0 "clock" 1 3' "$status $(member sync "$work/verb.json") $(member clocks "$work/verb.json") \
$(member seed "$work/verb.json")"
	done
	if measure "slices" 2 "$bench" collective -c bcast -b 8 -a native -i 40 --sync slices \
		--placement "$work/two.json" -o "$work/slices.json"; then
		same "slices" '0 "slices" 1 1' "$status $(member sync "$work/slices.json") \
$(member clocks "$work/slices.json") $(count '"repetitions": 40,' "$work/slices.json")"
		"$bench" join "$work/slices.json" >"$work/out" 2>&1
		same "what the text says of slices" 1 "$(count '^# each agreed on when the repetition before it was over' "$work/out")"
	fi
	for i in 1 2; do
		measure "launches to be joined" 2 "$bench" collective -c bcast -b 8 -a native -i 10 --sync clock \
			--placement "$work/two.json" -o "$work/clock$i.json" || return
	done
	"$bench" join "$work"/clock[12].json -o "$work/joined.json"
	same "late ones of two launches" "$(($(member late "$work/clock1.json") + $(member late "$work/clock2.json")))" \
		"$(member late "$work/joined.json")"
	"$bench" join "$work"/clock[12].json >"$work/out"
	same "what the text says" 1 "$(count '^# by a clock that all ranks share' "$work/out")"
	launch 2 "$bench" collective -c bcast -b 8 -a native -i 10 --placement "$work/two.json" \
		-o "$work/barrier.json" >"$work/out" 2>"$work/err"
	"$bench" join "$work/clock1.json" "$work/barrier.json" >"$work/out" 2>"$work/err"
	same "clock and barrier" "1 topomap-bench: $work/barrier.json: its sync is 'barrier', not 'clock' as before" \
		"$? $(cat "$work/err")"
}

# refused STATUS SENTENCE COMMAND...
refused()
{
	local status=$1 sentence=$2
	shift 2
	launch "$@" -o "$work/none.json" >"$work/out" 2>"$work/err"
	same "${*:3}" "$status 1" "$? $(count "^topomap-bench: $sentence" "$work/err")"
	[ ! -e "$work/none.json" ] || fail "${*:3}: it has written something"
}

check_refused()
{
	topomap place 'node:1 core:2' -n 3 --map-by core:OVERSUBSCRIBE --bind-to none -o "$work/crowd.json" 2>"$work/log" ||
		topomap place 'node:1 core:2' -n 3 --slots 3 --bind-to none -o "$work/crowd.json"
	refused 1 '--sync clock: 3 ranks share cores, so that some would begin late again and again' \
		3 "$bench" collective -c bcast -b 8 -a native -i 10 --sync clock --placement "$work/crowd.json"
	refused 1 '--sync slices: 3 ranks share cores, so that some would begin late again and again' \
		3 "$bench" collective -c bcast -b 8 -a native -i 10 --sync slices --placement "$work/crowd.json"
	refused 2 "--sync: unknown synchronization 'clocks'" 2 "$bench" collective -c bcast -b 8 -a native --sync clocks
	# all ranks on one CPU, whatever the document says: MPICH takes seconds for each turn
	[ "$mpi" = openmpi ] || return
	refused 3 'bcast native (blocking, 8): --sync clock: a rank began late in [0-9]* of [0-9]* windows: others use its core, too' \
		2 taskset -c "$(allowed_pus | sed 's/[-,].*//')" "$bench" collective -c bcast -b 8 -a native -i 1000 \
		--sync clock --placement "$work/two.json"
	# what was measured before is written, as after a signal
	mpicc.openmpi -shared -fPIC -O1 -o "$work/pin.so" tests/mpi/pin.c 2>"$work/log" ||
		{ skip "$mpi: there is no mpicc.$mpi to build a preload with"; return; }
	launch 2 env LD_PRELOAD="$work/pin.so" PIN_CPU="$(allowed_pus | sed 's/[-,].*//')" PIN_BYTES=1000 "$bench" \
		collective -c bcast -b 8,1000 -a native -i 1000 --seed 1 --sync clock --placement "$work/two.json" \
		-o "$work/cut.json" >"$work/out" 2>"$work/err"
	status=$?
	if [ "$(count '--sync clock: a rank began late .*; 1 experiment is written$' "$work/err")" != 1 ] &&
		grep -q 'bcast native (blocking, 8): --sync clock: a rank began late' "$work/err"; then
		skip "$mpi: other processes use the CPUs"
		return
	fi
	same "experiments before one whose ranks are late" '3 1 1' "$status $(count '"interrupted": true' "$work/cut.json") \
$(count '"collective": "bcast"' "$work/cut.json")"
}

for flavour in openmpi mpich; do
	use_mpi "$flavour" || continue
	make_for_mpi tests/mpi/clock && make_for_mpi topomap-bench || continue
	program=$top/$built/tests/mpi/clock bench=${probe%probe}bench
	check_drift
	check_spaces
	is_first || continue
	check_late
	check_bench
	check_refused
done
finish
