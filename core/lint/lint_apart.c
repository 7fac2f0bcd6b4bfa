/* SPDX-License-Identifier: BSD-3-Clause */
/* PUs that the system keeps apart from ranks, or between which it moves no thread. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/machine/overlap.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int setting_of(const struct tmap_placement *p, int rank)
{
	return p->setting ? p->setting[rank] : 0;
}

int tmap_lint_isolated_count(const struct tmap_placement *p, int rank)
{
	const struct tmap_system *system = tmap_machine_system(p->machine, p->node[rank]);
	const struct tmap_place *place = &p->places[p->place[rank]];
	const struct tmap_setting *setting = &p->settings[setting_of(p, rank)];
	int threads = tmap_setting_threads(setting, NULL);

	if (threads < 2 || threads > tmap_idset_size(&place->pus) || !place->bound || !system ||
	    !setting->environment || tmap_setting_binds_threads(setting) ||
	    !tmap_idset_is_subset(&place->pus, &system->isolated))
		return 0;
	return threads;
}

static char *isolated_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  struct tmap_error *err)
{
	static const char bind[] = "bind each rank to as many cores of its own as it has threads";
	char *text, *fix;

	/* places of the same cores would be taken by all of them */
	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r))
		if (it->shares[r] & TMAP_SHARES_PU) {
			text = tmap_lint_threads_fix(finding, it, bind, bind, err);
			fix = text ? tmap_format(err, "%s, and %s", text, finding->rule->fix) :
				     NULL;
			free(text);
			return fix;
		}
	return tmap_lint_fix(finding, finding->rule->fix, err);
}

enum tmap_lint_answer tmap_lint_isolated_threads(struct tmap_finding *finding,
						 const struct tmap_inspection *it,
						 struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int example = TMAP_NONE, threads, pus;
	const char *why = NULL;

	if (!p->machine->system_count)
		return tmap_lint_skip_system(finding, err);
	for (int r = 0; r < p->size && p->setting_count; r++) {
		if (!tmap_lint_isolated_count(p, r))
			continue;
		example = example == TMAP_NONE ? r : example;
		if (tmap_idset_add(&finding->ranks, r, err) < 0)
			return TMAP_LINT_FAILED;
	}
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	threads = tmap_setting_threads(&p->settings[setting_of(p, example)], &why);
	pus = (int)tmap_idset_size(&p->places[p->place[example]].pus);
	tmap_lint_figure(finding, "threads", threads);
	tmap_lint_figure(finding, "pus", pus);
	finding->fix = isolated_fix(finding, it, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err,
			    "%d threads on %d isolated PUs (%s%srank %d), and nothing binds them",
			    threads, pus, why ? why : "", why ? " of " : "", example),
		err);
}

/* A PU of the place that the job may not use, by OS index, or TMAP_NONE. */
static int disallowed_pu(const struct tmap_topology *topo, const struct tmap_place *place)
{
	for (int i = 0; i < topo->pu_count && place->bound; i++)
		if (!topo->pu[i].allowed && tmap_idset_contains(&place->pus, topo->pu[i].os))
			return topo->pu[i].os;
	return TMAP_NONE;
}

/* "0-3": the PUs of the node that the job may use. */
static char *allowed_print(const struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	char *text = NULL;
	int status = 0;

	for (int i = 0; i < topo->pu_count && status == 0; i++)
		if (topo->pu[i].allowed)
			status = tmap_idset_add(&pus, topo->pu[i].os, err);
	if (status == 0)
		text = tmap_idset_print(&pus, err);
	tmap_idset_fini(&pus);
	return text;
}

static char *disallowed_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			    int rank, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, rank);
	int cores = tmap_room_cores_needed(it), each = it->order.ranks_max;
	int64_t wanted = (int64_t)each * cores;
	bool has_room = wanted <= tmap_topology_allowed_cores(topo);
	char *pus = allowed_print(topo, err), *text = NULL, *fix = NULL;

	if (pus && !has_room)
		fix = tmap_format(
			err,
			"ask for as many CPUs as the ranks of a node need, %lld cores, as "
			"the job has PUs %s only",
			(long long)wanted, pus);
	else if (pus)
		text = tmap_format(err, "bind the ranks to PUs %s, which the job has", pus);
	if (text)
		fix = tmap_lint_apart_fix(finding, it, text, each, it->order.used_nodes, cores,
					  err);
	free(text);
	free(pus);
	return fix;
}

enum tmap_lint_answer tmap_lint_disallowed_pus(struct tmap_finding *finding,
					       const struct tmap_inspection *it,
					       struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	int *known = tmap_alloc_raw((size_t)p->place_count, sizeof *known, err), status = 0;
	int example = TMAP_NONE, pu = TMAP_NONE;

	for (int i = 0; known && i < p->place_count; i++)
		known[i] =
			disallowed_pu(&p->machine->topology[p->places[i].topology], &p->places[i]);
	for (int r = 0; known && r < p->size && status == 0; r++) {
		if (known[p->place[r]] == TMAP_NONE)
			continue;
		if (example == TMAP_NONE) {
			example = r;
			pu = known[p->place[r]];
		}
		status = tmap_idset_add(&finding->ranks, r, err);
	}
	status = known ? status : -1;
	free(known);
	if (status < 0)
		return TMAP_LINT_FAILED;
	if (example == TMAP_NONE)
		return TMAP_LINT_NOTHING;
	tmap_lint_figure(finding, "pu", pu);
	finding->fix = disallowed_fix(finding, it, example, err);
	if (!finding->fix)
		return TMAP_LINT_FAILED;
	return tmap_lint_found_take(
		finding,
		tmap_format(err, "bound to PU P#%d of %s, which the job may not use (rank %d)", pu,
			    p->machine->node_name[p->node[example]], example),
		err);
}
