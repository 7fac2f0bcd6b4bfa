#include "core/score/divisions.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tm_divisions_fini(struct tm_divisions *divisions)
{
	for (int l = 0; divisions->at && l < divisions->levels->count; l++)
		free(divisions->at[l].members);
	free(divisions->at);
	*divisions = (struct tm_divisions){ 0 };
}

static int look(struct tm_division *division, const struct tm_divisions *divisions, int level,
		int root, struct tm_error *err)
{
	const struct tm_placement *placement = divisions->placement;
	int before = TM_NONE, objects = divisions->levels->level[level].number_count;
	int64_t p = placement->size;

	division->members = tm_alloc((size_t)objects, sizeof *division->members, err);
	if (!division->members)
		return -1;
	for (int r = 0; r < p; r++) {
		int number = tm_levels_of_rank(divisions->levels, level, placement, r);

		division->members[number]++;
		division->runs += number != before;
		before = number;
	}
	for (int i = 0; i < objects; i++) {
		division->objects += division->members[i] > 0;
		division->apart += division->members[i] * (p - division->members[i]);
	}
	division->outside = (division->objects - 1) * p;
	division->beyond_root =
		p - division->members[tm_levels_of_rank(divisions->levels, level, placement, root)];
	return 0;
}

int tm_divisions_init(struct tm_divisions *divisions, const struct tm_placement *placement,
		    const struct tm_levels *levels, int root, struct tm_error *err)
{
	struct tm_divisions made = { .placement = placement, .levels = levels };
	int status = -1;

	made.at = tm_alloc((size_t)levels->count, sizeof *made.at, err);
	if (made.at)
		status = 0;
	for (int l = 0; l < levels->count && status == 0; l++)
		status = look(&made.at[l], &made, l, root, err);
	if (status < 0)
		tm_divisions_fini(&made);
	else
		*divisions = made;
	return status;
}
