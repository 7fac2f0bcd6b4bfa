#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap place --distribution against srun: a cluster of slurmctld and several slurmd on
# this machine, each of which believes in an imitated node; the same -n, -c, -m and --cpu-bind
# must give every task the same node and the same PUs, or be refused by both. Where tasks are
# fewer than nodes, they are asked for on as many: which nodes of a list srun leaves out is no
# distribution, and differs from release to release. Needs root, Slurm, munge, hwloc's lstopo and a C
# compiler. A sample unless WHOLE=1; SEED=N chooses another one.
. "$(dirname "$0")/slurm_cluster.bash"
first_port=17100 compared=0 refused=0 failed=0
launcher=slurm

# name, sockets, cores of each, threads of each, how many nodes
shapes='a 2 4 2 3
b 4 3 1 2
c 1 6 2 2'

# One request a line: node list, tasks, CPUs each, distribution, binding
combinations()
{
	local nodes tasks cpus dist bind
	while IFS='|' read -r nodes room; do
	for tasks in 1 2 3 5 8 11 16 $room; do
	for cpus in - 1 2 3 5; do
	for dist in block cyclic plane=2 plane=3 '*' block:block block:cyclic block:fcyclic \
		cyclic:block cyclic:cyclic cyclic:fcyclic block:cyclic:block block,Pack \
		block:block,Pack block:fcyclic,NoPack; do
	for bind in cores threads sockets none auto map_cpu:0,5*2,3 mask_cpu:0x3,f0,0xc*2; do
		echo "$nodes $tasks $cpus $dist $bind"
	done; done; done; done
	done <<-LIST
	a[1-3]|24 40 48
	b[1-2]|24 30
	c1|6 12
	a[1-2],b1,c[1-2]|34 56
	LIST
}

# Every STEP-th; it shares no factor with the 7 bindings and 15 distributions, of which some would be left out.
choose()
{
	awk -v step="${STEP:-$([ -n "$WHOLE" ] && echo 11 || echo 691)}" -v seed="${SEED:-1}" \
		'(NR * 7919 + seed) % step == 0'
}

# The first nodes of a list, as many as there are tasks
first_nodes()
{
	scontrol show hostnames "$1" | head -n "$2" | paste -s -d ,
}

# Lines "task node PUs"; the mask of all CPUs is no binding.
expect()
{
	local nodes tasks=$2 cpus=$3 dist=$4 bind=verbose,$5
	nodes=$(first_nodes "$1" "$tasks")
	local options=(-n "$tasks" -m "$dist" --cpu-bind="${bind%,auto}")
	[ "$cpus" = - ] || options+=(-c "$cpus")
	# what cannot be is refused at once, or waits for ever
	timeout 5 srun -w "$nodes" -N "$(scontrol show hostnames "$nodes" | wc -l)" \
		"${options[@]}" true </dev/null >"$work/said" 2>&1 || scancel -u root 2>/dev/null
	awk -v tasks="$tasks" '
	BEGIN { all["a"] = 16; all["b"] = 12; all["c"] = 12 }
	/^cpu-bind/ {
		node = $3; sub(/,/, "", node)
		pus = "unbound"
		for (i = 4; i <= NF; i++) if ($i == "mask") pus = members($(i + 1))
		split(pus, list, ",")
		if (length(list) == all[substr(node, 1, 1)] || /NONE/) pus = "unbound"
		print $5, node, pus
		lines++
	}
	END { if (lines != tasks) print "refused" }
	function members(hex,    i, k, out, digit, bit) {
		sub(/^0x/, "", hex)
		for (i = length(hex); i >= 1; i--) {
			digit = index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
			for (bit = 0; bit < 4; bit++) {
				if (digit % 2) out = out (out == "" ? "" : ",") k + bit
				digit = int(digit / 2)
			}
			k += 4
		}
		return out
	}' "$work/said" | sort -n >"$work/want"
	if grep -q refused "$work/want"; then
		echo refused >"$work/want"
	fi
}

# The MACHINE operands of a list of nodes
machines()
{
	scontrol show hostnames "$1" | sed "s|\(.\).*|$work/\1.xml|"
}

found()
{
	local nodes=$1 tasks=$2 cpus=$3 dist=$4 bind=$5
	local options=(--launcher "$launcher" -n "$tasks" -m "$dist" --cpu-bind "$bind")
	[ "$cpus" = - ] || options+=(-c "$cpus")
	# shellcheck disable=SC2046
	if topomap place $(machines "$nodes") --hosts "$nodes" "${options[@]}" -o "$work/placement" 2>"$work/reason"; then
		topomap inspect --table "$work/placement" | awk '
		/^rank +node/ { table = 1; bound = $NF == "bound"; next }
		table { print $1, $2, bound && $NF == "no" ? "unbound" : expand($4) }
		function expand(set,    n, part, i, k, ends, out) {
			n = split(set, part, ",")
			for (i = 1; i <= n; i++) {
				if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
				for (k = ends[1] + 0; k <= ends[2] + 0; k++)
					out = out (out == "" ? "" : ",") k
			}
			return out
		}'
	else
		echo refused
	fi >"$work/have"
}

start
srun --version | awk '{ split($2, v, "."); exit v[1] * 100 + v[2] < 2311 }' && launcher=slurm23.11
set -f
while read -r request; do
	# shellcheck disable=SC2086
	expect $request
	# shellcheck disable=SC2086
	found $request
	compared=$((compared + 1))
	! grep -q refused "$work/want" || refused=$((refused + 1))
	if ! cmp -s "$work/want" "$work/have"; then
		failed=$((failed + 1))
		if [ "$failed" -le 20 ]; then
			echo "FAILED  $request"
			! grep -q refused "$work/have" || cat "$work/reason"
			! grep -q refused "$work/want" || head -n 3 "$work/said"
			diff "$work/want" "$work/have" | head -n 6
		fi
	fi
done < <(combinations | choose)
echo "$compared requests compared with $(srun --version) as --launcher $launcher, $refused of them refused by both"
echo "$((compared - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt "$refused" ]
