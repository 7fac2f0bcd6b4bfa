/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/virtual_run.h"

#include "core/base/mem.h"
#include "core/base/random.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_virtual_call_row *row_of(const struct tmap_virtual_key *key)
{
	return &tmap_virtual_call_rows[key->call];
}

int tmap_virtual_run_check_size(const struct tmap_virtual_key *key,
				const struct tmap_virtual_neighbors *neighbors, int64_t bytes,
				struct tmap_error *err)
{
	int64_t blocks = row_of(key)->has_neighbors ? neighbors->degree : neighbors->size;

	if (bytes <= INT_MAX && (!row_of(key)->has_sizes || bytes * blocks <= INT_MAX))
		return 0;
	return row_of(key)->has_sizes ?
		tmap_fail(err, TMAP_INPUT, "%s: MPI cannot count %lld blocks of %lld bytes",
			  row_of(key)->word.name, (long long)blocks, (long long)bytes) :
		tmap_fail(err, TMAP_INPUT, "%s: MPI cannot count %lld bytes",
			  row_of(key)->word.name, (long long)bytes);
}

int tmap_virtual_run_check_library(struct tmap_error *err)
{
#ifdef SMPI_H
	return tmap_fail(err, TMAP_INPUT,
			 "SimGrid SMPI has neither graphs of ranks nor neighborhood collectives");
#else
	(void)err;
	return 0;
#endif
}

static void list_fini(struct tmap_virtual_list *list)
{
	free(list->rank);
	*list = (struct tmap_virtual_list){ 0 };
}

static int list_init(struct tmap_virtual_list *list, int most, struct tmap_error *err)
{
	list->rank = tmap_alloc((size_t)most, sizeof *list->rank, err);
	return list->rank ? 0 : -1;
}

/* TMAP_NONE is a rank beyond a border. */
static void list_mark_borders(struct tmap_virtual_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->rank[i] == TMAP_NONE)
			list->rank[i] = MPI_PROC_NULL;
}

/* Has *list the ranks of it->wanted? In any order where that is the library's. */
static bool list_is_wanted(const struct tmap_virtual_run *it, const struct tmap_virtual_list *list,
			   bool in_order)
{
	const struct tmap_virtual_list *wanted = &it->wanted;
	bool is_same = true;

	if (list->count != wanted->count)
		return false;
	if (in_order)
		return list->count == 0 ||
			memcmp(list->rank, wanted->rank, (size_t)list->count * sizeof(int)) == 0;
	for (int i = 0; i < list->count; i++) {
		if (list->rank[i] < 0 || list->rank[i] >= it->neighbors.size)
			return false;
		it->met[list->rank[i]] = 0;
	}
	for (int i = 0; i < wanted->count; i++)
		it->met[wanted->rank[i]] = 0;
	for (int i = 0; i < list->count; i++) {
		it->met[list->rank[i]]++;
		it->met[wanted->rank[i]]--;
	}
	for (int i = 0; i < list->count; i++)
		is_same = is_same && it->met[list->rank[i]] == 0;
	return is_same;
}

/* Compilers take the mark for an array of edges' weights and find it too short. */
__attribute__((noinline)) const int *tmap_virtual_no_weights(void)
{
	return (const int *)MPI_UNWEIGHTED;
}

/* Collective: a communicator with the topology; MPI's codes. */
static int communicator_make(const struct tmap_virtual_run *it, MPI_Comm *made)
{
	const struct tmap_virtual_topology *topology = &it->key.topology;
	const struct tmap_neighborhood *grid = &it->neighbors.neighborhood;
	int periods[TMAP_DIMENSIONS_MAX], rank;

	switch (topology->constructor) {
	case TMAP_CART_CREATE:
		for (int i = 0; i < grid->dimensions; i++)
			periods[i] = grid->periodic[i];
		return MPI_Cart_create(it->world, grid->dimensions, grid->dim, periods,
				       topology->reorder, made);
	case TMAP_DIST_GRAPH_CREATE_ADJACENT:
		return MPI_Dist_graph_create_adjacent(
			it->world, it->sources.count, it->sources.rank, tmap_virtual_no_weights(),
			it->targets.count, it->targets.rank, tmap_virtual_no_weights(),
			MPI_INFO_NULL, topology->reorder, made);
	default:
		MPI_Comm_rank(it->world, &rank);
		return MPI_Dist_graph_create(it->world, 1, &rank, &it->targets.count,
					     it->targets.rank, tmap_virtual_no_weights(),
					     MPI_INFO_NULL, topology->reorder, made);
	}
}

