/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/placement.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

int tmap_placement_init(struct tmap_placement *p, struct tmap_machine *machine, int size,
			struct tmap_error *err)
{
	int *node, *place;

	if (size < 1)
		return tmap_fail(err, TMAP_INPUT, "%d rank%s: a job has at least one", size,
				 size == 1 ? "" : "s");
	node = tmap_alloc_raw((size_t)size, sizeof *node, err);
	place = tmap_alloc_raw((size_t)size, sizeof *place, err);
	if (!node || !place) {
		free(node);
		free(place);
		return -1;
	}
	for (int r = 0; r < size; r++)
		node[r] = place[r] = TMAP_NONE;
	tmap_placement_init_take(p, machine, size, node, place);
	return 0;
}

void tmap_placement_init_take(struct tmap_placement *p, struct tmap_machine *machine, int size,
			      int *node, int *place)
{
	*p = (struct tmap_placement){
		.machine = tmap_machine_ref(machine),
		.size = size,
		.node = node,
		.place = place,
	};
}

static void origin_fini(struct tmap_origin *origin)
{
	free(origin->by);
	free(origin->request);
	free(origin->mpi);
	free(origin->launcher);
	free(origin->date);
	free(origin->masked_host);
}

static void settings_fini(struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		tmap_setting_fini(&p->settings[i]);
	free(p->settings);
	free(p->setting);
	p->settings = NULL;
	p->setting = NULL;
	p->setting_count = 0;
	p->setting_capacity = 0;
}

void tmap_placement_fini(struct tmap_placement *p)
{
	for (int i = 0; i < p->place_count; i++) {
		tmap_idset_fini(&p->places[i].pus);
		tmap_idset_fini(&p->places[i].memory);
	}
	settings_fini(p);
	free(p->places);
	free(p->bucket);
	free(p->node);
	free(p->place);
	free(p->last_pu);
	free(p->world);
	free(p->others);
	origin_fini(&p->origin);
	tmap_machine_free(p->machine);
	*p = (struct tmap_placement){ 0 };
}

/* Logical interval that the PUs span: the smallest object over it covers them all. */
static int place_span(const struct tmap_topology *topo, const struct tmap_idset *pus, int *first,
		      int *last, struct tmap_error *err)
{
	*first = topo->pu_count;
	*last = TMAP_NONE;
	if (!pus->count)
		return tmap_fail(err, TMAP_INPUT, "a place has no PU");
	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "PU %d does not exist on a node of %d PU%s", os,
					 topo->pu_count, topo->pu_count == 1 ? "" : "s");
		*first = pu < *first ? pu : *first;
		*last = pu > *last ? pu : *last;
	}
	return 0;
}

int tmap_placement_add_place(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			     const struct tmap_idset *memory, bool bound, struct tmap_error *err)
{
	const struct tmap_topology *topo = &p->machine->topology[topology];
	struct tmap_place place = { .topology = topology, .bound = bound };
	int first, last;

	if (place_span(topo, pus, &first, &last, err) < 0)
		return TMAP_NONE;
	if (tmap_grow(&p->places, &p->place_capacity, (size_t)p->place_count + 1, sizeof *p->places,
		      err) < 0)
		return TMAP_NONE;
	if (tmap_idset_copy(&place.pus, pus, err) < 0)
		return TMAP_NONE;
	if (memory && tmap_idset_copy(&place.memory, memory, err) < 0) {
		tmap_idset_fini(&place.pus);
		return TMAP_NONE;
	}
	place.object = tmap_topology_cover(topo, first, last + 1);
	p->places[p->place_count] = place;
	return p->place_count++;
}

static uint64_t set_hash(uint64_t hash, const struct tmap_idset *set)
{
	hash = tmap_hash_add(hash, (uint64_t)set->count);
	for (int i = 0; i < set->count; i++)
		hash = tmap_hash_add(tmap_hash_add(hash, (uint64_t)set->range[i].first),
				     (uint64_t)set->range[i].last);
	return hash;
}

static bool places_equal(const struct tmap_place *a, const struct tmap_place *b)
{
	return a->topology == b->topology && a->bound == b->bound &&
		tmap_idset_equal(&a->pus, &b->pus) && tmap_idset_equal(&a->memory, &b->memory);
}

/* The bucket of the equal place, or the empty one for it. */
static int *find_bucket(const struct tmap_placement *p, const struct tmap_place *place)
{
	uint64_t hash =
		tmap_hash_add(tmap_hash_add(TMAP_HASH, (uint64_t)place->topology), place->bound);
	size_t at = set_hash(set_hash(hash, &place->pus), &place->memory) & (p->bucket_count - 1);

	while (p->bucket[at] && !places_equal(&p->places[p->bucket[at] - 1], place))
		at = (at + 1) & (p->bucket_count - 1);
	return &p->bucket[at];
}

