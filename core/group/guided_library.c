#include "core/group/guided_library.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Ranks of one object together; those of none, on each node. */
static void set_mpich_keys(int *key, const struct tmap_placement *p,
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
static void drop_whole_nodes(int *key, const struct tmap_placement *p, int *seen)
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

int tmap_guided_mpich(struct tmap_guided *guided, const struct tmap_placement *p,
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
	set_mpich_keys(key, p, objects);
	if (!guided->resource->keeps_whole)
		drop_whole_nodes(key, p, seen);
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
	const struct tmap_sharing *sharing;
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

/* Only ranks that span several objects connect them. */
static void connect_objects(struct connected *it, bool any_span)
{
	for (int o = 0; o < it->objects->count; o++)
		it->set[o] = o;
	if (!any_span)
		return;
	for (int r = 0; r < it->p->size; r++)
		for (int i = 0; i < rank_object_count(it, r); i++) {
			it->ranks[rank_object(it, r, i)]++;
			it->set[connected_root(it, rank_object(it, r, i))] =
				connected_root(it, rank_object(it, r, 0));
		}
}

/* Keys: the set of each rank, or one of its own. */
static void set_openmpi_keys(struct connected *it, bool whole_node, int *key)
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
static bool has_common(const struct connected *it, const struct tmap_partition *p, int group)
{
	int rank = p->member[p->first[group]];

	for (int i = 0; i < rank_object_count(it, rank); i++)
		if (it->ranks[rank_object(it, rank, i)] == p->first[group + 1] - p->first[group])
			return true;
	return rank_object_count(it, rank) == 0;
}

static bool ranks_overlap(const struct connected *it, int a, int b)
{
	return tmap_sharing_overlaps(it->sharing, it->p->place[a], it->p->place[b]);
}

/* A rank of a group that shares objects with both, or TMAP_NONE. */
static int find_between(const struct connected *it, const struct tmap_partition *p, int group,
			int a, int b)
{
	for (int i = p->first[group]; i < p->first[group + 1]; i++)
		if (ranks_overlap(it, p->member[i], a) && ranks_overlap(it, p->member[i], b))
			return p->member[i];
	return TMAP_NONE;
}

/* A group that is no communicator has a rank that shares objects with two which share none. */
static bool find_disjoint_pair(const struct connected *it, const struct tmap_partition *p,
			       int group, int *overlap)
{
	for (int i = p->first[group]; i < p->first[group + 1]; i++)
		for (int j = i + 1; j < p->first[group + 1]; j++) {
			if (ranks_overlap(it, p->member[i], p->member[j]))
				continue;
			overlap[0] = find_between(it, p, group, p->member[i], p->member[j]);
			overlap[1] = p->member[i];
			overlap[2] = p->member[j];
			if (overlap[0] != TMAP_NONE)
				return true;
		}
	return false;
}

static int find_overlap(struct tmap_guided *guided, const struct connected *it,
			struct tmap_error *err)
{
	struct tmap_partition *p = &guided->openmpi;

	if (tmap_partition_list(p, err) < 0)
		return -1;
	for (int g = 0; g < p->count && !guided->overlaps; g++)
		guided->overlaps = !has_common(it, p, g) &&
			find_disjoint_pair(it, p, g, guided->overlap);
	if (guided->overlaps)
		tmap_partition_fini(p);
	return 0;
}

/* Every system has NUMA nodes; packages are not found everywhere. */
static bool *find_lacks(const struct tmap_machine *machine, struct tmap_level_kind kind,
			struct tmap_error *err)
{
	bool *lacks = tmap_alloc((size_t)machine->topology_count, sizeof *lacks, err);

	for (int t = 0; lacks && t < machine->topology_count; t++)
		lacks[t] = kind.type != TMAP_NUMA &&
			tmap_level_is_implied(&machine->topology[t], kind);
	return lacks;
}

int tmap_guided_openmpi(struct tmap_guided *guided, const struct tmap_placement *p,
			const struct tmap_partition *objects, const struct tmap_sharing *sharing,
			struct tmap_error *err)
{
	struct connected it = { .p = p, .objects = objects, .sharing = sharing };
	bool whole_node = guided->resource->whole_node;
	int limit = objects->count + p->size, status = -1;
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);

	it.set = tmap_alloc_raw((size_t)objects->count, sizeof *it.set, err);
	it.ranks = tmap_alloc((size_t)objects->count, sizeof *it.ranks, err);
	it.lacks =
		find_lacks(p->machine, (struct tmap_level_kind){ guided->resource->type, 0 }, err);
	if (key && it.set && it.ranks && it.lacks) {
		connect_objects(&it, guided->spanning.count > 0);
		set_openmpi_keys(&it, whole_node, key);
		if (whole_node)
			limit = p->machine->node_count;
		status = tmap_partition_init_take(&guided->openmpi, key, p->size, limit, err);
		key = NULL;
	}
	if (status == 0 && !whole_node && guided->spanning.count)
		status = find_overlap(guided, &it, err);
	free(key);
	free(it.set);
	free(it.ranks);
	free(it.lacks);
	return status;
}
