/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: counts of rounds, messages and node crossings that an independent checker made for
 * 8 to 32 ranks, 4 on a node, by slot and by node; for algorithms without a row there, the
 * definition: every message of the exact schedule, looked at by itself.
 */
#include "core/score/score.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { BLOCK = 1000 };

/* p ranks, 4 on a node, by slot or dealt out over the nodes. */
static struct tmap_placement four_a_node(int p, bool cyclic)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 4 }, { 0 } };
	int *seat = calloc((size_t)p, sizeof *seat), nodes = p / 4;
	struct tmap_placement placement;

	for (int r = 0; r < p; r++)
		seat[r] = cyclic ? r % nodes * 4 + r / nodes : r;
	placement_seats_take(&placement, machine_regular(nodes, node_levels), seat, p);
	free(seat);
	return placement;
}

static const struct tmap_score_row *find(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->count; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return &score->row[i];
	ck_abort_msg("no row '%s'", name);
	return NULL;
}

/* Messages and blocks in all, and across nodes by slot and by node. */
static const struct {
	int p;
	const char *algorithm;
	int rounds, messages, blocks, slot_messages, slot_blocks, node_messages, node_blocks;
} counted[] = {
	{ 8, "ring", 7, 56, 56, 14, 14, 56, 56 },
	{ 8, "bruck", 3, 24, 56, 14, 42, 8, 8 },
	{ 8, "bruck,radix=4", 2, 32, 56, 20, 44, 16, 16 },
	{ 8, "sparbit", 3, 24, 56, 14, 24, 8, 32 },
	{ 8, "swing", 3, 24, 56, 8, 12, 24, 56 },
	{ 12, "ring", 11, 132, 132, 33, 33, 132, 132 },
	{ 12, "neighbor_exchange", 6, 72, 132, 18, 36, 72, 132 },
	{ 12, "bruck", 4, 48, 132, 33, 111, 48, 132 },
	{ 12, "bruck,radix=4", 2, 60, 132, 42, 114, 48, 120 },
	{ 12, "sparbit", 4, 48, 132, 33, 60, 48, 132 },
	{ 12, "swing", 4, 48, 132, 24, 36, 36, 108 },
	{ 12, "spread", 1, 132, 132, 96, 96, 96, 96 },
	{ 16, "bruck,radix=4", 2, 96, 240, 72, 216, 48, 48 },
	{ 16, "sparbit", 4, 64, 240, 44, 112, 32, 192 },
	{ 16, "recursive_doubling", 4, 64, 240, 32, 192, 32, 48 },
	{ 32, "ring", 31, 992, 992, 248, 248, 992, 992 },
	{ 32, "bruck", 5, 160, 992, 120, 936, 96, 224 },
	{ 32, "sparbit", 5, 160, 992, 120, 480, 96, 896 },
};

START_TEST(counts_are_those_of_an_independent_checker)
{
	const char *name = counted[_i].algorithm;
	const struct tmap_score_request request = { .collective = TMAP_ALLGATHER,
						    .bytes = BLOCK,
						    .algorithm = &name,
						    .algorithm_count = 1 };

	for (int cyclic = 0; cyclic < 2; cyclic++) {
		struct tmap_placement placement = four_a_node(counted[_i].p, cyclic);
		const struct tmap_crossing *node;
		struct tmap_score score;

		ck_assert_msg(tmap_score_init(&score, &placement, &request, &err) == 0, "%s",
			      err.text);
		ck_assert_str_eq(score.levels.level[0].name, "node");
		node = &score.row[0].locality.level[0];
		ck_assert_int_eq(score.row[0].locality.rounds, counted[_i].rounds);
		ck_assert_int_eq(score.row[0].locality.messages, counted[_i].messages);
		ck_assert_int_eq(score.row[0].locality.bytes, counted[_i].blocks * BLOCK);
		ck_assert_int_eq(node->messages,
				 cyclic ? counted[_i].node_messages : counted[_i].slot_messages);
		ck_assert_int_eq(
			node->bytes,
			BLOCK * (cyclic ? counted[_i].node_blocks : counted[_i].slot_blocks));
		ck_assert_int_eq(node->least, BLOCK * (counted[_i].p / 4 - 1) * counted[_i].p);
		tmap_score_fini(&score);
		tmap_placement_fini(&placement);
	}
}
END_TEST

