#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What it gains to keep the schedule of a small collective, then its datatypes, and then its persistent
# requests, under Open MPI and MPICH: the median of three launches of 500 calls each, on as many ranks as
# there are CPUs, 16 at most (Bouhrour et al., figures 1 and 2, whose order is nothing > schedule >
# requests). Of an order that does not hold it is said at which depth; differences of less than 5 % count
# as equal, and so do datatypes on two ranks, whose messages are in one piece and need none. Wrong results
# of the library's own persistent collectives (MPICH 4.0) are passed over. LIBRARIES=openmpi takes one.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build} LC_ALL=C
export LC_ALL OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
ranks=$(nproc)
[ "$ranks" -le 16 ] || ranks=16
[ "$ranks" -ge 2 ] || { echo "two ranks want two CPUs"; exit 77; }
measured=

# measure LIBRARY LAUNCHER BENCH
measure()
{
	local launch collective algorithm
	for launch in 1 2 3; do
		while read -r collective algorithm; do
			"$2" -n "$ranks" "$3" persistent -c "$collective" -a "$algorithm" -b 4,64,1KiB,16KiB -i 500 \
				-o "$work/$collective.$launch.json" </dev/null >"$work/log" 2>&1
			case $? in
			0 | 4) ;; # a wrong result is in the document
			*) cat "$work/log"; return 1 ;;
			esac
		done <<-END
		bcast binomial_far
		gather binomial_far
		reduce binomial_far
		allreduce recursive_doubling
		END
	done
	for collective in bcast gather reduce allreduce; do
		"$3" join "$work/$collective".[123].json -f csv >"$work/csv" || return 1
		head -n 1 "$work/csv"
		sed '1d; s/"\([a-z_]*\),[^"]*"/\1/' "$work/csv" | sort -t, -k4,4n
	done | awk -F, -v library="$1" -v ranks="$ranks" '
		$1 == "collective" { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			call = $1 " " $4
			if (!(call in calls)) { calls[call] = ++count; name[count] = call }
			if ($column["correct"] == "false" && $2 != "native") { print "wrong result: " $0; exit 1 }
			us[call, $2 == "native" ? "native " $3 : $3] = $column["median_seconds"] * 1e6
		}
		function slower(a, b) { return a > 1.05 * b ? 1 : b > 1.05 * a ? -1 : 0 }
		END {
			if (!count) exit 1
			split("naive schedule blocking persistent", mode, " ")
			split("nothing schedule datatypes requests", depth, " ")
			printf "%-9s %-9s %6s %8s %8s %9s %8s %8s\n", "library", "operation", "bytes", "nothing",
				"schedule", "datatypes", "requests", "library"
			for (i = 1; i <= count; i++) {
				call = name[i]
				split(call, part, " ")
				worse = ""
				for (d = 2; d <= 4; d++) {
					change = ranks == 2 && d == 3 ? 0 : slower(us[call, mode[d - 1]], us[call, mode[d]])
					if (change < 0)
						worse = worse (worse ? ", " : "") depth[d] " slower than " depth[d - 1]
				}
				if (slower(us[call, "schedule"], us[call, "persistent"]) < 0 && !worse)
					worse = depth[4] " slower than " depth[2]
				said = worse ? worse : slower(us[call, "schedule"], us[call, "persistent"]) > 0 ? \
					"in order" : "equal behind " depth[2]
				small = part[2] <= 64
				holds[small] += said == "in order"
				equal[small] += said ~ /^equal/
				rows[small]++
				printf "%-9s %-9s %6d %8.2f %8.2f %9.2f %8.2f %8s  %s\n", library, part[1], part[2],
					us[call, "naive"], us[call, "schedule"], us[call, "blocking"],
					us[call, "persistent"], (call, "native persistent") in us ? \
					sprintf("%.2f", us[call, "native persistent"]) : "-", said
			}
			for (small = 1; small >= 0; small--)
				printf "%s, %s: in order in %d of %d, equal behind the schedule in %d, not so in %d\n",
					library, small ? "up to 64 bytes" : "more", holds[small], rows[small],
					equal[small], rows[small] - holds[small] - equal[small]
			print ""
		}'
}

echo "$ranks ranks; us; library: its own MPI_..._init; load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) CPUs"
bench=$build/topomap-bench
wanted=" ${LIBRARIES:-openmpi mpich} "
if [[ $wanted = *" openmpi "* ]] && command -v mpirun.openmpi >/dev/null && [ -x "$bench" ]; then
	measure openmpi mpirun.openmpi "$bench" || exit 1
	measured=yes
fi
bench=$build/mpich/topomap-bench
if [[ $wanted = *" mpich "* ]] && command -v mpirun.mpich mpicc.mpich >/dev/null; then
	env -u MAKEFLAGS -u MFLAGS make -s MPICC=mpicc.mpich B="$build/mpich" "$bench" || exit 1
	measure mpich mpirun.mpich "$bench" || exit 1
	measured=yes
fi
[ -n "$measured" ] || { echo "there is no Open MPI and no MPICH"; exit 77; }
