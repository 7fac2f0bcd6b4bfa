/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corrupt - a preload by which one byte is lost on the way: of every message of rank CORRUPT_RANK
 * that MPI_Isend or MPI_Send sends in contiguous bytes, the last byte arrives as another one; and so
 * does the last byte of an MPI_Bcast or MPI_Sendrecv there. Proves that a wrong result is seen; nothing of topomap is in it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is_chosen(void)
{
	const char *chosen = getenv("CORRUPT_RANK");
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return chosen && atoi(chosen) == rank;
}

static int is_bytes(MPI_Datatype type)
{
	return type == MPI_BYTE || type == MPI_UINT64_T;
}

/* A copy with another last byte; NULL: the message goes as it is. */
static char *copy_corrupt(const void *buffer, int count, MPI_Datatype type)
{
	int size;
	char *copy;

	if (!is_chosen() || !is_bytes(type) || count == 0)
		return NULL;
	PMPI_Type_size(type, &size);
	copy = malloc((size_t)count * (size_t)size);
	if (!copy)
		abort();
	memcpy(copy, buffer, (size_t)count * (size_t)size);
	copy[(size_t)count * (size_t)size - 1] ^= 1;
	return copy;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	char *copy = copy_corrupt(buffer, count, type);
	int code = PMPI_Send(copy ? copy : buffer, count, type, to, tag, comm);

	free(copy);
	return code;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	/* as long as the job: it may be sent later */
	char *copy = copy_corrupt(buffer, count, type);

	return PMPI_Isend(copy ? copy : buffer, count, type, to, tag, comm, request);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	int code = PMPI_Bcast(buffer, count, type, root, comm);

	if (is_chosen() && type == MPI_BYTE && count == 64) /* none of the program's own */
		((char *)buffer)[count - 1] ^= 1;
	return code;
}

int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag,
		 void *recv, int recv_count, MPI_Datatype recv_type, int from, int recv_tag,
		 MPI_Comm comm, MPI_Status *status)
{
	int code = PMPI_Sendrecv(send, send_count, send_type, to, send_tag, recv, recv_count,
				 recv_type, from, recv_tag, comm, status);

	if (is_chosen() && recv_type == MPI_BYTE && recv_count == 64)
		((char *)recv)[recv_count - 1] ^= 1;
	return code;
}
