#include "core/score/divisions.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_divisions_fini(struct tmap_divisions *divisions)
{
	for (int l = 0; divisions->at && l < divisions->levels->count; l++)
		free(divisions->at[l].members);
	free(divisions->at);
	*divisions = (struct tmap_divisions){ 0 };
}

static int look(struct tmap_division *division, const struct tmap_divisions *divisions, int level,
		int root, struct tmap_error *err)
{
	const struct tmap_placement *placement = divisions->placement;
	int before = TMAP_NONE, objects = divisions->levels->level[level].sets.count;
	int64_t p = placement->size;

	division->members = tmap_alloc((size_t)objects, sizeof *division->members, err);
	if (!division->members)
		return -1;
	for (int r = 0; r < p; r++) {
		int number = tmap_levels_of_rank(divisions->levels, level, placement, r);

		division->members[number]++;
		division->runs += number != before;
		before = number;
	}
	for (int i = 0; i < objects; i++) {
		division->objects += division->members[i] > 0;
		division->apart += division->members[i] * (p - division->members[i]);
	}
	division->outside = (division->objects - 1) * p;
	division->beyond_root = p -
		division->members[tmap_levels_of_rank(divisions->levels, level, placement, root)];
	return 0;
}

int tmap_divisions_init(struct tmap_divisions *divisions, const struct tmap_placement *placement,
			const struct tmap_levels *levels, int root, struct tmap_error *err)
{
	struct tmap_divisions made = { .placement = placement, .levels = levels };
	int status = -1;

	made.at = tmap_alloc((size_t)levels->count, sizeof *made.at, err);
	if (made.at)
		status = 0;
	for (int l = 0; l < levels->count && status == 0; l++)
		status = look(&made.at[l], &made, l, root, err);
	if (status < 0)
		tmap_divisions_fini(&made);
	else
		*divisions = made;
	return status;
}
