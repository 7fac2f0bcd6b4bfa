/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks give, and what they must get. Oracle: each collective done literally, block by block and
 * element by element, on the memory of all ranks at once.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/wraps.h"
#include "core/library/library.h"
#include "core/schedule/neighborhood.h"
#include "mpi_run/bench/bench_data.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 7 };

static struct tmap_error err;

/* *sum becomes what MPI_SUM of unsigned numbers, or MPI_BXOR of small ones, says. */
TMAP_WRAPS static void element_add(unsigned char *sum, const unsigned char *element, int64_t bytes)
{
	uint64_t a = 0, b = 0, low;
	uint32_t x, y;

	if (bytes < 4) {
		for (int64_t i = 0; i < bytes; i++)
			sum[i] ^= element[i];
	} else if (bytes == 4) {
		memcpy(&x, sum, 4);
		memcpy(&y, element, 4);
		x = (uint32_t)((uint64_t)x + y);
		memcpy(sum, &x, 4);
	} else {
		memcpy(&a, sum, 8);
		memcpy(&b, element, 8);
		low = (a & UINT32_MAX) + (b & UINT32_MAX);
		a = (((a >> 32) + (b >> 32) + (low >> 32)) << 32) | (low & UINT32_MAX);
		memcpy(sum, &a, 8);
	}
}

/* The vectors of ranks first .. last - 1, added up, into a new vector. */
static unsigned char *vectors_add(const struct tmap_bench_data *all, int first, int last)
{
	int64_t bytes = all[0].send_bytes, element = all[0].element;
	unsigned char *sum = calloc((size_t)bytes + 1, 1);

	for (int r = first; r < last; r++)
		for (int64_t i = 0; i < bytes; i += element)
			element_add(sum + i, all[r].send + i, element);
	return sum;
}

static void put(struct tmap_bench_data *to, int64_t at, const unsigned char *from, int64_t bytes)
{
	ck_assert(at + bytes <= to->recv_bytes);
	memcpy(to->recv + at, from, (size_t)bytes);
}

static void collective_do(struct tmap_bench_data *all, int size, int root)
{
	enum tmap_collective collective = all[0].collective;
	int64_t n = all[0].bytes;
	unsigned char *whole = NULL;

	for (int r = 0; r < size; r++) {
		struct tmap_bench_data *it = &all[r];

		whole = NULL;
		switch (collective) {
		case TMAP_ALLGATHER:
		case TMAP_GATHER:
			for (int s = 0; s < size && it->recv_bytes; s++)
				put(it, s * n, all[s].send, n);
			break;
		case TMAP_ALLTOALL:
			for (int s = 0; s < size; s++)
				put(it, s * n, all[s].send + r * n, n);
			break;
		case TMAP_SCATTER:
			put(it, 0, all[root].send + r * n, n);
			break;
		case TMAP_BCAST:
			if (r != root)
				put(it, 0, all[root].recv, n);
			break;
		case TMAP_SCAN:
		case TMAP_EXSCAN:
			whole = vectors_add(all, 0, collective == TMAP_SCAN ? r + 1 : r);
			put(it, 0, whole, n);
			break;
		case TMAP_REDUCE_SCATTER: {
			int64_t at = 0;

			whole = vectors_add(all, 0, size);
			for (int b = 0; b < r; b++)
				at += all[b].recv_bytes;
			ck_assert_int_eq(at, it->displacements[r] * it->element);
			ck_assert_int_eq(it->recv_bytes, it->counts[r] * it->element);
			put(it, 0, whole + at, it->recv_bytes);
			break;
		}
		case TMAP_REDUCE_SCATTER_BLOCK:
			whole = vectors_add(all, 0, size);
			put(it, 0, whole + r * n, n);
			break;
		case TMAP_BARRIER:
			break;
		default:
			whole = vectors_add(all, 0, size);
			if (it->recv_bytes)
				put(it, 0, whole, n);
		}
		free(whole);
	}
}

