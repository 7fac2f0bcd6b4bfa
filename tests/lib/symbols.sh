#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the library is to a linker: what it exports, needs and keeps. Oracles: the header, binutils,
# and compilers of C99, C11 and C++ that see nothing but the header.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
command -v readelf >/dev/null && command -v nm >/dev/null || { echo "skipped: no binutils here"; exit 77; }

# same WHAT WANTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
		diff <(echo "$2") <(echo "$3") | head -n 20
	fi
}

shared=$build/libtopomap.so
declared=$(sed 's|/\*.*\*/||; /^\/\*/,/\*\//d' include/topomap/topomap.h |
	grep -o '\btopomap_[a-z_]*(' | tr -d '(' | sort)
same "each function is declared once" "$(sort -u <<<"$declared")" "$declared"
same "exported: what the header declares, with the version of the release" \
	"$(printf '%s@@TOPOMAP_0\n' $declared)" \
	"$(nm -D --defined-only "$shared" | awk '$2 == "T" { print $3 }' | sort)"
same "exported: nothing else" "TOPOMAP_0" \
	"$(nm -D --defined-only "$shared" | awk '$2 != "T" { print $3 }' | sed 's/@.*//' | sort -u)"
same "Debian's table of symbols: the same, a line with the release in which it came" "$declared" \
	"$(sed -n 's/^ \(topomap_.*\)@TOPOMAP_0 [0-9.]*$/\1/p' packaging/debian/libtopomap0.symbols)"
same "the static library: the same" "$declared" \
	"$(nm -g --defined-only "$build/libtopomap.a" | awk 'NF == 3 { print $3 }' | sort)"
same "needed" "libc libhwloc libjansson libm" \
	"$(readelf -d "$shared" | sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p' | grep -v '^ld-' | sort | paste -sd ' ')"
same "the name that programs look for" "libtopomap.so.0" \
	"$(readelf -d "$shared" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"

# what a library must not do to the program that it is in; assert() is for mistakes of its own
forbidden='sigaction|signal|sigprocmask|raise|kill|abort|dup|dup2|dup3|fork|vfork|execv.*|posix_spawn.*|popen|system|exit|_exit|quick_exit|atexit|setenv|unsetenv|putenv|setlocale|chdir|umask|printf|puts|putchar|perror|stdout|stderr|pthread_.*|rand|srand|strtok|open|unlink|rename'
same "called: nothing that changes the process" "" \
	"$(nm -D --undefined-only "$shared" | awk '{ print $2 }' | sed 's/@.*//' | grep -Ex "($forbidden)(64)?")"
same "the check of what is called can fail" "signal" \
	"$(printf 'malloc\nsignal\n' | grep -Ex "($forbidden)(64)?")"
size_of() { echo $((0x$(readelf -SW "$shared" | sed 's/^ *\[ *[0-9]*\] *//' |
	awk -v name="$1" '$1 == name { print $5 }'))); }
# 8 bytes each of the C runtime: __dso_handle and completed.0
same "kept: no variable" "8 8" "$(size_of .data) $(size_of .bss)"

# the header alone, in each language
cat >"$work/program.c" <<'END'
#include <topomap/topomap.h>
int main(void)
{
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	struct topomap_search search = TOPOMAP_SEARCH_INIT;
	return launch.ranks || search.effort || !topomap_version();
}
END
strict="-Wall -Wextra -Wpedantic -Wshadow -Wundef -Werror -Iinclude"
for std in c99 c11 c17; do
	# shellcheck disable=SC2086
	same "the header as $std" "" "$(${CC:-cc} -std=$std $strict -o "$work/program" "$work/program.c" \
		-L"$build" -ltopomap 2>&1)"
done
same "a program finds the library" 0 "$(LD_LIBRARY_PATH=$build "$work/program"; echo $?)"
# shellcheck disable=SC2086
same "a program without the shared library" 0 "$(${CC:-cc} -std=c11 $strict -o "$work/program" \
	"$work/program.c" "$build/libtopomap.a" $(pkg-config --libs hwloc jansson) -lm 2>&1 &&
	"$work/program"; echo $?)"
if command -v "${CXX:-c++}" >/dev/null; then
	cp "$work/program.c" "$work/program.cc"
	for std in c++98 c++11 c++17; do
		# shellcheck disable=SC2086
		same "the header as $std" "" "$(${CXX:-c++} -std=$std $strict \
			-o "$work/program" "$work/program.cc" -L"$build" -ltopomap 2>&1)"
	done
fi
same "the version" "$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)" "$(
	echo '#include <topomap/topomap.h>
	int main(void) { return puts(topomap_version()) < 0; }' >"$work/version.c"
	${CC:-cc} -Iinclude -o "$work/version" "$work/version.c" -L"$build" -ltopomap &&
		LD_LIBRARY_PATH=$build "$work/version")"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
