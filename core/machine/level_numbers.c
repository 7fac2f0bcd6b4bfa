#include "core/machine/level_numbers.h"

#include "core/base/mem.h"

#include <stdlib.h>

struct standing {
	const struct tmap_level_order *order;
	int at;
};

/* Where the type of an object is in the order. */
static int order_position(const struct tmap_level_order *order, const struct tmap_object *object)
{
	int i = 0;

	while (order->kind[i].type != object->type || order->kind[i].nest != object->nest)
		i++;
	return i;
}

/*
 * Which object stands for each one at a level: the level's own where there is one; else the
 * outermost object of a level below; else the object itself. Parents come first, and objects
 * over the same PUs are one place.
 */
static void find_standing(int *standing, const struct tmap_topology *topo,
			  const struct tmap_level_order *order, int at)
{
	bool implied = tmap_level_is_implied(topo, order->kind[at]);

	for (int i = 0; i < topo->object_count; i++) {
		int parent = topo->object[i].parent;
		int above = parent == TMAP_NONE ? TMAP_NONE : standing[parent];

		if (implied)
			standing[i] = 0;
		else if (order_position(order, &topo->object[i]) == at)
			standing[i] = i;
		else if (above != TMAP_NONE && order_position(order, &topo->object[above]) >= at)
			standing[i] = above;
		else
			standing[i] = i;
	}
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			standing[i] = standing[i + 1];
}

/* Each object gets the number of the one that stands for it. */
static int number_standing(int *local, const struct tmap_topology *topo, const void *context,
			   struct tmap_error *err)
{
	const struct standing *level = context;
	int *number = tmap_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0;

	if (!number)
		return -1;
	find_standing(local, topo, level->order, level->at);
	for (int i = 0; i < topo->object_count; i++) {
		int *its = &number[local[i]];

		if (*its == 0)
			*its = ++count;
		local[i] = *its - 1;
	}
	free(number);
	return count;
}

int tmap_level_partition(struct tmap_partition *p, const struct tmap_machine *machine,
			 const struct tmap_level_order *order, int at, struct tmap_error *err)
{
	const struct standing level = { order, at };

	return tmap_partition_init_objects(p, machine, number_standing, &level,
					   tmap_type_name(order->kind[at].type), err);
}