/* 32 ranks, 4 on a node, by slot; units of a vector of 32 parts. Halving and doubling meets
 * the least, 2 (8 - 1) x 32 = 448; by node it is four times as much. */
START_TEST(rabenseifner_meets_the_least_by_slot_only)
{
	static const char *const name = "rabenseifner";
	static const int64_t across[] = { 448, 1792 };
	const struct tmap_score_request request = {
		.collective = TMAP_ALLREDUCE, .bytes = 32, .algorithm = &name, .algorithm_count = 1
	};
	struct tmap_placement placement = four_a_node(32, _i);
	const struct tmap_crossing *node;
	struct tmap_score score;

	ck_assert_int_eq(tmap_score_init(&score, &placement, &request, &err), 0);
	node = &score.row[0].locality.level[0];
	ck_assert_int_eq(node->bytes, across[_i]);
	ck_assert_int_eq(node->least, 448);
	ck_assert_double_eq(tmap_locality_at(&score.row[0].locality, &score.row[0].call, 0),
			    448.0 / (double)across[_i]);
	tmap_score_fini(&score);
	tmap_placement_fini(&placement);
}
END_TEST

struct look {
	const struct tmap_score *score;
	int64_t messages[16], bytes[16], all, rounds;
};

static int look_at(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct look *look = context;
	const struct tmap_levels *levels = &look->score->levels;
	const struct tmap_placement *placement = look->score->placement;

	(void)e;
	look->all += message->bytes;
	if (message->round + 1 > look->rounds)
		look->rounds = message->round + 1;
	for (int l = 0; l < levels->count; l++)
		if (tmap_levels_of_rank(levels, l, placement, message->from) !=
		    tmap_levels_of_rank(levels, l, placement, message->to)) {
			look->messages[l]++;
			look->bytes[l] += message->bytes;
		}
	return 0;
}

static void compare_with_exact(const struct tmap_score *score, const struct tmap_score_row *row)
{
	struct look look = { .score = score };
	struct tmap_visitor visitor = { .message = look_at, .context = &look };

	ck_assert_msg(tmap_schedule(&row->call, &visitor, &err) == 0, "%s", err.text);
	hold(row->locality.bytes == look.all);
	ck_assert_msg(row->locality.rounds >= look.rounds, "%s: %d rounds told, %d seen", row->name,
		      (int)row->locality.rounds, (int)look.rounds);
	for (int l = 0; l < score->levels.count; l++) {
		ck_assert_msg(row->locality.level[l].messages == look.messages[l] &&
				      row->locality.level[l].bytes == look.bytes[l],
			      "%s of %d ranks: %d and %d messages across %s", row->name,
			      row->call.size, (int)row->locality.level[l].messages,
			      (int)look.messages[l], score->levels.level[l].name);
	}
}

/* Every row of the catalogue, on machines and seats of all kinds. */
START_TEST(every_algorithm_is_counted_as_its_messages_cross)
{
	struct dice dice = { (uint64_t)_i };
	struct tmap_score_request request = { .collective = (enum tmap_collective)_i };

	for (int round = 0; round < 12; round++) {
		struct tmap_machine *machine = machine_random(&dice, 6);
		struct tmap_placement placement;
		struct tmap_score score;

		placement_random_take(&placement, machine, 1 + dice_roll(&dice, 33), &dice);
		request.bytes = _i == TMAP_BARRIER ? 0 : dice_roll(&dice, 300);
		request.root =
			tmap_collective_rows[_i].has_root ? dice_roll(&dice, placement.size) : 0;
		ck_assert_msg(tmap_score_init(&score, &placement, &request, &err) == 0, "%s",
			      err.text);
		ck_assert_int_le(score.levels.count, 16);
		for (int i = 0; i < score.applicable; i++)
			compare_with_exact(&score, &score.row[i]);
		tmap_score_fini(&score);
		tmap_placement_fini(&placement);
	}
}
END_TEST

