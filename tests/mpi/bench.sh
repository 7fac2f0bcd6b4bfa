#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench under real launchers: all results are right, a wrong one is seen and named, what was
# asked for is in the document, and its statistics are those of its times. No time is compared with
# another. Words that are refused before there is a job are in bench_words.sh. Oracles: a byte that a preload changes (corrupt.c); Python's statistics and whole
# binomials; the messages that Open MPI counts; the rows that topomap score lists. The second library has fewer numbers
# of ranks, and what does not depend on it is tried with the first; WHOLE=1: all with each.
. "$(dirname "$0")/bench.bash"
shopt -s extglob
collectives=(allgather bcast reduce allreduce reduce_scatter reduce_scatter_block gather scatter
	alltoall scan exscan barrier)

# wrong_ones FILE: "COLLECTIVE ALGORITHM MODE BYTES" of the results that are wrong, but for the library's
# own: persistent collectives of MPICH 4.0 copy a rank's own block when they are made, not when they
# are started.
wrong_ones()
{
	awk '
		function value() { gsub(/.*: "?|"?,$/, ""); return $0 }
		/^      "collective"/ { collective = value() }
		/^      "algorithm"/ { name = value() }
		/^      "mode"/ { mode = value() }
		/^      "bytes"/ { bytes = value() }
		/^      "correct": false,$/ { print collective, name, mode, bytes }' "$1" |
		if [ "$mpi" = mpich ]; then grep -v ' native persistent '; else cat; fi
}

# check_all RANKS: every algorithm, own and native, in every mode
check_all()
{
	local ranks=$1 status wrong name which=()
	# MPICH 4.0's persistent scatter fails on three ranks when it is started again
	for name in "${collectives[@]}"; do
		[ "$mpi$name" = mpichscatter ] || which+=(-c "$name")
	done
	launch "$ranks" "$bench" collective "${which[@]}" -b 0,8,1001 -r $((ranks - 1)) -a all -i 2 --check \
		-m blocking,nonblocking,persistent -o "$work/times.json" >"$work/out" 2>"$work/err"
	status=$?
	wrong=$(count '"correct": false' "$work/times.json")
	same "status of all, $ranks ranks" $((wrong ? 4 : 0)) $status
	same "wrong results, $ranks ranks" "" "$(wrong_ones "$work/times.json")"
	same "repetitions, $ranks ranks" "$(count '^      "collective"' "$work/times.json")" \
		"$(count '"repetitions": 2,' "$work/times.json")"
	same "the placement, $ranks ranks" "$ranks" \
		"$(topomap inspect -f json "$work/times.json" | sed -n 's/^  "size": \([0-9]*\),$/\1/p')"
	for name in allgather allreduce; do
		topomap score -c $name -b 8 -f csv "$work/times.json" | sed 1d >"$work/rows"
		same "own algorithms of $name, $ranks ranks" \
			"$(awk -F , '$2 != "" { print $1 }' "$work/rows" | sort -u)" \
			"$(own_names $name "$work/times.json")"
		same "those of $name that are left out, $ranks ranks" \
			"$(awk -F , '$2 == "" { print $1 }' "$work/rows" | sort -u)" \
			"$(left_out_names $name "$work/times.json")"
	done
}

# own_names COLLECTIVE FILE: of the blocking experiments of 8 bytes, without the library's
own_names()
{
	awk -v wanted="$1" '
		function value() { gsub(/.*: "?|"?,$/, ""); return $0 }
		/^      "collective"/ { collective = value() }
		/^      "algorithm"/ { name = value() }
		/^      "mode"/ { mode = value() }
		/^      "bytes": 8,$/ && collective == wanted && mode == "blocking" && name !~ /^native/ {
			print name
		}' "$2" | sort -u
}

# left_out_names COLLECTIVE FILE: of what is left out blocking, of 8 bytes, without the library's
left_out_names()
{
	sed -n 's/^    {"collective": "'"$1"'", "algorithm": "\([^"]*\)", "mode": "blocking", "bytes": 8,.*/\1/p' \
		"$2" | grep -v '^native' | sort -u
}

# The document's statistics from its own times, by another program.
check_statistics()
{
	command -v python3 >/dev/null || { skip "there is no python3 to compute statistics"; return; }
	launch 2 "$bench" collective -c allgather -b 8,64 -a ring -a native -i 41 --raw \
		-o "$work/raw.json" >"$work/out" 2>"$work/err" || fail "41 repetitions"
	same "statistics" "4 right" "$(python3 - "$work/raw.json" <<-'EOF' 2>&1
	import json, math, statistics, sys

	right = 0
	for it in json.load(open(sys.argv[1]))["experiments"]:
	    raw, said = sorted(it["raw"]), it["seconds"]
	    n = len(raw)
	    q1, median, q3 = statistics.quantiles(raw, n=4, method="inclusive")
	    k = 0
	    while sum(math.comb(n, i) for i in range(k + 1)) * 40 <= 2 ** n:
	        k += 1
	    fence = 1.5 * (q3 - q1)
	    wanted = dict(min=raw[0], q1=q1, median=median, q3=q3, max=raw[-1], mean=statistics.fmean(raw))
	    close = all(math.isclose(said[name], value, rel_tol=1e-9) for name, value in wanted.items())
	    right += (close and n == 41 == it["repetitions"] and said["ci"] == [raw[k - 1], raw[n - k]]
	              and it["outliers"] == sum(t < q1 - fence or t > q3 + fence for t in raw)
	              and it["runs"] == [said["median"]])
	print(right, "right")
	EOF
	)"
}

