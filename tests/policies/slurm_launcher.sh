#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What suggest-rankfile --launcher slurm writes, run by srun on a cluster of imitated nodes: the
# SLURM_HOSTFILE, the list of --cpu-bind, and the script where one list cannot serve all nodes.
# Oracle: the node and the mask of every task that srun --cpu-bind=verbose reports; for the
# script, what it hands to taskset. A probe that srun started names it and its release, by which the
# launcher is chosen; what lint offers then, srun takes.
. "$(dirname "$0")/slurm_cluster.bash"
. tests/mpi/fixes.bash
first_port=17200 passed=0 failed=0 skipped=0

# sockets, cores, threads, nodes; the hardware threads of e are numbered as Linux does it
shapes='d 2 2 1 3
e 2 2 2 2 (indexes=0,4,1,5,2,6,3,7)'

same()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/    /' | head -n 12
	fi
}

# The command line that was printed; srun takes the nodes from the file, and refuses --nodelist.
follow()
{
	local words
	words=$(sed -n 's/^  SLURM_HOSTFILE=[^ ]* srun \(.*\) PROGRAM$/\1/p' "$work/table")
	words=${words/--cpu-bind=/--cpu-bind=verbose,}
	eval "SLURM_HOSTFILE=$work/file timeout 10 srun $words true" \
		>"$work/said" 2>&1 </dev/null
}

# PLACE'S OPTION...: placed on d1 to d3 or e1 and e2
check_list()
{
	local kind=$1 nodes=$2
	shift 2
	topomap place "$(scontrol show hostnames "$nodes" | wc -l)*$work/$kind.xml" --hosts "$nodes" \
		"$@" >"$work/job.json" || exit 3
	topomap suggest-rankfile -m identity -l slurm "$work/job.json" -o "$work/file" \
		2>"$work/table" || cat "$work/table"
	follow
	topomap place "$(scontrol show hostnames "$nodes" | wc -l)*$work/$kind.xml" --hosts "$nodes" \
		--cpu-bind-verbose "$work/said" 2>&1 |
		topomap compare --expect "$work/job.json" - >"$work/out" 2>&1
	same "$nodes $*" "moved     no rank" "$(grep '^moved\|: ' "$work/out")"
}

start
check_list d 'd[1-3]' --map-by node
check_list d 'd[1-3]' --order package,node,core
check_list e 'e[1-2]' --map-by node
check_list e 'e[1-2]' --map-by core --bind-to hwthread -n 11
check_list e 'e[1-2]' --map-by socket --bind-to socket

# TEXT: a hostfile of two tasks, and the nodes that srun and topomap give them; nothing if refused
srun_nodes()
{
	printf "$1" >"$work/hosts"
	# shellcheck disable=SC2016
	SLURM_HOSTFILE=$work/hosts timeout 10 srun -m arbitrary -n 2 sh -c \
		'echo "$SLURM_PROCID $SLURMD_NODENAME"' 2>/dev/null </dev/null | sort
}
topomap_nodes()
{
	topomap place "3*$work/d.xml" --hosts 'd[1-3]' -n 2 --from "slurm:$work/hosts" \
		2>"$work/table" >"$work/job.json" &&
		topomap inspect -f json --table "$work/job.json" |
		sed -n 's/^ *{"rank": \([0-9]*\), "node": "\([^"]*\)".*/\1 \2/p'
}
for text in 'd1\nd2\n' 'd3,d1' 'd1 , d2\n' 'd1,,d2,\n' '# d3\nd1 # d3\n\nd2\n' 'd2*2\n' 'd1 \t\nd2\n'; do
	wanted=$(srun_nodes "$text")
	same "srun reads $text" 2 "$(echo "$wanted" | wc -l)"
	same "topomap reads it as srun does: $text" "$wanted" "$(topomap_nodes)"
done
for text in 'd1 d2\n' 'd1\td2\n' 'd1*1 d2\n' 'The quick d1\nd2\n' ' d1\nd2\n' 'd1.\nd2\n' 'D1\nd2\n' \
	'd[1-2]\n' 'd1*0\nd2\n' 'd1*\nd2\n' 'd1;d2\n'; do
	same "srun refuses $text" "" "$(srun_nodes "$text")"
	same "topomap refuses it: $text" "" "$(topomap_nodes)"
	same "topomap says why: $text" 1 "$(wc -l <"$work/table")"
