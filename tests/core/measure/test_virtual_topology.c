/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: coordinates of MPI_Cart_create (row by row) and offsets counted out in the test; the lists
 * of Luebbe 2017, section 3.1, written down; who sends must be received from.
 */
#include "core/measure/virtual_topology.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_virtual_topology grid_of(enum tmap_stencil stencil, int radius, int dimensions,
					    int finite, enum tmap_neighbor_order order)
{
	return (struct tmap_virtual_topology){ .constructor = order == TMAP_ORDER_CART ?
						       TMAP_CART_CREATE :
						       TMAP_DIST_GRAPH_CREATE_ADJACENT,
					       .stencil = stencil,
					       .radius = radius,
					       .dimensions = dimensions,
					       .finite = finite,
					       .order = order };
}

static const struct tmap_virtual_topology full = {
	TMAP_DIST_GRAPH_CREATE_ADJACENT, TMAP_STENCIL_FULL, 0, 0, 0, TMAP_ORDER_LINEAR, false
};

/* "1 2 5 -": the targets or sources of a rank. */
static const char *list_of(const struct tmap_virtual_topology *topology, int size, int rank,
			   bool is_sources)
{
	static char text[4096];
	struct tmap_virtual_neighbors it;
	int *list, count;
	size_t length = 0;

	ck_assert_msg(tmap_virtual_neighbors_init(&it, topology, size, &err) == 0, "%s", err.text);
	list = malloc(((size_t)it.degree + 1) * sizeof *list);
	(is_sources ? tmap_virtual_sources : tmap_virtual_targets)(&it, rank, list, &count);
	hold(count <= it.degree);
	text[0] = '\0';
	for (int i = 0; i < count; i++)
		length += (size_t)(list[i] == TMAP_NONE ? sprintf(text + length, "- ") :
							  sprintf(text + length, "%d ", list[i]));
	if (length)
		text[length - 1] = '\0';
	free(list);
	tmap_virtual_neighbors_fini(&it);
	return text;
}

START_TEST(the_lists_of_the_paper)
{
	struct tmap_virtual_topology it =
		grid_of(TMAP_STENCIL_VONNEUMANN, 1, 2, 0, TMAP_ORDER_CART);

	/* 3 x 2: rank 3 is (1, 1); MPI_Cart_create lists down, up of each dimension */
	ck_assert_str_eq(list_of(&it, 6, 3, false), "1 5 2 2");
	ck_assert_str_eq(list_of(&it, 6, 3, true), "1 5 2 2");
	it.finite = 2;
	ck_assert_str_eq(list_of(&it, 6, 0, false), "- 2 - 1");
	it = grid_of(TMAP_STENCIL_VONNEUMANN, 1, 2, 0, TMAP_ORDER_FMAJ);
	ck_assert_str_eq(list_of(&it, 9, 4, false), "1 3 5 7");
	ck_assert_str_eq(list_of(&it, 9, 4, true), "7 5 3 1");
	it.order = TMAP_ORDER_LMAJ;
	ck_assert_str_eq(list_of(&it, 9, 4, false), "3 1 7 5");
	it.finite = 2;
	ck_assert_str_eq(list_of(&it, 9, 0, false), "3 1");
	it = grid_of(TMAP_STENCIL_MOORE, 1, 2, 0, TMAP_ORDER_FMAJ);
	ck_assert_str_eq(list_of(&it, 9, 4, false), "0 1 2 3 5 6 7 8");
	it.order = TMAP_ORDER_LMAJ;
	ck_assert_str_eq(list_of(&it, 9, 4, false), "0 3 6 1 7 2 5 8");
	ck_assert_str_eq(list_of(&full, 5, 2, true), "2 3 4 0 1");
	ck_assert_str_eq(list_of(&full, 5, 2, false), "2 1 0 4 3");
}
END_TEST

