/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: tmap_verify(), which moves symbols and knows no algorithm; and the folded telling
 * and the one in batches and shifts against the exact one, pair of ranks by pair of ranks.
 */
#include "core/algorithms/catalogue.h"
#include "core/schedule/collect.h"
#include "core/schedule/neighborhood.h"
#include "core/schedule/verify.h"
#include "tests/support/machines.h"
#include "tests/support/traffic.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__ /* ten times slower; the other build goes farther */
enum { MOST_RANKS = 34, MOST_ROOTED = 17 };
#else
enum { MOST_RANKS = 70, MOST_ROOTED = 33 };
#endif

static struct tmap_error err;

/* Schedules that the calls of the running test have told. */
static int verified;

static void check_call(const struct tmap_call *call)
{
	if (tmap_call_check(call, &err) < 0)
		return;
	verified++;
	ck_assert_msg(tmap_verify(call, &err) == 0, "%s, %d ranks, root %d, %lld bytes: %s",
		      call->choice.row->word.name, call->size, call->root, (long long)call->bytes,
		      err.text);
	ck_assert_msg(traffic_is_alike(call), "%s, %d ranks, %lld bytes: folded differs",
		      call->choice.row->word.name, call->size, (long long)call->bytes);
}

enum { ROUND_NODES, SHUFFLED, IN_A_ROW, MANNERS };

/* A job of so many ranks: 2 x 2 cores a node. */
static void put_ranks(struct tmap_placement *placement, int size, int manner)
{
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0, 0 } };
	int nodes = (size + 3) / 4, seat[MOST_RANKS];
	struct dice dice = { 7 };

	for (int r = 0; r < size; r++)
		seat[r] = manner == IN_A_ROW ? r : r % nodes * 4 + r / nodes;
	if (manner == SHUFFLED)
		dice_shuffle(&dice, seat, size);
	placement_seats_take(placement, machine_regular(nodes, node_levels), seat, size);
}

/* Sizes that cut a vector evenly, unevenly, and into empty pieces. */
static void check_bytes_and_roots(struct tmap_call *call, bool rooted, int step)
{
	static const int64_t bytes[] = { 1680, 37, 1 };

	for (int i = 0; i < 3; i++) {
		call->bytes = bytes[i];
		if (tmap_unit_count(call) == bytes[0]) /* of a byte each: fewer will do */
			call->bytes /= 10;
		for (call->root = 0; call->root < (rooted ? call->size : 1); call->root += step)
			check_call(call);
	}
	call->root = 0;
	/* the same as libraries cut it, by elements; and elements of a byte are none */
	call->bytes = 37 * 12;
	for (call->element = 12; call->element; call->element = call->element == 12)
		check_call(call);
}

/* Every root, or those that are a step apart. */
static void check_sizes(struct tmap_call *call, enum tmap_collective collective, int step)
{
	bool rooted = tmap_collective_rows[collective].has_root;
	int manner = ROUND_NODES;

	for (call->size = 1; call->size <= (rooted ? MOST_ROOTED : MOST_RANKS);
	     call->size += test_step(call->size, 5)) {
		struct tmap_placement placement;
		struct tmap_metric metric;

		put_ranks(&placement, call->size, manner);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		call->metric = &metric;
		check_bytes_and_roots(call, rooted, step);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
		manner = (manner + 1) % MANNERS;
	}
}

static bool next_value(const struct tmap_param *param, int64_t *value)
{
	static const int64_t sizes[] = { 1, 100, 700 };

	if (tmap_param_has_words(param))
		return tmap_param_word_text(param, ++*value) != NULL;
	if (!param->is_size)
		return (*value += *value ? 2 : 1) < 8;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (sizes[i] > *value) {
			*value = sizes[i];
			return true;
		}
	return false;
}

/* The preset values; then, for one parameter after another, others. */
static void check_row(enum tmap_collective collective, int index,
		      void (*check)(struct tmap_call *call, enum tmap_collective collective,
				    int step))
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	struct tmap_call call = { .choice = tmap_spec_preset(words, index) };
	const struct tmap_param *param = call.choice.row->params;

	verified = 0;
	check(&call, collective, 1);
	for (int i = 0; param && param[i].key; i++) {
		/* far too many: tests/core/algorithms/test_hierarchical.c, test_lane.c have some */
		if (param[i].is_list || strcmp(param[i].key, "lanes") == 0)
			break;
		for (int64_t value = 0; next_value(&param[i], &value);) {
			if (value < param[i].least || value > param[i].most)
				continue;
			call.choice.value[i] = value;
			check(&call, collective, 5);
		}
		call.choice.value[i] = tmap_param_preset(&param[i]);
	}
	ck_assert_msg(verified >= 3 * 6 / test_stride(3), "%s was hardly verified",
		      call.choice.row->word.name);
}

