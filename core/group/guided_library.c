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

/* Nobody where all ranks of the node have one key. seen[node], all 0, becomes the key + 1 of the
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
 * one set; it is a communicator if all pairs share an object.
 */
struct meeting {
	const struct tmap_placement *p;
	const struct tmap_partition *objects;
	const struct tmap_sharing *sharing;
	int *set;    /* [objects]: a forest; roots stand for the sets */
	int *ranks;  /* [objects]: that have PUs of it */
	bool *lacks; /* [topology_count]: the system knows no such objects there */
};

static int root_of(struct meeting *m, int object)
{
	while (m->set[object] != object)
		object = m->set[object] = m->set[m->set[object]];
	return object;
}

/* The objects of a rank as numbers in the whole job; unbound, it has none. */
static int count_of(const struct meeting *m, int rank)
{
	const struct tmap_place *place = &m->p->places[m->p->place[rank]];
	const size_t *first = &m->sharing->first[m->p->place[rank]];

	return place->bound && !m->lacks[place->topology] ? (int)(first[1] - first[0]) : 0;
}

static int object_of(const struct meeting *m, int rank, int i)
{
	return m->objects->node_base[m->p->node[rank]] +
		m->sharing->object[m->sharing->first[m->p->place[rank]] + (size_t)i];
}

/* Only ranks that span several objects connect them. */
static void connect(struct meeting *m, bool any_span)
{
	for (int o = 0; o < m->objects->count; o++)
		m->set[o] = o;
	if (!any_span)
		return;
	for (int r = 0; r < m->p->size; r++)
		for (int i = 0; i < count_of(m, r); i++) {
			m->ranks[object_of(m, r, i)]++;
			m->set[root_of(m, object_of(m, r, i))] = root_of(m, object_of(m, r, 0));
		}
}

/* Keys: the set of each rank, or one of its own. */
static void set_openmpi_keys(struct meeting *m, bool whole_node, int *key)
{
	for (int r = 0; r < m->p->size; r++)
		if (whole_node)
			key[r] = m->p->node[r];
		else
			key[r] = count_of(m, r) ? root_of(m, object_of(m, r, 0)) :
						  m->objects->count + r;
}

/* Is there an object that all ranks of a group have PUs of? Those of its first rank will do. */
static bool has_common(const struct meeting *m, const struct tmap_partition *p, int group)
{
	int rank = p->member[p->first[group]];

	for (int i = 0; i < count_of(m, rank); i++)
		if (m->ranks[object_of(m, rank, i)] == p->first[group + 1] - p->first[group])
			return true;
	return count_of(m, rank) == 0;
}

static bool meets(const struct meeting *m, int a, int b)
{
	return tmap_sharing_meets(m->sharing, m->p->place[a], m->p->place[b]);
}

/* A rank of a group that shares objects with both, or TMAP_NONE. */
static int find_between(const struct meeting *m, const struct tmap_partition *p, int group, int a,
			int b)
{
	for (int i = p->first[group]; i < p->first[group + 1]; i++)
		if (meets(m, p->member[i], a) && meets(m, p->member[i], b))
			return p->member[i];
	return TMAP_NONE;
}

/* A group that is no communicator has a rank that shares objects with two which share none. */
static bool find_strangers(const struct meeting *m, const struct tmap_partition *p, int group,
			   int *overlap)
{
	for (int i = p->first[group]; i < p->first[group + 1]; i++)
		for (int j = i + 1; j < p->first[group + 1]; j++) {
			if (meets(m, p->member[i], p->member[j]))
				continue;
			overlap[0] = find_between(m, p, group, p->member[i], p->member[j]);
			overlap[1] = p->member[i];
			overlap[2] = p->member[j];
			if (overlap[0] != TMAP_NONE)
				return true;
		}
	return false;
}

static int find_overlap(struct tmap_guided *guided, const struct meeting *m, struct tmap_error *err)
{
	struct tmap_partition *p = &guided->openmpi;

	if (tmap_partition_list(p, err) < 0)
		return -1;
	for (int g = 0; g < p->count && !guided->overlaps; g++)
		guided->overlaps = !has_common(m, p, g) && find_strangers(m, p, g, guided->overlap);
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
	struct meeting m = { .p = p, .objects = objects, .sharing = sharing };
	bool whole_node = guided->resource->whole_node;
	int limit = objects->count + p->size, status = -1;
	int *key = tmap_alloc_raw((size_t)p->size, sizeof *key, err);

	m.set = tmap_alloc_raw((size_t)objects->count, sizeof *m.set, err);
	m.ranks = tmap_alloc((size_t)objects->count, sizeof *m.ranks, err);
	m.lacks =
		find_lacks(p->machine, (struct tmap_level_kind){ guided->resource->type, 0 }, err);
	if (key && m.set && m.ranks && m.lacks) {
		connect(&m, guided->spanning.count > 0);
		set_openmpi_keys(&m, whole_node, key);
		if (whole_node)
			limit = p->machine->node_count;
		status = tmap_partition_init_take(&guided->openmpi, key, p->size, limit, err);
		key = NULL;
	}
	if (status == 0 && !whole_node && guided->spanning.count)
		status = find_overlap(guided, &m, err);
	free(key);
	free(m.set);
	free(m.ranks);
	free(m.lacks);
	return status;
}
