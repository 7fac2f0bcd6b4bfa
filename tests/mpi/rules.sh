#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Does Open MPI do what rule files say that topomap tune writes, and what topomap says of others? For
# each rule the calls of one element less than it is for, of just as much, and of one more, on
# communicators of its size, are made, and their messages compared, pair by pair of ranks, with those of
# the algorithm that the file says (defaults.c, rules.awk). WHOLE=1: more jobs.
# Oracle: the library's own messages, counted inside of it (traffic.c), and its documentation of what
# the bytes of a rule are (rules.awk). It was run with Open MPI 4.1.4 and with 5.0.7, of Debian 12 and 13.
. "$(dirname "$0")/common.bash"

build_program()
{
	program=$work/defaults
	"mpicc.$mpi" -std=gnu11 -D_GNU_SOURCE -I. -rdynamic -o "$program" tests/mpi/defaults.c \
		tests/mpi/traffic.c tests/support/machines.c "$build/libtopomap-inner.a" -lm -ldl \
		>"$work/make" 2>&1 || { fail "defaults.c does not compile"; cat "$work/make"; return 1; }
}

# WHAT RULES RANKS BY LEAST [OPTION]...: at least LEAST calls, all as the file says; of three of those that
# are the library's own choice it may be unknown what that is
obeys()
{
	local what=$1 rules=$2 ranks=$3 by=$4 least=$5 alike unlike unknown
	shift 5
	# what is made of other collectives has the rules of those
	awk -v by="$by" -v ranks="$ranks" -f tests/mpi/rules.awk "$rules" |
		grep -v 'reduce_and_scatter\|reduce_bcast' | sort -k2,2n -s >"$work/plan"
	launch "$ranks" --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$rules" \
		"$@" "$program" "openmpi$openmpi_major" 1 "$work/plan" >"$work/out" 2>"$work/err"
	read -r alike unlike unknown <<<"$(sed -n \
		's/^\([0-9]*\) alike, \([0-9]*\) unlike, \([0-9]*\) unknown$/\1 \2 \3/p' "$work/out")"
	if [ "${unlike:-1}" -gt 0 ] || [ "${alike:-0}" -lt "$least" ] || [ "${unknown:-4}" -gt 3 ]; then
		fail "$what: ${alike:-no} calls alike, ${unlike:-no} unlike, ${unknown:-no} unknown"
		grep '^un' "$work/out" | head -n 20
		tail -n 3 "$work/err"
	else
		echo "$what: $alike calls alike"
		pass
	fi
}

# MACHINE RANKS LEAST [OPTION OF TUNE]...
tuned()
{
	local machine=$1 ranks=$2 least=$3
	shift 3
	topomap place "$machine" | topomap tune -l "openmpi$openmpi_major" --profile summit "$@" -o "$work/rules" 2>"$work/err" ||
		{ fail "no rules for $machine"; cat "$work/err"; return; }
	obeys "rules for $machine $*" "$work/rules" "$ranks" name "$least"
}

# Every algorithm of every collective by its number, one after the other; two have parts elsewhere
# (allreduce 2, reduce_scatter 1), one is a gather and a bcast (allgather 1), two limit requests (gather 3
# with messages of its own, alltoall 4), and some are for two ranks.
every_number()
{
	cat <<-'END'
	12
	0 1 8 4
	0 2 0 0
	1000 3 0 0
	2000 4 0 0
	8001 5 0 0
	2 1 8 5
	0 3 0 0
	1000 4 0 0
	2000 5 0 65536
	4001 6 0 0
	100003 1 0 0
	3 1 8 3
	0 1 0 0
	1001 2 0 0
	9000 3 0 0
	6 1 8 1
	0 4 0 0
	7 1 8 11
	0 1 0 0
	100 2 4 0
	1000 2 1 512
	2000 3 0 512
	3001 4 0 0
	4000 4 0 1024
	5000 5 0 2048
	6001 6 0 1024
	7000 7 0 1000
	8192 8 0 0
	9999 9 0 0
	8 1 8 2
	0 1 0 0
	65 2 0 0
	9 1 8 2
	0 1 0 0
	8008 2 0 0
	11 1 8 9
	0 1 0 0
	100 2 4 0
	1000 2 4 512
	2000 3 0 512
	3001 4 0 1024
	4000 5 0 0
	5000 5 0 2048
	6001 6 0 1024
	7000 7 0 0
	12 1 8 3
	0 2 0 0
	1003 3 0 0
	7777 4 0 0
	13 1 8 3
	0 2 0 0
	1003 3 0 0
	7777 4 0 0
	14 1 8 2
	0 2 0 0
	64 1 0 0
	15 1 8 2
	0 1 0 0
	8008 2 0 0
	END
}