/* met[from * size + to]: how often they are neighbors. */
static int *edges_of(const struct tmap_virtual_topology *topology, int size, bool by_sources)
{
	int *met = calloc((size_t)(size * size), sizeof *met);
	struct tmap_virtual_neighbors it;
	int *list, count;

	hold(tmap_virtual_neighbors_init(&it, topology, size, &err) == 0);
	list = malloc(((size_t)it.degree + 1) * sizeof *list);
	for (int rank = 0; rank < size; rank++) {
		(by_sources ? tmap_virtual_sources : tmap_virtual_targets)(&it, rank, list, &count);
		for (int i = 0; i < count; i++)
			if (list[i] != TMAP_NONE)
				met[by_sources ? list[i] * size + rank : rank * size + list[i]]++;
	}
	free(list);
	tmap_virtual_neighbors_fini(&it);
	return met;
}

/* Every offset of the cube from every rank, by coordinates. */
static int *edges_by_hand(const struct tmap_virtual_topology *topology, int size)
{
	int *met = calloc((size_t)(size * size), sizeof *met), dim[TMAP_DIMENSIONS_MAX] = { 0 };
	int d = topology->dimensions, wide = 2 * topology->radius + 1, cube = 1;

	hold(tmap_dimensions_choose(dim, d, size, &err) == 0);
	for (int i = 0; i < d; i++)
		cube *= wide;
	for (int rank = 0; rank < size; rank++)
		for (int c = 0; c < cube; c++) {
			int to = 0, steps = 0, left = c, weight = 1, number = rank;
			bool is_inside = true;

			for (int i = d - 1; i >= 0; i--) {
				int offset = left % wide - topology->radius;
				int at = number % dim[i] + offset;

				left /= wide;
				number /= dim[i];
				steps += abs(offset);
				if (i < topology->finite && (at < 0 || at >= dim[i]))
					is_inside = false;
				to += ((at % dim[i] + dim[i]) % dim[i]) * weight;
				weight *= dim[i];
			}
			if (is_inside && steps &&
			    (topology->stencil == TMAP_STENCIL_MOORE || steps <= topology->radius))
				met[rank * size + to]++;
		}
	return met;
}

START_TEST(neighbors_are_those_of_the_grid_in_every_order)
{
	static const int sizes[] = { 2, 5, 8, 12, 36 };
	size_t room;

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int order = TMAP_ORDER_CART; order < TMAP_ORDERS; order++)
			for (int kind = 0; kind < 2; kind++)
				for (int d = 1; d <= 3; d++)
					for (int finite = 0; finite <= d; finite++)
						for (int radius = 1; radius <= 2; radius++) {
							struct tmap_virtual_topology it = grid_of(
								kind ? TMAP_STENCIL_MOORE :
								       TMAP_STENCIL_VONNEUMANN,
								radius, d, finite,
								(enum tmap_neighbor_order)order);
							int *hand, *sent, *received;

							if (tmap_virtual_check(&it, &err) < 0)
								continue;
							room = (size_t)(sizes[s] * sizes[s]) *
								sizeof(int);
							hand = edges_by_hand(&it, sizes[s]);
							sent = edges_of(&it, sizes[s], false);
							received = edges_of(&it, sizes[s], true);
							hold(memcmp(hand, sent, room) == 0);
							hold(memcmp(hand, received, room) == 0);
							free(hand);
							free(sent);
							free(received);
						}
}
END_TEST

START_TEST(on_the_full_graph_everyone_meets_everyone_once)
{
	for (int random = 0; random < 2; random++)
		for (int by_sources = 0; by_sources < 2; by_sources++) {
			struct tmap_virtual_topology it = full;
			int *met;

			it.order = random ? TMAP_ORDER_RAND : TMAP_ORDER_LINEAR;
			met = edges_of(&it, 7, by_sources);
			for (int i = 0; i < 49; i++)
				ck_assert_int_eq(met[i], 1);
			free(met);
		}
}
END_TEST