/* The same where whole nodes are counted at once: by slot, by node, with a cut last node. */
START_TEST(every_algorithm_is_counted_where_jobs_are_regular)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 6 },
							 { 0 } };
	struct tmap_score_request request = { .collective = (enum tmap_collective)_i };

	for (int p = 1; p <= 240; p += p < 70 ? 3 : 34) {
		int ppn = 4 << p % 2, nodes = (p + ppn - 1) / ppn, seat[240];
		struct tmap_machine *machine = machine_regular(nodes, node_levels);
		struct tmap_placement placement;
		struct tmap_score score;

		machine_add_switches(machine, 3);
		for (int r = 0; r < p; r++)
			seat[r] = p / 2 % 2 ? r % nodes * 12 + r / nodes : r / ppn * 12 + r % ppn;
		placement_seats_take(&placement, machine, seat, p);
		request.bytes = _i == TMAP_BARRIER ? 0 : 1 + 7 * (p % 5);
		ck_assert_msg(tmap_score_init(&score, &placement, &request, &err) == 0, "%s",
			      err.text);
		for (int i = 0; i < score.applicable; i++)
			compare_with_exact(&score, &score.row[i]);
		tmap_score_fini(&score);
		tmap_placement_fini(&placement);
	}
}
END_TEST

START_TEST(what_moves_nothing_takes_no_rounds)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 2 },
							 { 0 } };
	struct tmap_score_request request = { .collective = (enum tmap_collective)_i };
	struct tmap_placement placement;
	struct tmap_score score;

	placement_block_take(&placement, machine_regular(3, node_levels));
	ck_assert_msg(tmap_score_init(&score, &placement, &request, &err) == 0, "%s", err.text);
	for (int i = 0; i < score.applicable; i++)
		ck_assert_msg(score.row[i].locality.rounds == 0, "%s", score.row[i].name);
	tmap_score_fini(&score);
	tmap_placement_fini(&placement);
}
END_TEST

/* The best by slot is among the worst by node, and the other way round. */
START_TEST(the_best_algorithm_follows_the_placement)
{
	const struct tmap_score_request request = { .collective = TMAP_ALLGATHER,
						    .bytes = 1 << 20 };
	struct tmap_placement slot = four_a_node(32, false), node = four_a_node(32, true);
	struct tmap_score by_slot, by_node;

	ck_assert_int_eq(tmap_score_init(&by_slot, &slot, &request, &err), 0);
	ck_assert_int_eq(tmap_score_init(&by_node, &node, &request, &err), 0);
	ck_assert(find(&by_slot, "ring") < find(&by_slot, "sparbit"));
	ck_assert(find(&by_slot, "sparbit") < find(&by_slot, "bruck"));
	ck_assert(find(&by_node, "bruck") < find(&by_node, "sparbit"));
	ck_assert(find(&by_node, "sparbit") < find(&by_node, "ring"));
	tmap_score_fini(&by_slot);
	tmap_score_fini(&by_node);
	tmap_placement_fini(&slot);
	tmap_placement_fini(&node);
}
END_TEST

START_TEST(who_cannot_run_comes_last_with_the_reason)
{
	const struct tmap_score_request request = { .collective = TMAP_ALLGATHER, .bytes = BLOCK };
	static const struct test_level node_levels[] = { { TMAP_CORE, 5 }, { 0 } };
	struct tmap_placement placement;
	struct tmap_score score;

	placement_block_take(&placement, machine_regular(1, node_levels));
	ck_assert_int_eq(tmap_score_init(&score, &placement, &request, &err), 0);
	ck_assert_int_lt(score.applicable, score.count);
	for (int i = 0; i < score.count; i++)
		ck_assert_int_eq(score.row[i].reason != NULL, i >= score.applicable);
	ck_assert_str_eq(find(&score, "recursive_doubling")->reason,
			 "recursive_doubling needs a power of two of ranks; there are 5");
	tmap_score_fini(&score);
	tmap_placement_fini(&placement);
}
END_TEST

