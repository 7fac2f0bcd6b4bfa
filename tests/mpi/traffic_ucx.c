/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside of MPICH over UCX: every message between two processes, also of one node and of
 * collectives, goes through ucp_tag_send_nbx() and its kin, which are functions of another library.
 * Those of this file, in the program itself, come before that library's. Which end point is which
 * rank's is learned from messages that are sent for that purpose.
 *
 * MPICH turns while it waits. Where ranks share CPUs others need that time: ucp_worker_progress()
 * yields when there was nothing to do.
 */
#include "tests/mpi/traffic.h"

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of ucp_request_param_t. */
struct param {
	uint32_t mask, flags;
	void *request;
	void *call_back;
	uint64_t datatype;
};

enum { FIELD_DATATYPE = 8 };

typedef void *send_function(void *end_point, const void *data, size_t count, uint64_t tag,
			    const struct param *param);

long *traffic_messages, *traffic_bytes, *traffic_empty;

static void **end_points; /* by rank */
static int ranks, learning = -1;

/* The beginning of ucp_generic_dt_ops_t: how data is packed that is not contiguous. */
struct pack_functions {
	void *(*start_pack)(void *context, const void *data, size_t count);
	void *(*start_unpack)(void *context, void *data, size_t count);
	size_t (*packed_size)(void *state);
	size_t (*pack)(void *state, size_t offset, void *to, size_t most);
	int (*unpack)(void *state, size_t offset, const void *from, size_t length);
	void (*finish)(void *state);
};

enum { MOST_DATATYPES = 10000 };

static struct {
	uint64_t datatype;
	struct pack_functions functions;
	void *context;
} datatypes[MOST_DATATYPES];
static int datatype_count;

int ucp_dt_create_generic(const struct pack_functions *functions, void *context,
			  uint64_t *datatype);
int ucp_dt_create_generic(const struct pack_functions *functions, void *context, uint64_t *datatype)
{
	static int (*of_library)(const struct pack_functions *, void *, uint64_t *);
	int status, at = 0;

	if (!of_library)
		*(void **)&of_library = dlsym(RTLD_NEXT, "ucp_dt_create_generic");
	status = of_library(functions, context, datatype);
	while (at < datatype_count && datatypes[at].datatype != *datatype)
		at++;
	if (at == MOST_DATATYPES)
		abort();
	datatypes[at].datatype = *datatype;
	datatypes[at].functions = *functions;
	datatypes[at].context = context;
	datatype_count += at == datatype_count;
	return status;
}

/* Contiguous ones have the size of an element above three bits of kind. */
static long bytes_of(const void *data, size_t count, const struct param *param)
{
	uint64_t datatype = param && param->mask & FIELD_DATATYPE ? param->datatype : 8;
	void *state;
	long bytes;

	if (!(datatype & 7))
		return (long)(count * (datatype >> 3));
	for (int i = 0; i < datatype_count; i++)
		if (datatypes[i].datatype == datatype) {
			state = datatypes[i].functions.start_pack(datatypes[i].context, data,
								  count);
			bytes = (long)datatypes[i].functions.packed_size(state);
			return bytes; /* the state stays: its end would release the datatype */
		}
	abort();
}

static void count_message(void *end_point, const void *data, size_t count,
			  const struct param *param)
{
	long bytes;

	if (!ranks)
		return;
	bytes = bytes_of(data, count, param);
	if (learning >= 0)
		end_points[learning] = end_point;
	for (int r = 0; r < ranks; r++)
		if (end_points[r] == end_point) {
			traffic_messages[r]++;
			traffic_bytes[r] += bytes;
			traffic_empty[r] += bytes == 0;
			return;
		}
}

#define SENDS(name) \
	void *name(void *end_point, const void *data, size_t count, uint64_t tag, \
		   const struct param *param); \
	void *name(void *end_point, const void *data, size_t count, uint64_t tag, \
		   const struct param *param) \
	{ \
		static send_function *of_library; \
		if (!of_library) \
			*(void **)&of_library = dlsym(RTLD_NEXT, #name); \
		count_message(end_point, data, count, param); \
		return of_library(end_point, data, count, tag, param); \
	}

SENDS(ucp_tag_send_nbx)
SENDS(ucp_tag_send_sync_nbx)

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*of_library)(void *);
	unsigned done;

	if (!of_library)
		*(void **)&of_library = dlsym(RTLD_NEXT, "ucp_worker_progress");
	done = of_library(worker);
	if (!done)
		sched_yield();
	return done;
}

/* Every rank to every other one: one message to learn the end point by, then one to try it. */
static void learn_ranks(int rank)
{
	char out[7] = { 0 }, in[7];

	for (int shift = 1; shift < ranks; shift++)
		for (int turn = 0; turn < 2; turn++) {
			int to = (rank + shift) % ranks;
			MPI_Request request;

			MPI_Irecv(in, 7, MPI_BYTE, (rank + ranks - shift) % ranks, 0,
				  MPI_COMM_WORLD, &request);
			learning = turn ? -1 : to;
			MPI_Send(out, 7, MPI_BYTE, to, 0, MPI_COMM_WORLD);
			learning = -1;
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
}

const char *traffic_start(int size)
{
	int rank, seen = 1;

	traffic_messages = calloc((size_t)size, sizeof *traffic_messages);
	traffic_bytes = calloc((size_t)size, sizeof *traffic_bytes);
	traffic_empty = calloc((size_t)size, sizeof *traffic_empty);
	end_points = calloc((size_t)size, sizeof *end_points);
	if (!traffic_messages || !traffic_bytes || !traffic_empty || !end_points)
		return "no memory";
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	ranks = size;
	learn_ranks(rank);
	for (int r = 0; r < size; r++)
		seen = seen && (r == rank || (traffic_messages[r] == 2 && traffic_bytes[r] == 14));
	MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	return seen ? NULL : "its messages do not go through UCX";
}
