/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/usable.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

/* A node without Core objects has its PUs for cores, one without packages is one, and so on. */
static enum tmap_type type_on_node(const struct tmap_topology *topo, enum tmap_type type)
{
	if (tmap_topology_count(topo, type))
		return type;
	return type == TMAP_CORE ? TMAP_PU : tmap_types[type].implied ? TMAP_NODE : type;
}

static int usable_kind_init(struct tmap_usable_kind *kind, const struct tmap_topology *topo,
			    enum tmap_type wanted, struct tmap_error *err)
{
	enum tmap_type type = type_on_node(topo, wanted);
	size_t most = (size_t)tmap_topology_count(topo, type);

	if (!most)
		return tmap_fail(err, TMAP_INPUT, "not every node has an object of kind %s",
				 tmap_type_name(type));

	kind->object = tmap_alloc(most, sizeof *kind->object, err);
	kind->place = tmap_alloc(most, sizeof *kind->place, err);
	if (!kind->object || !kind->place)
		return -1;
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == type && tmap_topology_allowed_of(topo, i) > 0) {
			kind->place[kind->count] = TMAP_NONE;
			kind->object[kind->count++] = i;
		}
	return 0;
}

int tmap_usable_init(struct tmap_usable *usable, const struct tmap_machine *machine,
		     enum tmap_type type, struct tmap_error *err)
{
	struct tmap_usable made = { .machine = machine };
	int64_t count = 0;

	made.kind = tmap_alloc((size_t)machine->topology_count, sizeof *made.kind, err);
	made.first = tmap_alloc((size_t)machine->node_count + 1, sizeof *made.first, err);
	if (!made.kind || !made.first)
		goto fail;
	for (int t = 0; t < machine->topology_count; t++)
		if (usable_kind_init(&made.kind[t], &machine->topology[t], type, err) < 0)
			goto fail;
	for (int n = 0; n < machine->node_count; n++) {
		made.first[n] = (int)count;
		count += made.kind[machine->node_topology[n]].count;
		if (count > INT_MAX) {
			tmap_fail(err, TMAP_INPUT,
				  "the machine has more than %d objects of kind %s", INT_MAX,
				  tmap_type_name(type));
			goto fail;
		}
	}
	made.first[machine->node_count] = made.count = (int)count;
	if (made.count == 0) {
		tmap_fail(err, TMAP_INPUT, "no %s of the machine may be used",
			  tmap_type_name(type));
		goto fail;
	}
	*usable = made;
	return 0;
fail:
	tmap_usable_fini(&made);
	return -1;
}

void tmap_usable_fini(struct tmap_usable *usable)
{
	for (int t = 0; usable->kind && t < usable->machine->topology_count; t++) {
		free(usable->kind[t].object);
		free(usable->kind[t].place);
	}
	free(usable->kind);
	free(usable->first);
	*usable = (struct tmap_usable){ 0 };
}

const struct tmap_usable_kind *tmap_usable_kind(const struct tmap_usable *usable, int node)
{
	return &usable->kind[usable->machine->node_topology[node]];
}

static int usable_make_place(struct tmap_placement *p, int topology, int object,
			     struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];
	struct tmap_idset pus = { 0 };
	int place = TMAP_NONE;

	if (tmap_topology_add_allowed_of(&pus, topo, object, err) == 0)
		place = tmap_placement_add_place(p, topology, &pus, NULL,
						 !tmap_topology_is_all(topo, &pus), err);
	tmap_idset_fini(&pus);
	return place;
}

int tmap_usable_take(struct tmap_usable *usable, struct tmap_placement *p, int rank, int node,
		     int local, struct tmap_error *err)
{
	int topology = usable->machine->node_topology[node];
	struct tmap_usable_kind *kind = &usable->kind[topology];

	if (kind->place[local] == TMAP_NONE)
		kind->place[local] = usable_make_place(p, topology, kind->object[local], err);
	if (kind->place[local] == TMAP_NONE)
		return -1;
	p->node[rank] = node;
	p->place[rank] = kind->place[local];
	return 0;
}