# check_corrupted WANTED ARGUMENT...: with rank 1's bytes changed, that sentence, status 4, a document that
# says so; without, nothing
check_corrupted()
{
	local wanted=$1 with
	shift
	for with in "LD_PRELOAD=$corrupt CORRUPT_RANK=1" "CORRUPT_RANK=1"; do
		rm -f "$work/out.json"
		# shellcheck disable=SC2086
		launch 3 env $with "$bench" "$@" -i 1 -o "$work/out.json" >"$work/out" 2>"$work/err"
		case $?$with in
		4LD_PRELOAD*)
			same "what is wrong of $*" "topomap-bench: $wanted" "$(unshared "$work/err" | grep '^topomap-bench')"
			same "$* is not correct" 1 "$(count '"correct": false' "$work/out.json")" ;;
		0CORRUPT*) same "$* is correct" 0 "$(count '"correct": false' "$work/out.json")" ;;
		*) fail "$*: another status with $with"; head -n 3 "$work/err" ;;
		esac
	done
}

# pairs_of COLLECTIVE BYTES ALGORITHM: which of four ranks exchange 100000 bytes or more in the library's
# algorithm, by its own count of messages within collectives (lines I)
pairs_of()
{
	rm -f "$work"/prof*
	launch 4 --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$work/prof" "$bench" collective -c "$1" -b "$2" \
		-a "$3" -i 1 -f csv >"$work/out" 2>"$work/err"
	cat "$work"/prof* 2>/dev/null | awk -F '\t' '/^I/ && $4 + 0 >= 100000 { print $2 "-" $3 }' | sort -u |
		paste -sd ' '
}

# check_all_of COLLECTIVE: as many as the library's own list has, but for "ignore", and for what is of two
# ranks
check_all_of()
{
	launch 4 "$bench" collective -c "$1" -b 4KiB -a native:all -i 1 -f csv >"$work/out" 2>"$work/err"
	same "algorithms of the library's $1" "$(ompi_info --param coll tuned --level 9 --parsable |
		grep "coll_tuned_$1_algorithm:enumerator:" | grep -vc ':ignore\|:two_proc')" "$(count "^$1," "$work/out")"
}

# An algorithm that was named for sizes of which it can do some: these are measured, and of each other one a
# line on standard error, the text and the document say why it is not.
check_left_out()
{
	local said='Open MPI [^ ]* does so few bytes (8 on 3 ranks) by another algorithm'
	launch 3 "$bench" collective -c allreduce -b 8,4KiB -a native:ring -a native -i 2 \
		-o "$work/some.json" >"$work/out" 2>"$work/err"
	same "one of two sizes" "0 1 1" "$? $(unshared "$work/err" | grep -c '^topomap-bench:') \
$(count "^topomap-bench: left out: allreduce native:ring (blocking, 8): $said\$" "$work/err")"
	same "what is measured" "native 4096 native 8 native:ring 4096" \
		"$(experiments "$work/some.json" | cut -d ' ' -f 2- | LC_ALL=C sort | paste -sd ' ')"
	same "what is not" "1" "$(count '"algorithm": "native:ring", "mode": "blocking", "bytes": 8, "root": 0, "reason": "'"$said" \
		"$work/some.json")"
	"$bench" join "$work/some.json" | sed 's/^#//' | tr -s '\n ' ' ' >"$work/out"
	same "what the text says" 1 "$(count " Left out: - allreduce native:ring: $said \$" "$work/out")"
}

# sends_of COLLECTIVE ALGORITHM: so many messages of 100000 bytes and more each of four ranks of MPICH sends in
# two calls
sends_of()
{
	rm -f "$work"/sends.[0-3]
	launch 4 env LD_PRELOAD="$sends" SENDS_BYTES=100000 SENDS_TO="$work/sends" "$bench" collective -c "$1" \
		-b 100000 -a "$2" -i 1 -f csv >"$work/out" 2>"$work/err"
	cat "$work"/sends.[0-3] 2>/dev/null | paste -sd ' '
}

# What is chosen by name is what MPICH does then: each rank of a ring sends p - 1 blocks, and log p messages of
# more blocks in the others.
check_native_mpich()
{
	sends=$work/sends.so
	[ "$mpi" = mpich ] || return
	if ! command -v mpicc.mpich >/dev/null ||
		! mpicc.mpich -shared -fPIC -O1 -D_GNU_SOURCE -o "$sends" tests/mpi/sends.c -ldl 2>"$work/log"; then
		skip "there is no mpicc.mpich to build a preload with"
		return
	fi
	if [ "$(sends_of alltoall native)" = "0 0 0 0" ]; then
		skip "the messages of this MPICH do not go through UCX"
		return
	fi
	same "messages of allgather native:ring" "6 6 6 6" "$(sends_of allgather native:ring)"
	same "messages of allgather native:recursive_doubling" "4 4 4 4" "$(sends_of allgather native:recursive_doubling)"
	same "messages of alltoall native:pairwise" "6 6 6 6" "$(sends_of alltoall native:pairwise)"
	same "messages of alltoall native:bruck" "4 4 4 4" "$(sends_of alltoall native:bruck)"
}

