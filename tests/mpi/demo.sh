#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The demonstration goes the whole way with and without MPI, says so in few lines, leaves the
# pictures and files that it names, and shows the output of a step that fails.
. "$(dirname "$0")/common.bash"
mpi=demo
folder=build/demonstration
[ -x "$build/topomap" ] || { echo "skipped: $build/topomap is not built"; exit 77; }

# demo [PROGRAM]...: with these programs of the build
demo()
{
	rm -rf "$folder"
	mkdir -p "$folder"
	for program; do
		cp "$build/$program" "$folder" || exit 3
	done
	BUILD=$folder tools/demo.sh >"$work/out" 2>"$work/err"
}

# went_well: the status of demo was 0, and what it printed names files that are there
went_well()
{
	local status=$?
	same "$1: status and errors" "0 " "$status $(cat "$work/err")"
	same "$1: at most 40 lines" yes "$([ "$(wc -l <"$work/out")" -le 40 ] && echo yes)"
	same "$1: results that are empty" "" "$(cut -c 25-43 "$work/out" |
		sed -n 's/^\([a-z-]*\.[a-z]*\|log\/[0-9]*\) *$/\1/p' | while read -r file; do
			[ -s "$folder/demo/$file" ] || echo "$file"
		done)"
}

demo topomap
went_well "without MPI"
same "without MPI: its pictures" "$folder/demo/cluster-ring.svg $folder/demo/cluster-tree.svg" \
	"$(find "$folder/demo" -name '*.svg' | sort | paste -sd ' ')"

if use_mpi openmpi && [ "$probe" = "$top/$build/topomap-probe" ]; then
	demo topomap topomap-probe
	went_well "with Open MPI"
	same "with Open MPI: its pictures" 6 "$(grep -l '</svg>' "$folder"/demo/*.svg | wc -l)"
	same "with Open MPI: ranks that ran where they should" 2 "$(grep -c ' cmp ' "$work/out")"
fi

# a topomap that cannot score
demo topomap
cp "$build/topomap" "$folder/topomap-well"
cat >"$folder/topomap" <<'END'
#!/bin/sh
[ "$1" != score ] || { echo "no scores today"; exit 3; }
exec topomap-well "$@"
END
BUILD=$folder tools/demo.sh >"$work/out" 2>"$work/err"
same "the status of a demonstration that fails" 1 $?
same "what it shows" 'demo: this step failed with status 3; its command and output:
$ topomap score --collective allgather --bytes 64KiB cluster.json
no scores today' "$(cat "$work/err")"
rm -rf "$folder"
finish
