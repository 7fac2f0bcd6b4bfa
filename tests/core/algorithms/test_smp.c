/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: tmap_verify(), which moves symbols and knows no nodes; the folded telling against the
 * exact one; the messages of MPICH 4.0.2 for a few calls, counted by hand from its trees. All of
 * its messages, and those of MPICH 4.2.1 and Open MPI 5.0.7, are compared by tests/mpi/defaults.sh.
 */
#include "core/algorithms/catalogue.h"
#include "core/schedule/collect.h"
#include "core/schedule/verify.h"
#include "tests/support/machines.h"
#include "tests/support/traffic.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 400 };
#endif

static struct tmap_error err;

static int64_t draw_value(struct dice *dice, const struct tmap_param *param)
{
	static const int64_t sizes[] = { 0, 1, 3, 8, 40 };
	int count = 0;

	if (param->is_size)
		return sizes[dice_roll(dice, 5)];
	while (tmap_param_word_text(param, count))
		count++;
	return dice_roll(dice, count);
}

/* 4 nodes of 6, filled by slot, by node or shuffled; or anything anywhere. */
static void draw_job(struct dice *dice, struct tmap_placement *placement)
{
	const struct test_level node_levels[] = { { TMAP_CORE, 6 }, { 0, 0 } };
	int size = 1 + dice_roll(dice, 24), seat[24], manner = dice_roll(dice, 4);

	if (manner == 0) {
		placement_random_take(placement, machine_random(dice, 5), size, dice);
		return;
	}
	for (int i = 0; i < 24; i++)
		seat[i] = manner == 1 ? i % 4 * 6 + i / 4 : i;
	if (manner == 2)
		dice_shuffle(dice, seat, 24);
	placement_seats_take(placement, machine_regular(4, node_levels), seat, size);
}

static const enum tmap_collective rows[] = { TMAP_BCAST, TMAP_REDUCE, TMAP_ALLREDUCE, TMAP_BARRIER,
					     TMAP_SCAN };

START_TEST(every_composition_does_what_its_collective_promises)
{
	static const int64_t bytes[] = { 60, 17, 1, 600 };
	struct dice dice = { 9 };
	int verified = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct tmap_call call = { .bytes = bytes[round % 4], .element = round % 3 };
		struct tmap_placement placement;
		struct tmap_metric metric;

		call.element = call.bytes % 4 == 0 && call.element == 2 ? 4 : 0;
		draw_job(&dice, &placement);
		ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err),
				 0);
		ck_assert_int_eq(tmap_call_parse(&call, rows[_i], "smp", &err), 0);
		for (int i = 0; call.choice.row->params[i].key; i++)
			call.choice.value[i] = draw_value(&dice, &call.choice.row->params[i]);
		call.metric = &metric;
		call.size = placement.size;
		if (tmap_collective_rows[rows[_i]].has_root)
			call.root = dice_roll(&dice, call.size);
		if (tmap_call_check(&call, &err) == 0) {
			verified++;
			ck_assert_msg(tmap_verify(&call, &err) == 0, "%d: %s", round, err.text);
			hold(traffic_is_alike(&call));
		} else {
			ck_assert_int_eq(err.kind, TMAP_INPUT);
		}
		tmap_metric_fini(&metric);
		tmap_placement_fini(&placement);
	}
	ck_assert_int_ge(verified, ROUNDS / 4);
}
END_TEST

static void prepare(struct tmap_call *call, struct tmap_placement *placement,
		    struct tmap_metric *metric, enum tmap_collective collective, const char *text)
{
	const struct test_level node_levels[] = { { TMAP_CORE, 4 }, { 0, 0 } };
	int seat[8];

	for (int r = 0; r < 8; r++)
		seat[r] = r;
	placement_seats_take(placement, machine_regular(2, node_levels), seat, call->size);
	ck_assert_int_eq(tmap_metric_init(metric, placement, TMAP_SCALE_PROCESS, &err), 0);
	call->metric = metric;
	ck_assert_int_eq(tmap_call_parse(call, collective, text, &err), 0);
}

