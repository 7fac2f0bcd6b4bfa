/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_data.h"

#include "core/base/mem.h"
#include "core/base/wraps.h"
#include "core/library/library.h"
#include "core/schedule/neighborhood.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: any two arguments give unrelated words. */
TMAP_WRAPS static uint64_t data_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static bool data_is_reduced(const struct tmap_bench_data *data)
{
	return tmap_collective_rows[data->collective].reduces;
}

/* Where a rank's piece of the vector begins, in elements: the first ones are one longer. */
static int64_t piece_begin(const struct tmap_bench_data *data, int piece)
{
	int64_t count = data->bytes / data->element, each = count / data->size;
	int64_t longer = count % data->size;

	return piece * each + (piece < longer ? piece : longer);
}

static int64_t element_of(enum tmap_collective collective, int64_t bytes)
{
	return tmap_collective_rows[collective].reduces ? tmap_library_element(collective, bytes) :
							  1;
}

int tmap_bench_data_check_size(enum tmap_collective collective, int64_t bytes, int size,
			       struct tmap_error *err)
{
	if (bytes / element_of(collective, bytes) <= INT_MAX && bytes <= INT64_MAX / 4 / size)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "MPI cannot count %lld bytes", (long long)bytes);
}

static void neighbors_size(struct tmap_bench_data *data)
{
	bool gathers = data->collective == TMAP_NEIGHBOR_ALLGATHER;

	data->send_bytes = data->bytes * (gathers ? 1 : data->targets);
	data->recv_bytes = data->bytes * data->sources;
}

static int data_size(struct tmap_bench_data *data, struct tmap_error *err)
{
	int64_t block = data->bytes, all;
	bool is_root = data->rank == data->root;

	if (tmap_bench_data_check_size(data->collective, block, data->size, err) < 0)
		return -1;
	all = block * data->size;
	switch (data->collective) {
	case TMAP_ALLGATHER:
		data->send_bytes = block;
		data->recv_bytes = all;
		break;
	case TMAP_GATHER:
		data->send_bytes = block;
		data->recv_bytes = is_root ? all : 0;
		break;
	case TMAP_SCATTER:
		data->send_bytes = is_root ? all : 0;
		data->recv_bytes = block;
		break;
	case TMAP_ALLTOALL:
		data->send_bytes = data->recv_bytes = all;
		break;
	case TMAP_BCAST:
		data->recv_bytes = block;
		break;
	case TMAP_REDUCE:
		data->send_bytes = block;
		data->recv_bytes = is_root ? block : 0;
		break;
	case TMAP_REDUCE_SCATTER:
		data->send_bytes = block;
		data->recv_bytes = data->element *
			(piece_begin(data, data->rank + 1) - piece_begin(data, data->rank));
		break;
	case TMAP_REDUCE_SCATTER_BLOCK:
		data->send_bytes = all;
		data->recv_bytes = block;
		break;
	case TMAP_BARRIER:
		break;
	case TMAP_NEIGHBOR_ALLGATHER:
	case TMAP_NEIGHBOR_ALLTOALL:
		neighbors_size(data);
		break;
	default: /* allreduce, scans */
		data->send_bytes = data->recv_bytes = block;
	}
	return 0;
}

static int neighbors_init(struct tmap_bench_data *data,
			  const struct tmap_neighborhood *neighborhood, struct tmap_error *err)
{
	size_t degree = (size_t)neighborhood->degree;

	if (!tmap_collective_rows[data->collective].has_neighbors)
		return 0;
	data->source = tmap_alloc(degree, sizeof *data->source, err);
	data->target = tmap_alloc(degree, sizeof *data->target, err);
	if (!data->source || !data->target)
		return -1;
	data->sources = data->targets = neighborhood->degree;
	tmap_neighborhood_sources(neighborhood, data->rank, data->source);
	tmap_neighborhood_list(neighborhood, data->rank, data->target);
	return tmap_bench_data_check_size(data->collective, data->bytes,
					  neighborhood->degree > 0 ? neighborhood->degree : 1, err);
}

static int list_close(int *list, int count)
{
	int kept = 0;

	for (int i = 0; i < count; i++)
		if (list[i] != TMAP_NONE)
			list[kept++] = list[i];
	return kept;
}

void tmap_bench_data_close_ranks(struct tmap_bench_data *data)
{
	data->sources = list_close(data->source, data->sources);
	data->targets = list_close(data->target, data->targets);
	neighbors_size(data);
}

