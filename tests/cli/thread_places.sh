#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The cores on which piled-threads says that OpenMP binds the threads of ranks, and whether any is idle. Oracle:
# GNU libgomp, with as many threads and the same variables, asked for the places of its threads
# (omp_get_place_num) on a node that a preload imitates: two packages of four cores of two hardware threads.
# Where threads are bound without places, runtimes differ, and the finding is of those that bind to cores: these
# rows, OMP_PROC_BIND=close and =true alone, are held to one core a thread, and not to libgomp.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
export LC_ALL=C
passed=0 failed=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

cat >"$work/threads.c" <<'END'
#include <omp.h>
#include <stdio.h>
int main(void)
{
#pragma omp parallel
#pragma omp critical
	{
		int pus[64], place = omp_get_place_num();

		if (place < 0)
			printf("free\n");
		else
			omp_get_place_proc_ids(place, pus);
		for (int i = 0; place >= 0 && i < omp_get_place_num_procs(place); i++)
			printf("%d\n", pus[i]);
	}
	return 0;
}
END
cat >"$work/node.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	char *at = getenv("NODE_PUS");

	(void)thread;
	memset(set, 0, size);
	while (at && *at)
		CPU_SET_S(strtol(at, &at, 10), size, set);
	return 0;
}
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	return (void)thread, (void)size, (void)set, 0;
}
int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set)
{
	return (void)attr, (void)size, (void)set, 0;
}
long sysconf(int name)
{
	long (*real)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");

	return name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN ? 16 : real(name);
}
FILE *fopen(const char *name, const char *mode)
{
	FILE *(*real)(const char *, const char *) =
		(FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
	char path[512];

	snprintf(path, sizeof path, "%s%s", strncmp(name, "/sys/", 5) ? "" : getenv("NODE_ROOT"),
		 name);
	return real(path, mode);
}
FILE *fopen64(const char *name, const char *mode)
{
	return fopen(name, mode);
}
END
if ! "${CC:-cc}" -fopenmp -o "$work/threads" "$work/threads.c" 2>"$work/log" ||
	! ldd "$work/threads" | grep -q libgomp ||
	! "${CC:-cc}" -shared -fPIC -o "$work/node.so" "$work/node.c" -ldl 2>>"$work/log"; then
	tail -n 1 "$work/log"
	echo "skipped: no program with GNU's OpenMP can be built here"
	exit 77
fi
for pu in {0..15}; do
	topology=$work/files/sys/devices/system/cpu/cpu$pu/topology
	mkdir -p "$topology"
	echo "$((pu / 2 * 2))-$((pu / 2 * 2 + 1))" >"$topology/thread_siblings_list"
	echo "$((pu / 8 * 8))-$((pu / 8 * 8 + 7))" >"$topology/core_siblings_list"
	cp "$topology/core_siblings_list" "$topology/package_cpus_list"
	cp "$topology/thread_siblings_list" "$topology/core_cpus_list"
done

# oracle CORES THREADS VARIABLE=VALUE...: "CORES IDLE" of the cores of a rank, those that its threads are on and the others;
# "free" where nothing binds them
oracle()
{
	local cores=$1 count=$2 pus= used
	shift 2
	for core in $cores; do pus+=" $((2 * core)) $((2 * core + 1))"; done
	used=$(env -u GOMP_CPU_AFFINITY -u OMP_PLACES -u OMP_PROC_BIND "$@" OMP_NUM_THREADS="$count" \
		NODE_PUS="$pus" NODE_ROOT="$work/files" LD_PRELOAD="$work/node.so" "$work/threads" 2>/dev/null |
		awk -v own="$cores" '/free/ { free = 1 } { core[int($1 / 2)] }
			END {
				count = split(own, list, " ")
				for (i = 1; i <= count; i++) idle += !(list[i] in core)
				print free ? "free" : length(core) " " idle + 0
			}')
	echo "$used"
}

# ours CORES THREADS VARIABLE=VALUE...: the same of two such ranks, as piled-threads says it; "none" without a finding
ours()
{
	local cores=$1 count=$2 settings="\"OMP_NUM_THREADS\": \"$2\"" variable list
	shift 2
	for variable; do settings+=", \"${variable%%=*}\": \"${variable#*=}\""; done
	list=${cores// /,}
	printf 'rank %s slot=%s\n' 0=n0 "$list" 1=n0 "$list" >"$work/ranks"
	topomap place 'node:1 package:2 core:4 pu:2' --rankfile "$work/ranks" |
		sed "s/^  \"ranks\": {/  \"settings\": [{\"environment\": {$settings}}],\n&/" |
		topomap inspect -f json >"$work/seen.json" || echo failed
	awk '/"skipped"/ { exit } $1 == "\"name\":" { rule = $2 }
		rule == "\"piled-threads\"," && match($0, /"cores": [0-9]+/) { cores = substr($0, RSTART + 9, RLENGTH - 9) }
		rule == "\"piled-threads\"," && match($0, /"idle_cores": [0-9]+/) { idle = substr($0, RSTART + 14, RLENGTH - 14) }
		END { print cores == "" ? "none" : cores " " idle }' "$work/seen.json"
}

asked=0 found=0
while IFS='|' read -r words; do
	for cores in '0 1 2 3 4 5 6 7' '4 5 6 7' '1 2 3' '2 3 4 5'; do
		for count in 2 3 4 5; do
			# ranks with more threads together than PUs are another finding
			[ $((2 * count)) -le $((2 * $(wc -w <<<"$cores"))) ] || continue
			eval "set -- $words"
			want=$(oracle "$cores" "$count" "$@")
			got=$(ours "$cores" "$count" "$@")
			asked=$((asked + 1))
			case $want in
			free | *' 0') want=none ;;
			*) found=$((found + 1)) ;;
			esac
			case $words in
			OMP_PROC_BIND=close | OMP_PROC_BIND=true)
				all=$(wc -w <<<"$cores")
				[ "$count" -ge "$all" ] && want=none || want="$count $((all - count))" ;;
			esac
			if [ "$want" = "$got" ]; then
				passed=$((passed + 1))
			else
				fail "$count threads on cores $cores, $words: '$got', and not '$want'"
			fi
		done
	done
done <<'END'
OMP_PLACES=cores
OMP_PLACES=cores OMP_PROC_BIND=close
OMP_PLACES=cores OMP_PROC_BIND=spread
OMP_PLACES=cores OMP_PROC_BIND=true
OMP_PLACES=cores OMP_PROC_BIND=false
OMP_PLACES=cores OMP_PROC_BIND=master
OMP_PLACES=threads OMP_PROC_BIND=close
OMP_PLACES=threads OMP_PROC_BIND=spread
OMP_PLACES='cores(2)'
OMP_PLACES='threads(3)' OMP_PROC_BIND=spread
OMP_PLACES='{4:2}:4:2'
OMP_PLACES='{8},{4},{6}' OMP_PROC_BIND=close
OMP_PROC_BIND=close
OMP_PROC_BIND=spread,close
OMP_PROC_BIND=true
GOMP_CPU_AFFINITY='4-10:2'
GOMP_CPU_AFFINITY='8 4 6'
OMP_WAIT_POLICY=active
END
[ "$found" -gt 20 ] && [ "$found" -lt "$asked" ] || fail "of $asked jobs $found have something to be found"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
