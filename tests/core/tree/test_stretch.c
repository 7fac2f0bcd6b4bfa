/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: cuts written down by hand for rings whose order the paper's algorithm fixes; on
 * random placements, each property that the header states, looked up position by position.
 */
#include "core/tree/stretch.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static void ring_of(struct tmap_ring *ring, const struct tmap_placement *p)
{
	struct tmap_metric metric;

	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_ring_init(ring, &metric, &err), 0);
	tmap_metric_fini(&metric);
}

static void check_cut(const struct tmap_placement *p, bool fold,
		      const struct tmap_stretch *expected, int count)
{
	struct tmap_ring ring;
	struct tmap_stretch *stretch;
	int found;

	ring_of(&ring, p);
	ck_assert_int_eq(tmap_ring_cut(&ring, p, fold, &stretch, &found, &err), 0);
	ck_assert_int_eq(found, count);
	for (int s = 0; s < count; s++) {
		ck_assert_int_eq(stretch[s].first, expected[s].first);
		ck_assert_int_eq(stretch[s].length, expected[s].length);
		ck_assert_int_eq(stretch[s].copies, expected[s].copies);
	}
	free(stretch);
	tmap_ring_fini(&ring);
}

static const struct test_level four_cores[] = { { TMAP_L3, 1 },
						{ TMAP_CORE, 4 },
						{ TMAP_NODE, 0 } };

/* The path of each node of 4 is 2 0 1 3; rank 0 stands inside the first one. */
START_TEST(a_ring_is_cut_between_nodes)
{
	const struct tmap_stretch apart[] = {
		{ 0, 3, 1 }, { 3, 4, 1 }, { 7, 4, 1 }, { 11, 4, 1 }, { 15, 1, 1 }
	};
	const struct tmap_stretch folded[] = { { 0, 3, 1 }, { 3, 4, 3 }, { 15, 1, 1 } };
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(4, four_cores));
	check_cut(&p, false, apart, 5);
	check_cut(&p, true, folded, 3);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_node_is_one_stretch)
{
	const struct tmap_stretch whole[] = { { 0, 4, 1 } };
	struct tmap_placement p;

	placement_block_take(&p, machine_regular(1, four_cores));
	check_cut(&p, true, whole, 1);
	tmap_placement_fini(&p);
}
END_TEST

/* Independent of the cutting: are these two stretches equal, by the definition? */
static bool are_equal(const struct tmap_ring *ring, const struct tmap_placement *p, int a, int b,
		      int length)
{
	const int *kind = p->machine->node_topology;

	for (int i = 0; i + 1 < length; i++)
		if (ring->distance[a + i] < ring->distance[b + i] ||
		    ring->distance[a + i] > ring->distance[b + i])
			return false;
	return kind[p->node[ring->order[a]]] == kind[p->node[ring->order[b]]];
}

START_TEST(random_cuts_keep_what_the_header_says)
{
	struct dice dice = { 99 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 80), count, at = 0;
	struct tmap_placement p;
	struct tmap_ring ring;
	struct tmap_stretch *stretch;

	placement_random_take(&p, machine_random(&dice, 9), size, &dice);
	ring_of(&ring, &p);
	ck_assert_int_eq(tmap_ring_cut(&ring, &p, true, &stretch, &count, &err), 0);
	for (int s = 0; s < count; s++) {
		ck_assert_int_eq(stretch[s].first, at);
		for (int c = 0; c < stretch[s].copies; c++, at += stretch[s].length) {
			for (int i = 1; i < stretch[s].length; i++)
				ck_assert_int_eq(p.node[ring.order[at + i]],
						 p.node[ring.order[at]]);
			if (at)
				ck_assert_int_ne(p.node[ring.order[at]],
						 p.node[ring.order[at - 1]]);
			ck_assert(are_equal(&ring, &p, stretch[s].first, at, stretch[s].length));
		}
		if (s && stretch[s].length == stretch[s - 1].length)
			ck_assert(!are_equal(&ring, &p, stretch[s - 1].first, stretch[s].first,
					     stretch[s].length));
	}
	ck_assert_int_eq(at, size);
	free(stretch);
	tmap_ring_fini(&ring);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("stretch");
	TCase *c = tcase_create("stretch");

	tcase_add_test(c, a_ring_is_cut_between_nodes);
	tcase_add_test(c, one_node_is_one_stretch);
	tcase_add_loop_test(c, random_cuts_keep_what_the_header_says, 0, 300);
	suite_add_tcase(suite, c);
	return suite;
}
