/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/split_levels.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

/* The object of the kind around each object, as its number on the node. Parents come first;
 * objects over the same PUs are one place. */
static int number_objects(int *local, const struct tmap_topology *topo, const void *context,
			  struct tmap_error *err)
{
	const struct tmap_level_kind *kind = context;
	int *number = tmap_alloc((size_t)topo->object_count, sizeof *number, err);
	int count = 0, outside = tmap_level_is_implied(topo, *kind) ? 0 : TMAP_NONE;

	if (!number)
		return -1;
	for (int i = 0; i < topo->object_count; i++) {
		int around = tmap_level_around(topo, *kind, i);

		if (around == TMAP_NONE)
			around = outside;
		local[i] = TMAP_NONE;
		if (around == TMAP_NONE)
			continue;
		if (!number[around])
			number[around] = ++count;
		local[i] = number[around] - 1;
	}
	for (int i = topo->object_count - 2; i >= 0; i--)
		if (topo->object[i + 1].first_pu == topo->object[i].first_pu &&
		    topo->object[i + 1].end_pu == topo->object[i].end_pu)
			local[i] = local[i + 1];
	free(number);
	return count;
}

int tmap_split_partition_init(struct tmap_partition *p, const struct tmap_machine *machine,
			      struct tmap_level_kind kind, struct tmap_error *err)
{
	return tmap_partition_init_objects(p, machine, number_objects, &kind,
					   tmap_type_name(kind.type), err);
}

static bool order_has(const struct tmap_level_order *order, enum tmap_type type)
{
	for (int i = 0; i < order->count; i++)
		if (order->kind[i].type == type && order->kind[i].nest == 0)
			return true;
	return false;
}

static int levels_add(struct tmap_levels *levels, struct tmap_level_kind kind,
		      struct tmap_error *err)
{
	struct tmap_level level = { .tier = TMAP_NONE, .kind = kind };

	level.name = tmap_level_name(kind, err);
	if (!level.name)
		return -1;
	levels->level[levels->count++] = level;
	return 0;
}

/* Every level there is, those inside nodes without their sets: the tiers of @p known, which gives
 * them up; the node; what every node is at least one of; what the topologies have. */
static int levels_add_all(struct tmap_levels *all, struct tmap_levels *known,
			  const struct tmap_level_order *order, struct tmap_error *err)
{
	int tiers = 0;

	while (tiers < known->count && known->level[tiers].tier != TMAP_NONE)
		tiers++;
	memcpy(all->level, known->level, (size_t)tiers * sizeof *all->level);
	all->count = tiers;
	known->count -= tiers;
	memmove(known->level, known->level + tiers, (size_t)known->count * sizeof *known->level);
	for (enum tmap_type type = TMAP_NODE; type < TMAP_TYPE_COUNT; type++)
		if (tmap_types[type].implied && (type == TMAP_NODE || !order_has(order, type)) &&
		    levels_add(all, (struct tmap_level_kind){ type, 0 }, err) < 0)
			return -1;
	for (int i = 1; i < order->count; i++)
		if (levels_add(all, order->kind[i], err) < 0)
			return -1;
	return 0;
}

static bool name_is(const char *its, const char *name, size_t length)
{
	return strlen(its) == length && strncmp(its, name, length) == 0;
}

/* A tier that is left out for having the nodes of another one is that one. */
static int levels_find(const struct tmap_levels *levels, const char *name, size_t length)
{
	for (int i = 0; i < levels->count; i++)
		if (name_is(levels->level[i].name, name, length))
			return i;
	for (int t = 0; t < levels->machine->tier_count; t++)
		if (name_is(levels->machine->tier[t].name, name, length))
			return tmap_levels_find_tier(levels, t);
	return TMAP_NONE;
}

static int refuse_name(const struct tmap_levels *levels, const char *name, size_t length,
		       struct tmap_error *err)
{
	struct tmap_str names = TMAP_STR_INIT;
	char *list;

	for (int i = 0; i < levels->count; i++)
		tmap_str_addf(&names, "%s%s", i ? ", " : "", levels->level[i].name);
	list = tmap_str_take(&names, err);
	if (!list)
		return -1;
	tmap_fail(err, TMAP_INPUT, "the machine has no level '%.*s' (it has: %s)",
		  (int)(length < 40 ? length : 40), name, list);
	free(list);
	return -1;
}

static int use_named(const struct tmap_levels *levels, const char *names, bool *use,
		     struct tmap_error *err)
{
	for (const char *name = names;;) {
		size_t length = strcspn(name, ",");
		int at = levels_find(levels, name, length);

		if (at == TMAP_NONE)
			return refuse_name(levels, name, length, err);
		if (use[at])
			return tmap_fail(err, TMAP_INPUT, "level '%s' is named twice",
					 levels->level[at].name);
		use[at] = true;
		if (!name[length])
			return 0;
		name += length + 1;
	}
}

/* Keep the levels in use and give them their sets. */
static int levels_keep(struct tmap_levels *levels, const bool *use, struct tmap_error *err)
{
	int count = levels->count, status = 0;

	levels->count = 0;
	for (int i = 0; i < count; i++) {
		struct tmap_level level = levels->level[i];

		if (!use[i]) {
			free(level.name);
			tmap_partition_fini(&level.sets);
			continue;
		}
		if (level.tier == TMAP_NONE && status == 0) {
			status = tmap_split_partition_init(&level.sets, levels->machine, level.kind,
							   err);
			level.object_count = level.sets.count;
		}
		levels->level[levels->count++] = level;
	}
	return status;
}

int tmap_split_levels_init(struct tmap_levels *levels, const struct tmap_machine *machine,
			   const char *names, struct tmap_error *err)
{
	struct tmap_levels made = { .machine = machine }, known;
	struct tmap_level_order order = { 0 };
	bool *use = NULL;
	int status = -1;

	if (tmap_levels_init(&known, machine, err) < 0)
		return -1;
	if (tmap_level_order_init(&order, machine->topology, machine->topology_count, err) < 0)
		goto out;
	made.level = tmap_alloc((size_t)(known.count + TMAP_TYPE_COUNT + order.count),
				sizeof *made.level, err);
	use = tmap_alloc((size_t)(known.count + TMAP_TYPE_COUNT + order.count), sizeof *use, err);
	if (!made.level || !use)
		goto out;
	status = levels_add_all(&made, &known, &order, err);
	for (int i = 0; status == 0 && !names && i < made.count; i++)
		use[i] = made.level[i].tier != TMAP_NONE ||
			tmap_levels_find(&known, made.level[i].name) != TMAP_NONE;
	if (status == 0 && names)
		status = use_named(&made, names, use, err);
	if (status == 0)
		status = levels_keep(&made, use, err);
out:
	free(use);
	tmap_level_order_fini(&order);
	tmap_levels_fini(&known);
	if (status < 0)
		tmap_levels_fini(&made);
	else
		*levels = made;
	return status;
}
