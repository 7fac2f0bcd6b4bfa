/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks recorded, gathered over nodes and at once: both give one record, and that has what was put in.
 * Oracle: matrices of messages and bytes, and lists of calls, added up one by one.
 */
#include "core/record/record_builder.h"
#include "mpi_run/record/record_pack.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 12, NODE = 4, KINDS = 6 };

static struct tmap_error err;

/* What was put in. */
struct truth {
	int64_t messages[TMAP_WAYS][RANKS][RANKS], bytes[TMAP_WAYS][RANKS][RANKS];
	int64_t calls[KINDS]; /* of each rank, of kind k on communicator k % 2 */
};

static void add_way(struct tmap_part_builder *b, enum tmap_way way, int rank, struct truth *truth,
		    struct dice *dice)
{
	struct tmap_record_row row = { 0 };
	int number;

	row.offset = calloc(RANKS, sizeof *row.offset);
	row.messages = calloc(RANKS, sizeof *row.messages);
	row.bytes = calloc(RANKS, sizeof *row.bytes);
	for (int offset = 0; offset < RANKS; offset++) {
		if (dice_roll(dice, 3))
			continue;
		row.offset[row.peers] = offset;
		row.messages[row.peers] = 1 + dice_roll(dice, 2);
		row.bytes[row.peers] = dice_roll(dice, 2) * 1000;
		row.sizes[tmap_record_size_class(500)] += row.messages[row.peers];
		truth->messages[way][rank][(rank + offset) % RANKS] = row.messages[row.peers];
		truth->bytes[way][rank][(rank + offset) % RANKS] = row.bytes[row.peers++];
	}
	number = tmap_record_intern_row_take(&b->sent[way], &row, &err);
	ck_assert_int_ne(number, TMAP_NONE);
	ck_assert_int_eq(tmap_record_add_rank(&b->sent[way], rank, number, &err), 0);
}

/* By one-sided calls even ranks send, along edges none. */
/* Rank r writes r + 1 times r bytes, and every third one reads. */
static void add_files(struct tmap_part_builder *b, int rank)
{
	for (int i = 0; i <= rank; i++)
		tmap_recorded_files_count(&b->files[TMAP_FILE_WRITE_ALL], rank, 0.5);
	if (rank % 3 == 0)
		tmap_recorded_files_count(&b->files[TMAP_FILE_READ], 1000, 0);
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		tmap_recorded_files_end_rank(&b->files[way]);
}

static void check_files(const struct tmap_record *record)
{
	const struct tmap_recorded_files *write_all = &record->files[TMAP_FILE_WRITE_ALL],
					 *read = &record->files[TMAP_FILE_READ];

	ck_assert_int_eq(write_all->calls, 78);
	ck_assert_int_eq(write_all->bytes, 572);
	ck_assert_int_eq(write_all->ranks, RANKS);
	ck_assert_int_eq(write_all->most_bytes, 132);
	ck_assert_double_eq(write_all->seconds_sum, 39);
	ck_assert_double_eq(write_all->seconds_max, 6);
	ck_assert_int_eq(read->calls, 4);
	ck_assert_int_eq(read->ranks, 4);
	ck_assert_int_eq(read->most_bytes, 1000);
	ck_assert_int_eq(record->files[TMAP_FILE_WRITE].calls, 0);
}

static void add_row(struct tmap_part_builder *b, int rank, struct truth *truth, struct dice *dice)
{
	add_way(b, TMAP_WAY_MESSAGES, rank, truth, dice);
	if (rank % 2 == 0)
		add_way(b, TMAP_WAY_ONE_SIDED, rank, truth, dice);
}

/* Communicator 0 has all ranks, 1 the even ones, backwards. */
static int add_communicator(struct tmap_record_builder *b, int which, int rank)
{
	struct tmap_recorded_communicator it = { .size = which ? RANKS / 2 : RANKS,
						 .name = strdup(which ? "" : "all"),
						 .topology = strdup(which ? "graph" : "") };
	int first = which ? RANKS - 2 : 0;

	if (rank == first) {
		it.rank = calloc((size_t)it.size, sizeof *it.rank);
		for (int i = 0; i < it.size; i++)
			it.rank[i] = which ? RANKS - 2 - 2 * i : i;
	}
	return tmap_record_add_communicator_take(b, which ? 77 : 5, &it, &err);
}