static const struct sums {
	enum tmap_collective collective;
	const char *text;
	int size, root;
	int64_t messages, bytes; /* of 100 bytes in elements of 4 */
} sums[] = {
	/* root 6 to rank 4, one between the nodes, three within each */
	{ TMAP_BCAST, "smp", 8, 6, 8, 800 },
	{ TMAP_BCAST, "smp", 8, 4, 7, 700 },
	/* as many up, and rank 0 to rank 6 */
	{ TMAP_REDUCE, "smp", 8, 6, 8, 800 },
	{ TMAP_REDUCE, "smp,lead=late", 8, 6, 7, 700 },
	/* two rounds of 4 in each node, one of 2 between them, three of a byte in each */
	{ TMAP_BARRIER, "smp,release=binomial_far", 8, 0, 24, 6 },
	{ TMAP_BARRIER, "smp", 8, 0, 34, 0 },
	/* 8 in each node by doubling, the last to the first, 2 between these and 1 on to the next;
	 * then three words of 4 bytes in each node, and the vector on the second one */
	{ TMAP_SCAN, "smp,between=recursive_doubling,within=recursive_doubling", 8, 0, 30,
	  16 * 100 + 2 * 100 + 3 * 100 + 6 * 4 + 3 * 100 },
	/* 4 segments of 7 elements, one of a single one; whole ones twice between the nodes */
	{ TMAP_REDUCE, "smp,lead=column,segment=28,piece=16", 8, 6, 4 * 7 + 3, 700 },
};

START_TEST(messages_are_those_of_the_libraries)
{
	const struct sums *sum = &sums[_i];
	struct tmap_call call = { .size = sum->size, .root = sum->root, .bytes = 100, .element = 4 };
	struct tmap_collection all;
	struct tmap_placement placement;
	struct tmap_metric metric;

	if (sum->collective == TMAP_BARRIER)
		call.bytes = call.element = 0;
	prepare(&call, &placement, &metric, sum->collective, sum->text);
	ck_assert_msg(tmap_collection_init(&all, &call, &err) == 0, "%s", err.text);
	ck_assert_int_eq((int64_t)all.count, sum->messages);
	ck_assert_int_eq(all.bytes, sum->bytes);
	tmap_collection_fini(&all);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

static void is_refused(struct tmap_call *call, const char *message)
{
	ck_assert_int_eq(tmap_call_check(call, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
}

START_TEST(what_nodes_do_not_allow_is_refused)
{
	const struct test_level node_levels[] = { { TMAP_CORE, 4 }, { 0, 0 } };
	struct tmap_call call = { .size = 7, .bytes = 8 };
	struct tmap_placement placement;
	struct tmap_metric metric;

	prepare(&call, &placement, &metric, TMAP_REDUCE, "smp,lead=column");
	is_refused(&call,
		   "smp: a column of leaders needs equally many ranks on each node; there "
		   "are 3 to 4");
	call.metric = NULL;
	is_refused(&call, "smp splits the ranks by their nodes: it needs a placement");
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);

	placement_seats_take(&placement, machine_regular(2, node_levels), (int[]){ 0, 4, 1, 5 }, 4);
	ck_assert_int_eq(tmap_metric_init(&metric, &placement, TMAP_SCALE_PROCESS, &err), 0);
	call = (struct tmap_call){ .size = 4, .bytes = 8, .metric = &metric };
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_SCAN, "smp", &err), 0);
	is_refused(&call, "smp: scans need the ranks of each node to be consecutive");
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_BCAST, "smp,within=bine", &err), 0);
	ck_assert_int_eq(tmap_call_check(&call, &err), 0);
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_BCAST, "smp,lead=late", &err), -1);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("smp");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, every_composition_does_what_its_collective_promises, 0,
			    (int)(sizeof rows / sizeof *rows));
	tcase_add_loop_test(tc, messages_are_those_of_the_libraries, 0,
			    (int)(sizeof sums / sizeof *sums));
	tcase_add_test(tc, what_nodes_do_not_allow_is_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
