/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: boxes drawn by hand on the paper's machines and on small clusters; on random
 * placements the properties: boxes are contiguous in the order, nested, and every rank is in
 * the box of the object that the topology says.
 */
#include "formats/draw/boxes.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_element *one_a_rank(const struct tmap_placement *p, int **rank)
{
	struct tmap_element *element = calloc((size_t)p->size, sizeof *element);

	*rank = calloc((size_t)p->size, sizeof **rank);
	for (int r = 0; r < p->size; r++) {
		(*rank)[r] = r;
		element[r] = (struct tmap_element){ &(*rank)[r], 1 };
	}
	return element;
}

/* "[n0: [package 0: 0 1 ] ]" */
static char *draw(const struct tmap_boxes *boxes)
{
	struct tmap_str text = TMAP_STR_INIT;

	for (int i = 0, from = 0, e, next; i < boxes->count; i++, from = next) {
		e = boxes->order[i];
		for (int d = from; d < boxes->depth; d++)
			if (boxes->number[d][e] != TMAP_NONE) {
				tmap_str_addc(&text, '[');
				tmap_boxes_add_label(&text, boxes, d, e);
				tmap_str_add(&text, ": ");
			}
		tmap_str_addf(&text, "%d ", boxes->element[e].rank[0]);
		next = i + 1 < boxes->count ? tmap_boxes_parting(boxes, e, boxes->order[i + 1]) : 0;
		for (int d = next; d < boxes->depth; d++)
			if (boxes->number[d][e] != TMAP_NONE)
				tmap_str_add(&text, "] ");
	}
	return tmap_str_take(&text, &err);
}

static void check_boxes(struct tmap_placement *p, const char *expected)
{
	struct tmap_boxes boxes;
	int *rank;
	struct tmap_element *element = one_a_rank(p, &rank);
	char *text;

	ck_assert_int_eq(tmap_boxes_init(&boxes, p, element, p->size, &err), 0);
	text = draw(&boxes);
	ck_assert_str_eq(text, expected);
	free(text);
	tmap_boxes_fini(&boxes);
	tmap_placement_fini(p);
	free(element);
	free(rank);
}

START_TEST(one_node_has_no_box_of_its_own)
{
	struct tmap_placement p;

	placement_block_take(&p, machine_zoot());
	check_boxes(&p,
		    "[package 0: 0 1 2 3 ] [package 1: 4 5 6 7 ] [package 2: 8 9 10 11 ] "
		    "[package 3: 12 13 14 15 ] ");
}
END_TEST

START_TEST(a_level_that_repeats_the_one_above_has_no_boxes)
{
	struct tmap_placement p;

	/* package, NUMA node and L3 hold the same cores on this machine */
	placement_block_take(&p, machine_twelve());
	check_boxes(&p,
		    "[board 0: [package 0: 0 1 2 ] [package 1: 3 4 5 ] ] "
		    "[board 1: [package 2: 6 7 8 ] [package 3: 9 10 11 ] ] ");
}
END_TEST

START_TEST(ranks_that_are_alone_have_no_boxes_inside_nodes)
{
	struct tmap_placement p;

	placement_block_take(&p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_CORE, 1 },
									  { TMAP_NODE, 0 } }));
	check_boxes(&p, "[n0: 0 1 ] [n1: 2 3 ] ");
}
END_TEST

START_TEST(switches_are_boxes_around_nodes)
{
	struct tmap_machine *machine = machine_regular(
		4, (const struct test_level[]){ { TMAP_CORE, 1 }, { TMAP_NODE, 0 } });
	struct tmap_placement p;
	char expected[200];

	machine_add_switches(machine, 2);
	placement_block_take(&p, machine);
	snprintf(expected, sizeof expected, "[%s: [n0: 0 ] [n1: 1 ] ] [%s: [n2: 2 ] [n3: 3 ] ] ",
		 machine->tier[0].switch_name[0], machine->tier[0].switch_name[1]);
	check_boxes(&p, expected);
}
END_TEST

