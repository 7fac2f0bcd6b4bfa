/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/thread_room.h"

#include "core/base/mem.h"

#include <stdlib.h>

void tmap_thread_rooms_fini(struct tmap_thread_rooms *it)
{
	free(it->room);
	free(it->threads);
	free(it->why);
}

/* The objects of a type that hold PUs of the place. */
static int objects_of(const struct tmap_topology *topo, const struct tmap_place *place,
		      enum tmap_type type)
{
	int last = TMAP_NONE, count = 0;

	for (int pu = 0; pu < topo->pu_count; pu++) {
		int object;

		if (!tmap_idset_contains(&place->pus, topo->pu[pu].os))
			continue;
		object = tmap_topology_ancestor(topo, topo->pu[pu].object, type);
		count += object != TMAP_NONE && object != last;
		last = object == TMAP_NONE ? last : object;
	}
	return count;
}

int tmap_thread_rooms_init(struct tmap_thread_rooms *it, const struct tmap_placement *p,
			   struct tmap_error *err)
{
	it->room = tmap_alloc((size_t)p->place_count, sizeof *it->room, err);
	it->threads = tmap_alloc((size_t)p->setting_count, sizeof *it->threads, err);
	it->why = tmap_alloc((size_t)p->setting_count, sizeof *it->why, err);
	if (!it->room || !it->threads || !it->why)
		return -1;
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];
		const struct tmap_topology *topo = &p->machine->topology[place->topology];
		int pus = (int)tmap_idset_size(&place->pus);
		int cores = objects_of(topo, place, TMAP_CORE);

		it->room[i] =
			(struct tmap_thread_room){ .pus = pus,
						   .cores = cores ? cores : pus,
						   .l3s = objects_of(topo, place, TMAP_L3),
						   .numas = objects_of(topo, place, TMAP_NUMA) };
	}
	for (int i = 0; i < p->setting_count; i++)
		it->threads[i] = tmap_setting_threads(&p->settings[i], &it->why[i]);
	return 0;
}

int tmap_thread_setting(const struct tmap_placement *p, int rank)
{
	return p->setting ? p->setting[rank] : 0;
}

bool tmap_thread_rooms_are_known(const struct tmap_thread_rooms *it, const struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		if (it->threads[i])
			return true;
	return false;
}

enum tmap_lint_answer tmap_lint_threads_skip(struct tmap_finding *finding, struct tmap_error *err)
{
	return tmap_lint_skipped_take(
		finding, tmap_strdup("the placement does not say how many threads ranks run", err));
}

enum tmap_lint_answer tmap_lint_threads_found(struct tmap_finding *finding,
					      const struct tmap_thread_rooms *it,
					      const struct tmap_placement *p, int example,
					      const char *of, const char *and,
					      struct tmap_error *err)
{
	int setting = tmap_thread_setting(p, example), threads = it->threads[setting];
	int pus = it->room[p->place[example]].pus;
	const char *why = it->why[setting];

	tmap_lint_figure(finding, "threads", threads);
	tmap_lint_figure(finding, "pus", pus);
	return tmap_lint_found_take(finding,
				    tmap_format(err, "%d thread%s on %d PU%s%s (%s%srank %d)%s",
						threads, threads == 1 ? "" : "s", pus,
						pus == 1 ? "" : "s", of, why ? why : "",
						why ? " of " : "", example, and),
				    err);
}
