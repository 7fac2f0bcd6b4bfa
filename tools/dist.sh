#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `dist.sh VERSION` writes build/topomap-VERSION.tar.gz: the files of the commit that is checked
# out, or in an unpacked tarball all its files but build/. The same files give the same bits: names
# are sorted, owners are 0, and every file is as old as the commit.
set -eu
umask 022
cd "$(dirname "$0")/.."
name=topomap-$1
tree=$PWD/build/dist/$name
rm -rf "$tree"
mkdir -p "$tree"
# a .git above this folder is another project's; with one of its own git's word is final
if [ -e .git ]; then
	prefix=$(git rev-parse --show-prefix)
	[ -z "$prefix" ] || { echo "dist: git does not know the .git of this folder" >&2; exit 3; }
	[ -z "$(git status --porcelain)" ] || echo "dist: what is not committed is left out" >&2
	git archive HEAD | tar -x -f - -C "$tree"
	time=$(git log -1 --format=%ct)
else
	find . \( -path ./build -o -name .git \) -prune -o -type f -print0 | tar -c --null -T - -f - | tar -x -f - -C "$tree"
	time=$(stat -c %Y core/base/version.h)
fi
tar -c --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	--mtime="@$time" -f build/dist/tar -C build/dist "$name"
gzip -9 -n <build/dist/tar >"build/$name.tar.gz"
rm -rf "$tree" build/dist/tar
echo "build/$name.tar.gz"
