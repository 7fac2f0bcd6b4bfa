#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make install` copies what was built and builds nothing, even where the environment is root's and
# knows no MPI; `make uninstall` removes that and nothing else.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
[ -x "$build/topomap" ] || { echo "skipped: $build/topomap is not built"; exit 77; }

root="$work/a root"
listed() { (cd "$root" && find . ! -type d | sed 's/^..//' | sort); }

# install_to VARIABLE...: as root after `sudo`: no variable is left, and a PATH with make's needs only
mkdir "$work/bin"
for program in sh make sed grep mkdir printf cmp install ln rm rmdir touch command nproc; do
	path=$(command -v "$program") && [ "${path#/}" != "$path" ] && ln -s "$path" "$work/bin/$program"
done
install_to()
{
	(umask 077; env -i PATH="$work/bin" make -s B="$build" DESTDIR="$root" "$@" install) \
		>"$work/log" 2>&1 || { fail "make install $*"; cat "$work/log"; }
}
uninstall_from()
{
	env -i PATH="$work/bin" make -s B="$build" DESTDIR="$root" "$@" uninstall >"$work/log" 2>&1 ||
		{ fail "make uninstall $*"; cat "$work/log"; }
}

probe=
[ ! -x "$build/topomap-probe" ] || grep -q '^MPICC ?= *$' "$build/mpi-variables" || probe=yes

version=$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)

# wanted BINDIR DATADIR MANDIR LIBDIR INCLUDEDIR: what has to be there, written down without the Makefile's list
wanted()
{
	{
		echo "$1/topomap"
		[ -z "$probe" ] || printf '%s\n' "$1/topomap-probe" "$1/topomap-bench"
		for page in man/*.in; do
			page=$(basename "$page" .in)
			case $page in
			topomap-probe.1 | topomap-bench*.1) [ -n "$probe" ] || continue ;;
			esac
			echo "$3/man${page##*.}/$page"
		done
		# each function has a page, if only one that refers to another
		sed 's|/\*.*\*/||; /^\/\*/,/\*\//d' include/topomap/topomap.h | grep -o '\btopomap_[a-z_]*(' |
			sed "s|\(.*\)(|$3/man3/\1.3|"
		for file in examples/*; do echo "$2/doc/topomap/$file"; done
		for program in topomap ${probe:+topomap-bench}; do
			echo "$2/bash-completion/completions/$program"
			echo "$2/zsh/site-functions/_$program"
			echo "$2/fish/vendor_completions.d/$program.fish"
		done
		[ -z "$probe" ] || echo "$4/topomap/$(cat "$build/mpi_run/record/library")/libtopomap-record.so"
		for file in .a .so .so.0 ".so.$version"; do echo "$4/libtopomap$file"; done
		echo "$4/pkgconfig/topomap.pc"
		echo "$5/topomap/topomap.h"
	} | sort
}

touch "$work/began"
install_to PREFIX=/usr LIBDIR=lib/x86_64-linux-gnu
same "what is installed under /usr" "$(wanted usr/bin usr/share usr/share/man \
	usr/lib/x86_64-linux-gnu usr/include)" "$(listed)"
same "what install changes in the build" "" "$(find "$build" -type f -newer "$work/began" \
	! -path "$build/tests/*" ! -path "$build/san/*" -name '*[!d]' -print | grep '\.[oa]$\|topomap')"
same "the library's link is the one that programs look for" "libtopomap.so.$version" \
	"$(readlink "$root/usr/lib/x86_64-linux-gnu/libtopomap.so.0")"
holds "what is installed runs" "$root/usr/bin/topomap" --version
same "programs are programs, and all can read the rest, whatever umask root has" "755 644 755" \
	"$(stat -c %a "$root/usr/bin/topomap" "$root/usr/share/man/man1/topomap.1" \
	"$root/usr/share/man/man1" | paste -sd ' ')"

# what was there before, beside and in the same folders
touch "$root/usr/bin/topo" "$root/usr/share/man/man1/topomap-other.1"
uninstall_from PREFIX=/usr LIBDIR=lib/x86_64-linux-gnu
same "what uninstall leaves" "usr/bin/topo usr/share/man/man1/topomap-other.1" \
	"$(listed | paste -sd ' ')"
rm -rf "$root"

install_to PREFIX=/opt/t BINDIR=/opt/bin DATADIR=data MANDIR=/opt/manual
same "folders of one's own" "$(wanted opt/bin opt/t/data opt/manual opt/t/lib \
	opt/t/include)" "$(listed)"
uninstall_from PREFIX=/opt/t BINDIR=/opt/bin DATADIR=data MANDIR=/opt/manual
same "what uninstall leaves of them" "" "$(listed)"
same "the folders that were its own" "" "$(cd "$root" && find . -name 'topomap*')"
rm -rf "$root"

if env -i PATH="$work/bin" DESTDIR="$root" PREFIX=/env make -s B="$build" install >"$work/log" 2>&1; then
	same "folders from the environment" "$(wanted env/bin env/share env/share/man env/lib \
		env/include)" "$(listed)"
else
	fail "make install with variables from the environment"
	cat "$work/log"
fi
for prefix in "/a b" rel ""; do
	if env -i PATH="$work/bin" make -s B="$build" DESTDIR="$work/wrong" PREFIX="$prefix" install \
		>"$work/log" 2>&1 || [ -e "$work/wrong" ]; then
		fail "PREFIX='$prefix' is refused before anything is written"
	else
		same "PREFIX='$prefix' is refused" \
			"PREFIX='$prefix': it is to be an absolute path without blanks" \
			"$(grep PREFIX= "$work/log")"
	fi
done
finish