START_TEST(an_unbound_rank_is_in_the_box_of_its_node_only)
{
	struct tmap_machine *machine =
		machine_regular(2,
				(const struct test_level[]){
					{ TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { TMAP_NODE, 0 } });
	struct tmap_placement p;

	placement_on_take(&p, machine, 6);
	placement_seat_pu(&p, 0, 0, 0);
	placement_seat_pu(&p, 1, 0, 1);
	placement_seat(&p, 2, 0, 0);
	placement_seat_pu(&p, 3, 0, 3);
	placement_seat_pu(&p, 4, 1, 0);
	placement_seat_pu(&p, 5, 1, 1);
	check_boxes(&p, "[n0: 2 [package 0: 0 1 ] [package 1: 3 ] ] [n1: [package 0: 4 5 ] ] ");
}
END_TEST

START_TEST(what_stands_for_several_nodes_is_in_no_node)
{
	static const int rank[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	const struct tmap_element element[] = {
		{ rank, 1 }, { rank + 1, 1 }, { rank + 2, 1 }, { rank + 3, 1 }, { rank + 4, 4 }
	};
	struct tmap_placement p;
	struct tmap_boxes boxes;
	char *text;

	placement_block_take(
		&p,
		machine_regular(4,
				(const struct test_level[]){ { TMAP_CORE, 2 }, { TMAP_NODE, 0 } }));
	ck_assert_int_eq(tmap_boxes_init(&boxes, &p, element, 5, &err), 0);
	text = draw(&boxes);
	ck_assert_str_eq(text, "4 [n0: 0 1 ] [n1: 2 3 ] ");
	free(text);
	tmap_boxes_fini(&boxes);
	tmap_placement_fini(&p);
}
END_TEST

/* Does @p object lie in an object of the type of that level? The topology itself is asked. */
static bool lies_in_one(const struct tmap_topology *topo, struct tmap_level_kind kind, int object)
{
	for (int o = object; o != TMAP_NONE; o = topo->object[o].parent)
		if (topo->object[o].type == kind.type && topo->object[o].nest == kind.nest)
			return true;
	return false;
}

static void check_random(const struct tmap_boxes *boxes)
{
	const struct tmap_placement *p = boxes->placement;

	for (int depth = 0; depth < boxes->depth; depth++) {
		const struct tmap_level *level = &boxes->levels.level[boxes->kept[depth]];

		for (int i = 0; i < boxes->count; i++) {
			int e = boxes->order[i], rank = boxes->element[e].rank[0];

			if (level->tier == TMAP_NONE && level->kind.type != TMAP_NODE)
				ck_assert_int_eq(boxes->number[depth][e] != TMAP_NONE,
						 lies_in_one(tmap_placement_topology(p, rank),
							     level->kind,
							     tmap_placement_object(p, rank)));
			/* whoever shares its box stands beside it or beside one who does */
			for (int j = i + 2; j < boxes->count; j++)
				ck_assert(!tmap_boxes_is_same(boxes, depth, e, boxes->order[j]) ||
					  tmap_boxes_is_same(boxes, depth, e, boxes->order[j - 1]));
		}
	}
}

START_TEST(random_boxes_are_whole_and_nested)
{
	struct dice dice = { 31 + (uint64_t)_i };
	int size = 1 + dice_roll(&dice, 50), *rank;
	struct tmap_placement p;
	struct tmap_boxes boxes;
	struct tmap_element *element;

	placement_random_take(&p, machine_random(&dice, 7), size, &dice);
	element = one_a_rank(&p, &rank);
	ck_assert_int_eq(tmap_boxes_init(&boxes, &p, element, size, &err), 0);
	check_random(&boxes);
	tmap_boxes_fini(&boxes);
	tmap_placement_fini(&p);
	free(element);
	free(rank);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("boxes");
	TCase *c = tcase_create("boxes");

	tcase_add_test(c, one_node_has_no_box_of_its_own);
	tcase_add_test(c, a_level_that_repeats_the_one_above_has_no_boxes);
	tcase_add_test(c, ranks_that_are_alone_have_no_boxes_inside_nodes);
	tcase_add_test(c, switches_are_boxes_around_nodes);
	tcase_add_test(c, an_unbound_rank_is_in_the_box_of_its_node_only);
	tcase_add_test(c, what_stands_for_several_nodes_is_in_no_node);
	tcase_add_loop_test(c, random_boxes_are_whole_and_nested, 0, test_cases(200));
	suite_add_tcase(suite, c);
	return suite;
}
