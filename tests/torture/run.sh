#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every allocation of our own made to fail in turn, in every example of the command tables, and in
# a program of the library: the command must say so in one sentence with status 3 and leave no temporary file behind.
# TORTURE_RUNS bounds the runs for one example; a longer one is sampled evenly, each from an allocation of its
# own on, so that what two examples share fails in different places. WHOLE=1: 80 of an example, not 20.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=$PWD/${BUILD:-build}
PATH=$build:$build/tests/lib:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 measures= most=20 turn=0
[ -z "$WHOLE" ] || most=80
shopt -s nullglob
library=$work/fail_alloc.so
if ! ${CC:-cc} -shared -fPIC -D_GNU_SOURCE -I. -O1 -o "$library" tests/torture/fail_alloc.c 2>"$work/log"; then
	tail -n 1 "$work/log"
	echo "skipped: no C library here whose malloc can be replaced"
	exit 77
fi

# is_as_wanted: the output is that of the first run, but for measured times
is_as_wanted()
{
	if [ -n "$measures" ]; then
		# columns are as wide as their times
		cmp -s <(sed 's/[0-9].*//; s/  */ /g' "$work/want") <(sed 's/[0-9].*//; s/  */ /g' "$work/out")
	else
		cmp -s "$work/want" "$work/out"
	fi
}

# is_refused STATUS: by one sentence, of memory, beside notes
is_refused()
{
	local line sentences=0 memory=
	[ "$1" -eq 3 ] || return 1
	while IFS= read -r line; do
		case $line in
		*': no launcher has started'* | *': left out: '*) ;;
		*) sentences=$((sentences + 1)) ;;
		esac
		case $line in
		*memory*) memory=yes ;;
		esac
	done <"$work/err"
	[ $sentences -eq 1 ] && [ -n "$memory" ]
}

