/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/hierarchy.h"

#include "core/base/mem.h"
#include "core/group/split_levels.h"

#include <stdlib.h>
#include <string.h>

void tmap_hierarchy_fini(struct tmap_hierarchy *h)
{
	for (int l = 0; l < h->level_count; l++)
		free(h->level[l].name);
	free(h->level);
	free(h->split);
	free(h->above);
	free(h->innermost);
	free(h->conduit);
	free(h->member_first);
	free(h->member);
	free(h->group_first);
	free(h->group);
	*h = (struct tmap_hierarchy){ 0 };
}

bool tmap_hierarchy_has(const struct tmap_hierarchy *h, int level, int rank)
{
	return tmap_hierarchy_comm(h, level, rank) >= h->level[level].first;
}

int tmap_hierarchy_above(const struct tmap_hierarchy *h, int level, int rank)
{
	return level ? tmap_hierarchy_comm(h, level - 1, rank) : 0;
}

int tmap_hierarchy_below(const struct tmap_hierarchy *h, int comm, int rank)
{
	int l = h->split[comm], below;

	if (l == TMAP_NONE)
		return TMAP_NONE;
	below = tmap_hierarchy_comm(h, l, rank);
	return below >= h->level[l].first ? below : TMAP_NONE;
}

/* The level of a communicator; the job's has none. */
static const struct tmap_hierarchy_level *comm_level(const struct tmap_hierarchy *h, int comm)
{
	const struct tmap_hierarchy_level *level = h->level;

	if (comm == 0)
		return NULL;
	while (comm >= level->end)
		level++;
	return level;
}

int tmap_comm_size(const struct tmap_hierarchy *h, int comm)
{
	const struct tmap_hierarchy_level *level = comm_level(h, comm);

	if (!level)
		return h->size;
	return (comm + 1 < level->end ? h->member_first[comm + 1] : level->listed_count) -
		h->member_first[comm];
}

int64_t tmap_comm_listed(const struct tmap_hierarchy *h, int comm)
{
	const struct tmap_hierarchy_level *level = comm_level(h, comm);

	return level ? level->listed + h->member_first[comm] : 0;
}

const int *tmap_comm_members(const struct tmap_hierarchy *h, int comm)
{
	return h->member + tmap_comm_listed(h, comm);
}

int tmap_hierarchy_partition(struct tmap_partition *p, const struct tmap_hierarchy *h, int l,
			     struct tmap_error *err)
{
	int *key = tmap_alloc_raw((size_t)h->size, sizeof *key, err);

	if (!key)
		return -1;
	for (int r = 0; r < h->size; r++) {
		int comm = tmap_hierarchy_comm(h, l, r);

		key[r] = comm >= h->level[l].first ? comm - h->level[l].first : TMAP_NONE;
	}
	return tmap_partition_init_take(p, key, h->size, h->level[l].end - h->level[l].first, err);
}

/* One split of every communicator at a level. */
struct split {
	struct tmap_hierarchy *h;
	const struct tmap_placement *placement;
	const struct tmap_partition *objects;
	size_t capacity, above_capacity; /* of h->split, and of h->above */
	bool keeps_rest;   /* ranks of a communicator that are limited to no object stay together */
	bool skips_single; /* a rank that would be alone in its communicator has none */
};

/* The object of a rank in the communicator that is to be split; *comm is TMAP_NONE for a rank
 * that is split no further. */