static void add_kinds(struct tmap_record_builder *b, int rank, const struct truth *truth)
{
	for (int k = 0; k < KINDS; k++) {
		struct tmap_recorded_call it = { .collective = (enum tmap_recorded)(1 + k),
						 .bytes = 8 << k,
						 .calls = 1,
						 .seconds_sum = 0.25,
						 .total_bytes = 3,
						 .largest = rank };

		if (k % 2 && rank % 2)
			continue;
		if (tmap_recorded_rows[it.collective].is_irregular)
			it.bytes = 0;
		it.communicator = add_communicator(b, k % 2, rank);
		for (int64_t i = 0; i < truth->calls[k]; i++)
			ck_assert_int_eq(tmap_record_add_calls(&b->whole, &it, &err), 0);
	}
	for (int i = 0; i < b->whole.call_count; i++)
		b->whole.call[i].seconds_max = b->whole.call[i].seconds_sum;
}

/* Adds what one builder has to another, as bytes, and empties it. */
static void send(struct tmap_record_builder *to, struct tmap_record_builder *from)
{
	struct tmap_bytes bytes = { 0 };
	struct tmap_cursor cursor;

	tmap_record_pack(&bytes, from);
	ck_assert_int_eq(tmap_bytes_check(&bytes, &err), 0);
	cursor = (struct tmap_cursor){ .at = bytes.data, .left = bytes.length };
	ck_assert_int_eq(tmap_record_unpack(to, &cursor, &err), 0);
	tmap_bytes_fini(&bytes);
	tmap_record_builder_fini(from);
}

static void check_way(const struct tmap_record *record, enum tmap_way way,
		      const struct truth *truth)
{
	int64_t messages[RANKS][RANKS] = { { 0 } }, bytes[RANKS][RANKS] = { { 0 } };

	for (int r = 0; r < RANKS; r++) {
		const struct tmap_record_row *row = tmap_record_row_of(record, way, r);

		for (int i = 0; i < row->peers; i++) {
			messages[r][(r + row->offset[i]) % RANKS] = row->messages[i];
			bytes[r][(r + row->offset[i]) % RANKS] = row->bytes[i];
		}
	}
	ck_assert_int_eq(memcmp(messages, truth->messages[way], sizeof messages), 0);
	ck_assert_int_eq(memcmp(bytes, truth->bytes[way], sizeof bytes), 0);
}

static void check(const struct tmap_record *record, const struct truth *truth)
{
	ck_assert_ptr_null(tmap_record_row_of(record, TMAP_WAY_NEIGHBORS, 0));
	check_way(record, TMAP_WAY_MESSAGES, truth);
	check_way(record, TMAP_WAY_ONE_SIDED, truth);
	ck_assert_int_eq(record->communicator_count, 2);
	ck_assert_int_eq(record->communicator[1].rank[0], RANKS - 2);
	ck_assert_str_eq(record->communicator[1].topology, "graph");
	ck_assert_int_eq(record->call_count, KINDS);
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *it = &record->call[i];
		int k = (int)it->collective - 1, size = record->communicator[it->communicator].size;

		ck_assert_int_eq(it->communicator, k % 2);
		ck_assert_int_eq(it->calls, truth->calls[k]);
		ck_assert_int_eq(it->total_bytes, 3 * size * truth->calls[k]);
		ck_assert_int_eq(it->largest, k % 2 ? RANKS - 2 : RANKS - 1);
		ck_assert_double_eq(it->seconds_sum, 0.25 * (double)(size * truth->calls[k]));
		ck_assert_double_eq(it->seconds_max, 0.25 * (double)truth->calls[k]);
	}
}

static void check_call_is_equal(const struct tmap_recorded_call *a,
				const struct tmap_recorded_call *b)
{
	ck_assert_int_eq(a->collective, b->collective);
	ck_assert_int_eq(a->communicator, b->communicator);
	ck_assert_int_eq(a->calls, b->calls);
	ck_assert_int_eq(a->bytes, b->bytes);
	ck_assert_int_eq(a->total_bytes, b->total_bytes);
	ck_assert_double_eq(a->seconds_sum, b->seconds_sum);
}

