/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: properties of every picture. Boxes lie inside their parents and apart from their
 * neighbours; every PU of a drawn node has a cell; every rank stands in the box of the object it
 * is bound to, or in the cells of its PUs.
 */
#include "formats/machine/machine_boxes.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

#define SLACK 0.01

static void check_geometry(const struct tmap_machine_boxes *boxes)
{
	for (int i = 1; i < boxes->count; i++) {
		const struct tmap_machine_box *box = &boxes->box[i];
		const struct tmap_machine_box *parent = &boxes->box[box->parent];

		ck_assert(box->width > 0 && box->height > 0);
		ck_assert(box->x >= parent->x - SLACK && box->y >= parent->y - SLACK);
		ck_assert(box->x + box->width <= parent->x + parent->width + SLACK);
		ck_assert(box->y + box->height <= parent->y + parent->height + SLACK);
		for (int next = box->next; next != TMAP_NONE; next = boxes->box[next].next) {
			const struct tmap_machine_box *other = &boxes->box[next];

			ck_assert(other->x >= box->x + box->width - SLACK ||
				  other->y >= box->y + box->height - SLACK ||
				  box->y >= other->y + other->height - SLACK);
		}
	}
}

/* The PUs below a box that the job may use. */
static void mark_pus(const struct tmap_machine_boxes *boxes, int at, bool *marked)
{
	const struct tmap_machine_box *box = &boxes->box[at];

	if (box->pu != TMAP_NONE)
		marked[box->pu] = true;
	for (int c = box->first; c != TMAP_NONE; c = boxes->box[c].next)
		mark_pus(boxes, c, marked);
}

/* The PUs of the boxes that name a rank are those that it may run on. */
static void check_rank(const struct tmap_machine_boxes *boxes, int rank)
{
	const struct tmap_placement *p = boxes->placement;
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	const struct tmap_place *place = &p->places[p->place[rank]];
	bool *marked = calloc((size_t)topo->pu_count, sizeof *marked);

	for (int i = 0; i < boxes->count; i++)
		for (int r = 0; r < boxes->box[i].ranks; r++)
			if (boxes->box[i].rank[r] == rank) {
				ck_assert_int_eq(boxes->box[i].node, p->node[rank]);
				mark_pus(boxes, i, marked);
			}
	for (int pu = 0; pu < topo->pu_count; pu++)
		if (topo->pu[pu].allowed)
			ck_assert(marked[pu] == tmap_idset_contains(&place->pus, topo->pu[pu].os));
	free(marked);
}

static void check_cells(const struct tmap_machine_boxes *boxes, const struct tmap_node_fold *fold)
{
	const struct tmap_machine *machine = boxes->placement->machine;

	for (int n = 0; n < machine->node_count; n++) {
		int cells = 0;

		for (int i = 0; i < boxes->count; i++)
			cells += boxes->box[i].node == n && boxes->box[i].pu != TMAP_NONE;
		ck_assert_int_eq(cells,
				 fold->class_of[n] == TMAP_NONE ?
					 0 :
					 tmap_machine_topology(machine, n)->pu_count);
	}
}

static void check(const struct tmap_placement *p, bool folded)
{
	struct tmap_machine_boxes boxes;
	struct tmap_node_fold fold;
	struct tmap_levels levels;

	ck_assert_int_eq(tmap_node_fold_init(&fold, p, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&levels, p->machine, &err), 0);
	ck_assert_int_eq(tmap_machine_boxes_init(&boxes, p, &fold, &levels, folded, &err), 0);
	tmap_machine_boxes_lay_out(&boxes);
	check_geometry(&boxes);
	if (!folded) {
		check_cells(&boxes, &fold);
		for (int r = 0; r < p->size; r++)
			check_rank(&boxes, r);
	}
	tmap_machine_boxes_fini(&boxes);
	tmap_levels_fini(&levels);
	tmap_node_fold_fini(&fold);
}

START_TEST(random_machines_have_their_boxes_and_ranks_in_place)
{
	struct dice dice = { 41 };

	for (int round = 0; round < 300; round++) {
		struct tmap_machine *machine = machine_random(&dice, 6);
		struct tmap_placement p;

		placement_random_take(&p, machine, 1 + dice_roll(&dice, 24), &dice);
		check(&p, false);
		check(&p, true);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(nodes_that_are_alike_are_one_box)
{
	struct tmap_machine *machine = machine_regular(
		50, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } });
	struct tmap_machine_boxes boxes;
	struct tmap_placement p;
	struct tmap_node_fold fold;
	struct tmap_levels levels;

	placement_block_take(&p, machine);
	tmap_node_fold_init(&fold, &p, &err);
	tmap_levels_init(&levels, machine, &err);
	ck_assert_int_eq(tmap_machine_boxes_init(&boxes, &p, &fold, &levels, true, &err), 0);
	ck_assert_int_eq(boxes.count, 1 + 1 + 2 + 4);
	ck_assert_str_eq(boxes.box[1].label, "n0, and 49 nodes like it");
	ck_assert_str_eq(boxes.box[2].label, "package 0");
	ck_assert_str_eq(boxes.box[3].label, "core 0");
	tmap_machine_boxes_fini(&boxes);
	tmap_levels_fini(&levels);
	tmap_node_fold_fini(&fold);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("machine_boxes");
	TCase *tests = tcase_create("machine_boxes");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, random_machines_have_their_boxes_and_ranks_in_place);
	tcase_add_test(tests, nodes_that_are_alike_are_one_box);
	suite_add_tcase(suite, tests);
	return suite;
}
