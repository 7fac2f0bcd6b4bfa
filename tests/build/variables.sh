#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The variables of a packager reach every compiler's and linker's line, from the command line and
# from the environment; the Makefile's own cannot be lost by it; and a change of one builds again.
# The bits do not depend on the folder. Compilers are asked with make -n but for a few small files.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
# lines [NAME=VALUE]...: what make would run for all programs in a folder where nothing is built
lines()
{
	make -n B=build-nothing "$@" all unit-programs fuzz-programs 2>/dev/null |
		sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' |
		grep -E '^[^ ]*(cc|mpi)[^ ]* .* -o ' | grep -v -e '--generate'
}

for way in line environment; do
	set -- CC=my-cc MPICC=my-mpicc AR=my-ar PKG_CONFIG=true CPPFLAGS="-DONE='a b' -DTWO=\"3\"" \
		CFLAGS=-Omy LDFLAGS=-Wl,-z,my LDLIBS=-lmine
	if [ "$way" = line ]; then
		lines "$@" >"$work/all"
	else
		# shellcheck disable=SC2163
		(export "$@"; lines) >"$work/all"
	fi
	grep -e ' -c ' "$work/all" >"$work/compile"
	# what is joined into one object is not linked yet
	grep -v -e ' -c ' -e ' -r -nostdlib ' "$work/all" >"$work/link"
	holds "$way: hundreds of files are compiled, and tens of programs linked" \
		test "$(wc -l <"$work/compile")" -gt 300 -a "$(wc -l <"$work/link")" -gt 30
	same "$way: other compilers" "" "$(grep -v '^my-\(mpi\)\{0,1\}cc ' "$work/all")"
	same "$way: compiled without CPPFLAGS" "" "$(grep -vF -e "-DONE='a b' -DTWO=\"3\"" "$work/compile")"
	same "$way: compiled without CFLAGS" "" "$(grep -v -e ' -Omy ' "$work/compile")"
	same "$way: compiled with flags of the linker" "" "$(grep -e '-Wl\|-lmine' "$work/compile")"
	same "$way: linked without LDFLAGS" "" "$(grep -v -e ' -Wl,-z,my ' "$work/link")"
	same "$way: linked without LDLIBS" "" "$(grep -v -e ' -lmine' "$work/link")"
	same "$way: linked without CFLAGS" "" "$(grep -v -e ' -Omy ' "$work/link")"
	same "$way: without -Wall and the standard" "" "$(grep -v -e '-std=c11 .* -Wall ' "$work/compile")"
	same "$way: MPI programs without MPI's compiler" "" \
		"$(grep -e ' mpi_probe/[a-z_]*[.]c$\| mpi_run/bench/[a-z_]*[.]c$\|-o build-nothing/topomap-\(probe\|bench\)' "$work/all" |
			grep -v '^my-mpicc')"
done
same "-n makes no folder" no "$(test -e build-nothing && echo yes || echo no)"

# a part of the tree in two folders
part="Makefile man core/base"
for folder in a "b is longer"; do
	mkdir "$work/$folder"
	# shellcheck disable=SC2086
	tar -cf - $part | tar -xf - -C "$work/$folder"
done
set -- LIB_SOURCES=core/base/error.c MPICC= PKG_CONFIG=true build/libtopomap-inner.a
make_in() { (cd "$work/$1" && shift && exec make "$@" 2>&1); }
if make_in a "$@" >"$work/log" && make_in "b is longer" "$@" >>"$work/log"; then
	holds "the same bits from two folders" cmp "$work/a/build/libtopomap-inner.a" \
		"$work/b is longer/build/libtopomap-inner.a"
	same "what is built once is built" "" "$(make_in a "$@" | grep -v 'up to date')"
	for variable in CPPFLAGS=-DX CFLAGS=-O1 LDFLAGS=-s LDLIBS=-lm AR='ar ' "CPPFLAGS=-DX='\$\$ b'"; do
		make_in a "$variable" "$@" >"$work/log"
		holds "another $variable builds again" grep ' -c .*error[.]c' "$work/log"
		same "the same $variable does not" "" "$(make_in a "$variable" "$@" | grep -v 'up to date')"
	done
	same "of what is installed, the variables are those of the build" "" \
		"$(make_in a -n LIB_SOURCES=core/base/error.c install 2>"$work/said" | grep -e ' -c .*error[.]c')"
else
	fail "a part of the tree does not build"
	cat "$work/log"
fi
hardening="-O2 -g -fstack-protector-strong -Wformat -Werror=format-security"
holds "Debian's hardening" make_in a CFLAGS="$hardening" LDFLAGS='-Wl,-z,relro -Wl,-z,now' \
	CPPFLAGS='-Wdate-time -D_FORTIFY_SOURCE=2' WERROR=-Werror "$@"
finish
