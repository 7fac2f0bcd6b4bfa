#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Words that topomap-bench refuses: of each verb every option that its help lists, with a word that it cannot
# take; one sentence that has what stands here, its status, and no output. None of these needs a job: each
# is one rank without a launcher, which bench.sh and bench_failures.sh have with several.
. "$(dirname "$0")/bench.bash"

# VERB STATUS ARGUMENT... | SENTENCE, behind the words that the verb needs; lanes of two nodes have their rows in
# bench.sh
rows='
collective 2 WITHOUT -c | --collective is missing
collective 2 WITHOUT -b | --bytes is missing
collective 2 WITHOUT -a | --algorithm is missing
lanes 2 WITHOUT -b | --bytes
guidelines 2 WITHOUT -b | --bytes is missing
persistent 2 WITHOUT -c | --collective is missing
persistent 2 WITHOUT -b | --bytes is missing
run 2 WITHOUT CAMPAIGN | operand FILE is missing
join 2 WITHOUT tests/fuzz/seeds/times/two.json | operand TIMES is missing
collective 2 -c bcast,gossip | --collective: unknown collective .gossip. (one of: allgather,
colective 2 -c bcast | VERB: unknown verb .colective. (did you mean .collective.?); one of: calibrate,
collective 2 -c bcasst | --collective: unknown collective .bcasst. (did you mean .bcast.?); one of: allgather,
collective 2 -a bionmial_near | --algorithm bionmial_near: unknown bcast algorithm .bionmial_near.; did you mean .binomial_near.?
collective 2 --algorthm | unknown option .--algorthm. (did you mean .--algorithm.?)
collective 2 -c barrier | a barrier has no --bytes
collective 2 -c neighbor_alltoall -a linear | --stencil, the neighbors of a rank, is missing
collective 2 -c neighbor_alltoall -a linear --stencil star | --stencil star:
collective 2 -c neighbor_alltoall -a linear --stencil cart --cart 4x | --cart 4x:
collective 2 -c neighbor_alltoall -a linear --stencil moore:1 --cart 1x1 --periods 2,0 | --periods 2,0:
collective 2 -c neighbor_alltoall -a linear --stencil moore:1 --cart 1x1 --order linear | --order linear:
collective 2 -c neighbor_alltoall -a linear --stencil offsets:1@2 --cart 1 | its offsets have no weights
collective 2 -c neighbor_allgather -a bruck --stencil moore:1 --cart 1x1 | unknown neighbor_allgather algorithm .bruck.
collective 1 -c neighbor_alltoall -a linear --stencil moore:1 --cart 2x2 | --stencil moore:1 --cart 2x2: the grid has 4 places for 1 ranks
collective 2 -c allgather --stencil full | allgather has no neighborhood
collective 2 -b 8x | --bytes: size .8x.: unknown unit
collective 2 -b -8 | --bytes: .-8. is not a size such as 4096
collective 2 -b 0..8 | --bytes: a range rises from 1 or more: not from 0 to 8
collective 2 -b 1MiB..1 | --bytes: a range rises from 1 or more: not from 1048576 to 1
collective 1 -b 8..1TiB | --bytes: bcast: MPI cannot count 2147483648 bytes
collective 2 -a sparbat | --algorithm sparbat: unknown bcast algorithm .sparbat. (one of: .*) (also: native, native:NAME, native:all, mockup:NAME, all)
collective 2 -a native:nobody | --algorithm native:nobody: unknown bcast algorithm
collective 1 -a native:distance_tree | --algorithm native:distance_tree: it is not known how
collective 2 -a mockup:gather | --algorithm mockup:gather: there is no such mock-up of bcast (one of: .*scatter+allgather
collective 2 -a knomial,radix=1 | --algorithm knomial,radix=1:
collective 2 -m never | --mode: unknown mode .never. (one of: blocking, nonblocking, persistent, naive, schedule)
collective 1 -r 1 | --root: root 1 is not the only rank, 0
collective 2 -r -1 | --root: -1 is not between 0 and
collective 2 -c allgather -r 1 | --root: allgather has no root
collective 2 --like oso | --like: unknown benchmark .oso. (did you mean .osu.?); one of: osu, imb, imb-nosync
collective 2 -x 5 | --warm-up: it is of the loops of --like, which is not given
collective 2 --like osu -x -1 | --warm-up: -1 is not between 0 and
collective 2 --like osu --off-cache 1MiB | --off-cache and --like cannot be combined
collective 2 --seed x | --seed: .x. is not a whole number
collective 2 --seed -1 | --seed: -1 is not between 0 and
collective 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read: No such file or directory
collective 1 --placement CAMPAIGN | --placement: .*campaign.csv
collective 2 -i 0 | --repetitions: 0 is not between 1 and
collective 2 -i 1e3 | --repetitions: .1e3. is not a whole number
collective 2 -t 0 | --seconds: .0. is no positive number
collective 2 -t nan | --seconds: .nan. is no positive number
collective 2 -t 1h | --seconds: .1h. is no positive number
collective 2 --precision 0% | --precision: .0%. is no positive number
collective 2 -i 5 --precision 2% | --precision: the median of 5 repetitions has no confidence interval
collective 2 --sync sun | --sync: unknown synchronization .sun. (one of: barrier, clock, slices)
collective 2 --off-cache 8x | --off-cache: size .8x.: unknown unit
collective 3 --off-cache 1PiB | --off-cache: out of memory for 1125899906842624 bytes
collective 2 --check=yes | option .--check. takes no value
collective 2 --by-rounds=yes | option .--by-rounds. takes no value
collective 2 --raw -f csv | --raw: only the JSON document (-f json) has
collective 2 --progress=1 | option .--progress. takes no value
collective 2 -f svg | --format: unknown format .svg. (one of: text, json, csv)
collective 3 -o /nowhere/x.json | /nowhere/x.json: cannot be written: No such file or directory
collective 2 --help=x | option .--help. takes no value
collective 2 --version=2 | option .--version. takes no value
collective 2 --nobody | unknown option .--nobody.
collective 2 stray | unexpected operand .stray.
lanes 2 -b 8x | --bytes: size .8x.
lanes 1 -k x | lanes are between nodes, and there is one rank
lanes 2 -c barrier | --collective: unknown collective .barrier. (one of: allgather, .*, exscan)
lanes 2 --exchanges 0 | --exchanges: 0 is not between 1 and
lanes 2 -c bcast --exchanges 2 | --exchanges and --collective cannot be combined
lanes 2 --seed 1.5 | --seed: .1.5. is not a whole number
lanes 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read
lanes 2 -i 0 | --repetitions: 0 is not between 1 and
lanes 2 -t -1 | --seconds: .-1. is no positive number
lanes 2 --precision x | --precision: .x. is no positive number
lanes 2 --sync sun | --sync: unknown synchronization
lanes 2 --check=1 | option .--check. takes no value
lanes 2 --raw -f csv | --raw: only the JSON document (-f json) has
lanes 2 --progress=1 | option .--progress. takes no value
lanes 2 -f svg | --format: unknown format .svg.
lanes 3 -o /nowhere/x | /nowhere/x: cannot be written
lanes 2 --help=x | option .--help. takes no value
lanes 2 --version=2 | option .--version. takes no value
guidelines 2 -b 8x | --bytes: size .8x.
guidelines 2 -c allreduce,bcast | --collective: it takes one collective, and .allreduce,bcast. is a list
guidelines 2 -c barrier | --collective: unknown collective .barrier. (one of: 
guidelines 2 -c neighbor_alltoall | --guideline is missing: those of neighbor_alltoall are on virtual topologies
guidelines 2 -g GL4 -c bcast | --guideline: none of these is about bcast
guidelines 1 -r 5 | --root: root 5 is not the only rank, 0
guidelines 2 -g GL99 | --guideline: .GL99. is no guideline (one of: GL1 to GL12
guidelines 2 -g GL9 --neighborhood ring | --neighborhood: .*ring
guidelines 2 -g GL9 --radius 0 | --radius: 
guidelines 2 -g GL9 --dimensions 0 | --dimensions: 
guidelines 2 -g GL9 --finite 99 | --finite
guidelines 2 -g GL9 --order zigzag | --order: .*zigzag
guidelines 2 -g GL9 --reorder maybe | --reorder: .*maybe
guidelines 2 --radius 2 | --radius is of virtual topologies, of which no --guideline is named
guidelines 2 --seed x | --seed: .x. is not a whole number
guidelines 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read
guidelines 2 -i 0 | --repetitions: 0 is not between 1 and
guidelines 2 -t 0 | --seconds: .0. is no positive number
guidelines 2 --precision 0 | --precision: .0. is no positive number
guidelines 2 --sync sun | --sync: unknown synchronization
guidelines 2 --off-cache 8x | --off-cache: size .8x.
guidelines 2 --check=1 | option .--check. takes no value
guidelines 2 --raw -f csv | --raw: only the JSON document (-f json) has
guidelines 2 --progress=1 | option .--progress. takes no value
guidelines 2 -f svg | --format: unknown format .svg.
guidelines 3 -o /nowhere/x | /nowhere/x: cannot be written
guidelines 2 --help=x | option .--help. takes no value
guidelines 2 --version=2 | option .--version. takes no value
persistent 2 -c gossip | --collective: unknown collective .gossip.
persistent 2 -b 8x | --bytes: size .8x.
persistent 2 -a native | --algorithm native: only topomap
persistent 2 -a nobody | --algorithm nobody: unknown bcast algorithm .nobody. (one of: binomial_near, [^()]*)$
persistent 1 -r 5 | --root: root 5 is not the only rank, 0
persistent 2 -c allgather -r 1 | --root: allgather has no root
persistent 2 -c neighbor_alltoall | --stencil, the neighbors of a rank, is missing
persistent 2 -c neighbor_alltoall --stencil star | --stencil star:
persistent 2 -c neighbor_alltoall --stencil cart --cart 4x | --cart 4x:
persistent 2 -c neighbor_alltoall --stencil moore:1 --cart 1x1 --periods 2,0 | --periods 2,0:
persistent 2 -c neighbor_alltoall --stencil moore:1 --cart 1x1 --order linear | --order linear:
persistent 2 -c allgather --stencil full | allgather has no neighborhood
persistent 2 --seed x | --seed: .x. is not a whole number
persistent 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read
persistent 2 -i 0 | --repetitions: 0 is not between 1 and
persistent 2 -t 0 | --seconds: .0. is no positive number
persistent 2 --precision 0 | --precision: .0. is no positive number
persistent 2 --sync sun | --sync: unknown synchronization
persistent 2 --off-cache 8x | --off-cache: size .8x.
persistent 2 --check=1 | option .--check. takes no value
persistent 2 --raw -f csv | --raw: only the JSON document (-f json) has
persistent 2 --progress=1 | option .--progress. takes no value
persistent 2 -f svg | --format: unknown format .svg.
persistent 3 -o /nowhere/x | /nowhere/x: cannot be written
persistent 2 --help=x | option .--help. takes no value
persistent 2 --version=2 | option .--version. takes no value
calibrate 2 -t 0.5 | --seconds: .0.5. is no number from 1 to 86400
calibrate 2 -t 1d | --seconds: .1d. is no number from 1 to 86400
calibrate 1 -t 1 | messages are between ranks, and there is one rank
calibrate 2 --no-check=1 | option .--no-check. takes no value
calibrate 2 --times x --no-check | --times and --no-check cannot be combined: the times are the check
calibrate 3 --times /nowhere/x | --times: /nowhere/x: cannot be written: No such file or directory
calibrate 2 --times x -o x | --times and --output: .x. cannot hold two documents
calibrate 2 --seed 1.5 | --seed: .1.5. is not a whole number
calibrate 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read
calibrate 2 --progress=1 | option .--progress. takes no value
calibrate 2 -f csv | --format: unknown format .csv. (one of: text, json, svg)
calibrate 3 -o /nowhere/x | /nowhere/x: cannot be written
calibrate 2 --help=x | option .--help. takes no value
calibrate 2 --version=2 | option .--version. takes no value
run 2 WITHOUT CAMPAIGN NEIGHBORS | --stencil, the neighbors of a rank, is missing
run 2 WITHOUT CAMPAIGN NEIGHBORS --stencil star | --stencil star:
run 2 WITHOUT CAMPAIGN NEIGHBORS --stencil cart --cart 4x | --cart 4x:
run 2 WITHOUT CAMPAIGN NEIGHBORS --stencil moore:1 --cart 1x1 --periods 2,0 | --periods 2,0:
run 2 WITHOUT CAMPAIGN NEIGHBORS --stencil moore:1 --cart 1x1 --order linear | --order linear:
run 2 --cart 1x1 | bcast has no neighborhood
run 2 --seed x | --seed: .x. is not a whole number
run 3 --placement /nowhere.json | --placement: /nowhere.json: cannot be read
run 2 --sync never | --sync: unknown synchronization .never.
run 2 --off-cache 8x | --off-cache: size .8x.
run 2 -i -3 | --repetitions: -3 is not between 1 and
run 2 -t 0 | --seconds: .0. is no positive number
run 2 --precision 0 | --precision: .0. is no positive number
run 2 --check=1 | option .--check. takes no value
run 2 --by-rounds=yes | option .--by-rounds. takes no value
run 2 --raw -f csv | --raw: only the JSON document (-f json) has
run 2 --progress=1 | option .--progress. takes no value
run 2 -f svg | --format: unknown format .svg.
run 3 -o /nowhere/x | /nowhere/x: cannot be written
run 2 another.csv | unexpected operand .another.csv.
run 2 --help=x | option .--help. takes no value
run 2 --version=2 | option .--version. takes no value
join 2 -f svg | --format: unknown format .svg. (one of: text, json, csv)
join 3 -o /nowhere/x | /nowhere/x: cannot be written
join 3 /nowhere.json | /nowhere.json: cannot be read
join 1 CAMPAIGN | campaign.csv
join 2 --seed 1 | unknown option .--seed.
join 2 --help=x | option .--help. takes no value
join 2 --version=2 | option .--version. takes no value'

# words_of VERB: sets needed, what it cannot do without; what stands behind it in a row takes its place
words_of()
{
	case $1 in
	collective) needed=(-c bcast -b 8 -a native) ;;
	persistent) needed=(-c bcast -b 8) ;;
	lanes | guidelines) needed=(-b 8) ;;
	run) needed=("$work/campaign.csv") ;;
	join) needed=(tests/fuzz/seeds/times/two.json) ;;
	*) needed=() ;;
	esac
}

