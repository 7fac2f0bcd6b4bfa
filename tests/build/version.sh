#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The version stands in core/base/version.h, and whatever else names it has it from there.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
[ -x "$build/topomap" ] || { echo "skipped: $build/topomap is not built"; exit 77; }
version=$(sed -n 's/.* TMAP_VERSION "\([0-9]*\.[0-9]*\.[0-9]*\)"$/\1/p' core/base/version.h)
date=$(sed -n 's/.* TMAP_VERSION_DATE "\([A-Z][a-z]* [0-9]*, 20[0-9]*\)"$/\1/p' core/base/version.h)
holds "version.h has a version and a date" test -n "$version" -a -n "$date"

same "topomap --version" "topomap $version" "$("$build/topomap" --version)"
if [ -x "$build/topomap-probe" ]; then
	same "topomap-probe --version" "topomap-probe $version" "$("$build/topomap-probe" --version)"
fi
same "the make's version" "build/topomap-$version.tar.gz" \
	"$(make -n dist | sed -n 's/^tools.dist.sh \(.*\)/build\/topomap-\1.tar.gz/p')"
for page in man/*.in; do
	page=$build/man/$(basename "$page" .in)
	[ -e "$page" ] || continue
	same "version and date of $page" ".Dd $date .Os topomap $version" \
		"$(grep '^\.Dd\|^\.Os' "$page" | paste -sd ' ')"
done

# In the change log what is not released yet, or this version, comes first.
same "the first section of CHANGELOG.md" yes "$(sed -n 's/^## \[\(.*\)\].*/\1/p' CHANGELOG.md |
	head -n 1 | grep -qx -e Unreleased -e "$version" && echo yes)"
# Packages name it as they must; tests/build/packages.sh compares.
# names FILE...: those that have the version as a word
names() { grep -lwF -e "$version" "$@"; }
# shellcheck disable=SC2046
same "files that repeat it" "core/base/version.h" "$(names $(find . \( -path ./build -o -name .git \
	-o -path ./tests/data -o -name '*.xml' -o -name CHANGELOG.md -o -path ./packaging \
	-o -path ./debian \) -prune -o -type f -print |
	sed 's/^..//') | sort | paste -sd ' ')"
echo "topomap-$version" >"$work/file"
same "a file that repeats it is found" "$work/file" "$(names "$work/file")"
finish