static int split_object(const struct split *s, int rank, int *comm)
{
	int object;

	*comm = s->h->innermost[rank];
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
static int split_add_comm(struct split *s, int above, struct tmap_error *err)
{
	struct tmap_hierarchy *h = s->h;
	size_t need = (size_t)h->comm_count + 1;

	if (tmap_grow(&h->split, &s->capacity, need, sizeof *h->split, err) < 0 ||
	    tmap_grow(&h->above, &s->above_capacity, need, sizeof *h->above, err) < 0)
		return TMAP_NONE;
	h->split[h->comm_count] = TMAP_NONE;
	h->above[h->comm_count] = above;
	return h->comm_count++;
}

/* An object lies within that of the communicator above, so it gives one communicator: a new one for its
 * first rank. Until then number[] has how many ranks it has, below 0. */
static int split_number_comms(struct split *s, struct tmap_error *err)
{
	int *innermost = s->h->innermost;
	int object, least = s->skips_single ? 2 : 1;
	int *number = tmap_alloc((size_t)s->objects->count + (size_t)s->h->comm_count,
				 sizeof *number, err);
	int status = number ? 0 : -1;

	for (int r = 0; r < s->h->size && status == 0; r++)
		if (split_has(s, r, &object))
			number[object]--;
	for (int r = 0; r < s->h->size && status == 0; r++) {
		if (!split_has(s, r, &object) || (number[object] < 0 && number[object] > -least))
			continue;
		if (number[object] < 0)
			number[object] = split_add_comm(s, innermost[r], err);
		innermost[r] = number[object];
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
	if (!level.name || split_number_comms(s, err) < 0) {
		free(level.name);
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
	h->innermost = tmap_alloc((size_t)h->size, sizeof *h->innermost, err);
	if (!h->level || !h->innermost || split_add_comm(s, TMAP_NONE, err) == TMAP_NONE)
		return -1;
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
		const int *member = tmap_comm_members(h, c);
		int best = member[0], size = tmap_comm_size(h, c);

		for (int i = 1; i < size; i++)
			if (is_better_conduit(h, key, member[i], best))
				best = member[i];
		h->conduit[c] = best;
	}
}

/* The ranks of the communicators of a level into member[listed_count], sorted by counting. */
static void level_list(struct tmap_hierarchy *h, int l, int *member)
{
	int first = h->level[l].first, end = h->level[l].end, begin = 0;

	for (int c = first; c < end; c++)
		h->member_first[c] = 0;
	for (int r = 0; r < h->size; r++)
		if (tmap_hierarchy_has(h, l, r))
			h->member_first[tmap_hierarchy_comm(h, l, r)]++;
	for (int c = first; c < end; c++) {
		int count = h->member_first[c];

		h->member_first[c] = begin;
		begin += count;
	}
	for (int r = 0; r < h->size; r++)
		if (tmap_hierarchy_has(h, l, r))
			member[h->member_first[tmap_hierarchy_comm(h, l, r)]++] = r;
	for (int c = end - 1; c > first; c--)
		h->member_first[c] = h->member_first[c - 1];
	if (first < end)
		h->member_first[first] = 0;
}

static int level_count_members(const struct tmap_hierarchy *h, int l)
{
	int count = 0;

	for (int r = 0; r < h->size; r++)
		count += tmap_hierarchy_has(h, l, r);
	return count;
}

int tmap_hierarchy_list(struct tmap_hierarchy *h, int level, int end, struct tmap_error *err)
{
	size_t kept = level < 0 ? (size_t)h->size : 0, capacity = 0;
	int64_t last = 0; /* where the list before begins */
	int last_count = (int)kept;

	tmap_hierarchy_unlist(h);
	if (tmap_grow(&h->member, &capacity, kept + 1, sizeof *h->member, err) < 0)
		return -1;
	for (size_t r = 0; r < kept; r++)
		h->member[r] = (int)r;
	for (int l = level < 0 ? 0 : level; l < end; l++) {
		struct tmap_hierarchy_level *its = &h->level[l];
		size_t count;

		its->listed_count = level_count_members(h, l);
		count = (size_t)its->listed_count;
		if (tmap_grow(&h->member, &capacity, kept + count, sizeof *h->member, err) < 0)
			return -1;
		level_list(h, l, h->member + kept);
		if (its->listed_count > last_count ||
		    memcmp(h->member + last, h->member + kept, count * sizeof *h->member) != 0) {
			last = (int64_t)kept;
			last_count = its->listed_count;
			kept += count;
		}
		its->listed = last;
	}
	tmap_shrink(&h->member, kept, sizeof *h->member);
	return 0;
}

void tmap_hierarchy_unlist(struct tmap_hierarchy *h)
{
	free(h->member);
	h->member = NULL;
}

/* The next group of a rank, which begins with its innermost communicator's: as long as it is the conduit
 * of one, it is in the group of the one above. TMAP_NONE: there are no more. */
static int group_above(const struct tmap_hierarchy *h, int rank, int comm)
{
	return h->conduit[comm] == rank ? h->above[comm] : TMAP_NONE;
}

static void groups_list(struct tmap_hierarchy *h)
{
	for (int c = 0; c <= h->comm_count; c++)
		h->group_first[c] = 0;
	for (int r = 0; r < h->size; r++)
		for (int c = h->innermost[r]; c != TMAP_NONE; c = group_above(h, r, c))
			h->group_first[c]++;
	for (int c = 0, begin = 0; c <= h->comm_count; c++) {
		int count = h->group_first[c];

		h->group_first[c] = begin;
		begin += count;
	}
	for (int r = 0; r < h->size; r++)
		for (int c = h->innermost[r]; c != TMAP_NONE; c = group_above(h, r, c))
			h->group[h->group_first[c]++] = r;
	for (int c = h->comm_count; c > 0; c--)
		h->group_first[c] = h->group_first[c - 1];
	h->group_first[0] = 0;
}

static int comms_alloc(struct tmap_hierarchy *h, struct tmap_error *err)
{
	size_t comms = (size_t)h->comm_count;

	tmap_shrink(&h->split, comms, sizeof *h->split);
	tmap_shrink(&h->above, comms, sizeof *h->above);
	h->conduit = tmap_alloc_raw(comms, sizeof *h->conduit, err);
	h->member_first = tmap_alloc_raw(comms, sizeof *h->member_first, err);
	return h->conduit && h->member_first ? 0 : -1;
}

static int groups_alloc(struct tmap_hierarchy *h, struct tmap_error *err)
{
	size_t comms = (size_t)h->comm_count;

	h->group_first = tmap_alloc_raw(comms + 1, sizeof *h->group_first, err);
	h->group = tmap_alloc_raw((size_t)h->size + comms - 1, sizeof *h->group, err);
	return h->group_first && h->group ? 0 : -1;
}

static int hierarchy_add_conduits(struct tmap_hierarchy *h, const struct tmap_placement *placement,
				  enum tmap_elect elect, struct tmap_error *err)
{
	int *key;

	if (comms_alloc(h, err) < 0)
		return -1;
	h->member_first[0] = 0;
	if (tmap_hierarchy_list(h, TMAP_NONE, h->level_count, err) < 0)
		return -1;
	key = tmap_elect_keys(placement, elect, h->root, err);
	if (!key)
		return -1;
	conduits_find(h, key);
	free(key);
	if (groups_alloc(h, err) < 0)
		return -1;
	groups_list(h);
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