check_native()
{
	local name star="0-1 0-2 0-3 1-0 2-0 3-0" ring="0-1 1-2 2-3 3-0"
	[ "$mpi" = openmpi ] && [ "$openmpi_major" -lt 5 ] || return
	same "pairs of native:ring" "$ring" "$(pairs_of allgather 100000 native:ring)"
	same "pairs of native:linear" "$star" "$(pairs_of allgather 100000 native:linear)"
	same "pairs of native:neighbor_exchange" "0-1 0-3 1-0 1-2 2-1 2-3 3-0 3-2" \
		"$(pairs_of allgather 100000 native:neighbor_exchange)"
	# what other algorithms do for vectors of fewer elements than ranks
	same "pairs of allreduce native:ring" "$ring" "$(pairs_of allreduce 400000 native:ring)"
	same "pairs of allreduce native:reduce_bcast of flat trees" "$star" \
		"$(pairs_of allreduce 100000 native:reduce_bcast,reduce=flat,bcast=flat)"
	same "pairs of bcast native:scatter_ring" "0-1 0-2 1-2 2-3 3-0" \
		"$(pairs_of bcast 400000 native:scatter_ring)"
	refused 1 'allreduce native:ring: Open MPI .* does so few bytes (8 on 3 ranks) by another algorithm' 3 \
		collective -c allreduce -b 8 -a native -a native:ring -i 1000000 -t 1000
	check_left_out
	OMPI_MCA_coll=^tuned refused 1 'no variable coll_tuned_.*: its component coll/tuned is not there, or left out' 2 \
		collective -c allgather -b 8 -a native:ring
	OMPI_MCA_coll_tuned_priority=5 refused 1 'coll/basic comes before coll/tuned, .* restart with --mca coll_tuned_priority 11' \
		2 collective -c allgather -b 8 -a native:all --seed 2 # the reason of the last one is said
	# also where something else could be measured before it
	OMPI_MCA_coll=^tuned refused 1 'allgather native:ring: this .* no variable coll_tuned_' 2 \
		collective -c allgather -b 8 -a native -a native:ring -i 1000000 -t 1000
	# coll/adapt has bcast and reduce, and nothing else
	same "pairs of native:ring with a component that has no allgather" "$ring" \
		"$(OMPI_MCA_coll_adapt_priority=100 pairs_of allgather 100000 native:ring)"
	OMPI_MCA_coll_adapt_priority=100 refused 1 'bcast native:flat: coll/adapt comes before coll/tuned' 2 \
		collective -c bcast -b 8 -a native:flat
	OMPI_MCA_coll_tuned_use_dynamic_rules=0 refused 1 'cannot be set while it runs: restart with --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allgather_algorithm 4, where it is measured by this name' \
		2 collective -c allgather -b 8 -a native:ring
	for name in native native:ring; do
		same "pairs of $name, restarted so" "$ring" "$(OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
			OMPI_MCA_coll_tuned_allgather_algorithm=4 pairs_of allgather 100000 "$name")"
	done
	# which cannot be chosen at all while it runs, and stands beside others by its name then
	refused 1 'restart with --mca coll_han_priority 100 --mca coll_han_use_simple_bcast 1, where it' 2 \
		collective -c bcast -b 1KiB -a native:hierarchical,levels=node --placement "$work/cyclic.json"
	launch 2 "$bench" collective -c bcast -b 1KiB -a native -i 3 --placement "$work/cyclic.json" -o "$work/plain.json"
	OMPI_MCA_coll_han_priority=100 OMPI_MCA_coll_han_use_simple_bcast=1 launch 2 "$bench" collective -c bcast -b 1KiB \
		-a native:hierarchical,levels=node -i 3 --placement "$work/cyclic.json" -o "$work/restarted.json"
	same "joined with what was restarted" "native;native:hierarchical,levels=node" "$("$bench" join "$work/plain.json" \
		"$work/restarted.json" -f csv | sed -n 's/^bcast,"\{0,1\}\(native[^"]*\(levels=node\)\{0,1\}\)"\{0,1\},blocking.*/\1/p' | paste -sd";")"
	check_all_of allgather
	check_all_of bcast
	check_all_of allreduce
}

check_joined()
{
	local launch
	for launch in 1 2 3; do
		launch 2 "$bench" collective -c bcast -b 8 -a native -a binomial_near -i 3 --raw --seed 1 \
			--placement "$work/two.json" -o "$work/launch$launch.json" >"$work/out" 2>&1 ||
			fail "launch $launch"
	done
	"$bench" join "$work"/launch[12].json -o "$work/both.json" 2>"$work/note" &&
		"$bench" join "$work/both.json" "$work/launch3.json" -o "$work/joined.json" 2>"$work/log"
	same "status of join" 0 $?
	for launch in 1 2 3; do sed -n 's/^      "runs": \[\(.*\)\],\{0,1\}$/\1/p' "$work/launch$launch.json"; done |
		paste -sd , | awk -F , '{ print $1 "," $3 "," $5; print $2 "," $4 "," $6 }' >"$work/runs"
	same "the medians of three launches" "$(cat "$work/runs")" \
		"$(sed -n 's/^      "runs": \[\(.*\)\],\{0,1\}$/\1/p' "$work/joined.json")"
	same "repetitions of three launches" 2 "$(count '"repetitions": 9,' "$work/joined.json")"
	same "times that are no longer one run's" 0 "$(count '"raw"' "$work/joined.json")"
	same "the placement is the one that was given" "$(column node "$work/two.json")" \
		"$(column node "$work/joined.json")"
	same "a note of the times that are not joined" "" "$(grep -v '^topomap-bench: times of --raw are of one launch, and not joined$' \
		"$work/note")"
	same "notes" 1 "$(count . "$work/note")"
	launch 2 "$bench" collective -c bcast -b 8 -a native -i 3 --placement "$work/cyclic.json" \
		-o "$work/other.json" >"$work/out" 2>&1
	"$bench" join "$work/joined.json" "$work/other.json" >"$work/out" 2>"$work/err"
	same "join of other places" "1 topomap-bench: $work/other.json: its ranks are placed otherwise than before" \
		"$? $(cat "$work/err")"
	"$bench" join "$work/two.json" >"$work/out" 2>"$work/err"
	same "join of a placement" "1 topomap-bench: $work/two.json: a times document is expected, this is a placement document" \
		"$? $(cat "$work/err")"
}

# experiments FILE: "COLLECTIVE ALGORITHM BYTES" of each, in the order in which they were measured
experiments()
{
	awk '
		function value() { gsub(/.*: "?|"?,$/, ""); return $0 }
		/^      "collective"/ { collective = value() }
		/^      "algorithm"/ { name = value() }
		/^      "bytes"/ { print collective, name, value() }' "$1"
}

# check_guidelines RANKS: all mock-ups of all guidelines, also where the ranks do not divide the size
check_guidelines()
{
	local ranks=$1
	launch "$ranks" "$bench" guidelines -b 0,8,1001 -r $((ranks - 1)) -i 2 --check --seed 5 \
		-o "$work/mockups.json" >"$work/out" 2>"$work/err"
	same "status of guidelines, $ranks ranks" 0 $?
	same "wrong mock-ups, $ranks ranks" "" "$(wrong_ones "$work/mockups.json")"
	same "measured guidelines, $ranks ranks" \
		"$(topomap guidelines -b 8 -f json "$work/mockups.json" | count '"name": ".* <= ' -)" \
		"$(topomap guidelines -b 8 -f csv --times "$work/mockups.json" | sed 1d | wc -l)"
}

# check_order EXPERIMENTS ARGUMENT...: the seed, which the document has, is all that the order depends on
check_order()
{
	local count=$1 seed said
	shift
	launch 2 "$bench" "$@" -b 8..64 -i 1 -o "$work/any.json" >"$work/out" 2>&1
	said=$(sed -n 's/^  "seed": \(.*\),$/\1/p' "$work/any.json")
	for seed in "$said" $((said + 1)); do
		launch 2 "$bench" "$@" -b 8..64 -i 1 --seed "$seed" -o "$work/$seed.json" >"$work/out" 2>&1 ||
			fail "$*, seed $seed"
		experiments "$work/$seed.json" >"$work/order.$seed"
	done
	experiments "$work/any.json" >"$work/order"
	same "experiments of $*" "$count" "$(wc -l <"$work/order")"
	same "experiments of the seed that is said" "$(cat "$work/order")" "$(cat "$work/order.$said")"
	same "experiments of another seed" "$(sort "$work/order")" "$(sort "$work/order.$((said + 1))")"
	if cmp -s "$work/order" "$work/order.$((said + 1))"; then fail "two seeds have one order"; else pass; fi
}

# Seven launches in which MPI_Bcast of 1000 bytes takes long on a rank: that is found. Where one call of
# eight does, these are outliers of their launch and do not move its median.
check_slow()
{
	local slow=$work/slow.$flavour.so i
	if ! command -v "mpicc.$flavour" >/dev/null ||
		! "mpicc.$flavour" -shared -fPIC -O1 -o "$slow" tests/mpi/slow.c 2>"$work/log"; then
		skip "$flavour: there is no mpicc.$flavour to build a preload with"
		return
	fi
	for i in 1 2 3 4 5 6 7; do
		launch 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_BYTES=1000 SLOW_SECONDS=0.2 "$bench" \
			guidelines -c bcast -b 1000 -i 3 --placement "$work/two.json" -o "$work/slow$i.json" \
			>"$work/out" 2>"$work/err" || fail "slow launch $i"
	done
	"$bench" join "$work"/slow[1-7].json -o "$work/slow.json"
	topomap guidelines --times "$work/slow.json" --strict -f csv >"$work/out" 2>"$work/err"
	same "a slow MPI_Bcast" "4 3 topomap guidelines: 3 guidelines are violated" \
		"$? $(count ',0.00029137.*,true,true,true,' "$work/out") $(cat "$work/err")"
	launch 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_BYTES=1000 SLOW_SECONDS=0.3 SLOW_EVERY=8 "$bench" \
		guidelines -c bcast -b 1000 -i 15 --placement "$work/two.json" -f csv >"$work/out" 2>&1
	same "a median with slow calls among them" yes "$(awk -F , '$2 == "native" {
		print ($11 < 0.2 && $13 >= 0.3 && $NF >= 1 ? "yes" : $0) }' "$work/out")"
}

