/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/guided.h"

#include "core/base/mem.h"
#include "core/group/split_levels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_resource shared_memory = {
	.word = { "mpi_shared_memory", "ranks that can share memory" },
	.type = TMAP_NODE,
	.whole_node = true,
	.keeps_whole = true,
	.hwloc = "Machine",
	.openmpi = "OMPI_COMM_TYPE_NODE",
	.openmpi5 = "mpi_shared_memory",
	.mpich = "mpi_shared_memory",
};

static const struct tmap_keyword *resource_at(size_t index)
{
	if (index == 0)
		return &shared_memory.word;
	return index <= TMAP_TYPE_COUNT ? &tmap_types[index - 1].resource.word : NULL;
}

const struct tmap_keywords tmap_resources = TMAP_KEYWORDS_BY("resource type", resource_at);

const struct tmap_resource *tmap_resource_find(const char *name)
{
	const struct tmap_keyword *word;

	for (size_t i = 0; (word = resource_at(i)); i++)
		if (strcmp(word->name, name) == 0)
			return (const struct tmap_resource *)word;
	return NULL;
}

/* Which objects of a kind each place has PUs of. */
struct sharing {
	size_t *first; /* [place_count + 1] */
	int *object;   /* of place i from first[i] to first[i + 1] - 1, rising: numbers on the node,
			  as local[] of the partition has them */
};

static void sharing_fini(struct sharing *sharing)
{
	free(sharing->first);
	free(sharing->object);
	*sharing = (struct sharing){ 0 };
}

static int sharing_compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* The PUs of a place, by their OS indexes; what else is in the set the node does not have. */
static int sharing_add_place(struct sharing *sharing, size_t *count, size_t *capacity,
			     const struct tmap_topology *topo, const int *local,
			     const struct tmap_idset *pus, struct tmap_error *err)
{
	size_t begin = *count, end = begin;

	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);
		int object = pu == TMAP_NONE ? TMAP_NONE : local[topo->pu[pu].object];

		if (object == TMAP_NONE || (end > begin && sharing->object[end - 1] == object))
			continue;
		if (tmap_grow(&sharing->object, capacity, end + 1, sizeof *sharing->object, err) <
		    0)
			return -1;
		sharing->object[end++] = object;
	}
	if (end > begin + 1)
		qsort(sharing->object + begin, end - begin, sizeof *sharing->object,
		      sharing_compare);
	for (size_t i = begin; i < end; i++)
		if (i == begin || sharing->object[i] != sharing->object[i - 1])
			sharing->object[(*count)++] = sharing->object[i];
	return 0;
}

static int sharing_init(struct sharing *sharing, const struct tmap_partition *objects,
			const struct tmap_placement *p, struct tmap_error *err)
{
	struct sharing made = { 0 };
	size_t count = 0, capacity = 0;

	made.first = tmap_alloc((size_t)p->place_count + 1, sizeof *made.first, err);
	if (!made.first)
		return -1;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		if (sharing_add_place(&made, &count, &capacity,
				      &p->machine->topology[place->topology],
				      objects->local[place->topology], &place->pus, err) < 0) {
			sharing_fini(&made);
			return -1;
		}
		made.first[i + 1] = count;
	}
	*sharing = made;
	return 0;
}

/* Have both places, on one node, PUs of one object? */
static bool sharing_overlaps(const struct sharing *sharing, int a, int b)
{
	size_t i = sharing->first[a], j = sharing->first[b];

	while (i < sharing->first[a + 1] && j < sharing->first[b + 1]) {
		assert(sharing->object); /* both places have some */
		if (sharing->object[i] == sharing->object[j])
			return true;
		if (sharing->object[i] < sharing->object[j])
			i++;
		else
			j++;
	}
	return false;
}

void tmap_guided_fini(struct tmap_guided *guided)
{
	tmap_partition_fini(&guided->standard);
	tmap_partition_fini(&guided->openmpi);
	tmap_partition_fini(&guided->mpich);
	*guided = (struct tmap_guided){ 0 };
}

