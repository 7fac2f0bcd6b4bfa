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
export LC_ALL=C ASAN_OPTIONS="$ASAN_OPTIONS:exitcode=99" UBSAN_OPTIONS="exitcode=99:halt_on_error=1"
mkdir -p "$work/tests/cli"
cp -r tests/data "$work/tests" && cp -r tests/cli/cases tests/cli/bad "$work/tests/cli" || exit 3

# a sanitizer's program takes more than it uses
bound=1
(ulimit -v 4194304 && "$build/topomap" --version) >/dev/null 2>&1 || bound=0

# the most that any input of the command may cost
awk -F'|' -v bound=$bound '!/^#/ && NF > 4 {
	sub(/:.*/, "", $2)
	count = split($2, word, " ")
	for (i = 1; i <= count && word[i] != "topomap-bench"; i++) {
		if ($4 + 0 > seconds[word[i]]) seconds[word[i]] = $4 + 0
		if ($5 + 0 > mib[word[i]]) mib[word[i]] = $5 + 0
	}
}
END { for (name in seconds) print name, bound ? seconds[name] : 4 * seconds[name], bound * mib[name] }' \
	tests/limits/costs >"$work/costs"

# commands without anything that only a shell knows
grep -H '^topomap ' tests/cli/cases/*/cmd tests/cli/bad/*/cmd | grep -v '[]|<>;&$`(){}*?!\\]' |
	while IFS= read -r found; do
		folder=${found%%/cmd:*}
		eval "set -- ${found#*/cmd:}" 2>/dev/null || continue
		shift
		costs=$(grep "^$1 " "$work/costs") || { [ "$1" = help ] && costs="help 5 256"; } || continue
		printf '%s/%s\t%s\t%s' "$work" "$folder" $(echo "${costs#* }")
		printf '\t%s' "$@"
		echo
	done | sort -t"$(printf '\t')" -k4,4 >"$work/lines"
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

"$build/tests/attack/attack" "$build/topomap" "$work/lines" "${ATTACK_SECONDS:-5}" "${SEED:-1}"
