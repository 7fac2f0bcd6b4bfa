#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Random hostile command lines and files over all commands of topomap, and after them over all verbs of
# topomap-bench, topomap-probe and libtopomap-record.so (attack.c), each held to the time and memory that
# tests/limits/costs gives its command at most, and to what every end of topomap must be. The lines are those of
# the golden cases that are no more than a command, and of tests/attack/programs. ATTACK_SECONDS, SEED;
# ATTACK=NUMBER repeats one that was found, and shows it; ATTACK=mpi:NUMBER one of topomap-bench and the others.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=${BUILD:-build}
case $build in /*) ;; *) build=$top/$build ;; esac
attack=$build/tests/attack/attack
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset TOPOMAP_PROFILE TOPOMAP_SYNC
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=$top/tests/lsan.supp:print_suppressions=0}"
export LC_ALL=C ASAN_OPTIONS="$ASAN_OPTIONS:exitcode=99" UBSAN_OPTIONS="exitcode=99:halt_on_error=1"
mkdir -p "$work/tests/cli"
cp -r tests/data "$work/tests" && cp -r tests/cli/cases "$work/tests/cli" || exit 3

# a sanitizer's program takes more than it uses
bound=1
{ (ulimit -v 4194304 && "$build/topomap" --version) >/dev/null 2>&1; } 2>/dev/null || bound=0

# the most that any input of the command may cost
awk -F'|' -v bound=$bound 'BEGIN { seconds["help"] = 5; mib["help"] = 256 }
!/^#/ && NF > 4 {
	sub(/:.*/, "", $2)
	count = split($2, word, " ")
	prefix = ""
	for (i = 1; i <= count; i++) {
		if (word[i] == "topomap-bench") {
			prefix = "bench-"
			continue
		}
		name = prefix word[i]
		if ($4 + 0 > seconds[name]) seconds[name] = $4 + 0
		if ($5 + 0 > mib[name]) mib[name] = $5 + 0
	}
}
END { for (name in seconds) print name, bound ? seconds[name] : 4 * seconds[name], bound * mib[name] }' \
	tests/limits/costs >"$work/costs"

# line_of FOLDER COMMAND WORDS...: as attack reads them
line_of()
{
	local folder=$1 costs
	shift
	costs=$(grep -e "^$1 " "$work/costs") || return
	# shellcheck disable=SC2086 # two numbers
	printf '%s\t%s\t%s' "$folder" ${costs#* }
	printf '\t%s' "$@"
	echo
}

# commands, without what follows them in a pipe, and without anything that only a shell knows
set -f
grep -rH --include=cmd '^topomap ' "$work/tests/cli/cases" |
	sed -e 's/ | .*//; s/ 2>&1//; s/ [12]\{0,1\}>.*//; s/\$scratch\///g' | grep -v '[|<>;&$`()\]' |
	while IFS= read -r found; do
		eval "set -- ${found#*/cmd:}" 2>/dev/null || continue
		shift
		line_of "${found%%/cmd:*}" "$@"
	done | sort -t"$(printf '\t')" -k4,4 >"$work/lines"
set +f
for command in $("$build/topomap" --generate commands); do
	cut -f 4 "$work/lines" | grep -qx -e "$command" || { echo "FAILED  no line attacks $command"; exit 1; }
done

# what runs MPI, of which the sanitizers would judge the library
others=$work/tests/cli/cases/others programs=$top/tests/attack/programs.bash
if [ $bound -eq 1 ] && [ -x "$build/topomap-bench" ]; then
	mkdir "$others"
	(
		cd "$others" && "$build/topomap" place 'node:1 core:1' -o one.json &&
			cp "$top"/tests/fuzz/seeds/times/{two,like,clock}.json "$top/tests/data/job.json" . &&
			cp "$top/tests/fuzz/seeds/topology_conf/tree" tree.conf &&
			cp "$top/tests/fuzz/seeds/network/topology_yaml-torus" torus.yaml &&
			echo 'rank 0=localhost slot=0' >rankfile &&
			printf '%s\n' algorithm,collective,root,bytes,repetitions native,bcast,0,8,3 ring,allgather,,64,2 >campaign.csv
	) || exit 3
	set -f
	while read -ra words; do
		[ "${words[0]:-#}" = '#' ] || line_of "$others" "${words[@]}"
	done <tests/attack/programs | sort -s -t"$(printf '\t')" -k4,4 >"$work/programs"
	set +f
	for command in topomap-probe libtopomap-record $(cd man && ls topomap-bench-*.1.in | sed 's/^topomap-\(.*\)\.1\.in$/\1/'); do
		cut -f 4 "$work/programs" | grep -qx -e "$command" || { echo "FAILED  no line attacks $command"; exit 1; }
	done
fi
export BUILD=$build OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

if [ -n "$ATTACK" ]; then
	case $ATTACK in
	mpi:*) "$attack" "$programs" "$work/programs" 0 "${SEED:-1}" "${ATTACK#*:}" ;;
	*) "$attack" "$build/topomap" "$work/lines" 0 "${SEED:-1}" "$ATTACK" ;;
	esac
	status=$?
	kept=$build/attack/$ATTACK
	mkdir -p "$kept"
	cp "$work"/tests/cli/cases/attacked/attacked* "$kept"
	echo "what it read and printed is in $kept"
	head -c 2000 "$kept/attacked.err"
	exit $status
