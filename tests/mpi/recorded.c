/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that makes each call that the recorder counts, on communicators of several kinds, and says
 * what it calls: rank 0 prints a line for each kind of collective call of a communicator in which it is,
 *
 *     COLLECTIVE MODE COMMUNICATOR-SIZE ROOT BYTES CALLS
 *
 * written down by hand beside each call, not computed from its arguments. Messages have sizes that tell
 * them apart. "plain": without persistent requests, which Open MPI 4.1's monitoring does not see, and
 * without intercommunicators and blocking alltoallv and alltoallw, whose inner messages it takes for the
 * program's. "large": MPI-4's calls for large counts and in parts, and nothing else.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, is_plain;
static char out[1 << 16], in[1 << 18], spare[1 << 16];

static void say(const char *line)
{
	if (rank == 0)
		printf("%s\n", line);
}

/* What is kept counts when it is started, and each time: 2 x (100 + 200 + 400 + 800) bytes. */
static void send_kept(MPI_Comm comm, int next, int before)
{
	MPI_Request kept[5];

	MPI_Send_init(out, 100, MPI_BYTE, next, 11, comm, &kept[0]);
	MPI_Bsend_init(out, 200, MPI_BYTE, next, 11, comm, &kept[1]);
	MPI_Ssend_init(out, 400, MPI_BYTE, next, 11, comm, &kept[2]);
	MPI_Rsend_init(out, 800, MPI_BYTE, next, 11, comm, &kept[3]);
	MPI_Send_init(out, 1600, MPI_BYTE, next, 11, comm, &kept[4]); /* never started */
	for (int turn = 0; turn < 2; turn++) {
		MPI_Request from[4];

		for (int i = 0; i < 4; i++)
			MPI_Irecv(in + 4096 * i, 4096, MPI_BYTE, before, 11, comm, &from[i]);
		MPI_Barrier(comm);
		MPI_Start(&kept[0]);
		MPI_Startall(3, kept + 1);
		MPI_Waitall(4, from, MPI_STATUSES_IGNORE);
		MPI_Waitall(4, kept, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 5; i++)
		MPI_Request_free(&kept[i]);
}

static void send_blocking(MPI_Comm comm, int next, int before)
{
	MPI_Request request[1];

	MPI_Irecv(in, 1 << 16, MPI_BYTE, before, 1, comm, &request[0]);
	MPI_Send(out, 11, MPI_BYTE, next, 1, comm);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);

	MPI_Buffer_attach(spare, sizeof spare);
	MPI_Bsend(out, 23, MPI_INT, next, 2, comm);
	MPI_Recv(in, 1 << 16, MPI_BYTE, before, 2, comm, MPI_STATUS_IGNORE);

	MPI_Irecv(in, 1 << 16, MPI_BYTE, before, 3, comm, &request[0]);
	MPI_Ssend(out, 37, MPI_DOUBLE, next, 3, comm);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);

	MPI_Irecv(in, 1 << 16, MPI_BYTE, before, 4, comm, &request[0]);
	MPI_Barrier(comm); /* a ready send needs a receive */
	MPI_Rsend(out, 41, MPI_SHORT, next, 4, comm);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void send_nonblocking(MPI_Comm comm, int next, int before)
{
	int flag = 0, got;
	MPI_Request request[2];
	MPI_Message message;
	MPI_Status status;

	MPI_Isend(out, 5000, MPI_BYTE, next, 5, comm, &request[0]);
	MPI_Mprobe(before, 5, comm, &message, &status);
	MPI_Get_count(&status, MPI_BYTE, &got);
	MPI_Mrecv(in, got, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);

	MPI_Ibsend(out, 7, MPI_LONG_LONG, next, 6, comm, &request[0]);
	while (!flag)
		MPI_Improbe(before, 6, comm, &flag, &message, &status);
	MPI_Imrecv(in, 1 << 16, MPI_BYTE, &message, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);

	MPI_Irecv(in, 1 << 16, MPI_BYTE, before, 7, comm, &request[0]);
	MPI_Issend(out, 1, MPI_DOUBLE, next, 7, comm, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);

	MPI_Irecv(in, 1 << 16, MPI_BYTE, before, 8, comm, &request[0]);
	MPI_Barrier(comm);
	MPI_Irsend(out, 0, MPI_BYTE, next, 8, comm, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void send_both_ways(MPI_Comm comm, int next, int before)
{
#if MPI_VERSION >= 4
	MPI_Request request;

	MPI_Isendrecv(out, 500, MPI_BYTE, next, 13, in, 1 << 16, MPI_BYTE, before, 13, comm,
		      &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Isendrecv_replace(out, 600, MPI_BYTE, next, 14, before, 14, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

/* Each way to send, once to the next rank, and each way to receive. */
static void send_all_ways(MPI_Comm comm)
{
	int me, count, next, before, got;

	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &count);
	next = (me + 1) % count;
	before = (me + count - 1) % count;

	send_blocking(comm, next, before);
	send_nonblocking(comm, next, before);
	MPI_Sendrecv(out, 300, MPI_FLOAT, next, 9, in, 1 << 16, MPI_BYTE, before, 9, comm,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(out, 77, MPI_INT, before, 10, next, 10, comm, MPI_STATUS_IGNORE);

	if (!is_plain)
		send_kept(comm, next, before);
	MPI_Buffer_detach(in, &got);

	MPI_Send(out, 99999, MPI_BYTE, MPI_PROC_NULL, 12, comm); /* goes nowhere */
	send_both_ways(comm, next, before);
}

/* A column of a matrix: the type has 4 doubles, and stretches over more. */
static void send_derived(void)
{
	MPI_Datatype column;

	MPI_Type_vector(4, 1, 8, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	MPI_Sendrecv(out, 3, column, size - 1 - rank, 0, in, 12, MPI_DOUBLE, size - 1 - rank, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Type_free(&column);
}

/* Made twice, once while the recorder pauses, and started three times: what is started counts. */
static void start_between_groups(MPI_Comm both)
{
	int starts = 0;
#if MPI_VERSION >= 4
	static char sink[256];

	for (int i = 0; i < 2; i++) {
		MPI_Request r[2];

		MPI_Pcontrol(i);
		MPI_Barrier_init(both, MPI_INFO_NULL, &r[0]);
		MPI_Allgather_init(out, 8, MPI_BYTE, sink, 8, MPI_BYTE, both, MPI_INFO_NULL, &r[1]);
		MPI_Pcontrol(1);
		for (int k = 0; k < 3; k++)
			for (int n = 0; n < 2; n++) {
				MPI_Start(&r[n]);
				MPI_Wait(&r[n], MPI_STATUS_IGNORE);
				starts++;
			}
		MPI_Request_free(&r[0]);
		MPI_Request_free(&r[1]);
	}
#endif
	if (rank == 0)
		printf("L %d 0 0\n", size * (starts + 1));
}

/* Even ranks to odd ones, by their number in the other group. */
static void send_between_groups(void)
{
	MPI_Comm half, both;
	int me;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
	MPI_Comm_rank(both, &me);
	if (rank % 2 == 0)
		MPI_Send(out, 1234, MPI_BYTE, me, 0, both);
	else
		MPI_Recv(in, 1234, MPI_BYTE, me, 0, both, MPI_STATUS_IGNORE);
	MPI_Barrier(both); /* of an intercommunicator: left out */
	start_between_groups(both);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

static int counts[64], displs[64], bytes_of[64];
static MPI_Datatype types[64];

static void lists_fill(void)
{
	for (int i = 0, at = 0; i < size; i++) {
		counts[i] = i + 1;
		displs[i] = at;
		bytes_of[i] = 4 * at;
		types[i] = MPI_INT;
		at += i + 1;
	}
}

/* On MPI_COMM_WORLD of 4 ranks; rank r has blocks of r + 1 ints in the v forms. */
static void call_blocking(void)
{
	MPI_Comm w = MPI_COMM_WORLD;
	int mine[64];

	for (int i = 0; i < 64; i++)
		mine[i] = rank + 1;
	MPI_Barrier(w);
	say("barrier blocking 4 0 0 1");
	MPI_Bcast(out, 25, MPI_INT, 2, w);
	say("bcast blocking 4 2 100 1");
	MPI_Gather(out, 7, MPI_BYTE, in, 7, MPI_BYTE, 1, w);
	say("gather blocking 4 1 7 1");
	MPI_Gather(rank == 3 ? MPI_IN_PLACE : out, 9, MPI_BYTE, in, 9, MPI_BYTE, 3, w);
	say("gather blocking 4 3 9 1");
	MPI_Scatter(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, 1, w);
	say("scatter blocking 4 1 24 1");
	MPI_Scatter(out, 5, MPI_DOUBLE, rank == 0 ? MPI_IN_PLACE : in, 5, MPI_DOUBLE, 0, w);
	say("scatter blocking 4 0 40 1");
	MPI_Allgather(out, 8, MPI_BYTE, in, 2, MPI_INT, w);
	say("allgather blocking 4 0 8 1");
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 13, MPI_BYTE, w);
	say("allgather blocking 4 0 13 1");
	MPI_Alltoall(out, 6, MPI_BYTE, in, 6, MPI_BYTE, w);
	say("alltoall blocking 4 0 6 1");
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 17, MPI_BYTE, w);
	say("alltoall blocking 4 0 17 1");
	/* 4 + 8 + 12 + 16 bytes: the mean block has 10 */
	MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, displs, MPI_INT, 1, w);
	say("gatherv blocking 4 1 10 1");
	MPI_Scatterv(out, counts, displs, MPI_INT, in, rank + 1, MPI_INT, 1, w);
	say("scatterv blocking 4 1 10 1");
	MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, displs, MPI_INT, w);
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, in, counts, displs, MPI_INT, w);
	say("allgatherv blocking 4 0 10 2");
	if (!is_plain) {
		MPI_Alltoallv(out, mine, displs, MPI_INT, in, counts, displs, MPI_INT, w);
		say("alltoallv blocking 4 0 10 1");
		MPI_Alltoallw(out, mine, bytes_of, types, in, counts, bytes_of, types, w);
		say("alltoallw blocking 4 0 10 1");
	}
	MPI_Reduce(out, in, 4, MPI_DOUBLE, MPI_SUM, 3, w);
	say("reduce blocking 4 3 32 1");
	MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, w);
	MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_DOUBLE, MPI_MAX, w);
	say("allreduce blocking 4 0 8 2");
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, w);
	say("reduce_scatter blocking 4 0 40 1");
	MPI_Reduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, w);
	say("reduce_scatter_block blocking 4 0 12 1");
	MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, w);
	say("scan blocking 4 0 8 1");
	MPI_Exscan(out, in, 3, MPI_INT, MPI_SUM, w);
	say("exscan blocking 4 0 12 1");
}