# Lanes of imitated nodes: all that were asked for, right, and the ratios of their medians; a changed byte
# is seen.
check_lanes()
{
	launch 4 "$bench" lanes -b 0,1001 -i 3 --exchanges 5 --check --placement "$work/four.json" -f csv \
		>"$work/out" 2>"$work/err"
	same "lanes of four ranks" "0 0,1,3,true 0,2,3,true 1001,1,3,true 1001,2,3,true" \
		"$? $(sed 1d "$work/out" | cut -d , -f 1-4 | paste -sd ' ')"
	same "speed-ups" "1.000 right" "$(awk -F , '$1 == 1001 && $2 == 1 { one = $7; printf "%.3f ", $14 }
		$1 == 1001 && $2 == 2 { 
			off = $14 * $7 / one - 1
			print (off * off < 1e-6 ? "right" : $0) }' \
		"$work/out")"
	launch 4 "$bench" lanes -c alltoall -b 9 -k 2,1 -i 8 --check --placement "$work/four.json" \
		-o "$work/lanes.json" >"$work/out" 2>"$work/err"
	same "alltoalls of lanes" "0 2 2 4" "$? $(count '"correct": true' "$work/lanes.json") \
$(count '"repetitions": 8' "$work/lanes.json") \
$(topomap inspect -f json "$work/lanes.json" | sed -n 's/^  "size": \([0-9]*\),$/\1/p')"
	launch 4 "$bench" lanes -b 9 -i 3 --placement "$work/four.json" >"$work/out" 2>"$work/err"
	same "lines of lanes that are not as their heading" "0 2 " "$? $(count '^[0-9]' "$work/out") $(uneven "$work/out")"
	refused 1 'lanes are between nodes, and all 2 ranks are on one' 2 lanes -b 8 --placement "$work/one.json"
	refused 1 'nodes with equally many ranks, and here some have 2, others 1' 3 lanes -b 8 \
		--placement "$work/uneven.json"
	refused 2 '--lanes: 2 is not from 1 to 1' 3 lanes -b 8 -k 2 --placement "$work/three.json"
}