# without OPTION: needed, but for that option and its value
without()
{
	local kept=() word skips=
	for word in "${needed[@]}"; do
		if [ -n "$skips" ]; then
			skips=
		elif [ "$word" = "$1" ]; then
			skips=yes
		else
			kept+=("$word")
		fi
	done
	needed=("${kept[@]}")
}

check_row()
{
	local verb=$1 status=$2 sentence=$3 word came
	shift 3
	words_of "$verb"
	for word; do without "$word"; done
	[ "$1" != WITHOUT ] || shift 2
	rm -f "$work/x.json"
	case " $* " in *" -o "* | *=*) ;; *) set -- "$@" -o "$work/x.json" ;; esac
	"$bench" "$verb" "${needed[@]}" "$@" >"$work/out" 2>"$work/err" </dev/null
	came=$?
	if [ $came -eq "$status" ] && [ ! -s "$work/out" ] && [ ! -e "$work/x.json" ] &&
		[ "$(grep -v 'no launcher has started this' "$work/err" | grep -c '^topomap-bench: ')" -eq 1 ] && grep -q -e "$sentence" "$work/err"; then
		pass
	else
		fail "topomap-bench $verb $*: status $came, not $status, or other words than '$sentence'"
		head -n 3 "$work/err"
	fi
}

