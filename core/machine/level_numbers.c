#include "core/machine/level_numbers.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

/* Where the type of an object stands in the order. */
static int position(const struct tmap_level_order *order, const struct tmap_object *object)
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
static void find_standing(const struct tmap_topology *topo, const struct tmap_level_order *order,
			  int at, int *standing)
{
	bool implied = tmap_level_is_implied(topo, order->kind[at]);

	for (int i = 0; i < topo->object_count; i++) {
		int parent = topo->object[i].parent;
		int above = parent == TMAP_NONE ? TMAP_NONE : standing[parent];

		if (implied)
			standing[i] = 0;
		else if (position(order, &topo->object[i]) == at)
			standing[i] = i;
		else if (above != TMAP_NONE && position(order, &topo->object[above]) >= at)
			standing[i] = above;
		else
			standing[i] = i;
	}
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			standing[i] = standing[i + 1];
}

/* Replace each object by the number of what stands for it; returns how many there are. */
static int number_standing(const struct tmap_topology *topo, int *standing, struct tmap_error *err)
{
	int *number = tmap_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0;

	if (!number)
		return TMAP_NONE;
	for (int i = 0; i < topo->object_count; i++) {
		int *its = &number[standing[i]];

		if (*its == 0)
			*its = ++count;
		standing[i] = *its - 1;
	}
	free(number);
	return count;
}

/* First numbers of the nodes, @p each[t] numbers on a node of topology t. */
static int lay_out(struct tmap_level *level, const struct tmap_machine *machine, const int *each,
		   struct tmap_error *err)
{
	int64_t next = 0;

	for (int n = 0; n < machine->node_count; n++) {
		level->node_base[n] = (int)next;
		next += each[machine->node_topology[n]];
		if (next > INT_MAX)
			return tmap_fail(err, TMAP_INPUT,
					 "the job has more than %d objects of level '%s'", INT_MAX,
					 level->name);
	}
	level->number_count = (int)next;
	return 0;
}

int tmap_level_number_objects(struct tmap_level *level, const struct tmap_machine *machine,
			      const struct tmap_level_order *order, int at, struct tmap_error *err)
{
	int *each = tmap_alloc((size_t)machine->topology_count, sizeof *each, err);
	int status = -1;

	if (!each)
		return -1;
	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];

		level->local[t] = tmap_alloc_raw((size_t)topo->object_count, sizeof(int), err);
		if (!level->local[t])
			goto done;
		find_standing(topo, order, at, level->local[t]);
		each[t] = number_standing(topo, level->local[t], err);
		if (each[t] == TMAP_NONE)
			goto done;
	}
	status = lay_out(level, machine, each, err);
done:
	free(each);
	return status;
}