START_TEST(every_algorithm_does_what_its_collective_promises)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);

	ck_assert_ptr_nonnull(words->rows);
	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++)
		check_row(collective, row, check_sizes);
}
END_TEST

/* The messages of the whole that are the rank's are still to come from this one on. */
struct part {
	const struct tmap_collection *whole;
	size_t next;
	int rank;
};

static const struct tmap_message *next_of_rank(struct part *part)
{
	for (; part->next < part->whole->count; part->next++) {
		const struct tmap_message *it = &part->whole->message[part->next];

		if (it->from == part->rank || it->to == part->rank)
			return it;
	}
	return NULL;
}

static int check_message(void *context, const struct tmap_message *message,
			 struct tmap_error *error)
{
	const struct tmap_message *it = next_of_rank(context);
	struct part *part = context;

	(void)error;
	ck_assert_msg(
		it && it->round == message->round && it->from == message->from &&
			it->to == message->to && it->bytes == message->bytes &&
			it->combine == message->combine && it->on == message->on &&
			it->run_count == message->run_count &&
			memcmp(it->run, message->run, (size_t)it->run_count * sizeof *it->run) == 0,
		"rank %d, round %lld: %d to %d", part->rank, (long long)message->round,
		message->from, message->to);
	part->next++;
	return 0;
}

static void check_parts(const struct tmap_call *call)
{
	struct tmap_collection whole;

	if (tmap_call_check(call, &err) < 0)
		return;
	ck_assert_int_eq(tmap_collection_init(&whole, call, &err), 0);
	for (int rank = 0; rank < call->size; rank++) {
		struct part part = { &whole, 0, rank };
		struct tmap_visitor visitor = { .message = check_message, .context = &part };

		ck_assert_int_eq(tmap_schedule_rank(call, rank, &visitor, &err), 0);
		ck_assert_msg(!next_of_rank(&part), "%s, %d ranks: rank %d lacks messages",
			      call->choice.row->word.name, call->size, rank);
	}
	tmap_collection_fini(&whole);
}

START_TEST(the_part_of_a_rank_is_what_the_whole_has_of_it)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++)
		for (int size = 1; size <= 33 && size < MOST_RANKS; size += test_step(size, 4)) {
			struct tmap_call call = { .choice = tmap_spec_preset(words, row),
						  .size = size };
			struct tmap_placement placement;
			struct tmap_metric metric;

			if (tmap_collective_rows[collective].has_root)
				call.root = size - 1;
			put_ranks(&placement, size, ROUND_NODES);
			ck_assert_int_eq(
				tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
			call.metric = &metric;
			for (call.bytes = 1; call.bytes <= 37; call.bytes += 18) /* 1, 19, 37 */
				check_parts(&call);
			tmap_metric_fini(&metric);
			tmap_placement_fini(&placement);
		}
}
END_TEST

static int count_message(void *context, const struct tmap_message *message,
			 struct tmap_error *error)
{
	(void)message;
	(void)error;
	++*(int64_t *)context;
	return 0;
}

/* 2^18 ranks have up to 2^36 messages: who makes them all does not come back. */
START_TEST(rows_by_rank_make_the_part_of_a_rank_alone)
{
	for (int collective = 0; collective < TMAP_NEIGHBOR_ALLGATHER; collective++) {
		const struct tmap_keywords *words =
			tmap_algorithms((enum tmap_collective)collective);

		for (int row = 0; tmap_keywords_at(words, (size_t)row); row++) {
			struct tmap_call call = { .choice = tmap_spec_preset(words, row),
						  .size = 1 << 18,
						  .bytes = 1 << 20 };
			int64_t count = 0;
			struct tmap_visitor visitor = { .message = count_message,
							.context = &count };

			if (!tmap_call_algorithm(&call)->by_rank ||
			    (collective == TMAP_ALLTOALL &&
			     strcmp(call.choice.row->word.name, "bruck") == 0)) /* p runs each */
				continue;
			ck_assert_int_eq(tmap_schedule_rank(&call, 77, &visitor, &err), 0);
			ck_assert_int_ge(count, 18);
		}
	}
}
END_TEST

