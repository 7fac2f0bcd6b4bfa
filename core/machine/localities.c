#include "core/machine/localities.h"

/* Marks, in tm_object.logical, what will not stay: finishing sets that member anew. */
enum { DROPPED = -2 };

static bool same_pus(const struct tm_object *a, const struct tm_object *b)
{
	return a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

static bool contains(const struct tm_object *outer, const struct tm_object *inner)
{
	return outer->first_pu <= inner->first_pu && inner->end_pu <= outer->end_pu;
}

static bool is_group(const struct tm_object *object)
{
	return object->type == TM_GROUP || object->type == TM_BOARD;
}

static bool is_controller(const struct tm_topology *topo, const struct tm_object *numa)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *other = &topo->object[i];

		if (other->type != TM_NUMA || other == numa || !contains(numa, other))
			continue;
		if (!same_pus(numa, other) || other < numa)
			return false;
	}
	return true;
}

static bool may_be_board(const struct tm_topology *topo, const struct tm_object *group)
{
	int packages = 0;

	if (group->end_pu - group->first_pu == topo->pu_count)
		return false;
	for (int i = 0; i < topo->object_count; i++)
		packages += topo->object[i].type == TM_PACKAGE && contains(group, &topo->object[i]);
	return packages > 1;
}

static bool is_inside_board(const struct tm_topology *topo, const struct tm_object *group)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *outer = &topo->object[i];

		if (is_group(outer) && contains(outer, group) && !same_pus(outer, group) &&
		    may_be_board(topo, outer))
			return true;
	}
	return false;
}

/* Boards by name where there are any that hold several packages; else the outermost. */
static void settle_boards(struct tm_topology *topo)
{
	bool named = false;

	for (int i = 0; i < topo->object_count; i++) {
		struct tm_object *it = &topo->object[i];

		if (it->type == TM_BOARD && !may_be_board(topo, it))
			it->type = TM_GROUP;
		named |= it->type == TM_BOARD;
	}
	for (int i = 0; i < topo->object_count && !named; i++) {
		struct tm_object *it = &topo->object[i];

		if (it->type == TM_GROUP && may_be_board(topo, it) && !is_inside_board(topo, it))
			it->type = TM_BOARD;
	}
}

/* How many Groups, boards among them, lie around this one. */
static int group_depth(const struct tm_topology *topo, const struct tm_object *group)
{
	int depth = 0;

	for (int i = 0; i < topo->object_count; i++)
		depth += is_group(&topo->object[i]) && contains(&topo->object[i], group) &&
			 !same_pus(&topo->object[i], group);
	return depth;
}

static bool repeats_controller(const struct tm_topology *topo, const struct tm_object *group)
{
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == TM_NUMA && topo->object[i].logical != DROPPED &&
		    same_pus(&topo->object[i], group))
			return true;
	return false;
}

/* Does every Group at the depth of this one have the PUs of a controller? */
static bool level_repeats_controllers(const struct tm_topology *topo,
				      const struct tm_object *group)
{
	int depth = group_depth(topo, group);

	if (!repeats_controller(topo, group))
		return false;
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *it = &topo->object[i];

		if (it->type == TM_GROUP && !repeats_controller(topo, it) &&
		    group_depth(topo, it) == depth)
			return false;
	}
	return true;
}

void tm_localities_settle(struct tm_topology *topo)
{
	struct tm_object *object = topo->object;
	int kept = 0;

	settle_boards(topo);
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TM_NUMA && !is_controller(topo, &object[i]))
			object[i].logical = DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TM_GROUP && level_repeats_controllers(topo, &object[i]))
			object[i].logical = DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].logical != DROPPED)
			object[kept++] = object[i];
	topo->object_count = kept;
}