int tmap_bench_data_init(struct tmap_bench_data *data, const struct tmap_call *call, int rank,
			 struct tmap_error *err)
{
	enum tmap_collective collective = tmap_call_algorithm(call)->collective;
	struct tmap_bench_data made = { .collective = collective,
					.rank = rank,
					.size = call->size,
					.root = call->root,
					.bytes = call->bytes,
					.element = element_of(collective, call->bytes) };
	size_t size = (size_t)call->size;

	made.is_xor = data_is_reduced(&made) && made.element < 4;
	if ((call->neighborhood && neighbors_init(&made, call->neighborhood, err) < 0) ||
	    data_size(&made, err) < 0) {
		tmap_bench_data_fini(&made);
		return -1;
	}
	made.send = tmap_alloc((size_t)made.send_bytes, 1, err);
	made.recv = tmap_alloc((size_t)made.recv_bytes, 1, err);
	made.weight = tmap_alloc(size + 1, sizeof *made.weight, err);
	made.counts = tmap_alloc(size, sizeof *made.counts, err);
	made.displacements = tmap_alloc(size, sizeof *made.displacements, err);
	if (!made.send || !made.recv || !made.weight || !made.counts || !made.displacements) {
		tmap_bench_data_fini(&made);
		return -1;
	}
	for (int b = 0; collective == TMAP_REDUCE_SCATTER && b < call->size; b++) {
		made.displacements[b] = (int)piece_begin(&made, b);
		made.counts[b] = (int)piece_begin(&made, b + 1) - made.displacements[b];
	}
	*data = made;
	return 0;
}

void tmap_bench_data_fini(struct tmap_bench_data *data)
{
	free(data->send);
	free(data->recv);
	free(data->weight);
	free(data->counts);
	free(data->displacements);
	free(data->source);
	free(data->target);
	*data = (struct tmap_bench_data){ 0 };
}

/* A stretch of data: what FROM has for TO, by which factor, and from which byte on. */
struct stretch {
	int from, to;
	uint64_t factor;
	int64_t first;
	uint64_t way; /* of its words; stretch_begin() */
};

static struct stretch stretch_begin(const struct tmap_bench_data *data, struct stretch it)
{
	it.way = data_mix(data->round ^
			  data_mix((uint64_t)(uint32_t)it.from << 32 | (uint32_t)it.to));
	return it;
}

/* The product in the field of 256 elements, of the polynomials modulo x^8 + x^4 + x^3 + x + 1. */
static unsigned field_multiply(unsigned a, unsigned b)
{
	unsigned product = 0;

	for (; b; b >>= 1) {
		if (b & 1)
			product ^= a;
		a <<= 1;
		if (a & 0x100)
			a ^= 0x11b;
	}
	return product;
}

/* Weights together, and what the ranks of two such sums differ by. */
TMAP_WRAPS static uint64_t weights_add(const struct tmap_bench_data *data, uint64_t a, uint64_t b)
{
	return data->is_xor ? a ^ b : a + b;
}

TMAP_WRAPS static uint64_t rank_weight(const struct tmap_bench_data *data)
{
	uint64_t before = data->weight[data->rank], with = data->weight[data->rank + 1];

	return data->is_xor ? with ^ before : with - before;
}

/* Byte @p at of a stretch; elements lie in words of 8 bytes, the low ones first on every machine. */
TMAP_WRAPS static unsigned char data_byte(const struct tmap_bench_data *data,
					  const struct stretch *it, int64_t at)
{
	int64_t place = it->first + at, element = place / data->element;
	uint64_t word;

	if (!data_is_reduced(data)) {
		word = data_mix(it->way + (uint64_t)(place / 8));
		return (unsigned char)(word >> 8 * (place % 8));
	}
	if (data->is_xor)
		return (unsigned char)field_multiply(
			1 + (unsigned)(data_mix(it->way + (uint64_t)place) % 255),
			(unsigned)it->factor);
	word = (data_mix(it->way + (uint64_t)element) | 1) * it->factor;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return (unsigned char)(word >> 8 * (data->element - 1 - place % data->element));
#else
	return (unsigned char)(word >> 8 * (place % data->element));
#endif
}