START_TEST(what_ranks_recorded_is_in_the_record_by_nodes_and_at_once)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	struct tmap_record_builder all = { 0 }, node = { 0 }, own = { 0 };
	struct tmap_record record = { 0 };
	struct truth truth = { .calls = { 1, 2, 3, 1, 2, 3 } };

	for (int r = 0; r < RANKS; r++) {
		own.whole.seconds = r;
		add_row(&own.whole, r, &truth, &dice);
		add_kinds(&own, r, &truth);
		add_files(&own.whole, r);
		own.left_out = (struct tmap_record_left_out){ .outside_calls = 2, .phases = r % 5 };
		send(_i % 2 ? &node : &all, &own);
		if (_i % 2 && r % NODE == NODE - 1)
			send(&all, &node);
	}
	record.placement.size = RANKS;
	ck_assert_int_eq(tmap_record_builder_finish(&record, &all, RANKS, &err), 0);
	ck_assert_int_eq(record.left_out.calls, 0);
	ck_assert_double_eq(record.seconds, RANKS - 1);
	check(&record, &truth);
	check_files(&record);
	ck_assert_int_eq(record.left_out.outside_calls, 2 * RANKS);
	ck_assert_int_eq(record.left_out.phases, 4);
	tmap_record_fini(&record);
}
END_TEST

/* Ranks that had no phase sent nothing in it; those of one are in it, whichever the order in which phases
 * came, and calls are on the communicators of the whole. */
START_TEST(phases_have_what_their_ranks_recorded_in_them)
{
	struct dice dice = { .state = 3 };
	struct tmap_record_builder all = { 0 }, own = { 0 };
	struct tmap_record record = { 0 };
	struct truth truth[3] = { { .calls = { 0 } } }, whole = { .calls = { 1, 1, 1, 1, 1, 1 } };

	for (int r = 0; r < RANKS; r++) {
		struct tmap_part_builder *phase;
		int k = 2 - r % 3;

		add_row(&own.whole, r, &whole, &dice);
		add_kinds(&own, r, &whole);
		phase = tmap_record_builder_phase(&own, 10 * k + 1, &err);
		ck_assert_ptr_nonnull(phase);
		phase->seconds = r;
		add_row(phase, r, &truth[k], &dice);
		for (int i = 0; i < own.whole.call_count; i++)
			ck_assert_int_eq(tmap_record_add_calls(phase, &own.whole.call[i], &err), 0);
		send(&all, &own);
	}
	record.placement.size = RANKS;
	ck_assert_int_eq(tmap_record_builder_finish(&record, &all, RANKS, &err), 0);
	check(&record, &whole);
	ck_assert_int_eq(record.phase_count, 3);
	for (int k = 0; k < 3; k++) {
		const struct tmap_record_part *phase = &record.phase[k];
		struct tmap_record alone = { .placement.size = RANKS };

		ck_assert_int_eq(phase->number, 10 * k + 1);
		ck_assert_double_eq(phase->seconds, RANKS - 1 - k);
		memcpy(alone.sent, phase->sent, sizeof alone.sent);
		check_way(&alone, TMAP_WAY_MESSAGES, &truth[k]);
		/* by the second one most ranks have returned */
		ck_assert_int_eq(phase->call_count, k == 1 ? KINDS : 0);
	}
	for (int i = 0; i < KINDS; i++)
		check_call_is_equal(&record.phase[1].call[i], &record.call[i]);
	tmap_record_fini(&record);
}
END_TEST