static void null_ranks_add(struct tmap_null_ranks *ranks, int rank)
{
	if (!ranks->count++)
		ranks->first = rank;
}

static int guided_split_standard(struct tmap_guided *guided, const struct tmap_placement *p,
				 const struct tmap_partition *objects,
				 const struct sharing *sharing, struct tmap_error *err)
{
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < p->size; r++) {
		const size_t *first = &sharing->first[p->place[r]];

		key[r] = tmap_partition_set(objects, p, r);
		if (key[r] == TMAP_NONE)
			null_ranks_add(first[1] > first[0] ? &guided->spanning : &guided->without,
				       r);
	}
	if (guided->spanning.count) {
		const size_t *first = &sharing->first[p->place[guided->spanning.first]];

		guided->spanned = (int)(first[1] - first[0]);
	}
	return tmap_partition_init_take(&guided->standard, key, p->size, objects->count, err);
}

/* Ranks of one object together; those of none, on each node. */
static void mpich_keys_set(int *key, const struct tmap_placement *p,
			   const struct tmap_partition *objects)
{
	for (int r = 0; r < p->size; r++) {
		key[r] = tmap_partition_set(objects, p, r);
		if (key[r] == TMAP_NONE)
			key[r] = objects->count + p->node[r];
	}
}

/* No set where all ranks of the node have one key. seen[node], all 0, becomes the key + 1 of the
 * node's first rank, or -1 where there is another. */
static void mpich_keys_drop_whole_nodes(int *key, const struct tmap_placement *p, int *seen)
{
	for (int r = 0; r < p->size; r++) {
		int *its = &seen[p->node[r]];

		if (!*its)
			*its = key[r] + 1;
		else if (*its != key[r] + 1)
			*its = -1;
	}
	for (int r = 0; r < p->size; r++)
		if (seen[p->node[r]] != -1)
			key[r] = TMAP_NONE;
}

static int guided_split_mpich(struct tmap_guided *guided, const struct tmap_placement *p,
			      const struct tmap_partition *objects, struct tmap_error *err)
{
	int nodes = p->machine->node_count;
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);
	int *seen = tmap_alloc((size_t)nodes, sizeof *seen, err);

	if (!key || !seen) {
		free(key);
		free(seen);
		return -1;
	}
	mpich_keys_set(key, p, objects);
	if (!guided->resource->keeps_whole)
		mpich_keys_drop_whole_nodes(key, p, seen);
	free(seen);
	return tmap_partition_init_take(&guided->mpich, key, p->size, objects->count + nodes, err);
}

/*
 * Open MPI gives each rank those that share any object with it. Ranks that are so connected are
 * one set; it is a communicator if all pairs of them share an object.
 */
struct connected {
	const struct tmap_placement *p;
	const struct tmap_partition *objects;
	const struct sharing *sharing;
	int *set;    /* [objects]: a forest; its roots are the sets */
	int *ranks;  /* [objects]: that have PUs of it */
	bool *lacks; /* [topology_count]: the system knows no such objects there */
};

static int connected_root(struct connected *it, int object)
{
	while (it->set[object] != object)
		object = it->set[object] = it->set[it->set[object]];
	return object;
}

/* The objects of a rank as numbers in the whole job; unbound, it has none. */
static int rank_object_count(const struct connected *it, int rank)
{
	const struct tmap_place *place = &it->p->places[it->p->place[rank]];
	const size_t *first = &it->sharing->first[it->p->place[rank]];

	return place->bound && !it->lacks[place->topology] ? (int)(first[1] - first[0]) : 0;
}

static int rank_object(const struct connected *it, int rank, int i)
{
	return it->objects->node_base[it->p->node[rank]] +
		it->sharing->object[it->sharing->first[it->p->place[rank]] + (size_t)i];
}

/* Ranks of one node and one place, of which this is one, have the same objects. */
static void connected_add(struct connected *it, int rank, int count)
{
	for (int i = 0; i < rank_object_count(it, rank); i++) {
		it->ranks[rank_object(it, rank, i)] += count;
		it->set[connected_root(it, rank_object(it, rank, i))] =
			connected_root(it, rank_object(it, rank, 0));
	}
}

