/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"
#include "core/lint/thread_room.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* ", and nothing binds them (OMP_PLACES, OMP_PROC_BIND)", with the fix */
static char *print_loose(struct tmap_finding *finding, const struct tmap_setting *setting,
			 struct tmap_error *err)
{
	enum tmap_variable by = tmap_setting_looses_threads(setting);

	if (by == TMAP_VARIABLE_COUNT)
		return tmap_strdup(", and nothing binds them (OMP_PLACES, OMP_PROC_BIND)", err);
	/* OMP_PROC_BIND is set anew */
	finding->fix = tmap_format(err, "%s%s",
				   by == TMAP_KMP_AFFINITY ? "unset KMP_AFFINITY, " : "",
				   finding->rule->fix);
	return finding->fix ? tmap_format(err, ", and %s=%s leaves them unbound",
					  tmap_variables[by].name, setting->variable[by]) :
			      NULL;
}

/* Threads that were bound would be those of all ranks of a place on its first cores: ranks that have
 * one together are other findings, as are those on isolated PUs; and so are those that one NUMA node has cores
 * enough for. */
enum tmap_lint_answer tmap_lint_loose_threads(struct tmap_finding *finding,
					      const struct tmap_inspection *inspection,
					      struct tmap_error *err)
{
	const struct tmap_placement *p = inspection->placement;
	int *ranks = tmap_room_ranks_of_places(inspection, err);
	int widest = tmap_room_widest(inspection, TMAP_NUMA);
	enum tmap_lint_answer answer = TMAP_LINT_FAILED;
	int example = TMAP_NONE, status;
	bool is_far = false;
	struct tmap_thread_rooms it = { 0 };
	char *and = NULL;

	status = ranks ? tmap_thread_rooms_init(&it, p, err) : -1;
	for (int r = 0; r < p->size && status == 0 && p->setting_count; r++) {
		const struct tmap_setting *setting = &p->settings[tmap_thread_setting(p, r)];
		const struct tmap_thread_room *room = &it.room[p->place[r]];
		int threads = tmap_setting_number(setting->variable[TMAP_OMP_NUM_THREADS]);
		bool may_go_far = room->numas > 1 && threads > widest;

		if (!setting->environment || tmap_setting_binds_threads(setting) || threads < 2 ||
		    !p->places[p->place[r]].bound || ranks[p->place[r]] > 1 ||
		    (room->l3s < 2 && !may_go_far) || tmap_lint_isolated_count(p, r))
			continue;
		if (example == TMAP_NONE || (may_go_far && !is_far))
			example = r;
		is_far = is_far || may_go_far;
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	if (is_far)
		finding->severity = TMAP_SEVERITY_WARNING;
	if (status == 0 && !tmap_thread_rooms_are_known(&it, p))
		answer = tmap_lint_threads_skip(finding, err);
	else if (status == 0 && example == TMAP_NONE)
		answer = TMAP_LINT_NOTHING;
	else if (status == 0)
		and = print_loose(finding, &p->settings[tmap_thread_setting(p, example)], err);
	if (and)
		answer = tmap_lint_threads_found(
			finding, &it, p, example,
			is_far ? " of several NUMA nodes" : " of several L3 caches", and, err);
	free(and);
	free(ranks);
	tmap_thread_rooms_fini(&it);
	return answer;
}