/* Buckets for all places there are, and room for one more. */
static int hash_places(struct tmap_placement *p, struct tmap_error *err)
{
	size_t need = 2 * ((size_t)p->place_count + 1), count = p->bucket_count;

	if (need > count) {
		int *bucket;

		for (count = count ? count : 64; count < need;)
			count *= 2;
		bucket = tmap_alloc(count, sizeof *bucket, err);
		if (!bucket)
			return -1;
		free(p->bucket);
		p->bucket = bucket;
		p->bucket_count = count;
		p->hashed = 0;
	}
	for (; p->hashed < p->place_count; p->hashed++) {
		int *bucket = find_bucket(p, &p->places[p->hashed]);

		if (!*bucket)
			*bucket = p->hashed + 1;
	}
	return 0;
}

int tmap_placement_intern(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			  const struct tmap_idset *memory, bool bound, struct tmap_error *err)
{
	/* borrows both sets */
	struct tmap_place wanted = { .topology = topology, .bound = bound, .pus = *pus };
	int found;

	if (memory)
		wanted.memory = *memory;
	if (hash_places(p, err) < 0)
		return TMAP_NONE;
	found = *find_bucket(p, &wanted) - 1;
	return found >= 0 ? found : tmap_placement_add_place(p, topology, pus, memory, bound, err);
}

int tmap_placement_bind(struct tmap_placement *p, int topology, const struct tmap_idset *pus,
			struct tmap_error *err)
{
	return tmap_placement_intern(p, topology, pus, NULL,
				     !tmap_topology_is_all(&p->machine->topology[topology], pus),
				     err);
}

int tmap_placement_add_setting(struct tmap_placement *p, const struct tmap_setting *setting,
			       struct tmap_error *err)
{
	if (tmap_grow(&p->settings, &p->setting_capacity, (size_t)p->setting_count + 1,
		      sizeof *p->settings, err) < 0 ||
	    tmap_setting_copy(&p->settings[p->setting_count], setting, err) < 0)
		return TMAP_NONE;
	return p->setting_count++;
}

const struct tmap_setting *tmap_placement_setting(const struct tmap_placement *p, int rank)
{
	if (!p->setting_count)
		return NULL;
	return &p->settings[p->setting ? p->setting[rank] : 0];
}

int tmap_placement_copy_settings(struct tmap_placement *p, const struct tmap_placement *from,
				 const int *rank, struct tmap_error *err)
{
	settings_fini(p);
	for (int i = 0; i < from->setting_count; i++)
		if (tmap_placement_add_setting(p, &from->settings[i], err) == TMAP_NONE)
			return -1;
	if (!from->setting)
		return 0;
	p->setting = tmap_alloc_raw((size_t)p->size, sizeof *p->setting, err);
	for (int r = 0; p->setting && r < p->size; r++)
		p->setting[r] = from->setting[rank ? rank[r] : r];
	return p->setting ? 0 : -1;
}

int tmap_placement_check(const struct tmap_placement *p, struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;

	for (int r = 0; r < p->size; r++) {
		if (p->node[r] < 0 || p->node[r] >= machine->node_count)
			return tmap_fail(err, TMAP_INPUT, "rank %d has no node among the %d node%s",
					 r, machine->node_count,
					 machine->node_count == 1 ? "" : "s");
		if (p->place[r] < 0 || p->place[r] >= p->place_count)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d has no place among the %d places", r,
					 p->place_count);
		if (p->places[p->place[r]].topology != machine->node_topology[p->node[r]])
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d has a place on topology %d, but node '%s' is of "
					 "topology %d",
					 r, p->places[p->place[r]].topology,
					 machine->node_name[p->node[r]],
					 machine->node_topology[p->node[r]]);
	}
	return 0;
}

static int copy_text(char **copy, const char *text, struct tmap_error *err)
{
	if (text)
		*copy = tmap_strdup(text, err);
	return text && !*copy ? -1 : 0;
}

static int copy_origin(struct tmap_origin *copy, const struct tmap_origin *origin,
		       struct tmap_error *err)
{
	if (copy_text(&copy->by, origin->by, err) < 0 ||
	    copy_text(&copy->request, origin->request, err) < 0 ||
	    copy_text(&copy->mpi, origin->mpi, err) < 0 ||
	    copy_text(&copy->launcher, origin->launcher, err) < 0 ||
	    copy_text(&copy->date, origin->date, err) < 0 ||
	    copy_text(&copy->masked_host, origin->masked_host, err) < 0)
		return -1;
	return 0;
}

static int copy_places(struct tmap_placement *out, const struct tmap_placement *in,
		       struct tmap_error *err)
{
	for (int i = 0; i < in->place_count; i++) {
		const struct tmap_place *place = &in->places[i];

		if (tmap_placement_add_place(out, place->topology, &place->pus, &place->memory,
					     place->bound, err) == TMAP_NONE)
			return -1;
	}
	return 0;
}