static void check_one(enum tmap_collective collective, int size, int root, int64_t bytes)
{
	struct tmap_bench_data all[MOST];
	struct tmap_bench_fault fault;
	const struct tmap_call call = { .choice = tmap_spec_preset(tmap_algorithms(collective), 0),
					.size = size,
					.root = root,
					.bytes = bytes };

	for (int r = 0; r < size; r++)
		ck_assert_int_eq(tmap_bench_data_init(&all[r], &call, r, &err), 0);
	for (uint64_t round = 0; round < 2; round++) {
		for (int r = 0; r < size; r++)
			tmap_bench_data_fill(&all[r], round);
		/* nothing has come yet, and all of it is wrong */
		for (int r = 0; r < size; r++) {
			bool has_result = all[r].recv_bytes &&
				!(collective == TMAP_EXSCAN && r == 0) &&
				!(collective == TMAP_BCAST && r == root);

			hold(tmap_bench_data_check(&all[r], &fault) == !has_result);
			hold(!has_result || (fault.block == 0 && fault.byte == 0));
		}
		collective_do(all, size, root);
		for (int r = 0; r < size; r++) {
			int64_t count = all[r].recv_bytes;

			ck_assert_msg(tmap_bench_data_check(&all[r], &fault),
				      "%s of %lld bytes, rank %d of %d: block %lld, byte %lld",
				      tmap_collective_rows[collective].word.name, (long long)bytes,
				      r, size, (long long)fault.block, (long long)fault.byte);
			if (collective == TMAP_EXSCAN && r == 0)
				continue;
			for (int64_t i = 0; i < count; i++) {
				all[r].recv[i] ^= 4;
				hold(!tmap_bench_data_check(&all[r], &fault));
				hold(fault.block * bytes + fault.byte == i);
				all[r].recv[i] ^= 4;
			}
		}
	}
	for (int r = 0; r < size; r++)
		tmap_bench_data_fini(&all[r]);
}

START_TEST(the_literal_collective_is_right_and_every_changed_byte_is_found)
{
	static const int64_t sizes[] = { 0, 1, 2, 4, 8, 12, 33, 40 };
	enum tmap_collective collective = (enum tmap_collective)_i;

	for (int size = 1; size <= MOST; size++)
		for (int root = 0; root < (tmap_collective_rows[_i].has_root ? size : 1); root += 2)
			for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++)
				check_one(collective, size, root,
					  collective == TMAP_BARRIER ? 0 : sizes[b]);
}
END_TEST

/* What one rank leaves out, or counts twice, is not made up for by another. */
START_TEST(a_rank_that_is_counted_twice_is_found)
{
	const int64_t bytes = _i ? 64 : 63;
	const struct tmap_call call = { .choice = tmap_spec_preset(tmap_algorithms(TMAP_ALLREDUCE),
								   0),
					.size = 5,
					.bytes = bytes };
	struct tmap_bench_data all[5];
	struct tmap_bench_fault fault;

	for (int r = 0; r < 5; r++) {
		ck_assert_int_eq(tmap_bench_data_init(&all[r], &call, r, &err), 0);
		tmap_bench_data_fill(&all[r], 9);
	}
	for (int twice = 0; twice < 5; twice++)
		for (int never = 0; never < 5; never++) {
			unsigned char *kept = malloc(64), *sum;

			memcpy(kept, all[never].send, (size_t)bytes);
			memcpy(all[never].send, all[twice].send, (size_t)bytes);
			sum = vectors_add(all, 0, 5);
			memcpy(all[0].recv, sum, (size_t)bytes);
			memcpy(all[never].send, kept, (size_t)bytes);
			hold(tmap_bench_data_check(&all[0], &fault) == (twice == never));
			free(kept);
			free(sum);
		}
	for (int r = 0; r < 5; r++)
		tmap_bench_data_fini(&all[r]);
}
END_TEST

static const struct neighbor_row {
	const char *stencil, *cart, *periods;
	int size;
} neighbor_rows[] = {
	{ "cart", "3x2", NULL, 6 },         { "cart", "3x2", "1,1", 6 },
	{ "moore:1", "2x3", NULL, 6 },      { "moore:1", "2x3", "1,0", 6 },
	{ "offsets:1,0", "3x2", "1,0", 6 }, { "full", NULL, NULL, 5 },
};