/* Others make rounds and bytes of all messages, but no units of those that are not the rank's: of
 * 2^36 units they do not come back either. */
START_TEST(units_are_those_of_the_rank_alone)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
		int rank;
	} rows[] = {
		{ TMAP_ALLGATHER, "swing", 77 },
		{ TMAP_ALLGATHER, "locality_bruck", 77 },
		{ TMAP_ALLGATHER, "distance_ring", 77 },
		{ TMAP_ALLGATHER, "lane", 77 },
		{ TMAP_BCAST, "scatter_ring", 77 },
		{ TMAP_ALLREDUCE, "swing", 77 },
		{ TMAP_ALLREDUCE, "lane", 77 },
		{ TMAP_ALLTOALL, "lane", 77 },
		/* who leads its node: of 4095 others, by 2^24 messages */
		{ TMAP_ALLTOALL, "hierarchical,inner=pairwise", 64 },
		{ TMAP_ALLGATHER, "hierarchical,inner=ring", 64 },
	};
	const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
						  { TMAP_CORE, 32 },
						  { 0, 0 } };
	enum { SIZE = 1 << 18 };
	struct tmap_placement placement;
	struct tmap_metric metric;

	placement_block_take(&placement, machine_regular(SIZE / 64, node_levels));
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tmap_call call = { .size = SIZE, .bytes = SIZE, .metric = &metric };
		int64_t count = 0;
		struct tmap_visitor visitor = { .message = count_message, .context = &count };

		ck_assert_int_eq(
			tmap_call_parse(&call, rows[i].collective, rows[i].algorithm, &err), 0);
		ck_assert_int_eq(tmap_call_check(&call, &err), 0);
		ck_assert_int_eq(tmap_schedule_rank(&call, rows[i].rank, &visitor, &err), 0);
		ck_assert_int_ge(count, 18);
	}
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

/* What messages there are, each but for its units; and runs of units. */
struct message_sum {
	uint64_t hash;
	int64_t runs;
};

static int sum_message(void *context, const struct tmap_message *message, struct tmap_error *error)
{
	struct message_sum *sum = context;
	int64_t values[] = { message->round,   message->span, message->times,
			     message->from,    message->to,   message->bytes,
			     message->combine, message->on,   message->is_word };

	(void)error;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		sum->hash = 31 * sum->hash + (uint64_t)values[i];
	sum->runs += message->run_count;
	return 0;
}

static struct message_sum sum_of(const struct tmap_call *call, bool no_units)
{
	struct message_sum sum = { 0 };
	struct tmap_visitor visitor = { .no_units = no_units,
					.message = sum_message,
					.context = &sum };

	ck_assert_int_eq(tmap_schedule(call, &visitor, &err), 0);
	return sum;
}

START_TEST(units_that_nobody_asks_for_change_nothing_else)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++)
		for (int size = 1; size <= 24; size += test_step(size, 4)) {
			struct tmap_call call = { .choice = tmap_spec_preset(words, row),
						  .size = size };
			struct tmap_placement placement;
			struct tmap_metric metric;

			put_ranks(&placement, size, SHUFFLED);
			ck_assert_int_eq(
				tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
			call.metric = &metric;
			for (call.bytes = 1; call.bytes <= 37; call.bytes += 18) /* 1, 19, 37 */
				if (tmap_call_check(&call, &err) == 0)
					ck_assert_msg(sum_of(&call, false).hash ==
							      sum_of(&call, true).hash,
						      "%s, %d ranks", call.choice.row->word.name,
						      size);
			tmap_metric_fini(&metric);
			tmap_placement_fini(&placement);
		}
}
END_TEST

/* p runs in each of p log p messages are what takes long. */
START_TEST(units_that_nobody_asks_for_are_not_made)
{
	static const struct {
		enum tmap_collective collective;
		const char *algorithm;
	} rows[] = { { TMAP_ALLTOALL, "bruck" },
		     { TMAP_ALLTOALL, "bruck,radix=4" },
		     { TMAP_ALLGATHER, "swing" } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tmap_call call = { .size = 12, .bytes = 5 };

		ck_assert_int_eq(
			tmap_call_parse(&call, rows[i].collective, rows[i].algorithm, &err), 0);
		ck_assert_int_eq(tmap_call_check(&call, &err), 0);
		ck_assert_int_gt(sum_of(&call, false).runs, 0);
		ck_assert_int_eq(sum_of(&call, true).runs, 0);
	}
}
END_TEST