/* Rank r returns from the call c in the phase ends[c][r]. */
START_TEST(collectives_count_once_where_the_mean_rank_has_returned)
{
	static const int ends[][RANKS] = {
		{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 },
		{ 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3 }, { 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5 },
		{ 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5 },
	};
	static const int64_t calls[] = { 1, 1, 1, 2 };
	enum { CALLS = sizeof ends / sizeof ends[0] };
	struct dice dice = { .state = 4 };
	struct tmap_record_builder b = { 0 };
	struct tmap_record record = { 0 };
	struct truth truth = { .calls = { 0 } };
	double seconds = 0;
	int64_t at = 0;

	for (int r = 0; r < RANKS; r++) {
		add_row(&b.whole, r, &truth, &dice);
		for (int c = 0; c < CALLS; c++) {
			struct tmap_part_builder *phase =
				tmap_record_builder_phase(&b, ends[c][r], &err);
			const struct tmap_recorded_call it = {
				.collective = TMAP_RECORDED_ALLGATHERV,
				.communicator = add_communicator(&b, 0, r),
				.calls = 1,
				.total_bytes = 3,
				.largest = 3,
				.seconds_sum = 0.5,
				.seconds_max = 0.5
			};

			ck_assert_ptr_nonnull(phase);
			ck_assert_int_eq(tmap_record_add_calls(phase, &it, &err), 0);
			ck_assert_int_eq(tmap_record_add_calls(&b.whole, &it, &err), 0);
		}
	}
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, RANKS, &err), 0);
	ck_assert_int_eq(record.call[0].calls, CALLS);
	ck_assert_int_eq(record.phase_count, 5);
	for (int k = 0; k < 5; k++) {
		const struct tmap_record_part *phase = &record.phase[k];

		ck_assert_int_eq(phase->call_count, k < 4);
		if (k == 4)
			continue;
		ck_assert_int_eq(phase->call[0].calls, calls[k]);
		ck_assert_int_eq(phase->call[0].total_bytes, 3 * RANKS * calls[k]);
		ck_assert_int_eq(phase->call[0].bytes, 3);
		at += phase->call[0].calls;
		seconds += phase->call[0].seconds_sum;
	}
	ck_assert_int_eq(at, CALLS);
	ck_assert_double_eq(seconds, 0.5 * RANKS * CALLS);
	tmap_record_fini(&record);
}
END_TEST

/* Phase by phase, so many ranks return from an alltoallv of blocks of so many bytes. */
struct returned {
	int phase, ranks, block;
};

static void add_returned(struct tmap_record_builder *b, const struct returned *it, int count)
{
	struct dice dice = { .state = 5 };
	struct truth truth = { .calls = { 0 } };

	for (int r = 0; r < RANKS; r++)
		add_row(&b->whole, r, &truth, &dice);
	for (int i = 0; i < count; i++)
		for (int r = 0; r < it[i].ranks; r++) {
			const struct tmap_recorded_call call = {
				.collective = TMAP_RECORDED_ALLTOALLV,
				.communicator = add_communicator(b, 0, r),
				.calls = 1,
				.total_bytes = RANKS * it[i].block,
				.largest = it[i].block
			};
			struct tmap_part_builder *phase =
				tmap_record_builder_phase(b, it[i].phase, &err);

			ck_assert_ptr_nonnull(phase);
			ck_assert_int_eq(tmap_record_add_calls(phase, &call, &err), 0);
			ck_assert_int_eq(tmap_record_add_calls(&b->whole, &call, &err), 0);
		}
}

/* A phase of tiny blocks is not said to have large ones, whichever ranks are late or early. */
START_TEST(irregular_calls_have_the_bytes_of_their_own_phase)
{
	static const struct returned list[][4] = {
		{ { 1, RANKS, 8 }, { 1, RANKS, 8 }, { 2, RANKS, 1 << 20 }, { 2, RANKS, 1 << 20 } },
		{ { 1, RANKS, 8 }, { 1, 8, 8 }, { 2, RANKS - 8, 8 }, { 2, RANKS, 1 << 20 } },
		{ { 1, RANKS, 8 }, { 1, RANKS, 8 }, { 2, 2, 8 }, { 3, RANKS - 2, 8 } },
		{ { 1, RANKS, 64 }, { 1, 3, 64 }, { 2, RANKS - 3, 64 }, { 2, RANKS, 64 } },
		{ { 1, RANKS, 1 << 20 }, { 1, 3, 8 }, { 2, RANKS - 3, 8 }, { 2, RANKS, 8 } },
	};
	static const struct {
		int64_t calls, block;
	} first[] = { { 2, 8 }, { 2, 8 }, { 2, 8 }, { 1, 64 }, { 1, 1 << 20 } };
	struct tmap_record_builder b = { 0 };
	struct tmap_record record = { 0 };
	int64_t calls = 0, bytes = 0;

	add_returned(&b, list[_i], 4);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, RANKS, &err), 0);
	ck_assert_int_eq(record.phase[0].call[0].calls, first[_i].calls);
	ck_assert_int_le(record.phase[0].call[0].bytes, first[_i].block);
	ck_assert_int_ge(5 * record.phase[0].call[0].bytes, 4 * first[_i].block);
	for (int k = 0; k < record.phase_count; k++)
		for (int i = 0; i < record.phase[k].call_count; i++) {
			const struct tmap_recorded_call *it = &record.phase[k].call[i];

			ck_assert_int_le(it->bytes, it->largest);
			calls += it->calls;
			bytes += it->total_bytes;
		}
	ck_assert_int_eq(calls, record.call[0].calls);
	ck_assert_int_eq(bytes, record.call[0].total_bytes);
	tmap_record_fini(&record);
}
END_TEST