/* Each rank's blocks are put where its target has it as a source, in the order of those: a rank that is met
 * several times has the same block for each. */
static void neighbors_deliver(struct tmap_bench_data *all, int size)
{
	for (int r = 0; r < size; r++)
		for (int b = 0; b < all[r].sources; b++) {
			const struct tmap_bench_data *from;
			int k = 0;

			if (all[r].source[b] == TMAP_NONE)
				continue;
			from = &all[all[r].source[b]];
			while (from->target[k] != r)
				k++;
			if (from->collective == TMAP_NEIGHBOR_ALLGATHER)
				k = 0;
			memcpy(all[r].recv + b * all[r].bytes, from->send + k * from->bytes,
			       (size_t)from->bytes);
		}
}

/* Every byte of a block that comes counts, and none beyond a border. */
static void neighbors_check(struct tmap_bench_data *it, bool has_come)
{
	struct tmap_bench_fault fault;

	for (int64_t i = 0; i < it->recv_bytes; i++) {
		bool counts = it->source[i / it->bytes] != TMAP_NONE;

		it->recv[i] ^= 1;
		hold(tmap_bench_data_check(it, &fault) == (has_come && !counts));
		hold(!has_come || !counts ||
		     (fault.block == i / it->bytes && fault.byte == i % it->bytes));
		it->recv[i] ^= 1;
	}
	hold(tmap_bench_data_check(it, &fault) == has_come);
}

START_TEST(neighbors_get_what_is_for_them_with_and_without_blocks_beyond_a_border)
{
	const struct neighbor_row *row = &neighbor_rows[_i / 4];
	enum tmap_collective collective = _i & 1 ? TMAP_NEIGHBOR_ALLGATHER : TMAP_NEIGHBOR_ALLTOALL;
	bool is_graph = (_i & 2) && strcmp(row->stencil, "cart") != 0;
	struct tmap_neighborhood neighborhood;
	struct tmap_bench_data all[MOST];
	struct tmap_call call = { .choice = tmap_spec_preset(tmap_algorithms(collective), 0),
				  .size = row->size,
				  .bytes = 11,
				  .neighborhood = &neighborhood };

	ck_assert_int_eq(tmap_neighborhood_init(&neighborhood, row->size, row->stencil, row->cart,
						row->periods, NULL, &err),
			 0);
	for (int r = 0; r < row->size; r++) {
		ck_assert_int_eq(tmap_bench_data_init(&all[r], &call, r, &err), 0);
		if (is_graph)
			tmap_bench_data_close_ranks(&all[r]);
		tmap_bench_data_fill(&all[r], 3);
		neighbors_check(&all[r], false);
	}
	neighbors_deliver(all, row->size);
	for (int r = 0; r < row->size; r++) {
		neighbors_check(&all[r], true);
		tmap_bench_data_fini(&all[r]);
	}
	tmap_neighborhood_fini(&neighborhood);
}
END_TEST

START_TEST(sizes_that_mpi_cannot_count_are_refused)
{
	struct tmap_call call = { .choice = tmap_spec_preset(tmap_algorithms(TMAP_ALLGATHER), 0),
				  .size = 4,
				  .bytes = INT64_C(1) << 31 };
	struct tmap_bench_data data;

	ck_assert_int_eq(tmap_bench_data_init(&data, &call, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	call.bytes = INT64_MAX;
	ck_assert_int_eq(tmap_bench_data_init(&data, &call, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("bench_data");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, the_literal_collective_is_right_and_every_changed_byte_is_found, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_loop_test(tc, a_rank_that_is_counted_twice_is_found, 0, 2);
	tcase_add_loop_test(tc,
			    neighbors_get_what_is_for_them_with_and_without_blocks_beyond_a_border,
			    0, 4 * (int)(sizeof neighbor_rows / sizeof *neighbor_rows));
	tcase_add_test(tc, sizes_that_mpi_cannot_count_are_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