static void refuse(const struct tmap_score_request *request, const char *text)
{
	struct tmap_placement placement = four_a_node(8, false);
	struct tmap_score score;

	ck_assert_int_eq(tmap_score_init(&score, &placement, request, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, text);
	tmap_placement_fini(&placement);
}

START_TEST(impossible_requests_are_refused)
{
	static const char *const misspelt = "brukc", *const ring = "ring";

	refuse(&(struct tmap_score_request){ .collective = TMAP_ALLGATHER, .bytes = 8, .root = 3 },
	       "allgather has no root");
	refuse(&(struct tmap_score_request){ .collective = TMAP_BCAST, .bytes = 8, .root = 8 },
	       "root 8 is not one of the 8 ranks");
	refuse(&(struct tmap_score_request){ .collective = TMAP_ALLGATHER,
					     .bytes = 8,
					     .algorithm = &misspelt,
					     .algorithm_count = 1 },
	       "unknown allgather algorithm 'brukc'; did you mean 'bruck'?");
	refuse(&(struct tmap_score_request){ .collective = TMAP_ALLGATHER,
					     .bytes = INT64_MAX,
					     .algorithm = &ring,
					     .algorithm_count = 1 },
	       "ring: the schedule moves more than 2^63 - 1 bytes");
}
END_TEST

/* What a library takes costs as much whoever asks for others: the oracle is the score that asks for
 * all, whose rows are the same. */
START_TEST(defaults_are_those_that_are_asked_for)
{
	static const char *const ring = "ring";
	struct tmap_placement placement = four_a_node(24, true);
	struct tmap_score_request request = { .collective = TMAP_ALLGATHER,
					      .bytes = BLOCK,
					      .algorithm = &ring,
					      .algorithm_count = 1,
					      .has_library = true,
					      .library = tmap_keywords_find(&tmap_libraries,
									    "mpich", &err) };
	static const enum tmap_score_defaults asked[] = { TMAP_SCORE_DEFAULTS_LISTED,
							  TMAP_SCORE_DEFAULTS_PICKED,
							  TMAP_SCORE_DEFAULTS_NONE };
	struct tmap_score all, some;

	ck_assert_int_eq(tmap_score_init(&all, &placement, &request, &err), 0);
	for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
		int named = 0;

		request.defaults = asked[k];
		ck_assert_int_eq(tmap_score_init(&some, &placement, &request, &err), 0);
		ck_assert_int_eq(some.default_count, all.default_count);
		ck_assert(some.row[0].seconds == all.row[0].seconds);
		for (int i = 0; i < all.default_count; i++) {
			const struct tmap_score_default *it = &some.defaults[i],
							*whole = &all.defaults[i];
			bool wanted = asked[k] == TMAP_SCORE_DEFAULTS_LISTED ?
				tmap_library_is_listed(i, &all.pick) :
				asked[k] == TMAP_SCORE_DEFAULTS_PICKED && i == request.library;

			ck_assert_int_eq(it->best, whole->best);
			ck_assert_int_eq(it->name != NULL, wanted && whole->name);
			if (!it->name)
				continue;
			named++;
			ck_assert_str_eq(it->name, whole->name);
			ck_assert(it->seconds == whole->seconds && it->gain == whole->gain &&
				  it->slower == whole->slower);
		}
		ck_assert_int_eq(named > 0, asked[k] != TMAP_SCORE_DEFAULTS_NONE);
		tmap_score_fini(&some);
	}
	tmap_score_fini(&all);
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("score");
	TCase *tests = tcase_create("score");

	tcase_add_loop_test(tests, counts_are_those_of_an_independent_checker, 0,
			    (int)(sizeof counted / sizeof counted[0]));
	tcase_add_loop_test(tests, rabenseifner_meets_the_least_by_slot_only, 0, 2);
	tcase_add_loop_test(tests, every_algorithm_is_counted_as_its_messages_cross, 0,
			    TMAP_BARRIER + 1);
	tcase_add_loop_test(tests, every_algorithm_is_counted_where_jobs_are_regular, 0,
			    TMAP_BARRIER + 1);
	tcase_add_loop_test(tests, what_moves_nothing_takes_no_rounds, 0, TMAP_BARRIER);
	tcase_add_test(tests, the_best_algorithm_follows_the_placement);
	tcase_add_test(tests, who_cannot_run_comes_last_with_the_reason);
	tcase_add_test(tests, impossible_requests_are_refused);
	tcase_add_test(tests, defaults_are_those_that_are_asked_for);
	suite_add_tcase(suite, tests);
	return suite;
}