/* Adds the ranks of each place together: first they are counted, then the first of them takes what
 * was counted. count[places] is all 0 before and after. */
static void connected_add_node(struct connected *it, const int *rank, int ranks, int *count)
{
	for (int i = 0; i < ranks; i++)
		count[it->p->place[rank[i]]]++;
	for (int i = 0; i < ranks; i++) {
		int *its = &count[it->p->place[rank[i]]];

		if (*its)
			connected_add(it, rank[i], *its);
		*its = 0;
	}
}

static int connected_add_ranks(struct connected *it, struct tmap_error *err)
{
	int nodes = it->p->machine->node_count;
	int *first = tmap_alloc((size_t)nodes + 1, sizeof *first, err);
	int *rank = tmap_alloc_raw((size_t)it->p->size, sizeof *rank, err);
	int *count = tmap_alloc((size_t)it->p->place_count, sizeof *count, err);
	struct tmap_partition node = { 0 };
	int status = -1;

	if (first && rank && count && tmap_partition_init_nodes(&node, it->p->machine, err) == 0) {
		tmap_partition_sort(&node, it->p, first, rank);
		for (int n = 0; n < nodes; n++)
			connected_add_node(it, rank + first[n], first[n + 1] - first[n], count);
		status = 0;
	}
	tmap_partition_fini(&node);
	free(first);
	free(rank);
	free(count);
	return status;
}

/* Only ranks that span several objects connect them. */
static int connected_make(struct connected *it, bool any_span, struct tmap_error *err)
{
	for (int o = 0; o < it->objects->count; o++)
		it->set[o] = o;
	return any_span ? connected_add_ranks(it, err) : 0;
}

/* Keys: the set of each rank, or one of its own. */
static void openmpi_keys_set(struct connected *it, bool whole_node, int *key)
{
	for (int r = 0; r < it->p->size; r++)
		if (whole_node)
			key[r] = it->p->node[r];
		else
			key[r] = rank_object_count(it, r) ?
				connected_root(it, rank_object(it, r, 0)) :
				it->objects->count + r;
}

/* Is there an object that all ranks of a group have PUs of? Those of its first rank will do. */
static bool group_has_common(const struct connected *it, const struct tmap_partition *p, int group)
{
	int rank = p->member[p->first[group]];

	for (int i = 0; i < rank_object_count(it, rank); i++)
		if (it->ranks[rank_object(it, rank, i)] == p->first[group + 1] - p->first[group])
			return true;
	return rank_object_count(it, rank) == 0;
}

static bool ranks_overlap(const struct connected *it, int a, int b)
{
	return sharing_overlaps(it->sharing, it->p->place[a], it->p->place[b]);
}

/* A rank of several that shares objects with both, or TMAP_NONE. */
static int ranks_find_between(const struct connected *it, const int *rank, int count, int a, int b)
{
	for (int i = 0; i < count; i++)
		if (ranks_overlap(it, rank[i], a) && ranks_overlap(it, rank[i], b))
			return rank[i];
	return TMAP_NONE;
}

/* A group that is no communicator has a rank that shares objects with two which share none. */
static bool ranks_find_disjoint_pair(const struct connected *it, const int *rank, int count,
				     int *overlap)
{
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++) {
			if (ranks_overlap(it, rank[i], rank[j]))
				continue;
			overlap[0] = ranks_find_between(it, rank, count, rank[i], rank[j]);
			overlap[1] = rank[i];
			overlap[2] = rank[j];
			if (overlap[0] != TMAP_NONE)
				return true;
		}
	return false;
}

/* The first rank of each place among those of a group, which are on one node: [places] at most.
 * came[places] has no group's number + 1 before. */