fi

fail() { echo "FAILED  $*"; exit 1; }

# judged PROGRAM ARGUMENTS: what attack says of this in the place of topomap
judged()
{
	printf '#!/bin/sh\n%s\n' "$1" >"$work/program"
	chmod +x "$work/program"
	shift
	"$attack" "$work/program" "$@" >"$work/log" 2>&1
}
# a_line SECONDS WORDS...: as of a golden case, of that time
a_line()
{
	printf '%s\t%s\t0' "$(head -n 1 "$work/lines" | cut -f 1)" "$1"
	shift
	printf '\t%s' "$@"
	echo
}

# it finds what there is to be found
while IFS='|' read -r sentence wrong; do
	judged "$wrong" "$work/lines" 0 1 1
	[ $? -eq 1 ] && grep -q "^attack 1: $sentence" "$work/log" || fail "$wrong is not: $sentence"
done <<'END'
it is refused, but not by one sentence|exit 1
it is refused, but not by one sentence|echo one >&2; echo two >&2; exit 1
it is refused, but not by one sentence|printf 'one\ntwo\nthree\nfour\n    ^ five\n' >&2; exit 1
it is refused, but not by one sentence|printf 'one\ntwo\n    ^ three\n' >&2; exit 1
a status that no manual page has|exit 5
a control character in a message|printf 'a \033[31m word\n' >&2; exit 1
a control character in a message|printf 'a \0 word\n' >&2; exit 1
a control character in the answer|printf 'a \302\233 word\n'
a control character in the answer|printf 'a word\n\0'
a sanitizer's message|echo 'core/x.c:1: runtime error: overflow' >&2
a sanitizer's message|printf '\0\ncore/x.c:1: runtime error: overflow\n' >&2
it takes more memory|echo 'out of memory' >&2; exit 3
Segmentation fault|kill -11 $$
END
a_line 1 place >"$work/line"
judged 'while :; do :; done' "$work/line" 0 1 1
grep -q '^attack 1: it takes more time' "$work/log" || fail "a loop does not take more time"

# a file that is there after a failure, however it is asked for
writer='while [ $# -gt 0 ]; do case $1 in -o | --output) shift; file=$1 ;; --output=*) file=${1#*=} ;; -o*) file=${1#-o} ;; esac
[ $# -eq 0 ] || shift; done; [ -z "$file" ] || : >"$file"; echo sorry >&2; exit 1'
for words in '-o x' '-ox' '--output x' '--output=x' '-o x --output=y' '-ox -o y'; do
	# shellcheck disable=SC2086 # words
	a_line 5 place $words >"$work/line"
	for number in {1..20} none; do
		judged "$writer" "$work/line" 0 1 $number
		! grep -q "^attack $number: a file although it failed" "$work/log" || break
	done
	[ $number != none ] || fail "$words is no output"
done

# and nothing else
while IFS= read -r innocent; do
	judged "$innocent" "$work/lines" 0 1 1 || fail "$innocent is wrong: $(cat "$work/log")"
done <<'END'
exit 0
printf 'Note: a word\none sentence\n' >&2; exit 1
printf 'not a machine:\nnode:1 x\n       ^ what is x\n' >&2; exit 1
printf '\211PNG\0\1\2'
END

# what one run writes the next one does not find
a_line 5 place >"$work/line"
judged '[ ! -e left ] || exit 5; : >left' "$work/line" 1 1 || fail "a file is left: $(cat "$work/log")"

# and nothing is judged where nothing is tried
for words in '0 1' 'word 1' '1 word' '0 1 word'; do
	# shellcheck disable=SC2086 # words
	judged 'exit 0' "$work/lines" $words
	[ $? -eq 2 ] || fail "attack takes $words"
done

"$attack" "$build/topomap" "$work/lines" "${ATTACK_SECONDS:-5}" "${SEED:-1}"
status=$?
if [ -s "$work/programs" ]; then
	echo "topomap-bench, topomap-probe, libtopomap-record.so (ATTACK=mpi:NUMBER):"
	"$attack" "$programs" "$work/programs" "${ATTACK_SECONDS:-5}" "${SEED:-1}" || status=1
fi
for folder in data cli/cases; do
	diff -rq -x attacked -x others "tests/$folder" "$work/tests/$folder" || fail "topomap wrote what nobody named"
done
exit $status