static void call_nonblocking(void)
{
	MPI_Comm w = MPI_COMM_WORLD;
	int mine[64], n = 0;
	MPI_Request r[32];
	static char sink[32][4096];

	for (int i = 0; i < 64; i++)
		mine[i] = rank + 1;
	MPI_Ibarrier(w, &r[n++]);
	say("barrier nonblocking 4 0 0 1");
	MPI_Ibcast(sink[1], 25, MPI_INT, 2, w, &r[n++]);
	say("bcast nonblocking 4 2 100 1");
	MPI_Igather(out, 7, MPI_BYTE, sink[2], 7, MPI_BYTE, 1, w, &r[n++]);
	say("gather nonblocking 4 1 7 1");
	MPI_Iscatter(out, 3, MPI_DOUBLE, sink[3], 3, MPI_DOUBLE, 1, w, &r[n++]);
	say("scatter nonblocking 4 1 24 1");
	MPI_Iallgather(out, 8, MPI_BYTE, sink[4], 8, MPI_BYTE, w, &r[n++]);
	say("allgather nonblocking 4 0 8 1");
	MPI_Ialltoall(out, 6, MPI_BYTE, sink[5], 6, MPI_BYTE, w, &r[n++]);
	say("alltoall nonblocking 4 0 6 1");
	MPI_Igatherv(out, rank + 1, MPI_INT, sink[6], counts, displs, MPI_INT, 1, w, &r[n++]);
	say("gatherv nonblocking 4 1 10 1");
	MPI_Iscatterv(out, counts, displs, MPI_INT, sink[7], rank + 1, MPI_INT, 1, w, &r[n++]);
	say("scatterv nonblocking 4 1 10 1");
	MPI_Iallgatherv(out, rank + 1, MPI_INT, sink[8], counts, displs, MPI_INT, w, &r[n++]);
	say("allgatherv nonblocking 4 0 10 1");
	MPI_Ialltoallv(out, mine, displs, MPI_INT, sink[9], counts, displs, MPI_INT, w, &r[n++]);
	say("alltoallv nonblocking 4 0 10 1");
	MPI_Ialltoallw(out, mine, bytes_of, types, sink[10], counts, bytes_of, types, w, &r[n++]);
	say("alltoallw nonblocking 4 0 10 1");
	MPI_Ireduce(out, sink[11], 4, MPI_DOUBLE, MPI_SUM, 3, w, &r[n++]);
	say("reduce nonblocking 4 3 32 1");
	MPI_Iallreduce(out, sink[12], 1, MPI_DOUBLE, MPI_MAX, w, &r[n++]);
	say("allreduce nonblocking 4 0 8 1");
	MPI_Ireduce_scatter(out, sink[13], counts, MPI_INT, MPI_SUM, w, &r[n++]);
	say("reduce_scatter nonblocking 4 0 40 1");
	MPI_Ireduce_scatter_block(out, sink[14], 3, MPI_INT, MPI_SUM, w, &r[n++]);
	say("reduce_scatter_block nonblocking 4 0 12 1");
	MPI_Iscan(out, sink[15], 2, MPI_INT, MPI_SUM, w, &r[n++]);
	say("scan nonblocking 4 0 8 1");
	MPI_Iexscan(out, sink[16], 3, MPI_INT, MPI_SUM, w, &r[n++]);
	say("exscan nonblocking 4 0 12 1");
	MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
}

