#include "core/group/conduits.h"
#include "core/group/hierarchy.h"
#include "core/group/instance.h"
#include "core/group/rungs.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* One split of every communicator at a level. */
struct split {
	struct tm_hierarchy *h;
	const struct tm_placement *placement;
	const struct tm_instances *objects;
	size_t capacity;     /* of h->split */
	bool keeps_rest;     /* ranks of a communicator that are limited to no object stay together */
};

/* The object of a rank in the communicator that is to be split; *comm is TM_NONE for a rank
 * that is split no further. */
static int look_at(const struct split *s, int rank, int *comm)
{
	int object;

	*comm = tm_hierarchy_above(s->h, s->h->level_count, rank);
	if (s->h->split[*comm] != TM_NONE && s->h->split[*comm] != s->h->level_count)
		*comm = TM_NONE;
	object = tm_instance_of_rank(s->objects, s->placement, rank);
	return object == TM_NONE && s->keeps_rest && *comm != TM_NONE ? s->objects->count + *comm :
	       object;
}

/* Mark the communicators that fall apart at this level: two ranks are not limited to the same
 * object. Returns how many, or -1. */
static int mark_split(const struct split *s, struct tm_error *err)
{
	struct tm_hierarchy *h = s->h;
	int *seen = tm_alloc((size_t)h->comm_count, sizeof *seen, err); /* object + 2; 0: none yet */
	int marked = 0;

	if (!seen)
		return -1;
	for (int r = 0; r < h->size; r++) {
		int comm, object = look_at(s, r, &comm);

		if (comm == TM_NONE || h->split[comm] != TM_NONE)
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
static int comm_of(struct split *s, int *number, int object, struct tm_error *err)
{
	struct tm_hierarchy *h = s->h;

	if (number[object])
		return number[object];
	if (tm_grow(&h->split, &s->capacity, (size_t)h->comm_count + 1, sizeof *h->split, err) < 0)
		return TM_NONE;
	h->split[h->comm_count] = TM_NONE;
	number[object] = h->comm_count++;
	return number[object];
}

/* An object lies within the one that the communicator above is of, so it stands for one
 * communicator. */
static int number_comms(struct split *s, int *comm_of_rank, struct tm_error *err)
{
	int *number = tm_alloc((size_t)s->objects->count + (size_t)s->h->comm_count, sizeof *number,
			       err);
	int status = number ? 0 : -1;

	for (int r = 0; r < s->h->size && status == 0; r++) {
		int comm, object = look_at(s, r, &comm);

		comm_of_rank[r] = tm_hierarchy_above(s->h, s->h->level_count, r);
		if (comm == TM_NONE || s->h->split[comm] == TM_NONE || object == TM_NONE)
			continue;
		comm_of_rank[r] = comm_of(s, number, object, err);
		status = comm_of_rank[r] == TM_NONE ? -1 : 0;
	}
	free(number);
	return status;
}

/* The level is there as soon as its communicators are. */
static int split_at(struct split *s, const struct tm_rung *rung, int tier, struct tm_error *err)
{
	struct tm_hierarchy *h = s->h;
	int marked = mark_split(s, err);
	struct tm_hierarchy_level level = {
		.tier = tier, .kind = rung->kind, .first = h->comm_count };

	if (marked <= 0)
		return marked;
	level.name = tm_strdup(rung->name, err);
	level.comm = tm_alloc_raw((size_t)h->size, sizeof *level.comm, err);
	if (!level.name || !level.comm || number_comms(s, level.comm, err) < 0) {
		free(level.name);
		free(level.comm);
		return -1;
	}
	level.end = h->comm_count;
	h->level[h->level_count++] = level;
	return 0;
}

static int split_rung(struct split *s, const struct tm_rungs *rungs, int i, struct tm_error *err)
{
	const struct tm_rung *rung = &rungs->rung[i];
	int status, tier = TM_NONE;
	struct tm_instances objects;

	if (rung->tier != TM_NONE) {
		tier = rungs->levels.level[rung->tier].tier;
		status = tm_instances_init_tier(&objects, &rungs->levels, rung->tier, err);
	} else {
		status = tm_instances_init(&objects, rungs->levels.machine, rung->kind, err);
	}
	if (status < 0)
		return -1;
	s->objects = &objects;
	status = split_at(s, rung, tier, err);
	tm_instances_fini(&objects);
	return status;
}

static int split_all(struct split *s, const struct tm_rungs *rungs, struct tm_error *err)
{
	struct tm_hierarchy *h = s->h;

	h->level = tm_alloc((size_t)rungs->count, sizeof *h->level, err);
	if (!h->level ||
	    tm_grow(&h->split, &s->capacity, 1, sizeof *h->split, err) < 0)
		return -1;
	h->split[0] = TM_NONE;
	h->comm_count = 1;
	for (int i = 0; i < rungs->count; i++)
		if (split_rung(s, rungs, i, err) < 0)
			return -1;
	return 0;
}

static int64_t count_members(const struct tm_hierarchy *h)
{
	int64_t count = h->size;

	for (int l = 0; l < h->level_count; l++)
		for (int r = 0; r < h->size; r++)
			count += tm_hierarchy_has(h, l, r);
	return count;
}

static int alloc_comms(struct tm_hierarchy *h, struct tm_error *err)
{
	size_t comms = (size_t)h->comm_count;

	h->conduit = tm_alloc_raw(comms, sizeof *h->conduit, err);
	h->member_first = tm_alloc_raw(comms + 1, sizeof *h->member_first, err);
	h->group_first = tm_alloc_raw(comms + 1, sizeof *h->group_first, err);
	h->member = tm_alloc_raw((size_t)count_members(h), sizeof *h->member, err);
	h->group = tm_alloc_raw((size_t)h->size + comms - 1, sizeof *h->group, err);
	return h->conduit && h->member_first && h->group_first && h->member && h->group ? 0 : -1;
}

static int add_conduits(struct tm_hierarchy *h, const struct tm_placement *placement,
			enum tm_elect elect, struct tm_error *err)
{
	int *key;

	if (alloc_comms(h, err) < 0)
		return -1;
	key = tm_elect_keys(placement, elect, h->root, err);
	if (!key)
		return -1;
	tm_hierarchy_gather(h);
	tm_hierarchy_elect(h, key);
	tm_hierarchy_meet(h);
	free(key);
	return 0;
}

int tm_hierarchy_init(struct tm_hierarchy *h, const struct tm_placement *placement,
		      const char *levels, int root, enum tm_elect elect, struct tm_error *err)
{
	struct tm_hierarchy made = { .size = placement->size, .root = root };
	struct split split = { .h = &made, .placement = placement };
	struct tm_rungs rungs;
	int status = 0;

	if (root < 0 || root >= placement->size)
		return tm_fail(err, TM_INPUT, "root %d is not one of the %d ranks", root,
			       placement->size);
	if (tm_rungs_init(&rungs, placement->machine, levels, err) < 0)
		return -1;
	if (split_all(&split, &rungs, err) < 0 || add_conduits(&made, placement, elect, err) < 0)
		status = -1;
	tm_rungs_fini(&rungs);
	if (status < 0)
		tm_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}

/* Which of the levels that MPICH knows the machine has. */
static char *mpich_levels(const struct tm_machine *machine, struct tm_error *err)
{
	bool has_cores = false;

	for (int t = 0; t < machine->topology_count; t++)
		has_cores |= tm_topology_count(&machine->topology[t], TM_CORE) > 0;
	return tm_format(err, "node,package,numa,%spu", has_cores ? "core," : "");
}

int tm_hierarchy_init_mpich(struct tm_hierarchy *h, const struct tm_placement *placement,
			    struct tm_error *err)
{
	struct tm_hierarchy made = { .size = placement->size };
	struct split split = { .h = &made, .placement = placement, .keeps_rest = true };
	char *levels = mpich_levels(placement->machine, err);
	struct tm_rungs rungs = { 0 };
	int status = -1;

	if (levels && tm_rungs_init(&rungs, placement->machine, levels, err) == 0)
		status = split_all(&split, &rungs, err);
	tm_rungs_fini(&rungs);
	free(levels);
	if (status < 0)
		tm_hierarchy_fini(&made);
	else
		*h = made;
	return status;
}
