/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Index of the level of the topmost switches if these leave nodes apart, else TMAP_NONE. */
static int parted_level(const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;

	if (!machine->tier_count)
		return TMAP_NONE;
	return tmap_levels_find(&it->levels, machine->tier[machine->tier_count - 1].name);
}

enum tmap_lint_answer tmap_lint_no_common_switch(struct tmap_finding *finding,
						 const struct tmap_inspection *it,
						 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int level = parted_level(it), example = TMAP_NONE;
	char *where, *what = NULL;

	if (!p->machine->tier_count && it->order.used_nodes > 1)
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("the placement has no switches", err));
	for (int r = 1; level != TMAP_NONE && r < p->size; r++) {
		if (tmap_levels_number(&it->levels, level, p->node[r], 0) ==
		    tmap_levels_number(&it->levels, level, p->node[0], 0))
			continue;
		if (example == TMAP_NONE)
			example = p->node[r];
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	where = tmap_lint_where(finding, example, true, err);
	if (where)
		what = tmap_format(err, "no known switch joins %s with %s, where rank 0 is", where,
				   p->machine->node_name[p->node[0]]);
	free(where);
	return tmap_lint_found_take(finding, what, err);
}
