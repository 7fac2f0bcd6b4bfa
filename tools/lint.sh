#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `lint.sh STAMP COMMAND...` runs the command for one file and shows what it says if it fails; else
# it makes STAMP. Without arguments it looks at the shell scripts, and says which tools are missing.
cd "$(dirname "$0")/.." || exit 3
if [ $# -gt 0 ]; then
	stamp=$1
	shift
	mkdir -p "$(dirname "$stamp")"
	if "$@" >"$stamp.log" 2>&1; then
		mv "$stamp.log" "$stamp"
		exit 0
	fi
	cat "$stamp.log"
	exit 1
fi

for tool in clang-tidy gcc shellcheck; do
	command -v $tool >/dev/null || echo "lint: no $tool here"
done
# Sourced files share variables (SC2034, SC2154) and are found at run time (SC1090, SC1091);
# "a= b=" empties them (SC1007); $(words) are meant as several where they stand bare (SC2046).
! command -v shellcheck >/dev/null || find tools tests \( -name '*.sh' -o -name '*.bash' \) -print0 |
	xargs -0 shellcheck -x -S warning -e SC1007,SC1090,SC1091,SC2034,SC2046,SC2154 || exit 1
echo "lint: nothing found"
