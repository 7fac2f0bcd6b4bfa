/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/level_costs.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/types.h"

#include <ctype.h>
#include <math.h>
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

/* What the text says; below 0: nothing. */
struct level_costs {
	const struct tmap_levels *levels;
	double *cost;                   /* [levels->count] */
	double absent[TMAP_TYPE_COUNT]; /* of levels that this machine has not, or not of their own */
};

/* "switch2", of a tier that this machine has not. */
static bool is_tier(const char *name)
{
	size_t length = strlen("switch");

	return strncmp(name, "switch", length) == 0 && isdigit((unsigned char)name[length]) &&
		strspn(name + length, "0123456789") == strlen(name + length);
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
	return is_tier(name) ? unused : NULL;
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
	if (*cost >= 0)
		return tmap_fail(err, TMAP_USAGE, "the level %s has two costs", text);
	*cost = strtod(colon + 1, &end);
	if (end == colon + 1 || *end || !isfinite(*cost) || *cost < 0)
		return tmap_fail(err, TMAP_USAGE, "'%s' is no cost, a number of at least 0",
				 colon + 1);
	return 0;
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

	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		costs.absent[type] = -1;
	for (int l = 0; l < levels->count; l++)
		cost[l] = -1;
	for (char *item; (item = strsep(&rest, ",")) != NULL;)
		if (parse_one(&costs, item, err) < 0)
			return -1;
	absent_merge(&costs);
	for (int l = levels->count - 1; l >= 0; l--)
		if (cost[l] < 0)
			cost[l] = l < levels->count - 1 ? cost[l + 1] : 0;
	return 0;
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
