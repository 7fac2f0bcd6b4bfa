#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Inputs without an end, or as long as one can be: what is wrong is refused where it is wrong, before the rest is
# read, and what is large is read or refused in little memory. The kernel counts memory and CPU time.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
export LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0
two='node:2 core:4'
topomap place "$two" -o job.json

# ends STATUS SENTENCE MIB COMMAND...: topomap COMMAND of standard input, which says SENTENCE, a pattern
ends()
{
	local status=$1 sentence=$2 mib=$3 found
	shift 3
	(ulimit -c 0 -t 20 -v $((mib * 1024)) && exec timeout 120 topomap "$@") >out 2>err
	found=$?
	if [ $found -eq "$status" ] && grep -q -e "$sentence" out err; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  topomap $*: status $found"
		head -c 300 err
	fi
}

# endless HEAD LINE: the one once, the other for ever
endless() { printf '%b' "$1"; yes "$(printf '%b' "$2")"; }

# a list is refused by its first wrong line
for reader in openmpi4 openmpi5 slurm hydra intel; do
	ends 1 ': <stdin>:1\(:[0-9]*\)\?: ' 128 place "$two" --from $reader:- < <(endless '' 'this is: no[ list')
done
ends 1 ': <stdin>:3\(:[0-9]*\)\?: ' 128 place "$two" --from openmpi4:- \
	< <(endless 'rank 0=n0 slot=0\nrank 1=n0 slot=1\n' 'rank 2=n0 slot=?')
ends 1 ': <stdin>:2\(:[0-9]*\)\?: ' 128 place "$two" --hostfile - < <(endless 'n0 slots=2\n' 'n1 slots=x')
ends 1 ': <stdin>:' 128 inspect - < <(endless '' '[[[[')
ends 1 ': <stdin>:' 128 inspect - < <(endless '{"kind": "placement",' 'x')

# where no line is wrong, a pipe may have what its job can need, in 160 MiB
pipe='bytes, which are the most that are read of a pipe; of a file'
ends 1 "<stdin>: it has more than 100065536 $pipe 4000000000 are" 160 suggest-rankfile --matrix - job.json < <(endless '' '1,2,3')
ends 1 "<stdin>: it has more than 100065536 $pipe 4000000000 are" 160 tree --matrix - job.json < <(endless '' '1 2 3 4 5 6 7 8')
ends 1 "<stdin>: it has more than 100008192 $pipe 4000000000 are" 160 place "$two" --from - < <(endless '' 'what a program prints')
ends 1 "<stdin>: it has more than 100008192 $pipe 4000000000 are" 160 place "$two" --from report-bindings:- < <(endless '' 'x')
ends 1 "<stdin>: it has more than 100008192 $pipe 1000000000 are" 160 place "$two" --from openmpi4:- < <(endless '' '# why')
ends 1 "<stdin>: it has more than 100008192 $pipe 1000000000 are" 160 place "$two" --from permutation:- < <(endless '' '# why')
ends 1 "<stdin>: it has more than 100000000 $pipe 1000000000 are" 160 place "$two" --hostfile - < <(endless '' '# why')
ends 1 "<stdin>: it has more than 100000000 $pipe 1000000000 are" 160 place "$two" --network - < <(endless '' '# why')
ends 1 '<stdin>: it has more than 10000000 bytes, which are the most that are read' 64 tune -l openmpi4 --lint - < <(endless '1\n' '1')
ends 1 '<stdin>: it has more than 100000000 bytes, which are the most that are read' 160 profile --from osu:- < <(endless '' '8 1.0')
ends 1 "<stdin>: it has more than 1173741824 $pipe 4000000000 are" 2304 suggest-rankfile --first --matrix - job.json < <(endless '' '1,2,3')