/* At random the sources of a grid are where the opposite targets are. */
START_TEST(random_orders_differ_from_rank_to_rank_and_not_from_launch_to_launch)
{
	struct tmap_virtual_topology it = grid_of(TMAP_STENCIL_MOORE, 1, 2, 0, TMAP_ORDER_RAND);
	char first[256], mirrored[256] = "";
	int rank[8];

	strcpy(first, list_of(&it, 9, 4, false));
	ck_assert_str_eq(first, list_of(&it, 9, 4, false));
	ck_assert_str_ne(first, "0 1 2 3 5 6 7 8");
	ck_assert_int_eq(sscanf(first, "%d %d %d %d %d %d %d %d", &rank[0], &rank[1], &rank[2],
				&rank[3], &rank[4], &rank[5], &rank[6], &rank[7]),
			 8);
	for (int i = 0; i < 8; i++)
		sprintf(mirrored + strlen(mirrored), "%s%d", i ? " " : "", 8 - rank[i]);
	ck_assert_str_eq(mirrored, list_of(&it, 9, 4, true));
	it = full;
	it.order = TMAP_ORDER_RAND;
	strcpy(first, list_of(&it, 9, 4, false));
	ck_assert_str_ne(first, list_of(&it, 9, 5, false));
	ck_assert_str_ne(first, list_of(&it, 9, 4, true));
}
END_TEST

START_TEST(what_no_constructor_makes_is_refused)
{
	struct tmap_virtual_neighbors neighbors;
	struct tmap_virtual_topology it = grid_of(TMAP_STENCIL_MOORE, 1, 2, 0, TMAP_ORDER_CART);

	ck_assert_int_eq(tmap_virtual_check(&it, &err), -1);
	ck_assert_str_eq(err.text, "cart_create has the neighbors of vonneumann with radius 1");
	it = grid_of(TMAP_STENCIL_MOORE, 1, 2, 0, TMAP_ORDER_LINEAR);
	ck_assert_int_eq(tmap_virtual_check(&it, &err), -1);
	ck_assert_str_eq(err.text, "moore by dist_graph_create_adjacent has no order 'linear'");
	it = grid_of(TMAP_STENCIL_MOORE, 0, 2, 0, TMAP_ORDER_FMAJ);
	ck_assert_int_eq(tmap_virtual_check(&it, &err), -1);
	ck_assert_str_eq(err.text, "radius 0 is not from 1 to 1000");
	it = grid_of(TMAP_STENCIL_MOORE, 1, 2, 3, TMAP_ORDER_FMAJ);
	ck_assert_int_eq(tmap_virtual_check(&it, &err), -1);
	ck_assert_str_eq(err.text, "3 finite dimensions are not from 0 to 2");
	it = full;
	it.dimensions = 1;
	ck_assert_int_eq(tmap_virtual_check(&it, &err), -1);
	ck_assert_str_eq(err.text, "full has no radius and no dimensions");
	it = grid_of(TMAP_STENCIL_MOORE, 3, 8, 0, TMAP_ORDER_FMAJ);
	ck_assert_int_eq(tmap_virtual_neighbors_init(&neighbors, &it, 256, &err), -1);
	ck_assert_str_eq(err.text, "a rank has more than 1048576 neighbors");
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

START_TEST(a_topology_has_a_name)
{
	char room[TMAP_VIRTUAL_ROOM];
	struct tmap_virtual_topology it =
		grid_of(TMAP_STENCIL_VONNEUMANN, 1, 3, 1, TMAP_ORDER_CART);

	ck_assert_str_eq(tmap_virtual_print(&it, room), "cart 3d finite 1");
	it = grid_of(TMAP_STENCIL_VONNEUMANN, 1000, 8, 8, TMAP_ORDER_RAND);
	it.reorder = true;
	ck_assert_str_eq(tmap_virtual_print(&it, room),
			 "vonneumann:1000 8d finite 8 rand adjacent reorder");
	it = full;
	it.constructor = TMAP_DIST_GRAPH_CREATE;
	ck_assert_str_eq(tmap_virtual_print(&it, room), "full linear graph");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("virtual_topology");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, the_lists_of_the_paper);
	tcase_add_test(tc, neighbors_are_those_of_the_grid_in_every_order);
	tcase_add_test(tc, on_the_full_graph_everyone_meets_everyone_once);
	tcase_add_test(tc, random_orders_differ_from_rank_to_rank_and_not_from_launch_to_launch);
	tcase_add_test(tc, what_no_constructor_makes_is_refused);
	tcase_add_test(tc, a_topology_has_a_name);
	suite_add_tcase(suite, tc);
	return suite;
}
