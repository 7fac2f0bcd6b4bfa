#include "core/group/rungs.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

/* Node, and what a node is where it has no such objects. */
static const enum tmap_type everywhere[] = { TMAP_NODE, TMAP_BOARD, TMAP_PACKAGE, TMAP_NUMA };

enum { EVERYWHERE = sizeof everywhere / sizeof everywhere[0] };

void tmap_rungs_fini(struct tmap_rungs *rungs)
{
	for (int i = 0; i < rungs->count; i++)
		free(rungs->rung[i].name);
	free(rungs->rung);
	tmap_levels_fini(&rungs->levels);
	*rungs = (struct tmap_rungs){ 0 };
}

/* Takes over the name, which may be NULL. */
static int add(struct tmap_rungs *rungs, char *name, int tier, struct tmap_level_kind kind)
{
	if (!name)
		return -1;
	rungs->rung[rungs->count++] = (struct tmap_rung){ name, tier, kind };
	return 0;
}

static bool is_among(const struct tmap_level_order *order, enum tmap_type type)
{
	for (int i = 0; i < order->count; i++)
		if (order->kind[i].type == type && order->kind[i].nest == 0)
			return true;
	return false;
}

static int add_tiers(struct tmap_rungs *rungs, struct tmap_error *err)
{
	for (int i = 0; i < rungs->levels.count && rungs->levels.level[i].tier != TMAP_NONE; i++)
		if (add(rungs, tmap_strdup(rungs->levels.level[i].name, err), i,
			(struct tmap_level_kind){ TMAP_NODE, 0 }) < 0)
			return -1;
	return 0;
}

/* Every level there is. The node comes first, then what every node is at least one of. */
static int add_all(struct tmap_rungs *rungs, const struct tmap_level_order *order,
		   struct tmap_error *err)
{
	if (add_tiers(rungs, err) < 0)
		return -1;
	for (int i = 0; i < EVERYWHERE; i++) {
		struct tmap_level_kind kind = { everywhere[i], 0 };

		if ((i == 0 || !is_among(order, everywhere[i])) &&
		    add(rungs, tmap_level_name(kind, err), TMAP_NONE, kind) < 0)
			return -1;
	}
	for (int i = 1; i < order->count; i++)
		if (add(rungs, tmap_level_name(order->kind[i], err), TMAP_NONE, order->kind[i]) < 0)
			return -1;
	return 0;
}

static int find(const struct tmap_rungs *rungs, const char *name, size_t length)
{
	for (int i = 0; i < rungs->count; i++)
		if (strlen(rungs->rung[i].name) == length &&
		    strncmp(rungs->rung[i].name, name, length) == 0)
			return i;
	return TMAP_NONE;
}

static int refuse(const struct tmap_rungs *rungs, const char *name, size_t length,
		  struct tmap_error *err)
{
	struct tmap_str names = TMAP_STR_INIT;
	char *list;

	for (int i = 0; i < rungs->count; i++)
		tmap_str_addf(&names, "%s%s", i ? ", " : "", rungs->rung[i].name);
	list = tmap_str_take(&names, err);
	if (!list)
		return -1;
	tmap_fail(err, TMAP_INPUT, "the machine has no level '%.*s' (it has: %s)",
		  (int)(length < 40 ? length : 40), name, list);
	free(list);
	return -1;
}

static int use_named(const struct tmap_rungs *rungs, const char *names, bool *use,
		     struct tmap_error *err)
{
	for (const char *name = names;;) {
		size_t length = strcspn(name, ",");
		int at = find(rungs, name, length);

		if (at == TMAP_NONE)
			return refuse(rungs, name, length, err);
		if (use[at])
			return tmap_fail(err, TMAP_INPUT, "level '%s' is named twice",
					 rungs->rung[at].name);
		use[at] = true;
		if (!name[length])
			return 0;
		name += length + 1;
	}
}

static void keep(struct tmap_rungs *rungs, const bool *use)
{
	int kept = 0;

	for (int i = 0; i < rungs->count; i++)
		if (use[i])
			rungs->rung[kept++] = rungs->rung[i];
		else
			free(rungs->rung[i].name);
	rungs->count = kept;
}

static int choose(struct tmap_rungs *rungs, const char *names, struct tmap_error *err)
{
	bool *use = tmap_alloc((size_t)rungs->count, sizeof *use, err);
	int status = use ? 0 : -1;

	for (int i = 0; use && !names && i < rungs->count; i++)
		use[i] = tmap_levels_find(&rungs->levels, rungs->rung[i].name) != TMAP_NONE;
	if (use && names)
		status = use_named(rungs, names, use, err);
	if (status == 0)
		keep(rungs, use);
	free(use);
	return status;
}

int tmap_rungs_init(struct tmap_rungs *rungs, const struct tmap_machine *machine, const char *names,
		    struct tmap_error *err)
{
	struct tmap_rungs made = { 0 };
	struct tmap_level_order order = { 0 };
	int status = -1;

	if (tmap_levels_init(&made.levels, machine, err) < 0)
		return -1;
	if (tmap_level_order_init(&order, machine->topology, machine->topology_count, err) == 0) {
		made.rung = tmap_alloc((size_t)(made.levels.count + EVERYWHERE + order.count),
				       sizeof *made.rung, err);
		if (made.rung && add_all(&made, &order, err) == 0)
			status = choose(&made, names, err);
	}
	tmap_level_order_fini(&order);
	if (status < 0)
		tmap_rungs_fini(&made);
	else
		*rungs = made;
	return status;
}
