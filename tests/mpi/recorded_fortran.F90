! SPDX-License-Identifier: BSD-3-Clause
! As recorded.c: each call that the recorder counts, from Fortran, on MPI_COMM_WORLD of 4 ranks; rank 0
! prints a line for each kind of collective call, written down by hand beside it. Three programs: -DMPIF
! includes mpif.h, -DMPI uses the module mpi, neither: mpi_f08 (-DMPICH_F08: that of MPICH), where each second
! call has no ierror.
! It writes to the file of its second argument, and reads from it. The argument "plain" leaves out what Open MPI 4.1's monitoring does not see or takes for the program's.
#if defined(MPIF) || defined(MPI)
#define ERROR , code
#else
#define ERROR
#endif
program recorded_fortran
#ifdef MPIF
	implicit none
	include 'mpif.h'
#elif defined(MPI)
	use mpi
	implicit none
#else
	use mpi_f08
	use, intrinsic :: iso_c_binding, only: c_ptr
	implicit none
#endif
	integer rank, ranks, next, before, code, i
	integer sent(4096), got(4096), spare(8192), counts(4), displs(4), offsets(4), mine(4)
#if defined(MPIF) || defined(MPI)
	integer status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 8), requests(17), kept(4), types(4)
	integer window, ring
#else
	type(MPI_Status) status, statuses(8)
	type(MPI_Request) requests(17), kept(4)
	type(MPI_Datatype) types(4)
	type(MPI_Win) window
	type(MPI_Comm) ring
#endif
	integer sink(256, 17)
	character(len=8) word
	character(len=256) path

	call get_command_argument(1, word)
	call get_command_argument(2, path)
	call MPI_Init(code)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
	next = mod(rank + 1, ranks)
	before = mod(rank + ranks - 1, ranks)
	sent = rank
	counts = [1, 2, 3, 4]
	displs = [0, 1, 3, 6]
	offsets = 4 * displs
	mine = rank + 1
	types = MPI_INTEGER
	call send_all_ways()
	call call_blocking()
	if (word /= 'plain') then
		call call_differing()
		call send_kept()
		call send_beside_messages()
		call move_files()
	end if
	call call_nonblocking()
	call MPI_Pcontrol(0)
	call MPI_Bcast(sent, 99, MPI_INTEGER, 3, MPI_COMM_WORLD, code)
	call MPI_Pcontrol(1)
	call MPI_Finalize(code)
contains

subroutine say(line)
	character(len=*), intent(in) :: line
	if (rank == 0) print '(a)', line
end subroutine

subroutine send_all_ways()
	call MPI_Irecv(got, 4096, MPI_INTEGER, before, 1, MPI_COMM_WORLD, requests(1), code)
	call MPI_Send(sent, 11, MPI_INTEGER, next, 1, MPI_COMM_WORLD ERROR)
	call MPI_Wait(requests(1), status, code)

	call MPI_Buffer_attach(spare, 32768, code)
	call MPI_Bsend(sent, 23, MPI_INTEGER, next, 2, MPI_COMM_WORLD, code)
	call MPI_Recv(got, 4096, MPI_INTEGER, before, 2, MPI_COMM_WORLD, status, code)

	call MPI_Irecv(got, 4096, MPI_INTEGER, before, 3, MPI_COMM_WORLD, requests(1), code)
	call MPI_Ssend(sent, 37, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD ERROR)
	call MPI_Wait(requests(1), status, code)

	call MPI_Irecv(got, 4096, MPI_INTEGER, before, 4, MPI_COMM_WORLD, requests(1), code)
	call MPI_Barrier(MPI_COMM_WORLD ERROR)
	call say('barrier blocking 4 0 0 1')
	call MPI_Rsend(sent, 41, MPI_CHARACTER, next, 4, MPI_COMM_WORLD, code)
	call MPI_Wait(requests(1), status, code)

	do i = 1, 4
		call MPI_Irecv(sink(1, i), 256, MPI_INTEGER, before, 4 + i, MPI_COMM_WORLD, requests(i), code)
	end do
	call MPI_Barrier(MPI_COMM_WORLD, code)
	call say('barrier blocking 4 0 0 1')
	call MPI_Isend(sent, 50, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(5) ERROR)
	call MPI_Ibsend(sent, 7, MPI_INTEGER, next, 6, MPI_COMM_WORLD, requests(6), code)
	call MPI_Issend(sent, 1, MPI_DOUBLE_PRECISION, next, 7, MPI_COMM_WORLD, requests(7) ERROR)
	call MPI_Irsend(sent, 0, MPI_INTEGER, next, 8, MPI_COMM_WORLD, requests(8), code)
	call MPI_Waitall(8, requests, statuses, code)

	call MPI_Sendrecv(sent, 300, MPI_REAL, next, 9, got, 4096, MPI_INTEGER, before, 9, &
		MPI_COMM_WORLD, status ERROR)
	call MPI_Sendrecv_replace(sent, 77, MPI_INTEGER, before, 10, next, 10, MPI_COMM_WORLD, status, code)
	call MPI_Send(sent, 4096, MPI_INTEGER, MPI_PROC_NULL, 12, MPI_COMM_WORLD, code)
