/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: Algorithms 1 and 2 as the paper prints them (literal.c); all triples of ranks for
 * what an ultrametric is.
 */
#include "core/tree/matrix.h"

#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

static void set(struct tmap_matrix *m, int a, int b, double distance)
{
	m->value[a * m->size + b] = m->value[b * m->size + a] = distance;
}

/* Few distinct distances, so that the order of equal edges decides; or hardly two equal. */
static void random_matrix(struct tmap_matrix *m, int size, int values, struct dice *dice)
{
	ck_assert_int_eq(tmap_matrix_init(m, size, &err), 0);
	for (int a = 0; a < size; a++)
		for (int b = a; b < size; b++)
			set(m, a, b, dice_roll(dice, values) / 8.0);
}

static void random_ultrametric(struct tmap_matrix *m, int size, struct dice *dice)
{
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_random_take(&p, machine_random(dice, 5), size, dice);
	hold(tmap_metric_init(&metric, &p,
			      dice_roll(dice, 2) ? TMAP_SCALE_PROCESS : TMAP_SCALE_LEVEL,
			      &err) == 0);
	hold(tmap_matrix_init(m, size, &err) == 0);
	for (int a = 0; a < size; a++)
		for (int b = a; b < size; b++)
			set(m, a, b, a == b ? 10 : tmap_metric_distance(&metric, a, b));
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}

static bool all_triples_agree(const struct tmap_matrix *m)
{
	for (int a = 0; a < m->size; a++)
		for (int b = 0; b < m->size; b++)
			for (int c = 0; c < m->size; c++)
				if (tmap_matrix_distance(m, a, c) >
				    fmax(tmap_matrix_distance(m, a, b),
					 tmap_matrix_distance(m, b, c)))
					return false;
	return true;
}

static void trees_and_ring_are_literal(const struct tmap_matrix *m)
{
	int *parent = malloc((size_t)m->size * sizeof *parent);
	struct tmap_tree tree;
	struct tmap_ring ring;

	for (int root = 0; root < m->size; root++) {
		literal_tree(m->value, m->size, root, parent);
		hold(tmap_matrix_tree(&tree, m, root, &err) == 0);
		for (int r = 0; r < m->size; r++) {
			hold(tree.parent[r] == parent[r]);
			hold(tree.distance[r] ==
			     (r == root ? 0 : m->value[r * m->size + parent[r]]));
		}
		tmap_tree_fini(&tree);
	}
	literal_ring(m->value, m->size, parent);
	hold(tmap_matrix_ring(&ring, m, &err) == 0);
	for (int i = 0; i < m->size; i++) {
		hold(ring.order[i] == parent[i]);
		hold(ring.distance[i] ==
		     tmap_matrix_distance(m, parent[i], parent[(i + 1) % m->size]));
	}
	tmap_ring_fini(&ring);
	free(parent);
}

START_TEST(random_matrices_give_the_literal_trees_and_ring)
{
	struct dice dice = { .state = 31 };

	for (int run = 0; run < 600; run++) {
		struct tmap_matrix m;

		random_matrix(&m, 1 + dice_roll(&dice, 24),
			      dice_roll(&dice, 2) ? 1 + dice_roll(&dice, 5) : 1000000, &dice);
		trees_and_ring_are_literal(&m);
		tmap_matrix_fini(&m);
	}
}
END_TEST

START_TEST(ultrametric_matrices_give_the_literal_trees_and_ring)
{
	struct dice dice = { .state = 32 };

	for (int run = 0; run < 300; run++) {
		struct tmap_matrix m;

		random_ultrametric(&m, 1 + dice_roll(&dice, 24), &dice);
		hold(tmap_matrix_is_ultrametric(&m, &err) == 1);
		trees_and_ring_are_literal(&m);
		tmap_matrix_fini(&m);
	}
}
END_TEST

START_TEST(an_ultrametric_is_recognised_and_one_wrong_pair_spoils_it)
{
	struct dice dice = { .state = 33 };
	int spoilt = 0;

	for (int run = 0; run < 1500; run++) {
		struct tmap_matrix m;
		int size = 1 + dice_roll(&dice, 14);

		if (dice_roll(&dice, 3))
			random_ultrametric(&m, size, &dice);
		else
			random_matrix(&m, size, 1 + dice_roll(&dice, 3), &dice);
		if (dice_roll(&dice, 2))
			set(&m, dice_roll(&dice, size), dice_roll(&dice, size),
			    dice_roll(&dice, 12));
		hold(tmap_matrix_is_ultrametric(&m, &err) == (int)all_triples_agree(&m));
		spoilt += !all_triples_agree(&m);
		tmap_matrix_fini(&m);
	}
	ck_assert_int_gt(spoilt, 300);
	ck_assert_int_lt(spoilt, 1200);
}
END_TEST

