#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make dist`: the files of the commit, and the same bits each time, from another folder, under
# another umask, and from an unpacked tarball, where there is no git.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
version=$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)
tarball=topomap-$version.tar.gz

# pack FOLDER: the tarball that `make dist` makes there, copied to $work/packed
pack()
{
	rm -f "$work/packed"
	make -s -C "$1" dist >"$work/log" 2>&1 && cp "$1/build/$tarball" "$work/packed" ||
		cat "$work/log"
}

# here are the files of the tree, be it a clone or an unpacked tarball
if [ -e .git ] && command -v git >/dev/null && git clone -q . "$work/clone" 2>"$work/log"; then
	git -C "$work/clone" ls-files | sort >"$work/files"
	touch "$work/clone/of no commit"
else
	mkdir "$work/clone"
	find . -path ./build -prune -o -type f -print0 | tar -c --null -T - -f - |
		tar -x -f - -C "$work/clone"
	(cd "$work/clone" && find . -type f | sed 's/^..//' | sort) >"$work/files"
fi
pack "$work/clone"
cp "$work/packed" "$work/first" || exit 1
tar -tzf "$work/first" | sed -n "s/^topomap-$version\///; /[^/]$/p" | sort >"$work/list"
same "the files of the tarball" "$(cat "$work/files")" "$(cat "$work/list")"
same "modes, owners and times" 1 "$(tar -tvzf "$work/first" --numeric-owner | grep -v '^d' |
	sed 's/^-rwxr-xr-x/-rw-r--r--/' | awk '{ print $1, $2, $4, $5 }' | sort -u | wc -l)"

mkdir "$work/another folder"
tar -xzf "$work/first" -C "$work/another folder"
unpacked="$work/another folder/topomap-$version"
mkdir "$unpacked/build"
touch "$unpacked/build/of no release"
(umask 077; pack "$unpacked")
holds "the tarball of an unpacked tarball is the same" cmp "$work/first" "$work/packed"
if [ -s "$work/clone/.git/HEAD" ]; then
	# in a folder of another project's git
	git init -q "$work/another folder"
	pack "$unpacked"
	holds "another project's git is not asked" cmp "$work/first" "$work/packed"
fi
chmod +x "$unpacked/README.md"
pack "$unpacked"
fails "a file that became a program is seen" cmp "$work/first" "$work/packed"
# a clone that git does not answer for (it is another user's, or broken) is no unpacked tarball
mkdir "$unpacked/.git"
fails "a clone that git refuses is not packed" sh "$unpacked/tools/dist.sh" "$version"
finish