end subroutine

! What is kept counts when it is started, and each time: 2 x (100 + 200 + 300 + 400) bytes.
subroutine send_kept()
	integer turn
	call MPI_Send_init(sent, 100, MPI_CHARACTER, next, 21, MPI_COMM_WORLD, kept(1), code)
	call MPI_Bsend_init(sent, 200, MPI_CHARACTER, next, 22, MPI_COMM_WORLD, kept(2) ERROR)
	call MPI_Ssend_init(sent, 300, MPI_CHARACTER, next, 23, MPI_COMM_WORLD, kept(3), code)
	call MPI_Rsend_init(sent, 400, MPI_CHARACTER, next, 24, MPI_COMM_WORLD, kept(4) ERROR)
	do turn = 1, 2
		do i = 1, 4
			call MPI_Irecv(sink(1, i), 256, MPI_INTEGER, before, 20 + i, MPI_COMM_WORLD, requests(i), code)
		end do
		call MPI_Barrier(MPI_COMM_WORLD, code)
		call say('barrier blocking 4 0 0 1')
		call MPI_Start(kept(1), code)
		call MPI_Startall(3, kept(2:4) ERROR)
		call MPI_Waitall(4, requests, statuses, code)
		call MPI_Waitall(4, kept, statuses, code)
	end do
	do i = 1, 4
		call MPI_Request_free(kept(i), code)
	end do
end subroutine

! One-sided, to the next: 40 + 16 + 4 bytes. To neighbors: 7 + 4 bytes to the one before, 7 + 8 to the next.
subroutine send_beside_messages()
	integer(kind=MPI_ADDRESS_KIND) :: room = 16384, start = 0, addresses(2) = [0, 32]
#if defined(MPIF) || defined(MPI)
	integer(kind=MPI_ADDRESS_KIND) base
#else
	type(c_ptr) base
#endif
	integer ints(2), from_ints(2)
	logical wraps(1)
	call MPI_Win_allocate(room, 1, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, code)
	call MPI_Win_fence(0, window, code)
	call MPI_Put(sent, 10, MPI_INTEGER, next, start, 10, MPI_INTEGER, window ERROR)
	call MPI_Win_fence(0, window, code)
	call MPI_Get_accumulate(sent, 2, MPI_INTEGER, got, 2, MPI_INTEGER, next, start, 2, MPI_INTEGER, &
		MPI_SUM, window, code)
	call MPI_Win_fence(0, window, code)
	call MPI_Fetch_and_op(sent, got, MPI_INTEGER, next, start, MPI_NO_OP, window ERROR)
	call MPI_Win_fence(0, window, code)
	call MPI_Win_free(window, code)
	wraps = .true.
	ints = [1, 2]
	from_ints = [2, 1]
	call MPI_Cart_create(MPI_COMM_WORLD, 1, [4], wraps, .false., ring, code)
	call MPI_Neighbor_allgather(sent, 7, MPI_CHARACTER, got, 7, MPI_CHARACTER, ring ERROR)
#ifdef MPICH_F08
	! its w form fails on grids in MPICH 4.0.2
	call MPI_Neighbor_alltoallv(sent, ints, displs, MPI_INTEGER, got, from_ints, displs, MPI_INTEGER, ring, code)
