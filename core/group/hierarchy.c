/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/hierarchy.h"

#include "core/base/mem.h"
#include "core/group/split_levels.h"

#include <stdlib.h>

void tmap_hierarchy_fini(struct tmap_hierarchy *h)
{
	for (int l = 0; l < h->level_count; l++) {
		free(h->level[l].name);
		free(h->level[l].comm);
	}
	free(h->level);
	free(h->split);
	free(h->conduit);
	free(h->member_first);
	free(h->member);
	free(h->group_first);
	free(h->group);
	*h = (struct tmap_hierarchy){ 0 };
}

bool tmap_hierarchy_has(const struct tmap_hierarchy *h, int level, int rank)
{
	return h->level[level].comm[rank] >= h->level[level].first;
}

int tmap_hierarchy_above(const struct tmap_hierarchy *h, int level, int rank)
{
	return level ? h->level[level - 1].comm[rank] : 0;
}

int tmap_hierarchy_below(const struct tmap_hierarchy *h, int comm, int rank)
{
	int l = h->split[comm];

	return l != TMAP_NONE && tmap_hierarchy_has(h, l, rank) ? h->level[l].comm[rank] :
								  TMAP_NONE;
}

int tmap_hierarchy_partition(struct tmap_partition *p, const struct tmap_hierarchy *h, int l,
			     struct tmap_error *err)
{
	int *key = tmap_alloc_raw((size_t)h->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < h->size; r++)
		key[r] = tmap_hierarchy_has(h, l, r) ? h->level[l].comm[r] - h->level[l].first :
						       TMAP_NONE;
	return tmap_partition_init_take(p, key, h->size, h->level[l].end - h->level[l].first, err);
}

/* One split of every communicator at a level. */
struct split {
	struct tmap_hierarchy *h;
	const struct tmap_placement *placement;
	const struct tmap_partition *objects;
	size_t capacity;   /* of h->split */
	bool keeps_rest;   /* ranks of a communicator that are limited to no object stay together */
	bool skips_single; /* a rank that would be alone in its communicator has none */
};

/* The object of a rank in the communicator that is to be split; *comm is TMAP_NONE for a rank
 * that is split no further. */
