#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Does coll/han of Open MPI do what rules of topomap tune --han say? 16 ranks on four hosts: calls of an element
# less than a rule is for, of just as much, and of one more. Oracle: the library's own messages, pair by pair
# of ranks, as counted inside of it (tests/mpi/traffic.c): with the file they are those of coll/han where
# it says han, else those of coll/tuned, each of which has them all in a job of its own.
#
# Open MPI 4.1.4 crashes where another component has an allreduce, as --lint says, so it gets no such rules.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts

hosts_need
use_collectives || finish
hosts_start a="core:4 pu:1" b="core:4 pu:1" c="core:4 pu:1" d="core:4 pu:1"
trap 'hosts_stop; rm -rf "$work"' EXIT

asked=allgather,bcast,gather,reduce,scatter,barrier
[ "$openmpi_major" -lt 5 ] || asked=$asked,allreduce

# RULES: "number collective bytes root component" of the calls at each rule for 16 ranks; elements are bytes
plan_of()
{
	awk '
		function take() { return word[at++] }
		BEGIN { split("allgather - allreduce - - - barrier bcast - gather - reduce - - - scatter", names) }
		{ sub(/#.*/, ""); for (i = 1; i <= NF; i++) word[count++] = $i }
		END {
			for (collectives = take(); collectives > 0; collectives--) {
				name = names[take() + 1]
				take(); take()
				for (sizes = take(); sizes > 0; sizes--) {
					ranks = take()
					rules = take()
					for (r = 0; r < rules; r++) { bytes[r] = take(); component[r] = take() }
					if (ranks != 16)
						continue
					for (r = 0; r < rules; r++)
						for (d = -1; d <= 1; d++) {
							size = name == "barrier" ? 0 : bytes[r] + d
							if (size < 1 && name != "barrier")
								continue
							at_rule = 0
							for (i = 0; i < rules; i++)
								if (bytes[i] <= size)
									at_rule = i
							print ++number, name, size, 0, component[at_rule]
						}
				}
			}
		}' "$1"
}

# OUT OPTION...: the messages of all calls of the plan
run()
{
	local out=$1
	shift
	cut -d' ' -f1-4 "$work/plan" >"$work/calls"
	hosts_openmpi --host "$(hosts_slots 4)" --map-by slot -np 16 --mca coll_tuned_use_dynamic_rules 1 \
		--mca coll_tuned_dynamic_rules_filename "$work/rules" "$@" "$collectives" traffic "$work/calls" \
		>"$out" 2>"$work/err" </dev/null || { fail "$*: $(tail -5 "$work/err")"; return 1; }
}

# PROFILE LEAST: at least LEAST changes from one component to the other
obeys()
{
	local number collective bytes root component got changes=0 alike='' before='' name=''
	topomap tune -l openmpi5 -c "$asked" -b 16KiB --datatype 1 --profile "$1" --han "$work/han" -o "$work/rules" \
		"$work/job.json" 2>"$work/err" || { fail "no rules by $1: $(cat "$work/err")"; return; }
	[ "$openmpi_major" -ge 5 ] || # it has fewer algorithms
		topomap tune -l openmpi4 -c "$asked" -b 16KiB --datatype 1 --profile "$1" -o "$work/rules" \
			"$work/job.json" 2>"$work/err" || { fail "no rules by $1: $(cat "$work/err")"; return; }
	plan_of "$work/han" >"$work/plan"
	run "$work/tuned" --mca coll_han_priority 0 && run "$work/itself" --mca coll_han_priority 35 &&
		run "$work/file" --mca coll_han_priority 35 --mca coll_han_use_dynamic_file_rules 1 \
			--mca coll_han_dynamic_rules_filename "$work/han" || return
	while read -r number collective bytes root component; do
		for got in tuned itself file; do
			grep -a "^$number," "$work/$got" | sort >"$work/of.$got"
		done
		cmp -s "$work/of.tuned" "$work/of.itself" && alike="$alike $collective:$bytes"
		same "$collective of $bytes bytes by $1 is for $component" \
			"$(cat "$work/of.${component/#han/itself}")" "$(cat "$work/of.file")"
		[ "$collective" != "$name" ] || [ "$component" = "$before" ] ||
			cmp -s "$work/of.tuned" "$work/of.itself" || changes=$((changes + 1))
		name=$collective before=$component
	done <"$work/plan"
	echo "by $1: $(wc -l <"$work/plan") calls, $changes changes of the component; both send the same in:${alike:- none}"
	if [ "$changes" -ge "$2" ]; then pass; else fail "by $1 the component changes $changes times"; fi
}

# Of mistakes that --lint finds: the library takes none of the rules, or the program ends.
mistaken()
{
	local what text
	echo "1 gather 1000 0 tuned" >"$work/plan"
	cp "$work/itself.gather" "$work/wanted"
	while IFS='|' read -r what text; do
		printf '%b' "$text" >"$work/han"
		if topomap tune -l openmpi4 --lint "$work/han" >"$work/lint" 2>&1; then
			fail "$what: --lint finds nothing"
		fi
		run "$work/file" --mca coll_han_priority 35 --mca coll_han_use_dynamic_file_rules 1 \
			--mca coll_han_dynamic_rules_filename "$work/han" || continue
		same "$what: none of the rules is taken" "$(cat "$work/wanted")" "$(sort "$work/file")"
	done <<-'ENDED'
	first size|1\n9\n1\n2\n1\n1\n1\n2 tuned\n
	first ranks|1\n9\n1\n2\n1\n2\n1\n0 tuned\n
	component|1\n9\n1\n2\n1\n1\n1\n0 tune\n
	component by number|1\n9\n1\n2\n1\n1\n1\n0 3\n
	level|1\n9\n1\n3\n1\n1\n1\n0 tuned\n
	the end|2\n9\n1\n2\n1\n1\n1\n0 tuned\n
	ENDED
}

topomap place "node:4 core:4 pu:1" -o "$work/job.json"
obeys summit 2
obeys epyc-slingshot 2
echo "1 gather 1000 0 han" >"$work/plan"
run "$work/itself" --mca coll_han_priority 35 && sort "$work/itself" >"$work/itself.gather" && mistaken
finish
