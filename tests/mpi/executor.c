/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * executor - every algorithm of the catalogue, executed over MPI, beside the library's own
 * collective on the same data: both must leave the same bytes. Under mpirun, of any number of
 * ranks.
 *
 *     executor [STEP [ROWS]]     every STEP-th root (1), every ROWS-th algorithm (1)
 *
 * Dense integers, bytes, doubles, pairs and a datatype with gaps; in place or not; predefined
 * operations and one that does not commute; v- and w-forms, in place, too; neighbours on grids; all that
 * is kept between starts, and several operations under way at once. Prints how many were right.
 */
#include "core/algorithms/catalogue.h"
#include "core/schedule/neighborhood.h"
#include "mpi_run/operation/operation.h"
#include "tests/support/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64, BLOCK_ROOM = 24 * 40 };
enum { PAIR_SIZE = 12, PAIR_EXTENT = 16 }; /* of MPI_DOUBLE_INT */

static int rank, size, compared, refused, row_step = 1;
static MPI_Comm comm;
static struct tmap_channel channel;
static struct tmap_metric metric;
static MPI_Datatype gapped;
static MPI_Op composes;
static struct tmap_error err;

static void stop(const char *what, const char *which)
{
	fprintf(stderr, "executor: rank %d of %d: %s %s\n", rank, size, which, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static char *room(size_t bytes)
{
	char *made = malloc(bytes);

	if (!made)
		stop("no memory", "");
	return made;
}

/* One call: all that the library's function and ours are given. */
struct test {
	enum tmap_collective collective;
	struct tmap_call call;
	struct tmap_arguments arguments;
	MPI_Comm neighbors;
	int root, send_counts[MOST_BLOCKS], send_at[MOST_BLOCKS], recv_counts[MOST_BLOCKS],
		recv_at[MOST_BLOCKS];
	MPI_Aint send_bytes_at[MOST_BLOCKS], recv_bytes_at[MOST_BLOCKS];
	MPI_Datatype send_types[MOST_BLOCKS], recv_types[MOST_BLOCKS];
	bool in_place;
	enum { REGULAR, BY_COUNTS, BY_TYPES } form;
	char *send, *recv, *expected;
	size_t bytes;
	int seed;
};

/* ax + b by halves of an element; a, b is not b, a. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
	MPI_Aint low, extent;

	MPI_Type_get_extent(*type, &low, &extent);
	for (int i = 0; i < *count; i++) {
		uint32_t a[2], b[2];
		char *at = (char *)inout + i * extent + (*type == gapped ? 4 : 0);

		memcpy(a, (char *)in + i * extent + (*type == gapped ? 4 : 0), sizeof a);
		memcpy(b, at, sizeof b);
		b[1] = a[0] * b[1] + a[1];
		b[0] = a[0] * b[0];
		memcpy(at, b, sizeof b);
	}
}

static void fill(char *data, size_t bytes, int seed, MPI_Datatype type)
{
	uint32_t value = (uint32_t)seed * 2654435761u + 1;

	for (size_t i = 0; i < bytes; i++) {
		value = value * 1664525 + 1013904223;
		data[i] = (char)(value >> 24);
	}
	/* sums of small whole doubles are exact in any order, and many of them are alike */
	if (type == MPI_DOUBLE || type == MPI_DOUBLE_INT) {
		size_t step = type == MPI_DOUBLE ? sizeof(double) : PAIR_EXTENT;

		for (size_t i = 0; i + step <= bytes; i += step) {
			double whole = (double)(signed char)data[i];

			memcpy(data + i, &whole, sizeof whole);
		}
	}
}

/* MPICH's own reduces garbage where an operation does not commute and elements have gaps (seen with
 * 4.0.2), so that is left to its allreduce. */
static void reduce_scatter_gapped(const struct test *t, int count)
{
	size_t bytes = (size_t)(size * count) * 24;
	char *sum = room(bytes + 1);

	memcpy(sum, t->arguments.send.buffer == MPI_IN_PLACE ? t->expected : t->send, bytes);
	MPI_Allreduce(MPI_IN_PLACE, sum, size * count, gapped, t->arguments.op, comm);
	memcpy(t->expected, sum + (size_t)(rank * count) * 24, (size_t)count * 24);
	free(sum);
}

/* The vectors of all up to @p last, in the order of the ranks. SMPI's own scans (3.32) leave each rank
 * its own where an operation does not commute. */
static void scan_in_order(const struct test *t, int last)
{
	const void *own = t->arguments.send.buffer == MPI_IN_PLACE ? t->expected : t->send;
	int count = (int)t->arguments.recv.count;
	MPI_Datatype type = t->arguments.recv.type;
	MPI_Aint low, extent;
	char *all;

	MPI_Type_get_extent(type, &low, &extent);
	all = room((size_t)(size * count) * (size_t)extent + 1);
	MPI_Allgather(own, count, type, all, count, type, comm);
	for (int r = last - 1; r >= 0; r--)
		MPI_Reduce_local(all + r * count * extent, all + last * count * extent, count, type,
				 t->arguments.op);
	if (last >= 0)
		memcpy(t->expected, all + last * count * extent, (size_t)(count * extent));
	free(all);
}

/* As MPI defines it: what goes down arrives as from above. MPICH's own neighbor_alltoallv (4.0.2)
 * does not mind where a neighbour is one twice. */
static void neighbor_alltoallw(const struct test *t)
{
	MPI_Request request[2 * MOST_BLOCKS];
	int below, above, count = 0;

	for (int k = 0; k < t->call.neighborhood->degree; k++) {
		bool is_up = k % 2, is_w = t->form == BY_TYPES;
		MPI_Datatype send = is_w ? t->send_types[k] : t->arguments.send.type;
		MPI_Datatype recv = is_w ? t->recv_types[k] : t->arguments.recv.type;
		MPI_Aint low, send_extent, recv_extent;

		MPI_Type_get_extent(send, &low, &send_extent);
		MPI_Type_get_extent(recv, &low, &recv_extent);
		MPI_Cart_shift(t->neighbors, k / 2, 1, &below, &above);
		MPI_Irecv(t->expected + t->recv_at[k] * (is_w ? 1 : recv_extent), t->recv_counts[k],
			  recv, is_up ? above : below, k ^ 1, t->neighbors, &request[count++]);
		MPI_Isend(t->send + t->send_at[k] * (is_w ? 1 : send_extent), t->send_counts[k],
			  send, is_up ? above : below, k, t->neighbors, &request[count++]);
	}
	MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

static void call_native(const struct test *t)
{
	const struct tmap_argument *s = &t->arguments.send, *r = &t->arguments.recv;
	int sc = (int)s->count, rc = (int)r->count, root = t->root;
	void *send = s->buffer, *recv = r->buffer == MPI_IN_PLACE ? MPI_IN_PLACE : t->expected;
	MPI_Op op = t->arguments.op;

	switch (t->collective) {
	case TMAP_ALLGATHER:
		if (t->form)
			MPI_Allgatherv(send, sc, s->type, recv, t->recv_counts, t->recv_at, r->type,
				       comm);
		else
			MPI_Allgather(send, sc, s->type, recv, rc, r->type, comm);
		break;
	case TMAP_BCAST:
		MPI_Bcast(recv, rc, r->type, root, comm);
		break;
	case TMAP_REDUCE:
		MPI_Reduce(send, recv, rc, r->type, op, root, comm);
		break;
	case TMAP_ALLREDUCE:
		MPI_Allreduce(send, recv, rc, r->type, op, comm);
		break;
	case TMAP_REDUCE_SCATTER:
		if (r->type == gapped)
			reduce_scatter_gapped(t, rc);
		else
			MPI_Reduce_scatter(send, recv, t->send_counts, r->type, op, comm);
		break;
	case TMAP_REDUCE_SCATTER_BLOCK:
		if (r->type == gapped)
			reduce_scatter_gapped(t, rc);
		else
			MPI_Reduce_scatter_block(send, recv, rc, r->type, op, comm);
		break;
	case TMAP_GATHER:
		if (t->form)
			MPI_Gatherv(send, sc, s->type, recv, t->recv_counts, t->recv_at, r->type,
				    root, comm);
		else
			MPI_Gather(send, sc, s->type, recv, rc, r->type, root, comm);
		break;
	case TMAP_SCATTER:
		if (t->form)
			MPI_Scatterv(send, t->send_counts, t->send_at, s->type, recv, rc, r->type,
				     root, comm);
		else
			MPI_Scatter(send, sc, s->type, recv, rc, r->type, root, comm);
		break;
	case TMAP_ALLTOALL:
		if (t->form == BY_TYPES)
			MPI_Alltoallw(send, t->send_counts, t->send_at, t->send_types, recv,
				      t->recv_counts, t->recv_at, t->recv_types, comm);
		/* Open MPI 4.1.4 takes all wrong where the types of both sides differ and
		 * ranks are many (seen with 17; 11 and 12 are right), unless it is told an
		 * algorithm */
		else if (t->form || s->type != r->type)
			MPI_Alltoallv(send, t->send_counts, t->send_at, s->type, recv,
				      t->recv_counts, t->recv_at, r->type, comm);
		else
			MPI_Alltoall(send, sc, s->type, recv, rc, r->type, comm);
		break;
	case TMAP_SCAN:
		if (op == composes)
			scan_in_order(t, rank);
		else
			MPI_Scan(send, recv, rc, r->type, op, comm);
		break;
	case TMAP_EXSCAN:
		if (op == composes)
			scan_in_order(t, rank - 1);
		else
			MPI_Exscan(send, recv, rc, r->type, op, comm);
		break;
	case TMAP_BARRIER:
		MPI_Barrier(comm);
		break;
	case TMAP_NEIGHBOR_ALLGATHER:
		if (t->form)
			MPI_Neighbor_allgatherv(send, sc, s->type, recv, t->recv_counts, t->recv_at,
						r->type, t->neighbors);
		else
			MPI_Neighbor_allgather(send, sc, s->type, recv, rc, r->type, t->neighbors);
		break;
	case TMAP_NEIGHBOR_ALLTOALL:
		if (t->form)
			neighbor_alltoallw(t);
		else
			MPI_Neighbor_alltoall(send, sc, s->type, recv, rc, r->type, t->neighbors);
		break;
	default:
		break;
	}
}

static void describe_test(const struct test *t, char *text, size_t room)
{
	int length;
	char name[MPI_MAX_OBJECT_NAME];

	MPI_Type_get_name(t->arguments.recv.type, name, &length);
	snprintf(text, room, "%s %s, root %d, %lld of %s%s%s",
		 tmap_collective_rows[t->collective].word.name, t->call.choice.row->word.name,
		 t->root, (long long)t->arguments.recv.count, name, t->in_place ? ", in place" : "",
		 t->form == BY_TYPES ? ", w" :
			 t->form     ? ", v" :
				       "");
}

static void refill(struct test *t)
{
	fill(t->send, t->bytes, t->seed + rank, t->arguments.send.type);
	fill(t->recv, t->bytes, t->seed + 1000 + rank, t->arguments.recv.type);
}

/* So many bytes of recv has MPI something to say of: not of an exscan's at rank 0, nor of what was
 * reduced in place and is not the rank's. */
static size_t defined_bytes(const struct test *t)
{
	MPI_Aint low, extent;

	if (t->collective == TMAP_EXSCAN && rank == 0)
		return 0;
	if (!t->in_place ||
	    (t->collective != TMAP_REDUCE_SCATTER && t->collective != TMAP_REDUCE_SCATTER_BLOCK))
		return t->bytes;
	MPI_Type_get_extent(t->arguments.recv.type, &low, &extent);
	return (size_t)(t->arguments.recv.count * extent);
}

/* The data of both, that is; some libraries write into the gaps between them (MPICH's
 * reduce_scatter does). */
static bool is_same(const struct test *t)
{
	size_t bytes = defined_bytes(t), begin = 0, length = bytes, step = bytes + 1;

	if (t->form != BY_TYPES && t->arguments.recv.type == gapped)
		begin = 4, length = 8, step = 24;
	else if (t->arguments.recv.type == MPI_DOUBLE_INT)
		length = PAIR_SIZE, step = PAIR_EXTENT;
	for (size_t at = begin; at + length <= bytes; at += step)
		if (memcmp(t->recv + at, t->expected + at, length) != 0)
			return false;
	return true;
}

/* Ours, started and waited for, and run as one, and the library's: the same bytes? */
static void run_test(struct test *t, enum tmap_keeping keeping)
{
	bool is_at_root = rank == t->root || !tmap_collective_rows[t->collective].has_root;
	struct tmap_operation *operation;
	bool ended = false;
	char text[300];

	t->arguments.send.buffer = t->send;
	t->arguments.recv.buffer = t->recv;
	if (t->in_place && is_at_root) {
		if (t->collective == TMAP_SCATTER)
			t->arguments.recv.buffer = MPI_IN_PLACE;
		else
			t->arguments.send.buffer = MPI_IN_PLACE;
	}
	t->call.root = t->root;
	t->call.metric = &metric;
	refill(t);
	memcpy(t->expected, t->recv, t->bytes);
	call_native(t);
	operation = tmap_operation_new(&channel, &t->call, &t->arguments, keeping, &err);
	if (!operation) {
		describe_test(t, text, sizeof text);
		if (err.kind != TMAP_INPUT)
			stop(err.text, text);
		if (t->arguments.op == composes && !tmap_call_algorithm(&t->call)->in_order &&
		    !strstr(err.text, " keeps it"))
			stop("is refused without another one", text);
		refused++;
		return;
	}
	for (int again = 0; again < 2; again++) {
		refill(t);
		if (again ? tmap_operation_run(operation, &err) < 0 :
			    tmap_operation_start(operation, &err) < 0 ||
				    tmap_operation_test(operation, true, &ended, &err) < 0)
			stop(err.text, "an operation:");
		if (!is_same(t)) {
			describe_test(t, text, sizeof text);
			stop("differs from the library's", text);
		}
	}
	tmap_operation_free(operation);
	compared++;
}

/* Whether the send, or the recv, has one block or one for each rank or neighbour. */
static bool has_blocks(enum tmap_collective collective, bool is_send)
{
	if (is_send)
		return collective == TMAP_SCATTER || collective == TMAP_ALLTOALL ||
			collective == TMAP_REDUCE_SCATTER || collective == TMAP_NEIGHBOR_ALLTOALL;
	return collective == TMAP_ALLGATHER || collective == TMAP_GATHER ||
		collective == TMAP_ALLTOALL || tmap_collective_rows[collective].has_neighbors;
}

/* Blocks of different sizes: how many @p from has for @p to; who gathers has what each one has for
 * all, so that all know it. */
static int how_many(const struct test *t, int from, int to)
{
	if (t->collective == TMAP_ALLTOALL &&
	    t->in_place) /* as much comes from a rank as goes there */
		return (from + to) * 3 % 5;
	if (t->collective == TMAP_ALLTOALL || t->collective == TMAP_NEIGHBOR_ALLTOALL)
		return (from * 3 + to) % 5;
	if (t->neighbors)
		return from * 2 % 7;
	return (t->collective == TMAP_ALLGATHER || t->collective == TMAP_GATHER ? from : to) * 2 %
		7;
}

static void set_counts(struct test *t)
{
	int sent = 0, received = 0, sources[MOST_BLOCKS];
	int wide = t->form == BY_TYPES ? 24 : 1;
	int blocks = t->neighbors ? t->call.neighborhood->degree : size;

	if (t->neighbors)
		tmap_neighborhood_sources(t->call.neighborhood, rank, sources);
	for (int b = 0; b < blocks; b++) {
		t->send_counts[b] = how_many(t, rank, b);
		/* of neighbours on a grid, what goes down comes from above */
		t->recv_counts[b] = t->neighbors ?
			how_many(t, sources[b] == TMAP_NONE ? 0 : sources[b], b ^ 1) :
			how_many(t, b, rank);
		t->send_at[b] = sent * wide;
		t->recv_at[b] = received * wide;
		t->send_bytes_at[b] = t->send_at[b];
		t->recv_bytes_at[b] = t->recv_at[b];
		sent += t->send_counts[b] + 1;
		received += t->recv_counts[b] + 1;
		t->send_types[b] = b % 2 ? gapped : MPI_INT64_T;
		t->recv_types[b] = rank % 2 ? gapped : MPI_INT64_T;
	}
	if (t->collective == TMAP_REDUCE_SCATTER)
		for (int b = 0, at = 0; b < size; at += t->send_counts[b++])
			t->send_at[b] = at;
	t->arguments.send.count = how_many(t, rank, rank);
	t->arguments.recv.count = how_many(t, rank, rank);
	if (has_blocks(t->collective, true)) {
		t->arguments.send.counts = t->send_counts;
		t->arguments.send.displacements = t->send_at;
	}
	if (has_blocks(t->collective, false)) {
		t->arguments.recv.counts = t->recv_counts;
		t->arguments.recv.displacements = t->recv_at;
	}
	if (t->form == BY_TYPES) {
		t->arguments.send.types = t->send_types;
		t->arguments.recv.types = t->recv_types;
	}
	if (t->form == BY_TYPES && t->neighbors) {
		t->arguments.send.byte_displacements = t->send_bytes_at;
		t->arguments.recv.byte_displacements = t->recv_bytes_at;
	}
	t->arguments.is_irregular = true;
}

/* One of those that MPI has for a type, another one each time. */
static MPI_Op predefined_op(MPI_Datatype type, int seed)
{
	const MPI_Op whole[] = { MPI_SUM, MPI_MAX,  MPI_MIN,  MPI_PROD, MPI_BAND,
				 MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR,  MPI_LXOR };
	const MPI_Op real[] = { MPI_SUM, MPI_MAX, MPI_MIN };
	const MPI_Op pair[] = { MPI_MINLOC, MPI_MAXLOC };
	const MPI_Op bits[] = { MPI_BAND, MPI_BOR, MPI_BXOR };

	if (type == MPI_DOUBLE_INT)
		return pair[seed % 2];
	if (type == MPI_BYTE)
		return bits[seed % 3];
	return type == MPI_DOUBLE ? real[seed % 3] : whole[seed % 10];
}

static void run_types(struct test *t, int64_t count)
{
	const MPI_Datatype types[] = { MPI_INT64_T, gapped, MPI_DOUBLE, MPI_BYTE, MPI_DOUBLE_INT };
	bool reduces = tmap_collective_rows[t->collective].reduces;

	for (int k = 0; k < (reduces ? 5 : 4); k++)
		for (int in_place = 0; in_place < 2; in_place++)
			for (int ordered = 0; ordered < (reduces ? 2 : 1); ordered++) {
				MPI_Datatype type = types[k];

				if ((in_place &&
				     (t->collective == TMAP_BCAST ||
				      t->collective == TMAP_BARRIER || t->neighbors)) ||
				    (ordered && type != MPI_INT64_T && type != gapped) ||
				    (reduces && !ordered && type == gapped))
					continue;
				t->in_place = in_place;
				t->form = REGULAR;
				t->arguments = (struct tmap_arguments){
					.send = { .count = count, .type = type },
					.recv = { .count = count, .type = type },
					.op = !reduces  ? MPI_OP_NULL :
						ordered ? composes :
							  predefined_op(type, t->seed),
				};
				/* what is sent may be another type of the same data */
				if (!reduces && type == gapped && !in_place)
					t->arguments.send.type = MPI_INT64_T;
				for (int b = 0; b < size; b++) {
					t->send_counts[b] = t->recv_counts[b] = (int)count;
					t->send_at[b] = t->recv_at[b] = b * (int)count;
				}
				if (t->collective == TMAP_REDUCE_SCATTER) {
					t->arguments.send.counts = t->send_counts;
					t->arguments.send.displacements = t->send_at;
				}
				t->seed++;
				run_test(t, (enum tmap_keeping)(t->seed % TMAP_KEEPINGS));
			}
}

static void run_forms(struct test *t)
{
	bool in_forms = t->collective == TMAP_ALLGATHER || t->collective == TMAP_GATHER ||
		t->collective == TMAP_SCATTER || t->collective == TMAP_ALLTOALL ||
		t->collective == TMAP_REDUCE_SCATTER || t->neighbors;
	bool has_types = t->collective == TMAP_ALLTOALL || t->collective == TMAP_NEIGHBOR_ALLTOALL;

	if (!in_forms)
		return;
	for (int i = 0; i < (has_types ? 2 : 1) * (t->neighbors ? 1 : 2); i++) {
		t->form = has_types && i % 2 ? BY_TYPES : BY_COUNTS;
		t->in_place = i >= (has_types ? 2 : 1);
		t->arguments = (struct tmap_arguments){
			.send = { .type = MPI_INT64_T },
			.recv = { .type = t->collective == TMAP_REDUCE_SCATTER ? MPI_INT64_T :
										 gapped },
			.op = t->collective == TMAP_REDUCE_SCATTER ? MPI_SUM : MPI_OP_NULL,
		};
		set_counts(t);
		t->seed++;
		run_test(t, (enum tmap_keeping)(t->seed % TMAP_KEEPINGS));
	}
}

static void run_rows(struct test *t, int step)
{
	const struct tmap_keywords *words = tmap_algorithms(t->collective);
	bool has_root = tmap_collective_rows[t->collective].has_root;

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
		int before = compared;

		if ((row + (int)t->collective) % row_step)
			continue;
		t->call.choice = tmap_spec_preset(words, row);
		t->call.size = size;
		for (t->root = 0; t->root < (has_root ? size : 1); t->root += step) {
			run_types(t, t->root % 3 ? 5 : 37);
			run_forms(t);
		}
		t->root = 0;
		run_types(t, 0);
		run_types(t, 1);
		if (compared == before && rank == 0)
			printf("%s %s: not for %d ranks\n",
			       tmap_collective_rows[t->collective].word.name,
			       t->call.choice.row->word.name, size);
	}
}

/* Different collectives at once, twice, ended in another order on each rank. */
static void run_together(void)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
	} rows[] = {
		{ TMAP_ALLGATHER, "ring" },      { TMAP_ALLTOALL, "pairwise" },
		{ TMAP_BCAST, "binomial_far" },  { TMAP_ALLREDUCE, "recursive_doubling" },
		{ TMAP_ALLGATHER, "bruck" },     { TMAP_BARRIER, "dissemination" },
		{ TMAP_REDUCE, "binomial_far" },
	};
	enum { UNDER_WAY = sizeof rows / sizeof *rows };
	static struct test test[UNDER_WAY];
	struct tmap_operation *operation[UNDER_WAY];

	for (int k = 0; k < UNDER_WAY; k++) {
		const struct tmap_collective_row *is = &tmap_collective_rows[rows[k].collective];
		struct test *t = &test[k];

		*t = (struct test){ .collective = rows[k].collective,
				    .root = is->has_root ? size - 1 : 0,
				    .bytes = (size_t)(size + 4) * BLOCK_ROOM,
				    .seed = 50 * k };
		t->send = room(t->bytes);
		t->recv = room(t->bytes);
		t->expected = room(t->bytes);
		t->arguments = (struct tmap_arguments){
			.send = { .buffer = t->send, .count = 7 + k, .type = MPI_INT64_T },
			.recv = { .buffer = t->recv, .count = 7 + k, .type = MPI_INT64_T },
			.op = is->reduces ? MPI_SUM : MPI_OP_NULL,
		};
		refill(t);
		memcpy(t->expected, t->recv, t->bytes);
		call_native(t);
		if (tmap_call_parse(&t->call, t->collective, rows[k].algorithm, &err) < 0)
			stop(err.text, "together:");
		t->call.root = t->root;
		operation[k] = tmap_operation_new(&channel, &t->call, &t->arguments,
						  (enum tmap_keeping)(k % TMAP_KEEPINGS), &err);
		if (!operation[k])
			stop(err.text, "together:");
	}
	for (int again = 0; again < 2; again++) {
		bool ended[UNDER_WAY] = { false };

		for (int k = 0; k < UNDER_WAY; k++) {
			refill(&test[k]);
			if (tmap_operation_start(operation[k], &err) < 0)
				stop(err.text, "together:");
		}
		for (int left = UNDER_WAY, i = rank; left; i++) {
			int k = i % UNDER_WAY;

			if (ended[k])
				continue;
			if (tmap_operation_test(operation[k], false, &ended[k], &err) < 0)
				stop(err.text, "together:");
			left -= ended[k];
		}
		for (int k = 0; k < UNDER_WAY; k++)
			if (!is_same(&test[k]))
				stop("differs from the library's, together with others",
				     rows[k].algorithm);
	}
	for (int k = 0; k < UNDER_WAY; k++) {
		tmap_operation_free(operation[k]);
		free(test[k].send);
		free(test[k].recv);
		free(test[k].expected);
	}
	compared++;
}