static int split_object(const struct split *s, int rank, int *comm)
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
static int split_mark(const struct split *s, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;
	int *seen =
		tmap_alloc((size_t)h->comm_count, sizeof *seen, err); /* object + 2; 0: none yet */
	int marked = 0;

	if (!seen)
		return -1;
	for (int r = 0; r < h->size; r++) {
		int comm, object = split_object(s, r, &comm);

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

/* The object and the communicator above of a rank that the level splits off; false: it does not. */
static bool split_has(const struct split *s, int rank, int *object)
{
	int comm;

	*object = split_object(s, rank, &comm);
	return comm != TMAP_NONE && s->h->split[comm] != TMAP_NONE && *object != TMAP_NONE;
}

/* A new communicator, split no further so far. */
static int split_add_comm(struct split *s, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;

	if (tmap_grow(&h->split, &s->capacity, (size_t)h->comm_count + 1, sizeof *h->split, err) <
	    0)
		return TMAP_NONE;
	h->split[h->comm_count] = TMAP_NONE;
	return h->comm_count++;
}

/* An object lies within that of the communicator above, so it gives one communicator: a new one for its
 * first rank. Until then number[] has how many ranks it has, below 0. */
static int split_number_comms(struct split *s, int *comm_of_rank, struct tmap_error *err)
{
	int object, least = s->skips_single ? 2 : 1;
	int *number = tmap_alloc((size_t)s->objects->count + (size_t)s->h->comm_count,
				 sizeof *number, err);
	int status = number ? 0 : -1;

	for (int r = 0; r < s->h->size && status == 0; r++)
		if (split_has(s, r, &object))
			number[object]--;
	for (int r = 0; r < s->h->size && status == 0; r++) {
		comm_of_rank[r] = tmap_hierarchy_above(s->h, s->h->level_count, r);
		if (!split_has(s, r, &object) || (number[object] < 0 && number[object] > -least))
			continue;
		if (number[object] < 0)
			number[object] = split_add_comm(s, err);
		comm_of_rank[r] = number[object];
		status = number[object] == TMAP_NONE ? -1 : 0;
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
	marked = split_mark(s, err);
	if (marked <= 0)
		return marked;
	level.name = tmap_strdup(at->name, err);
	level.comm = tmap_alloc_raw((size_t)h->size, sizeof *level.comm, err);
	if (!level.name || !level.comm || split_number_comms(s, level.comm, err) < 0) {
		free(level.name);
		free(level.comm);
		return -1;
	}
	level.end = h->comm_count;
	h->level[h->level_count++] = level;
	return 0;
}

static int split_repeat(struct split *s, const struct tmap_levels *levels, struct tmap_error *err)
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

static bool is_better_conduit(const struct tmap_hierarchy *h, const int *key, int rank, int best)
{
	if (best == h->root || rank == h->root)
		return rank == h->root;
	return key[rank] < key[best];
}

/* The root, else the member with the smallest key: members and root are there. */
static void conduits_find(struct tmap_hierarchy *h, const int *key)
{
	for (int c = 0; c < h->comm_count; c++) {
		int64_t i = h->member_first[c];
		int best = h->member[i];

		while (++i < h->member_first[c + 1])
			if (is_better_conduit(h, key, h->member[i], best))
				best = h->member[i];
		h->conduit[c] = best;
	}
}

/* Lists by communicator, sorted by counting: first the items of each are counted, two places
 * further on, so that placing them leaves every start where it belongs. */
struct lists {
	int comm_count;
	int64_t *first;
	int *item;
	bool is_placing;
};

static void lists_add(const struct lists *lists, int comm, int rank)
{
	if (lists->is_placing)
		lists->item[lists->first[comm + 1]++] = rank;
	else if (comm + 2 <= lists->comm_count)
		lists->first[comm + 2]++;
}

/* @p add adds a rank to the lists of its communicators. */
static void lists_fill(const struct tmap_hierarchy *h, int64_t *first, int *item,
		       void (*add)(const struct tmap_hierarchy *, int, const struct lists *))
{
	struct lists lists = { h->comm_count, first, item, false };

	for (int c = 0; c <= h->comm_count; c++)
		first[c] = 0;
	for (int r = 0; r < h->size; r++)
		add(h, r, &lists);
	for (int c = 2; c <= h->comm_count; c++)
		first[c] += first[c - 1];
	lists.is_placing = true;
	for (int r = 0; r < h->size; r++)
		add(h, r, &lists);
}

static void lists_add_member(const struct tmap_hierarchy *h, int rank, const struct lists *lists)
{
	lists_add(lists, 0, rank);
	for (int l = 0; l < h->level_count; l++)
		if (tmap_hierarchy_has(h, l, rank))
			lists_add(lists, h->level[l].comm[rank], rank);
}

/* Its innermost communicator, and as long as it is the conduit of one, the one above. */
static void lists_add_to_groups(const struct tmap_hierarchy *h, int rank, const struct lists *lists)
{
	int comm = tmap_hierarchy_above(h, h->level_count, rank);

	lists_add(lists, comm, rank);
	for (int l = h->level_count - 1; l >= 0 && h->conduit[comm] == rank; l--) {
		if (!tmap_hierarchy_has(h, l, rank))
			continue;
		comm = tmap_hierarchy_above(h, l, rank);
		lists_add(lists, comm, rank);
	}
}

static int64_t comms_count_members(const struct tmap_hierarchy *h)
{
	int64_t count = h->size;

	for (int l = 0; l < h->level_count; l++)
		for (int r = 0; r < h->size; r++)
			count += tmap_hierarchy_has(h, l, r);
	return count;
}

static int comms_alloc(struct tmap_hierarchy *h, struct tmap_error *err)
{
	size_t comms = (size_t)h->comm_count;

	h->conduit = tmap_alloc_raw(comms, sizeof *h->conduit, err);
	h->member_first = tmap_alloc_raw(comms + 1, sizeof *h->member_first, err);
	h->group_first = tmap_alloc_raw(comms + 1, sizeof *h->group_first, err);
	h->member = tmap_alloc_raw((size_t)comms_count_members(h), sizeof *h->member, err);
	h->group = tmap_alloc_raw((size_t)h->size + comms - 1, sizeof *h->group, err);
	return h->conduit && h->member_first && h->group_first && h->member && h->group ? 0 : -1;
}

static int hierarchy_add_conduits(struct tmap_hierarchy *h, const struct tmap_placement *placement,
				  enum tmap_elect elect, struct tmap_error *err)
{
	int *key;

	if (comms_alloc(h, err) < 0)
		return -1;
	key = tmap_elect_keys(placement, elect, h->root, err);
	if (!key)
		return -1;
	lists_fill(h, h->member_first, h->member, lists_add_member);
	conduits_find(h, key);
	lists_fill(h, h->group_first, h->group, lists_add_to_groups);
	free(key);
	return 0;
}

static int hierarchy_init(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			  const char *levels, int root, enum tmap_elect elect, bool skips_single,
			  struct tmap_error *err)
{
	struct tmap_hierarchy made = { .size = placement->size, .root = root };
	struct split split = { .h = &made, .placement = placement, .skips_single = skips_single };
	struct tmap_levels split_levels;
	int status = 0;

	if (root < 0 || root >= placement->size)
		return tmap_fail(err, TMAP_INPUT, "root %d is not one of the %d ranks", root,
				 placement->size);
	if (tmap_split_levels_init(&split_levels, placement->machine, levels, err) < 0)
		return -1;
	if (split_repeat(&split, &split_levels, err) < 0 ||
	    hierarchy_add_conduits(&made, placement, elect, err) < 0)
		status = -1;
	tmap_levels_fini(&split_levels);
	if (status < 0)
		tmap_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}

int tmap_hierarchy_init(struct tmap_hierarchy *h, const struct tmap_placement *placement,
			const char *levels, int root, enum tmap_elect elect, struct tmap_error *err)
{
	return hierarchy_init(h, placement, levels, root, elect, false, err);
}

int tmap_hierarchy_init_several(struct tmap_hierarchy *h, const struct tmap_placement *placement,
				const char *levels, int root, enum tmap_elect elect,
				struct tmap_error *err)
{
	return hierarchy_init(h, placement, levels, root, elect, true, err);
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
		status = split_repeat(&split, &levels, err);
	tmap_levels_fini(&levels);
	free(names);
	if (status < 0)
		tmap_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}
