/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that were asked for, and that OpenMP does not start. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* PUs for the threads of a rank, where its node has @p sharing of them on the same ones. */
static int count_pus(const struct tmap_placement *p, int rank, int sharing)
{
	int pus = (int)tmap_idset_size(&p->places[p->place[rank]].pus);

	return sharing > 1 ? pus / sharing : pus;
}

/* Fewer threads than were asked for, and than there are PUs? */
static bool is_limited(const struct tmap_setting *setting, int pus)
{
	int limit = tmap_setting_number(setting->variable[TMAP_OMP_THREAD_LIMIT]);

	return limit && limit < tmap_setting_asked_threads(setting) && limit < pus;
}

enum tmap_lint_answer tmap_lint_thread_limit(struct tmap_finding *finding,
					     const struct tmap_inspection *it,
					     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	const struct tmap_setting *setting;
	int example, limit, asked, pus, status = 0;
	int *sharing = tmap_room_ranks_of_places(it, err); /* [place_count] */

	if (!sharing)
		return TMAP_LINT_FAILED;
	for (int r = 0; r < p->size && p->setting_count && status == 0; r++)
		if (is_limited(&p->settings[p->setting ? p->setting[r] : 0],
			       count_pus(p, r, sharing[p->place[r]])))
			status = tmap_idset_add(&finding->ranks, r, err);
	example = tmap_idset_next(&finding->ranks, TMAP_NONE);
	pus = example == TMAP_NONE ? 0 : count_pus(p, example, sharing[p->place[example]]);
	free(sharing);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	setting = &p->settings[p->setting ? p->setting[example] : 0];
	limit = tmap_setting_number(setting->variable[TMAP_OMP_THREAD_LIMIT]);
	asked = tmap_setting_asked_threads(setting);
	tmap_lint_figure(finding, "limit", limit);
	tmap_lint_figure(finding, "asked", asked);
	tmap_lint_figure(finding, "pus", pus);
	finding->fix = tmap_format(err, "unset OMP_THREAD_LIMIT, or set it to %d",
				   asked < pus ? asked : pus);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(finding,
				    tmap_format(err,
						"%d thread%s of %d on %d PUs, as OMP_THREAD_LIMIT "
						"is %d and OMP_NUM_THREADS %d (rank %d)",
						limit, limit == 1 ? "" : "s", asked, pus, limit,
						asked, example),
				    err);
}