START_TEST(neighbours_get_what_is_promised)
{
	static const struct {
		const char *stencil, *cart, *periods, *order;
	} cases[] = {
		{ "cart", "0x0", "0,0", NULL },
		{ "cart", "0x0x0", "1,1,1", NULL },
		{ "vonneumann", "0x0", "1,0", "lmaj" },
		{ "vonneumann:2", "0x0x0", "1,1,0", "fmaj" },
		{ "moore:1", "0x0x0x0", "0,1,0,1", "rand:5" },
		{ "moore:2", "0", "1", NULL },
		{ "full", NULL, NULL, "linear" },
		{ "full", NULL, NULL, "rand:9" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int size = 1; size <= 40; size++) {
			struct tmap_neighborhood neighborhood;
			struct tmap_call call = { .choice = tmap_spec_preset(
							  tmap_algorithms((enum tmap_collective)_i),
							  0),
						  .size = size,
						  .bytes = 10,
						  .neighborhood = &neighborhood };

			ck_assert_msg(tmap_neighborhood_init(&neighborhood, size, cases[i].stencil,
							     cases[i].cart, cases[i].periods,
							     cases[i].order, &err) == 0,
				      "%s", err.text);
			verified = 0;
			check_call(&call);
			ck_assert_int_eq(verified, 1);
			tmap_neighborhood_fini(&neighborhood);
		}
}
END_TEST

/* What a telling of a schedule has, message by message. */
struct count {
	int size;
	int64_t rounds, messages, bytes;
};

static int add_message(void *context, const struct tmap_message *message, struct tmap_error *error)
{
	struct count *count = context;

	(void)error;
	if (message->round + message->span > count->rounds)
		count->rounds = message->round + message->span;
	count->messages += message->times;
	count->bytes += message->bytes;
	return 0;
}

static int add_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *error)
{
	return tmap_all_pairs_emit(pairs, ((struct count *)context)->size, false, add_message,
				   context, error);
}

/* Every unit that is listed has bytes, and every round a message. */
static void check_listed(const struct tmap_call *call, const struct tmap_collection *all)
{
	int64_t rounds = 0, bytes = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct tmap_message *message = &all->message[i];

		rounds += i == 0 || message->round != all->message[i - 1].round;
		for (int r = 0; r < message->run_count; r++)
			for (int64_t k = 0; k < message->run[r].count; k++) {
				int64_t unit = message->run[r].first + k * message->run[r].stride;

				ck_assert_int_gt(tmap_unit_bytes(call, unit), 0);
				bytes += tmap_unit_bytes(call, unit);
			}
		if (message->run_count == 0) { /* words, and what the receiver has already */
			ck_assert(tmap_call_algorithm(call)->by_name);
			bytes += message->bytes;
		}
	}
	ck_assert_int_eq(bytes, all->bytes);
	ck_assert_msg(rounds == all->rounds, "%s, %d ranks, %lld bytes: %lld of %lld rounds",
		      call->choice.row->word.name, call->size, (long long)call->bytes,
		      (long long)rounds, (long long)all->rounds);
}

static void check_count(const struct tmap_call *call)
{
	struct count count = { .size = call->size };
	struct tmap_visitor visitor = {
		.folded = true, .message = add_message, .all_pairs = add_pairs, .context = &count
	};
	struct tmap_collection all;

	if (tmap_call_check(call, &err) < 0)
		return;
	verified++;
	ck_assert(tmap_collection_record(&all, call, false, &err) == 0);
	ck_assert(tmap_schedule(call, &visitor, &err) == 0);
	check_listed(call, &all);
	ck_assert_msg(count.rounds == all.rounds,
		      "%s, %d ranks, %lld bytes: %lld rounds, folded %lld",
		      call->choice.row->word.name, call->size, (long long)call->bytes,
		      (long long)all.rounds, (long long)count.rounds);
	ck_assert_int_eq(count.messages, (int64_t)all.count);
	ck_assert_int_eq(count.bytes, all.bytes);
	tmap_collection_fini(&all);
}

