/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: samples written down by hand.
 */
#include "core/machine/node_fold.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;

/* Ranks on nodes of four cores, in the order of the ranks. */
static struct tmap_placement seat_ranks(int nodes, const int *node, int size)
{
	int taken[16] = { 0 };
	struct tmap_placement p;

	placement_on_take(
		&p, machine_regular(nodes, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } }),
		size);
	for (int r = 0; r < size; r++)
		placement_seat_pu(&p, r, node[r], taken[node[r]]++);
	return p;
}

static const struct {
	int nodes, size, node[16];
	int most, want_nodes, want_size;
	int want[8]; /* the node of each rank of the sample */
} cases[] = {
	{ 2, 4, { 0, 1, 0, 1 }, 4, 0, 4, { 0, 1, 0, 1 } }, /* the whole job */
	{ 4, 12, { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 }, 7, 2, 6, { 0, 1, 0, 1, 0, 1 } },
	{ 4, 8, { 0, 0, 1, 1, 2, 2, 3, 3 }, 7, 2, 4, { 0, 0, 1, 1 } }, /* three are no power of
									  two */
	{ 5, 10, { 4, 4, 3, 3, 2, 2, 1, 1, 0, 0 }, 9, 4, 8, { 3, 3, 2, 2, 1, 1, 0, 0 } },
	{ 6, 6, { 5, 1, 3, 5, 1, 3 }, 4, 2, 4, { 1, 3, 1, 3 } }, /* nodes without ranks */
	{ 3, 9, { 0, 0, 0, 1, 1, 1, 2, 2, 2 }, 2, 2, 6, { 0, 0, 0, 1, 1, 1 } }, /* at least two */
};

START_TEST(the_first_nodes_keep_the_order_of_their_ranks)
{
	struct tmap_placement p = seat_ranks(cases[_i].nodes, cases[_i].node, cases[_i].size);
	struct tmap_node_fold fold;
	struct tmap_sample sample;

	ck_assert_int_eq(tmap_node_fold_init(&fold, &p, &err), 0);
	ck_assert_int_eq(tmap_sample_init(&sample, &p, &fold, cases[_i].most, &err), 0);
	ck_assert_int_eq(sample.nodes, cases[_i].want_nodes);
	ck_assert_int_eq(sample.placement->size, cases[_i].want_size);
	for (int r = 0; r < cases[_i].want_size; r++)
		ck_assert_int_eq(sample.placement->node[r], cases[_i].want[r]);
	ck_assert_int_eq(sample.fold->first[cases[_i].nodes], cases[_i].want_size);
	tmap_sample_fini(&sample);
	tmap_node_fold_fini(&fold);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sample");
	TCase *tests = tcase_create("sample");

	tcase_add_loop_test(tests, the_first_nodes_keep_the_order_of_their_ranks, 0,
			    (int)(sizeof cases / sizeof cases[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
