#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What can go wrong: one sentence from one rank, a status of the whole job that says so, no
# hang, and nothing left behind. And words without a job: help and version.
. "$(dirname "$0")/common.bash"

# fails WHAT STATUS SENTENCE COMMAND...: within a time that a hang would exceed
fails()
{
	local what=$1 status=$2 sentence=$3
	shift 3
	"$@" >"$work/out" 2>"$work/err"
	same "$what: status" "$status" $?
	same "$what: one sentence" "topomap-probe: $sentence" "$(said "$work/err")"
	same "$what: nothing on standard output" "" "$(grep -v '^\[\|^-\|^$' "$work/out")"
}

# a rank whose environment hides the machine from hwloc: hwloc then finds nothing
cat >"$work/blind" <<'EOF'
#!/bin/sh
if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$1" ]; then
	export HWLOC_XMLFILE=/dev/null HWLOC_COMPONENTS=xml,stop
fi
shift
exec "$@"
EOF
# a rank that starts later than the others
cat >"$work/late" <<'EOF'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != "$1" ] || sleep 0.5
shift
exec "$@"
EOF
chmod +x "$work/blind" "$work/late"

# library_of PROBE: how its documents name the MPI library
library_of() { "$1" </dev/null | sed -n 's/^ *"mpi": "\(.*\)",*/\1/p'; }

one_speaks()
{
	same "$1 is printed once by 5 ranks" 1 "$(launch 5 "$probe" "$1" | grep -c "$2")"
	same "$1 needs no launcher" 1 "$("$probe" "$1" </dev/null | grep -c "$2")"
}

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	one_speaks --help '^Usage: topomap-probe'
	one_speaks -h '^Usage: topomap-probe'
	one_speaks --version '^topomap-probe [0-9]'

	fails "an unknown option" 2 "unknown option '--bogus'" launch 4 "$probe" --bogus
	fails "a directory that is not there" 3 \
		"$work/none/job.json: cannot be written: No such file or directory" \
		launch 4 "$probe" -o "$work/none/job.json"
	fails "a full device" 3 \
		"/dev/full: cannot be written: No space left on device" \
		launch 4 "$probe" -o /dev/full
	mkdir -p "$work/folder"
	fails "a directory as the file" 3 "$work/folder: cannot be written: Is a directory" \
		launch 2 "$probe" -o "$work/folder"

	echo old >"$work/job.json"
	fails "an impossible job" 3 \
		"$work/none.rf: cannot be read: No such file or directory" \
		launch 3 "$probe" -o "$work/job.json" --rankfile "$work/none.rf"
	same "an impossible job leaves the old file" old "$(cat "$work/job.json")"
	same "an impossible job leaves nothing else" job.json "$(cd "$work" && echo job*)"

	launch 3 "$work/blind" 0 "$probe" >"$work/out" 2>"$work/err"
	same "hwloc fails on rank 0: status" 3 $?
	same "hwloc fails on rank 0: one sentence" \
		"topomap-probe: hwloc cannot describe this machine" \
		"$(said "$work/err" | sed 's/machine: .*/machine/')"

	# in MPI_Init the library speaks and chooses the status; it must not be 0, nor a hang
	case $mpi in
	openmpi) launch 2 --mca pml no_such_component "$probe" >"$work/out" 2>"$work/err" ;;
	mpich) PMI_RANK=0 PMI_SIZE=2 PMI_FD=77 "$probe" >"$work/out" 2>"$work/err" ;;
	esac
	same "MPI_Init fails: status" "not 0" "$([ $? -eq 0 ] || echo not 0)"
	same "MPI_Init fails: one sentence" \
		"topomap-probe: MPI_Init failed; the MPI library's own messages give the reason" \
		"$(said "$work/err")"
	same "MPI_Init fails: nothing on standard output" "" "$(cat "$work/out")"

	# whichever rank fails first, and on a busy machine they are apart
	for late in 0 1; do
		[ $mpi = openmpi ] || continue
		launch 3 --mca pml no_such_component "$work/late" $late "$probe" \
			>"$work/out" 2>"$work/err"
		same "MPI_Init fails on rank $late later: status" "not 0" "$([ $? -eq 0 ] || echo not 0)"
		same "MPI_Init fails on rank $late later: one sentence" \
			"topomap-probe: MPI_Init failed; the MPI library's own messages give the reason" \
			"$(said "$work/err")"
	done

	launch 4 "$probe" --matrix -o "$work/job.json"
	same "--matrix has a row a rank" 4 "$(grep -c '^      \[[0-9,]*0[0-9,]*\],\{0,1\}$' "$work/job.json")"
done

mpi=mpich
if use_mpi mpich; then
	# every rank a node of its own, so that another rank than 0 asks hwloc
	export MPIR_CVAR_NOLOCAL=1
	launch 4 "$work/blind" 2 "$probe" >"$work/out" 2>"$work/err"
	same "hwloc fails on rank 2: status" 3 $?
	same "hwloc fails on rank 2: one sentence" \
		"topomap-probe: rank 2 on '$(hostname)': hwloc cannot describe this machine" \
		"$(said "$work/err" | sed 's/machine: .*/machine/')"
	same "hwloc fails on rank 2: no document" "" "$(cat "$work/out")"
fi

# another library's launcher: every rank finds itself alone, and would write a whole document
use_mpi openmpi && openmpi_probe=$probe openmpi_name=$(library_of "$probe")
if [ -n "$openmpi_probe" ] && use_mpi mpich; then
	refusal="which this program is built with, each is a job of its own: use that library's"
	refusal="$refusal launcher, or build with the launcher's library (make MPICC=...)"
	fails "Open MPI's probe under Hydra" 3 \
		"mpiexec (Hydra) started several processes, but for $openmpi_name, $refusal" \
		launch 3 "$openmpi_probe" -o "$work/singleton.json"
	mpich_probe=$probe mpich_name=$(library_of "$probe")
	use_mpi openmpi
	fails "MPICH's probe under Open MPI" 3 \
		"mpirun (Open MPI) started several processes, but for $mpich_name, $refusal" \
		launch 3 "$mpich_probe" -o "$work/singleton.json"
	same "singletons write nothing" "" "$(ls "$work/singleton.json" 2>/dev/null)"
	same "one process is no singleton" 1 \
		"$(launch 1 "$mpich_probe" | sed -n 's/^  "size": \(.*\),/\1/p')"
fi
finish
