/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/localities.h"

/* Marks, in tmap_object.logical, what will not stay: finishing sets that member anew. */
enum { DROPPED = -2 };

static bool same_pus(const struct tmap_object *a, const struct tmap_object *b)
{
	return a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

static bool object_contains(const struct tmap_object *outer, const struct tmap_object *inner)
{
	return outer->first_pu <= inner->first_pu && inner->end_pu <= outer->end_pu;
}

static bool is_group(const struct tmap_object *object)
{
	return tmap_types[object->type].is_group;
}

static bool is_controller(const struct tmap_topology *topo, const struct tmap_object *numa)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *other = &topo->object[i];

		if (other->type != TMAP_NUMA || other == numa || !object_contains(numa, other))
			continue;
		if (!same_pus(numa, other) || other < numa)
			return false;
	}
	return true;
}

static bool may_be_board(const struct tmap_topology *topo, const struct tmap_object *group)
{
	int packages = 0;

	if (group->end_pu - group->first_pu == topo->pu_count)
		return false;
	for (int i = 0; i < topo->object_count; i++)
		packages += topo->object[i].type == TMAP_PACKAGE &&
			object_contains(group, &topo->object[i]);
	return packages > 1;
}

static bool is_inside_board(const struct tmap_topology *topo, const struct tmap_object *group)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *outer = &topo->object[i];

		if (is_group(outer) && object_contains(outer, group) && !same_pus(outer, group) &&
		    may_be_board(topo, outer))
			return true;
	}
	return false;
}

/* Boards by name where there are any that hold several packages; else the outermost. */
static void classify_boards(struct tmap_topology *topo)
{
	bool named = false;

	for (int i = 0; i < topo->object_count; i++) {
		struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_BOARD && !may_be_board(topo, it))
			it->type = TMAP_GROUP;
		named |= it->type == TMAP_BOARD;
	}
	for (int i = 0; i < topo->object_count && !named; i++) {
		struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_GROUP && may_be_board(topo, it) && !is_inside_board(topo, it))
			it->type = TMAP_BOARD;
	}
}

/* How many Groups, boards among them, lie around this one. */
static int group_depth(const struct tmap_topology *topo, const struct tmap_object *group)
{
	int depth = 0;

	for (int i = 0; i < topo->object_count; i++)
		depth += is_group(&topo->object[i]) && object_contains(&topo->object[i], group) &&
			!same_pus(&topo->object[i], group);
	return depth;
}

static bool repeats_controller(const struct tmap_topology *topo, const struct tmap_object *group)
{
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == TMAP_NUMA && topo->object[i].logical != DROPPED &&
		    same_pus(&topo->object[i], group))
			return true;
	return false;
}

/* Does every Group at the depth of this one have the PUs of a controller? */
static bool level_repeats_controllers(const struct tmap_topology *topo,
				      const struct tmap_object *group)
{
	int depth = group_depth(topo, group);

	if (!repeats_controller(topo, group))
		return false;
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_GROUP && !repeats_controller(topo, it) &&
		    group_depth(topo, it) == depth)
			return false;
	}
	return true;
}

void tmap_localities_classify(struct tmap_topology *topo)
{
	struct tmap_object *object = topo->object;
	int kept = 0;

	classify_boards(topo);
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TMAP_NUMA && !is_controller(topo, &object[i]))
			object[i].logical = DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TMAP_GROUP && level_repeats_controllers(topo, &object[i]))
			object[i].logical = DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].logical != DROPPED)
			object[kept++] = object[i];
	topo->object_count = kept;
}