/* Whom a Cartesian communicator has where: the grid, row by row. */
static int cart_ask(struct tmap_virtual_run *it, MPI_Comm comm, int rank)
{
	const struct tmap_neighborhood *grid = &it->neighbors.neighborhood;
	int dim[TMAP_DIMENSIONS_MAX], period[TMAP_DIMENSIONS_MAX], at[TMAP_DIMENSIONS_MAX],
		number = 0;
	int code = MPI_Cart_get(comm, grid->dimensions, dim, period, at);

	it->is_as_asked = code == MPI_SUCCESS;
	for (int i = 0; i < grid->dimensions && it->is_as_asked; i++) {
		it->is_as_asked = dim[i] == grid->dim[i] && !period[i] == !grid->periodic[i];
		number = number * grid->dim[i] + at[i];
	}
	it->is_as_asked = it->is_as_asked && number == rank;
	tmap_virtual_sources(&it->neighbors, rank, it->from.rank, &it->from.count);
	tmap_virtual_targets(&it->neighbors, rank, it->to.rank, &it->to.count);
	list_mark_borders(&it->from);
	list_mark_borders(&it->to);
	return code;
}

/* Whom the library has as neighbors in a graph. */
static int graph_ask(struct tmap_virtual_run *it, MPI_Comm comm, int rank)
{
	const bool in_order = it->key.topology.constructor == TMAP_DIST_GRAPH_CREATE_ADJACENT;
	int in = 0, out = 0, weighted, code;

	it->is_as_asked = false;
	it->from.count = it->to.count = 0;
	code = MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
	if (code != MPI_SUCCESS)
		return code;
	/* a call on such a communicator would have more blocks than there is room for */
	if (in > it->neighbors.degree || out > it->neighbors.degree)
		return MPI_ERR_TOPOLOGY;
	code = MPI_Dist_graph_neighbors(comm, in, it->from.rank, (int *)MPI_UNWEIGHTED, out,
					it->to.rank, (int *)MPI_UNWEIGHTED);
	if (code != MPI_SUCCESS)
		return code;
	it->from.count = in;
	it->to.count = out;
	tmap_virtual_sources(&it->neighbors, rank, it->wanted.rank, &it->wanted.count);
	it->is_as_asked = list_is_wanted(it, &it->from, in_order);
	tmap_virtual_targets(&it->neighbors, rank, it->wanted.rank, &it->wanted.count);
	it->is_as_asked = it->is_as_asked && list_is_wanted(it, &it->to, in_order);
	return code;
}

/* Of a communicator: is it as asked, and who are this rank's neighbors? MPI's codes. */
static int communicator_ask(struct tmap_virtual_run *it, MPI_Comm comm)
{
	int code = MPI_Comm_rank(comm, &it->rank);

	if (code != MPI_SUCCESS)
		return code;
	return it->key.topology.constructor == TMAP_CART_CREATE ? cart_ask(it, comm, it->rank) :
								  graph_ask(it, comm, it->rank);
}

/* Of a call on all ranks. */
static void list_all(struct tmap_virtual_list *list, int size)
{
	list->count = size;
	for (int i = 0; i < size; i++)
		list->rank[i] = i;
}

static int buffers_init(struct tmap_virtual_run *it, struct tmap_error *err)
{
	const struct tmap_virtual_call_row *row = row_of(&it->key);
	int sent = row->gathers ? 1 : it->to.count;
	size_t blocks = (size_t)(it->from.count > it->to.count ? it->from.count : it->to.count);

	it->send = tmap_alloc((size_t)sent * (size_t)it->bytes, 1, err);
	it->recv = tmap_alloc((size_t)it->from.count * (size_t)it->bytes, 1, err);
	if (!it->send || !it->recv)
		return -1;
	if (!row->has_sizes)
		return 0;
	it->counts = tmap_alloc(blocks, sizeof *it->counts, err);
	it->displacements = tmap_alloc(blocks, sizeof *it->displacements, err);
	it->addresses = tmap_alloc(blocks, sizeof *it->addresses, err);
	it->types = tmap_alloc(blocks, sizeof(MPI_Datatype), err);
	if (!it->counts || !it->displacements || !it->addresses || !it->types)
		return -1;
	for (size_t i = 0; i < blocks; i++) {
		it->counts[i] = it->bytes;
		it->displacements[i] = (int)i * it->bytes;
		it->addresses[i] = (MPI_Aint)i * it->bytes;
		it->types[i] = MPI_BYTE;
	}
	return 0;
}

