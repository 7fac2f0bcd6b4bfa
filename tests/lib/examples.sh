#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples that need no MPI, built as users build them, with every warning an error. Oracle: the
# command line, for the same matrix and the same mapping.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=$PWD/${BUILD:-build}
PATH=$build:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

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

export PKG_CONFIG_PATH=$work LD_LIBRARY_PATH=$build
sed "s,@LIBDIR@,$build,; s,@INCLUDEDIR@,$top/include,; s,@VERSION@,0," lib/topomap.pc.in >"$work/topomap.pc"
for name in distance_matrix map_graph; do
	# shellcheck disable=SC2046
	${CC:-cc} -std=c11 -Wall -Wextra -Werror -pedantic -o "$work/$name" "examples/$name.c" \
		$(pkg-config --cflags --libs topomap) || exit 1
done
cp tests/data/job.json "$work"
tr , ' ' <tests/data/traffic.csv | sed 1d >"$work/edges"
cd "$work" || exit 3
topomap place 'node:3 package:2 [numa] core:3' --map-by node -o cyclic.json

for job in job cyclic; do
	for scale in process level; do
		same "the matrix of $job on the scale $scale" \
			"$(topomap inspect --matrix -s $scale -f csv $job.json | sed '1d; s/^[0-9]*,//')" \
			"$(./distance_matrix $job.json $scale)"
	done
	same "doubles are the numbers of $job" "$(./distance_matrix $job.json latency | tr , '\n')" \
		"$(./distance_matrix $job.json latency binary | od -An -v -w8 -t f8 |
			awk '{ printf "%.17g\n", $1 }')"
	# edges RANK PARENT SECONDS of the tree on that scale
	topomap tree -s latency -f json $job.json >tree.json
	same "seconds of $job" \
		"$(sed -n 's/^ *"distance": \[\(.*\)\].*/\1/p' tree.json | tr , '\n' | awk '{ printf "%.17g\n", $1 }')" \
		"$(awk -F , -v parent="$(sed -n 's/^ *"parent": \[\(.*\)\].*/\1/p' tree.json)" '
			BEGIN { split(parent, p, ",") }
			{ print p[NR] < 0 ? 0 : $(p[NR] + 1) }' <(./distance_matrix $job.json latency))"
done
same "an unknown scale is named, with status 1" "unknown scale 'nonsense' (one of: process, level, latency)"$'\n'1 \
	"$(./distance_matrix job.json nonsense 2>&1; echo $?)"
same "an unknown form: status 2" 2 "$(./distance_matrix job.json level xml 2>/dev/null; echo $?)"
same "a full disk is an error" 1 "$(./distance_matrix job.json >/dev/full 2>/dev/null; echo $?)"

topomap suggest-rankfile --launcher openmpi4 job.json --matrix edges --matrix-format list -o theirs.rankfile 2>/dev/null
topomap suggest-rankfile --launcher openmpi4 job.json --matrix edges --matrix-format list -f json >theirs.json 2>/dev/null
same "the graph has another mapping than the job" yes \
	"$(topomap place 'node:4 package:2 core:4' | topomap compare - theirs.json >/dev/null && echo yes)"
./map_graph job.json openmpi4 ours.rankfile <edges >report
same "the mapping of a graph" "$(sed -n 's/^ *"place_of": \[\(.*\)\].*/\1/p' theirs.json | tr , ' ')" \
	"$(sed -n 's/^places: //p' report)"
same "what is gained" "$(sed -n 's/^ *"gain": \([0-9.]*\).*/\1/p' theirs.json | awk '{ printf "%.1f", 100 * $1 }')" \
	"$(sed -n 's/^predicted time: \(.*\) % less/\1/p' report)"
same "the rankfile" "$(cat theirs.rankfile)" "$(cat ours.rankfile)"
same "the command" "mpirun -np 32 --rankfile ours.rankfile PROGRAM" "$(sed -n 3p report)"
same "a graph of other ranks is refused with its line" \
	"line 2: rank 32 is not one of the 32 ranks" \
	"$(printf '0 1 5\n32 0 1\n' | ./map_graph job.json openmpi4 none 2>&1)"
same "and a line of another form" "line 1: it is not FROM TO WEIGHT" \
	"$(echo '0 1 5 6' | ./map_graph job.json openmpi4 none 2>&1)"
same "a rank that is none in an int" "line 1: it is not FROM TO WEIGHT" \
	"$(echo '4294967296 1 5' | ./map_graph job.json openmpi4 none 2>&1)"
same "a rank with a fraction" "line 1: it is not FROM TO WEIGHT" \
	"$(echo '0 1.5' | ./map_graph job.json openmpi4 none 2>&1)"
same "a launcher that cannot do it: no file is left" "1 " \
	"$(./map_graph job.json nonsense none <edges >/dev/null 2>&1; echo "$? $(ls none 2>/dev/null)")"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
