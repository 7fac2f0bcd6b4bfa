/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/localities.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Marks, in tmap_object.logical, what will not stay: finishing sets that member anew. */
enum { DROPPED = -2 };

/* A Group, package or NUMA node, where it stands among the others. */
struct spot {
	struct tmap_object *object;
	int rank;     /* of equal PUs: Groups around packages around NUMA nodes */
	int index;    /* as it was added */
	int parent;   /* the next Group around it, among the spots; TMAP_NONE */
	int depth;    /* of a Group: how many lie around it that have more PUs */
	int packages; /* in it */
	bool is_controller, is_inside_board, repeats_controller;
};

struct spots {
	struct spot *spot; /* [count] in preorder */
	int count;
};

static bool is_group(const struct tmap_object *object)
{
	return tmap_types[object->type].is_group;
}

static bool same_pus(const struct tmap_object *a, const struct tmap_object *b)
{
	return a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

/* From left to right, the larger first; of equal ones by rank, the last added first. */
static int spot_compare(const void *left, const void *right)
{
	const struct spot *x = left, *y = right;
	const struct tmap_object *a = x->object, *b = y->object;

	if (a->first_pu != b->first_pu)
		return a->first_pu < b->first_pu ? -1 : 1;
	if (a->end_pu != b->end_pu)
		return a->end_pu > b->end_pu ? -1 : 1;
	return x->rank != y->rank ? x->rank - y->rank : y->index - x->index;
}

/* Parents and depths by the Groups that are open, and packages, from the inside out. */
static void spots_nest(struct spots *spots)
{
	int open = TMAP_NONE;

	for (int i = 0; i < spots->count; i++) {
		struct spot *it = &spots->spot[i], *outer;

		while (open != TMAP_NONE && spots->spot[open].object->end_pu < it->object->end_pu)
			open = spots->spot[open].parent;
		it->parent = open;
		outer = open == TMAP_NONE ? NULL : &spots->spot[open];
		if (outer)
			it->depth = outer->depth + !same_pus(outer->object, it->object);
		it->packages = it->object->type == TMAP_PACKAGE;
		if (is_group(it->object))
			open = i;
	}
	for (int i = spots->count - 1; i >= 0; i--)
		if (spots->spot[i].parent != TMAP_NONE)
			spots->spot[spots->spot[i].parent].packages += spots->spot[i].packages;
}

static int spots_init(struct spots *spots, const struct tmap_topology *topo, struct tmap_error *err)
{
	spots->count = 0;
	spots->spot = tmap_alloc((size_t)topo->object_count, sizeof *spots->spot, err);
	if (!spots->spot)
		return -1;
	for (int i = 0; i < topo->object_count; i++) {
		struct tmap_object *object = &topo->object[i];

		if (is_group(object) || object->type == TMAP_PACKAGE || object->type == TMAP_NUMA)
			spots->spot[spots->count++] = (struct spot){
				.object = object,
				.rank = is_group(object)             ? 0 :
					object->type == TMAP_PACKAGE ? 1 :
								       2,
				.index = i,
			};
	}
	qsort(spots->spot, (size_t)spots->count, sizeof *spots->spot, spot_compare);
	spots_nest(spots);
	return 0;
}

static bool may_be_board(const struct spot *group, const struct tmap_topology *topo)
{
	return group->packages > 1 &&
		group->object->end_pu - group->object->first_pu < topo->pu_count;
}

/* Boards by name where there are any that hold several packages; else the outermost. */
static void classify_boards(struct spots *spots, const struct tmap_topology *topo)
{
	bool named = false;

	for (int i = 0; i < spots->count; i++) {
		struct spot *it = &spots->spot[i], *outer;

		if (it->object->type == TMAP_BOARD && !may_be_board(it, topo))
			it->object->type = TMAP_GROUP;
		named |= it->object->type == TMAP_BOARD;
		if (it->parent == TMAP_NONE)
			continue;
		outer = &spots->spot[it->parent];
		it->is_inside_board = outer->is_inside_board ||
			(may_be_board(outer, topo) && !same_pus(outer->object, it->object));
	}
	for (int i = 0; i < spots->count && !named; i++) {
		struct spot *it = &spots->spot[i];

		if (it->object->type == TMAP_GROUP && may_be_board(it, topo) &&
		    !it->is_inside_board)
			it->object->type = TMAP_BOARD;
	}
}

/* From the right and the inside out: none that was passed ends within a controller. */
static void find_controllers(struct spots *spots)
{
	const struct tmap_object *last = NULL; /* the controller passed last */
	int end = 0;                           /* where the leftmost passed one ends; 0: none */

	for (int i = spots->count - 1; i >= 0; i--) {
		struct spot *it = &spots->spot[i];

		if (is_group(it->object)) {
			it->repeats_controller = last && same_pus(last, it->object);
		} else if (it->object->type == TMAP_NUMA) {
			it->is_controller = !end || it->object->end_pu < end;
			if (it->is_controller) {
				last = it->object;
				end = last->end_pu;
			}
		}
	}
}

/* Groups at whose depth every Group has the PUs of a controller. */
static int drop_groups(struct spots *spots, struct tmap_error *err)
{
	bool *differs = tmap_alloc((size_t)spots->count, sizeof *differs, err); /* by depth */

	if (!differs)
		return -1;
	for (int i = 0; i < spots->count; i++)
		if (spots->spot[i].object->type == TMAP_GROUP && !spots->spot[i].repeats_controller)
			differs[spots->spot[i].depth] = true;
	for (int i = 0; i < spots->count; i++)
		if (spots->spot[i].object->type == TMAP_GROUP && !differs[spots->spot[i].depth])
			spots->spot[i].object->logical = DROPPED;
	free(differs);
	return 0;
}

int tmap_localities_classify(struct tmap_topology *topo, struct tmap_error *err)
{
	struct spots spots;
	int kept = 0, status;

	if (spots_init(&spots, topo, err) < 0)
		return -1;
	classify_boards(&spots, topo);
	find_controllers(&spots);
	for (int i = 0; i < spots.count; i++)
		if (spots.spot[i].object->type == TMAP_NUMA && !spots.spot[i].is_controller)
			spots.spot[i].object->logical = DROPPED;
	status = drop_groups(&spots, err);
	free(spots.spot);
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].logical != DROPPED)
			topo->object[kept++] = topo->object[i];
	topo->object_count = kept;
	return status;
}