static int group_list_places(const struct connected *it, const struct tmap_partition *p, int group,
			     int *came, int *rank)
{
	int count = 0;

	for (int i = p->first[group]; i < p->first[group + 1]; i++) {
		int *its = &came[it->p->place[p->member[i]]];

		if (*its != group + 1)
			rank[count++] = p->member[i];
		*its = group + 1;
	}
	return count;
}

static int guided_find_overlap(struct tmap_guided *guided, const struct connected *it,
			       struct tmap_error *err)
{
	struct tmap_partition *p = &guided->openmpi;
	int *came = tmap_alloc((size_t)it->p->place_count, sizeof *came, err);
	int *rank = tmap_alloc_raw((size_t)it->p->place_count, sizeof *rank, err);
	int status = came && rank ? tmap_partition_list(p, err) : -1;

	for (int g = 0; status == 0 && g < p->count && !guided->overlaps; g++)
		guided->overlaps = !group_has_common(it, p, g) &&
			ranks_find_disjoint_pair(it, rank, group_list_places(it, p, g, came, rank),
						 guided->overlap);
	free(came);
	free(rank);
	if (guided->overlaps)
		tmap_partition_fini(p);
	return status;
}

/* Every system has NUMA nodes; packages are not found everywhere. */
static bool *topologies_lacking(const struct tmap_machine *machine, struct tmap_level_kind kind,
				struct tmap_error *err)
{
	bool *lacks = tmap_alloc((size_t)machine->topology_count, sizeof *lacks, err);

	for (int t = 0; lacks && t < machine->topology_count; t++)
		lacks[t] = kind.type != TMAP_NUMA &&
			tmap_level_is_implied(&machine->topology[t], kind);
	return lacks;
}

static int guided_split_openmpi(struct tmap_guided *guided, const struct tmap_placement *p,
				const struct tmap_partition *objects, const struct sharing *sharing,
				struct tmap_error *err)
{
	struct connected it = { .p = p, .objects = objects, .sharing = sharing };
	bool whole_node = guided->resource->whole_node;
	int limit = objects->count + p->size, status = -1;
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);

	it.set = tmap_alloc_raw((size_t)objects->count, sizeof *it.set, err);
	it.ranks = tmap_alloc((size_t)objects->count, sizeof *it.ranks, err);
	it.lacks = topologies_lacking(p->machine,
				      (struct tmap_level_kind){ guided->resource->type, 0 }, err);
	if (key && it.set && it.ranks && it.lacks &&
	    connected_make(&it, guided->spanning.count > 0, err) == 0) {
		openmpi_keys_set(&it, whole_node, key);
		if (whole_node)
			limit = p->machine->node_count;
		status = tmap_partition_init_take(&guided->openmpi, key, p->size, limit, err);
		key = NULL;
	}
	if (status == 0 && !whole_node && guided->spanning.count)
		status = guided_find_overlap(guided, &it, err);
	free(key);
	free(it.set);
	free(it.ranks);
	free(it.lacks);
	return status;
}

int tmap_guided_init(struct tmap_guided *guided, const struct tmap_placement *p,
		     const struct tmap_resource *resource, struct tmap_error *err)
{
	struct tmap_guided made = { .resource = resource,
				    .spanning.first = TMAP_NONE,
				    .without.first = TMAP_NONE,
				    .has_openmpi = resource->openmpi,
				    .has_mpich = resource->mpich };
	struct tmap_partition objects;
	struct sharing sharing = { 0 };
	int status = -1;

	if (tmap_split_partition_init(&objects, p->machine,
				      (struct tmap_level_kind){ resource->type, 0 }, err) < 0)
		return -1;
	if (sharing_init(&sharing, &objects, p, err) == 0 &&
	    guided_split_standard(&made, p, &objects, &sharing, err) == 0 &&
	    (!made.has_openmpi || guided_split_openmpi(&made, p, &objects, &sharing, err) == 0) &&
	    (!made.has_mpich || guided_split_mpich(&made, p, &objects, err) == 0))
		status = 0;
	sharing_fini(&sharing);
	tmap_partition_fini(&objects);
	if (status < 0)
		tmap_guided_fini(&made);
	else
		*guided = made;
	return status;
}