/* What goes down arrives as from above (MPI 4.0, 8.6). MPICH 4 takes the last for the first where a
 * rank is its own neighbour in both dimensions. */
static bool library_minds_directions(void)
{
	const int dims[2] = { 1, 1 }, wraps[2] = { 1, 1 }, sent[4] = { 1, 2, 3, 4 };
	int received[4];
	MPI_Comm self;

	MPI_Cart_create(MPI_COMM_SELF, 2, dims, wraps, 0, &self);
	MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, self);
	MPI_Comm_free(&self);
	return received[0] == 2;
}

/* Grids with short periodic dimensions, too: a rank meets itself, or another one twice. */
static void run_neighbors(struct test *t)
{
	bool minds = library_minds_directions();

	static const char *const periods[] = { "1,1", "0,1" };

	for (int p = 0; p < 2; p++)
		for (int k = 0; k < 2; k++) {
			struct tmap_neighborhood neighborhood;
			const int wraps[2][2] = { { 1, 1 }, { 0, 1 } };
			char cart[30];
			int dims[2] = { 0, 0 };

			if (tmap_dimensions_choose(dims, 2, size, &err) < 0)
				stop(err.text, "dimensions:");
			snprintf(cart, sizeof cart, "%dx%d", dims[0], dims[1]);
			if (tmap_neighborhood_init(&neighborhood, size, "cart", cart, periods[p],
						   NULL, &err) < 0)
				stop(err.text, "cart:");
			if (k && !minds && size == 1) {
				tmap_neighborhood_fini(&neighborhood);
				continue;
			}
			MPI_Cart_create(comm, 2, dims, wraps[p], 0, &t->neighbors);
			t->collective = k ? TMAP_NEIGHBOR_ALLTOALL : TMAP_NEIGHBOR_ALLGATHER;
			t->call = (struct tmap_call){ .neighborhood = &neighborhood };
			run_rows(t, 1);
			MPI_Comm_free(&t->neighbors);
			tmap_neighborhood_fini(&neighborhood);
		}
	t->neighbors = 0;
}