# what lines and ranges there are is read and judged in time that grows as they do
ends 0 'no mistakes' 160 tune -l openmpi4 --lint - < <(echo 0; yes '' | head -n 9000000)
ends 4 ': 1 mistake' 320 tune -l openmpi6 --lint - < <(
	echo '{"collectives": {"bcast": ['
	seq 40000 | sed 's/.*/{"comm_size_min": &, "comm_size_max": &, "rules": []},/'
	echo '{"comm_size_min": 1, "comm_size_max": 40000, "rules": []}]}}')

# and what it needs is read, as is what a file has
topomap place 'node:32 core:8' -o large.json
ends 0 'as launched' 1024 suggest-rankfile --matrix - --minimum-gain 100 large.json < <(endless '' '1,2,3' | head -n 20000000)
endless '' '1,2,3' | head -n 17000000 >list
ends 0 'as launched' 1024 suggest-rankfile --matrix list --minimum-gain 100 job.json

# a long one that is right is read: its first lines, alone, are not all
awk 'BEGIN { print "rank 0=n0 slot=0"; for (i = 60000; --i;) printf "rank %d=n%d slot=%d\n", i, i % 2, i % 4 }' >rankfile
ends 0 '"size": 60000' 512 place "$two" --from openmpi4:rankfile

# nor is what begins in them and ends behind them
{ echo 'rank 0=n0 slot=0 /* why:'; yes ' * of what was measured' | head -n 200000; echo '*/ rank 1=n1 slot=0'; } >rankfile
ends 0 '"size": 2' 512 place "$two" --from openmpi4:rankfile
ends 0 '"size": 2' 512 place "$two" --from openmpi5:rankfile
ends 1 ': <stdin>:1: the comment that begins here does not end' 512 place "$two" --from openmpi4:- \
	< <(head -n 200000 rankfile)
awk 'BEGIN { print "{\"map\": ["; for (i = 250000; --i;) print "[" i ", 1, 1, 1],"; print "[0, 1, 1, 1]]}" }' >taskmap
ends 0 '"size": 250000' 1024 place 'node:250000 core:1' --from flux:taskmap
awk 'BEGIN { print "{\"place_of\": ["; for (i = 350000; --i;) print i ","; print "0]}" }' >places
ends 0 '"size": 350000' 1024 place 'node:350000 core:1' --from permutation:places
{ printf 'rank 0=n0 slot=0\nrank 1=n0 slot\0'; yes 'rank 2=n0 slot=2' | head -n 200000; } >zero
ends 1 'zero:2:15: a zero byte: this is no text' 512 place "$two" --from openmpi4:zero
awk 'BEGIN { for (i = 300000; i--;) printf "n%d\n", i }' >hosts
ends 0 '"size": 300000' 1024 place 'node:300000 core:1' --hostfile hosts

# JSON that would take more memory than is made of it: a file is refused before any of it is
for again in 1, '{},' '[],' '"",'; do
	{ printf '{"a": ['; yes "$again$again$again$again" | head -c 150000000; } >large.json
	ends 1 'large.json: its values take more than 4000000000 bytes of memory' 64 inspect large.json
done
rm -f large.json

# an array of more ranks than the job has is cut as it comes
ranks=24000 head="{'descr': '<f8', 'fortran_order': False, 'shape': (24000, 24000), }"
printf '\223NUMPY\1\0\166\0%s%*s\n' "$head" $((117 - ${#head})) '' >large.npy
printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\040\100' >>large.npy
if truncate -s $((128 + 8 * ranks * ranks)) large.npy 2>/dev/null; then # it takes no place
	ends 0 'first cut nothing' 64 suggest-rankfile --matrix large.npy --first -o rankfile job.json
	ends 1 'large.npy: it is of 24000 ranks, but the job has 8' 64 suggest-rankfile --matrix large.npy job.json
	truncate -s 1G large.npy
	ends 1 'large.npy: the NumPy array is cut off: it has 1073741696 bytes of 24000 x 24000' 64 suggest-rankfile --matrix large.npy \
		--first job.json
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