/* Each is started twice, but for one. */
static void call_persistent(void)
{
#if MPI_VERSION >= 4
	MPI_Comm w = MPI_COMM_WORLD;
	int mine[64], n = 0, scatter;
	MPI_Request r[32];
	MPI_Info no = MPI_INFO_NULL;
	static char sink[32][4096];

	for (int i = 0; i < 64; i++)
		mine[i] = rank + 1;
	MPI_Barrier_init(w, no, &r[n++]);
	say("barrier persistent 4 0 0 2");
	MPI_Bcast_init(sink[1], 25, MPI_INT, 2, w, no, &r[n++]);
	say("bcast persistent 4 2 100 2");
	MPI_Gather_init(out, 7, MPI_BYTE, sink[2], 7, MPI_BYTE, 1, w, no, &r[n++]);
	say("gather persistent 4 1 7 2");
	/* MPICH 4.0.2 fails where it is started again, and where several are at once */
	scatter = n;
	MPI_Scatter_init(out, 3, MPI_DOUBLE, sink[3], 3, MPI_DOUBLE, 0, w, no, &r[n++]);
	say("scatter persistent 4 0 24 1");
	MPI_Allgather_init(out, 8, MPI_BYTE, sink[4], 8, MPI_BYTE, w, no, &r[n++]);
	say("allgather persistent 4 0 8 2");
	MPI_Alltoall_init(out, 6, MPI_BYTE, sink[5], 6, MPI_BYTE, w, no, &r[n++]);
	say("alltoall persistent 4 0 6 2");
	MPI_Gatherv_init(out, rank + 1, MPI_INT, sink[6], counts, displs, MPI_INT, 1, w, no,
			 &r[n++]);
	say("gatherv persistent 4 1 10 2");
	MPI_Scatterv_init(out, counts, displs, MPI_INT, sink[7], rank + 1, MPI_INT, 1, w, no,
			  &r[n++]);
	say("scatterv persistent 4 1 10 2");
	MPI_Allgatherv_init(out, rank + 1, MPI_INT, sink[8], counts, displs, MPI_INT, w, no,
			    &r[n++]);
	say("allgatherv persistent 4 0 10 2");
	MPI_Alltoallv_init(out, mine, displs, MPI_INT, sink[9], counts, displs, MPI_INT, w, no,
			   &r[n++]);
	say("alltoallv persistent 4 0 10 2");
	MPI_Alltoallw_init(out, mine, bytes_of, types, sink[10], counts, bytes_of, types, w, no,
			   &r[n++]);
	say("alltoallw persistent 4 0 10 2");
	MPI_Reduce_init(out, sink[11], 4, MPI_DOUBLE, MPI_SUM, 3, w, no, &r[n++]);
	say("reduce persistent 4 3 32 2");
	MPI_Allreduce_init(out, sink[12], 1, MPI_DOUBLE, MPI_MAX, w, no, &r[n++]);
	say("allreduce persistent 4 0 8 2");
	MPI_Reduce_scatter_init(out, sink[13], counts, MPI_INT, MPI_SUM, w, no, &r[n++]);
	say("reduce_scatter persistent 4 0 40 2");
	MPI_Reduce_scatter_block_init(out, sink[14], 3, MPI_INT, MPI_SUM, w, no, &r[n++]);
	say("reduce_scatter_block persistent 4 0 12 2");
	MPI_Scan_init(out, sink[15], 2, MPI_INT, MPI_SUM, w, no, &r[n++]);
	say("scan persistent 4 0 8 2");
	MPI_Exscan_init(out, sink[16], 3, MPI_INT, MPI_SUM, w, no, &r[n++]);
	say("exscan persistent 4 0 12 2");
	for (int i = 0; i < 2 * n; i++) {
		if (i == n + scatter)
			continue;
		MPI_Start(&r[i % n]);
		MPI_Wait(&r[i % n], MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < n; i++)
		MPI_Request_free(&r[i]);
#endif
}

/* Rows of a grid, in the opposite order; made and freed again and again they are one. */
static void call_on_parts(void)
{
	int dims[2] = { 2, 2 }, periods[2] = { 1, 0 };
	MPI_Comm grid, row;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	MPI_Comm_set_name(grid, "the \"grid\"");
	MPI_Allreduce(out, in, 100, MPI_INT, MPI_SUM, grid);
	say("allreduce blocking 4 0 400 1");
	send_all_ways(grid);
	say(is_plain ? "barrier blocking 4 0 0 2" : "barrier blocking 4 0 0 4");
	MPI_Comm_free(&grid);
	for (int turn = 0; turn < 3; turn++) {
		MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &row);
		MPI_Bcast(out, 64, MPI_BYTE, 1, row);
		MPI_Sendrecv(out, 70000 % 4096, MPI_BYTE, 1 - rank % 2, 0, in, 4096, MPI_BYTE,
			     MPI_ANY_SOURCE, 0, row, MPI_STATUS_IGNORE);
		MPI_Comm_free(&row);
	}
	say("bcast blocking 2 1 64 3");
}

