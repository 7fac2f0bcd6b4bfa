/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/level_costs.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/string.h"
#include "core/machine/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_level(const char *name, const struct tmap_levels *levels, struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	char *text;

	for (int l = 0; l < levels->count; l++)
		tmap_str_addf(&list, "%s%s", l ? ", " : "", levels->level[l].name);
	text = tmap_str_take(&list, err);
	if (text)
		tmap_fail(err, TMAP_INPUT, "the machine has no level '%s' (it has: %s)", name,
			  text);
	free(text);
	return -1;
}

/* Of "switch2" and of "node", whether this machine has that tier or not. */
struct tier_cost {
	long tier; /* 2; of nodes 0 */
	double cost;
};

/* What the text says; below 0: nothing. */
struct level_costs {
	const struct tmap_levels *levels;
	double *cost;                   /* [levels->count] */
	double absent[TMAP_TYPE_COUNT]; /* of levels that this machine has not, or not of their own */
	struct tmap_names names;        /* that were said */
	struct tier_cost *tier;         /* [tier_count] */
	size_t tier_count, tier_capacity;
};

enum { TIER_DIGITS = 3 };

/* The tier of "switch2", which counts from 1, and 0 for "node"; TMAP_NONE for another level. */
static long tier_number(const char *name)
{
	static const char tier[] = "switch";
	const char *digits = name + sizeof tier - 1;

	if (strcmp(name, "node") == 0)
		return 0;
	if (strncmp(name, tier, sizeof tier - 1) != 0 || *digits < '1' || *digits > '9' ||
	    strlen(digits) > TIER_DIGITS || strspn(digits, "0123456789") != strlen(digits))
		return TMAP_NONE;
	return strtol(digits, NULL, 10);
}

/* Where the cost of a level goes; *unused where no level of the machine takes it, NULL for a name that
 * no level of any machine has. */
static double *level_costs_find(struct level_costs *costs, const char *name, double *unused)
{
	int level = tmap_levels_find(costs->levels, name), type = tmap_type_find(name);

	if (level != TMAP_NONE)
		return &costs->cost[level];
	if (type != TMAP_NONE)
		return &costs->absent[type];
	return tier_number(name) > 0 ? unused : NULL;
}

static int refuse_twice(const char *name, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_USAGE, "the level %s has two costs", name);
}

static int add_name(struct level_costs *costs, const char *name, struct tmap_error *err)
{
	int count = costs->names.count, number;

	number = tmap_names_intern(&costs->names, name, strlen(name), err);
	if (number == TMAP_NONE)
		return -1;
	return number < count ? refuse_twice(name, err) : 0;
}

static int add_tier(struct level_costs *costs, const char *name, double cost,
		    struct tmap_error *err)
{
	long tier = tier_number(name);

	if (tier == TMAP_NONE)
		return 0;
	if (tmap_grow(&costs->tier, &costs->tier_capacity, costs->tier_count + 1,
		      sizeof *costs->tier, err) < 0)
		return -1;
	costs->tier[costs->tier_count++] = (struct tier_cost){ tier, cost };
	return 0;
}

static int tiers_compare(const void *left, const void *right)
{
	const struct tier_cost *a = left, *b = right;

	return (a->tier > b->tier) - (a->tier < b->tier);
}

static void tier_print(char *name, size_t size, long tier)
{
	snprintf(name, size, tier ? "switch%ld" : "node", tier);
}

/* Costs rise from tier to tier, also where this machine has them not. */
static int check_tiers(struct level_costs *costs, struct tmap_error *err)
{
	char inner[16], outer[16];

	if (costs->tier_count)
		qsort(costs->tier, costs->tier_count, sizeof *costs->tier, tiers_compare);
	for (size_t i = 1; i < costs->tier_count; i++) {
		const struct tier_cost *tier = &costs->tier[i];

		if (tier[-1].cost <= tier->cost)
			continue;
		tier_print(inner, sizeof inner, tier[-1].tier);
		tier_print(outer, sizeof outer, tier->tier);
		return tmap_fail(err, TMAP_INPUT,
				 "level '%s' costs %g, more than the outer level '%s', which "
				 "costs %g",
				 inner, tier[-1].cost, outer, tier->cost);
	}
	return 0;
}

/* "node:100", of which the colon is cut. */
static int parse_one(struct level_costs *costs, char *text, struct tmap_error *err)
{
	char *colon = strrchr(text, ':'), *end;
	double unused = -1, *cost;

	if (!colon)
		return tmap_fail(err, TMAP_USAGE, "'%s' is not written LEVEL:COST", text);
	*colon = '\0';
	cost = level_costs_find(costs, text, &unused);
	if (!cost)
		return refuse_level(text, costs->levels, err);
	if (add_name(costs, text, err) < 0)
		return -1;
	if (*cost >= 0)
		return refuse_twice(text, err);
	*cost = strtod(colon + 1, &end);
	if (end == colon + 1 || *end || !isfinite(*cost) || *cost < 0)
		return tmap_fail(err, TMAP_USAGE, "'%s' is no cost, a number of at least 0",
				 colon + 1);
	return add_tier(costs, text, *cost, err);
}

/* A level that was left out is the next outer one, of which it has the objects: it costs as much, where
 * nothing was said of that. */
static void absent_merge(struct level_costs *costs)
{
	const struct tmap_levels *levels = costs->levels;

	for (int type = 0; type < TMAP_TYPE_COUNT; type++) {
		int outer = TMAP_NONE;

		for (int l = 0; l < levels->count; l++)
			if (levels->level[l].tier == TMAP_NONE &&
			    (int)levels->level[l].kind.type < type)
				outer = l;
		if (costs->absent[type] >= 0 && outer != TMAP_NONE && costs->cost[outer] < 0)
			costs->cost[outer] = costs->absent[type];
	}
}

static int parse_all(double *cost, char *text, const struct tmap_levels *levels,
		     struct tmap_error *err)
{
	struct level_costs costs = { .levels = levels, .cost = cost };
	char *rest = text;
	int status = 0;

	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		costs.absent[type] = -1;
	for (int l = 0; l < levels->count; l++)
		cost[l] = -1;
	for (char *item; status == 0 && (item = strsep(&rest, ",")) != NULL;)
		status = parse_one(&costs, item, err);
	if (status == 0)
		status = check_tiers(&costs, err);
	absent_merge(&costs);
	for (int l = levels->count - 1; l >= 0; l--)
		if (cost[l] < 0)
			cost[l] = l < levels->count - 1 ? cost[l + 1] : 0;
	tmap_names_fini(&costs.names);
	free(costs.tier);
	return status;
}

int tmap_level_costs_parse(double **costs, const char *text, const struct tmap_levels *levels,
			   struct tmap_error *err)
{
	double *made = tmap_alloc((size_t)levels->count, sizeof *made, err);
	char *copy = tmap_strdup(text, err);
	int status = made && copy ? parse_all(made, copy, levels, err) : -1;

	free(copy);
	if (status == 0)
		*costs = made;
	else
		free(made);
	return status;
}
