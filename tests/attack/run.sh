#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Random hostile command lines and files over all commands (attack.c), each held to the time and memory that
# tests/limits/costs gives its command at most, and to what every end of topomap must be. The lines are those of
# the golden cases that are no more than a command. ATTACK_SECONDS, SEED; ATTACK=NUMBER repeats one that was
# found, and shows it.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=${BUILD:-build}
case $build in /*) ;; *) build=$top/$build ;; esac
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
	for (i = 1; i <= count && word[i] != "topomap-bench"; i++) {
		if ($4 + 0 > seconds[word[i]]) seconds[word[i]] = $4 + 0
		if ($5 + 0 > mib[word[i]]) mib[word[i]] = $5 + 0
	}
}
END { for (name in seconds) print name, bound ? seconds[name] : 4 * seconds[name], bound * mib[name] }' \
	tests/limits/costs >"$work/costs"

# commands, without what follows them in a pipe, and without anything that only a shell knows
set -f
grep -rH --include=cmd '^topomap ' "$work/tests/cli/cases" |
	sed -e 's/ | .*//; s/ 2>&1//; s/ [12]\{0,1\}>.*//; s/\$scratch\///g' | grep -v '[|<>;&$`()\]' |
	while IFS= read -r found; do
		eval "set -- ${found#*/cmd:}" 2>/dev/null || continue
		shift
		costs=$(grep "^$1 " "$work/costs") || continue
		# shellcheck disable=SC2086 # two numbers
		printf '%s\t%s\t%s' "${found%%/cmd:*}" ${costs#* }
		printf '\t%s' "$@"
		echo
	done | sort -t"$(printf '\t')" -k4,4 >"$work/lines"
set +f
for command in $("$build/topomap" --generate commands); do
	cut -f 4 "$work/lines" | grep -qx -e "$command" || { echo "FAILED  no line attacks $command"; exit 1; }
done

if [ -n "$ATTACK" ]; then
	"$build/tests/attack/attack" "$build/topomap" "$work/lines" 0 "${SEED:-1}" "$ATTACK"
	status=$?
	kept=$build/attack/$ATTACK
	mkdir -p "$kept"
	find "$work" -name 'attacked*' -exec cp {} "$kept" \;
	echo "what it read and printed is in $kept"
	head -c 2000 "$kept/attacked.err"
	exit $status
fi

# it finds what there is to be found
while IFS= read -r wrong; do
	printf '#!/bin/sh\n%s\n' "$wrong" >"$work/wrong"
	chmod +x "$work/wrong"
	! "$build/tests/attack/attack" "$work/wrong" "$work/lines" 0 1 1 >"$work/log" || {
		echo "FAILED  nothing is wrong with $wrong"
		exit 1
	}
done <<'END'
exit 1
exit 5
echo one >&2; echo two >&2; exit 1
printf 'a \033[31m word\n' >&2; exit 1
printf 'a \302\233 word\n'
echo 'core/x.c:1: runtime error: overflow' >&2
echo 'out of memory' >&2; exit 3
kill -11 $$
END
"$build/tests/attack/attack" "$build/topomap" "$work/lines" "${ATTACK_SECONDS:-5}" "${SEED:-1}"
