#include "core/machine/binding.h"

#include <stdio.h>

/* In the order of preference: which may be named alone, and which also in numbers. */
static const struct naming {
	enum tm_type type;
	bool in_numbers;
	const char *one, *many;
} naming[] = {
	{ TM_NODE, false, "whole node", NULL },
	{ TM_PACKAGE, true, "package", "packages" },
	{ TM_NUMA, true, "NUMA node", "NUMA nodes" },
	{ TM_L3, true, "L3", "L3s" },
	{ TM_CORE, true, "core", "cores" },
	{ TM_L2, false, "L2", NULL },
	{ TM_L1, false, "L1", NULL },
	{ TM_PU, true, "PU", "PUs" },
};

enum { NAMINGS = sizeof naming / sizeof naming[0] };

static bool has_pu(const struct tm_topology *topo, const struct tm_place *place, int pu)
{
	return tm_idset_contains(&place->pus, topo->pu[pu].os);
}

/* All PUs of the object that the job may use are in the place. */
static bool is_whole(const struct tm_topology *topo, const struct tm_place *place,
		     const struct tm_object *object, int *taken)
{
	*taken = 0;
	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		bool has = has_pu(topo, place, pu);

		if (!has && topo->pu[pu].allowed)
			return false;
		*taken += has;
	}
	return *taken > 0;
}

/* Number of objects of a type that make up the place; 0 if they do not. */
static int count_whole(const struct tm_topology *topo, const struct tm_place *place,
		       enum tm_type type)
{
	int64_t left = tm_idset_size(&place->pus);
	int count = 0, taken;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *object = &topo->object[i];

		if (object->type != type || object->nest > 0)
			continue;
		if (!is_whole(topo, place, object, &taken))
			continue;
		left -= taken;
		count++;
	}
	return left == 0 ? count : 0;
}

struct tm_binding tm_binding_of(const struct tm_topology *topo, const struct tm_place *place)
{
	struct tm_binding best = { .bound = place->bound, .type = TM_PU };

	if (!place->bound)
		return (struct tm_binding){ 0 };
	for (int i = 0; i < NAMINGS; i++) {
		int count = count_whole(topo, place, naming[i].type);

		if (count == 1)
			return (struct tm_binding){ true, naming[i].type, 1 };
		if (count > 1 && naming[i].in_numbers && !best.count)
			best = (struct tm_binding){ true, naming[i].type, count };
	}
	return best;
}

bool tm_binding_equal(struct tm_binding a, struct tm_binding b)
{
	return a.bound == b.bound && (!a.bound || (a.type == b.type && a.count == b.count));
}

char *tm_binding_print(struct tm_binding binding, char text[TM_BINDING_ROOM])
{
	const struct naming *row = naming;

	if (!binding.bound) {
		snprintf(text, TM_BINDING_ROOM, "unbound");
		return text;
	}
	while (row->type != binding.type)
		row++;
	if (binding.count == 1)
		snprintf(text, TM_BINDING_ROOM, "%s", row->one);
	else
		snprintf(text, TM_BINDING_ROOM, "%d %s", binding.count, row->many);
	return text;
}