/* What this rank knows before there is a communicator. */
static int lists_init(struct tmap_virtual_run *it, int rank, int size, struct tmap_error *err)
{
	int most;

	if (tmap_virtual_neighbors_init(&it->neighbors, &it->key.topology, size, err) < 0)
		return -1;
	most = it->neighbors.degree > size ? it->neighbors.degree : size;
	it->met = tmap_alloc((size_t)size, sizeof *it->met, err);
	if (!it->met || list_init(&it->sources, it->neighbors.degree, err) < 0 ||
	    list_init(&it->targets, it->neighbors.degree, err) < 0 ||
	    list_init(&it->wanted, it->neighbors.degree, err) < 0 ||
	    list_init(&it->from, most, err) < 0 || list_init(&it->to, most, err) < 0)
		return -1;
	tmap_virtual_sources(&it->neighbors, rank, it->sources.rank, &it->sources.count);
	tmap_virtual_targets(&it->neighbors, rank, it->targets.rank, &it->targets.count);
	return 0;
}

/* Collective: the communicator on which a collective is called. */
static int communicator_init(struct tmap_virtual_run *it, struct tmap_job *job,
			     struct tmap_error *err)
{
	const char *constructor =
		tmap_keywords_summary(&tmap_constructors, it->key.topology.constructor);

	if (tmap_job_check(job, communicator_make(it, &it->comm), constructor, err) < 0 ||
	    tmap_job_check(job, communicator_ask(it, it->comm), "a question about a topology",
			   err) < 0)
		return -1;
	if (!row_of(&it->key)->has_neighbors) {
		list_all(&it->from, job->size);
		list_all(&it->to, job->size);
	}
	return 0;
}

int tmap_virtual_run_init(struct tmap_virtual_run *it, struct tmap_job *job,
			  const struct tmap_virtual_key *key, int64_t bytes, struct tmap_error *err)
{
	int status;

	*it = (struct tmap_virtual_run){
		.key = *key, .world = job->world, .comm = MPI_COMM_NULL, .bytes = (int)bytes
	};
	status = lists_init(it, job->rank, job->size, err);
	if (status == 0)
		status = tmap_virtual_run_check_size(key, &it->neighbors, bytes, err);
	status = tmap_job_agree(job, status, err);
	if (status < 0 || key->call == TMAP_VIRTUAL_CREATE)
		return status;
	if (communicator_init(it, job, err) < 0)
		return -1;
	return tmap_job_agree(job, buffers_init(it, err), err);
}

void tmap_virtual_run_fini(struct tmap_virtual_run *it)
{
	if (it->key.call == TMAP_NO_VIRTUAL)
		return;
	if (it->comm != MPI_COMM_NULL)
		MPI_Comm_free(&it->comm);
	list_fini(&it->sources);
	list_fini(&it->targets);
	list_fini(&it->wanted);
	list_fini(&it->from);
	list_fini(&it->to);
	free(it->met);
	free(it->send);
	free(it->recv);
	free(it->counts);
	free(it->displacements);
	free(it->addresses);
	free(it->types);
	tmap_virtual_neighbors_fini(&it->neighbors);
	*it = (struct tmap_virtual_run){ 0 };
}

/* The bytes that one rank has for another one; of calls that gather, for all. */
static struct tmap_random block_begin(const struct tmap_virtual_run *it, int from, int to)
{
	struct tmap_random round = { it->round };

	return (struct tmap_random){ tmap_random_next(&round) ^
				     ((uint64_t)(uint32_t)from << 32 |
				      (uint32_t)(row_of(&it->key)->gathers ? 0 : to)) };
}

