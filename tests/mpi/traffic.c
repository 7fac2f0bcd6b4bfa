/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/mpi/traffic.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

/* From 5.0 on a function that revokes communicators stands before them. */
enum { AT_PREPARE = OMPI_MAJOR_VERSION < 5 ? 9 : 10, AT_ISEND, AT_SEND };

typedef int isend_function(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm,
			   MPI_Request *);
typedef int send_function(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);

long *traffic_messages, *traffic_bytes, *traffic_empty;

static isend_function *prepare_of_library, *isend_of_library;
static send_function *send_of_library;

static void count(size_t elements, MPI_Datatype type, int to, MPI_Comm comm)
{
	MPI_Group group, world;
	int size, rank;

	MPI_Type_size(type, &size);
	MPI_Comm_group(comm, &group);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_translate_ranks(group, 1, &to, world, &rank);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	traffic_messages[rank]++;
	traffic_bytes[rank] += (long)elements * size;
	traffic_empty[rank] += elements == 0 || size == 0;
}

static int isend_counted(const void *data, size_t elements, MPI_Datatype type, int to, int tag,
			 int mode, MPI_Comm comm, MPI_Request *request)
{
	count(elements, type, to, comm);
	return isend_of_library(data, elements, type, to, tag, mode, comm, request);
}

/* A send that is started later; collectives start each of theirs once. */
static int prepare_counted(const void *data, size_t elements, MPI_Datatype type, int to, int tag,
			   int mode, MPI_Comm comm, MPI_Request *request)
{
	count(elements, type, to, comm);
	return prepare_of_library(data, elements, type, to, tag, mode, comm, request);
}

static int send_counted(const void *data, size_t elements, MPI_Datatype type, int to, int tag,
			int mode, MPI_Comm comm)
{
	count(elements, type, to, comm);
	return send_of_library(data, elements, type, to, tag, mode, comm);
}

enum { KINDS = 3 };

static void send_as(int kind, const char *data, int bytes, int to)
{
	MPI_Request request;

	if (kind == 0) {
		MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
		return;
	}
	if (kind == 1) {
		MPI_Isend(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
	} else {
		MPI_Send_init(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
		MPI_Start(&request);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (kind == 2)
		MPI_Request_free(&request);
}

/* 1, 10 and 100 bytes to the next rank, each in another way, must all have been seen. */
static int is_counting(int size)
{
	char out[100] = { 0 }, in[100];
	int rank, next, seen;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	next = (rank + 1) % size;
	for (int kind = 0, bytes = 1; kind < KINDS; kind++, bytes *= 10) {
		MPI_Request request;

		MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
		send_as(kind, out, bytes, next);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	seen = traffic_messages[next] == KINDS && traffic_bytes[next] == 111;
	MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	return seen;
}

const char *traffic_start(int size)
{
	void **table = dlsym(RTLD_DEFAULT, "mca_pml");

	traffic_messages = calloc((size_t)size, sizeof *traffic_messages);
	traffic_bytes = calloc((size_t)size, sizeof *traffic_bytes);
	traffic_empty = calloc((size_t)size, sizeof *traffic_empty);
	if (!traffic_messages || !traffic_bytes || !traffic_empty)
		return "no memory";
	if (!table)
		return "the library has no mca_pml: it is not Open MPI";
	*(void **)&prepare_of_library = table[AT_PREPARE];
	*(void **)&isend_of_library = table[AT_ISEND];
	*(void **)&send_of_library = table[AT_SEND];
	table[AT_PREPARE] = *(void **)&(isend_function *){ prepare_counted };
	table[AT_ISEND] = *(void **)&(isend_function *){ isend_counted };
	table[AT_SEND] = *(void **)&(send_function *){ send_counted };
	return is_counting(size) ? NULL : "the library's table of functions is another one";
}