done

# nodes of both kinds, shuffled: the script
topomap place "3*$work/d.xml" "2*$work/e.xml" --hosts 'd[1-3],e[1-2]' --shuffle 4 >"$work/job.json"
topomap suggest-rankfile -m identity -l slurm "$work/job.json" -o "$work/file" 2>"$work/table"
mkdir "$work/bin"
cat >"$work/bin/taskset" <<'END'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME $2"
END
chmod 755 "$work/bin/taskset"
PATH=$work/bin:$PATH follow
topomap inspect -f json --table "$work/job.json" |
	sed -n 's/^ *{"rank": \([0-9]*\), "node": "\([^"]*\)".*"pus": "\([^"]*\)".*/\1 \2 \3/p' \
		>"$work/wanted"
same "the script binds every task" "$(cat "$work/wanted")" \
	"$(grep -v cpu-bind "$work/said" | sort -n)"

# a probe under srun, by whichever plugin fits the MPI library that it was built with
release=$(srun --version | sed 's/.* \([0-9]*\.[0-9.]*\).*/\1/')
row=slurm
awk -v release="$release" 'BEGIN { split(release, v, "."); exit v[1] * 100 + v[2] < 2311 }' &&
	row=slurm23.11
for plugin in pmix pmi2 none; do
	rm -f "$work/probed.json"
	[ $plugin = none ] || timeout 20 srun --mpi=$plugin -N 1 -n 2 "${BUILD:-build}/topomap-probe" \
		-o "$work/probed.json" </dev/null >"$work/said" 2>&1
	[ ! -s "$work/probed.json" ] || break
done
if [ $plugin = none ]; then
	skipped=1
	echo "skipped: no probe starts under srun here: $(head -n 1 "$work/said")"
else
	same "the probe names srun and its release" "srun (Slurm) $release" \
		"$(sed -n 's/^ *"launcher": "\(.*\)".*/\1/p' "$work/probed.json")"
	mpi=$(sed -n 's/^ *"mpi": "\(.*\)".*/\1/p' "$work/probed.json")
	topomap place "3*$work/d.xml" --hosts 'd[1-3]' --order package,node,core |
		probed "srun (Slurm) $release" "$mpi" >"$work/job.json"
	topomap suggest-rankfile -m identity "$work/job.json" -o "$work/file" 2>"$work/table"
	same "srun and its release are assumed" \
		"This is for $row, as the probe ran under Slurm $release." \
		"$(grep '^This is for' "$work/table")"
	follow
	topomap place "3*$work/d.xml" --hosts 'd[1-3]' --cpu-bind-verbose "$work/said" 2>&1 |
		topomap compare --expect "$work/job.json" - >"$work/out" 2>&1
	same "srun does what was written for it" "moved     no rank" \
		"$(grep '^moved\|: ' "$work/out")"
	machine_of() { echo "node:$1 package:2 core:2 pu:2"; }
	jobs='2 -n 4 --map-by core --bind-to none
2 -n 20 --slots 10 --bind-to none
2 -n 12 --slots 6 --bind-to none
2 -n 8 --map-by node --bind-to socket
2 -n 4 --map-by hwthread --bind-to hwthread --rank-by node
2 -n 6 --map-by core --bind-to core'
	offered "srun (Slurm) $release" "$mpi" Slurm >"$work/fixes"
	same "lint offers words" yes "$([ "$(wc -l <"$work/fixes")" -ge 6 ] && echo yes)"
	while read -r nodes ranks rule words; do
		# shellcheck disable=SC2086
		set -- $words
		[[ " $words " = *" -n "* ]] || set -- -N "$nodes" -n "$ranks" "$@"
		timeout 20 srun "$@" true </dev/null >"$work/said" 2>&1
		same "$rule: $words" 0 "$?$(grep -i 'error\|invalid' "$work/said")"
	done <"$work/fixes"
	timeout 20 srun -N 2 -n 4 --cpu-bind=nonsense true </dev/null >/dev/null 2>&1
	same "what is no word is refused" yes "$([ $? -ne 0 ] && echo yes)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
