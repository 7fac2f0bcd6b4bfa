#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A release as its user has it: the tarball, unpacked where there is no git, builds, checks and
# installs; and in another folder it becomes the same programs. Takes minutes: make check-dist.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
version=$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)
jobs=-j$(nproc 2>/dev/null || echo 1)
holds "make dist" make -s dist
for folder in one another-folder; do
	mkdir "$work/$folder"
	tar -xzf "build/topomap-$version.tar.gz" -C "$work/$folder" || exit 3
	holds "make in $folder" make -s "$jobs" -C "$work/$folder/topomap-$version" WERROR=-Werror all
done
one=$work/one/topomap-$version another=$work/another-folder/topomap-$version
for file in topomap topomap-probe libtopomap.a man/topomap.1 man/topomap-place.1; do
	[ ! -e "$one/build/$file" ] || holds "the same bits of $file in two folders" \
		cmp "$one/build/$file" "$another/build/$file"
done
for target in check-quick check-golden check-build; do
	holds "make $target" make -s "$jobs" -C "$one" "$target"
	tail -n 1 "$work/said" | sed "s/^/$target: /"
done
holds "make install" make -s -C "$one" DESTDIR="$work/files" PREFIX=/usr install
same "the installed version" "topomap $version" "$("$work/files/usr/bin/topomap" --version)"
holds "make uninstall" make -s -C "$one" DESTDIR="$work/files" PREFIX=/usr uninstall
same "what is left of it" "" "$(find "$work/files" ! -type d)"
finish
