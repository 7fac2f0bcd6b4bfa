#include "core/group/rungs.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

/* Node, and what a node is where it has no such objects. */
static const enum tm_type everywhere[] = { TM_NODE, TM_BOARD, TM_PACKAGE, TM_NUMA };

enum { EVERYWHERE = sizeof everywhere / sizeof everywhere[0] };

void tm_rungs_fini(struct tm_rungs *rungs)
{
	for (int i = 0; i < rungs->count; i++)
		free(rungs->rung[i].name);
	free(rungs->rung);
	tm_levels_fini(&rungs->levels);
	*rungs = (struct tm_rungs){ 0 };
}

/* Takes over the name, which may be NULL. */
static int add(struct tm_rungs *rungs, char *name, int tier, struct tm_level_kind kind)
{
	if (!name)
		return -1;
	rungs->rung[rungs->count++] = (struct tm_rung){ name, tier, kind };
	return 0;
}

static bool is_among(const struct tm_level_order *order, enum tm_type type)
{
	for (int i = 0; i < order->count; i++)
		if (order->kind[i].type == type && order->kind[i].nest == 0)
			return true;
	return false;
}

static int add_tiers(struct tm_rungs *rungs, struct tm_error *err)
{
	for (int i = 0; i < rungs->levels.count && rungs->levels.level[i].tier != TM_NONE; i++)
		if (add(rungs, tm_strdup(rungs->levels.level[i].name, err), i,
			(struct tm_level_kind){ TM_NODE, 0 }) < 0)
			return -1;
	return 0;
}

/* Every level there is. The node comes first, then what every node is at least one of. */
static int add_all(struct tm_rungs *rungs, const struct tm_level_order *order,
		   struct tm_error *err)
{
	if (add_tiers(rungs, err) < 0)
		return -1;
	for (int i = 0; i < EVERYWHERE; i++) {
		struct tm_level_kind kind = { everywhere[i], 0 };

		if ((i == 0 || !is_among(order, everywhere[i])) &&
		    add(rungs, tm_level_name(kind, err), TM_NONE, kind) < 0)
			return -1;
	}
	for (int i = 1; i < order->count; i++)
		if (add(rungs, tm_level_name(order->kind[i], err), TM_NONE, order->kind[i]) < 0)
			return -1;
	return 0;
}

static int find(const struct tm_rungs *rungs, const char *name, size_t length)
{
	for (int i = 0; i < rungs->count; i++)
		if (strlen(rungs->rung[i].name) == length &&
		    strncmp(rungs->rung[i].name, name, length) == 0)
			return i;
	return TM_NONE;
}

static int refuse(const struct tm_rungs *rungs, const char *name, size_t length,
		  struct tm_error *err)
{
	struct tm_str names = TM_STR_INIT;
	char *list;

	for (int i = 0; i < rungs->count; i++)
		tm_str_addf(&names, "%s%s", i ? ", " : "", rungs->rung[i].name);
	list = tm_str_take(&names, err);
	if (!list)
		return -1;
	tm_fail(err, TM_INPUT, "the machine has no level '%.*s' (it has: %s)",
		(int)(length < 40 ? length : 40), name, list);
	free(list);
	return -1;
}

static int use_named(const struct tm_rungs *rungs, const char *names, bool *use,
		     struct tm_error *err)
{
	for (const char *name = names;; ) {
		size_t length = strcspn(name, ",");
		int at = find(rungs, name, length);

		if (at == TM_NONE)
			return refuse(rungs, name, length, err);
		if (use[at])
			return tm_fail(err, TM_INPUT, "level '%s' is named twice",
				       rungs->rung[at].name);
		use[at] = true;
		if (!name[length])
			return 0;
		name += length + 1;
	}
}

static void keep(struct tm_rungs *rungs, const bool *use)
{
	int kept = 0;

	for (int i = 0; i < rungs->count; i++)
		if (use[i])
			rungs->rung[kept++] = rungs->rung[i];
		else
			free(rungs->rung[i].name);
	rungs->count = kept;
}

static int choose(struct tm_rungs *rungs, const char *names, struct tm_error *err)
{
	bool *use = tm_alloc((size_t)rungs->count, sizeof *use, err);
	int status = use ? 0 : -1;

	for (int i = 0; use && !names && i < rungs->count; i++)
		use[i] = tm_levels_find(&rungs->levels, rungs->rung[i].name) != TM_NONE;
	if (use && names)
		status = use_named(rungs, names, use, err);
	if (status == 0)
		keep(rungs, use);
	free(use);
	return status;
}

int tm_rungs_init(struct tm_rungs *rungs, const struct tm_machine *machine, const char *names,
		  struct tm_error *err)
{
	struct tm_rungs made = { 0 };
	struct tm_level_order order = { 0 };
	int status = -1;

	if (tm_levels_init(&made.levels, machine, err) < 0)
		return -1;
	if (tm_level_order_init(&order, machine->topology, machine->topology_count, err) == 0) {
		made.rung = tm_alloc((size_t)(made.levels.count + EVERYWHERE + order.count),
				     sizeof *made.rung, err);
		if (made.rung && add_all(&made, &order, err) == 0)
			status = choose(&made, names, err);
	}
	tm_level_order_fini(&order);
	if (status < 0)
		tm_rungs_fini(&made);
	else
		*rungs = made;
	return status;
}