void tmap_virtual_run_fill(struct tmap_virtual_run *it, uint64_t round)
{
	int sent = row_of(&it->key)->gathers ? 1 : it->to.count;

	it->round = round;
	if (it->key.call == TMAP_VIRTUAL_CREATE)
		return;
	for (int k = 0; k < sent; k++) {
		struct tmap_random bytes = block_begin(it, it->rank, it->to.rank[k]);

		for (int i = 0; i < it->bytes; i++)
			it->send[(size_t)k * (size_t)it->bytes + (size_t)i] =
				(unsigned char)tmap_random_next(&bytes);
	}
	for (int k = 0; k < it->from.count; k++) {
		struct tmap_random bytes = block_begin(it, it->from.rank[k], it->rank);

		for (int i = 0; i < it->bytes; i++)
			it->recv[(size_t)k * (size_t)it->bytes + (size_t)i] =
				(unsigned char)~tmap_random_next(&bytes);
	}
}

bool tmap_virtual_run_check(struct tmap_virtual_run *it, struct tmap_bench_fault *fault)
{
	*fault = (struct tmap_bench_fault){ .is_of_neighbors = true };
	if (it->key.call == TMAP_VIRTUAL_CREATE)
		return it->comm != MPI_COMM_NULL && communicator_ask(it, it->comm) == MPI_SUCCESS &&
			it->is_as_asked;
	if (!it->is_as_asked)
		return false;
	for (int k = 0; k < it->from.count; k++) {
		struct tmap_random bytes = block_begin(it, it->from.rank[k], it->rank);

		for (int i = 0; it->from.rank[k] != MPI_PROC_NULL && i < it->bytes; i++)
			if (it->recv[(size_t)k * (size_t)it->bytes + (size_t)i] !=
			    (unsigned char)tmap_random_next(&bytes)) {
				*fault = (struct tmap_bench_fault){ .block = k, .byte = i };
				return false;
			}
	}
	return true;
}

int tmap_virtual_run_call(struct tmap_virtual_run *it)
{
	int n = it->bytes;
	int *counts = it->counts, *at = it->displacements;
	MPI_Aint *addresses = it->addresses;
	MPI_Datatype *types = it->types;

	switch (it->key.call) {
	case TMAP_VIRTUAL_CREATE:
		return communicator_make(it, &it->comm);
	case TMAP_VIRTUAL_ALLGATHER:
		return MPI_Allgather(it->send, n, MPI_BYTE, it->recv, n, MPI_BYTE, it->comm);
	case TMAP_VIRTUAL_ALLGATHERV:
		return MPI_Allgatherv(it->send, n, MPI_BYTE, it->recv, counts, at, MPI_BYTE,
				      it->comm);
	case TMAP_VIRTUAL_ALLTOALL:
		return MPI_Alltoall(it->send, n, MPI_BYTE, it->recv, n, MPI_BYTE, it->comm);
	case TMAP_VIRTUAL_ALLTOALLV:
		return MPI_Alltoallv(it->send, counts, at, MPI_BYTE, it->recv, counts, at, MPI_BYTE,
				     it->comm);
	case TMAP_VIRTUAL_ALLTOALLW:
		return MPI_Alltoallw(it->send, counts, at, types, it->recv, counts, at, types,
				     it->comm);
	case TMAP_VIRTUAL_NEIGHBOR_ALLGATHER:
		return MPI_Neighbor_allgather(it->send, n, MPI_BYTE, it->recv, n, MPI_BYTE,
					      it->comm);
	case TMAP_VIRTUAL_NEIGHBOR_ALLGATHERV:
		return MPI_Neighbor_allgatherv(it->send, n, MPI_BYTE, it->recv, counts, at,
					       MPI_BYTE, it->comm);
	case TMAP_VIRTUAL_NEIGHBOR_ALLTOALL:
		return MPI_Neighbor_alltoall(it->send, n, MPI_BYTE, it->recv, n, MPI_BYTE,
					     it->comm);
	case TMAP_VIRTUAL_NEIGHBOR_ALLTOALLV:
		return MPI_Neighbor_alltoallv(it->send, counts, at, MPI_BYTE, it->recv, counts, at,
					      MPI_BYTE, it->comm);
	case TMAP_VIRTUAL_NEIGHBOR_ALLTOALLW:
		return MPI_Neighbor_alltoallw(it->send, counts, addresses, types, it->recv, counts,
					      addresses, types, it->comm);
	default:
		return MPI_ERR_OP;
	}
}

int tmap_virtual_run_rest(struct tmap_virtual_run *it)
{
	return it->key.call == TMAP_VIRTUAL_CREATE && it->comm != MPI_COMM_NULL ?
		MPI_Comm_free(&it->comm) :
		MPI_SUCCESS;
}