/* The forms for large counts, and messages in parts: to the next rank 300 + 2 x 70 + 2 x 4 x 25 bytes, 5
 * messages. */
static void call_large(void)
{
#if MPI_VERSION >= 4
	MPI_Comm w = MPI_COMM_WORLD;
	int next = (rank + 1) % size, before = (rank + size - 1) % size;
	MPI_Count many[64], mine[64];
	MPI_Aint at[64], bytes_at[64];
	MPI_Request kept[2], reduced;

	for (int i = 0; i < 64; i++) {
		many[i] = counts[i];
		mine[i] = rank + 1;
		at[i] = displs[i];
		bytes_at[i] = bytes_of[i];
	}
	MPI_Sendrecv_c(out, 300, MPI_BYTE, next, 0, in, 300, MPI_BYTE, before, 0, w,
		       MPI_STATUS_IGNORE);
	MPI_Send_init_c(out, 35, MPI_SHORT, next, 1, w, &kept[0]);
	MPI_Recv_init_c(in, 35, MPI_SHORT, before, 1, w, &kept[1]);
	for (int turn = 0; turn < 2; turn++) {
		MPI_Startall(2, kept);
		MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&kept[0]);
	MPI_Request_free(&kept[1]);
	MPI_Psend_init(out, 4, 25, MPI_BYTE, next, 2, w, MPI_INFO_NULL, &kept[0]);
	MPI_Precv_init(in, 4, 25, MPI_BYTE, before, 2, w, MPI_INFO_NULL, &kept[1]);
	for (int turn = 0; turn < 2; turn++) {
		MPI_Startall(2, kept);
		MPI_Pready_range(0, 3, kept[0]);
		MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&kept[0]);
	MPI_Request_free(&kept[1]);
	MPI_Bcast_c(out, 25, MPI_INT, 2, w);
	say("bcast blocking 4 2 100 1");
	MPI_Gather_c(out, 7, MPI_BYTE, in, 7, MPI_BYTE, 1, w);
	say("gather blocking 4 1 7 1");
	MPI_Allgatherv_c(out, rank + 1, MPI_INT, in, many, at, MPI_INT, w);
	MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_INT, in, many, at, MPI_INT, w);
	say("allgatherv blocking 4 0 10 2");
	MPI_Alltoallv_c(out, mine, at, MPI_INT, in, many, at, MPI_INT, w);
	say("alltoallv blocking 4 0 10 1");
	MPI_Alltoallw_c(out, mine, bytes_at, types, in, many, bytes_at, types, w);
	say("alltoallw blocking 4 0 10 1");
	MPI_Reduce_scatter_c(out, in, many, MPI_INT, MPI_SUM, w);
	say("reduce_scatter blocking 4 0 40 1");
	MPI_Reduce_scatter_block_c(out, in, 3, MPI_INT, MPI_SUM, w);
	say("reduce_scatter_block blocking 4 0 12 1");
	MPI_Iallreduce_c(out, in, 5, MPI_INT, MPI_SUM, w, &reduced);
	say("allreduce nonblocking 4 0 20 1");
	MPI_Wait(&reduced, MPI_STATUS_IGNORE);
#endif
}

static int end(void)
{
	return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}

int main(int argc, char **argv)
{
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	lists_fill();
	if (argc > 1 && strcmp(argv[1], "large") == 0) {
		call_large();
		return end();
	}
	is_plain = argc > 1 && strcmp(argv[1], "plain") == 0;
	send_all_ways(MPI_COMM_WORLD); /* with 2 barriers, and 2 more */
	say(is_plain ? "barrier blocking 4 0 0 2" : "barrier blocking 4 0 0 4");
	send_derived();
	if (!is_plain)
		send_between_groups();
	MPI_Isend(out, 55, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
	MPI_Recv(in, 55, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call_blocking();
	call_nonblocking();
	call_persistent();
	call_on_parts();
	MPI_Pcontrol(0);
	MPI_Bcast(out, 99, MPI_BYTE, 0, MPI_COMM_WORLD); /* not recorded */
	MPI_Pcontrol(1);
	return end();
}
