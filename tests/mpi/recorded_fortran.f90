! SPDX-License-Identifier: BSD-3-Clause
! A message from each rank to the next, in Fortran.
program recorded_fortran
	include 'mpif.h'
	integer rank, size, status(MPI_STATUS_SIZE), code
	integer sent(10), got(10)
	call MPI_Init(code)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
	call MPI_Comm_size(MPI_COMM_WORLD, size, code)
	sent = rank
	call MPI_Sendrecv(sent, 10, MPI_INTEGER, mod(rank + 1, size), 0, got, 10, MPI_INTEGER, &
		mod(rank + size - 1, size), 0, MPI_COMM_WORLD, status, code)
	if (rank == 0) print '(a)', 'the program''s own words'
	call MPI_Finalize(code)
	call exit(3)
end program
