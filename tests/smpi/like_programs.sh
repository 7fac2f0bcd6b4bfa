#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the loops of other benchmarks (--like) say is what these say themselves, number by number, on a
# simulated cluster whose times are exact. OSU= names a folder with the programs of OSU Micro-Benchmarks, and
# IMB= the program IMB-MPI1, both built by smpicc and smpicxx (the latter with -DSMPI_NO_OVERRIDE_MALLOC);
# without one of them it is skipped. Oracle: these programs.
. "$(dirname "$0")/common.bash"
[ -n "$OSU$IMB" ] || { echo "skipped: neither OSU nor IMB names programs built by smpicc"; exit 77; }
need_bench
passed=0 failed=0
config="$config --cfg=smpi/async-small-thresh:65536 --cfg=smpi/wtime:0"

cat >"$work/platform.xml" <<'END'
<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="10us"/>
</platform>
END
seq -f 'h%g' 0 3 >"$work/hosts"

# on RANKS PROGRAM ARGUMENT...
on() { smpirun -np "$1" -platform "$work/platform.xml" -hostfile "$work/hosts" $config "${@:2}" 2>"$work/log"; }

# ours RANKS COLLECTIVE BENCHMARK: "BYTES MIN AVG MAX" a line, in us
ours()
{
	topomap place "node:1 package:1 core:4" -n "$1" -o "$work/job.json" || exit 3
	on "$1" build/smpi/topomap-bench collective -c "$2" -a native -b 8..1MiB --like "$3" -i 10 -x 10 --seed 1 -f csv \
		--placement "$work/job.json" | awk -F, -v way="${3/-/_}" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ printf "%d %.2f %.2f %.2f\n", $column["bytes"], $column[way "_min_seconds"] * 1e6,
			$column[way "_avg_seconds"] * 1e6, $column[way "_max_seconds"] * 1e6 }' | sort -n
}

# theirs RANKS COLLECTIVE BENCHMARK: the same
theirs()
{
	local sync=on
	case $3 in
	osu) on "$1" "$OSU/osu_$2" -m 8:1048576 -f -i 10 -x 10 | awk '/^[0-9]/ { print $1, $3, $2, $4 }' ;;
	imb*)
		[ "$3" = imb ] || sync=off
		on "$1" "$IMB" -npmin "$1" -iter 10 -iter_policy off -sync $sync -msglog 3:20 "$2" |
			awk 'NF == 5 && /^ *[1-9][0-9]* +10 / { print $1, $3, $5, $4 }' ;;
	esac
}

for benchmark in ${OSU:+osu} ${IMB:+imb imb-nosync}; do
	for ranks in 2 4; do
		for collective in bcast allgather allreduce; do
			theirs $ranks $collective $benchmark >"$work/theirs"
			ours $ranks $collective $benchmark >"$work/ours"
			# the last digit is rounded twice
			if [ "$(wc -l <"$work/theirs")" = 18 ] && paste -d ' ' "$work/theirs" "$work/ours" | awk '
				{ for (i = 1; i <= 4; i++) bad += ($i - $(i + 4)) ^ 2 > 0.011 ^ 2 }
				END { exit bad > 0 }'; then
				passed=$((passed + 18))
			else
				failed=$((failed + 1))
				echo "FAILED  $collective on $ranks ranks, $benchmark: theirs and ours"
				paste "$work/theirs" "$work/ours" | head -n 20
			fi
		done
	done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
