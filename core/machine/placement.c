#include "core/machine/placement.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

int tm_placement_init(struct tm_placement *p, struct tm_machine *machine, int size,
		      struct tm_error *err)
{
	int *node, *place;

	if (size < 1)
		return tm_fail(err, TM_INPUT, "%d ranks: a job has at least one", size);
	node = tm_alloc_raw((size_t)size, sizeof *node, err);
	place = tm_alloc_raw((size_t)size, sizeof *place, err);
	if (!node || !place) {
		free(node);
		free(place);
		return -1;
	}
	for (int r = 0; r < size; r++)
		node[r] = place[r] = TM_NONE;
	*p = (struct tm_placement){
		.machine = tm_machine_ref(machine), .size = size, .node = node, .place = place,
	};
	return 0;
}

static void origin_fini(struct tm_origin *origin)
{
	free(origin->by);
	free(origin->request);
	free(origin->mpi);
	free(origin->launcher);
	free(origin->date);
}

void tm_placement_fini(struct tm_placement *p)
{
	for (int i = 0; i < p->place_count; i++) {
		tm_idset_fini(&p->places[i].pus);
		tm_idset_fini(&p->places[i].memory);
	}
	free(p->places);
	free(p->node);
	free(p->place);
	free(p->last_pu);
	origin_fini(&p->origin);
	tm_machine_free(p->machine);
	*p = (struct tm_placement){ 0 };
}

/* Logical interval that the PUs span: the smallest object over it covers them all. */
static int span(const struct tm_topology *topo, const struct tm_idset *pus, int *first, int *last,
		struct tm_error *err)
{
	int64_t found = 0;

	*first = topo->pu_count;
	*last = TM_NONE;
	for (int i = 0; i < topo->pu_count; i++) {
		if (!tm_idset_contains(pus, topo->pu[i].os))
			continue;
		*first = i < *first ? i : *first;
		*last = i;
		found++;
	}
	if (!pus->count)
		return tm_fail(err, TM_INPUT, "a place has no PU");
	if (found == tm_idset_size(pus))
		return 0;
	for (int os = tm_idset_next(pus, TM_NONE);; os = tm_idset_next(pus, os))
		if (tm_topology_find_pu(topo, os) == TM_NONE)
			return tm_fail(err, TM_INPUT, "PU %d does not exist on a node of %d PUs",
				       os, topo->pu_count);
}

int tm_placement_add_place(struct tm_placement *p, int topology, const struct tm_idset *pus,
			   const struct tm_idset *memory, bool bound, struct tm_error *err)
{
	const struct tm_topology *topo = &p->machine->topology[topology];
	struct tm_place place = { .topology = topology, .bound = bound };
	int first, last;

	if (span(topo, pus, &first, &last, err) < 0)
		return TM_NONE;
	if (tm_grow(&p->places, &p->place_capacity, (size_t)p->place_count + 1, sizeof *p->places,
		    err) < 0)
		return TM_NONE;
	if (tm_idset_copy(&place.pus, pus, err) < 0)
		return TM_NONE;
	if (memory && tm_idset_copy(&place.memory, memory, err) < 0) {
		tm_idset_fini(&place.pus);
		return TM_NONE;
	}
	place.object = tm_topology_cover(topo, first, last + 1);
	p->places[p->place_count] = place;
	return p->place_count++;
}

int tm_placement_intern(struct tm_placement *p, int topology, const struct tm_idset *pus,
			const struct tm_idset *memory, bool bound, struct tm_error *err)
{
	const struct tm_idset none = { 0 };

	for (int i = 0; i < p->place_count; i++) {
		const struct tm_place *place = &p->places[i];

		if (place->topology == topology && place->bound == bound &&
		    tm_idset_equal(&place->pus, pus) &&
		    tm_idset_equal(&place->memory, memory ? memory : &none))
			return i;
	}
	return tm_placement_add_place(p, topology, pus, memory, bound, err);
}

int tm_placement_check(const struct tm_placement *p, struct tm_error *err)
{
	const struct tm_machine *machine = p->machine;

	for (int r = 0; r < p->size; r++) {
		if (p->node[r] < 0 || p->node[r] >= machine->node_count)
			return tm_fail(err, TM_INPUT, "rank %d has no node among the %d nodes", r,
				       machine->node_count);
		if (p->place[r] < 0 || p->place[r] >= p->place_count)
			return tm_fail(err, TM_INPUT, "rank %d has no place among the %d places", r,
				       p->place_count);
		if (p->places[p->place[r]].topology != machine->node_topology[p->node[r]])
			return tm_fail(err, TM_INPUT,
				       "rank %d has a place on topology %d, but node '%s' is of "
				       "topology %d", r, p->places[p->place[r]].topology,
				       machine->node_name[p->node[r]],
				       machine->node_topology[p->node[r]]);
	}
	return 0;
}

static int copy_text(char **copy, const char *text, struct tm_error *err)
{
	if (text)
		*copy = tm_strdup(text, err);
	return text && !*copy ? -1 : 0;
}

static int copy_origin(struct tm_origin *copy, const struct tm_origin *origin,
		       struct tm_error *err)
{
	if (copy_text(&copy->by, origin->by, err) < 0 ||
	    copy_text(&copy->request, origin->request, err) < 0 ||
	    copy_text(&copy->mpi, origin->mpi, err) < 0 ||
	    copy_text(&copy->launcher, origin->launcher, err) < 0 ||
	    copy_text(&copy->date, origin->date, err) < 0)
		return -1;
	return 0;
}

static int copy_places(struct tm_placement *out, const struct tm_placement *in,
		       struct tm_error *err)
{
	for (int i = 0; i < in->place_count; i++) {
		const struct tm_place *place = &in->places[i];

		if (tm_placement_add_place(out, place->topology, &place->pus, &place->memory,
					   place->bound, err) == TM_NONE)
			return -1;
	}
	return 0;
}

int tm_placement_select(struct tm_placement *out, const struct tm_placement *in,
			const int *place_of, int size, struct tm_error *err)
{
	struct tm_placement made;

	if (tm_placement_init(&made, in->machine, size, err) < 0)
		return -1;
	if (copy_places(&made, in, err) < 0 || copy_origin(&made.origin, &in->origin, err) < 0)
		goto refused;
	if (in->last_pu) {
		made.last_pu = tm_alloc_raw((size_t)size, sizeof *made.last_pu, err);
		if (!made.last_pu)
			goto refused;
	}
	for (int r = 0; r < size; r++) {
		int q = place_of[r];

		if (q < 0 || q >= in->size) {
			tm_fail(err, TM_INPUT, "rank %d is not one of the %d ranks", q, in->size);
			goto refused;
		}
		made.node[r] = in->node[q];
		made.place[r] = in->place[q];
		if (in->last_pu)
			made.last_pu[r] = in->last_pu[q];
	}
	*out = made;
	return 0;
refused:
	tm_placement_fini(&made);
	return -1;
}

int tm_placement_object(const struct tm_placement *p, int rank)
{
	return p->places[p->place[rank]].object;
}

const struct tm_topology *tm_placement_topology(const struct tm_placement *p, int rank)
{
	return tm_machine_topology(p->machine, p->node[rank]);
}

int *tm_placement_count_ranks(const struct tm_placement *p, struct tm_error *err)
{
	int *ranks = tm_alloc((size_t)p->machine->node_count, sizeof *ranks, err);

	for (int r = 0; ranks && r < p->size; r++)
		ranks[p->node[r]]++;
	return ranks;
}