# uneven FILE: lines that have not as many words as the heading above them has columns, which are two blanks
# or more apart
uneven()
{
	awk '/^#( Size|bytes)/ { columns = split($0, column, /  +/) } /^#/ || !NF { next }
		NF != columns { print columns ": " $0 }' "$1"
}

# Whatever is kept, every result is right; and all modes that there are stand side by side.
check_persistent()
{
	local native=1 mode status
	[ "$mpi" != mpich ] || native=2 # it has MPI_Allgather_init
	launch 3 "$bench" persistent -c reduce -c allgather -b 0,1001 -a ring -r 2 -i 3 >"$work/out" 2>"$work/err"
	same "ring of reduce" "2 topomap-bench: --algorithm ring: unknown reduce algorithm 'ring'" \
		"$? $(grep -o "^topomap-bench: --algorithm ring: unknown reduce algorithm 'ring'" "$work/err")"
	launch 3 "$bench" persistent -c allreduce -c alltoall -c barrier -b 0,1001 -i 3 --check \
		-o "$work/kept.json" >"$work/out" 2>"$work/err"
	status=$?
	same "status of persistent" $(($(count '"correct": false' "$work/kept.json") ? 4 : 0)) $status
	same "wrong results of what is kept" "" "$(wrong_ones "$work/kept.json")"
	for mode in naive schedule blocking persistent; do
		same "own algorithms, $mode" "$(kept_names blocking "$work/kept.json")" \
			"$(kept_names "$mode" "$work/kept.json")"
	done
	launch 4 "$bench" persistent -c neighbor_allgather,neighbor_alltoall -b 0,1001 -i 3 --check \
		--stencil moore:1 --cart 2x0 -o "$work/kept.json" >"$work/out" 2>"$work/err"
	same "neighbors, kept" "0 1 0 $((4 * (4 + native)))" "$? $(count '^  "neighborhood": {"stencil": "moore:1", "cart": "2x2"},$' \
		"$work/kept.json") $(count '"correct": false' "$work/kept.json") $(count '"repetitions": 3' "$work/kept.json")"
	launch 3 "$bench" persistent -c allgather -b 8 -a ring -a bruck -i 5 >"$work/out" 2>"$work/err"
	same "lines of what is kept that are not as their heading" "" "$(uneven "$work/out")"
	same "times side by side" "8 bruck 4 8 ring 4 8 native $native" "$(awk '/^[0-9]/ && $(NF - 1) == "allgather" {
		times = 0; for (i = 2; i <= 5; i++) times += $i != "-"
		printf "%s%s %s %d", found++ ? " " : "", $1, $NF, times }' "$work/out")"
}

