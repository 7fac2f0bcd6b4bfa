/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/level_costs.h"

#include "core/base/mem.h"
#include "core/base/string.h"

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

/* "node:100", of which the colon is cut. */
static int parse_one(double *costs, char *text, const struct tmap_levels *levels,
		     struct tmap_error *err)
{
	char *colon = strrchr(text, ':'), *end;
	int level;

	if (!colon)
		return tmap_fail(err, TMAP_USAGE, "'%s' is not written LEVEL:COST", text);
	*colon = '\0';
	level = tmap_levels_find(levels, text);
	if (level == TMAP_NONE)
		return refuse_level(text, levels, err);
	if (costs[level] >= 0)
		return tmap_fail(err, TMAP_USAGE, "the level %s has two costs", text);
	costs[level] = strtod(colon + 1, &end);
	if (end == colon + 1 || *end || !isfinite(costs[level]) || costs[level] < 0)
		return tmap_fail(err, TMAP_USAGE, "'%s' is no cost, a number of at least 0",
				 colon + 1);
	return 0;
}

static int parse_all(double *costs, char *text, const struct tmap_levels *levels,
		     struct tmap_error *err)
{
	char *rest = text;

	for (int l = 0; l < levels->count; l++)
		costs[l] = -1;
	for (char *item; (item = strsep(&rest, ",")) != NULL;)
		if (parse_one(costs, item, levels, err) < 0)
			return -1;
	for (int l = levels->count - 1; l >= 0; l--)
		if (costs[l] < 0)
			costs[l] = l < levels->count - 1 ? costs[l + 1] : 0;
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
