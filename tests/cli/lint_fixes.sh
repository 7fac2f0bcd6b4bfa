#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Fixes of inspect --lint end: where the ranks are placed with the words that are offered for a
# launcher, on the same machine and as many of them, the finding is gone, and there is no warning and no error
# that was not there before. On machines that others recorded, for jobs that are wrong for whatever
# number of cores, memory controllers and packages a machine has. Oracle: lint itself, asked again, of
# what topomap place makes of the words; tests/policies holds that against the launchers.
#
#     lint_fixes.sh [FILE...]     machines; by default some recorded ones of different kinds
#
# Each job is one launcher's, the next one the next launcher's (SEED=N: others); WHOLE=1: each is that of
# all of them.
#
# Of recorded machines these are no part of it, and may fail. A package of
# 64intel64-3g2n+2n-irregulargroups+pci has no PU that the job may use, where Hydra ends if it maps to packages.
# 256ppc-8n8s4t has eight packages of one core on each memory, and Intel's words distribute over packages.
# What Intel does not document of its variables is not judged either.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
data=../shared/data/topologies passed=0 failed=0 skipped=0 words_seen=0 turn=${SEED:-0}
if [ ! -d "$data" ]; then
	echo "skipped: there are no recorded machines in $data"
	exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }

# probed LAUNCHER MPI: a placement as if it were the probe's under that launcher
probed()
{
	sed "/^    \"launcher\": /d; s|\"by\": .*|\"by\": \"topomap-probe\",|
		s|\"request\": .*|\"mpi\": \"$2\", \"launcher\": \"$1\"|"
}

# threads COUNT: all ranks run so many, if any
threads()
{
	if [ "$1" = 0 ]; then
		cat
	else
		sed "s/^  \"ranks\": {/  \"settings\": [{\"environment\": {\"OMP_NUM_THREADS\": \"$1\"}}],\n&/"
	fi
}

# measure: cores, pus, packages and numas of the machine m, and the cores of a NUMA node
measure()
{
	topomap place "$m" | topomap inspect -f json >"$work/full.json" || return 1
	read -r cores packages numas < <(sed -n 's/^ *"\(cores\|packages\|numa_nodes\)": {"objects": \([0-9]*\),.*/\2/p' \
		"$work/full.json" | paste -sd ' ')
	pus=$(topomap place "$m" --use-hwthread-cpus --map-by hwthread --bind-to hwthread |
		sed -n 's/^    "size": \([0-9]*\).*/\1/p; s/^  "size": \([0-9]*\).*/\1/p' | head -n 1)
	numa=$((cores / (numas > 0 ? numas : 1)))
	printf 'rank %s slot=0\n' 0=n0 1=n0 2=n0 3=n1 4=n1 5=n1 >"$work/same"
	# cores of two packages for each rank, which no other has
	printf 'rank %s\n' "0=n0 slot=0:0;1:0" "1=n0 slot=0:1;1:1" "2=n1 slot=0:0;1:0" "3=n1 slot=0:1;1:1" >"$work/torn"
	printf 'rank %s\n' "0=n0 slot=0-$numa" "1=n1 slot=0-$numa" >"$work/wide"
}

# WHAT THE MACHINE MUST HAVE|NODES|THREADS|OPTIONS, with node for the ranks of a node
jobs=$(cat <<'END'
numas > 1 && numa > 1|2|0|-n $((2 * numa)) --map-by ppr:$numa:node --bind-to core
numas > 1 && numa > 2|2|0|-n $((2 * (numa - 1))) --map-by ppr:$((numa - 1)):node --bind-to core
numas > 1 && numa > 1|1|0|-n $((numa + 1)) --map-by core --bind-to core
cores > 2|2|0|-n $((cores / 2 * 2)) --map-by ppr:$((cores / 2)):node --bind-to none
cores > 2|2|0|-n $((2 * cores - 2)) --map-by core --bind-to core
cores > 1|2|0|-n $((2 * cores)) --map-by node --bind-to core
cores > 3|2|0|-n $((cores / 4 * 2)) --map-by node:PE=2 --bind-to core
cores > 1|2|0|-n $((2 * pus + 2)) --slots $((pus + 1)) --map-by ppr:$((pus + 1)):node --bind-to none
pus > cores && cores > 3|2|0|-n $((cores / 2 * 2)) --map-by ppr:$((cores / 2)):node --bind-to hwthread --use-hwthread-cpus
cores > 1|2|0|-n $((2 * cores + 2)) --slots $((cores + 1)) --map-by ppr:$((cores + 1)):node --bind-to core:overload-allowed
cores > 3|2|0|--rankfile $work/same
cores > 3 && numas > 1|2|0|-n $((cores + cores / 4))
cores > 3|2|0|-n $((cores + cores / 2))
numas > 1 && cores > 2 * numas|2|0|--rankfile $work/wide
cores > 3|2|2|-n $((cores / 2 * 2)) --map-by ppr:$((cores / 2)):node --bind-to core
cores > 5|2|3|-n 4 --map-by ppr:2:node --bind-to core
numa > 1|2|$numa|-n $((2 * numas)) --map-by ppr:$numas:node --bind-to core
packages > 1|2|0|--rankfile $work/torn
packages > 1|2|0|-n $((2 * packages)) --map-by ppr:1:socket --bind-to socket
numas > packages|2|0|-n $((2 * packages)) --map-by ppr:1:socket --bind-to socket
END
)