# like_of FILE MEMBER: what each benchmark says of the experiment, a line each
like_of() { sed -n 's/^ *{"as": "\([^"]*\)".*"'"$2"'": \([^,}]*\).*/\1 \2/p' "$1"; }

# What other benchmarks would say is there for each experiment, with as many calls as were asked for, and
# where MPI_Bcast takes long on a rank their means do not take less; their columns are in the text.
check_like()
{
	local slow=$work/slow.$flavour.so
	launch 2 "$bench" collective -c allreduce -c barrier -b 8,1001 -a all -i 3 -x 2 --like osu,imb \
		--like imb-nosync --check -o "$work/like.json" >"$work/out" 2>"$work/err"
	same "status of --like" 0 $?
	same "benchmarks of an experiment" "$(for _ in $(experiments "$work/like.json" | sed 's/ .*//'); do
		echo "osu 3 imb 3 imb-nosync 3"; done | xargs -n 1)" \
		"$(like_of "$work/like.json" repetitions | xargs -n 1)"
	same "their order" "" "$(sed -n 's/.*"min_s": \(.*\), "avg_s": \(.*\), "max_s": \(.*\)}.*/\1 \2 \3/p' \
		"$work/like.json" | awk '!($1 <= $2 && $2 <= $3 && $1 >= 0)')"
	topomap score -c allreduce --times "$work/like.json" >"$work/out" 2>"$work/err"
	same "status of score with them" 0 $?
	if [ -e "$slow" ]; then
		launch 2 env LD_PRELOAD="$slow" SLOW_RANK=1 SLOW_BYTES=1000 SLOW_SECONDS=0.1 "$bench" \
			collective -c bcast -b 1000 -a native -i 2 -x 1 --like osu,imb,imb-nosync \
			--placement "$work/two.json" -o "$work/like.json" >"$work/out" 2>"$work/err"
		same "the slow rank is the largest of the means" "0 osu imb imb-nosync" \
			"$? $(like_of "$work/like.json" max_s | awk '$2 >= 0.1 { print $1 }' | paste -sd ' ')"
		same "and half of the mean of two" "osu imb imb-nosync" \
			"$(like_of "$work/like.json" avg_s | awk '$2 >= 0.05 { print $1 }' | paste -sd ' ')"
	fi
	# columns are as wide as their times
	launch 2 "$bench" collective -c bcast -b 8,16 -a native -i 2 --like osu,imb >"$work/out" 2>"$work/err"
	same "lines of other benchmarks that are not as their heading" "" "$(uneven "$work/out")"
	same "columns of OSU" "1 8 2 16 2" "$(count '^# Size  *Avg Latency(us)  *Min Latency(us)  *Max Latency(us)  *Iterations  *topomap$' \
		"$work/out") $(awk '/^# Size/ { osu = 1 } /^#.*Intel/ { osu = 0 } osu && /^[0-9]/ { print $1, $5 }' \
		"$work/out" | paste -sd ' ')"
	same "columns of IMB" "1 8 2 16 2" "$(count '^#bytes  *#repetitions  *t_min\[usec\]  *t_max\[usec\]  *t_avg\[usec\]  *topomap$' \
		"$work/out") $(awk '/#bytes/ { imb = 1 } imb && /^ *[0-9]/ { print $1, $2 }' "$work/out" | paste -sd ' ')"
}

# kept_names MODE FILE: "COLLECTIVE ALGORITHM" of topomap's own in that mode
kept_names()
{
	awk -v wanted="$1" '
		function value() { gsub(/.*: "?|"?,$/, ""); return $0 }
		/^      "collective"/ { collective = value() }
		/^      "algorithm"/ { name = value() }
		/^      "mode"/ { if (value() == wanted && name !~ /^native/) print collective, name }' "$2" | sort
}