int main(int argc, char **argv)
{
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0, 0 } };
	int step = argc > 1 ? atoi(argv[1]) : 1, one = 1, place[MOST_BLOCKS];
	static struct test test;
	struct tmap_placement placement;
	MPI_Datatype long_type;
	MPI_Aint gap = 4;

	row_step = argc > 2 ? atoi(argv[2]) : 1;
	MPI_Init(&argc, &argv);
	comm = MPI_COMM_WORLD;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	if (size > MOST_BLOCKS)
		stop("too many ranks", "");
	for (int r = 0; r < size; r++)
		place[r] = r % ((size + 3) / 4) * 4 + r / ((size + 3) / 4);
	placement_seats_take(&placement, machine_regular((size + 3) / 4, node_levels), place, size);
	if (tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err) < 0 ||
	    tmap_channel_init(&channel, comm, &err) < 0)
		stop(err.text, "");
	MPI_Type_create_hindexed(1, &one, &gap, MPI_INT64_T, &long_type);
	MPI_Type_create_resized(long_type, 0, 24, &gapped);
	MPI_Type_commit(&gapped);
	MPI_Type_set_name(gapped, "eight bytes of 24");
	MPI_Op_create(compose, 0, &composes);
	test.bytes = (size_t)(size + 4) * BLOCK_ROOM;
	test.send = room(test.bytes);
	test.recv = room(test.bytes);
	test.expected = room(test.bytes);
	for (test.collective = 0; test.collective < TMAP_NEIGHBOR_ALLGATHER; test.collective++)
		run_rows(&test, step);
#ifndef SMPI_H /* has no collectives of neighbourhoods */
	run_neighbors(&test);
#endif
	run_together();
	if (rank == 0)
		printf("%d ranks: %d the same, %d refused\n", size, compared, refused);
	tmap_channel_fini(&channel);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
	MPI_Op_free(&composes);
	MPI_Type_free(&gapped);
	MPI_Type_free(&long_type);
	free(test.send);
	free(test.recv);
	free(test.expected);
	MPI_Finalize();
	return 0;
}