/* What block @p block of the send has, and what that of the result must have. */
static struct stretch stretch_sent(const struct tmap_bench_data *data, int block)
{
	switch (data->collective) {
	case TMAP_SCATTER:
	case TMAP_ALLTOALL:
		return (struct stretch){ .from = data->rank, .to = block };
	case TMAP_REDUCE_SCATTER_BLOCK:
		return (struct stretch){ .factor = rank_weight(data),
					 .first = block * data->bytes };
	case TMAP_NEIGHBOR_ALLTOALL:
		return (struct stretch){ .from = data->rank, .to = data->target[block] };
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
	case TMAP_NEIGHBOR_ALLGATHER:
		return (struct stretch){ .from = data->rank };
	default:
		return (struct stretch){ .factor = rank_weight(data) };
	}
}

static struct stretch stretch_wanted(const struct tmap_bench_data *data, int block)
{
	uint64_t all = data->weight[data->size];

	switch (data->collective) {
	case TMAP_ALLGATHER:
	case TMAP_GATHER:
		return (struct stretch){ .from = block };
	case TMAP_ALLTOALL:
		return (struct stretch){ .from = block, .to = data->rank };
	case TMAP_NEIGHBOR_ALLGATHER:
		return (struct stretch){ .from = data->source[block] };
	case TMAP_NEIGHBOR_ALLTOALL:
		return (struct stretch){ .from = data->source[block], .to = data->rank };
	case TMAP_SCATTER:
		return (struct stretch){ .from = data->root, .to = data->rank };
	case TMAP_BCAST:
		return (struct stretch){ .from = data->root };
	case TMAP_REDUCE_SCATTER:
		return (struct stretch){ .factor = all,
					 .first = piece_begin(data, data->rank) * data->element };
	case TMAP_REDUCE_SCATTER_BLOCK:
		return (struct stretch){ .factor = all, .first = data->rank * data->bytes };
	case TMAP_SCAN:
		return (struct stretch){ .factor = data->weight[data->rank + 1] };
	case TMAP_EXSCAN:
		return (struct stretch){ .factor = data->weight[data->rank] };
	default:
		return (struct stretch){ .factor = all };
	}
}

/* Blocks are of call's bytes where there are several. */
static int64_t block_bytes(const struct tmap_bench_data *data, int64_t all)
{
	return all > data->bytes ? data->bytes : all;
}

TMAP_WRAPS void tmap_bench_data_fill(struct tmap_bench_data *data, uint64_t round)
{
	bool is_bcast_root = data->collective == TMAP_BCAST && data->rank == data->root;
	int64_t block;

	data->round = data_mix(round);
	for (int r = 0; data_is_reduced(data) && r < data->size; r++)
		data->weight[r + 1] = weights_add(
			data, data->weight[r],
			data->is_xor ? 1 + data_mix(data->round + (uint64_t)r + 1) % 255 :
				       data_mix(data->round + (uint64_t)r + 1));
	block = block_bytes(data, data->send_bytes);
	for (int64_t b = 0; b * block < data->send_bytes; b++) {
		const struct stretch it = stretch_begin(data, stretch_sent(data, (int)b));

		for (int64_t i = 0; i < block; i++)
			data->send[b * block + i] = data_byte(data, &it, i);
	}
	block = block_bytes(data, data->recv_bytes);
	for (int64_t b = 0; b * block < data->recv_bytes; b++) {
		const struct stretch it = stretch_begin(data, stretch_wanted(data, (int)b));

		for (int64_t i = 0; i < block; i++) {
			unsigned char wanted = data_byte(data, &it, i);

			data->recv[b * block + i] = is_bcast_root ? wanted : (unsigned char)~wanted;
		}
	}
}

bool tmap_bench_data_check(const struct tmap_bench_data *data, struct tmap_bench_fault *fault)
{
	int64_t block = block_bytes(data, data->recv_bytes);

	if (data->collective == TMAP_EXSCAN && data->rank == 0)
		return true; /* MPI says nothing of it */
	for (int64_t b = 0; b * block < data->recv_bytes; b++) {
		const struct stretch it = stretch_begin(data, stretch_wanted(data, (int)b));

		if (it.from == TMAP_NONE)
			continue; /* beyond a border */
		for (int64_t i = 0; i < block; i++)
			if (data->recv[b * block + i] != data_byte(data, &it, i)) {
				*fault = (struct tmap_bench_fault){ .block = b, .byte = i };
				return false;
			}
	}
	return true;
}