# LAUNCHER OF PLACE|ITS NAME IN DOCUMENTS|THE LIBRARY|ITS NAME IN FIXES
launchers="openmpi4|mpirun (Open MPI) 4.1.6|Open MPI v4.1.6|Open MPI
openmpi5|mpirun (Open MPI) 5.0.5|Open MPI v5.0.5|Open MPI 5
hydra|mpiexec (Hydra) 4.2.1|MPICH 4.2.1|Hydra
cray|mpiexec (PALS) 1.3.2|CRAY MPICH version 8.1.28|Cray MPICH
slurm23.11|srun (Slurm) 23.11.4|Open MPI v4.1.6|Slurm
flux|flux run 0.88.0|MPICH 4.2.1|Flux
intel|mpiexec (Hydra)|Intel(R) MPI Library 2021.10 for Linux* OS|Intel MPI"

# findings NAME: "RULE SEVERITY WORDS|SLOTS" of what inspect -f json says, with the words for NAME, or with a
# command of topomap that writes a file
findings()
{
	awk -v name="($1)" '
		$1 == "\"skipped\":" { exit }
		$1 == "\"findings\":" { lint = 1 }
		lint && $1 == "\"name\":" { rule = $2; gsub("[\",]", "", rule) }
		lint && $1 == "\"severity\":" { weight = $2; gsub("[\",]", "", weight) }
		lint && $1 == "\"fix\":" {
			words = slots = ""
			if (match($0, /(: | with |, )-.*/)) words = substr($0, RSTART, RLENGTH)
			sub(/^[^-]*/, "", words)
			if (match($0, /keeps its [0-9]+ rank/)) slots = substr($0, RSTART + 10, RLENGTH - 15)
			if (match($0, /gets [0-9]+ slots/)) slots = substr($0, RSTART + 5, RLENGTH - 11)
			at = index(words, " " name)
			if (match($0, /topomap suggest-rankfile -n [^;"()]*/))
				print rule, weight, substr($0, RSTART, RLENGTH) "|"
			else
				print rule, weight, at ? substr(words, 1, at - 1) "|" slots : "|"
		}'
}

# placed NODES RANKS EACH SLOTS OPTIONS WORDS: the placement by these words of the launcher, which add to
# the options of the job
placed()
{
	local nodes=$1 ranks=$2 each=$3 slots=$4 options=$5 words=$6
	case "$launcher $words" in
	*" topomap "*)
		shown=$words
		eval "${words/JOB.json/-} -f json"
		return
		;;
	esac
	case $launcher in
	hydra)
		case $words in
		*-ppn* | *-hosts*) ;;
		*) words="-ppn $each $words" ;;
		esac
		words=$(sed 's/-ppn /--slots /; s/-hosts /--hosts /; s/-bind-to /--bind-to /; s/-map-by /--map-by /' <<<"$words") ;;
	cray)
		case $words in
		*--ppn*) ;;
		*) words="--ppn $each $words" ;;
		esac
		[[ $words == *--cpu-bind* ]] || words="$words --cpu-bind core"
		words=$(sed 's/--ppn /--slots /; s/--depth /-c /; s/MPICH_RANK_REORDER_METHOD/--env &/' <<<"$words") ;;
	slurm23.11)
		words=$(sed 's/-N [0-9]*//; s/--ntasks-per-node=[0-9]*//; s/--hint=nomultithread/--cpu-bind=cores/
			s/--mem-bind=local//; s/--gpu-bind=closest//' <<<"$words") slots=
		# here all jobs are filled so
		[[ $words == *--distribution* ]] || words="$words --distribution=block:block" ;;
	flux)
		words=$(sed "s/-N [0-9]*//; s/--tasks-per-node=/--slots /; s/'//g"'; s/-o cpu-affinity=/--cpu-bind /
			s/--taskmap=/--distribution /' <<<"$words") slots= ;;
	intel)
		case $words in
		*-ppn*) ;;
		*) words="-ppn $each $words" ;;
		esac
		words=$(sed 's/-ppn /--slots /; s/-genv \([^ ]*\) /--env \1=/g' <<<"$words") slots= ;;
	*)
		words=${words/--host /--hosts }
		case $words in
		*--map-by*) ;;
		*) words="$(sed 's/-n [0-9]*//; s/--bind-to [^ ]*//' <<<"$options") $words" ;;
		esac ;;
	esac
	case "$launcher $words" in
	*" -n "* | "flux "*--slots*) ;;
	*) words="-n $ranks $words" ;;
	esac
	[ -z "$slots" ] || words="$words --slots $slots"
	case "$launcher $words" in
	slurm* | cray* | flux* | intel* | *--bind-to*) ;;
	*) words="$words $(grep -o -e '--bind-to [^ ]*' <<<"$options" || echo --bind-to core)" ;;
	esac
	shown="$words"
	# shellcheck disable=SC2086
	topomap place "$nodes*$m" --launcher "$launcher" $words
}