# What the library makes of mistakes that topomap tune --lint finds: of a file that it ignores it says
# nothing, and the call is as if there was none; of an algorithm that cannot be the program ends.
mistaken()
{
	local what text
	echo "allgather 8 4000 1 0" >"$work/plan"
	while IFS='|' read -r what text; do
		printf '%b' "$text" >"$work/rules"
		if topomap tune -l "openmpi$openmpi_major" --lint "$work/rules" >"$work/lint" 2>&1; then
			fail "$what: --lint finds nothing"
			continue
		fi
		launch 8 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename \
			"$work/rules" "$program" "openmpi$openmpi_major" 1 "$work/plan" >"$work/out" 2>"$work/err"
		case $what:$(tail -n 1 "$work/out") in
		ignored*:'1 alike, 0 unlike, 0 unknown') pass ;;
		ignored*) fail "$what"; cat "$work/out" ;;
		ends*:*alike*) fail "$what: the program does not end"; cat "$work/out" ;;
		# mpirun loses the library's sentence now and then, and names where
		ends*) if grep -q 'MPI_ERR_\|MPI_Allgather\|show_help\.c' "$work/err"; then pass; else fail "$what"; cat "$work/err"; fi ;;
		esac
	done <<-'END'
	ignored, first size|1\n0\n1\n8\n1\n5 4 0 0\n
	ignored, too few rules|1\n0\n1\n8\n3\n0 4 0 0\n9 4 0 0\n
	ignored, no such collective|1\n99\n1\n8\n1\n0 4 0 0\n
	ends, no such algorithm|1\n0\n1\n8\n1\n0 9 0 0\n
	ends, an algorithm for two ranks|1\n0\n1\n2\n1\n0 6 0 0\n
	END
	[ "$openmpi_major" -gt 4 ] && return
	printf 'rule-file-version-2\n1\n0\n1\n8\n1\n0 4 0 0\n' >"$work/rules"
	launch 8 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename \
		"$work/rules" "$program" "openmpi$openmpi_major" 1 "$work/plan" >"$work/out" 2>"$work/err"
	same "a line of a version is ignored with all others" '1 alike, 0 unlike, 0 unknown' \
		"$(tail -n 1 "$work/out")"
}

if ! use_mpi openmpi || ! command -v mpicc.openmpi >/dev/null; then
	skip "there is no Open MPI to build a program with"
elif build_program; then
	tuned 'node:2 core:4' 8 100 -b 256KiB
	every_number >"$work/numbers"
	obeys "every number" "$work/numbers" 8 number 100
	mistaken
	if [ -n "${WHOLE:-}" ]; then
		tuned 'node:3 core:5' 15 100 -b 256KiB --profile xeon-omnipath
		tuned 'node:4 core:4' 16 100 -b 1MiB --profile epyc-slingshot
		tuned 'node:1 core:16' 16 40 -b 1MiB
		tuned 'node:16 core:1' 16 40 -b 256KiB --profile leonardo
		tuned 'node:2 package:2 core:4' 16 50 -b 256KiB --datatype float --comm row:3 --comm column:2
	fi
fi
finish