# Every line of a campaign is measured once, as it says, in an order of its own; and what was measured is a
# campaign, which gives the same experiments.
check_run()
{
	local calls='allgather,"bruck,radix=4",8,nonblocking,0
allgather,ring,65536,blocking,0
barrier,native,0,blocking,0
bcast,mockup:scatter+allgather,1001,blocking,1
bcast,native,1001,blocking,1'
	printf '%s\n' '# three columns may be left out' 'algorithm,collective,root,bytes,mode,repetitions' '' \
		'ring,allgather,,64KiB,,' '"bruck,radix=4",allgather,,8,nonblocking,3' 'native,barrier' \
		'native,bcast,1,1001,,2' 'mockup:scatter+allgather,bcast,1,1001,blocking,2' >"$work/campaign.csv"
	launch 2 "$bench" run "$work/campaign.csv" -i 4 --check --seed 3 -f csv -o "$work/run.csv" >"$work/out" 2>"$work/err"
	same "calls of a campaign" "0 $calls" "$? $(run_fields 1-4,5 "$work/run.csv")"
	same "their repetitions" "3 4 4 2 2" "$(run_fields 6 "$work/run.csv" | paste -sd ' ')"
	launch 2 "$bench" run "$work/run.csv" --seed 4 -f csv -o "$work/again.csv" >"$work/out" 2>"$work/err"
	same "what was measured, again" "0 $(run_fields 1-6 "$work/run.csv")" "$? $(run_fields 1-6 "$work/again.csv")"
	if [ "$(sed 1d "$work/run.csv" | cut -d , -f 1-4)" = "$(sed 1d "$work/again.csv" | cut -d , -f 1-4)" ]; then
		fail "two seeds have one order"
	else
		pass
	fi
	printf '%s\n' collective,algorithm,bytes,repetitions bcast,native,8,3 bcast,native,16,20 bcast,flat,8, >"$work/campaign.csv"
	launch 2 "$bench" run "$work/campaign.csv" -i 20 >"$work/out" 2>"$work/err"
	same "lines of few and of many times" "0 3 " "$? $(count '^[0-9]' "$work/out") $(uneven "$work/out")"
	printf '%s\n' collective,algorithm,bytes,mode neighbor_allgather,linear,8,nonblocking \
		neighbor_alltoall,native,1001, barrier,native,, >"$work/campaign.csv"
	launch 3 "$bench" run "$work/campaign.csv" -i 2 --check --stencil cart --cart 3 --periods 1 \
		-o "$work/run.json" >"$work/out" 2>"$work/err"
	same "neighbors of a campaign" "0 1 0 3" "$? $(count '^  "neighborhood": {"stencil": "cart", "cart": "3", "periods": "1"},$' \
		"$work/run.json") $(count '"correct": false' "$work/run.json") $(count '"repetitions": 2' "$work/run.json")"
	refused_line 3 "algorithm sparbat: unknown allgather algorithm 'sparbat'" 'allgather,ring,8' 'allgather,sparbat,8'
	refused_line 2 "unknown allgather algorithm 'sparbat'.*(also: native, native:NAME, mockup:NAME)$" 'allgather,sparbat,8'
	refused_line 2 "'native:all' is not one algorithm" 'allgather,native:all,8'
	refused_line 3 'it is the call of line 2 again' 'allgather,bruck,8' 'allgather,"bruck,radix=2",8'
	refused_line 2 'MPI cannot count 1099511627776 bytes' 'allgather,ring,1TiB'
	refused_line 2 'root 2 is not one of the 2 ranks' 'bcast,native,8,,2'
}

# run_fields LIST FILE: of a times CSV, in the order of its lines; a quoted comma counts as none
run_fields()
{
	sed '1d; s/"\([^",]*\),\([^"]*\)"/"\1;\2"/' "$2" | awk -F , -v OFS=, '{ t = $3; $3 = $4; $4 = t; print }' |
		LC_ALL=C sort | cut -d , -f "$1" | tr ';' ,
}

# refused_line LINE PATTERN LINE...: of a campaign of these lines
refused_line()
{
	local number=$1 pattern=$2
	shift 2
	printf '%s\n' collective,algorithm,bytes,mode,root "$@" >"$work/bad.csv"
	refused 1 "^topomap-bench: $work/bad.csv:$number: .*$pattern" 2 run "$work/bad.csv" -i 1
}

