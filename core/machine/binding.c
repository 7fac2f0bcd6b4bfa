#include "core/machine/binding.h"

#include <stdio.h>

/* In the order of preference: which may be named alone, and which also in numbers. */
static const struct naming {
	enum tmap_type type;
	bool in_numbers;
	const char *one, *many;
} naming[] = {
	{ TMAP_NODE, false, "whole node", NULL },
	{ TMAP_PACKAGE, true, "package", "packages" },
	{ TMAP_NUMA, true, "NUMA node", "NUMA nodes" },
	{ TMAP_L3, true, "L3", "L3s" },
	{ TMAP_CORE, true, "core", "cores" },
	{ TMAP_L2, false, "L2", NULL },
	{ TMAP_L1, false, "L1", NULL },
	{ TMAP_PU, true, "PU", "PUs" },
};

enum { NAMINGS = sizeof naming / sizeof naming[0] };

static bool has_pu(const struct tmap_topology *topo, const struct tmap_place *place, int pu)
{
	return tmap_idset_contains(&place->pus, topo->pu[pu].os);
}

/* All PUs of the object that the job may use are in the place. */
static bool is_whole(const struct tmap_topology *topo, const struct tmap_place *place,
		     const struct tmap_object *object, int *taken)
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
static int count_whole(const struct tmap_topology *topo, const struct tmap_place *place,
		       enum tmap_type type)
{
	int64_t left = tmap_idset_size(&place->pus);
	int count = 0, taken;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];

		if (object->type != type || object->nest > 0)
			continue;
		if (!is_whole(topo, place, object, &taken))
			continue;
		left -= taken;
		count++;
	}
	return left == 0 ? count : 0;
}

struct tmap_binding tmap_binding_of(const struct tmap_topology *topo,
				    const struct tmap_place *place)
{
	struct tmap_binding best = { .bound = place->bound, .type = TMAP_PU };

	if (!place->bound)
		return (struct tmap_binding){ 0 };
	for (int i = 0; i < NAMINGS; i++) {
		int count = count_whole(topo, place, naming[i].type);

		if (count == 1)
			return (struct tmap_binding){ true, naming[i].type, 1 };
		if (count > 1 && naming[i].in_numbers && !best.count)
			best = (struct tmap_binding){ true, naming[i].type, count };
	}
	return best;
}

bool tmap_binding_equal(struct tmap_binding a, struct tmap_binding b)
{
	return a.bound == b.bound && (!a.bound || (a.type == b.type && a.count == b.count));
}

char *tmap_binding_print(struct tmap_binding binding, char text[TMAP_BINDING_ROOM])
{
	const struct naming *row = naming;

	if (!binding.bound) {
		snprintf(text, TMAP_BINDING_ROOM, "unbound");
		return text;
	}
	while (row->type != binding.type)
		row++;
	if (binding.count == 1)
		snprintf(text, TMAP_BINDING_ROOM, "%s", row->one);
	else
		snprintf(text, TMAP_BINDING_ROOM, "%d %s", binding.count, row->many);
	return text;
}
