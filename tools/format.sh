#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The form of the C files is what clang-format 14 makes of .clang-format. `format.sh` shows what has
# another form, `format.sh -i` writes it. Other releases (15, 16 and 19 were tried) make the same of
# everything but #define, whose braces 14 takes for blocks: they are given the files with each of
# these fenced, and leave it as it stands. CLANG_FORMAT names the program.
cd "$(dirname "$0")/.." || exit 3
for program in ${CLANG_FORMAT:-clang-format-14 clang-format}; do
	version=$("$program" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	[ -z "$version" ] || break
done
if [ "${version:-0}" -lt 14 ]; then
	echo "skipped: the form is that of clang-format 14 or newer, here is ${version:-none}"
	exit 77
fi
made=$(mktemp) || exit 3
trap 'rm -f "$made" "$made.fenced"' EXIT

formatted() {
	if [ "$version" = 14 ]; then
		"$program" "$1"
		return
	fi
	awk '!inside && /^[ \t]*#[ \t]*define/ { print "// clang-format off"; inside = 1 }
	     { print }
	     inside && !/\\$/ { print "// clang-format on"; inside = 0 }' "$1" |
		"$program" --assume-filename="$1" >"$made.fenced" &&
		sed '/^[[:blank:]]*\/\/ clang-format o[nf]*$/d' "$made.fenced"
}

[ "$version" = 14 ] || echo "clang-format $version: the form of #define is left to 14"
said=$(find . \( -path ./build -o -name .git \) -prune -o -name '*.[ch]' -print0 |
	xargs -0 -P "$(nproc 2>/dev/null || echo 1)" -n 32 "$program" --dry-run -Werror 2>&1)
failed=$?
files=$(echo "$said" | sed -n 's/:[0-9:]* error:.*//p' | sort -u)
if [ $failed -ne 0 ] && [ -z "$files" ]; then
	echo "$said"
	exit 1
fi
status=0
for file in $files; do
	if ! formatted "$file" >"$made"; then
		echo "$file: $program failed"
		status=1
	elif cmp -s "$file" "$made"; then
		:
	elif [ "${1:-}" = -i ]; then
		cat "$made" >"$file" || status=1
	else
		diff -u --label "$file" --label "'make format'" "$file" "$made"
		status=1
	fi
done
exit $status
