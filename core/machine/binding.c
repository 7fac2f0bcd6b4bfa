/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/binding.h"

#include <stdio.h>

/* The type that is tried after so many others; TMAP_NONE: none. */
static int type_at(int preference)
{
	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		if (tmap_types[type].binding.preference == preference)
			return type;
	return TMAP_NONE;
}

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

/* A package, memory controller or cache that is one core and nothing else? */
static bool is_a_core(const struct tmap_topology *topo, const struct tmap_object *object)
{
	int core = tmap_topology_ancestor(topo, topo->pu[object->first_pu].object, TMAP_CORE);

	return core != TMAP_NONE && object->type != TMAP_NODE &&
		tmap_types[object->type].binding.preference <
		tmap_types[TMAP_CORE].binding.preference &&
		topo->object[core].first_pu == object->first_pu &&
		topo->object[core].end_pu == object->end_pu;
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
		if (!is_whole(topo, place, object, &taken) || is_a_core(topo, object))
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
	for (int i = 1, type; (type = type_at(i)) != TMAP_NONE; i++) {
		int count = count_whole(topo, place, (enum tmap_type)type);

		if (count == 1)
			return (struct tmap_binding){ true, (enum tmap_type)type, 1 };
		if (count > 1 && tmap_types[type].binding.many && !best.count)
			best = (struct tmap_binding){ true, (enum tmap_type)type, count };
	}
	return best;
}

bool tmap_binding_equal(struct tmap_binding a, struct tmap_binding b)
{
	return a.bound == b.bound && (!a.bound || (a.type == b.type && a.count == b.count));
}

char *tmap_binding_print(struct tmap_binding binding, char text[TMAP_BINDING_ROOM])
{
	const struct tmap_type_binding *words = &tmap_types[binding.type].binding;

	if (!binding.bound) {
		snprintf(text, TMAP_BINDING_ROOM, "unbound");
		return text;
	}
	if (binding.count == 1)
		snprintf(text, TMAP_BINDING_ROOM, "%s", words->one);
	else
		snprintf(text, TMAP_BINDING_ROOM, "%d %s", binding.count, words->many);
	return text;
}