# torture LINE: one command without pipes, in the directory of the examples
torture()
{
	local total step n status left bad=0 runs=0 words
	eval "words=($1)"
	rm -f "$work/count"
	(cd "$work/job" && LD_PRELOAD=$library FAIL_COUNT=$work/count exec "${words[@]}") \
		>"$work/want" 2>"$work/err" </dev/null
	total=$(cat "$work/count")
	step=$((total / ${TORTURE_RUNS:-$most} + 1))
	for ((n = 1 + turn++ % step; n <= total; n += step)); do
		(cd "$work/job" && LD_PRELOAD=$library FAIL_AT=$n exec "${words[@]}") \
			>"$work/out" 2>"$work/err" </dev/null
		status=$?
		runs=$((runs + 1))
		left=("$work/job"/.topomap-*)
		# a refusal that costs nothing (a smaller buffer, a shorter hint) is as good
		if is_refused $status || { [ $status -eq 0 ] && is_as_wanted; }; then
			[ ${#left[@]} -gt 0 ] || continue
			echo "allocation $n of: $1: a temporary file is left"
			rm -f "${left[@]}"
		else
			echo "allocation $n of: $1: status $status"
			head -n 3 "$work/err"
		fi
		bad=$((bad + 1))
	done
	if [ $bad -eq 0 ] && [ $runs -gt 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: $bad of $runs refusals"
	fi
}

mkdir "$work/job"
cp tests/data/job.json tests/data/traffic.csv tests/data/osu.txt tests/data/stream.txt \
	tests/data/2package-4core.xml "$work/job"
mv "$work/job/2package-4core.xml" "$work/job/node.xml"
# networks of the four nodes of job.json: a graph without a common switch, one of several topologies
cat >"$work/job/topology.conf" <<'END'
SwitchName=s0 Nodes=n[0-1], LinkSpeed=1k
SwitchName=s1 Nodes=n1 Nodes=n[1-2]
SwitchName=s2 \
  Nodes=n3
SwitchName=u0 Switches=s[0-1]
SwitchName=u1 Switches=s[1-2]
END
cat >"$work/job/topology.yaml" <<'END'
- topology: flat
  cluster_default: true
  flat: true
- topology: torus
  torus3d:
    toruses:
      - name: p
        dims: {x: 2, y: 2, z: 1}
        nodes: n[0-3]
- topology: blocks
  block:
    blocks: [{block: b0, nodes: "n[0-1]"}, {block: b1, nodes: "n[2-3]"}]
END
printf 'RingName=r0 Nodes=n[0-1]\nRingName=r1 Nodes=n[2-3]\n' >"$work/job/rings.conf"
for command in $(topomap --generate commands); do
	[ "$command" != help ] || continue   # what the overview needs of memory is libc's
	while IFS= read -r line; do
		case $line in
		*[\|\;\&\<\>\$]*) ;;
		*) torture "$line" ;;
		esac
	done < <(topomap --generate examples "$command")
done
# logs: two jobs of two ranks, which are recognised; and threads, which are joined
for job in 1 2; do
	echo "Hello from rank 0, thread 0, on a. (core affinity = 0-1)"
	echo "Hello from rank 0, thread 1, on a. (core affinity = 1-2)"
	echo "Hello from rank 1, thread 0, on b. (core affinity = $job)"
done >"$work/job/log"
sed 's/rank/\x1b[1m&\x1b[0m/' "$work/job/log" >"$work/job/colours"
printf 'rank host cpus\n0 a 0-1\n1 b -\n' >"$work/job/table"
echo '[PE_0]: cpumask set to 2 cpus on a, cpumask = 0011' >"$work/job/mask"
printf 'mpibind: task %d nths 1 gpus  cpus %d\n' 0 0 1 1 >"$work/job/mpibind"
torture "topomap place 'node:2 core:4' --from log --job 2"
torture "topomap place 'node:2 core:4' --from ./colours --job 2"
for file in ./table mask ./mpibind; do
	torture "topomap place 'node:2 core:4' --from $file"
done
torture "topomap place 'node:2 core:4' --launcher flux -n 3 --cpu-bind per-task -m cyclic"
torture "topomap place 'node:2 core:4' --launcher flux -n 3 --cpu-bind 'map:0-1;0x8;0x0,0x4' \
	-m 'manual:[[1,1,2,1],[0,1,1,1]]'"
printf 'n1\nn[0-1]\n' >"$work/job/flux.hosts"
torture "topomap place 'node:2 core:4' --launcher flux --cores 4 --tasks-per-core 2 \
	-m hostfile:flux.hosts"
torture "topomap place 'node:2 core:4' --launcher cray --slots 2 --cpu-bind list:0,2:1-3 \
	--env MPICH_RANK_REORDER_METHOD=2"
torture "topomap place 'node:2 core:4' --launcher intel --slots 2 \
	--env 'I_MPI_PIN_DOMAIN=[0x3,0xc]'"
torture "topomap place 'node:1 package:2 core:4' --launcher intel -n 4 --env I_MPI_PIN_DOMAIN=core \
	--env I_MPI_PIN_ORDER=scatter"
printf 'n0 slots=2 max_slots=4\nn1 slots=2\nn0\n' >"$work/job/hosts"
torture "topomap place 'node:2 core:4' --launcher openmpi5 --hostfile hosts --map-by seq -n 3"
torture "topomap place 'node:2 core:4' --launcher openmpi5 --map-by seq:file=hosts -n 3"
torture "topomap place 'node:2 core:4' --launcher openmpi5 --app '-n 2 --host n1:2,n0 a' \
	--app '-n 1 --host n1 b'"
torture "topomap place 'node:2 core:4' --launcher openmpi5 --app '-n 1 --hostfile hosts a' --app '-n 1 b'"
torture "topomap place 'node:2 core:4' --app '-n 3 a' --app '-n 2 b'"
torture "topomap place 'node:2 core:4' --launcher hydra --app '-n 3 a' --app '-n 2 b'"
torture "topomap place job.json --network rings.conf"
for name in flat torus blocks; do
	torture "topomap place job.json --network topology.yaml --topology $name"
done
# adapters that the user names, of an XML with devices
cp tests/data/2package-devices.xml "$work/job/devices.xml"
topomap place "2*$work/job/devices.xml" >"$work/job/devices.json"
torture "topomap place devices.xml"
torture "topomap inspect --table --adapters 'ib[0-1],hfi*' devices.json"
torture "topomap inspect -f json --adapters all devices.json"
torture "topomap lanes --adapters mlx5_0 devices.json"
for what in placement tree ring hierarchy lanes score mapping; do
	torture "documents $what job.json"
done
cp tests/cli/cases/score-times/times.json "$work/job/measured.json"
for format in json text csv; do
	torture "topomap score -c allgather --times measured.json -f $format"
	torture "topomap score --times measured.json -f $format"
done
torture "topomap score --times measured.json -f svg"
cp tests/cli/cases/lanes-times/alltoall.json "$work/job/lane_times.json"
for format in json text csv svg; do
	torture "topomap lanes --times lane_times.json -f $format"
done
cp tests/cli/cases/guidelines-plots/joined.json "$work/job/guidelines.json"
torture "topomap guidelines --times guidelines.json --correction holm"
torture "topomap guidelines --measured guidelines.json"
torture "topomap score -c allgather --times measured.json -f svg --plot bandwidth"
for plot in overview focus; do
	torture "topomap guidelines --times guidelines.json -f svg --plot $plot"
done
for format in json text csv svg; do
	torture "topomap score -c allgather --sweep --times measured.json -f $format"
done
cp tests/cli/cases/record-files/halo.json "$work/job/halo.json"
torture "topomap suggest-rankfile --effort 1000 halo.json"
torture "topomap inspect halo.json"
torture "topomap inspect -f json halo.json"
torture "topomap inspect --traffic --against halo.json -f svg halo.json"
for format in text json csv; do
	torture "topomap lanes --add halo.json -f $format halo.json"
done
torture "topomap lanes -c bcast --adapters 4 halo.json"
if [ -x "$build/topomap-bench" ]; then
	cp tests/fuzz/seeds/times/two.json "$work/job/times.json"
	cp tests/fuzz/seeds/times/clock.json "$work/job/clock.json"
	cp tests/fuzz/seeds/times/left_out.json "$work/job/left_out.json"
	# another launch: its seed and its times are others
	sed 's/"seed": /&1/; s/"runs": \[/&0.00/g' "$work/job/clock.json" >"$work/job/other.json"
	for format in json text csv; do
		torture "topomap-bench join times.json times.json -f $format"
		torture "topomap-bench join clock.json clock.json -f $format"
		torture "topomap-bench join left_out.json -f $format"
		torture "topomap-bench join clock.json other.json -f $format"
	done
	# a job of one rank, without a launcher
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	measures=yes most=4
	[ -z "$WHOLE" ] || most=30
	torture "topomap-bench collective -c allreduce -b 8,1KiB -a ring -a native \
		-m blocking,persistent -i 2 --raw -f json"
	torture "topomap-bench collective -c bcast -b 8 -a native -i 2 --sync clock"
	# what is left out is kept, and said
	torture "topomap-bench collective -c allreduce -b 8 -a native -a swing -m blocking,persistent \
		-i 2 --off-cache 4KiB -f json"
	measures=
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