#else
	call MPI_Neighbor_alltoallw(sent, ints, addresses, types(1:2), got, from_ints, addresses, types(1:2), ring, code)
#endif
	call MPI_Comm_free(ring, code)
end subroutine

! Rank r has 100 integers of the file. It writes 10 and 4 of them, the second ones with the others, and reads 5
! twice, and 3 with the others.
subroutine move_files()
#if defined(MPIF) || defined(MPI)
	integer file
#else
	type(MPI_File) file
#endif
	integer(kind=MPI_OFFSET_KIND) at
	at = 400 * rank
	call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, code)
	call MPI_File_write_at(file, at, sent, 10, MPI_INTEGER, status, code)
	call MPI_File_write_at_all(file, at, sent, 4, MPI_INTEGER, MPI_STATUS_IGNORE ERROR)
	call MPI_File_iread_at(file, at, got, 5, MPI_INTEGER, requests(1), code)
	call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
	call MPI_File_read_at(file, at, got, 5, MPI_INTEGER, status ERROR)
	call MPI_File_read_ordered_begin(file, got, 3, MPI_INTEGER ERROR)
	call MPI_File_read_ordered_end(file, got, status ERROR)
	call MPI_File_close(file, code)
end subroutine

! Rank r has blocks of r + 1 integers in the v forms.
subroutine call_blocking()
	call MPI_Bcast(sent, 25, MPI_INTEGER, 2, MPI_COMM_WORLD ERROR)
	call say('bcast blocking 4 2 100 1')
	if (rank == 3) then
		call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, got, 9, MPI_CHARACTER, 3, MPI_COMM_WORLD, code)
	else
		call MPI_Gather(sent, 9, MPI_CHARACTER, got, 9, MPI_CHARACTER, 3, MPI_COMM_WORLD, code)
	end if
	call say('gather blocking 4 3 9 1')
	if (rank == 0) then
		call MPI_Scatter(sent, 5, MPI_DOUBLE_PRECISION, MPI_IN_PLACE, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
	else
		call MPI_Scatter(sent, 5, MPI_DOUBLE_PRECISION, got, 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
	end if
	call say('scatter blocking 4 0 40 1')
	call MPI_Allgather(sent, 8, MPI_CHARACTER, got, 2, MPI_INTEGER, MPI_COMM_WORLD ERROR)
	call say('allgather blocking 4 0 8 1')
	call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, got, 13, MPI_CHARACTER, MPI_COMM_WORLD, code)
	call say('allgather blocking 4 0 13 1')
	call MPI_Alltoall(sent, 6, MPI_CHARACTER, got, 6, MPI_CHARACTER, MPI_COMM_WORLD ERROR)
	call say('alltoall blocking 4 0 6 1')
	call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, got, 17, MPI_CHARACTER, MPI_COMM_WORLD, code)
	call say('alltoall blocking 4 0 17 1')
	! 4 + 8 + 12 + 16 bytes: the mean block has 10
	call MPI_Gatherv(sent, rank + 1, MPI_INTEGER, got, counts, displs, MPI_INTEGER, 1, MPI_COMM_WORLD, code)
	call say('gatherv blocking 4 1 10 1')
	call MPI_Scatterv(sent, counts, displs, MPI_INTEGER, got, rank + 1, MPI_INTEGER, 1, MPI_COMM_WORLD ERROR)
	call say('scatterv blocking 4 1 10 1')
	call MPI_Allgatherv(sent, rank + 1, MPI_INTEGER, got, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, code)
	call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, got, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, code)
	call say('allgatherv blocking 4 0 10 2')
	call MPI_Reduce(sent, got, 4, MPI_INTEGER, MPI_SUM, 3, MPI_COMM_WORLD ERROR)
	call say('reduce blocking 4 3 16 1')
	call MPI_Allreduce(sent, got, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, code)
	call MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
	call say('allreduce blocking 4 0 4 2')
	call MPI_Reduce_scatter(sent, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
	call say('reduce_scatter blocking 4 0 40 1')
	call MPI_Reduce_scatter_block(sent, got, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
	call say('reduce_scatter_block blocking 4 0 12 1')
	call MPI_Scan(sent, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
	call say('scan blocking 4 0 8 1')
	call MPI_Exscan(sent, got, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
	call say('exscan blocking 4 0 12 1')
end subroutine

subroutine call_differing()
	call MPI_Alltoallv(sent, mine, displs, MPI_INTEGER, got, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, code)
	call say('alltoallv blocking 4 0 10 1')
	call MPI_Alltoallw(sent, mine, offsets, types, got, counts, offsets, types, MPI_COMM_WORLD ERROR)
	call say('alltoallw blocking 4 0 10 1')
end subroutine

subroutine call_nonblocking()
	call MPI_Ibarrier(MPI_COMM_WORLD, requests(1) ERROR)
	call say('barrier nonblocking 4 0 0 1')
	call MPI_Ibcast(sink(1, 1), 25, MPI_INTEGER, 2, MPI_COMM_WORLD, requests(2), code)
	call say('bcast nonblocking 4 2 100 1')
	call MPI_Igather(sent, 7, MPI_CHARACTER, sink(1, 2), 7, MPI_CHARACTER, 1, MPI_COMM_WORLD, requests(3), code)
	call say('gather nonblocking 4 1 7 1')
	call MPI_Iscatter(sent, 3, MPI_REAL, sink(1, 3), 3, MPI_REAL, 1, MPI_COMM_WORLD, requests(4) ERROR)
	call say('scatter nonblocking 4 1 12 1')
	call MPI_Iallgather(sent, 8, MPI_CHARACTER, sink(1, 4), 8, MPI_CHARACTER, MPI_COMM_WORLD, requests(5), code)
	call say('allgather nonblocking 4 0 8 1')
	call MPI_Ialltoall(sent, 6, MPI_CHARACTER, sink(1, 5), 6, MPI_CHARACTER, MPI_COMM_WORLD, requests(6) ERROR)
	call say('alltoall nonblocking 4 0 6 1')
	call MPI_Igatherv(sent, rank + 1, MPI_INTEGER, sink(1, 6), counts, displs, MPI_INTEGER, 1, &
		MPI_COMM_WORLD, requests(7), code)
	call say('gatherv nonblocking 4 1 10 1')
	call MPI_Iscatterv(sent, counts, displs, MPI_INTEGER, sink(1, 7), rank + 1, MPI_INTEGER, 1, &
		MPI_COMM_WORLD, requests(8) ERROR)
	call say('scatterv nonblocking 4 1 10 1')
	call MPI_Iallgatherv(sent, rank + 1, MPI_INTEGER, sink(1, 8), counts, displs, MPI_INTEGER, &
		MPI_COMM_WORLD, requests(9), code)
	call say('allgatherv nonblocking 4 0 10 1')
	call MPI_Ialltoallv(sent, mine, displs, MPI_INTEGER, sink(1, 9), counts, displs, MPI_INTEGER, &
		MPI_COMM_WORLD, requests(10) ERROR)
	call say('alltoallv nonblocking 4 0 10 1')
	call MPI_Ialltoallw(sent, mine, offsets, types, sink(1, 10), counts, offsets, types, &
		MPI_COMM_WORLD, requests(11), code)
	call say('alltoallw nonblocking 4 0 10 1')
	call MPI_Ireduce(sent, sink(1, 11), 4, MPI_INTEGER, MPI_SUM, 3, MPI_COMM_WORLD, requests(12) ERROR)
	call say('reduce nonblocking 4 3 16 1')
	call MPI_Iallreduce(sent, sink(1, 12), 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(13), code)
	call say('allreduce nonblocking 4 0 4 1')
	call MPI_Ireduce_scatter(sent, sink(1, 13), counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(14) ERROR)
	call say('reduce_scatter nonblocking 4 0 40 1')
	call MPI_Ireduce_scatter_block(sent, sink(1, 14), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(15), code)
	call say('reduce_scatter_block nonblocking 4 0 12 1')
	call MPI_Iscan(sent, sink(1, 15), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(16) ERROR)
	call say('scan nonblocking 4 0 8 1')
	call MPI_Iexscan(sent, sink(1, 16), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(17), code)
	call say('exscan nonblocking 4 0 12 1')
	call MPI_Waitall(17, requests, MPI_STATUSES_IGNORE, code)
end subroutine
end program