# tried NODES THREADS OPTIONS: the job, and each fix that is offered for it
tried()
{
	local nodes=$1 count=$2 options=$3 ranks launcher document mpi name rule weight words before after n=-1
	turn=$((turn + 1))
	# shellcheck disable=SC2086
	topomap place "$nodes*$m" $options >"$work/job" 2>"$work/err" || {
		fail "$m $options: $(cat "$work/err")"
		return
	}
	ranks=$(sed -n 's/^ *"size": \([0-9]*\).*/\1/p' "$work/job")
	threads "$count" <"$work/job" >"$work/threaded"
	while IFS='|' read -r launcher document mpi name; do
		n=$((n + 1))
		[ -n "$WHOLE" ] || [ "$n" -eq $((turn % 7)) ] || continue
		probed "$document" "$mpi" <"$work/threaded" >"$work/asked.json"
		topomap inspect -f json "$work/asked.json" | findings "$name" >"$work/before"
		before=" $(awk '$2 != "hint" { print $1 }' "$work/before" | paste -sd ' ') "
		while read -r rule weight words; do
			[ "$words" != '|' ] || continue
			words_seen=$((words_seen + 1))
			placed "$nodes" "$ranks" $((ranks / nodes)) "${words##*|}" "$options" \
				"${words%|*}" >"$work/placed" 2>"$work/err" || {
				grep -q 's of a node differ' "$work/err" && continue
				# place does not imitate what Intel does not say, and cannot judge these
				grep -q 'not documented' "$work/err" && {
					skipped=$((skipped + 1))
					continue
				}
				fail "$m $options, $launcher: $rule: $shown is refused: $(cat "$work/err")"
				continue
			}
			case $words in
			topomap*) cp "$work/placed" "$work/probed" ;;
			*) threads "$count" <"$work/placed" | probed "$document" "$mpi" >"$work/probed" ;;
			esac
			topomap inspect -f json "$work/probed" >"$work/seen.json" 2>"$work/err" ||
				fail "$shown is not inspected: $(cat "$work/err")"
			findings - <"$work/seen.json" >"$work/after"
			after=$(awk -v rule="$rule" -v before="$before" '
				$1 == rule || $2 != "hint" && !index(before, " " $1 " ") { print $1 }' \
				"$work/after" | paste -sd ' ')
			if [ -z "$after" ]; then
				pass
			else
				fail "$m, $nodes nodes, $options, $count threads, $launcher: $rule leads by $shown to $after"
			fi
		done <"$work/before"
	done <<<"$launchers"
}

[ $# -gt 0 ] || set -- "$data"/{48amd64-4d2n6c,azure-hbv4-176core-24l3,cts1-quartz-smt1,eas-tioga}.xml \
	"$data"/{20em64t-hybrid-1p6c2t+2ca4co1t,8em64t-2s2ca2c,epyc-corona,epyc-corona-p2,a64fx-4cmg-48core.synthetic}.xml
for m in "$@"; do
	case $m in
	*/unloadable-*) continue ;; # of a later hwloc
	esac
	measure || { fail "$m is not measured"; continue; }
	while IFS='|' read -r needs nodes count options; do
		((needs)) || continue
		eval "options=\"$options\" count=$count"
		tried "$nodes" "$count" "$options"
	done <<<"$jobs"
done
[ "$words_seen" -gt 20 ] || fail "only $words_seen fixes have words"
[ "$skipped" -eq 0 ] ||
	echo "skipped: $skipped fixes are in words of Intel MPI that place does not imitate"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
