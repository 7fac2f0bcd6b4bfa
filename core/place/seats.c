#include "core/place/seats.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

static bool may_be_used(const struct tm_topology *topo, int object)
{
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed)
			return true;
	return false;
}

/* A node without Core objects has its PUs for cores, one without packages is one, and so on. */
static enum tm_type type_on(const struct tm_topology *topo, enum tm_type type)
{
	if (tm_topology_count(topo, type))
		return type;
	return type == TM_CORE ? TM_PU : type == TM_PACKAGE || type == TM_NUMA ? TM_NODE : type;
}

static int kind_init(struct tm_seat_kind *kind, const struct tm_topology *topo, enum tm_type wanted,
		     struct tm_error *err)
{
	enum tm_type type = type_on(topo, wanted);
	size_t most = (size_t)tm_topology_count(topo, type);

	if (!most)
		return tm_fail(err, TM_INPUT, "not every node has an object of kind %s",
			       tm_type_name(type));

	kind->object = tm_alloc(most, sizeof *kind->object, err);
	kind->place = tm_alloc(most, sizeof *kind->place, err);
	if (!kind->object || !kind->place)
		return -1;
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == type && may_be_used(topo, i)) {
			kind->place[kind->count] = TM_NONE;
			kind->object[kind->count++] = i;
		}
	return 0;
}

int tm_seats_init(struct tm_seats *seats, const struct tm_machine *machine, enum tm_type type,
		  struct tm_error *err)
{
	struct tm_seats made = { .machine = machine };
	int64_t count = 0;

	made.kind = tm_alloc((size_t)machine->topology_count, sizeof *made.kind, err);
	made.first = tm_alloc((size_t)machine->node_count + 1, sizeof *made.first, err);
	if (!made.kind || !made.first)
		goto fail;
	for (int t = 0; t < machine->topology_count; t++)
		if (kind_init(&made.kind[t], &machine->topology[t], type, err) < 0)
			goto fail;
	for (int n = 0; n < machine->node_count; n++) {
		made.first[n] = (int)count;
		count += made.kind[machine->node_topology[n]].count;
		if (count > INT_MAX) {
			tm_fail(err, TM_INPUT, "the machine has more than %d objects of kind %s",
				INT_MAX, tm_type_name(type));
			goto fail;
		}
	}
	made.first[machine->node_count] = made.count = (int)count;
	if (made.count == 0) {
		tm_fail(err, TM_INPUT, "no %s of the machine may be used", tm_type_name(type));
		goto fail;
	}
	*seats = made;
	return 0;
fail:
	tm_seats_fini(&made);
	return -1;
}

void tm_seats_fini(struct tm_seats *seats)
{
	for (int t = 0; seats->kind && t < seats->machine->topology_count; t++) {
		free(seats->kind[t].object);
		free(seats->kind[t].place);
	}
	free(seats->kind);
	free(seats->first);
	*seats = (struct tm_seats){ 0 };
}

const struct tm_seat_kind *tm_seats_kind(const struct tm_seats *seats, int node)
{
	return &seats->kind[seats->machine->node_topology[node]];
}

static int make_place(struct tm_placement *p, int topology, int object, struct tm_error *err)
{
	const struct tm_topology *topo = &p->machine->topology[topology];
	struct tm_idset pus = { 0 };
	int place = TM_NONE;

	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tm_idset_add(&pus, topo->pu[i].os, err) < 0)
			goto out;
	place = tm_placement_add_place(p, topology, &pus, NULL,
				       tm_idset_size(&pus) < tm_topology_allowed_pus(topo), err);
out:
	tm_idset_fini(&pus);
	return place;
}

int tm_seats_take(struct tm_seats *seats, struct tm_placement *p, int rank, int node, int local,
		  struct tm_error *err)
{
	int topology = seats->machine->node_topology[node];
	struct tm_seat_kind *kind = &seats->kind[topology];

	if (kind->place[local] == TM_NONE)
		kind->place[local] = make_place(p, topology, kind->object[local], err);
	if (kind->place[local] == TM_NONE)
		return -1;
	p->node[rank] = node;
	p->place[rank] = kind->place[local];
	return 0;
}