START_TEST(the_metric_of_an_ultrametric_has_its_distances)
{
	struct dice dice = { .state = 34 };

	for (int run = 0; run < 300; run++) {
		struct tmap_matrix m;
		struct tmap_metric metric;
		int64_t *pairs, counted = 0;

		random_ultrametric(&m, 1 + dice_roll(&dice, 30), &dice);
		hold(tmap_matrix_metric(&metric, &m, &err) == 0);
		hold(metric.size == m.size && metric.step_count > 0);
		for (int a = 0; a < m.size; a++)
			for (int b = 0; b < m.size; b++)
				hold(tmap_metric_distance(&metric, a, b) ==
				     tmap_matrix_distance(&m, a, b));
		pairs = tmap_metric_count_pairs(&metric, &err);
		for (int s = 0; s < metric.step_count; s++)
			counted += pairs[s];
		hold(counted == (int64_t)m.size * (m.size - 1) / 2);
		free(pairs);
		tmap_metric_fini(&metric);
		tmap_matrix_fini(&m);
	}
}
END_TEST

static void refuses(int a, int b, double there, double back, const char *message)
{
	struct tmap_matrix m;

	ck_assert_int_eq(tmap_matrix_init(&m, 4, &err), 0);
	ck_assert_int_eq(tmap_matrix_check(&m, &err), 0);
	m.value[a * 4 + b] = there;
	m.value[b * 4 + a] = back;
	ck_assert_int_eq(tmap_matrix_check(&m, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, message);
	tmap_matrix_fini(&m);
}

START_TEST(what_is_no_distance_is_refused)
{
	struct tmap_matrix m;

	refuses(1, 3, 2.5, 2.25,
		"the distance of the ranks 1 and 3 is 2.5 one way and 2.25 the "
		"other: it must be the same");
	refuses(0, 2, -1, -1,
		"the distance of the ranks 0 and 2 is -1: a distance is finite and "
		"not negative");
	refuses(0, 2, INFINITY, INFINITY,
		"the distance of the ranks 0 and 2 is inf: a distance "
		"is finite and not negative");
	refuses(2, 3, NAN, NAN,
		"the distance of the ranks 2 and 3 is nan: a distance is finite "
		"and not negative");
	refuses(2, 3, 1, NAN,
		"the distance of the ranks 2 and 3 is 1 one way and nan the other: "
		"it must be the same");
	ck_assert_int_eq(tmap_matrix_init(&m, 0, &err), -1);
	ck_assert_int_eq(tmap_matrix_init(&m, 3, &err), 0);
	m.value[4] = NAN; /* the diagonal is not looked at */
	ck_assert_int_eq(tmap_matrix_check(&m, &err), 0);
	ck_assert_double_eq(tmap_matrix_distance(&m, 1, 1), 0);
	tmap_matrix_fini(&m);
}
END_TEST

START_TEST(a_root_outside_the_ranks_is_refused)
{
	struct tmap_matrix m;
	struct tmap_tree tree;

	ck_assert_int_eq(tmap_matrix_init(&m, 4, &err), 0);
	ck_assert_int_eq(tmap_matrix_tree(&tree, &m, 4, &err), -1);
	ck_assert_str_eq(err.text, "root 4 is not one of the 4 ranks (0 to 3)");
	tmap_matrix_fini(&m);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("matrix");
	TCase *tcase = tcase_create("matrix");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, random_matrices_give_the_literal_trees_and_ring);
	tcase_add_test(tcase, ultrametric_matrices_give_the_literal_trees_and_ring);
	tcase_add_test(tcase, an_ultrametric_is_recognised_and_one_wrong_pair_spoils_it);
	tcase_add_test(tcase, the_metric_of_an_ultrametric_has_its_distances);
	tcase_add_test(tcase, what_is_no_distance_is_refused);
	tcase_add_test(tcase, a_root_outside_the_ranks_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
