#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One definition of every name: all headers of core, and all headers with those of the MPI programs where
# there is an MPI compiler, can be included together, in either order; and the archives link whole,
# which two definitions of one name would not (an archive takes the first and is silent). The check
# proves that it can fail.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build} cc=cc
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
flags="-std=c11 -D_GNU_SOURCE -I. -fsyntax-only $(pkg-config --cflags hwloc jansson)"

# same WHAT WANTED-STATUS COMMAND...: does the command end well (0), or badly (1)?
same()
{
	what=$1 wanted=$2
	shift 2
	status=0
	"$@" >"$work/out" 2>&1 || status=1
	if [ "$status" -eq "$wanted" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $what"
		head -n 20 "$work/out"
	fi
}

# include FOLDER...: one C file with all their headers
include() { find "$@" -name '*.h' | sort | sed 's/.*/#include "&"/'; }

include core >"$work/core.c"
include core formats options cli >"$work/all.c"
# shellcheck disable=SC2086
{
	same "headers of core together" 0 cc $flags "$work/core.c"
	same "all headers together" 0 cc $flags "$work/all.c"
	same "headers of core backwards" 0 sh -c "sort -r '$work/core.c' >'$work/back.c' && cc $flags '$work/back.c'"
	echo 'struct tmap_error { int twice; };' >>"$work/core.c"
	same "a struct that is defined twice is found" 1 cc $flags "$work/core.c"
}

# whole ARCHIVE...: a program of all their objects
whole()
{
	echo 'int main(void) { return 0; }' >"$work/main.c"
	$cc -o "$work/main" "$work/main.c" -Wl,--whole-archive "$@" -Wl,--no-whole-archive \
		$(pkg-config --libs hwloc jansson libgvc libcgraph yaml-0.1) -lm
}
same "the archives link whole" 0 whole "$build/libtopomap-cli.a" "$build/libtopomap-inner.a"
cc=cc
if [ -n "$MPICC" ] && [ -e "$build/libtopomap-probe.a" ] && [ -e "$build/libtopomap-bench.a" ]; then
	include mpi_probe mpi_run >>"$work/all.c"
	# shellcheck disable=SC2086
	same "all headers with those of the MPI programs" 0 "$MPICC" $flags "$work/all.c"
	cc=$MPICC
	same "the archives link whole with those of the MPI programs" 0 whole "$build/libtopomap-bench.a" \
		"$build/libtopomap-operation.a" "$build/libtopomap-executor.a" "$build/libtopomap-probe.a" \
		"$build/libtopomap-cli.a" "$build/libtopomap-inner.a"
fi
echo 'int tmap_fail(void) { return 0; }' >"$work/twice.c"
cc -c -o "$work/twice.o" "$work/twice.c" && ar rcs "$work/libtwice.a" "$work/twice.o"
same "a function that is defined twice is found" 1 whole "$work/libtwice.a" "$build/libtopomap-inner.a"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