int tmap_placement_select(struct tmap_placement *out, const struct tmap_placement *in,
			  const int *place_of, int size, struct tmap_error *err)
{
	struct tmap_placement made;

	if (tmap_placement_init(&made, in->machine, size, err) < 0)
		return -1;
	if (copy_places(&made, in, err) < 0 || copy_origin(&made.origin, &in->origin, err) < 0)
		goto refused;
	if (in->last_pu) {
		made.last_pu = tmap_alloc_raw((size_t)size, sizeof *made.last_pu, err);
		if (!made.last_pu)
			goto refused;
	}
	if (in->world && size == in->size) {
		made.world = tmap_alloc_raw((size_t)size, sizeof *made.world, err);
		if (!made.world)
			goto refused;
		memcpy(made.world, in->world, (size_t)size * sizeof *made.world);
	}
	if (in->others && size == in->size) {
		size_t nodes = (size_t)in->machine->node_count;

		made.others = tmap_alloc_raw(nodes, sizeof *made.others, err);
		if (!made.others)
			goto refused;
		memcpy(made.others, in->others, nodes * sizeof *made.others);
		made.own_places = in->own_places;
	}
	if (size == in->size && tmap_placement_copy_settings(&made, in, NULL, err) < 0)
		goto refused;
	for (int r = 0; r < size; r++) {
		int q = place_of[r];

		if (q < 0 || q >= in->size) {
			tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d rank%s", q,
				  in->size, in->size == 1 ? "" : "s");
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
	tmap_placement_fini(&made);
	return -1;
}

/* Refuses a rank that is in the list twice; all of them are below @p limit. */
static int check_once(const int *rank, int count, int limit, struct tmap_error *err)
{
	bool *seen = tmap_alloc((size_t)limit, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++) {
		if (seen[rank[i]])
			status = tmap_fail(err, TMAP_INPUT, "rank %d stands in the list twice",
					   rank[i]);
		seen[rank[i]] = true;
	}
	free(seen);
	return status;
}

static int set_add(struct tmap_idset *set, const struct tmap_idset *more, struct tmap_error *err)
{
	for (int i = 0; i < more->count; i++)
		if (tmap_idset_add_range(set, more->range[i].first, more->range[i].last, err) < 0)
			return -1;
	return 0;
}

/* [node_count]: the PUs of each node on which ranks that are not listed may run. */
static int others_find(struct tmap_idset *pus, const struct tmap_placement *in, const int *rank,
		       int size, struct tmap_error *err)
{
	bool *inside = tmap_alloc((size_t)in->size, sizeof *inside, err);
	int status = inside ? 0 : -1;

	for (int i = 0; i < size && status == 0; i++)
		inside[rank[i]] = true;
	for (int r = 0; r < in->size && status == 0; r++)
		if (!inside[r])
			status = set_add(&pus[in->node[r]], &in->places[in->place[r]].pus, err);
	for (int n = 0; in->others && n < in->machine->node_count && status == 0; n++)
		if (in->others[n] != TMAP_NONE)
			status = set_add(&pus[n], &in->places[in->others[n]].pus, err);
	free(inside);
	return status;
}

/* What the ranks of *in that are not listed take of each node. */
static int others_init(struct tmap_placement *out, const struct tmap_placement *in, const int *rank,
		       int size, struct tmap_error *err)
{
	int nodes = in->machine->node_count, status = -1;
	struct tmap_idset *pus = tmap_alloc((size_t)nodes, sizeof *pus, err);

	out->own_places = in->others ? in->own_places : in->place_count;
	free(out->others);
	out->others = tmap_alloc_raw((size_t)nodes, sizeof *out->others, err);
	if (pus && out->others)
		status = others_find(pus, in, rank, size, err);
	for (int n = 0; n < nodes && status == 0; n++) {
		out->others[n] = TMAP_NONE;
		if (!pus[n].count)
			continue;
		out->others[n] = tmap_placement_intern(out, in->machine->node_topology[n], &pus[n],
						       NULL, false, err);
		status = out->others[n] == TMAP_NONE ? -1 : 0;
	}
	for (int n = 0; pus && n < nodes; n++)
		tmap_idset_fini(&pus[n]);
	free(pus);
	return status;
}

int tmap_placement_subset(struct tmap_placement *out, const struct tmap_placement *in,
			  const int *rank, int size, struct tmap_error *err)
{
	struct tmap_placement made;
	int *world;

	if (tmap_placement_select(&made, in, rank, size, err) < 0)
		return -1;
	world = tmap_alloc_raw((size_t)size, sizeof *world, err);
	if (!world || check_once(rank, size, in->size, err) < 0 ||
	    tmap_placement_copy_settings(&made, in, rank, err) < 0 ||
	    ((in->others || size < in->size) && others_init(&made, in, rank, size, err) < 0)) {
		free(world);
		tmap_placement_fini(&made);
		return -1;
	}
	for (int r = 0; r < size; r++)
		world[r] = in->world ? in->world[rank[r]] : rank[r];
	free(made.world);
	made.world = world;
	*out = made;
	return 0;
}

int tmap_placement_object(const struct tmap_placement *p, int rank)
{
	return p->places[p->place[rank]].object;
}

const struct tmap_topology *tmap_placement_topology(const struct tmap_placement *p, int rank)
{
	return tmap_machine_topology(p->machine, p->node[rank]);
}

int *tmap_placement_count_ranks(const struct tmap_placement *p, struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)p->machine->node_count, sizeof *ranks, err);

	for (int r = 0; ranks && r < p->size; r++)
		ranks[p->node[r]]++;
	return ranks;
}