/* From no byte at all to more than there are ranks; the same in elements, which libraries cut by
 * rules of their own. */
static void check_few_bytes(struct tmap_call *call, enum tmap_collective collective, int step)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective];
	bool in_a_row = collective == TMAP_SCAN || collective == TMAP_EXSCAN; /* lanes ask for it */

	for (call->size = 2; call->size <= (row->has_root || step > 1 ? 17 : MOST_ROOTED);
	     call->size++) {
		int roots = row->has_root ? call->size : 1;
		struct tmap_placement placement;
		struct tmap_metric metric;

		put_ranks(&placement, call->size, in_a_row ? IN_A_ROW : call->size % MANNERS);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		call->metric = &metric;
		for (call->root = 0; call->root < roots; call->root += 3 * step)
			for (int64_t count = 0; count <= call->size + 1;
			     count += step * test_stride(3))
				for (call->element = 0; call->element <= 3 * row->cuts_vector;
				     call->element += 3) {
					call->bytes = count * (call->element ? call->element : 1);
					check_count(call);
				}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
	call->element = 0;
	call->root = 0;
}

START_TEST(empty_units_are_neither_listed_nor_counted)
{
	enum tmap_collective collective = (enum tmap_collective)_i;
	const struct tmap_keywords *words = tmap_algorithms(collective);

	for (int row = 0; tmap_keywords_at(words, (size_t)row); row++)
		check_row(collective, row, check_few_bytes);
}
END_TEST

static void check_rows(struct tmap_call *call, enum tmap_collective collective, const char *name)
{
	const int64_t bytes[] = { 37, 100, call->size * 7 + 3, call->size * (int64_t)8 };

	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		call->bytes = bytes[i];
		ck_assert_int_eq(tmap_call_parse(call, collective, name, &err), 0);
		if (tmap_call_check(call, &err) < 0)
			continue;
		verified++;
		ck_assert_msg(traffic_is_alike(call), "%s, %d ranks, %lld bytes", name, call->size,
			      (long long)call->bytes);
	}
}

/* So many ranks that messages come in rows, with gaps and without. */
START_TEST(rows_of_messages_are_those_that_they_stand_for)
{
	static const int shape[][2] = { { 100, 3 }, { 3, 101 }, { 4, 128 } };
	const struct test_level levels[] = { { TMAP_CORE, shape[_i][0] }, { 0, 0 } };
	static const enum tmap_collective collectives[] = { TMAP_BCAST, TMAP_REDUCE, TMAP_ALLREDUCE,
							    TMAP_REDUCE_SCATTER };
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_call call = { .metric = &metric };

	placement_block_take(&placement, machine_regular(shape[_i][1], levels));
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	call.size = placement.size;
	verified = 0;
	for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++) {
		const struct tmap_keyword *word;

		for (size_t i = 0; (word = tmap_keywords_at(tmap_algorithms(collectives[c]), i));
		     i++)
			check_rows(&call, collectives[c], word->name);
	}
	check_rows(&call, TMAP_ALLREDUCE, "rabenseifner,fold=mpich");
	check_rows(&call, TMAP_ALLREDUCE, "lane,inner=recursive_doubling");
	check_rows(&call, TMAP_ALLREDUCE, "lane,inner=rabenseifner");
	ck_assert_int_gt(verified, 100);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, rows_of_messages_are_those_that_they_stand_for, 0, 3);
	tcase_add_loop_test(tc, every_algorithm_does_what_its_collective_promises, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_loop_test(tc, the_part_of_a_rank_is_what_the_whole_has_of_it, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_loop_test(tc, empty_units_are_neither_listed_nor_counted, 0, TMAP_BARRIER);
	tcase_add_test(tc, rows_by_rank_make_the_part_of_a_rank_alone);
	tcase_add_test(tc, units_are_those_of_the_rank_alone);
	tcase_add_loop_test(tc, units_that_nobody_asks_for_change_nothing_else, 0,
			    TMAP_NEIGHBOR_ALLGATHER);
	tcase_add_test(tc, units_that_nobody_asks_for_are_not_made);
	tcase_add_loop_test(tc, neighbours_get_what_is_promised, TMAP_NEIGHBOR_ALLGATHER,
			    TMAP_COLLECTIVE_COUNT);
	suite_add_tcase(suite, tc);
	return suite;
}