# Every option of a verb's help has a row, by its long name or the short one.
check_whole()
{
	local verb short long
	for verb in collective lanes guidelines persistent calibrate run join; do
		"$bench" "$verb" --help | sed -n 's/^ \{2,6\}\(-[a-zA-Z]\)\{0,1\},\{0,1\} \{0,1\}\(--[a-z-]*\).*/\1 \2/p' |
			while read -r short long; do
				[ -n "$long" ] || { long=$short; short=$long; }
				grep -q -e "^$verb .* $long[ =]" -e "^$verb .* $short " <<<"$rows" || echo "$verb $long"
			done
	done
}

# MPICH begins alone in a fifth of the time
use_bench mpich || use_bench openmpi || finish
printf '%s\n' collective,algorithm,bytes bcast,native,8 >"$work/campaign.csv"
printf '%s\n' collective,algorithm,bytes bcast,native,8 neighbor_alltoall,linear,8 >"$work/neighbors.csv"
while IFS='|' read -r words sentence; do
	[ -n "$words" ] || continue
	words=${words//CAMPAIGN/$work/campaign.csv}
	# shellcheck disable=SC2086
	set -- ${words//NEIGHBORS/$work/neighbors.csv}
	verb=$1 status=$2
	shift 2
	check_row "$verb" "$status" "${sentence# }" "$@"
done <<<"$rows"
same "options without a row" "" "$(check_whole)"
finish
