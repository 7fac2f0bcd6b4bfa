#include "core/base/mem.h"
#include "core/group/conduits.h"
#include "core/group/hierarchy.h"
#include "core/group/split_levels.h"

#include <stdlib.h>

/* One split of every communicator at a level. */
struct split {
	struct tmap_hierarchy *h;
	const struct tmap_placement *placement;
	const struct tmap_partition *objects;
	size_t capacity; /* of h->split */
	bool keeps_rest; /* ranks of a communicator that are limited to no object stay together */
};

/* The object of a rank in the communicator that is to be split; *comm is TMAP_NONE for a rank
 * that is split no further. */
static int rank_object(const struct split *s, int rank, int *comm)
{
	int object;

	*comm = tmap_hierarchy_above(s->h, s->h->level_count, rank);
	if (s->h->split[*comm] != TMAP_NONE && s->h->split[*comm] != s->h->level_count)
		*comm = TMAP_NONE;
	object = tmap_partition_set(s->objects, s->placement, rank);
	return object == TMAP_NONE && s->keeps_rest && *comm != TMAP_NONE ?
		s->objects->count + *comm :
		object;
}

/* Mark the communicators that fall apart at this level: two ranks are not limited to the same
 * object. Returns how many, or -1. */
static int mark_split(const struct split *s, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;
	int *seen =
		tmap_alloc((size_t)h->comm_count, sizeof *seen, err); /* object + 2; 0: none yet */
	int marked = 0;

	if (!seen)
		return -1;
	for (int r = 0; r < h->size; r++) {
		int comm, object = rank_object(s, r, &comm);

		if (comm == TMAP_NONE || h->split[comm] != TMAP_NONE)
			continue;
		if (seen[comm] && seen[comm] != object + 2) {
			h->split[comm] = h->level_count;
			marked++;
		}
		seen[comm] = object + 2;
	}
	free(seen);
	return marked;
}

/* The communicator of an object: a new one where its first rank comes by. */
static int comm_of(struct split *s, int *number, int object, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;

	if (number[object])
		return number[object];
	if (tmap_grow(&h->split, &s->capacity, (size_t)h->comm_count + 1, sizeof *h->split, err) <
	    0)
		return TMAP_NONE;
	h->split[h->comm_count] = TMAP_NONE;
	number[object] = h->comm_count++;
	return number[object];
}

/* An object lies within that of the communicator above, so it gives one communicator. */
static int number_comms(struct split *s, int *comm_of_rank, struct tmap_error *err)
{
	int *number = tmap_alloc((size_t)s->objects->count + (size_t)s->h->comm_count,
				 sizeof *number, err);
	int status = number ? 0 : -1;

	for (int r = 0; r < s->h->size && status == 0; r++) {
		int comm, object = rank_object(s, r, &comm);

		comm_of_rank[r] = tmap_hierarchy_above(s->h, s->h->level_count, r);
		if (comm == TMAP_NONE || s->h->split[comm] == TMAP_NONE || object == TMAP_NONE)
			continue;
		comm_of_rank[r] = comm_of(s, number, object, err);
		status = comm_of_rank[r] == TMAP_NONE ? -1 : 0;
	}
	free(number);
	return status;
}

/* The level is there as soon as its communicators are. */
static int split_at(struct split *s, const struct tmap_level *at, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;
	struct tmap_hierarchy_level level = { .tier = at->tier,
					      .kind = at->kind,
					      .first = h->comm_count };
	int marked;

	s->objects = &at->sets;
	marked = mark_split(s, err);
	if (marked <= 0)
		return marked;
	level.name = tmap_strdup(at->name, err);
	level.comm = tmap_alloc_raw((size_t)h->size, sizeof *level.comm, err);
	if (!level.name || !level.comm || number_comms(s, level.comm, err) < 0) {
		free(level.name);
		free(level.comm);
		return -1;
	}
	level.end = h->comm_count;
	h->level[h->level_count++] = level;
	return 0;
}

static int split_all(struct split *s, const struct tmap_levels *levels, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;

	h->level = tmap_alloc((size_t)levels->count, sizeof *h->level, err);
	if (!h->level || tmap_grow(&h->split, &s->capacity, 1, sizeof *h->split, err) < 0)
		return -1;
	h->split[0] = TMAP_NONE;
	h->comm_count = 1;
	for (int i = 0; i < levels->count; i++)
		if (split_at(s, &levels->level[i], err) < 0)
			return -1;
	return 0;
}

static int64_t count_members(const struct tmap_hierarchy *h)
{
	int64_t count = h->size;

	for (int l = 0; l < h->level_count; l++)
		for (int r = 0; r < h->size; r++)
			count += tmap_hierarchy_has(h, l, r);
	return count;
}

static int alloc_comms(struct tmap_hierarchy *h, struct tmap_error *err)
{
	size_t comms = (size_t)h->comm_count;

	h->conduit = tmap_alloc_raw(comms, sizeof *h->conduit, err);
	h->member_first = tmap_alloc_raw(comms + 1, sizeof *h->member_first, err);
	h->group_first = tmap_alloc_raw(comms + 1, sizeof *h->group_first, err);
	h->member = tmap_alloc_raw((size_t)count_members(h), sizeof *h->member, err);
	h->group = tmap_alloc_raw((size_t)h->size + comms - 1, sizeof *h->group, err);
	return h->conduit && h->member_first && h->group_first && h->member && h->group ? 0 : -1;
}

static int add_conduits(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			enum tmap_elect elect, struct tmap_error *err)
{
	int *key;

	if (alloc_comms(h, err) < 0)
		return -1;
	key = tmap_elect_keys(placement, elect, h->root, err);
	if (!key)
		return -1;
	tmap_hierarchy_find_members(h);
	tmap_hierarchy_find_conduits(h, key);
	tmap_hierarchy_find_groups(h);
	free(key);
	return 0;
}

int tmap_hierarchy_init(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			const char *levels, int root, enum tmap_elect elect, struct tmap_error *err)
{
	struct tmap_hierarchy made = { .size = placement->size, .root = root };
	struct split split = { .h = &made, .placement = placement };
	struct tmap_levels split_levels;
	int status = 0;

	if (root < 0 || root >= placement->size)
		return tmap_fail(err, TMAP_INPUT, "root %d is not one of the %d ranks", root,
				 placement->size);
	if (tmap_split_levels_init(&split_levels, placement->machine, levels, err) < 0)
		return -1;
	if (split_all(&split, &split_levels, err) < 0 ||
	    add_conduits(&made, placement, elect, err) < 0)
		status = -1;
	tmap_levels_fini(&split_levels);
	if (status < 0)
		tmap_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}

/* Which of the levels that MPICH knows the machine has. */
static char *mpich_levels(const struct tmap_machine *machine, struct tmap_error *err)
{
	bool has_cores = false;

	for (int t = 0; t < machine->topology_count; t++)
		has_cores |= tmap_topology_count(&machine->topology[t], TMAP_CORE) > 0;
	return tmap_format(err, "node,package,numa,%spu", has_cores ? "core," : "");
}

int tmap_hierarchy_init_mpich(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			      struct tmap_error *err)
{
	struct tmap_hierarchy made = { .size = placement->size };
	struct split split = { .h = &made, .placement = placement, .keeps_rest = true };
	char *names = mpich_levels(placement->machine, err);
	struct tmap_levels levels = { 0 };
	int status = -1;

	if (names && tmap_split_levels_init(&levels, placement->machine, names, err) == 0)
		status = split_all(&split, &levels, err);
	tmap_levels_fini(&levels);
	free(names);
	if (status < 0)
		tmap_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}
