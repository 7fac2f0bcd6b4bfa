#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The form of the C files is what clang-format 14 makes of .clang-format; releases differ in about
# twenty files, so another one is not asked. `format.sh` lists the files in another form,
# `format.sh -i` writes them.
cd "$(dirname "$0")/.." || exit 3
for program in "${CLANG_FORMAT:-clang-format-14}" clang-format; do
	version=$("$program" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	[ "$version" != 14 ] || break
done
if [ "$version" != 14 ]; then
	echo "skipped: the form is that of clang-format 14, here is ${version:-none}"
	exit 77
fi

jobs=$(nproc 2>/dev/null || echo 1)
files() { find . \( -path ./build -o -name .git \) -prune -o -name '*.[ch]' -print0; }
if [ "${1:-}" = -i ]; then
	files | xargs -0 -P "$jobs" -n 32 "$program" -i
	exit
fi
wrong=$(files | xargs -0 -P "$jobs" -n 32 "$program" --dry-run -Werror 2>&1 | sed -n 's/:[0-9:]* error:.*//p' | sort -u)
[ -z "$wrong" ] || { echo "not in the form of 'make format':"; echo "$wrong"; exit 1; }