topomap place 'node:1 core:2' -n 2 -o "$work/one.json"
topomap place 'node:2 core:2' -n 4 -o "$work/four.json"
topomap place 'node:2 core:2' -n 3 -o "$work/uneven.json"
topomap place 'node:3 core:1' -o "$work/three.json"
topomap place 'node:2 core:2' -n 2 -o "$work/two.json"
topomap place 'node:2 core:2' -n 2 --map-by node -o "$work/cyclic.json"
topomap place 'node:4 core:8' -o "$work/large.json"
for flavour in openmpi mpich; do
	use_bench "$flavour" || continue
	# with more ranks than CPUs a barrier takes MPICH long; executor.sh has more numbers of ranks
	case $flavour$WHOLE in
	openmpi) numbers="1 5" ;;
	mpich) numbers=2 ;;
	openmpi*) numbers="1 2 5" ;;
	mpich*) numbers="1 2" ;;
	esac
	for ranks in $numbers; do
		check_all "$ranks"
		check_guidelines "$ranks"
	done
	launch 3 "$bench" collective -c scatter,allreduce -b 8 -r 2 -a all -i 1 -f csv \
		>"$work/out" 2>"$work/err"
	same "scatter and allreduce on three ranks" "0 0" "$? $(cut -d , -f 8 "$work/out" | count false -)"
	launch 4 "$bench" collective -c neighbor_allgather,neighbor_alltoall -b 8,1KiB -a all -i 3 --check \
		-m blocking,nonblocking,schedule,naive --stencil moore:1 --cart 2x2 --periods 1,0 \
		-o "$work/neighbors.json" >"$work/out" 2>"$work/err"
	same "neighbors of a graph" "0 1 0 24" "$? $(count '^  "neighborhood": {"stencil": "moore:1", "cart": "2x2", "periods": "1,0"},$' "$work/neighbors.json") $(count '"correct": false' "$work/neighbors.json") $(count '"repetitions": 3' "$work/neighbors.json")"
	launch 3 "$bench" collective -c neighbor_alltoall -b 100 -a linear -a native -i 3 --check --stencil cart \
		--cart 3x1 --periods 0,1 -f csv >"$work/out" 2>"$work/err"
	same "neighbors of a grid" "0 2 0" "$? $(count ^neighbor_alltoall, "$work/out") $(count ,false, "$work/out")"
	check_native
	check_native_mpich
	check_persistent

	is_first || continue
	check_statistics
	corrupt=$work/corrupt.$flavour.so
	if command -v "mpicc.$flavour" >/dev/null &&
		"mpicc.$flavour" -shared -fPIC -O1 -o "$corrupt" tests/mpi/corrupt.c 2>"$work/log"; then
		check_corrupted 'the result of allgather ring (blocking, 64) is wrong at rank 0: block 1, byte 63' \
			collective -c allgather -b 64 -a ring
		check_corrupted 'the result of bcast native (blocking, 64) is wrong at rank 1: block 0, byte 63' \
			collective -c bcast -b 64 -a native
		check_corrupted 'the result of reduce flat (blocking, 64) is wrong at rank 0: block 0, byte 63' \
			collective -c reduce -b 64 -a flat
		check_corrupted 'the result of the exchange over 1 lane (64) is wrong at rank 1: block 0, byte 63' \
			lanes -b 64 -k 1 --placement "$work/three.json"
	else
		skip "$flavour: there is no mpicc.$flavour to build a preload with"
	fi
	check_joined
	check_order 20 guidelines -c allreduce
	check_order 16 collective -c allgather -c allreduce -a native -a ring
	check_slow
	check_lanes
	check_run
	check_like

	launch 2 "$bench" collective -c allgather -b 8 -a ring -m blocking,naive -i 3 --check --off-cache 1MiB -o "$work/cold.json" \
		>"$work/out" 2>"$work/err"
	same "data in no cache" "0 1 0" "$? $(count '^  "off_cache": 1048576,$' "$work/cold.json") $(count '"correct": false' "$work/cold.json")"
	launch 2 "$bench" collective -c allgather,alltoall -b 8 -a all -i 3 --check --by-rounds -o "$work/rounds.json" \
		>"$work/out" 2>"$work/err"
	same "by rounds" "0 1 0" "$? $(count '^  "by_rounds": true,$' "$work/rounds.json") $(count '"correct": false' "$work/rounds.json")"
	launch 2 "$bench" collective -c allgather -b 8 -a ring -a native -i 3 -o "$work/ahead.json" >"$work/out" 2>"$work/err" &&
		launch 2 "$bench" collective -c allgather -b 8 -a native -i 3 -o "$work/theirs.json" >"$work/out" 2>"$work/err"
	same "says whether by rounds" "0 1 0" "$? $(count '^  "by_rounds": false,$' "$work/ahead.json") $(count '"by_rounds"' "$work/theirs.json")"
	for file in ahead rounds; do
		"$bench" join "$work/theirs.json" "$work/$file.json" -o "$work/joined.json" 2>"$work/err"
		same "the library's joined with $file" "0 1" "$? $(count '"by_rounds"' "$work/joined.json")"
	done
	"$bench" join "$work/ahead.json" "$work/rounds.json" -o "$work/joined.json" 2>"$work/err"
	same "both ways" "1 1" "$? $(count 'rounds.json was measured by rounds and .*ahead.json was not: they cannot be added' "$work/err")"
	refused 2 '--by-rounds: no algorithm here is topomap' 2 collective -c bcast -b 8 -a native --by-rounds
	launch 2 "$bench" collective -c allgather -b 8 -a ring -i 100000000 -t 0.05 -f csv >"$work/out" 2>&1
	same "seconds end an experiment" "0 2" "$? $(wc -l <"$work/out")"
	launch 2 "$bench" collective -c allgather -b 8 -a ring -i 7 --precision 0.0001% -t 1000 -f csv \
		>"$work/out" 2>&1
	same "repetitions end an experiment" 7 "$(sed 1d "$work/out" | cut -d , -f 6)"

	refused 1 'it is of 32 ranks, and this job has 2' 2 collective -c bcast -b 8 -a native \
		--placement "$work/large.json"
	refused 1 'root 2 is not one of the 2 ranks' 2 collective -c bcast -b 8 -a native -r 2
	# also behind what can run, which would be lost
	refused 1 'allgather recursive_doubling: ' 3 collective -c allgather -b 8 -a native -a recursive_doubling \
		-i 1000000 -t 1000
	refused 2 "--algorithm sparbit: unknown bcast algorithm 'sparbit'" 2 collective -c allgather -c bcast -b 8 \
		-a sparbit -i 1000000 -t 1000
	# before anything is measured, which would be lost
	refused 1 '--bytes: allgather: MPI cannot count 2147483648 bytes' 2 collective -c allgather -b 8..4GiB \
		-a ring -i 10000 -t 1000
	refused 1 'root 2 is not one of the 2 ranks' 2 guidelines -c bcast -b 8 -r 2
	launch 2 "$bench" collective -c bcast -b 8 -a native -o "$work/none/x.json" >"$work/out" 2>"$work/err"
	same "a folder that is not there" "3 1" "$? $(count '^topomap-bench: .*none' "$work/err")"
done
finish
