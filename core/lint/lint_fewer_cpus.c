/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"
#include "core/lint/thread_room.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* Where all of the job have too few in the same way, and there is room: as many as were asked for, in words
 * of the launcher. */
static int asked_fix(struct tmap_finding *finding, const struct tmap_inspection *it, int asked,
		     struct tmap_error *err)
{
	int of_core = tmap_room_pus(it, 1), cores;
	char *text;

	if (of_core < 1 || tmap_idset_size(&finding->ranks) < it->placement->size)
		return 0;
	cores = (asked + of_core - 1) / of_core;
	if (!it->order.regular || tmap_room_least_cores(it) < cores)
		return 0;
	text = tmap_format(err, "bind each rank to as many PUs as were asked for (%d)", asked);
	finding->fix = text ? tmap_lint_cores_fix(finding, it, text, cores, true, err) : NULL;
	free(text);
	return finding->fix ? 0 : -1;
}

enum tmap_lint_answer tmap_lint_fewer_cpus(struct tmap_finding *finding,
					   const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, asked = 0, pus = 0, node = TMAP_NONE, kept = 0;
	bool is_known = false, is_same = true;
	const char *name = NULL;
	char of[32] = "";

	for (int i = 0; i < p->setting_count; i++)
		is_known |= p->settings[i].environment;
	if (!is_known)
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement does not have its ranks' environment", err));
	for (int r = 0; r < p->size; r++) {
		const struct tmap_setting *setting = &p->settings[tmap_thread_setting(p, r)];
		const struct tmap_place *place = &p->places[p->place[r]];
		const char *why;
		int wanted = tmap_setting_cpus(setting, &why);

		if (!place->bound || wanted <= tmap_idset_size(&place->pus))
			continue;
		if (p->node[r] != node) {
			node = p->node[r];
			kept = tmap_lint_system_pus(it, node);
		}
		if (wanted <= tmap_idset_size(&place->pus) + kept)
			continue;
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
		if (example == TMAP_NONE) {
			example = r;
			asked = wanted;
			name = why;
			pus = (int)tmap_idset_size(&place->pus);
		}
		is_same = is_same && wanted == asked && tmap_idset_size(&place->pus) == pus;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	/* where more threads were to run on them, this is why they are too few */
	if (tmap_setting_threads(&p->settings[tmap_thread_setting(p, example)], NULL) > pus)
		finding->severity = TMAP_SEVERITY_WARNING;
	if (!is_same)
		snprintf(of, sizeof of, " (rank %d)", example);
	else if (asked_fix(finding, it, asked, err) < 0)
		return TMAP_LINT_FAILED;
	tmap_lint_figure(finding, "asked", asked);
	tmap_lint_figure(finding, "pus", pus);
	return tmap_lint_found_take(finding,
				    tmap_format(err, "bound to %d PU%s, while %s is %d%s", pus,
						pus == 1 ? "" : "s", name, asked, of),
				    err);
}