/* Calls of which some ranks never return, as where they paused the recorder. */
START_TEST(calls_of_phases_add_up_to_those_of_the_run_whoever_made_them)
{
	static const struct returned list[][3] = {
		{ { 1, RANKS, 8 }, { 2, RANKS / 2, 8 }, { 3, 0, 8 } },
		{ { 1, 1, 8 }, { 2, 0, 8 }, { 3, 0, 8 } },
		{ { 1, 1, 8 }, { 2, 2, 8 }, { 3, 1, 8 } },
		{ { 1, RANKS / 2, 8 }, { 2, RANKS, 8 }, { 3, RANKS / 2 - 1, 8 } },
		{ { 1, RANKS / 2 + 1, 8 }, { 2, RANKS, 8 }, { 3, RANKS, 8 } },
	};
	struct tmap_record_builder b = { 0 };
	struct tmap_record record = { 0 };
	int64_t calls = 0, bytes = 0;

	add_returned(&b, list[_i], 3);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, RANKS, &err), 0);
	for (int k = 0; k < record.phase_count; k++)
		for (int i = 0; i < record.phase[k].call_count; i++) {
			calls += record.phase[k].call[i].calls;
			bytes += record.phase[k].call[i].total_bytes;
		}
	ck_assert_int_eq(calls, record.call[0].calls);
	ck_assert_int_eq(bytes, record.call[0].total_bytes);
	tmap_record_fini(&record);
}
END_TEST

START_TEST(intervals_are_all_there_and_are_as_long_as_the_run)
{
	static const struct {
		double seconds, interval, last;
		int most, count;
	} run[] = {
		{ 2.47, 0.1, 0.07, 256, 25 }, { 0.3, 0.1, 0.1, 256, 3 },
		{ 0.05, 0.1, 0.05, 256, 1 },  { 30, 0.1, 4.5, 256, 256 },
		{ 0, 1, 0, 256, 1 },
	};
	static const struct returned in_two = { 2, RANKS, 8 };
	struct tmap_record_builder b = { .whole.seconds = run[_i].seconds };
	struct tmap_record record = { 0 };

	add_returned(&b, &in_two, run[_i].count > 1);
	ck_assert_int_eq(tmap_record_builder_part_by_time(&b, run[_i].interval, run[_i].most, &err),
			 0);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, RANKS, &err), 0);
	ck_assert_int_eq(record.phase_count, run[_i].count);
	for (int k = 0; k < run[_i].count; k++) {
		const struct tmap_record_part *it = &record.phase[k];
		bool is_last = k == run[_i].count - 1;

		ck_assert_int_eq(it->number, k + 1);
		ck_assert_double_eq_tol(it->seconds, is_last ? run[_i].last : run[_i].interval,
					1e-9);
		ck_assert_int_eq(it->call_count, k == 1);
		ck_assert_int_gt(it->sent[TMAP_WAY_MESSAGES].count, 0);
	}
	tmap_record_fini(&record);
}
END_TEST

START_TEST(a_rank_that_is_missing_or_twice_is_refused)
{
	struct dice dice = { .state = 1 };
	struct tmap_record_builder b = { 0 };
	struct tmap_record record = { 0 };
	struct truth truth = { .calls = { 0 } };

	add_row(&b.whole, 0, &truth, &dice);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, 2, &err), -1);
	ck_assert_str_eq(err.text, "the record has 1 of 2 ranks");
	add_row(&b.whole, 0, &truth, &dice);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, 2, &err), -1);
	tmap_record_builder_fini(&b);
}
END_TEST

START_TEST(calls_on_a_communicator_that_nobody_names_are_counted_as_lost)
{
	struct dice dice = { .state = 1 };
	struct tmap_record_builder b = { 0 };
	struct tmap_record record = { 0 };
	struct truth truth = { .calls = { 4, 0, 0, 0, 0, 0 } };

	add_row(&b.whole, 0, &truth, &dice);
	add_kinds(&b, 1, &truth);
	ck_assert_int_eq(tmap_record_builder_finish(&record, &b, 1, &err), 0);
	ck_assert_int_eq(record.left_out.calls, 4);
	ck_assert_int_eq(record.call_count, 0);
	tmap_record_fini(&record);
}
END_TEST

