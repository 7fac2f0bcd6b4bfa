#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Is there a wrapper of the recorder for each function of MPI that communicates? Oracle: mpi.h of each library,
# of which every function is exported by the recorder or stands in unrecorded.txt, with a reason.
. "$(dirname "$0")/common.bash"

# the functions of mpi.h, without "MPI_"
declared()
{
	echo '#include <mpi.h>' >"$work/mpi.c"
	"mpicc.$mpi" -E -P "$work/mpi.c" | grep -o '\bMPI_[A-Z][A-Za-z0-9_]* *(' |
		sed 's/MPI_\(.*[^ ]\) *(/\1/' | grep -vx Aint | sort -u
}

# in C; MPI_SEND is one of Fortran's names
exported() { nm -D --defined-only "$1" | sed -n 's/.* T MPI_\(.*[a-z].*\)/\1/p' | sort -u; }

# those of Fortran: "send" of mpi_send_
exported_fortran() { nm -D --defined-only "$1" | sed -n 's/.* T mpi_\(.*[^_]\)'"$2"'$/\1/p' | sort -u; }

reasons=$(grep -v '^#' tests/mpi/unrecorded.txt | paste -sd'|')

test_table()
{
	local recorder=$top/$built/libtopomap-record.so
	[ "$(declared | wc -l)" -gt 300 ] && pass || fail "mpi.h is not read"
	same "functions that are neither recorded nor known to send nothing" "" \
		"$(comm -23 <(declared) <(exported "$recorder") | grep -Evx "$reasons")"
	same "functions that are recorded and said to send nothing" "" \
		"$(exported "$recorder" | grep -Ex "$reasons")"
	# the test would see one that is missing
	same "one without a wrapper is seen" Gatherw "$(echo Gatherw | grep -Evx "$reasons")"
	# of a library whose Fortran does not come to C
	[ $mpi = openmpi ] || return 0
	same "Fortran has what C has" "$(exported "$recorder" | tr A-Z a-z | sort)" "$(exported_fortran "$recorder" _ | grep -v '_f08$')"
	same "mpi_f08 has what C has" "$(exported "$recorder" | tr A-Z a-z | sort)" "$(exported_fortran "$recorder" _f08_)"
}

for flavour in openmpi mpich; do
	use_mpi $flavour || continue
	command -v "mpicc.$mpi" >/dev/null || { skip "there is no mpicc.$mpi"; continue; }
	make_for_mpi libtopomap-record.so || continue
	test_table
done
finish