static int add_named(struct tmap_record_builder *b, const char *name)
{
	struct tmap_recorded_communicator it = { .size = RANKS,
						 .name = strdup(name),
						 .topology = strdup("") };

	return tmap_record_add_communicator_take(b, 5, &it, &err);
}

START_TEST(equal_communicators_have_the_first_name_but_for_that_of_the_world)
{
	struct tmap_record_builder b = { 0 };

	ck_assert_int_eq(add_named(&b, "solver"), 0);
	ck_assert_int_eq(add_named(&b, "other"), 0);
	ck_assert_str_eq(b.communicator[0].it.name, "solver");
	ck_assert_int_eq(add_named(&b, "MPI_COMM_WORLD"), 0);
	ck_assert_int_eq(add_named(&b, "solver"), 0);
	ck_assert_str_eq(b.communicator[0].it.name, "MPI_COMM_WORLD");
	ck_assert_int_eq(b.communicator_count, 1);
	tmap_record_builder_fini(&b);
}
END_TEST

START_TEST(sizes_that_never_end_are_rounded_up_to_powers_of_two)
{
	struct tmap_record_builder b = { 0 };
	int communicator = add_communicator(&b, 0, 0);

	for (int64_t i = 1; i <= 100000; i++) {
		const struct tmap_recorded_call it = { .collective = TMAP_RECORDED_ALLREDUCE,
						       .communicator = communicator,
						       .bytes = 8 * i,
						       .element = 8,
						       .calls = 1 };

		hold(tmap_record_add_calls(&b.whole, &it, &err) == 0);
	}
	ck_assert_int_le(b.whole.call_count, TMAP_RECORD_CALLS_EXACT + 8);
	for (int i = TMAP_RECORD_CALLS_EXACT; i < b.whole.call_count; i++)
		hold((b.whole.call[i].bytes & (b.whole.call[i].bytes - 1)) == 0);
	tmap_record_builder_fini(&b);
}
END_TEST

START_TEST(bytes_that_end_early_are_refused)
{
	struct dice dice = { .state = 3 };
	struct tmap_record_builder b = { 0 };
	struct tmap_bytes bytes = { 0 };
	struct truth truth = { .calls = { 1, 1, 1, 1, 1, 1 } };

	add_row(&b.whole, 0, &truth, &dice);
	add_kinds(&b, 0, &truth);
	tmap_record_pack(&bytes, &b);
	for (size_t length = 0; length < bytes.length; length++) {
		struct tmap_record_builder other = { 0 };
		struct tmap_cursor cursor = { .at = bytes.data, .left = length };

		hold(tmap_record_unpack(&other, &cursor, &err) == -1);
		tmap_record_builder_fini(&other);
	}
	tmap_bytes_fini(&bytes);
	tmap_record_builder_fini(&b);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_pack");
	TCase *all = tcase_create("record_pack");

	tcase_add_loop_test(all, what_ranks_recorded_is_in_the_record_by_nodes_and_at_once, 0, 20);
	tcase_add_test(all, phases_have_what_their_ranks_recorded_in_them);
	tcase_add_test(all, collectives_count_once_where_the_mean_rank_has_returned);
	tcase_add_loop_test(all, irregular_calls_have_the_bytes_of_their_own_phase, 0, 5);
	tcase_add_loop_test(all, calls_of_phases_add_up_to_those_of_the_run_whoever_made_them, 0,
			    5);
	tcase_add_loop_test(all, intervals_are_all_there_and_are_as_long_as_the_run, 0, 5);
	tcase_add_test(all, a_rank_that_is_missing_or_twice_is_refused);
	tcase_add_test(all, calls_on_a_communicator_that_nobody_names_are_counted_as_lost);
	tcase_add_test(all, equal_communicators_have_the_first_name_but_for_that_of_the_world);
	tcase_add_test(all, sizes_that_never_end_are_rounded_up_to_powers_of_two);
	tcase_add_test(all, bytes_that_end_early_are_refused);
	suite_add_tcase(suite, all);
	return suite;
}
